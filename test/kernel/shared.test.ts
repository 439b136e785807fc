import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Shared } from "../../src/kernel/shared.ts";

/** Work that fails a given number of times, and counts how often it was started. */
function counted(failures: number, retry_ms: number) {
  let begun = 0;
  const shared = new Shared(async () => {
    begun++;
    await sleep(5);
    if (begun <= failures) throw new Error(`failure ${begun}`);
    return `result ${begun}`;
  }, retry_ms);
  return { shared, begun: () => begun };
}

describe("shared work", () => {
  test("is begun once for all who ask, and its result is kept", async () => {
    const { shared, begun } = counted(0, 1_000);
    expect(await Promise.all([shared.get(), shared.get()])).toEqual(["result 1", "result 1"]);
    expect(await shared.get()).toBe("result 1");
    expect(begun()).toBe(1);
  });

  test("that failed is not tried again before its time, and the failure is reported meanwhile", async () => {
    const { shared, begun } = counted(1, 60_000);
    await expect(shared.get()).rejects.toThrow("failure 1");
    await expect(shared.get()).rejects.toThrow("failure 1");
    expect(begun()).toBe(1);
  });

  test("that failed is tried again when its time has come", async () => {
    const { shared } = counted(1, 30);
    await expect(shared.get()).rejects.toThrow("failure 1");
    await sleep(60);
    expect(await shared.get()).toBe("result 2");
  });

  test("begins anew for the next who asks after `forget`", async () => {
    const { shared } = counted(0, 1_000);
    await shared.get();
    shared.forget();
    expect(await shared.get()).toBe("result 2");
  });
});
