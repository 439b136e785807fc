import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Deadline } from "../../src/kernel/deadline.ts";
import { lean_limits } from "../../src/tools/lean/limits.ts";
import { judge, type Outcome } from "../../src/tools/lean/outcome.ts";
import { drive } from "../../src/tools/lean/search/drive.ts";
import {
  adjusted,
  beginSearch,
  countsOf,
  nextNode,
  offer,
  reject,
  report,
  type Search,
  scriptOf,
} from "../../src/tools/lean/search/search.ts";
import { SearchStore } from "../../src/tools/lean/search/search_store.ts";
import { scratchDirectory } from "../support/directories.ts";
import { faultOf } from "../support/faults.ts";
import {
  allTactics,
  type Formula,
  isValid,
  multiAttempt,
  parseState,
  runScript,
  showGoal,
  ToyChecker,
} from "../support/toy_checker.ts";

const exhausted = { kind: "undecided", cause: "incomplete" };
const budget_spent = { kind: "undecided", cause: "interrupted" };
const budget = { nodes_max: 100, depth_max: 20, depth_reward: 0 };
const job = (left_ms = 120_000) => new Deadline(left_ms);
const progress = (tactic: string, state: string): Outcome => ({
  tactic,
  verdict: "progress",
  state,
  goals: 1,
  message: null,
});
const failed = (tactic: string): Outcome => ({ tactic, verdict: "failed", state: null, goals: 0, message: "no" });
const proved = (tactic: string): Outcome => ({ tactic, verdict: "proved", state: null, goals: 0, message: null });

/** A search whose root led to these states, with these scores. */
function afterRoot(children: Record<string, number>, more: Partial<typeof budget> = {}): Search {
  const begun = beginSearch("⊢ root", { ...budget, ...more });
  const offers = Object.entries(children).map(([state, score]) => ({ tactic: `to ${state}`, score }));
  return report(
    offer(begun, 0, offers),
    Object.keys(children).map((state) => progress(`to ${state}`, state)),
  );
}

const stateOf = (search: Search, node: ReturnType<typeof nextNode>) =>
  typeof node === "number" ? search.nodes[node]?.state : node;

