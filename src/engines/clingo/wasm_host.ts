/**
 * The embedded clingo as a program. It reads orders on stdin, one JSON object per line, and carries them out in order.
 * For a question, it prints clingo's output and then how the run ended; for a new call, it opens a new instance. It is
 * built into a separate file, dist/clingo_wasm.mjs, and only runs in a child process.
 */
import { readFileSync } from "node:fs";
import { print, printEnd, serveJobs } from "../wasm/jobs.ts";
import { exit_codes } from "./exit_codes.ts";
import type { Order, Question } from "./host.ts";

/** The part of the npm package's Emscripten module that Verdict uses. */
interface ClingoModule {
  ccall(name: "run", result: "number", types: readonly ["string", "string"], args: readonly [string, string]): number;
}

interface Hooks {
  readonly print: (line: string) => void;
  readonly printErr: (line: string) => void;
  readonly stdin: () => number | null;
  /** Creates the instance; without this hook, the package would compile the module itself. */
  instantiateWasm(imports: Imports, done: (instance: WebAssembly.Instance) => void): object;
}

type Imports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Runs a question in an instance and returns clingo's exit code. */
type Run = (question: Question, print: (line: string) => void, printErr: (line: string) => void) => number;

/** Opens an instance with its own memory and its own copy of the package's JavaScript state. */
type Open = () => Promise<Run>;

async function loadClingo(): Promise<Open> {
  // The package exports a worker. This process is already separate, so it loads the worker's module directly.
  const built: { default(hooks: Hooks): Promise<ClingoModule> } = await import(
    new URL("clingo/clingo.js", import.meta.url).href
  );
  const wasm = new Uint8Array(readFileSync(new URL("clingo/clingo.wasm", import.meta.url)));
  const module = new WebAssembly.Module(wasm);
  return () => openInstance(built.default, module);
}

async function openInstance(build: (hooks: Hooks) => Promise<ClingoModule>, module: WebAssembly.Module): Promise<Run> {
  let out = (_: string) => {};
  let err = (_: string) => {};
  let input = Buffer.alloc(0);
  let at = 0;
  const clingo = await build({
    print: (line) => out(line),
    printErr: (line) => err(line),
    stdin: () => input[at++] ?? null,
    instantiateWasm: (imports, done) => {
      const instance = new WebAssembly.Instance(module, imports);
      done(instance);
      return instance.exports;
    },
  });
  return ({ program, args }, print, printErr) => {
    out = print;
    err = printErr;
    input = Buffer.from(program, "utf8");
    at = 0;
    // The program is passed as a file: the package's own call puts it on the stack, which overflows at half a megabyte.
    return clingo.ccall("run", "number", ["string", "string"], ["", [...args, "/dev/stdin"].join(" ")]);
  };
}

/** A warm-up question, solved before the first job so that the code is already compiled. */
const warm_up: Question = {
  program: "{a(1..2)}. b(X) :- a(X), not c(X). :- #count{X : b(X)} > 1. #minimize{X : b(X)}.",
  args: ["--outf=2", "--opt-mode=opt"],
};

/** The exit codes after which the process can serve another call. All other codes stand for limits, or never occur. */
const usual_codes = new Set<number>([
  exit_codes.grounded,
  exit_codes.sat,
  exit_codes.unsat,
  exit_codes.exhausted,
  exit_codes.refused,
]);

function answer(run: Run, { id, ...question }: Extract<Order, { kind: "run" }>): void {
  const messages: string[] = [];
  const code = run(
    question,
    (line) => print(1, `${line}\n`),
    (line) => void messages.push(line),
  );
  const memory_bytes = process.memoryUsage.rss();
  printEnd({ id, code, is_spent: !usual_codes.has(code), memory_bytes, stderr: messages.join("\n") });
}

async function main(): Promise<void> {
  const open = await loadClingo();
  let run = await open();
  const ignore = () => {};
  run(warm_up, ignore, ignore);
  serveJobs(async (order: Order) => {
    if (order.kind === "run") answer(run, order);
    else run = await open();
  });
}

void main();
