import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { Fault } from "../../src/kernel/fault.ts";
import { type Answer, quietContext } from "../../src/kernel/tool.ts";
import { removeDirectory } from "../support/directories.ts";
import { buildWorker, openServer, readLog, startTwo, startWorker } from "../support/queue_workers.ts";
import { has_redis, openRealRedis, type RealRedis } from "../support/redis.ts";

const idOf = ({ structured }: Answer) => String(structured["job_id"]);
const codeOf = (answer: Promise<unknown>) =>
  answer.then(
    (value) => JSON.stringify(value),
    (thrown: unknown) => (thrown instanceof Fault ? thrown.code : String(thrown)),
  );
const wait = { timeout: 40_000, interval: 20 };

let program: Awaited<ReturnType<typeof buildWorker>>;
let redis: RealRedis;
let directory: string;
let log: string;
beforeAll(async () => {
  program = await buildWorker();
});
afterAll(() => program.remove());
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "verdict-faults-"));
  log = join(directory, "log");
  writeFileSync(log, "");
  if (has_redis) redis = await openRealRedis();
});
afterEach(async () => {
  await redis?.remove();
  removeDirectory(directory);
});

const began = (count: number) => expect.poll(() => readLog(log).began.length, wait).toBe(count);

describe.skipIf(!has_redis)("workers", () => {
  it("answer calls of servers: another process does the work", async () => {
    const worker = await startWorker(program.file, redis);
    const { call } = await openServer(redis);
    const { structured } = await call("sleep", { n: 4, ms: 1 });
    expect(structured).toMatchObject({ twice: 8, pid: worker.pid });
  });

  it("are not needed: without one the server makes the call", async () => {
    const { call } = await openServer(redis);
    expect((await call("sleep", { n: 4, ms: 1 })).structured).toMatchObject({ twice: 8, pid: process.pid });
  });

  it("leave a session to its server: what no other process can make is made there", async () => {
    await startWorker(program.file, redis);
    const { call } = await openServer(redis);
    const args = { n: 1, ms: 1, pad: "x".repeat(13 * 1024 * 1024) };
    const { structured } = await call("sleep", args);
    expect(structured, "a question that is too large for Redis").toMatchObject({ pid: process.pid });
    const large = { ...args, pad: "x".repeat(9 * 1024 * 1024) };
    expect((await call("sleep", large)).structured).toMatchObject({ pad_chars: large.pad.length });
  });

  it("serve calls before jobs, and owners by turns", async () => {
    const worker = await startWorker(program.file, redis, { log });
    const ann = await openServer(redis, { owner: "ann" });
    const bob = await openServer(redis, { owner: "bob" });
    const first = ann.call("sleep", { n: 0, ms: 4_000 });
    await began(1);
    const jobs = Array.from({ length: 6 }, (_, i) =>
      ann.call("start_job", { tool: "sleep", arguments: { n: 100 + i, ms: 8_000 } }),
    );
    await Promise.all(jobs);
    await expect.poll(() => redis.ask("zcard", "verdict:queue:sleep:prioritized"), wait).toBe("5");
    const calls = [];
    for (let i = 0; i < 6; i++) calls.push(ann.call("sleep", { n: 10 + i, ms: 20 }));
    await expect.poll(() => redis.ask("zcard", "verdict:queue:sleep:prioritized"), wait).toBe("11");
    expect(await ann.backing.queue.waiting(), "as the metrics say").toBe(11);
    for (let i = 0; i < 2; i++) calls.push(bob.call("sleep", { n: 20 + i, ms: 20 }));
    await Promise.all([first, ...calls]);
    const order = readLog(log).began.filter((n) => n > 0 && n < 100);
    expect(order.length).toBe(8);
    expect(order.indexOf(20), `bob's first of ${order}`).toBeLessThan(4);
    expect(order.indexOf(21), `bob's second of ${order}`).toBeLessThan(6);
    expect(worker.pid).toBeGreaterThan(0);
  });

  it("killed in mid-work lose the call once: another one makes it", async () => {
    const { call } = await openServer(redis);
    let job_id = "";
    const { holder, other } = await startTwo(program.file, redis, log, async () => {
      job_id = idOf(await call("start_job", { tool: "sleep", arguments: { n: 5, ms: 2_000 } }));
    });
    holder.kill("SIGKILL");
    const { structured } = await call("get_job", { job_id });
    expect(structured).toMatchObject({ twice: 10, pid: other.pid });
    expect(readLog(log).ended).toEqual([5]);
  });

  it("killed twice fail the call, which is not a verdict", async () => {
    const { call } = await openServer(redis);
    let dying = await startWorker(program.file, redis, { log });
    const job_id = idOf(await call("start_job", { tool: "sleep", arguments: { n: 5, ms: 100_000 } }));
    for (const time of [1, 2]) {
      await began(time);
      const next = await startWorker(program.file, redis, { log });
      dying.kill("SIGKILL");
      dying = next;
    }
    expect(await codeOf(call("get_job", { job_id }))).toBe("engine_failed");
    expect(readLog(log).began).toEqual([5, 5]);
  });

  it("that hang for a while do not answer twice", async () => {
    const { call } = await openServer(redis);
    let job_id = "";
    const { holder, other } = await startTwo(program.file, redis, log, async () => {
      job_id = idOf(await call("start_job", { tool: "sleep", arguments: { n: 6, ms: 2_000 } }));
    });
    holder.kill("SIGSTOP");
    await began(2);
    holder.kill("SIGCONT");
    const answer = await call("get_job", { job_id });
    expect(answer.structured).toMatchObject({ twice: 12 });
    await expect.poll(() => redis.ask("exists", `verdict:queue:sleep:${job_id}`), wait).toBe("0");
    const again = await call("get_job", { job_id });
    expect(again.structured["pid"], "the recorded one stays").toBe(answer.structured["pid"]);
    expect([holder.pid, other.pid]).toContain(answer.structured["pid"]);
  });

  it("that are to end give a long call back, and another one makes it", async () => {
    const { call } = await openServer(redis);
    let job_id = "";
    const { holder, other } = await startTwo(program.file, redis, log, async () => {
      job_id = idOf(await call("start_job", { tool: "sleep", arguments: { n: 7, ms: 7_000 } }));
    });
    holder.kill("SIGTERM");
    expect((await call("get_job", { job_id })).structured).toMatchObject({ twice: 14, pid: other.pid });
  });
});

