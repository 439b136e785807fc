import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { has_python, type Models, openModels } from "../support/models.ts";
import { real_setup_ms_max } from "../support/python.ts";

describe.skipIf(!has_python)("slips in Python items: the remedy says what to write", () => {
  let models: Models;
  beforeAll(async () => {
    models = await openModels();
  }, real_setup_ms_max);
  afterAll(() => models?.close());

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
    ["&&", "z3", ["x && y"], "write And(p, q) instead of &&"],
    ["||", "z3", ["x || y"], "write Or(p, q) instead of ||"],
    ["->", "z3", ["p -> q"], "write Implies(p, q) instead of ->"],
    ["=>", "z3", ["p => q"], "write Implies(p, q)"],
    ["<->", "z3", ["p <-> q"], "write p == q instead of <->"],
    ["!p", "z3", ["x > 3, !p"], "write Not(p) instead of !"],
    ["-> in clauses", "pysat", ["cnf.append(p -> q)"], "write the clause [-p, q] instead of ->"],
    ["escaped line breaks", "z3", ["x = Int('x')\\nx > 3"], "send real line breaks"],
    ["arguments of a program", "z3", ["import argparse"], "there are no arguments; write a constant for each"],
    ["a table of pandas", "pysat", ["import pandas as pd"], "write a table as a list of tuples"],
    [
      "a picture",
      "z3",
      ["import matplotlib.pyplot as plt"],
      "delete the import of matplotlib.pyplot: the answer has the",
    ],
    ["a zero-width space", "z3", ["x = Int('x')\u200b"], "delete the invisible character U+200B"],
    [
      "an Optimize without its constraints",
      "z3",
      ["x = Int('x')\no = Optimize()\no.maximize(x)", "x < 3"],
      "keep the Optimize",
    ],
  ])("%s", async (_, language, items, expected) => {
    const { remedy } = await models.fault(language, items);
    expect(remedy).toContain(expected);
    if (expected.startsWith("keep")) expect(remedy).not.toContain("delete the Solver");
  });

  it("a name that a module keeps back, which is not called missing", async () => {
    await models.call("clear_model", { model_id: "slips", language: "z3" });
    await models.call("add_item", { model_id: "slips", item: "import operator\nf = operator.attrgetter('real')" });
    await expect(models.call("solve_model", { model_id: "slips" })).rejects.toMatchObject({
      message: expect.stringContaining("the name attrgetter of operator is not for a model: it is withheld, since"),
    });
  });

  it("a module that is used without an import, when the item comes", async () => {
    await models.call("clear_model", { model_id: "slips", language: "z3" });
    expect(await models.call("add_item", { model_id: "slips", item: "n = math.floor(3.5)" })).toMatchObject({
      warnings: [expect.stringContaining("add `import math`")],
    });
  });
});
