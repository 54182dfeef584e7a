// `/cc-safety-net`: the rules, from inside Pi. What the engine knows it says itself; what needs the program (tests, logs) is
// handed to it. A change is shown and confirmed before it is written.

import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import type { Engine } from "../../../engine/plugin/engine";
import type { Context } from "./index";

const HELP = `/cc-safety-net list [WORD]                the rules in force, those with the word
/cc-safety-net show ID                    one rule
/cc-safety-net explain COMMAND            what would be said of a command; nothing runs
/cc-safety-net check [FILE…]              faults of rulebooks
/cc-safety-net test [FILE…]               their examples
/cc-safety-net add user|project RULE      a rule, shown with its faults and its effect first
/cc-safety-net disable ID                 switch a rule off in your own layer
/cc-safety-net logs                       what was refused`;

/** The file of a layer that this command writes. */
const OWN = "pi.rulebook";

export async function command(engine: Engine, args: string, ctx: Context): Promise<void> {
  const say = (text: string, kind: "info" | "warning" | "error" = "info") => {
    if (ctx.hasUI) ctx.ui.notify(text, kind);
    else console.log(text);
  };
  const [word = "", rest = ""] = split(args.trim());
  try {
    switch (word) {
      case "list": {
        const { rules, reports } = engine.list(ctx.cwd);
        const shown = rules.filter((rule) => !rest || `${rule.id} ${rule.reason}`.includes(rest));
        const lines = shown.map((rule) => `${rule.id}  ${rule.decision}  ${rule.reason}`);
        return say([...lines, ...reports.map((report) => `Note: ${report}`)].join("\n") || "no such rule");
      }
      case "show": {
        const rule = engine.show(rest, ctx.cwd);
        if (!rule) return say(`no rule is named ${rest}`, "error");
        const lines = [`${rule.id}: ${rule.decision}`, rule.reason, `From: ${rule.file} (${rule.layer})`];
        if (rule.instead) lines.splice(2, 0, `Instead: ${rule.instead}`);
        if (rule.floor) lines.push("Nobody can switch it off.");
        return say(lines.join("\n"));
      }
      case "explain": {
        const answer = engine.explain("pi", ctx.cwd, rest);
        return say(answer.message ? `${answer.decision}: ${answer.message}` : answer.decision);
      }
      case "check":
        return say(program(["rule", "check", ...words(rest)], ctx.cwd));
      case "test":
        return say(program(["rule", "test", ...words(rest)], ctx.cwd));
      case "logs":
        return say(program(["logs", ...words(rest)], ctx.cwd));
      case "add": {
        const [layer = "", rule = ""] = split(rest);
        if ((layer !== "user" && layer !== "project") || !rule) return say(HELP, "error");
        return await write(engine, layer, rule, ctx, say);
      }
      case "disable": {
        const rule = engine.show(rest, ctx.cwd);
        if (!rule) return say(`no rule is named ${rest}`, "error");
        if (rule.floor) return say(`${rest}: nobody can switch it off`, "error");
        return await write(engine, "user", `override ${rule.id} = off`, ctx, say);
      }
      default:
        return say(HELP, word === "" || word === "help" ? "info" : "error");
    }
  } catch (error) {
    say(`CC Safety Net: ${error instanceof Error ? error.message : String(error)}`, "error");
  }
}

type Say = (text: string, kind?: "info" | "warning" | "error") => void;

/** Adds an item to the layer's own file, after its faults and its effect were shown and a person agreed. */
async function write(engine: Engine, layer: "user" | "project", item: string, ctx: Context, say: Say): Promise<void> {
  const folder = path.join(layer === "user" ? os.userInfo().homedir : ctx.cwd, ".cc-safety-net", "rules");
  const file = path.join(folder, OWN);
  const before = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "rulebook pi\nversion 1.0.0\nabout \"Added from Pi.\"\n";
  const after = `${before.trimEnd()}\n\n${item}\n`;
  const faults = engine.check(OWN, after);
  if (faults.length > 0) return say(`Not added:\n${faults.join("\n")}`, "error");
  if (!ctx.hasUI) return say(`It has no faults. To add it, put this into ${file}:\n\n${item}`);
  const effect = difference(before, after, ctx.cwd);
  if (!(await ctx.ui.confirm(`Add to ${file}?`, `${item}\n\n${effect}`))) return say("Nothing was changed.");
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  fs.writeFileSync(`${file}.new`, after, { mode: 0o600 });
  fs.renameSync(`${file}.new`, file);
  say(`Written to ${file}.`);
}

/** What changes by it, as the program says. */
function difference(before: string, after: string, cwd: string): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cc-safety-net-"));
  try {
    const [old, changed] = ["old.rulebook", "new.rulebook"].map((name) => path.join(folder, name)) as [string, string];
    fs.writeFileSync(old, before);
    fs.writeFileSync(changed, after);
    return program(["rule", "diff", old, changed], cwd);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the program; what it prints. */
function program(args: string[], cwd: string): string {
  const run = spawnSync("cc-safety-net", args, { cwd, encoding: "utf8", timeout: 30_000 });
  if (run.error) return "This needs the program `cc-safety-net`, which is not found here.";
  return `${run.stdout}${run.stderr}`.trim() || "nothing to report";
}

/** The first word and the rest. */
function split(text: string): [string, string] {
  const cut = text.search(/\s/);
  return cut < 0 ? [text, ""] : [text.slice(0, cut), text.slice(cut).trim()];
}

function words(text: string): string[] {
  return text.split(/\s+/).filter(Boolean);
}
