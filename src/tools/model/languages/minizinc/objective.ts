import type { Solution } from "../../../../engines/minizinc/read.ts";
import type { Model } from "./model.ts";

/** Whether a solution has a better objective value than another one; always false without an objective. */
export function isBetter(one: Solution, other: Solution, goal: Model["goal"]): boolean {
  if (goal !== "minimize" && goal !== "maximize") return false;
  const [left, right] = [numberOf(one.objective), numberOf(other.objective)];
  if (left === undefined || right === undefined) return right === undefined && left !== undefined;
  return goal === "minimize" ? left < right : left > right;
}

/** Integers too large for a JavaScript number are strings: see exact_json.ts. */
function numberOf(objective: unknown): bigint | number | undefined {
  if (typeof objective === "number") return objective;
  return typeof objective === "string" && /^-?\d+$/.test(objective) ? BigInt(objective) : undefined;
}
