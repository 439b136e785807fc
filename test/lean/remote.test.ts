import { afterEach, describe, expect, it } from "vitest";
import type { Backend } from "../../src/engines/tactic/backend.ts";
import { promptFor } from "../../src/engines/tactic/prompt.ts";
import { openCompletions } from "../../src/engines/tactic/remote/completions.ts";
import { openOllama } from "../../src/engines/tactic/remote/ollama.ts";
import { suggest } from "../../src/engines/tactic/suggest.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { type FakeServer, fakeServer, sendJson } from "../support/completions.ts";
import { faultOf } from "../support/faults.ts";
import { freePort } from "../support/ports.ts";
import { until } from "../support/processes.ts";

const job = (left_ms = 60_000, signal = new AbortController().signal) => new Deadline(left_ms, signal);
const prompt = promptFor("⊢ p → p");
const wanted = { num_suggestions: 4, temperature: 1.3, max_tokens: 64, prefix: "", seed: 1, single_line: false };

let server: FakeServer;
afterEach(() => server?.close());

const completions = (key?: string): Backend => openCompletions("tactics-7b", { url: `${server.url}/v1/`, key });
const ollama = (): Backend => openOllama("tactics:7b-q8_0", { url: server.url, key: undefined }, 512);

const choice = (text: string, token_logprobs: (number | null)[] | undefined, finish_reason = "stop") => ({
  text,
  finish_reason,
  ...(token_logprobs && { logprobs: { token_logprobs } }),
});

describe("a completions endpoint", () => {
  it("is sent the bare prompt, and its log-probabilities rank the tactics", async () => {
    server = await fakeServer((_, { temperature }, response) => {
      const greedy = [choice("intro h", [-0.1, -0.3])];
      const drawn = [
        choice("simp", [-2]),
        choice("intro h", [-0.1, -0.3]),
        choice("exact (", [-0.1]),
        choice("tau", [-5], "length"),
      ];
      sendJson(response, { choices: temperature === 0 ? greedy : drawn });
    });
    const { suggestions, dropped } = await suggest(
      completions("secret"),
      prompt,
      { ...wanted, num_suggestions: 2 },
      job(),
    );
    expect(suggestions).toEqual([
      { tactic: "intro h", mean_logprob: -0.2, logprob: -0.4, tokens: 2, count: 2 },
      { tactic: "simp", mean_logprob: -2, logprob: -2, tokens: 1, count: 1 },
    ]);
    expect(dropped).toEqual({ unbalanced: 1, cut: 1 });
    expect(server.bodies[0]).toMatchObject({ model: "tactics-7b", prompt: "⊢ p → p:::", max_tokens: 64, top_p: 1 });
    expect(server.bodies.map(({ n, temperature }) => [n, temperature])).toEqual([
      [1, 0],
      [1, 1.3],
    ]);
    expect(server.headers[0]?.authorization).toBe("Bearer secret");
  });

  it("without log-probabilities has no scores: what was said more often comes first", async () => {
    server = await fakeServer((_, { temperature }, response) => {
      const texts = temperature === 0 ? ["simp"] : ["omega", "omega", "simp", "ring"];
      sendJson(response, { choices: texts.map((text) => choice(text, undefined)) });
    });
    const { suggestions } = await suggest(completions(), prompt, wanted, job());
    expect(suggestions.map(({ tactic }) => tactic)).toEqual(["omega", "simp", "ring"]);
    expect(suggestions[0]).toMatchObject({ mean_logprob: null, count: expect.any(Number) });
  });

  it("scores a given tactic by its echo, without the state before it", async () => {
    const head = "⊢ p → p:::".length;
    server = await fakeServer((_, body, response) => {
      expect(body).toMatchObject({ prompt: "⊢ p → p:::intro h", echo: true });
      const logprobs = { token_logprobs: [null, -9, -0.5, -0.25, -7], text_offset: [0, 2, head, head + 5, head + 7] };
      sendJson(response, { choices: [{ text: "", logprobs }] });
    });
    expect(await completions().score(prompt, ["intro h"], job())).toEqual([{ logprob: -0.75, tokens: 2 }]);
  });

  it("that reports no log-probabilities has no score, and says so", async () => {
    server = await fakeServer((_, __, response) => sendJson(response, { choices: [{ text: "x" }] }));
    expect(await completions().score(prompt, ["intro h"], job())).toBeNull();
  });
});

