import { describe, expect, it } from "vitest";
import * as z from "zod/v4";
import { fixture } from "../support/fixture.ts";
import { openMiniZincOnce, quickest_minizinc } from "../support/minizinc.ts";
import { has_python, openModels, shareModels } from "../support/models.ts";

/** A conflict in a loop: its line, and for which day and person. */

const people = "people = ['Anna', 'Ben', 'Cat', 'Dan']\nneed = [2, 2, 2, 2, 4, 2, 2]\n";
const away = "for p, d in [('Anna', 4), ('Ben', 2)]:\n";

const programs: Readonly<Record<string, string>> = {
  z3: `${people}x = {(p, d): Bool(f'{p}_{d}') for p in people for d in range(7)}
s = Solver()
def cover(d):
    s.add(Sum([If(x[p, d], 1, 0) for p in people]) >= need[d])
for d in range(7):
    cover(d)
${away}    s.add(Not(x[p, d]))
s.check()
`,
  ortools: `from ortools.sat.python import cp_model
m = cp_model.CpModel()
${people}x = {(p, d): m.new_bool_var(f'{p}_{d}') for p in people for d in range(7)}
for d in range(7):
    m.add(sum(x[p, d] for p in people) >= need[d])
${away}    m.add(x[p, d] == 0)
cp_model.CpSolver().solve(m)
`,
  cpmpy: `import cpmpy as cp
${people}x = cp.boolvar(shape=(4, 7), name='x')
m = cp.Model()
for d in range(7):
    m += cp.sum(x[:, d]) >= need[d]
${away}    m += x[people.index(p), d] == 0
m.solve()
`,
};

const mathopt = `from ortools.math_opt.python import mathopt
m = mathopt.Model()
need = {'Mon': 3, 'Tue': 9}
x = {day: m.add_variable(lb=0, ub=20) for day in need}
for day in need:
    m.add_linear_constraint(x[day] <= 5)
for day in need:
    m.add_linear_constraint(x[day] >= need[day], name='need of ' + day)
mathopt.solve(m, mathopt.SolverType.HIGHS)
`;

