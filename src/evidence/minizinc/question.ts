import { compiledForCpSat, cpSatTask } from "../../engines/minizinc/cp_sat.ts";
import type { Build, RunTask } from "../../engines/minizinc/index.ts";
import { withoutGlobals } from "../../engines/minizinc/library/index.ts";
import { type Answer, type Listener, Reader } from "../../engines/minizinc/read.ts";
import type { CompileEnd, ForCpSat, Task, TaskEnd } from "../../engines/minizinc/task.ts";
import type { Deadline } from "../../kernel/deadline.ts";
import { Fault, undefinedOnFailure } from "../../kernel/fault.ts";
import { nearest } from "../../kernel/text/near_miss.ts";
import { decidesClearly } from "../flatzinc/clear.ts";
import type { Kind } from "../flatzinc/measured.ts";
import type { FlatZinc } from "../flatzinc/parse.ts";
import { substitute, withConstants } from "../flatzinc/substitute.ts";
import { kindOf, namesFloats, readFlatZinc } from "../flatzinc/trust.ts";
import { evidence_limits } from "../limits.ts";
import { dataFiles, model_file } from "./data_files.ts";
import { losesEmptyLists } from "./defects.ts";
import { lift } from "./lift.ts";

/** CP-SAT's name among MiniZinc's solvers. */
export const cp_sat = "cp-sat";

/** A model, with everything that is needed to solve it. */
export interface Question {
  readonly source: string;
  /** The contents of the data files, as JSON. */
  readonly data: readonly string[];
  /** The solver's id. */
  readonly solver: string;
  /** The number of requested solutions, unless only the best one is wanted. */
  readonly solutions_max?: number;
  /** The time limit that the solver itself should observe. */
  readonly time_ms: number;
  /** The time limit of the search itself, excluding compilation. */
  readonly search_ms?: number;
  /** Whether the model is compiled for CP-SAT, although Gecode tries to solve it. */
  readonly for_cp_sat?: boolean;
  /** Whether to replace global constraints with their definitions instead of using the solver's versions. */
  readonly without_globals?: boolean;
  /** The number of CP-SAT workers, if it is not chosen automatically. */
  readonly workers?: number;
  /** The values with which CP-SAT starts its search. */
  readonly hint?: Readonly<Record<string, unknown>> | undefined;
}

/** The compiled model; undefined if the run did not get that far. */
export type Compiled = FlatZinc | "unreadable" | undefined;

/** The compiled model, if there is one that can be read. */
export function readable(compiled: Compiled): FlatZinc | undefined {
  return compiled === "unreadable" ? undefined : compiled;
}

/** What a run printed and how it ended, with the compiled model if compilation succeeded. */
export interface Reply {
  readonly question: Question;
  readonly answer: Answer;
  readonly solutions_seen: number;
  readonly end: TaskEnd;
  readonly compiled: Compiled;
  /** The end of the compilation, if the model was compiled for CP-SAT and solved by Gecode. */
  readonly for_cp_sat?: CompileEnd;
  readonly ms: number;
  /** Whether exact arithmetic confirms everything that the compiler decided about floats. */
  readonly is_clear?: boolean;
  /** The names of other solvers that ran concurrently on the same question. */
  readonly also_ran?: readonly string[];
  /** The names of the solvers that this MiniZinc installation has. */
  readonly installed?: readonly string[];
}

const flatzinc_file = "model.fzn";

