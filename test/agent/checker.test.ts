import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentBench, ask, type Call, type Turn } from "../support/agent.ts";
import { removeDirectory } from "../support/directories.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { privatePython } from "../support/python.ts";

const question = "Find an integer x from 1 to 9. It is even. It is larger than 3.";
const model = (more = "") => `x = Int('x')\ns = Solver()\ns.add(x >= 1, x <= 9, x > 3${more})\ns.check()`;
const solve = (text: string): Call => ["solve", { model: text }];
const wrong = solve(model(", x == 5"));
const right = solve(model(", x % 2 == 0"));
const answer: Call = ["answer", { verdict: "sat", answer: "Found." }];
const correct: Turn[] = [[right], [["review", { result: "correct", reasons: ["tested"] }]]];
const written = (body: string): Call => ["checker", { checker: `def violations(values, data):\n${body}` }];
const even = written(
  '    if values["x"] % 2: yield f"It is even: x is {values[\'x\']}"\n    if values["x"] <= 3: yield "larger"',
);

describe.runIf(has_python)("the checker that is written from the question", () => {
  const bench = fixture(async () => agentBench({ VERDICT_DATA: (await privatePython()).data }));
  const asking = (agent: Turn[], checker: Turn[], options: object = {}, reviewer = correct) =>
    ask(question, { agent, checker, reviewer }, { open: bench.open, language: "z3", ...options });
  const promptOf = (mock: { doGenerateCalls: { prompt: unknown }[] }, at: number) =>
    JSON.stringify(mock.doGenerateCalls[at]?.prompt);

  it("sends a wrong model back, is used again, and passes the corrected one", async () => {
    const { outcome, mocks, events } = await asking([[wrong], [answer], [right], [answer]], [[even]]);
    expect(outcome).toMatchObject({
      ...{ status: "solved", checker: { status: "passed", violations: [] }, review: { result: "correct" } },
      statistics: { tokens: { checker: { output: 10 } } },
    });
    expect(promptOf(mocks.agent, 2)).toContain("It is even: x is 5");
    const checks = events.flatMap((event) => (event.kind === "checker" ? [event.status] : []));
    expect(checks).toEqual(["violated", "passed"]);
    // Its author sees the question and the form of the values: no model, and nothing of how it came about.
    expect(promptOf(mocks.checker, 0)).toContain('{\\\\\\"x\\\\\\":5}'.replaceAll("\\\\\\", "\\"));
    expect(promptOf(mocks.checker, 0)).not.toContain("s.add");
  });

  it("leaves a dispute if the violations remain, which the reviewer sees", async () => {
    const { outcome, mocks } = await asking([[wrong], [answer]], [[even]], { reviews: 1 });
    expect(outcome).toMatchObject({
      ...{ status: "disputed", verdict: { word: "sat" }, values: { x: 5 } },
      checker: { status: "violated", violations: ["It is even: x is 5"] },
      reason: expect.stringContaining("rules of a checker"),
    });
    expect(mocks.agent.doGenerateCalls).toHaveLength(3);
    expect(promptOf(mocks.reviewer, 0)).toContain("It is even: x is 5");
  });

  it("is corrected by its author if it fails, and its failure is not a verdict about the answer", async () => {
    const raises = written('    yield values["y"]');
    const corrected = await asking([[right], [answer]], [[raises], [even]]);
    expect(promptOf(corrected.mocks.checker, 1)).toContain("KeyError");
    expect(corrected.outcome).toMatchObject({ status: "solved", checker: { status: "passed" } });
    const never = await asking([[right], [answer]], [[raises]]);
    expect(never.outcome).toMatchObject({ status: "solved", checker: { status: "failed" } });
    expect(never.outcome.checker?.reason).toContain("KeyError");
    expect(never.mocks.checker.doGenerateCalls).toHaveLength(3);
    const none = await asking([[right], [answer]], ["I write no checker."]);
    expect(none.outcome).toMatchObject({ status: "solved", checker: { status: "failed", text: null } });
  });

  it("judges the values of the answer, also if the same model gives others without a plan to keep", async () => {
    const kept: Call = ["solve", { model: model(), keep: { x: 7 } }];
    const seven = written('    if values["x"] == 7: yield "is 7"');
    const { outcome } = await asking([[kept], [answer]], [[seven]], { reviews: 0 });
    expect(outcome).toMatchObject({ values: { x: 7 }, checker: { status: "violated", violations: ["is 7"] } });
  });

  it("reads the data files by the names that the model has, and takes the place of the agent's own checker", async () => {
    const directory = mkdtempSync(join(tmpdir(), "verdict-checker-"));
    try {
      const path = join(directory, "staff.csv");
      writeFileSync(path, "name,hours\nAnna,38\nBen,20\n");
      const { inProcessServer } = await import("../../src/commands/ask.ts");
      const { readConfig } = await import("../../src/config.ts");
      const { Engines } = await import("../../src/engines/index.ts");
      const config = readConfig({}, { ...process.env, VERDICT_DATA: (await privatePython()).data });
      const engines = new Engines(config);
      const open = inProcessServer(config, engines, [path]);
      const own = 'def violations(values, data):\n    if not values["pick"]: yield "nobody"';
      const items: Call[] = [
        ["add_item", { item: "1 { pick(N) : staff(N,_) } 1. #minimize { H : pick(N), staff(N,H) }. #show pick/1." }],
        ["add_item", { item: own }],
        ["solve_model", { data_files: ["staff.csv"] }],
      ];
      const most = written(
        '    best = max(data["staff"], key=lambda row: row["hours"])["name"]\n    if values["pick"] != [[best]]: yield f"not {best}"',
      );
      const optimal: Call = ["answer", { verdict: "optimal", answer: "Ben." }];
      const { outcome, mocks } = await ask(
        "Who works most?",
        { agent: [items, [optimal]], checker: [[most]], reviewer: correct },
        { open, language: "asp", reviews: 0, data_files: [path] },
      );
      engines.close();
      expect(outcome).toMatchObject({ status: "disputed", checker: { status: "violated" } });
      expect(outcome.checker?.violations.join()).toMatch(/^not Anna/);
      expect(promptOf(mocks.checker, 0)).toContain("hours");
    } finally {
      removeDirectory(directory);
    }
  });

  it("is not asked for without values, and spends no more than the question may", async () => {
    const unsat: Call = ["answer", { verdict: "unsat", answer: "None." }];
    const none = await asking([[solve(model(", x > 9"))], [unsat]], [[even]]);
    expect([none.outcome.checker, none.mocks.checker.doGenerateCalls.length]).toEqual([null, 0]);
    const slow = await asking([[right], [answer]], ["never"], { timeout_ms: 15_000 });
    expect(slow.outcome).toMatchObject({ status: "solved", checker: { status: "failed" } });
    expect(slow.outcome.checker?.reason).toContain("time");
  });
});
