import { readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import { openLanguages } from "../../src/tools/model/languages/index.ts";
import { clingo_builds } from "./asp.ts";
import { minizinc_builds, quickest_minizinc } from "./minizinc.ts";
import { has_python } from "./models.ts";

/** One modelling language on one build, with a model for each test that all languages share. */
export interface LanguageFixture {
  readonly name: string;
  readonly language: string;
  /** Chooses the build. */
  readonly env: Readonly<Record<string, string>>;
  /** The group of Python packages that it needs. */
  readonly packages?: string;
  /** Whether this machine has what it needs. */
  readonly here: boolean;
  /** Whether another build of the language is there that answers sooner. */
  readonly is_second: boolean;
  readonly sat: Problem;
  /** `conflict` are items that the answer names. */
  readonly unsat: { readonly items: readonly string[]; readonly conflict: readonly number[] };
  readonly optimum: Problem & { readonly objective: number };
  /** Nothing is found and nothing proved for many seconds. */
  readonly hard: readonly string[];
  /** Solutions are found at once, but the best one is not proved for many seconds. */
  readonly hard_optimum: readonly string[];
  /** Whether a timeout still gives the best solution that was found. */
  readonly gives_incumbent: boolean;
  /** An item that fails the check when it comes behind those of `sat`; its line and column. */
  readonly bad: { readonly item: string; readonly line: number; readonly column: number };
  /** Deleting this item of `sat` breaks the model: the deletion is refused, solving is a fault, or it warns. */
  readonly broken_by: { readonly index: number; readonly gives: "refusal" | "fault" | "warning" };
  readonly unicode: Problem;
  /** A model of so many items. */
  many(count: number): readonly string[];
  /** A time in which a solution of `hard_optimum` is mostly found; a busy machine gets more. */
  readonly incumbent_ms: number;
}

interface Problem {
  readonly items: readonly string[];
  /** Values that the model has, among others. */
  readonly model: Readonly<Record<string, unknown>>;
}

const usual = { incumbent_ms: 600, is_second: false } as const;

const z3: LanguageFixture = {
  ...usual,
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

const pigeons_in_pysat = (add: string) =>
  `at = {(p, h): 13 * p + h + 1 for p in range(14) for h in range(13)}
hard = [[at[p, h] for h in range(13)] for p in range(14)]
alone = [[-at[p, h], -at[q, h]] for h in range(13) for p in range(14) for q in range(p)]
${add}`;

const pysat: LanguageFixture = {
  ...usual,
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

const cpmpy: LanguageFixture = {
  ...usual,
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

const ortools: LanguageFixture = {
  ...usual,
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
    "m = cp_model.CpModel()\nat = [[m.new_bool_var(f'at_{p}_{h}') for h in range(13)] for p in range(14)]\nshared = []",
    "for p in range(14):\n    m.add_exactly_one(at[p])\n    for q in range(p):\n        s = m.new_bool_var('')\n        shared.append(s)\n        for h in range(13):\n            m.add_bool_or([~at[p][h], ~at[q][h], s])",
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

const minizinc = ({ name, minizinc }: (typeof minizinc_builds)[number]): LanguageFixture => ({
  name: `minizinc, ${name}`,
  language: "minizinc",
  env: { VERDICT_MINIZINC: minizinc ?? "" },
  here: minizinc !== undefined,
  is_second: minizinc !== quickest_minizinc,
  incumbent_ms: name === "wasm" ? 1_500 : 600,
  sat: {
    items: ["var 1..9: x;", "constraint x > 6 /\\ x mod 4 = 0;", "solve satisfy;"],
    model: { x: 8 },
  },
  unsat: {
    items: ["var 1..9: x; var 1..9: y;", "constraint x > y + 4;", "constraint y > 2;", "constraint x < 6;"],
    conflict: [1, 3],
  },
  optimum: {
    items: ["var 1..9: x;", "constraint x mod 4 = 0;", "solve maximize x;"],
    model: { x: 8 },
    objective: 8,
  },
  hard: [
    "array[1..14] of var 1..13: hole;",
    "constraint forall(p, q in 1..14 where p < q)(hole[p] != hole[q]);",
    "solve satisfy;",
  ],
  hard_optimum: [
    "array[1..14] of var 1..13: hole;",
    "var int: shared = sum(p, q in 1..14 where p < q)(hole[p] = hole[q]);",
    "solve minimize shared;",
  ],
  gives_incumbent: true,
  bad: { item: "constraint x >;", line: 1, column: 15 },
  broken_by: { index: 0, gives: "refusal" },
  unicode: { items: ["var 1..3: x; % größer als 😀", "constraint x > 2;"], model: { x: 3 } },
  many: (count) => ["var 0..100000: x;", ...Array.from({ length: count - 1 }, (_, i) => `constraint x > ${i};`)],
});

const pigeons_in_asp = ["{ at(P,H) : H = 1..13 } = 1 :- P = 1..14.", "shared(P,Q) :- at(P,H), at(Q,H), P < Q."];

function asp({ name, clingo }: (typeof clingo_builds)[number]): LanguageFixture {
  return {
    ...usual,
    name: `asp, ${name}`,
    language: "asp",
    env: { VERDICT_CLINGO: clingo ?? "" },
    here: clingo !== undefined,
    is_second: name === "wasm" && clingo_builds.some((other) => other.name === "native" && other.clingo !== undefined),
    sat: { items: ["n(1..9).", "{ x(N) : n(N) } = 1.", ":- x(N), N \\ 4 != 0.", ":- x(4)."], model: { x: [[8]] } },
    unsat: {
      items: ["{ x(1..9) } = 1. { y(1..9) } = 1.", ":- x(X), y(Y), X <= Y + 4.", ":- y(Y), Y > 8.", ":- x(X), X > 4."],
      conflict: [1, 3],
    },
    optimum: {
      items: ["{ x(1..9) } = 1.", ":- x(N), N \\ 4 != 0.", "#minimize { N : x(N) }."],
      model: { x: [[4]] },
      objective: 4,
    },
    hard: [...pigeons_in_asp, ":- shared(P,Q)."],
    hard_optimum: [...pigeons_in_asp, "#minimize { 1,P,Q : shared(P,Q) }."],
    gives_incumbent: true,
    bad: { item: "a(1).\nb(X) :- not a(X).", line: 2, column: 3 },
    broken_by: { index: 0, gives: "warning" },
    unicode: { items: ['town("Köln 😀"). % größer', "near(X) :- town(X)."], model: { near: [["Köln 😀"]] } },
    many: (count) => Array.from({ length: count }, (_, i) => `p(${i}) :- not q(${i}). #defined q/1.`),
  };
}

/** The id of every language that the program has. */
export const all_languages = languagesHere();

/** Every language that the program has, on each of its builds. A language is one entry. */
export const language_fixtures = [
  z3,
  pysat,
  cpmpy,
  ortools,
  ...minizinc_builds.map(minizinc),
  ...clingo_builds.map(asp),
].filter(({ language }) => all_languages.includes(language));

/** A language without an entry here is a hole in the contract. */
export const languages_without_fixture = all_languages.filter(
  (id) => !language_fixtures.some(({ language }) => language === id),
);

function languagesHere(): string[] {
  const engines = new Engines(readConfig({}));
  const ids = openLanguages(engines).map(({ id }) => id);
  engines.close();
  return ids;
}
