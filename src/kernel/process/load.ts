import { availableParallelism, loadavg } from "node:os";

/** Whether other programs use the processors. Windows has no load average: there they always seem free. */
export function isBusy(): boolean {
  const [load = 0] = loadavg();
  return load > availableParallelism() + 1;
}
