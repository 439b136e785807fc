import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { check } from "../../src/engines/drat/check.ts";
import { Engines } from "../../src/engines/index.ts";
import type { RunProgram } from "../../src/engines/python/index.ts";
import { asking } from "../../src/engines/smt/second.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import type { Certificate } from "../../src/tools/model/language.ts";
import { readClaim } from "../../src/tools/model/languages/python/claim.ts";
import { rechecked, type Second } from "../../src/tools/model/languages/python/confirm/recheck.ts";
import { scratchDirectory } from "../support/directories.ts";
import { type FakeSolvers, openFakes } from "../support/fakes.ts";
import { faultIn as faultOf } from "../support/faults.ts";
import { fixture } from "../support/fixture.ts";
import { compiles_quickly } from "../support/minizinc.ts";
import { has_python, type Models, openModels } from "../support/models.ts";

/** `check: true`: an unsat and an optimum are confirmed by an engine other than the first one, or it is said why not. */

const pigeons = `cnf = CNF()
v = lambda i, j: i * 4 + j + 1
cnf.extend([v(i, j) for j in range(4)] for i in range(5))
cnf.extend([-v(a, j), -v(b, j)] for j in range(4) for a, b in itertools.combinations(range(5), 2))
s = Glucose3(bootstrap_with=cnf)
export_solution({'satisfiable': s.solve()})`;

const soft = "w = WCNF()\nw.append([1, 2])\nw.append([-1], weight=2)\nw.append([-2], weight=3)";
const least = `${soft}\nr = RC2(w)\nr.compute()\nexport_solution(r)`;

const knapsack =
  "o = Optimize()\nx, y = Ints('x y')\no.add(x >= 0, y >= 0, 3 * x + 4 * y <= 14)\no.maximize(5 * x + 6 * y)";

const assumed = "p, q, x = Bool('p'), Bool('q'), Int('x')\ns = Solver()\ns.add(Implies(p, x > 5), Implies(q, x < 3))\n";

describe.runIf(has_python)("an unsat of clauses", () => {
  const proofs = scratchDirectory();
  const models = fixture(() => openModels({ env: { VERDICT_PROOFS: proofs } }));

  it("comes with a proof that our own checker accepted, kept for other checkers where that is wanted", async () => {
    const answer = await models.solve("pysat", [pigeons], undefined, { check: true });
    expect(answer).toMatchObject({
      status: "unsat",
      confirmed: true,
      confirmed_by: ["cadical195 with a checked DRAT proof"],
      certificate: { kind: "drat", checked: true, by: "cadical195", file: expect.stringMatching(/^unsat-[0-9a-f]+$/) },
    });
    // What is kept is a formula and its proof, and nothing of this machine is in the answer.
    const [cnf = "", drat = ""] = readdirSync(proofs).toSorted();
    expect([cnf, drat]).toEqual([expect.stringMatching(/\.cnf$/), expect.stringMatching(/\.drat$/)]);
    const [, ...lines] = readFileSync(join(proofs, cnf), "utf8").trim().split("\n");
    const clauses = lines.map((line) => line.split(" ").map(Number).slice(0, -1));
    expect(clauses).toHaveLength(5 + 4 * 10);
    expect(check(clauses, readFileSync(join(proofs, drat)))).toMatchObject({ verdict: "checked" });
    expect(JSON.stringify(answer)).not.toContain(proofs);
  });

  it("under assumptions has a proof of the clauses with them", async () => {
    const item =
      "s = Glucose3(bootstrap_with=[[1, 2], [1, -2], [-1, 3]])\nexport_solution({'satisfiable': s.solve(assumptions=[-3])})";
    const answer = await models.solve("pysat", [item], undefined, { check: true });
    expect(answer).toMatchObject({ status: "unsat", certificate: { checked: true } });
  });

  it("with other constraints says that there is no proof, and why", async () => {
    const item =
      "from pysat.solvers import Minicard\ns = Minicard(bootstrap_with=[[1], [2]])\ns.add_atmost([1, 2], 1)\nexport_solution({'satisfiable': s.solve()})";
    const answer = await models.solve("pysat", [item], undefined, { check: true });
    expect(answer).toMatchObject({ status: "unknown", claimed: "unsat", confirmed: false });
    expect(answer["reason"]).toContain("it has constraints other than clauses");
    expect(answer).not.toHaveProperty("confirmed_by");
  });

  it("that is none has neither: a solution is checked by itself", async () => {
    const item = "s = Glucose3(bootstrap_with=[[1, 2]])\nexport_solution({'satisfiable': s.solve()})";
    const answer = await models.solve("pysat", [item], undefined, { check: true });
    expect(answer).toMatchObject({ status: "sat", confirmed: true });
    for (const field of ["certificate", "confirmed_by", "unconfirmed"]) expect(answer).not.toHaveProperty(field);
  });

  it("and the least cost of soft clauses are confirmed by Z3, which is not a SAT solver of PySAT", async () => {
    const answer = await models.solve("pysat", [least], undefined, { check: true });
    expect(answer).toMatchObject({ optimal: true, objective_value: 2 });
    expect(answer["confirmed_by"]).toEqual([expect.stringMatching(/^z3 /)]);
  });
});

