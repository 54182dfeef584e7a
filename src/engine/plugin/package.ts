// The JavaScript package: commands judged by the rules in force here, for programs of your own. Nothing is executed or written.

import { Engine, type Answer, type Rule } from "./engine.js";

export { Engine, type Answer, type Rule };

/** A command of a POSIX shell, and the directory in which it would run: absolute; this process's where it is left out. */
export interface Command {
  command: string;
  cwd?: string;
}

let engine: Engine | undefined;

/** What the rules in force say of a command. Never throws; where the guard itself fails, the decision is `deny`. */
export function checkCommand({ command, cwd = process.cwd() }: Command): Answer {
  engine ??= new Engine();
  return engine.command(cwd, command);
}
