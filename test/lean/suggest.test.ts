import { describe, expect, it } from "vitest";
import type { Backend, Sample, SampleOrder, Score } from "../../src/engines/tactic/backend.ts";
import { promptFor } from "../../src/engines/tactic/prompt.ts";
import { suggest } from "../../src/engines/tactic/suggest.ts";
import { Deadline } from "../../src/kernel/deadline.ts";

const sampleOf = (text: string, finished = true): Sample => ({ text, finished, score: null });

/** A model that says what is written here, round by round, and scores tactics by a table. */
function scripted(rounds: readonly (readonly Sample[])[], scores: Record<string, Score> = {}) {
  const orders: SampleOrder[] = [];
  const backend: Backend = {
    model: {
      name: "scripted",
      backend: "llama.cpp",
      size_bytes: null,
      quantisation: null,
      fingerprint: "",
      context_tokens: null,
      scores: "exact",
    },
    async sample(order) {
      orders.push(order);
      return { samples: rounds[orders.length - 1] ?? [], expired: false };
    },
    score: async (_, texts) => texts.map((text) => scores[text] ?? { logprob: -1, tokens: 1 }),
    close: async () => {},
  };
  return { backend, orders };
}

const prompt = promptFor("⊢ p");
const wanted = { num_suggestions: 3, temperature: 1, max_tokens: 64, prefix: "", seed: 7, single_line: false };
const job = () => new Deadline(60_000);

describe("suggestions", () => {
  it("are drawn again for what was lost to repetition and to the sieve, each sample with a seed of its own", async () => {
    const { backend, orders } = scripted([
      [sampleOf("simp"), sampleOf("simp"), sampleOf("sorry")],
      [sampleOf("omega"), sampleOf("simp", false)],
      [sampleOf("rfl")],
    ]);
    const { suggestions, dropped } = await suggest(backend, prompt, wanted, job());
    expect(orders.map(({ count, seed, greedy_first }) => [count, seed, greedy_first])).toEqual([
      [3, 7, true],
      [2, 10, false],
      [1, 12, false],
    ]);
    expect(suggestions.map(({ tactic, count }) => [tactic, count])).toEqual([
      ["simp", 2],
      ["omega", 1],
      ["rfl", 1],
    ]);
    expect(dropped).toEqual({ forbidden: 1, cut: 1 });
  });

  it("end after some rounds, and after the first where all samples are alike", async () => {
    const same = Array.from({ length: 9 }, () => [sampleOf("simp")]);
    const warm = scripted(same);
    await suggest(warm.backend, prompt, wanted, job());
    expect(warm.orders.length).toBe(3);
    const cold = scripted(same);
    await suggest(cold.backend, prompt, { ...wanted, temperature: 0 }, job());
    expect(cold.orders.length).toBe(1);
  });

  it("are ranked by the mean of their tokens, so that a long one is not behind for its length", async () => {
    const { backend } = scripted([[sampleOf("simp"), sampleOf("rw [h, k, l]"), sampleOf("omega")]], {
      simp: { logprob: -2, tokens: 1 },
      "rw [h, k, l]": { logprob: -4, tokens: 8 },
      omega: { logprob: -1, tokens: 1 },
    });
    const { suggestions } = await suggest(backend, prompt, wanted, job());
    expect(suggestions).toMatchObject([
      { tactic: "rw [h, k, l]", mean_logprob: -0.5, logprob: -4, tokens: 8 },
      { tactic: "omega", mean_logprob: -1 },
      { tactic: "simp", mean_logprob: -2 },
    ]);
  });

  it("begin with the given prefix, which the prompt says too", async () => {
    const { backend, orders } = scripted([[sampleOf(" [h]"), sampleOf("a [h]"), sampleOf("]")]]);
    const { suggestions, dropped } = await suggest(backend, prompt, { ...wanted, prefix: "rw" }, job());
    expect(orders[0]?.prompt).toEqual([{ text: "⊢ p:::rw", special: false }]);
    expect(suggestions.map(({ tactic }) => tactic).toSorted()).toEqual(["rw [h]", "rwa [h]"]);
    expect(dropped).toEqual({ unbalanced: 1 });
  });
});