describe.skipIf(!has_python)("a conflict of a Python model names the case", () => {
  const models = fixture(shareModels);

  const casesOf = async (language: string, program: string, options = {}) => {
    const answer = await models.solve(language, [program], 60_000, options);
    expect(answer.status).toBe("unsat");
    return answer;
  };
  const both = [expect.objectContaining({ cases: ["d = 4"] }), expect.objectContaining({ cases: ["p = Anna, d = 4"] })];

  it.each(Object.keys(programs))("of the loops around the constraint in %s, and of why", async (language) => {
    const answer = await casesOf(language, programs[language] ?? "", { why: true });
    expect(answer["unsat_items"]).toEqual(both);
    expect(answer["why"]).toMatchObject({
      core: both,
      core_minimal: true,
      drop: [{ items: [{ cases: ["d = 4"] }] }, { items: [{ cases: ["p = Anna, d = 4"] }] }],
    });
  });

  it("of a clause in pysat", async () => {
    const program =
      "from pysat.solvers import Solver\ns = Solver()\nfor i in range(1, 6):\n    s.add_clause([i, i + 1])\nfor k in [2, 3]:\n    s.add_clause([-k])\ns.solve()\n";
    const { why } = await casesOf("pysat", program, { why: true });
    const shown = ["i = 2", "k = 2", "k = 3"].map((each) => expect.objectContaining({ cases: [each] }));
    expect(why).toMatchObject({ core: expect.arrayContaining(shown) });
  });

  it("with values that the line itself sees: a parameter hides the loop variable of its caller", async () => {
    const program =
      "x = Int('x')\ns = Solver()\ndef above(low):\n    s.add(x > low)\nfor low in (1, 5):\n    above(low * 2)\ns.add(x < 3)\ns.check()\n";
    const { unsat_items } = await casesOf("z3", program);
    expect(unsat_items).toEqual([{ item: 0, line: 4, text: "s.add(x > low)" }, expect.objectContaining({ line: 7 })]);
  });

  it("by the author's own names", async () => {
    const named = (program: string, from: string, to: string) => program.replace(from, to);
    const ortools = named(
      programs["ortools"] ?? "",
      "m.add(x[p, d] == 0)",
      "m.add(x[p, d] == 0).with_name(f'{p} is away')",
    );
    expect((await casesOf("ortools", ortools))["unsat_items"]).toMatchObject([{}, { cases: ["Anna is away"] }]);
    const cpmpy = named(
      programs["cpmpy"] ?? "",
      "    m += x[people.index(p), d] == 0",
      "    c = x[people.index(p), d] == 0\n    c.set_description(p + ' is away')\n    m += c",
    );
    expect((await casesOf("cpmpy", cpmpy))["unsat_items"]).toMatchObject([{}, { cases: ["Anna is away"] }]);
    const z3 = named(programs["z3"] ?? "", "s.add(Not(x[p, d]))", "s.assert_and_track(Not(x[p, d]), f'{p} is away')");
    expect((await casesOf("z3", z3))["unsat_items"]).toMatchObject([{}, { cases: ["Anna is away"] }]);
    expect((await casesOf("ortools", mathopt))["unsat_items"]).toMatchObject([
      { cases: ["day = Tue"] },
      { cases: ["need of Tue"] },
    ]);
  });

  it("with an enum, a tuple and a dict as the loop variable, and not with a value that the program makes", async () => {
    const program = `from enum import Enum
class Day(Enum):
    MON = 1
    TUE = 2
class Shift:
    def __repr__(self):
        return 'not asked'
x = Int('x')
s = Solver()
for day in Day:
    for low, shift in [(day.value, Shift())]:
        s.add(x > low)
for person in [{'name': 'Anna', 'most': 1}]:
    s.add(x <= person['most'])
s.check()
`;
    expect((await casesOf("z3", program))["unsat_items"]).toMatchObject([
      { cases: [expect.stringMatching(/^day = (MON|TUE), low = [12]$/)] },
      { cases: ["person = {'name': 'Anna', 'most': 1}"] },
    ]);
  });
});

