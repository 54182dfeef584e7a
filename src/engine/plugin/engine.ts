// The engine of CC Safety Net in a plugin: loads the WebAssembly module, answers its questions about this machine, and turns
// every failure into a refusal. The one module that all plugins share; it names no agent.
//
// A question of the engine is a number, a path or a name, and a limit (`src/world/disk/host.rs`). Nothing here writes.

import * as fs from "node:fs";
import * as os from "node:os";
import { gunzip, gunzipSync } from "node:zlib";
import packed from "cc-safety-net-engine";

/** What the engine says of a call. */
export interface Answer {
  decision: "allow" | "warn" | "ask" | "deny";
  message: string;
  /** The reply in the agent's own form; null for silence, and where the engine itself failed. */
  reply: unknown;
}

/** A rule in force. */
export interface Rule {
  id: string;
  layer: string;
  decision: string;
  reason: string;
  instead?: string | null;
  floor?: boolean;
  file?: string;
}

/** What differs from the machine: the text of the user's settings, for where the machine has none. */
export interface Options {
  settings?: string;
}

interface Exports {
  memory: WebAssembly.Memory;
  room(length: number): number;
  answer(length: number): number;
  answered(): number;
}

const MISSING = -1;
const UNKNOWN = -2;
const NO_FILE = -3;
const TOO_LARGE = -4;

/** What one call may ask: the engine has narrower budgets of its own; this one is for an engine gone wrong. */
const QUESTIONS = 20_000;
const BYTES = 64 << 20;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

let compiled: WebAssembly.Module | undefined;

/** Compiles the module while nobody waits: a plugin is loaded long before its first call. Who comes sooner compiles it alone. */
function prepare(): void {
  gunzip(Buffer.from(packed, "base64"), (fault, bytes) => {
    if (fault || compiled) return;
    WebAssembly.compile(new Uint8Array(bytes)).then((module) => (compiled ??= module), () => undefined);
  });
}

/** The engine. Made once; after a failure it starts anew with the next call. */
export class Engine {
  private exports: Exports | undefined;
  private readonly overlay: Map<string, Uint8Array>;
  private questions = 0;
  private bytes = 0;

  constructor(options: Options = {}) {
    this.overlay = overlay(options.settings);
    if (!compiled) prepare();
  }

  /** Judges what the plugin saw, as an agent's payload. Never throws, and never allows because something failed. */
  judge(agent: string, payload: unknown): Answer {
    return this.judged(() => [`judge ${agent}`, JSON.stringify(payload)]);
  }

  /** Judges a command as an agent's, without running it. */
  explain(agent: string, directory: string, command: string): Answer {
    return this.judged(() => [`explain ${agent} ${directory}`, command]);
  }

  /** Judges a command that no agent asks for, without running it. */
  command(directory: string, command: string): Answer {
    return this.judged(() => [`command ${directory}`, command]);
  }

  /** The rules in force in a directory, and what is wrong with its layers. */
  list(directory: string): { rules: Rule[]; reports: string[] } {
    return this.ask(`list ${directory}`, "") as { rules: Rule[]; reports: string[] };
  }

  /** One rule; null where none has the id. */
  show(id: string, directory: string): Rule | null {
    return this.ask(`show ${id}`, directory) as Rule | null;
  }

  /** What is wrong with a rulebook, a line each. */
  check(name: string, text: string): string[] {
    return this.ask(`check ${name}`, text) as string[];
  }

  private judged(question: () => [line: string, text: string]): Answer {
    try {
      const answer = this.ask(...question()) as Answer | null;
      return isAnswer(answer) ? answer : refusal("the engine gave no answer");
    } catch (error) {
      return refusal(error instanceof Error ? error.message : String(error));
    }
  }

  private ask(line: string, text: string): unknown {
    // What follows the line is the text: a directory's name must not end it.
    if (line.includes("\n") || typeof text !== "string") throw new Error("the call cannot be read");
    this.questions = 0;
    this.bytes = 0;
    try {
      const engine = (this.exports ??= this.start());
      const bytes = encoder.encode(`${line}\n${text}`);
      const at = engine.room(bytes.length);
      if (at === 0) throw new Error("the call is too large");
      new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
      const length = engine.answer(bytes.length);
      return JSON.parse(decoder.decode(new Uint8Array(engine.memory.buffer, engine.answered(), length)));
    } catch (error) {
      // A trap leaves memory in no known state.
      this.exports = undefined;
      throw error;
    }
  }

  private start(): Exports {
    compiled ??= new WebAssembly.Module(gunzipSync(Buffer.from(packed, "base64")));
    const host = {
      ask: (question: number, text: number, length: number, limit: number): number => {
        const engine = this.exports ?? exports;
        const words = decoder.decode(new Uint8Array(engine.memory.buffer, text, length).slice());
        if (++this.questions > QUESTIONS) return UNKNOWN;
        const answer = this.fact(question, words, limit >>> 0);
        if (typeof answer === "number") return answer;
        this.bytes += answer.length;
        const at = this.bytes > BYTES ? 0 : engine.room(answer.length);
        if (at === 0) return UNKNOWN;
        new Uint8Array(engine.memory.buffer, at, answer.length).set(answer);
        return answer.length;
      },
    };
    const exports = new WebAssembly.Instance(compiled, { host }).exports as unknown as Exports;
    return exports;
  }

