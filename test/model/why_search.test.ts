import { describe, expect, it } from "vitest";
import { Deadline } from "../../src/kernel/deadline.ts";
import { cancelled, Fault } from "../../src/kernel/fault.ts";
import { whyAnswer, whyLines } from "../../src/tools/model/why/answer.ts";
import { type Explanation, explain, type WhyQuestion } from "../../src/tools/model/why/explain.ts";
import { expectTrue, maskOf, minimalCorrections, sizeOf } from "../support/brute_why.ts";
import { Chance } from "../support/chance.ts";

const places = (count: number) =>
  [...Array(count).keys()].map((item) => ({ place: { item, line: 1, text: `part ${item}` } }));

/** Random clauses over a few variables: each part is one or two of them. */
function randomParts(random: () => number, count: number) {
  const below = (n: number) => Math.floor(random() * n);
  const clause = () => [...Array(1 + below(3))].map(() => ({ variable: below(4), is_true: random() < 0.5 }));
  const parts = [...Array(count)].map(() => [...Array(1 + below(2))].map(clause));
  const isTrue = (clauses: ReturnType<typeof clause>[], values: number) =>
    clauses.every((each) => each.some(({ variable, is_true }) => Boolean(values & (1 << variable)) === is_true));
  const sat = [...Array(1 << count).keys()].map((kept) =>
    [...Array(16).keys()].some((values) => parts.every((part, i) => !(kept & (1 << i)) || isTrue(part, values))),
  );
  return (kept: number) => sat[kept] === true;
}

function claimsIn(found: Explanation) {
  if (found === "refuted") throw new Error("refuted");
  const indices = (items: readonly { item: number }[]) => items.map(({ item }) => item);
  return {
    ...found,
    core: found.core && indices(found.core),
    drop: found.drop.map(({ items, proved }) => ({ parts: indices(items), proved })),
  };
}

const soon = () => new Deadline(20_000);

describe("the search for an explanation, against all subsets", () => {
  it("names a minimal core and the smallest sets to drop, in order", async () => {
    const chance = new Chance(15);
    const random = () => chance.next();
    let explained = 0;
    for (let round = 0; round < 300; round++) {
      const count = 1 + Math.floor(random() * 8);
      const isSat = randomParts(random, count);
      const all = (1 << count) - 1;
      if (isSat(all)) continue;
      explained++;
      const why_question: WhyQuestion = {
        about: "unsat",
        parts: places(count),
        monotone: true,
        known: random() < 0.3 ? [...Array(count - 1).keys()] : undefined,
        async ask(kept) {
          const mask = maskOf(kept);
          if (isSat(mask)) return { verdict: "sat" };
          const smaller = kept.filter((part) => isSat(mask & ~(1 << part)) || random() < 0.6);
          return { verdict: "unsat", ...(!isSat(maskOf(smaller)) && { core: smaller }) };
        },
      };
      const claimed = claimsIn(await explain(why_question, soon()));
      expectTrue(claimed, count, isSat, `round ${round}`);
      const minimal = minimalCorrections(count, isSat).map(sizeOf).toSorted();
      expect(claimed.core_minimal).toBe(true);
      expect(claimed.drop.map(({ parts }) => parts.length)).toEqual(minimal.slice(0, 5));
      expect(claimed.drop.every(({ proved, parts }) => (proved === "smallest") === (parts.length === minimal[0]))).toBe(
        true,
      );
      expect(claimed.drop_complete || minimal.length >= 5).toBe(true);
    }
    expect(explained).toBeGreaterThan(100);
  });

  it("leaves out as few cases of a line as help, where many of them have to go", async () => {
    const cases = [1, 2].flatMap((line) =>
      [...Array(30).keys()].map((day) => ({ place: { item: 0, line, text: `line ${line}`, cases: [`day = ${day}`] } })),
    );
    const found = await explain(
      {
        about: "unsat",
        parts: cases,
        monotone: true,
        ask: async (kept) => ({ verdict: kept.length <= 40 ? "sat" : "unsat" }),
      },
      new Deadline(4_000),
    );
    if (found === "refuted") throw new Error("refuted");
    expect(found).toMatchObject({ core_minimal: true, drop_complete: false });
    expect(found.core).toHaveLength(41);
    const drops = found.drop.map(({ items, proved }) => [
      proved,
      items.length,
      new Set(items.map(({ line }) => line)).size,
    ]);
    expect(drops).toEqual([
      ["minimal", 20, 1],
      ["minimal", 20, 1],
    ]);
  });

  it("claims only what was decided where questions stay open", async () => {
    const chance = new Chance(16);
    const random = () => chance.next();
    let weaker = 0;
    for (let round = 0; round < 400; round++) {
      const count = 2 + Math.floor(random() * 6);
      const isSat = randomParts(random, count);
      if (isSat((1 << count) - 1)) continue;
      const open = [...Array(1 << count)].map(() => random() < 0.3);
      const ask: WhyQuestion["ask"] = async (kept) => {
        const mask = maskOf(kept);
        if (open[mask] && kept.length < count) {
          if (random() < 0.5) throw new Fault("engine_failed", "It crashed.", ["do something"]);
          return { verdict: "open" };
        }
        return { verdict: isSat(mask) ? "sat" : "unsat" };
      };
      const claimed = claimsIn(await explain({ about: "optimum", parts: places(count), monotone: true, ask }, soon()));
      expectTrue(claimed, count, isSat, `round ${round}`);
      if (claimed.drop.some(({ proved }) => proved !== "smallest") || !claimed.core_minimal) weaker++;
    }
    expect(weaker).toBeGreaterThan(30);
  });

  it("tries sets one by one where leaving out parts can also take solutions away", async () => {
    const chance = new Chance(17);
    const random = () => chance.next();
    for (let round = 0; round < 200; round++) {
      const count = 1 + Math.floor(random() * 5);
      const table = [...Array(1 << count)].map(() => random() < 0.3);
      table[(1 << count) - 1] = false;
      const isSat = (kept: number) => table[kept] === true;
      const ask: WhyQuestion["ask"] = async (kept) => ({ verdict: isSat(maskOf(kept)) ? "sat" : "unsat" });
      const claimed = claimsIn(await explain({ about: "unsat", parts: places(count), monotone: false, ask }, soon()));
      expectTrue(claimed, count, isSat, `round ${round}`);
    }
  });
});

