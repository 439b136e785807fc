import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import * as z from "zod/v4";
import type { RunProgram } from "../../src/engines/python/index.ts";
import type { JobEnd } from "../../src/engines/python/talk.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { Fault, readTooLong } from "../../src/kernel/fault.ts";
import { errorCode } from "../../src/kernel/files/errno.ts";
import { areStopped, treeOf } from "../../src/kernel/process/process_tree.ts";
import { Slots } from "../../src/kernel/process/slots.ts";
import { defineTool, quietContext } from "../../src/kernel/tool.ts";
import { Examiner } from "../../src/tools/symbolic/examiner.ts";
import { scratchDirectory } from "../support/directories.ts";
import { type Bench, openBench } from "../support/engines.ts";
import { withEnoughTime } from "../support/enough_time.ts";
import { has_python } from "../support/models.ts";
import { processesWith, runs, type Seen, sees_processes } from "../support/processes.ts";
import { pythonData, real_setup_ms_max } from "../support/python.ts";
import { runs_all } from "../support/runs_all.ts";
import { endless } from "../support/scripts.ts";

/** In the environment of every process of the bench, and of no other. */
const marker = scratchDirectory();

function helpers(word: string): Seen[] {
  return processesWith(marker).filter(({ command }) => command.includes(word));
}

/** Stops the bench's processes whose command line has this word; they live, and do nothing any more. */
async function stopAll(word: string): Promise<number[]> {
  const pids = helpers(word).map(({ pid }) => pid);
  for (const pid of pids) signal(pid, "SIGSTOP");
  // A process stops when its turn at the processor comes.
  await vi.waitFor(() => expect(pids.filter((pid) => runs(pid) && !areStopped([pid]))).toEqual([]), {
    timeout: 120_000,
  });
  return pids;
}

/** Sends a signal to a process that may have ended by itself meanwhile. */
function signal(pid: number, name: "SIGKILL" | "SIGSTOP"): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (errorCode(error) !== "ESRCH") throw error;
  }
}

async function killAll(word: string): Promise<number> {
  const processes = helpers(word);
  for (const { pid } of processes) signal(pid, "SIGKILL");
  await vi.waitFor(() => expect(processes.filter(({ pid }) => runs(pid))).toEqual([]));
  return processes.length;
}

let bench: Bench;
beforeAll(async () => {
  const data = has_python ? { VERDICT_DATA: await pythonData() } : {};
  const embedded = { VERDICT_MINIZINC: "wasm", VERDICT_CLINGO: "wasm", TMPDIR: marker };
  bench = openBench("wasm", undefined, { ...embedded, ...data });
}, real_setup_ms_max);
afterAll(() => bench?.engines.close());

describe.skipIf(!sees_processes)("a helper that was killed while nobody used it is replaced without a fault", () => {
  it("of clingo", async () => {
    await bench.call("clear_model", { language: "asp" });
    await bench.call("add_item", { item: "{a; b}." });
    await bench.call("solve_model", {});
    expect(await killAll("clingo_wasm.mjs")).toBeGreaterThan(0);
    expect(await bench.call("add_item", { item: ":- a." })).toMatchObject({ status: "ok" });
    expect(await bench.call("solve_model", {})).toMatchObject({ status: "sat" });
  });

  it("of MiniZinc", async () => {
    await bench.call("clear_model", { language: "minizinc" });
    await bench.call("add_item", { item: "var 1..3: x;" });
    expect(await killAll("minizinc_wasm.mjs")).toBeGreaterThan(0);
    expect(await bench.call("add_item", { item: "constraint x > 2;" })).toMatchObject({ status: "ok" });
    expect(await bench.call("solve_model", {})).toMatchObject({ status: "sat" });
  });

  it("of Z3", async () => {
    await bench.call("solve_smtlib", { smtlib: "(assert true)" });
    await vi.waitFor(() => expect(helpers("z3_wasm.mjs").length).toBeGreaterThan(0), { timeout: 120_000 });
    await killAll("z3_wasm.mjs");
    expect(await bench.call("solve_smtlib", { smtlib: "(assert false)" })).toMatchObject({ status: "unsat" });
  });

  it.skipIf(!has_python)("of Python: the reader of models and what runs them", async () => {
    await bench.call("clear_model", { language: "z3" });
    await bench.call("add_item", { item: "x = Int('x')" });
    await bench.call("add_item", { item: "x < 9" });
    expect(await bench.call("solve_model", {})).toMatchObject({ status: "sat" });
    expect(await killAll("verdict_runner")).toBeGreaterThan(0);
    expect(await bench.call("add_item", { item: "x > 3" })).toMatchObject({ status: "ok" });
    await killAll("verdict_runner");
    expect(await bench.call("solve_model", {})).toMatchObject({ status: "sat" });
  });

  it.skipIf(!has_python)("of Python: those that wait for a program, while the one that forks them lives", async () => {
    await bench.call("clear_model", { language: "z3" });
    await bench.call("add_item", { item: "x = Int('x')\nx < 9" });
    const waiting = () => helpers("z3 fork").filter(({ pid }) => runs(pid) && treeOf(pid).length === 1);
    for (let round = 0; round < 2; round++) {
      expect(await bench.call("solve_model", {})).toMatchObject({ status: "sat", confirmed: true });
      await vi.waitFor(() => expect(waiting().length).toBe(2), { timeout: 120_000 });
      const pids = waiting().map(({ pid }) => pid);
      for (const pid of pids) signal(pid, "SIGKILL");
      await vi.waitFor(() => expect(pids.filter(runs)).toEqual([]), { timeout: 120_000 });
    }
    expect(await bench.call("solve_model", {})).toMatchObject({ status: "sat", confirmed: true });
  });
});

