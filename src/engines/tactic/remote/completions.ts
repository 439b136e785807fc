import * as z from "zod/v4";
import type { Deadline } from "../../../kernel/deadline.ts";
import { engine_limits } from "../../limits.ts";
import type { Backend, Sample, SampleOrder, Samples, Score } from "../backend.ts";
import { asText, continued, type Prompt } from "../prompt.ts";
import type { ModelInfo } from "../protocol.ts";
import { failed, post, Refusal, type Remote, type Server, several, tooLong } from "./http.ts";
import { remoteModel } from "./model.ts";

/**
 * Log-probabilities in the form of the completions endpoint or of the chat endpoint; llama-server uses the latter in
 * both.
 */
const Logprobs = z.looseObject({
  token_logprobs: z.array(z.number().nullable()).nullish(),
  text_offset: z.array(z.number()).nullish(),
  content: z.array(z.looseObject({ logprob: z.number().nullable() })).nullish(),
});

const Completions = z.looseObject({
  choices: z.array(
    z.looseObject({ text: z.string(), finish_reason: z.string().nullish(), logprobs: Logprobs.nullish() }),
  ),
  usage: z.looseObject({ prompt_tokens: z.number().nullish() }).nullish(),
});

/**
 * Parameters that make servers sample as llama.cpp does here; servers' defaults differ, and the penalty has two names.
 * They are not part of OpenAI's own interface, so a server may reject them.
 */
const plain_sampling = { top_k: engine_limits.tactic_top_k, min_p: 0, repeat_penalty: 1, repetition_penalty: 1 };

/** The parameters that a request can omit. */
const optional = [...Object.keys(plain_sampling), "presence_penalty", "frequency_penalty", "logprobs", "seed"];

/** Matches the error messages about `n` from servers that return only one choice; some mention a limit. */
const about_n = /(?<!\w)"?n"?(?!\w)|n_cmpl|n_parallel|choices?|slots?/i;

/** A model behind an OpenAI-compatible completions endpoint (not the chat one, whose template changes prompts). */
export function openCompletions(name: string, remote: Remote): Backend {
  return new CompletionsBackend(name, remote);
}

/** Suggestions for the user if a completions endpoint fails. */
export function completionsSteps(name: string): string[] {
  return [
    `ask the user to check that the server runs and has the model ${name} (VERDICT_LEAN_URL, which usually ends with /v1, and VERDICT_LEAN_MODEL)`,
  ];
}

class CompletionsBackend implements Backend {
  readonly model: ModelInfo;
  readonly #server: Server;
  /** The parameters that this server has rejected; they are not sent again. */
  #refused: ReadonlySet<string> = new Set();
  /** Whether the server has returned fewer choices than requested. */
  #one_by_one = false;

  constructor(name: string, remote: Remote) {
    this.#server = { ...remote, steps: completionsSteps(name) };
    this.model = remoteModel("openai", name, remote.url);
  }

  /** Sends one request for the greedy sample and one for all others; a server reads the prompt once per request. */
  async sample(order: SampleOrder, deadline: Deadline): Promise<Samples> {
    const greedy = order.greedy_first || order.temperature === 0;
    const count = order.temperature === 0 ? 1 : order.count;
    const drawn = await Promise.all([
      greedy ? this.#draw(order, { n: 1, temperature: 0, seed: order.seed }, deadline) : [],
      this.#others(order, greedy ? 1 : 0, count, deadline),
    ]);
    const samples = drawn.flatMap((each) => (each === "expired" ? [] : each));
    return { samples, expired: samples.length < count };
  }

  /** Makes the server echo the prompt with its log-probabilities, and sums those of the text, without its end token. */
  async score(
    prompt: Prompt,
    texts: readonly string[],
    deadline: Deadline,
  ): Promise<readonly Score[] | "expired" | null> {
    const head = asText(prompt).length;
    const scores = await several(texts.length, async (at) => {
      const whole = asText(continued(prompt, texts[at] ?? ""));
      const body = { model: this.model.name, prompt: whole, echo: true, max_tokens: 1, logprobs: 1, temperature: 0 };
      const answer = await post(this.#server, "/completions", body, deadline).catch(noEcho);
      if (answer === "expired" || answer === null) return answer;
      const { token_logprobs, text_offset } = this.#read(answer).choices[0]?.logprobs ?? {};
      if (!token_logprobs || !text_offset) return null;
      // Some servers count offsets in code points, others in UTF-16 units; the smaller length works for both.
      const begin = text_offset.findIndex((offset) => offset >= Math.min(head, [...asText(prompt)].length));
      return begin < 0 ? null : sum(token_logprobs.slice(begin, -1));
    });
    if (scores.includes("expired")) return "expired";
    const known = scores.filter((each) => each !== null && each !== "expired");
    return known.length < texts.length ? null : known;
  }

  async close(): Promise<void> {}

  /**
   * Requests all samples at once. If the server returns fewer, requests the missing ones one by one, each with its own
   * seed.
   */
  async #others(order: SampleOrder, begin: number, end: number, deadline: Deadline): Promise<readonly Sample[]> {
    const { temperature } = order;
    const [seed, count] = [order.seed + begin, end - begin];
    if (count <= 0) return [];
    const first = this.#one_by_one ? [] : await this.#draw(order, { n: count, temperature, seed }, deadline);
    if (first === "expired") return [];
    if (first.length >= count) return first;
    this.#one_by_one = true;
    const more = await several(count - first.length, (at) =>
      this.#draw(order, { n: 1, temperature, seed: seed + first.length + at }, deadline),
    );
    return [...first, ...more.flatMap((each) => (each === "expired" ? [] : each.slice(0, 1)))];
  }