describe("an explanation as text", () => {
  it("says what is excluded, what to drop, and what was not decided", async () => {
    // The first part conflicts with each of the others.
    const ask: WhyQuestion["ask"] = async (kept) => ({
      verdict: kept.includes(0) && kept.length > 1 ? "unsat" : "sat",
    });
    const explanation = await explain({ about: "optimum", parts: places(3), monotone: true, ask }, soon());
    if (explanation === "refuted") throw new Error("refuted");
    expect(whyLines(whyAnswer(explanation))).toEqual([
      "why: together, these exclude a better objective value; none of them can be left out:",
      "item 0, line 1: part 0",
      "item 2, line 1: part 2",
      "to get a better objective value, drop one of these sets (each was checked):",
      "- smallest: item 0, line 1: part 0",
      "- minimal: item 1, line 1: part 1; item 2, line 1: part 2",
      "Every set that helps contains one of these.",
    ]);
  });

  it("shows the beginning of long lists, and says so", () => {
    const core = places(60).map(({ place }) => ({ ...place, text: "x".repeat(1_000) }));
    const shown = whyAnswer({
      about: "unsat",
      core,
      core_minimal: false,
      drop: [],
      drop_complete: false,
      undecided: [],
    });
    expect(shown.core).toHaveLength(50);
    expect(shown.core?.[0]?.text.length).toBeLessThan(600);
    expect(shown.undecided).toEqual([expect.stringContaining("beginning")]);
    expect(whyLines(shown)[0]).toContain("perhaps not all of them are needed");
  });
});

describe("the end of the search", () => {
  const hard: WhyQuestion = {
    about: "unsat",
    parts: places(30),
    monotone: true,
    // Each pair of neighbours conflicts.
    ask: async (kept) => ({ verdict: kept.some((part) => kept.includes(part + 1)) ? "unsat" : "sat" }),
  };

  it("stops at a few sets, and says that there are more", async () => {
    const claimed = claimsIn(await explain(hard, new Deadline(1_500)));
    expect(claimed.core).toHaveLength(2);
    expect(claimed.drop_complete).toBe(false);
    for (const { parts } of claimed.drop) expect(parts.length).toBeGreaterThanOrEqual(14);
  });

  it("says that nothing is explained where the whole stays open", async () => {
    const claims = claimsIn(await explain({ ...hard, ask: async () => ({ verdict: "open" }) }, soon()));
    expect(claims).toMatchObject({ drop: [], drop_complete: false });
    expect(claims.core).toBeUndefined();
    expect(claims.undecided.join()).toContain("raise timeout_ms");
  });

  it("gives the verdict up where it finds a solution, and stops when it is cancelled", async () => {
    expect(await explain({ ...hard, ask: async () => ({ verdict: "sat" }) }, soon())).toBe("refuted");
    const stopped = explain({ ...hard, ask: () => Promise.reject(cancelled()) }, soon());
    await expect(stopped).rejects.toMatchObject({ code: "cancelled" });
  });

  it("names no constraint where the rest of the model has no solution by itself", async () => {
    const claims = claimsIn(await explain({ ...hard, ask: async () => ({ verdict: "unsat" }) }, soon()));
    expect(claims).toMatchObject({ core: [], drop: [], drop_complete: true });
  });
});
