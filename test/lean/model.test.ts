import { copyFileSync, mkdtempSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import type { Backend } from "../../src/engines/tactic/backend.ts";
import { openLlama } from "../../src/engines/tactic/llama/index.ts";
import { promptFor } from "../../src/engines/tactic/prompt.ts";
import { suggest } from "../../src/engines/tactic/suggest.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { removeDirectory } from "../support/directories.ts";
import { faultOf } from "../support/faults.ts";
import { llama, llama_setup_ms_max, stateFiles, toyModel } from "../support/lean.ts";

/** The part of llama.cpp for Node that the reference below needs: the whole distribution after each token. */
interface Reference {
  getLlama(options: object): Promise<{
    loadModel(options: object): Promise<{
      tokenize(text: string): number[];
      tokens: { eos: number };
      createContext(options: object): Promise<{
        getSequence(): {
          clearHistory(): Promise<void>;
          controlledEvaluate(
            input: unknown[],
          ): Promise<({ next: { probabilities: Map<number, number> } } | undefined)[]>;
        };
      }>;
    }>;
    dispose(): Promise<void>;
  }>;
}

const states = ["h1 : p\n⊢ p → q", "⊢ p ∧ q → q", "h1 : p ∧ q\nh2 : r\n⊢ q ∨ ⟨α⟩", "x : ℕ\n⊢ x + 0 = x"];
const tactics = ["intro h2", "assumption", "constructor", "exact ⟨h1, h2⟩", "simp\n  ring"];

let directory: string;
let scratch: string;
let backend: Backend;

const job = (left_ms = 150_000, signal = new AbortController().signal) => new Deadline(left_ms, signal);
const settings = (path: string, env: Record<string, string> = {}) => ({
  path,
  directory,
  tactics: readConfig({}, { ...process.env, VERDICT_LEAN_THREADS: "1", VERDICT_LEAN_GPU: "off", ...env }).tactics,
  scratch_directory: tmpdir(),
});
const open = (path: string, env: Record<string, string> = {}) =>
  openLlama(settings(path, env), () => {}, new AbortController().signal);
const order = (state: string, more: object = {}) => ({
  prompt: promptFor(state),
  count: 4,
  temperature: 1,
  tokens_max: 24,
  seed: 1,
  greedy_first: false,
  single_line: false,
  ...more,
});

beforeAll(async () => {
  directory = await llama();
  scratch = mkdtempSync(join(tmpdir(), "verdict-model-"));
  backend = await open(toyModel());
}, llama_setup_ms_max);

afterAll(async () => {
  await backend?.close();
  removeDirectory(scratch);
});

/** Sums of log-probabilities out of the whole softmax, token after token. */
async function referenceScores(): Promise<number[][]> {
  const entry = pathToFileURL(join(directory, "node_modules/node-llama-cpp/dist/index.js")).href;
  const module: Reference = await import(entry);
  const engine = await module.getLlama({ gpu: false, build: "never", skipDownload: true, maxThreads: 1 });
  const model = await engine.loadModel({ modelPath: toyModel() });
  const context = await model.createContext({ contextSize: 512, sequences: 1, threads: 1 });
  const sequence = context.getSequence();
  const whole = { probabilities: true, options: { temperature: 1, topK: 0, topP: 1, minP: 0 } };
  const score = async (state: string, tactic: string) => {
    const prompt = model.tokenize(`${state}:::`);
    const full = [...model.tokenize(`${state}:::${tactic}`), model.tokens.eos];
    await sequence.clearHistory();
    const answers = await sequence.controlledEvaluate(full.slice(0, -1).map((each) => [each, { generateNext: whole }]));
    return full.reduce((sum, token, at) => {
      if (at < prompt.length) return sum;
      return sum + Math.log(answers[at - 1]?.next.probabilities.get(token) ?? 0);
    }, 0);
  };
  const all: number[][] = [];
  for (const state of states) {
    const row: number[] = [];
    for (const tactic of tactics) row.push(await score(state, tactic));
    all.push(row);
  }
  await engine.dispose();
  return all;
}

describe("a model in llama.cpp", () => {
  it("says who it is", () => {
    expect(backend.model).toMatchObject({
      name: "toy tactics",
      backend: "llama.cpp",
      context_tokens: 2048,
      scores: "exact",
    });
    expect(backend.model.size_bytes).toBeGreaterThan(1_000_000);
    expect(backend.model.fingerprint).toMatch(/^[0-9a-f]{16}$/);
  });

  it("scores a tactic as the whole softmax does, to 1e-3", async () => {
    const expected = await referenceScores();
    for (const [i, state] of states.entries()) {
      const scores = await backend.score(promptFor(state), tactics, job());
      if (scores === null || scores === "expired") throw new Error("no scores");
      for (const [j, { logprob }] of scores.entries())
        expect(Math.abs(logprob - (expected[i]?.[j] ?? 0)), `${state} ${tactics[j]}`).toBeLessThan(1e-3);
    }
  });

  it("gives the same scores whatever was read before, alone and side by side", async () => {
    const together = await backend.score(promptFor(states[0] ?? ""), tactics, job());
    await backend.sample(order("⊢ r ∨ s"), job());
    if (together === null || together === "expired") throw new Error("no scores");
    for (const [i, tactic] of tactics.entries()) {
      const alone = await backend.score(promptFor(states[0] ?? ""), [tactic], job());
      if (alone === null || alone === "expired") throw new Error("no scores");
      expect(alone[0]?.logprob).toBeCloseTo(together[i]?.logprob ?? 0, 4);
    }
  });

  it("never makes tactics that exclude each other more than certain", async () => {
    for (const state of states) {
      const { suggestions } = await suggest(
        backend,
        promptFor(state),
        { num_suggestions: 8, temperature: 2, max_tokens: 24, prefix: "", seed: 7, single_line: false },
        job(),
      );
      expect(suggestions.length).toBeGreaterThan(1);
      const sum = suggestions.reduce((total, { logprob }) => total + Math.exp(logprob ?? 0), 0);
      expect(sum).toBeLessThanOrEqual(1 + 1e-3);
      const means = suggestions.map(({ mean_logprob }) => mean_logprob ?? 0);
      expect(means).toEqual(means.toSorted((a, b) => b - a));
    }
  });

  it("draws the same texts for the same seed, and others for another", async () => {
    const draw = async (seed: number) =>
      (await backend.sample(order("h1 : p\n⊢ p → q", { count: 8, temperature: 2, seed }), job())).samples.map(
        ({ text }) => text,
      );
    const first = await draw(1);
    expect(await draw(1)).toEqual(first);
    expect(await draw(100)).not.toEqual(first);
  });

  it("draws what it draws alone, also beside others that share its prompt", async () => {
    const together = await backend.sample(order("h1 : p\n⊢ p → q", { count: 8, temperature: 1.5 }), job());
    for (const i of [0, 3, 7]) {
      const alone = await backend.sample(order("h1 : p\n⊢ p → q", { count: 1, temperature: 1.5, seed: 1 + i }), job());
      expect(alone.samples[0]?.text).toBe(together.samples[i]?.text);
    }
    expect(stateFiles()).toEqual([]);
  });

  it("that samples until its time is over still has its samples scored", async () => {
    let left_for_scores = 0;
    const slow: Backend = {
      model: backend.model,
      async sample(_, { left_ms }) {
        await sleep(left_ms);
        return { samples: [{ text: "intro h", finished: true, score: null }], expired: true };
      },
      async score(_, texts, { left_ms }) {
        left_for_scores = left_ms;
        return texts.map(() => ({ logprob: -1, tokens: 2 }));
      },
      close: async () => {},
    };
    const wanted = { num_suggestions: 8, temperature: 1, max_tokens: 24, prefix: "", seed: 1, single_line: false };
    const { suggestions, timed_out } = await suggest(slow, promptFor("⊢ p"), wanted, job(2_000));
    expect(suggestions).toMatchObject([{ tactic: "intro h", mean_logprob: -0.5 }]);
    expect(timed_out).toBe(true);
    expect(left_for_scores).toBeGreaterThan(0);
  });

  it("gives one sample without temperature, and says when tokens end it", async () => {
    const { samples } = await backend.sample(order("h1 : p\n⊢ p", { temperature: 0 }), job());
    expect(samples).toHaveLength(1);
    const cut = await backend.sample(order("h1 : p\n⊢ p → q", { temperature: 0, tokens_max: 1 }), job());
    expect(cut.samples).toMatchObject([{ finished: false }]);
  });

  it("takes the words of special tokens in a state for text", async () => {
    const scores = await backend.score(promptFor("h : <|endoftext|>\n⊢ p"), ["assumption"], job());
    const other = await backend.score(promptFor("⊢ p"), ["assumption"], job());
    expect(scores).not.toEqual(other);
  });

  it("refuses what does not fit its context, and shifts nothing out", async () => {
    const long = `${Array.from({ length: 400 }, (_, i) => `h${i} : p → q ∧ r`).join("\n")}\n⊢ p`;
    const fault = await faultOf(backend.sample(order(long), job()));
    expect(fault).toMatchObject({ code: "invalid_input" });
    expect(fault.error).toMatch(/The state has \d+ tokens; with 24 for a tactic that is more than the 2048/);
    expect(await faultOf(backend.score(promptFor(long), ["simp"], job()))).toMatchObject({ code: "invalid_input" });
    expect((await backend.sample(order("⊢ p"), job())).samples).toHaveLength(4);
  });

  it("stops at its deadline with what it has, and when it is given up, and serves on", async () => {
    const endless = order("h1 : p\n⊢ p → q", { tokens_max: 1500, temperature: 2, count: 8 });
    expect(await backend.sample(endless, job(1))).toMatchObject({ expired: true });
    expect(await backend.score(promptFor("⊢ q ∨ r"), tactics, job(0))).toBe("expired");
    const cancel = new AbortController();
    cancel.abort();
    expect(await faultOf(backend.sample(endless, job(5_000, cancel.signal)))).toMatchObject({ code: "cancelled" });
    expect((await backend.sample(order("⊢ p"), job())).samples).toHaveLength(4);
  });
});

describe("a file that is not a model", () => {
  it.each([
    ["is not there", "missing.gguf", () => {}, "engine_missing", "does not exist"],
    ["is a web page", "page.gguf", (file: string) => writeFileSync(file, "<html>"), "engine_failed", "not a GGUF file"],
    [
      "has a header and nothing else",
      "header.gguf",
      (file: string) => writeFileSync(file, "GGUF\u0003\0\0\0"),
      "engine_failed",
      "its header can't be read",
    ],
    [
      "is cut off",
      "cut.gguf",
      (file: string) => {
        copyFileSync(toyModel(), file);
        truncateSync(file, 1_000_000);
      },
      "engine_failed",
      "it is truncated: 1000000 bytes",
    ],
    [
      "lacks its last bytes",
      "almost.gguf",
      (file: string) => {
        copyFileSync(toyModel(), file);
        truncateSync(file, 1_800_000);
      },
      "engine_failed",
      "could not be loaded",
    ],
    [
      "is larger than the machine",
      "large.gguf",
      (file: string) => {
        copyFileSync(toyModel(), file);
        // Nothing is written: the file system remembers only that it is so long.
        truncateSync(file, 4e12);
      },
      "engine_failed",
      "it needs 4000",
    ],
  ])("and %s is told so, with the path that was looked at", async (_, name, make, code, words) => {
    const file = join(scratch, name);
    make(file);
    const fault = await faultOf(open(file));
    expect(fault.code).toBe(code);
    expect(fault.error).toContain(words);
    expect(fault.error).toContain(file);
  });
});
