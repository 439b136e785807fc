import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Build, Place, RunTask } from "../../src/engines/minizinc/index.ts";
import type { TaskEnd } from "../../src/engines/minizinc/task.ts";
import { parseFlatZinc } from "../../src/evidence/flatzinc/parse.ts";
import { mayHaveFloats } from "../../src/evidence/flatzinc/trust.ts";
import { decisionOf } from "../../src/evidence/minizinc/decide.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { Fault } from "../../src/kernel/fault.ts";
import { followers } from "../../src/tools/model/languages/minizinc/choice.ts";
import { readModel } from "../../src/tools/model/languages/minizinc/model.ts";
import { Portfolio, type PortfolioCall } from "../../src/tools/model/languages/minizinc/portfolio.ts";
import { Solve } from "../../src/tools/model/languages/minizinc/solve.ts";
import { withEnoughTime } from "../support/enough_time.ts";
import { faultOf } from "../support/faults.ts";
import { fixture } from "../support/fixture.ts";
import { shareModels } from "../support/models.ts";

/** What a solver does with the model: the values that it finds, and how it ends; one that hangs ends with its time. */
interface Behaviour {
  readonly finds?: readonly number[];
  readonly ends?:
    | ("done" | "error" | "OPTIMAL_SOLUTION" | "UNSATISFIABLE" | "crash")
    | ("refusal" | "no start" | "memory" | "output" | "hangs" | "library error");
  /** So long its process takes to start. */
  readonly delay_ms?: number;
  /** It ends only after this solver has ended. */
  readonly after?: string;
  /** How it behaves the first time. */
  readonly first?: Behaviour;
}

const linear = "var 0..9: x:: output_var;\nconstraint int_lin_le([1],[x],7);\nsolve maximize x;\n";
const sum = `${[..."abcd"].map((name) => `var 0..9: ${name};\n`).join("")}var 0..9: x:: output_var;
constraint int_ne(a,1);
constraint int_lin_eq([1,1,1,1,-1],[a,b,c,d,x],0);
solve maximize x;
`;
const not_linear = "var 0..9: x:: output_var;\nconstraint int_ne(x,8);\nsolve maximize x;\n";
const not_linear_json = JSON.stringify({
  variables: { x: { type: "int", domain: [[0, 9]] } },
  arrays: {},
  constraints: [{ id: "int_ne", args: ["x", 8] }],
  output: ["x"],
  solve: { method: "maximize", objective: "x" },
});
const circuit = not_linear.replace("solve", "constraint gecode_circuit(0,[x]);\nsolve");
const buildOf = (solvers: readonly string[]): Build => ({
  ...{ kind: "wasm", version: "2.10.0", why: "", command: "" },
  solvers: solvers.map((id) => ({ id, names: [id] })),
});

/** Steps of a test process that pauses now and then. */
const patient = { timeout: 60_000 };
const three: readonly string[] = ["gecode", "chuffed", "highs"];
/** So long the first solver is alone. */
const trial_ms = 100;

