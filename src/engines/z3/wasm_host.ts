/**
 * The embedded Z3 as a program: reads SMT-LIB on stdin and answers on stdout, as `z3 -in` does, one job after the other.
 * It is built into its own file, dist/z3_wasm.mjs, and only runs in a child process.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { StringDecoder } from "node:string_decoder";
import { engine_limits } from "../limits.ts";
import { completeEnd, startOfScan } from "../smt/scan.ts";
import { headOf } from "../wasm/module_types.ts";
import { HostedModule, startOf } from "../wasm/start.ts";
import { training, training_rlimit } from "./training.ts";
import { JobStream } from "./wasm_stream.ts";
import { garbageCollector, is_thread, runThread, SolverThread } from "./wasm_thread.ts";

/** Runs the commands of the jobs, each job in an instance of its own. */
class Jobs {
  readonly #stream = new JobStream();
  readonly #solver: SolverThread;
  #scan = startOfScan();
  #pending = "";
  #begun = 0;
  /** Whether text of the current job has come. */
  #has_text = false;
  #work = Promise.resolve();

  /** On a solver that is open. */
  constructor(solver: SolverThread) {
    this.#solver = solver;
  }

  take(piece: string): void {
    for (const part of this.#stream.take(piece)) {
      if (part.kind === "next") this.#begin();
      else this.#evaluate(part.text);
    }
  }

  #evaluate(text: string): void {
    this.#has_text = true;
    const { end, state } = completeEnd(text, this.#scan);
    this.#scan = state;
    const whole = this.#pending + text.slice(0, end);
    this.#pending = end === 0 ? whole + text : text.slice(end);
    if (end > 0)
      this.#work = this.#work.then(async () => void process.stdout.write(await this.#solver.evaluate(whole)));
  }

  /** The first job finds an instance; each later one is told whether this process can serve it. */
  #begin(): void {
    this.#scan = startOfScan();
    this.#pending = "";
    this.#has_text = false;
    if (this.#begun++ === 0) return;
    const is_small = process.memoryUsage.rss() <= engine_limits.z3_kept_bytes_max;
    process.stdout.write(`${is_small ? "fresh" : "spent"} ${this.#stream.word}`);
    this.#work = this.#work.then(async () => {
      await this.#solver.open();
      if (!this.#has_text) await this.#solver.warmUp();
    });
  }
}

async function main(): Promise<void> {
  // It starts while this thread reads the module.
  const solver = new SolverThread();
  const file = createRequire(import.meta.url).resolve("z3-solver/build/z3-built.wasm");
  const wasm = new Uint8Array(readFileSync(file));
  const hosted = new HostedModule(wasm, startOf());
  solver.load(hosted.module, headOf(wasm));
  await solver.open();
  await solver.warmUp();
  await hosted.started(async () => {
    for (const script of training) {
      await solver.evaluate(`(set-option :rlimit ${training_rlimit})${script}`);
      await solver.open();
    }
  });
  const jobs = new Jobs(solver);
  const decoder = new StringDecoder("utf8");
  process.stdin.on("data", (bytes: Buffer) => jobs.take(decoder.write(bytes)));
  // The parent is gone or finished. A running solve is on another thread, and ends with this process.
  process.stdin.on("end", () => process.exit(0));
  // The files of the module and its code, of which V8 has its own copies: a fourth of what this process would hold.
  setImmediate(garbageCollector());
}

if (is_thread) runThread();
else void main();
