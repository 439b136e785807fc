import { writeSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { instanceOf } from "../wasm/instance.ts";
import { type ModuleTypes, typesOf } from "../wasm/module_types.ts";
import { z3_package } from "./wasm_package.ts";

/**
 * Z3 solves in a thread of its process, so that the main thread sees when the server is gone. Each job gets an instance of
 * its own: a new memory, and new JavaScript of the package around it. Only the compiled code stays.
 */

const require = createRequire(import.meta.url);

/** What identifies this thread to itself. */
const role = "the thread in which Z3 solves";

/** Whether this is that thread, and not the process itself. */
export const is_thread = !isMainThread && workerData === role;

/** V8's collector for the objects of this thread. */
export function garbageCollector(): () => void {
  return runInNewContext("gc");
}

/** What the thread is asked: first to take the module, then to open instances, and to run text in the last one. */
type Order =
  | { readonly kind: "load"; readonly module: WebAssembly.Module; readonly head: Uint8Array }
  | { readonly kind: "open" }
  | { readonly kind: "warm" }
  | { readonly kind: "evaluate"; readonly text: string };

/** The thread, as the main thread has it. Answers come in the order of the questions. */
export class SolverThread {
  readonly #worker: Worker;
  readonly #waiting: ((answer: string) => void)[] = [];

  constructor() {
    // Flags are those of the process. V8 would free the memory of an instance in its own time, gigabytes later.
    setFlagsFromString("--expose-gc");
    this.#worker = new Worker(fileURLToPath(import.meta.url), { workerData: role });
    this.#worker.on("message", (answer: string) => this.#waiting.shift()?.(answer));
    // An error in it is not caught: like a crash, it ends the process. So does its own end, with the same status.
    this.#worker.on("exit", (code) => process.exit(code));
  }

  /** Gives it the module, and the sections of its binary before the code. */
  load(module: WebAssembly.Module, head: Uint8Array): void {
    this.#send({ kind: "load", module, head });
  }

  /** Drops the instance that there is, and opens another one. */
  async open(): Promise<void> {
    await this.#ask({ kind: "open" });
  }

  /** Runs what most jobs run, beside the job, so that it is set up by then. */
  async warmUp(): Promise<void> {
    await this.#ask({ kind: "warm" });
  }

  /** Runs SMT-LIB in the instance; gives what it prints. */
  evaluate(text: string): Promise<string> {
    return this.#ask({ kind: "evaluate", text });
  }

  #ask(order: Order): Promise<string> {
    this.#send(order);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #send(order: Order): void {
    this.#worker.postMessage(order);
  }
}

/** The part of the npm package that Verdict uses. */
interface Z3Module {
  readonly Z3: {
    mk_config(): number;
    mk_context(config: number): number;
    del_config(config: number): void;
  };
  readonly em: {
    readonly HEAPU8: Uint8Array;
    readonly PThread: { readonly runningWorkers: Thread[]; readonly unusedWorkers: Thread[] };
    _malloc(bytes: number): number;
    _free(pointer: number): void;
    _Z3_eval_smtlib2_string(context: number, text: number): number;
    UTF8ToString(pointer: number): string;
  };
}

/** A thread that Z3 started for itself, for instance to keep a time limit of a script. */
interface Thread {
  onmessage: () => void;
  terminate(): Promise<number>;
}

type Imports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * Where Z3 would end its process, the runtime only prints this line. So this program ends itself, with the same status:
 * 101 if memory ran out, and others.
 */
const ends_process = /^program exited \(with status: (\d+)\)/;

function watchExit(line: string): void {
  writeSync(2, `${line}\n`);
  const status = ends_process.exec(line)?.[1];
  if (status !== undefined) process.exit(Number(status));
}

/** Solved in a separate context of an instance. */
const warm_up = `(declare-const x Int)(declare-const p Bool)(assert (and (> x 0) (or p (< x 5))))(check-sat)(get-model)
(push)(assert (! (> 0 x) :named a))(check-sat)(pop)(echo "warm")`;