describe.skipIf(!sees_processes || process.platform !== "linux")("a helper that was stopped, not killed", () => {
  it.each([
    ["asp", "{a; b}.", ":- a.", "clingo_wasm.mjs"],
    ...(has_python ? [["z3", "x = Int('x')\nx < 9", "x > 3", "verdict_runner"]] : []),
  ])("is replaced without a fault while nobody uses it: %s", async (language, first, second, word) => {
    await bench.call("clear_model", { language });
    await bench.call("add_item", { item: first });
    expect(await bench.call("solve_model", {})).toMatchObject({ status: "sat" });
    expect((await stopAll(word)).length).toBeGreaterThan(0);
    expect(await bench.call("add_item", { item: second })).toMatchObject({ status: "ok" });
    await stopAll(word);
    expect(await bench.call("solve_model", { timeout_ms: 150_000 })).toMatchObject({ status: "sat" });
  });

  // The suite shows that of a Z3 that was killed.
  if (runs_all)
    it("is replaced without a fault while nobody uses it: Z3", async () => {
      await bench.call("solve_smtlib", { smtlib: "(assert true)" });
      await vi.waitFor(() => expect(helpers("z3_wasm.mjs").length).toBeGreaterThan(0), { timeout: 120_000 });
      const stopped = await stopAll("z3_wasm.mjs");
      expect(await bench.call("solve_smtlib", { smtlib: "(assert false)" })).toMatchObject({ status: "unsat" });
      await vi.waitFor(() => expect(stopped.filter((pid) => runs(pid))).toEqual([]), { timeout: 120_000 });
    });

  /** How a hopeless call ends whose helper is stopped; with more time where no helper was at work by then. */
  const stoppedInMidJob = (ask: (timeout_ms: number) => Promise<unknown>, word: string) =>
    disturbedInMidJob(ask, () => stopAll(word));
  const disturbedInMidJob = (ask: (timeout_ms: number) => Promise<unknown>, disturb: () => Promise<unknown>) =>
    withEnoughTime(
      async (timeout_ms) => {
        const end = ask(timeout_ms).catch((error: unknown) => error);
        await sleep(0.6 * timeout_ms);
        await disturb();
        return end;
      },
      (end) => end instanceof Fault,
      1_500,
    );

  const hole = "{p(X,Y) : Y=1..12} = 1 :- X=1..13. :- p(X,Y), p(Z,Y), X<Z.";
  it.each([
    ["asp", hole, "clingo_wasm.mjs"],
    ...(has_python ? [["z3", "x = Int('x')\nwhile True:\n    pass", "verdict_runner"]] : []),
  ])("is a fault that does not blame the model, when it happens in mid-job: %s", async (language, item, word) => {
    await bench.call("clear_model", { language });
    await bench.call("add_item", { item });
    const fault = await stoppedInMidJob((timeout_ms) => bench.call("solve_model", { timeout_ms }), word);
    expect(fault).toMatchObject({ code: "engine_failed", message: expect.stringContaining("SIGSTOP") });
    expect(JSON.stringify(fault)).toContain("send the call again");
    expect(JSON.stringify(fault)).not.toMatch(/smaller|tight bounds/);
  });

  // It has no solution and no objective: a call that shows the best solution so far would not be a fault.
  const pigeons =
    "array[1..13] of var 1..12: hole; constraint forall(i, j in 1..13 where i < j)(hole[i] != hole[j]); solve satisfy;";
  it.each([
    ["minizinc", pigeons, "minizinc_wasm.mjs", { solver: "gecode" }] as const,
    ...(has_python ? [["z3", "x = Int('x')\nwhile True:\n    pass", "verdict_runner"] as const] : []),
  ])(
    "is a fault that does not blame the model, when it is killed in mid-job: %s",
    async (language, item, word, more: { readonly solver?: string } = {}) => {
      await bench.call("clear_model", { language });
      await bench.call("add_item", { item });
      const fault = await disturbedInMidJob(
        (timeout_ms) => bench.call("solve_model", { timeout_ms, ...more }),
        () => killAll(word),
      );
      expect(fault).toMatchObject({
        code: "engine_failed",
        steps: [expect.stringMatching(/^send the call again/), expect.any(String)],
      });
      expect(JSON.stringify(fault)).not.toMatch(/model smaller|tight bounds|another way/);
    },
  );

  if (runs_all)
    it("is such a fault of Z3, too", async () => {
      const ask = (timeout_ms: number) => bench.call("solve_smtlib", { smtlib: endless, timeout_ms });
      expect(await stoppedInMidJob(ask, "z3_wasm.mjs")).toMatchObject({
        code: "engine_failed",
        message: expect.stringContaining("SIGSTOP"),
      });
    });
});

