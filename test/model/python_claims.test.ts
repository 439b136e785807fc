import { describe, expect, it } from "vitest";
import { fixture } from "../support/fixture.ts";
import { has_python, shareModels } from "../support/models.ts";

/**
 * A verdict and an optimum are a solver's, of one problem. Values that the program computed can come from another one: they are
 * shown, and `unchecked` names them. What a program says of the verdict itself is compared with what its solvers answered.
 */

type Case = readonly [what: string, program: string, answer: Record<string, unknown>];

const unconfirmed = { confirmed: false };
const confirmed = { confirmed: true };
const best = { confirmed: true, optimal: true };
const with_unchecked = (...unchecked: string[]) => ({ ...confirmed, unchecked });
const best_with_unchecked = (...unchecked: string[]) => ({ ...best, unchecked });

const formula_a = "A = WCNF()\nA.append([1, 2])\nA.append([-1], weight=5)\nA.append([-2], weight=4)\n";
const formula_b =
  "B = WCNF()\nB.append([-2])\nB.append([2], weight=2)\nB.append([1], weight=3)\nB.append([-1], weight=9)\n";
const solved = (name: string) => `r${name} = RC2(${name})\nm${name} = r${name}.compute()\n`;
const both = formula_a + solved("A") + formula_b + solved("B");

const pysat: readonly Case[] = [
  [
    "one formula and the optimum of the one that was solved last",
    `${both}export_solution({'satisfiable': True, 'm': mA, 'cost': rB.cost})`,
    { ...best_with_unchecked("m"), objective_value: 5 },
  ],
  [
    "one formula, by name, and the optimum of another",
    `${both}export_solution({'satisfiable': True, 'two': 2 in mA, 'cost': rB.cost})`,
    best_with_unchecked("two"),
  ],
  [
    "one formula, and an optimum of another that nobody states",
    `s = Glucose3(bootstrap_with=[[2]])\ns.solve()\nm = s.get_model()\n${formula_b}${solved("B")}export_solution({'satisfiable': True, 'two': 2 in m})`,
    { ...best_with_unchecked("two"), objective_value: 5 },
  ],
  [
    "a solver, read by us, and the optimum of another formula",
    `s = Glucose3(bootstrap_with=[[1], [2]])\n${formula_b}${solved("B")}export_solution(s, variables={'a': 1}, cost=rB.cost)`,
    { ...with_unchecked("objective_value"), optimal: null, model: { a: true } },
  ],
  [
    "a later model of an engine and the cost of its first",
    `${formula_a}r = RC2(A)\nfound = [(m, r.cost) for m in r.enumerate()]\nexport_solution({'satisfiable': True, 'm': found[-1][0], 'cost': found[0][1]})`,
    best_with_unchecked("m"),
  ],
  [
    "a plain model of the same clauses and the least cost",
    `${formula_a}${solved("A")}s = Glucose3(bootstrap_with=[[1, 2], [1]])\ns.solve()\nexport_solution({'satisfiable': True, 'm': s.get_model(), 'cost': rA.cost})`,
    best_with_unchecked("m"),
  ],
  [
    "enumerate_models of one formula and the optimum of another",
    `found = enumerate_models([[2]], variables=[2])\n${formula_b}${solved("B")}export_solution({'satisfiable': True, 'm': found[0], 'cost': rB.cost})`,
    best_with_unchecked("m"),
  ],
  [
    "literals that the program changed",
    "s = Glucose3(bootstrap_with=[[1, 2], [-1]])\ns.solve()\nexport_solution({'satisfiable': True, '1': True, '2': False})",
    with_unchecked("1", "2"),
  ],
  [
    "one of two solvers, of which the other was asked last",
    "a = Glucose3(bootstrap_with=[[1]])\na.solve()\nm = a.get_model()\nb = Glucose3(bootstrap_with=[[-1]])\nexport_solution({'satisfiable': b.solve(), 'one': 1 in m})",
    with_unchecked("one"),
  ],
  [
    "an unsat that a later question about other clauses is not",
    "a = Glucose3(bootstrap_with=[[1], [-1]])\na.solve()\nb = Glucose3(bootstrap_with=[[1], [3]])\nb.solve()\nexport_solution({'satisfiable': False})",
    unconfirmed,
  ],
  [
    "an unsat and the core of another question",
    "a = Glucose3(bootstrap_with=[[-1, 2]])\na.solve(assumptions=[1, -2])\nb = Glucose3(bootstrap_with=[[3], [-3]])\nb.solve()\nexport_solution({'satisfiable': False, 'unsat_core': a.get_core()})",
    with_unchecked("unsat_core"),
  ],
  [
    "an unsat and a core of the program's own",
    "b = Glucose3(bootstrap_with=[[3], [-3]])\nb.solve()\nexport_solution({'satisfiable': False, 'unsat_core': ['x', 'y']})",
    with_unchecked("unsat_core"),
  ],
  [
    "an optimiser, although another was solved later",
    `${both}export_solution(rA, variables={'two': 2})`,
    { ...best, objective_value: 4 },
  ],
  [
    "an optimiser after a look whether there is a solution",
    `${formula_a}s = Glucose3(bootstrap_with=A.hard)\ns.solve()\n${solved("A")}export_solution({'satisfiable': True, 'two': 2 in mA, 'cost': rA.cost})`,
    best,
  ],
  [
    "all solutions with the least cost",
    `${formula_a}A.append([1], weight=1)\nr = RC2(A)\nfound = []\nleast = None\nfor m in r.enumerate():\n    least = r.cost if least is None else least\n    if r.cost > least:\n        break\n    found.append(m)\nexport_solution({'satisfiable': True, 'found': found, 'cost': least})`,
    best,
  ],
  [
    "one solver, model after model",
    "s = Glucose3(bootstrap_with=[[1, 2]])\nfound = []\nwhile s.solve():\n    found.append(s.get_model())\n    s.add_clause([-v for v in found[-1]])\nexport_solution({'satisfiable': True, 'ones': [1 in m for m in found]})",
    confirmed,
  ],
  [
    "an unsat and what less of it allows",
    "clauses = [[1], [-1], [2]]\nfound = Glucose3(bootstrap_with=clauses).solve()\nfree = [i for i in range(3) if Glucose3(bootstrap_with=clauses[:i] + clauses[i + 1:]).solve()]\nexport_solution({'satisfiable': found, 'free': free})",
    confirmed,
  ],
];

