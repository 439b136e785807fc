import * as z from "zod/v4";
import relations from "./library/cp_sat/shown.mzn";
import { withCpSatLibrary } from "./library/index.ts";
import type { Task, TaskEnd } from "./task.ts";

/**
 * MiniZinc's side of CP-SAT: a task that compiles a model for it, and one that prints a solution as MiniZinc would.
 * `python/verdict_runner/languages/flatzinc` solves what was compiled.
 */

const flatzinc = "cp_sat.fzn.json";
const output_model = "cp_sat.ozn";
const shown = { model: "show.mzn", values: "show.dzn" } as const;

/** The output of such a model is the message of its solution, as text. */
const Printed = z.object({ output: z.object({ default: z.string() }) });

/** A model that was compiled for CP-SAT. */
export interface CompiledForCpSat {
  /** FlatZinc as JSON. */
  readonly flatzinc: string;
  /** The model that computes what is shown from the values of the compiled one. */
  readonly output_model: string;
}

export interface ForCpSat extends Pick<Task, "files" | "args" | "time_limit_ms"> {
  /** Whether all solutions will be listed: then each variable that is not shown has to follow from those that are. */
  readonly lists_solutions?: boolean;
}

/**
 * Compiles a model for CP-SAT; solves nothing. Arguments are the names of its files and further options of the compiler.
 * Sets become arrays of truth values.
 */
export function cpSatTask({ lists_solutions = false, ...task }: ForCpSat): Task {
  const compiled = ["--fzn-format", "json", "--fzn", flatzinc, "--ozn", output_model];
  const output = ["--output-mode", "json", "--output-objective", "--output-output-item"];
  // Gecode solves nothing here: its library is replaced.
  const half = lists_solutions ? ["--no-half-reifications"] : [];
  const args = ["--solver", "gecode", "-c", ...half, ...compiled, ...output, ...task.args];
  return withCpSatLibrary({ ...task, args, keeps: [flatzinc, output_model] });
}

/** The output of such a task; undefined if it failed, "too large" if it exceeds the size that is read. */
export function compiledForCpSat({ kept_files }: TaskEnd): CompiledForCpSat | "too large" | undefined {
  const [text, output] = [kept_files[flatzinc], kept_files[output_model]];
  if (text === null || output === null) return "too large";
  return text === undefined || output === undefined ? undefined : { flatzinc: text, output_model: output };
}

/** A declaration in a line of an output model, and its value. */
const declaration = /^(?!output|function|predicate|test)[^"=]*: (\w+)(?: =(.*))?;$/;
const words = /"(?:[^"\\]|\\.)*"|\b[A-Za-z_]\w*/g;

/** Between two solutions in what a run prints; the text of none has such a line. */
const between = "%%%";

/**
 * Prints solutions, in one line for `solutionLines`. `solutions` are the texts that CP-SAT's side gives for them. Of several
 * each has its own copy of what depends on values: a run takes a quarter of a second, whatever it prints.
 */
export function showTask(compiled: CompiledForCpSat, solutions: readonly string[]): Task {
  const [first = ""] = solutions;
  const given = new Set([...first.matchAll(/^(\w+) = /gm)].map(([, name = ""]) => name));
  // MiniZinc also writes a declaration for an array all of whose members it knows, and gives it no value.
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

/** These names, and those whose values are made of them. */
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

/** The lines of solutions as a solver's run has them, from the line that `showTask` prints; empty for other lines. */
export function solutionLines(line: string): string[] {
  if (!line.startsWith('{"type": "solution"')) return [];
  const { output } = Printed.parse(JSON.parse(line));
  const texts = output.default.split(`\n${between}\n`).filter((text) => text !== "");
  return texts.map((text) => `{"type": "solution", ${text}}`);
}

/** What `python/verdict_runner/languages/flatzinc` is asked, beside the FlatZinc. */
export interface CpSatRequest {
  readonly time_s: number;
  /** How many solutions are listed, each different in what is shown; null for one, or the best. */
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

/** A better solution on the way. `values` is for `showTask`. */
export const CpSatBetter = z.object({
  better: z.object({
    objective: z.number(),
    bound: z.number().nullable(),
    seconds: z.number(),
    values: z.string(),
  }),
});

/** The ending of a CP-SAT solve. */
export const CpSatEnd = z.object({
  status: z.enum(["optimal", "sat", "unsat", "all", "unknown", "unsupported"]),
  /** What CP-SAT has no form for, or why nothing is known. */
  what: z.string(),
  solutions: z.array(z.string()),
  objective: z.number().nullable(),
  bound: z.number().nullable(),
  /** Why its claim alone is not enough for an optimum or an unsat, as sentences. */
  doubts: z.array(z.string()),
  workers: z.number(),
  seconds: z.number(),
});
export type CpSatEnd = z.output<typeof CpSatEnd>;
