import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { construct_terms } from "../../src/prover/python/construct_names.ts";

it("has one list of names for constructs of Python, in the prover and in the exploration", () => {
  const text = readFileSync("python/verdict_runner/symbolic/code/construct_names.py", "utf8");
  const [, list = ""] = /^TERMS = \{\n([\s\S]*?)^\}/m.exec(text) ?? [];
  const terms = [...list.matchAll(/^ {4}"(\w+)": "(.+)",$/gm)].map(([, kind, term]) => [kind, term]);
  expect(terms.length).toBeGreaterThan(50);
  expect(Object.fromEntries(terms)).toEqual(construct_terms);
});
