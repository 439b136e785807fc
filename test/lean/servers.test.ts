import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { engine_limits } from "../../src/engines/limits.ts";
import type { Backend } from "../../src/engines/tactic/backend.ts";
import { openLlama } from "../../src/engines/tactic/llama/index.ts";
import { promptFor } from "../../src/engines/tactic/prompt.ts";
import { openCompletions } from "../../src/engines/tactic/remote/completions.ts";
import { openRemote } from "../../src/engines/tactic/remote/index.ts";
import { openOllama } from "../../src/engines/tactic/remote/ollama.ts";
import { suggest } from "../../src/engines/tactic/suggest.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { type FakeServer, fakeServer, sendJson } from "../support/completions.ts";
import { faultOf } from "../support/faults.ts";
import { llama, llama_setup_ms_max, toyModel } from "../support/lean.ts";

const job = (left_ms = 120_000) => new Deadline(left_ms);
const prompt = promptFor("h1 : p\n⊢ p → q ∧ p");
const wanted = { num_suggestions: 6, temperature: 1.3, max_tokens: 24, prefix: "", seed: 5, single_line: false };
const { tactics: settings } = readConfig({}, { VERDICT_LEAN_THREADS: "1", VERDICT_LEAN_GPU: "off" });

let model: Backend;
let server: FakeServer;

beforeAll(async () => {
  const place = { path: toyModel(), directory: await llama(), scratch_directory: tmpdir() };
  model = await openLlama({ ...place, tactics: settings }, () => {}, new AbortController().signal);
}, llama_setup_ms_max);
afterEach(() => server?.close());
afterAll(() => model?.close());

type Body = Record<string, unknown>;
type Behaviour = (body: Body, response: ServerResponse) => boolean;

/** A choice that the toy model writes, as a server sends it. */
async function choiceOf(body: Body, at: number, logprobs: "tokens" | "content") {
  const piece = { text: String(body["prompt"]), special: false };
  const { samples } = await model.sample(
    {
      prompt: [piece],
      count: 1,
      temperature: Number(body["temperature"]),
      tokens_max: Number(body["max_tokens"]),
      seed: Number(body["seed"]) + at,
      greedy_first: false,
      single_line: false,
    },
    job(),
  );
  const [sample] = samples;
  const scores = sample ? await model.score([piece], [sample.text], job()) : null;
  if (!sample || !Array.isArray(scores)) throw new Error("the toy model wrote nothing");
  const { logprob, tokens } = scores[0];
  const each = Array.from({ length: tokens }, () => logprob / tokens);
  const probabilities =
    logprobs === "tokens" ? { token_logprobs: each } : { content: each.map((value) => ({ logprob: value })) };
  return { text: sample.text, finish_reason: sample.finished ? "stop" : "length", logprobs: probabilities };
}

/** A completions endpoint with the toy model behind it. Requests are answered in turn: it has one context. */
async function toyServer(misbehaves: Behaviour, choices: (n: number) => number, logprobs: "tokens" | "content") {
  let turn: Promise<unknown> = Promise.resolve();
  server = await fakeServer((_, body, response) => {
    if (misbehaves(body, response)) return;
    turn = turn.then(async () => {
      const all = [];
      for (let at = 0; at < choices(Number(body["n"] ?? 1)); at++) all.push(await choiceOf(body, at, logprobs));
      sendJson(response, { choices: all });
    });
  });
  return openCompletions("toy", { url: `${server.url}/v1`, key: undefined });
}

const refuses = (field: string, status: number, message: string, over = 0): Behaviour => {
  return (body, response) => {
    if (!(field in body) || Number(body[field]) <= over) return false;
    sendJson(response, { error: { code: status, message } }, status);
    return true;
  };
};
const all = (n: number) => n;
const only_one = () => 1;

