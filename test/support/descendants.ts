import { setTimeout as sleep } from "node:timers/promises";
import { treeOf } from "../../src/kernel/process/process_tree.ts";
import { commandOf, isReaper, runs } from "./processes.ts";

/**
 * The processes that descend from this one: who of them are parents, and how many there are. A fork
 * server keeps one child waiting for the next job, another one each time, so not every number stays.
 */
export interface Family {
  readonly parents: readonly number[];
  readonly size: number;
}

/** The reapers of our servers start small programs of their own at any time. */
function isOfReaper(pid: number): boolean {
  return isReaper({ pid, command: commandOf(pid) });
}

function look(): Family {
  const all = treeOf(process.pid).filter((pid) => pid !== process.pid && runs(pid));
  const reapers = new Set(all.filter(isOfReaper).flatMap(treeOf));
  const members = all.filter((pid) => !reapers.has(pid));
  const parents = members.filter((pid) => treeOf(pid).length > 1).sort((a, b) => a - b);
  return { parents, size: members.length };
}

function same(a: Family, b: Family): boolean {
  return a.size === b.size && a.parents.join() === b.parents.join();
}

/** The family when it has come to rest, the same for a while; raises when it never does. */
export async function family(): Promise<Family> {
  let seen = look();
  for (let tries = 0, rested = 0; tries < 2_000; tries++) {
    await sleep(50);
    const now = look();
    rested = same(now, seen) ? rested + 1 : 0;
    seen = now;
    if (rested === 6) return now;
  }
  throw new Error("the processes never came to rest");
}

/** The family when it is as it was before, or as it is when the time for that is over. */
export async function familyOnce(before: Family, ms_max = 120_000): Promise<Family> {
  const end = performance.now() + ms_max;
  for (;;) {
    const now = look();
    if (same(now, before) || performance.now() > end) return now;
    await sleep(20);
  }
}
