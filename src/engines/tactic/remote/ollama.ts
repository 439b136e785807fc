import * as z from "zod/v4";
import type { Deadline } from "../../../kernel/deadline.ts";
import { engine_limits } from "../../limits.ts";
import type { Backend, Sample, SampleOrder, Samples } from "../backend.ts";
import { asText } from "../prompt.ts";
import type { ModelInfo } from "../protocol.ts";
import { failed, post, type Remote, type Server, several, tooLong } from "./http.ts";
import { remoteModel } from "./model.ts";

const Generated = z.looseObject({
  response: z.string(),
  done_reason: z.string().nullish(),
  prompt_eval_count: z.number().nullish(),
  logprobs: z.array(z.looseObject({ logprob: z.number() })).nullish(),
});

/** Suggestions for the user if Ollama fails. */
export function ollamaSteps(name: string): string[] {
  return [
    "ask the user to run `ollama serve`, if it is not running, and to check VERDICT_LEAN_URL",
    `ask the user to run \`ollama pull ${name}\`, if Ollama does not have that model (VERDICT_LEAN_MODEL)`,
  ];
}

/** A model in Ollama, used in raw mode, since a template would change the prompt. */
export function openOllama(name: string, remote: Remote, context_tokens: number): Backend {
  return new OllamaBackend(name, remote, context_tokens);
}

class OllamaBackend implements Backend {
  readonly model: ModelInfo;
  readonly #server: Server;
  readonly #context_tokens: number;

  constructor(name: string, remote: Remote, context_tokens: number) {
    this.#server = { ...remote, steps: ollamaSteps(name) };
    this.#context_tokens = context_tokens;
    this.model = { ...remoteModel("ollama", name, remote.url), context_tokens };
  }

  /** Makes one call per sample, since the endpoint returns only one. */
  async sample(order: SampleOrder, deadline: Deadline): Promise<Samples> {
    const count = order.temperature === 0 ? 1 : order.count;
    const drawn = await several(count, (at) => this.#draw(order, at, deadline));
    const samples = drawn.filter((each) => each !== "expired");
    return { samples, expired: samples.length < count };
  }

  /** Returns null, since Ollama reports nothing about text that it did not generate. */
  async score(): Promise<null> {
    return null;
  }

  async close(): Promise<void> {}

  async #draw(order: SampleOrder, at: number, deadline: Deadline): Promise<Sample | "expired"> {
    const options = {
      temperature: at === 0 && order.greedy_first ? 0 : order.temperature,
      num_predict: order.tokens_max,
      num_ctx: this.#context_tokens,
      seed: order.seed + at,
      // A model's file may set other values, and Ollama has its own defaults.
      top_k: engine_limits.tactic_top_k,
      top_p: 1,
      min_p: 0,
      repeat_penalty: 1,
      presence_penalty: 0,
      frequency_penalty: 0,
      ...(order.single_line && { stop: ["\n"] }),
    };
    const body = {
      model: this.model.name,
      prompt: asText(order.prompt),
      raw: true,
      stream: false,
      // Without these options, a long prompt loses its beginning, either before the first token or during generation.
      truncate: false,
      shift: false,
      logprobs: true,
      options,
    };
    const answer = await post(this.#server, "/api/generate", body, deadline);
    if (answer === "expired") return answer;
    const generated = Generated.safeParse(answer);
    if (!generated.success) throw failed(this.#server, "its answer does not have the form of Ollama's /api/generate");
    const { response, done_reason, prompt_eval_count, logprobs } = generated.data;
    this.#fit(prompt_eval_count ?? 0, order.tokens_max);
    const logprob = logprobs?.reduce((sum, each) => sum + each.logprob, 0);
    const score = logprob === undefined || !logprobs?.length ? null : { logprob, tokens: logprobs.length };
    return { text: response, finished: done_reason !== "length", score };
  }

  /**
   * Versions without `truncate` silently truncate a prompt to the context; a prompt that fills the context was
   * truncated or leaves no room.
   */
  #fit(prompt_tokens: number, tokens_max: number): void {
    if (prompt_tokens + tokens_max > this.#context_tokens)
      throw tooLong(
        `the state took ${prompt_tokens} tokens, a tactic ${tokens_max}, and the context has ${this.#context_tokens}`,
      );
  }
}
