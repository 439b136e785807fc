import { describe, expect, it } from "vitest";
import { faultOf } from "../support/faults.ts";
import { fixture } from "../support/fixture.ts";
import { has_python, shareModels } from "../support/models.ts";

describe.skipIf(!has_python)("export_solution before any solve", () => {
  const models = fixture(shareModels);

  const bounded =
    "m = cp_model.CpModel()\nx = m.new_int_var(0, 3, 'x')\ny = m.new_int_var(0, 3, 'y')\nm.add(x + y == 3)\n";
  it.each([
    [
      "ortools",
      `${bounded}m.maximize(2 * x + y)\nexport_solution({'sum': 10 * x + y})`,
      { objective_value: 6, model: { sum: 30 } },
    ],
    [
      "ortools",
      "from ortools.math_opt.python import mathopt\nm = mathopt.Model()\nx = m.add_variable(lb=0, ub=1.5, name='x')\nm.maximize(x)\nexport_solution({'double': 2 * x})",
      { model: { double: 3 } },
    ],
    [
      "cpmpy",
      "x, y = cp.intvar(0, 3, shape=2, name='x')\nm = cp.Model(x + y == 3, maximize=2 * x + y)\nexport_solution({'sum': 10 * x + y})",
      { objective_value: 6, model: { sum: 30 } },
    ],
  ])("names in %s what the one model shows", async (language, model, answer) => {
    expect(await models.solve(language, [model])).toMatchObject({ status: "sat", optimal: true, ...answer });
  });

  it("is shown of all solutions, and of a model that has none", async () => {
    const all = await models.call("solve", {
      language: "ortools",
      model: `${bounded}export_solution({'sum': 10 * x + y})`,
      all_solutions: true,
    });
    expect(all).toMatchObject({
      status: "sat",
      solutions: expect.arrayContaining([{ sum: 30 }, { sum: 3 }, { sum: 12 }, { sum: 21 }]),
    });
    expect(await models.solve("ortools", [`${bounded}m.add(x > 3)\nexport_solution({'x': x})`])).toMatchObject({
      status: "unsat",
    });
  });
});