/** Scripted solvers, with a number of places beside the first. The time of the call is in ms. */
function openPortfolio(
  script: Record<string, Behaviour>,
  {
    places = 0,
    time_ms = 4_000,
    compiled = not_linear,
    goal = "maximize x",
    checks_hang = false,
    keeps = false,
    solvers = three,
    cp_sat = false,
    is_long = false,
  } = {},
) {
  const cancel = new AbortController();
  const deadline = new Deadline(time_ms, cancel.signal);
  const started: string[] = [];
  const ended: string[] = [];
  const news: unknown[] = [];
  const prepared: string[] = [];
  const ahead: string[] = [];
  const limits_ms: number[] = [];
  const open = new Set<AbortController>();
  let taken_by_others = 0;
  // The first one is for the order of the solvers.
  let compilations = 0;
  const run: RunTask = async (
    { args, cp_sat: cp_sat_task, time_limit_ms = Number.POSITIVE_INFINITY },
    own,
    onLine,
  ): Promise<TaskEnd> => {
    const exited = (code: number, stderr = ""): TaskEnd => ({
      ending: { kind: "exited", code },
      stderr,
      kept_files: {},
    });
    if (args.includes("--compile")) {
      compilations++;
      if (checks_hang && compilations > 1) {
        await sleep(own.left_ms, undefined, { signal: own.signal }).catch(() => {});
        return { ...exited(0), ending: { kind: "stopped", why: "deadline" } };
      }
      if (compiled === "no start") throw new Fault("engine_failed", "no space is left", ["free some space"]);
      return { ...exited(0), kept_files: { "model.fzn": compiled } };
    }
    limits_ms.push(time_limit_ms);
    if (cp_sat_task) ahead.push(cp_sat_task.compiled ? "used" : "not used");
    const for_cp_sat = args.includes("cp_sat.fzn.json");
    if (for_cp_sat) ahead.push("compiled");
    const solver = cp_sat_task ? "cp-sat" : (args[args.indexOf("--solver") + 1] ?? "");
    const { first, ...later } = script[solver] ?? {};
    const { finds = [], ends = "hangs", after, delay_ms = 0 } = started.includes(solver) ? later : (first ?? later);
    started.push(solver);
    if (delay_ms > 0) await sleep(delay_ms, undefined, { signal: own.signal }).catch(() => {});
    onLine(JSON.stringify({ type: "statistics", statistics: { flatTime: 0.1 } }));
    for (const x of finds)
      onLine(JSON.stringify({ type: "solution", output: { json: { x, _objective: x } }, sections: [] }));
    if (ends === "no start") throw new Fault("engine_failed", "no space is left", ["free some space"]);
    while (after !== undefined && !ended.includes(after) && !own.is_over) await sleep(10);
    if (ends !== "hangs") ended.push(solver);
    if (ends === "crash") return { ...exited(0), ending: { kind: "signalled", signal: "SIGSEGV" } };
    if (ends === "memory" || ends === "output") return { ...exited(0), ending: { kind: "stopped", why: ends } };
    if (ends === "library error" && !for_cp_sat) return exited(0);
    if (ends === "error" || ends === "library error") {
      onLine(JSON.stringify({ type: "error", what: "assertion failed", message: "x needs another bound" }));
      return exited(1);
    }
    if (ends === "refusal") return exited(1, "Constraint fzn_x not found");
    if (ends === "hangs") {
      const why = await new Promise<"cancelled" | "deadline">((resolve) => {
        own.signal.addEventListener("abort", () => resolve("cancelled"), { once: true });
        if (own.signal.aborted) resolve("cancelled");
        const searching = args.indexOf("--solver-time-limit");
        const search_ms = searching < 0 ? time_limit_ms : Number(args[searching + 1]);
        setTimeout(() => resolve("deadline"), Math.min(own.left_ms, search_ms));
      });
      const kept = for_cp_sat ? { "cp_sat.fzn.json": not_linear_json, "cp_sat.ozn": "" } : { "model.fzn": compiled };
      const kept_files: TaskEnd["kept_files"] = keeps || for_cp_sat ? kept : {};
      return { ...exited(0), ending: { kind: "stopped", why }, kept_files };
    }
    // MiniZinc gives no status where a solution is the answer.
    if (ends !== "done") onLine(JSON.stringify({ type: "status", status: ends }));
    return { ...exited(0), kept_files: keeps ? { "model.fzn": compiled } : {} };
  };
  const takePlace = (): Place | undefined => {
    if (open.size + taken_by_others >= places) return undefined;
    const wanted = new AbortController();
    open.add(wanted);
    return {
      run,
      wanted: wanted.signal,
      close: () => {
        open.delete(wanted);
        if (wanted.signal.aborted) taken_by_others++;
      },
    };
  };
  const model = readModel(["var 0..9: x; constraint x <= 7;", `solve ${goal};${is_long ? "% long".repeat(99) : ""}`]);
  const build = buildOf(solvers);
  const service = { isReady: () => Promise.resolve(cp_sat), prepare: () => prepared.push("cp-sat") };
  const call: PortfolioCall = { run, takePlace, build, model, cp_sat: service, context: { deadline } };
  const question = { source: model.source, data: [], time_ms: deadline.left_ms };
  const race = new Portfolio(call, question, ({ objective }) => news.push(objective), trial_ms);
  const refuse = () => Promise.reject(new Fault("engine_failed", "this solver is not asked here", ["leave it out"]));
  const context = { deadline, progress: () => {}, news: () => {}, options: {} };
  const engine = { check: refuse, build: () => Promise.resolve(build) };
  const z3 = { run: () => Promise.resolve("expired" as const) };
  const outcome = () => new Solve({ ...call, engine, z3, context }).outcome();
  return { race, outcome, started, news, prepared, ahead, limits_ms, open, cancel };
}

