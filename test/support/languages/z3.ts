import { type LanguageFixture, usual_fixture } from "../language_fixture.ts";
import { has_python } from "../models.ts";

const z3: LanguageFixture = {
  ...usual_fixture,
  incumbent_ms: 1_500,
  name: "z3",
  language: "z3",
  env: {},
  here: has_python,
  sat: { items: ["x, y = Ints('x y')", "x > 5", "And(y == x + 1, y < 8)"], model: { x: 6, y: 7 } },
  unsat: { items: ["x, y = Ints('x y')", "x > 5", "y > 0", "x < 3"], conflict: [1, 3] },
  optimum: {
    items: ["x = Int('x')\no = Optimize()", "o.add(x < 9, x % 4 == 0)", "o.maximize(x)"],
    model: { x: 8 },
    objective: 8,
  },
  hard: [
    "s = Solver()\nat = [[Bool(f'at_{p}_{h}') for h in range(13)] for p in range(14)]",
    "for row in at:\n    s.add(Or(row))",
    "for h in range(13):\n    for p in range(14):\n        for q in range(p):\n            s.add(Or(Not(at[p][h]), Not(at[q][h])))",
  ],
  hard_optimum: [
    "o = Optimize()\nat = [[Bool(f'at_{p}_{h}') for h in range(13)] for p in range(14)]",
    "for row in at:\n    o.add(Or(row))",
    "for h in range(13):\n    for p in range(14):\n        for q in range(p):\n            o.add_soft(Or(Not(at[p][h]), Not(at[q][h])))",
  ],
  gives_incumbent: true,
  bad: { item: "x >\n", line: 1, column: 4 },
  broken_by: { index: 0, gives: "fault" },
  unicode: {
    items: ["größe = Int('größe')", "town = String('town')", "And(größe == 3, town == 'Köln')"],
    model: { größe: 3, town: "Köln" },
  },
  many: (count) => ["x = Int('x')", ...Array.from({ length: count - 1 }, (_, i) => `x > ${i}`)],
};

export const fixtures: readonly LanguageFixture[] = [z3];
