// The built plugins in hosts that are stubs, written from the agents' type definitions: `node tests/plugins/run.mjs [FOLDER]`.
// A blocked call, a passed one and a malformed one each; Pi's command; the engine's times.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { pathToFileURL } from "node:url";
import { execFileSync, spawnSync } from "node:child_process";

const built = path.resolve(process.argv[2] ?? "target/plugins");
const load = (name) => import(pathToFileURL(path.join(built, name)).href);
// A project of its own, in a scratch folder: a repository with one file.
const project = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cc-safety-net-plugins-")));
execFileSync("git", ["init", "-q", project]);
fs.writeFileSync(path.join(project, "a.txt"), "x\n");
const tests = [];
const test = (name, body) => tests.push([name, body]);
const DANGER = "git push --force origin main";

async function pi(hasUI, says) {
  const registered = {};
  const told = [];
  (await load("pi/index.js")).default({
    on: (name, handler) => (registered[name] = handler),
    registerCommand: (name, options) => (registered[`/${name}`] = options.handler),
  });
  const ui = { confirm: async () => says, notify: (text) => told.push(text) };
  const ctx = { cwd: project, hasUI, ui, sessionManager: { getSessionId: () => "s" } };
  return { call: (toolName, input) => registered.tool_call({ toolName, input }, ctx), command: (args) => registered["/cc-safety-net"](args, ctx), told };
}

