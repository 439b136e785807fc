import { type LanguageFixture, usual_fixture } from "../language_fixture.ts";
import { has_python } from "../models.ts";

const pigeons_in_pysat = (add: string) =>
  `at = {(p, h): 13 * p + h + 1 for p in range(14) for h in range(13)}
hard = [[at[p, h] for h in range(13)] for p in range(14)]
alone = [[-at[p, h], -at[q, h]] for h in range(13) for p in range(14) for q in range(p)]
${add}`;

const pysat: LanguageFixture = {
  ...usual_fixture,
  name: "pysat",
  language: "pysat",
  env: {},
  here: has_python,
  sat: {
    items: [
      "from pysat.solvers import Solver",
      "clauses = [[1, 2], [-1]]",
      "with Solver(name='glucose4', bootstrap_with=clauses) as s:\n    export_solution({'satisfiable': s.solve(), 'true': [n for n in s.get_model() if n > 0]})",
    ],
    model: { true: [2] },
  },
  unsat: {
    items: [
      "from pysat.solvers import Solver",
      "with Solver(name='glucose4', bootstrap_with=[[1], [-1]]) as s:\n    export_solution({'satisfiable': s.solve()})",
    ],
    conflict: [],
  },
  optimum: {
    items: [
      "from pysat.formula import WCNF\nfrom pysat.examples.rc2 import RC2",
      "w = WCNF()\nw.append([-1, -2])\nw.append([1], weight=2)\nw.append([2], weight=3)",
      "with RC2(w) as rc2:\n    m = rc2.compute()\n    export_solution({'satisfiable': True, 'true': [n for n in m if n > 0], 'cost': rc2.cost})",
    ],
    model: { true: [2] },
    objective: 2,
  },
  hard: [
    "from pysat.solvers import Solver",
    pigeons_in_pysat(
      "with Solver(name='glucose4', bootstrap_with=hard + alone) as s:\n    export_solution({'satisfiable': s.solve()})",
    ),
  ],
  hard_optimum: [
    "from pysat.formula import WCNF\nfrom pysat.examples.rc2 import RC2",
    pigeons_in_pysat(
      "w = WCNF()\nw.extend(hard)\nw.extend(alone, weights=[1] * len(alone))\nwith RC2(w) as rc2:\n    rc2.compute()\n    export_solution({'satisfiable': True, 'cost': rc2.cost})",
    ),
  ],
  gives_incumbent: true,
  bad: { item: "for c in [1]:\nprint(c)", line: 2, column: 1 },
  broken_by: { index: 1, gives: "fault" },
  unicode: {
    items: [
      "from pysat.solvers import Solver",
      "größe = [[1]]",
      "with Solver(name='glucose4', bootstrap_with=größe) as s:\n    export_solution({'satisfiable': s.solve(), 'Köln': 'grün 😀'})",
    ],
    model: { Köln: "grün 😀" },
  },
  many: (count) => [
    "from pysat.solvers import Solver\nclauses = []",
    ...Array.from({ length: count - 2 }, (_, i) => `clauses.append([${i + 1}])`),
    "with Solver(name='glucose4', bootstrap_with=clauses) as s:\n    export_solution({'satisfiable': s.solve()})",
  ],
};

export const fixtures: readonly LanguageFixture[] = [pysat];