describe.runIf(has_python)("a second engine for models in Python", () => {
  const models = fixture(() => openModels({ packages: "smt" }));

  it.each([
    ["an unsat", "x, y = Ints('x y')\ns = Solver()\ns.add(3 * x + 6 * y == 7)", { status: "unsat" }],
    ["an optimum", knapsack, { optimal: true, objective_value: 22 }],
    [
      "best values in order",
      "o = Optimize()\nx, y = Ints('x y')\no.add(x + y <= 10, x >= 0, y >= 0)\no.maximize(x)\no.minimize(y)",
      { optimal: true, objective_value: [10, 0] },
    ],
    ["an optimum of bits", "o = Optimize()\nb = BitVec('b', 8)\no.add(ULT(b, 200))\no.maximize(b)", { optimal: true }],
    ["an unsat under assumptions", `${assumed}s.check(p, q)`, { status: "unsat", unsat_core: ["p", "q"] }],
    [
      "an unsat under assumptions that the program says itself, after another check",
      `${assumed}s.check()\nexport_solution(solver=s, satisfiable=s.check(p, q) == sat)`,
      { status: "unsat", message: expect.stringContaining("under the assumptions that check() was given") },
    ],
    [
      "an optimum under assumptions",
      "o = Optimize()\np, x = Bool('p'), Int('x')\no.add(Implies(p, x < 3), x < 10)\no.maximize(x)\no.check(p)",
      { optimal: true, objective_value: 2, warnings: [expect.stringContaining("under the assumptions")] },
    ],
  ])("confirms %s: cvc5", async (_what, item, found) => {
    const answer = await models.solve("z3", [item], undefined, { check: true });
    expect(answer).toMatchObject({ ...found, confirmed: true });
    expect(answer["confirmed_by"]).toEqual([expect.stringMatching(/^cvc5 /)]);
  });

  it("has nothing to say of values, which satisfy the assumptions of the only check, too", async () => {
    const answer = await models.solve("z3", [`${assumed}s.check(q)`], undefined, { check: true });
    expect(answer).toMatchObject({ status: "sat", confirmed: true, model: { q: true, p: false } });
    expect(Number(answer.model?.["x"])).toBeLessThan(3);
    expect(answer).not.toHaveProperty("unconfirmed");
  });

  it("says why it has no word: what only Z3 reads", async () => {
    const item =
      "f = Function('f', IntSort(), IntSort())\nT = TransitiveClosure(Function('r', IntSort(), IntSort(), BoolSort()))\ns = Solver()\ns.add(T(1, 2), Not(T(1, 2)))";
    const answer = await models.solve("z3", [item], undefined, { check: true });
    expect(answer).toMatchObject({ status: "unknown", claimed: "unsat" });
    expect(answer["reason"]).toContain("not confirmed");
    expect(answer).not.toHaveProperty("confirmed_by");
  });

  it("answers beside a question about all solutions, which it does not confirm", async () => {
    const asked = (language: string, items: string[], question: object) =>
      models.solve(language, items, undefined, { ...question, check: true });
    const ties = "o = Optimize()\nx, y = Ints('x y')\no.add(x >= 0, y >= 0, x + y <= 4)\no.maximize(x + y)";
    const optimum = await asked("z3", [ties], { count: true });
    expect(optimum).toMatchObject({ optimal: true, confirmed_by: [expect.stringMatching(/^cvc5 /)] });
    expect(optimum["count"]).toMatchObject({ number: 5, exact: true });
    expect(optimum.warnings).toContain("check covers only the optimum; the answer to count comes from one engine.");
    const none = await asked("z3", ["x = Int('x')", "And(x > 1, x < 2)"], { count: true });
    expect(none).toMatchObject({ count: { number: 0 }, confirmed_by: [expect.stringMatching(/^cvc5 /)] });
    const atoms = await asked("asp", ["{ a; b }. #minimize { 1,a : a }."], { count: true });
    expect(atoms).toMatchObject({ optimal: true, count: { number: 2 } });
    expect(atoms["unconfirmed"]).toContain("clingo is the only engine here");
    if (!compiles_quickly) return;
    const pairs = ["var 1..3: a; var 1..3: b;", "constraint a < b;", "solve satisfy;"];
    const unconfirmed = "check confirms an unsat and an optimum, not the answer to backbone";
    expect(await asked("minizinc", pairs, { backbone: true })).toMatchObject({
      ...{ status: "sat", backbone: { free: ["a", "b"] }, unconfirmed },
    });
  });

  it("says so where the language has none, of what would need one", async () => {
    const unconfirmed = expect.stringContaining("clingo is the only engine here that reads answer-set programs");
    const ask = (program: string, options = {}) =>
      models.solve("asp", [program], undefined, { check: true, ...options });
    expect(await ask("a :- not a.")).toMatchObject({ status: "unsat", unconfirmed });
    expect(await ask("{ a; b } = 1. #minimize { 2 : a }.")).toMatchObject({ optimal: true, unconfirmed });
    expect(await ask("a :- not b. b :- not a.")).not.toHaveProperty("unconfirmed");
  });
});

