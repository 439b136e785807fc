import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import * as z from "zod/v4";
import { privatePython } from "./python.ts";

/** The solvers of CPMpy besides OR-Tools. */
export const backends = ["z3", "pysat", "exact", "pumpkin"] as const;

const Report = z.object({
  counts: z.record(z.string(), z.number()),
  by: z.record(z.string(), z.number()),
  tried: z.record(z.string(), z.number()),
  engine: z.array(z.string()),
  wrong: z.array(z.string()),
  why: z.record(z.string(), z.number()),
});

/** What came of random models on one solver of CPMpy, against all values: `test/fixtures/cp_backends.py`. */
export async function cpBackends(backend: string, seed: number, count: number) {
  const { python } = await privatePython("cp");
  const others = [(await privatePython("solvers")).python, (await privatePython()).python].map(packagesOf);
  const args = ["test/fixtures/cp_backends.py", resolve("python"), "cpmpy", String(seed), String(count), backend];
  const { stdout, stderr } = spawnSync(python, ["-I", ...args, ...others], { encoding: "utf8", maxBuffer: 2 ** 26 });
  if (stdout === "") throw new Error(stderr);
  const report = Report.parse(JSON.parse(stdout));
  // Reasons why there was no answer, besides what a solver can't take or does not survive.
  const known = /^CPMpy can't pass this model|^-\d+$/;
  const failed = Object.fromEntries(Object.entries(report.why).filter(([reason]) => !known.test(reason)));
  return { ...report, failed };
}

/** Where the environment of this Python keeps its packages. */
export function packagesOf(python: string): string {
  const directory = dirname(dirname(python));
  if (process.platform === "win32") return join(directory, "Lib", "site-packages");
  const [version] = readdirSync(join(directory, "lib"));
  return join(directory, "lib", version ?? "", "site-packages");
}
