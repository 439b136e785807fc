import { describe, expect, test } from "vitest";
import { Deadline } from "../../src/kernel/deadline.ts";
import { Caller, onBehalfOf } from "../../src/kernel/process/caller.ts";
import type { Release } from "../../src/kernel/process/slots.ts";
import { SolverSlots } from "../../src/kernel/process/solver_slots.ts";

const soon = () => new Deadline(1_000_000);
const settle = () => new Promise((resolve) => setImmediate(resolve));

function calling(slots: SolverSlots, { is_job = false, owner = "ann" } = {}) {
  const caller = new Caller(owner, { is_job });
  const state: { release?: Release; outcome?: unknown } = {};
  onBehalfOf(caller, () => slots.take(soon())).then(
    (release) => {
      if (release !== "expired") state.release = release;
      state.outcome = "in";
    },
    (error: unknown) => {
      state.outcome = error;
    },
  );
  return { caller, state, leave: () => state.release?.(), isIn: () => state.outcome === "in" };
}

describe("the slots of solvers", () => {
  test("a call never waits for jobs, however many of them there are", async () => {
    const slots = new SolverSlots(2);
    const jobs = Array.from({ length: 5 }, () => calling(slots, { is_job: true }));
    const calls = [calling(slots), calling(slots), calling(slots)];
    await settle();
    expect(jobs.map((job) => job.isIn())).toEqual([true, true, false, false, false]);
    expect(calls.map((call) => call.isIn())).toEqual([true, true, false]);
    calls[0]?.leave();
    await settle();
    expect(calls[2]?.isIn(), "after another call").toBe(true);
    expect(jobs[2]?.isIn()).toBe(false);
  });

  test("a call that becomes a job makes room for the next call at once, and keeps its solver", async () => {
    const slots = new SolverSlots(1);
    const long = calling(slots);
    const next = calling(slots);
    await settle();
    expect([long.isIn(), next.isIn()]).toEqual([true, false]);
    expect(long.caller.becomeJob()).toBe(true);
    await settle();
    expect(next.isIn()).toBe(true);
    const job = calling(slots, { is_job: true });
    await settle();
    expect(job.isIn(), "its place is that of a job now").toBe(false);
    long.leave();
    long.leave();
    await settle();
    expect(job.isIn()).toBe(true);
    const other = calling(slots);
    await settle();
    expect(other.isIn(), "handed back once, as a job").toBe(false);
  });

  test("more calls than there are slots can become jobs, up to a bound; then they stay calls until there is room", async () => {
    const slots = new SolverSlots(1, { moved_max: 1, turn_ms: 1_000 });
    const first = calling(slots, { is_job: true });
    await settle();
    const second = calling(slots);
    await settle();
    expect(second.caller.becomeJob()).toBe(true);
    const third = calling(slots);
    await settle();
    expect(third.isIn()).toBe(true);
    expect(third.caller.becomeJob()).toBe(false);
    expect(third.caller.is_job).toBe(false);
    const waits = calling(slots);
    await settle();
    expect(waits.isIn()).toBe(false);
    first.leave();
    expect(third.caller.becomeJob()).toBe(true);
    await settle();
    expect(waits.isIn()).toBe(true);
  });

  test("a call that becomes a job while it waits keeps its place, and moves after its turn", async () => {
    const slots = new SolverSlots(1, { moved_max: 8, turn_ms: 30 });
    const holder = calling(slots);
    const waiting = calling(slots);
    await settle();
    const later = calling(slots);
    expect(waiting.caller.becomeJob()).toBe(true);
    await settle();
    expect(waiting.isIn()).toBe(false);
    holder.leave();
    await settle();
    expect([waiting.isIn(), later.isIn()]).toEqual([true, false]);
    await expect.poll(later.isIn).toBe(true);
    const job = calling(slots, { is_job: true });
    await settle();
    expect(job.isIn(), "its place is that of a job now").toBe(false);
    waiting.leave();
    await settle();
    expect(job.isIn()).toBe(true);
  });

  test("a job that ends within its turn hands its slot to the next call", async () => {
    const slots = new SolverSlots(1, { moved_max: 8, turn_ms: 10 });
    const holder = calling(slots);
    const waiting = calling(slots);
    await settle();
    waiting.caller.becomeJob();
    holder.leave();
    await settle();
    waiting.leave();
    await new Promise((resolve) => setTimeout(resolve, 30));
    const [call, other, job] = [calling(slots), calling(slots), calling(slots, { is_job: true })];
    await settle();
    expect([call.isIn(), other.isIn(), job.isIn()]).toEqual([true, false, true]);
  });

  test("a lent slot moves to a free one of jobs; where there is none, it is wanted back", async () => {
    const slots = new SolverSlots(2);
    const caller = new Caller("ann");
    let wanted = 0;
    const lend = () => onBehalfOf(caller, () => slots.borrow(() => wanted++));
    const [one, two] = [lend(), lend()];
    expect([one, two, lend()].map((release) => release !== undefined)).toEqual([true, true, false]);
    const job = calling(slots, { is_job: true });
    await settle();
    expect(caller.becomeJob()).toBe(true);
    expect(wanted).toBe(1);
    const calls = [calling(slots), calling(slots)];
    await settle();
    expect(calls.map((call) => call.isIn())).toEqual([true, false]);
    two?.();
    await settle();
    expect(calls[1]?.isIn()).toBe(true);
    const waits = calling(slots, { is_job: true });
    await settle();
    expect([waits.isIn(), wanted]).toEqual([false, 2]);
    one?.();
    await settle();
    expect(waits.isIn()).toBe(true);
    job.leave();
  });
});
