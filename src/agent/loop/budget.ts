import type { LanguageModelUsage } from "ai";
import * as z from "zod/v4";
import { agent_limits } from "../limits.ts";

/** The roles that spend tokens. */
export type Role = "router" | "agent" | "checker" | "reviewer";

export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}

const none: Tokens = { input: 0, output: 0, cached: 0 };

/** The price, which some providers report in addition to tokens. */
const Priced = z.object({ cost: z.number().nonnegative() });

/** Counts tokens by role against one limit that all roles share. */
export class Budget {
  readonly tokens_max: number;
  readonly #spent = new Map<Role, Tokens>();
  #price: number | undefined;
  #is_estimated = false;

  constructor(tokens_max: number) {
    this.tokens_max = tokens_max;
  }

  get left(): number {
    const spent = [...this.#spent.values()].reduce((sum, { input, output }) => sum + input + output, 0);
    return this.tokens_max - spent;
  }

  /** Whether a provider reported no counts, so that some numbers are estimated from text lengths. */
  get is_estimated(): boolean {
    return this.#is_estimated;
  }

  /** The price reported by the provider; undefined if it reported none. */
  get price(): number | undefined {
    return this.#price;
  }

  spentBy(role: Role): Tokens {
    return this.#spent.get(role) ?? none;
  }

  /** Adds a step. If the provider reports no numbers, the estimates count, so that the budget still runs out. */
  add(role: Role, usage: LanguageModelUsage, estimate: { readonly input: number; readonly output: number }): void {
    const { input, output, cached } = this.spentBy(role);
    if (usage.inputTokens === undefined || usage.outputTokens === undefined) this.#is_estimated = true;
    const cost = Priced.safeParse(usage.raw).data?.cost;
    if (cost !== undefined) this.#price = (this.#price ?? 0) + cost;
    this.#spent.set(role, {
      input: input + (usage.inputTokens ?? estimate.input),
      output: output + (usage.outputTokens ?? estimate.output),
      cached: cached + (usage.inputTokenDetails?.cacheReadTokens ?? 0),
    });
  }
}

/** The approximate number of tokens in a text. */
export function estimatedTokens(text: string): number {
  return Math.ceil(text.length / agent_limits.chars_per_token);
}
