import * as z from "zod/v4";
import relations from "./library/cp_sat/shown.mzn";
import { withCpSatLibrary } from "./library/index.ts";
import type { Task, TaskEnd } from "./task.ts";

/**
 * What MiniZinc does for CP-SAT: one task compiles a model for CP-SAT, and another prints a solution as MiniZinc would.
 * `python/verdict_runner/languages/flatzinc` solves the compiled model.
 */

const flatzinc = "cp_sat.fzn.json";
const output_model = "cp_sat.ozn";
const shown = { model: "show.mzn", values: "show.dzn" } as const;

/** The output of a `showTask` model: the text of the solution's JSON message. */
const Printed = z.object({ output: z.object({ default: z.string() }) });

/** A model compiled for CP-SAT. */
export interface CompiledForCpSat {
  /** FlatZinc as JSON. */
  readonly flatzinc: string;
  /** The model that computes the output from the compiled model's values. */
  readonly output_model: string;
}

export interface ForCpSat extends Pick<Task, "files" | "args" | "time_limit_ms"> {
  /**
   * Whether all solutions will be listed. If so, the values of the shown variables must determine those of all others.
   */
  readonly lists_solutions?: boolean;
  /** Whether Gecode also tries to solve the compiled model, which it can if the model needs none of CP-SAT's constraints. */
  readonly is_tried?: boolean;
}

/**
 * Compiles a model for CP-SAT. The arguments are the model's file names and further compiler options. Sets become
 * arrays of truth values.
 */
export function cpSatTask({ lists_solutions = false, is_tried = false, ...task }: ForCpSat): Task {
  const compiled = ["--fzn-format", "json", "--fzn", flatzinc, "--ozn", output_model];
  const output = ["--output-mode", "json", "--output-objective", "--output-output-item"];
  const half = lists_solutions ? ["--no-half-reifications"] : [];
  const search = is_tried ? ["--intermediate", "--statistics"] : ["-c"];
  // Gecode's library is replaced, so Gecode receives CP-SAT's constraints.
  const args = ["--solver", "gecode", ...search, ...half, ...compiled, ...output, ...task.args];
  return withCpSatLibrary({ ...task, args, keeps: [flatzinc, output_model] });
}

/**
 * Returns the output of a `cpSatTask`; undefined if the task failed, or "too large" if the output exceeds the size
 * limit.
 */
export function compiledForCpSat({ kept_files }: TaskEnd): CompiledForCpSat | "too large" | undefined {
  const [text, output] = [kept_files[flatzinc], kept_files[output_model]];
  if (text === null || output === null) return "too large";
  return text === undefined || output === undefined ? undefined : { flatzinc: text, output_model: output };
}

/** Matches a line of an output model that is a declaration, with its value. */
const declaration = /^(?!output|function|predicate|test)[^"=]*: (\w+)(?: =(.*))?;$/;
const words = /"(?:[^"\\]|\\.)*"|\b[A-Za-z_]\w*/g;

/** The line that separates two solutions in a run's output; no solution's text contains such a line. */
const between = "%%%";

/**
 * Prints solutions on one line, which `solutionLines` splits. `solutions` contains their values as CP-SAT's side prints
 * them. For several solutions, the model contains a copy per solution of everything that depends on values: any run
 * takes a quarter of a second, however many solutions it prints.
 */
export function showTask(compiled: CompiledForCpSat, solutions: readonly string[]): Task {
  const [first = ""] = solutions;
  const given = new Set([...first.matchAll(/^(\w+) = /gm)].map(([, name = ""]) => name));
  // MiniZinc also writes a declaration without a value for an array whose members are all known.
  const items = compiled.output_model.split("\n").filter((line) => {
    const [, name, value] = declaration.exec(line) ?? [];
    return name === undefined || value !== undefined || given.has(name);
  });
  const own = solutions.length > 1 ? dependents(items, given) : new Set<string>();
  const texts = solutions.map((values, at) => {
    const rename = (text: string) =>
      text.replaceAll(words, (word) => (own.has(word) ? `${word}_${at}_of_verdict` : word));
    const copies = items.filter((line) => line.startsWith("output ") || own.has(declaration.exec(line)?.[1] ?? ""));
    return { model: [...copies.map(rename), `output ["\\n${between}\\n"];`], values: rename(values) };
  });
  const shared = items.filter((line) => !line.startsWith("output ") && !own.has(declaration.exec(line)?.[1] ?? ""));
  return {
    files: {
      [shown.model]: [...shared, ...texts.flatMap(({ model }) => model), relations].join("\n"),
      [shown.values]: texts.map(({ values }) => values).join("\n"),
    },
    args: ["--solver", "gecode", shown.model, shown.values],
    keeps: [],
  };
}

/** Returns the given names, and all names whose values depend on them. */
function dependents(items: readonly string[], given: ReadonlySet<string>): ReadonlySet<string> {
  const names = new Set(given);
  for (let before = -1; before !== names.size; ) {
    before = names.size;
    for (const line of items) {
      const [, name, value = ""] = declaration.exec(line) ?? [];
      if (name !== undefined && value.match(words)?.some((word) => names.has(word))) names.add(name);
    }
  }
  return names;
}

/**
 * Splits the line printed by a `showTask` into one line per solution, as in a solver's output; returns nothing for
 * other lines.
 */
export function solutionLines(line: string): string[] {
  if (!line.startsWith('{"type": "solution"')) return [];
  const { output } = Printed.parse(JSON.parse(line));
  const texts = output.default.split(`\n${between}\n`).filter((text) => text !== "");
  return texts.map((text) => `{"type": "solution", ${text}}`);
}

/** The request to `python/verdict_runner/languages/flatzinc`, apart from the FlatZinc itself. */
export interface CpSatRequest {
  readonly time_s: number;
  /**
   * The number of solutions to list, which differ in the shown values; null for a single one, which is the best one for
   * an optimisation problem.
   */
  readonly solutions: number | null;
  /** The values of an earlier answer, with which the search starts; null if there are none. */
  readonly hint: Readonly<Record<string, unknown>> | null;
}

/** The values of an answer, also under the names that the compiled model gives to its arrays. */
export function hintFor(hint: CpSatRequest["hint"], { output_model }: CompiledForCpSat): CpSatRequest["hint"] {
  const arrays = [...output_model.matchAll(/ of (?:int|bool): (\w+) = array\dd\([^\n]*,(\w+)\);$/gm)];
  const compiled = arrays.map(([, name = "", array = ""]) => [array, hint?.[name]] as const);
  return hint && { ...hint, ...Object.fromEntries(compiled) };
}

/** A better solution found during the search. `values` is passed to `showTask`. */
export const CpSatBetter = z.object({
  better: z.object({
    objective: z.number(),
    bound: z.number().nullable(),
    seconds: z.number(),
    values: z.string(),
  }),
});

/** How a run of CP-SAT ended. */
export const CpSatEnd = z.object({
  status: z.enum(["optimal", "sat", "unsat", "all", "unknown", "unsupported"]),
  /** What CP-SAT does not support, or the reason why nothing is known. */
  what: z.string(),
  solutions: z.array(z.string()),
  objective: z.number().nullable(),
  bound: z.number().nullable(),
  /** The reasons, as sentences, why CP-SAT's claim alone does not establish an optimum or an unsat. */
  doubts: z.array(z.string()),
  workers: z.number(),
  seconds: z.number(),
});
export type CpSatEnd = z.output<typeof CpSatEnd>;