describe("a best-first search", () => {
  it("goes on with the likeliest state, whatever came first", () => {
    const search = afterRoot({ "⊢ a": -2, "⊢ b": -0.5, "⊢ c": -1 });
    expect(stateOf(search, nextNode(search))).toBe("⊢ b");
  });

  it("counts a long way less, the more depth is rewarded", () => {
    const second = (depth_reward: number) => {
      const search = afterRoot({ "⊢ a": -1, "⊢ b": -1.5 }, { depth_reward });
      const deeper = report(offer(search, 1, [{ tactic: "t", score: -1 }]), [progress("t", "⊢ a'")]);
      return stateOf(deeper, nextNode(deeper));
    };
    // -2 after two steps against -1.5 after one: by the sum b, by the mean a'.
    expect(second(0)).toBe("⊢ b");
    expect(second(1)).toBe("⊢ a'");
  });

  it("knows a state again, and keeps the shortest way to it", () => {
    const search = afterRoot({ "⊢ a": -1, "⊢ b": -1 });
    const again = report(offer(search, 1, [{ tactic: "back", score: -1 }]), [progress("back", "⊢ b")]);
    expect(countsOf(again)).toMatchObject({ nodes: 3, open: 1 });
    expect(scriptOf(again, 2)).toEqual(["to ⊢ b"]);
    const circle = report(offer(again, 2, [{ tactic: "round", score: -1 }]), [progress("round", "⊢ root")]);
    expect(nextNode(circle)).toMatchObject(exhausted);
  });

  it("marks as failed what leads nowhere, and its parents with it", () => {
    const search = afterRoot({ "⊢ a": -1 });
    const dead = report(offer(search, 1, [{ tactic: "t", score: -1 }]), [failed("t")]);
    expect(countsOf(dead)).toEqual({ nodes: 2, open: 0, failed: 2, expanded: 2 });
    expect(nextNode(dead)).toMatchObject(exhausted);
    expect(countsOf(offer(search, 1, []))).toMatchObject({ failed: 2 });
  });

  it("finds the proof with its whole script, and goes on when that did not hold", () => {
    const search = afterRoot({ "⊢ a": -1 });
    const offered = offer(search, 1, [
      { tactic: "closes", score: -1 },
      { tactic: "proves", score: -3 },
    ]);
    const closes: Outcome = { verdict: "closed", tactic: "closes", state: null, goals: 0, message: null };
    const done = report(offered, [closes, proved("proves")]);
    expect(done.ends[0]).toEqual({ script: ["to ⊢ a", "proves"], confirmed: true });
    // An attempt that only looked complete may still be complete.
    const on = reject(done);
    expect(on.ends).toEqual([{ script: ["to ⊢ a", "closes"], confirmed: false }]);
    expect(reject(on).ends).toEqual([]);
  });

  it("keeps the tactics that nobody reported on, so that none is lost", () => {
    const [first, second] = [
      { tactic: "one", score: -1 },
      { tactic: "two", score: -2 },
    ];
    const half = report(offer(beginSearch("⊢ root"), 0, [first, second]), [progress("one", "⊢ a")]);
    expect(half.current).toEqual({ node: 0, offers: [second] });
    const whole = report(half, [failed("two")]);
    expect(whole.current).toBeNull();
    expect(stateOf(whole, nextNode(whole))).toBe("⊢ a");
  });

  it("goes on by what it was begun with, unless that is given anew", () => {
    const begun = beginSearch("⊢ root", { nodes_max: 7, temperature: 1.3 });
    expect(adjusted(begun, {})).toEqual(begun);
    expect(adjusted(begun, { nodes_max: 9, seed: 4 })).toEqual({
      ...begun,
      budget: { ...begun.budget, nodes_max: 9 },
      order: { ...begun.order, seed: 4 },
    });
  });

  it("ends with its budget of expansions and of depth, which is not an answer", () => {
    expect(nextNode(afterRoot({ "⊢ a": -1 }, { nodes_max: 1 }))).toMatchObject(budget_spent);
    expect(nextNode(afterRoot({ "⊢ a": -1 }, { depth_max: 1 }))).toMatchObject(budget_spent);
    // A search is a file that is read and written with each step.
    expect(nextNode(beginSearch(`⊢ ${"x".repeat(lean_limits.search_chars_max)}`))).toMatchObject(budget_spent);
  });
});

