import { describe, expect, it } from "vitest";
import type { Build, RunTask } from "../../src/engines/minizinc/index.ts";
import type { TaskEnd } from "../../src/engines/minizinc/task.ts";
import { decisionOf } from "../../src/evidence/minizinc/decide.ts";
import { type Accepted, Judge } from "../../src/evidence/minizinc/judge.ts";
import { ask } from "../../src/evidence/minizinc/question.ts";
import { secondOpinion } from "../../src/evidence/minizinc/second.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { type Finding, open } from "../../src/kernel/evidence.ts";
import { Fault } from "../../src/kernel/fault.ts";
import { type Call, readModel } from "../../src/tools/model/languages/minizinc/model.ts";
import { Solve } from "../../src/tools/model/languages/minizinc/solve.ts";
import { openBench, quickest_z3 } from "../support/engines.ts";
import { fixture } from "../support/fixture.ts";
import { shareModels } from "../support/models.ts";

/** `check: true` in MiniZinc: a solver of another kind comes to the same, or it is said why none did. */

describe("an answer of MiniZinc that is to be checked", () => {
  const models = fixture(shareModels);
  // In one text, which is checked once.
  const solve = (lines: readonly string[], options: Record<string, unknown> = {}) =>
    models.solve("minizinc", [lines.join("\n")], undefined, { check: true, ...options });

  it("is confirmed by a solver of another kind: an optimum", async () => {
    const items = [
      "array[1..3] of var 0..9: x;",
      "constraint x[1] + 2*x[2] + 3*x[3] <= 17;",
      "constraint x[1] != x[2];",
    ];
    const answer = await solve([...items, "solve maximize 3*x[1] + 4*x[2] + 5*x[3];"], { solver: "gecode" });
    expect(answer).toMatchObject({ optimal: true, confirmed_by: [expect.stringMatching(/^(?:cp-sat|chuffed)$/)] });
    expect(answer).not.toHaveProperty("unconfirmed");
  });

  it("is confirmed by a solver of another kind: an unsat, which still names its lines", async () => {
    const items = [
      "var 1..9: x; var 1..9: y;",
      "constraint x * y = 35;",
      "constraint x + y < 12;",
      "constraint x != 9;",
    ];
    const answer = await solve(items, { solver: "chuffed" });
    expect(answer).toMatchObject({ status: "unsat", confirmed_by: [expect.stringMatching(/^(?:cp-sat|gecode)$/)] });
    expect(answer["unsat_items"]).toMatchObject([{ line: 2 }, { line: 3 }]);
  });

  it("is confirmed by Z3 where no solver is trusted: reals", async () => {
    const items = ["var 0.0..9.0: x; var 0.0..9.0: y;", "constraint x + 2.0*y <= 7.5;", "solve maximize x + y;"];
    const answer = await solve(items);
    expect(answer).toMatchObject({ optimal: true, confirmed_by: ["z3"] });
  });

  it("is left alone where it claims nothing about all values", async () => {
    const answer = await solve(["var 1..9: x;", "constraint x > 3;"]);
    expect(answer.status).toBe("sat");
    for (const field of ["confirmed_by", "unconfirmed"]) expect(answer).not.toHaveProperty(field);
    const all = await solve(["var 1..3: x;", "constraint x > 1;"], { all_solutions: true });
    expect(all["unconfirmed"]).toContain("not that a list is complete");
  });

  it("is not confirmed where the compiler alone found it", async () => {
    const answer = await solve(["var 1..3: x;", "constraint x > 5;"]);
    expect(answer.status).toBe("unsat");
    expect(answer["unconfirmed"]).toContain("MiniZinc's compiler decided it before any solver ran");
  });
});

/** What a scripted solver finds, and how it ends. */
interface Behaviour {
  readonly finds?: readonly number[];
  readonly ends: "OPTIMAL_SOLUTION" | "UNSATISFIABLE" | "crash" | "refusal" | "hangs";
  /** What its library makes of the model. */
  readonly compiled?: string;
}

