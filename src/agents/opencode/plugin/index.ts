// CC Safety Net in OpenCode, version 1: a refusal is thrown before the tool is executed.

import { Engine } from "../../../engine/plugin/engine";

/** What of version 1's plugin interface is used (`Plugin` of `@opencode-ai/plugin`). */
interface Input {
  directory: string;
  worktree?: string;
}

interface Hooks {
  "tool.execute.before"(input: { tool: string; sessionID: string; callID: string }, output: { args: unknown }): Promise<void>;
  config(config: { command?: Record<string, { description?: string; template: string }> }): Promise<void>;
}

/** The plugin. OpenCode calls every function that the module exports, so there is one. */
export const CCSafetyNet = async (plugin: Input): Promise<Hooks> => {
  const engine = new Engine();
  return {
    "tool.execute.before": async (input, output) => {
      const answer = engine.judge("opencode", {
        input: { tool: input?.tool, sessionID: input?.sessionID },
        output: { args: output?.args },
        plugin: { directory: plugin?.directory },
      });
      if (answer.decision === "ask" || answer.decision === "deny") throw new Error(answer.message);
    },
    config: async (config) => {
      config.command ??= {};
      // The user's own command of that name stays.
      config.command["cc-safety-net"] ??= {
        description: "CC Safety Net: list, show and test the rules",
        template:
          "Run `cc-safety-net rule $ARGUMENTS` (list, show ID, check, test) and show what it prints, without changing anything.",
      };
    },
  };
};