describe("a machine that is too slow to read a short text in time", () => {
  /** Where no process waits yet. */
  let cold: Bench;
  beforeAll(async () => {
    const data = has_python ? { VERDICT_DATA: await pythonData() } : {};
    cold = openBench("wasm", undefined, { VERDICT_MINIZINC: "wasm", VERDICT_CLINGO: "wasm", ...data });
  }, real_setup_ms_max);
  afterAll(() => cold.engines.close());

  // No process starts in a millisecond.
  it.each([["minizinc", "var 1..3: x;"], ["asp", "a."], ...(has_python ? [["z3", "x = Int('x')\nx > 3"]] : [])])(
    "is not blamed on the text: %s",
    async (language, model) => {
      const fault: unknown = await cold
        .call("solve", { language, model, timeout_ms: 1 })
        .catch((error: unknown) => error);
      expect(fault).toMatchObject({ code: "busy", remedy: expect.stringMatching(/^\(1\) send the call again/) });
    },
  );

  it("may be the text's fault where that is long", () => {
    const smaller = "write less";
    expect(readTooLong("MiniZinc", 300, smaller)).toMatchObject({
      code: "busy",
      steps: [expect.stringMatching(/^send the call again/), expect.stringContaining(smaller)],
    });
    expect(readTooLong("MiniZinc", 300_000, smaller)).toMatchObject({
      code: "input_rejected",
      steps: [smaller, expect.stringContaining("send the call again")],
    });
  });
});

describe("a process that dies while it looks at code", () => {
  const question = { task: "check", code: "def f(x: int): pass", functions: ["f"] } as const;
  const job = () => new Deadline(60_000);
  const died: JobEnd = { kind: "died", how: "it was stopped by SIGKILL" };

  /** Gives these ends one after the other. */
  function scripted(...ends: JobEnd[]) {
    const asked: string[] = [];
    const run: RunProgram = async (language) => {
      asked.push(language);
      const end = ends.shift();
      if (!end) throw new Error("asked too often");
      return { end, printed: "", versions: {} };
    };
    return { asked, examiner: new Examiner(run, question) };
  }

  it("is asked once more", async () => {
    const { examiner, asked } = scripted(died, { kind: "result", result: { status: "not confirmed" } });
    const replay = examiner.replay(z.unknown(), { input: null, keys: [], sides: [] }, job());
    await replay;
    expect(asked).toEqual(["replay", "replay"]);
  });

  it("is the fault engine_failed the second time, which does not blame the code", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { examiner } = scripted(died, died);
    const fault: unknown = await examiner.inspect(job()).catch((error: unknown) => error);
    expect(fault).toMatchObject({ code: "engine_failed", message: expect.stringContaining("SIGKILL") });
    expect(fault).toMatchObject({ remedy: expect.stringContaining("send the call again") });
    expect(JSON.stringify(fault)).not.toContain("module level");
    vi.restoreAllMocks();
  });

  it("is reported to need more time when that ran out while it read, and not when it never began", async () => {
    const fault: unknown = await scripted({ kind: "deadline" })
      .examiner.inspect(job())
      .catch((error: unknown) => error);
    expect(fault).toMatchObject({ code: "timeout", message: expect.stringContaining("it timed out") });
    expect(fault).toMatchObject({ remedy: expect.stringContaining("larger timeout_seconds, if this machine is busy") });
    const never = new Examiner(async () => "expired", question);
    expect(await never.inspect(job())).toBe("expired");
  });

  it("is reported as lost, not as time that ran out, when it explored", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { examiner } = scripted(died, died);
    const waits = vi.spyOn(examiner, "leaveRoom").mockResolvedValue();
    await examiner.explorer.look(
      job(),
      () => {},
      () => {},
    );
    expect(waits).toHaveBeenCalled();
    expect(examiner.exploration_lost).toContain("SIGKILL");
    vi.restoreAllMocks();
  });
});

describe("a call that waited for its turn", () => {
  const slots = new Slots(1, 10);
  const tool = defineTool({
    name: "waits",
    description: "Waits for its turn and then runs out of time.",
    annotations: { title: "", readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: z.strictObject({}),
    output: z.strictObject({ status: z.enum(["timeout", "sat"]) }),
    limit_ms: () => 60_000,
    run: (_, { deadline }) => slots.run(deadline, async () => ({ status: "timeout" as const })),
    render: ({ status }) => [status],
  });

  it("says so when it found no answer, so that nobody looks for the cause in the question", async () => {
    void slots.run(new Deadline(60_000), () => sleep(1_200));
    const waited = await tool.call({}, quietContext());
    expect(waited.text.join("\n")).toMatch(
      /^timeout\nThis call waited \d s of its time limit for a free process: send it again/,
    );
    const at_once = await tool.call({}, quietContext());
    expect(at_once.text).toEqual(["timeout"]);
  });
});
