import { writeSync } from "node:fs";
import { createRequire } from "node:module";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { ModuleTypes } from "../wasm/module_types.ts";
import { instanceOf, type PackageForm } from "../wasm/throwing_calls.ts";

const require = createRequire(import.meta.url);

/** The names and code patterns in the package z3-solver 5.2.0. */
export const z3_package: PackageForm = {
  helpers: {
    save: "emscripten_stack_get_current",
    restore: "_emscripten_stack_restore",
    set_threw: "setThrew",
    table: "__indirect_function_table",
  },
  invoke:
    /^function invoke_\w+\([\w,]+\)\{var sp=stackSave\(\);try\{(?:return )?getWasmTableEntry\(index\)\([\w,]*\);\}catch\(e\)\{stackRestore\(sp\);if\(!\(e instanceof EmscriptenEH\)\)throw e;_setThrew\(1,0\);(?:return 0n;)?\}\}$/,
};

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

/** A thread that Z3 started on its own, for example to enforce a time limit in a script. */
interface Thread {
  onmessage: () => void;
  terminate(): Promise<number>;
}

type Imports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * When Z3 would exit its process, the runtime only prints this line. So this program exits itself with the same status,
 * such as 101 if memory ran out.
 */
const ends_process = /^program exited \(with status: (\d+)\)/;

function watchExit(line: string): void {
  writeSync(2, `${line}\n`);
  const status = ends_process.exec(line)?.[1];
  if (status !== undefined) process.exit(Number(status));
}

/** A warm-up script, which is solved in a separate context of an instance. */
const warm_up = `(declare-const x Int)(declare-const p Bool)(assert (and (> x 0) (or p (< x 5))))(check-sat)(get-model)
(push)(assert (! (> 0 x) :named a))(check-sat)(pop)(echo "warm")`;

/** Z3's code, which all instances share. */
export interface Loaded {
  readonly module: WebAssembly.Module;
  readonly types: ModuleTypes | undefined;
}

/** One instance of Z3. */
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
        // Nothing is ever sent to the instance's mailbox, and a promise waiting for it would keep the instance in
        // memory.
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

  /** Ends the threads that the instance started. */
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
    // The text is passed in separately allocated memory: the package's own call uses the stack, which has room only for
    // small texts.
    const bytes = Buffer.from(`${text}\0`, "utf8");
    const pointer = em._malloc(bytes.length);
    em.HEAPU8.set(bytes, pointer);
    const printed = em.UTF8ToString(em._Z3_eval_smtlib2_string(context, pointer));
    em._free(pointer);
    return printed;
  }
}

/**
 * The number of bytes by which a process may grow before the memory of former instances is collected, which takes 10 to
 * 20 ms.
 */
const growth_bytes_max = 64 * 1024 * 1024;

/**
 * Z3 in this process. Each job gets a separate instance, with its own memory and its own copy of the package's
 * JavaScript state. Only the compiled code is reused.
 */
export class Solver {
  readonly #loaded: Loaded;
  readonly #collectGarbage: () => void;
  #instance: Instance | undefined;
  #collected_bytes = 0;

  constructor(loaded: Loaded) {
    this.#loaded = loaded;
    // Left to itself, V8 would free an instance's memory only gigabytes later.
    setFlagsFromString("--expose-gc");
    this.#collectGarbage = runInNewContext("gc");
  }

  /** Drops the current instance and opens a new one. */
  async open(): Promise<void> {
    this.#instance?.close();
    this.#instance = undefined;
    if (process.memoryUsage.rss() > this.#collected_bytes + growth_bytes_max) {
      this.#collectGarbage();
      this.#collected_bytes = process.memoryUsage.rss();
    }
    this.#instance = await Instance.open(this.#loaded);
  }

  /** Runs code that most jobs need, in a separate context, so that it is set up before the next job. */
  warmUp(): void {
    this.#instance?.warmUp();
  }

  /** Runs SMT-LIB commands in the instance and returns its output. */
  evaluate(text: string): string {
    return this.#instance?.evaluate(text) ?? "";
  }
}
