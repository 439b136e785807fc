import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { readConfig } from "../../src/config.ts";
import { Session } from "../../src/engines/smt/session.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { race } from "../../src/tools/smtlib/engines/race.ts";
import { planRun } from "../../src/tools/smtlib/plan.ts";
import { readScript } from "../../src/tools/smtlib/script/script.ts";
import { rightAnswers } from "../support/differential.ts";
import { type Bench, openBench, quickest_z3 } from "../support/engines.ts";
import { type FakeSolvers, openFakes } from "../support/fakes.ts";
import { faultIn } from "../support/faults.ts";
import { pythonData, real_setup_ms_max } from "../support/python.ts";
import { agreeing } from "../support/random_smt.ts";

let bench: Bench;
let fakes: FakeSolvers;
let data: string;
const open_benches: Bench[] = [];

beforeAll(async () => {
  data = await pythonData("smt");
  bench = openBench(quickest_z3, undefined, { VERDICT_DATA: data });
  fakes = openFakes();
}, real_setup_ms_max);
afterEach(() => {
  for (const { engines } of open_benches.splice(0)) engines.close();
  vi.restoreAllMocks();
});
afterAll(() => {
  bench.engines.close();
  fakes.remove();
});

/** A bench on which some engines are fakes, which misbehave as their names say. */
function withFakes({ z3, cvc5, bitwuzla }: { z3?: string; cvc5?: string; bitwuzla?: string }): Bench {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const made = openBench(z3 === undefined ? quickest_z3 : fakes.path(z3), undefined, {
    VERDICT_DATA: data,
    ...(cvc5 !== undefined && { VERDICT_CVC5: fakes.path(cvc5) }),
    ...(bitwuzla !== undefined && { VERDICT_BITWUZLA: fakes.path(bitwuzla) }),
  });
  open_benches.push(made);
  return made;
}

const solve = (smtlib: string, args: Record<string, unknown>, on = bench) =>
  on.call("solve_smtlib", { smtlib, ...args });

const faultOf = (smtlib: string, args: Record<string, unknown>, on = bench) => faultIn(solve(smtlib, args, on));

const nonlinear_real = "(declare-const x Real)(assert (= (* x x) 2))(assert (> x 0))";
const bits = `(declare-const x (_ BitVec 16))(declare-const y (_ BitVec 16))
(assert (= (bvmul x y) #xec4b))(assert (bvugt x #x0001))(assert (bvugt y #x0001))
(assert (bvult x #x0100))(assert (bvult y #x0100))`;

