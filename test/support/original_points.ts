/** One point of the interface of the original mcp-solver: a model that uses it, and what it comes to. */
export interface Point {
  readonly point: string;
  readonly items: readonly string[];
  readonly answer: Readonly<Record<string, unknown>>;
}

const point = (point: string, items: readonly string[], answer: Point["answer"]): Point => ({ point, items, answer });

const sat = (model: Readonly<Record<string, unknown>>) => ({ status: "sat", model });
const unsat = { status: "unsat" };

// ---- Z3.

const cells = "a = Array('a', IntSort(), IntSort())\ns = Solver()\ns.add([And(a[i] >= 0, a[i] < 3) for i in range(3)])";
const bools = "ps = [Bool(f'p{i}') for i in range(4)]\ns = Solver()";
const export_cells = "export_solution(solver=s, variables={f'a{i}': a[i] for i in range(3)})";
const counted = "export_solution(solver=s, variables={'count': Sum([If(p, 1, 0) for p in ps])})";
const pinned = "x = Int('x')\ns = Solver()\ns.add(x == 4)";
const stuck = "x = Int('x')\ns = Solver()\ns.add(x > 4, x < 5)";
/** A base case and a step, each in a solver of its own. */
const induction = `base, step = Solver(), Solver()
k = Int('k')
base.add(Not(IntVal(0) * 2 == 0))
step.add(k >= 0, Not((k + 1) * 2 == k * 2 + 2))
results = [base.check(), step.check()]`;

const template = (name: string, values: Readonly<Record<string, unknown>> = {}) =>
  point(name, [`solver, variables = ${name}()`, "export_solution(solver=solver, variables=variables)"], {
    status: "sat",
    ...values,
  });

