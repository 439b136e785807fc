import { describe, expect, it } from "vitest";
import { findingsOf } from "../../src/tools/model/languages/minizinc/findings.ts";
import { readModel } from "../../src/tools/model/languages/minizinc/model.ts";

/** The findings on a model of one item. */
function found(text: string, data: Record<string, unknown> = {}): string[] {
  return findingsOf(readModel([text]), data);
}

describe("the findings on a model in MiniZinc", () => {
  const cases: readonly [what: string, model: string, found: readonly string[], data?: Record<string, unknown>][] = [
    [
      "data that nothing uses",
      "int: n; array[1..n] of int: need;\nvar 0..n: x; constraint x > 1; solve satisfy;",
      ["Item 0, line 1, column 29: nothing uses the parameter need."],
      { n: 3, need: [1, 2, 3] },
    ],
    [
      "a number in place of the parameter with this value",
      "int: cap = 120;\nvar 0..500: x; constraint x <= 120; solve maximize x;",
      ["Item 0, line 1, column 6: nothing uses the parameter cap. A constraint contains its value 120 as a literal."],
    ],
    [
      "the same with a value from the data",
      "int: cap;\nvar 0..500: x; constraint x <= 120; solve maximize x;",
      ["Item 0, line 1, column 6: nothing uses the parameter cap. A constraint contains its value 120 as a literal."],
      { cap: 120 },
    ],
    [
      "no constant for a reader, index set, label or annotation",
      'int: monday = 1; set of int: D = 1..5; array[1..2] of string: s = ["a", "b"]; ann: a = first_fail; var 1..3: x; constraint x > 2;',
      [],
    ],
    [
      "no parameter that only the output shows",
      'array[1..2] of int: w = [1, 2]; var 1..3: x; constraint x > 2; output ["\\(w[1]) \\(x)"];',
      [],
    ],
    ["no name in quotes", "array[1..2] of int: 'w' = [1, 2]; var 1..3: x; constraint x > w[1];", []],
    [
      "a variable that only the output and the search have",
      'var 1..3: x; var 1..3: y; constraint y > 1; solve :: int_search([x, y], input_order, indomain_min) satisfy; output ["\\(x)"];',
      ["Item 0, line 1, column 11: no constraint or objective contains x: it can have any value in its domain."],
    ],
    [
      "a list of variables whose type has a name",
      "type P = record(var 1..2: a); array[1..2] of P: ps; var 1..3: y; constraint y > 1;",
      ["Item 0, line 1, column 49: no constraint or objective contains ps: it can have any value in its domain."],
    ],
    ["no variable with a value of its own", "var 1..3: y; var int: t = 2 * y; constraint y > 1;", []],
    ["no variable with a value by an assignment", "var 1..3: y; var int: t; t = 2 * y; constraint y > 1;", []],
    ["no variable of the objective alone, in a bounded sum", "var 1..3: x; var 0..4: t = 2 * x; solve maximize x;", []],
    [
      "an objective that no constraint has",
      "var 0..9: x; var 0..9: y; var int: cost = 2 * x; constraint y > 3; solve minimize cost;",
      [
        "Item 0, line 1, column 74: no constraint contains a variable of the objective (cost, x): its best value follows from the domains alone.",
      ],
    ],
    [
      "no objective whose variable is in the value of another one that a constraint has",
      "var 1..9: x; var bool: is_small = x < 4; var bool: b; b = not is_small; constraint not b; solve maximize x;",
      [],
    ],
    [
      "no objective whose definition a constraint states",
      "var 0..9: x; var int: cost; constraint cost = 2 * x; solve minimize cost;",
      [],
    ],
    [
      "no objective that a predicate may state",
      "predicate p(var int: a) = a > 3; var 0..9: x; constraint let { var int: q = 1 } in q > 0; solve minimize x;",
      [],
    ],
    [
      "a constraint that is there twice, with other names and turned around",
      "array[1..4] of var 1..4: x;\nconstraint forall(i in 1..3)(x[i] < x[i + 1]);\nconstraint (forall(j in 1..3)(x[j] < x[j + 1]));\nconstraint x[1] != x[2];\nconstraint x[2] != x[1];",
      [
        "Item 0, line 3, column 1: this constraint is the same as that of item 0, line 2.",
        "Item 0, line 5, column 1: this constraint is the same as that of item 0, line 4.",
      ],
    ],
    [
      "no constraint that differs in a name that the model declares",
      "int: i = 1; int: j = 2; array[1..2] of var 1..4: x;\nconstraint x[i] > 1 /\\ exists(k in 1..2)(x[k] > 2);\nconstraint x[j] > 1 /\\ exists(k in 1..2)(x[k] > 2);\nconstraint x[1] < x[2] -> x[2] > 3;\nconstraint x[2] > 3 -> x[1] < x[2];",
      [],
    ],
  ];
  for (const [what, model, expected, data] of cases)
    it(`have ${what}`, () => {
      expect(found(model, data)).toEqual(expected);
    });

  it("are few for a long model, and none for brackets in depth", () => {
    const depth = 20_000;
    expect(found(`var 0..9: x; constraint ${"(".repeat(depth)}x > 1${")".repeat(depth)}; solve satisfy;`)).toEqual([]);
    expect(found(`var 0..9: x;\n${"constraint x > 1;\n".repeat(10_000)}`)).toHaveLength(50);
  });
});
