import { describe, expect, it } from "vitest";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { openSymbolic } from "../support/symbolic.ts";

const verdict = fixture(openSymbolic);

const notesOf = (answer: Record<string, unknown>) => (answer["notes"] as string[]).join("\n");
const seconds = 4;
const by_trying = "found by trying boundary values";

describe.skipIf(!has_python)("types that the code does not name", () => {
  it.each([
    ["no annotation", "n", "1 // (n - 7)", "n as int"],
    ["Any", "n: Any", "1 // (n - 7)", "n as int"],
    ["a bare list", "n: list", "1 // (len(n) - 2)", "n as list[int]"],
    ["a bare dict", "n: dict", "1 // (len(n) - 1)", "n as dict[str, int]"],
    ["a list of Any", "n: list[Any]", "1 // (len(n) - 2)", "n as list[int]"],
    ["a bare tuple", "n: tuple", "1 // (len(n) - 2)", "n as tuple[int, ...]"],
    ["any arguments", "*n", "1 // (len(n) - 2)", "n as int | str | list[int] | None"],
  ])("are guessed, and named: %s", async (_, parameter, body, guess) => {
    const code = `from typing import Any\ndef f(${parameter}):\n    return ${body}\ndef g(${parameter}):\n    return 0\n`;
    const answers = [
      await verdict.check(code, "f"),
      await verdict.raises(code, "f", "ZeroDivisionError"),
      await verdict.compare(code, "f", "g"),
    ];
    expect(answers.map(({ status }) => status)).toEqual(["counterexample", "found", "different"]);
    for (const answer of answers) expect(notesOf(answer)).toContain(guess);
  });

  it.each([
    [
      "functions, for what is called",
      "p, xs",
      "[x for x in xs if p(x, x)]",
      "[x for x in xs if p(x)]",
      "p as Callable",
    ],
    ["functions, for a default that is one", "x: int, k=bool", "k(x)", "k(-x)", "k as Callable"],
    [
      "items that can't be hashed",
      "xs",
      "len({*map(repr, xs)})",
      "len({*xs})",
      "xs as list[int] | str | list[list[int]]",
    ],
    ["iterators", "xs", "[*xs, *xs]", "[*xs] * 2", "Iterator[int]"],
    ["slices, for their parts", "k", "k.start", "k.stop", "k as slice"],
    ["slices", "k", "[1, 2][k] if isinstance(k, slice) else 0", "[1, 3][k] if isinstance(k, slice) else 0", "slice"],
    ["numbers that are no integers", "x", "round(x) * 2", "round(x * 2)", "x as float | int | str"],
  ])("have values in comparisons: %s", async (_, parameters, a, b, guess) => {
    const code = `def f(${parameters}):\n    return ${a}\ndef g(${parameters}):\n    return ${b}\n`;
    const answer = await verdict.compare(code, "f", "g");
    expect(answer).toMatchObject({ status: "different", notes: expect.arrayContaining([by_trying]) });
    expect(notesOf(answer)).toContain(guess);
  });

  it.each([
    ["a function", "k, xs: list[str]", "[k(x) for x in xs]"],
    ["an iterator", "it", "len(list(it))"],
  ])("are no bug of a function whose argument fails: %s", async (_, parameters, result) => {
    const answer = await verdict.check(`def f(${parameters}):\n    return ${result}\n`, "f", seconds);
    expect(answer["status"]).toMatch(/timeout|undecided/);
  });

  it("are explored if iterators are among them", async () => {
    const code = "def f(xs):\n    xs = list(xs)\n    return 1 // (len(xs) * 7 + xs[0] - 43245) if xs else 0\n";
    const { status, counterexamples } = await verdict.check(code, "f");
    expect({ status, counterexamples }).toMatchObject({
      status: "counterexample",
      counterexamples: [{ violation: expect.stringContaining("ZeroDivisionError") }],
    });
  });

  it("prove nothing", async () => {
    const code =
      "def f(n=0, b=False):\n    return n - 1 if b else 0\ndef g(n=0, b=False):\n    return -1 + n if b else 0\n";
    expect((await verdict.check(code, "f", seconds))["status"]).toMatch(/timeout|undecided/);
    expect((await verdict.raises(code, "f", "ValueError", seconds))["status"]).toMatch(/timeout|undecided/);
    expect(await verdict.compare(code, "f", "g", seconds)).toMatchObject({ confidence: "partial", proof: null });
  });

  it("are not a bug if the function does not accept them", async () => {
    const answer = await verdict.check("def f(x):\n    return x.nothing() + 1\n", "f", seconds);
    expect(answer["status"]).toMatch(/timeout|undecided/);
  });
});