  async #draw(
    order: SampleOrder,
    own: { readonly n: number; readonly temperature: number; readonly seed: number },
    deadline: Deadline,
  ): Promise<readonly Sample[] | "expired"> {
    const prompt = asText(order.prompt);
    const body = {
      model: this.model.name,
      prompt,
      max_tokens: order.tokens_max,
      logprobs: 1,
      top_p: 1,
      presence_penalty: 0,
      frequency_penalty: 0,
      ...plain_sampling,
      ...(order.single_line && { stop: ["\n"] }),
      ...own,
    };
    const answer = await this.#post(body, deadline);
    if (answer === "expired") return answer;
    const { choices, usage } = this.#read(answer);
    this.#fit(prompt, usage?.prompt_tokens);
    return choices.map(({ text, finish_reason, logprobs }) => ({
      text,
      finished: finish_reason !== "length",
      score: sum(logprobs?.token_logprobs ?? logprobs?.content?.map(({ logprob }) => logprob) ?? []),
    }));
  }

  /** Sends a request; if the server rejects an optional parameter, omits it and tries again. */
  async #post(body: Readonly<Record<string, unknown>>, deadline: Deadline): Promise<unknown> {
    let refused = this.#refused;
    for (;;) {
      const sent = Object.fromEntries(Object.entries(body).filter(([name]) => !refused.has(name)));
      try {
        const answer = await post(this.#server, "/completions", sent, deadline);
        this.#refused = new Set([...this.#refused, ...refused]);
        return answer;
      } catch (error) {
        const blamed = error instanceof Refusal && error.about_fields ? blamedBy(error.words, sent) : [];
        if (blamed.length === 0) throw error;
        refused = new Set([...refused, ...blamed]);
      }
    }
  }

  /**
   * Every word in a prompt is at least one token, so a server that read fewer tokens than there are words has truncated
   * it. A very small count is ignored, since some servers count only tokens that they had not read before.
   */
  #fit(prompt: string, prompt_tokens: number | null | undefined): void {
    const words = prompt.split(/\s+/).length;
    if (prompt_tokens && prompt_tokens >= engine_limits.tactic_context_tokens_min && prompt_tokens < words)
      throw tooLong(`its server read only ${prompt_tokens} tokens, from ${words} words`);
  }

  #read(answer: unknown): z.output<typeof Completions> {
    const completions = Completions.safeParse(answer);
    if (completions.success) return completions.data;
    throw failed(this.#server, "its answer does not have the form of a completions endpoint's answer");
  }
}

/**
 * Returns the parameters that a rejection mentions. If it mentions none, returns `n` if several choices were requested,
 * and otherwise those that OpenAI does not support.
 */
function blamedBy(words: string, sent: Readonly<Record<string, unknown>>): readonly string[] {
  if ("n" in sent && about_n.test(words)) return ["n"];
  const left = optional.filter((name) => name in sent);
  const named = left.filter((name) => new RegExp(`(?<!\\w)${name}(?!\\w)`).test(words));
  if (named.length > 0) return named;
  return Number(sent["n"]) > 1 ? ["n"] : left.filter((name) => name in plain_sampling);
}

/** A server that does not echo the prompt can't score a tactic from the caller. */
function noEcho(error: unknown): null {
  if (error instanceof Refusal && error.about_fields && /echo|logprobs/i.test(error.words)) return null;
  throw error;
}

function sum(logprobs: readonly (number | null)[]): Score | null {
  const known = logprobs.filter((each) => each !== null);
  if (known.length === 0) return null;
  return { logprob: known.reduce((a, b) => a + b, 0), tokens: known.length };
}
