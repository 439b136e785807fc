import * as z from "zod/v4";
import { named_values } from "./named.ts";

/** Values by name that satisfy all constraints. The objective is null if the problem has none. */
const Solution = z.object({ values: named_values, objective: z.unknown() });

/** A proof that clauses have no solution, or the reason why there is no proof. */
export const Proof = z.union([z.object({ by: z.string(), drat: z.string() }), z.object({ open: z.string() })]);
export type Proof = z.output<typeof Proof>;

/** The cost of one term of the objective. The last entry can stand for several terms and then has no weight. */
export const Term = z.object({
  term: z.string(),
  weight: z.unknown().optional(),
  value: z.unknown().optional(),
  cost: z.unknown(),
});
export type Term = Readonly<z.output<typeof Term>>;

/** A shadow price: how much one more unit of a bound changes the optimum of a model over the reals at most. */
export const Price = z.object({
  bound: z.string(),
  price: z.unknown(),
  item: z.int().optional(),
  line: z.int().optional(),
});
export type Price = Readonly<z.output<typeof Price>>;

/** What is reported about a problem besides the verdict. `evidence/account/` on the Python side produces it. */
const Account = z.object({
  terms: z.array(Term).default([]),
  findings: z.array(z.string()).default([]),
  prices: z.array(Price).optional(),
  /** The traceback, if producing the account failed. */
  log: z.string().optional(),
});

const of_a_problem = z.object({
  verdict: z.enum(["confirmed", "refuted", "open"]),
  /** Why the claim is refuted or open. For a confirmed claim, why no other engine confirmed it. */
  reason: z.string().optional(),
  /** The engines that confirm or contradict the claim. If the list is empty, the first engine checked it once more. */
  by: z.array(z.string()).default([]),
  /** How long a second engine worked on the claim. */
  seconds: z.number().optional(),
  /** A solution that contradicts the claim. */
  solution: Solution.optional(),
  /** An SMT-LIB script, for an engine outside Python, that is unsatisfiable if the claim is right. */
  asked: z.string().optional(),
  proof: Proof.optional(),
});

/**
 * The result of checking a claim about a problem in a process that has never run a user's program: `Finding` in
 * `python/verdict_runner/evidence/`. `optimum` is the result for a further claim: that the values are optimal, or that
 * no others exist.
 */
export const Finding = of_a_problem.extend({ optimum: of_a_problem.optional(), account: Account.optional() });
export type Finding = z.output<typeof Finding>;
/** The result of checking a single claim. */
export type Found = z.output<typeof of_a_problem>;

/** Returns a finding that confirms the claim. */
export function confirmed(by: readonly string[]): Finding {
  return { verdict: "confirmed", by: [...by] };
}

/** Returns a finding that leaves the claim open. */
export function open(reason: string): Finding {
  return { verdict: "open", reason, by: [] };
}

/** Returns a finding that refutes the claim. */
export function refuted(reason: string): Finding {
  return { verdict: "refuted", reason, by: [] };
}
