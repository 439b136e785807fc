import { describe, expect, it } from "vitest";
import { openMiniZincOnce, quickest_minizinc } from "../support/minizinc.ts";

const benchOf = openMiniZincOnce();

const roster = `enum P; array[P] of int: w; array[P] of var 0..1: late; var 0..9: x;
constraint sum(late) >= 2 /\\ x >= 4;`;
const long_term = `- (late[p] + w[p] * late[p] * ${"1 * ".repeat(30)}`.slice(0, 100);

describe("what an objective in MiniZinc is made of", () => {
  const bench = benchOf(quickest_minizinc);

  it.each([
    [
      "a loop over data, and a constant",
      `${roster} solve minimize sum(p in P)(w[p] * late[p]) + 2 * x - 1;`,
      [
        { term: "2 * x", cost: 8 },
        { term: "w[p] * late[p] (p = Bob)", cost: 5 },
        { term: "w[p] * late[p] (p = Anna)", cost: 3 },
        { term: "- 1", cost: -1 },
      ],
    ],
    [
      "a variable that is defined as a sum",
      `${roster} var int: cost; constraint cost = sum([w[p] * late[p] | p in P]) - (x - 20); solve minimize cost;`,
      [
        { term: "- (x - 20)", cost: 11 },
        { term: "w[p] * late[p] (p = Bob)", cost: 5 },
        { term: "w[p] * late[p] (p = Anna)", cost: 3 },
      ],
    ],
    [
      "long summands in several lines, taken away",
      `${roster} solve maximize 0 - sum(p in P)(late[p] +\n  w[p] * late[p] * ${"1 * ".repeat(30)} 2) - x;`,
      [
        { term: `${long_term}… (p = Bob)`, cost: -11 },
        { term: `${long_term}… (p = Anna)`, cost: -7 },
        { term: "- x", cost: -4 },
      ],
    ],
    [
      "truth values and a unary sign",
      `${roster} solve maximize -x + 10 * (x > 3) - bool2int(x > 8); % a note`,
      [
        { term: "10 * (x > 3)", cost: 10 },
        { term: "-x", cost: -4 },
      ],
    ],
  ])("are its summands, which add up to it: %s", async (_what, model, objective_terms) => {
    const data = { P: ["Anna", "Bob", "Carl"], w: [3, 5, 7] };
    const answer = await bench.call("solve", { language: "minizinc", model, data, timeout_ms: 200_000 });
    expect(answer).toMatchObject({ status: "sat", optimal: true, objective_terms });
    expect(objective_terms.reduce((sum, { cost }) => sum + cost, 0)).toBe(answer["objective_value"]);
  });

  it.each([
    ["a maximum", "solve minimize max(x, y);"],
    ["one variable", "solve minimize x;"],
    ["a choice", "solve minimize if x > 3 then x + y else y + 9 endif;"],
    ["nothing", "solve satisfy;"],
  ])("are not shown of %s", async (_what, goal) => {
    const model = `var 0..9: x; var 0..9: y; constraint x + y >= 6; ${goal}`;
    const answer = await bench.call("solve", { language: "minizinc", model });
    expect(answer).toMatchObject({ status: "sat" });
    expect(answer).not.toHaveProperty("objective_terms");
  });
});
