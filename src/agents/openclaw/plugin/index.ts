// CC Safety Net in OpenClaw: `before_tool_call` is judged; the Gateway refuses a call whose handler throws or takes too long.

import { Engine } from "../../../engine/plugin/engine";

/** What of the plugin interface is used (`openclaw/plugin-sdk/plugin-entry`). */
interface Api {
  config?: { agents?: { defaults?: { workspace?: string } } };
  on(name: "before_tool_call", handler: (event: Call, context: Context) => Promise<Result | undefined>, options?: object): void;
}

interface Call {
  toolName: string;
  params: unknown;
}

interface Context {
  sessionId?: string;
  workspaceDir?: string;
  abortSignal?: { aborted: boolean };
}

interface Result {
  block?: boolean;
  blockReason?: string;
  requireApproval?: object;
}

export default {
  id: "cc-safety-net",
  name: "CC Safety Net",
  description: "Tool calls are judged before they run.",
  register(api: Api): void {
    const engine = new Engine();
    api.on("before_tool_call", async (event, context) => {
      const workspace = context?.workspaceDir ?? api.config?.agents?.defaults?.workspace ?? process.cwd();
      const answer = engine.judge("openclaw", {
        event: { toolName: event?.toolName, params: event?.params },
        ctx: { sessionId: context?.sessionId ?? "", workspace, aborted: context?.abortSignal?.aborted === true },
      });
      if (answer.decision === "allow" || answer.decision === "warn") return undefined;
      return (answer.reply as Result | null) ?? { block: true, blockReason: answer.message };
    });
  },
};
