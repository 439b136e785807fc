import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Deadline } from "../../src/kernel/deadline.ts";
import { Fault } from "../../src/kernel/fault.ts";
import { Caller, onBehalfOf } from "../../src/kernel/process/caller.ts";
import { Slots } from "../../src/kernel/process/slots.ts";

function job(left_ms = 1_000_000, signal = new AbortController().signal): Deadline {
  return new Deadline(left_ms, signal);
}

/** Takes a slot that must be there. */
async function take(slots: Slots, wanted = job()): Promise<() => void> {
  const release = await slots.take(wanted);
  if (release === "expired") throw new Error("expired");
  return release;
}

/** Lets everything settle that is able to. */
async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a slot that is lent", () => {
  test("is one that is free, and is wanted back as soon as a call waits for one", async () => {
    const slots = new Slots(2, 10);
    const release = await take(slots);
    let wanted = 0;
    const give = slots.borrow(() => wanted++);
    expect(give).toBeDefined();
    expect(slots.borrow(() => wanted++)).toBeUndefined();
    expect(wanted).toBe(0);
    let inside = 0;
    void take(slots).then(() => inside++);
    await settle();
    expect([wanted, inside]).toEqual([1, 0]);
    give?.();
    await settle();
    expect(inside).toBe(1);
    release();
  });

  test("is wanted back once, and is free again when it was not", async () => {
    const slots = new Slots(1, 10);
    let wanted = 0;
    const give = slots.borrow(() => wanted++);
    void take(slots).catch(() => {});
    void take(slots).catch(() => {});
    await settle();
    expect(wanted).toBe(1);
    give?.();
    give?.();
    await settle();
    expect(slots.borrow(() => wanted++)).toBeUndefined();

    const others = new Slots(1, 10);
    others.borrow(() => wanted++)?.();
    const again = await take(others);
    expect(wanted).toBe(1);
    again();
  });
});

