import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { localBacking } from "../../src/jobs/backing.ts";
import { Jobs } from "../../src/jobs/jobs.ts";
import { job_limits } from "../../src/jobs/limits.ts";
import { OwnJobs } from "../../src/jobs/own_jobs.ts";
import type { Backing } from "../../src/jobs/queue.ts";
import { openRedis, openWorker } from "../../src/jobs/redis/index.ts";
import { Fault } from "../../src/kernel/fault.ts";
import { type Answer, quietContext } from "../../src/kernel/tool.ts";
import { faultIn as faultOf } from "../support/faults.ts";
import { callsOf, emptyDirectory, slowTool } from "../support/jobs.ts";
import { has_redis, openRealRedis, type RealRedis } from "../support/redis.ts";

/**
 * What holds of calls and jobs wherever they are made and kept: in one process and its files, or through Redis by a
 * worker.
 */
let redis: RealRedis | undefined;
beforeAll(async () => {
  if (has_redis) redis = await openRealRedis();
});
afterAll(() => redis?.remove());

const kinds = ["files", ...(has_redis ? ["redis"] : [])];
it.skipIf(!has_redis)("a real Redis is there", () => expect(redis?.ask("ping")).toBe("PONG"));

const idOf = ({ structured }: Answer) => String(structured["job_id"]);

/** Servers that share their jobs, and the tool that they offer. */
async function opened(kind: string, { handover_ms = 20 } = {}) {
  const slow = slowTool();
  const directory = emptyDirectory();
  const open = async (): Promise<Backing> =>
    kind === "redis" && redis ? openRedis(redis.address) : localBacking({ data_directory: directory });
  if (kind === "redis" && redis) {
    redis.ask("flushall");
    const { worker, close } = await openWorker(redis.address, {
      capabilities: ["slow"],
      at_once: 4,
      session: () => [slow.tool],
    });
    void worker.run();
    await expect.poll(() => redis?.ask("zcard", "verdict:serving:slow"), { timeout: 60_000 }).toBe("1");
    onTestFinished(async () => {
      await worker.end(0);
      close();
    });
  }
  const server = async () => {
    const backing = await open();
    const jobs = new Jobs({ store: backing.storeFor(directory), handover_ms, queue: backing.queue });
    onTestFinished(() => {
      jobs.close();
      backing.close();
    });
    const of = (owner: string) => callsOf(new OwnJobs(jobs, owner), slow.tool);
    return Object.assign(of, { handOver: () => jobs.handOver() });
  };
  const one = await server();
  /** Waits until the tool was called so often. */
  const begun = (calls = 1) => expect.poll(() => slow.calls, { timeout: 60_000, interval: 5 }).toBe(calls);
  return { slow, server, begun, one, call: one("ann"), handOver: one.handOver };
}

