import { isBusy } from "../../kernel/process/processor_time.ts";
import { engine_limits } from "../limits.ts";

/** Says once, with the first slow answer of an embedded engine, that there are faster builds. */
export class SlowNote {
  readonly #isBusy: () => boolean;
  #is_reported = false;

  constructor(busy: () => boolean = isBusy) {
    this.#isBusy = busy;
  }

  /** The note about an answer, if there is one. The engine is named as in answers, such as "z3 5.1.0 (wasm)". */
  about(engine: string, time_ms: number): string[] {
    // CP-SAT runs in Python: there the embedded build only compiles.
    const is_embedded = engine.endsWith("(wasm)") && !engine.includes("cp-sat");
    if (this.#is_reported || !is_embedded || time_ms < engine_limits.slow_ms) return [];
    // On a busy machine another build would be slow, too.
    if (this.#isBusy()) return [];
    this.#is_reported = true;
    const [name] = engine.split(" ");
    return [
      `This took ${Math.round(time_ms / 1000)} s in the embedded build of ${name}; a native build is several times faster. \`verdict doctor\` says how the user can get one.`,
    ];
  }
}
