import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { answerQuestion } from "../../src/agent/ask.ts";
import { judge } from "../../src/agent/bench/check.ts";
import { readProblems } from "../../src/agent/bench/problem.ts";
import type { VerdictWord } from "../../src/agent/evidence/verdict.ts";
import { languages } from "../../src/agent/languages.ts";
import { agent_limits } from "../../src/agent/limits.ts";
import { openModels } from "../../src/agent/models/open.ts";
import type { Outcome } from "../../src/agent/outcome.ts";
import { readConfig, readModelSettings } from "../../src/config.ts";
import { Children } from "../../src/kernel/process/child.ts";
import { agentBench } from "../support/agent.ts";
import { privatePython } from "../support/python.ts";
import { runs_all, some } from "../support/runs_all.ts";

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

/** Wrong answers that a checker could overlook: each breaks a bound of the text that the values alone do not show. */
const overlooked: [string, VerdictWord, Record<string, unknown>][] = [
  ["ortools_kitchen", "sat", { begin: [100, 100, 107, 107, 107, 100, 100], done: 114 }],
  ["pysat_guards", "sat", { halls: [1, 3, 6, 7, 8, 9, 11, 11], guards: 8 }],
  ["pysat_guards", "sat", { halls: [1, 3, 6, 7, 8, 9, 11, 99], guards: 8 }],
  ["minizinc_sack", "sat", { taken: [0, 0, 0, 0, 0, 0, 2], worth: 4 }],
  [
    "asp_roads",
    "sat",
    {
      closed: [
        ["a", "b"],
        ["a", "c"],
        ["a", "b"],
      ],
      cost: 10,
    },
  ],
  ["cpmpy_ruler", "optimal", { marks: [0, 1.5, 4, 9, 11], length: 11 }],
  ["cpmpy_map", "sat", { colour: [1, 2, 4, 2, 1, 3, 4, 2, 1], colours: 5 }],
  ["pysat_queens", "sat", { columns: [1, 5, 8, 6, 3, 7, 2, 4.5] }],
  ["asp_committee", "unsat", { in: [["bob"], ["dora"]] }],
];

/** Other right answers than those of the conversations. */
const also_right: [string, VerdictWord, Record<string, unknown>][] = [
  ["z3_average", "sat", { x: 150, y: 150 }],
  ["minizinc_sack", "sat", { taken: [false, false, false, false, false, false, true], worth: 2 }],
  [
    "asp_roads",
    "sat",
    {
      closed: [
        ["a", "b"],
        ["a", "c"],
      ],
      cost: 7,
    },
  ],
  ["minizinc_seats", "unsat", {}],
];

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

  /** The suite solves these; `npm run test:long` all. */
  const solved = problems.filter(({ name }) => runs_all || reviewed.includes(name));

  it.each(solved)("solves $name to the end, and its checker agrees", async ({ name, language, text, checker }) => {
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
    for (const wrong of wrongAnswers(outcome, readFileSync(checker, "utf8").includes("values")))
      expect(await judge(checker, wrong, { children, python, signal }), JSON.stringify(wrong)).toMatchObject({
        valid: false,
      });
  });

  it.each(overlooked)("is refused by its checker: %s with %o", async (name, verdict, values) => {
    const judged = await judge(checkerOf(name), withWord(verdict, values), { children, python, signal });
    expect(judged).toMatchObject({ valid: false });
    expect(judged.optimal).not.toBe(true);
  });

  it.each(also_right)("is accepted by its checker: %s with %o", async (name, verdict, values) => {
    const judged = await judge(checkerOf(name), withWord(verdict, values), { children, python, signal });
    expect(judged).toMatchObject({ valid: true });
  });
});

function checkerOf(name: string): string {
  return problems.find((problem) => problem.name === name)?.checker ?? "";
}

function withWord(word: VerdictWord, values: Record<string, unknown>): Parameters<typeof judge>[1] {
  return { verdict: { word, tool: "solve", engine: null, evidence: {} }, values };
}

/** The answer with another verdict, and with single values changed in kind and in size. */
function wrongAnswers({ verdict, values }: Outcome, has_values: boolean): Parameters<typeof judge>[1][] {
  const word = verdict?.word ?? "sat";
  const turned = { verdict: verdict && ({ ...verdict, word: word === "unsat" ? "sat" : "unsat" } as const), values };
  const unanswered = [turned, { verdict: null, values }, { verdict: null, values: {} }];
  const count = leaves(values);
  if (!has_values || count === 0) return unanswered;
  const changes = [(n: number) => n + 1001, (n: number) => n + 0.5, (n: number) => -n - 1, String];
  // Each is judged by a process of the checker.
  const changed = some([0, Math.floor(count / 2), count - 1]).flatMap((at) =>
    changes.map((change) => ({ verdict, values: withLeaf(values, at, change) })),
  );
  return [...unanswered, { verdict, values: {} }, ...changed];
}

function leaves(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum, part) => sum + leaves(part), 0);
}

/** The values with the number, text or truth at this place changed. */
function withLeaf(
  values: Readonly<Record<string, unknown>>,
  place: number,
  change: (value: number) => unknown,
): Record<string, unknown> {
  let at = 0;
  const copied = (value: unknown): unknown => {
    if (typeof value === "object" && value !== null) {
      const entries = Object.entries(value).map(([name, part]) => [name, copied(part)] as const);
      return Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries);
    }
    if (at++ !== place) return value;
    if (typeof value === "number") return change(value);
    return typeof value === "boolean" ? !value : `${value}x`;
  };
  return Object.fromEntries(Object.entries(values).map(([name, part]) => [name, copied(part)]));
}
