import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import { Fault, type FaultReport } from "../../src/kernel/fault.ts";
import type { CallContext } from "../../src/kernel/tool.ts";
import { openToolsets } from "../../src/tools/index.ts";

/** The native clingo of this machine: VERDICT_CLINGO, else the one on PATH. */
function nativeClingo(): string | undefined {
  const named = process.env["VERDICT_CLINGO"];
  if (named && named !== "wasm") return named;
  return (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((directory) => join(directory, "clingo"))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Both builds of clingo; the native one is undefined on a machine without it, and its tests are then skipped. */
export const clingo_builds: readonly { readonly name: "wasm" | "native"; readonly clingo: string | undefined }[] = [
  { name: "wasm", clingo: "wasm" },
  { name: "native", clingo: nativeClingo() },
];

/** The build that answers soonest. */
export const quickest_clingo = clingo_builds.findLast(({ clingo }) => clingo !== undefined)?.clingo ?? "wasm";

export interface AspAnswer extends Record<string, unknown> {
  readonly status: string;
  readonly model: Record<string, unknown> | null;
  readonly warnings: string[];
}

/** The warnings without what answers of an old native build say in addition; Debian 12 has one. */
export function withoutDoubtAboutAge(warnings: readonly string[]): string[] {
  return warnings.filter((warning) => !/^clingo \S+ can give false answers/.test(warning));
}

/** The model tools on one build of clingo, in this process. */
export interface AspBench {
  call(name: string, args?: Record<string, unknown>, context?: Partial<CallContext>): Promise<Record<string, unknown>>;
  /** Builds a model of its own out of the items and solves it; raises faults. */
  solve(
    items: readonly string[],
    options?: Record<string, unknown>,
    context?: Partial<CallContext>,
  ): Promise<AspAnswer>;
  /** The fault that building or solving such a model gives. */
  fault(items: readonly string[], options?: Record<string, unknown>): Promise<FaultReport>;
  close(): void;
}

export function openAsp(clingo: string, directory?: string): AspBench {
  const settings = readConfig({ tools: "model" }, { ...process.env, VERDICT_CLINGO: clingo });
  const config = directory === undefined ? settings : { ...settings, child_directory: directory };
  const engines = new Engines(config);
  const tools = new Map(
    openToolsets(engines, config).flatMap((set) => set.session().map((tool) => [tool.name, tool] as const)),
  );
  let models = 0;
  const call: AspBench["call"] = async (name, args = {}, context = {}) => {
    const tool = tools.get(name);
    if (!tool) throw new Error(`no tool ${name}`);
    const quiet = { signal: new AbortController().signal, progress: () => {}, onEvent: () => {} };
    return (await tool.call(args, { ...quiet, ...context })).structured;
  };
  const solve: AspBench["solve"] = async (items, options = {}, context = {}) => {
    const model_id = `test${models++}`;
    await call("clear_model", { language: "asp", model_id });
    for (const item of items) await call("add_item", { item, model_id });
    const answer = await call("solve_model", { model_id, timeout_ms: 120_000, ...options }, context);
    const { status, model, warnings } = answer;
    if (typeof status !== "string" || !Array.isArray(warnings)) throw new Error("no answer");
    return {
      ...answer,
      status,
      warnings: withoutDoubtAboutAge(warnings),
      model: typeof model === "object" && model ? { ...model } : null,
    };
  };
  return {
    call,
    solve,
    async fault(items, options) {
      try {
        await solve(items, options);
      } catch (error) {
        if (error instanceof Fault) return error.report();
        throw error;
      }
      throw new Error("there was an answer and no fault");
    },
    close: () => engines.close(),
  };
}
