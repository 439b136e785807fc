import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import type { PairAnswer } from "../../src/engines/python/checker/changes.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { composed } from "../support/gate.ts";
import { has_python } from "../support/models.ts";

/** Only Python's parser is used here: nothing is run. */
let engines: Engines;
beforeAll(() => {
  engines = new Engines(readConfig({}));
});
afterAll(() => engines?.close());

const job = () => new Deadline(60_000);
const version = (text: string, name = "f") => ({ text, name, own_modules: ["mine"] });

async function pair(base: string, head: string, name = "f"): Promise<PairAnswer> {
  return engines.python.pair(version(base, name), version(head, name), job());
}

async function reasonOf(base: string, head: string, name = "f"): Promise<string> {
  return (await pair(base, head, name)).apart?.why ?? "there is a pair";
}

const f = "def f(n: int) -> int:\n    return g(n)\n";

describe.skipIf(!has_python)("both versions of a function in one module", () => {
  it("gives each version its own helpers and constants", async () => {
    const of = (limit: number, sign: string) =>
      `LIMIT = ${limit}\ndef g(n):\n    return n ${sign} LIMIT\ndef same(n):\n    return n\ndef f(n: int) -> int:\n    return same(g(n))\n`;
    const { pair: made } = await pair(of(1, "+"), of(2, "-"));
    expect(made?.function_a).toBe("f_base");
    expect(made?.function_b).toBe("f");
    expect(made?.code).toContain("LIMIT_base = 1");
    expect(made?.code).toContain("return n + LIMIT_base");
    expect(made?.code).toContain("return n - LIMIT");
    expect(made?.code).toContain("return same(g_base(n))");
    // What is equal stands there once.
    expect(made?.code.match(/def same/g)).toHaveLength(1);
  });

  it.each([
    ["a local variable", "def f(n: int) -> int:\n    g = n\n    return g\n"],
    ["a parameter", "def f(g: int) -> int:\n    return g\n"],
    ["a variable of a comprehension", "def f(n: int) -> int:\n    return sum([g for g in range(n)])\n"],
    ["a parameter of a lambda", "def f(n: int) -> int:\n    return (lambda g: g)(n)\n"],
    [
      "a name of an exception",
      "def f(n: int) -> int:\n    try:\n        return n\n    except ValueError as g:\n        raise g\n",
    ],
    ["a name of an inner function", "def f(n: int) -> int:\n    def g():\n        return n\n    return g()\n"],
    ["a keyword", "def f(n: int) -> int:\n    return int(dict(g=n)['g'])\n"],
  ])("does not rename %s with the name of a variable of the module", async (_, text) => {
    const of = (n: number) =>
      `def g(n):\n    return n + ${n}\n${text}`.replace(/(return|raise) (?!n \+)/, `x = ${n}\n    $&`);
    const { pair: made, apart } = await pair(`${of(1)}KEEP = 1\n`, `${of(2)}KEEP = 1\n`);
    expect(apart?.why ?? "").not.toContain("could not be replaced");
    expect((made?.code ?? "").replace("def g_base(n):", "")).not.toContain("g_base");
  });

  it("does not share what keeps a state, which would hide a difference", async () => {
    const of = (sum: string) =>
      `CACHE = {}\ndef g(n):\n    if n not in CACHE:\n        CACHE[n] = n\n    return CACHE[n]\ndef f(n: int) -> int:\n    return g(n) ${sum}\n`;
    const { pair: made } = await pair(of("+ 1"), of("+ 2"));
    expect(made?.code).toContain("CACHE_base = {}");
    expect(made?.code).toContain("def g_base");
  });

  it.each([
    [
      "a class that changed",
      "class C:\n    X = 1\ndef f(n: int) -> int:\n    return C.X\n",
      "class C:\n    X = 2\ndef f(n: int) -> int:\n    return C.X\n",
      "the class C",
    ],
    [
      "a class that keeps a list",
      "class C:\n    X = []\ndef f(n: int) -> int:\n    return len(C.X)\n",
      "class C:\n    X = []\ndef f(n: int) -> int:\n    return len(C.X) + 0\n",
      "the class C",
    ],
    [
      "a module of the repository",
      `from mine import g\n${f}`,
      `from mine import g as h\n${f.replace("g(n)", "h(n)")}`,
      "a module of this repository",
    ],
    [
      "a module of its package",
      `from .other import g\n${f}`,
      `from .other import g\n${f.replace("g(n)", "g(n) + 1")}`,
      "a module of its package",
    ],
    [
      "a package",
      `import numpy\ndef f(n: int) -> int:\n    return numpy.f(n)\n`,
      `import numpy\ndef f(n: int) -> int:\n    return numpy.g(n)\n`,
      "the package numpy",
    ],
    [
      "a builtin that the newer version defines itself",
      "def f(n: int) -> int:\n    return abs(n)\n",
      "def abs(n):\n    return n\ndef f(n: int) -> int:\n    return abs(n)\n",
      "abs",
    ],
    [
      "a setting of Python that changed",
      "import decimal\ndecimal.getcontext().prec = 5\ndef f(n: int) -> str:\n    return str(decimal.Decimal(n) / 3)\n",
      "import decimal\ndecimal.getcontext().prec = 9\ndef f(n: int) -> str:\n    return str(decimal.Decimal(n) / 3)\n",
      "can change what both versions use",
    ],
    [
      "what Python knows of its module",
      '"""One."""\ndef f(n: int) -> str:\n    return str(__doc__)\n',
      '"""Two."""\ndef f(n: int) -> str:\n    return str(__doc__) + ""\n',
      "__doc__",
    ],
    [
      "variables by texts",
      "def g(n):\n    return n\ndef f(n: int) -> int:\n    return globals()['g'](n)\n",
      "def g(n):\n    return n + 1\ndef f(n: int) -> int:\n    return globals()['g'](n)\n",
      "globals",
    ],
    [
      "its own name",
      "def f(n: int) -> str:\n    return f.__name__\n",
      "def f(n: int) -> str:\n    return f.__name__ + ''\n",
      "the name of a function",
    ],
    [
      "an import of everything",
      "from mine import *\ndef f(n: int) -> int:\n    return g(n)\n",
      "from mine import *\ndef f(n: int) -> int:\n    return g(n) + 1\n",
      "mine",
    ],
    [
      "a block of the module",
      "if True:\n    def f(n: int) -> int:\n        return n\n",
      "if True:\n    def f(n: int) -> int:\n        return n + 1\n",
      "inside of an `if`",
    ],
  ])("refuses %s, and says why", async (_, base, head, words) => {
    expect(await reasonOf(base, head)).toContain(words);
  });

  it("takes a method of a dataclass out of it, and refuses one of another class", async () => {
    const of = (sum: string, decorator: string) =>
      `from dataclasses import dataclass\n${decorator}class P:\n    x: int\n    def f(self) -> int:\n        return self.x${sum}\n`;
    const { pair: made } = await pair(of("", "@dataclass\n"), of(" + 1", "@dataclass\n"), "P.f");
    expect(made?.function_b).toBe("P_f");
    expect(made?.code).toContain("def P_f_base(self: P)");
    expect(await reasonOf(of("", ""), of(" + 1", ""), "P.f")).toContain("objects can't be made");
  });

  it("knows the same code, and gives a parameter the annotation of the other version", async () => {
    expect((await pair(f, f)).apart?.same_code).toBe(true);
    const { pair: made } = await pair("def f(a):\n    return a + 1\n", "def f(a: int) -> int:\n    return 1 + a\n");
    expect(made?.code).toContain("def f_base(a: int)");
    expect(made?.notes).toEqual(["Only one version annotates a: its types are used for both."]);
  });

  it("does in one module what each version does alone, on random modules", async () => {
    const { paired, mistakes } = await composed(60, 1);
    expect(mistakes).toEqual([]);
    expect(paired).toBeGreaterThan(15);
  });

  it("lists functions that changed, also through what they use, and not those of which only the text changed", async () => {
    const of = (limit: number, doc: string, more: string) =>
      `LIMIT = ${limit}\ndef a(n):\n    """${doc}"""\n    return n\ndef b(n):\n    return n + LIMIT\nclass C:\n    def m(self):\n        return ${limit}\n${more}`;
    const { functions } = await engines.python.changes(
      of(1, "x", "def old(): pass\n"),
      of(2, "y", "async def new(): pass\n"),
      job(),
    );
    const shown = functions.map(({ name, change, through }) => `${name} ${change} ${through.join()}`.trim()).toSorted();
    expect(shown).toEqual(["C.m changed", "a same_code", "b changed LIMIT", "new added", "old removed"]);
  });

  it("takes docstrings for code where something reads them, and says where names of parameters changed", async () => {
    const of = (doc: string) => `def a(n):\n    """${doc}"""\n    return n\ndef b():\n    return a.__doc__\n`;
    const { functions } = await engines.python.changes(of("x"), of("y"), job());
    expect(functions.map(({ name, change }) => `${name} ${change}`)).toContain("a changed");
    const { pair: made } = await pair("def f(n: int) -> int:\n    return n\n", "def f(m: int) -> int:\n    return m\n");
    expect(made?.notes).toEqual([expect.stringContaining("n is now m")]);
  });

  it.each([
    ["a broken file", "def f(:\n", "invalid syntax"],
    ["a file in another encoding", "# coding: utf-7\nx = 1\n", "utf-7"],
    ["bytes that are not UTF-8", "x = '\ufffd'\n", "UTF-8"],
  ])("says that %s can't be read", async (_, text, words) => {
    const { unreadable } = await engines.python.changes("x = 1\n", text, job());
    expect(unreadable).toMatchObject({ side: "head", message: expect.stringContaining(words) });
  });
});
