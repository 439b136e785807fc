import * as z from "zod/v4";
import { named_values } from "./named.ts";

/** Values by name that satisfy all constraints; the objective is null where there is none. */
const Solution = z.object({ values: named_values, objective: z.unknown() });

/** A proof that clauses have no solution, or why there is none. */
export const Proof = z.union([z.object({ by: z.string(), drat: z.string() }), z.object({ open: z.string() })]);
export type Proof = z.output<typeof Proof>;

/** The cost of one summand of the objective; the last one can represent several, without a weight. */
export const Term = z.object({
  term: z.string(),
  weight: z.unknown().optional(),
  value: z.unknown().optional(),
  cost: z.unknown(),
});
export type Term = Readonly<z.output<typeof Term>>;

/** By how much a unit more of a bound changes the optimum of a model over reals at best. */
export const Price = z.object({
  bound: z.string(),
  price: z.unknown(),
  item: z.int().optional(),
  line: z.int().optional(),
});
export type Price = Readonly<z.output<typeof Price>>;

/** What is said of a problem beside the verdict: `evidence/account/` of the Python side. */
const Account = z.object({
  terms: z.array(Term).default([]),
  findings: z.array(z.string()).default([]),
  prices: z.array(Price).optional(),
  /** How making it failed. */
  log: z.string().optional(),
});

const of_a_problem = z.object({
  verdict: z.enum(["confirmed", "refuted", "open"]),
  /** Why it is refuted or open; of a confirmed one, why nobody else confirmed it. */
  reason: z.string().optional(),
  /** The engines that came to the same, or that contradict it; without one, the first engine did once more. */
  by: z.array(z.string()).default([]),
  /** How long a second engine worked on it. */
  seconds: z.number().optional(),
  /** What contradicts it. */
  solution: Solution.optional(),
  /** SMT-LIB that has no solution if the claim is right, for an engine outside of Python. */
  asked: z.string().optional(),
  proof: Proof.optional(),
});

/**
 * What a process that never ran a program finds of a claim about a problem: `Finding` in `python/verdict_runner/evidence/`.
 * `optimum` is the same of what is claimed besides the values: that they are the best ones, or all.
 */
export const Finding = of_a_problem.extend({ optimum: of_a_problem.optional(), account: Account.optional() });
export type Finding = z.output<typeof Finding>;
/** A finding about one question. */
export type Found = z.output<typeof of_a_problem>;

/** A finding without a result. */
export function open(reason: string): Finding {
  return { verdict: "open", reason, by: [] };
}
