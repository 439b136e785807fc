import { afterAll, beforeAll, vi } from "vitest";
import { limits } from "../../src/kernel/limits.ts";
import { Child } from "../../src/kernel/process/child.ts";

export interface MemoryLimit {
  /**
   * Whether Verdict itself stopped a process at the limit since the last time that this was asked. Engines have limits of
   * their own, whose answers read alike.
   */
  hasActed(): boolean;
}

/** Gives the solvers of this file so much memory: the real limit of 4 GiB would take more than a small machine has. */
export function limitMemory(mib: number): MemoryLimit {
  let restore = () => {};
  let hasActed = () => false;
  beforeAll(() => {
    const limited = vi.spyOn(limits, "solver_rss_bytes_max", "get").mockReturnValue(mib * 1024 ** 2);
    const stop = vi.spyOn(Child.prototype, "stop");
    hasActed = () => {
      const reasons = stop.mock.calls.map(([why]) => why);
      stop.mockClear();
      return reasons.includes("memory");
    };
    restore = () => {
      limited.mockRestore();
      stop.mockRestore();
    };
  });
  afterAll(() => restore());
  return { hasActed: () => hasActed() };
}
