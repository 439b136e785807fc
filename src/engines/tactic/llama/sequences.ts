import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Deadline } from "../../../kernel/deadline.ts";
import { cancelled } from "../../../kernel/fault.ts";
import { engine_limits } from "../../limits.ts";
import type { Score } from "../backend.ts";
import type { Model, Probe, Sequence, Token } from "./api.ts";

/** A deadline that is checked between steps. */
export class Clock {
  readonly #deadline: Deadline;

  constructor(deadline: Deadline) {
    this.#deadline = deadline;
  }

  /** Whether the time has run out. Raises `cancelled`. */
  get over(): boolean {
    if (this.#deadline.signal.aborted) throw cancelled();
    return this.#deadline.is_over;
  }
}

export interface Drawing {
  readonly temperature: number;
  readonly seed: number;
  readonly tokens_max: number;
  readonly single_line: boolean;
}

export interface Drawn {
  readonly text: string;
  readonly finished: boolean;
}

/**
 * Chooses how many tokens are read at once. A cancellation is noticed only between two pieces, so a piece is as large
 * as the machine can read in a moment, according to measurements of previous pieces.
 */
export class Pace {
  #tokens: number = engine_limits.tactic_piece_tokens_first;

  get tokens(): number {
    return this.#tokens;
  }

  note(tokens: number, ms: number): void {
    const { tactic_piece_ms, tactic_piece_tokens_min, tactic_piece_tokens_max } = engine_limits;
    const fitting = Math.floor((tokens * tactic_piece_ms) / Math.max(ms, 0.01));
    this.#tokens = Math.min(tactic_piece_tokens_max, Math.max(tactic_piece_tokens_min, fitting));
  }
}

/**
 * Reads tokens into a sequence in pieces; keeps a common beginning that the sequence has already read. The last piece
 * can be left to the following evaluation, which saves a step. Returns the number of tokens read; undefined if time ran
 * out.
 */
export async function prefill(
  sequence: Sequence,
  tokens: readonly Token[],
  { clock, pace }: Timing,
  leaves: "nothing" | "a piece" = "nothing",
): Promise<number | undefined> {
  await sequence.adaptStateToTokens(tokens, false);
  let read = sequence.nextTokenIndex;
  while (tokens.length - read > (leaves === "nothing" ? 0 : pace.tokens)) {
    if (clock.over) return undefined;
    const piece = tokens.slice(read, read + pace.tokens);
    const start = performance.now();
    await sequence.evaluateWithoutGeneratingNewTokens(piece);
    pace.note(piece.length, performance.now() - start);
    read += piece.length;
  }
  return read;
}

export interface Timing {
  readonly clock: Clock;
  readonly pace: Pace;
}

/**
 * Copies one sequence's state to others through a private temporary file: sequences share nothing, and copying takes
 * only a small part of the time needed to read the prompt again.
 */
export async function copyState(from: Sequence, to: readonly Sequence[], directory: string): Promise<void> {
  if (to.length === 0) return;
  const place = await mkdtemp(join(directory, "verdict-state-"));
  const file = join(place, "state");
  try {
    await from.saveStateToFile(file);
    for (const sequence of to) await sequence.loadStateFromFile(file, { acceptRisk: true });
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** Samples one text after the prompt; undefined if time ran out before the text was complete. Raises `cancelled`. */
export async function draw(
  model: Model,
  sequence: Sequence,
  prompt: readonly Token[],
  drawing: Drawing,
  timing: Timing,
): Promise<Drawn | undefined> {
  const drawn: Token[] = [];
  const text = () => model.detokenize(drawn);
  const read = await prefill(sequence, prompt.slice(0, -1), timing, "a piece");
  if (read === undefined) return undefined;
  const { temperature, seed, tokens_max, single_line } = drawing;
  const options = {
    temperature,
    seed,
    topK: engine_limits.tactic_top_k,
    topP: 1,
    minP: 0,
    yieldEogToken: true,
  } as const;
  for await (const { token } of sequence.evaluateWithMetadata(prompt.slice(read), {}, options)) {
    if (model.isEogToken(token)) return { text: text(), finished: true };
    drawn.push(token);
    // A single token can be part of a character, so newlines are visible only in the whole text.
    if (single_line && /\S[^\n]*\n/.test(text()))
      return { text: text().trimStart().split("\n")[0] ?? "", finished: true };
    if (drawn.length >= tokens_max) return { text: text(), finished: false };
    if (timing.clock.over) return undefined;
  }
  return { text: text(), finished: false };
}

/**
 * Computes, in one pass, the exact log-probability of the part of `full` that follows its common beginning with the
 * prompt. At temperature 0, the selected token is the most likely one, and the weights are relative to it. Undefined if
 * time ran out. Raises `cancelled`.
 */
export async function score(
  sequence: Sequence,
  prompt: readonly Token[],
  full: readonly Token[],
  timing: Timing,
): Promise<Score | undefined> {
  let first = 0;
  // Where prompt and text meet, the joined text can be split into different tokens than the prompt alone.
  while (first < prompt.length && prompt[first] === full[first]) first++;
  const from = Math.max(1, Math.min(first, full.length - 1));
  const read = await prefill(sequence, full.slice(0, from - 1), timing, "a piece");
  if (read === undefined || timing.clock.over) return undefined;
  const scored = full.slice(from);
  const before = full.slice(read, from - 1);
  const probes = full.slice(from - 1, -1).map((token, i) => probe(token, scored[i]));
  const answers = await sequence.controlledEvaluate([...before, ...probes]);
  const probe_answers = answers.slice(before.length);
  const logprob = scored.reduce((sum, token, i) => sum + logProbability(token, probe_answers[i]?.next), 0);
  return { logprob, tokens: scored.length };
}

function probe(token: Token, next: Token | undefined): Probe {
  if (next === undefined) return token;
  const filter = { tokens: [next], includeSelected: true } as const;
  return [token, { generateNext: { totalLogitWeight: true, options: { temperature: 0 }, logits: { filter } } }];
}

interface Distribution {
  readonly logits?: ReadonlyMap<Token, number>;
  readonly totalLogitWeight?: number;
}

function logProbability(token: Token, next: Distribution | undefined): number {
  const logit = next?.logits?.get(token);
  const total = next?.totalLogitWeight;
  if (!next?.logits || logit === undefined || total === undefined) throw new Error("llama.cpp gave no logits");
  return logit - Math.max(...next.logits.values()) - Math.log(total);
}
