import { describe, expect, it } from "vitest";
import { Fault } from "../../src/kernel/fault.ts";
import { crashFault } from "../../src/tools/model/languages/minizinc/faults.ts";
import { limitNote, nextStep } from "../../src/tools/model/languages/minizinc/remarks.ts";
import { withEnoughTime } from "../support/enough_time.ts";
import { openMiniZincOnce } from "../support/minizinc.ts";

describe("a solver that does not have what a model needs", () => {
  const bench = openMiniZincOnce()("wasm");

  const faultOf = async (item: string, args: Record<string, unknown> = {}) => {
    const thrown: unknown = await bench.solveAtOnce([item], args).catch((error: unknown) => error);
    if (!(thrown instanceof Fault)) throw new Error(`no fault but ${JSON.stringify(thrown)}`);
    return thrown;
  };

  it("gives way to one that has it, when none was named", async () => {
    const answer = await bench.solveAtOnce(["var 0..10: n; constraint pow(2, n) = 64;"]);
    expect(answer).toMatchObject({ status: "sat", model: { n: 6 } });
  });

  it("is not to be left out by a caller who named none: there is a step for that, too", () => {
    for (const message of [
      "cannot handle constraint: float_lin_lt",
      "cannot handle constraint: int_pow",
      "not supported",
    ]) {
      const { steps } = crashFault(message, "exit code 1", "gecode");
      expect(steps[0]).toMatch(/^if the call names a solver, remove it/);
      expect(steps.length).toBeGreaterThan(1);
    }
  });

  it("is never recommended in its own fault", async () => {
    const fault = await faultOf("var 0..10: n; constraint pow(2, n) = 64;", { solver: "gecode" });
    expect(fault.remedy).not.toContain("gecode");
    expect(fault.remedy).toContain("remove it: Verdict then chooses one");
  });

  it("has ceil of variables after other functions of the library were read, and a way without it", async () => {
    const ceil = "var 0.0..10.0: x; var 0..20: n; constraint n = ceil(x); constraint x = 2.5;";
    // The embedded compiler would mix up names of its library, had it the memory of the runs before.
    await faultOf("var 0.0..10.0: x; constraint exp(x) = 2.0;");
    await faultOf("var 0.0..3.0: x; constraint sin(x) > 0.9; solve maximize x;");
    expect(await bench.solveAtOnce([ceil])).toMatchObject({ status: "sat", model: { n: 3 } });
    const rounded = "var 0.0..10.0: x; var 0..20: n; constraint n - 1 < x /\\ x <= n; constraint x = 2.5;";
    expect(await bench.solveAtOnce([rounded])).toMatchObject({ status: "sat", model: { n: 3 } });
  });

  it("names only solvers that are there for one that crashed, and others for one without a solution at its limit", async () => {
    const suspicion = { doubt: [], position: undefined, installed: ["gecode", "highs"] };
    const { remedy } = crashFault("", "exit code 139", "gecode", suspicion);
    expect(remedy).toContain("name another solver: highs");
    expect(remedy).not.toContain("chuffed");
    expect(crashFault("", "exit code 139", "compiler").remedy).not.toContain("another solver");
    const pigeons =
      "array[1..13] of var 1..12: hole; constraint forall(i, j in 1..13 where i < j)(hole[i] != hole[j]); solve satisfy;";
    const answer = await withEnoughTime(
      (timeout_ms) => bench.solveAtOnce([pigeons], { timeout_ms, solver: "gecode" }),
      ({ status, warnings }) => status !== "timeout" || String(warnings).includes("Another solver"),
      1_000,
    );
    expect(answer).toMatchObject({ status: "timeout" });
    expect(String(answer.warnings)).toMatch(/Another solver might do better: "(cp-sat|chuffed|highs)"/);
  });

  it("sends a linear model and a schedule to CP-SAT, at the limit of the one that was named", async () => {
    const linear =
      "array[1..40] of var 0..9: x; constraint sum(i in 1..40)((17*i mod 41 + 3)*x[i]) <= 777; solve maximize sum(i in 1..40)((23*i mod 47 + 5)*x[i]);";
    const schedule =
      "array[1..14] of var 0..200: s; var 0..200: end; constraint forall(i, j in 1..14 where i < j)(s[i] + 1 + (7*i) mod 11 <= s[j] \\/ s[j] + 1 + (7*j) mod 11 <= s[i]); constraint forall(i in 1..14)(s[i] + 1 + (7*i) mod 11 <= end); solve minimize end;";
    for (const model of [linear, schedule]) {
      const remark = 'Another solver might do better: "cp-sat"';
      // Its process is killed, so that the next call begins with the start of another one: that time counts, too.
      await bench.solveAtOnce([model], { timeout_ms: 20, solver: "gecode" });
      const { warnings } = await withEnoughTime(
        (timeout_ms) => bench.solveAtOnce([model], { timeout_ms, solver: "gecode" }),
        (answer) => answer.status === "sat" && String(answer.warnings).includes(remark),
        1_000,
        4,
      );
      expect(String(warnings)).toContain(remark);
    }
  });

  it("names CP-SAT among the solvers if one is asked for that is not there", async () => {
    expect((await faultOf("var 1..3: x;", { solver: "cplex" })).remedy).toContain("choose from: cp-sat, gecode");
  });

  it("has a next step where all solvers ran until the limit", () => {
    const step = nextStep([], false);
    expect(limitNote("time", true, step)).toMatch(
      /better ones may exist\. All solvers .* ran: raise timeout_ms, or .*cpmpy/,
    );
    // CPMpy has no reals.
    expect(nextStep([], true)).toMatch(/raise timeout_ms, or scale the reals .* z3/);
    expect(nextStep([], true)).not.toContain("cpmpy");
    expect(nextStep(["highs"], true)).toBe('Another solver might do better: "highs".');
  });

  it("has steps on the words of native solvers, too", () => {
    const { steps } = crashFault("Error: Registry: Constraint float_pow not found", "exit code 1", "gecode");
    expect(steps[0]).toMatch(/^if the call names a solver, remove it/);
    expect(crashFault("Segmentation fault", "exit code 139", "chuffed").steps[0]).toContain("tight bounds");
  });

  it("sends products of reals from highs to no linear solver", async () => {
    const fault = await faultOf("var 0.0..9.0: x; var 0.0..9.0: y; constraint x*y = 3.0;", { solver: "highs" });
    expect(fault.steps[0]).toMatch(/^use solver "gecode", which multiplies reals, or leave solver out/);
    expect(fault.remedy).toContain("language z3");
    expect(fault.remedy).not.toMatch(/solver "(?!gecode")|check that line/);
  });

  it("is not named for reals that it does not have, in the remarks on what another one found", async () => {
    const plan =
      "var 0.0..9.0: x; var 0.0..9.0: y; constraint 2*x + y <= 9.5; constraint x + 3*y <= 9; solve maximize 4*x + 3*y;";
    const { warnings } = await withEnoughTime(
      (timeout_ms) => bench.solveAtOnce([plan], { timeout_ms, solver: "gecode" }),
      ({ status }) => status === "sat",
      1_000,
      4,
    );
    expect(String(warnings)).toMatch(/Another solver might do better: "highs"/);
    expect(String(warnings)).toMatch(/gecode computes with rounded floats/);
    expect(String(warnings)).not.toContain("chuffed");
  });
});
