/** Limits on one question to the agent, with the reasons for them. */
export const agent_limits = {
  /** The maximum length of a problem: about 25,000 tokens, which are sent with every step. */
  question_chars_max: 100_000,
  /**
   * The default number of steps: enough for a model of twenty items with some corrections. A run that needs more is not
   * converging.
   */
  steps_default: 30,
  steps_max: 500,
  /** The default token limit: three times what the largest example problem needs, with a guide in each step. */
  tokens_default: 400_000,
  tokens_max: 100_000_000,
  timeout_s_default: 600,
  timeout_s_max: 86_400,
  /** The default number of times that a reviewer's objection is returned to the agent. */
  reviews_default: 2,
  reviews_max: 5,
  /** The maximum number of steps in a review: the reviewer only needs to solve a few models, not to search. */
  review_steps_max: 12,
  /**
   * The maximum number of steps for a checker: one to write it, one to correct it, and one for an answer rejected
   * because of its form.
   */
  checker_steps_max: 3,
  /** The maximum number of violations shown to a language model. */
  violations_max: 20,
  /** The maximum length of the answer's values when they are shown as an example of their form. */
  example_chars_max: 6_000,
  /**
   * The share of the remaining time that a review may use, so that a reviewer that never answers can't use up all of
   * it.
   */
  review_share: 0.5,
  route_steps_max: 3,
  /** The maximum output of one step: an item or a whole model, including the reasoning before it. */
  output_tokens_max: 16_384,
  /** The maximum size of a provider's answer in bytes: many times the size of a step's tokens. */
  answer_bytes_max: 16_000_000,
  /** The minimum number of output tokens that must be left in the budget for another step to be worth its prompt. */
  output_tokens_min: 256,
  /** The maximum number of retries after the HTTP statuses 429 and 5xx; the SDK waits 2 s and then 4 s. */
  retries_max: 2,
  /**
   * The maximum number of consecutive corrections of one item, or of consecutive steps without a usable call, before
   * the attempt counts as failed.
   */
  repairs_max: 4,
  /** The number of identical calls in a row that counts as a loop. */
  repeats_max: 3,
  /** The number of answers without support from a tool call after which the attempt ends. */
  refusals_max: 3,
  /** The number of consecutive steps without a tool call after which the attempt ends. */
  idle_max: 2,
  /** The maximum length of a tool's text as shown to the model. */
  observation_chars_max: 20_000,
  /** The maximum length of the text that a model writes into its answer. */
  words_chars_max: 20_000,
  list_max: 200,
  /** The maximum length of the model in the answer; a longer model is only in the files written by `--save`. */
  model_chars_max: 60_000,
  /** The maximum time to connect to a server, which may include starting a process. */
  connect_ms_max: 60_000,
  /** The maximum length of a server's message when it rejects a file. */
  refusal_chars_max: 400,
  /** The maximum time to close a connection. */
  close_ms_max: 2_000,
  /** The assumed number of characters per token if no provider reported a count. */
  chars_per_token: 3,
  /** The maximum time for a problem's checker, which searches small spaces by brute force. */
  checker_ms_max: 60_000,
} as const;
