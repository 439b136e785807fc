import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { programOf } from "../../src/engines/places.ts";
import { Fault } from "../../src/kernel/fault.ts";
import { nativeZ3 } from "./engines.ts";
import { compileRunner, forgetLooks, privatePython } from "./python.ts";

/**
 * What all test files need is there before the first one starts: a native Z3. The Python environments are begun, too, for
 * `npm test` and `npm run check`: their first tests need none of them. All workers know this run by its name.
 */
export default async function setup(): Promise<() => Promise<void>> {
  process.env["VERDICT_TEST_RUN"] ??= randomUUID();
  const { npm_lifecycle_event: script = "" } = process.env;
  const environments = ["test", "check"].includes(script) ? makeEnvironments() : Promise.resolve();
  await useZ3OfPython();
  return async () => {
    await environments;
    forgetLooks();
  };
}

/** One after the other. The tests that need one wait for it, or try again themselves and fail. */
async function makeEnvironments(): Promise<void> {
  try {
    await compileRunner();
    for (const group of [undefined, "cp", "smt"]) await privatePython(group);
  } catch (error) {
    console.log(`A Python environment was not made beforehand: ${error}`);
  }
}

/**
 * The Python packages bring a native Z3, which Verdict uses on a machine without another one. The tests do so, too: its
 * own tests run, and it answers sooner than the embedded one where the build makes no difference.
 */
async function useZ3OfPython(): Promise<void> {
  if (nativeZ3() !== undefined || process.env["VERDICT_Z3"]) return;
  try {
    const { python } = await privatePython();
    await compileRunner();
    // Not that of an environment that an earlier version left there.
    const z3 = programOf(dirname(dirname(python)), "z3");
    if (existsSync(z3)) process.env["VERDICT_Z3"] = z3;
  } catch (error) {
    // Without a Python, or without a network for its packages, the tests of a native Z3 are skipped.
    if (!(error instanceof Fault)) throw error;
    console.log(`No native Z3 for the tests: ${error.message}`);
  }
}