describe.skipIf(!has_python)("slips in Python items: the remedy says what to write", () => {
  const models = fixture(shareModels);

  it.each([
    [
      "a name of the standard library",
      "z3",
      ["for a, b in combinations([1, 2], 2): print(a)"],
      "from itertools import combinations",
    ],
    ["a module", "z3", ["x = Int('x')", "x > math.floor(3.5)"], "add the line: import math"],
    ["a name of PySAT", "pysat", ["pool = IDPool()"], "from pysat.formula import IDPool"],
    ["a solver of PySAT", "pysat", ["s = Glucose4()"], "from pysat.solvers import Glucose4"],
    ["an engine of PySAT", "pysat", ["m = MUSX(WCNF())"], "from pysat.examples.musx import MUSX"],
    ["a helper of the original", "pysat", ["soft_implies(1, 2)"], "from mcp_solver.helpers.pysat import soft_implies"],
    ["minimize without an Optimize", "z3", ["x = Int('x')", "minimize(x)"], "o = Optimize()"],
    [
      "an objective of a Solver",
      "z3",
      ["x = Int('x')\ns = Solver()", "s.maximize(x)"],
      "use Optimize() instead of Solver()",
    ],
    [
      "British English",
      "z3",
      ["x = Int('x')\no = Optimize()", "o.maximise(x)"],
      "write .maximize instead of .maximise",
    ],
    [
      "a method that is nearly there",
      "pysat",
      ["s = Glucose3()\ns.add_clauses([[1]])"],
      "write .add_clause instead of .add_clauses",
    ],
    ["another style", "z3", ["x = Int('x')\ns = Solver()", "s.Add(x > 3)"], "write .add instead of .Add"],
    [
      "another style of PySAT",
      "pysat",
      ["s = Glucose3()\ns.AddClause([1])"],
      "write .add_clause instead of .AddClause",
    ],
    ["a function in another style", "z3", ["p = Bool('p')", "implies(p, p)"], "write Implies instead of implies"],
    ["a variable of another library", "z3", ["x = IntVar('x', 0, 9)"], "x = Int('x'), and And(0 <= x, x <= 9)"],
    ["a range in a declaration", "z3", ["x = Int('x', 0, 9)"], "And(0 <= x, x <= 9)"],
    ["a literal 0", "pysat", ["s = Glucose3()\ns.add_clause([0, 1])\ns.solve()"], "number the variables from 1"],
    [
      "a variable before its item",
      "ortools",
      ["model.add(x)", "model = 1"],
      "define model in this item or an earlier one",
    ],
    [
      "a misspelt variable",
      "z3",
      ["total = Int('total'); s = Solver(); s.add(totla > 1)"],
      "write total instead of totla",
    ],
    ["&&", "z3", ["x && y"], "write And(p, q) instead of &&"],
    ["||", "z3", ["x || y"], "write Or(p, q) instead of ||"],
    ["->", "z3", ["p -> q"], "write Implies(p, q) instead of ->"],
    ["=>", "z3", ["p => q"], "write Implies(p, q)"],
    ["<->", "z3", ["p <-> q"], "write p == q instead of <->"],
    ["!p", "z3", ["x > 3, !p"], "write Not(p) instead of !"],
    ["-> in clauses", "pysat", ["cnf.append(p -> q)"], "write the clause [-p, q] instead of ->"],
    ["escaped line breaks", "z3", ["x = Int('x')\\nx > 3"], "send real line breaks"],
    ["a method of pandas", "pysat", ["import pandas as pd", "pd.merge([], [])"], "data['staff'] has the rows"],
    [
      "a picture",
      "z3",
      ["import matplotlib.pyplot as plt"],
      "delete the import of matplotlib.pyplot: the answer contains the",
    ],
    ["a zero-width space", "z3", ["x = Int('x')\u200b"], "delete the invisible character U+200B"],
    [
      "an Optimize without its constraints",
      "z3",
      ["x = Int('x')\no = Optimize()\no.maximize(x)", "x < 3"],
      "keep the Optimize",
    ],
    [
      "an index of a list that is an expression",
      "z3",
      ["i = Int('i')", "[3, 5][i] == 5"],
      "write a = Array('a', IntSort(), IntSort())",
    ],
    [
      "a key that has expressions",
      "z3",
      ["a, b = Ints('a b')", "{(0, 1): 4}[a, b] == 5"],
      "Sum([If(And(a == p, b == q), v, 0)",
    ],
    ["an index in CPMpy", "cpmpy", ["x = cp.intvar(0, 1)", "[3, 5][x]"], "cp.cpm_array(values)[x]"],
    [
      "an index in OR-Tools",
      "ortools",
      ["m = cp_model.CpModel()\nx = m.new_int_var(0, 3, 'x')", "[3, 5][x]"],
      "model.add_element(x, values, y)",
    ],
    ["a user propagator", "z3", ["class P(UserPropagateBase):\n    pass"], "UserPropagateBase is not available here: "],
    [
      "Datalog",
      "z3",
      ["fp = Fixedpoint()"],
      "Fixedpoint is not available here: write rules (Datalog) in the language asp",
    ],
    [
      "a direct constraint",
      "cpmpy",
      ["import cpmpy\ncpmpy.DirectConstraint('a', [])"],
      "DirectConstraint is not available here: ",
    ],
    [
      "a direct constraint that is imported",
      "cpmpy",
      ["from cpmpy.expressions.globalconstraints import DirectConstraint"],
      "write the constraint with CPMpy's own",
    ],
    [
      "callbacks of MathOpt",
      "ortools",
      ["from ortools.math_opt.python import mathopt\nmathopt.CallbackRegistration()"],
      "CallbackRegistration is not available here: ",
    ],
    ["a variable of another library in CPMpy", "cpmpy", ["x = cp.IntVar(0, 9)"], "write intvar instead of IntVar"],
    ["Or in CPMpy", "cpmpy", ["cp.Or([])"], "write p | q, or cp.any("],
    ["implies in CPMpy", "cpmpy", ["cp.implies(1, 2)"], "write p.implies(q)"],
    ["allDifferent in CPMpy", "cpmpy", ["cp.allDifferent([1])"], "write AllDifferent instead of allDifferent"],
    [
      "a condition as a literal",
      "ortools",
      ["m = cp_model.CpModel()\nx = m.new_int_var(0, 3, 'x')", "m.add_bool_or([x == 1])"],
      "a condition is not a literal: b = model.new_bool_var",
    ],
    [
      "a condition that enforces",
      "ortools",
      ["m = cp_model.CpModel()\nx = m.new_int_var(0, 3, 'x')", "m.add(x > 1).only_enforce_if(x == 2)"],
      "a condition is not a literal: b = model.new_bool_var",
    ],
    [
      "a sum of conditions",
      "ortools",
      ["m = cp_model.CpModel()\nx = m.new_int_var(0, 3, 'x')", "m.add(sum(v == 2 for v in [x]) == 1)"],
      "to count, sum such literals",
    ],
    [
      "a quotient",
      "ortools",
      ["m = cp_model.CpModel()\nx = m.new_int_var(0, 3, 'x')", "m.add(x // 2 == 1)"],
      "model.add_division_equality(q, a, b)",
    ],
    [
      "an absolute value",
      "ortools",
      ["m = cp_model.CpModel()\nx = m.new_int_var(0, 3, 'x')", "m.add(abs(x) == 1)"],
      "model.add_abs_equality(d, a) for abs(a)",
    ],
    [
      "a remainder",
      "ortools",
      ["m = cp_model.CpModel()\nx = m.new_int_var(0, 3, 'x')", "m.add(x % 2 == 1)"],
      "model.add_modulo_equality(r, a, b)",
    ],
    ["an arc", "ortools", ["cp_model.Arc(0, 1, 2)"], "model.add_circuit([(tail, head, literal)"],
    [
      "an absolute value",
      "ortools",
      ["m = cp_model.CpModel()\nx = m.new_int_var(0, 3, 'x')", "m.add((x - 2).Abs() == 1)"],
      "model.add_abs_equality(y, x)",
    ],
    [
      "an objective that is cleared",
      "ortools",
      ["m = cp_model.CpModel()\nx = m.new_int_var(0, 3, 'x')", "m.proto.ClearField('objective')"],
      "write model.clear_objective()",
    ],
    [
      "hints that are cleared",
      "ortools",
      ["m = cp_model.CpModel()\nx = m.new_int_var(0, 3, 'x')", "m.proto.solution_hint.Clear()"],
      "write model.clear_hints()",
    ],
    ["bounds by lists", "cpmpy", ["x = cp.intvar(0, [1, 2], shape=2)"], "a bound is one number for all"],
    [
      "one variable that is read as an array",
      "cpmpy",
      ["x = cp.intvar(0, 3, shape=1)", "x[0] == 1"],
      "write shape=(1,)",
    ],
    [
      "a number as a constraint",
      "cpmpy",
      ["m = cp.Model()\nhosts = cp.cpm_array([0, 1, 1])\nx = cp.intvar(0, 2)", "m += hosts[x]"],
      "values[x] == 1 in place of values[x]",
    ],
    ["a variable by its values", "cpmpy", ["x = cp.intvar([3, 5, 7], shape=2)"], "cp.InDomain(each, values)"],
    [
      "an element of a matrix",
      "cpmpy",
      ["x, y = cp.intvar(0, 1, shape=2)", "cp.Element([[1, 2], [3, 4]], x, y)"],
      "cp.cpm_array(rows)[x, y]",
    ],
    [
      "a slice up to a variable",
      "cpmpy",
      ["x = cp.intvar(0, 2)\nxs = cp.intvar(0, 9, shape=3)", "cp.AllDifferent(xs[:x])"],
      "(i < x).implies(c)",
    ],
    [
      "numbers beyond 64 bits",
      "cpmpy",
      ["x = cp.intvar(0, 9, shape=30)\nm = cp.Model(sum(10**i * x[i] for i in range(30)) == 7)\nm.solve()"],
      "split long numbers into digits",
    ],
    [
      "a model that a function changes",
      "cpmpy",
      ["m = cp.Model()\nx = cp.intvar(0, 2)\ndef rule():\n    m += x > 1\nrule()"],
      "write m.add(c)",
    ],
    [
      "a function of an array",
      "cpmpy",
      ["x = cp.intvar(0, 9, shape=3)\nm = cp.Model(cp.Abs(x[1:] - x[:-1]) == x[1:])\nm.solve()"],
      "[cp.Abs(each) for each in xs]",
    ],
    ["thoughts before the code", "cpmpy", ["<think>\nOkay, let me count the 3 boxes first."], "send the code alone"],
    ["a sentence", "z3", ["Error while calling the model"], "send the code alone"],
    [
      "a number by a condition",
      "cpmpy",
      ["p = cp.boolvar()\nm = cp.Model(cp.sum([cp.IfThenElse(p, 3, -3)]) > 1)"],
      "p * a + (1 - p) * b",
    ],
    ["a set of values", "cpmpy", ["x = cp.intvar(0, 9)", "x.isin([1, 4])"], "cp.InDomain(x, values)"],
    ["a method that enumerates", "cpmpy", ["m = cp.Model()", "m.enumerate()"], "m.solveAll(display=[x, y])"],
    ["a table of another library", "cpmpy", ["cp.allowedAssignments([], [])"], "cp.Table([x, y], rows)"],
    [
      "a constraint without its capital",
      "cpmpy",
      ["from cpmpy import *\ncumulative([], [], [], [], 1)"],
      "write Cumulative",
    ],
    ["`or` of conditions", "cpmpy", ["x = cp.intvar(0, 2)", "cp.Model((x == 1) or (x == 2))"], "p | q"],
    ["a decimal factor", "cpmpy", ["x = cp.intvar(0, 2)", "cp.Model(0.6 * x > 1)"], "use integers"],
    ["numpy in JSON", "cpmpy", ["import json\njson.dumps({'x': np.int64(3)})"], "write int(x.value())"],
    [
      "a product of variables",
      "ortools",
      ["m = cp_model.CpModel()\nx = m.new_int_var(0, 3, 'x')", "m.add(x * x == 4)"],
      "add_multiplication_equality",
    ],
    ["tools that explain a conflict", "cpmpy", ["from cpmpy.tools import mus"], "(unsat_items), and the option why"],
    ["a tool in its own module", "cpmpy", ["from cpmpy.tools.explain import mus"], "(unsat_items), and the option why"],
    [
      "two hints for one variable",
      "ortools",
      [
        "m = cp_model.CpModel()\nx = m.new_int_var(0, 3, 'x')\nm.add_hint(x, 1)\nm.add_hint(x, 2)",
        "cp_model.CpSolver().solve(m)",
      ],
      "hint each variable once",
    ],
    ["a package of encodings", "pysat", ["import pypblib"], "write PBEnc.atmost("],
    [
      "the routing library",
      "ortools",
      ["from ortools.constraint_solver import pywrapcp"],
      "cp_model's model.add_circuit or model.add_multiple_circuit",
    ],
    [
      "a quadratic objective",
      "ortools",
      [
        "from ortools.math_opt.python import mathopt\nm = mathopt.Model(name='a')\nx = m.add_variable(lb=0, ub=3, name='x')\nm.minimize(x * x)\nmathopt.solve(m, mathopt.SolverType.GLOP)",
      ],
      "the objective piecewise",
    ],
  ])("%s", async (_, language, items, expected) => {
    const { remedy } = await models.fault(language, items);
    expect(remedy).toContain(expected);
    if (expected.startsWith("keep")) expect(remedy).not.toContain("delete the Solver");
  });

  it.each([
    [
      "a column",
      "row['max_session'] for row in data['tutors']",
      "write 'max_sessions' instead of 'max_session'; the columns of tutors are: name, max_sessions",
    ],
    [
      "a table",
      "row['name'] for row in data['tutor']",
      "write 'tutors' instead of 'tutor'; the names in data are: tutors, limits",
    ],
    [
      "a key",
      "data['limits'][each] for each in ['perday']",
      "write 'per_day' instead of 'perday'; the keys of limits are: per_day",
    ],
    ["something else", "{'Rosa': 1}[each] for each in ['Bruno']", "check the range of the keys"],
  ])("names what is near to a key that does not exist: %s", async (_what, read, step) => {
    const data = { tutors: [{ name: "Rosa", max_sessions: 3 }], limits: { per_day: 2 } };
    const call = models.call("solve", { language: "z3", items: [`x = [${read}]`], data });
    expect((await faultOf(call)).remedy).toContain(step);
  });

  it("a program with SMT-LIB in a string stays Python", async () => {
    const text =
      "from z3 import *\nx = Int('x')\ns = Solver()\nif x == 1:\n    s.add(x > 3)\n'''\n(define-fun x () Int\n  5)\n'''";
    expect((await models.fault("z3", [text])).remedy).not.toContain("SMT-LIB");
  });

  it("pools of PySAT's own engines share no numbers with those of a program", async () => {
    const items = [
      "from pysat.examples.hitman import Hitman\nfrom pysat.formula import IDPool\npool = IDPool()\npool.id('other')",
      "with Hitman(bootstrap_with=[['a', 'b'], ['b', 'c']]) as h:\n    export_solution({'satisfiable': True, 'hit': h.get()})",
    ];
    expect((await models.solve("pysat", items)).warnings.join()).not.toContain("Two IDPools");
  });

  it.each([
    ["get-all-models", "diverse: 5"],
    ["count-models", "count: true"],
  ])("the command %s is told its tool", async (command, option) => {
    const smtlib = `(declare-const x Int)(assert (> x 3))(check-sat)(${command})`;
    await expect(models.call("solve_smtlib", { smtlib })).rejects.toMatchObject({
      steps: expect.arrayContaining([expect.stringContaining(option)]),
    });
  });

  it("an item that is too long is split", async () => {
    const fault = await models.fault("z3", [`rows = [${"1234567890, ".repeat(9000)}]`]);
    expect(fault.remedy).toContain("(1) split it into several items");
    expect(fault.remedy).not.toContain("into one item");
  });

  it("a name that a module keeps back, which is not called missing", async () => {
    await models.call("clear_model", { model_id: "slips", language: "z3" });
    await models.call("add_item", { model_id: "slips", item: "import operator\nf = operator.attrgetter('real')" });
    await expect(models.call("solve_model", { model_id: "slips" })).rejects.toMatchObject({
      message: expect.stringContaining(
        "the name attrgetter of operator is not available to a model: it is withheld, since",
      ),
    });
  });

  it("a module that is used without an import, when the item comes", async () => {
    await models.call("clear_model", { model_id: "slips", language: "z3" });
    expect(await models.call("add_item", { model_id: "slips", item: "n = math.floor(3.5)" })).toMatchObject({
      warnings: [expect.stringContaining("add `import math`")],
    });
  });
});
