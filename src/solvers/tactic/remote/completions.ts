import * as z from "zod/v4";
import type { Job } from "../../../kernel/child.ts";
import type { Backend, ModelInfo, Sample, SampleOrder, Samples, Score } from "../backend.ts";
import { asText, continued, type Prompt } from "../prompt.ts";
import { post, type Remote, refused, several } from "./http.ts";
import { remoteModel } from "./model.ts";

const Logprobs = z.looseObject({
  token_logprobs: z.array(z.number().nullable()).nullish(),
  text_offset: z.array(z.number()).nullish(),
});

const Completions = z.looseObject({
  choices: z.array(
    z.looseObject({ text: z.string(), finish_reason: z.string().nullish(), logprobs: Logprobs.nullish() }),
  ),
});

/** A model behind an OpenAI-compatible completions endpoint (not the chat one, whose template changes prompts). */
export function openCompletions(name: string, remote: Remote): Backend {
  return new CompletionsBackend(name, remote);
}

class CompletionsBackend implements Backend {
  readonly model: ModelInfo;
  readonly #remote: Remote;

  constructor(name: string, remote: Remote) {
    this.#remote = remote;
    this.model = remoteModel("openai", name, remote.url);
  }

  /** One request for the greedy sample, one for the others: a server reads the prompt once for each. */
  async sample(order: SampleOrder, job: Job): Promise<Samples> {
    const greedy = order.greedy_first || order.temperature === 0;
    const others = order.temperature === 0 ? 0 : order.count - (greedy ? 1 : 0);
    const orders = [
      ...(greedy ? [{ n: 1, temperature: 0, seed: order.seed }] : []),
      ...(others > 0 ? [{ n: others, temperature: order.temperature, seed: order.seed + 1 }] : []),
    ];
    const answers = await several(orders.length, async (at) => this.#draw(order, orders[at] ?? {}, job));
    const samples = answers.flatMap((answer) => (answer === "expired" ? [] : answer));
    return { samples, expired: answers.includes("expired") };
  }

  /** The server says the prompt again with its log-probabilities; those of the text are summed, without its end. */
  async score(prompt: Prompt, texts: readonly string[], job: Job): Promise<readonly Score[] | "expired" | null> {
    const head = asText(prompt).length;
    const scores = await several(texts.length, async (at) => {
      const whole = asText(continued(prompt, texts[at] ?? ""));
      const body = { model: this.model.name, prompt: whole, echo: true, max_tokens: 1, logprobs: 1, temperature: 0 };
      const answer = await post(this.#remote, "/completions", body, job);
      if (answer === "expired") return answer;
      const { token_logprobs, text_offset } = read(answer)[0]?.logprobs ?? {};
      if (!token_logprobs || !text_offset) return null;
      // Offsets count code points in some servers and UTF-16 units in others; the tail is the same in neither.
      const begin = text_offset.findIndex((offset) => offset >= Math.min(head, [...asText(prompt)].length));
      return begin < 0 ? null : sum(token_logprobs.slice(begin, -1));
    });
    if (scores.includes("expired")) return "expired";
    const known = scores.filter((each) => each !== null && each !== "expired");
    return known.length < texts.length ? null : known;
  }

  async close(): Promise<void> {}

  async #draw(order: SampleOrder, own: object, job: Job): Promise<readonly Sample[] | "expired"> {
    const body = {
      model: this.model.name,
      prompt: asText(order.prompt),
      max_tokens: order.tokens_max,
      logprobs: 1,
      top_p: 1,
      ...(order.single_line && { stop: ["\n"] }),
      ...own,
    };
    const answer = await post(this.#remote, "/completions", body, job);
    if (answer === "expired") return answer;
    return read(answer).map(({ text, finish_reason, logprobs }) => ({
      text,
      finished: finish_reason !== "length",
      score: sum(logprobs?.token_logprobs ?? []),
    }));
  }
}

function read(answer: unknown): z.output<typeof Completions>["choices"] {
  const completions = Completions.safeParse(answer);
  if (completions.success) return completions.data.choices;
  throw refused("its answer is not that of a completions endpoint (VERDICT_LEAN_URL ends with /v1, mostly)");
}

function sum(logprobs: readonly (number | null)[]): Score | null {
  const known = logprobs.filter((each) => each !== null);
  if (known.length === 0) return null;
  return { logprob: known.reduce((a, b) => a + b, 0), tokens: known.length };
}
