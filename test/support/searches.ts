import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import * as z from "zod/v4";
import { privatePython } from "./python.ts";

const run = promisify(execFile);

const Report = z.object({ said: z.record(z.string(), z.number()), wrong: z.array(z.string()) });

/**
 * How searches that are stopped before their end answer random problems: `test/fixtures/z3_bounds.py` and
 * `test/fixtures/pysat_incumbents.py` compare the answers with all values.
 */
export async function randomSearches(script: "z3_bounds" | "pysat_incumbents", seed: number, count: number) {
  const { python } = await privatePython();
  const args = ["-I", `test/fixtures/${script}.py`, resolve("python"), String(seed), String(count)];
  const { stdout } = await run(python, args, { maxBuffer: 2 ** 26 });
  return Report.parse(JSON.parse(stdout));
}
