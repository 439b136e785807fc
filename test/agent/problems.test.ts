import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { answerQuestion } from "../../src/agent/ask.ts";
import { judge } from "../../src/agent/bench/check.ts";
import { readProblems } from "../../src/agent/bench/problem.ts";
import { languages } from "../../src/agent/languages.ts";
import { agent_limits } from "../../src/agent/limits.ts";
import { openModels } from "../../src/agent/models/open.ts";
import { readConfig, readModelSettings } from "../../src/config.ts";
import { Children } from "../../src/kernel/process/child.ts";
import { agentBench } from "../support/agent.ts";
import { privatePython } from "../support/python.ts";

const problems = await readProblems("problems", undefined);
const { data, python } = await privatePython("cp");

describe("the problems for the agent", () => {
  it("are thirty, over all languages and three sizes", () => {
    expect(problems).toHaveLength(30);
    expect(new Set(problems.map(({ language }) => language))).toEqual(new Set(languages));
    for (const size of ["small", "medium", "large"])
      expect(problems.filter((each) => each.size === size).length).toBeGreaterThan(5);
  });

  it("have checkers that know nothing of Verdict", () => {
    for (const { checker } of problems)
      expect(readFileSync(checker, "utf8")).not.toMatch(/verdict-mcp|src\/|z3|minizinc/);
  });
});

describe("a hand-written conversation", () => {
  const bench = agentBench({ VERDICT_DATA: data });
  const config = readConfig({});
  const children = new Children(config.child_environment, process.cwd());
  const { signal } = new AbortController();
  afterAll(() => {
    bench.close();
    children.stopAll();
  });
  /** One problem of each language is reviewed as well. */
  const reviewed = languages.map((language) => problems.find((problem) => problem.language === language)?.name);

  it.each(problems)("solves $name to the end, and its checker agrees", async ({ name, language, text, checker }) => {
    const settings = readModelSettings({ model: `scripted:test/fixtures/conversations/${name}.json` }, {});
    const outcome = await answerQuestion({
      text,
      language,
      models: await openModels({ model: settings.model }, settings),
      reviews: reviewed.includes(name) ? 0 : undefined,
      steps_max: agent_limits.steps_default,
      tokens_max: agent_limits.tokens_default,
      timeout_ms: 230_000,
      open: bench.open,
      signal,
      emit: () => {},
    });
    expect(outcome).toMatchObject({ status: "solved", language });
    expect(outcome.model).not.toBeNull();
    if (reviewed.includes(name)) expect(outcome.review).toMatchObject({ result: "correct" });
    const judged = await judge(checker, outcome, { children, python, signal });
    expect(judged).toMatchObject({ valid: true });
    expect(judged.optimal).not.toBe(false);
    const wrong = [
      { ...outcome, values: changed(outcome.values) },
      { verdict: null, values: {} },
    ];
    for (const answer of Object.keys(outcome.values).length > 0 && readFileSync(checker, "utf8").includes("values")
      ? wrong
      : wrong.slice(1))
      expect(await judge(checker, answer, { children, python, signal })).toMatchObject({ valid: false });
  });
});

/** The values with the first number or text of them changed. */
function changed(values: unknown): Record<string, unknown> {
  let is_done = false;
  const change = (value: unknown): unknown => {
    if (is_done) return value;
    if (typeof value === "object" && value !== null) {
      const entries = Object.entries(value).map(([name, part]) => [name, change(part)] as const);
      return Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries);
    }
    is_done = true;
    if (typeof value === "number") return value + 1001;
    return typeof value === "boolean" ? !value : `${value}x`;
  };
  const result = change(values);
  return typeof result === "object" && result !== null ? { ...result } : {};
}
