import { describe, expect, it } from "vitest";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { meets, shareProver } from "../support/prover.ts";

/** A function of a list and a number. */
const of = (...body: readonly string[]) =>
  `def f(xs: list[int], n: int) -> int:\n${body.map((line) => `    ${line}\n`).join("")}`;

describe.skipIf(!has_python)("nested functions", () => {
  const bench = fixture(shareProver);

  it.each([
    ["that read nothing", of("def g(a: int) -> int:", "    return a + 1", "return g(n)")],
    [
      "that read an outer variable",
      of("def g(a):", "    return a + n", "post = g(1)", "assert post == n + 1", "return post"),
    ],
    [
      "that read it later",
      of("def g():", "    return k", "k = n", "assert g() == n", "k = 7", "assert g() == 7", "return k"),
    ],
    ["that hide it", of("def g(n):", "    return n + 1", "assert g(2) == 3", "return n")],
    [
      "that assign their own",
      of("k = 1", "def g():", "    k = 2", "    return k", "assert g() == 2 and k == 1", "return k"),
    ],
    [
      "with a default",
      of("def g(a, b=2):", "    return a * b", "assert g(n) == n * 2 and g(n, b=3) == 3 * n", "return n"),
    ],
    [
      "that call each other",
      of("def g(a):", "    return a + n", "def h(a):", "    return g(a) + n", "assert h(1) == 1 + n + n", "return 0"),
    ],
    [
      "with a loop",
      of("def g(ys):", "    t = n", "    for y in ys:", "        t += y", "    return t", "return g(xs)"),
    ],
    ["in a loop", of("def g(a):", "    return a + n", "t = 0", "for x in xs:", "    t += g(x)", "return t")],
    ["in a comprehension", of("def g(a):", "    return a + n", "return sum([g(x) for x in xs])")],
    ["with a name", of("g = lambda a, b=1: a + b + n", "assert g(1) == n + 2", "return g(n)")],
    ["of the module with a name", `g = lambda a: a + 1\n${of("assert g(n) == n + 1", "return g(n)")}`],
    [
      "that raise",
      of("def g(a):", "    if a < 0:", "        raise ValueError(a)", "    return a", "return g(n) if n >= 0 else 0"),
    ],
    [
      "that call themselves at the end",
      of("def g(a):", "    if a <= 0:", "        return n", "    return g(a - 1)", "return g(5)"),
    ],
    ["with annotations", of("def g(a: int | None, b: list[int] = None) -> 'int':", "    return a or 0", "return g(n)")],
  ])("are proved: %s", async (_, code) => {
    expect(await bench.decide(code, meets), code).toMatchObject({ kind: "proven" });
  });

  it.each([
    ["a false assert about it", of("def g(a):", "    return a + n", "assert g(1) == n", "return n")],
    ["an outer variable without a value", of("def g():", "    return k", "t = g()", "k = n", "return t")],
    ["one with a value on one path", of("def g():", "    return k", "if n:", "    k = 1", "return g()")],
    ["one that a loop may not set", of("def g():", "    return x", "for x in xs:", "    pass", "return g()")],
    ["one that is read late", of("k = 1", "def g():", "    return k", "k = 2", "assert g() == 1", "return k")],
    [
      "one with the name of a clause",
      of("def g(a):", "    return a + n", "return [g(1) for n in xs + [5]][-1] - n - 1 and [][0]"),
    ],
    ["a call before the definition", of("t = g(n)", "def g(a):", "    return a", "return t")],
    ["a call of a later one", of("def g():", "    return h()", "t = g()", "def h():", "    return 1", "return t")],
    [
      "a call of a later one, hiding another",
      `def h():\n    return 1\n${of("def g():", "    return h()", "t = g()", "def h():", "    return 1", "return t")}`,
    ],
    ["a definition on one path", of("if n:", "    def g():", "        return 1", "return g()")],
    ["a second definition", of("def g():", "    return 1", "def g():", "    return 2", "assert g() == 1", "return n")],
    ["an assignment to its name", of("def g():", "    return 1", "if n:", "    g = None", "return g()")],
    ["a clause with its name", of("def g():", "    return 1", "return sum([g() for g in xs])")],
    ["a function as a result", of("def g():", "    return 1", "return g")],
    ["a function with a second name", of("def g():", "    return 1", "h = g", "return h() + [][0]")],
    ["a comparison of functions", of("def g():", "    return 1", "assert g == 1", "return n")],
    [
      "a nonlocal variable",
      of("k = 1", "def g():", "    nonlocal k", "    k = 2", "    return k", "g()", "assert k == 1", "return k"),
    ],
    ["a global variable", `k = 1\n${of("def g():", "    global k", "    k = None", "g()", "return k")}`],
    ["a default that reads", of("k = 1", "def g(a=k):", "    return a", "k = 2", "assert g() == 2", "return n")],
    [
      "a default that is changed",
      of("def g(a=[]):", "    a.append(1)", "    return len(a)", "g()", "assert g() == 1", "return n"),
    ],
    ["an annotation without a meaning", of("def g(a: nothing):", "    return a", "return g(n)")],
    ["an annotation that is no type", of("def g(a: int[3]):", "    return a", "return g(n)")],
    ["an annotation of two texts", of("def g(a: 'int' | None):", "    return a", "return g(n)")],
    ["an annotation that is hidden", of("list = n", "def g(a: list[int]):", "    return a", "return g(n)")],
    ["a result without a meaning", of("def g(a) -> nothing:", "    return a", "return g(n)")],
    ["a decorator", of("def h(a):", "    return 3", "@h", "def g(a):", "    return a", "return g(n)")],
    ["a generator", of("def g():", "    yield 1", "return g()")],
    ["a generator with a result", of("def g():", "    return 1", "    yield 1", "return g()")],
    ["a lambda expression that is a generator", of("g = lambda: (yield 1)", "return g()")],
    [
      "a list that it changes",
      of("ys = [1]", "def g():", "    ys.append(2)", "g()", "assert len(ys) == 1", "return n"),
    ],
    [
      "a parameter that it changes",
      of("def g(zs):", "    zs.append(1)", "ys = [1]", "g(ys)", "assert len(ys) == 1", "return n"),
    ],
    [
      "a list that it returns",
      of("ys = [1]", "def g():", "    return ys", "zs = g()", "ys.append(2)", "assert len(zs) == 1", "return n"),
    ],
    ["too few arguments", of("def g(a):", "    return n", "return g()")],
    ["too many arguments", of("def g(a=1):", "    return n + a", "return g(1, 2)")],
    ["an outer variable as an argument", of("def g(a):", "    return n + a", "return g(1, n=2)")],
    [
      "a name that the other one hides",
      of("def g():", "    return n", "def h(n):", "    return g()", "assert h(5) == 5", "return n"),
    ],
    ["no end", of("def g(a):", "    return g(a + 1)", "return g(n)")],
    ["an exception", of("def g(a):", "    if a < n:", "        raise ValueError(a)", "    return a", "return g(0)")],
    ["an exception's order", of("def g(a):", "    return a // n", "return g(xs[0])")],
    [
      "functions in it",
      of(
        "def g():",
        "    def h():",
        "        return k",
        "    k = 1",
        "    return h()",
        "k = 2",
        "assert g() == 2",
        "return n",
      ),
    ],
    ["a class in it", of("def g():", "    class A:", "        pass", "    return A", "return g()")],
    [
      "a special name",
      of("def __init__(a):", "    a.append(1)", "ys = [1]", "__init__(ys)", "assert len(ys) == 1", "return n"),
    ],
    ["a deleted function", of("def g():", "    return 1", "del g", "return g()")],
    ["a walrus", of("def g():", "    return n", "(n := 3)", "assert g() != 3", "return n")],
    [
      "a module's function that reads it",
      `def h():\n    return g(1)\n${of("def g(a):", "    return a", "return h()")}`,
    ],
    ["a second meaning of a module's name", `g = lambda: 1\ng = lambda: None\n${of("return g()")}`],
    [
      "a list that it changes twice",
      of("ys = [1]", "def g(a):", "    ys.append(a)", "g(n)", "g(2)", "assert len(ys) == 2", "return n"),
    ],
    [
      "a variable that one path sets",
      of("ys = [1]", "def g(a):", "    if a:", "        b = 1", "    ys.append(b)", "g(n)", "return n"),
    ],
    [
      "one of an earlier call",
      of(
        "ys = [1]",
        "def g(a):",
        "    if a == 1:",
        "        b = 1",
        "    ys.append(b)",
        "for x in [1, 2]:",
        "    g(x)",
        "return n",
      ),
    ],
    [
      "one of a loop",
      of("ys = [1]", "def g(zs):", "    for z in zs:", "        pass", "    ys.append(z)", "g(xs)", "return n"),
    ],
    ["a list that is not there yet", of("def g(a):", "    ys.append(a)", "g(n)", "ys = [1]", "g(1)", "return n")],
    ["a list that may not be there", of("def g(a):", "    ys.append(a)", "if n:", "    ys = [1]", "g(n)", "return n")],
    ["a call with a result", of("ys = [1]", "def g(a):", "    ys.append(a)", "t = g(n)", "return t")],
    [
      "a call in a clause",
      of("ys = [1]", "def g(a):", "    ys.append(a)", "[g(x) for x in xs]", "assert len(ys) == 1", "return n"),
    ],
    [
      "an early result",
      of(
        "ys = [1]",
        "def g(a):",
        "    if a:",
        "        return",
        "    ys.append(a)",
        "g(n)",
        "assert len(ys) == 2",
        "return n",
      ),
    ],
    [
      "two names",
      of("ys = [1]", "def g(a):", "    ys.append(a)", "zs = ys", "g(n)", "assert len(zs) == 1", "return n"),
    ],
    [
      "a list in itself",
      of("ys = [1]", "def g(a):", "    a.append(1)", "    ys.append(2)", "g(ys)", "assert len(ys) == 2", "return n"),
    ],
    [
      "a list that a loop reads",
      of(
        "ys = [1]",
        "def g(a):",
        "    ys.append(a)",
        "for y in ys:",
        "    g(y)",
        "    if len(ys) > 5:",
        "        break",
        "assert len(ys) == 2",
        "return n",
      ),
    ],
    ["a parameter of the caller's", of("def g(a):", "    xs.append(a)", "g(n)", "assert len(xs) == 1", "return n")],
    [
      "a clause with the list's name",
      of("ys = [1]", "def g(a):", "    ys.append(a)", "t = [ys for ys in xs]", "g(n)", "assert ys == [1]", "return n"),
    ],
    ["too few arguments for a change", of("ys = [1]", "def g(a):", "    ys.append(1)", "g()", "return n")],
    ["a call by keyword for a change", of("ys = [1]", "def g(a):", "    ys.append(a)", "g(b=1)", "return n")],
    ["a change that raises", of("ys = [1]", "def g(a):", "    ys[a] = 1", "g(n)", "return n")],
    ["a default that raises", of("ys = [1]", "def g(a=~1.5):", "    ys.append(a)", "g(n)", "return n")],
    ["a default that raises and is not used", of("def g(a=-'a'):", "    return a", "return n")],
    [
      "an import in it",
      of("ys = [1]", "def g(a):", "    import math", "    ys.append(a)", "g(n)", "assert len(ys) == 1", "return n"),
    ],
    [
      "a change without an end",
      of("ys = [1]", "def g(a):", "    while a:", "        ys.append(a)", "g(n)", "return n"),
    ],
  ])("are not proved: %s", async (_, code) => {
    expect((await bench.decide(code, meets)).kind, code).not.toBe("proven");
  });

  it.each([
    ["an outer variable", "k = n; g = lambda a: a + k", "g(1)", "n + 1", "n - 1"],
    [
      "a loop",
      "def g(ys):\n        t = n\n        for y in ys: t += y\n        return t",
      "g(xs)",
      "sum(xs) + n",
      "sum(xs)",
    ],
    ["an exception", "def g(a):\n        return a // n", "g(1)", "1 // n", "1 // n if n else 1"],
    [
      "a method of text",
      "def g(s):\n        return s.upper() + str(n)",
      "len(g('a'))",
      "len('a'.upper() + str(n))",
      "len('a'.upper())",
    ],
  ])("are compared: %s", async (_, inner, call, same, other) => {
    const code = (second: string) =>
      `def f(xs: list[int], n: int):\n    ${inner.replace("; ", "\n    ")}\n    return ${call}\ndef g(xs: list[int], n: int):\n    return ${second}\n`;
    const equal = { kind: "equivalent", function_a: "f", function_b: "g" } as const;
    expect(await bench.decide(code(same), equal), code(same)).toMatchObject({ kind: "proven" });
    expect((await bench.decide(code(other), equal)).kind, code(other)).not.toBe("proven");
  });
});
