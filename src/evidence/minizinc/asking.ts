import type { Build, RunTask } from "../../engines/minizinc/index.ts";
import type { Solution } from "../../engines/minizinc/read.ts";
import type { SmtSolver } from "../../engines/smt/solver.ts";
import type { Deadline } from "../../kernel/deadline.ts";
import type { Position } from "../../kernel/fault.ts";
import type { SolveItem, Statement } from "./statements.ts";

/** What the checks need of a model besides its text. */
export interface AskedModel {
  readonly statements: readonly Statement[];
  readonly goal: SolveItem["goal"] | undefined;
  /** Translates positions in MiniZinc's input into positions in the items. */
  readonly lines: { readonly positionOf: (line: number, byte: number) => Position | undefined };
}

/** A question about a model, and the engines that can check its answers: MiniZinc, and Z3 for exact arithmetic. */
export interface Asking {
  readonly z3: Pick<SmtSolver, "run">;
  readonly run: RunTask;
  readonly build: Build;
  /** Functions that look up whether CP-SAT is available now, and that prepare it for a later call. */
  readonly cp_sat?: { readonly isReady: () => Promise<boolean>; readonly prepare: () => void };
  readonly model: AskedModel;
  readonly context: {
    readonly deadline: Deadline;
    readonly progress: (text: string) => void;
    readonly options: { readonly solver?: string | undefined };
  };
}

/** Whether a model has an objective. */
export function optimises({ goal }: Pick<AskedModel, "goal">): boolean {
  return goal === "minimize" || goal === "maximize";
}

/** Whether a solution has a better objective value than another one; always false without an objective. */
export function isBetter(one: Solution, other: Solution, goal: AskedModel["goal"]): boolean {
  if (goal !== "minimize" && goal !== "maximize") return false;
  const [left, right] = [numberOf(one.objective), numberOf(other.objective)];
  if (left === undefined || right === undefined) return right === undefined && left !== undefined;
  return goal === "minimize" ? left < right : left > right;
}

/** Integers too large for a JavaScript number are strings: see `parseExactJson`. */
function numberOf(objective: unknown): bigint | number | undefined {
  if (typeof objective === "number") return objective;
  return typeof objective === "string" && /^-?\d+$/.test(objective) ? BigInt(objective) : undefined;
}
