import { type LanguageFixture, usual_fixture } from "../language_fixture.ts";
import { has_python } from "../models.ts";

const cpmpy: LanguageFixture = {
  ...usual_fixture,
  name: "cpmpy",
  language: "cpmpy",
  packages: "cp",
  env: {},
  here: has_python,
  sat: {
    items: [
      "x, y = cp.intvar(0, 9, name='x'), cp.intvar(0, 9, name='y')",
      "m = cp.Model()",
      "m += (x > 5) & (y == x + 1) & (y < 8)",
    ],
    model: { x: 6, y: 7 },
  },
  unsat: {
    items: ["m = cp.Model()\nx, y = cp.intvar(0, 9), cp.intvar(0, 9)", "m += x > 5", "m += y > 0", "m += x < 3"],
    conflict: [1, 3],
  },
  optimum: {
    items: ["m = cp.Model()\nx = cp.intvar(0, 8, name='x')", "m += x % 4 == 0", "m.maximize(x)"],
    model: { x: 8 },
    objective: 8,
  },
  hard: [
    "m = cp.Model()\np, q = cp.intvar(2, 2**31, name='p'), cp.intvar(2, 2**31, name='q')",
    "m += p * q == 1000000007 * 998244353",
    "m += p != 1000000007\nm += p != 998244353",
  ],
  hard_optimum: [
    "m = cp.Model()\nhole = cp.intvar(0, 12, shape=14, name='hole')",
    "m.minimize(cp.sum(hole[i] == hole[j] for i in range(14) for j in range(i)))",
  ],
  gives_incumbent: true,
  bad: { item: "m += x >\n", line: 1, column: 9 },
  broken_by: { index: 0, gives: "fault" },
  unicode: {
    items: ["größe = cp.intvar(0, 9, name='größe')", "m = cp.Model(größe == 3)"],
    model: { größe: 3 },
  },
  many: (count) => [
    "m = cp.Model()\nx = cp.intvar(0, 100000, name='x')",
    ...Array.from({ length: count - 1 }, (_, i) => `m += x > ${i}`),
  ],
};

export const fixtures: readonly LanguageFixture[] = [cpmpy];
