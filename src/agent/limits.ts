/** Bounds on one question to the agent, with their reasons. */
export const agent_limits = {
  /** A problem of this length is about 25,000 tokens, which are sent with every step. */
  question_chars_max: 100_000,
  /** Enough for a model of twenty items with some corrections; a run that needs more is not converging. */
  steps_default: 30,
  steps_max: 500,
  /** Three times the cost of the largest example problem, with a guide in each step. */
  tokens_default: 400_000,
  tokens_max: 100_000_000,
  timeout_s_default: 600,
  timeout_s_max: 86_400,
  /** The number of times a reviewer's objection is returned to the agent. */
  reviews_default: 2,
  reviews_max: 5,
  /** The reviewer needs a few solves, not its own search. */
  review_steps_max: 12,
  /** One to write the checker, one to correct it, one for a rejected form. */
  checker_steps_max: 3,
  /** Violations shown to a language model. */
  violations_max: 20,
  /** Length of the answer's values when they are shown as an example of their form. */
  example_chars_max: 6_000,
  /**
   * Share of the time remaining at the start of the review, so that a reviewer that never answers can't use up the
   * whole time.
   */
  review_share: 0.5,
  route_steps_max: 3,
  /** Output of one step: an item or a whole model, including the reasoning before it. */
  output_tokens_max: 16_384,
  /** A provider's answer in bytes: many times the size of a step's tokens. */
  answer_bytes_max: 16_000_000,
  /** The smallest output for which a step is worth its prompt. */
  output_tokens_min: 256,
  /** Retries after 429 and 5xx; the SDK waits 2 s and then 4 s. */
  retries_max: 2,
  /**
   * Consecutive corrections of one item, or consecutive steps without a usable call, before the attempt counts as
   * failed.
   */
  repairs_max: 4,
  /** The same call this many times in a row is a loop. */
  repeats_max: 3,
  /** Answers not supported by any tool call before the attempt ends. */
  refusals_max: 3,
  /** Consecutive steps without any tool call. */
  idle_max: 2,
  /** Length of a tool's text as shown to the model. */
  observation_chars_max: 20_000,
  /** Length of the text that a model writes into its answer. */
  words_chars_max: 20_000,
  list_max: 200,
  /** Length of the model in the answer; longer ones are only in the files of `--save`. */
  model_chars_max: 60_000,
  /** Time to connect to a server, which may have to start a process. */
  connect_ms_max: 60_000,
  /** Length of a server's message when it rejects a file. */
  refusal_chars_max: 400,
  /** Time to close a connection. */
  close_ms_max: 2_000,
  /** Characters per token, used if no provider reported a count. */
  chars_per_token: 3,
  /** Time for a problem's checker, which searches small spaces by brute force. */
  checker_ms_max: 60_000,
} as const;
