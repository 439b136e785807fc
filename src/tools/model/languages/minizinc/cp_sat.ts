import {
  type CompiledForCpSat,
  CpSatBetter,
  CpSatEnd,
  type CpSatRequest,
  compiledForCpSat,
  cpSatTask,
  hintFor,
  showTask,
  solutionLines,
} from "../../../../engines/minizinc/cp_sat.ts";
import type { Build, RunTask, TakePlace } from "../../../../engines/minizinc/index.ts";
import type { OnLine, Task, TaskEnd } from "../../../../engines/minizinc/task.ts";
import type { Python, RunProgram } from "../../../../engines/python/index.ts";
import { type JobEnd, readResult } from "../../../../engines/python/talk.ts";
import { cp_sat } from "../../../../evidence/minizinc/question.ts";
import type { Deadline } from "../../../../kernel/deadline.ts";
import type { Ending } from "../../../../kernel/process/child.ts";

/** The name under which Python runs the translator for compiled models, which is not a model's own program. */
export const cp_sat_language = "flatzinc";

const statuses: Readonly<Record<Exclude<CpSatEnd["status"], "unsupported">, string>> = {
  optimal: "OPTIMAL_SOLUTION",
  sat: "SATISFIED",
  unsat: "UNSATISFIABLE",
  all: "ALL_SOLUTIONS",
  unknown: "UNKNOWN",
};

/** The operations on Python that CP-SAT needs. */
export type CpSatPython = Pick<Python, "beside" | "has" | "prepare">;

/** The functions that run tasks, and the solvers available to them. */
interface MiniZincPlaces {
  readonly run: RunTask;
  readonly build: Build;
  readonly takePlace: TakePlace;
}

/** Adds CP-SAT to MiniZinc as another solver. */
export function withCpSat({ run, build, takePlace }: MiniZincPlaces, python: CpSatPython): MiniZincPlaces {
  const solvers = [{ id: cp_sat, names: [cp_sat, "cp_sat", "cpsat", "or-tools", "ortools"] }, ...build.solvers];
  return {
    run: runnerWith(run, python),
    build: { ...build, solvers },
    takePlace: (is_needed) => {
      const place = takePlace(is_needed);
      return place && { ...place, run: runnerWith(place.run, python) };
    },
  };
}

/**
 * Returns the function that runs MiniZinc tasks. A task for CP-SAT takes three steps: MiniZinc compiles the model,
 * CP-SAT solves it in Python, and MiniZinc formats the solutions as for any other solver.
 */
function runnerWith(run: RunTask, python: CpSatPython): RunTask {
  return (task, deadline, onLine) =>
    task.cp_sat ? new CpSatRun(run, python, task).end(deadline, onLine) : run(task, deadline, onLine);
}

/** One task for CP-SAT. */
class CpSatRun {
  readonly #run: RunTask;
  readonly #python: CpSatPython;
  readonly #task: Task;
  readonly #start = performance.now();
  /** The values of the best solution so far, which become the result if the process ends without an answer. */
  #values: string | undefined;

  constructor(run: RunTask, python: CpSatPython, task: Task) {
    this.#run = run;
    this.#python = python;
    this.#task = task;
  }

  /** Runs the task to its end. Raises the same faults as `Python.beside`: `engine_missing` and `cancelled`. */
  async end(deadline: Deadline, onLine: OnLine): Promise<TaskEnd> {
    const compiled = await this.#compiled(deadline, onLine);
    const model = compiledForCpSat(compiled);
    if (model === undefined) return compiled;
    if (model === "too large") return refused(onLine, "a compiled model of this size");
    const solve = await this.#python.beside(cp_sat_language, deadline);
    if (solve === "expired") return ended({ kind: "stopped", why: "deadline" });
    const end = await this.#solved(solve, model, deadline, onLine);
    if (end.kind !== "result") {
      if (this.#values !== undefined) await this.#show(model, [this.#values], deadline, onLine);
      return ended(endingOf(end), lastWords(end));
    }
    const solved = readResult(CpSatEnd, end.result);
    if (solved.status === "unsupported") return refused(onLine, solved.what);
    const { bound, doubts, workers } = solved;
    say(onLine, { type: "cp_sat", doubts, workers });
    if (typeof bound === "number") say(onLine, { type: "statistics", statistics: { objectiveBound: bound } });
    const shown = await this.#show(model, solved.solutions, deadline, onLine);
    if (shown === "stopped") return ended({ kind: "stopped", why: "deadline" });
    // A status such as "all" or "best" is claimed only for solutions that were written.
    if (shown === "unwritten") return refused(onLine, "the output of this model");
    if (isCut(solved)) return ended({ kind: "stopped", why: "deadline" });
    say(onLine, { type: "status", status: statuses[solved.status] });
    return ended({ kind: "exited", code: 0 });
  }

  async #compiled(deadline: Deadline, onLine: OnLine): Promise<TaskEnd> {
    const { cp_sat: { solutions, compiled } = {}, ...task } = this.#task;
    if (!compiled) return this.#run(cpSatTask({ ...task, lists_solutions: solutions !== undefined }), deadline, onLine);
    for (const line of compiled.lines) onLine(line);
    return compiled.end;
  }