describe("the engine that is named answers", () => {
  it.each(["cvc5", "bitwuzla"])("%s decides bit-vectors, with a model that holds", async (engine) => {
    const answer = await solve(`(set-logic QF_BV)${bits}(check-sat)(get-value (x y (bvmul x y)))`, { engine });
    expect(answer).toMatchObject({ status: "sat", warnings: [] });
    expect(answer["engine"]).toMatch(new RegExp(`^${engine} \\d+\\.\\d+\\.\\d+ \\(python\\)$`));
    const { x, y } = answer["model"] as Record<string, string>;
    const value = (text = "") => Number(text.replace("#", "0"));
    expect((value(x) * value(y)) % 65_536).toBe(0xec4b);
    expect(answer["transcript"]).toHaveLength(2);
  });

  it("bitwuzla leaves scopes, forgets what was declared in them, and gives cores", async () => {
    const script = `(declare-const a (_ BitVec 3))
(push 1)
(declare-const b (_ BitVec 3))
(assert (! (= b (bvadd a #b001)) :named next))
(assert (! (bvult b a) :named smaller))
(assert (! (not (= a #b111)) :named not_last))
(check-sat)
(get-unsat-core)
(push)
(pop 2)
(push 1)
(declare-const b (_ BitVec 5))
(assert (= b #b00001))
(check-sat)
(get-value (b))
(pop)
(assert (= a #b010))
(check-sat-assuming ((= a #b011)))
(check-sat)`;
    const { transcript } = await solve(script, { engine: "bitwuzla" });
    const words = (transcript as { output: string }[]).map(({ output }) => output.replaceAll(/\s+/g, " ").trim());
    expect(words[1]?.split(/[( )]+/).toSorted()).toEqual(["", "", "next", "not_last", "smaller"]);
    expect(words.toSpliced(1, 1)).toEqual(["unsat", "sat", "((b #b00001))", "unsat", "sat"]);
    const below = await faultOf("(push 1)\n(pop 2)\n(check-sat)", { engine: "bitwuzla" });
    expect(below).toMatchObject({ code: "input_rejected", position: { line: 2 } });
    expect(await solve(script, { engine: "all" })).toMatchObject({
      confirmed_by: [expect.stringMatching(/^bitwuzla /), expect.stringMatching(/^cvc5 /)],
    });
  });

  it("bitwuzla finds the solution of a sum of shifts: shifted twice by 4 or more there is nothing left", async () => {
    const script = "(declare-const v (_ BitVec 4))(assert (= #x0 (bvadd (bvshl (bvshl #xf v) v) (bvshl #xf v))))";
    expect(await solve(script, { engine: "bitwuzla" })).toMatchObject({ status: "sat", warnings: [] });
  });

  it("bitwuzla reads floats that are written as decimals", async () => {
    const between = (least: string, most: string) =>
      `(set-logic QF_FP)(define-fun float ((x (_ FloatingPoint 8 24))) Bool (and (fp.lt ((_ to_fp 8 24) RNE ${least}) x)
        (fp.lt x ((_ to_fp 8 24) RNE ${most}))))(declare-const x (_ FloatingPoint 8 24))(assert (float x))(check-sat)`;
    const both = { confirmed_by: [expect.stringMatching(/^bitwuzla /), expect.stringMatching(/^cvc5 /)] };
    expect(await solve(between("0.1", "0.2"), { engine: "all" })).toMatchObject({ status: "sat", ...both });
    // The two round to the same float.
    expect(await solve(between("0.1", "0.100000001"), { engine: "all" })).toMatchObject({ status: "unsat", ...both });
    const negative = await faultOf(between("(- 0.1)", "0.1"), { engine: "bitwuzla" });
    expect(negative.message).toContain("Bitwuzla does not have reals");
  });

  it("cvc5 reads the theories of the standard, and Z3 confirms each model", async () => {
    const scripts = [
      "(declare-sort U 0)(declare-fun f (U) U)(declare-const a U)(declare-const b U)(assert (distinct a b (f a)))",
      '(declare-const s String)(assert (= (str.len s) 3))(assert (str.contains s "é"))',
      "(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))(declare-const l L)(assert (and ((_ is cons) l) (> (head l) 3)))",
      "(declare-const a (Array Int Int))(declare-const i Int)(assert (= (select (store a i 3) (+ i 1)) 4))",
      "(declare-const x (_ FloatingPoint 8 24))(assert (fp.isNaN x))",
      "(declare-const s (Seq Int))(assert (> (seq.len s) 2))",
      "(declare-const x Int)(declare-const y Real)(assert (> x y 2))(assert (= (/ x 2) y))",
      "(declare-const x Int)(assert (= (div x 0) 5))",
      "(declare-fun |a b| (Int) Bool)(assert (|a b| 3))(assert (not (|a b| 4)))",
    ];
    for (const script of scripts) {
      const { status, warnings, model } = await solve(script, { engine: "cvc5" });
      expect({ script, status, model: typeof model }).toEqual({ script, status: "sat", model: "object" });
      expect((warnings as string[]).filter((text) => text.includes("re-checked"))).toEqual([]);
    }
  });

  it.each(["cvc5", "bitwuzla"])(
    "Z3 confirms the model of %s where the script has options of others",
    async (engine) => {
      const script =
        "(set-option :incremental true)(set-info :origin here)(declare-const a (_ BitVec 3))(assert (= a #b101))";
      const { status, warnings } = await solve(script, { engine });
      expect({ status, warnings }).toEqual({ status: "sat", warnings: [expect.stringContaining(":incremental")] });
    },
  );

  it("cvc5 decides with functions that only it has", async () => {
    const contradictions = [
      '(declare-const s String)(assert (= (str.rev s) "abc"))(assert (= (str.len s) 4))',
      "(declare-const x Real)(assert (< 0.0 x 0.3))(assert (> (sin x) 0.5))",
      "(declare-const x Int)(declare-const S (Set Int))(assert (set.member x S))(assert (= S (set.singleton 3)))(assert (> x 3))",
    ];
    for (const script of contradictions) {
      expect({ script, ...(await solve(script, { engine: "cvc5" })) }).toMatchObject({ script, status: "unsat" });
      expect(await solve(script.slice(0, script.lastIndexOf("(assert")), { engine: "cvc5" })).toMatchObject({
        status: "sat",
      });
    }
  });

  it("cvc5 gives roots of polynomials, which Z3 confirms too", async () => {
    for (const script of [nonlinear_real, "(declare-const y Real)(assert (= (+ (* 2 y y y) (* (- 3) y)) 7))"]) {
      const { status, warnings, model } = await solve(script, { engine: "cvc5" });
      expect({ status, warnings }).toEqual({ status: "sat", warnings: [] });
      expect(JSON.stringify(model)).toContain("real_algebraic_number");
    }
  });

  it("answers several checks, with cores of names, lines and assumptions", async () => {
    const script = `(declare-const p Bool)(declare-const x Int)
(assert (! (> x 3) :named big))
(push 1)
(assert (! (< x 2) :named small))
(check-sat)
(get-unsat-core)
(pop 1)
(check-sat)
(check-sat-assuming ((< x 0)))`;
    const answer = await solve(script, { engine: "cvc5" });
    expect(answer).toMatchObject({ status: "unsat" });
    const words = (answer["transcript"] as { output: string }[]).map(({ output }) =>
      output.replaceAll(/\s+/g, " ").trim(),
    );
    expect(words).toEqual(["unsat", expect.stringMatching(/^\( (small big|big small) \)$/), "sat", "unsat"]);
    const explained = await solve("(declare-const x Int)\n(assert (> x 3))\n(assert (< x 2))\n(assert (= x x))", {
      engine: "cvc5",
      explain_unsat: true,
    });
    expect((explained["unsat_core"] as { line: number }[]).map(({ line }) => line)).toEqual([2, 3]);
    expect(explained["warnings"]).toEqual(["The core is as returned by cvc5, and might not be minimal."]);
  });

  it.each(["cvc5", "bitwuzla"])(
    "%s names the assumptions of a core, which no other assertion contradicts",
    async (engine) => {
      const script = `(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)
(assert (=> p (not q)))
(assert (! r :named holds))
`;
      const coreOf = async (assumed: string) => {
        const { status, unsat_core, warnings } = await solve(`${script}(check-sat-assuming (${assumed}))`, { engine });
        expect({ status, warnings }).toEqual({ status: "unsat", warnings: [] });
        return (unsat_core as { name: string }[]).map(({ name }) => name).toSorted();
      };
      expect(await coreOf("p q r")).toEqual(["p", "q"]);
      expect(await coreOf("p (not q) (not r)")).toEqual(["(not r)", "holds"]);
    },
  );

  it("gives a reason for unknown", async () => {
    const script = "(declare-fun f (Int) Int)(assert (forall ((x Int)) (= (f (f x)) (+ 1 (f x)))))(assert (> (f 0) 3))";
    const { status, reason } = await solve(script, { engine: "cvc5", timeout_ms: 3_000 });
    expect(status).toBe("unknown");
    expect(reason).toBeTruthy();
  });

  it("is named where Z3 was asked alone and gave up, if it can read the script", async () => {
    const open = `(declare-const s String)(assert (= (str.to_int s) 42))(assert (= (str.len s) 4))
(assert (= (str.replace_all s "0" "") "42"))(check-sat)`;
    const { status, warnings } = await solve(open, { engine: "z3" });
    expect(status).toBe("unknown");
    expect(String(warnings)).toContain('without engine ("auto") cvc5 can join in, too');
    expect((await solve(open, { engine: "cvc5" }))["status"]).toBe("sat");
  });

  it("is stopped at its limit, although it never looks at a clock", async () => {
    const script =
      "(declare-const x Int)(declare-const y Int)(assert (= (+ (* x x x) (* y y y) 4) (* 91 x y y)))(assert (> x 100000))";
    expect(await solve(script, { engine: "cvc5", timeout_ms: 1_500 })).toMatchObject({
      status: "unknown",
      reason: "timeout",
    });
  });
});