  private fact(question: number, text: string, limit: number): Uint8Array | number {
    try {
      switch (question) {
        case 0:
        case 1: {
          const kept = this.overlay.get(text);
          if (kept) return stat(undefined, kept.length);
          // Most of what is asked for is not there, and an exception costs more than a question.
          const options = { bigint: true, throwIfNoEntry: false } as const;
          const meta = question === 0 ? fs.statSync(text, options) : fs.lstatSync(text, options);
          return meta ? stat(meta, 0) : MISSING;
        }
        case 2:
          return target(text);
        case 3:
          return encoder.encode(slashed(fs.realpathSync.native(text)));
        case 4:
          return list(text, limit);
        case 5:
        case 6: {
          const kept = this.overlay.get(text);
          if (kept) return Buffer.concat([stat(undefined, kept.length), kept]);
          return read(text, limit, question === 5);
        }
        case 7: {
          const value = process.env[text];
          return value === undefined ? MISSING : encoder.encode(value);
        }
        case 8: {
          const value = surroundings(text);
          return value === undefined ? MISSING : encoder.encode(value);
        }
        default:
          return UNKNOWN;
      }
    } catch (error) {
      const code = (error as { code?: string }).code;
      return code === "ENOENT" || code === "ENOTDIR" || code === "ERR_INVALID_ARG_VALUE" ? MISSING : UNKNOWN;
    }
  }
}

/** A refusal for a failure of our own. */
export function refusal(what: string): Answer {
  const message =
    `BLOCKED by CC Safety Net: the guard itself failed (${what.slice(0, 200)}).\nRule: engine.fault (nobody can switch it off)\n\n` +
    "What was not judged does not run. Tell the person; `cc-safety-net doctor` says more.";
  return { decision: "deny", message, reply: null };
}

function isAnswer(answer: Answer | null): answer is Answer {
  return answer !== null && ["allow", "warn", "ask", "deny"].includes(answer.decision) && typeof answer.message === "string";
}

function overlay(settings: string | undefined): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  if (settings === undefined) return files;
  const folder = `${slashed(os.userInfo().homedir)}/.cc-safety-net`;
  const own = ["policy.yaml", "policy.json"].map((name) => `${folder}/${name}`);
  if (own.some((path) => fs.existsSync(path))) return files;
  files.set(`${folder}/policy.yaml`, encoder.encode(settings));
  // The directory of the layer is there, too, then.
  if (!fs.existsSync(folder)) files.set(folder, new Uint8Array());
  return files;
}

/** The user that runs this; 0 where the system has no such numbers. */
const USER = process.geteuid?.() ?? 0;

/** Stat data as the engine reads it; without any, that of a file or folder which only the user may write. */
function stat(meta: fs.BigIntStats | undefined, size: number): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(57));
  const whole = process.platform !== "win32";
  const fields = meta
    ? [meta.mode, meta.uid, meta.gid, meta.ino, meta.size, meta.mtimeNs, meta.ctimeNs]
    : [size === 0 ? 0o040700n : 0o100600n, BigInt(USER), 0n, 0n, BigInt(size), 0n, 0n];
  fields.forEach((field, at) => bytes.setBigUint64(at * 8, BigInt.asUintN(64, field), true));
  bytes.setUint8(56, whole ? 1 : 0);
  return new Uint8Array(bytes.buffer);
}

function target(path: string): Uint8Array | number {
  // Most components of a path are no links, and an exception costs more than a question.
  const meta = fs.lstatSync(path, { throwIfNoEntry: false });
  if (meta === undefined) return MISSING;
  return meta.isSymbolicLink() ? encoder.encode(slashed(fs.readlinkSync(path))) : new Uint8Array();
}

function list(path: string, limit: number): Uint8Array {
  const folder = fs.opendirSync(path, { bufferSize: 256 });
  let text = "";
  try {
    for (let count = 0; count <= limit; count++) {
      const entry = folder.readSync();
      if (entry === null) break;
      const kind = entry.isSymbolicLink() ? "l" : entry.isDirectory() ? "d" : entry.isFile() ? "f" : "o";
      text += `${kind}${entry.name}\0`;
    }
  } finally {
    folder.closeSync();
  }
  return encoder.encode(text);
}

function read(path: string, limit: number, follow: boolean): Uint8Array | number {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOCTTY = 0, O_NOFOLLOW = 0 } = fs.constants;
  const file = fs.openSync(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | (follow ? 0 : O_NOFOLLOW));
  try {
    const meta = fs.fstatSync(file, { bigint: true });
    if (!meta.isFile()) return NO_FILE;
    if (meta.size > BigInt(limit)) return TOO_LARGE;
    const head = stat(meta, 0);
    // A file may say less than it has; one byte past the limit tells.
    const parts: Uint8Array[] = [head];
    let left = limit + 1;
    while (left > 0) {
      const part = Buffer.alloc(Math.min(left, Math.max(Number(meta.size) + 1, 4096)));
      const got = fs.readSync(file, part, 0, part.length, null);
      if (got === 0) break;
      parts.push(part.subarray(0, got));
      left -= got;
    }
    return left > 0 ? Buffer.concat(parts) : TOO_LARGE;
  } finally {
    fs.closeSync(file);
  }
}

function surroundings(name: string): string | undefined {
  if (name === "platform") return process.platform;
  if (name === "user") return String(USER);
  if (name === "home") return slashed(os.userInfo().homedir);
  if (name === "nanoseconds") return String(BigInt(Date.now()) * 1_000_000n);
  const other = /^home of (.*)$/s.exec(name)?.[1];
  if (other === undefined || process.platform === "win32") return undefined;
  const lines = fs.readFileSync("/etc/passwd", "utf8").split("\n");
  const home = lines.map((line) => line.split(":")).find((fields) => fields[0] === other)?.[5];
  return home?.startsWith("/") ? home : undefined;
}

function slashed(path: string): string {
  return process.platform === "win32" ? path.replaceAll("\\", "/").replace(/^\/\/\?\//, "") : path;
}
