import { describe, expect, it } from "vitest";
import { drive, type Row, type Space, type Step } from "../../src/tools/model/languages/questions/drive.ts";

const row = (...numbers: number[]): Row => ({
  values: { x: numbers[0] },
  leaves: numbers.map(String),
  cost: numbers[0],
});
const stepOf = (numbers: number[], proved = true): Step => ({ row: row(...numbers), proved });

/** A space whose engine gives these steps, whatever it is asked. */
function scripted(steps: readonly Step[], rows: readonly Row[] = [], is_whole = true): Space {
  const left = [...steps];
  const next = async () => left.shift() ?? "none";
  return {
    ...{ over: ["x", "y"], left_out: [], paths: ["x", "y"], method: "a script" },
    ...{ value: Number, other: next, best: next, farthest: next },
    list: async () => ({ rows, is_whole, reason: "the time ran out" }),
  };
}

describe("a question that is answered step by step", () => {
  it("counts what is told apart, and at least one where nothing more is known", async () => {
    const count = { kind: "count", limit: 9 } as const;
    const twice = [row(1, 2), row(1, 2), row(1, 3)];
    expect(await drive(count, scripted([], twice), row(1, 2))).toMatchObject({ number: "2", exact: true });
    expect(await drive(count, scripted([], [], false), row(1, 2))).toMatchObject({
      ...{ number: "1", exact: false, reason: "the time ran out" },
    });
  });

  it.each<[string, Step[], object]>([
    ["ends", [stepOf([1, 3]), "none"], { fixed: [["x", 1]], free: ["y"], undecided: [] }],
    ["stays open", [stepOf([1, 3]), { open: "why" }], { fixed: [], free: ["y"], undecided: ["x"], reason: "why" }],
    ["repeats itself", [stepOf([1, 2])], { fixed: [], undecided: ["x", "y"] }],
  ])("claims a backbone only of what was refuted: the search %s", async (_, steps, expected) => {
    expect(await drive({ kind: "backbone", limit: 1 }, scripted(steps), row(1, 2))).toMatchObject(expected);
  });

  it("asks for more and more values of a backbone to change at once, as long as that many can", async () => {
    const size = 400;
    const asked: number[] = [];
    const first = row(...Array.from({ length: size }, () => 0));
    /** All values are free but the last one; no more than 100 can change at once. */
    const space: Space = {
      ...scripted([]),
      paths: first.leaves.map((_, i) => `x[${i}]`),
      async other(_, at, count) {
        asked.push(count);
        const changing = at.filter((i) => i < size - 1).slice(0, Math.max(count, 1));
        if (count > 100 || changing.length < count) return "none";
        return stepOf(first.leaves.map((_, i) => (changing.includes(i) ? 1 : 0)));
      },
    };
    const answer = await drive({ kind: "backbone", limit: 1 }, space, first);
    expect(answer).toMatchObject({ fixed: [[`x[${size - 1}]`, 0]], undecided: [] });
    expect(answer).toHaveProperty("free.length", size - 1);
    expect(asked.length).toBeLessThan(30);
  });

  it.each<[string, Step[], object]>([
    ["all are proved", [stepOf([1, 1]), stepOf([1, 2]), stepOf([2, 1])], { proved: 2, has_tie: false }],
    ["the next one is equal", [stepOf([1, 1]), stepOf([2, 2]), stepOf([2, 1], false)], { proved: 2, has_tie: true }],
    ["the next one is unproved", [stepOf([1, 1]), stepOf([2, 2]), stepOf([3, 1], false)], { has_tie: null }],
    [
      "the second one is unproved",
      [stepOf([1, 1]), stepOf([2, 2], false)],
      { proved: 1, has_tie: null, objectives: [1, 2] },
    ],
    ["there are no others", [stepOf([1, 1]), "none"], { proved: 1, is_all: true, has_tie: false }],
    ["the time ends", [stepOf([1, 1]), { open: "time" }], { proved: 1, is_all: false, has_tie: null, reason: "time" }],
  ])("ranks as far as it is proved: %s", async (_, steps, expected) => {
    expect(await drive({ kind: "k_best", limit: 2 }, scripted(steps), row(1, 1))).toMatchObject(expected);
  });

  it("ranks what one search lists, unless the known solution is missing", async () => {
    const [one, two, three] = [row(1, 1), row(2, 2), row(2, 3)];
    const ranked = async () => [one, two, three];
    const space = { ...scripted([{ open: "another search" }]), ranked };
    const ask = (first: Row, limit: number) => drive({ kind: "k_best", limit }, space, first);
    expect(await ask(one, 2)).toMatchObject({ objectives: [1, 2], proved: 2, is_all: false, has_tie: true });
    expect(await ask(one, 3)).toMatchObject({ objectives: [1, 2, 2], proved: 3, is_all: true, has_tie: false });
    expect(await ask(row(0, 1), 2)).toMatchObject({ objectives: [], proved: 0, reason: "another search" });
  });

  it("says which solutions are proved to be the farthest", async () => {
    const steps = [stepOf([2, 2]), stepOf([1, 2], false), "none"] satisfies Step[];
    expect(await drive({ kind: "diverse", limit: 5 }, scripted(steps), row(1, 1))).toMatchObject({
      ...{ distances: [2, 1], farthest: [true, false], is_all: true },
    });
  });

  it("takes those that are far apart from the list, if that is whole and has the solution that is known", async () => {
    const rows = [row(1, 2), row(1, 1), row(2, 2), row(2, 2)];
    const asked = async (limit: number, is_whole: boolean, first = row(1, 1)) =>
      drive({ kind: "diverse", limit }, scripted([stepOf([9, 9])], rows, is_whole), first);
    const all = { distances: [2, 1], farthest: [true, true], is_all: true };
    expect(await asked(5, true)).toMatchObject(all);
    expect(await asked(3, true)).toMatchObject(all);
    expect(await asked(2, true)).toMatchObject({ solutions: [{ x: 1 }, { x: 2 }], is_all: false });
    expect(await asked(2, false)).toMatchObject({ solutions: [{ x: 1 }, { x: 9 }] });
    expect(await asked(2, true, row(3, 3))).toMatchObject({ solutions: [{ x: 3 }, { x: 9 }] });
  });
});
