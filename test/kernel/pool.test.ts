import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Deadline } from "../../src/kernel/deadline.ts";
import { Fault } from "../../src/kernel/fault.ts";
import { type Expendable, Pool, Slots } from "../../src/kernel/process/pool.ts";

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

  test("a call that can do nothing without one is refused as busy when it timed out, and hears how long it waited", async () => {
    const slots = new Slots(1, 10);
    await take(slots);
    const refused = slots.run(job(30_000), async () => {}).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(30_000);
    const fault = await refused;
    expect(fault).toBeInstanceOf(Fault);
    expect(fault).toMatchObject({ code: "busy", message: expect.stringContaining("waited 30 s for a free process") });
    expect(fault).toMatchObject({ remedy: expect.stringContaining("send the call again") });
  });

  test("go to who came first", async () => {
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

  test("the call past the bound of the queue is refused as busy, and told how long the queue is", async () => {
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

class Worker implements Expendable {
  alive = true;
  discards = 0;

  discard(): void {
    this.alive = false;
    this.discards++;
  }
}

const refill_delay_ms = 50;

function openPool(spares_max = 1) {
  const made: Worker[] = [];
  const make = () => {
    const worker = new Worker();
    made.push(worker);
    return worker;
  };
  return { made, pool: new Pool(make, { spares_max, idle_ms_max: 1_000, refill_delay_ms }) };
}

/** Lets a pool fill its spares up. */
function refill(): void {
  vi.advanceTimersByTime(refill_delay_ms);
}

describe("a pool", () => {
  test("starts nothing before its first use", () => {
    const { made } = openPool();
    vi.advanceTimersByTime(10_000);
    expect(made).toEqual([]);
  });

  test("keeps a spare from shortly after its first use on, and gives it out next", () => {
    const { made, pool } = openPool();
    expect(pool.take()).toBe(made[0]);
    expect(made).toHaveLength(1);
    refill();
    expect(made).toHaveLength(2);
    expect(pool.take()).toBe(made[1]);
    refill();
    expect(made).toHaveLength(3);
  });

  test("starts a worker at once for a job that comes before the spare is there", () => {
    const { made, pool } = openPool();
    expect(new Set([pool.take(), pool.take(), pool.take()])).toEqual(new Set(made));
    refill();
    expect(made).toHaveLength(3 + 1);
  });

  test("never gives a worker to two jobs", () => {
    const { pool } = openPool(3);
    const taken = Array.from({ length: 20 }, () => {
      refill();
      return pool.take();
    });
    expect(new Set(taken).size).toBe(20);
  });

  test("keeps no more spares than it may", () => {
    const { made, pool } = openPool(2);
    for (let i = 0; i < 5; i++) {
      pool.take();
      refill();
    }
    expect(made).toHaveLength(5 + 2);
    const none = openPool(0);
    none.pool.take();
    refill();
    expect(none.made).toHaveLength(1);
  });

  test("gives no dead spare out, and replaces it", () => {
    const { made, pool } = openPool();
    pool.take();
    refill();
    const [, dead] = made;
    if (dead) dead.alive = false;
    const taken = pool.take();
    refill();
    expect(taken).not.toBe(dead);
    expect(taken.alive).toBe(true);
    expect(dead?.discards).toBe(1);
    expect(made).toHaveLength(4);
  });

  test("lets a spare go that nobody took in time, and starts none in its place", () => {
    const { made, pool } = openPool();
    pool.take();
    refill();
    vi.advanceTimersByTime(999);
    expect(made[1]?.discards).toBe(0);
    vi.advanceTimersByTime(1);
    expect(made[1]?.discards).toBe(1);
    vi.advanceTimersByTime(10_000);
    expect(made).toHaveLength(2);
    expect(pool.take()).toBe(made[2]);
  });

  test("does not let a spare go that a job has taken", () => {
    const { made, pool } = openPool();
    pool.take();
    refill();
    const taken = pool.take();
    vi.advanceTimersByTime(10_000);
    expect(taken).toBe(made[1]);
    expect(taken.discards).toBe(0);
  });

  test("lets its spares go when it is closed, once each, and keeps none from then on", () => {
    const { made, pool } = openPool(2);
    pool.take();
    refill();
    pool.close();
    pool.close();
    expect(made.map(({ discards }) => discards)).toEqual([0, 1, 1]);
    expect(vi.getTimerCount()).toBe(0);
    pool.take();
    vi.advanceTimersByTime(10_000);
    expect(made).toHaveLength(4);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("gives a worker that came back to the next job, instead of a spare that may still be starting", () => {
    const { made, pool } = openPool();
    const worker = pool.take();
    refill();
    pool.putBack(worker);
    expect(made.map(({ discards }) => discards)).toEqual([0, 1]);
    expect(pool.take()).toBe(worker);
    expect(made).toHaveLength(2);
  });

  test("starts no spare where a worker comes back in time", () => {
    const { made, pool } = openPool();
    pool.putBack(pool.take());
    refill();
    expect(made).toHaveLength(1);
  });

  test("takes no worker back that is dead, or after it was closed", () => {
    const { made, pool } = openPool();
    const dead = pool.take();
    dead.alive = false;
    pool.putBack(dead);
    expect(pool.take()).toBe(made[1]);
    pool.close();
    if (made[1]) pool.putBack(made[1]);
    expect(made.map(({ discards }) => discards)).toEqual([1, 1]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("that is closed before its spare was started starts none", () => {
    const { made, pool } = openPool();
    pool.take();
    pool.close();
    vi.advanceTimersByTime(10_000);
    expect(made).toHaveLength(1);
  });
});