const two_solvers =
  "x, y = Ints('x y')\na = Solver()\na.add(x > 10, y == x)\na.check()\nm = a.model()\nb = Solver()\nb.add(x < 5, y == x)\n";
const two_optima =
  "x = Int('x')\na = Optimize()\na.add(x < 10)\nh = a.maximize(x)\na.check()\nb = Optimize()\nb.add(x < 100)\nk = b.maximize(x)\n";

const z3: readonly Case[] = [
  ["another solver's model", `${two_solvers}export_solution(solver=b, variables={'x': m[x]})`, with_unchecked("x")],
  [
    "another solver's model, by another name",
    `${two_solvers}export_solution(b, {'n': m[x].as_long()})`,
    with_unchecked("n"),
  ],
  [
    "another solver's model, in a list",
    `${two_solvers}export_solution(b, {'all': [m[v] for v in (x, y)]})`,
    with_unchecked("all"),
  ],
  ["another solver's model, as text", `${two_solvers}export_solution(b, {'t': m.sexpr()})`, with_unchecked("t")],
  ["another solver's model, computed", `${two_solvers}export_solution(b, {'x': m[x] + 0})`, with_unchecked("x")],
  ["another solver's model, as a whole", `${two_solvers}export_solution(b, m)`, with_unchecked("x", "y")],
  [
    "another solver's model, beside expressions",
    `${two_solvers}export_solution(b, {'x': x, 'v': m[y]})`,
    with_unchecked("v"),
  ],
  [
    "an earlier model of the same solver",
    "x = Int('x')\ns = Solver()\ns.add(x > 0)\ns.check()\nv = s.model()[x].as_long()\ns.add(x != v)\ns.check()\nexport_solution(s, {'first': v})",
    with_unchecked("first"),
  ],
  [
    "a state that pop() took back",
    "x = Int('x')\ns = Solver()\ns.add(x > 0)\ns.push()\ns.add(x > 9)\ns.check()\nv = s.model()[x]\ns.pop()\ns.add(x < 5)\nexport_solution(s, {'x': v})",
    with_unchecked("x"),
  ],
  [
    "an array and a function of another solver",
    "f = Function('f', IntSort(), IntSort())\na = Solver()\na.add(f(0) == 7)\na.check()\nm = a.model()\nb = Solver()\nb.add(f(0) == 1)\nexport_solution(b, {'f': m[f]})",
    { ...with_unchecked("f"), model: { f: { else: 7 } } },
  ],
  ["another optimum's model", `${two_optima}export_solution(b, {'v': a.model()[x]})`, best_with_unchecked("v")],
  ["another optimum's value", `${two_optima}export_solution(b, {'best': h.value()})`, best_with_unchecked("best")],
  ["another optimum's bound", `${two_optima}export_solution(b, {'best': a.upper(h)})`, best_with_unchecked("best")],
  [
    "an objective of another solver",
    `${two_optima}s = Solver()\ns.add(x == 1)\nexport_solution(s, {'x': x}, objective=h)`,
    with_unchecked("objective_value"),
  ],
  [
    "a property that no solver showed",
    "x = Int('x')\ns = Solver()\ns.add(x > 10)\ns.check()\nexport_solution(s, {'x': x}, is_property_verification=True, property_verified=True)",
    { ...unconfirmed, model: { property_verified: null, x: 11 } },
  ],
  [
    "a property that another solver showed",
    `${two_solvers}c = Solver()\nc.add(x > 1, x < 1)\nc.check()\nexport_solution(a, {}, is_property_verification=True, property_verified=True)`,
    unconfirmed,
  ],
  [
    "the solver's own model",
    `${two_solvers}export_solution(a, {'n': m[x].as_long(), 'sum': m.eval(x + y)})`,
    confirmed,
  ],
  [
    "the optimum's own model and value",
    `${two_optima}export_solution(a, {'v': a.model()[x], 'best': h.value()}, objective=h)`,
    best,
  ],
  [
    "all models of one solver",
    "x = Int('x')\ns = Solver()\ns.add(0 < x, x < 4)\nfound = []\ns.push()\nwhile s.check() == sat:\n    found.append(s.model()[x].as_long())\n    s.add(x != found[-1])\ns.pop()\nexport_solution(s, {'found': sorted(found), 'x': x})",
    confirmed,
  ],
  [
    "a rounded value of the solver's",
    "r = Real('r')\ns = Solver()\ns.add(3 * r == 1)\ns.check()\nexport_solution(s, {'r': float(s.model()[r].as_fraction())})",
    confirmed,
  ],
];

