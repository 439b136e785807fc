import { expect } from "vitest";
import { type Config, readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import { findInterpreter } from "../../src/engines/python/interpreter.ts";
import { Fault, type FaultReport } from "../../src/kernel/fault.ts";
import { Children } from "../../src/kernel/process/child.ts";
import type { Language } from "../../src/tools/model/language.ts";
import { openLanguages } from "../../src/tools/model/languages/index.ts";
import { faultOf } from "./faults.ts";
import { pythonData } from "./python.ts";
import { openTools, solveItems, type Tools } from "./tools.ts";

/** Whether this machine has a Python that Verdict can use; without one the tests of models are skipped. */
export const has_python = await findsPython();

async function findsPython(): Promise<boolean> {
  const config = readConfig({});
  const children = new Children(config.child_environment, config.child_directory);
  try {
    await findInterpreter(config, children, new AbortController().signal);
    return true;
  } catch (error) {
    if (error instanceof Fault && error.code === "engine_missing") return false;
    throw error;
  } finally {
    children.stopAll();
  }
}

export interface SolveAnswer extends Record<string, unknown> {
  readonly status: string;
  readonly satisfiable: boolean | null;
  readonly model: Record<string, unknown> | null;
  readonly output: string[];
  readonly warnings: string[];
}

/** The model tools on real engines, in this process. */
export interface Models extends Tools {
  /** Builds a model of its own out of the items and solves it, with options of the language; raises faults. */
  solve(
    language: string,
    items: readonly string[],
    timeout_ms?: number,
    options?: Record<string, unknown>,
  ): Promise<SolveAnswer>;
  /** The fault that building or solving such a model gives. */
  fault(language: string, items: readonly string[], timeout_ms?: number): Promise<FaultReport>;
  /** The language itself, behind the tools. */
  language(id: string): Language;
}

export interface ModelsOptions {
  /** False gives each Python job a fresh process, as on macOS. */
  readonly forks?: boolean;
  /** The program that starts Python, as on macOS. */
  readonly sandbox_exec?: string | undefined;
  /** Variables of the environment besides our own, such as those that choose a build. */
  readonly env?: Readonly<Record<string, string>>;
  /** A group of Python packages that is needed, too. */
  readonly packages?: string | undefined;
}

/** Opens the tools on real engines, and on a real Python environment where there is a Python. */
export async function openModels(options: ModelsOptions = {}): Promise<Models> {
  return modelsOf(openTools(await configFor(options)));
}

async function configFor({ forks = true, env: chosen = {}, packages, sandbox_exec }: ModelsOptions): Promise<Config> {
  const env = { ...process.env, ...(has_python && { VERDICT_DATA: await pythonData() }), ...chosen };
  if (has_python && packages !== undefined) await pythonData(packages);
  const settings = readConfig({ tools: "smtlib,model,memo" }, env);
  return { ...settings, python_forks: settings.python_forks && forks, sandbox_exec };
}

function modelsOf(tools: Tools): Models {
  const solve: Models["solve"] = async (language, items, timeout_ms = 150_000, options = {}) =>
    readAnswer(await solveItems(tools, language, items, { timeout_ms, ...options }));
  return {
    ...tools,
    solve,
    fault: (...model) => faultOf(solve(...model)),
    language(id) {
      const match = openLanguages(tools.engines).find((language) => language.id === id);
      if (!match) throw new Error(`no language ${id}`);
      return match;
    },
  };
}

let shared: Promise<{ readonly config: Config; readonly engines: Engines }> | undefined;

/**
 * Engines that all test files of a worker share: their processes take several seconds of a processor to start. They end
 * with the worker. Not for files that count or stop processes.
 */
export function sharedEngines(): NonNullable<typeof shared> {
  shared ??= configFor({}).then((config) => ({ config, engines: new Engines(config) }));
  return shared;
}

/** The model tools with all Python packages, on the engines that test files share. */
export async function shareModels(): Promise<Models> {
  const { engines, config } = await sharedEngines();
  // Else the first question for them would install them, while its time runs.
  if (has_python) for (const group of ["cp", "smt"]) await pythonData(group);
  return { ...modelsOf(openTools(config, undefined, engines)), close: () => {} };
}

function readAnswer(answer: Record<string, unknown>): SolveAnswer {
  const { status, satisfiable, model, output, warnings } = answer;
  if (typeof status !== "string" || !Array.isArray(output) || !Array.isArray(warnings)) throw new Error("no answer");
  const decided = typeof satisfiable === "boolean" ? satisfiable : null;
  const values = typeof model === "object" && model !== null ? { ...model } : null;
  return { ...answer, status, satisfiable: decided, model: values, output, warnings };
}

/** That an unsat is not the answer: a second engine found values in its share of the time, or the reason is given. */
export function expectDoubted({ status, warnings, reason }: SolveAnswer, doubt: string): void {
  if (status === "sat") expect(warnings.join()).toContain("reported unsat, which is wrong");
  else expect([status, reason]).toEqual(["unknown", expect.stringContaining(doubt)]);
}
