// CC Safety Net in OpenCode, version 2: the one tool hook that may fail a call fails it.

import { Engine } from "../../../engine/plugin/engine";

/** What of version 2's plugin interface is used (`Plugin.define` of `@opencode-ai/plugin` takes such a value and returns it). */
interface Context {
  directory?: string;
  location?: { directory?: string };
  tool: {
    hook(name: "execute.before", handler: (event: { tool: string; sessionID: string; input: unknown }) => Promise<void>): unknown;
  };
}

export default {
  id: "cc-safety-net",
  setup: async (context: Context): Promise<void> => {
    const engine = new Engine();
    const directory = context.directory ?? context.location?.directory ?? process.cwd();
    await context.tool.hook("execute.before", async (event) => {
      const answer = engine.judge("opencode", {
        hook_event_name: "execute.before",
        event: { tool: event?.tool, sessionID: event?.sessionID, input: event?.input },
        plugin: { directory },
      });
      if (answer.decision === "ask" || answer.decision === "deny") throw new Error(answer.message);
    });
  },
};
