import { tmpdir } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import type { Backend } from "../../src/engines/tactic/backend.ts";
import { openLlama } from "../../src/engines/tactic/llama/index.ts";
import { promptFor } from "../../src/engines/tactic/prompt.ts";
import { openRemote } from "../../src/engines/tactic/remote/index.ts";
import { suggest } from "../../src/engines/tactic/suggest.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { faultOf } from "../support/faults.ts";
import { llama, llama_setup_ms_max, toyModel } from "../support/lean.ts";
import { type LlamaServer, openLlamaServer } from "../support/llama_server/index.ts";
import { real_setup_ms_max } from "../support/python.ts";

const job = () => new Deadline(120_000);
const prompt = promptFor("p q : Prop\nh : p ∧ q\n⊢ q");
const wanted = { num_suggestions: 4, temperature: 1.3, max_tokens: 24, prefix: "", seed: 5, single_line: false };
const { tactics: settings } = readConfig({}, { VERDICT_LEAN_THREADS: "1", VERDICT_LEAN_GPU: "off" });

let file: Backend;
beforeAll(async () => {
  const place = { path: toyModel(), directory: await llama(), scratch_directory: tmpdir() };
  file = await openLlama({ ...place, tactics: settings }, () => {}, new AbortController().signal);
}, llama_setup_ms_max);
afterAll(() => file.close());

/** Servers of today refuse more choices than they have slots; with one slot each choice is a request. */
describe.each([1, 4])("a llama.cpp server with %i slots", (slots) => {
  let server: LlamaServer;
  let backend: Backend;
  beforeAll(async () => {
    server = await openLlamaServer(slots);
    backend = await openRemote("openai:toy", { url: server.url, key: undefined }, settings, job());
  }, real_setup_ms_max);
  afterAll(() => server.close());

  it("scores the tactics that it draws as the file does", async () => {
    const { suggestions } = await suggest(backend, prompt, wanted, job());
    expect(suggestions.length).toBeGreaterThan(1);
    const scores = await file.score(
      prompt,
      suggestions.map(({ tactic }) => tactic),
      job(),
    );
    if (!Array.isArray(scores)) throw new Error("the file gave no scores");
    expect(suggestions.map(({ logprob }) => logprob?.toFixed(2))).toEqual(
      scores.map(({ logprob }) => logprob.toFixed(2)),
    );
  });

  it("gives the file's greedy tactic", async () => {
    const greedy = { ...wanted, num_suggestions: 1, temperature: 0 };
    const [drawn, known] = [await suggest(backend, prompt, greedy, job()), await suggest(file, prompt, greedy, job())];
    expect(drawn.suggestions.map(({ tactic }) => tactic)).toEqual(known.suggestions.map(({ tactic }) => tactic));
  });

  it("refuses a state that its context does not hold, and the fault says so", async () => {
    const fault = await faultOf(suggest(backend, promptFor(`${"p : Prop\n".repeat(900)}⊢ p`), wanted, job()));
    expect(fault).toMatchObject({ code: "invalid_input", error: expect.stringContaining("longer than the context") });
  });
});
