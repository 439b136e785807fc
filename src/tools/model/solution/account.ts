import * as z from "zod/v4";
import { Price, Term } from "../../../kernel/evidence.ts";
import { fitTexts } from "../../../kernel/text/fit.ts";
import { visibleName } from "../../../kernel/text/visible.ts";
import type { Outcome } from "../language.ts";
import { model_limits } from "../limits.ts";

/** Answer fields with information about the model, in addition to its verdict. */
export const account_output = {
  objective_terms: z.array(Term).optional().describe("What the summands of the objective cost. They add up to it."),
  shadow_prices: z
    .array(Price)
    .optional()
    .describe("How a bound larger by one changes the optimum: a gain is at most this, and a loss at least this."),
  findings: z
    .array(z.string())
    .optional()
    .describe("All that looks wrong in the model, if warnings has not all of it."),
};

export type Account = z.output<z.ZodObject<typeof account_output>>;

/**
 * Fills the account fields. Includes the terms only if they add up to the displayed objective, and only findings that
 * are not already warnings.
 */
export function accountFields(
  { verdict, objective_terms = [], shadow_prices = [], findings = [] }: Outcome,
  chars_max: number,
): Account {
  const best = verdict.kind === "sat" ? verdict.best?.value : undefined;
  // If an objective has several levels, all levels are added up, as are the terms.
  const objective = Array.isArray(best) ? sumOf(best) : best;
  const total = sumOf(objective_terms.map(({ cost }) => cost));
  const adds_up = typeof objective === "number" && Math.abs(total - objective) <= rounding * Math.abs(objective);
  return {
    ...(objective_terms.length > 0 && adds_up && { objective_terms: [...objective_terms] }),
    ...(shadow_prices.length > 0 && { shadow_prices: [...shadow_prices] }),
    ...(findings.length > model_limits.findings_shown_max && { findings: fitTexts(findings, chars_max) }),
  };
}

function sumOf(values: readonly unknown[]): number {
  return values.reduce<number>((sum, each) => sum + Number(each), 0);
}

/** The maximum relative difference between sums of doubles; a missing term makes a larger difference. */
const rounding = 1e-9;

/** Returns the first findings, as warnings. */
export function findingWarnings({ findings = [] }: Outcome): readonly string[] {
  return findings.slice(0, model_limits.findings_shown_max);
}

/** Returns the largest non-zero terms, with the remaining ones combined into one; empty if a term is not a number. */
export function largestTerms(terms: readonly Term[]): Term[] {
  if (!terms.every(({ cost }) => Number.isFinite(cost))) return [];
  const all = terms.filter(({ cost }) => cost !== 0);
  const sorted = all.toSorted((a, b) => Math.abs(Number(b.cost)) - Math.abs(Number(a.cost)));
  const rest = sorted.slice(terms_max);
  const cost = sumOf(rest.map((each) => each.cost));
  return [...sorted.slice(0, terms_max), ...(rest.length > 0 ? [{ term: `${rest.length} more`, cost }] : [])];
}

/** The maximum number of terms, the same as in `evidence/account/terms.py`. */
const terms_max = 10;

/** Formats the composition of the objective, and the shadow prices of bounds, as lines of text. */
export function accountLines({ objective_terms: terms = [], shadow_prices: prices = [] }: Account): string[] {
  const lines = terms.map(({ term, weight, value, cost }) => {
    const product = weight === undefined ? "" : ` (${JSON.stringify(value)} times ${JSON.stringify(weight)})`;
    return `- ${JSON.stringify(cost)}: ${visibleName(term)}${product}`;
  });
  const worth = prices.map(({ bound, price, item, line }) => {
    const place = item === undefined ? "" : ` (item ${item}, line ${line})`;
    return `- ${JSON.stringify(price)}: ${visibleName(bound)}${place}`;
  });
  return [
    ...(lines.length > 0 ? ["the objective is the sum of:", ...lines] : []),
    ...(worth.length > 0
      ? ["effect on the optimum of increasing a bound by one (a gain is at most this, a loss at least this):", ...worth]
      : []),
  ];
}
