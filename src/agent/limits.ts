/** Bounds of one question to the agent, each with its reason. */
export const agent_limits = {
  /** A problem text of this length is 25,000 tokens, and is sent with every step. */
  question_chars_max: 100_000,
  /** Enough for a model of twenty items with some corrections; a model that needs more has lost its way. */
  steps_default: 30,
  steps_max: 500,
  /** Three times what the largest shipped problem costs with a guide in each step. */
  tokens_default: 400_000,
  tokens_max: 100_000_000,
  timeout_s_default: 600,
  timeout_s_max: 86_400,
  /** How often a reviewer's objection goes back to the agent. */
  reviews_default: 2,
  reviews_max: 5,
  /** The reviewer needs a few solves, not a search of its own. */
  review_steps_max: 12,
  /** One for the text of the checker, one for its correction, one for a refused form. */
  checker_steps_max: 3,
  /** Violations that a model is shown. */
  violations_max: 20,
  /** The values of an answer as an example of their form. */
  example_chars_max: 6_000,
  /** Of the time that is left when the review begins: a reviewer that never answers must not end the whole question. */
  review_share: 0.5,
  route_steps_max: 3,
  /** Output of one step: an item or a whole model, with the thoughts before it. */
  output_tokens_max: 16_384,
  /** A provider's answer in bytes: many times what the tokens of a step can be. */
  answer_bytes_max: 16_000_000,
  /** The least output for which a step is worth its prompt. */
  output_tokens_min: 256,
  /** Attempts again after 429 and 5xx; the SDK waits 2 and 4 s between them. */
  retries_max: 2,
  /** Corrections of one item in a row, or steps in a row without a usable call, before the attempt counts as failed. */
  repairs_max: 4,
  /** The same call this often in a row is a loop. */
  repeats_max: 3,
  /** Answers that no tool call bears out before the attempt ends. */
  refusals_max: 3,
  /** Steps in a row without any tool call. */
  idle_max: 2,
  /** A tool's text as the model sees it. */
  observation_chars_max: 20_000,
  /** Texts that a model writes into its answer. */
  words_chars_max: 20_000,
  list_max: 200,
  /** The model in the answer; longer ones are in the files of --save. */
  model_chars_max: 60_000,
  /** Opening a connection to a server: it may be a process that starts. */
  connect_ms_max: 60_000,
  /** What a server says when it does not take a file. */
  refusal_chars_max: 400,
  /** Closing one. */
  close_ms_max: 2_000,
  /** A token is about this many characters, if no provider has counted. */
  chars_per_token: 3,
  /** A checker of a problem searches small spaces by brute force. */
  checker_ms_max: 60_000,
} as const;