describe("Ollama", () => {
  it("is asked raw, once a sample, each with a seed of its own", async () => {
    server = await fakeServer((_, { options }, response) => {
      const { seed = 0 } = typeof options === "object" && options !== null && "seed" in options ? options : {};
      sendJson(response, { response: `exact h${seed}`, done_reason: "stop" });
    });
    const { suggestions } = await suggest(ollama(), prompt, wanted, job());
    expect(suggestions.map(({ tactic }) => tactic).toSorted()).toEqual([
      "exact h1",
      "exact h2",
      "exact h3",
      "exact h4",
    ]);
    expect(server.bodies).toHaveLength(4);
    for (const body of server.bodies)
      expect(body).toMatchObject({ prompt: "⊢ p → p:::", raw: true, stream: false, options: { num_predict: 64 } });
  });

  it("takes log-probabilities if a version reports them, and has no score for a given tactic", async () => {
    server = await fakeServer((_, __, response) =>
      sendJson(response, { response: "simp", done_reason: "stop", logprobs: [{ logprob: -0.5 }, { logprob: -0.1 }] }),
    );
    const { suggestions } = await suggest(ollama(), prompt, { ...wanted, temperature: 0 }, job());
    expect(suggestions).toMatchObject([{ tactic: "simp", logprob: -0.6, tokens: 2 }]);
    expect(await ollama().score(prompt, ["simp"], job())).toBeNull();
  });
});

describe("a model's server that", () => {
  const order = { prompt, count: 2, temperature: 1, tokens_max: 8, seed: 1, greedy_first: false, single_line: true };

  it.each([
    [
      "refuses",
      (response: Parameters<typeof sendJson>[0]) => sendJson(response, { error: "no such model" }, 404),
      "404",
    ],
    ["speaks no JSON", (response: Parameters<typeof sendJson>[0]) => response.end("<html>"), "not JSON"],
    [
      "answers something else",
      (response: Parameters<typeof sendJson>[0]) => sendJson(response, {}),
      "does not have the form of",
    ],
    [
      "sends on to elsewhere",
      (response: Parameters<typeof sendJson>[0]) => response.writeHead(302, { location: "http://192.0.2.1/" }).end(),
      "failed",
    ],
    [
      "answers without an end",
      (response: Parameters<typeof sendJson>[0]) => {
        const more = () => response.write("x".repeat(1_000_000)) && setImmediate(more);
        response.on("drain", more).on("error", () => {});
        more();
      },
      "more than",
    ],
  ])("%s is a fault", async (_, behave, words) => {
    server = await fakeServer((_path, _body, response) => void behave(response));
    for (const backend of [completions(), ollama()]) {
      const fault = await faultOf(backend.sample(order, job()));
      expect(fault.code).toBe("engine_failed");
      expect(fault.error).toContain(words);
    }
  });

  it("is not there is a fault", async () => {
    const backend = openOllama("x", { url: `http://127.0.0.1:${await freePort()}`, key: undefined }, 512);
    expect((await faultOf(backend.sample(order, job()))).error).toContain("ECONNREFUSED");
  });

  it("never answers is left at the deadline, and when the call is given up", async () => {
    server = await fakeServer(() => {});
    expect(await ollama().sample(order, job(1_000))).toEqual({ samples: [], expired: true });
    const cancel = new AbortController();
    const asked = completions().sample(order, job(10_000, cancel.signal));
    await until(() => server.bodies.length === 3, 5_000);
    cancel.abort();
    expect(await faultOf(asked)).toMatchObject({ code: "cancelled" });
    expect(await until(() => server.given_up() === 3, 120_000)).toBe(true);
  });
});
