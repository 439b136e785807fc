/**
 * The embedded clingo as a program. It reads questions on stdin, one JSON object per line, and handles them one after
 * the other: it prints clingo's output, then a line with the exit code and the messages. It is built into its own file,
 * dist/clingo_wasm.mjs, and only runs in a child process.
 */
import { readFileSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { HostedModule, startOf } from "../wasm/start.ts";
import { training, training_args } from "./training.ts";

/** The messages that `host.ts` sends. */
interface Job {
  readonly program: string;
  readonly args: readonly string[];
}

/** The part of the npm package's Emscripten module that Verdict uses. */
interface ClingoModule {
  ccall(name: "run", result: "number", types: readonly ["string", "string"], args: readonly [string, string]): number;
}

interface Hooks {
  readonly print: (line: string) => void;
  readonly printErr: (line: string) => void;
  readonly stdin: () => number | null;
  /** Makes the instance; the package would compile the module itself. */
  instantiateWasm(imports: Imports, done: (instance: WebAssembly.Instance) => void): object;
}

type Imports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Runs one job; gives clingo's exit code. */
type Run = (job: Job, print: (line: string) => void, printErr: (line: string) => void) => number;

async function loadClingo(): Promise<{ readonly hosted: HostedModule; readonly run: Run }> {
  // The package exports a worker; this is already a process of its own, and loads what that worker loads.
  const built: { default(hooks: Hooks): Promise<ClingoModule> } = await import(
    new URL("clingo/clingo.js", import.meta.url).href
  );
  const wasm = new Uint8Array(readFileSync(new URL("clingo/clingo.wasm", import.meta.url)));
  const hosted = new HostedModule(wasm, startOf());
  let out = (_: string) => {};
  let err = (_: string) => {};
  let input = Buffer.alloc(0);
  let at = 0;
  const clingo = await built.default({
    print: (line) => out(line),
    printErr: (line) => err(line),
    stdin: () => input[at++] ?? null,
    instantiateWasm: (imports, done) => {
      const instance = new WebAssembly.Instance(hosted.module, imports);
      done(instance);
      return instance.exports;
    },
  });
  const run: Run = ({ program, args }, print, printErr) => {
    out = print;
    err = printErr;
    input = Buffer.from(program, "utf8");
    at = 0;
    // As a file: the packaged call puts the program on the stack, which half a megabyte overruns.
    return clingo.ccall("run", "number", ["string", "string"], ["", [...args, "/dev/stdin"].join(" ")]);
  };
  return { hosted, run };
}

/** Solved before the first job, so that the code is compiled by then. */
const warm_up: Job = {
  program: "{a(1..2)}. b(X) :- a(X), not c(X). :- #count{X : b(X)} > 1. #minimize{X : b(X)}.",
  args: ["--outf=2", "--opt-mode=opt"],
};

function serve(run: Run, line: string): void {
  const messages: string[] = [];
  const print = (text: string) => void writeSync(1, `${text}\n`);
  const code = run(JSON.parse(line), print, (text) => void messages.push(text));
  print(`\u0004${JSON.stringify({ code, stderr: messages.join("\n") })}`);
}

async function main(): Promise<void> {
  const { hosted, run } = await loadClingo();
  const quietly = (job: Job) => {
    const ignore = () => {};
    run(job, ignore, ignore);
  };
  quietly(warm_up);
  await hosted.started(async () => {
    for (const program of training) for (const args of training_args) quietly({ program, args });
  });
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => serve(run, line));
  // The parent is gone or done.
  lines.on("close", () => process.exit(0));
}

void main();
