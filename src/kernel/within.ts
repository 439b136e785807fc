import { cancelled } from "./fault.ts";
import type { Job } from "./process/child.ts";

/** Waits for work of others no longer than this job may wait. Raises `cancelled`. */
export function within<Result>(job: Job, work: Promise<Result>): Promise<Result | "expired"> {
  return new Promise((resolve, reject) => {
    const abandon = () => reject(cancelled());
    const timer = setTimeout(() => resolve("expired"), job.left_ms);
    job.signal.addEventListener("abort", abandon, { once: true });
    if (job.signal.aborted) abandon();
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      job.signal.removeEventListener("abort", abandon);
    });
  });
}