/** A line of output that is about the model, and not about the search. */
const about_model = /^\{"type": "(?:warning|trace)"/;

/**
 * Solves a question, and reports each solution as it arrives. `compiled` is the reply's `for_cp_sat` of an earlier run.
 */
export async function ask(
  run: RunTask,
  build: Build,
  question: Question,
  deadline: Deadline,
  { compiled, ...listener }: Listener & Pick<ForCpSat, "compiled"> = {},
): Promise<Reply> {
  const start = performance.now();
  const reader = new Reader(question.solutions_max ?? 1, listener);
  const lines: string[] = [];
  const end = await run(taskOf(question, compiled), deadline, (line) => {
    if (question.for_cp_sat && about_model.test(line)) lines.push(line);
    return reader.keep(line);
  });
  const ms = performance.now() - start;
  return {
    ...(typeof compiledForCpSat(end) === "object" && { for_cp_sat: { end, lines } }),
    question,
    answer: reader.answer(),
    solutions_seen: reader.solutions_seen,
    end,
    compiled: compiledIn(end),
    ms,
    installed: build.solvers.flatMap(({ names }) => names),
  };
}

/**
 * Like `ask`, for an optional solver: returns undefined if the solver's program could not be run. Raises `cancelled`.
 */
export async function askIfAble(...question: Parameters<typeof ask>): Promise<Reply | undefined> {
  return ask(...question).catch(undefinedOnFailure);
}

function compiledIn(end: TaskEnd): Compiled {
  const for_cp_sat = compiledForCpSat(end);
  if (for_cp_sat) return (for_cp_sat === "too large" ? undefined : readFlatZinc(for_cp_sat.flatzinc)) ?? "unreadable";
  const text = end.kept_files[flatzinc_file];
  if (text === undefined) return undefined;
  return (text === null ? undefined : readFlatZinc(text)) ?? "unreadable";
}

/** A model that is compiled to MiniZinc's standard constraints. */
export interface Standard {
  readonly model: FlatZinc;
  /**
   * Whether the compiler made no decision in rounded floats. If so, consequences of the compiled model also hold for
   * the source.
   */
  readonly exact: boolean;
  /** Whether the compiler's decisions are unaffected by rounding: see clear.ts. */
  readonly clear: boolean;
}

/**
 * Compiles a model to MiniZinc's standard constraints, since the libraries of linear solvers turn `<` into `<=` with a
 * small distance, and lose digits. If the model can be rewritten that way, its floats are variables during compilation.
 * Returns undefined if the model could not be compiled in time.
 */
export async function compileStandard(
  run: RunTask,
  { source, data }: Pick<Question, "source" | "data">,
  deadline: Deadline,
): Promise<Standard | undefined> {
  const has_floats = [source, ...data].some(namesFloats);
  const lifted = has_floats ? lift({ source, data }) : undefined;
  const exact = lifted && (await compiledFor(run, lifted, deadline));
  if (exact) {
    const model = substitute(exact, lifted.values);
    return { model: withConstants(model), exact: true, clear: decidesClearly(model) };
  }
  const model = await compiledFor(run, { source, data }, deadline);
  return model && { model, exact: !has_floats, clear: !has_floats };
}

/** Selects no particular solver, so that no solver's library overrides the standard library. */
const without_solver = ["--solver", "org.minizinc.mzn-fzn"];

async function compiledFor(
  run: RunTask,
  { source, data }: Pick<Question, "source" | "data">,
  deadline: Deadline,
): Promise<FlatZinc | undefined> {
  if (deadline.is_over) return undefined;
  const { compiled, answer } = await compile(run, { source, data }, deadline);
  return losesEmptyLists(answer) ? undefined : readable(compiled);
}

/** Compiles a model to MiniZinc's standard constraints, and also returns MiniZinc's messages about the model. */
export async function compile(
  run: RunTask,
  { source, data }: Pick<Question, "source" | "data">,
  deadline: Deadline,
): Promise<Pick<Reply, "compiled" | "answer">> {
  const files = filesOf(source, data);
  const args = [...without_solver, "-O0", "--compile", "--fzn", flatzinc_file, ...Object.keys(files)];
  const reader = new Reader(1);
  const end = await run({ files, args, keeps: [flatzinc_file] }, deadline, (line) => reader.keep(line));
  return { compiled: compiledIn(end), answer: reader.answer() };
}

/** Returns the input files for MiniZinc: the model, then its data. */
export function filesOf(source: string, data: readonly string[], kind?: Kind): Record<string, string> {
  const is_own = kind === "linear" || kind === "other";
  return { [model_file]: is_own ? source : `${source}\n${membership}\n`, ...dataFiles(source, data) };
}

/**
 * Expresses membership in a constant set by comparisons. Otherwise, membership constraints that remain in a compiled
 * model reach the solvers with a wrong set (MiniZinc 2.10). Bounds on a variable still become part of its domain. The
 * library for linear solvers has its own version of this predicate.
 */
const membership =
  "predicate set_in(var int: x, set of int: s) = if card(s) = 0 then false elseif max(s) - min(s) + 1 = card(s) then x >= min(s) /\\ x <= max(s) else exists(v in s)(x = v) endif;";

function taskOf(question: Question, compiled?: ForCpSat["compiled"]): Task {
  const { source, data, solver, solutions_max, time_ms, search_ms, for_cp_sat, workers, without_globals, hint } =
    question;
  const files = filesOf(source, data, kindOf(solver));
  if (solver === cp_sat)
    return {
      ...{ files, args: Object.keys(files), keeps: [], time_limit_ms: time_ms },
      cp_sat: { solutions: solutions_max, workers, hint, compiled },
    };
  // This limit is needed because MiniZinc applies no limit at all if --time-limit expires before the search begins.
  const limit = search_ms === undefined ? [] : ["--solver-time-limit", String(search_ms)];
  if (for_cp_sat)
    return cpSatTask({ files, args: [...limit, ...Object.keys(files)], time_limit_ms: time_ms, is_tried: true });
  const args = [
    ...["--solver", solver, "--intermediate", "--statistics"],
    ...["--output-mode", "json", "--output-objective", "--output-output-item", "--fzn", flatzinc_file],
    ...(solutions_max === undefined ? [] : ["-n", String(solutions_max)]),
    ...limit,
    ...Object.keys(files),
  ];
  const task = { files, args, time_limit_ms: time_ms, keeps: [flatzinc_file] };
  return without_globals ? withoutGlobals(task) : task;
}

/** Creates a task that only parses a model, to find its errors or its parameters. */
export function readingTask(source: string, args: readonly string[]): Task {
  return { files: { [model_file]: source }, args: [...args, model_file], keeps: [] };
}

/** Returns how much of the remaining time the solver gets; the rest is reserved for printing the result. */
export function timeToSolve(left_ms: number): number {
  return left_ms - Math.min(evidence_limits.minizinc_last_word_ms, left_ms * evidence_limits.minizinc_last_word_share);
}

/**
 * Returns the id of the requested solver, or of the default solver. Raises `invalid_argument` with the list of solvers.
 */
export function solverId({ solvers }: Build, wanted: string | undefined): string {
  const name = (wanted ?? "gecode").toLowerCase();
  const named = solvers.find(({ id, names }) => id.toLowerCase() === name || names.includes(name));
  const chosen = named ?? (wanted === undefined ? solvers[0] : undefined);
  if (chosen) return chosen.id;
  const names = solvers.map(({ names: [first = ""] }) => first);
  const suggestion = nearest(name, names).map((other) => ` Did you mean "${other}"?`);
  throw new Fault("invalid_argument", `There is no solver ${JSON.stringify(wanted)} here.${suggestion.join("")}`, [
    `choose from: ${names.join(", ")}`,
    { call: "omit solver for the default", shell: "omit --solver for the default" },
  ]);
}
