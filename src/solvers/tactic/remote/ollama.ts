import * as z from "zod/v4";
import type { Job } from "../../../kernel/child.ts";
import { limits } from "../../../kernel/limits.ts";
import type { Backend, ModelInfo, Sample, SampleOrder, Samples } from "../backend.ts";
import { asText } from "../prompt.ts";
import { post, type Remote, refused, several } from "./http.ts";
import { remoteModel } from "./model.ts";

const Generated = z.looseObject({
  response: z.string(),
  done_reason: z.string().nullish(),
  logprobs: z.array(z.looseObject({ logprob: z.number() })).nullish(),
});

/** A model behind Ollama, asked raw: with a template it would see another prompt. */
export function openOllama(name: string, remote: Remote): Backend {
  return new OllamaBackend(name, remote);
}

class OllamaBackend implements Backend {
  readonly model: ModelInfo;
  readonly #remote: Remote;

  constructor(name: string, remote: Remote) {
    this.#remote = remote;
    this.model = remoteModel("ollama", name, remote.url);
  }

  /** One call a sample: that is all the endpoint has. */
  async sample(order: SampleOrder, job: Job): Promise<Samples> {
    const count = order.temperature === 0 ? 1 : order.count;
    const drawn = await several(count, (at) => this.#draw(order, at, job));
    const samples = drawn.filter((each) => each !== "expired");
    return { samples, expired: samples.length < count };
  }

  /** Ollama tells nothing of text that it did not write itself. */
  async score(): Promise<null> {
    return null;
  }

  async close(): Promise<void> {}

  async #draw(order: SampleOrder, at: number, job: Job): Promise<Sample | "expired"> {
    const options = {
      temperature: at === 0 && order.greedy_first ? 0 : order.temperature,
      num_predict: order.tokens_max,
      seed: order.seed + at,
      top_k: limits.tactic_top_k,
      top_p: 1,
      ...(order.single_line && { stop: ["\n"] }),
    };
    const prompt = asText(order.prompt);
    const body = { model: this.model.name, prompt, raw: true, stream: false, logprobs: true, options };
    const answer = await post(this.#remote, "/api/generate", body, job);
    if (answer === "expired") return answer;
    const generated = Generated.safeParse(answer);
    if (!generated.success) throw refused("its answer is not that of Ollama's /api/generate");
    const { response, done_reason, logprobs } = generated.data;
    const logprob = logprobs?.reduce((sum, each) => sum + each.logprob, 0);
    const score = logprob === undefined || !logprobs?.length ? null : { logprob, tokens: logprobs.length };
    return { text: response, finished: done_reason !== "length", score };
  }
}
