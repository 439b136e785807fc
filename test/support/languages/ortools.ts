import { type LanguageFixture, usual_fixture } from "../language_fixture.ts";
import { has_python } from "../models.ts";

const ortools: LanguageFixture = {
  ...usual_fixture,
  name: "ortools",
  language: "ortools",
  packages: "cp",
  env: {},
  here: has_python,
  sat: {
    items: [
      "m = cp_model.CpModel()\nx, y = m.new_int_var(0, 9, 'x'), m.new_int_var(0, 9, 'y')",
      "m.add(x > 5)",
      "m.add(y == x + 1)\nm.add(y < 8)",
    ],
    model: { x: 6, y: 7 },
  },
  unsat: {
    items: [
      "m = cp_model.CpModel()\nx, y = m.new_int_var(0, 9, 'x'), m.new_int_var(0, 9, 'y')",
      "m.add(x > 5)",
      "m.add(y > 0)",
      "m.add(x < 3)",
    ],
    conflict: [1, 3],
  },
  optimum: {
    items: ["m = cp_model.CpModel()\nx = m.new_int_var(0, 9, 'x')", "m.add_modulo_equality(0, x, 4)", "m.maximize(x)"],
    model: { x: 8 },
    objective: 8,
  },
  hard: [
    "m = cp_model.CpModel()\np, q = m.new_int_var(2, 2**31, 'p'), m.new_int_var(2, 2**31, 'q')",
    "m.add_multiplication_equality(1000000007 * 998244353, [p, q])",
    "m.add(p != 1000000007)\nm.add(p != 998244353)",
  ],
  hard_optimum: [
    "m = cp_model.CpModel()\nat = [[m.new_bool_var(f'at_{p}_{h}') for h in range(11)] for p in range(36)]\nshared = []",
    "for p in range(36):\n    m.add_exactly_one(at[p])\n    for q in range(p):\n        s = m.new_bool_var('')\n        shared.append(s)\n        for h in range(11):\n            m.add_bool_or([~at[p][h], ~at[q][h], s])",
    "m.minimize(sum(shared))",
  ],
  gives_incumbent: true,
  bad: { item: "m.add(x >\n", line: 1, column: 6 },
  broken_by: { index: 0, gives: "fault" },
  unicode: {
    items: ["m = cp_model.CpModel()\ngröße = m.new_int_var(0, 9, 'größe')", "m.add(größe == 3)"],
    model: { größe: 3 },
  },
  many: (count) => [
    "m = cp_model.CpModel()\nx = m.new_int_var(0, 100000, 'x')",
    ...Array.from({ length: count - 1 }, (_, i) => `m.add(x > ${i})`),
  ],
};

export const fixtures: readonly LanguageFixture[] = [ortools];
