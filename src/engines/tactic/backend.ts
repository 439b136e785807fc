import type { Deadline } from "../../kernel/deadline.ts";
import type { Prompt } from "./prompt.ts";
import type { ModelInfo } from "./protocol.ts";

/** The log-probability of a tactic, including its end token, given the state. */
export interface Score {
  readonly logprob: number;
  readonly tokens: number;
}

/** How to sample from a model. */
export interface SampleOrder {
  readonly prompt: Prompt;
  readonly count: number;
  readonly temperature: number;
  readonly tokens_max: number;
  /** The seed of the first sample; each further sample uses the next number. */
  readonly seed: number;
  /** Whether the first sample always takes the most likely token. */
  readonly greedy_first: boolean;
  /** Whether a tactic ends at the end of the line. */
  readonly single_line: boolean;
}

export interface Sample {
  readonly text: string;
  /** False if the sample ended because of the token limit. */
  readonly finished: boolean;
  /** The score that the backend reported while sampling, if any. */
  readonly score: Score | null;
}

export interface Samples {
  readonly samples: readonly Sample[];
  /** Whether time ran out before all samples were complete. */
  readonly expired: boolean;
}

/** A model that generates tactics. It handles one request at a time, so callers must queue their requests. */
export interface Backend {
  readonly model: ModelInfo;
  /**
   * Raises `cancelled`, `engine_failed`, and `invalid_input` if the prompt and the tokens don't fit into the context.
   */
  sample(order: SampleOrder, deadline: Deadline): Promise<Samples>;
  /**
   * Scores each text separately as a continuation of the prompt. Returns "expired" if time ran out, and null if the
   * backend can't score texts. Raises the same faults as `sample`.
   */
  score(prompt: Prompt, texts: readonly string[], deadline: Deadline): Promise<readonly Score[] | "expired" | null>;
  close(): Promise<void>;
}
