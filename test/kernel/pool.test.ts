import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Expendable, Pool } from "../../src/kernel/process/pool.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

class Worker implements Expendable {
  alive = true;
  discards = 0;

  discard(): void {
    this.alive = false;
    this.discards++;
  }
}

const refill_delay_ms = 50;

function openPool(spares_max = 1, at_once = Number.POSITIVE_INFINITY) {
  const made: Worker[] = [];
  const make = () => {
    const worker = new Worker();
    made.push(worker);
    return worker;
  };
  return { made, pool: new Pool(make, { spares_max, idle_ms_max: 1_000, refill_delay_ms, at_once }) };
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
    pool.putBack(worker, true);
    expect(made.map(({ discards }) => discards)).toEqual([0, 1]);
    expect(pool.take()).toBe(worker);
    expect(made).toHaveLength(2);
  });

  test("starts no spare where a worker comes back in time", () => {
    const { made, pool } = openPool();
    pool.putBack(pool.take(), true);
    refill();
    expect(made).toHaveLength(1);
  });

  test("that never refills starts a spare only where one is prepared, and gives out what was used last", () => {
    const made: Worker[] = [];
    const make = () => {
      const worker = new Worker();
      made.push(worker);
      return worker;
    };
    const pool = new Pool(make, { spares_max: 2, idle_ms_max: 1_000, refill_delay_ms: "never" });
    const [first, second] = [pool.take(), pool.take()];
    vi.advanceTimersByTime(10_000);
    expect(made).toHaveLength(2);
    pool.putBack(first, true);
    pool.putBack(second, true);
    pool.prepare();
    vi.advanceTimersByTime(500);
    for (let i = 0; i < 3; i++) {
      expect(pool.take()).toBe(second);
      pool.putBack(second, true);
    }
    vi.advanceTimersByTime(500);
    expect(made.map(({ discards }) => discards)).toEqual([1, 0]);
    pool.take();
    pool.prepare();
    vi.advanceTimersByTime(0);
    expect(made).toHaveLength(3);
    expect(pool.take()).toBe(made[2]);
    pool.prepare();
    expect(pool.take()).toBe(made[3]);
    vi.advanceTimersByTime(500);
    expect(made, "what was prepared has been taken").toHaveLength(4);
  });

  test("starts no spare while as many workers are at work as can be, until one of them is lost", () => {
    const { made, pool } = openPool(1, 2);
    pool.take();
    refill();
    expect(made).toHaveLength(2);
    const second = pool.take();
    refill();
    expect(made).toHaveLength(2);
    pool.putBack(second, true);
    expect(pool.take()).toBe(second);
    refill();
    expect(made).toHaveLength(2);
    pool.putBack(second, false);
    expect(second.discards).toBe(1);
    expect(made).toHaveLength(2);
    refill();
    expect(made).toHaveLength(3);
  });

  test("takes no worker back that is dead, or after it was closed", () => {
    const { made, pool } = openPool();
    const dead = pool.take();
    dead.alive = false;
    pool.putBack(dead, true);
    expect(pool.take()).toBe(made[1]);
    pool.close();
    if (made[1]) pool.putBack(made[1], true);
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
