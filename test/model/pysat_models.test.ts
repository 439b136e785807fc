import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fixture } from "../support/fixture.ts";
import { has_python, shareModels } from "../support/models.ts";
import { runs_all } from "../support/runs_all.ts";

type Clause = readonly number[];

const literals = (variables: number) =>
  fc.tuple(fc.integer({ min: 1, max: variables }), fc.boolean()).map(([name, holds]) => (holds ? name : -name));

const clauses = (variables: number, most: number) =>
  fc.array(fc.array(literals(variables), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: most });

/** Every assignment of variables from 1 on, as the set of its true literals. */
function assignments(variables: number): ReadonlySet<number>[] {
  return Array.from(
    { length: 2 ** variables },
    (_, bits) => new Set(Array.from({ length: variables }, (_, i) => (((bits >> i) & 1) === 1 ? i + 1 : -i - 1))),
  );
}

const satisfies = (world: ReadonlySet<number>, all: readonly Clause[]) =>
  all.every((clause) => clause.some((literal) => world.has(literal)));

const modelsOf = (all: readonly Clause[], variables: number) =>
  assignments(variables).filter((world) => satisfies(world, all));

const isSatisfiable = (all: readonly Clause[], variables: number) => modelsOf(all, variables).length > 0;

function binomial(n: number, k: number): number {
  let value = 1;
  for (let i = 1; i <= k; i++) value = (value * (n - k + i)) / i;
  return Math.round(value);
}

/** More pigeons than holes: unsat, and not at once. */
function pigeons(holes: number): string {
  return `from itertools import combinations
holes = ${holes}
place = lambda pigeon, hole: pigeon * holes + hole + 1
clauses = [[place(p, h) for h in range(holes)] for p in range(holes + 1)]
clauses += [[-place(a, h), -place(b, h)] for h in range(holes) for a, b in combinations(range(holes + 1), 2)]`;
}

