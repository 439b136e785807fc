import { describe, expect, it } from "vitest";
import { mutantsOf, valuesWith } from "../../src/tools/model/checker/mutants.ts";
import { answerSet } from "../../src/tools/model/languages/asp/answer_sets.ts";

/** The changed answers on which a checker is tested. */

const roster = {
  works: [
    [true, false, true],
    [false, true, true],
  ],
  team: { Mon: ["Anna", "Ben"], Tue: ["Ben"], Wed: [] },
  start: [3, 0, 7, 7],
  cost: 12,
  name: "plan",
  nothing: null,
  third: "1/3",
};

describe("mutants of an answer", () => {
  const mutants = mutantsOf(roster);
  const all = mutants.map(({ changes }) => valuesWith(roster, changes));

  it("are different answers, the same ones each time", () => {
    expect(mutants.length).toBeGreaterThan(20);
    expect(all.map((each) => JSON.stringify(each))).not.toContain(JSON.stringify(roster));
    expect(mutantsOf(structuredClone(roster))).toEqual(mutants);
  });

  it("change one name each, and each name that can be changed", () => {
    const names = new Set(mutants.map(({ name }) => name));
    expect([...names].toSorted()).toEqual(["cost", "name", "start", "team", "third", "works"]);
    const others = mutants.filter(({ name, changes }) => changes.some(({ path }) => path[0] !== name));
    expect(others).toEqual([]);
  });

  it("keep the form of tables, and shorten only lists of any length", () => {
    const forms = new Set(all.map((each) => JSON.stringify(Object(each).works).replaceAll(/true|false/g, "b")));
    expect([...forms]).toEqual(["[[b,b,b],[b,b,b]]"]);
    expect(all.every((each) => Object(each).start.length === 4)).toBe(true);
    expect(all.some((each) => Object(each).team.Mon.length === 1)).toBe(true);
  });

  it("of an answer set change its atoms, from which all values follow", () => {
    const values = answerSet(["on(anna,mon)", "on(ben,tue)", 'size(3,"a b",f(-2,x))', "-free(ben)", "open"]);
    const sets = mutantsOf(values, answerSet).map(({ changes }) => Object(valuesWith(values, changes)));
    const texts = sets.map(({ atoms }) => atoms.join(" "));
    expect(sets.filter((each) => JSON.stringify(each) !== JSON.stringify(answerSet(each.atoms)))).toEqual([]);
    expect(texts).toContain('-free(ben) on(anna,mon) on(ben,tue) size(3,"a b",f(-2,x))');
    expect(texts.some((text) => /size\((1|2|4|5|-2),"a b",f\(-2,x\)\)/.test(text))).toBe(true);
    expect(texts.some((text) => text.includes("on(ben,mon)"))).toBe(true);
    expect(texts).not.toContain(values["atoms"]);
  });

  it("are fewer of large answers", () => {
    const large = { x: Array.from({ length: 100_000 }, (_, i) => i % 9) };
    expect(mutantsOf(large).length).toBeLessThan(mutants.length);
    const atoms = Array.from({ length: 9_000 }, (_, i) => `on(${i})`);
    expect(mutantsOf(answerSet(atoms), answerSet).length).toBeLessThan(5);
  });

  it("are none where nothing can be changed", () => {
    expect(mutantsOf({})).toEqual([]);
    expect(mutantsOf({ name: "a", list: [], none: null })).toEqual([]);
  });
});