describe.skipIf(!has_python)("an answer with values of", () => {
  const models = fixture(shareModels);

  it.each(pysat)("%s (PySAT)", async (_what, program, answer) => {
    const result = await models.solve("pysat", [program]);
    expect(result).toMatchObject(answer);
    if (answer["confirmed"] === false) expect([result.reason, ...result.warnings].join()).toMatch(/earlier/);
  });

  it.each(z3)("%s (Z3)", async (_what, program, answer) => {
    const result = await models.solve("z3", [program]);
    expect(result).toMatchObject(answer);
    if (answer["confirmed"] === false) expect(result.warnings.join()).toMatch(/property_verified=True/);
  });

  it("an objective that is gone is a fault, and no crash of Z3", async () => {
    const stated =
      "x = Int('x')\no = Optimize()\no.add(0 < x, x < 9)\no.push()\nh = o.maximize(x)\no.check()\no.pop()\n";
    for (const read of ["h.value()", "o.minimize(x)\nh.value()", "o.minimize(x).value()", "o.upper(h)"]) {
      const { code, error } = await models.fault("z3", [stated + read]);
      expect([code, error]).toEqual(["input_rejected", expect.stringContaining("This objective has no value")]);
    }
  });

  const bits = "b = BitVec('b', 8)\no = Optimize()\n";

  it.each([
    ["o.maximize(b)", "b is 255 here, as a signed number -1"],
    ["o.minimize(b)", "negative values are possible"],
    ["o.add(b < 0)\no.minimize(b)", "b is 128 here, as a signed number -128"],
  ])("an unsigned objective is told: %s", async (aim, told) => {
    const { warnings } = await models.solve("z3", [bits + aim]);
    expect(warnings.join()).toContain(told);
  });

  it.each(["o.add(b > 0)\no.minimize(b)", "o.add(b >= 0)\no.maximize(b)", "o.maximize(b ^ BitVecVal(128, 8))"])(
    "nothing is told of signs where they make no difference: %s",
    async (aim) => {
      const { warnings, model } = await models.solve("z3", [bits + aim]);
      expect([warnings.join(), model?.["b"]]).toEqual([
        expect.not.stringContaining("unsigned"),
        aim.includes("minimize") ? 1 : 127,
      ]);
    },
  );

  it("an unsigned objective of SMT-LIB is reported", async () => {
    const script = (aim: string) =>
      `(declare-const x (_ BitVec 12))(assert (bvult x #xfe0))(maximize ${aim})(check-sat)`;
    const { warnings } = await models.call("solve_smtlib", { smtlib: script("x") });
    expect(warnings).toEqual([
      expect.stringContaining(
        "x is 4063 here, which is -33 as a signed number. For signed numbers, flip the sign bit: (bvxor x #b100000000000)",
      ),
    ]);
    expect(await models.call("solve_smtlib", { smtlib: script("(bvand x #x0ff)") })).toMatchObject({ warnings: [] });
  });

  it.each([
    ["print(json.dumps({'satisfiable': found, 'a': 1 in m}))", { status: "sat", confirmed: true, model: { a: false } }],
    ["print('done')\nprint(json.dumps({'a': 1 in m}))", { status: "sat", confirmed: true, model: { a: false } }],
    ["print(json.dumps({'m': m, 'b': [1]}, indent=2))", { status: "sat", confirmed: true }],
    ["print(json.dumps({'m': [1, -2]}))", { status: "sat", confirmed: true, unchecked: ["m"] }],
    ["print(json.dumps({'satisfiable': False}))", { status: "unknown" }],
    [
      "b = Glucose3(bootstrap_with=[[1], [-1]]).solve()\nprint(json.dumps({'a': found, 'b': b}))",
      { status: "unsat", model: null },
    ],
  ])("a program that only prints its answer as JSON: %s", async (printed, answer) => {
    const solved = "import json\ns = Glucose3(bootstrap_with=[[1, 2], [-1]])\nfound = s.solve()\nm = s.get_model()\n";
    const result = await models.solve("pysat", [solved + printed]);
    expect(result).toMatchObject(answer);
    expect(result.warnings.join()).toContain("printed its answer as JSON");
  });
});
