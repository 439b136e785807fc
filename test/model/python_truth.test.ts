import { describe, expect, it } from "vitest";
import { fixture } from "../support/fixture.ts";
import { has_python, shareModels } from "../support/models.ts";

const cpmpy = 'x, y, z = cp.intvar(0, 3, shape=3, name="xyz")\nm = cp.Model()';
const cp_sat = 'm = cp_model.CpModel()\nx, y, z = [m.new_int_var(0, 3, n) for n in "xyz"]';
const math_opt = `from ortools.math_opt.python import mathopt
m = mathopt.Model()
x, y, z = [m.add_variable(lb=0, ub=3, name=n) for n in "xyz"]`;

const pysat = `from pysat.formula import And, Atom, Neg
from pysat.integer import Integer, IntegerEngine
a, b, c = Atom("a"), Atom("b"), Atom("c")
x, y = Integer("x", 0, 3), Integer("y", 0, 3)
e = IntegerEngine([x, y])`;

describe.skipIf(!has_python)("constraints as conditions of Python, which has an answer for each", () => {
  const models = fixture(shareModels);

  it.each([
    ["or", "m += x == 1 or y == 1", "x"],
    ["and", "m += x == y and y == 1", "x"],
    ["not", "m += not (x == y)", "x"],
    ["a chain", "m += x == y == z", "x"],
    ["if", "if x == 1:\n    m += y == 2", "x"],
    ["a condition of a comprehension", "m += sum(1 for v in [x, y] if v == 1) == 2", "x"],
    ["any", "m += any(v == 1 for v in [x, y])", "x"],
    ["all", "m += all([x == y, y == z])", "x"],
    ["bool", "m += bool(x == 1)", "x"],
    ["in, of numbers", "m += x in [1, 2]", "x"],
    ["a list", "m += [x, y] == [1, 2]", "x"],
    ["an array of numpy", "m += np.array([x, y]) == 1", "x"],
  ])("are refused by cpmpy: %s", async (_, lines) => {
    const { code, error, remedy } = await models.fault("cpmpy", [`${cpmpy}\n${lines}`]);
    expect(code).toBe("input_rejected");
    expect(error).toMatch(/^Item 0, line \d: Python needs the truth value of the constraint `\S+ == \S+`/);
    expect(remedy).toContain("p.implies(q)");
  });

  it.each([
    ["or", `${cp_sat}\nm.add(x == y or y == 1)`],
    ["not", `${cp_sat}\nm.add(not (x == y))`],
    ["a chain of !=", `${cp_sat}\nm.add(x != y != z)`],
    ["any", `${cp_sat}\nm.add(any(v == z for v in [x, y]))`],
    ["lists", `${cp_sat}\nm.add([x, y] == [y, z])`],
    ["two constraints", `${cp_sat}\nm.add((x == y) == (y == z))`],
    ["if, in MathOpt", `${math_opt}\nif x == y:\n    m.add_linear_constraint(y == 2)`],
    ["a chain, in MathOpt", `${math_opt}\nm.add_linear_constraint(x == y == z)`],
  ])("are refused by ortools: %s", async (_, program) => {
    const { error } = await models.fault("ortools", [program]);
    expect(error).toMatch(/^Item 0, line \d: Python needs the truth value of the constraint/);
  });

  it.each([
    ["and", "f = a and b"],
    ["or, in a formula", "f = And(a or b, Neg(a))"],
    ["not", "f = not a"],
    ["if", "f = a if b else c"],
    ["any", "f = And(any([a, b]), c)"],
    ["a chain of integers", "e.add_linear(1 <= x <= 2)"],
    ["or of integers", "e.add_linear(x >= 2 or y >= 3)"],
    ["max of integers", "e.add_linear(max(x, y) <= 2)"],
    ["a list of integers", "e.add_linear([x, y] == [1, 2])"],
  ])("are refused by pysat: %s", async (_, line) => {
    const { error } = await models.fault("pysat", [`${pysat}\n${line}`]);
    expect(error).toMatch(/^Item 0, line \d: Python needs the truth value of the constraint/);
  });

  it.each(["s.add((x, y) < (1, 2))", "s.add([x, y].count(1) == 1)"])("are refused by z3: %s", async (line) => {
    const { error } = await models.fault("z3", [`x, y = Ints("x y")\ns = Solver()\n${line}\ns.check()`]);
    expect(error).toMatch(/^Item 0, line 3: Python needs the truth value of the constraint `x == 1`/);
  });

  it.each([
    ["cpmpy", `${cpmpy}\nm += cp.all([x == 1, y == 2, z == 3])`],
    ["ortools", `${cp_sat}\nm.add(x == 1)\nm.add(y == 2)\nm.add(z == 3)`],
  ] as const)("are told apart where a program looks for a variable (%s)", async (language, program) => {
    const lines = `xs = [x, y, z]
assert z in xs and xs.index(y) == 1 and {x: 1, y: 2}[y] == 2 and x == x
rest = [v for v in xs if v not in [x, y]]
assert len(rest) == 1 and rest[0] is z and any(v is y for v in xs)`;
    const answer = await models.solve(language, [`${program}\n${lines}`]);
    expect(answer).toMatchObject({ status: "sat" });
  });

  const numbers = "x, y = Ints('x y')\ns = Solver()";
  it.each([
    ["z3", "sets", `${numbers}\ns.add({x, y} == {1, 2})`],
    ["z3", "sets, in a formula", `${numbers}\ns.add(Or(x > 1, {x, y} != {1, 2}))`],
    ["z3", "sets, as a statement", "x, y = Ints('x y')\nx > 3\n{x, y} == {1, 2}"],
    ["z3", "dictionaries", `${numbers}\ns.add([{'a': x} == {'a': 2}])`],
    ["z3", "identity", `${numbers}\ns.add(x is y)`],
    ["z3", "None", `${numbers}\ns.add(x > 3, x == None)`],
    ["ortools", "identity", `${cp_sat}\nm.add(x is not y)`],
    ["cpmpy", "sets", 'x, y = cp.intvar(0, 3, shape=2, name="x")\nm = cp.Model({x, y} == {1, 2})'],
  ] as const)("are refused where Python decides them: %s, %s", async (language, _, program) => {
    const { code, error } = await models.fault(language, [program]);
    expect(code).toBe("input_rejected");
    expect(error).toMatch(/^Item 0, line \d: Python decides `.*` at once/);
  });

  it("leaves comparisons of values to Python", async () => {
    const program = "x, y = Ints('x y')\ns = Solver()\ns.add(x == 1, y == 2)\nfirst = x is y\nif s.check() == sat:\n";
    const values = "    m = s.model()\n    assert {m[x].as_long(), m[y].as_long()} == {1, 2} and m is not None";
    expect(await models.solve("z3", [program + values])).toMatchObject({ status: "sat", model: { x: 1, y: 2 } });
  });

  it("are not clauses of PySAT", async () => {
    const start =
      "from pysat.solvers import Solver\ns = Solver(bootstrap_with=(a == b))\nexport_solution({'satisfiable': s.solve()})";
    const { error } = await models.fault("pysat", [`${pysat}\n${start}`]);
    expect(error).toContain("bootstrap_with is False, not clauses");
  });
});

