import type { SmtSolver } from "../../engines/smt/solver.ts";
import type { Toolset } from "../../kernel/tool.ts";
import guide from "./guide.md";
import { solveSmtlib } from "./solve_smtlib.ts";

export function smtlib(z3: SmtSolver): Toolset {
  return {
    name: "smtlib",
    guides: [{ name: "smtlib", title: "How to state problems to solve_smtlib", text: guide }],
    session: () => [solveSmtlib(z3)],
  };
}
