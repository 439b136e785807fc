import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Bench, openBench } from "../support/engines.ts";
import { type FakeSolvers, openFakes } from "../support/fakes.ts";
import { endAll, isReaper, leftOver, processesWith, type Seen, sees_processes, until } from "../support/processes.ts";
import { runs_all, some } from "../support/runs_all.ts";
import { easy, endless } from "../support/scripts.ts";
import { resultOf } from "../support/smtlib.ts";

let fakes: FakeSolvers;
const open_benches: Bench[] = [];
const rejections: unknown[] = [];
const onRejection = (reason: unknown) => void rejections.push(reason);

beforeAll(() => void process.on("unhandledRejection", onRejection));
afterAll(() => void process.off("unhandledRejection", onRejection));

beforeEach(() => {
  fakes = openFakes();
  // Every child gets it, so that we find them all by it.
  vi.stubEnv("TMPDIR", fakes.directory);
  vi.spyOn(console, "error").mockImplementation(() => {});
});

afterEach(async () => {
  for (const { engines } of open_benches.splice(0)) engines.close();
  const left = sees_processes ? await leftOver(fakes.directory, (seen) => !isReaper(seen)) : [];
  if (sees_processes) endAll(fakes.directory);
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  fakes.remove();
  expect(left, "no process is left").toEqual([]);
  expect(rejections, "nothing is thrown that nobody catches").toEqual([]);
});

function open(z3: string): Bench {
  const bench = openBench(z3);
  open_benches.push(bench);
  return bench;
}

function isSleeper({ command }: Seen): boolean {
  return command.startsWith("sleep");
}

const script = "(declare-const x Int)\n(assert (> x 3))\n(check-sat)";

interface Expected {
  readonly fake: string;
  readonly word: string;
  readonly reason?: string;
  readonly timeout_ms?: number;
}

/** How each fake misbehaves, and the answer to the caller. */
const outcomes: readonly Expected[] = [
  { fake: "hang", timeout_ms: 400, word: "unknown", reason: "timeout" },
  { fake: "ignores_sigterm", timeout_ms: 400, word: "unknown", reason: "timeout" },
  { fake: "closes_stdin", timeout_ms: 400, word: "unknown", reason: "timeout" },
  { fake: "half_marker", timeout_ms: 400, word: "unknown", reason: "timeout" },
  { fake: "flood_stderr", timeout_ms: 400, word: "unknown", reason: "timeout" },
  { fake: "forks", timeout_ms: 400, word: "unknown", reason: "timeout" },
  { fake: "forks_session", timeout_ms: 400, word: "unknown", reason: "timeout" },
  { fake: "flood_stdout", word: "unknown", reason: "output limit" },
  { fake: "exit_101", word: "unknown", reason: "memory limit" },
  { fake: "speaks_early", word: "unknown", reason: "made up" },
  { fake: "segfault", word: "engine_failed" },
  { fake: "exit_0", word: "engine_failed" },
  { fake: "dies_after_sat", word: "engine_failed" },
  { fake: "half_marker_then_exit", word: "engine_failed" },
  { fake: "garbage", word: "engine_failed" },
  { fake: "nothing", word: "engine_failed" },
  { fake: "shouts", word: "engine_failed" },
  { fake: "unsat_and_more", word: "engine_failed" },
  { fake: "sat_twice", word: "engine_failed" },
  { fake: "sat_and_unsat", word: "engine_failed" },
  { fake: "verdict_behind_the_marker", word: "engine_failed" },
  { fake: "leaves_child", word: "engine_failed" },
  { fake: "error_then_sat", word: "input_rejected" },
];

describe("a solver that misbehaves decides nothing", () => {
  test.each(outcomes)("$fake: $word", async ({ fake, word, reason, timeout_ms = 120_000 }) => {
    const bench = open(fakes.path(fake));
    const first = await resultOf(bench, { smtlib: script, timeout_ms });
    expect(first).toMatchObject({ word });
    expect(first.reason).toBe(reason);
    // The spare that waits by now does the same, and no call harms another one.
    expect((await resultOf(bench, { smtlib: script, timeout_ms })).word).toBe(word);
    expect(await resultOf(open(fakes.path("good")), { smtlib: easy })).toMatchObject({
      word: "sat",
      engine: "z3 9.9.9 (native)",
    });
  });

  test("slow_start is waited for", async () => {
    expect(await resultOf(open(fakes.path("slow_start")), { smtlib: script })).toMatchObject({ word: "sat" });
  });

  test("never_answers is not used: another build takes its place", async () => {
    const { word, engine } = await resultOf(open(fakes.path("never_answers")), { smtlib: script });
    expect(word).toBe("sat");
    expect(engine).toMatch(/^z3 \d.*\((wasm|native)\)$/);
    expect(engine).not.toContain("9.9.9");
  });

  test.each(some(["", "/no_such_file"]))(
    "%j behind a directory is not a program, and not used either",
    async (more) => {
      expect(await resultOf(open(`${fakes.directory}${more}`), { smtlib: script })).toMatchObject({ word: "sat" });
    },
  );

  if (runs_all)
    test("a path that leads through a file is not a program, and not used either", async () => {
      expect(await resultOf(open(`${fakes.path("good")}/z3`), { smtlib: script })).toMatchObject({ word: "sat" });
    });

  test("leaves_session: what it left in another session is ended too", { skip: !sees_processes }, async () => {
    try {
      expect(await resultOf(open(fakes.path("leaves_session")), { smtlib: script })).toEqual({ word: "engine_failed" });
      // Its spare, which did nothing yet, may be there by now; the process that it left may not.
      expect(await leftOver(fakes.directory, isSleeper)).toEqual([]);
    } finally {
      endAll(fakes.directory);
    }
  });

  test("decides nothing either when an explanation of unsat was asked for", async () => {
    const args = { smtlib: script, explain_unsat: true };
    const hanging = await resultOf(open(fakes.path("hang")), { ...args, timeout_ms: 400 });
    expect(hanging).toMatchObject({ word: "unknown", reason: "timeout" });
    expect((await resultOf(open(fakes.path("unsat_and_more")), args)).word).toBe("engine_failed");
  });
});