describe("what the engine that was named can't do", () => {
  it.each([
    [
      "cvc5",
      "(declare-const x Int)\n(maximize x)",
      "Line 2, column 1: cvc5 does not have `(maximize x)`",
      'engine: "z3"',
    ],
    ["cvc5", "(declare-const p Bool)\n(assert-soft p)", "`(assert-soft p)`", 'engine: "z3"'],
    ["cvc5", "(declare-const p Bool)(assert p)\n(check-sat-using smt)", "`(check-sat-using smt)`", 'engine: "z3"'],
    ["cvc5", "(declare-datatypes () ((C (red) (green))))", "declare-datatypes", 'engine: "z3"'],
    [
      "bitwuzla",
      "(declare-const x Int)(assert (> x 0))",
      "Bitwuzla does not have integers",
      'engine: "z3" or engine: "cvc5"',
    ],
    ["bitwuzla", '(declare-const s String)(assert (= s "a"))', "strings", 'engine: "cvc5"'],
  ])("%s: %s", async (engine, script, what, remedy) => {
    const fault = await faultOf(script, { engine });
    expect(fault.code).toBe("input_rejected");
    expect(fault.message).toContain(what);
    expect(fault.remedy).toContain(remedy);
  });

  it("is said at the symbol that it does not know", async () => {
    const fault = await faultOf("(declare-const x Int)\n(assert\n  (= (rem x 3) 1))", { engine: "cvc5" });
    expect(fault).toMatchObject({ code: "input_rejected", position: { line: 3, column: 7 } });
    expect(fault.message).toContain("cvc5");
    const bitwuzla = await faultOf("(declare-const x (_ BitVec 8))\n(assert\n (= x\n  (bvfoo x)))", {
      engine: "bitwuzla",
    });
    expect(bitwuzla).toMatchObject({ code: "input_rejected", position: { line: 4 } });
  });

  it("is not an engine of another name", async () => {
    expect((await faultOf("(check-sat)", { engine: "yices" })).code).toBe("invalid_argument");
  });
});

