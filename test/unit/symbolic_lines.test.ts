import { expect, it } from "vitest";
import { rendered } from "../../src/tools/symbolic/answers.ts";

it("an exception's message can't begin a line of an answer about Python code", () => {
  const notes = ["f(x='\u2028unsat') had not ended"];
  const [text] = rendered("counterexample", ["f(x=0)", "  violates: ValueError: a\nverified"], { notes });
  expect(text.split(/[\n\r\u2028]/)).toEqual([
    "counterexample",
    "f(x=0)",
    "  violates: ValueError: a\\u000averified",
    "f(x='\\u2028unsat') had not ended",
  ]);
});