export const z3_points: readonly Point[] = [
  point(
    "array_is_sorted without an import",
    [cells, "s.add(array_is_sorted(a, 3, strict=True))", export_cells],
    sat({ a0: 0, a1: 1, a2: 2 }),
  ),
  point(
    "all_distinct without an import",
    [cells, "s.add(all_distinct(a, 3), a[0] > 1, a[1] > 0)", export_cells],
    sat({ a0: 2, a1: 1, a2: 0 }),
  ),
  point(
    "array_contains without an import",
    [cells, "s.add(array_contains(a, 3, 2), a[0] == 0, a[1] == 1)", export_cells],
    sat({ a0: 0, a1: 1, a2: 2 }),
  ),
  point("exactly_k without an import", [bools, "s.add(exactly_k(ps, 2))", counted], sat({ count: 2 })),
  point("at_most_k without an import", [bools, "s.add(at_most_k(ps, 1), Or(ps))", counted], sat({ count: 1 })),
  point("at_least_k without an import", [bools, "s.add(at_least_k(ps, 4))", counted], sat({ count: 4 })),
  point(
    "function_is_injective without an import",
    [cells, "s.add(function_is_injective(a, 3, 3), a[0] == 1, a[1] == 0)", export_cells],
    sat({ a0: 1, a1: 0, a2: 2 }),
  ),
  point(
    "function_is_surjective without an import",
    [cells, "s.add(function_is_surjective(a, 3, 3), a[0] == 1, a[1] == 0)", export_cells],
    sat({ a0: 1, a1: 0, a2: 2 }),
  ),
  point(
    "smallest_subset_with_property with solvers inside of the check",
    [
      "x = Int('x')\nrules = [x > 1, x < 9, x > 7, x < 5]",
      "def clash(subset):\n    s = Solver()\n    s.add(subset)\n    return s.check() == unsat",
      "found = smallest_subset_with_property(rules, clash, min_size=2)",
      "s = Solver()\ns.add(found)\nexport_solution(solver=s, variables={})",
    ],
    unsat,
  ),
  template("constraint_satisfaction_template"),
  template("optimization_template", { model: { x: 0, y: 10, objective_value: 20 }, optimal: true }),
  template("array_template"),
  point(
    "quantifier_template",
    ["from function_templates import quantifier_template", "s, v = quantifier_template()", "export_solution(s, v)"],
    sat({ "arr[0]": 0, "arr[4]": 4 }),
  ),
  template("demo_template"),
  point(
    "from mcp_solver.z3 import export_solution",
    [
      "from z3 import *\nfrom mcp_solver.z3 import export_solution",
      pinned,
      "export_solution(solver=s, variables={'x': x})",
    ],
    sat({ x: 4 }),
  ),
  point(
    "import mcp_solver.z3.solution",
    ["from mcp_solver.z3.solution import export_solution", pinned, "export_solution(s, {'x': x}, x + 1)"],
    { ...sat({ x: 4 }), objective_value: 5 },
  ),
  point(
    "from mcp_solver.z3.templates import …",
    [
      "from mcp_solver.z3.templates import array_is_sorted, smallest_subset_with_property, demo_template",
      cells,
      "s.add(array_is_sorted(a, 3, True))",
      export_cells,
    ],
    sat({ a0: 0, a1: 1, a2: 2 }),
  ),
  point(
    "from mcp_solver.z3.templates.z3_templates import …",
    ["from mcp_solver.z3.templates.z3_templates import exactly_k", bools, "s.add(exactly_k(ps, 3))", counted],
    sat({ count: 3 }),
  ),
  point(
    "from z3_templates import …",
    [
      "from z3_templates import all_distinct, array_is_sorted",
      cells,
      "s.add(all_distinct(a, 3), array_is_sorted(a, 3))",
      export_cells,
    ],
    sat({ a0: 0, a1: 1, a2: 2 }),
  ),
  point(
    "z3_templates as a module without an import",
    [bools, "s.add(z3_templates.at_least_k(ps, 4))", counted],
    sat({ count: 4 }),
  ),
  point(
    "from subset_templates import …, and the module of mcp_solver",
    [
      "from subset_templates import smallest_subset_with_property\nimport mcp_solver.z3.templates.subset_templates as again",
      "found = again.smallest_subset_with_property([1, 5, 3], lambda xs: sum(xs) > 7)",
      "x = Int('x')\nx == sum(found)",
    ],
    sat({ x: 8 }),
  ),
  point(
    "from function_templates import …, and the module of mcp_solver",
    [
      "import mcp_solver.z3.templates.function_templates as f\nfrom function_templates import demo_template",
      "s, v = f.array_template()",
      "export_solution(solver=s, variables=v)",
    ],
    { status: "sat" },
  ),
  point(
    "from mcp_solver.helpers.z3 import …",
    ["from mcp_solver.helpers.z3 import at_most_k, function_is_surjective", bools, "s.add(at_most_k(ps, 0))", counted],
    sat({ count: 0 }),
  ),
  point(
    "from mcp_solver.helpers import z3",
    ["from mcp_solver.helpers import z3 as h", bools, "s.add(h.exactly_k(ps, 1))", counted],
    sat({ count: 1 }),
  ),
  point(
    "export_solution(satisfiable=False, variables=…)",
    [stuck, "if s.check() == unsat:\n    export_solution(satisfiable=False, variables={'x': x})"],
    unsat,
  ),
  point(
    "export_solution(satisfiable=False, …) with several solvers",
    [induction, "assert all(r == unsat for r in results)\nexport_solution(satisfiable=False, variables={})"],
    { ...unsat, warnings: [expect_solvers(2)] },
  ),
  point(
    "export_solution(satisfiable=True, …) with several solvers",
    [
      "x = Int('x')\none, two = Solver(), Solver()\none.add(x > 3, x < 5)\ntwo.add(x != x)",
      "one.check(), two.check()\nexport_solution(satisfiable=True, variables={'x': x})",
    ],
    sat({ x: 4 }),
  ),
  point(
    "export_solution(is_property_verification=True) for a property that holds",
    [stuck, "export_solution(solver=s, variables={'x': x}, is_property_verification=True)"],
    { ...unsat, model: { property_verified: true } },
  ),
  point(
    "export_solution(satisfiable=False, is_property_verification=True)",
    [stuck, "s.check()\nexport_solution(satisfiable=False, variables={'x': x}, is_property_verification=True)"],
    { ...unsat, model: { property_verified: true } },
  ),
  point(
    "export_solution(is_property_verification=True) with a counterexample",
    [pinned, "export_solution(solver=s, variables={'x': x}, is_property_verification=True)"],
    sat({ property_verified: false, x: 4 }),
  ),
  point(
    "export_solution(…, property_verified=True)",
    [induction, "export_solution(solver=step, variables={}, is_property_verification=True, property_verified=True)"],
    { ...unsat, model: { property_verified: true } },
  ),
  point(
    "export_solution(solution_dict=…)",
    [
      pinned,
      "s.check()\nexport_solution(solution_dict={'satisfiable': True, 'values': {'x': s.model()[x].as_long()}})",
    ],
    sat({ x: 4 }),
  ),
  point(
    "export_solution(data=…)",
    [stuck, "s.check()\nexport_solution(data={'satisfiable': False, 'values': {}})"],
    unsat,
  ),
  point(
    "what export_solution gives back",
    [
      pinned,
      "r = export_solution(solver=s, variables={'x': x})\nprint(r['satisfiable'], r['status'], r['values'], r['objective'])\nr['values']['x'] = 5",
    ],
    { ...sat({ x: 4 }), output: ["True sat {'x': 4} None"] },
  ),
];