const compiled = "var 0..9: x:: output_var;\nconstraint int_lin_le([1],[x],7);\nsolve maximize x;\n";
const build: Build = {
  kind: "wasm",
  version: "2.10.0",
  why: "",
  command: "",
  solvers: ["gecode", "chuffed"].map((id) => ({ id, names: [id] })),
};
const no_z3 = {
  run: async () => {
    throw new Error("Z3 was not to be asked");
  },
};

/** Runs in which solvers behave so. */
function scripted(script: Record<string, Behaviour>): RunTask {
  return async ({ args }, own, onLine): Promise<TaskEnd> => {
    const exited = (code: number, stderr = "", fzn = compiled): TaskEnd => ({
      ending: { kind: "exited", code },
      stderr,
      kept_files: { "model.fzn": fzn },
    });
    if (args.includes("--compile")) return exited(0);
    const {
      finds = [],
      ends,
      compiled: own_fzn,
    } = script[args[args.indexOf("--solver") + 1] ?? ""] ?? { ends: "hangs" };
    for (const x of finds)
      onLine(JSON.stringify({ type: "solution", output: { json: { x, _objective: x } }, sections: [] }));
    if (ends === "crash") return { ...exited(0), ending: { kind: "signalled", signal: "SIGSEGV" } };
    if (ends === "refusal") return exited(1, "Constraint fzn_x not found");
    if (ends === "hangs") {
      await new Promise((resolve) => setTimeout(resolve, own.left_ms));
      return { ...exited(0), ending: { kind: "stopped", why: "deadline" } };
    }
    onLine(JSON.stringify({ type: "status", status: ends }));
    return exited(0, "", own_fzn);
  };
}

const undecided_z3: Call["z3"] = { run: async () => "expired" };

/** A call about `x <= 7, maximize x` in which solvers behave so. Only what compiles and checks is used of MiniZinc. */
function callWith(script: Record<string, Behaviour>, z3 = undecided_z3, solver?: string): Call {
  const run = scripted(script);
  const model = readModel(["var 0..9: x; constraint x <= 7;", "solve maximize x;"]);
  const options = { check: true, ...(solver !== undefined && { solver }) };
  const context = { deadline: new Deadline(1_500), options, progress: () => {}, news: () => {} };
  const engine = { build: async () => build, check: async () => "expired" as const };
  return { engine, z3, run, takePlace: () => undefined, build, model, context };
}

/** Another engine's word on the answer of Gecode. */
async function opinion(script: Record<string, Behaviour>, z3: Call["z3"] = undecided_z3): Promise<Finding | undefined> {
  const call = callWith(script, z3);
  const { run, model, context } = call;
  const { deadline } = context;
  const question = { source: model.source, data: [], solver: "gecode", time_ms: 1_000 };
  const reply = await ask(run, build, question, deadline);
  const decision = decisionOf(reply);
  if (!decision) throw new Error("the first solver crashed");
  const accepted: Accepted = { reply, decision, notes: [], finding: open("nothing checked it") };
  return secondOpinion(call, accepted);
}

const best = { finds: [3, 7], ends: "OPTIMAL_SOLUTION" } as const;

it.each(["crash", "OPTIMAL_SOLUTION"] as const)(
  "the solutions of a named solver are kept where it ends by: %s",
  async (ends) => {
    const call = callWith({ gecode: { finds: [3, 7], ends } }, no_z3, "gecode");
    const finding = await new Solve(call).finding();
    const crashed = ends === "crash";
    expect(finding?.decision).toMatchObject({ kind: "sat", witness: { objective: 7 }, proved: !crashed });
    expect(finding?.notes).toEqual(crashed ? ["gecode crashed after finding solutions."] : []);
  },
);

