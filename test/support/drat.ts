/** Proofs for tests: written by hand, by real solvers, and a checker that is too plain to be wrong. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import * as z from "zod/v4";
import { privatePython } from "./python.ts";

export type Formula = readonly (readonly number[])[];

export interface Step {
  readonly adds: boolean;
  readonly literals: readonly number[];
}

/** A proof in text, "1 -2 0" and "d 1 2 0", as steps. */
export function stepsOf(text: string): Step[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const words = line.trim().split(/\s+/);
      const adds = words[0] !== "d";
      return { adds, literals: words.slice(adds ? 0 : 1, -1).map(Number) };
    });
}

/** Steps in the binary format. */
export function binary(steps: readonly Step[]): Uint8Array {
  const bytes: number[] = [];
  const number = (given: number) => {
    let rest = given;
    while (rest > 127) {
      bytes.push((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    bytes.push(rest);
  };
  for (const { adds, literals } of steps) {
    bytes.push((adds ? "a" : "d").charCodeAt(0));
    for (const each of literals) number(2 * Math.abs(each) + (each < 0 ? 1 : 0));
    bytes.push(0);
  }
  return Uint8Array.from(bytes);
}

/** Whether clauses over the variables 1 to n have a solution, by trying all. */
export function isSatisfiable(formula: Formula, variables: number): boolean {
  for (let bits = 0; bits < 2 ** variables; bits++) {
    const holds = (each: number) => ((bits >> (Math.abs(each) - 1)) & 1) === (each > 0 ? 1 : 0);
    if (formula.every((clause) => clause.some(holds))) return true;
  }
  return false;
}

/**
 * What a proof is worth, by the definitions alone: sets of literals, and unit propagation by passes over all clauses. A
 * deletion of a clause that is not there, or of the reason of a unit, does nothing, as in drat-trim.
 */
export function isProof(formula: Formula, steps: readonly Step[]): boolean {
  const clauses = formula.map((clause) => new Set(clause)).filter(isNoTautology);
  /** What follows from these literals, or undefined where that is a contradiction. */
  const closure = (supposed: readonly number[]): Set<number> | undefined => {
    const trues = new Set<number>();
    for (const each of supposed) {
      if (trues.has(-each)) return undefined;
      trues.add(each);
    }
    for (let changed = true; changed; ) {
      changed = false;
      for (const clause of clauses) {
        if ([...clause].some((each) => trues.has(each))) continue;
        const open = [...clause].filter((each) => !trues.has(-each));
        if (open.length === 0) return undefined;
        if (open.length > 1) continue;
        trues.add(open[0] ?? 0);
        changed = true;
      }
    }
    return trues;
  };
  const follows = (clause: readonly number[]) => closure(clause.map((each) => -each)) === undefined;
  if (closure([]) === undefined) return true;
  for (const { adds, literals } of steps) {
    const clause = new Set(literals);
    if (!isNoTautology(clause)) continue;
    if (adds) {
      const [pivot] = literals;
      const resolvents =
        pivot === undefined
          ? undefined
          : clauses
              .filter((other) => other.has(-pivot))
              .map((other) => [...literals, ...[...other].filter((each) => each !== -pivot)]);
      if (!follows(literals) && !resolvents?.every(follows)) return false;
      clauses.push(clause);
    } else {
      const at = clauses.findIndex((other) => other.size === clause.size && [...clause].every((x) => other.has(x)));
      const units = closure([]) ?? new Set();
      const is_reason =
        literals.every((each) => units.has(each) || units.has(-each)) &&
        [...clause].filter((each) => units.has(each)).length === 1;
      if (at >= 0 && !is_reason) clauses.splice(at, 1);
    }
    if (closure([]) === undefined) return true;
  }
  return false;
}

function isNoTautology(clause: ReadonlySet<number>): boolean {
  return [...clause].every((each) => !clause.has(-each));
}

const Written = z.array(z.record(z.string(), z.string().nullable()));

/** Binary proofs of real solvers for each formula, by solver; null where it has a solution. */
export async function writtenProofs(
  formulas: readonly Formula[],
  solvers: readonly string[],
): Promise<Map<string, Uint8Array | null>[]> {
  const { python } = await privatePython();
  const program = fileURLToPath(new URL("../fixtures/drat_proofs.py", import.meta.url));
  const output = execFileSync(python, ["-I", "-B", program], {
    input: JSON.stringify({ formulas, solvers }),
    maxBuffer: 64 * 1024 * 1024,
  });
  return Written.parse(JSON.parse(output.toString())).map(
    (by) =>
      new Map(
        Object.entries(by).map(([solver, proof]) => [solver, proof === null ? null : Buffer.from(proof, "base64")]),
      ),
  );
}
