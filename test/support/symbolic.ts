import { type Config, readConfig } from "../../src/config.ts";
import type { Engines } from "../../src/engines/index.ts";
import { gateTools } from "../../src/tools/symbolic/index.ts";
import { withEnoughTime } from "./enough_time.ts";
import { has_python, sharedEngines } from "./models.ts";
import { pythonData } from "./python.ts";
import { openTools, type Structured, type Tools } from "./tools.ts";

export type Answer = Structured;

/** What nearly all questions of the tests are decided in, on a machine that has nothing else to do. */
const usual_s = 10;

/**
 * The tools over Python code on real engines, in this process. A question without a time limit gets enough time: if a
 * busy machine left it undecided, it is asked again. With a time limit it is asked again only if no process was free in
 * that time.
 */
export interface Symbolic {
  /** Calls a tool; gives the structured answer, raises faults. */
  call: Tools["call"];
  check(code: string, name: string, timeout_s?: number): Promise<Answer>;
  raises(code: string, name: string, exception: string, timeout_s?: number): Promise<Answer>;
  compare(code: string, a: string, b: string, timeout_s?: number): Promise<Answer>;
  /** Whether a function does the same in two versions of a module. */
  versions(base: string, code: string, names: readonly [string, string], timeout_s?: number): Promise<Answer>;
  branches(code: string, name: string, timeout_s?: number): Promise<Answer>;
  close(): void;
}

/** Opens the tools; `forks: false` gives each job of Python a fresh process, as on macOS. */
export async function openSymbolic({
  forks = true,
  env: chosen = {},
}: {
  forks?: boolean;
  env?: Readonly<Record<string, string>>;
} = {}): Promise<Symbolic> {
  const env = { ...process.env, ...(has_python && { VERDICT_DATA: await pythonData() }), ...chosen };
  const settings = readConfig({ tools: "symbolic" }, env);
  return symbolicOn({ ...settings, python_forks: settings.python_forks && forks });
}

function symbolicOn(config: Config, shared?: Engines): Symbolic {
  const more = (engines: Engines) => gateTools(engines, { prover_file: config.prover_file, other: undefined });
  const { call, close } = openTools({ ...config, tools: ["symbolic"] }, more, shared);
  const ask = (tool: string, args: Record<string, unknown>, timeout_s: number | undefined) =>
    withEnoughTime(
      (ms) => call(tool, { ...args, timeout_seconds: ms / 1000 }),
      ({ status }) => timeout_s !== undefined || status !== "timeout",
      (timeout_s ?? usual_s) * 1000,
    );
  return {
    call,
    check: (code, function_name, time) => ask("symbolic_check", { code, function_name }, time),
    raises: (code, function_name, exception_type, time) =>
      ask("find_path_to_exception", { code, function_name, exception_type }, time),
    compare: (code, function_a, function_b, time) => ask("compare_functions", { code, function_a, function_b }, time),
    versions: (base, code, [function_a, function_b], time) =>
      ask("compare_versions", { base, code, function_a, function_b }, time),
    branches: (code, function_name, time) => ask("analyze_branches", { code, function_name }, time),
    close,
  };
}

/** The same tools, on the engines that test files share. */
export async function shareSymbolic(): Promise<Symbolic> {
  const { config, engines } = await sharedEngines();
  return { ...symbolicOn(config, engines), close: () => {} };
}

/** How two functions differ on the input that an answer names. */
export function explanationOf(answer: Answer): string | undefined {
  return (answer["distinguishing_input"] as { explanation: string } | null)?.explanation;
}
