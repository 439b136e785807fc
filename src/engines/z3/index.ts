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
  install: "for instance `pip install z3-solver`",
  isolation:
    "a process of its own while it solves, of which the embedded build uses a new instance for every solve; no sandbox, no user code runs in it",
  arguments: (memory_mib) => ["-in", `-memory:${memory_mib}`],
  embedded: ({ z3_wasm_host }) => z3_wasm_host,
};
