import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { withEnoughTime } from "../support/enough_time.ts";
import { fixture } from "../support/fixture.ts";
import { has_python, shareModels } from "../support/models.ts";

describe.skipIf(!has_python)("models in Z3's Python", () => {
  const models = fixture(shareModels);

  /** Status and values of a model. */
  async function solved(...items: string[]) {
    const { status, model } = await models.solve("z3", items);
    return [status, model];
  }

  /** The values of a model that has some. */
  async function valuesOf(...items: string[]) {
    const { status, model } = await models.solve("z3", items);
    expect(status).toBe("sat");
    return model;
  }

  const warningsOf = async (...items: string[]) => (await models.solve("z3", items)).warnings.join("\n");
  const faultOf = (...items: string[]) => models.fault("z3", items);

  describe("what is solved", () => {
    it("is what export_solution names, with and without an import, by position and by keyword", async () => {
      const model = ["x, y = Ints('x y')", "s = Solver()", "s.add(x > 5, y == x + 1, y < 8)"];
      const exports = [
        "export_solution(solver=s, variables={'x': x})",
        "export_solution(s, {'x': x})",
        "from mcp_solver.z3 import export_solution\nexport_solution(solver=s, variables={'x': x})",
        "import mcp_solver.z3\nmcp_solver.z3.export_solution(variables={'x': x}, solver=s)",
        "export_solution({'x': x}, s)",
        "export_solution(variables={'x': x})",
        "export_solution(solver=s, variables=[x])",
      ];
      for (const last of exports) expect(await solved(...model, last)).toEqual(["sat", { x: 6 }]);
    });

    it("is the last of several exports, and says that there were several", async () => {
      const { status, warnings } = await models.solve("z3", [
        "x = Int('x')\ns = Solver()\ns.add(x > 5)\nexport_solution(s, {'x': x})",
        "s.add(x < 2)\nexport_solution(s, {'x': x})",
      ]);
      expect(status).toBe("unsat");
      expect(warnings).toEqual([expect.stringContaining("called 2 times")]);
    });

    it("is the one Solver, the one Optimize, or the one that a function makes", async () => {
      expect(await solved("x = Int('x')", "s = Solver()", "s.add(x == 3)")).toEqual(["sat", { x: 3 }]);
      expect(await solved("import z3", "s = z3.Solver()", "s.add(z3.Int('x') == 3)")).toEqual(["sat", { x: 3 }]);
      expect(await solved("x = Int('x')", "o = Optimize()", "o.add(x < 9)", "o.maximize(x)")).toEqual([
        "sat",
        { x: 8 },
      ]);
      expect(
        await solved("def go():\n    s = Solver()\n    s.add(Int('x') == 4)\n    return s.check()", "go()"),
      ).toEqual(["sat", { x: 4 }]);
    });

    it("is every bare Boolean expression, item by item, in lists and in loops of the module", async () => {
      expect(await solved("x, y = Ints('x y')", "x > 5", "And(y == x + 1, y < 8)")).toEqual(["sat", { x: 6, y: 7 }]);
      expect(await solved("xs = Ints('a b')", "for v in xs:\n    v > 0\n    v < 2")).toEqual(["sat", { a: 1, b: 1 }]);
      expect(await solved("xs = Ints('a b')", "[v == i for i, v in enumerate(xs)]")).toEqual(["sat", { a: 0, b: 1 }]);
      expect(await solved("x = Int('x')", "x > 2, x < 4")).toEqual(["sat", { x: 3 }]);
      expect(await solved("p = Bool('p')", "p", "if True:\n    Not(p)")).toEqual(["unsat", null]);
      expect(await solved("x = Int('x')", "x == 1", "1 > 2")).toEqual(["unsat", null]);
    });

    it("is not an expression that is only taken out of a list", async () => {
      expect(await solved("x = Int('x')\nwanted = [x == 3, x > 7]\nwanted.pop()\nwanted[0]")).toEqual([
        "sat",
        { x: 3 },
      ]);
    });

    it("is the content of a solver at the end, after push and pop, if the program checks nothing", async () => {
      const items = ["x = Int('x')\ns = Solver()\ns.add(x > 3, x < 5)", "s.push()\ns.add(x < 2)\ns.pop()"];
      expect(await solved(...items)).toEqual(["sat", { x: 4 }]);
    });

    it("can be given by lists, by +=, and under names", async () => {
      expect(await solved("x = Int('x')\ns = Solver()\ns.add([x > 3, x < 5])")).toEqual(["sat", { x: 4 }]);
      expect(await solved("x = Int('x')\ns = Solver()\ns += x > 3\ns += [x < 5]")).toEqual(["sat", { x: 4 }]);
    });

    it("is a claim that prove(…) denies: unsat means proved", async () => {
      const proved = await models.solve("z3", ["x = Int('x')", "prove(x + 1 > x)"]);
      expect([proved.status, proved.output]).toEqual(["unsat", ["proved"]]);
      expect(proved.warnings).toEqual([expect.stringContaining("unsat means that the claim is proved")]);
      const refuted = await models.solve("z3", ["x = Int('x')", "prove(Or(x < 3, x > 3))"]);
      expect([refuted.status, refuted.model]).toEqual(["sat", { x: 3 }]);
    });

    it("is the program's own solver where prove(…) is called beside it", async () => {
      expect(await solved("x = Int('x')\nprove(x == x)\ndef go():\n    s = Solver()\n    s.add(x == 2)\ngo()")).toEqual(
        ["sat", { x: 2 }],
      );
    });

    it("is a fault where it is open: two solvers, or nothing to solve", async () => {
      expect(await faultOf("s = Solver()\nt = Solver()\ns.add(Int('x') > 1)")).toMatchObject({
        code: "input_rejected",
        error: expect.stringContaining("2 solvers (s, t)"),
      });
      expect((await faultOf("x = Int('x')")).error).toContain("nothing to solve");
    });

    it("is a fault if there is a solver without constraints beside bare expressions", async () => {
      expect((await faultOf("x = Int('x')\ns = Solver()\nx > 3")).error).toContain("The solver has no constraints");
    });

    it("is a fault where export_solution gets no solver", async () => {
      const fault = await faultOf(
        "x = Int('x')\ns = Solver()\ns.add(x > 1)\ns.check()\nexport_solution(s.model(), {'x': x})",
      );
      expect(fault).toMatchObject({ error: expect.stringContaining("ModelRef"), position: { item: 0, line: 5 } });
    });
  });

  describe("what a solution leaves out is said", () => {
    const solver = "x = Int('x')\ns = Solver()\ns.add(x > 1)";
    const exported = "export_solution(s, {'x': x})";

    it("expressions beside a solver", async () => {
      expect(await warningsOf(solver, "x > 100")).toContain("item 1, line 1");
      expect(await warningsOf(solver, exported, "x > 100")).toContain("item 2, line 1");
      expect(await warningsOf(solver, "x > 1")).toBe("");
    });

    it("constraints that come after export_solution", async () => {
      expect(await warningsOf(solver, exported, "s.add(x > 100)")).toContain(
        "added to the solver after export_solution",
      );
      expect(await warningsOf(solver, exported, "s.add(x > 100)", exported)).not.toContain("after export_solution");
    });

    it("constraints that are bare expressions in a function", async () => {
      expect(await warningsOf(solver, "def more():\n    x > 100\n    return x > 3\nmore()")).toContain(
        "item 1, line 2",
      );
    });

    it("assumptions of one of several checks, which can be a search", async () => {
      const search = "while s.check(x < best) == sat:\n    best = s.model()[x].as_long()";
      const exported_best = "export_solution(solver=s, variables={'x': best})";
      const text = `x, best = Int('x'), 50\ns = Solver()\ns.add(x > 2)\n${search}\n${exported_best}`;
      const { status, model, warnings } = await models.solve("z3", [text]);
      expect({ status, model }).toEqual({ status: "sat", model: { x: 3 } });
      expect(warnings).toEqual([expect.stringContaining("without them. For an answer with them, add them")]);
    });

    it("that an earlier check of other constraints had a solution", async () => {
      const { status, message, warnings } = await models.solve("z3", [
        "x = Int('x')\ns = Solver()\ns.add(x >= 1, x <= 3)",
        "for more in [x > 1, x > 7]:\n    s.add(more)\n    print(s.check())",
      ]);
      expect(status).toBe("unsat");
      expect(message).toContain(
        "Unsatisfiable under the constraints of the program's last solve, after one that had a solution",
      );
      expect(warnings).toEqual([expect.stringContaining("item 1, line 3: sat, unsat")]);
    });

    it("divisions by zero, which Z3 leaves open, with their place and divisor", async () => {
      expect(await warningsOf("x, y = Ints('x y')", "y == 0", "x / y == 5")).toContain(
        "item 2, line 1: the model rests on a division by zero: y is 0 in it",
      );
      expect(await warningsOf("x, y = Ints('x y')", "x % (y - 2) == 5", "y == 2")).toContain("y - 2 is 0 in it");
      expect(await warningsOf("r, t = Reals('r t')", "Or(r / t == 3, t == 7)", "t == 0")).toContain("t is 0 in it");
    });

    it("but no division that is not there, or that has a value", async () => {
      expect(await warningsOf("r, h = Reals('r h')", "r * h == 330", "r > 0")).toBe("");
      expect(await warningsOf("r, h = Reals('r h')", "r * r * h == 330", "r > 1", "h > r")).toBe("");
      expect(await warningsOf("x, y = Ints('x y')", "x / y == 5", "y > 2", "x % y == 1")).toBe("");
    });
  });

  describe("the answer says whose the values are:", () => {
    const solver = "x = Int('x')\ns = Solver()\ns.add(x == 4)";
    const messageOf = async (exported: string) => (await models.solve("z3", [solver, exported])).message;

    it("the solver's", async () => {
      expect(await messageOf("export_solution(s, {'x': x, 'row': [x, x + 1]})")).toBe(
        "Satisfiable, with these values.",
      );
      expect(await messageOf("s.check()\nexport_solution(s, {'x': s.model()[x].as_long()})")).toBe(
        "Satisfiable, with these values.",
      );
    });

    it("the program's own", async () => {
      expect(await messageOf("export_solution(s, {'total': 7})")).toBe(
        "Satisfiable; the program exports these values, which no solver checked.",
      );
      expect(await messageOf("export_solution(s, {'x': x, 'rows': [[x], [7]], 'left': [], 'late': None})")).toBe(
        "Satisfiable, with these values (the program computed rows, left, late, which no solver checked).",
      );
    });
  });

  it("solves again without the optimiser when the optimiser's model is wrong: a rota for nurses", async () => {
    const rota = [
      "N, D, S = 4, 5, 2\nat = [[Int(f'at_{n}_{d}') for d in range(D)] for n in range(N)]\no = Optimize()",
      "for row in at:\n    o.add([And(v >= 0, v <= S) for v in row])\n    o.add([Not(And(a == S, b == 1)) for a, b in zip(row, row[1:])])",
      "for d in range(D):\n    for s in range(1, S + 1):\n        o.add(Sum([If(at[n][d] == s, 1, 0) for n in range(N)]) >= 1)",
      "worst = Int('worst')\nfor row in at:\n    o.add(worst >= Sum([If(v != 0, 1, 0) for v in row]))",
      "o.minimize(worst)\nexport_solution(o, {'at': at, 'worst': worst})",
    ];
    const { status, model, objective_value, optimal, warnings } = await models.solve("z3", rota);
    expect([status, objective_value, model?.["worst"]]).toEqual(["sat", 3, 3]);
    const plan = model?.["at"] as number[][];
    for (const day of [0, 1, 2, 3, 4]) expect(new Set(plan.map((row) => row[day]))).toContain(1);
    expect(Math.max(...plan.map((row) => row.filter((shift) => shift !== 0).length))).toBe(3);
    if (!optimal) expect(warnings.join("\n")).toContain("solver highs");
  });

  it("has the best checked model at the limit where its proof takes longer: a larger rota", async () => {
    const rota = [
      "P, D, S = 6, 7, 3\nat = [[Int(f'at_{p}_{d}') for d in range(D)] for p in range(P)]\no = Optimize()",
      "for row in at:\n    o.add([And(v >= 0, v <= S) for v in row])\n    o.add([Not(And(a == S, b == 1)) for a, b in zip(row, row[1:])])",
      "for d in range(D):\n    for s in range(1, S + 1):\n        o.add(Sum([If(at[p][d] == s, 1, 0) for p in range(P)]) >= 1)",
      "worst = Int('worst')\nfor row in at:\n    o.add(worst >= Sum([If(v != 0, 1, 0) for v in row]))",
      "o.minimize(worst)\nexport_solution(o, {'worst': worst})",
    ];
    const { status, objective_value, optimal, warnings } = await withEnoughTime(
      (timeout_ms) => models.solve("z3", rota, timeout_ms),
      (answer) => answer.status !== "timeout",
      6_000,
    );
    expect(status).toBe("sat");
    expect(objective_value).toBeGreaterThanOrEqual(4);
    if (optimal) expect(objective_value).toBe(4);
    else expect(warnings.join("\n")).toContain("solver highs");
  });

  it("names another way in place of an answer that did not come in time", async () => {
    const pigeons = "n = 14\nat = [[Bool(f'b{i}_{j}') for j in range(n - 1)] for i in range(n)]\ns = Solver()";
    const holes =
      "for row in at:\n    s.add(Or(row))\nfor column in zip(*at):\n    s.add([Or(Not(a), Not(b)) for i, a in enumerate(column) for b in column[:i]])";
    const { status, message } = await models.solve("z3", [pigeons, holes], 1_000);
    expect(status).toBe("timeout");
    expect(message).toContain("the language minizinc with solver highs (counting and sums), or in the language cpmpy");
  });

  it.each([
    [
      "powers",
      "x, y, z = Ints('x y z')\ns = Solver()",
      "s.add(x * x * x + y * y * y + z * z * z == 114)",
      "the model.",
    ],
    [
      "reals",
      "n = 14\nat = [[Real(f'b{i}_{j}') for j in range(n - 1)] for i in range(n)]\ns = Solver()",
      "for row in at:\n    s.add(Or([a > 0 for a in row]))\nfor column in zip(*at):\n    s.add([Or(a <= 0, b <= 0) for i, a in enumerate(column) for b in column[:i]])",
      "if it is linear, state it in the language minizinc with solver highs.",
    ],
  ])("names no language that can't decide it: %s", async (_, variables, constraints, ending) => {
    const { status, message } = await models.solve("z3", [variables, constraints], 1_000);
    expect([status, message]).toEqual(["timeout", expect.stringMatching(`${ending}$`)]);
  });

  it("reads exported values from the model that the program has seen", async () => {
    const model = await valuesOf(
      "x, y = Ints('x y')\ns = Solver()\ns.add(x * y == 36, x > 1, y > 1)",
      "s.check()\nm = s.model()\nexport_solution(s, {'x': m[x], 'y': y})",
    );
    expect(Number(model?.x) * Number(model?.y)).toBe(36);
  });

  describe("values become JSON that loses nothing:", () => {
    it("truth values, and integers on both sides of 2^53", async () => {
      expect(
        await valuesOf(
          "p, q = Bools('p q')\na, b, c, d = Ints('a b c d')",
          "And(p, Not(q), a == 2**53, b == 2**53 + 1, c == -2**70, d == -7)",
        ),
      ).toEqual({ p: true, q: false, a: 2 ** 53, b: "9007199254740993", c: "-1180591620717411303424", d: -7 });
      const { x } = (await valuesOf("x = Int('x')", "x == 2**20000")) ?? {};
      expect(BigInt(String(x))).toBe(2n ** 20_000n);
    });

    it("reals: fractions exactly, roots as decimals that end in a question mark", async () => {
      expect(
        await valuesOf(
          "a, b, c, d = Reals('a b c d')",
          "And(a == Q(1, 3), b == -2.5, c * c == 2, c > 0, d == 4, RealVal('0.1') * 10 == 1)",
        ),
      ).toEqual({ a: "1/3", b: "-5/2", c: "1.41421356237309504880?", d: 4 });
    });

    it("names that SMT-LIB quotes, which the second check reads back", async () => {
      const answer = await models.solve("z3", [
        "s = Solver(); s.add(Int('a\\\\') > 3, Int('p|q(exit)') < 5, String('<0>\"|') == StringVal('\\\\|\"')); s.check()",
      ]);
      expect(answer).toMatchObject({ status: "sat", confirmed: true });
    });

    it.each(["false", "and", "as", "let", "mod", "str.len"])("names that SMT-LIB has for itself: %s", async (name) => {
      const start = `x, f = Int('${name}'), Function('${name}', IntSort(), BoolSort())\n`;
      const unsat = await models.solve("z3", [`${start}x > 3`, "And(x < 5, f(x))", "Not(f(4))"], undefined, {
        check: true,
      });
      expect(unsat).toMatchObject({ status: "unsat", confirmed: true });
      expect(unsat["confirmed_by"]).toHaveLength(1);
      const counted = await models.solve("z3", [`${start}x > 3`, "x < 6"], undefined, { count: true });
      expect(counted).toMatchObject({ status: "sat", confirmed: true, count: { number: 2 } });
    });

    it("bit-vectors of 8, 64 and 128 bits, unsigned", async () => {
      expect(
        await valuesOf(
          "a = BitVec('a', 8)\nb = BitVec('b', 64)\nc = BitVec('c', 128)",
          "And(a == -1, b == 2**63 + 1, c == 2**127 + 3)",
        ),
      ).toEqual({ a: 255, b: "9223372036854775809", c: String(2n ** 127n + 3n) });
    });

    it("floats of three widths: NaN, infinities, the negative zero, subnormals", async () => {
      expect(
        await valuesOf(
          "h, f, d = FP('h', Float16()), FP('f', Float32()), FP('d', Float64())",
          "nan, up, down, zero = FP('nan', Float32()), FP('up', Float64()), FP('down', Float16()), FP('zero', Float32())",
          "tiny, small, least = FP('tiny', Float64()), FP('small', Float32()), FP('least', Float16())",
          "And(h == 1.5, f == FPVal(0.1, Float32()), d == 0.1, fpIsNaN(nan), up == fpPlusInfinity(Float64()))",
          "And(down == fpMinusInfinity(Float16()), fpIsZero(zero), fpIsNegative(zero))",
          "And(fpToIEEEBV(tiny) == 1, fpToIEEEBV(small) == 3, fpToIEEEBV(least) == 1023)",
        ),
      ).toEqual({
        h: 1.5,
        f: Math.fround(0.1),
        d: 0.1,
        nan: "NaN",
        up: "+oo",
        down: "-oo",
        zero: "-0.0",
        tiny: Number.MIN_VALUE,
        small: 3 * 2 ** -149,
        least: 1023 * 2 ** -24,
      });
    });

    it("floats that no number of JSON holds, as fractions", async () => {
      const { x } = (await valuesOf("x = FP('x', Float128())", "fpToIEEEBV(x) == 1")) ?? {};
      expect(x).toBe(`1/${2n ** 16_494n}`);
    });

    it("texts and characters, with quotes, lines and every kind of letter", async () => {
      expect(
        await valuesOf(
          `a, b, e = String('a'), String('b'), String('e')\nc = Const('c', CharSort())`,
          `a == StringVal('é "ö" ☃ 😀')`,
          String.raw`And(b == "line\nbreak\\u{41}", Length(e) == 0, c == CharVal('é'))`,
        ),
      ).toEqual({ a: 'é "ö" ☃ 😀', b: "line\nbreakA", e: "", c: "é" });
    });

    it("sequences as lists", async () => {
      expect(
        await valuesOf(
          "q, e, u = Consts('q e u', SeqSort(IntSort()))",
          "And(q == Concat(Unit(IntVal(1)), Unit(IntVal(2)), Unit(IntVal(2**60))), Length(e) == 0, u == Unit(IntVal(-4)))",
        ),
      ).toEqual({ q: [1, 2, "1152921504606846976"], e: [], u: [-4] });
    });

    it("arrays by index, with what holds elsewhere: nested, constant, of two indices", async () => {
      expect(
        await valuesOf(
          "I = IntSort()\na, k = Array('a', I, I), Array('k', I, I)\nn = Array('n', I, ArraySort(I, BoolSort()))",
          "t = Array('t', I, I, I)",
          "a == Store(Store(K(I, 0), 1, 5), 1, 6)",
          "And(k == K(I, 9), n == Store(K(I, K(I, False)), 1, Store(K(I, False), 2, True)))",
          "ForAll(Ints('i j'), Implies(Int('i') != 1, Select(t, Int('i'), Int('j')) == 0))",
          "Select(t, 1, 2) == 3",
        ),
      ).toMatchObject({
        a: { "1": 6, else: 0 },
        k: { else: 9 },
        n: { "1": { "2": true, else: false }, else: { else: false } },
      });
    });

    it("arrays that are computed, as the text of their lambda", async () => {
      const model = await valuesOf("x = Int('x')\na = Array('a', IntSort(), IntSort())", "a == Lambda([x], x * x)");
      expect(model?.a).toContain("lambda");
    });

    it("sets by their members", async () => {
      expect(
        await valuesOf(
          "s, e = Consts('s e', SetSort(StringSort()))",
          "And(s == SetAdd(SetAdd(EmptySet(StringSort()), StringVal('x')), StringVal('y')), e == EmptySet(StringSort()))",
        ),
      ).toEqual({ s: { x: true, y: true, else: false }, e: { else: false } });
    });

    it("keys that would read the same, apart", async () => {
      const model = await valuesOf(
        "S = StringVal\na = Array('a', StringSort(), IntSort())\nf = Function('f', StringSort(), StringSort(), IntSort())",
        "a == Store(K(StringSort(), 0), S('else'), 1)",
        "And(f(S('a,b'), S('c')) == 1, f(S('a'), S('b,c')) == 2, f(S(''), S('')) == 3)",
      );
      expect(model?.a).toEqual({ '"else"': 1, else: 0 });
      const f: Record<string, unknown> = Object(model?.f);
      expect([f['"a,b",c'] ?? f.else, f['a,"b,c"'] ?? f.else, f[","] ?? f.else]).toEqual([1, 2, 3]);
      expect(
        await valuesOf(
          "x = Int('x')\ns = Solver()\ns.add(x == 1)",
          "export_solution(s, {'d': {1: x, '1': x + 1, (1, 2): 3}})",
        ),
      ).toEqual({ d: { "1": 1, "'1'": 2, "1,2": 3 } });
    });

    it("functions of one and two arguments, and those that may be any", async () => {
      expect(
        await valuesOf(
          "I = IntSort()\nf, g = Function('f', I, I), Function('g', I, I, BoolSort())\ns = Solver()",
          "s.add(f(1) == 2, f(3) == 4, f(5) == 2, g(1, 2), Not(g(2, 1)), Not(g(0, 0)))",
          "export_solution(s, {'f': f, 'g': g, 'f3': f(3), 'free': Function('h', I, I)})",
        ),
      ).toEqual({
        f: { "3": 4, else: 2 },
        g: { "1,2": true, else: false },
        f3: 4,
        free: { else: 0 },
      });
    });

    it("enumerations by name, records by field, recursive datatypes to their end", async () => {
      expect(
        await valuesOf(
          "Color, (red, green) = EnumSort('Color', ['red', 'green'])\nc = Const('c', Color)",
          "P = Datatype('P')\nP.declare('pair', ('left', IntSort()), ('right', BoolSort()))\nP = P.create()\np = Const('p', P)",
          "L = Datatype('L')\nL.declare('nil')\nL.declare('cons', ('head', IntSort()), ('tail', L))\nL = L.create()\nl = Const('l', L)",
          "And(c != red, P.left(p) == 3, P.right(p), l == L.cons(1, L.cons(2, L.nil)))",
        ),
      ).toEqual({
        c: "green",
        p: { constructor: "pair", left: 3, right: true },
        l: { constructor: "cons", head: 1, tail: { constructor: "cons", head: 2, tail: "nil" } },
      });
    });

    it("uninterpreted sorts by names of their members, and rounding modes", async () => {
      const model = await valuesOf(
        "A = DeclareSort('A')\na, b = Consts('a b', A)\nr = Const('r', RTZ().sort())",
        "And(a != b, r == RTZ())",
      );
      expect(new Set([model?.a, model?.b]).size).toBe(2);
      expect(model?.r).toBe("RTZ()");
    });

    it("whatever lists, dictionaries and Python values are exported", async () => {
      expect(
        await valuesOf(
          "xs = IntVector('x', 2)\ns = Solver()\ns.add([x == i for i, x in enumerate(xs)])",
          "export_solution(s, {'xs': xs, 'deep': {'grid': [[xs[1]], (xs[0], 7)]}, 'sum': Sum(xs), 'less': xs[0] < xs[1], 'none': None, 'third': Fraction(1, 3), 'set': {2, 1}})",
        ),
      ).toEqual({
        xs: [0, 1],
        deep: { grid: [[1], [0, 7]] },
        sum: 1,
        less: true,
        none: null,
        third: "1/3",
        set: [1, 2],
      });
    });

    it("constants of one name and two sorts, apart", async () => {
      const model = await valuesOf("s = Solver()\ns.add(Int('x') == 1, Bool('x'))");
      expect(
        Object.values(model ?? {})
          .map(String)
          .toSorted(),
      ).toEqual(["1", "true"]);
    });

    it("constants that the constraints leave free, too", async () => {
      expect(await valuesOf("x, y = Ints('x y')\nps = [Bool('p'), Bool('q')]", "x == 1")).toEqual({
        x: 1,
        y: 0,
        p: false,
        q: false,
      });
    });
  });

  it("finds the solutions where a Real becomes a float", async () => {
    const rounded = "r = Real('r')\none = FPVal(1, FPSort(3, 4))\nis_one = fpRealToFP(RNE(), r, FPSort(3, 4)) == one";
    const none = await models.solve("z3", [rounded, "s = Solver()\ns.add(r > 1, r < 1.0625, is_one)"]);
    expect(none.status).toBe("sat");
    const best = await models.solve("z3", [rounded, "o = Optimize()\no.add(r >= 1, is_one)\no.maximize(r)"]);
    expect(best).toMatchObject({ objective_value: "17/16", optimal: true });
    const exact = "s = Solver()\ns.add(x < y, y < x, x > fpRealToFP(RNE(), RealVal('0.1'), Float32()))";
    expect(await solved("x, y = FPs('x y', Float32())", exact)).toEqual(["unsat", null]);
  });

  describe("Optimize", () => {
    /** What an optimisation over x and y from 0 to 10 gives. */
    async function optimised(...items: string[]) {
      const bounds = "x, y = Ints('x y')\no = Optimize()\no.add(x >= 0, y >= 0, x + y <= 10)";
      const { status, objective_value, optimal, warnings } = await models.solve("z3", [bounds, ...items]);
      return [status, objective_value, optimal, warnings.length];
    }

    it("finds the largest, the smallest, and several in their order", async () => {
      expect(await optimised("o.maximize(2 * x + y)")).toEqual(["sat", 20, true, 0]);
      expect(await optimised("o.minimize(x - y)")).toEqual(["sat", -10, true, 0]);
      expect(await optimised("o.maximize(x + y)", "o.minimize(x)")).toEqual(["sat", [10, 0], true, 0]);
      expect(await optimised("o.maximize(x * y)")).toEqual(["sat", 25, true, 0]);
    });

    it("takes handles and expressions as the objective of an export", async () => {
      expect(await optimised("h = o.maximize(x)", "export_solution(o, {'x': x}, objective=h)")).toEqual([
        "sat",
        10,
        true,
        0,
      ]);
      expect(await optimised("o.maximize(x)", "o.check()", "export_solution(o, {'x': x})")).toEqual([
        "sat",
        10,
        true,
        0,
      ]);
    });

    it("weighs soft constraints, with fractions as weights", async () => {
      expect(await optimised("o.add_soft(x > 7, 2)", "o.add_soft(y > 7, 3)", "o.add_soft(x + y == 9, 1)")).toEqual([
        "sat",
        2,
        true,
        0,
      ]);
      expect(await optimised("o.add_soft(x > 7, 0.0000001)", "o.add_soft(x < 7, weight='2.5')")).toEqual([
        "sat",
        "1/10000000",
        true,
        0,
      ]);
    });

    it("gives the weight that is lost as a number where a soft constraint has a quantifier", async () => {
      const every = "o.add_soft(ForAll([z], Implies(And(0 <= z, z <= 2), z + x >= 2)), 5)";
      expect(await optimised("z = Int('z')", every, "o.add_soft(x < 1, 3)")).toEqual(["sat", 3, true, 0]);
    });

    it("shows a model that has the best values, where Z3's own model does not", async () => {
      // Found by random programs: Z3's model divided by 0 in another way than its objective.
      const items = [
        "p, q = Bools('p q')\nm0 = Int('m0')\nm = If(And(0 <= m0, m0 <= 4), m0, 0)\nu, v = BitVecs('u v', 3)",
        "o = Optimize()\no.add(And(ULE(u, BitVecVal(0, 3)), p))",
        "o.minimize(If(Xor(q, Implies(p, p)), (m / -2), BV2Int((BitVecVal(1, 3) * v))))",
        "o.add_soft(ULE(BitVecVal(2, 3), (v / u)), 1)",
        "o.add_soft(((IntVal(0) - (IntVal(1) - m)) >= BV2Int(If(p, BitVecVal(7, 3), BitVecVal(7, 3)))), 1)",
      ];
      const answer = await models.solve("z3", items);
      expect(answer).toMatchObject({ status: "sat", objective_value: [-2, 1], optimal: true });
      // v / 0 is -1, which is 7 without a sign, unless v is negative.
      expect(Number(answer.model?.["v"])).toBeLessThan(4);
    });

    it("says that bit-vectors are unsigned, in their values", async () => {
      expect(
        await models.solve("z3", ["b = BitVec('b', 8)\no = Optimize()\no.add(b != 255)\no.maximize(b)"]),
      ).toMatchObject({
        objective_value: 254,
        optimal: true,
      });
    });

    it("finds the best root of a polynomial, of which Z3's optimiser says that it has no best value", async () => {
      for (const [goal, root] of [
        ["maximize", "1.41421356237309504880?"],
        ["minimize", "-1.41421356237309504880?"],
      ]) {
        const model = `x = Real('x')\no = Optimize()\no.add(x * x == 2)\no.${goal}(x)`;
        const { optimal, objective_value, warnings } = await models.solve("z3", [model]);
        expect({ optimal, objective_value, warnings }).toEqual({ optimal: true, objective_value: root, warnings: [] });
      }
    });

    it("claims no optimum where there is none: unbounded, approached and never reached, infeasible", async () => {
      const unbounded = await models.solve("z3", ["x = Int('x')\no = Optimize()\no.add(x > 0)\no.maximize(x)"]);
      expect([unbounded.status, unbounded.objective_value, unbounded.optimal]).toEqual(["sat", "oo", false]);
      const open = await models.solve("z3", ["x = Real('x')\no = Optimize()\no.add(x < 3)\no.maximize(x)"]);
      expect([open.status, open.objective_value, open.optimal]).toEqual(["sat", "3 + -1*epsilon", false]);
      expect(open.warnings).toEqual([expect.stringContaining("never reached")]);
      expect(await optimised("o.add(x > 20)", "o.maximize(x)")).toEqual(["unsat", null, null, 0]);
    });

    it.each([
      ["maximize(x + 2*y)", { x: 4, y: 0 }, 4],
      ["minimize(-x - 2*y)", { x: 4, y: 0 }, -4],
    ])(
      "finds the best value of whole numbers and reals, where Z3 says that there is none: %s",
      async (goal, best, value) => {
        const { model, objective_value, optimal, warnings } = await models.solve("z3", [
          "x = Real('x')\ny = Int('y')\no = Optimize()\no.add(x >= -4, x <= 4, y >= -4, y <= 4)",
          `o.add(x/2 + 3*ToReal(y) <= Q(7, 2), x/2 + y <= 4)\no.${goal}`,
        ]);
        expect({ model, objective_value, optimal, warnings }).toEqual({
          model: best,
          objective_value: value,
          optimal: true,
          warnings: [],
        });
      },
    );

    it("refuses an objective of SMT-LIB text that Z3 keeps as its negative: of 0 and 5 it was 0", async () => {
      const text = "(declare-const b (_ BitVec 3))(assert (or (= b #b000) (= b #b101)))( ; large\\n maximize b)";
      const { code, error } = await models.fault("z3", [`o = Optimize()\no.from_string('${text}')`]);
      expect([code, error]).toEqual(["input_rejected", expect.stringContaining("(maximize …) in SMT-LIB text")]);
    });

    it("finds the root of 2 as the largest x with x * x <= 2", async () => {
      const { model, optimal, warnings } = await models.solve("z3", [
        "x = Real('x')\no = Optimize()\no.add(x * x <= 2)\no.maximize(x)",
      ]);
      expect([model, optimal, warnings]).toEqual([{ x: "1.41421356237309504880?" }, true, []]);
    });

    it("keeps apart what box and pareto give from an optimum", async () => {
      expect(await optimised("o.set(priority='box')", "o.maximize(x)", "o.maximize(y)")).toEqual([
        "sat",
        [10, 10],
        false,
        1,
      ]);
      const walked = ["o.set('priority', 'pareto')", "o.maximize(x)", "o.maximize(y)"];
      expect((await optimised(...walked)).at(0)).toBe("sat");
      // Once all are through, check() says unsat, which is not a verdict on the constraints.
      expect((await optimised(...walked, "while o.check() == sat:\n    pass")).at(0)).toBe("sat");
    });

    it("reads a timeout as no verdict", async () => {
      const cubes = "x, y, z = Ints('x y z')\no = Optimize()\no.add(x**3 + y**3 + z**3 == 114)\no.minimize(x)";
      expect(await models.solve("z3", [cubes], 700)).toMatchObject({
        status: "timeout",
        satisfiable: null,
        optimal: null,
      });
    });
  });

  describe("what is not decided is unknown, with the reason:", () => {
    const cubes = "x, y, z = Ints('x y z')\ns = Solver()\ns.add(x**3 + y**3 + z**3 == 114)";

    it("the program's own limit", async () => {
      expect(await models.solve("z3", [`${cubes}\ns.set('timeout', 100)`])).toMatchObject({
        status: "unknown",
        satisfiable: null,
        reason: "timeout",
      });
    });

    it("the limit of the call", async () => {
      expect(await models.solve("z3", [cubes], 500)).toMatchObject({ status: "timeout", satisfiable: null });
    });

    it("what Z3 is not complete for", async () => {
      const { status, reason } = await models.solve("z3", ["x = Real('x')", "2**x == 3"]);
      expect([status, typeof reason]).toEqual(["unknown", "string"]);
    });
  });

  describe("unsat names what conflicts", () => {
    it("by item and line, and nothing that is not needed", async () => {
      const { status, unsat_items } = await models.solve("z3", [
        "x, y = Ints('x y')\ns = Solver()",
        "s.add(x > 5)\ns.add(y > 0)",
        "s.add(y < 100,\n      x + y < 200)",
        "def least(v):\n    return v < 3\ns.add(least(x))",
      ]);
      expect(status).toBe("unsat");
      expect(unsat_items).toEqual([
        { item: 1, line: 1, text: "s.add(x > 5)" },
        { item: 3, line: 3, text: "s.add(least(x))" },
      ]);
    });

    it("also where Python has decided it: of plain numbers, or False itself", async () => {
      const text = "x = Int('x')\ns = Solver()\ntotal = 22\ns.add(x > 0)\n";
      for (const last of ["s.add(total == 17)", "s.add(False)", "s.add([x < 5, total < 3])"]) {
        const { status, unsat_items, warnings } = await models.solve("z3", [text + last]);
        expect({ status, unsat_items }).toEqual({ status: "unsat", unsat_items: [{ item: 0, line: 5, text: last }] });
        expect(warnings).toEqual([]);
      }
    });

    it("among bare expressions", async () => {
      const { unsat_items } = await models.solve("z3", [
        "x, y = Ints('x y')",
        "x > 5",
        "y > 5",
        "x + y < 12",
        "x < 100",
      ]);
      expect(unsat_items).toEqual([
        { item: 1, line: 1, text: "x > 5" },
        { item: 2, line: 1, text: "y > 5" },
        { item: 3, line: 1, text: "x + y < 12" },
      ]);
    });

    it("by the program's names, with the unnamed constraints that take part", async () => {
      const { unsat_core, unsat_items } = await models.solve("z3", [
        "x = Int('x')\ns = Solver()",
        "s.assert_and_track(x > 3, 'large')\ns.assert_and_track(x != 9, 'other')",
        "s.add(x < 2)",
      ]);
      expect(unsat_core).toEqual(["large"]);
      expect(unsat_items).toEqual([
        { item: 1, line: 1, text: "s.assert_and_track(x > 3, 'large')" },
        { item: 2, line: 1, text: "s.add(x < 2)" },
      ]);
    });

    it("but not by a name that a constraint speaks of: Z3 would take it for true", async () => {
      const start = "x = Int('x')\np, q = Bools('p q')\ns = Solver()\n";
      for (const items of [
        "s.assert_and_track(x > 5, 'p')\ns.add(Not(p))",
        "s.assert_and_track(x > 5, p)\ns.add(Implies(p, x < 3))",
        "s.assert_and_track(Implies(p, x > 5), 'p')\ns.add(x < 3)",
        "s.assert_and_track(ForAll([q], Or(q, Not(p), x > 5)), 'p')",
      ])
        await expect(models.solve("z3", [start, items])).rejects.toThrow(/item 1, line 1 makes p true/);
      for (const items of [
        "s.push()\ns.assert_and_track(x > 5, p)\ns.pop()\ns.assert_and_track(x > 6, p)\ns.add(q)",
        "s.assert_and_track(x > 5, p)\ns.add(Implies(q, x > 9))",
      ])
        expect(await models.solve("z3", [start, items])).toMatchObject({ status: "sat" });
    });

    it("in an Optimize, too", async () => {
      const { unsat_items } = await models.solve("z3", [
        "x = Int('x')\no = Optimize()",
        "o.add(x > 3)",
        "o.add(x < 2)\no.maximize(x)",
      ]);
      expect(unsat_items).toMatchObject([{ item: 1 }, { item: 2 }]);
    });
  });

  describe("Python's truth values and numbers mislead no answer:", () => {
    const start = "x, y, z = Ints('x y z')\np = Bool('p')\ns = Solver()";

    it.each([
      "s.add(x == 1 or x == 2)",
      "s.add(x == 1 and y == 2)",
      "s.add(not x == 1)",
      "s.add(x == y == z)",
      "s.add([x, y] == [1, 2])",
      "s.add((x, y) != (1, 2))",
      "s.add(any([x == 1, x == 2]))",
      "s.add(all(v == 1 for v in (x, y)))",
      "s.add(y == (5 if x == 1 else 6))",
      "if x == 1:\n    s.add(y == 2)",
      "s.add([v > 0 for v in (x, y) if v == 1])",
      "assert x == 1",
      "while x == 1:\n    break",
      "s.add(ForAll(x, x == x + y) == True or p)",
      "s.add(p and x > 2)",
      "s.add(bool(x == 1))",
      "s.add(list(filter(lambda v: v == 1, [x, y])) == [])",
    ])("`%s` takes the truth of an open constraint, and is a fault", async (item) => {
      const fault = await faultOf(start, item);
      expect(fault).toMatchObject({ code: "input_rejected", position: { item: 1 } });
      expect(fault.error).toContain("truth value");
      expect(fault.remedy).toMatch(/And\(|Or\(/);
    });

    it.each(["s.add(x in [1, 2, 3])", "s.add(x not in {1, 2})", "s.add(x in range(5))", "s.add(3 in [x, y])"])(
      "`%s` looks for what it never finds, and is a fault",
      async (item) => {
        expect((await faultOf(start, item)).error).toContain("never finds");
      },
    );

    it("decided comparisons go as Python has them", async () => {
      const { output } = await models.solve("z3", [
        `${start}\ns.add(x == 3, y == 4, p)\ns.check()\nm = s.model()`,
        "if m[x] == 3 and not m[y] == 3 and m[x] == 3.0 and 3 == m[x] == 3: print('values')",
        "if m[x] in [1, 2, 3] and any(m[v] == 4 for v in (x, y)): print('members')",
        "if m[p] and m.eval(x + y) == 7 and [m[x], 1] == [3, 1]: print('evaluated')",
        "if x in {x: 1} and x in [y, x] and z not in [x, y] and len({x, y, x}) == 2: print('as keys')",
        "if (1, 2) == (1, 2) and [1] != [2] and 1 < 2 == 2 and 'a' in 'abc': print('plain')",
      ]);
      expect(output).toEqual(["values", "members", "evaluated", "as keys", "plain"]);
    });

    it("arguments that Z3 would take for a context are faults", async () => {
      expect((await faultOf(start, "s.add(Xor(p, x > 1, x > 2))")).error).toContain("Xor takes 2 arguments");
      expect((await faultOf(start, "s.add(Not(p, x > 1))")).error).toContain("Not takes 1 argument");
    });

    it("numbers that Z3 would change are faults or warnings", async () => {
      expect((await faultOf(start, "f = Function('f', IntSort(), IntSort())\ns.add(f(2.5) == 1)")).error).toContain(
        "truncate it to 2",
      );
      expect(await warningsOf("b = BitVec('b', 8)", "b == 300")).toContain(
        "300 does not fit into 8 bits; Z3 reads it as 44",
      );
      expect(await warningsOf("b = BitVec('b', 8)", "b > 200")).toContain("UGT(a, b)");
      expect(await warningsOf("r = Real('r')", "r == 1/3")).toContain("Q(1, 3)");
      expect(await warningsOf("r = Real('r')\nb = BitVec('b', 8)", "r == 0.125", "b == 200", "b < 100")).toBe("");
    });
  });

  describe("a logic or a tactic that does not cover the theory stays sound", () => {
    it.each([
      ["SolverFor('QF_BV')", "x * x == 9, x < 0", "sat"],
      ["SolverFor('QF_LRA')", "x * x == 2", "unsat"],
      ["SolverFor('QF_IDL')", "x * 3 == 7", "unsat"],
      ["Tactic('qfbv').solver()", "x * x == 9, x < 0", "sat"],
      ["Tactic('qflia').solver()", "x * x == 2, x > 0, x < 9", "unsat"],
      ["Then('simplify', 'solve-eqs', 'smt').solver()", "x + 1 == 5, x > 4", "unsat"],
    ])("%s with %s", async (solver, added, status) => {
      expect((await models.solve("z3", ["x = Int('x')", `s = ${solver}`, `s.add(${added})`])).status).toBe(status);
    });

    it.each([
      ["QF_FD", "x >= 0, x <= 10, x % 3 == 2, x > 8", "unsat"],
      ["QF_FD", "x > y, y > 3", "sat"],
      ["QF_FD", "x > y, y > x", "unsat"],
      ["QF_FD", "ForAll(y, x > y)", "unsat"],
      ["QF_LIA", "x * x == 2", "unsat"],
    ])("SolverFor(%s) with %s, which the program checks, pushes and reads", async (logic, added, status) => {
      const check = "r = s.check()\nprint(r)\nif r == sat: print(s.model())";
      const text = `x, y = Ints('x y')\ns = SolverFor('${logic}')\ns.add(y == y)\ns.check()\ns.push()\ns.add(${added})\n${check}`;
      const answer = await models.solve("z3", [text]);
      expect(answer).toMatchObject({ status, confirmed: true });
      expect(answer.output[0]).toBe(status);
    });

    it("the solver of QF_FD decides what takes Z3's general solver long; the second process does not confirm it", async () => {
      const n = 9;
      const pigeons = `p = [[Bool(f'p_{i}_{j}') for j in range(${n})] for i in range(${n + 1})]
s = SolverFor('QF_FD')
for row in p: s.add(PbEq([(each, 1) for each in row], 1))
for j in range(${n}): s.add(AtMost(*[row[j] for row in p], 1))
print(s.check())`;
      const { status, output, claimed } = await models.solve("z3", [pigeons], 10_000);
      expect({ output }).toEqual({ output: ["unsat"] });
      expect(["unsat", "unknown"]).toContain(status);
      if (status === "unknown") expect(claimed).toBe("unsat");
    });

    it("the solver of QF_LIA, for which operators on bit vectors are unknown functions, gives no model of them", async () => {
      const items = [
        "p = Bool('p')\nm = Int('m')\nv = BitVec('v', 3)\ns = SolverFor('QF_LIA')",
        "only = SetDifference(SetAdd(EmptySet(IntSort()), BV2Int(v)), SetAdd(EmptySet(IntSort()), 2))",
        "s.add(IsMember(If(And(0 <= m, m <= 4), m, 0), only), ULE(BitVecVal(4, 3), v + BitVecVal(0, 3)), p)",
        "print(s.check(), s.model().eval(v).as_long() >= 4)",
      ];
      const answer = await models.solve("z3", items);
      expect(answer).toMatchObject({ status: "sat", confirmed: true, output: ["sat True"] });
    });

    it("a logic whose solver is not used is named", async () => {
      expect(await warningsOf("x = BitVec('x', 8)\ns = SolverFor('QF_BV')\ns.add(x * x == 9)")).toContain(
        "SolverFor('QF_BV') is a general Solver() for all theories here",
      );
    });

    it("a tracked constraint of a SimpleSolver keeps its name", async () => {
      const items = [
        "x = Int('x')",
        "s = SimpleSolver()",
        "s.assert_and_track(x + 1 > x + x, 'small')",
        "s.add(x > 1)",
      ];
      expect(await models.solve("z3", items)).toMatchObject({ status: "unsat", unsat_core: ["small"] });
    });

    it("a parameter that lets a quotient by 0 be anything is refused", async () => {
      for (const setting of ["set_param('rewriter.hi_div0', False)", "set_option(hi_fp_unspecified=True)"])
        expect((await models.fault("z3", [setting, "Int('x') > 1"])).error).toContain("parts of a theory");
    });

    it("an engine of objectives that calls a bounded one unbounded is refused", async () => {
      const items = (engine: string) => [
        `x, b = Int('x'), Bool('b')\no = Optimize()\no.set(optsmt_engine='${engine}')`,
        "o.add(x >= -1, x <= 2, Or(b, x < 1))\no.maximize(x)\no.check()",
      ];
      expect((await models.fault("z3", items("symba"))).error).toContain("reports bounded objectives as unbounded");
      expect(await models.solve("z3", items("basic"))).toMatchObject({ objective_value: 2, optimal: true });
    });

    it("a function is not replaced by Z3's own one of its name, nor its nearly equal values taken for equal", async () => {
      for (const text of [
        "(declare-fun |log| (Real) Real)(assert (= (log 1.0) 5.0))",
        "(define-funs-rec ((log ((n Int)) Int)) (5))",
        "(declare-const x Real)(assert (< 0.0 x (log(+ x 1.1))))",
      ])
        expect(await models.fault("z3", [`s = Solver()\ns.from_string('${text}')`])).toMatchObject({
          code: "input_rejected",
          error: expect.stringContaining("only approximates its own function log"),
        });
      const own = `exp = Real('exp')\nlog = Function('log', RealSort(), RealSort())\ns = Solver()
s.from_string('(declare-fun exp () Real)(assert (> exp 2.0))')\ns.add(exp < 3, log(1) == 5)`;
      expect(await models.solve("z3", [own])).toMatchObject({ status: "sat", confirmed: true });
      expect(await models.solve("z3", [own, "s.add(exp == log(1))"])).toMatchObject({
        status: "unsat",
        confirmed: true,
      });
    });

    it.each([
      ["finite sets", "s, t = Consts('s t', FiniteSetSort(IntSort()))\nFiniteSetSize(t) <= FiniteSetSize(s)"],
      ["finite sets", "x = Int('x')\nFiniteSetSize(Singleton(x)) == 1"],
    ])("nothing is believed of what Z3 computes wrongly: %s", async (name, model) => {
      const { status, reason } = await models.solve("z3", [model]);
      expect([status, reason]).toEqual(["unknown", expect.stringContaining(name)]);
    });

    it.each([
      ["x = FP('x', FPSort(5, 4))\nfpEQ(fpFMA(RNE(), x, x, x), FPVal(6, FPSort(5, 4)))\nx > 0", { x: 2 }],
      ["x = FP('x', FPSort(5, 3))\nfpEQ(fpFMA(RNE(), x, x, x), FPVal(6, FPSort(5, 3)))\nx > 0", { x: 2 }],
      ["x = FP('x', FPSort(2, 4))\nfpEQ(fpRoundToIntegral(RNE(), x), 1)\nx < 0.75, x > 0.5", { x: 0.625 }],
      ["i = Int('i')\nLastIndexOf(Concat(Unit(IntVal(1)), Unit(IntVal(2))), Unit(IntVal(1))) == i", { i: 0 }],
      ["s = String('s')\nLastIndexOf(s, 'a') == 1\nLength(s) == 2\nPrefixOf('a', s)", { s: "aa" }],
    ])("what it computes right is decided: %s", async (model, values) => {
      expect(await models.solve("z3", [model])).toMatchObject({ status: "sat", model: values });
    });

    it("a sat about mapped arrays is not accepted: these differ at 0", async () => {
      const model = `S = BitVecSort(2)
both = (BitVec('p', 1) & BitVec('q', 1)).decl()
a = Array('a', S, BitVecSort(1))
i, j = BitVecs('i j', 2)
ones, zeros = K(S, BitVecVal(1, 1)), K(S, BitVecVal(0, 1))
a == ones
Map(both, ones, Store(zeros, BitVecVal(2, 2), BitVecVal(1, 1))) == Map(both, Store(a, i, BitVecVal(0, 1)), Store(a, j, BitVecVal(0, 1)))`;
      expect((await models.solve("z3", [model])).status).not.toBe("sat");
    });

    it("sets are compared at each element", async () => {
      const sets = "A, B = Const('A', SetSort(BitVecSort(2))), Const('B', SetSort(BitVecSort(2)))";
      const union =
        "SetUnion(A, B) == SetComplement(EmptySet(BitVecSort(2)))\nSetIntersect(A, B) == EmptySet(BitVecSort(2))";
      expect(await models.solve("z3", [sets, union, "IsMember(BitVecVal(1, 2), A)"])).toMatchObject({ status: "sat" });
    });

    it("a set is compared with a lambda at each element", async () => {
      const sets = "A, B = Consts('A B', SetSort(BitVecSort(2)))\ni, k = BitVecs('i k', 2)\nk == 2";
      const union = "SetUnion(A, B) == Lambda([i], ULT(i, k))\nA[BitVecVal(1, 2)]\nNot(B[BitVecVal(2, 2)])";
      expect(await models.solve("z3", [sets, union])).toMatchObject({ status: "sat", model: { k: 2 } });
      expect((await models.solve("z3", [sets, union, "A[k]"])).status).toBe("unsat");
    });

    it("a soft constraint that compares arrays has a value, though evaluating it leaves a lambda", async () => {
      const arrays = "b = Bool('b')\nA = Array('A', BoolSort(), BoolSort())\no = Optimize()\no.add(b == A[b])";
      const soft = "o.add_soft(Distinct(Store(A, b, True), Store(A, b, b)), 3)";
      expect(await models.solve("z3", [arrays, soft])).toMatchObject({
        status: "sat",
        model: { b: false },
        objective_value: 0,
        optimal: true,
      });
    });

    it("a tactic that gives up is unknown", async () => {
      const items = [
        "a = Array('a', IntSort(), IntSort())",
        "s = Then('simplify', 'sat').solver()",
        "s.add(a[1] == 1, a[1] == 2)",
      ];
      expect((await models.solve("z3", items)).status).not.toBe("sat");
    });
  });

  describe("the usual mistakes are faults with a way out", () => {
    const start = "x, y = Ints('x y')\nr = Real('r')\nb = BitVec('b', 8)\ns = Solver()";

    it.each([
      ["s.add(0 < x < 9)", /And\(0 <= x, x < 9\)/],
      ["s.add(max(x, y) > 3)", /If\(a > b, a, b\)/],
      ["s.add(x ^ 3 == 1)", /BitVec/],
      ["s.add(x > 3 & y < 2)", /parentheses/],
      ["s.add(x // 2 == 3)", /integer quotient/],
      ["s.add(x=5)", /x == 5 with two equals signs/],
      ["print(s.model())", /after check\(\) answered sat/],
      ["s.add(x > 1)\ns.check()\nfor i in range(s.model()[x]): pass", /as_long\(\)/],
      ["s.check()\nprint(s.model()[y].as_long())", /model_completion=True/],
      ["print(x.as_long())", /m\.eval\(x, model_completion=True\)/],
      ["s.add(b == x)", /Int2BV/],
      ["s.add(b == BitVec('c', 16))", /ZeroExt/],
      ["f = Function('f', IntSort(), IntSort())\ns.add(f == 3)", /f\(x\) == 3/],
      ["f = Function('f', StringSort(), IntSort())\ns.add(f('a') == 3)", /StringVal/],
      ["s.add(x)", /x != 0/],
      ["s.add(undefined_thing > 1)", /define undefined_thing before this line/],
      ["s.add(Extract(0, 3, b) == 1)", /high bit first/],
      ["print(int(r))", /as_fraction/],
      ["import math\ns.add(math.sqrt(r) == 2)", /Sqrt\(x\)/],
      ["a = Array('a', IntSort(), IntSort())\na[0] = 5", /Store\(a, i, v\)/],
    ])("`%s`", async (item, hint) => {
      const fault = await faultOf(start, item);
      expect(fault).toMatchObject({ code: "input_rejected", position: { item: 1 } });
      expect(fault.remedy).toMatch(hint);
    });
  });

  it("gives statistics and the engine", async () => {
    const answer = await models.solve("z3", ["x, y = Ints('x y')", "x * y == 391", "x > 1", "y > x"]);
    expect(answer.model).toEqual({ x: 17, y: 23 });
    expect(Object.keys(Object(answer.statistics)).length).toBeGreaterThan(0);
    expect(Object.keys(Object(answer.statistics)).length, "a reader pays for each").toBeLessThanOrEqual(8);
    expect(answer.engine).toMatch(/^z3 5\.\d+\.\d+.* \(python\)$/);
  });

  it("knows by name what the engine's own Python offers", async () => {
    const { output, warnings } = await models.solve("z3", ["import z3\nprint(' '.join(dir(z3)))", "BoolVal(True)"]);
    expect(warnings).toEqual([expect.stringContaining("The program printed text, but solved nothing itself")]);
    const offered = output
      .join("")
      .split(" ")
      .filter((name) => !/^(?:_|Z3_)/.test(name));
    const listed = /"""\n([^"]*)"""\.split/.exec(
      await readFile("python/verdict_runner/languages/z3/names.py", "utf8"),
    )?.[1];
    expect(offered.toSorted()).toEqual(listed?.trim().split(/\s+/).toSorted());
  });

  it("solves SEND + MORE = MONEY", async () => {
    const model = await valuesOf(
      "letters = S, E, N, D, M, O, R, Y = Ints('S E N D M O R Y')",
      "[And(0 <= each, each <= 9) for each in letters]",
      "And(S > 0, M > 0, Distinct(letters))",
      "def number(*digits):\n    value = 0\n    for each in digits:\n        value = 10 * value + each\n    return value",
      "number(S, E, N, D) + number(M, O, R, E) == number(M, O, N, E, Y)",
    );
    expect(model).toEqual({ S: 9, E: 5, N: 6, D: 7, M: 1, O: 0, R: 8, Y: 2 });
  });
});
