import { describe, expect, it } from "vitest";
import { onlyOffered } from "../../src/tools/offered.ts";
import { connect } from "../support/client.ts";
import { fixture } from "../support/fixture.ts";

describe("a server for one language", () => {
  const server = fixture(() => connect({ args: ["--language", "asp"] }));

  it("gives its guide for the prompt without an argument", async () => {
    const { messages } = await server.client.getPrompt({ name: "instructions" });
    expect(JSON.stringify(messages)).toContain("clingo");
    const { prompts } = await server.client.listPrompts();
    const language = prompts.find(({ name }) => name === "instructions")?.arguments?.[0];
    expect(language).toMatchObject({ name: "language", required: false });
  });

  it("names no other language in its guide and prompts", async () => {
    const asked = [
      { name: "instructions" },
      { name: "solve_problem", arguments: { problem: "p" } },
      { name: "review_solution", arguments: { problem: "p", model: "m", solution: "s" } },
    ];
    const texts = await Promise.all(asked.map(async (each) => JSON.stringify(await server.client.getPrompt(each))));
    for (const text of texts) expect(text).not.toMatch(/minizinc|z3|pysat|cpmpy|ortools/i);
    expect(texts[1]).toContain('Use the language \\"asp\\"');
    expect(texts[2]).toContain("#minimize");
  });

  it("sends no text of another language to a tool that can't read it", async () => {
    const smtlib = "var 1..3: x;\nconstraint x > 2;\nsolve satisfy;";
    const { structuredContent } = await server.client.callTool({ name: "solve_smtlib", arguments: { smtlib } });
    expect(JSON.stringify(structuredContent)).toMatch(/looks like MiniZinc/);
    expect(JSON.stringify(structuredContent)).not.toMatch(/language.{1,6}minizinc/);
  });

  it("lists only the options that this language takes", async () => {
    const { tools } = await server.client.listTools();
    for (const name of ["solve", "solve_model"]) {
      const options = Object.keys(tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {});
      expect(options).toEqual(expect.arrayContaining(["data", "data_files", "max_models", "reasoning"]));
      for (const other of ["language", "solver", "max_solutions"]) expect(options).not.toContain(other);
    }
  });

  it("advises none of the languages that it does not have", async () => {
    const call = async (args: Record<string, unknown>) => {
      const { structuredContent, content } = await server.client.callTool({ name: "solve", arguments: args });
      return JSON.stringify([structuredContent, content]);
    };
    const checked = await call({ model: "a. :- a.", check: true });
    expect(checked).toContain("clingo is the only engine here");
    expect(checked).not.toContain("minizinc");
    const large = await call({ model: "p(99999999999)." });
    expect(large).toContain("scale the numbers");
    expect(large).not.toMatch(/minizinc|z3/);
  });
});

describe("advice", () => {
  const text =
    "Raise timeout_ms, or make the model easier, or state it in the language minizinc with solver highs, or in the language cpmpy (schedules).";

  it.each([
    [text, ["minizinc"], "Raise timeout_ms, or make the model easier, or in the language cpmpy (schedules)."],
    [text, ["minizinc", "cpmpy"], "Raise timeout_ms, or make the model easier."],
    [text, ["pysat"], text],
    ["send the whole script to solve_smtlib", ["smtlib"], ""],
    ["The text shows the language z3, which is used. Nothing else.", ["z3"], "Nothing else."],
    ["language was left out; minizinc reads it", ["minizinc"], "language was left out; minizinc reads it"],
  ])("keeps the alternatives that are there: %s", (whole, missing, kept) => {
    expect(onlyOffered(whole, missing)).toBe(kept);
  });
});

describe("the range of a time limit", () => {
  it.each([
    [{}, "1-86400000"],
    [{ VERDICT_HANDOVER_MS: "0" }, "1-600000"],
  ])("is stated as it is checked and listed: %j", async (env, range) => {
    const server = await connect({ env });
    const ask = async (timeout_ms: unknown) => {
      const answer = await server.client.callTool({
        name: "solve_smtlib",
        arguments: { smtlib: "(check-sat)", timeout_ms },
      });
      return JSON.stringify(answer.structuredContent);
    };
    const max = Number(range.slice(2));
    for (const wrong of [0, -5, "30s", max + 1]) expect(await ask(wrong)).toContain(`must be ${range} (milliseconds)`);
    expect(await ask(max)).toContain('"status":"sat"');
    const { tools } = await server.client.listTools();
    expect(tools.find(({ name }) => name === "solve_smtlib")?.inputSchema.properties?.["timeout_ms"]).toMatchObject({
      maximum: max,
    });
    const symbolic = await server.client.callTool({
      name: "symbolic_check",
      arguments: { code: "def f(x: int) -> int:\n    return x", function_name: "f", timeout_seconds: 0 },
    });
    expect(JSON.stringify(symbolic.structuredContent)).toContain(`must be 1-${max / 1000} (whole seconds)`);
    await server.close();
  });
});
