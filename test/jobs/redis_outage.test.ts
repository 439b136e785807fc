import { expect, it, onTestFinished } from "vitest";
import { withJobs } from "../../src/jobs/index.ts";
import { Jobs } from "../../src/jobs/jobs.ts";
import { OwnJobs } from "../../src/jobs/own_jobs.ts";
import { openRedis, openWorker } from "../../src/jobs/redis/index.ts";
import { thisCaller } from "../../src/kernel/process/caller.ts";
import { quietContext, type Tool } from "../../src/kernel/tool.ts";
import { slowTool } from "../support/jobs.ts";
import { has_redis, openRealRedis } from "../support/redis.ts";

/** A server and a worker with a Redis of their own. */
async function opened({ handover_ms }: { readonly handover_ms: number }) {
  const slow = slowTool();
  const redis = await openRealRedis();
  const callers: ReturnType<typeof thisCaller>[] = [];
  const noted: Tool = {
    ...slow.tool,
    call: (args, context) => {
      callers.push(thisCaller());
      return slow.tool.call(args, context);
    },
  };
  const work = { capabilities: ["slow"], at_once: 4, lock_ms: 2_000, session: () => [noted] };
  const { worker, close } = await openWorker(redis.address, work);
  void worker.run();
  await expect.poll(() => redis.ask("zcard", "verdict:serving:slow"), { timeout: 60_000 }).toBe("1");
  const backing = await openRedis(redis.address);
  const jobs = new Jobs({ store: backing.storeFor(""), handover_ms, queue: backing.queue });
  onTestFinished(async () => {
    jobs.close();
    backing.close();
    await worker.end(0);
    close();
    await redis.remove();
  });
  const set = withJobs([{ name: "test", guides: [], session: () => [slow.tool] }], new OwnJobs(jobs, "ann"));
  const tools = new Map(set.session().map((tool) => [tool.name, tool]));
  const call = async (name: string, args: unknown = {}, signal = new AbortController().signal) => {
    const answer = await tools.get(name)?.call(args, quietContext(signal));
    if (!answer) throw new Error(`no tool ${name}`);
    return answer.structured;
  };
  const begun = (calls: number) => expect.poll(() => slow.calls, { timeout: 60_000, interval: 5 }).toBe(calls);
  return { slow, redis, call, begun, callers };
}

const callsIn = (redis: { ask(...command: string[]): string }) => redis.ask("keys", "verdict:call:*");

it.skipIf(!has_redis)(
  "a call that goes on without Redis is not cancelled as a job when Redis is back",
  async () => {
    const { slow, redis, call, begun } = await opened({ handover_ms: 4_000 });
    const handed_over = call("slow");
    await begun(1);
    const before = callsIn(redis);
    await redis.kill();
    await begun(2);
    await redis.start();
    // The worker has heard that nobody wants its call any more.
    await expect.poll(() => redis.ask("hget", before, "end"), { timeout: 60_000 }).toContain("cancelled");
    const { job_id } = await handed_over;
    await expect.poll(() => callsIn(redis), { timeout: 60_000 }).toContain(String(job_id));
    // A wish to cancel would be seen by now.
    for (let looks = 0; looks < 10; looks++)
      expect(await call("get_job", { job_id, wait_s: 0.1 })).toMatchObject({ status: "running" });
    slow.answer(7);
    expect(await call("get_job", { job_id })).toMatchObject({ status: "ok", value: 7 });
  },
  120_000,
);

it.skipIf(!has_redis)(
  "a job holds a slot of jobs in its worker, and so does a call that became one",
  async () => {
    const { slow, call, begun, callers } = await opened({ handover_ms: 20 });
    await call("start_job", { tool: "slow" });
    await begun(1);
    expect(callers[0]?.is_job).toBe(true);
    slow.answer(1);
    await call("slow");
    await begun(2);
    await expect.poll(() => callers[1]?.is_job, { timeout: 60_000 }).toBe(true);
    slow.answer(2);
  },
  120_000,
);