describe("a second solver of MiniZinc", () => {
  it("confirms what it comes to itself", async () => {
    expect(await opinion({ gecode: best, chuffed: { finds: [7], ends: "OPTIMAL_SOLUTION" } }, no_z3)).toEqual({
      verdict: "confirmed",
      by: ["chuffed"],
    });
    const none = { ends: "UNSATISFIABLE" } as const;
    expect(await opinion({ gecode: none, chuffed: none }, no_z3)).toEqual({ verdict: "confirmed", by: ["chuffed"] });
  });

  it.each([
    ["finds a better value", { finds: [3, 5], ends: "OPTIMAL_SOLUTION" }, best, "5 is optimal", "7 is possible"],
    ["claims a worse optimum", best, { finds: [5], ends: "OPTIMAL_SOLUTION" }, "7 is optimal", "5 is optimal"],
    ["says that there is none", best, { ends: "UNSATISFIABLE" }, "7 is optimal", "unsat"],
    ["has a solution of what is unsat", { ends: "UNSATISFIABLE" }, best, "unsat", "sat"],
  ] as const)(
    "that %s makes a fault of the answer, with what each said",
    async (_what, gecode, chuffed, first, second) => {
      const fault = await opinion({ gecode, chuffed }).catch((error: unknown) => error);
      if (!(fault instanceof Fault)) throw new Error("there was no fault");
      expect(fault.code).toBe("engines_disagree");
      expect(fault.report()).toMatchObject({
        answers: [
          { engine: "gecode", answer: first },
          { engine: "chuffed", answer: second },
        ],
      });
    },
  );

  it.each([
    [
      "gives values that are not a solution",
      { finds: [9], ends: "OPTIMAL_SOLUTION" },
      "chuffed returned values that are not a solution",
    ],
    ["crashes", { ends: "crash" }, "chuffed failed"],
    ["refuses the model", { ends: "refusal" }, "chuffed does not support this model"],
    ["hangs", { ends: "hangs" }, "chuffed did not decide it in its share of the time"],
    [
      "is not trusted on this model",
      { finds: [7], ends: "OPTIMAL_SOLUTION", compiled: compiled.replace("int_lin_le([1],[x],7)", "chuffed_new(x,8)") },
      "chuffed is not trusted here (chuffed_new)",
    ],
  ] as const)("that %s confirms nothing, and takes nothing away", async (_what, chuffed, why) => {
    const finding = await opinion({ gecode: best, chuffed });
    expect(finding?.verdict).toBe("open");
    expect(finding?.reason).toContain(why);
    expect(finding?.reason).toContain("Z3: ");
  });
});

describe("values of Chuffed with a constraint that Verdict can't evaluate", () => {
  it.each([
    ["need no other solver where Chuffed was measured: each task takes time", "[2]", 0],
    ["need another solver where it was not: a task takes no time", "[0]", 1],
  ])("%s", async (_what, durations, more) => {
    const { engines } = openBench(quickest_z3);
    const fzn = `var 0..9: x:: output_var;\nconstraint chuffed_disjunctive_strict([x],${durations});\nsolve maximize x;\n`;
    const behaving = scripted({ chuffed: { ...best, compiled: fzn }, gecode: best });
    let runs = 0;
    const run: RunTask = (...task) => {
      runs++;
      return behaving(...task);
    };
    const deadline = new Deadline(60_000);
    const context = { deadline, options: {}, progress: () => {}, news: () => {} };
    const model = readModel(["var 0..9: x; constraint x <= 7;", "solve maximize x;"]);
    const call: Call = { engine: engines.minizinc, z3: no_z3, run, takePlace: () => undefined, build, model, context };
    const question = { source: model.source, data: [], solver: "chuffed", time_ms: 50_000 };
    const reply = await ask(run, build, question, deadline);
    const accepted = await new Judge(call, () => undefined).accepted(reply, []);
    engines.close();
    const kind = "decision" in accepted ? accepted.decision.kind : accepted.kind;
    expect({ kind, more: runs - 1 }).toEqual({ kind: "sat", more });
  });
});