function expect_solvers(count: number): string {
  return `The model has ${count} solvers and export_solution names none: this is the answer of the one that was checked last and answered unsat.`;
}

// ---- PySAT.

const solve_formula = `solver = Glucose3()
solver.append_formula(formula)
if solver.solve():
    model = solver.get_model()
    export_solution({'satisfiable': True, 'on': [v for v in model if v > 0]})
else:
    export_solution({'satisfiable': False})
solver.delete()`;

const on = (point_of: string, build: string, expected: readonly number[]) =>
  point(point_of, ["formula = CNF()", build, solve_formula], sat({ on: expected }));

const wishes = "from pysat.formula import WCNF\nfrom pysat.examples.rc2 import RC2\nwcnf = WCNF()";
const best = `with RC2(wcnf) as rc2:
    model = rc2.compute()
    export_solution({'satisfiable': True, 'cost': rc2.cost, 'on': [v for v in model if v > 0]})`;

const optimum = (point_of: string, build: string, expected: readonly number[], objective_value: number) =>
  point(point_of, [wishes, build, best], { ...sat({ on: expected }), objective_value, optimal: true });

const each = (clauses: string) => `for clause in ${clauses}:\n    formula.append(clause)`;

export const pysat_points: readonly Point[] = [
  on(
    "CNF, Glucose3, itertools and others without an import",
    "formula.append([1])\nassert itertools and math and json and re and random and collections and Cadical153",
    [1],
  ),
  on("at_most_one", `formula.append([2])\n${each("at_most_one([1, 2, 3])")}`, [2]),
  on("exactly_one", `formula.append([-1])\nformula.append([-3])\n${each("exactly_one([1, 2, 3])")}`, [2]),
  on("implies", `formula.append([1])\n${each("implies(1, 2)")}`, [1, 2]),
  on("mutually_exclusive", `formula.append([3])\n${each("mutually_exclusive([1, 2, 3])")}`, [3]),
  on("if_then_else", `formula.append([1])\nformula.append([-3])\n${each("if_then_else(1, 2, 3)")}`, [1, 2]),
  on("exactly_k", `formula.append([-2])\n${each("exactly_k([1, 2, 3], 2)")}`, [1, 3]),
  on("at_most_k", `formula.append([1])\n${each("at_most_k([1, 2, 3], 1)")}`, [1]),
  on("at_least_k", each("at_least_k([1, 2, 3], 3)"), [1, 2, 3]),
  on(
    "exactly_k(…, encoding=…, top_id=…)",
    each("exactly_k([1, 2, 3], 3, encoding=EncType.seqcounter, top_id=3)"),
    [1, 2, 3],
  ),
  on(
    "exactly_k(…).clauses, and a sum of two",
    "formula.extend(exactly_k([1, 2], 2).clauses)\nformula.extend(exactly_one([3]) + at_most_one([4, 3]))",
    [1, 2, 3],
  ),
  on("from pysat.card import *", `from pysat.card import *\n${each("at_least_k([1, 2], 2)")}`, [1, 2]),
  on(
    "a variable after those of a helper: formula.nv + 1",
    `many = list(range(1, 101))\nformula.extend(exactly_one(many))\nformula.append([7])\nnew = formula.nv + 1\nformula.append([new])\nformula.extend(exactly_one(list(range(101, 201))))\nformula.append([150])\nformula.extend([[-new, 201], [-201, new]])\nassert new > 16384`,
    [7, 150, 201, 16483],
  ),
  point(
    "VariableMap: create_var, create_vars, interpret_model, get_mapping, get_name",
    [
      "formula = CNF()\nvar_map = VariableMap()\nx1 = var_map.create_var('x1')\nmore = var_map.create_vars(['a', 'b'])",
      "formula.append([-x1])\nformula.append([more['a']])\nformula.append([-more['b']])\nassert var_map.create_var('x1') == x1 and var_map.get_name(-x1) == 'x1' and var_map.get_name(9) == 'unknown_9'",
      "solver = Glucose3()\nsolver.append_formula(formula)\nsolver.solve()",
      "export_solution({'satisfiable': True, 'assignment': var_map.interpret_model(solver.get_model()), 'mapping': var_map.get_mapping()})",
    ],
    sat({ assignment: { x1: false, a: true, b: false }, mapping: { x1: 1, a: 2, b: 3 } }),
  ),
  point(
    "VariableMap: get_id, next_id, var_to_id, id_to_var",
    [
      "from mcp_solver.pysat.templates.mapping import VariableMap",
      "v = VariableMap()\nv.next_id = 5\nx = v.get_id('x')\ns = Glucose3(bootstrap_with=[[x]])\ns.solve()\nexport_solution({'satisfiable': True, 'x': v.var_to_id['x'], 'name': v.id_to_var[5]})",
    ],
    sat({ x: 5, name: "x" }),
  ),
  on(
    "from mcp_solver.pysat import …",
    `from mcp_solver.pysat import export_solution, VariableMap, at_most_k, at_least_k, exactly_k, at_most_one, exactly_one\n${each("exactly_one([1])")}`,
    [1],
  ),
  on(
    "from mcp_solver.pysat.constraints import …",
    `from mcp_solver.pysat.constraints import at_most_k, implies, if_then_else\n${each("if_then_else(1, 1, 2)")}`,
    [1],
  ),
  on(
    "from mcp_solver.pysat.solution import export_solution",
    "from mcp_solver.pysat.solution import export_solution\nformula.append([1])",
    [1],
  ),
  on(
    "from mcp_solver.pysat.templates import *",
    `from mcp_solver.pysat.templates import *\nformula.extend(one_hot_encoding([1]))\nadd_cardinality_constraint(formula, 'atleast', [2, 3], 2)`,
    [1, 2, 3],
  ),
  on(
    "mcp_solver.pysat.templates.cardinality_templates",
    "from mcp_solver.pysat.templates.cardinality_templates import exactly_k, create_balanced_partitioning\nassert create_balanced_partitioning([1, 2])['formula'].clauses\nformula.extend(exactly_k([1, 2], 2))",
    [1, 2],
  ),
  point(
    "mcp_solver.pysat.templates.basic_templates",
    [
      "from mcp_solver.pysat.templates.basic_templates import basic_sat_solver, dimacs_to_cnf, sat_to_binary_variables",
      "r = basic_sat_solver(dimacs_to_cnf('p cnf 2 2\\n1 0\\n-1 2 0').clauses)",
      "export_solution({'satisfiable': r['is_sat'], 'values': sat_to_binary_variables({'a': 1, 'not_b': -2}, r['model'])})",
    ],
    sat({ a: true, not_b: false }),
  ),
  point(
    "mcp_solver.pysat.error_handling",
    [
      "from mcp_solver.pysat.error_handling import PySATError, pysat_error_handler, validate_variables, validate_formula, format_solution_error",
      "@pysat_error_handler\ndef f():\n    raise KeyError('x')",
      "try:\n    f()\nexcept PySATError as e:\n    told = format_solution_error(e)",
      "s = Glucose3(bootstrap_with=[[1]])\ns.solve()\nexport_solution({'satisfiable': True, 'type': told['error_type'], 'wrong': len(validate_variables({'x': 0})) + len(validate_formula(CNF()))})",
    ],
    sat({ type: "PySATError", wrong: 2 }),
  ),
  on(
    "from mcp_solver.helpers.pysat import …",
    `from mcp_solver.helpers.pysat import VariableMap, exactly_one, one_hot_encoding\n${each("one_hot_encoding([1])")}`,
    [1],
  ),
  on(
    "from mcp_solver.helpers import pysat",
    `from mcp_solver.helpers import pysat as h\nformula.extend(h.implies(1, 2) + [[1]])`,
    [1, 2],
  ),
  point(
    "export_solution(solver, variables=…) after solve()",
    [
      "solver = Glucose3(bootstrap_with=[[1], [-2]])\nsolver.solve()",
      "export_solution(solver, variables={'a': 1, 'b': 2, 'not_b': -2})",
    ],
    sat({ a: true, b: false, not_b: true }),
  ),
  point(
    "export_solution(solver, …) after solve(assumptions=…)",
    [
      "solver = Glucose3(bootstrap_with=[[1, 2]])\nsolver.solve(assumptions=[-1])",
      "export_solution(solver, variables={'a': 1, 'b': 2})",
    ],
    sat({ a: false, b: true }),
  ),
  point(
    "export_solution(solver) that is unsat",
    ["solver = Glucose3(bootstrap_with=[[1], [-1]])\nsolver.solve()", "export_solution(solver, variables={'a': 1})"],
    unsat,
  ),
  point(
    "export_solution(satisfiable=False, …) with several solvers",
    [
      "one, two = Glucose3(bootstrap_with=[[1], [-1]]), Glucose3(bootstrap_with=[[1]])",
      "one.solve(), two.solve()\nexport_solution(satisfiable=False, message='none')",
    ],
    unsat,
  ),
  point(
    "export_solution(data, objective=…)",
    ["s = Glucose3(bootstrap_with=[[1]])\ns.solve()", "export_solution({'satisfiable': True, 'x': 1}, objective=12)"],
    { ...sat({ x: 1 }), objective_value: 12 },
  ),
  point(
    "what export_solution gives back",
    [
      "s = Glucose3(bootstrap_with=[[1]])\ns.solve()",
      "r = export_solution({'satisfiable': True, 'x': [1]})\nprint(r['satisfiable'], r['status'], r['values'])\nr['values']['x'].append(2)\nr['model']['x'].append(2)",
    ],
    { ...sat({ x: [1] }), output: ["True sat {'x': [1]}"] },
  ),
  // ---- MaxSAT.
  optimum(
    "RC2 and WCNF without an import",
    "wcnf = WCNF()\nwcnf.append([-1, -2])\nwcnf.append([1], weight=5)\nwcnf.append([2], weight=3)",
    [1],
    3,
  ),
  optimum(
    "from mcp_solver.maxsat import export_solution",
    "from mcp_solver.maxsat import export_solution\nwcnf.append([1], weight=1)\nwcnf.append([-1], weight=2)",
    [],
    1,
  ),
  optimum(
    "mcp_solver.maxsat.solution and mcp_solver.solution",
    "from mcp_solver.maxsat.solution import export_solution\nfrom mcp_solver.solution import export_maxsat_solution as export_solution\nwcnf.append([1], weight=1)",
    [1],
    0,
  ),
  optimum(
    "mcp_solver.maxsat.constraints, whose clauses are hard",
    "from mcp_solver.maxsat.constraints import exactly_k, exactly_one\nfor clause in exactly_k([1, 2], 1):\n    wcnf.append(clause)\nwcnf.append([2], weight=4)",
    [2],
    0,
  ),
  optimum(
    "mcp_solver.maxsat.templates: at_most_k(wcnf, …)",
    "from mcp_solver.maxsat.templates import at_most_k, at_least_k\nat_most_k(wcnf, [1, 2, 3], 1)\nat_least_k(wcnf, [4, 5], 2)\nwcnf.append([3], weight=4)",
    [3, 4, 5],
    0,
  ),
  optimum(
    "mcp_solver.maxsat.templates.cardinality_constraints",
    "from mcp_solver.maxsat.templates.cardinality_constraints import exactly_k\nexactly_k(wcnf, [1, 2], 2)\nwcnf.append([-1], weight=6)",
    [1, 2],
    6,
  ),
  optimum(
    "mcp_solver.helpers.maxsat",
    "from mcp_solver.helpers import maxsat as card\ncard.exactly_k(wcnf, [1, 2, 3], 1)\nwcnf.append([2], weight=4)",
    [2],
    0,
  ),
  optimum(
    "soft_clause, soft_implies, soft_if_then_else, add_soft_clauses_to_wcnf",
    "from mcp_solver.pysat.constraints import soft_clause, soft_implies, soft_if_then_else, add_soft_clauses_to_wcnf\nadd_soft_clauses_to_wcnf(wcnf, [soft_clause(1, 5), soft_clause([-2], 3), *soft_implies(1, 2, 1), *soft_if_then_else(1, 3, 2, 2)])",
    [1, 3],
    1,
  ),
  optimum(
    "soft_at_most_k, soft_at_least_k, soft_exactly_k",
    "from mcp_solver.helpers.pysat import soft_at_most_k, soft_at_least_k, soft_exactly_k, add_soft_clauses_to_wcnf\nadd_soft_clauses_to_wcnf(wcnf, soft_at_most_k([1, 2], 1, 2) + soft_at_least_k([1, 2], 1, 2) + soft_exactly_k([1], 1, 9))\nwcnf.append([2], weight=1)",
    [1],
    1,
  ),
  point(
    "export_solution(rc2, variables=…, objective=…)",
    [
      wishes,
      "wcnf.append([-1, -2])\nwcnf.append([1], weight=5)\nwcnf.append([2], weight=3)",
      "solver = RC2(wcnf)\nmodel = solver.compute()\nexport_solution(solver, variables={'a': 1, 'b': 2}, objective=5)",
    ],
    { ...sat({ a: true, b: false }), objective_value: 5 },
  ),
  point(
    "export_solution(rc2, variables=…), with the cost that was proved",
    [
      wishes,
      "wcnf.append([-1, -2])\nwcnf.append([1], weight=5)\nwcnf.append([2], weight=3)",
      "with RC2(wcnf) as solver:\n    solver.compute()\n    export_solution(solver, variables={'a': 1, 'b': 2})",
    ],
    { ...sat({ a: true, b: false }), objective_value: 3, optimal: true },
  ),
  point(
    "export_solution(rc2) of hard clauses that conflict",
    [
      wishes,
      "wcnf.append([1])\nwcnf.append([-1])\nwcnf.append([2], weight=3)",
      "with RC2(wcnf) as solver:\n    solver.compute()\n    export_solution(solver, variables={'a': 1})",
    ],
    unsat,
  ),
  point(
    "export_solution(data, cost=…)",
    [
      wishes,
      "wcnf.append([1], weight=2)\nwcnf.append([-1], weight=7)",
      "with RC2(wcnf) as solver:\n    model = solver.compute()\n    export_solution({'satisfiable': True, 'x': 1 in model}, cost=solver.cost)",
    ],
    { ...sat({ x: false }), objective_value: 2, optimal: true },
  ),
  point(
    "create auxiliary variables by wcnf.nv",
    [
      wishes,
      "wcnf.append([1, 2])\naux = wcnf.nv + 1\nwcnf.nv = aux\nwcnf.append([-1, -2, aux])\nwcnf.append([1, -aux])\nwcnf.append([2, -aux])\nwcnf.append([aux], weight=5)\nwcnf.append([-1], weight=1)",
      best,
    ],
    { ...sat({ on: [1, 2, 3] }), objective_value: 1, optimal: true },
  ),
  point(
    "PBEnc with top_id=wcnf.nv",
    [
      wishes,
      "from pysat.pb import PBEnc\nitems = [1, 2, 3]\nfor i, v in zip(items, [10, 6, 5]):\n    wcnf.append([i], weight=v)\nenc = PBEnc.atmost(lits=items, weights=[7, 4, 3], bound=7, top_id=wcnf.nv)\nfor cl in enc.clauses:\n    wcnf.append(cl)\nwcnf.nv = max(wcnf.nv, enc.nv)",
      "with RC2(wcnf) as rc2:\n    model = rc2.compute()\n    export_solution({'satisfiable': True, 'cost': rc2.cost, 'on': [i for i in items if i in model]})",
    ],
    { ...sat({ on: [2, 3] }), objective_value: 10, optimal: true },
  ),
];