describe.skipIf(!has_python)("arrays of CPMpy", () => {
  const models = fixture(shareModels);

  const row = 'X = cp.intvar(0, 3, shape=(1, 3), name="X")\nm = cp.Model(X[0, 0] == 3, X[0, 2] == 0)';

  it.each([
    "m += X.sum() == 4",
    "m += cp.sum(X) == 4",
    "m += np.sum(X) == 4",
    "m += cp.sum([X]) == 4",
    "m += cp.sum(X == 1) == 1",
    "m.minimize((X - 1).sum())\nm += X[0, 1] >= 1",
  ])("of one row have a sum of their numbers: %s", async (lines) => {
    // CPMpy takes the row itself for it.
    expect(await models.solve("cpmpy", [`${row}\n${lines}`])).toMatchObject({
      status: "sat",
      model: { X: [[3, 1, 0]] },
    });
  });

  it.each([
    "cp.GlobalCardinalityCount([X[0], X[0]], [0, 3], [2, 2])",
    "cp.Count([X[0], X[0]], 0) == 2",
    "cp.NoOverlap(X, [[1, 1, 1]])",
  ])("among the operands of a function are refused, where CPMpy means something else: %s", async (constraint) => {
    const { error, remedy } = await models.fault("cpmpy", [`${row}\nm += ${constraint}`]);
    expect(error).toContain("CPMpy does not flatten a list of lists");
    expect(remedy).toContain("cp.cpm_array(rows).flatten()");
  });
});