describe.runIf(has_python)("a second engine that misbehaves", () => {
  let fakes: FakeSolvers;
  beforeAll(() => {
    fakes = openFakes();
  });
  afterAll(() => fakes.remove());
  const unsat = "x = Int('x')\ns = Solver()\ns.add(x > 5, x < 3)";

  async function on<Result>(env: Record<string, string>, work: (models: Models) => Promise<Result>): Promise<Result> {
    const models = await openModels({ env });
    try {
      return await work(models);
    } finally {
      models.close();
    }
  }

  it.each([
    ["VERDICT_CVC5", "z3", knapsack, "there is a better value", "22 is optimal"],
    ["VERDICT_Z3", "pysat", least, "there is a better value", "2 is optimal"],
  ])(
    "by a lie (%s, %s) makes a fault of the answer, which says what each said",
    async (name, language, item, lie, truth) => {
      const call = on({ [name]: fakes.path("lies") }, (models) =>
        models.solve(language, [item], undefined, { check: true }),
      );
      const fault = await faultOf(call);
      expect(fault.code).toBe("engines_disagree");
      expect(fault.message).toContain(`${language} says ${truth}`);
      expect(fault.report()).toMatchObject({ answers: [{ answer: truth }, { answer: lie }] });
    },
  );

  it.each([
    ["segfault", 60_000, /exited without an answer/],
    ["garbage", 60_000, /did not decide it/],
    ["exit_0", 60_000, /exited without an answer/],
    ["hang", 600, /in the remaining time|ran out/],
  ])("by %s has no word, and says why", async (behaviour, ms, why) => {
    const engines = new Engines(readConfig({}, { ...process.env, VERDICT_CVC5: fakes.path(behaviour) }));
    try {
      const opinion = await asking(engines.cvc5)(["(declare-const x Int)\n(assert (> x 5))"], new Deadline(ms));
      expect(opinion).toEqual({ kind: "undecided", why: expect.stringMatching(why) });
    } finally {
      engines.close();
    }
  });

  it("leaves the answer as it was", async () => {
    const answer = await on({ VERDICT_CVC5: fakes.path("segfault") }, (models) =>
      models.solve("z3", [unsat], undefined, { check: true }),
    );
    expect(answer).toMatchObject({
      status: "unsat",
      confirmed: true,
      unconfirmed: expect.stringContaining("cvc5 exited"),
    });
    expect(answer).not.toHaveProperty("confirmed_by");
  });
});

