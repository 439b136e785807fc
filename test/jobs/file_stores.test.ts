import { readdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { FileStores } from "../../src/jobs/files/file_stores.ts";
import { freshId } from "../../src/jobs/job.ts";
import { job_limits } from "../../src/jobs/limits.ts";
import { emptyDirectory, headOfDead } from "../support/jobs.ts";

const MiB = 1024 ** 2;

function opened() {
  const root = emptyDirectory();
  const stores = new FileStores(root);
  onTestFinished(() => stores.close());
  const directoryOf = (name: string) => join(root, "principals", name);
  /** Jobs that ended, the oldest first, of this size each. */
  async function keep(name: string, count: number, bytes = 100, ended_ms = Date.now() - 100_000) {
    const other = new FileStores(root);
    const store = other.storeFor(directoryOf(name));
    other.close();
    const ids: string[] = [];
    for (let i = 0; i < count; i++) {
      const head = headOfDead({ state: "done", ended_ms: ended_ms + i });
      await store.note(head);
      const ending = join(directoryOf(name), "jobs", `${head.id}.ending.json`);
      writeFileSync(ending, "");
      truncateSync(ending, bytes);
      ids.push(head.id);
    }
    return ids;
  }
  const idsOf = (name: string) =>
    readdirSync(join(directoryOf(name), "jobs")).flatMap((file) => /^(\w+)\.head\.json$/.exec(file)?.slice(1) ?? []);
  return { root, stores, keep, idsOf, directoryOf };
}

describe("the jobs of several owners", () => {
  it("do not push each other out, by number or by bytes", async () => {
    const { stores, keep, idsOf, directoryOf } = opened();
    const [first] = await keep("ann", 1, 100, Date.now() - 1_000_000);
    await keep("bob", job_limits.kept_max + 3);
    await keep("eve", 10, 30 * MiB);
    for (const name of ["ann", "bob", "eve"])
      await stores.storeFor(directoryOf(name)).sweep(new Set(), async () => false);
    expect(idsOf("ann")).toEqual([first]);
    expect(idsOf("bob")).toHaveLength(job_limits.kept_max);
    expect(idsOf("eve")).toHaveLength(8);
  });

  it("that do not come any more are deleted in time", async () => {
    const { stores, keep, idsOf } = opened();
    await keep("ann", 3, 100, Date.now() - job_limits.kept_ms_max - 60_000);
    const young = await keep("ann", 2);
    await stores.sweep();
    expect(idsOf("ann").toSorted()).toEqual(young.toSorted());
  });

  it("of somebody who comes, and begins no further one, are deleted in time too", async () => {
    const { stores, keep, idsOf, directoryOf } = opened();
    stores.storeFor(directoryOf("ann"));
    await keep("ann", 3, 100, Date.now() - job_limits.kept_ms_max - 60_000);
    const young = await keep("ann", 2);
    await stores.sweep();
    expect(idsOf("ann").toSorted()).toEqual(young.toSorted());
  });

  it("are deleted a minute after the start of a server, and each hour", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { keep, idsOf } = opened();
    const long_ago = Date.now() - job_limits.kept_ms_max - 60_000;
    for (const wait_ms of [60_000, job_limits.sweep_all_ms]) {
      const [old] = await keep("ann", 1, 100, long_ago);
      expect(idsOf("ann")).toEqual([old]);
      vi.advanceTimersByTime(wait_ms);
      await expect.poll(() => idsOf("ann"), { timeout: 60_000 }).toEqual([]);
    }
  });

  it("are bounded all together: who has more than an equal share gives up the oldest ones", async () => {
    const { stores, keep, idsOf, directoryOf } = opened();
    const few = await keep("ann", 2, 10 * MiB);
    const many = await keep("bob", 12, 10 * MiB);
    const open = await keep("eve", 12, 10 * MiB);
    const store = stores.storeFor(directoryOf("eve"));
    // Four owners, with the one without a name.
    await stores.sweep(200 * MiB);
    expect(idsOf("ann").toSorted()).toEqual(few.toSorted());
    expect(idsOf("bob").toSorted()).toEqual(many.slice(-4).toSorted());
    expect(idsOf("eve").toSorted()).toEqual(open.slice(-4).toSorted());
    await stores.sweep(200 * MiB);
    expect(store.bytes_max, "once there is room again").toBe(job_limits.kept_bytes_max);
  });

  it("that still run elsewhere stay", async () => {
    const { stores, keep, idsOf, directoryOf } = opened();
    await keep("ann", 1, 100, Date.now() - job_limits.kept_ms_max - 60_000);
    const other = new FileStores(directoryOf("."));
    other.close();
    const store = other.storeFor(directoryOf("ann"));
    const running = headOfDead({ id: freshId(), state: "running" });
    await store.begin(running, null);
    await stores.sweep(1);
    expect(idsOf("ann")).toEqual([running.id]);
  });
});