/** Two squares whose sum is not a square modulo 8; each engine says unsat at once. */
const no_square = "(declare-const x (_ BitVec 4))(assert (= (bvmul x x) #x3))";
const digits = '(declare-const s String)(assert (= (str.to_int (str.replace_all s "a" "1")) 12))';

describe("auto", () => {
  it("leaves a script to Z3 that it answers soon", async () => {
    expect((await solve(bits, {}))["engine"]).toMatch(/^z3 /);
  });

  it("has another engine answer where Z3 gives up", async () => {
    const { status, engine, warnings } = await solve(digits, {});
    expect({ status, warnings }).toEqual({ status: "sat", warnings: [] });
    expect(engine).toMatch(/^(cvc5|z3) /);
  });

  it.each(["hang", "segfault"])("goes on with the others when Z3 is one that would %s", async (z3) => {
    const { status, engine } = await solve(no_square, {}, withFakes({ z3 }));
    expect(status).toBe("unsat");
    expect(engine).toMatch(/^(cvc5|bitwuzla) /);
  });

  it("has the others answer one after the other on a machine that stays busy", async () => {
    const { engines } = withFakes({ z3: "segfault", bitwuzla: "segfault" });
    const plan = planRun(readScript(no_square), false);
    const solved = await race(
      { z3: engines.z3, others: [engines.bitwuzla, engines.cvc5] },
      { plan, explain: false, deadline: new Deadline(30_000) },
      () => true,
    );
    expect(solved).toMatchObject({
      engine: expect.stringMatching(/^cvc5 /),
      outcome: { verdict: { kind: "unsat" } },
    });
  });

  it("names the engine that may decide what Z3 leaves open, and does not join it unasked", async () => {
    const { status, warnings } = await solve(
      "(declare-const x Real)(assert (< 0.0 x 1.0))(assert (= (sin x) (* 2.0 (cos x))))",
      {},
    );
    expect(status).toBe("unknown");
    expect(warnings).toContain('cvc5 might decide it, and also supports `sin`: send engine: "cvc5".');
  });

  it("keeps a script with commands or symbols of Z3 to Z3", async () => {
    const on = withFakes({ z3: "hang", cvc5: "lies_unsat", bitwuzla: "lies_unsat" });
    const of_z3 = ["(declare-const x Int)(assert (= (rem x 3) 1))", "(set-option :smt.random_seed 3)(assert true)"];
    const answers = await Promise.all(of_z3.map((script) => solve(script, { timeout_ms: 1_400 }, on)));
    expect(answers.map(({ status }) => status)).toEqual(["unknown", "unknown"]);
  });

  it("is not spoilt by engines that die, and by models that are lies", async () => {
    const script = "(declare-const x Int)(assert (and (> x 3) (< x 2)))";
    const left_open = ["segfault", "garbage"].map(async (cvc5) => {
      const on = withFakes({ z3: "hang", cvc5, bitwuzla: "exit_0" });
      expect(await solve(script, { timeout_ms: 1_800 }, on)).toMatchObject({ status: "unknown", reason: "timeout" });
    });
    await Promise.all(left_open);
    const { status, engine, warnings } = await solve(
      "(declare-const x Int)(assert (> x 3))",
      { engine: "cvc5" },
      withFakes({ cvc5: "lies_model" }),
    );
    expect({ status, engine }).toEqual({ status: "unknown", engine: "cvc5 9.9.9 (native)" });
    expect(String(warnings)).toContain("not a verdict");
  });

  it("needs none of the other engines", async () => {
    const on = openBench(quickest_z3, undefined, { VERDICT_DATA: fakes.directory, VERDICT_PYTHON: "/no/python" });
    open_benches.push(on);
    expect(await solve("(declare-const x Int)(assert (> x 3))", {}, on)).toMatchObject({ status: "sat", warnings: [] });
    const fault = await faultOf(no_square, { engine: "bitwuzla" }, on);
    expect(fault.code).toBe("engine_missing");
    expect(fault.message).toContain("Bitwuzla is not installed");
    expect(fault.remedy).toContain("`verdict setup smt` (17 MB to download)");
    const open = await solve(digits, {}, on);
    if (open["status"] === "unknown")
      expect(String(open["warnings"])).toMatch(/cvc5 might decide it, but is not installed\. `verdict setup smt`/);
    const checked = await solve(no_square, { engine: "all" }, on);
    expect(checked).toMatchObject({ status: "unsat", unconfirmed: expect.stringContaining("cvc5 is not installed") });
  });
});

