import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type Ending, storedFault } from "../../src/jobs/job.ts";
import { Jobs } from "../../src/jobs/jobs.ts";
import { OwnJobs } from "../../src/jobs/own_jobs.ts";
import { openRedis, openWorker } from "../../src/jobs/redis/index.ts";
import { cancelled } from "../../src/kernel/fault.ts";
import { chargeTime, charging, type TimeAccount } from "../../src/kernel/process/processor_time.ts";
import { quietContext, type Tool } from "../../src/kernel/tool.ts";
import { emptyDirectory, headOfDead, slowTool } from "../support/jobs.ts";
import { has_redis, openRealRedis, type RealRedis } from "../support/redis.ts";

let redis: RealRedis;
beforeAll(async () => {
  if (has_redis) redis = await openRealRedis();
});
afterAll(() => redis?.remove());
beforeEach(() => void redis?.ask("flushall"));

async function opened() {
  const backing = await openRedis(redis.address);
  onTestFinished(() => backing.close());
  return backing;
}

describe.skipIf(!has_redis)("a job in Redis", () => {
  const answer = (value: number): Ending => ({ answer: { structured: { value }, text: ["said"] } });

  it("keeps the state of its first ending; the same one can be said more exactly", async () => {
    const store = (await opened()).storeFor("");
    const head = headOfDead();
    await store.begin(head, null);
    const done = { ...head, state: "done" as const, ended_ms: 5 };
    await store.end(done, answer(1));
    await store.end({ ...head, state: "cancelled", ended_ms: 6 }, { fault: storedFault(cancelled()) });
    expect(await store.ending(head.id)).toEqual({ part: answer(1) });
    await store.end(done, answer(2));
    expect(await store.ending(head.id)).toEqual({ part: answer(2) });
    expect(await store.head(head.id)).toMatchObject({ part: { state: "done", ended_ms: 5 } });
  });

  it("was touched when it was, whatever the clocks of servers say", async () => {
    const store = (await opened()).storeFor("");
    const head = headOfDead();
    await store.begin(head, null);
    expect(await store.touched_ms(head.id)).toBeUndefined();
    await store.touch(head.id);
    const clock = vi.spyOn(Date, "now").mockReturnValue(1_000_000_000);
    onTestFinished(() => clock.mockRestore());
    const touched_ms = await store.touched_ms(head.id);
    expect(touched_ms).toBeLessThanOrEqual(1_000_000_000);
    expect(touched_ms).toBeGreaterThan(1_000_000_000 - 60_000);
    await store.touch("jaaaaaaaaaaaaaaaaaaaa");
    expect(redis.ask("exists", "verdict:call:jaaaaaaaaaaaaaaaaaaaa")).toBe("0");
  });
});

describe.skipIf(!has_redis)("the processor time of a worker", () => {
  /** A tool that charges 700 ms when it begins, and 300 ms at its end. */
  function costly() {
    const slow = slowTool();
    const call: Tool["call"] = (args, context) => {
      chargeTime(700);
      return slow.tool.call(args, context).finally(() => chargeTime(300));
    };
    return { ...slow, calls: () => slow.calls, tool: { ...slow.tool, call } };
  }

  async function serving(tool: Tool) {
    const { worker, close } = await openWorker(redis.address, {
      capabilities: ["slow"],
      at_once: 2,
      session: () => [tool],
    });
    void worker.run();
    await expect.poll(() => redis.ask("zcard", "verdict:serving:slow"), { timeout: 60_000 }).toBe("1");
    const backing = await opened();
    const jobs = new Jobs({ store: backing.storeFor(emptyDirectory()), handover_ms: 0, queue: backing.queue });
    onTestFinished(async () => {
      jobs.close();
      await worker.end(0);
      close();
    });
    return new OwnJobs(jobs, "ann");
  }

  class Account implements TimeAccount {
    ms = 0;
    readonly quota = new AbortController();
    readonly spent = this.quota.signal;
    add(ms: number): void {
      this.ms += ms;
    }
  }

  it("is charged to the call that it was used for, and to no other", async () => {
    const slow = costly();
    const own = await serving(slow.tool);
    const [account, other] = [new Account(), new Account()];
    const { run } = charging(account, () => own.run(slow.tool, {}, { watcher: quietContext() }));
    await expect.poll(() => account.ms, { timeout: 60_000 }).toBe(700);
    slow.answer(3);
    expect(await run.ended).toMatchObject({ answer: { structured: { value: 3 } } });
    expect([account.ms, other.ms]).toEqual([1_000, 0]);
  });

  it("is charged where the call was given up, too", async () => {
    const slow = costly();
    const own = await serving(slow.tool);
    const account = new Account();
    const { run } = charging(account, () => own.run(slow.tool, {}, { watcher: quietContext() }));
    await expect.poll(slow.calls, { timeout: 60_000 }).toBe(1);
    run.cancel();
    expect(await run.ended).toMatchObject({ fault: { code: "cancelled" } });
    await expect.poll(() => account.ms, { timeout: 60_000 }).toBe(1_000);
  });

  it("ends a call on a worker when its quota is used up", async () => {
    const slow = costly();
    const own = await serving(slow.tool);
    const account = new Account();
    const { run } = charging(account, () => own.run(slow.tool, {}, { watcher: quietContext() }));
    await expect.poll(slow.calls, { timeout: 60_000 }).toBe(1);
    account.quota.abort(new Error("used up"));
    expect(await run.ended).toHaveProperty("fault");
    await expect.poll(() => slow.context().signal.aborted, { timeout: 60_000 }).toBe(true);
  });
});
