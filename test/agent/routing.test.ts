import { afterAll, describe, expect, it } from "vitest";
import { agentBench, ask, type Call } from "../support/agent.ts";

const route = (language: string): Call => ["route", { language, why: "it suits" }];
const smt: Call = ["solve_smtlib", { smtlib: "(declare-const x Int)(assert (= x 4))(check-sat)" }];
const answer: Call = ["answer", { verdict: "sat", answer: "It is 4." }];

describe("the choice of a language", () => {
  const bench = agentBench();
  afterAll(() => bench.close());

  it("is the model's, with a reason", async () => {
    const { outcome } = await ask(
      "?",
      { router: [[route("smtlib")]], agent: [[smt], [answer]] },
      { ...bench, language: "auto" },
    );
    expect(outcome).toMatchObject({ status: "solved", language: "smtlib", language_why: "it suits" });
  });

  it("changes once when the first attempt decides nothing", async () => {
    const models = { router: [[route("z3")], [route("z3")], [route("smtlib")]], agent: ["?", "?", [smt], [answer]] };
    const { outcome, events } = await ask("?", models, { ...bench, language: "auto" });
    expect(outcome).toMatchObject({ status: "solved", language: "smtlib" });
    expect(events.filter(({ kind }) => kind === "route")).toHaveLength(2);
    const lost = await ask(
      "?",
      { router: [[route("z3")], [route("smtlib")]], agent: ["?"] },
      { ...bench, language: "auto" },
    );
    expect(lost.outcome.status).toBe("undecided");
    expect(lost.events.filter(({ kind }) => kind === "route")).toHaveLength(2);
  });

  it("has a default where the model names none", async () => {
    const { outcome } = await ask("?", { router: ["hm"], agent: ["?"] }, { ...bench, language: "auto" });
    expect(outcome).toMatchObject({ status: "undecided", language: "z3" });
  });

  it("does not change where the user chose", async () => {
    const { outcome, mocks } = await ask("?", { agent: ["?"] }, { ...bench, language: "smtlib" });
    expect(outcome).toMatchObject({ status: "undecided", language: "smtlib" });
    expect(mocks.router.doGenerateCalls).toHaveLength(0);
  });
});
