import { describe, expect, it } from "vitest";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { shareSymbolic } from "../support/symbolic.ts";

const verdict = fixture(shareSymbolic);

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
    ["a function", "k, xs: list[str]", "[k(x) for x in xs]", /^(timeout|undecided)$/],
    ["an iterator, while lists do not", "it", "len(list(it))", /^verified$/],
  ])("are no bug of a function whose argument fails: %s", async (_, parameters, result, status) => {
    const answer = await verdict.check(`def f(${parameters}):\n    return ${result}\n`, "f", 2 * seconds);
    expect(answer["status"]).toMatch(status);
    if (answer["status"] === "verified") expect(answer["assumed_types"]).toEqual({ it: "list[int]" });
  });

  it("are explored if iterators are among them", async () => {
    const code = "def f(xs):\n    xs = list(xs)\n    return 1 // (len(xs) * 7 + xs[0] - 43245) if xs else 0\n";
    const { status, counterexamples } = await verdict.check(code, "f");
    expect({ status, counterexamples }).toMatchObject({
      status: "counterexample",
      counterexamples: [{ violation: expect.stringContaining("ZeroDivisionError") }],
    });
  });

  it("are named in the first sentence of what is proved for them", async () => {
    const code =
      "def f(n=0, b=False):\n    return n - 1 if b else 0\ndef g(m=0, b=False):\n    return -1 + m if b else 0\n";
    const checked = await verdict.check(code, "f");
    expect(checked).toMatchObject({ status: "verified", assumed_types: { n: "int", b: "bool" } });
    expect(notesOf(checked)).toMatch(/^Verified for all inputs with the assumed types n: int, b: bool: f ends/);
    const raised = await verdict.raises(code, "f", "ValueError");
    expect(raised).toMatchObject({ status: "unreachable", assumed_types: { n: "int", b: "bool" } });
    expect(notesOf(raised)).toMatch(/^Unreachable only for the assumed types n: int, b: bool\./);
    const compared = await verdict.compare(code, "f", "g");
    expect(compared).toMatchObject({ status: "equivalent", assumed_types: { n: "int", b: "bool" } });
    expect(notesOf(compared)).toMatch(/^Equivalent only for the assumed types n: int, b: bool\./);
    const branches = await verdict.branches("def f(n=0):\n    if n * n < 0:\n        return 1\n    return 0\n", "f");
    expect(branches).toMatchObject({ status: "complete", dead_code_lines: [3], assumed_types: { n: "int" } });
    expect(notesOf(branches)).toMatch(/^Sides are proven unreachable only for the assumed types n: int/);
  });

  it.each([
    ["the likeliest of several", "n", "n * 2 + 1 if n else 0", { n: "int" }],
    ["those of calls in the text", "n", "n + n", { n: "str" }, 'f("a")\n'],
    ["those of examples in the docstring", "n", "n + n", { n: "float" }, "", '    """>>> f(1.5)\n    3.0"""\n'],
    ["those of a list for an Iterable", "n: Iterable[str]", "sum(1 for x in n)", { n: "list[str]" }],
    ["those of items", "n: list, m: Sequence[Any]", "len(n) + len(m)", { n: "list[int]", m: "list[int]" }],
  ])("are %s", async (_, parameters, result, assumed_types, calls = "", docstring = "") => {
    const imports = "from typing import Any, Iterable, Sequence\n";
    const code = `${imports}def f(${parameters}):\n${docstring}    return ${result}\n${calls}`;
    expect(await verdict.check(code, "f")).toMatchObject({ status: "verified", assumed_types });
  });

  it("are the same for both functions, whichever says more", async () => {
    const code =
      "def f(x):\n    return x if x else 0\ndef g(y: int):\n    if y == 0:\n        return 0\n    return y\n";
    expect(await verdict.compare(code, "f", "g")).toMatchObject({ status: "equivalent", assumed_types: { x: "int" } });
    expect(await verdict.compare(code, "g", "f")).toMatchObject({ status: "equivalent", assumed_types: { y: "int" } });
  });

  it.each([
    ["xs: Sequence[int]", "return [x] + xs", "return [x, *xs]"],
    ["xs: Iterable[int]", "return 1 if xs == [] else 0", "return 1 if not xs else 0"],
  ])("are no annotations for the comparison of the code of two versions: %s", async (parameter, before, after) => {
    const of = (body: string) => `from typing import Iterable, Sequence\ndef f(x: int, ${parameter}):\n    ${body}\n`;
    const answer = await verdict.versions(of(before), of(after), ["f", "f"], seconds);
    if (answer["proof"]) expect(answer["assumed_types"]).toEqual({ xs: "list[int]" });
    else expect(answer["status"]).not.toBe("equivalent");
  });

  it("are not assumed for the fields of a record, whose name does not show them", async () => {
    const record =
      "from typing import Sequence\nfrom dataclasses import dataclass\n@dataclass\nclass P:\n    x: Sequence[int]\n";
    const code = `${record}def f(p: P):\n    a = sum(p.x)\n    return (a, sum(p.x))\ndef g(p: P):\n    a = sum(p.x)\n    return (a, a)\n`;
    expect(await verdict.compare(code, "f", "g", seconds)).toMatchObject({ confidence: "partial", proof: null });
  });

  it("prove nothing if no function accepts them", async () => {
    const code = "def f(x):\n    return x + x.a\ndef g(x):\n    x = x.a\n    return x\n";
    expect(await verdict.compare(code, "f", "g", seconds)).toMatchObject({ confidence: "partial", proof: null });
    expect((await verdict.raises(code, "f", "ValueError", seconds))["status"]).toMatch(/timeout|undecided/);
  });

  it("are not assumed for a default of another type", async () => {
    const code = "def f(n: int, m: int | None = None):\n    return n if m is None else n + m\n";
    expect(await verdict.check(code, "f")).toMatchObject({ status: "verified" });
    const wrong = "def f(n: int, m: int = None):\n    return n + m\n";
    expect(await verdict.check(wrong, "f")).toMatchObject({ status: "counterexample" });
    const unseen = "def f(n: int, m: int = 0.5):\n    return isinstance(m, int) or 1 // 0\n";
    expect(await verdict.check(unseen, "f")).toMatchObject({ status: "counterexample" });
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
