import { afterAll, beforeAll, vi } from "vitest";
import { limits } from "../../src/kernel/limits.ts";

/** Gives the solvers of this file so much memory: the real limit of 4 GiB would take more than a small machine has. */
export function limitMemory(mib: number): void {
  let restore = () => {};
  beforeAll(() => {
    const limited = vi.spyOn(limits, "solver_rss_bytes_max", "get").mockReturnValue(mib * 1024 ** 2);
    restore = () => limited.mockRestore();
  });
  afterAll(() => restore());
}