describe("a conflict of a MiniZinc model names the case", () => {
  const bench = openMiniZincOnce()(quickest_minizinc);
  const roster = `enum PERSON; set of int: DAY = 1..7; array[DAY] of int: need = [2, 2, 2, 4, 2, 2, 2];
array[int] of PERSON: who; array[int] of DAY: day;
array[PERSON, DAY] of var 0..1: works;
`;
  const data = { PERSON: ["Ann", "Ben", "Cat", "Dan"], who: ["Ann", "Ben"], day: [4, 2] };
  const demand = "constraint forall(d in DAY)(sum(p in PERSON)(works[p, d]) >= need[d]);\n";
  const absence =
    "constraint forall(p in PERSON, i in index_set(who), d in DAY where who[i] = p /\\ day[i] = d)(works[p, d] = 0);\n";

  const conflictOf = async (text: string, options = {}) => {
    const answer = await bench.solve([text], { ...(text.startsWith(roster) && { data }), ...options });
    expect(answer["status"]).toBe("unsat");
    return answer;
  };
  const casesOf = async (text: string) => {
    const { unsat_items } = await conflictOf(text);
    return z
      .array(z.looseObject({ cases: z.array(z.string()).optional() }))
      .parse(unsat_items)
      .map(({ cases }) => cases);
  };

  it("of the loops of the constraint, with members of enums out of the data, and of why", async () => {
    const answer = await conflictOf(roster + demand + absence, { why: true });
    const both = [{ cases: ["d = 4"] }, { cases: ["p = Ann, i = 1, d = 4"] }];
    expect(answer["unsat_items"]).toMatchObject(both);
    expect(answer["why"]).toMatchObject({
      core: both,
      core_minimal: true,
      drop: both.map((each) => ({ items: [each], proved: "smallest" })),
      drop_complete: true,
    });
  });

  it("by the author's own names, and by the values of the loops inside of the named one", async () => {
    const named = (name: string, body: string) => `constraint forall(d in DAY)((${body}) :: ${name});\n`;
    const sum = "sum(p in PERSON)(works[p, d]) >= need[d]";
    const absent = `constraint :: "absence" forall(i in index_set(who))(forall(d in {day[i]})(works[who[i], d] = 0));\n`;
    expect(await casesOf(roster + named('constraint_name("need day \\(d)")', sum) + absent)).toEqual([
      ["need day 4"],
      ["absence, i = 1, d = 4"],
    ]);
    expect(
      await casesOf(roster + named('"need \\(d)"', sum) + 'constraint :: "Ann is away" works[who[1], 4] = 0;'),
    ).toEqual([["need 4"], ["Ann is away"]]);
  });

  it("where MiniZinc can list the cases, and else the line alone", async () => {
    const loops = `array[1..3] of var 0..9: y;
constraint forall(each in y)(each < 5);
constraint forall([y[i] >= 2 * i | i in 1..3]);
constraint forall(i, j in 1..3 where i < j /\\ y[i] > 9)(y[j] > 9);`;
    expect(await casesOf(loops)).toEqual([undefined, ["i = 3"]]);
  });

  it("in a conflict of the named lines alone", async () => {
    const lines = "constraint y[3] < 4;\nconstraint y[3] < 5;\nconstraint forall(i in 1..3)(y[i] >= 2 * i);";
    const { unsat_items } = await conflictOf(`array[1..3] of var 0..9: y;\n${lines}`);
    expect(unsat_items).toMatchObject([{ line: 3 }, { line: 4, cases: ["i = 3"] }]);
  });

  it("and of what keeps the objective from being better", async () => {
    const loops =
      "array[1..4] of var 0..9: y; constraint forall(i in 1..4)(y[i] <= 2 * i); solve maximize min([y[2], y[3]]);";
    const answer = await bench.solve([loops], { why: true });
    expect(answer["why"]).toMatchObject({ core: [{ cases: ["i = 2"] }], drop: [{ items: [{ cases: ["i = 2"] }] }] });
  });
});

describe("a conflict of answer sets names the case", () => {
  const models = fixture(() => openModels({ env: { VERDICT_CLINGO: "wasm" } }));

  const solve = async (program: string) => {
    const answer = await models.solve("asp", [program], 60_000, { why: true });
    expect(answer.status).toBe("unsat");
    return answer;
  };

  it("of the variables of a constraint, and of why", async () => {
    const answer = await solve(`person(ann; ben; cat; dan). day(1..7). need(D, 2) :- day(D), D != 4. need(4, 4).
away(ann, 4). away(ben, 2). { works(P, D) : person(P) } :- day(D).
:- need(D, N), S = #count { P : works(P, D) }, S < N.
:- away(P, D), works(P, D). :- works(dan, D), works(P, D), P != dan, D > 8.`);
    const both = [{ cases: ["D = 4, N = 4"] }, { cases: ["P = ann, D = 4"] }];
    expect(answer["unsat_items"]).toMatchObject(both);
    expect(answer["why"]).toMatchObject({
      core: both,
      core_minimal: true,
      drop: both.map((each) => ({ items: [each], proved: "smallest" })),
    });
  });

  it("of a rule, with texts and tuples, and in a conflict of the named statements alone", async () => {
    const answer = await solve('d("a,b)"; (1, x); c). p(X) :- not p(X), d(X), X != c, X != "a,b)".\n:- d(c), not q.');
    expect(answer["unsat_items"]).toMatchObject([{ cases: ["X = (1,x)"] }]);
    const three = await solve(
      "{ y(1..3, 0..9) }. :- y(3, V), V > 3. :- y(3, V), V > 4.\n:- I = 1..3, not y(I, 5 + I).",
    );
    expect(three["unsat_items"]).toMatchObject([{ line: 1 }, { line: 2, cases: ["I = 3"] }]);
  });
});