describe.skipIf(!has_redis)("jobs in Redis", () => {
  it("are cancelled while they wait, and while they run in another process", async () => {
    await startWorker(program.file, redis, { log });
    const { call } = await openServer(redis);
    const running = idOf(await call("start_job", { tool: "sleep", arguments: { n: 1, ms: 100_000 } }));
    await began(1);
    const waiting = idOf(await call("start_job", { tool: "sleep", arguments: { n: 2, ms: 100_000 } }));
    for (const job_id of [waiting, running]) {
      expect((await call("cancel_job", { job_id })).structured).toMatchObject({ status: "cancelled" });
      expect(await codeOf(call("get_job", { job_id }))).toBe("cancelled");
    }
    expect(readLog(log)).toMatchObject({ began: [1], stopped: [1], ended: [] });
    expect(redis.ask("zcard", "verdict:queue:sleep:prioritized")).toBe("0");
  });

  it("outlive their server, and their answer is shown by another one", async () => {
    await startWorker(program.file, redis, { log });
    const one = await openServer(redis);
    const job_id = idOf(await one.call("start_job", { tool: "sleep", arguments: { n: 3, ms: 4_000 } }));
    await began(1);
    one.close();
    const two = await openServer(redis);
    await expect
      .poll(async () => (await two.call("get_job", { job_id, wait_s: 0 })).structured, wait)
      .toMatchObject({ status: "running", best_so_far: "began 3" });
    expect((await two.call("get_job", { job_id })).structured).toMatchObject({ twice: 6 });
  });

  it("expire: then they never were, in the same words", async () => {
    await startWorker(program.file, redis);
    const { call } = await openServer(redis, { kept_ms: 1_500 });
    const job_id = idOf(await call("start_job", { tool: "sleep", arguments: { n: 3, ms: 1 } }));
    expect((await call("get_job", { job_id })).structured).toMatchObject({ twice: 6 });
    await expect.poll(() => redis.ask("exists", `verdict:call:${job_id}`), wait).toBe("0");
    expect(await codeOf(call("get_job", { job_id }))).toBe("invalid_argument");
    expect((await call("list_jobs")).structured).toMatchObject({ jobs: [] });
  });

  it("that were changed in Redis by somebody are not an answer", async () => {
    await startWorker(program.file, redis, { log });
    const { call } = await openServer(redis);
    const job_id = idOf(await call("start_job", { tool: "sleep", arguments: { n: 3, ms: 1 } }));
    await call("get_job", { job_id });
    const key = `verdict:call:${job_id}`;
    await expect.poll(() => redis.ask("hexists", key, "ending"), wait).toBe("1");
    const { call: other } = await openServer(redis);
    const look = async () => {
      redis.ask("hset", key, "ending", '{"answer":{"structured":[],"text":"proved"}}');
      return (await other("get_job", { job_id })).structured;
    };
    await expect.poll(look, wait).toMatchObject({ status: "interrupted" });
    redis.ask("hset", key, "head", '{"id":"else"}');
    expect(await codeOf(other("get_job", { job_id }))).toBe("engine_failed");
  });

  it("with questions that nobody can read fail", async () => {
    const { call } = await openServer(redis);
    const dying = await startWorker(program.file, redis, { log });
    await call("start_job", { tool: "sleep", arguments: { n: 1, ms: 3_000 } });
    await began(1);
    const job_id = idOf(await call("start_job", { tool: "sleep", arguments: { n: 2, ms: 1 } }));
    redis.ask("hset", `verdict:call:${job_id}`, "question", "{{{");
    expect(await codeOf(call("get_job", { job_id }))).toBe("engine_failed");
    expect(dying.exitCode).toBe(null);
  });
});

