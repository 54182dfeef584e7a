// CC Safety Net in Pi: every tool call is judged before it runs, and `/cc-safety-net` shows and changes the rules.

import { Engine } from "../../../engine/plugin/engine";
import { command } from "./command";

/** What of Pi's extension interface is used (`ExtensionAPI` of `@earendil-works/pi-coding-agent`). */
export interface Pi {
  on(event: "tool_call", handler: (event: ToolCall, ctx: Context) => Promise<Block | undefined>): void;
  registerCommand(name: string, options: { description: string; handler(args: string, ctx: Context): Promise<void> }): void;
}

export interface ToolCall {
  toolName: string;
  input: unknown;
}

export interface Context {
  cwd: string;
  hasUI?: boolean;
  sessionManager?: { getSessionId?(): string };
  ui: {
    confirm(title: string, message: string): Promise<boolean>;
    notify(message: string, kind?: "info" | "warning" | "error"): void;
  };
}

export interface Block {
  block: true;
  reason: string;
}

export default function ccSafetyNet(pi: Pi): void {
  const engine = new Engine();
  pi.on("tool_call", async (event, ctx) => {
    const answer = engine.judge("pi", {
      event: { toolName: event?.toolName, input: event?.input },
      ctx: { cwd: ctx?.cwd, hasUI: ctx?.hasUI === true, sessionId: ctx?.sessionManager?.getSessionId?.() ?? "" },
    });
    if (answer.decision === "allow" || answer.decision === "warn") return undefined;
    if (answer.decision === "ask" && ctx?.hasUI && (await ctx.ui.confirm("CC Safety Net asks", answer.message))) return undefined;
    return (answer.reply as Block | null) ?? { block: true, reason: answer.message };
  });
  pi.registerCommand("cc-safety-net", {
    description: "CC Safety Net: list, show, explain, check, test, add, disable, logs",
    handler: (args, ctx) => command(engine, args, ctx),
  });
}
