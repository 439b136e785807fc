import { describe, expect, it } from "vitest";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { type Answer, shareSymbolic } from "../support/symbolic.ts";

const verdict = fixture(shareSymbolic);

/** A function `f` that adds a power of two for each of these flags. */
function flags(...names: string[]): string {
  const parameters = names.map((name) => `${name}: bool`).join(", ");
  const tests = names.map((name, i) => `    if ${name}:\n        n += ${2 ** i}\n`).join("");
  return `def f(${parameters}) -> int:\n    n = 0\n${tests}    return n\n`;
}

/** Functions of which every side can be taken. */
const independent: [what: string, code: string][] = [
  ["two flags", flags("a", "b")],
  ["three flags", flags("a", "b", "c")],
  ["five flags", flags("a", "b", "c", "d", "e")],
  [
    "two numbers",
    "def f(a: int, b: int) -> int:\n    n = 0\n    if a > 1000:\n        n += 1\n    if b < -7:\n        n += 2\n    return n\n",
  ],
  [
    "optional values",
    "from typing import Optional\ndef f(a: Optional[int], b: Optional[str]) -> int:\n    n = 0\n    if a is None:\n        n += 1\n    if b:\n        n += 2\n    return n\n",
  ],
  [
    "enumerations",
    "from enum import Enum\nclass Size(Enum):\n    S = 1\n    L = 2\nclass Lid(Enum):\n    ON = 1\n    OFF = 2\ndef f(a: Size, b: Lid) -> int:\n    n = 0\n    if a is Size.L:\n        n += 1\n    if b is Lid.OFF:\n        n += 2\n    return n\n",
  ],
  [
    "conditional expressions",
    "def f(a: bool, b: int) -> int:\n    n = 3 if a else 2\n    m = 1 if b > 41 else 0\n    return n + m\n",
  ],
  [
    "loops",
    "def f(xs: list[int], ys: list[str]) -> int:\n    n = 0\n    for x in xs:\n        if x > 10:\n            n += 1\n    for y in ys:\n        if y == 'lid':\n            n += 2\n    return n\n",
  ],
  [
    "nested decisions",
    "def f(a: bool, b: int) -> int:\n    n = 0\n    if a:\n        if b > 7:\n            n += 1\n    else:\n        if b > 9:\n            n += 2\n    return n\n",
  ],
  [
    "and, or, not",
    "def f(a: bool, b: int, c: str) -> int:\n    n = 0\n    if a and b == 12 or not c:\n        n += 1\n    if not (a or c == 'x'):\n        n += 2\n    return n\n",
  ],
];

const examplesOf = (answer: Answer) =>
  recordsOf(answer["branches"]).flatMap(({ true_example, false_example }) => recordsOf([true_example, false_example]));

function recordsOf(list: unknown): Record<string, unknown>[] {
  return Array.isArray(list) ? list.filter((each) => typeof each === "object" && each !== null) : [];
}

describe.skipIf(!has_python)("sides of independent decisions", () => {
  it.each(independent)("%s: each side has an example", async (_, code) => {
    const answer = await verdict.branches(code, "f");
    const open = recordsOf(answer["branches"]).filter((each) => !each["true_reachable"] || !each["false_reachable"]);
    expect(open).toEqual([]);
    expect(answer["status"]).toBe("complete");
    expect(answer["reachable_branches"]).toBe(answer["total_branches"]);
  });
});

/** The ways to say `0 <= age <= 130`. */
const body = "    if age < 12:\n        return 5\n    if age >= 65:\n        return 7\n    return 10 // (age - 40)\n";
const preconditions: [style: string, code: string][] = [
  ["pre:", `def fare(age: int) -> int:\n    """pre: 0 <= age <= 130"""\n${body}`],
  ["leading asserts", `def fare(age: int) -> int:\n    assert 0 <= age\n    assert age <= 130\n${body}`],
  [
    "icontract",
    `import icontract\n@icontract.require(lambda age: 0 <= age <= 130)\ndef fare(age: int) -> int:\n${body}`,
  ],
  ["deal", `import deal\n@deal.pre(lambda age: 0 <= age <= 130)\ndef fare(age: int) -> int:\n${body}`],
];