describe.skipIf(!has_redis)("a Redis that is away", () => {
  it("at the start: calls are made here, jobs too; later workers get them", async () => {
    await redis.kill();
    const error = vi.spyOn(console, "error").mockImplementation(() => {});
    const { call } = await openServer(redis);
    expect((await call("sleep", { n: 1, ms: 1 })).structured).toMatchObject({ pid: process.pid });
    const begun = await call("start_job", { tool: "sleep", arguments: { n: 2, ms: 1 } });
    expect(JSON.stringify(begun.structured["warnings"])).toMatch(
      /job store can't be reached.*lost when the server exits/,
    );
    expect(await codeOf(call("list_jobs"))).toBe("busy");
    await redis.start();
    const worker = await startWorker(program.file, redis);
    await expect.poll(async () => (await call("sleep", { n: 1, ms: 1 })).structured["pid"], wait).toBe(worker.pid);
    expect((await call("get_job", { job_id: idOf(begun) })).structured).toMatchObject({ twice: 4 });
    expect(JSON.stringify(error.mock.calls)).not.toContain(redis.url);
    error.mockRestore();
  });

  it("in the middle: calls are made here, and jobs wait until it is back", async () => {
    const error = vi.spyOn(console, "error").mockImplementation(() => {});
    const worker = await startWorker(program.file, redis, { log, at_once: 3 });
    const { call } = await openServer(redis);
    const running = idOf(await call("start_job", { tool: "sleep", arguments: { n: 1, ms: 2_500 } }));
    await began(1);
    const under_way = call("sleep", { n: 2, ms: 2_500 });
    await began(2);
    await redis.kill();
    expect((await under_way).structured, "begun again here").toMatchObject({ twice: 4, pid: process.pid });
    expect((await call("sleep", { n: 3, ms: 1 })).structured).toMatchObject({ pid: process.pid });
    expect((await call("get_job", { job_id: running, wait_s: 0 })).structured).toMatchObject({ status: "running" });
    await redis.start();
    expect((await call("get_job", { job_id: running })).structured).toMatchObject({ twice: 2, pid: worker.pid });
    expect(readLog(log).ended.filter((n) => n === 1)).toEqual([1]);
    error.mockRestore();
  });

  it("that comes back without its data has lost its jobs, which is not a verdict; calls go on", async () => {
    const error = vi.spyOn(console, "error").mockImplementation(() => {});
    await startWorker(program.file, redis, { log, at_once: 2 });
    const { call } = await openServer(redis);
    const job_id = idOf(await call("start_job", { tool: "sleep", arguments: { n: 1, ms: 100_000 } }));
    await began(1);
    redis.ask("flushall");
    expect(await codeOf(call("get_job", { job_id }))).toBe("engine_failed");
    expect((await call("sleep", { n: 3, ms: 1 })).structured).toMatchObject({ twice: 6 });
    error.mockRestore();
  });

  it("that hangs counts as away", async () => {
    const error = vi.spyOn(console, "error").mockImplementation(() => {});
    await startWorker(program.file, redis, { log });
    const { call } = await openServer(redis);
    const under_way = call("sleep", { n: 2, ms: 1_000 });
    await began(1);
    redis.signal("SIGSTOP");
    expect((await under_way).structured).toMatchObject({ twice: 4 });
    expect((await call("sleep", { n: 3, ms: 1 })).structured).toMatchObject({ pid: process.pid });
    redis.signal("SIGCONT");
    error.mockRestore();
  });

  it("keeps no call of a client that gave it up", async () => {
    const error = vi.spyOn(console, "error").mockImplementation(() => {});
    await startWorker(program.file, redis, { log });
    const { call } = await openServer(redis);
    const cancel = new AbortController();
    const answer = codeOf(call("sleep", { n: 1, ms: 100_000 }, quietContext(cancel.signal)));
    await began(1);
    await redis.kill();
    cancel.abort();
    expect(await answer).toBe("cancelled");
    await redis.start();
    await expect.poll(() => readLog(log).stopped, wait).toEqual([1]);
    error.mockRestore();
  });
});
