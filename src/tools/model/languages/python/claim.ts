import * as z from "zod/v4";
import { readResult } from "../../../../engines/python/talk.ts";
import { named_values } from "../../../../kernel/named.ts";
import { limitReached, type Undecided, undecided } from "../../../../kernel/verdict.ts";
import { type Conflict, type Found, type Impossible, ItemLine, type SolveVerdict } from "../../language.ts";

/** The answer of a language module of the runner; see `language.py` in the folder of each language. */
const Result = z.object({
  status: z.enum(["sat", "unsat", "unknown", "timeout"]),
  reason: z.string().default("the program's process gave no reason"),
  model: named_values.nullable(),
  objective_value: z.unknown(),
  optimal: z.boolean().nullable(),
  /** Why the values, or other data of the answer, might belong to another problem: a sentence. */
  unconfirmed: z.string().optional(),
  /** Why the engine's word alone is not enough for an optimum or an unsat: a sentence. */
  distrusted: z.string().optional(),
  objective_bound: z.number().optional(),
  /** All solutions that were asked for. */
  solutions: z.array(named_values).optional(),
  /** How many solutions the program's own search found: each was excluded, until nothing was left. */
  found: z.int().optional(),
  /** The engine that answered, if the language has several. */
  engine: z.string().optional(),
  /** Values that the program computed itself. */
  unchecked: z.array(z.string()).default([]),
  statistics: z.record(z.string(), z.unknown()),
  /** The condition under which an unsat holds, besides the model itself. */
  under: z.string().optional(),
  unsat_core: z.array(z.string()).optional(),
  unsat_items: z.array(ItemLine).optional(),
  warnings: z.array(z.string()),
  /** The problem, for a process that never ran the program. */
  evidence: z.unknown(),
  /** The problem that ended the program's own search, which has no solution. */
  end: z.unknown().optional(),
  /** What can be left out of it, if the call asks why. */
  why_question: z.unknown().optional(),
  /** The lines and the names of the problem: `Shown` in `evidence/shown.py`. */
  account: z.unknown().optional(),
  /** The problem of a question about all solutions. */
  space: z.unknown().optional(),
});
type Result = z.output<typeof Result>;

/** A verdict as the program's process reports it, with what is needed to confirm it. */
export type Claim = Readonly<Omit<Result, "status" | "reason" | "model" | "objective_value" | "optimal">> & {
  readonly verdict: SolveVerdict;
};

/** Reads the report of a program's process. Raises `engine_failed`. */
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

/** An `unknown` of Z3: a limit that the program set counts as a limit, too. */
function unknownFor(reason: string): Undecided {
  if (reason === "memory limit") return limitReached("memory");
  return undecided(reason === "timeout" ? "interrupted" : "incomplete", reason);
}