describe.skipIf(!has_python)("preconditions, in every question", () => {
  it.each(preconditions)("%s: inputs that they exclude are neither tried nor shown", async (_, code) => {
    const branches = await verdict.branches(code, "fare");
    const ages = examplesOf(branches).map(({ age }) => Number(age));
    expect(ages.length).toBeGreaterThan(3);
    expect(ages.filter((age) => age < 0 || age > 130)).toEqual([]);
    expect(branches).toMatchObject({ status: "complete", total_branches: 2 });
    const raised = await verdict.raises(code, "fare", "Exception");
    expect(raised).toMatchObject({
      status: "found",
      paths_to_exception: 1,
      triggering_inputs: [{ args: { age: 40 } }],
    });
    expect(await verdict.raises(code, "fare", "AssertionError")).toMatchObject({ status: "unreachable" });
    const pair = `${code}\n${code.slice(code.indexOf("def ")).replace("def fare", "def other").replace("    if", "    if age == 131:\n        return -1\n    if")}`;
    const compared = await verdict.compare(
      pair.replace("def other", code.startsWith("import") ? `${code.split("\n")[1]}\ndef other` : "def other"),
      "fare",
      "other",
    );
    expect(compared["status"]).not.toBe("different");
  });

  it("an input that one of two functions admits counts", async () => {
    const code =
      "def f(n: int) -> int:\n    return n + 1\ndef g(n: int) -> int:\n    assert n != 4321\n    return n + 1\n";
    expect(await verdict.compare(code, "f", "g")).toMatchObject({
      status: "different",
      distinguishing_input: { args: { n: 4321 } },
    });
  });

  it("a recursive call that breaks a leading assert is found", async () => {
    const code = "def f(n: int) -> int:\n    assert n > 0\n    if n == 1:\n        return f(0)\n    return n\n";
    expect(await verdict.raises(code, "f", "AssertionError")).toMatchObject({
      status: "found",
      triggering_inputs: [{ args: { n: 1 } }],
    });
  });
});

/** Programs whose counts and path conditions are compared. */
const programs: [code: string, name: string][] = [
  ["def f(x: int) -> int:\n    return 10 // x\n", "f"],
  ["def f(xs: list[int]) -> int:\n    n = 0\n    for x in xs:\n        n += 10 // x\n    return n\n", "f"],
  ["def f(x: int) -> int:\n    x = x - 3\n    if x > 0:\n        return 10 // (x - 2)\n    return x\n", "f"],
  ["def f(x: int, y: int) -> int:\n    if x > 5 and y < 3:\n        return 1 // (y + 1)\n    return x\n", "f"],
  ["def f(x: int) -> int:\n    assert x > 2\n    return 1 // (x - 3)\n", "f"],
  ["def f(s: str) -> int:\n    try:\n        return int(s)\n    except TypeError:\n        return 0\n", "f"],
  [
    "def f(xs: list[int]) -> int:\n    xs.append(1)\n    if len(xs) > 1:\n        return 1 // (xs[0] - 7)\n    return 0\n",
    "f",
  ],
  [
    "def f(x: int) -> int:\n    match x:\n        case 3:\n            return 1 // 0\n        case _:\n            return 0\n",
    "f",
  ],
  ["def f(a: bool, b: bool) -> int:\n    return 1 // 0 if a and not b else 0\n", "f"],
  ["def f(x: int) -> int:\n    return x\n", "f"],
  [
    "def f(x: int) -> int:\n    n = 0\n    while x > 0:\n        x -= 7\n        n += 1\n    return 1 // (n - 2)\n",
    "f",
  ],
  ["def f(x: int) -> int:\n    y = x if x > 3 else 3\n    assert y > 3\n    return y\n", "f"],
];

/** What a count can't be, given the other fields of its answer. */
function contradictions(answer: Answer): string[] {
  const number = (name: string) => (typeof answer[name] === "number" ? answer[name] : null);
  const findings = recordsOf(answer["counterexamples"] ?? answer["triggering_inputs"]).length;
  const explored = number("paths_explored") ?? number("total_paths_explored");
  const [verified, raising, coverage] = ["paths_verified", "paths_to_exception", "coverage_estimate"].map(number);
  const conditions = recordsOf(answer["counterexamples"] ?? answer["triggering_inputs"]).map(
    (each) => each["path_condition"],
  );
  return [
    ...(explored != null && explored < findings + (verified ?? 0)
      ? ["fewer paths than findings and verified ones"]
      : []),
    ...(raising != null && raising < findings ? ["fewer paths to the exception than inputs"] : []),
    ...(explored != null && raising != null && raising > explored ? ["more paths to the exception than paths"] : []),
    ...(answer["status"] === "verified" && explored !== (verified ?? explored) ? ["a proof leaves paths over"] : []),
    ...((coverage === 1) !== (answer["status"] === "verified") && coverage !== undefined && coverage !== null
      ? ["full coverage without a proof, or the reverse"]
      : []),
    ...(conditions.some((condition) => condition === "True") ? ["a path condition without a condition"] : []),
  ];
}

