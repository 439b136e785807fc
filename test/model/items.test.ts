import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Fault } from "../../src/kernel/fault.ts";
import { ItemLines, joined } from "../../src/tools/model/items/item_lines.ts";
import { type Edit, type Items, insert, remove, replace } from "../../src/tools/model/items/items.ts";
import { model_limits } from "../../src/tools/model/limits.ts";

const item = fc.string({ unit: fc.constantFrom("a", " ", "\n", "é", "≤"), maxLength: 6 });
const index = fc.oneof({ weight: 20, arbitrary: fc.integer({ min: -1, max: 4 }) }, fc.constantFrom(0.5, -1.5, 1e300));

type Step = { readonly index: number; readonly item: string };
const steps = fc.array(fc.record({ kind: fc.constantFrom("insert", "insert", "remove", "replace"), index, item }), {
  minLength: 5,
  maxLength: 30,
  size: "max",
});

/** The same change as anybody would write it down; undefined when it can't be made. */
function asPlain(kind: string, items: readonly string[], step: Step): string[] | undefined {
  const last = kind === "insert" ? items.length : items.length - 1;
  if (!Number.isInteger(step.index) || step.index < 0 || step.index > last) return undefined;
  const copy = [...items];
  copy.splice(step.index, kind === "insert" ? 0 : 1, ...(kind === "remove" ? [] : [step.item]));
  return copy;
}

function apply(kind: string, items: Items, { index, item }: Step): Edit {
  if (kind === "insert") return insert(items, item, index);
  return kind === "remove" ? remove(items, index) : replace(items, index, item);
}

function tryTo(work: () => Edit): Edit | Fault {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown;
    throw thrown;
  }
}

describe("edits of a list of items", () => {
  it("do what they would do to a plain array, or are faults that leave it as it was", () => {
    let made = 0;
    fc.assert(
      fc.property(steps, (all) => {
        let items: Items = [];
        for (const step of all) {
          const before = [...items];
          const expected = asPlain(step.kind, items, step);
          const edit = tryTo(() => apply(step.kind, items, step));
          expect(items).toEqual(before);
          if (edit instanceof Fault) {
            expect(expected).toBeUndefined();
            expect(edit.code).toBe("invalid_argument");
            expect(edit.message).toMatch(/Valid: 0|no index is valid/);
          } else {
            made++;
            expect(edit.items).toEqual(expected);
            expect(edit.changed).toBe(step.kind === "remove" ? undefined : step.index);
            items = edit.items;
          }
        }
      }),
      { numRuns: 500 },
    );
    expect(made).toBeGreaterThan(500);
  });

  it("give back what they take away", () => {
    expect(remove(["a", "b", "c"], 1)).toMatchObject({ items: ["a", "c"], old: "b", index: 1 });
    expect(replace(["a", "b", "c"], 1, "B")).toMatchObject({ items: ["a", "B", "c"], old: "b", changed: 1 });
    expect(insert(["a"], "b")).toMatchObject({ items: ["a", "b"], index: 1 });
  });

  it("are refused past the bounds on items, characters of one and characters of all", () => {
    const many = Array.from({ length: model_limits.items_max }, () => "x");
    const long = "x".repeat(model_limits.item_chars_max);
    const full = Array.from({ length: model_limits.model_chars_max / model_limits.item_chars_max }, () => long);
    expect(() => insert(many, "y")).toThrow(/would have 2001 items; the limit is 2000/);
    expect(() => replace(["x"], 0, `${long}x`)).toThrow(/has 100001 characters; the limit is 100000/);
    expect(() => insert(full, "y")).toThrow(/would have 1000001 characters; the limit is 1000000/);
    expect(replace(many, 0, "y").items).toHaveLength(model_limits.items_max);
  });
});

describe("the lines of items", () => {
  it("are found in the joined text, and back", () => {
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 8 }), (items) => {
        const lines = joined(items).split("\n");
        const map = new ItemLines(items);
        for (const [i, text] of lines.entries()) {
          const place = map.placeOf(i + 1);
          expect(place).toBeDefined();
          if (!place) return;
          expect(map.lineOf(place)).toBe(i + 1);
          expect(map.textAt(place)).toBe(text);
          expect(items[place.item]?.split("\n")[place.line - 1]).toBe(text);
        }
        expect(map.placeOf(lines.length + 1)).toBeUndefined();
        expect(map.placeOf(0)).toBeUndefined();
      }),
    );
  });

  it("are none where there is no item or no such line", () => {
    expect(new ItemLines([]).placeOf(1)).toBeUndefined();
    const map = new ItemLines(["a\nb", "c"]);
    expect(map.placeOf(3)).toEqual({ item: 1, line: 1 });
    expect(map.lineOf({ item: 1, line: 1 })).toBe(3);
    expect(map.lineOf({ item: 1, line: 2 })).toBeUndefined();
    expect(map.lineOf({ item: 0, line: 0 })).toBeUndefined();
    expect(map.lineOf({ item: 2, line: 1 })).toBeUndefined();
  });
});
