import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import * as z from "zod/v4";
import { readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import { withLargeCallsApart } from "../../src/jobs/apart/apart.ts";
import { outputMeter } from "../../src/kernel/process/output_meter.ts";
import { annotated, defineTool, quietContext, type Tool } from "../../src/kernel/tool.ts";
import { openToolsets } from "../../src/tools/index.ts";

describe("a call whose answer is large", () => {
  const config = readConfig({}, { ...process.env, VERDICT_TOOLS: "model" });
  let engines: Engines;
  let solving: readonly Tool[];

  beforeAll(() => {
    engines = new Engines(config);
    solving = openToolsets(engines, config).flatMap((set) => withLargeCallsApart(set, engines, config).session());
  });
  afterEach(() => vi.restoreAllMocks());
  afterAll(() => engines.close());

  async function call(name: string, args: object) {
    const tool = solving.find((each) => each.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    return (await tool.call(args, quietContext())).structured;
  }
  const solve = (count: number) => call("solve", { language: "asp", model: `p(1..${count}).`, timeout_ms: 120_000 });

  it("is answered in its session as a small one is", async () => {
    const apart = vi.spyOn(engines, "runProgram");
    expect(await solve(3)).toMatchObject({ status: "sat", model_id: "m1" });
    expect(apart).toHaveBeenCalledTimes(0);
    expect(await solve(40_000)).toMatchObject({ status: "sat", model_id: "m2" });
    expect(apart).toHaveBeenCalledTimes(1);
    expect(await call("get_solution", { name: "p", from_index: 39_998 })).toMatchObject({
      value: [[39_999], [40_000]],
    });
    expect(await call("add_item", { item: "q(1..2)." })).toMatchObject({ index: 1 });
    expect(await call("solve_model", { timeout_ms: 120_000 })).toMatchObject({ status: "sat" });
    expect(await call("get_solution", { name: "q" })).toMatchObject({ value: [[1], [2]] });
    expect(await solve(3)).toMatchObject({ status: "sat", model_id: "m3" });
  });

  it("is not made again for a large compiled model, whose answer is small", async () => {
    const apart = vi.spyOn(engines, "runProgram");
    const model = `array[1..60] of var 0..1000: s; array[1..60] of int: d = [1 + (7 * i mod 13) | i in 1..60];
      constraint forall(i, j in 1..60 where i < j)(s[i] + d[i] <= s[j] \\/ s[j] + d[j] <= s[i]); solve satisfy;`;
    const answer = await call("solve", { language: "minizinc", model, timeout_ms: 120_000 });
    expect(answer).toMatchObject({ status: "sat" });
    expect(apart).toHaveBeenCalledTimes(0);
  });

  it("is not made again where too little of its time is left", async () => {
    const late = defineTool({
      ...{ name: "late", description: "Hears of a large output at the end.", annotations: annotated("Late", "reads") },
      ...{ input: z.strictObject({}), output: z.object({ is_stopped: z.boolean() }) },
      limit_ms: () => 60,
      needs: () => "late",
      async run(_, { signal }) {
        await sleep(50);
        outputMeter()("x".repeat(10_000_000));
        return { is_stopped: signal.aborted };
      },
      render: () => ["late"],
    });
    const set = withLargeCallsApart({ name: "late", guides: [], session: () => [late] }, engines, config);
    const [tool] = set.session();
    expect((await tool?.call({}, quietContext()))?.structured).toEqual({ is_stopped: false });
  });
});
