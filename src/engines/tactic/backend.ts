import type { Deadline } from "../../kernel/deadline.ts";
import type { Prompt } from "./prompt.ts";

/** The properties of a model, for answers and for the key of the cache. */
export interface ModelInfo {
  readonly name: string;
  readonly backend: "llama.cpp" | "openai" | "ollama";
  readonly size_bytes: number | null;
  readonly quantisation: string | null;
  /** Another file under the same name has another one. */
  readonly fingerprint: string;
  readonly context_tokens: number | null;
  /** Whether scores are the model's own probabilities, reported by another program, or not available. */
  readonly scores: "exact" | "reported" | "none";
}

/** The log-probability of a tactic with its end, given the state. */
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
  /** The first sample's seed; each further one has the next number. */
  readonly seed: number;
  /** Whether the first sample takes the likeliest token each time. */
  readonly greedy_first: boolean;
  /** Whether a line end ends a tactic. */
  readonly single_line: boolean;
}

export interface Sample {
  readonly text: string;
  /** False when the limit of tokens ended it. */
  readonly finished: boolean;
  /** As the backend reported it while sampling, if it did. */
  readonly score: Score | null;
}

export interface Samples {
  readonly samples: readonly Sample[];
  /** Whether time ran out before all of them were done. */
  readonly expired: boolean;
}

/** A model that generates tactics. It handles one request at a time; the queue is in front of it. */
export interface Backend {
  readonly model: ModelInfo;
  /** Raises `cancelled`, `invalid_input` when prompt and tokens don't fit the context, `engine_failed`. */
  sample(order: SampleOrder, deadline: Deadline): Promise<Samples>;
  /**
   * Scores texts that follow the prompt, each by itself; "expired" if time ran out, null if the backend can't. Raises
   * as `sample` does.
   */
  score(prompt: Prompt, texts: readonly string[], deadline: Deadline): Promise<readonly Score[] | "expired" | null>;
  close(): Promise<void>;
}
