import type { Hint } from "./hints.ts";

/** The usual slips of programs that use PySAT. */
export const pysat_hints: readonly Hint[] = [
  {
    type: /NoSuchSolverError/,
    message: /.*/,
    steps: ["use one of: cadical195, glucose4, minisat22, maplechrono, lingeling"],
  },
  {
    type: /TypeError/,
    message: /'NoneType' object is not (iterable|subscriptable)/,
    steps: ["get_model() and compute() return None when there is no solution: check the result of solve() first"],
  },
];
