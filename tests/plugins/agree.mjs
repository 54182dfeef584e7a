// Native and WebAssembly say the same: `node tests/plugins/agree.mjs NATIVE COMMANDS [COUNT]`.
//
// NATIVE is the built example `engine` (`cargo build --example engine`), COMMANDS a file with a command in the field `command` of
// each line. Commands are judged, never run. Prints the differences, and the engine's times.

import { spawn } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [native, commands, count = "2000"] = process.argv.slice(2);
if (!commands) {
  console.error("usage: node tests/plugins/agree.mjs NATIVE COMMANDS [COUNT]");
  process.exit(2);
}
const built = path.resolve("target/plugins/package/index.js");
const started = performance.now();
const { Engine } = await import(pathToFileURL(built).href);
const engine = new Engine();
const directory = process.cwd();
const lines = fs.readFileSync(commands, "utf8").split("\n").filter(Boolean);
const all = lines.map((line) => JSON.parse(line).command).filter((command) => typeof command === "string");
// Evenly over the file, whatever its order.
const step = Math.max(1, Math.floor(all.length / Number(count)));
const chosen = all.filter((_, at) => at % step === 0).slice(0, Number(count));

const process_ = spawn(native, [], { stdio: ["pipe", "pipe", "inherit"] });
const answers = createInterface({ input: process_.stdout })[Symbol.asyncIterator]();
const payload = (command) => ({ event: { toolName: "bash", input: { command } }, ctx: { cwd: directory, hasUI: true, sessionId: "s" } });
const times = [];
let first = 0;
let differ = 0;
for (const command of chosen) {
  const before = performance.now();
  const ours = engine.judge("pi", payload(command));
  const after = performance.now();
  if (first === 0) first = after - started;
  else times.push(after - before);
  process_.stdin.write(`${JSON.stringify(`judge pi\n${JSON.stringify(payload(command))}`)}\n`);
  const theirs = (await answers.next()).value;
  if (JSON.stringify(JSON.parse(theirs)) !== JSON.stringify(ours)) {
    differ++;
    if (differ <= 20) console.log(`differs: ${JSON.stringify(command.slice(0, 200))}\n  native: ${theirs.slice(0, 300)}\n  wasm:   ${JSON.stringify(ours).slice(0, 300)}`);
  }
}
process_.stdin.end();
times.sort((one, other) => one - other);
const at = (share) => times[Math.floor(times.length * share)]?.toFixed(2);
console.log(`${chosen.length} commands, ${differ} differences`);
console.log(`load and first call ${first.toFixed(1)} ms, then median ${at(0.5)} ms, 99 % ${at(0.99)} ms a call`);
process.exitCode = differ ? 1 : 0;
