import type { SmtSpec } from "../smt/solver.ts";

/** Bitwuzla: bit-vectors, floating point, arrays and functions over them. */
export const bitwuzla: SmtSpec = {
  name: "bitwuzla",
  title: "Bitwuzla",
  variable: "VERDICT_BITWUZLA",
  oldest: [0, 10],
  // Older builds answer unsat for satisfiable sums of shifts.
  oldest_named: [0, 10],
  install: "`verdict setup smt` (17 MB to download)",
  isolation: "a separate process for each solve; it needs no sandbox, because it runs no user code",
  arguments: () => [],
  is_wheel: true,
  is_named_only: true,
  dialect: {
    // It supports uninterpreted sorts, but answers unknown if their elements are compared.
    theories: new Set(["arrays", "bit-vectors", "floating point", "functions", "quantifiers"] as const),
    commands: new Set(),
    prologue: ({ cores }) =>
      [
        "(set-option :produce-models true)",
        ...(cores ? ["(set-option :produce-unsat-cores true)", "(set-option :produce-unsat-assumptions true)"] : []),
      ].join("\n"),
  },
};