type Opened = ReturnType<typeof openPortfolio>;
type Options = Omit<NonNullable<Parameters<typeof openPortfolio>[1]>, "time_ms">;

/**
 * The results of races until a number of solvers had their start in one. None starts late in its time: if the test process
 * pauses meanwhile, the race needs more time.
 */
async function until<T>(
  count: number,
  script: Record<string, Behaviour>,
  options: Options,
  end: (opened: Opened) => Promise<T>,
) {
  const once = async (time_ms: number) => {
    const opened = openPortfolio(script, { ...options, time_ms });
    return { came: await end(opened), started: opened.started };
  };
  const { came, started } = await withEnoughTime(once, (last) => last.started.length >= count, 1_500);
  return { ...came, started };
}

const raced = (count: number, script: Record<string, Behaviour>, options: Options) =>
  until(count, script, options, ({ race }) => race.end());
const solved = (count: number, script: Record<string, Behaviour>, options: Options) =>
  until(count, script, options, ({ outcome }) => outcome());

const names = (solvers: readonly string[] | undefined) => solvers ?? [];

// Scripted solvers use no processor time: these wait for each other's time limits, and do so side by side.
describe.concurrent("a portfolio of solvers", () => {
  test("is one solver if that one ends at once", async () => {
    const { race, started, prepared } = openPortfolio(
      { gecode: { finds: [3, 7], ends: "OPTIMAL_SOLUTION" } },
      { places: 2 },
    );
    const { reply, notes } = await race.end();
    expect(reply.answer.solutions.at(-1)?.values).toEqual({ x: 7 });
    expect([started, names(reply.also_ran), notes, prepared]).toEqual([["gecode"], [], [], []]);
  });

  test("ends with the first proof, and stops the others", async () => {
    const { race, started, news, open } = openPortfolio(
      { gecode: { finds: [3] }, chuffed: { finds: [2, 5, 7], ends: "OPTIMAL_SOLUTION" } },
      { places: 2 },
    );
    const { reply } = await race.end();
    expect(reply.question.solver).toBe("chuffed");
    expect(names(reply.also_ran)).toEqual(["gecode", "highs"]);
    expect(started.slice(0, 2)).toEqual(["gecode", "chuffed"]);
    expect(news).toEqual([3, 5, 7]);
    expect(open.size).toBe(0);
  });

  test.each(["done", "crash"] as const)(
    "ends with the first solution if there is no objective, and the solver ends with %s",
    async (ends) => {
      const { race, started } = openPortfolio({ gecode: { finds: [3], ends } }, { goal: "satisfy", time_ms: 1_500 });
      const { reply } = await race.end();
      expect(reply.answer.solutions.at(-1)?.values).toEqual({ x: 3 });
      expect(started).toEqual(["gecode"]);
      expect(decisionOf(reply)).toMatchObject({ kind: "sat", limit: undefined });
    },
  );

  test("ends with an error of the model, and not with one of a linear solver's library", async () => {
    const own = openPortfolio({ gecode: { ends: "error" } });
    expect((await own.race.end()).reply.answer.errors).toHaveLength(1);
    const { race } = openPortfolio(
      { chuffed: { finds: [7], ends: "OPTIMAL_SOLUTION", after: "highs" }, highs: { ends: "error" } },
      { places: 1, compiled: linear, keeps: true },
    );
    expect((await race.end()).reply.answer.status).toBe("OPTIMAL_SOLUTION");
  });

  test.each([
    ["the objective is a sum", sum, false, ["gecode", "highs", "chuffed", "gecode", "coin-bc"]],
    ["the model is linear", linear, false, ["gecode", "highs", "chuffed", "gecode", "coin-bc"]],
    ["the objective is another value", not_linear, false, ["gecode", "chuffed", "gecode", "coin-bc", "highs"]],
    ["CP-SAT is there", not_linear, true, ["gecode", "cp-sat"]],
  ])("has the solvers that suit the compiled model: %s", async (_, compiled, cp_sat, order) => {
    const options = { places: 4, compiled, cp_sat, keeps: true, solvers: [...three, "coin-bc"] };
    const { race, started } = openPortfolio({}, { ...options, time_ms: 1_500 });
    await race.end();
    // Those that work at the same time begin in any order.
    expect(cp_sat ? [...started].sort() : started).toEqual(cp_sat ? [...order].sort() : order);
  });

  test("lets the others work if CP-SAT can't take the model", async () => {
    const { race, started } = openPortfolio(
      { "cp-sat": { ends: "refusal" }, chuffed: { finds: [7], ends: "OPTIMAL_SOLUTION" } },
      { cp_sat: true },
    );
    const { reply } = await race.end();
    expect([started, reply.question.solver]).toEqual([["gecode", "cp-sat", "chuffed"], "chuffed"]);
  });

  test("has another solver beside CP-SAT if CP-SAT finds no solution in a share of the time", async () => {
    const { reply, started } = await raced(
      3,
      { "cp-sat": {}, chuffed: { finds: [5] } },
      { cp_sat: true, places: 1, compiled: linear, keeps: true },
    );
    expect(started).toEqual(["gecode", "cp-sat", "chuffed"]);
    expect([reply.question.solver, reply.answer.solutions.at(-1)?.values]).toEqual(["chuffed", { x: 5 }]);
  });

  test("leaves CP-SAT alone if it finds a solution early", async () => {
    const script = { "cp-sat": { finds: [3] }, chuffed: { finds: [5] } };
    const { race, started } = openPortfolio(script, { cp_sat: true, places: 1, time_ms: 4_000 });
    await race.end();
    expect(started).toEqual(["gecode", "cp-sat"]);
  });

  test("leaves time to compile a model again, which checks its values", async () => {
    const opened = (delay_ms: number) =>
      openPortfolio(
        { gecode: { delay_ms }, chuffed: { finds: [7], ends: "OPTIMAL_SOLUTION" } },
        { places: 1, time_ms: 60_000 },
      );
    const reserved = await Promise.all(
      [0, 2_000].map(async (delay_ms) => {
        const { race, limits_ms } = opened(delay_ms);
        await race.end();
        return 60_000 - delay_ms - (limits_ms.at(-1) ?? 0);
      }),
    );
    expect((reserved[1] ?? 0) - (reserved[0] ?? 0)).toBeGreaterThan(2_000);
  });

  test("prepares CP-SAT for later calls if this one took longer than a moment", async () => {
    const { race, prepared } = openPortfolio({ chuffed: { finds: [7], ends: "OPTIMAL_SOLUTION" } });
    await race.end();
    expect(prepared).toEqual(["cp-sat"]);
  });

  test.each([
    ["hangs", { is_long: true }, ["compiled", "used"]],
    ["OPTIMAL_SOLUTION", { is_long: true }, ["compiled"]],
    ["library error", { is_long: true }, ["compiled", "not used"]],
    // What is too large to be read is not compiled again for CP-SAT.
    ["output", { is_long: true }, ["compiled"]],
    ["hangs", { is_long: false }, ["not used"]],
    ["hangs", { is_long: true, goal: "minimize x" }, ["compiled", "used"]],
  ] as const)("compiles a long model once, for CP-SAT: %s, %j", async (ends, options, expected) => {
    const proof = { finds: [7], ends: "OPTIMAL_SOLUTION" } as const;
    const script = { gecode: { ends, finds: [7] }, "cp-sat": proof, chuffed: proof };
    const { race, ahead } = openPortfolio(script, { places: 3, cp_sat: true, ...options });
    await race.end();
    expect(ahead).toEqual(expected);
  });

  test("has the best solution of all at the limit", async () => {
    const { reply } = await raced(
      4,
      { gecode: { finds: [3] }, chuffed: { finds: [6] }, highs: { finds: [1, 5] } },
      { places: 2 },
    );
    expect(reply.answer.solutions.at(-1)?.values).toEqual({ x: 6 });
    expect(reply.question.solver).toBe("chuffed");
    expect(names(reply.also_ran)).toEqual(["gecode", "highs"]);
  });

  test.each(["crash", "refusal"] as const)("goes on when one of them ends with a %s", async (ends) => {
    const { race, started } = openPortfolio({ gecode: { ends }, chuffed: { ends }, highs: { ends: "UNSATISFIABLE" } });
    const { reply } = await race.end();
    expect(reply.answer.status).toBe("UNSATISFIABLE");
    expect(started).toEqual(["gecode", "chuffed", "gecode", "highs"]);
  });

  test("ends at the time limit if one of them reached the memory limit, and another searched on", async () => {
    const { reply } = await raced(3, { chuffed: { ends: "memory" } }, { places: 1, solvers: ["gecode", "chuffed"] });
    expect(decisionOf(reply)).toMatchObject({ kind: "undecided", cause: "time" });
    expect([reply.question.solver, names(reply.also_ran)]).toEqual(["gecode", ["chuffed"]]);
  });

  test.each([
    ["a best value", { finds: [5], ends: "OPTIMAL_SOLUTION" }, "that 5 is the best value"],
    ["that there is no solution", { ends: "UNSATISFIABLE" }, "that there is no solution"],
  ] as const)("does not accept the claim of %s against a solution of another one", async (_, lies, told) => {
    const { reply, notes } = await raced(2, { gecode: { finds: [7] }, chuffed: lies }, { places: 1 });
    expect(reply.answer.solutions.at(-1)?.values).toEqual({ x: 7 });
    expect(reply.answer.status).toBeUndefined();
    expect(notes).toEqual([expect.stringContaining(`chuffed claimed ${told}`)]);
  });

  test.each([
    ["a best value", { finds: [5], ends: "OPTIMAL_SOLUTION" }],
    ["that there is no solution", { ends: "UNSATISFIABLE" }],
  ] as const)("does not accept the claim of %s against a solution of one that crashes later", async (_, lies) => {
    const { reply, notes } = await raced(
      2,
      { gecode: { first: { finds: [7] }, finds: [7], ends: "crash", after: "chuffed" }, chuffed: lies },
      { places: 1 },
    );
    expect(reply.answer.solutions.at(-1)?.values).toEqual({ x: 7 });
    expect(reply.answer.status).toBeUndefined();
    expect(decisionOf(reply)).toMatchObject({ kind: "sat", proved: false });
    expect(notes).toEqual([
      expect.stringContaining("The claim was discarded"),
      "gecode crashed after finding solutions.",
    ]);
  });

  test("accepts a claim against values that violate the model", async () => {
    const { reply, notes } = await raced(
      2,
      { gecode: { finds: [8] }, chuffed: { finds: [7], ends: "OPTIMAL_SOLUTION" } },
      { places: 1 },
    );
    expect(reply.answer).toMatchObject({ status: "OPTIMAL_SOLUTION", solutions: [{ values: { x: 7 } }] });
    expect(notes).toEqual([expect.stringContaining("violates the model")]);
  });

  test("goes on where a claim can't be checked soon", async () => {
    const { race, started } = openPortfolio(
      {
        gecode: { finds: [7] },
        chuffed: { finds: [5], ends: "OPTIMAL_SOLUTION" },
        highs: { finds: [7], ends: "OPTIMAL_SOLUTION" },
      },
      { places: 1, checks_hang: true },
    );
    const { reply, notes } = await race.end();
    expect([started, reply.question.solver]).toEqual([["gecode", "chuffed", "gecode", "highs"], "highs"]);
    expect(notes).toEqual([expect.stringContaining("The claim was discarded")]);
  });

  test("does not accept the claim of the solver that is asked instead, against a better solution", async () => {
    const unmeasured = linear.replace("solve", "constraint fzn_all_different_int([x]);\nsolve");
    const second = (finds: number) => ({ finds: [finds], ends: "OPTIMAL_SOLUTION" }) as const;
    const better = openPortfolio({ gecode: second(7), chuffed: second(5) }, { compiled: unmeasured, keeps: true });
    const { verdict, warnings } = await better.outcome();
    expect(verdict).toMatchObject({ kind: "sat", witness: { values: { x: 7 } }, best: { proved: false } });
    expect(warnings.join("\n")).toContain("chuffed claimed that 5 is the best value, but gecode has a better solution");
    const wrong = openPortfolio({ gecode: second(8), chuffed: second(7) }, { compiled: unmeasured, keeps: true });
    expect((await wrong.outcome()).verdict).toMatchObject({ witness: { values: { x: 7 } }, best: { proved: true } });
  });

  test("has the values of another solver where the best ones violate the model", async () => {
    const { verdict, warnings, output } = await solved(
      2,
      { gecode: { finds: [6] }, highs: { finds: [8] } },
      { places: 1, compiled: linear, keeps: true },
    );
    expect(verdict).toMatchObject({ kind: "sat", witness: { values: { x: 6 } }, best: { proved: false } });
    expect(warnings.join("\n")).toContain("The values of highs violate int_lin_le");
    expect(output).toEqual([]);
  });

  test.each([
    ["its claim of an optimum", { finds: [7], ends: "OPTIMAL_SOLUTION" }],
    ["its claim that there is none", { ends: "UNSATISFIABLE" }],
  ] as const)("has the solution of a solver that is trusted where another one is not: %s", async (_, doubted) => {
    const large = linear.replace(
      "constraint",
      "var 0..9: y;\nconstraint int_lin_le([2000000],[y],2000000);\nconstraint",
    );
    const script = { gecode: { first: {}, finds: [6] }, highs: doubted };
    const options = { places: 1, compiled: large, keeps: true, checks_hang: true, solvers: ["gecode", "highs"] };
    const { verdict } = await solved(3, script, options);
    expect(verdict).toMatchObject({ kind: "sat", witness: { values: { x: 6 } }, best: { proved: false } });
  });

  test("gives a place back when another call waits for it, and goes on with the rest", async ({ expect }) => {
    const { race, open, started } = openPortfolio(
      { gecode: { first: { finds: [3] } }, chuffed: { finds: [7] } },
      { places: 1, time_ms: 6_000 },
    );
    const end = race.end();
    await expect.poll(() => started, patient).toEqual(["gecode", "chuffed", "gecode"]);
    for (const wanted of open) wanted.abort();
    await expect.poll(() => open.size, patient).toBe(0);
    const { reply } = await end;
    expect(reply.answer.solutions.at(-1)?.values).toEqual({ x: 7 });
  });

  test("raises the fault where no solver can be started", async () => {
    const { race, open } = openPortfolio({ gecode: { ends: "no start" } }, { places: 2, compiled: "no start" });
    expect(await faultOf(race.end())).toMatchObject({ code: "engine_failed", error: "no space is left" });
    expect(open.size).toBe(0);
  });

  test("is given up with its call, and leaves no place taken", async ({ expect }) => {
    const { race, open, started, cancel } = openPortfolio({}, { places: 2, time_ms: 60_000 });
    const end = faultOf(race.end());
    await expect.poll(() => started.length, patient).toBeGreaterThan(1);
    cancel.abort();
    expect(await end).toMatchObject({ code: "cancelled" });
    expect(open.size).toBe(0);
  });
});