describe("a second process of PySAT", () => {
  const evidence = { hard: [[1], [-1]], soft: [], weights: [], assumptions: [], model: null, exported: [], cost: null };
  const claim = readClaim({
    ...{ status: "unsat", statistics: {}, warnings: [], model: null, objective_value: null, optimal: null },
    evidence,
  });
  const certificate = (given: Partial<Certificate>) => async () =>
    ({ kind: "drat", checked: false, ...given }) as const;

  /** Judges an unsat with a process that answers so, once for each question. */
  function judged(answers: readonly unknown[], second: Second) {
    const left = [...answers];
    const run: RunProgram = async () => ({
      ...{ end: { kind: "result", result: left.shift() }, printed: "", versions: {} },
    });
    return rechecked(run, "pysat", claim, new Deadline(10_000), { check: true, ...second });
  }

  const silent = async () => ({ kind: "undecided", why: "it sleeps" }) as const;

  it("whose proof is refused confirms nothing", async () => {
    const result = await judged([{ verdict: "confirmed", proof: { by: "liar", drat: "AAAA" } }], {
      ask: silent,
      certify: certificate({ by: "liar", is_refused: true, reason: "step 1 adds too much" }),
    });
    expect(result).toMatchObject({ confirmed: false, certificate: { checked: false } });
    const reason = "The proof of liar is wrong: step 1 adds too much.";
    expect(result.verdict).toMatchObject({ kind: "undecided", reason, claimed: { kind: "unsat" } });
    expect(result.confirmed_by).toBeUndefined();
  });

  it("that questions what an answer is about lets no proof confirm it", async () => {
    const doubted = { ...claim, unconfirmed: "This unsat belongs to an earlier question." };
    const run: RunProgram = async () => ({
      end: { kind: "result", result: { verdict: "confirmed", proof: { by: "cadical195", drat: "AAAA" } } },
      ...{ printed: "", versions: {} },
    });
    const second: Second = { check: true, ask: silent, certify: async () => ({ kind: "drat", checked: true }) };
    const result = await rechecked(run, "pysat", doubted, new Deadline(10_000), second);
    expect(result.verdict).toMatchObject({ kind: "undecided", reason: "This unsat belongs to an earlier question." });
    expect(result.confirmed).toBe(false);
    expect(result.confirmed_by).toBeUndefined();
  });

  it("whose proof is too large leaves the word to a solver of another family", async () => {
    const without = { verdict: "confirmed", proof: { open: "the proof is too large" } };
    const second = { ask: silent, certify: certificate({ reason: "the proof is too large" }) };
    expect(await judged([without, { verdict: "confirmed", by: ["glucose4"] }], second)).toMatchObject({
      confirmed: true,
      confirmed_by: ["glucose4"],
    });
    expect(await judged([without, { verdict: "open", reason: "the time ran out" }], second)).toMatchObject({
      confirmed: true,
      unconfirmed: "the time ran out",
    });
    const lies = { verdict: "refuted", reason: "its clauses are satisfiable", by: ["glucose4"] };
    expect(await faultOf(judged([without, lies], second))).toMatchObject({ code: "engines_disagree" });
  });
});
