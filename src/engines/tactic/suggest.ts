import type { Deadline } from "../../kernel/deadline.ts";
import { engine_limits } from "../limits.ts";
import type { Backend, Sample, Score } from "./backend.ts";
import { continued, type Prompt } from "./prompt.ts";
import type { GenerateParams, Suggestion } from "./protocol.ts";
import { type DropReason, dropReason, tidyTactic } from "./sieve.ts";

/** Suggested tactics for one state, the best first. */
export interface Suggested {
  readonly suggestions: readonly Suggestion[];
  readonly dropped: Readonly<Partial<Record<DropReason, number>>>;
  /** Whether time ran out before the search was complete; the suggestions found so far are still valid. */
  readonly timed_out: boolean;
}

type Wanted = Pick<
  GenerateParams,
  "num_suggestions" | "temperature" | "max_tokens" | "prefix" | "seed" | "single_line"
>;

/** How often a text was sampled, and the score that the backend reported for it. */
interface Heard {
  count: number;
  readonly score: Score | null;
}

/**
 * Draws samples until there are enough different tactics, or no new ones are expected. Discards tactics that are not
 * worth trying, and ranks the rest by the model's own probabilities. Raises the same faults as the backend.
 */
export async function suggest(
  backend: Backend,
  prompt: Prompt,
  wanted: Wanted,
  deadline: Deadline,
): Promise<Suggested> {
  // Some of the time is reserved for scoring, so that everything that was sampled is also ranked.
  const drawing_ends = deadline.earlierBy(deadline.left_ms * engine_limits.tactic_score_share);
  const heard = new Map<string, Heard>();
  const dropped: Partial<Record<DropReason, number>> = {};
  let timed_out = false;
  for (let round = 0, drawn = 0; round <= engine_limits.tactic_more_rounds_max; round++) {
    const missing = wanted.num_suggestions - heard.size;
    // Later rounds replace samples that earlier rounds lost to repetition and filters.
    const count = round === 0 ? wanted.num_suggestions : missing;
    if (count <= 0 || timed_out || (round > 0 && wanted.temperature === 0)) break;
    const order = orderOf(prompt, wanted, { round, drawn, count });
    const { samples, expired } = await backend.sample(order, drawing_ends);
    drawn += count;
    timed_out = expired;
    for (const sample of samples) sift(sample, wanted.prefix, heard, dropped);
  }
  const tactics = [...heard.keys()].slice(0, wanted.num_suggestions);
  const scores = await scored(backend, prompt, tactics, heard, deadline);
  if (scores.expired) timed_out = true;
  const suggestions = tactics.map((tactic, i) => suggestion(tactic, heard.get(tactic)?.count ?? 1, scores.list[i]));
  return { suggestions: suggestions.sort(better), dropped, timed_out };
}

function orderOf(prompt: Prompt, wanted: Wanted, { round, drawn, count }: Record<"round" | "drawn" | "count", number>) {
  return {
    prompt: continued(prompt, wanted.prefix),
    count,
    temperature: wanted.temperature,
    tokens_max: wanted.max_tokens,
    seed: wanted.seed + drawn,
    greedy_first: round === 0,
    single_line: wanted.single_line,
  };
}

function sift(sample: Sample, prefix: string, heard: Map<string, Heard>, dropped: Partial<Record<DropReason, number>>) {
  const tactic = tidyTactic(prefix + sample.text);
  const reason = sample.finished ? dropReason(tactic) : "cut";
  if (reason !== undefined) {
    dropped[reason] = (dropped[reason] ?? 0) + 1;
    return;
  }
  const before = heard.get(tactic);
  if (before) before.count++;
  else heard.set(tactic, { count: 1, score: sample.score });
}

/** Returns exact scores if the backend provides them, and otherwise the scores that it reported while sampling. */
async function scored(
  backend: Backend,
  prompt: Prompt,
  tactics: readonly string[],
  heard: ReadonlyMap<string, Heard>,
  deadline: Deadline,
): Promise<{ readonly list: readonly (Score | null | undefined)[]; readonly expired: boolean }> {
  const reported = tactics.map((tactic) => heard.get(tactic)?.score);
  if (backend.model.scores !== "exact" || tactics.length === 0) return { list: reported, expired: false };
  const exact = await backend.score(prompt, tactics, deadline);
  return exact === "expired" || exact === null ? { list: reported, expired: true } : { list: exact, expired: false };
}

function suggestion(tactic: string, count: number, score: Score | null | undefined): Suggestion {
  if (!score) return { tactic, mean_logprob: null, logprob: null, tokens: null, count };
  const { logprob, tokens } = score;
  return { tactic, mean_logprob: rounded(logprob / tokens), logprob: rounded(logprob), tokens, count };
}

/** Rounds to six decimal places, which is more than a model's arithmetic provides. */
export function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/**
 * Sorts by score, from likely to unlikely, with unknown scores last; equal scores are sorted by the number of samples.
 */
function better(a: Suggestion, b: Suggestion): number {
  const [x, y] = [a.mean_logprob ?? Number.NEGATIVE_INFINITY, b.mean_logprob ?? Number.NEGATIVE_INFINITY];
  return x === y ? b.count - a.count : y - x;
}
