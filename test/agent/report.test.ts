import type { JSONObject } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { Budget } from "../../src/agent/loop/budget.ts";
import type { Outcome } from "../../src/agent/outcome.ts";
import { eventLine, oneLine, outcomeText, statisticsText } from "../../src/agent/report/show.ts";
import { Tally } from "../../src/agent/report/statistics.ts";

const no_details = {
  inputTokenDetails: { noCacheTokens: undefined, cacheReadTokens: undefined, cacheWriteTokens: undefined },
  outputTokenDetails: { textTokens: undefined, reasoningTokens: undefined },
};
const none = { input: 0, output: 0, cached: 0 };
const outcome: Outcome = {
  ...{ status: "solved", reason: null, answer: "It is 4.", language: "z3", language_why: null, model: "x == 4" },
  ...{ values: { x: 4 }, not_modelled: [], checker: null, review: null, last_result: null },
  verdict: { word: "sat", tool: "solve", engine: "z3 5", evidence: { message: "Satisfiable." } },
  statistics: {
    ...{ steps: 1, repairs: 0, tools: {}, tokens: { agent: none, checker: none, reviewer: none, router: none } },
    ...{ tokens_estimated: false, price: null, seconds: 1, tool_seconds: 1, solver_seconds: 1 },
  },
};

describe("what is shown", () => {
  it("is in colour at a terminal, and plain in a pipe", () => {
    expect(outcomeText(outcome, true)).toContain("\u001b[32mDecided: sat");
    expect(outcomeText(outcome, false)).toBe(
      "Decided: sat\nThe model's words:\n  | It is 4.\n  x = 4\nby solve, z3 5\nSatisfiable.",
    );
  });

  it("has the price where the provider reports one", () => {
    const usage = { ...{ inputTokens: 10, outputTokens: 2, totalTokens: 12 }, ...no_details };
    const price = (raw: JSONObject | undefined) => {
      const budget = new Budget(1_000);
      for (let i = 0; i < 2; i++) budget.add("agent", { ...usage, ...(raw && { raw }) }, { input: 0, output: 0 });
      return statisticsText(new Tally().statistics(budget), false);
    };
    expect(price({ cost: 0.25 })).toContain("price: 0.5");
    for (const raw of [undefined, {}, { cost: "0.25" }, { cost: -1 }])
      expect(price(raw)).toContain("price: not reported by the provider");
  });

  it("names no verdict where there is none", () => {
    const open: Outcome = {
      ...outcome,
      status: "undecided",
      reason: "no tool decided",
      verdict: null,
      answer: null,
      values: {},
    };
    expect(outcomeText(open, false)).toBe("Not decided (no tool decided)");
  });

  it("can't be steered by a model's text", () => {
    expect(oneLine("a\u001b]0;t\u0007b\u202ec\r\u0085d\ne", 80)).toBe("a\\u001b]0;t\\u0007b\\u202ec\\u000d\\u0085d e");
    expect(oneLine("a\n  b\tc", 10)).toBe("a b c");
    expect(oneLine("x".repeat(50), 10)).toHaveLength(10);
  });

  it("has the plan, and each call on a line with its time", () => {
    const record = {
      number: 1,
      tool: "solve",
      args: { model: "secret\nmodel" },
      is_fault: false,
      text: "sat\nx = 4",
      structured: {},
      ms: 12,
    };
    expect(eventLine({ kind: "thought", role: "agent", text: "One unknown." }, "usual", false)).toBe("One unknown.");
    expect(eventLine({ kind: "call", role: "agent", record }, "usual", false)).toBe("solve 12 ms  sat x = 4");
    expect(eventLine({ kind: "call", role: "reviewer", record: { ...record, is_fault: true } }, "usual", false)).toBe(
      "[reviewer] solve 12 ms  ✗ sat x = 4",
    );
    expect(eventLine({ kind: "call", role: "agent", record }, "quiet", false)).toBeUndefined();
    expect(eventLine({ kind: "call", role: "agent", record }, "verbose", false)).toContain("secret");
  });
});
