import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { nativeZ3, openBench } from "../support/engines.ts";
import { type FakeSolvers, openFakes } from "../support/fakes.ts";
import { limitMemory } from "../support/memory_limit.ts";
import { endAll, isReaper, leftOver, sees_processes } from "../support/processes.ts";
import { easy, unlimited_bomb } from "../support/scripts.ts";

limitMemory(300);

let fakes: FakeSolvers;

beforeEach(() => {
  fakes = openFakes();
  vi.stubEnv("TMPDIR", fakes.directory);
});

afterEach(() => {
  if (sees_processes) endAll(fakes.directory);
  vi.unstubAllEnvs();
  fakes.remove();
});

const open_for_memory = { status: "unknown", reason: "memory limit" };

describe.skipIf(process.platform === "win32")("a solver whose memory goes past our limit", () => {
  test("decides nothing, and is gone", async () => {
    const { engines, call } = openBench(fakes.path("eats_memory"));
    expect(await call("solve_smtlib", { smtlib: easy })).toMatchObject(open_for_memory);
    engines.close();
    if (sees_processes) expect(await leftOver(fakes.directory, (seen) => !isReaper(seen))).toEqual([]);
  });

  test.skipIf(nativeZ3() === undefined)("stops by itself when it is a native Z3, and the next call works", async () => {
    const { engines, call } = openBench(nativeZ3() ?? "");
    expect(await call("solve_smtlib", { smtlib: unlimited_bomb })).toMatchObject(open_for_memory);
    expect(await call("solve_smtlib", { smtlib: easy })).toMatchObject({ status: "sat" });
    engines.close();
  });
});
