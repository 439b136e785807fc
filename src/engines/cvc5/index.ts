import type { SmtSpec } from "../smt/solver.ts";

/** cvc5 from its authors' Python wheel, which is built without the GPL parts. */
export const cvc5: SmtSpec = {
  name: "cvc5",
  title: "cvc5",
  variable: "VERDICT_CVC5",
  oldest: [1, 0],
  install: "`verdict setup smt` (17 MB to download)",
  isolation: "a process of its own for every solve; no sandbox, no user code runs in it",
  arguments: () => [],
  is_wheel: true,
  is_named_only: true,
  dialect: {
    theories: new Set([
      ...(["arrays", "bit-vectors", "floating point", "integers", "reals", "strings", "sequences"] as const),
      ...(["datatypes", "functions", "uninterpreted sorts", "quantifiers", "recursive functions"] as const),
    ]),
    commands: new Set(["declare-datatype", "declare-datatypes", "define-fun-rec", "define-funs-rec"]),
    prologue: ({ logic, cores, incremental }) =>
      [
        "(set-option :produce-models true)",
        // This option enables constant arrays, which Z3 always supports.
        "(set-option :arrays-exp true)",
        ...(cores ? ["(set-option :produce-unsat-cores true)", "(set-option :produce-unsat-assumptions true)"] : []),
        ...(incremental ? ["(set-option :incremental true)"] : []),
        `(set-logic ${logic})`,
      ].join("\n"),
  },
};