describe("a completions endpoint with the toy model behind it gives what the file gives, when it", () => {
  it.each([
    ["draws all that it is asked for", () => false, all, "tokens"],
    ["tells log-probabilities as the chat endpoint does", () => false, all, "content"],
    ["ignores n", () => false, only_one, "content"],
    ["draws two at most", () => false, (n: number) => Math.min(n, 2), "tokens"],
    [
      "refuses n above its slots",
      refuses("n", 400, "n_cmpl cannot be greater than the number of slots, please increase -np", 2),
      all,
      "content",
    ],
    ["refuses n as older ones do", refuses("n", 500, "Only one completion choice is allowed", 1), all, "content"],
    ["refuses n without words", refuses("n", 422, "bad request", 1), all, "tokens"],
  ] as const)("%s", async (_, misbehaves, choices, logprobs) => {
    const backend = await toyServer(misbehaves, choices, logprobs);
    const asked = await suggest(backend, prompt, wanted, job());
    const known = await suggest(model, prompt, wanted, job());
    expect(known.suggestions.length).toBeGreaterThan(2);
    // The sums of the split log-probabilities differ from them in their last digits.
    const ranks = ({ suggestions }: typeof known) =>
      suggestions.map(({ tactic, count, logprob }) => [tactic, count, logprob?.toFixed(3)]);
    expect(ranks(asked)).toEqual(ranks(known));
    expect(server.bodies.length).toBeLessThanOrEqual(2 * wanted.num_suggestions * engine_limits.tactic_more_rounds_max);
    const sampling = {
      top_k: engine_limits.tactic_top_k,
      top_p: 1,
      min_p: 0,
      repeat_penalty: 1,
      repetition_penalty: 1,
    };
    for (const body of server.bodies) expect(body).toMatchObject(sampling);
  });

  it.each([
    [
      "one by its name",
      refuses("min_p", 422, "extra inputs are not permitted: min_p", -1),
      ["top_k", "repeat_penalty"],
    ],
    ["them without a name", refuses("top_k", 400, "unknown parameter"), []],
    ["log-probabilities", refuses("logprobs", 500, "logprobs is not supported"), ["top_k", "min_p"]],
  ] as const)("refuses %s, which is then left out", async (_, misbehaves, kept) => {
    const backend = await toyServer(misbehaves, all, "tokens");
    const { suggestions } = await suggest(backend, prompt, wanted, job());
    expect(suggestions.length).toBeGreaterThan(2);
    const last = server.bodies.at(-1) ?? {};
    for (const name of kept) expect(last).toHaveProperty(name);
    const asked = server.bodies.length;
    await suggest(backend, prompt, { ...wanted, num_suggestions: 1 }, job());
    expect(server.bodies.length).toBe(asked + 1);
  });
});

describe("a completions endpoint", () => {
  it("that ignores n and never ends is left at the deadline, with what it drew", async () => {
    server = await fakeServer((_, { temperature }, response) => {
      if (temperature === 0) sendJson(response, { choices: [{ text: "simp", finish_reason: "stop" }] });
      else if (server.bodies.length < 4) sendJson(response, { choices: [{ text: `tactic${server.bodies.length}` }] });
    });
    const backend = openCompletions("toy", { url: server.url, key: undefined });
    const { suggestions, timed_out } = await suggest(backend, prompt, { ...wanted, num_suggestions: 32 }, job(4_000));
    expect(timed_out).toBe(true);
    expect(suggestions.length).toBeGreaterThan(1);
    expect(server.bodies.length).toBeLessThan(12);
  });

  it("that refuses everything is asked a few times only, and its words and address are reported", async () => {
    server = await fakeServer((_, __, response) => sendJson(response, { error: "the model is broken: secret7" }, 500));
    const backend = openCompletions("toy", { url: `${server.url}/v1`, key: "secret7" });
    const fault = await faultOf(suggest(backend, prompt, wanted, job()));
    expect(fault).toMatchObject({ code: "engine_failed", error: expect.stringContaining("the model is broken: …") });
    expect(fault.error).toContain(`${server.url}/v1`);
    expect(fault.remedy).toContain("VERDICT_LEAN_URL");
    expect(server.bodies.length).toBeLessThan(8);
  });

  it("that says no prompt again has no score of a given tactic", async () => {
    server = await fakeServer((_, __, response) => sendJson(response, { error: "Only no echo is supported" }, 400));
    const backend = openCompletions("toy", { url: server.url, key: undefined });
    expect(await backend.score(prompt, ["simp"], job())).toBeNull();
  });

  it.each([
    [400, "the request exceeds the available context size. try increasing the context size"],
    [400, "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens"],
    [422, "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096"],
    [400, "The decoder prompt (length 5000) is longer than the maximum model length of 4096."],
    [413, "prompt is too long"],
    [400, "the input length exceeds the context length"],
  ])("whose context does not hold the state says so in its words: %i, %s", async (status, message) => {
    server = await fakeServer((_, __, response) => sendJson(response, { error: { message } }, status));
    for (const backend of [
      openCompletions("toy", { url: server.url, key: undefined }),
      openOllama("toy", { url: server.url, key: undefined }, 512),
    ]) {
      const fault = await faultOf(suggest(backend, prompt, wanted, job()));
      expect(fault).toMatchObject({ code: "invalid_input", error: expect.stringContaining("longer than the context") });
      expect(fault.error).toContain(message);
    }
  });

  it("that read fewer tokens than the state has words has cut it", async () => {
    const long = promptFor(`${"h : p ∧ q\n".repeat(200)}⊢ p`);
    let prompt_tokens = 512;
    server = await fakeServer((_, __, response) =>
      sendJson(response, { choices: [{ text: "simp" }], usage: { prompt_tokens } }),
    );
    const backend = openCompletions("toy", { url: server.url, key: undefined });
    const fault = await faultOf(suggest(backend, long, wanted, job()));
    expect(fault).toMatchObject({ code: "invalid_input", error: expect.stringContaining("512 tokens") });
    for (prompt_tokens of [1, 3_000]) {
      const { suggestions } = await suggest(backend, long, { ...wanted, temperature: 0 }, job());
      expect(suggestions).toHaveLength(1);
    }
  });
});