describe.skipIf(!has_python)("iterators that functions return", () => {
  const of = (a: string, b: string) =>
    `import itertools\ndef f(n: int):\n    return ${a}\ndef g(n: int):\n    return ${b}\n`;

  it.each([
    ["their items", "zip([n], 'a')", "zip([n + 1], 'a')", /returns \[\(0, 'a'\)\], but .* returns \[\(1, 'a'\)\]/],
    ["their items, without an end", "itertools.count(n)", "itertools.count(n + 1)", /returns \[0, 1, .*but/],
    ["being lists", "iter([n])", "[n]", /returns \[0\] \(list_iterator\), but .* returns \[0\] \(list\)/],
    [
      "what ends them",
      "map(int, ['1', 'a'])",
      "map([1].index, [1, 2, 3])",
      /gives \[1\] and raises ValueError.*gives \[0\]/,
    ],
  ])("differ by %s", async (_, a, b, words) => {
    const { status, distinguishing_input } = await verdict.compare(of(a, b), "f", "g");
    expect(status).toBe("different");
    expect((distinguishing_input as { explanation: string }).explanation).toMatch(words);
  });

  // They can do more than give these items, so nothing is proved.
  it.each([
    ["how they give the same items", "iter([n, n])", "itertools.chain([n], [n])"],
    ["when they raise an exception", "map(int, ['a'])", "[int('a')]"],
    ["their items, without an end", "itertools.repeat(n)", "itertools.cycle([n])"],
  ])("do not differ by %s", async (_, a, b) => {
    expect((await verdict.compare(of(a, b), "f", "g", 3))["status"]).toMatch(/^(timeout|undecided)$/);
    const few = of(a, b).replaceAll("n: int", "n: bool");
    expect((await verdict.compare(few, "f", "g", 3))["status"]).toMatch(/^(timeout|undecided)$/);
  });
});

describe.skipIf(!has_python)("generators", () => {
  const of = (name: string, first: string, last: string) =>
    `def ${name}(n: int):\n    yield n\n    if n > 3:\n        yield ${first}\n    raise ${last}\n`;

  it.each([
    ["an item", of("g", "1", "KeyError"), /f\(n=\d+\) gives \[\d+, 0\] and raises KeyError at line 5, but g/],
    ["the exception", of("g", "0", "ValueError"), /but g\(n=-?\d+\) gives .* and raises ValueError/],
  ])("differ by %s", async (_, g, explanation) => {
    const answer = await verdict.compare(of("f", "0", "KeyError") + g, "f", "g");
    expect(answer).toMatchObject({
      status: "different",
      distinguishing_input: { explanation: expect.stringMatching(explanation) },
    });
  });

  it("are read to their end in the other questions, too, and prove nothing", async () => {
    const code = "def f(b: bool):\n    yield 1\n    if b:\n        raise KeyError(b)\n";
    expect(await verdict.check(code, "f")).toMatchObject({ status: "counterexample" });
    expect(await verdict.raises(code, "f", "KeyError")).toMatchObject({
      triggering_inputs: [{ args: { b: true }, test: expect.stringContaining("list(f(b=True))") }],
    });
    expect((await verdict.raises(code, "f", "ValueError", seconds))["status"]).toMatch(/timeout|undecided/);
  });

  it("differ from lists, and not from other iterators with their items", async () => {
    const code = "def f(n: int):\n    yield n\ndef g(n: int):\n    return [n]\ndef h(n: int):\n    return iter([n])\n";
    const { distinguishing_input } = await verdict.compare(code, "f", "g");
    expect(distinguishing_input).toMatchObject({ explanation: expect.stringMatching(/\(generator\), but .*\(list\)/) });
    expect((await verdict.compare(code, "f", "h", 3))["status"]).toMatch(/^(timeout|undecided)$/);
  });
});
