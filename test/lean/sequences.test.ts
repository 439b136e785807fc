import { describe, expect, it } from "vitest";
import type { Model, Sequence } from "../../src/engines/tactic/llama/api.ts";
import { Clock, draw, Pace, prefill } from "../../src/engines/tactic/llama/sequences.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { faultOf } from "../support/faults.ts";

const unused = () => {
  throw new Error("not asked for");
};
const idle: Sequence = {
  contextSize: 8192,
  nextTokenIndex: 0,
  adaptStateToTokens: async () => {},
  evaluateWithoutGeneratingNewTokens: async () => {},
  evaluateWithMetadata: unused,
  controlledEvaluate: unused,
  saveStateToFile: unused,
  loadStateFromFile: unused,
};
const timing = (left_ms = 60_000, signal = new AbortController().signal) => ({
  clock: new Clock(new Deadline(left_ms, signal)),
  pace: new Pace(),
});

describe("reading a long state", () => {
  const tokens = Array.from({ length: 5_000 }, (_, i) => i);
  const reading = (onPiece: () => void, left_ms?: number, signal?: AbortSignal) =>
    prefill({ ...idle, evaluateWithoutGeneratingNewTokens: async () => onPiece() }, tokens, timing(left_ms, signal));

  it("comes to its end", async () => {
    expect(await reading(() => {})).toBe(tokens.length);
  });

  it("ends at the deadline, between two pieces", async () => {
    let pieces = 0;
    const slow = () => {
      if (++pieces > 3) throw new Error("it reads on");
      const until = performance.now() + 250;
      while (performance.now() < until);
    };
    expect(await reading(slow, 200)).toBeUndefined();
    expect(pieces).toBe(1);
  });

  it("notices a cancel between two pieces", async () => {
    const cancel = new AbortController();
    let pieces = 0;
    const given_up = () => {
      if (++pieces > 3) throw new Error("it reads on");
      cancel.abort();
    };
    expect(await faultOf(reading(given_up, undefined, cancel.signal))).toMatchObject({ code: "cancelled" });
    expect(pieces).toBe(1);
  });
});

describe("a text that is drawn", () => {
  /** A model whose tokens are the characters of what it is to say, and whose end is a zero. */
  const saying = async (text: string, single_line: boolean, tokens_max = 100) => {
    const model: Model = {
      size: 0,
      trainContextSize: 0,
      tokens: { eos: 0 },
      tokenize: unused,
      detokenize: (tokens) => String.fromCodePoint(...tokens),
      isEogToken: (token) => token === 0,
      createContext: unused,
      dispose: unused,
    };
    async function* said() {
      for (const character of `${text}\0`) yield { token: character.codePointAt(0) ?? 0 };
    }
    const drawing = { temperature: 1, seed: 1, tokens_max, single_line };
    return draw(model, { ...idle, evaluateWithMetadata: said }, [1], drawing, timing());
  };

  it.each([
    ["simp\n  ring", false, { text: "simp\n  ring", finished: true }],
    ["simp\n  ring", true, { text: "simp", finished: true }],
    ["\n  simp\n  ring", true, { text: "simp", finished: true }],
    ["simp", true, { text: "simp", finished: true }],
  ])("is of %j, on a single line: %s, %j", async (text, single_line, drawn) => {
    expect(await saying(text, single_line)).toEqual(drawn);
  });

  it("is reported as cut if the limit of tokens ends it", async () => {
    expect(await saying("simp only", false, 4)).toEqual({ text: "simp", finished: false });
  });
});
