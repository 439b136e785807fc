import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Deadline } from "../../src/kernel/deadline.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new Promise<string>(() => {});

test("work that is done in time gives its result, and leaves no timer", async () => {
  expect(await new Deadline(1_000).within(Promise.resolve("done"))).toBe("done");
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);
});

test("work that is done already is not late, although no time is left", async () => {
  expect(await new Deadline(0).within(Promise.resolve("done"))).toBe("done");
});

test("work that takes too long is expired, and what comes of it later harms nobody", async () => {
  const late = new Promise<string>((_, reject) => setTimeout(() => reject(new Error("late")), 5_000));
  const outcome = new Deadline(1_000).within(late);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await outcome).toBe("expired");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(vi.getTimerCount()).toBe(0);
});

test("work that fails in time fails", async () => {
  await expect(new Deadline(1_000).within(Promise.reject(new Error("broken")))).rejects.toThrow("broken");
});

test("a wait that is given up, before or meanwhile, is cancelled at once", async () => {
  await expect(new Deadline(1_000, AbortSignal.abort()).within(never)).rejects.toMatchObject({ code: "cancelled" });
  const cancel = new AbortController();
  const outcome = new Deadline(1_000, cancel.signal).within(never);
  cancel.abort();
  await expect(outcome).rejects.toMatchObject({ code: "cancelled" });
});

test("a signal for work that takes no deadline fires at the end, or when the call is given up; then no timer is left", async () => {
  const until = (signal: AbortSignal) =>
    new Promise<string>((done) => signal.addEventListener("abort", () => done("stopped")));
  const late = new Deadline(1_000).signalling(until);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await late).toBe("stopped");
  const cancel = new AbortController();
  const given_up = new Deadline(1_000, cancel.signal).signalling(until);
  cancel.abort();
  expect(await given_up).toBe("stopped");
  expect(await new Deadline(1_000).signalling(async ({ aborted }) => aborted)).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

describe("an end", () => {
  const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  test("stays where it is: what is left shrinks, and is never negative", async () => {
    const deadline = new Deadline(1_000);
    await later(400);
    expect(deadline.left_ms).toBe(600);
    expect(deadline.is_over).toBe(false);
    await later(600);
    expect([deadline.left_ms, deadline.is_over]).toEqual([0, true]);
    await later(1_000);
    expect([deadline.left_ms, deadline.is_over]).toEqual([0, true]);
  });

  test("bounded by another is the earlier of both, and itself where that one is later", async () => {
    const deadline = new Deadline(1_000);
    const bounded = deadline.atMost(300);
    expect([bounded.left_ms, bounded.signal]).toEqual([300, deadline.signal]);
    expect(deadline.atMost(1_000)).toBe(deadline);
    expect(deadline.atMost(Number.POSITIVE_INFINITY)).toBe(deadline);
    await later(900);
    expect(deadline.atMost(300)).toBe(deadline);
    expect([bounded.left_ms, deadline.left_ms]).toEqual([0, 100]);
  });

  test("that leaves time for what follows is earlier by that, also when that is more than is left", async () => {
    const deadline = new Deadline(1_000);
    expect(deadline.earlierBy(250).left_ms).toBe(750);
    expect(deadline.earlierBy(2_000).is_over).toBe(true);
  });

  test("for another signal is the same end, and the first signal does not stop it", async () => {
    const [cancel, other] = [new AbortController(), new AbortController()];
    const deadline = new Deadline(1_000, cancel.signal);
    await later(400);
    const copy = deadline.withSignal(other.signal);
    expect(copy.left_ms).toBe(deadline.left_ms);
    const outcome = copy.within(never);
    cancel.abort();
    await later(600);
    expect(await outcome).toBe("expired");
  });
});
