import type { SmtSpec } from "../smt/solver.ts";

/** Z3, native or embedded. */
export const z3: SmtSpec = {
  name: "z3",
  title: "Z3",
  variable: "VERDICT_Z3",
  // Older builds, such as 4.8.12 in Debian 12, are known to give wrong answers, mostly for strings; the embedded build
  // is better.
  oldest: [4, 12],
  is_in_environments: true,
  advantage: "is faster",
  install: "for example `pip install z3-solver`",
  isolation:
    "a separate process while it solves, in which the embedded build uses a new instance for each solve; it needs no sandbox, because it runs no user code",
  arguments: (memory_mib) => ["-in", `-memory:${memory_mib}`],
  embedded: ({ z3_wasm_host }) => z3_wasm_host,
};