/** Z3's code, which all instances share. */
interface Loaded {
  readonly module: WebAssembly.Module;
  readonly types: ModuleTypes | undefined;
}

/** An instance of Z3. */
class Instance {
  readonly #z3: Z3Module;
  readonly #context: number;

  private constructor(z3: Z3Module) {
    this.#z3 = z3;
    this.#context = this.#newContext();
  }

  static async open({ module, types }: Loaded): Promise<Instance> {
    const low: { init(factory: unknown, overrides: object): Promise<Z3Module> } =
      require("z3-solver/build/low-level/index.js");
    const z3 = await low.init(require("z3-solver/build/z3-built.js"), {
      printErr: watchExit,
      instantiateWasm: (
        { env, ...others }: Imports,
        done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => object,
      ) => {
        // Nothing is ever sent to its mailbox, and a promise that waits for it would keep the instance in memory.
        const package_imports = { ...env, _emscripten_thread_mailbox_await: () => {} };
        const parts = { types, package_imports, form: z3_package };
        return done(
          instanceOf(module, parts, (functions) => ({
            ...others,
            env: functions,
            wasi_snapshot_preview1: functions,
          })),
          module,
        );
      },
    });
    return new Instance(z3);
  }

  warmUp(): void {
    this.#evaluateIn(this.#newContext(), warm_up);
  }

  evaluate(text: string): string {
    return this.#evaluateIn(this.#context, text);
  }

  /** Ends the threads that it started. */
  close(): void {
    const { runningWorkers, unusedWorkers } = this.#z3.em.PThread;
    for (const thread of [...runningWorkers, ...unusedWorkers]) {
      thread.onmessage = () => {};
      void thread.terminate();
    }
  }

  #newContext(): number {
    const { Z3 } = this.#z3;
    const config = Z3.mk_config();
    const context = Z3.mk_context(config);
    Z3.del_config(config);
    return context;
  }

  #evaluateIn(context: number, text: string): string {
    const { em } = this.#z3;
    // In separately allocated memory: the packaged call passes stack memory, which has room for small texts only.
    const bytes = Buffer.from(`${text}\0`, "utf8");
    const pointer = em._malloc(bytes.length);
    em.HEAPU8.set(bytes, pointer);
    const printed = em.UTF8ToString(em._Z3_eval_smtlib2_string(context, pointer));
    em._free(pointer);
    return printed;
  }
}

/** By how much a process may grow before the memory of former instances is collected: that takes 10 to 20 ms. */
const growth_bytes_max = 64 * 1024 * 1024;

/** What the thread has: the module, and the instance of the job that runs or comes next. */
class Solver {
  readonly #collectGarbage = garbageCollector();
  #loaded: Loaded | undefined;
  #instance: Instance | undefined;
  #collected_bytes = 0;

  /** Does what the main thread asks; the answer is sent if there is one. */
  async do(order: Order): Promise<string | undefined> {
    if (order.kind === "load") {
      this.#loaded = { module: order.module, types: typesOf(order.head) };
      return undefined;
    }
    if (order.kind === "evaluate") return this.#instance?.evaluate(order.text) ?? "";
    if (order.kind === "warm") this.#instance?.warmUp();
    else await this.#open();
    return "";
  }

  async #open(): Promise<void> {
    if (!this.#loaded) throw new Error("Z3 was opened before it was loaded");
    this.#instance?.close();
    this.#instance = undefined;
    if (process.memoryUsage.rss() > this.#collected_bytes + growth_bytes_max) {
      this.#collectGarbage();
      this.#collected_bytes = process.memoryUsage.rss();
    }
    this.#instance = await Instance.open(this.#loaded);
  }
}

/** Runs this thread. */
export function runThread(): void {
  const solver = new Solver();
  let work = Promise.resolve();
  parentPort?.on("message", (order: Order) => {
    work = work.then(async () => {
      const answer = await solver.do(order);
      if (answer !== undefined) parentPort?.postMessage(answer);
    });
  });
}