  async #solved(solve: RunProgram, model: CompiledForCpSat, deadline: Deadline, onLine: OnLine): Promise<JobEnd> {
    const { solutions = null, workers, hint = null } = this.#task.cp_sat ?? {};
    const left_ms = (this.#task.time_limit_ms ?? deadline.left_ms) - (performance.now() - this.#start);
    const time_s = Math.max(0.001, left_ms / 1000);
    const request = { time_s, solutions, hint: hintFor(hint, model) } satisfies CpSatRequest;
    const items = [model.flatzinc];
    const program = { items, is_data: true, request, ...(workers !== undefined && { workers }) } as const;
    const reply = await solve(cp_sat_language, program, deadline, (result) => this.#receive(result, onLine));
    return reply === "expired" ? { kind: "deadline" } : reply.end;
  }

  #receive(result: unknown, onLine: OnLine): void {
    const read = CpSatBetter.safeParse(result).data;
    if (!read) return;
    const { objective, bound, values } = read.better;
    this.#values = values;
    say(onLine, { type: "better", objective, ...(typeof bound === "number" && { bound }) });
  }

  /**
   * Has MiniZinc format solutions, many in one run, or one by one if that fails. Like MiniZinc, writes solutions with
   * identical output only once; they occur because an absent truth value has two forms.
   */
  async #show(
    compiled: CompiledForCpSat,
    solutions: readonly string[],
    deadline: Deadline,
    onLine: OnLine,
    at_once = shownAtOnce(compiled),
    written: Set<string> = new Set(),
  ): Promise<"written" | "unwritten" | "stopped"> {
    for (let at = 0; at < solutions.length; at += at_once) {
      const some = solutions.slice(at, at + at_once);
      const lines: string[] = [];
      const { ending } = await this.#run(showTask(compiled, some), deadline, (line) => {
        lines.push(...solutionLines(line));
      });
      if (ending.kind !== "exited") return "stopped";
      if (lines.length !== some.length) {
        const rest = at_once > 1 ? await this.#show(compiled, some, deadline, onLine, 1, written) : "unwritten";
        if (rest !== "written") return rest;
        continue;
      }
      for (const line of lines) {
        if (!written.has(line)) onLine(line);
        written.add(line);
      }
    }
    return "written";
  }
}

/**
 * Returns how many solutions to format in one run. Each solution adds a copy of the output with renamed variables. A
 * record's fields can't be renamed, so if a field has the same name as a variable, solutions are formatted one by one.
 */
function shownAtOnce({ output_model }: CompiledForCpSat): number {
  const declared = [...output_model.matchAll(/^(?!output)([^"=\n]*): (\w+)(?: =|;)/gm)];
  const in_records = declared.flatMap(([, type = ""]) => (type.includes("record(") ? (type.match(/\w+/g) ?? []) : []));
  return declared.some(([, , name = ""]) => in_records.includes(name)) ? 1 : 100;
}

/** Whether the search ran out of time. CP-SAT stops slightly before its limit, to leave time for its answer. */
function isCut({ status, objective, what }: CpSatEnd): boolean {
  return (status === "sat" && objective !== null) || (status === "unknown" && what === "time");
}

/** Emits a line of MiniZinc's JSON stream. */
function say(onLine: OnLine, message: Readonly<Record<string, unknown>>): void {
  onLine(JSON.stringify(message));
}

function refused(onLine: OnLine, what: string): TaskEnd {
  say(onLine, { type: "error", what: "solver error", message: `cp-sat cannot handle ${what}` });
  return ended({ kind: "exited", code: 1 });
}

function ended(ending: Ending, stderr = ""): TaskEnd {
  return { ending, stderr, kept_files: {} };
}

/** Converts the end of a run without an answer to the form that MiniZinc runs use. */
function endingOf(end: Exclude<JobEnd, { kind: "result" }>): Ending {
  if (end.kind === "deadline" || end.kind === "memory" || end.kind === "output")
    return { kind: "stopped", why: end.kind };
  if (end.kind === "error" && end.error.kind === "memory") return { kind: "stopped", why: "memory" };
  return { kind: "exited", code: 1 };
}

function lastWords(end: JobEnd): string {
  if (end.kind === "died") return `CP-SAT's process exited: ${end.how}`;
  if (end.kind !== "error") return "";
  if (end.error.log) console.error(end.error.log);
  return end.error.message;
}
