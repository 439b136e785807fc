import type { Hint } from "../hints.ts";

/** Hints for common mistakes in programs that use PySAT. */
export const hints: readonly Hint[] = [
  {
    type: /NoSuchSolverError/,
    message: /.*/,
    steps: ["use one of: cadical195, glucose4, minisat22, maplechrono, lingeling"],
  },
  {
    type: /AssertionError/,
    message: /^Package '\w+' is unavailable/,
    steps: ["use one of: cadical195, glucose4, minisat22, maplechrono, lingeling"],
  },
  {
    type: /UnsupportedBound/,
    message: /.*/,
    steps: [
      "the encodings pairwise, bitwise and ladder work only for the bound 1: use EncType.seqcounter, EncType.totalizer or EncType.cardnetwrk",
    ],
  },
  {
    type: /ValueError/,
    message: /non-zero integer expected/,
    steps: ["number the variables from 1: 0 has no negation, so it is not a literal"],
  },
  {
    type: /TypeError/,
    message: /'NoneType' object is not (iterable|subscriptable)/,
    steps: ["get_model() and compute() return None when there is no solution: check the result of solve() first"],
  },
];
