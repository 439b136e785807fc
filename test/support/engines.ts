import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import { quietContext, type Tool } from "../../src/kernel/tool.ts";
import { openToolsets } from "../../src/tools/index.ts";
import { runs_all } from "./runs_all.ts";

/** A Z3 that tests run against: `wasm`, or the path of a native one. */
export interface Z3Build {
  readonly name: "wasm" | "native";
  readonly z3: string;
}

/** The native Z3 of this machine: VERDICT_Z3, else the one on PATH. */
export function nativeZ3(): string | undefined {
  const named = process.env["VERDICT_Z3"];
  if (named && named !== "wasm") return named;
  return (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((directory) => join(directory, "z3"))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
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

export interface Bench {
  readonly engines: Engines;
  /** Calls a tool as the server does; gives the structured answer, raises faults. */
  call(name: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<Record<string, unknown>>;
  close(): void;
}

/** Tools whose calls have to be decided on a busy machine, too, where the test names no time. */
const solving = ["solve_smtlib", "solve_model"];

/**
 * Engines and tools in this process, on the given Z3 ("" is the best that is found), whose processes run in the given
 * directory. Close them afterwards.
 */
export function openBench(z3: string, directory?: string, env: Readonly<Record<string, string>> = {}): Bench {
  const settings = readConfig({}, { ...process.env, VERDICT_Z3: z3, ...env });
  const config = directory === undefined ? settings : { ...settings, child_directory: directory };
  const engines = new Engines(config);
  const tools = new Map<string, Tool>(
    openToolsets(engines, config).flatMap((set) => set.session().map((tool) => [tool.name, tool] as const)),
  );
  return {
    engines,
    async call(name, args, signal = new AbortController().signal) {
      const tool = tools.get(name);
      if (!tool) throw new Error(`no tool ${name}`);
      const ample = solving.includes(name) ? { timeout_ms: 150_000 } : {};
      return (await tool.call({ ...ample, ...args }, quietContext(signal))).structured;
    },
    close: () => engines.close(),
  };
}
