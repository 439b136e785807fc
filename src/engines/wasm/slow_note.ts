import { isBusy } from "../../kernel/process/processor_time.ts";
import { engine_limits } from "../limits.ts";

/** Adds a note about faster builds to the first slow answer from an embedded engine, and only to that one. */
export class SlowNote {
  readonly #isBusy: () => boolean;
  #is_reported = false;

  constructor(busy: () => boolean = isBusy) {
    this.#isBusy = busy;
  }

  /** Returns the note on an answer, if there is one. The engine is given as in answers, such as "z3 5.1.0 (wasm)". */
  about(engine: string, time_ms: number): string[] {
    // CP-SAT runs in Python, so the embedded build only compiles for it.
    const is_embedded = engine.endsWith("(wasm)") && !engine.includes("cp-sat");
    if (this.#is_reported || !is_embedded || time_ms < engine_limits.slow_ms) return [];
    // On a busy machine, another build would be slow, too.
    if (this.#isBusy()) return [];
    this.#is_reported = true;
    const [name] = engine.split(" ");
    return [
      `This took ${Math.round(time_ms / 1000)} s in the embedded build of ${name}; a native build is several times faster. \`verdict doctor\` says how the user can get one.`,
    ];
  }
}
