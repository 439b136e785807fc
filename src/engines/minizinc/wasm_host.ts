/**
 * The embedded MiniZinc as a program: it reads one job per line on stdin, prints MiniZinc's output line by line, and
 * then reports how the run ended. It is built into a separate file, dist/minizinc_wasm.mjs, and only runs in a child
 * process.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { setFlagsFromString } from "node:v8";
import { compileFunction } from "node:vm";
import { print, printEnd, serveJobs } from "../wasm/jobs.ts";
import { typesOf } from "../wasm/module_types.ts";
import { instanceOf } from "../wasm/throwing_calls.ts";
import { timeLimit } from "./task.ts";
import { minizinc_package, Snapshot, WatchedCalls } from "./wasm_calls.ts";
import type { HostJob } from "./wasm_process.ts";

const require = createRequire(import.meta.url);

/** The parts of the package's worker messages that are used here. */
interface Message {
  /** A line of MiniZinc's output, unchanged. */
  readonly line?: string;
  readonly type?: string;
  readonly value?: string;
  readonly code?: number;
  readonly message?: string;
  readonly outputFiles?: Readonly<Record<string, string | null>>;
}

type Listener = (event: { readonly data: object }) => Promise<void>;

/** Receives the running job's messages. */
let onMessage: (message: Message) => void = () => {};

/**
 * Loads the package's browser script with the globals that the script needs. Its JSON parser would round large numbers,
 * so it gets a parser that leaves each line unchanged.
 */
async function loadMiniZinc() {
  const file = require.resolve("minizinc/minizinc-worker.js");
  let listener: Listener = async () => {};
  const wasmURL = require.resolve("minizinc/minizinc.wasm");
  setFlagsFromString(`--wasm-tiering-budget=${tiering_budget}`);
  const wasm = new Uint8Array(readFileSync(wasmURL));
  let instantiated: ReturnType<typeof instantiate> | undefined;
  const globals = {
    self: globalThis,
    require,
    __dirname: dirname(file),
    postMessage: (message: Message) => onMessage(message),
    addEventListener: (_: string, added: Listener) => {
      listener = added;
    },
    JSON: { parse: (line: string) => ({ line }), stringify: JSON.stringify },
    WebAssembly: Object.create(WebAssembly, {
      instantiate: {
        value: (_: unknown, imports: Imports) => {
          instantiated = instantiate(wasm, imports);
          return Promise.resolve(instantiated);
        },
      },
    }),
  };
  compileFunction(readFileSync(file, "utf8"), Object.keys(globals), { filename: file })(...Object.values(globals));
  await listener({ data: { wasmURL, dataURL: require.resolve("minizinc/minizinc.data") } });
  if (!instantiated) throw new Error("the package minizinc has not instantiated its module");
  const { instance, calls } = instantiated;
  return { listener, calls, snapshot: new Snapshot(instance.exports) };
}

type Imports = { readonly a: Record<string, unknown> };

/** Instantiates the module, which imports all functions from one place. */
function instantiate(wasm: Uint8Array<ArrayBuffer>, { a: package_imports }: Imports) {
  const module = new WebAssembly.Module(wasm);
  const calls = new WatchedCalls(package_imports);
  const parts = { types: typesOf(wasm), package_imports: calls.imports, form: minizinc_package };
  const instance = instanceOf(module, parts, (a) => ({ a }));
  calls.connect(instance.exports);
  return { module, instance, calls };
}

/**
 * The maximum length of stderr that is sent when a run ends, since the stderr pipe may be read later than the stdout
 * pipe.
 */
const stderr_chars_max = 65_536;

/**
 * The memory size at which a process is replaced: restoring larger memory costs more than a start, and it never
 * shrinks.
 */
const memory_bytes_max = 512 * 1024 * 1024;

type MiniZinc = Awaited<ReturnType<typeof loadMiniZinc>>;

/**
 * Runs a job. The memory is restored after the job, while nobody is waiting, so that the next job finds no traces of
 * it.
 */
async function run({ listener, calls, snapshot }: MiniZinc, job: HostJob): Promise<void> {
  const { id, files, keeps, ends_at } = job;
  // Two processes' clocks are read in whole milliseconds; the extra time keeps the run from ending before its limit.
  const limit = ends_at === undefined ? [] : timeLimit(ends_at - Date.now() + 2);
  const args = [...limit, ...job.args];
  let stderr = "";
  onMessage = ({ line, type, value, code = -1, message, outputFiles }) => {
    if (line !== undefined) print(1, line.endsWith("\n") ? line : `${line}\n`);
    else if (type === "stdout" && value !== undefined) print(1, `${value}\n`);
    else if (type === "stderr" && value !== undefined) {
      stderr = (stderr + value).slice(0, stderr_chars_max);
      print(2, value);
    } else if (type === "exit") {
      // After a crash, the package's JavaScript is in an unknown state, too.
      const is_spent = message !== undefined || snapshot.size > memory_bytes_max || !calls.is_clean;
      printEnd({ id, code, is_spent, memory_bytes: snapshot.size, stderr, files: outputFiles ?? {} });
    }
  };
  await listener({ data: { jsonStream: true, files, args, outputFiles: keeps } });
  snapshot.restore();
}

/**
 * A warm-up model, solved before the first job so that most of the code is already compiled. A job that is already
 * waiting compiles it as well. It does not include the whole library, which would take as long again.
 */
const warm_up =
  'include "alldifferent.mzn"; array[1..3] of var 1..3: x; constraint alldifferent(x); solve minimize sum(x);';
const warm_up_args = ["--solver", "gecode", "--statistics", "--output-mode", "json", "--fzn", "warm.fzn", "warm.mzn"];

/**
 * The number of code bytes that a function executes before V8 optimises it. With the default of 1.8 million, V8
 * optimises the code that reads the library, which takes as long as the rest of the start. With this value, long runs
 * are just as fast.
 */
const tiering_budget = 100_000_000;

async function main(): Promise<void> {
  const minizinc = await loadMiniZinc();
  const warmUp = async () => {
    await minizinc.listener({ data: { jsonStream: true, files: { "warm.mzn": warm_up }, args: warm_up_args } });
    minizinc.snapshot.restore();
  };
  serveJobs((job: HostJob) => run(minizinc, job), warmUp);
}

void main();