describe("a call that is given up", () => {
  test("before it begins starts nothing", async () => {
    const bench = open(fakes.path("hang"));
    expect(await resultOf(bench, { smtlib: script }, AbortSignal.abort())).toEqual({ word: "cancelled" });
    if (sees_processes) expect(processesWith(fakes.directory)).toEqual([]);
  });

  test.each([0, 10, 40, 100, 400])("%i ms after it began is cancelled", async (after_ms) => {
    const cancel = new AbortController();
    setTimeout(() => cancel.abort(), after_ms);
    const result = await resultOf(open(fakes.path("hang")), { smtlib: script }, cancel.signal);
    expect(result).toEqual({ word: "cancelled" });
  });

  test("while it waits for a solver leaves the others alone", async () => {
    const bench = open(fakes.path("hang"));
    const cancel = new AbortController();
    // What finding Z3 takes is not a part of this.
    await bench.engines.z3.probe();
    const running = Array.from({ length: 12 }, () => resultOf(bench, { smtlib: script, timeout_ms: 1_500 }));
    const waiting = resultOf(bench, { smtlib: script }, cancel.signal);
    await sleep(300);
    cancel.abort();
    expect(await waiting).toEqual({ word: "cancelled" });
    const results = await Promise.all(running);
    // Those whose turn came ran out of time with the solver, the others in the queue.
    expect(new Set(results.map(({ word }) => word))).toEqual(new Set(["unknown", "busy"]));
  });
});

describe("a call while its engine is looked for", () => {
  const isAsked = () => processesWith(fakes.directory).some((seen) => !isReaper(seen));
  /** The candidate is gone: the wait for it ends after some seconds. */
  const expectStillAsked = () => {
    if (sees_processes) expect(isAsked()).toBe(true);
  };

  test("keeps its deadline although the first candidate never answers", async () => {
    const result = await resultOf(open(fakes.path("never_answers")), { smtlib: script, timeout_ms: 200 });
    expect(result).toMatchObject({ word: "unknown", reason: "timeout" });
    expectStillAsked();
  });

  test("is cancelled at once although the first candidate never answers", async () => {
    const cancel = new AbortController();
    const call = resultOf(open(fakes.path("never_answers")), { smtlib: script }, cancel.signal);
    if (sees_processes) expect(await until(isAsked, 120_000)).toBe(true);
    cancel.abort();
    expect(await call).toEqual({ word: "cancelled" });
    expectStillAsked();
  });
});

describe("engines that are closed", () => {
  test("in the midst of a solve cancel it", async () => {
    const bench = open(fakes.path("hang"));
    const call = resultOf(bench, { smtlib: script });
    await sleep(700);
    bench.engines.close();
    expect(await call).toEqual({ word: "cancelled" });
  });

  test("start nothing for calls that still waited for a solver", { skip: !sees_processes }, async () => {
    const bench = open(fakes.path("hang"));
    const calls = Array.from({ length: 12 }, () => resultOf(bench, { smtlib: script, timeout_ms: 120_000 }));
    await sleep(700);
    bench.engines.close();
    expect(await leftOver(fakes.directory, (seen) => !isReaper(seen))).toEqual([]);
    const results = await Promise.all(calls);
    expect(new Set(results.map(({ word }) => word))).toEqual(new Set(["cancelled"]));
  });

  test("start nothing for a call that was still finding out which Z3 to use", { skip: !sees_processes }, async () => {
    const bench = open(fakes.path("never_answers"));
    const call = resultOf(bench, { smtlib: endless, timeout_ms: 120_000 });
    expect(await until(() => processesWith(fakes.directory).length > 0, 120_000)).toBe(true);
    bench.engines.close();
    expect(await call).toEqual({ word: "cancelled" });
    expect(await leftOver(fakes.directory, (seen) => !isReaper(seen))).toEqual([]);
  });
});