test.each([
  ["the objective is a sum", sum, 4, ["cp-sat", "highs"]],
  ["tours are asked for", circuit, 4, ["cp-sat", "highs"]],
  ["the objective is another value", not_linear, 4, ["cp-sat"]],
  ["the objective is a sum", sum, 2, ["cp-sat"]],
])("has HiGHS beside CP-SAT on more than two processors: %s", (_, compiled, processors, beside) => {
  const found = followers(buildOf(three), parseFlatZinc(compiled), true, processors);
  expect(found.beside).toEqual(beside);
  expect([...found.beside, ...found.reserve].sort()).toEqual(["chuffed", "cp-sat", "gecode", "highs"]);
});

test.each([
  ["int: n = 12; int: digits = ceil(log(10.0, int2float(n))); var 1..digits: x;", false],
  ["array[1..2] of int: half = [round(n / 2) | n in [4, 6]]; var 1..3: x;", false],
  ["int: n; var 1..9: x; constraint int2float(x) < 2.5;", true],
  ["float: most; var 1..9: x; constraint x < most;", true],
  ["var 0.0..1.0: x;", true],
  ["int: n = let { float: f = 2.5 } in floor(f); var float: y;", true],
  ["int: n; var 1..9: x; constraint (x * ceil((n / 1000)) > 3) /\\ (x < floor(2.5));", false],
  ["int: n; var 1..9: x; constraint x * ceil(n / 1000) > 3 /\\ int2float(x) < (2.5);", true],
  ["int: n; var 1..9: x; constraint x * ceil(n / 1000", true],
  ['output ["floor("]; var float: y; output [")"];', true],
])("whether variables of a model may be reals: %s", (source, expected) => {
  expect(mayHaveFloats(source)).toBe(expected);
});

