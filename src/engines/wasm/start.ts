/** How the process of an embedded engine starts: with code from the cache, without, or to make that code. */
import { readdirSync, readFileSync, writeSync } from "node:fs";
import { setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { codeOf, readCode, writeCode } from "./code_file.ts";

/** `serve` answers jobs, `train` makes the file of code, `try` shows whether that file is of use; each is an option. */
export type Purpose = "serve" | "train" | "try";

export interface Start {
  readonly purpose: Purpose;
  /** The file of code, to be read or written. */
  readonly file: string | undefined;
  /** Whether it leaves the processors to others. */
  readonly yields: boolean;
}

/** The exit code of a process that was to try code which V8 does not take. */
export const refused_code = 3;

/** How this process was started. */
export function startOf([option, file, ...others]: readonly string[] = process.argv.slice(2)): Start {
  const purpose = option === "--train" ? "train" : option === "--try" ? "try" : "serve";
  return { purpose, file, yields: others.includes("--yield") };
}

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * How much of a function runs before V8 optimises it, in bytes of code. While it is trained, an engine gets optimised
 * code of everything that it uses more than a few times.
 */
const training_budget = 200_000;
const usual_budget = 1_800_000;

/** The module of an engine, and where its code comes from. */
export class HostedModule {
  readonly module: WebAssembly.Module;
  readonly wasm: Bytes;
  readonly #start: Start;
  readonly #budget: number;
  readonly #is_from_file: boolean;

  /** The budget replaces V8's own for the work of this engine. */
  constructor(wasm: Bytes, start: Start, budget = usual_budget) {
    this.wasm = wasm;
    this.#start = start;
    this.#budget = budget;
    if (start.yields) yieldToOthers();
    // Set by whoever reads code, too: V8 compares flags, and its own value is not the same in all versions. If it does
    // not know this flag, it reports that on stderr and continues.
    const is_training = start.purpose === "train";
    if (start.file !== undefined || budget !== usual_budget) setBudget(is_training ? training_budget : budget);
    const read = start.file !== undefined && !is_training ? readCode(start.file, wasm) : undefined;
    this.#is_from_file = read !== undefined;
    this.module = read ?? new WebAssembly.Module(wasm);
  }

  /**
   * Called when the engine has solved its first problem. A process that serves says so by an empty line; the others do
   * what they were started for, and end.
   */
  async started(train: () => Promise<void>): Promise<void> {
    const { purpose, file } = this.#start;
    if (purpose === "serve") return void writeSync(1, "\n");
    if (purpose === "train" && file !== undefined) {
      await train();
      const code = await this.#settledCode();
      if (code) writeCode(file, this.wasm, code);
      process.exit(code ? 0 : refused_code);
    }
    process.exit(this.#is_from_file ? 0 : refused_code);
  }

  /** The code, once V8 has optimised in the background what it found worth it. */
  async #settledCode(): Promise<ArrayBuffer | undefined> {
    setBudget(this.#budget);
    let code = codeOf(this.module);
    for (let same = 0; code && same < settled_polls; ) {
      await sleep(settle_poll_ms);
      const next = codeOf(this.module);
      same = next?.byteLength === code.byteLength && !isCompiling() ? same + 1 : 0;
      code = next;
    }
    return code;
  }
}

const settle_poll_ms = 400;
const settled_polls = 4;

/** The threads of this process, on Linux. */
const tasks = "/proc/self/task";

function setBudget(bytes: number): void {
  setFlagsFromString(`--wasm-tiering-budget=${bytes}`);
}

/** Whether another thread of this process has work, or waits for a processor to do it. Only Linux shows this. */
function isCompiling(): boolean {
  if (process.platform !== "linux") return false;
  return readdirSync(tasks).some(
    (thread) => Number(thread) !== process.pid && /\) R /.test(readFileSync(`${tasks}/${thread}/stat`, "utf8")),
  );
}

/** The lowest priority for each thread of this process: on Linux each has its own, and V8's were started before. */
function yieldToOthers(): void {
  const threads = process.platform === "linux" ? readdirSync(tasks).map(Number) : [0];
  for (const thread of threads) setPriority(thread, 19);
}
