import { readConfig } from "../../src/config.ts";
import { programsOnPath } from "../../src/engines/places.ts";
import type { FaultReport } from "../../src/kernel/fault.ts";
import type { CallContext } from "../../src/kernel/tool.ts";
import { faultOf } from "./faults.ts";
import { runs_all } from "./runs_all.ts";
import { openTools, solveItems, type Tools } from "./tools.ts";

/** The native clingo of this machine: VERDICT_CLINGO, else the one on PATH. */
function nativeClingo(): string | undefined {
  const named = process.env["VERDICT_CLINGO"];
  return named && named !== "wasm" ? named : programsOnPath(readConfig({}), "clingo")[0];
}

/** Both builds of clingo; the native one is undefined on a machine without it, and its tests are then skipped. */
export const clingo_builds: readonly { readonly name: "wasm" | "native"; readonly clingo: string | undefined }[] = [
  { name: "wasm", clingo: "wasm" },
  { name: "native", clingo: nativeClingo() },
];

/** The build that answers soonest. */
export const quickest_clingo = clingo_builds.findLast(({ clingo }) => clingo !== undefined)?.clingo ?? "wasm";

/** For what Verdict does on its own, whichever build is there: the quickest one. All builds in `npm run test:long`. */
export const clingo_builds_by_itself = runs_all
  ? clingo_builds
  : clingo_builds.filter(({ clingo }) => clingo === quickest_clingo);

export interface AspAnswer extends Record<string, unknown> {
  readonly status: string;
  readonly model: Record<string, unknown> | null;
  readonly warnings: string[];
}

/** The warnings without what answers of an old native build say in addition; Debian 12 has one. */
export function withoutDoubtAboutAge(warnings: readonly string[]): string[] {
  return warnings.filter((warning) => !/^clingo \S+ can return wrong answers/.test(warning));
}

/** The model tools on one build of clingo, in this process. */
export interface AspBench extends Tools {
  /** Builds a model of its own out of the items and solves it; raises faults. */
  solve(items: readonly string[], options?: object, context?: Partial<CallContext>): Promise<AspAnswer>;
  /** The fault that building or solving such a model gives. */
  fault(items: readonly string[], options?: object): Promise<FaultReport>;
}

export function openAsp(clingo: string, directory?: string): AspBench {
  const settings = readConfig({ tools: "model" }, { ...process.env, VERDICT_CLINGO: clingo });
  const tools = openTools(directory === undefined ? settings : { ...settings, child_directory: directory });
  const solve: AspBench["solve"] = async (items, options, context) => {
    const answer = await solveItems(tools, "asp", items, options, context);
    const { status, model, warnings } = answer;
    if (typeof status !== "string" || !Array.isArray(warnings)) throw new Error("no answer");
    return {
      ...answer,
      status,
      warnings: withoutDoubtAboutAge(warnings),
      model: typeof model === "object" && model ? { ...model } : null,
    };
  };
  return { ...tools, solve, fault: (items, options) => faultOf(solve(items, options)) };
}