describe.skipIf(!has_python)("counts and path conditions", () => {
  it("agree with the rest of their answer", async () => {
    const found: string[] = [];
    for (const [code, name] of programs) {
      for (const answer of [await verdict.check(code, name, 4), await verdict.raises(code, name, "ArithmeticError", 4)])
        found.push(...contradictions(answer).map((each) => `${each}: ${JSON.stringify([code, answer])}`));
    }
    expect(found).toEqual([]);
  }, 120_000);

  it("there is no condition for an argument that was changed", async () => {
    const [code = "", name = ""] = programs[6] ?? [];
    const answer = await verdict.raises(code, name, "ZeroDivisionError");
    expect(recordsOf(answer["triggering_inputs"]).map((each) => each["path_condition"])).toContain(null);
  });

  const of_ends: [what: string, parameters: string, body: string[], condition: string][] = [
    ["an operation", "x: int", ["return 10 // x"], "x == 0"],
    ["an argument with another value by then", "x: int", ["x -= 3", "return 10 // (x - 2)"], "x - 3 - 2 == 0"],
    ["an item of a loop", "xs: list[int]", ["for x in xs:", "    10 // x"], "len(xs) > 0 and xs[0] == 0"],
    ["a loop that ended", "xs: list[int]", ["for x in xs:", "    x + 1", "return 1 // len(xs)"], "len(xs) == 0"],
    [
      "a branch and an index",
      "xs: list[int], i: int",
      ["if i > 2:", "    return xs[i]"],
      "i > 2 and not (-len(xs) <= i < len(xs))",
    ],
    ["a key", "d: dict[str, int], k: str", ["return d[k]"], "k not in d"],
    ["pop at an index", "xs: list[int], n: int", ["return xs.pop(n)"], "not (-len(xs) <= n < len(xs))"],
    ["pop of a key", "d: dict[str, int], k: str", ["return d.pop(k)"], "k not in d"],
    ["an element to remove", "s: set[int], k: int", ["s.remove(k)"], "k not in s"],
    ["an empty dict", "d: dict[str, int]", ["return d.popitem()"], "len(d) == 0"],
    [
      "a new list that is read",
      "s: str",
      ["known = ['a', 'b']", "if s not in known:", "    raise KeyError(s)"],
      "s not in ['a', 'b']",
    ],
    [
      "a value with an or",
      "a: bool, b: bool",
      ["c = a or b", "if c and a:", "    return 1 // (not c)"],
      "a and (a or b)",
    ],
  ];
  it.each(of_ends)("the condition says how it ends, for %s", async (_, parameters, body, condition) => {
    const code = `def f(${parameters}):\n${body.map((line) => `    ${line}\n`).join("")}`;
    const answer = await verdict.raises(code, "f", "Exception");
    const conditions = recordsOf(answer["triggering_inputs"]).map((each) => each["path_condition"]);
    expect(
      conditions.some((each) => String(each).startsWith(condition)),
      String(conditions),
    ).toBe(true);
  });

  it("a postcondition that does not hold is part of it", async () => {
    const answer = await verdict.check(
      'def f(x: int) -> int:\n    """post: _ >= 0"""\n    y = x - 9\n    return y\n',
      "f",
    );
    expect(answer).toMatchObject({ counterexamples: [{ path_condition: "not (x - 9 >= 0)" }] });
  });

  it.each([
    [
      "a new list that is changed",
      "xs: list[int]",
      ["ys = []", "zs = [ys]", "ys.append(1)", "return 1 // (len(zs[0]) - 1)"],
    ],
    ["an alias that is changed", "xs: list[int]", ["ys = xs", "ys.append(3)", "return 1 // (xs[0] - 3)"]],
    ["a name that a comprehension uses, too", "x: int", ["y = x + 1", "return 1 // len([x for x in [1, 5] if x > y])"]],
    ["an exception that is caught", "s: str", ["try:", "    int(s)", "except ValueError:", "    return 1 // 0"]],
  ])("there is none for %s", async (_, parameters, body) => {
    const code = `def f(${parameters}) -> int:\n${body.map((line) => `    ${line}\n`).join("")}`;
    const answer = await verdict.raises(code, "f", "ZeroDivisionError");
    expect(answer["status"]).toBe("found");
    expect(recordsOf(answer["triggering_inputs"]).map((each) => each["path_condition"])).toEqual([null]);
  });

  it("there is none if only the decisions before a failing operation are known", async () => {
    const code = "def f(s: str, b: bool) -> int:\n    if b:\n        return int(s)\n    return 0\n";
    const answer = await verdict.raises(code, "f", "ValueError");
    expect(answer).toMatchObject({
      status: "found",
      triggering_inputs: [{ path_condition: null, path_lines: [{ line: 2 }] }],
    });
  });

  it("a condition has the meaning that it has in the code", async () => {
    const answer = await verdict.raises(programs[8]?.[0] ?? "", "f", "ZeroDivisionError");
    expect(answer).toMatchObject({ triggering_inputs: [{ path_condition: "a and not b" }] });
  });
});
