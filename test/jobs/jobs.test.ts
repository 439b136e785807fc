import { getEventListeners } from "node:events";
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { handedOver } from "../../src/jobs/handover.ts";
import { job_limits } from "../../src/jobs/limits.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { Fault } from "../../src/kernel/fault.ts";
import { type Answer, quietContext } from "../../src/kernel/tool.ts";
import { faultIn as faultOf } from "../support/faults.ts";
import { callsOf, emptyDirectory, headOfDead, openJobs, slowTool } from "../support/jobs.ts";

function opened(options: Parameters<typeof openJobs>[1] = {}) {
  const directory = emptyDirectory();
  const slow = slowTool();
  const one = openJobs(directory, options);
  return { directory, slow, ...one, call: callsOf(one.own, slow.tool) };
}

const idOf = ({ structured }: Answer) => String(structured["job_id"]);
const none = () => new Deadline(0);

describe("a call that ends in time", () => {
  it("answers exactly as without jobs, and leaves nothing behind", async () => {
    const { slow, call, directory, own } = opened({ handover_ms: 100_000 });
    const answer = call("slow");
    slow.answer(7);
    expect(await answer).toEqual({
      structured: { status: "ok", value: 7, timeout_ms: 30_000 },
      text: ["the value is 7", "a remark"],
    });
    expect(readdirSync(directory)).toEqual([]);
    expect(await own.list(50)).toEqual([]);
  });

  it("throws exactly what the tool throws", async () => {
    const { slow, call } = opened({ handover_ms: 100_000 });
    const thrown = new Error("unexpected");
    const answer = call("slow");
    slow.fail(thrown);
    await expect(answer).rejects.toBe(thrown);
    expect((await faultOf(call("slow", { m: 1 }))).message).toContain('Unknown argument "m"');
  });
});

describe("a call that runs for longer than the time of hand-over", () => {
  it("ends where its client gives the request up while the job is written", async () => {
    const { slow, call, own } = opened();
    const cancel = new AbortController();
    const keep = own.keep.bind(own);
    vi.spyOn(own, "keep").mockImplementation(async (...args) => {
      const begun = await keep(...args);
      cancel.abort();
      return begun;
    });
    const job_id = idOf(await call("slow", {}, quietContext(cancel.signal)));
    expect((await faultOf(call("get_job", { job_id }))).code).toBe("cancelled");
    expect(slow.context().signal.aborted).toBe(true);
  });

  it("raises the fault of its tool, word for word, as often as it is read", async () => {
    const { slow, call } = opened();
    const job_id = idOf(await call("slow"));
    const fault = new Fault("syntax_error", "Wrong.", ["one", "two"], { line: 2, column: 3 }, { error_type: "X" });
    slow.fail(fault);
    expect((await faultOf(call("get_job", { job_id }))).report()).toEqual(fault.report());
    expect((await faultOf(call("get_job", { job_id }))).report()).toEqual(fault.report());
    expect((await call("list_jobs")).structured).toMatchObject({ jobs: [{ job_id, state: "failed" }] });
  });

  it("has a time limit of ten minutes where calls are not handed over", async () => {
    const { call, slow } = opened({ handover_ms: 0 });
    expect((await faultOf(call("slow", { timeout_ms: 600_001 }))).code).toBe("invalid_argument");
    const answer = call("slow", { timeout_ms: 600_000 });
    slow.answer(1);
    expect((await answer).structured).toMatchObject({ timeout_ms: 600_000 });
  });

  it("stays with its client where no further job has room", async () => {
    const { slow, call, jobs, own } = opened();
    vi.spyOn(jobs, "has_room", "get").mockReturnValue(false);
    const answer = call("slow");
    expect((await faultOf(own.start(slow.tool, {}))).code).toBe("busy");
    slow.answer(3);
    // The second begin of the tool was refused before it ran.
    expect((await answer).structured).toMatchObject({ value: 3 });
  });
});

