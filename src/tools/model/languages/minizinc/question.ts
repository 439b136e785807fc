import type { Build, RunTask } from "../../../../engines/minizinc/index.ts";
import { withoutGlobals } from "../../../../engines/minizinc/library/index.ts";
import { type Answer, type Listener, Reader } from "../../../../engines/minizinc/read.ts";
import type { CompileEnd, ForCpSat, Task, TaskEnd } from "../../../../engines/minizinc/task.ts";
import { decidesClearly } from "../../../../evidence/flatzinc/clear.ts";
import type { Kind } from "../../../../evidence/flatzinc/measured.ts";
import type { FlatZinc } from "../../../../evidence/flatzinc/parse.ts";
import { substitute, withConstants } from "../../../../evidence/flatzinc/substitute.ts";
import { kindOf, namesFloats, readFlatZinc } from "../../../../evidence/flatzinc/trust.ts";
import type { Deadline } from "../../../../kernel/deadline.ts";
import { Fault } from "../../../../kernel/fault.ts";
import { nearest } from "../../../../kernel/text/near_miss.ts";
import { model_limits } from "../../limits.ts";
import { losesEmptyLists } from "./acceptance/defects.ts";
import { cp_sat } from "./cp_sat.ts";
import { model_file } from "./faults.ts";
import { dataFiles } from "./source/data_files.ts";
import { lift } from "./source/lift.ts";

/** A model with all that it needs to be solved. */
export interface Question {
  readonly source: string;
  /** Files of data, as JSON. */
  readonly data: readonly string[];
  /** The id of the solver. */
  readonly solver: string;
  /** The number of requested solutions, if it is more than the best one. */
  readonly solutions_max?: number;
  /** The solver is to stop by itself after this time. */
  readonly time_ms: number;
  /** The search itself is to stop after this time, beside that of the compiler. */
  readonly search_ms?: number;
  /** Whether global constraints are stated by their definitions, in place of the solver's own. */
  readonly without_globals?: boolean;
  /** How many workers CP-SAT has, where that is not left to the machine. */
  readonly workers?: number;
}

/** The compiled model; undefined where the run came not so far. */
export type Compiled = FlatZinc | "unreadable" | undefined;

/** The output of a run and how it ended, with the compiled model if compilation succeeded. */
export interface Reply {
  readonly question: Question;
  readonly answer: Answer;
  readonly solutions_seen: number;
  readonly end: TaskEnd;
  readonly compiled: Compiled;
  /** The model as it was compiled for the solver that began, where others followed. */
  readonly compiled_first?: Compiled;
  readonly ms: number;
  /** Whether exact arithmetic confirms all that the compiler decided about floats. */
  readonly is_clear?: boolean;
  /** Names of other solvers that worked on the same question at the same time. */
  readonly also_ran?: readonly string[];
  /** Names of the solvers that this MiniZinc has. */
  readonly installed?: readonly string[];
}

const flatzinc_file = "model.fzn";

/** Solves; reports each solution as it arrives. `compiled` is what `compileForCpSat` gave for this question. */
export async function ask(
  run: RunTask,
  build: Build,
  question: Question,
  deadline: Deadline,
  { compiled, ...listener }: Listener & Pick<ForCpSat, "compiled"> = {},
): Promise<Reply> {
  const start = performance.now();
  const reader = new Reader(question.solutions_max ?? 1, listener);
  const end = await run(taskOf(question, compiled), deadline, (line) => reader.keep(line));
  const ms = performance.now() - start;
  return {
    question,
    answer: reader.answer(),
    solutions_seen: reader.solutions_seen,
    end,
    compiled: compiledIn(end),
    ms,
    installed: build.solvers.flatMap(({ names }) => names),
  };
}

/** The same by a solver that need not answer: undefined if its program could not be run. Raises `cancelled`. */
export async function askIfAble(...question: Parameters<typeof ask>): Promise<Reply | undefined> {
  try {
    return await ask(...question);
  } catch (error) {
    if (error instanceof Fault && error.code !== "cancelled") return undefined;
    throw error;
  }
}

