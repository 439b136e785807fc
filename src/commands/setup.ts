import type { Config } from "../config.ts";
import { limits } from "../kernel/limits.ts";
import type { Engines } from "../solvers/index.ts";
import type { Environment } from "../solvers/python/environment.ts";
import { tellFault, withEngines } from "./engines.ts";

/** Makes the private Python environment where people can watch it; gives the exit code. */
export async function setup(config: Config): Promise<number> {
  try {
    console.log(forPeople(await withEngines(config, make)));
    return 0;
  } catch (thrown) {
    tellFault(thrown);
    return 1;
  }
}

/** One that does not work any more is made anew; one that works is left as it is. */
async function make({ python }: Engines, signal: AbortSignal): Promise<Environment> {
  await python.environment.discard();
  const there = await python.environment.found();
  if (there) return there;
  console.log("This downloads 45 MB, once, and takes 140 MB of disk.");
  // Longer than any setup: it tells by itself when it takes too long.
  const job = { left_ms: 2 * limits.python_setup_ms_max, signal };
  const made = await python.environment.ready(job, (message) => console.log(`  ${message}`));
  if (made === "expired") throw new Error("the setup did not end at its own deadline");
  return made;
}

function forPeople({ version, packages, directory }: Environment): string {
  return [
    "All is there:",
    `  ✓ Python ${version}`,
    `  ✓ z3 ${packages.z3}`,
    `  ✓ PySAT ${packages.pysat}`,
    packages.crosshair === null ? "  · CrossHair is not built for this machine" : `  ✓ CrossHair ${packages.crosshair}`,
    `in ${directory}`,
  ].join("\n");
}