describe("start_job", () => {
  it("leaves nothing behind of a wait for a job that goes on", async () => {
    const { slow, own, call } = opened({ handover_ms: 0 });
    const begun = await call("start_job", { tool: "slow", arguments: {} });
    for (let i = 0; i < 12; i++)
      expect((await call("get_job", { job_id: idOf(begun), wait_s: 0 })).structured).toMatchObject({
        status: "running",
      });
    expect(getEventListeners(own.leaving, "abort")).toEqual([]);
    slow.answer(5);
    expect((await call("get_job", { job_id: idOf(begun) })).structured).toMatchObject({ value: 5 });
  });

  it.each([
    [{ tool: "slow", arguments: { n: "three" } }, "n must be"],
    [{ tool: "slow", arguments: { timeout_ms: 90_000_000 } }, "1-86400000"],
    [{ tool: "slwo" }, 'There is no tool "slwo"'],
    [{ tool: "get_job" }, 'There is no tool "get_job"'],
    [{}, "No tool is named"],
    [{ tool: "slow", restart_job: "x" }, "exclude each other"],
    [{ tool: "slow", arguments: [] }, "arguments must be an object"],
  ])("refuses %j before anything runs", async (args, words) => {
    const { call, own } = opened();
    expect((await faultOf(call("start_job", args))).message).toContain(words);
    expect(await own.list(50)).toEqual([]);
  });
});

describe("a job whose server has ended", () => {
  async function interrupted(
    question: { tool: string; arguments: object } | null = { tool: "slow", arguments: { n: 2 } },
  ) {
    const world = opened();
    const head = headOfDead({ server: { id: "gone", host: "", pid: 2 ** 30, started: 1 }, best_so_far: "objective 3" });
    await world.store.begin(head, question && { tool: question.tool, arguments: { ...question.arguments } });
    // Another machine's job, which was not touched for long.
    const then = new Date(Date.now() - 10 * job_limits.untouched_ms_max);
    utimesSync(join(world.directory, `${head.id}.head.json`), then, then);
    return { ...world, job_id: head.id };
  }

  it("is interrupted, which is not a verdict; it can be started again, once", async () => {
    const { call, job_id, slow } = await interrupted();
    const { structured, text } = await call("get_job", { job_id });
    expect(structured).toMatchObject({ status: "interrupted", reason: "server ended", best_so_far: "objective 3" });
    expect(text.join("\n")).toContain(`start_job with restart_job "${job_id}"`);
    expect((await call("list_jobs")).structured).toMatchObject({ jobs: [{ job_id, state: "interrupted" }] });
    const again = await call("start_job", { restart_job: job_id });
    expect(again.structured).toMatchObject({ status: "running", tool: "slow" });
    expect(idOf(await call("start_job", { restart_job: job_id })), "asked twice").toBe(idOf(again));
    expect((await call("get_job", { job_id })).structured).toMatchObject({ restarted_as: idOf(again) });
    slow.answer(4);
    expect((await call("get_job", { job_id: idOf(again) })).structured).toMatchObject({ value: 4 });
    expect((await faultOf(call("start_job", { restart_job: idOf(again) }))).message).toContain("has an answer");
  });

  it("is started again where a server died while it did that", async () => {
    const { call, job_id, slow, store, directory } = await interrupted();
    expect([await store.hold(job_id), await store.hold(job_id)]).toEqual([true, false]);
    const then = new Date(Date.now() - 2 * job_limits.hold_ms_max);
    utimesSync(join(directory, `${job_id}.hold.json`), then, then);
    const again = await call("start_job", { restart_job: job_id });
    slow.answer(4);
    expect((await call("get_job", { job_id: idOf(again) })).structured).toMatchObject({ value: 4 });
    expect(readdirSync(directory).filter((name) => name.includes(".hold."))).toEqual([]);
  });

  it("that depends on its session can't be started again", async () => {
    const { call, job_id } = await interrupted(null);
    expect((await faultOf(call("start_job", { restart_job: job_id }))).message).toContain("depends on a session");
  });

  it("whose tool is not offered can't be started again", async () => {
    const { call, job_id } = await interrupted({ tool: "other", arguments: {} });
    expect((await faultOf(call("start_job", { restart_job: job_id }))).message).toContain("does not offer");
  });

  it("is not cancelled by a wish that nobody reads", async () => {
    const { call, job_id } = await interrupted();
    expect((await call("cancel_job", { job_id })).structured).toMatchObject({ status: "interrupted" });
  });
});

