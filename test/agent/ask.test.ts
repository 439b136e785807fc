import { afterAll, describe, expect, it } from "vitest";
import { agentBench, ask } from "../support/agent.ts";

const smt = "(declare-const x Int)(assert (and (> x 3) (< x 5)))(check-sat)";

describe("the agent", () => {
  const bench = agentBench();
  afterAll(() => bench.close());

  it("answers with the verdict and the values of its last call", async () => {
    const { outcome } = await ask(
      "Which integer lies between 3 and 5?",
      {
        agent: [
          [["solve_smtlib", { smtlib: smt }]],
          [["answer", { verdict: "sat", answer: "It is 4.", values: [{ name: "the number", from: "x" }] }]],
        ],
      },
      { ...bench, language: "smtlib" },
    );
    expect(outcome).toMatchObject({
      status: "solved",
      reason: null,
      answer: "It is 4.",
      language: "smtlib",
      model: smt,
      values: { "the number": 4 },
      verdict: { word: "sat", tool: "solve_smtlib" },
      statistics: {
        steps: 2,
        repairs: 0,
        tools: { solve_smtlib: { calls: 1, faults: 0 } },
        tokens: { agent: { input: 200, output: 20 } },
      },
    });
  });
});