describe("slots", () => {
  test("let no more calls in than there are slots", async () => {
    const slots = new Slots(2, 10);
    let inside = 0;
    const releases = [await take(slots), await take(slots)];
    for (let i = 0; i < 3; i++) void take(slots).then(() => inside++);
    await settle();
    expect(inside).toBe(0);
    releases[0]?.();
    await settle();
    expect(inside).toBe(1);
    releases[1]?.();
    await settle();
    expect(inside).toBe(2);
  });

  test("a call that can do nothing without one is refused as busy when it timed out, with the time that it waited", async () => {
    const slots = new Slots(1, 10);
    await take(slots);
    const refused = slots.run(job(30_000), async () => {}).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(30_000);
    const fault = await refused;
    expect(fault).toBeInstanceOf(Fault);
    expect(fault).toMatchObject({ code: "busy", message: expect.stringContaining("waited 30 s for a free process") });
    expect(fault).toMatchObject({ remedy: expect.stringContaining("send the call again") });
  });

  test("go to the call that came first", async () => {
    const slots = new Slots(1, 10);
    const first = await take(slots);
    const order: number[] = [];
    for (const i of [1, 2, 3]) {
      void take(slots).then((release) => {
        order.push(i);
        release();
      });
    }
    first();
    await settle();
    expect(order).toEqual([1, 2, 3]);
  });

  test("a call does not overtake one that waits, although a slot was just handed back", async () => {
    const slots = new Slots(1, 10);
    const first = await take(slots);
    const order: string[] = [];
    void take(slots).then(() => order.push("waited"));
    first();
    void take(slots).then(() => order.push("came later"));
    await settle();
    expect(order).toEqual(["waited"]);
  });

  test("the call past the bound of the queue is refused as busy, with the length of the queue", async () => {
    const slots = new Slots(1, 2);
    await take(slots);
    void take(slots);
    void take(slots);
    await expect(slots.take(job())).rejects.toMatchObject({
      code: "busy",
      message: expect.stringContaining("2 calls"),
    });
  });

  test("a place in the queue is free again after one was let in, expired or cancelled", async () => {
    const slots = new Slots(1, 1);
    const first = await take(slots);
    const cancel = new AbortController();
    const given_up = slots.take(job(1_000_000, cancel.signal));
    cancel.abort();
    await expect(given_up).rejects.toMatchObject({ code: "cancelled" });
    const late = slots.take(job(10));
    await vi.advanceTimersByTimeAsync(11);
    expect(await late).toBe("expired");
    const second = take(slots);
    first();
    await second;
    const third = slots.take(job(10));
    await vi.advanceTimersByTimeAsync(11);
    expect(await third).toBe("expired");
  });

  test("a call whose time runs out in the queue expires then, and not before", async () => {
    const slots = new Slots(1, 10);
    await take(slots);
    let outcome: unknown;
    void slots.take(job(500)).then((got) => {
      outcome = got;
    });
    await vi.advanceTimersByTimeAsync(499);
    expect(outcome).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome).toBe("expired");
  });

  test("a slot is not lost on a call that expired or was cancelled", async () => {
    const slots = new Slots(1, 10);
    const first = await take(slots);
    const cancel = new AbortController();
    const expired = slots.take(job(5));
    const given_up = slots.take(job(1_000_000, cancel.signal));
    await vi.advanceTimersByTimeAsync(6);
    cancel.abort();
    await expect(given_up).rejects.toMatchObject({ code: "cancelled" });
    expect(await expired).toBe("expired");
    first();
    await take(slots);
  });

  test("a call that was cancelled before it came is refused, free slot or not", async () => {
    const slots = new Slots(1, 10);
    await expect(slots.take(job(1_000, AbortSignal.abort()))).rejects.toMatchObject({ code: "cancelled" });
    await take(slots);
    await expect(slots.take(job(1_000, AbortSignal.abort()))).rejects.toMatchObject({ code: "cancelled" });
  });

  test("a call without any time left still gets a free slot, and expires when there is none", async () => {
    const slots = new Slots(1, 10);
    await take(slots, job(0));
    const late = slots.take(job(0));
    await vi.advanceTimersByTimeAsync(2);
    expect(await late).toBe("expired");
  });

  test("handing a slot back twice lets only one call in", async () => {
    const slots = new Slots(1, 10);
    const first = await take(slots);
    let inside = 0;
    for (let i = 0; i < 2; i++) void take(slots).then(() => inside++);
    first();
    first();
    await settle();
    expect(inside).toBe(1);
  });

  test("a call that was let in leaves no timer and no listener behind", async () => {
    const slots = new Slots(1, 10);
    const first = await take(slots);
    const cancel = new AbortController();
    const removed = vi.spyOn(cancel.signal, "removeEventListener");
    const second = take(slots, job(1_000_000, cancel.signal));
    expect(vi.getTimerCount()).toBe(1);
    first();
    await second;
    expect(vi.getTimerCount()).toBe(0);
    expect(removed).toHaveBeenCalledWith("abort", expect.any(Function));
    cancel.abort();
  });

  test("one signal that gives up many calls at once leaves the queue empty", async () => {
    const slots = new Slots(1, 10);
    const first = await take(slots);
    const cancel = new AbortController();
    const calls = Array.from({ length: 10 }, () => slots.take(job(1_000_000, cancel.signal)));
    cancel.abort();
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
    first();
    await take(slots);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("slots of several owners", () => {
  /** Lets calls wait, and gives the owners in the order in which they were served, one after the other. */
  async function served(slots: Slots, owners: string): Promise<string> {
    const order: string[] = [];
    const all = [...owners].map((owner) =>
      onBehalfOf(new Caller(owner), async () => {
        const release = await take(slots);
        order.push(owner);
        await settle();
        release();
      }),
    );
    await settle();
    await Promise.all(all);
    return order.join("");
  }

  test("are served by turns: many calls of one do not keep the other waiting", async () => {
    expect(await served(new Slots(1, 10), "aaaaaabbb")).toBe("abababaaa");
    expect(await served(new Slots(1, 10), "aaaabbcc")).toBe("abcabcaa");
  });

  test("go to the one who holds fewer", async () => {
    const slots = new Slots(3, 10);
    const held = await Promise.all([..."aab"].map((owner) => onBehalfOf(new Caller(owner), () => take(slots))));
    const order: string[] = [];
    for (const owner of "abb") void onBehalfOf(new Caller(owner), () => take(slots)).then(() => order.push(owner));
    // Both hold one then, and b was served last.
    held[0]?.();
    await settle();
    expect(order).toEqual(["a"]);
    held[1]?.();
    await settle();
    expect(order).toEqual(["a", "b"]);
  });

  test("have places to wait of their own, and a bound for all of them", async () => {
    const slots = new Slots(1, 2);
    const wait = (owner: string) => onBehalfOf(new Caller(owner), () => slots.take(job()));
    const first = await wait("a");
    for (const owner of "aabbccdd") void wait(owner);
    await expect(wait("a")).rejects.toMatchObject({ code: "busy", message: expect.stringContaining("2 calls") });
    await expect(wait("e")).rejects.toMatchObject({ code: "busy", message: expect.stringContaining("8 calls") });
    if (first !== "expired") first();
    await settle();
    void wait("e");
  });
});
