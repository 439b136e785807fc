/**
 * The embedded Z3 as a program: reads SMT-LIB on stdin and answers on stdout, as `z3 -in` does. It is built into its
 * own file, dist/z3_wasm.mjs, and only runs in a child process.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { fileURLToPath } from "node:url";
import { completeEnd, startOfScan } from "../smt/scan.ts";
import { HostedModule, startOf } from "../wasm/start.ts";
import { training, training_rlimit } from "./training.ts";
import { is_thread, prepareThreads, runThread } from "./wasm_thread.ts";

const require = createRequire(import.meta.url);

/** The part of the npm package that Verdict uses. */
interface Z3Module {
  readonly Z3: {
    mk_config(): number;
    mk_context(config: number): number;
    del_config(config: number): void;
  };
  readonly em: {
    readonly HEAPU8: Uint8Array;
    _malloc(bytes: number): number;
    _free(pointer: number): void;
    _async_Z3_eval_smtlib2_string(context: number, text: number): void;
    async_call(call: () => void): Promise<string>;
  };
}

/**
 * Where Z3 would end its process, the runtime only prints this line, and the running call never returns. So this
 * program ends itself, with the same status: 101 if memory ran out, and others.
 */
const ends_process = /^program exited \(with status: (\d+)\)/;

function watchExit(line: string): void {
  const status = ends_process.exec(line)?.[1];
  process.stderr.write(`${line}\n`, () => {
    if (status !== undefined) process.exit(Number(status));
  });
}

type Imports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Runs SMT-LIB in one context, which keeps its state between calls. */
type Evaluate = (text: string) => Promise<string>;

async function loadZ3(): Promise<{ readonly hosted: HostedModule; openContext(): Evaluate }> {
  const low: { init(module: unknown, overrides: object): Promise<Z3Module> } =
    require("z3-solver/build/low-level/index.js");
  const script = require.resolve("z3-solver/build/z3-built.js");
  const wasm = new Uint8Array(readFileSync(join(dirname(script), "z3-built.wasm")));
  const hosted = new HostedModule(wasm, startOf());
  prepareThreads(wasm);
  const { Z3, em } = await low.init(require(script), {
    printErr: watchExit,
    mainScriptUrlOrBlob: fileURLToPath(import.meta.url),
    instantiateWasm: (
      imports: Imports,
      done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => object,
    ) => {
      const { module } = hosted;
      return done(new WebAssembly.Instance(module, imports), module);
    },
  });
  const openContext = (): Evaluate => {
    const config = Z3.mk_config();
    const context = Z3.mk_context(config);
    Z3.del_config(config);
    return async (text) => {
      // In separately allocated memory: the packaged call passes stack memory that is freed too early.
      const bytes = Buffer.from(`${text}\0`, "utf8");
      const pointer = em._malloc(bytes.length);
      em.HEAPU8.set(bytes, pointer);
      try {
        return await em.async_call(() => em._async_Z3_eval_smtlib2_string(context, pointer));
      } finally {
        em._free(pointer);
      }
    };
  };
  return { hosted, openContext };
}

/** Solved in a separate context before the first job, so that the code is compiled by then. */
const warm_up = `(declare-const x Int)(declare-const p Bool)(assert (and (> x 0) (or p (< x 5))))(check-sat)(get-model)
(push)(assert (! (> 0 x) :named a))(check-sat)(pop)(echo "warm")`;

async function main(): Promise<void> {
  const { hosted, openContext } = await loadZ3();
  await openContext()(warm_up);
  await hosted.started(async () => {
    for (const script of training) await openContext()(`(set-option :rlimit ${training_rlimit})${script}`);
  });
  const evaluate = openContext();
  const decoder = new StringDecoder("utf8");
  let scan = startOfScan();
  let pending = "";
  let work = Promise.resolve();
  process.stdin.on("data", (bytes: Buffer) => {
    const text = decoder.write(bytes);
    const { end, state } = completeEnd(text, scan);
    scan = state;
    if (end === 0) {
      pending += text;
      return;
    }
    const whole = pending + text.slice(0, end);
    pending = text.slice(end);
    work = work.then(async () => void process.stdout.write(await evaluate(whole)));
  });
  // The parent is gone or finished. A running solve is on another thread, and ends with this process.
  process.stdin.on("end", () => process.exit(0));
}

if (is_thread) runThread();
else void main();
