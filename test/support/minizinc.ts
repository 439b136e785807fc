import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Config, readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import { programsOnPath } from "../../src/engines/places.ts";
import type { FaultReport } from "../../src/kernel/fault.ts";
import { type CallContext, quietContext } from "../../src/kernel/tool.ts";
import { Store } from "../../src/tools/model/items/store.ts";
import { tidy } from "../../src/tools/model/items/tidy.ts";
import { openLanguages } from "../../src/tools/model/languages/index.ts";
import { solveModel } from "../../src/tools/model/solve_model.ts";
import { faultOf } from "./faults.ts";
import { runs_all } from "./runs_all.ts";
import { openTools, type Structured, solveItems, type Tools } from "./tools.ts";

/** The builds that are there. */
export const minizinc_builds: readonly { readonly name: "wasm" | "native"; readonly minizinc: string }[] = [
  { name: "wasm", minizinc: "wasm" },
  ...programsOnPath(readConfig({}), "minizinc")
    .filter(isNew)
    .slice(0, 1)
    .map((minizinc) => ({ name: "native", minizinc }) as const),
];

/** Stands for a native MiniZinc on a machine without one, in tests of how a command is run. */
export const stand_in = fileURLToPath(new URL("native_minizinc.mjs", import.meta.url));

/** Older ones are refused. */
function isNew(command: string): boolean {
  const printed = spawnSync(command, ["--version"], { encoding: "utf8", timeout: 20_000 }).stdout;
  const [, major, minor] = /version (\d+)\.(\d+)/.exec(printed) ?? [];
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 10);
}

/**
 * The build that answers soonest: a native one starts in a tenth of a second, the embedded one in one or two. It is for
 * tests of what Verdict does by itself, whichever build is there; all of them run on both builds in test/long/.
 */
export const quickest_minizinc = minizinc_builds.at(-1)?.minizinc ?? "wasm";

/**
 * Whether what needs many compilations runs: with the embedded build alone, whose solves take most of a second of a
 * processor, it is left to the long tests.
 */
export const compiles_quickly = runs_all || quickest_minizinc !== "wasm";

/** Cases that each need several compilations: all, or the first few. */
export function someCompiled<Case>(cases: readonly Case[], count = 1): readonly Case[] {
  return compiles_quickly ? cases : cases.slice(0, count);
}

export type Answer = Structured;

/** Whether the search for a conflict did not finish: the machine was busy, and the answer has a note. */
export function hadNoTime({ warnings }: Answer): boolean {
  return String(warnings).includes("There was no time");
}

/** The model tools on one build of MiniZinc, in this process. */
export interface MiniZincBench extends Tools {
  /** Solves a model that was never checked, since each check of an item compiles once more; raises faults. */
  solve(items: readonly string[], options?: object, context?: Partial<CallContext>): Promise<Answer>;
  /** The same with all items as one. */
  solveAtOnce(items: readonly string[], options?: object): Promise<Answer>;
  /** The fault of building a model item by item and solving it. */
  fault(items: readonly string[], options?: object): Promise<FaultReport>;
}

const shared = new Map<string, Engines>();

/**
 * The bench of each build for a whole test file, on engines that all such files of a worker share: an embedded process
 * takes more than a second of a processor to start. They end with the worker.
 */
export function openMiniZincOnce(): (minizinc: string) => MiniZincBench {
  const benches = new Map<string, MiniZincBench>();
  return (minizinc) => {
    const engines = shared.get(minizinc) ?? new Engines(configOf(minizinc));
    shared.set(minizinc, engines);
    const bench = benches.get(minizinc) ?? openMiniZinc(minizinc, engines);
    benches.set(minizinc, bench);
    return bench;
  };
}

function configOf(minizinc: string): Config {
  return readConfig({ tools: "model" }, { ...process.env, VERDICT_MINIZINC: minizinc });
}

export function openMiniZinc(minizinc: string, engines?: Engines): MiniZincBench {
  const tools = openTools(configOf(minizinc), undefined, engines);
  const store = new Store(openLanguages(tools.engines));
  const unchecked = solveModel(store);
  let models = 0;
  const solve: MiniZincBench["solve"] = async (items, options = {}, context = {}) => {
    const model = store.clear({ language: "minizinc", model_id: `mzn${models++}` });
    model.fillChecked(items.map((item) => tidy(item).item));
    const args = { timeout_ms: 150_000, model_id: model.id, ...options };
    return (await unchecked.call(args, { ...quietContext(), ...context })).structured;
  };
  return {
    ...tools,
    solve,
    solveAtOnce: (items, options) => solve([items.join("\n")], options),
    fault: (items, options) => faultOf(solveItems(tools, "minizinc", items, options)),
  };
}