describe("all", () => {
  it("confirms what the engines agree on", async () => {
    const sat = await solve(bits, { engine: "all" });
    expect(sat["status"]).toBe("sat");
    expect(sat["confirmed_by"]).toEqual([expect.stringMatching(/^bitwuzla /), expect.stringMatching(/^cvc5 /)]);
    const unsat = await solve("(declare-const x Int)(assert (= (* 2 x) 7))", { engine: "all" });
    expect(unsat).toMatchObject({ status: "unsat", confirmed_by: [expect.stringMatching(/^cvc5 /)] });
    expect(unsat).not.toHaveProperty("unconfirmed");
  });

  it("runs no more solvers at once than there are places", async () => {
    const places = readConfig({}, process.env).solvers_at_once;
    const open = new Set<Session>();
    let most = 0;
    const { begin, discard } = Session.prototype;
    vi.spyOn(Session.prototype, "begin").mockImplementation(function (this: Session, ...args) {
      most = Math.max(most, open.add(this).size);
      return begin.apply(this, args);
    });
    vi.spyOn(Session.prototype, "discard").mockImplementation(function (this: Session) {
      open.delete(this);
      return discard.apply(this);
    });
    const stop = new AbortController();
    const endless =
      "(declare-const x Int)(declare-const y Int)(assert (= (+ (* x x x) (* y y y) 4) (* 91 x y y)))(assert (> x 100000))";
    const args = { smtlib: endless, engine: "z3", timeout_ms: 600_000 };
    const others = Array.from({ length: places - 1 }, () =>
      bench.call("solve_smtlib", args, { signal: stop.signal }).catch((error: unknown) => error),
    );
    await expect.poll(() => open.size, { timeout: 60_000 }).toBe(places - 1);
    const answer = await solve(no_square, { engine: "all", timeout_ms: 60_000 });
    stop.abort();
    await Promise.all(others);
    expect(answer["confirmed_by"]).toEqual([expect.stringMatching(/^bitwuzla /), expect.stringMatching(/^cvc5 /)]);
    expect(most).toBe(places);
  }, 180_000);

  it("says why nobody confirms", async () => {
    const optimum = await solve("(declare-const x Int)(assert (< x 9))(maximize x)", { engine: "all" });
    expect(optimum).toMatchObject({ status: "sat", unconfirmed: expect.stringContaining("`(maximize x)`") });
    expect(optimum).not.toHaveProperty("confirmed_by");
    const cvc5_dead = withFakes({ cvc5: "segfault" });
    const dead = await solve("(declare-const x Int)(assert (= (* 2 x) 7))", { engine: "all" }, cvc5_dead);
    expect(dead).toMatchObject({ status: "unsat", unconfirmed: expect.stringContaining("SIGSEGV") });
  });

  it("has a verdict of another engine where Z3 has none", async () => {
    const { status, engine } = await solve(no_square, { engine: "all" }, withFakes({ z3: "segfault" }));
    expect(status).toBe("unsat");
    expect(engine).toMatch(/^bitwuzla /);
  });

  it("makes a contradiction a fault, at whichever check", async () => {
    const on = withFakes({ cvc5: "lies_unsat" });
    const fault = await faultOf("(declare-const x Int)(assert (> x 3))", { engine: "all" }, on);
    expect(fault.code).toBe("engines_disagree");
    expect(fault.message).toMatch(/z3 \S+ \(\w+\) says sat, cvc5 9\.9\.9 \(native\) says unsat/);
    expect(fault.report()["answers"]).toHaveLength(2);
    const earlier = "(declare-const x Int)(assert (> x 3))\n(check-sat)\n(assert (< x 2))\n(check-sat)";
    expect((await faultOf(earlier, { engine: "all" }, on)).message).toContain("to check 1");
  });

  it("catches a model that is a lie before it counts as a contradiction", async () => {
    const script = "(declare-const x Int)(assert (> x 3))";
    for (const [text, status] of [
      [script, "sat"],
      [`${script}(assert (< x 2))`, "unsat"],
    ] as const) {
      const answer = await solve(text, { engine: "all" }, withFakes({ cvc5: "lies_model" }));
      expect(answer).toMatchObject({ status, unconfirmed: expect.stringContaining("does not satisfy") });
    }
  });
});

describe("random scripts", () => {
  it("are answered by cvc5 as trying all values does", async () => {
    await fc.assert(rightAnswers(bench, "cvc5"), { numRuns: 2, includeErrorInReport: true });
  });

  it("of several logics are answered alike by all engines", async () => {
    let confirmed = 0;
    const count = (more: number) => {
      confirmed += more;
    };
    // With some seeds, floats and strings take all engines their whole ten seconds: those are for the long tests.
    await fc.assert(agreeing(bench, count), { numRuns: 6, seed: 2, includeErrorInReport: true });
    expect(confirmed).toBeGreaterThan(0);
  });
});