describe.skipIf(!has_python)("models in PySAT", () => {
  const models = fixture(shareModels);

  const solve = (...items: string[]) => models.solve("pysat", items);
  const faultOf = (...items: string[]) => models.fault("pysat", items);

  /** The status, and what the program exported. */
  async function solved(...items: string[]) {
    const { status, model } = await solve(...items);
    return [status, model];
  }

  /** What a program exports that is satisfiable. */
  async function exported(...items: string[]) {
    const { status, model } = await solve(...items);
    expect(status).toBe("sat");
    return model ?? {};
  }

  const numbersIn = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : []);
  const listsIn = (value: unknown): number[][] => (Array.isArray(value) ? value.map(numbersIn) : []);

  describe("export_solution", () => {
    const solver = "from pysat.solvers import Glucose3\ns = Glucose3()\ns.add_clause([1, 2])\ns.add_clause([-1])";

    it("takes a dictionary with what was found", async () => {
      expect(
        await solved(solver, "export_solution({'satisfiable': s.solve(), 'on': [v for v in s.get_model() if v > 0]})"),
      ).toEqual(["sat", { on: [2] }]);
      expect(
        await solved(
          solver,
          "from mcp_solver.pysat import export_solution",
          "r = s.solve()\nexport_solution(dict(satisfiable=r, values={'b': 2 in s.get_model()}))",
        ),
      ).toEqual(["sat", { b: true }]);
    });

    it("says whose the values are: read from the solver, or computed by the program", async () => {
      const messageOf = async (exported: string) => (await solve(solver, exported)).message;
      expect(await messageOf("export_solution(s, variables={'b': 2})")).toBe("Satisfiable, with these values.");
      expect(await messageOf("s.solve()\nexport_solution({'satisfiable': True, 'b': True})")).toBe(
        "Satisfiable; the program exports these values, which no solver checked.",
      );
      const optimum = "rc2 = RC2(WCNF(from_string='p wcnf 1 1 9\\n3 1 0'))\nrc2.compute()\n";
      expect(await messageOf(`${optimum}export_solution({'satisfiable': True, 'x': 1, 'cost': rc2.cost})`)).toBe(
        "Satisfiable; the program exports these values, which no solver checked; no solution has a better objective.",
      );
    });

    it("checks that a correction set repairs the formula", async () => {
      const wcnf =
        "from pysat.examples.lbx import LBX\nfrom pysat.examples.mcsls import MCSls\nw = WCNF()\nw.extend([[-1], [1], [1]], weights=[1] * 3)";
      const corrected = (engine: string) =>
        solve(wcnf, `export_solution({'satisfiable': True, 'found': ${engine}(w).compute()})`);
      expect(await corrected("MCSls")).toMatchObject({
        status: "unknown",
        reason: expect.stringContaining("still conflict"),
      });
      expect(await corrected("LBX")).toMatchObject({ status: "sat", model: { found: [2, 3] } });
    });

    it("leaves soft clauses of weight 0 out, which PySAT makes hard", async () => {
      const wcnf = "w = WCNF()\nw.append([-1])\nw.append([1], weight=0)\nw.extend([[2], [-2]], weights=[0, 3])";
      const answer = await solve(wcnf, "rc2 = RC2(w)\nrc2.compute()\nexport_solution(rc2, variables={'a': 1, 'b': 2})");
      expect(answer).toMatchObject({ status: "sat", model: { a: false, b: false }, objective_value: 0, optimal: true });
      expect(answer.warnings).toEqual([expect.stringContaining("weight 0 was left out")]);
    });

    it("checks weights beyond 2^53 exactly", async () => {
      const wcnf =
        "w = WCNF()\nw.extend([[1], [2], [3]])\nw.extend([[-1], [-2], [-3]], weights=[9007199254740993, 1, 1])";
      const answer = await solve(wcnf, "rc2 = RC2(w)\nrc2.compute()\nexport_solution(rc2, variables={'a': 1})");
      const best = { status: "sat", optimal: true, objective_value: "9007199254740995", confirmed: true };
      expect(answer).toMatchObject(best);
    });

    it("explains a list of clauses in place of one clause, and of a number", async () => {
      const extend = expect.stringContaining("extend(…)");
      const list = {
        code: "input_rejected",
        error: expect.stringContaining("got a list of 2 clauses"),
        remedy: extend,
      };
      expect(await faultOf("f = CNF()\nf.append([[1, 2], [3]])")).toMatchObject(list);
      expect(await faultOf("w = WCNF()\nw.append(exactly_k([1, 2], 1), weight=2)")).toMatchObject(list);
      expect(await faultOf(solver, "s.add_clause([[1], [2]])")).toMatchObject({
        ...list,
        remedy: expect.stringContaining("append_formula"),
      });
      expect(await faultOf("f = CNF()\nf.append(5)")).toMatchObject({ remedy: expect.stringContaining("append([5])") });
    });

    it("takes a solver with the names of its variables, in lists and dictionaries too", async () => {
      expect(await solved(solver, "export_solution(s, variables={'a': 1, 'b': 2, 'not_a': -1})")).toEqual([
        "sat",
        { a: false, b: true, not_a: true },
      ]);
      expect(await solved(solver, "export_solution(solver=s, variables={'row': [1, 2], 'by': {(0, 1): 2}})")).toEqual([
        "sat",
        { row: [false, true], by: { "0,1": true } },
      ]);
      expect(await solved(solver, "s.add_clause([-2])", "export_solution(s, variables={'a': 1})")).toEqual([
        "unsat",
        null,
      ]);
    });

    it("turns tuples, sets, keys and large numbers into JSON", async () => {
      expect(
        await exported(
          solver,
          "s.solve()\nexport_solution({'satisfiable': True, 'queens': {(0, 1): 'Q'}, 'set': {3, 1}, 'pair': (1, 2), 'large': 2**64, 'half': 0.5})",
        ),
      ).toEqual({ queens: { "0,1": "Q" }, set: [1, 3], pair: [1, 2], large: "18446744073709551616", half: 0.5 });
    });

    it("makes no verdict of a claim that no solver bears out", async () => {
      const open = { status: "unknown", satisfiable: null };
      expect(await solve("export_solution({'satisfiable': False})")).toMatchObject({
        ...open,
        reason: expect.stringContaining("called no solver"),
      });
      expect(await solve("export_solution({'satisfiable': True, 'x': 1})")).toMatchObject(open);
      expect(await solve(solver, "s.solve()\nexport_solution({'satisfiable': False})")).toMatchObject({
        ...open,
        reason: expect.stringContaining("the program says satisfiable=False, but no solver"),
      });
      expect(
        await solve(solver, "s.add_clause([-2])\ns.solve()\nexport_solution({'satisfiable': True})"),
      ).toMatchObject(open);
      expect(await solve(solver, "s.solve()\nexport_solution({'status': 'UNSATISFIABLE'})")).toMatchObject(open);
    });

    it("asks which one is meant when solvers answered both", async () => {
      const both = "s.solve()\ns.add_clause([-2])\ns.solve()";
      expect((await faultOf(solver, both, "export_solution({'x': 1})")).error).toContain("does not state which answer");
      expect(await solved(solver, both, "export_solution({'satisfiable': True, 'x': 1})")).toEqual(["sat", { x: 1 }]);
    });

    it("is not needed where the last answer of a solver is the answer", async () => {
      const answer = await solve(solver, "print(s.solve())");
      expect(answer).toMatchObject({ status: "sat", model: { model: [-1, 2] }, confirmed: true, output: ["True"] });
      expect(answer["unchecked"]).toBeUndefined();
      expect(answer.warnings).toEqual([expect.stringContaining("without export_solution")]);
      const block = "with Glucose3(bootstrap_with=[[1], [-1, 2]]) as t:\n    t.solve()\n    print(t.get_model())";
      expect(await solve(solver, block)).toMatchObject({ status: "sat", model: { model: [1, 2] } });
      expect(await solve(solver, "s.add_clause([-2])\ns.solve()")).toMatchObject({
        status: "unsat",
        model: null,
      });
      const soft = "w = WCNF()\nw.append([1, 2])\nw.append([-1], weight=2)\nw.append([-2], weight=1)";
      expect(await solve(soft, "with RC2(w) as rc2:\n    print(rc2.compute(), rc2.cost)")).toMatchObject({
        status: "sat",
        model: { model: [-1, 2] },
        objective_value: 1,
        optimal: true,
      });
    });

    it.each([
      "cadical103",
      "cadical153",
      "cadical195",
      "gluecard3",
      "gluecard4",
      "glucose3",
      "glucose4",
      "glucose42",
      "lingeling",
      "maplechrono",
      "maplecm",
      "maplesat",
      "mergesat3",
      "minicard",
      "minisat22",
      "minisat-gh",
    ])("is not needed if %s was changed after its last answer", async (name) => {
      const made = `from pysat.solvers import Solver\ns = Solver(name='${name}', bootstrap_with=[[1, 2], [-1, -2]])`;
      const more = "s.add_clause([-l for l in s.get_model()])";
      const unread = await solve(made, "s.solve(assumptions=[2])\ns.add_clause([-2])");
      expect(unread).toMatchObject({ status: "sat", model: { model: [-1, 2] }, confirmed: true });
      expect(unread["unchecked"]).toBeUndefined();
      const twice = await solve(made, `for k in range(2):\n    s.solve()\n    ${more}\nprint(s.get_model())`);
      expect(twice).toMatchObject({ status: "sat", confirmed: true });
      expect(twice.output).toEqual([JSON.stringify(twice.model?.["model"]).replace(",", ", ")]);
      const listed = await solve(made, "print(next(s.enum_models()))\nm = s.get_model()");
      expect(listed.output).toEqual([JSON.stringify(listed.model?.["model"]).replace(",", ", ")]);
    });

    it("shows a model without negations as the solver's own", async () => {
      const answer = await solve("s = Glucose3(bootstrap_with=[[1]])", "s.solve()");
      expect([answer.model, answer["unchecked"]]).toEqual([{ model: [1] }, undefined]);
    });

    it.each([
      "all = [(r.cost, m) for m in r.enumerate()]",
      "for m in r.enumerate():\n    break",
      "for i, m in enumerate(r.enumerate()):\n    if i == 2: break",
      "print(r.compute())\nall = list(r.enumerate())",
      "with r as e:\n    all = list(e.enumerate())",
    ])("shows the solution that has the objective: %s", async (listing) => {
      const soft = "w = WCNF()\nw.append([1, 2])\nw.append([-1], weight=3)\nw.append([-2], weight=2)\nr = RC2(w)";
      const answer = await solve(soft, listing);
      expect(answer).toMatchObject({ model: { model: [-1, 2] }, objective_value: 2, optimal: true, confirmed: true });
      expect(answer["unchecked"]).toBeUndefined();
    });

    it("is needed where solvers answered both, and where no solver answered", async () => {
      expect(
        (
          await faultOf(
            solver,
            "while s.solve():\n    s.add_clause([-each for each in s.get_model()])",
            "export_solution({'n': 3})",
          )
        ).error,
      ).toContain("does not state which answer");
      const hitman = "from pysat.examples.hitman import Hitman\nh = Hitman()\nh.hit([1, 2])\nprint(h.get())";
      expect((await faultOf(hitman)).error).toContain("finished without calling export_solution");
    });

    it("says what it takes, and that it has to be called", async () => {
      expect(await faultOf(solver, "s.solve()\nexport_solution(s.get_model())")).toMatchObject({
        code: "input_rejected",
        position: { item: 1, line: 2 },
      });
      expect((await faultOf("x = 1")).error).toContain("without calling a solver");
    });

    it("leaves out what is added afterwards, and says so", async () => {
      const done = "export_solution({'satisfiable': s.solve()})";
      expect((await solve(solver, done, "s.add_clause([-2])")).warnings).toEqual([
        expect.stringContaining("after export_solution"),
      ]);
      const cnf = "from pysat.formula import CNF\nf = CNF(from_clauses=[[1]])";
      expect((await solve(solver, cnf, done, "f.append([-1])")).warnings).toEqual([
        expect.stringContaining("after export_solution"),
      ]);
      expect((await solve(solver, cnf, done, "f.append([2])", done)).warnings).toEqual([
        expect.stringContaining("called 2 times"),
      ]);
    });
  });

  describe("cardinality", () => {
    it("is right for every number of literals up to 7 and every bound", async () => {
      const { counts } = await exported(
        "counts = {}",
        "for n in range(1, 8):\n    for k in range(-1, n + 2):\n        for helper in (at_most_k, at_least_k, exactly_k):\n            literals = [v if v % 3 else -v for v in range(1, n + 1)]\n            counts[(helper.__name__, n, k)] = count_models(helper(literals, k), variables=literals)",
        "export_solution({'satisfiable': True, 'counts': counts})",
      );
      const expected: Record<string, number> = {};
      for (let n = 1; n <= 7; n++) {
        for (let k = -1; k <= n + 1; k++) {
          const sizes = Array.from({ length: n + 1 }, (_, size) => size);
          const sum = (holds: (size: number) => boolean) =>
            sizes.filter(holds).reduce((all, size) => all + binomial(n, size), 0);
          expected[`at_most_k,${n},${k}`] = sum((size) => size <= k);
          expected[`at_least_k,${n},${k}`] = sum((size) => size >= k);
          expected[`exactly_k,${n},${k}`] = sum((size) => size === k);
        }
      }
      expect(counts).toEqual(expected);
    });

    it("is right with variables of its own, which no model is counted twice for", async () => {
      const values = await exported(
        "out = [count_models(exactly_k(range(1, n + 1), k)) for n, k in ((15, 5), (16, 4), (17, 14))]",
        "out.append(count_models(at_most_k(range(1, 17), 3) + at_least_k(range(1, 17), 3)))",
        "largest = max(abs(l) for clause in exactly_k(range(1, 16), 7) for l in clause)",
        "export_solution({'satisfiable': True, 'out': out, 'helped': largest > 16})",
      );
      expect(values).toEqual({
        out: [binomial(15, 5), binomial(16, 4), binomial(17, 14), binomial(16, 3)],
        helped: true,
      });
    });

    it("keeps its variables apart from those that the program numbers later", async () => {
      const { on, own, shown } = await exported(
        "from pysat.solvers import Cadical153\nfrom pysat.formula import CNF\nf = CNF()",
        "for clause in exactly_k(range(1, 31), 13):\n    f.append(clause + [-31])",
        "f.append([31])\nfor v in range(32, 300):\n    f.append([v if v % 2 else -v])",
        "s = Cadical153(bootstrap_with=f)\ns.solve()\nm = s.get_model()",
        "export_solution({'satisfiable': True, 'on': sum(1 for v in m if 0 < v <= 30), 'own': all((v > 0) == (abs(v) % 2 == 1) for v in m if abs(v) > 31), 'shown': len(m)})",
      );
      expect([on, own, shown]).toEqual([13, true, 299]);
    });

    it.each([
      ["s.add_clause([16400, -1])", "a solver"],
      [
        "from pysat.examples.rc2 import RC2\nfrom pysat.formula import WCNF\nw = WCNF()\nw.extend(many)\nw.append([16400], weight=1)\nRC2(w)",
        "a MaxSAT formula",
      ],
      ["count_models(many + [[16400]])", "a count"],
      ["at_most_k([1, 16400], 1)", "a helper"],
    ])("refuses the program's own variables where the encodings have theirs: `%s`, in %s", async (item) => {
      const setup =
        "from pysat.solvers import Solver\nmany = exactly_k(range(1, 40), 20)\ns = Solver(bootstrap_with=many)";
      expect((await faultOf(setup, item)).error).toContain("is in the range of helper variables");
    });

    it("says that two pools gave one number to different names", async () => {
      const program = (second: string, name: string) => `from pysat.formula import IDPool
from pysat.solvers import Solver
p, q = IDPool(), ${second}
x, y, z = p.id("x"), p.id("y"), q.id("${name}")
s = Solver(bootstrap_with=[[x, y], [-x], [z]])
s.solve()
export_solution(s)`;
      const warned = async (text: string) => String((await solve(text)).warnings);
      expect(await warned(program("IDPool()", "z"))).toContain("gave the number 1 to different names, 'x' and 'z'");
      const pairs = (text: string) => text.replaceAll(/id\((".")\)/g, "id(($1, 1))");
      expect(await warned(pairs(program("IDPool()", "z")))).toContain("different names, ('x', 1) and ('z', 1)");
      expect(await warned(program("IDPool()", "x"))).not.toContain("IDPool");
      expect(await warned(program("IDPool(start_from=3)", "z"))).not.toContain("IDPool");
    });

    it("leaves large numbers to programs that use no helper with variables", async () => {
      expect(
        await exported(
          "from pysat.solvers import Solver\ns = Solver(bootstrap_with=[[v, v + 1] for v in range(1, 100000, 2)])",
          "export_solution({'satisfiable': s.solve(), 'n': len(s.get_model())})",
        ),
      ).toEqual({ n: 100_000 });
    });

    describe("of PySAT itself numbers variables that programs forget to keep free, and then is a fault:", () => {
      const imports =
        "from pysat.card import CardEnc, EncType\nfrom pysat.pb import PBEnc\nfrom pysat.formula import CNF, IDPool, WCNF\nfrom pysat.examples.rc2 import RC2\nfrom pysat.solvers import Solver";
      const first = "a = CardEnc.equals(lits=[1, 2, 3, 4], bound=2, top_id=8)";
      const answer = "export_solution({'satisfiable': s.solve()})";

      it.each([
        [
          "two encodings that begin at the same number",
          "b = CardEnc.equals(lits=[5, 6, 7, 8], bound=2, top_id=8)\ns = Solver(bootstrap_with=a.clauses + b.clauses)\ns.solve()",
        ],
        [
          "an encoding into the program's own variables",
          "b = CardEnc.atmost(lits=[1, 2, 3, 4], bound=2)\nb.append([5])\ns = Solver(bootstrap_with=b)\ns.solve()",
        ],
        [
          "pseudo-Boolean ones",
          "b = PBEnc.atmost(lits=[1, 2, 3], weights=[1, 2, 3], bound=3)\ns = Solver(bootstrap_with=b.clauses + [[4, 5]])\ns.solve()",
        ],
        [
          "in a MaxSAT formula",
          "w = WCNF()\nw.extend(CardEnc.atmost(lits=[1, 2, 3, 4], bound=2).clauses)\nw.append([5], weight=1)\nRC2(w)",
        ],
        ["in a count", "count_models(CardEnc.atmost(lits=[1, 2, 3, 4], bound=2).clauses + [[5]])"],
      ])("%s", async (_, item) => {
        const fault = await faultOf(imports, first, item);
        expect(fault.error).toMatch(/^Item 2, line \d: Variable \d+ is used by /);
        expect(fault.remedy).toContain("top_id=");
      });

      it("but not with top_id, a pool, encodings without variables, or a solver for each", async () => {
        const fine = [
          "b = CardEnc.equals(lits=[5, 6, 7, 8], bound=2, top_id=a.nv)\ns = Solver(bootstrap_with=a.clauses + b.clauses)",
          "pool = IDPool()\nx, y = ([pool.id((n, i)) for i in range(4)] for n in 'xy')\nf = CardEnc.equals(lits=x, bound=2, vpool=pool)\nz = pool.id('z')\nf.extend(CardEnc.atmost(lits=[*y, z], bound=3, vpool=pool).clauses)\nf.append([z])\ns = Solver(bootstrap_with=f)",
          "f = [c for lits in ([1, 2, 3], [3, 4, 5]) for c in CardEnc.equals(lits=lits, bound=1, encoding=EncType.pairwise)]\ns = Solver(bootstrap_with=f)",
          "for k in (1, 2, 3):\n    s = Solver(bootstrap_with=CardEnc.equals(lits=[1, 2, 3, 4], bound=k))",
          "s = Solver(bootstrap_with=CNF(from_clauses=a.clauses).copy())\ns.solve()\ns.add_clause([-l for l in s.get_model()])",
        ];
        for (const item of fine)
          expect(await solve(imports, first, item, answer)).toMatchObject({ status: "sat", warnings: [] });
      });
    });

    it("says what a literal is", async () => {
      expect((await faultOf("at_most_k(['a', 'b'], 1)")).error).toContain("A literal must be a nonzero integer");
      expect((await faultOf("from pysat.solvers import Solver\nSolver().add_clause(['a', 1])")).error).toContain(
        "A literal must be a nonzero integer",
      );
      expect((await faultOf("at_most_k([1, 2], 1.5)")).error).toContain("The bound k must be an integer");
    });
  });

  describe("solving", () => {
    it("agrees with trying all assignments, in every way to solve", async () => {
      const random = fc.tuple(
        clauses(4, 8),
        fc.constantFrom("cadical195", "glucose4", "minisat22", "lingeling", "maplechrono"),
      );
      await fc.assert(
        fc.asyncProperty(random, async ([all, name]) => {
          const { status, model } = await solve(
            `from pysat.solvers import Solver\nclauses = ${JSON.stringify(all)}\ns = Solver(name='${name}', bootstrap_with=clauses)\nr = s.solve()`,
            "listed = enumerate_models(clauses, variables=[1, 2, 3, 4])\nexport_solution({'satisfiable': r, 'model': s.get_model() if r else None, 'listed': listed, 'count': count_models(clauses, variables=[1, 2, 3, 4])})",
          );
          const right = modelsOf(all, 4);
          expect(status).toBe(right.length > 0 ? "sat" : "unsat");
          expect(model?.count).toBe(right.length);
          expect(listsIn(model?.listed).map(String).toSorted()).toEqual(
            right.map((world) => [...world].join()).toSorted(),
          );
          if (right.length > 0)
            expect(
              right.some((world) =>
                numbersIn(model?.model).every((literal) => Math.abs(literal) > 4 || world.has(literal)),
              ),
            ).toBe(true);
        }),
        { numRuns: runs_all ? 40 : 15 },
      );
    });

    it("goes on with more clauses and other assumptions, and gives the core of those", async () => {
      expect(
        await exported(
          "from pysat.solvers import Minisat22\nout = []",
          "with Minisat22(bootstrap_with=[[-1, 2], [-2, 3], [-4, -3]]) as s:\n    out.append(s.solve(assumptions=[1, 4, 5]))\n    out.append(sorted(s.get_core()))\n    out.append(s.solve(assumptions=[1]))\n    s.add_clause([1])\n    s.add_clause([4, 6])\n    out.append(s.solve())\n    out.append(6 in s.get_model())",
          "export_solution({'satisfiable': True, 'out': out})",
        ),
      ).toEqual({ out: [false, [1, 4], true, true, true] });
    });

    it("reports a core, and says that unsat was only shown under assumptions", async () => {
      const { status, unsat_core, warnings } = await solve(
        "from pysat.solvers import Glucose4\ns = Glucose4(bootstrap_with=[[1, 2]])",
        "r = s.solve(assumptions=[-1, -2, 3])\nexport_solution({'satisfiable': r, 'core': s.get_core()})",
      );
      expect([status, Array.isArray(unsat_core) ? unsat_core.toSorted() : null]).toEqual(["unsat", ["-1", "-2"]]);
      expect(warnings).toEqual([expect.stringContaining("under the assumptions")]);
    });

    it("takes assumptions that can be read only once", async () => {
      const [once, again] = ["(-each for each in [1, 2])", "map(int, ['-1', '-2'])"];
      expect(
        await exported(
          "from pysat.solvers import Glucose3, Maplesat, Solver\nclauses = [[1, 2], [3, 4]]\nout = []",
          `for s in (Glucose3(bootstrap_with=clauses), Maplesat(bootstrap_with=clauses), Solver(bootstrap_with=clauses)):\n    out += [s.solve(${once}), s.solve(assumptions=${again}), s.solve_limited(assumptions=${once})]`,
          `for kind in (Glucose3, Solver):\n    out.append(list(kind(bootstrap_with=clauses).enum_models(assumptions=${once})))`,
          "export_solution({'satisfiable': Glucose3(bootstrap_with=clauses).solve(), 'out': out})",
        ),
      ).toEqual({ out: [...Array(9).fill(false), [], []] });
    });

    it("that stops at its budget never reads as unsat", async () => {
      const budget =
        "from pysat.solvers import Glucose4\ns = Glucose4(bootstrap_with=clauses)\ns.conf_budget(20)\nr = s.solve_limited()";
      for (const claim of ["r", "bool(r)", "False", "r is True"]) {
        expect(await solve(pigeons(8), budget, `export_solution({'satisfiable': ${claim}})`)).toMatchObject({
          status: "unknown",
          satisfiable: null,
        });
      }
    });

    it("that takes too long is a timeout, not a verdict", async () => {
      const forever =
        "from pysat.solvers import Solver\nr = Solver(name='minisat22', bootstrap_with=clauses).solve()\nexport_solution({'satisfiable': r})";
      expect(await models.solve("pysat", [pigeons(12), forever], 700)).toMatchObject({
        status: "timeout",
        satisfiable: null,
      });
    });

    it("says which encodings take a bound beyond 1", async () => {
      const ladder =
        "from pysat.card import *\nc = CardEnc.equals([1, 2, 3, 4], bound=2, top_id=4, encoding=EncType.ladder)";
      expect((await models.fault("pysat", [ladder])).remedy).toContain("use EncType.seqcounter");
    });

    it("works with every solver that this build of PySAT has", async () => {
      const { answers } = await exported(
        "from pysat.solvers import Solver, NoSuchSolverError",
        "names = 'cadical103 cadical153 cadical195 gluecard3 gluecard4 glucose3 glucose4 glucose42 lingeling maplechrono maplecm maplesat mergesat3 minicard minisat22 minisat-gh'.split()",
        "answers = {}\nfor name in names:\n    with Solver(name=name, bootstrap_with=[[1, 2], [-1, 2], [1, -2]]) as s:\n        first, model = s.solve(), s.get_model()\n    with Solver(name=name, bootstrap_with=[[1, 2], [-1, 2], [1, -2], [-1, -2]]) as s:\n        answers[name] = [first, model, s.solve()]",
        "export_solution({'satisfiable': True, 'answers': answers})",
      );
      const all = Object.entries(Object(answers));
      expect(all).toHaveLength(16);
      for (const [name, answer] of all) expect([name, answer]).toEqual([name, [true, [1, 2], false]]);
    });

    it("names the solvers when one does not exist", async () => {
      expect((await faultOf("from pysat.solvers import Solver\nSolver(name='nope')")).remedy).toContain("cadical195");
    });

    it("writes proofs, which end in the empty clause", async () => {
      const answer = await solve(
        pigeons(4),
        "from pysat.solvers import Solver\nends = {}\nfor name in ('glucose3', 'glucose4', 'lingeling', 'cadical153', 'cadical195', 'maplechrono'):\n    try:\n        with Solver(name=name, bootstrap_with=clauses, with_proof=True) as s:\n            r = s.solve()\n            proof = s.get_proof()\n            ends[name] = [r, len(proof) > 3, proof[-1].strip()]\n    except NotImplementedError:\n        pass",
        "export_solution({'satisfiable': False, 'ends': ends})",
      );
      expect(answer.status).toBe("unsat");
      const ends = Object.values(Object(answer.model?.ends));
      expect(ends.length).toBeGreaterThanOrEqual(3);
      for (const end of ends) expect(end).toEqual([false, true, "0"]);
    });

    it("takes big models", async () => {
      const { n, right } = await exported(
        "import random\nfrom pysat.solvers import Cadical195\nrandom.seed(7)\nplan = [random.choice([v, -v]) for v in range(1, 20001)]",
        "clauses = [[random.choice(plan), *(random.choice([1, -1]) * random.randint(1, 20000) for _ in range(2))] for _ in range(60000)]",
        "with Cadical195(bootstrap_with=clauses) as s:\n    s.solve()\n    m = s.get_model()\ntrue = set(m)",
        "export_solution({'satisfiable': True, 'n': len(m), 'right': all(any(l in true for l in c) for c in clauses)})",
      );
      expect([n, right]).toEqual([20_000, true]);
    });
  });

  describe("counting and enumeration", () => {
    it("counts exactly, over the variables that are asked for", async () => {
      expect(
        await exported(
          "f = [[1, 2], [-1, 3]]\nexport_solution({'satisfiable': True, 'all': count_models(f), 'two': count_models(f, variables=[1, 2]), 'more': count_models(f, variables=[1, 2, 3, 4])})",
        ),
      ).toEqual({ all: 4, two: 3, more: 8 });
    });

    it("counts the ways to place seven rooks: 5040", async () => {
      const rooks =
        "cell = lambda r, c: 7 * r + c + 1\nf = []\nfor i in range(7):\n    f += exactly_k([cell(i, j) for j in range(7)], 1) + exactly_k([cell(j, i) for j in range(7)], 1)";
      expect(await exported(rooks, "n = count_models(f)\nexport_solution({'satisfiable': n > 0, 'count': n})")).toEqual(
        { count: 5_040 },
      );
    });

    it("refuses a number that it did not count to the end, and methods that are not there", async () => {
      expect((await faultOf("count_models([list(range(1, 13))], limit=100)")).error).toContain("more than 100 models");
      expect((await faultOf("count_models([[1, 2]], method='approximate')")).error).toContain("pyapproxmc");
      expect((await faultOf("count_models([[1, 2]], method='fast')")).error).toContain("no method 'fast'");
    });

    it("lists models up to a limit, and says when there are more", async () => {
      const { model, warnings } = await solve(
        "some = enumerate_models([[1, 2, 3]], limit=3)\nexport_solution({'satisfiable': len(some) > 0, 'n': len(some)})",
      );
      expect([model, warnings]).toEqual([{ n: 3 }, [expect.stringContaining("models: there are more")]]);
    });

    it("is one verdict, whether the models are listed by PySAT or blocked by the program", async () => {
      const solver = "from pysat.solvers import Solver\ns = Solver(name='g4', bootstrap_with=[[1, 2], [-1, 3]])";
      expect(await solved(solver, "all = list(s.enum_models())\nexport_solution({'n': len(all)})")).toEqual([
        "sat",
        { n: 4 },
      ]);
      expect(
        await solved(
          solver,
          "s.add_clause([-2])\ns.add_clause([-3])\nall = list(s.enum_models())\nexport_solution({'n': len(all)})",
        ),
      ).toEqual(["unsat", { n: 0 }]);
      const blocked = "n = 0\nwhile s.solve():\n    n += 1\n    s.add_clause([-v for v in s.get_model()])";
      expect(await solved(solver, blocked, "export_solution({'satisfiable': n > 0, 'n': n})")).toEqual([
        "sat",
        { n: 4 },
      ]);
    });

    it("warns where helper variables would tell one solution from itself", async () => {
      const { warnings } = await solve(
        "from pysat.solvers import Solver\ns = Solver(bootstrap_with=at_most_k(range(1, 31), 15))\nm = next(s.enum_models())",
        "export_solution({'satisfiable': True})",
      );
      expect(warnings).toEqual([expect.stringContaining("enumerate_models(formula, variables=[…])")]);
    });
  });

  describe("MaxSAT", () => {
    const imports =
      "from pysat.formula import WCNF\nfrom pysat.examples.rc2 import RC2, RC2Stratified\nfrom pysat.examples.fm import FM\nfrom pysat.examples.lsu import LSU, LSUPlus\nw = WCNF()";
    const soft = fc.array(
      fc.record({
        clause: fc.array(literals(4), { minLength: 1, maxLength: 2 }),
        weight: fc.integer({ min: 1, max: 6 }),
      }),
      { minLength: 1, maxLength: 6 },
    );

    const costOf = (world: ReadonlySet<number>, all: readonly { clause: Clause; weight: number }[]) =>
      all.reduce((sum, { clause, weight }) => sum + (clause.some((literal) => world.has(literal)) ? 0 : weight), 0);

    it("finds the least cost, with RC2, its stratified kin, and FM", async () => {
      await fc.assert(
        fc.asyncProperty(
          clauses(4, 6),
          soft,
          fc.constantFrom("RC2", "RC2Stratified", "FM"),
          async (hard, wishes, engine) => {
            const costs = modelsOf(hard, 4).map((world) => costOf(world, wishes));
            const { status, objective_value, optimal, model } = await solve(
              imports,
              `w.extend(${JSON.stringify(hard)})`,
              ...wishes.map(({ clause, weight }) => `w.append(${JSON.stringify(clause)}, weight=${weight})`),
              engine === "FM"
                ? "e = FM(w, verbose=0)\nfound = e.compute()\nm = e.model if found else None"
                : `e = ${engine}(w)\nm = e.compute()`,
              "export_solution({'satisfiable': m is not None, 'm': m})",
            );
            expect(status).toBe(costs.length > 0 ? "sat" : "unsat");
            if (costs.length === 0) return;
            expect([objective_value, optimal]).toEqual([Math.min(...costs), true]);
            const world = new Set(numbersIn(model?.m));
            const full = modelsOf(hard, 4).filter((each) =>
              [...world].every((literal) => Math.abs(literal) > 4 || each.has(literal)),
            );
            expect(full.map((each) => costOf(each, wishes))).toContain(Math.min(...costs));
          },
        ),
        { numRuns: runs_all ? 40 : 15 },
      );
    });

    it("finds the fewest broken wishes with LSU, which reads no weights and refuses them", async () => {
      const wishes = "w.extend([[1, 2], [-1, -2]])\nfor v in (1, 2, -1):\n    w.append([v], weight=1)";
      expect(
        await solve(
          imports,
          wishes,
          "e = LSU(w, verbose=0)\nr = e.solve()\nexport_solution({'satisfiable': r, 'cost': e.cost})",
        ),
      ).toMatchObject({ status: "sat", objective_value: 1, optimal: true });
      expect((await faultOf(imports, "w.append([1], weight=2)\nLSU(w)")).error).toContain("ignores their weights");
    });

    it("refuses weights that the engines would get wrong", async () => {
      expect((await faultOf(imports, "w.append([1, 2])\nw.append([1], weight=-3)\nRC2(w)")).error).toContain(
        "not positive",
      );
    });

    it("distinguishes the program's own objective from a proved one", async () => {
      const wishes =
        "w.append([1, 2])\nw.append([-1], weight=3)\nw.append([-2], weight=2)\nwith RC2(w) as e:\n    m = e.compute()\n    cost = e.cost";
      expect(await solve(imports, wishes, "export_solution({'satisfiable': True, 'cost': cost})")).toMatchObject({
        objective_value: 2,
        optimal: true,
        warnings: [],
      });
      expect(
        await solve(imports, wishes, "export_solution({'satisfiable': True, 'objective': 5 - cost})"),
      ).toMatchObject({
        objective_value: 3,
        optimal: null,
        warnings: [expect.stringContaining("The program computed the objective")],
      });
    });

    it("calls only the first of several solutions the best", async () => {
      const { objective_value, optimal, model } = await solve(
        imports,
        "w.append([1, 2])\nw.append([-1], weight=3)\nw.append([-2], weight=2)",
        "e = RC2(w)\nall = [(e.cost, m) for m in e.enumerate()]\nexport_solution({'satisfiable': True, 'cost': all[-1][0], 'n': len(all)})",
      );
      expect([objective_value, optimal, model]).toEqual([5, null, { n: 3 }]);
    });
  });

  describe("sets of clauses that conflict, or mend a conflict", () => {
    const imports =
      "from pysat.formula import WCNF\nfrom pysat.examples.musx import MUSX\nfrom pysat.examples.optux import OptUx\nfrom pysat.examples.mcsls import MCSls\nfrom pysat.examples.lbx import LBX\nfrom pysat.examples.hitman import Hitman\nw = WCNF()";

    it("a MUS is unsat and has nothing to spare; the smallest is as small as any", async () => {
      const unsat = clauses(3, 9).filter((all) => !isSatisfiable(all, 3));
      await fc.assert(
        fc.asyncProperty(unsat, fc.constantFrom("MUSX(w, verbosity=0)", "OptUx(w)"), async (all, engine) => {
          const { status, model } = await solve(
            imports,
            `for clause in ${JSON.stringify(all)}:\n    w.append(clause, weight=1)`,
            `found = ${engine}.compute()\nexport_solution({'satisfiable': False, 'mus': found})`,
          );
          expect(status).toBe("unsat");
          const places = numbersIn(model?.mus);
          const conflict = places.map((place) => all[place - 1] ?? []);
          expect(isSatisfiable(conflict, 3)).toBe(false);
          for (const left_out of places)
            expect(
              isSatisfiable(
                places.filter((place) => place !== left_out).map((place) => all[place - 1] ?? []),
                3,
              ),
            ).toBe(true);
          if (engine.startsWith("OptUx")) expect(places).toHaveLength(smallestConflict(all));
        }),
        { numRuns: runs_all ? 25 : 10 },
      );
    });

    function smallestConflict(all: readonly Clause[]): number {
      const subsets = Array.from({ length: 2 ** all.length }, (_, bits) =>
        all.filter((_, i) => ((bits >> i) & 1) === 1),
      );
      return Math.min(...subsets.filter((subset) => !isSatisfiable(subset, 3)).map(({ length }) => length));
    }

    it("there is no MUS of what is satisfiable", async () => {
      expect(
        await solved(
          imports,
          "w.append([1], weight=1)\nw.append([2], weight=1)\nexport_solution({'mus': MUSX(w, verbosity=0).compute()})",
        ),
      ).toEqual(["sat", { mus: null }]);
    });

    it("correction sets mend the conflict, and are all found", async () => {
      const all: Clause[] = [[1], [-1, 2], [-2], [3], [-3]];
      const listed = (engine: string) =>
        `with ${engine}(w, use_cld=True) as e:\n    for mcs in e.enumerate():\n        e.block(mcs)\n        out.append(sorted(mcs))`;
      for (const engine of ["MCSls", "LBX"]) {
        const { out } = await exported(
          imports,
          `for clause in ${JSON.stringify(all)}:\n    w.append(clause, weight=1)\nout = []`,
          listed(engine),
          "export_solution({'out': out})",
        );
        expect(listsIn(out).map(String).toSorted()).toEqual(["1,4", "1,5", "2,4", "2,5", "3,4", "3,5"]);
      }
    });

    it("hitting sets come smallest first", async () => {
      const { sizes, right } = await exported(
        imports,
        "sets = [{'a', 'b'}, {'b', 'c'}, {'c', 'd'}]\nwith Hitman(bootstrap_with=[sorted(s) for s in sets], htype='sorted') as h:\n    all = list(h.enumerate())",
        "export_solution({'satisfiable': True, 'sizes': [len(x) for x in all], 'right': all is not None and min(len(set(x) & s) for x in all for s in sets) > 0})",
      );
      expect(right).toBe(true);
      expect(numbersIn(sizes)).toEqual(numbersIn(sizes).toSorted());
      expect(numbersIn(sizes)[0]).toBe(2);
    });
  });

  describe("other parts of PySAT", () => {
    it("every encoding of a cardinality constraint has the same solutions", async () => {
      const { counts } = await exported(
        "from pysat.card import CardEnc, EncType\nnames = 'pairwise seqcounter sortnetwrk cardnetwrk bitwise ladder totalizer mtotalizer kmtotalizer'.split()\ncounts = {}",
        "for name in names:\n    k = 1 if name in ('pairwise', 'bitwise', 'ladder') else 2\n    f = CardEnc.atmost(lits=list(range(1, 7)), bound=k, encoding=getattr(EncType, name))\n    counts[name] = [k, count_models(f, variables=range(1, 7))]",
        "export_solution({'satisfiable': True, 'counts': counts})",
      );
      for (const [k, count] of Object.values(Object(counts)).map(numbersIn)) expect(count).toBe(k === 1 ? 7 : 22);
      expect(Object.keys(Object(counts))).toHaveLength(9);
    });

    it("pseudo-Boolean constraints weigh their literals", async () => {
      const kinds = ["atmost", "atleast", "equals"] as const;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 2, maxLength: 5 }),
          fc.integer({ min: 1, max: 15 }),
          fc.constantFrom(...kinds),
          async (weights, bound, kind) => {
            const { n } = await exported(
              `from pysat.pb import PBEnc\nweights = ${JSON.stringify(weights)}\nlits = list(range(1, len(weights) + 1))`,
              `n = count_models(PBEnc.${kind}(lits=lits, weights=weights, bound=${bound}), variables=lits)`,
              "from pysat.solvers import Solver\nSolver(bootstrap_with=[[1]]).solve()\nexport_solution({'satisfiable': True, 'n': n})",
            );
            const sums = assignments(weights.length).map((world) =>
              weights.reduce((sum, weight, i) => sum + (world.has(i + 1) ? weight : 0), 0),
            );
            expect(n).toBe(
              sums.filter((sum) =>
                kind === "atmost" ? sum <= bound : kind === "atleast" ? sum >= bound : sum === bound,
              ).length,
            );
          },
        ),
        { numRuns: runs_all ? 25 : 10 },
      );
    });

    it("native cardinality constraints of Minicard hold", async () => {
      const plus =
        "from pysat.formula import CNFPlus\nfrom pysat.solvers import Minicard\nf = CNFPlus()\nf.append([[1, 2, 3, 4], 1], is_atmost=True)";
      expect(
        await solved(
          plus,
          "f.append([1, 2])\nwith Minicard(bootstrap_with=f) as s:\n    r = s.solve()\n    export_solution({'satisfiable': r, 'on': sum(1 for v in s.get_model() if v > 0)})",
        ),
      ).toEqual(["sat", { on: 1 }]);
      expect(
        await solved(
          plus,
          "f.append([1])\nf.append([3])\nwith Minicard(bootstrap_with=f) as s:\n    export_solution({'satisfiable': s.solve()})",
        ),
        "the second process reads clauses only, so that this is a claim",
      ).toEqual(["unknown", null]);
      expect((await faultOf(plus, "count_models(f)")).error).toContain("can't be counted here");
    });

    it("formulas of atoms become clauses, and are solved", async () => {
      const atoms =
        "from pysat.formula import *\nfrom pysat.solvers import Solver\nx, y, z = Atom('x'), Atom('y'), Atom('z')";
      expect(
        await exported(
          atoms,
          "f = (x >> y) & (y >> ~z) & x\nwith Solver(bootstrap_with=f) as s:\n    r = s.solve()\n    found = Formula.formulas(s.get_model(), atoms_only=True)\n    export_solution({'satisfiable': r, 'found': [str(a) for a in found]})",
        ),
      ).toEqual({ found: ["x", "y", "~z"] });
      expect(
        await solved(
          atoms,
          "f = And(XOr(x, y), Equals(x, y))\nwith Solver(bootstrap_with=f) as s:\n    export_solution({'satisfiable': s.solve()})",
        ),
      ).toEqual(["unsat", null]);
    });

    it("names in an IDPool come back", async () => {
      expect(
        await exported(
          "from pysat.formula import IDPool, CNF\nfrom pysat.card import CardEnc\nfrom pysat.solvers import Cadical153\npool = IDPool()\nxs = [pool.id(f'x{i}') for i in range(4)]\nf = CardEnc.equals(lits=xs, bound=2, vpool=pool)\nf.extend([[-xs[0]], [-xs[1]]])",
          "with Cadical153(bootstrap_with=f) as s:\n    r = s.solve()\n    export_solution({'satisfiable': r, 'on': [pool.obj(v) for v in s.get_model() if v in xs]})",
        ),
      ).toEqual({ on: ["x2", "x3"] });
    });

    it("integers of PySAT are solved with their engine", async () => {
      const { status, model } = await solve(
        "from pysat.integer import Integer, IntegerEngine\nfrom pysat.solvers import Solver\nx, y = Integer('x', 0, 5), Integer('y', 0, 5)\ne = IntegerEngine([x, y], adaptive=False)\ne.add_linear(x + y <= 4)\ne.add_linear(x - y >= 4)",
        "with Solver(name='cadical195') as s:\n    s.connect_propagator(e)\n    e.setup_observe(s)\n    r = s.solve()\n    values = e.decode_model(s.get_model())\n    export_solution({'satisfiable': r, 'x': values[x], 'y': values[y]})",
      );
      expect([status, model]).toEqual(["sat", { x: 4, y: 0 }]);
    });

    it("integers of PySAT are compared strictly, where a sum would round the bound", async () => {
      const begin = "from pysat.integer import Integer, IntegerEngine\nfrom pysat.solvers import Solver";
      const ends = (asked: string) => [
        `${begin}\nx, y = Integer('x', -3, 1, encoding='order'), Integer('y', 1, 5)\ne = IntegerEngine([x, y])\n${asked}`,
        "with Solver(name='cadical195', bootstrap_with=e.clausify()) as s:\n    r = s.solve()\n    v = e.decode_model(s.get_model()) if r else {}\n    export_solution({'satisfiable': r, **{name.name: each for name, each in v.items()}})",
      ];
      const { status, model } = await solve(...ends("e.add_linear(3 * x + y > 7)\ne.add_linear(x < 1 + 0 * y)"));
      expect(status).toBe("unsat");
      expect(model).toBe(null);
      const least = await solve(...ends("e.add_linear(3 * x + y > 7)"));
      expect(least).toMatchObject({ status: "sat", model: { x: 1, y: 5 } });
      await expect(solve(...ends("e.add_linear(0.5 * x < y)"))).rejects.toThrow(
        "only if the coefficients are integers",
      );
    });

    it("an equation of two integers of PySAT that is none is refused, and not dropped", async () => {
      const solved = (equation: string) =>
        solve(
          `from pysat.integer import Integer, IntegerEngine\nfrom pysat.solvers import Solver\nx, y = Integer('x', 0, 5), Integer('y', 0, 5)\ne = IntegerEngine([x, y])\ne.add_linear(${equation})\ne.add_linear(x - y <= -2)`,
          "with Solver(name='cadical195', bootstrap_with=e.clausify()) as s:\n    export_solution({'satisfiable': s.solve()})",
        );
      await expect(solved("x == y")).rejects.toThrow("is a plain Python bool here");
      expect((await solved("x.as_expr() == y.as_expr()")).status).toBe("unsat");
    });

    it("an equivalence of an equivalence is refused where PySAT would drop the brackets", async () => {
      const solved = (formula: string) =>
        solve(
          "from pysat.formula import Atom, Equals, Neg\nfrom pysat.solvers import Solver\na, b = Atom('a'), Atom('b')",
          `with Solver(name='glucose4', bootstrap_with=${formula}) as s:\n    export_solution({'satisfiable': s.solve()})`,
        );
      // Equals(a, ~a, ~b) is never true.
      await expect(solved("(a @ ~a) @ ~b")).rejects.toThrow("as Equals(a, b, c)");
      expect((await solved("Equals(Equals(a, ~a), ~b)")).status).toBe("sat");
      expect((await solved("Equals(a, ~a, ~b)")).status).toBe("unsat");
      expect((await solved("a @ ~b")).status).toBe("sat");
    });

    it("a preprocessed formula has the models of the one that it came from", async () => {
      const { right } = await exported(
        "from pysat.process import Processor\nfrom pysat.solvers import Solver\nclauses = [[-1, 2], [3, 2], [-1, -3], [1, 4]]\np = Processor(bootstrap_with=clauses)\nafter = p.process(rounds=1)",
        "with Solver(bootstrap_with=after) as s:\n    r = s.solve()\n    m = set(p.restore(s.get_model()))\n    export_solution({'satisfiable': r, 'right': all(any(l in m for l in c) for c in clauses)})",
      );
      expect(right).toBe(true);
    });
  });

  /** Each solver in turn; the program gives what each said. */
  const every_solver = (clauses: string, more = "") => `names = [
    *'cadical103 cadical153 cadical195 gluecard3 gluecard4 glucose3 glucose4 glucose42 lingeling'.split(),
    *'maplechrono maplecm maplesat mergesat3 minicard minisat22 minisat-gh'.split(),
]
said = {}
for name in names:
    with Solver(name=name, bootstrap_with=${clauses}) as s:
        said.setdefault(str((s.solve(${more}), next(s.enum_models(), None) is not None)), []).append(name)
export_solution({'satisfiable': s.solve is not None and 'True' in str(said), **said})`;

  it.each([
    ["no clauses", "[]", "", "(True, True)"],
    ["no formula", "None", "", "(True, True)"],
    ["an empty clause", "[[]]", "", "(False, False)"],
    ["an empty clause among others", "[[1, 2], [], [3]]", "", "(False, False)"],
    ["a clause that always holds", "[[1, -1]]", "", "(True, True)"],
    ["literals given twice", "[[1, 1], [2, 2, 2], [-1, -1, -2]]", "", "(False, False)"],
    ["assumptions about unknown variables", "[[1, 2]]", "assumptions=[50, -77]", "(True, True)"],
    ["assumptions without clauses", "None", "assumptions=[3, -3]", "(False, True)"],
  ])("every solver decides %s", async (_what, clauses, more, said) => {
    const { status, model } = await solve("from pysat.solvers import Solver", every_solver(clauses, more));
    expect([status, model]).toEqual([said.includes("True") ? "sat" : "unsat", { [said]: expect.any(Array) }]);
    expect(model?.[said]).toHaveLength(16);
  });

  it.each([
    ["a list", "s = Glucose3(bootstrap_with=[[1, 2], [-1]])", { a: false, b: true }],
    ["tuples", "s = Cadical153(bootstrap_with=[(1, 2), (-1,)])", { a: false, b: true }],
    ["an iterator", "s = Glucose3(bootstrap_with=iter([[1, 2], [-1]]))", { a: false, b: true }],
    ["a formula", "f = CNF()\nf.extend([[1, 2], [-1]])\ns = Glucose3(bootstrap_with=f)", { a: false, b: true }],
    // A solver that runs takes nothing more by `new`: these clauses are not part of the question.
    [
      "a second start",
      "s = Glucose3(bootstrap_with=[[1, 2], [-1]])\ns.new(bootstrap_with=[[-2]])",
      { a: false, b: true },
    ],
    ["a start and more", "s = Glucose3(bootstrap_with=[[1, 2]])\ns.add_clause([-1])", { a: false, b: true }],
  ])("count the clauses that a solver starts with: %s", async (_what, made, values) => {
    const answer = await solve(made, "export_solution(s, variables={'a': 1, 'b': 2})");
    expect(answer).toMatchObject({ status: "sat", model: values, confirmed: true });
    const refuted = await solve(made, "s.add_clause([-2])", "export_solution({'satisfiable': s.solve()})");
    expect(refuted).toMatchObject({ status: "unsat", confirmed: true });
  });

  it.each([
    ["a number of the range of helpers", "f.extend(exactly_k(list(range(1, 40)), 5))\nf.append([16400])", /16400/],
    ["a number that is not a literal", "f.extend([[1, 'a']])\nGlucose3(bootstrap_with=f)", /./],
    ["a number that is too large", "Glucose3(bootstrap_with=[[1], [9000000]])", /9000000/],
  ])("are refused at a start as clause by clause: %s", async (_what, made, message) => {
    const { error } = await faultOf("f = CNF()", `${made}\ns = Glucose3(bootstrap_with=f)`);
    expect(error).toMatch(message);
  });

  it.each([
    "s = Glucose3(bootstrap_with=[[2**31]])",
    "s = Glucose3(bootstrap_with=[[1]])\ns.solve(assumptions=[-(2**31)])",
    "w = WCNF()\nw.append([2**31 - 1])\nRC2(w)",
    "s = Glucose3(bootstrap_with=[[1]])\ns.set_phases([-(2**31 - 1)])",
    "from pysat.solvers import Solver\ns = Solver(name='minicard')\ns.add_atmost(lits=[2**31 - 1, 1], k=1)",
  ])("a variable that no solver has room for is a fault: %s", async (program) => {
    const { code, error } = await faultOf(program);
    expect([code, error]).toEqual(["input_rejected", expect.stringMatching(/The variable \d+ is larger than 5000000/)]);
  });
});
