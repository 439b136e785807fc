import * as z from "zod/v4";
import { readResult } from "../../../../engines/python/talk.ts";
import { named_values } from "../../../../kernel/named.ts";
import { limitReached, type Undecided, undecided } from "../../../../kernel/verdict.ts";
import { type Conflict, type Found, type Impossible, ItemLine, type SolveVerdict } from "../../language.ts";

/** The answer of one of the runner's language modules; see `language.py` in each language's folder. */
const Result = z.object({
  status: z.enum(["sat", "unsat", "unknown", "timeout"]),
  reason: z.string().default("the program's process gave no reason"),
  model: named_values.nullable(),
  objective_value: z.unknown(),
  optimal: z.boolean().nullable(),
  /** A sentence explaining why the values, or other data in the answer, might belong to another problem. */
  unconfirmed: z.string().optional(),
  /** A sentence explaining why the engine's claim of an optimum or an unsat is not enough. */
  distrusted: z.string().optional(),
  objective_bound: z.number().optional(),
  /** All requested solutions. */
  solutions: z.array(named_values).optional(),
  /** The number of solutions found by the program's own search, which excluded each one until none was left. */
  found: z.int().optional(),
  /** The engine that answered, if the language has several. */
  engine: z.string().optional(),
  /** Values computed by the program itself. */
  unchecked: z.array(z.string()).default([]),
  statistics: z.record(z.string(), z.unknown()),
  /** The assumption under which an unsat holds, besides the model itself. */
  under: z.string().optional(),
  unsat_core: z.array(z.string()).optional(),
  unsat_items: z.array(ItemLine).optional(),
  warnings: z.array(z.string()),
  /** The problem, for a process that never ran the program. */
  evidence: z.unknown(),
  /** The unsatisfiable problem that ended the program's own search. */
  end: z.unknown().optional(),
  /** The parts of it that can be left out, if the call asks why. */
  why_question: z.unknown().optional(),
  /** The lines and names of the problem: `Shown` in `evidence/shown.py`. */
  account: z.unknown().optional(),
  /** The problem of a question about all solutions. */
  space: z.unknown().optional(),
});
type Result = z.output<typeof Result>;

/** A verdict as reported by the program's process, with the data needed to confirm it. */
export type Claim = Readonly<Omit<Result, "status" | "reason" | "model" | "objective_value" | "optimal">> & {
  readonly verdict: SolveVerdict;
};

/** Parses the report of a program's process. Raises `engine_failed`. */
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

/** An `unknown` of Z3; a limit set by the program counts as a limit, too. */
function unknownFor(reason: string): Undecided {
  if (reason === "memory limit") return limitReached("memory");
  return undecided(reason === "timeout" ? "interrupted" : "incomplete", reason);
}