/** Compiles the model of a question for CP-SAT. Undefined if it was stopped, or its program could not be run. */
export async function compileForCpSat(
  run: RunTask,
  question: Omit<Question, "solver">,
  deadline: Deadline,
): Promise<CompileEnd | undefined> {
  const lines: string[] = [];
  try {
    const task = taskOf({ ...question, solver: cp_sat }, "only");
    const end = await run(task, deadline, (line) => lines.push(line));
    return end.ending.kind === "exited" ? { end, lines } : undefined;
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

function compiledIn({ kept_files: files }: TaskEnd): Compiled {
  const text = files[flatzinc_file];
  if (text === undefined) return undefined;
  return (text === null ? undefined : readFlatZinc(text)) ?? "unreadable";
}

/** A model compiled to MiniZinc's own constraints. */
export interface Standard {
  readonly model: FlatZinc;
  /**
   * Whether the compiler decided nothing in rounded floats, so that consequences of the compiled model hold for the
   * source.
   */
  readonly exact: boolean;
  /** Whether the compiler decides the same in rounded floats: see clear.ts. */
  readonly clear: boolean;
}

/**
 * Compiles a model to MiniZinc's own constraints: the libraries of linear solvers turn `<` into `<=` with a distance,
 * and lose digits. Its floats are variables during compilation, if the model can be written in this way. Undefined if
 * it could not be compiled in time.
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

/** For no solver in particular, so that no solver's library comes before the standard one. */
const without_solver = ["--solver", "org.minizinc.mzn-fzn"];

async function compiledFor(
  run: RunTask,
  { source, data }: Pick<Question, "source" | "data">,
  deadline: Deadline,
): Promise<FlatZinc | undefined> {
  if (deadline.is_over) return undefined;
  const { compiled, answer } = await compile(run, { source, data }, deadline);
  return compiled === "unreadable" || losesEmptyLists(answer) ? undefined : compiled;
}

/** Compiles a model to MiniZinc's own constraints, and gives what MiniZinc says about it. */
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

/** The files that MiniZinc gets: the model, then its data. */
export function filesOf(source: string, data: readonly string[], kind?: Kind): Record<string, string> {
  const is_own = kind === "linear" || kind === "other";
  return { [model_file]: is_own ? source : `${source}\n${membership}\n`, ...dataFiles(source, data) };
}

/**
 * Membership in a constant set as comparisons: what a compiled model has left of it reaches the solvers of MiniZinc 2.10
 * with a wrong set. What bounds a variable by itself is part of its domain all the same. The library of linear solvers
 * has its own.
 */
const membership =
  "predicate set_in(var int: x, set of int: s) = if card(s) = 0 then false elseif max(s) - min(s) + 1 = card(s) then x >= min(s) /\\ x <= max(s) else exists(v in s)(x = v) endif;";

function taskOf(question: Question, compiled?: ForCpSat["compiled"]): Task {
  const { source, data, solver, solutions_max, time_ms, search_ms, workers, without_globals } = question;
  const files = filesOf(source, data, kindOf(solver));
  if (solver === cp_sat)
    return {
      ...{ files, args: Object.keys(files), keeps: [], time_limit_ms: time_ms },
      cp_sat: { solutions: solutions_max, workers, compiled },
    };
  const args = [
    ...["--solver", solver, "--intermediate", "--statistics"],
    ...["--output-mode", "json", "--output-objective", "--output-output-item", "--fzn", flatzinc_file],
    ...(solutions_max === undefined ? [] : ["-n", String(solutions_max)]),
    // MiniZinc has no limit at all where --time-limit is over before the search begins.
    ...(search_ms === undefined ? [] : ["--solver-time-limit", String(search_ms)]),
    ...Object.keys(files),
  ];
  const task = { files, args, time_limit_ms: time_ms, keeps: [flatzinc_file] };
  return without_globals ? withoutGlobals(task) : task;
}

/** A model that only has to be read: its errors, or its parameters. */
export function readingTask(source: string, args: readonly string[]): Task {
  return { files: { [model_file]: source }, args: [...args, model_file], keeps: [] };
}

/** The time limit of a solver when this much time is left: it then still has time to print its result. */
export function timeToSolve(left_ms: number): number {
  return left_ms - Math.min(model_limits.minizinc_last_word_ms, left_ms * model_limits.minizinc_last_word_share);
}

/** The id of the requested solver, or of the default one. Raises `invalid_argument` with the list. */
export function solverId({ solvers }: Build, wanted: string | undefined): string {
  const name = (wanted ?? "gecode").toLowerCase();
  const named = solvers.find(({ id, names }) => id.toLowerCase() === name || names.includes(name));
  const chosen = named ?? (wanted === undefined ? solvers[0] : undefined);
  if (chosen) return chosen.id;
  const names = solvers.map(({ names: [first = ""] }) => first);
  const suggestion = nearest(name, names).map((other) => ` Did you mean "${other}"?`);
  throw new Fault("invalid_argument", `There is no solver ${JSON.stringify(wanted)} here.${suggestion.join("")}`, [
    `choose from: ${names.join(", ")}`,
    { call: "leave solver out for the default", shell: "leave --solver out for the default" },
  ]);
}