describe("Ollama", () => {
  it("gets options not to cut the state, for the length of its context, and to sample as the file does", async () => {
    server = await fakeServer((_, __, response) => sendJson(response, { response: "simp", done_reason: "stop" }));
    await suggest(openOllama("toy", { url: server.url, key: undefined }, 1_024), prompt, wanted, job());
    const options = { num_ctx: 1_024, top_k: engine_limits.tactic_top_k, top_p: 1, min_p: 0, repeat_penalty: 1 };
    for (const body of server.bodies) expect(body).toMatchObject({ truncate: false, shift: false, options });
  });

  it.each([
    ["filled its context with the state", 1_024],
    ["has no room left for a tactic", 1_010],
  ])("of a version that cuts without a word, and %s, gave no tactic for the state", async (_, prompt_eval_count) => {
    server = await fakeServer((_path, _body, response) =>
      sendJson(response, { response: "simp", done_reason: "stop", prompt_eval_count }),
    );
    const backend = openOllama("toy", { url: server.url, key: undefined }, 1_024);
    const fault = await faultOf(suggest(backend, prompt, wanted, job()));
    expect(fault).toMatchObject({ code: "invalid_input", error: expect.stringContaining("longer than the context") });
    expect(fault.remedy).toContain("VERDICT_LEAN_CONTEXT");
  });

  it("is spoken to in its own way where a completions endpoint was named", async () => {
    const paths: string[] = [];
    const answer = (path: string, _: Body, response: ServerResponse) => {
      paths.push(path);
      sendJson(response, { response: "simp", done_reason: "stop" });
    };
    server = await fakeServer(answer, "Ollama is running");
    const backend = await openRemote("openai:toy", { url: `${server.url}/v1`, key: undefined }, settings, job());
    expect(backend.model).toMatchObject({ backend: "ollama", context_tokens: settings.context_tokens });
    await suggest(backend, prompt, { ...wanted, temperature: 0 }, job());
    expect(paths).toEqual(["/api/generate"]);
  });

  it("that is not there, or lacks the model, is reported with what to run", async () => {
    server = await fakeServer((_, __, response) => sendJson(response, { error: 'model "toy:q8" not found' }, 404));
    const remote = { url: server.url, key: undefined };
    const lacking = await openRemote("ollama:toy:q8", remote, settings, job());
    const fault = await faultOf(suggest(lacking, prompt, wanted, job()));
    expect(fault.error).toContain("not found");
    expect(fault.remedy).toContain("`ollama pull toy:q8`");
    server.close();
    const gone = await faultOf(openRemote("ollama:toy:q8", remote, settings, job()));
    expect(gone).toMatchObject({ code: "engine_failed", error: expect.stringContaining(server.url) });
    expect(gone.remedy).toContain("`ollama serve`");
  });
});