describe("a search with the toy checker", () => {
  const search = (state: string, more: Partial<typeof budget> = {}) => {
    const checker = new ToyChecker(state);
    const draw = async (at: string) => allTactics(at);
    return drive(beginSearch(state, { ...budget, ...more }), { checker, draw, onStep: async () => {} }, job());
  };

  it.each([
    ["⊢ p → q → p", 3],
    ["⊢ p ∧ q → q ∧ p", 5],
    ["⊢ (p → q) → (q → r) → p → r", 6],
    ["⊢ p ∨ q → q ∨ p", 6],
  ])("proves %s", async (state, lines_max) => {
    const { verdict, search: done } = await search(state, { nodes_max: 2000 });
    expect(verdict).toEqual({ kind: "proven", proof: { script: done.ends[0]?.script } });
    expect(done.ends[0]?.script.length).toBeLessThanOrEqual(lines_max);
  });

  it.each(["⊢ p", "⊢ p → q", "⊢ p ∨ q → p ∧ q"])("proves nothing of %s, which does not hold", async (state) => {
    expect((await search(state)).verdict).toMatchObject(exhausted);
  });

  it("never accepts a report that does not survive the replay", async () => {
    class Liar extends ToyChecker {
      override async attempt(_: readonly string[], tactics: readonly string[]) {
        return tactics.map((snippet) => ({ snippet, goals: [], proof_status: "Completed" }));
      }
    }
    const checker = new Liar("⊢ p");
    const draw = async (at: string) => allTactics(at);
    const { verdict, search: done } = await drive(
      beginSearch("⊢ p", budget),
      { checker, draw, onStep: async () => {} },
      job(),
    );
    expect(verdict).toMatchObject(exhausted);
    expect(done.ends).toEqual([]);
  });

  it("says that time ran out, and keeps what it has", async () => {
    const checker = new ToyChecker("⊢ p ∧ q → q");
    const draw = async (at: string) => allTactics(at);
    const begun = beginSearch(checker.root, budget);
    const { verdict } = await drive(begun, { checker, draw, onStep: async () => {} }, job(0));
    expect(verdict).toMatchObject({ kind: "undecided", cause: "time" });
  });

  const { formula } = fc.letrec<{ formula: Formula }>((tie) => ({
    formula: fc.oneof(
      { maxDepth: 2 },
      fc.constantFrom<Formula>("p", "q", "r"),
      fc.record({ op: fc.constantFrom("→", "∧", "∨"), left: tie("formula"), right: tie("formula") }),
    ),
  }));

  it("gives scripts that hold as a whole, whatever part of its tactics is reported, in whatever order", () => {
    let scripts = 0;
    const choices = fc.array(fc.nat({ max: 9 }), { minLength: 20, maxLength: 20 });
    fc.assert(
      fc.property(formula, choices, (goal, chosen) => {
        const root = showGoal({ hypotheses: [], goal });
        let search = beginSearch(root, { nodes_max: 20 });
        for (let step = 0; step < 200; step++) {
          const [end] = search.ends;
          if (end) {
            scripts++;
            expect(runScript(root, end.script.join("\n"))).toEqual({ goals: [] });
            search = reject(search);
          } else if (search.current) {
            const { node, offers } = search.current;
            const [way, state] = [scriptOf(search, node), search.nodes[node]?.state ?? ""];
            const some = offers.filter((_, at) => (chosen[(step + at) % chosen.length] ?? 0) > 3).reverse();
            // Nothing was tried at all: all is tried, the first one twice.
            const tried = some.length > 0 ? some : [...offers, ...offers.slice(0, 1)];
            const { items } = multiAttempt(
              root,
              tried.map(({ tactic }) => [...way, tactic].join("\n")),
            );
            const outcomes = items.map((item, at) => ({ ...judge(item, state), tactic: tried[at]?.tactic ?? "" }));
            search = report(search, outcomes);
          } else {
            const node = nextNode(search);
            if (typeof node !== "number") break;
            const scored = allTactics(search.nodes[node]?.state ?? "").map(({ tactic }, at) => {
              return { tactic, score: -(chosen[at % chosen.length] ?? 0) };
            });
            search = offer(search, node, scored);
          }
        }
        expect(search.ends).toEqual([]);
      }),
      { numRuns: 200, seed: 1 },
    );
    expect(scripts).toBeGreaterThan(10);
  });

  it("proves only what holds in every valuation", async () => {
    let proofs = 0;
    await fc.assert(
      fc.asyncProperty(formula, async (goal) => {
        const state = showGoal({ hypotheses: [], goal });
        expect(showGoal(parseState(state)[0] ?? { hypotheses: [], goal: "" })).toBe(state);
        const { verdict } = await search(state, { nodes_max: 30 });
        if (verdict.kind === "proven") proofs++;
        expect(verdict.kind !== "proven" || isValid({ hypotheses: [], goal })).toBe(true);
      }),
      { numRuns: 100, seed: 1 },
    );
    expect(proofs).toBeGreaterThan(3);
  });
});

describe("searches in files", () => {
  const directory = scratchDirectory();

  it("are there for another server, and others are refused by name", async () => {
    const search = afterRoot({ "⊢ a": -1 });
    await new SearchStore(directory).write(search);
    expect(await new SearchStore(directory).read(search.search_id)).toEqual(search);
    for (const id of ["000000000000", "../outcomes", ""])
      expect(await faultOf(new SearchStore(directory).read(id))).toMatchObject({ code: "invalid_input" });
  });

  it("are the last ones that somebody went on with", async () => {
    const store = new SearchStore(directory);
    const [oldest, newest] = [afterRoot({ "⊢ a": -1 }), afterRoot({ "⊢ b": -1 })];
    await store.write(oldest);
    utimesSync(join(directory, "lean", "searches", `${oldest.search_id}.json`), 1, 1);
    for (let i = 0; i < lean_limits.searches_max - 1; i++) await store.write(afterRoot({ "⊢ a": -1 }));
    await store.write(newest);
    expect(await store.read(newest.search_id)).toEqual(newest);
    expect((await faultOf(store.read(oldest.search_id))).error).toContain("There is no search");
    expect(readdirSync(join(directory, "lean", "searches"))).toHaveLength(lean_limits.searches_max);
  });
});