describe("solve_model without a solver", () => {
  const models = fixture(shareModels);

  test("proves the best value of a knapsack that Gecode does not finish", async () => {
    const weights = Array.from({ length: 60 }, (_, i) => 20 + ((i * 37) % 81));
    const values = weights.map((weight, i) => weight + ((i * 53) % 31));
    const capacity = Math.floor(weights.reduce((sum, weight) => sum + weight, 0) / 2);
    const bests = weights.reduce(
      (best, weight, i) =>
        best.map((value, room) => Math.max(value, room < weight ? 0 : (best[room - weight] ?? 0) + (values[i] ?? 0))),
      Array.from({ length: capacity + 1 }, () => 0),
    );
    const answer = await models.solve(
      "minizinc",
      [
        `array[1..60] of int: w = [${weights}]; array[1..60] of int: v = [${values}]; array[1..60] of var 0..1: x;`,
        `constraint sum(i in 1..60)(w[i] * x[i]) <= ${capacity};`,
        "solve maximize sum(i in 1..60)(v[i] * x[i]);",
      ],
      90_000,
    );
    expect(answer).toMatchObject({ status: "sat", optimal: true, objective_value: bests.at(-1) });
    expect(answer["engine"]).toMatch(/cp-sat|highs/);
    expect(answer["statistics"]).toMatchObject({ also_ran: expect.arrayContaining(["gecode"]) });
  });
});
