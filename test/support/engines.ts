import { readConfig } from "../../src/config.ts";
import { programsOnPath } from "../../src/engines/places.ts";
import { runs_all } from "./runs_all.ts";
import { openTools, type Tools } from "./tools.ts";

/** A Z3 that tests run against: `wasm`, or the path of a native one. */
export interface Z3Build {
  readonly name: "wasm" | "native";
  readonly z3: string;
}

/** The native Z3 of this machine: VERDICT_Z3, else the one on PATH. */
export function nativeZ3(): string | undefined {
  const named = process.env["VERDICT_Z3"];
  return named && named !== "wasm" ? named : programsOnPath(readConfig({}), "z3")[0];
}

/** Both builds; the native one is undefined on a machine without it, and its tests are then skipped. */
export const builds: readonly { readonly name: Z3Build["name"]; readonly z3: string | undefined }[] = [
  { name: "wasm", z3: "wasm" },
  { name: "native", z3: nativeZ3() },
];

/** The build that answers soonest: a native one starts in milliseconds, the embedded one takes a second of processor time. */
export const quickest_z3 = nativeZ3() ?? "wasm";

/** For what Verdict does by itself, whichever build is there: the quickest one. All builds in `npm run test:long`. */
export const builds_by_itself = runs_all ? builds : builds.filter(({ z3 }) => z3 === quickest_z3);

export type Bench = Tools;

/** Tools whose calls have to be decided on a busy machine, too, where the test names no time. */
const solving = ["solve_smtlib", "solve_model"];

/**
 * Engines and tools in this process, on the given Z3 ("" is the best that is found), whose processes run in the given
 * directory.
 */
export function openBench(z3: string, directory?: string, env: Readonly<Record<string, string>> = {}): Bench {
  const settings = readConfig({}, { ...process.env, VERDICT_Z3: z3, ...env });
  const tools = openTools(directory === undefined ? settings : { ...settings, child_directory: directory });
  const ample = (name: string) => (solving.includes(name) ? { timeout_ms: 150_000 } : {});
  return { ...tools, call: (name, args, context) => tools.call(name, { ...ample(name), ...args }, context) };
}
