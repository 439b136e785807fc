import * as z from "zod/v4";
import { readResult } from "../../../../engines/python/talk.ts";
import { named_values } from "../../../../kernel/named.ts";
import { limitReached, type Undecided, undecided } from "../../../../kernel/verdict.ts";
import { type Conflict, type Found, type Impossible, ItemLine, type SolveVerdict } from "../../language.ts";

/** The answer from one of the runner's language modules; see `language.py` in each language's folder. */
const Result = z.object({
  status: z.enum(["sat", "unsat", "unknown", "timeout"]),
  reason: z.string().default("the program's process gave no reason"),
  model: named_values.nullable(),
  objective_value: z.unknown(),
  optimal: z.boolean().nullable(),
  /** A sentence that explains why the values, or other data in the answer, might belong to another problem. */
  unconfirmed: z.string().optional(),
  /** A sentence that explains why the engine's claim of an optimum or an unsat is not sufficient. */
  distrusted: z.string().optional(),
  objective_bound: z.number().optional(),
  /** All requested solutions. */
  solutions: z.array(named_values).optional(),
  /** The number of solutions that the program's own search found, excluding each one until none was left. */
  found: z.int().optional(),
  /** The engine that answered, if the language has several. */
  engine: z.string().optional(),
  /** The names of values that the program itself computed. */
  unchecked: z.array(z.string()).default([]),
  statistics: z.record(z.string(), z.unknown()),
  /** The assumption, besides the model itself, under which an unsat holds. */
  under: z.string().optional(),
  unsat_core: z.array(z.string()).optional(),
  unsat_items: z.array(ItemLine).optional(),
  warnings: z.array(z.string()),
  /** The problem that was solved, for use by a process that never ran the program. */
  evidence: z.unknown(),
  /** The unsatisfiable problem with which the program's own search ended. */
  end: z.unknown().optional(),
  /** The parts of the problem that can be left out, if the call asks why. */
  why_question: z.unknown().optional(),
  /** The lines and names that belong to the problem: `Shown` in `evidence/shown.py`. */
  account: z.unknown().optional(),
  /** The problem to which a question about all solutions refers. */
  space: z.unknown().optional(),
});
type Result = z.output<typeof Result>;

/** A verdict as reported by the program's process, with the data that is needed to confirm it. */
export type Claim = Readonly<Omit<Result, "status" | "reason" | "model" | "objective_value" | "optimal">> & {
  readonly verdict: SolveVerdict;
};

/** Parses the report from a program's process. Raises `engine_failed`. */
export function readClaim(reported: unknown): Claim {
  const { status, reason, model, objective_value, optimal, ...rest } = readResult(Result, reported);
  return { ...rest, verdict: verdictOf({ status, reason, model, objective_value, optimal, ...rest }) };
}

function verdictOf(result: Result): SolveVerdict {
  switch (result.status) {
    case "sat":
      return solutionIn(result);
    case "unsat":
      return impossibilityIn(result);
    case "unknown":
      return { ...unknownFor(result.reason), ...statedIn(result) };
    case "timeout":
      return { ...limitReached("time"), ...statedIn(result) };
    default:
      return result.status satisfies never;
  }
}

function solutionIn({
  model,
  objective_value: value,
  optimal: proved,
  objective_bound,
  solutions,
  found,
}: Result): Found {
  const has_objective = (value !== null && value !== undefined) || proved !== null;
  return {
    kind: "sat",
    witness: model ? { values: model } : { not_shown: "no values were exported" },
    ...(has_objective && { best: { value, proved } }),
    ...(objective_bound !== undefined && { objective_bound }),
    ...(solutions && { solutions }),
    ...(found !== undefined && { found }),
  };
}

function statedIn({ model }: Result): Pick<Impossible, "stated"> {
  return model ? { stated: model } : {};
}

function impossibilityIn(result: Result): Impossible {
  const { under, unsat_core: names, unsat_items: items } = result;
  const core: Conflict | undefined = (names ?? items) && { ...(names && { names }), ...(items && { items }) };
  return { kind: "unsat", ...(core && { core }), ...(under !== undefined && { under }), ...statedIn(result) };
}

/** Converts an `unknown` from Z3; a limit that the program set also counts as a limit. */
function unknownFor(reason: string): Undecided {
  if (reason === "memory limit") return limitReached("memory");
  return undecided(reason === "timeout" ? "interrupted" : "incomplete", reason);
}
