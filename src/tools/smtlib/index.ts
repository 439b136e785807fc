import type { Toolset } from "../../kernel/tool.ts";
import type { Team } from "./engines/solve.ts";
import guide from "./guide.md";
import { solveSmtlib } from "./solve_smtlib.ts";

export function smtlib(team: Team): Toolset {
  return {
    name: "smtlib",
    guides: [{ name: "smtlib", title: "How to state problems to solve_smtlib", text: guide }],
    session: () => [solveSmtlib(team)],
  };
}
