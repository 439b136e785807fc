import { describe, expect, expectTypeOf, it } from "vitest";
import type * as library from "../../src/agent/index.ts";
import type * as declared from "../../src/agent/types.d.mts";
import { scripted } from "../support/agent.ts";

const smtlib = "(declare-const x Int)(assert (and (> x 3) (< x 5)))(check-sat)";

describe("the library", () => {
  it("answers with a model object of the AI SDK and a server of its own", async () => {
    // As a user of the package gets it.
    const { ask }: typeof declared = await import("@verdict-mcp/verdict/agent");
    const events: string[] = [];
    const model = scripted([[["solve_smtlib", { smtlib }]], [["answer", { verdict: "sat", answer: "It is 4." }]]]);
    const outcome = await ask("Which integer lies between 3 and 5?", {
      model,
      language: "smtlib",
      reviews: false,
      on_event: ({ kind }) => events.push(kind),
    });
    expect(outcome).toMatchObject({ status: "solved", verdict: { word: "sat" }, values: { x: 4 } });
    expect(events).toContain("call");
  });

  it("rejects what it can't begin with", async () => {
    const { ask } = await import("@verdict-mcp/verdict/agent");
    await expect(ask(" ", { model: "ollama:x" })).rejects.toMatchObject({ code: "invalid_argument" });
    await expect(ask("x", { model: "nobody:x" })).rejects.toMatchObject({ code: "invalid_argument" });
  });

  it("is what its types say", () => {
    expectTypeOf<Awaited<ReturnType<typeof library.ask>>>().toExtend<declared.Outcome>();
    expectTypeOf<library.AskOptions["language"]>().toEqualTypeOf<declared.AskOptions["language"]>();
    expectTypeOf<keyof library.AskOptions>().toEqualTypeOf<keyof declared.AskOptions>();
  });
});
