import { withoutSpaces } from "../wasm/throwing_calls.ts";
import { minizinc_package } from "./wasm_package.ts";

type Functions = Readonly<Record<string, unknown>>;
type Call = (...args: number[]) => unknown;

/** The answer about a path: the result, and the bytes that were written for it. */
interface Known {
  readonly result: number;
  readonly written: Uint8Array | undefined;
}

/** Bits of a mode in which a file is not only read: written, created, emptied, or written at its end. */
const writing = 0b11 | 64 | 512 | 1024;

/** The number by which a call says that a path begins in the working directory, which is that of the run. */
const working_directory = -100;

/** Files of the package, which no run changes; and the directory of a run with those in it, which are dropped after it. */
const library_path = /^\/usr(?:\/[\w+-][\w.+-]*)*$/;
const own_path = /^(?:\/minizinc\/)?(?:[\w+-][\w.+-]*\/)?[\w+-][\w.+-]*$/;
const read_path = /^(?:\/usr\/share|\/home\/web_user\/\.minizinc)(?:\/[\w+-][\w.+-]*)*$/;

/** Paths about which the answers are remembered: the library has some 2,000 with those where it could have been. */
const known_max = 20_000;

/**
 * The calls from the module to the package's JavaScript, which has the file system. They are all that a run can change
 * outside of the module's memory, so they show whether it has left something for the next one. What they are asked about
 * the library is remembered: MiniZinc resolves each directory of each path anew, which costs a fifth of a small run.
 */
export class WatchedCalls {
  /** The functions that the module gets. */
  readonly imports: Functions;
  readonly #package_imports: Functions;
  readonly #open = new Set<unknown>();
  readonly #known = new Map<string, Known>();
  #memory: WebAssembly.Memory | undefined;
  #bytes = Buffer.alloc(0);
  #has_changed = false;

  /** For the functions that the package gives to the module. */
  constructor(package_imports: Functions) {
    this.#package_imports = package_imports;
    const { calls, harmless, invoke } = minizinc_package;
    const special: Readonly<Record<string, (call: Call) => Call>> = {
      [calls.open]: (call) => this.#opening(call),
      [calls.close]: (call) => this.#closing(call),
      [calls.read]: (call) => this.#reading(call),
      [calls.read_link]: (call) => this.#remembering(call, { path: 1, is_link: true }),
      [calls.stat]: (call) => this.#remembering(call, { path: 0, is_link: false }),
    };
    this.imports = Object.fromEntries(
      Object.entries(package_imports).map(([name, each]) => {
        if (typeof each !== "function" || harmless.has(name) || invoke.test(withoutSpaces(each))) return [name, each];
        const call: Call = (...args) => each(...args);
        return [name, special[name]?.(call) ?? this.#changing(call)];
      }),
    );
  }

  /** The memory of the module, once there is one. */
  connect(exports: WebAssembly.Exports): void {
    const memory = exports[minizinc_package.memory];
    if (memory instanceof WebAssembly.Memory) this.#memory = memory;
  }

  /** Whether the runs so far have changed nothing but the memory, and what is dropped with a run. */
  get is_clean(): boolean {
    const { exceptions } = minizinc_package;
    return !this.#has_changed && this.#open.size === 0 && exceptions.every((name) => this.#ask(name) === 0);
  }

  #ask(name: string): unknown {
    const each = this.#package_imports[name];
    return typeof each === "function" ? each() : undefined;
  }

  /** An unknown call. */
  #changing(call: Call): Call {
    return (...args) => {
      this.#noteChange();
      return call(...args);
    };
  }

  #noteChange(): void {
    this.#has_changed = true;
    this.#known.clear();
  }

  #opening(call: Call): Call {
    return (directory = 0, path = 0, mode = 0, ...rest) => {
      const name = this.#textAt(path);
      const is_own = own_path.test(name) && directory === working_directory;
      const is_read = read_path.test(name) && (mode & writing) === 0;
      if (!is_own && !is_read) this.#noteChange();
      const file = call(directory, path, mode, ...rest);
      if (typeof file === "number" && file >= 0) this.#open.add(file);
      return file;
    };
  }

  #closing(call: Call): Call {
    return (file = 0, ...rest) => {
      if (!this.#open.delete(file)) this.#noteChange();
      return call(file, ...rest);
    };
  }

  /** The standard input of the process has the jobs. */
  #reading(call: Call): Call {
    return (file = 0, ...rest) => {
      if (!this.#open.has(file)) this.#noteChange();
      return call(file, ...rest);
    };
  }

  /** Remembers the answers about paths of the library: that one is not a link, or what its entry is. */
  #remembering(call: Call, { path: at, is_link }: { readonly path: number; readonly is_link: boolean }): Call {
    return (...args) => {
      const path = this.#textAt(args[at] ?? 0);
      if (!library_path.test(path)) return call(...args);
      const key = is_link ? `${path}\0` : path;
      const target = args[at + 1] ?? 0;
      const known = this.#known.get(key);
      if (known) {
        if (known.written) this.#bytes.set(known.written, target);
        return known.result;
      }
      const result = call(...args);
      if (typeof result !== "number" || this.#known.size >= known_max) return result;
      if (result < 0) this.#known.set(key, { result, written: undefined });
      else if (!is_link) {
        const written = Uint8Array.from(this.#view().subarray(target, target + minizinc_package.stat_bytes));
        this.#known.set(key, { result, written });
      }
      return result;
    };
  }

  /** The text up to the next zero. A letter of it stands for a byte. */
  #textAt(pointer: number): string {
    const bytes = this.#view();
    return bytes.toString("latin1", pointer, bytes.indexOf(0, pointer));
  }

  /** The memory as it is now: when it grows, it gets another buffer. */
  #view(): Buffer {
    const buffer = this.#memory?.buffer;
    if (buffer && this.#bytes.buffer !== buffer) this.#bytes = Buffer.from(buffer);
    return this.#bytes;
  }
}
