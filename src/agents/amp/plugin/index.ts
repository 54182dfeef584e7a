// CC Safety Net in Amp: one file that the agent's own runtime runs.

import { Engine } from "../../../engine/plugin/engine";

export const description = "CC Safety Net: tool calls are judged before they run.";

declare global {
  // eslint-disable-next-line no-var
  var __CC_SAFETY_NET_EMBEDDED_POLICY__: unknown;
}

/** What of Amp's plugin interface is used (`PluginAPI` of `@ampcode/plugin`). */
interface Amp {
  on(name: "tool.call", handler: (event: Call, ctx: Context) => Promise<Result>): void;
  helpers: { shellCommandFromToolCall(event: Call): { command: string; dir?: string } | undefined };
  system: { workspaceRoot?: string | { fsPath?: string } };
}

interface Call {
  tool: string;
  input: unknown;
  thread?: { id?: string };
}

interface Context {
  ui?: { confirm?(options: { title: string; message: string }): Promise<boolean> };
}

type Result = { action: "allow" } | { action: "reject-and-continue"; message: string };

export default function ccSafetyNet(amp: Amp): void {
  // A snapshot of the settings that the installer put in front of this file: for a machine that has none of its own.
  const embedded = globalThis.__CC_SAFETY_NET_EMBEDDED_POLICY__;
  const engine = new Engine(embedded === undefined ? {} : { settings: JSON.stringify(embedded) });
  const reject = (message: string): Result => ({ action: "reject-and-continue", message });
  amp.on("tool.call", async (event, ctx) => {
    try {
      const root = amp.system?.workspaceRoot;
      const shell = amp.helpers.shellCommandFromToolCall(event);
      const answer = engine.judge("amp", {
        event: { tool: event?.tool, input: event?.input, thread: { id: event?.thread?.id ?? "" } },
        system: { workspaceRoot: typeof root === "string" ? root : root?.fsPath },
        shell: shell ?? null,
        ui: typeof ctx?.ui?.confirm === "function",
      });
      if (answer.decision === "ask" && ctx?.ui?.confirm && (await agreed(ctx.ui.confirm, answer.message))) return { action: "allow" };
      return (answer.reply as Result | null) ?? reject(answer.message);
    } catch (error) {
      // Anything thrown from here would end the agent's turn.
      return reject(`BLOCKED by CC Safety Net: the guard itself failed (${String(error).slice(0, 200)}).`);
    }
  });
}

/** A person's answer; without a surface to ask on, no. */
async function agreed(confirm: NonNullable<NonNullable<Context["ui"]>["confirm"]>, message: string): Promise<boolean> {
  try {
    return await confirm({ title: "CC Safety Net asks", message });
  } catch {
    return false;
  }
}