test("pi: blocked, passed, malformed", async () => {
  const { call } = await pi(false);
  assert.match((await call("bash", { command: DANGER })).reason, /^BLOCKED by CC Safety Net/);
  assert.equal(await call("bash", { command: "git status" }), undefined);
  assert.equal((await call("bash", {})).block, true);
  assert.equal((await call("bash")).block, true);
  assert.equal((await call("read", { path: "~/.ssh/id_ed25519" })).block, true);
  assert.equal(await call("Shell", { command: "ls", working_directory: "." }), undefined);
});
test("pi: an ask is asked where somebody is there", async () => {
  const ask = { command: "git push --delete origin topic" };
  assert.equal(await (await pi(true, true)).call("bash", ask), undefined);
  assert.equal((await (await pi(true, false)).call("bash", ask)).block, true);
  assert.equal((await (await pi(false, true)).call("bash", ask)).block, true);
});
test("pi: /cc-safety-net", async () => {
  const { command, told } = await pi(true, false);
  await command("list git.");
  assert.match(told.pop(), /git\.push-force {2}deny/);
  await command("show git.push-force");
  assert.match(told.pop(), /^git\.push-force: deny\n/);
  await command(`explain ${DANGER}`);
  assert.match(told.pop(), /^deny: BLOCKED/);
  await command("add project rule x { match no-such-tool; deny }");
  assert.match(told.pop(), /^Not added:\npi\.rulebook:5:/);
  await command('add project rule x { match no-such-tool; deny "No."; examples { deny `no-such-tool`; allow `ls` } }');
  assert.equal(told.pop(), "Nothing was changed.");
  await command("");
  assert.match(told.pop(), /explain COMMAND/);
});
test("opencode 1: blocked, passed, malformed; the user's command stays", async () => {
  const hooks = await (await load("opencode/index.js")).CCSafetyNet({ directory: project });
  const call = (tool, args) => hooks["tool.execute.before"]({ tool, sessionID: "s", callID: "c" }, { args });
  await assert.rejects(call("bash", { command: DANGER }), /^Error: BLOCKED by CC Safety Net/);
  await assert.rejects(call("bash", undefined), /could not be read/);
  await call("bash", { command: "git status", workdir: project });
  const config = { command: { mine: { template: "x" } } };
  await hooks.config(config);
  assert.deepEqual(Object.keys(config.command), ["mine", "cc-safety-net"]);
  await hooks.config({ command: { "cc-safety-net": Object.freeze({ template: "own" }) } });
});
test("opencode 2: blocked, passed", async () => {
  let hook;
  await (await load("opencode/v2.js")).default.setup({ directory: project, tool: { hook: (_, handler) => (hook = handler) } });
  await assert.rejects(hook({ tool: "shell", sessionID: "s", input: { command: DANGER } }), /BLOCKED/);
  await hook({ tool: "shell", sessionID: "s", input: { command: "git status" } });
});
test("openclaw: blocked, asked, passed, other hosts, aborted, outside", async () => {
  let hook;
  const plugin = (await load("openclaw/index.js")).default;
  plugin.register({ on: (_, handler) => (hook = handler) });
  const call = (params, more) => hook({ toolName: "exec", params }, { sessionId: "s", workspaceDir: project, ...more });
  assert.match((await call({ command: DANGER })).blockReason, /^BLOCKED/);
  assert.deepEqual((await call({ command: "git push --delete origin topic" })).requireApproval.allowedDecisions, ["allow-once", "deny"]);
  assert.equal(await call({ command: "git status", host: "auto" }), undefined);
  assert.equal((await call({ command: "ls", host: "node" })).block, true);
  assert.equal((await call({ command: "ls" }, { abortSignal: { aborted: true } })).block, true);
  assert.equal((await call({ command: "ls", workdir: "/" })).block, true);
  assert.equal((await call("ls")).block, true);
});
test("amp: rejected, allowed, no root, a helper that throws", async () => {
  const file = path.join(project, "amp.mjs");
  fs.copyFileSync(path.join(built, "amp/cc-safety-net.ts"), file);
  const plugin = (await import(pathToFileURL(file).href)).default;
  const host = (system, helper) => {
    let hook;
    plugin({ on: (_, handler) => (hook = handler), helpers: { shellCommandFromToolCall: helper }, system });
    return (input) => hook({ tool: "Bash", input, thread: { id: "T-1" } }, {});
  };
  const helper = (event) => ({ command: event.input.cmd });
  const call = host({ workspaceRoot: project }, helper);
  assert.match((await call({ cmd: DANGER })).message, /^BLOCKED/);
  assert.deepEqual(await call({ cmd: "git status" }), { action: "allow" });
  assert.equal((await host({}, helper)({ cmd: "ls" })).action, "reject-and-continue");
  const broken = () => { throw new Error("no"); };
  assert.equal((await host({ workspaceRoot: project }, broken)({ cmd: "ls" })).action, "reject-and-continue");
});
test("the package: checkCommand", async () => {
  const { checkCommand, Engine } = await load("package/index.js");
  const refused = checkCommand({ command: DANGER, cwd: project });
  assert.equal(refused.decision, "deny");
  assert.match(refused.message, /^BLOCKED by CC Safety Net/);
  assert.deepEqual(checkCommand({ command: "git status" }), { decision: "allow", message: "", reply: null });
  assert.equal(checkCommand({ command: undefined, cwd: project }).decision, "deny");
  assert.equal(checkCommand({ command: "ls", cwd: "" }).decision, "deny");
  const odd = fs.mkdtempSync(path.join(project, "a name with blanks "));
  assert.ok(new Engine().list(odd).rules.length > 100);
  assert.equal(checkCommand({ command: DANGER, cwd: odd }).decision, "deny");
  assert.equal(checkCommand({ command: DANGER, cwd: `${project}\nls` }).decision, "deny");
});
test("hermes: the program's answers, and every failure a block", () => {
  const python = ["python3", "python"].find((name) => spawnSync(name, ["--version"]).status === 0);
  if (!python) return console.log("hermes: not run, there is no Python here");
  const script = `
import importlib.util, json, os, sys
spec = importlib.util.spec_from_file_location("plugin", sys.argv[1]); plugin = importlib.util.module_from_spec(spec); spec.loader.exec_module(plugin)
hooks = {}
class Context:
    def register_hook(self, name, callback): hooks[name] = callback
plugin.register(Context())
plugin.PROGRAM = sys.executable; assert plugin._program("/") == sys.executable
def program(text):
    path = os.path.join(sys.argv[2], "program"); open(path, "w").write("#!/bin/sh\\n" + text); os.chmod(path, 0o700)
    plugin._program = lambda home: path
call = lambda **more: hooks["pre_tool_call"](**{"tool_name": "terminal", "args": {"command": "ls"}, "task_id": "t", "session_id": "s", **more})
program("cat > /dev/null"); assert call() is None
program("cat > /dev/null; echo '{\\"action\\":\\"block\\",\\"message\\":\\"no\\"}'"); assert call()["message"] == "no"
assert call(tool_name="web_search") is None
program("cat > /dev/null; echo nonsense"); assert call()["action"] == "block"
program("cat > /dev/null; exit 3"); assert call()["action"] == "block"
program("exec 0<&-; kill -9 $$"); assert call()["action"] == "block"
plugin.TIMEOUT = 0.2; program("cat > /dev/null; while :; do :; done"); assert "0.2 seconds" in call()["message"]
assert call(args=object())["action"] == "block"
def gone(home): raise FileNotFoundError("the program")
plugin._program = gone; assert call()["action"] == "block"
`;
  execFileSync(python, ["-c", script, path.join(built, "hermes/__init__.py"), project], { stdio: "inherit" });
});

let failed = 0;
for (const [name, body] of tests) {
  try {
    await body();
    console.log(`ok    ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAIL  ${name}\n${error.stack}`);
  }
}
fs.rmSync(project, { recursive: true, force: true });
console.log(`${tests.length - failed} of ${tests.length} hold`);
process.exitCode = failed ? 1 : 0;