describe.each(kinds)("calls and jobs, by %s", (kind) => {
  it("a call that ends in time answers as its tool does, and is not a job", async () => {
    const { slow, call, begun } = await opened(kind, { handover_ms: 100_000 });
    const answer = call("slow");
    await begun();
    slow.answer(7);
    expect(await answer).toEqual({
      structured: { status: "ok", value: 7, timeout_ms: 30_000 },
      text: ["the value is 7", "a remark"],
    });
    expect((await call("list_jobs")).structured).toMatchObject({ jobs: [], more: false });
  });

  it("a call becomes a job at once where its server is about to end, and another server has it", async () => {
    const { call, begun, handOver, server } = await opened(kind, { handover_ms: 100_000 });
    const answer = call("slow");
    await begun();
    handOver();
    expect((await answer).structured).toMatchObject({ status: "running", tool: "slow" });
    const job_id = idOf(await answer);
    expect((await call("slow")).structured, "a call after that").toMatchObject({ status: "running" });
    const two = (await server())("ann");
    expect((await two("get_job", { job_id, wait_s: 0 })).structured).toMatchObject({ status: "running", job_id });
    expect((await two("cancel_job", { job_id })).structured).toMatchObject({ job_id });
  });

  it("a client that waits for a job learns that it runs if the server is about to end", async () => {
    const { call, begun, handOver } = await opened(kind, { handover_ms: 0 });
    const job_id = idOf(await call("start_job", { tool: "slow" }));
    await begun();
    const waiting = call("get_job", { job_id, wait_s: job_limits.wait_s_max });
    await call("get_job", { job_id, wait_s: 0 });
    handOver();
    const { structured } = await waiting;
    expect(structured).toMatchObject({ status: "running", job_id });
    expect(Number(structured["running_s"]), "not at the end of its wait").toBeLessThan(job_limits.wait_s_max);
    await call("cancel_job", { job_id });
  });

  it("a fault arrives word for word", async () => {
    const { slow, call, begun } = await opened(kind, { handover_ms: 100_000 });
    const fault = new Fault("syntax_error", "Wrong.", ["one", "two"], { line: 2, column: 3 }, { error_type: "X" });
    const answer = faultOf(call("slow"));
    await begun();
    slow.fail(fault);
    expect((await answer).report()).toEqual(fault.report());
    expect((await faultOf(call("slow", { m: 1 }))).message).toContain('Unknown argument "m"');
  });

  it("an error that is not a fault reveals nothing of its host", async () => {
    const { slow, call, begun } = await opened(kind);
    const job_id = idOf(await call("slow"));
    await begun();
    slow.fail(new Error("/secret/path"));
    const { message, code } = await faultOf(call("get_job", { job_id }));
    expect(code).toBe("internal");
    expect(message).not.toContain("secret");
  });

  it("a call reports to its client what happens, and ends when it is cancelled", async () => {
    const { slow, call, begun } = await opened(kind, { handover_ms: 100_000 });
    const cancel = new AbortController();
    const heard: string[] = [];
    const hear = (message: string) => heard.push(message);
    const answer = faultOf(call("slow", {}, { signal: cancel.signal, progress: hear, onEvent: hear }));
    await begun();
    slow.context().progress("a step");
    slow.context().onEvent("objective 5");
    await expect.poll(() => heard, { timeout: 60_000 }).toEqual(["a step", "objective 5"]);
    cancel.abort();
    expect(await answer).toMatchObject({ code: "cancelled" });
    await expect.poll(() => slow.context().signal.aborted, { timeout: 60_000 }).toBe(true);
  });

  it("a long call becomes a job, which gives the answer as often as it is read", async () => {
    const { slow, call, begun } = await opened(kind);
    const running = await call("slow");
    expect(running.structured).toEqual({
      status: "running",
      job_id: expect.stringMatching(/^j[a-z2-9]{20}$/),
      tool: "slow",
      running_s: expect.any(Number),
    });
    expect(running.text[0]).toContain("nothing is decided yet");
    const job_id = idOf(running);
    await begun();
    expect((await call("get_job", { job_id, wait_s: 0 })).structured).toMatchObject({ status: "running", job_id });
    const waiting = call("get_job", { job_id });
    slow.answer(7);
    const expected = {
      structured: { status: "ok", value: 7, timeout_ms: 30_000, job_id, tool: "slow", running_s: expect.any(Number) },
      text: ["the value is 7", "a remark", expect.stringContaining(job_id)],
    };
    expect(await waiting).toEqual(expected);
    expect(await call("get_job", { job_id }), "a second time").toEqual(expected);
    expect((await call("list_jobs")).structured).toMatchObject({ jobs: [{ job_id, state: "done" }] });
  });

  it("a job goes on when its client gives the request up afterwards", async () => {
    const { slow, call, begun } = await opened(kind);
    const cancel = new AbortController();
    const job_id = idOf(await call("slow", {}, quietContext(cancel.signal)));
    await begun();
    cancel.abort();
    slow.answer(7);
    expect((await call("get_job", { job_id })).structured).toMatchObject({ value: 7 });
  });

  it("a job can last a day", async () => {
    const { slow, call, begun } = await opened(kind);
    const begin = await call("start_job", { tool: "slow", arguments: { timeout_ms: 86_400_000 } });
    expect(begin.structured).toMatchObject({ status: "running", tool: "slow" });
    await begun();
    slow.answer(5);
    const answer = await call("get_job", { job_id: idOf(begin) });
    expect(answer.structured).toMatchObject({ value: 5, timeout_ms: 86_400_000 });
    const words =
      'Parameter "timeout_ms" must be 1-86400000 (milliseconds). Given: 86400001. Omit for default 30000ms.';
    expect((await faultOf(call("slow", { timeout_ms: 86_400_001 }))).message).toBe(words);
  });

  it("a job shows what happens, to another server too; its best so far is not an answer", async () => {
    const { slow, call, server, begun } = await opened(kind);
    const two = (await server())("ann");
    const job_id = idOf(await call("slow"));
    await begun();
    slow.context().progress("a step");
    slow.context().onEvent("objective 9");
    for (const who of [call, two])
      await expect
        .poll(async () => (await who("get_job", { job_id, wait_s: 0 })).structured, { timeout: 60_000 })
        .toMatchObject({
          status: "running",
          doing: "a step",
          best_so_far: "objective 9",
          events: [
            { number: 0, text: "a step" },
            { number: 1, text: "objective 9" },
          ],
          next: 2,
        });
    const later = await call("get_job", { job_id, wait_s: 0, from: 1 });
    expect(later.structured).toMatchObject({ events: [{ number: 1 }], next: 2 });
    expect(later.text.join()).toContain("Best so far, not the answer");
    slow.answer(1);
  });

  it("the events of a job are bounded", async () => {
    const { slow, call, begun } = await opened(kind);
    const job_id = idOf(await call("slow"));
    await begun();
    for (let i = 0; i < 300; i++) slow.context().onEvent(`objective ${i}${"x".repeat(1_000)}`);
    const look = async () => (await call("get_job", { job_id, wait_s: 0 })).structured;
    await expect.poll(async () => (await look())["next"], { timeout: 60_000 }).toBe(300);
    const seen = await look();
    expect(seen["events"]).toHaveLength(job_limits.events_max);
    expect(String(seen["best_so_far"]).length).toBe(job_limits.event_chars_max);
    slow.answer(1);
  });

  it("a job is cancelled by its server or another one, and one that has ended stays", async () => {
    const { slow, call, server, begun } = await opened(kind);
    const two = (await server())("ann");
    for (const [i, who] of [call, two].entries()) {
      const job_id = idOf(await call("slow"));
      await begun(i + 1);
      const { structured } = await who("cancel_job", { job_id });
      expect(structured).toMatchObject({ status: "cancelled" });
      expect(structured, "it does nothing any more").not.toHaveProperty("doing");
      expect((await faultOf(call("get_job", { job_id }))).code).toBe("cancelled");
      expect(slow.context().signal.aborted).toBe(true);
    }
    const done = idOf(await call("slow"));
    await begun(3);
    slow.answer(2);
    await call("get_job", { job_id: done });
    expect((await two("cancel_job", { job_id: done })).structured).toMatchObject({ status: "done" });
    expect((await two("get_job", { job_id: done })).structured).toMatchObject({ value: 2 });
  });

  it("two servers show the same jobs", async () => {
    const { slow, call, server, begun } = await opened(kind);
    const two = (await server())("ann");
    const job_id = idOf(await call("slow"));
    await begun();
    expect((await two("list_jobs")).structured).toMatchObject({ jobs: [{ job_id, state: "running" }] });
    const waiting = two("get_job", { job_id });
    slow.answer(8);
    expect((await waiting).structured).toMatchObject({ status: "ok", value: 8 });
  });

  it("the latest jobs are listed first, however many run", async () => {
    const { call } = await opened(kind, { handover_ms: 0 });
    const begun: string[] = [];
    for (let i = 0; i < job_limits.listed_max + 5; i++)
      begun.push(idOf(await call("start_job", { tool: "slow", arguments: { n: i } })));
    const { structured } = await call("list_jobs");
    expect(structured).toMatchObject({ more: true });
    expect(structured["jobs"]).toHaveLength(job_limits.listed_max);
    const listed = JSON.stringify(structured["jobs"]);
    expect(begun.slice(-20).filter((job_id) => !listed.includes(job_id))).toEqual([]);
    expect(listed).not.toContain(begun[0]);
    for (const job_id of begun) await call("cancel_job", { job_id });
  });

  it("somebody else's job does not exist, in the same words as one that never was", async () => {
    const { slow, call, one, server, begun } = await opened(kind);
    const job_id = idOf(await call("slow"));
    await begun();
    const unknown = "jabcdefghijkmnpqrstuv";
    for (const bob of [one("bob"), (await server())("bob")]) {
      for (const name of ["get_job", "cancel_job"]) {
        const foreign = (await faultOf(bob(name, { job_id }))).report();
        const never = (await faultOf(bob(name, { job_id: unknown }))).report();
        expect(JSON.stringify(foreign).replaceAll(job_id, unknown)).toBe(JSON.stringify(never));
      }
      expect((await faultOf(bob("start_job", { restart_job: job_id }))).message).toContain("There is no job");
      expect((await bob("list_jobs")).structured).toMatchObject({ jobs: [], more: false });
    }
    slow.answer(1);
    await call("get_job", { job_id });
    expect((await faultOf(one("bob")("get_job", { job_id }))).message, "when it is done").toContain("There is no job");
    for (const odd of ["../../etc/passwd", "*", "j", "", "x".repeat(10_000)])
      expect((await faultOf(call("get_job", { job_id: odd }))).message.length).toBeLessThan(200);
  });

  it("a job starts again once where two servers are asked at the same moment", async () => {
    const { slow, call, server, begun } = await opened(kind);
    const others = await Promise.all([server(), server()]);
    const job_id = idOf(await call("slow", { n: 3 }));
    await begun();
    await call("cancel_job", { job_id });
    const all = [call, ...others.map((other) => other("ann"))];
    const again = await Promise.all(all.map((each) => each("start_job", { restart_job: job_id })));
    expect(new Set(again.map(idOf)).size).toBe(1);
    await begun(2);
    slow.answer(4);
    expect((await call("get_job", { job_id: idOf(again[0] ?? expect.fail()) })).structured).toMatchObject({ value: 4 });
    expect(slow.calls).toBe(2);
  });

  it("a cancelled job starts again under another id, once", async () => {
    const { slow, call, begun } = await opened(kind);
    const job_id = idOf(await call("slow", { n: 3 }));
    await begun();
    await call("cancel_job", { job_id });
    const again = idOf(await call("start_job", { restart_job: job_id }));
    expect(again).not.toBe(job_id);
    expect(idOf(await call("start_job", { restart_job: job_id })), "asked twice").toBe(again);
    await begun(2);
    slow.answer(4);
    expect((await call("get_job", { job_id: again })).structured).toMatchObject({ value: 4 });
  });
});
