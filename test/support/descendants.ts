import { treeOf } from "../../src/kernel/process_tree.ts";
import { runs, until } from "./processes.ts";

/** The processes that descend from this one, by number. */
export function descendants(): number[] {
  return treeOf(process.pid)
    .filter((pid) => pid !== process.pid && runs(pid))
    .sort((a, b) => a - b);
}

/** What still differs from these processes when the time for a job's processes to be gone is over. */
export async function changedSince(before: readonly number[]): Promise<{ gone: number[]; left: number[] }> {
  const changes = () => {
    const now = descendants();
    return { gone: before.filter((pid) => !now.includes(pid)), left: now.filter((pid) => !before.includes(pid)) };
  };
  await until(() => {
    const { gone, left } = changes();
    return gone.length === 0 && left.length === 0;
  }, 3_000);
  return changes();
}
