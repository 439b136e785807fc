import { engine_limits } from "../limits.ts";

/** Says once, with the first slow answer of an embedded engine, that there are faster builds. */
export class SlowNote {
  #is_reported = false;

  /** The note about an answer, if there is one. The engine is named as in answers, such as "z3 5.1.0 (wasm)". */
  about(engine: string, time_ms: number): string[] {
    if (this.#is_reported || !engine.endsWith("(wasm)") || time_ms < engine_limits.slow_ms) return [];
    this.#is_reported = true;
    const [name] = engine.split(" ");
    return [
      `This took ${Math.round(time_ms / 1000)} s in the embedded build of ${name}; a native build is several times faster. \`verdict doctor\` says how the user can get one.`,
    ];
  }
}
