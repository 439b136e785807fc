import { type PackageForm, withoutSpaces } from "../wasm/throwing_calls.ts";

type Functions = Readonly<Record<string, unknown>>;
type Call = (...args: number[]) => unknown;

/** A cached answer about a path: the call's result, and the bytes that it wrote. */
interface Known {
  readonly result: number;
  readonly written: Uint8Array | undefined;
}

/** The mode bits for anything other than reading a file: writing, creating, truncating or appending. */
const writing = 0b11 | 64 | 512 | 1024;

/**
 * The number by which a call indicates that a path is relative to the working directory, which is the run's directory.
 */
const working_directory = -100;

/**
 * Paths of the package's files, which no run changes, and paths in a run's directory, which is deleted after the run.
 */
const library_path = /^\/usr(?:\/[\w+-][\w.+-]*)*$/;
const own_path = /^(?:\/minizinc\/)?(?:[\w+-][\w.+-]*\/)?[\w+-][\w.+-]*$/;
const read_path = /^(?:\/usr\/share|\/home\/web_user\/\.minizinc)(?:\/[\w+-][\w.+-]*)*$/;

/**
 * The maximum number of paths with cached answers; the library has some 2,000, including places where a file is only
 * looked for.
 */
const known_max = 20_000;

/**
 * The calls from the module to the package's JavaScript, which implements the file system. A run can change things
 * outside the module's memory only through these calls, so they show whether a run has left anything for the next one.
 * Answers about the library are cached: MiniZinc resolves each directory of each path anew, which takes a fifth of the
 * time of a small run.
 */
export class WatchedCalls {
  /** The functions that the module imports. */
  readonly imports: Functions;
  readonly #package_imports: Functions;
  readonly #open = new Set<unknown>();
  readonly #known = new Map<string, Known>();
  #memory: WebAssembly.Memory | undefined;
  #bytes = Buffer.alloc(0);
  #has_changed = false;

  /** Wraps the functions that the package provides to the module. */
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

  /** Sets the module's memory once it exists. */
  connect(exports: WebAssembly.Exports): void {
    const memory = exports[minizinc_package.memory];
    if (memory instanceof WebAssembly.Memory) this.#memory = memory;
  }

  /** Whether the runs so far have changed nothing except the memory and files that are deleted after each run. */
  get is_clean(): boolean {
    const { exceptions } = minizinc_package;
    return !this.#has_changed && this.#open.size === 0 && exceptions.every((name) => this.#ask(name) === 0);
  }

  #ask(name: string): unknown {
    const each = this.#package_imports[name];
    return typeof each === "function" ? each() : undefined;
  }

  /** Wraps an unknown call, which counts as a change. */
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

  /**
   * Wraps a read. Reading a file that the run did not open counts as a change, since the process receives its jobs on
   * stdin.
   */
  #reading(call: Call): Call {
    return (file = 0, ...rest) => {
      if (!this.#open.has(file)) this.#noteChange();
      return call(file, ...rest);
    };
  }

  /** Caches the answers about paths in the library: that a path is not a link, or its directory entry. */
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

  /** Reads the text up to the next zero byte, with one character per byte. */
  #textAt(pointer: number): string {
    const bytes = this.#view();
    return bytes.toString("latin1", pointer, bytes.indexOf(0, pointer));
  }

  /** Returns the current memory, which has a new buffer after it grows. */
  #view(): Buffer {
    const buffer = this.#memory?.buffer;
    if (buffer && this.#bytes.buffer !== buffer) this.#bytes = Buffer.from(buffer);
    return this.#bytes;
  }
}

/** Further facts about MiniZinc's package: the names that its module imports and exports. */
interface MiniZincForm extends PackageForm {
  readonly memory: string;
  /** The calls to the file system that are watched. */
  readonly calls: Readonly<Record<"open" | "close" | "read" | "read_link" | "stat", string>>;
  /** How many bytes `stat` writes. */
  readonly stat_bytes: number;
  /** Functions that return 0 if no C++ exception is active. */
  readonly exceptions: readonly string[];
  /** Functions that change nothing outside the memory that lasts longer than a run. */
  readonly harmless: ReadonlySet<string>;
}

/** How the embedded build is recognised: by names and forms in the package minizinc 4.5.1. */
export const minizinc_package: MiniZincForm = {
  memory: "kb",
  calls: { open: "ja", close: "V", read: "la", read_link: "xa", stat: "Fa" },
  stat_bytes: 96,
  exceptions: ["gb", "fb"],
  harmless: new Set([
    // C++ exceptions, whose state is queried after each run.
    ..."za u fb G a k s H da Oa W eb m gb i A".split(" "),
    // Files and the terminal: calls that query them, seek in them, or write to open ones.
    ..."Ga La ya Da Ea Ka Ja ba Ra".split(" "),
    // Time, environment, memory size, and program exit.
    ..."Ha Pa ka X Ma Na ib hb cb h Qa F Aa".split(" "),
  ]),
  helpers: { save: "xb", restore: "vb", set_threw: "tb", table: "nb" },
  invoke:
    /^function\([\w$,]+\)\{var [\w$]+=[\w$]+\(\);try\{(?:return )?[\w$]+\(\w+\)\([\w$,]*\)\}catch\(\w+\)\{if\([\w$]+\([\w$]+\),!\(\w+ instanceof [\w$]+\)\)throw \w+;(?:[\w$]+\(1,0\)|return [\w$]+\(1,0\),0n)\}\}$/,
};

/**
 * The memory of the embedded MiniZinc before its first run. Every run starts from it: with the state of an earlier run,
 * the compiler mixes up names and types of its library, and Chuffed answers about both models.
 */
export class Snapshot {
  readonly #memory: WebAssembly.Memory;
  readonly #bytes: Uint8Array;
  readonly #stack: unknown;
  readonly #setStack: (stack: unknown) => void;

  /** For an instance that has run nothing yet. Raises an error if the package has other exports than expected. */
  constructor(exports: WebAssembly.Exports) {
    const { helpers } = minizinc_package;
    const memory = exports[minizinc_package.memory];
    const [save, restore] = [exports[helpers.save], exports[helpers.restore]];
    if (!(memory instanceof WebAssembly.Memory) || typeof save !== "function" || typeof restore !== "function")
      throw new Error("the package minizinc has other exports than expected");
    this.#memory = memory;
    this.#bytes = usedPart(memory.buffer);
    this.#stack = save();
    this.#setStack = (stack) => restore(stack);
  }

  /** The size of the memory in bytes. It never shrinks. */
  get size(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Restores the memory and the stack pointer; takes about 20 ms. */
  restore(): void {
    const all = new Uint8Array(this.#memory.buffer);
    all.set(this.#bytes);
    all.fill(0, this.#bytes.length);
    this.#setStack(this.#stack);
  }
}

/**
 * The bytes up to the last nonzero word. Startup waits for this, and a callback for each byte would take ten times as
 * long.
 */
function usedPart(buffer: ArrayBuffer): Uint8Array {
  const words = new Int32Array(buffer);
  let end = words.length;
  while (end > 0 && words[end - 1] === 0) end--;
  return new Uint8Array(buffer).slice(0, end * words.BYTES_PER_ELEMENT);
}
