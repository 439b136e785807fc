import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { within } from "../../src/kernel/within.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new Promise<string>(() => {});

function job(left_ms: number, signal = new AbortController().signal) {
  return { left_ms, signal };
}

test("work that is done in time gives its result, and leaves no timer", async () => {
  expect(await within(job(1_000), Promise.resolve("done"))).toBe("done");
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);
});

test("work that is done already is not late, although no time is left", async () => {
  expect(await within(job(0), Promise.resolve("done"))).toBe("done");
});

test("work that takes too long is expired, and what comes of it later harms nobody", async () => {
  const late = new Promise<string>((_, reject) => setTimeout(() => reject(new Error("late")), 5_000));
  const outcome = within(job(1_000), late);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await outcome).toBe("expired");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(vi.getTimerCount()).toBe(0);
});

test("work that fails in time fails", async () => {
  await expect(within(job(1_000), Promise.reject(new Error("broken")))).rejects.toThrow("broken");
});

test("a wait that is given up, before or meanwhile, is cancelled at once", async () => {
  await expect(within(job(1_000, AbortSignal.abort()), never)).rejects.toMatchObject({ code: "cancelled" });
  const cancel = new AbortController();
  const outcome = within(job(1_000, cancel.signal), never);
  cancel.abort();
  await expect(outcome).rejects.toMatchObject({ code: "cancelled" });
});
