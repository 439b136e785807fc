import type { Deadline } from "../../kernel/deadline.ts";
import { engine_limits } from "../limits.ts";
import type { Backend, Sample, Score } from "./backend.ts";
import { continued, type Prompt } from "./prompt.ts";
import type { GenerateParams, Suggestion } from "./protocol.ts";
import { type DropReason, dropReason, tidyTactic } from "./sieve.ts";

/** Tactics for one state, the best first. */
export interface Suggested {
  readonly suggestions: readonly Suggestion[];
  readonly dropped: Readonly<Partial<Record<DropReason, number>>>;
  /** Whether time ended the search for more; what is there counts. */
  readonly timed_out: boolean;
}

type Wanted = Pick<
  GenerateParams,
  "num_suggestions" | "temperature" | "max_tokens" | "prefix" | "seed" | "single_line"
>;

/** A text that came up, how often, and the score that its backend reported. */
interface Heard {
  count: number;
  readonly score: Score | null;
}

/**
 * Draws samples until there are as many different tactics as are wanted, or no more come; throws out what is
 * not worth trying, and ranks the rest by the model's own probabilities. Raises what the backend raises.
 */
export async function suggest(
  backend: Backend,
  prompt: Prompt,
  wanted: Wanted,
  deadline: Deadline,
): Promise<Suggested> {
  // A part of the time is kept for the scores: what was drawn by the deadline is ranked, too.
  const drawing_ends = deadline.earlierBy(deadline.left_ms * engine_limits.tactic_score_share);
  const heard = new Map<string, Heard>();
  const dropped: Partial<Record<DropReason, number>> = {};
  let timed_out = false;
  for (let round = 0, drawn = 0; round <= engine_limits.tactic_more_rounds_max; round++) {
    const missing = wanted.num_suggestions - heard.size;
    // Later rounds draw what the ones before lost to repetition and to the sieve.
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

/** Exact scores where the backend has them; else what it reported while sampling. */
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

/** Six digits are more than the arithmetic of a model holds. */
export function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** Known scores first, the likelier before the others; else what more samples said. */
function better(a: Suggestion, b: Suggestion): number {
  const [x, y] = [a.mean_logprob ?? Number.NEGATIVE_INFINITY, b.mean_logprob ?? Number.NEGATIVE_INFINITY];
  return x === y ? b.count - a.count : y - x;
}