describe("a damaged job", () => {
  it("without a readable answer is interrupted, and starts again", async () => {
    const { call, directory, slow } = opened();
    const job_id = idOf(await call("slow", { n: 2 }));
    slow.answer(1);
    await call("get_job", { job_id });
    await expect
      .poll(() => readdirSync(directory).some((file) => file.includes("ending")), { timeout: 60_000 })
      .toBe(true);
    const other = callsOf(openJobs(directory).own, slow.tool);
    await expect.poll(async () => (await other("list_jobs")).structured).toMatchObject({ jobs: [{ state: "done" }] });
    writeFileSync(join(directory, `${job_id}.ending.json`), '{"answer":{"struct');
    const { structured } = await other("get_job", { job_id });
    expect(structured).toMatchObject({ status: "interrupted", reason: "its answer can't be read" });
    const again = idOf(await other("start_job", { restart_job: job_id }));
    slow.answer(6);
    expect((await other("get_job", { job_id: again })).structured).toMatchObject({ value: 6 });
  });

  it("with a damaged head is a fault that says so", async () => {
    const { call, directory } = opened();
    writeFileSync(join(directory, "jabcdefghijkmnpqrstuv.head.json"), "{");
    const fault = await faultOf(call("get_job", { job_id: "jabcdefghijkmnpqrstuv" }));
    expect(fault.report()).toMatchObject({ code: "engine_failed", error: expect.stringContaining("damaged") });
    expect((await call("list_jobs")).structured).toMatchObject({ more: false });
  });
});

describe("a data directory that can't be written", () => {
  it("costs only the keeping: the job runs, says so, and is written when that is possible", async () => {
    const directory = join(emptyDirectory(), "jobs");
    writeFileSync(directory, "a file where the directory should be");
    const slow = slowTool();
    const call = callsOf(openJobs(directory).own, slow.tool);
    const running = await call("slow");
    expect(running.structured["warnings"]).toEqual([
      expect.stringMatching(/could not be recorded.* lost when the server exits/),
    ]);
    const job_id = idOf(running);
    slow.answer(7);
    expect((await call("get_job", { job_id })).structured).toMatchObject({ value: 7 });
    rmSync(directory);
    mkdirSync(directory);
    // It is written after a pause; another server then sees it.
    const other = callsOf(openJobs(directory).own, slow.tool);
    await expect
      .poll(async () => (await other("list_jobs")).structured, { timeout: 60_000, interval: 200 })
      .toMatchObject({ jobs: [{ job_id, state: "done" }] });
    expect((await other("get_job", { job_id })).structured).toMatchObject({ value: 7 });
  });
});

describe("a clock that jumps", () => {
  it.each([400 * 24 * 3_600_000, -400 * 24 * 3_600_000])("by %d ms loses and invents nothing", async (jump_ms) => {
    let shift = 0;
    const clock = () => Date.now() + shift;
    const directory = emptyDirectory();
    const slow = slowTool();
    const { own, store } = openJobs(directory, { clock });
    const call = callsOf(own, slow.tool);
    const job_id = idOf(await call("slow"));
    shift = jump_ms;
    const { structured } = await call("get_job", { job_id, wait_s: 0 });
    expect(structured).toMatchObject({ status: "running" });
    expect(Number(structured["running_s"])).toBeLessThan(3_600);
    expect(Number(structured["running_s"])).toBeGreaterThanOrEqual(0);
    const other = callsOf(openJobs(directory, { clock }).own, slow.tool);
    expect((await other("get_job", { job_id, wait_s: 0 })).structured).toMatchObject({ status: "running" });
    slow.answer(7);
    await call("get_job", { job_id });
    await expect.poll(async () => (await store.latest("ann", 2_000))[0]?.state, { timeout: 60_000 }).toBe("done");
    shift = 0;
    expect((await other("get_job", { job_id })).structured).toMatchObject({ value: 7 });
  });
});

describe("the seam", () => {
  it("is not there where hand-over is off", () => {
    const { slow, own } = opened({ handover_ms: 0 });
    expect(handedOver(slow.tool, own)).toBe(slow.tool);
  });

  it("reads no job without a wait that ends", async () => {
    const { slow, call, own } = opened();
    const job_id = idOf(await call("slow"));
    expect((await own.view(job_id, none())).head.state).toBe("running");
    const cancel = new AbortController();
    const waiting = faultOf(call("get_job", { job_id, wait_s: 40 }, quietContext(cancel.signal)));
    cancel.abort();
    expect((await waiting).code).toBe("cancelled");
    slow.answer(1);
    expect((await call("get_job", { job_id })).structured, "the job went on").toMatchObject({ value: 1 });
  });
});
