import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import type { PairAnswer } from "../../src/engines/python/checker/changes.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { fixture } from "../support/fixture.ts";
import { composed } from "../support/gate.ts";
import { has_python } from "../support/models.ts";

/** Only Python's parser is used here: nothing is run. */
const engines = fixture(() => new Engines(readConfig({})));

const job = () => new Deadline(60_000);
const version = (text: string, name = "f") => ({ text, name, own_modules: ["mine"], path: "pkg/main.py", files: {} });

async function pair(base: string, head: string, name = "f"): Promise<PairAnswer> {
  return engines.python.pair(version(base, name), version(head, name), job());
}

async function reasonOf(base: string, head: string, name = "f"): Promise<string> {
  return (await pair(base, head, name)).apart?.why ?? "there is a pair";
}

const f = "def f(n: int) -> int:\n    return g(n)\n";

describe.skipIf(!has_python)("both versions of a function, each in its module", () => {
  it("gives each version its own helpers and constants", async () => {
    const of = (limit: number, sign: string) =>
      `LIMIT = ${limit}\ndef g(n):\n    return n ${sign} LIMIT\ndef same(n):\n    return n\ndef f(n: int) -> int:\n    return same(g(n))\n`;
    const { pair: made } = await pair(of(1, "+"), of(2, "-"));
    expect(made).toMatchObject({ function_a: "f", function_b: "f" });
    expect(made?.base).toMatch(/LIMIT = 1.*return n \+ LIMIT/s);
    expect(made?.code).toMatch(/LIMIT = 2.*return n - LIMIT/s);
  });

  it("guesses the type of a parameter that only one version has", async () => {
    const { pair: made } = await pair("def f(n):\n    return n - 1\n", "def f(n, more=2):\n    return n - more\n");
    expect(made?.assumed_types).toEqual({ n: "int", more: "int" });
  });

  it("says the same of a function after another one of its module was asked about", async () => {
    const of = (n: number) =>
      `LIMIT = {}\ndef g(n, limit=LIMIT):\n    return n + ${n}\ndef f(n, g=g):\n    return g(n) - ${n}\ndef h(n):\n    return f(n)\n`;
    const first = await pair(of(1), of(2));
    expect(first.pair?.assumed_types).toHaveProperty("n");
    for (const name of ["g", "h"]) expect((await pair(of(1), of(2), name)).pair?.function_a).toBe(name);
    expect((await pair(of(1), of(2))).pair).toEqual(first.pair);
  });

  it("leaves out what only documents, unless something reads it", async () => {
    const of = (n: number, more = "") =>
      `try:\n    from itertools import pairwise as own\nexcept ImportError:\n    pass\nelse:\n    def g(n):\n        return n\n    g.__doc__ = own.__doc__\ndef f(n: int):\n    return g(n) + ${n}${more}\n`;
    const { pair: made } = await pair(of(1), of(2));
    expect(made?.code).not.toContain("__doc__");
    const read = " if g.__doc__ else 0";
    expect((await pair(of(1, read), of(2, read))).pair?.code).toContain("g.__doc__ = own.__doc__");
  });

  it.each([
    [
      "a package",
      `import numpy\ndef f(n: int) -> int:\n    return numpy.f(n)\n`,
      `import numpy\ndef f(n: int) -> int:\n    return numpy.g(n)\n`,
      "the package numpy",
    ],
    [
      "a function that a block of the module defines twice",
      "if True:\n    def f(n: int) -> int:\n        return n\nelse:\n    def f(n: int) -> int:\n        return 3\n",
      "if True:\n    def f(n: int) -> int:\n        return n + 1\nelse:\n    def f(n: int) -> int:\n        return 3\n",
      "inside an `if`",
    ],
  ])("refuses %s, and says why", async (_, base, head, words) => {
    expect(await reasonOf(base, head)).toContain(words);
  });

  it("takes of a tried import what runs here: the repository's modules, and no package", async () => {
    const of = (n: number, tried: string, uses: string) =>
      `${tried}def f(x: int) -> int:\n    return ${uses} + x + ${n}\n`;
    const none = "try:\n    from nosuchpackage import fast\nexcept ImportError:\n    fast = len\n";
    const { pair: without } = await pair(of(1, none, "fast('a')"), of(2, none, "fast('a')"));
    expect(without?.code).toMatch(/^fast = len\n/);
    expect(without?.notes).toEqual([expect.stringContaining("`from nosuchpackage import fast` fails here")]);
    // Another exception is not caught, and a name of Python's own modules stays as it is.
    const other = none.replace("ImportError", "Exception");
    expect(await reasonOf(of(1, other, "fast('a')"), of(2, other, "fast('a')"))).toContain("package nosuchpackage");
    const own = "try:\n    from .util import fast\nexcept ImportError:\n    fast = len\n";
    const files = { "pkg/util/__init__.py": null, "pkg/util.py": "def fast(x):\n    return 3\n" };
    const { pair: with_own } = await engines.python.pair(
      { ...version(of(1, own, "fast('a')")), files },
      { ...version(of(2, own, "fast('a')")), files },
      job(),
    );
    expect(with_own?.code).toMatch(/^def fast\(x\):\n {4}return 3\n/);
  });

  it.each([
    [
      "types in texts",
      "from typing import Union\nclass V:\n    def m(self):\n        self.x = 1\nT = Union['V', int]\n",
      "isinstance(x, V)",
    ],
    ["a value for versions of Python", "import sys\nT = 3 if sys.version_info >= (3, 1) else sys.nosuch('a')\n", "T"],
    ["a class that asks for its docstring", "class V:\n    'V'\n    text = __doc__\n", "len(V.text)"],
    [
      "a class with brackets after its name",
      "import random\nfrom types import GenericAlias\nclass V:\n    __class_getitem__ = classmethod(GenericAlias)\ndef g():\n    return random.random()\n",
      "3",
    ],
    [
      "such a class whose methods use more, and a type made of it",
      "import os, types\nclass V:\n    __class_getitem__ = classmethod(types.GenericAlias)\n    def m(self):\n        self.x = os.getcwd()\nT = V[int]\n",
      "3",
    ],
  ])("compares functions of a module with %s", async (_, top, uses) => {
    const [base = "", head = ""] = changed(top, ` + ${uses}`);
    // A class that differs, too.
    const { pair: made, apart } = await pair(base, head.replace("self.x = 1", "self.x = 2"));
    expect(apart).toBeUndefined();
    expect(made?.code).not.toMatch(/nosuch|def g/);
  });

  it("knows the same code, and gives a parameter the annotation of the other version", async () => {
    expect((await pair(f, f)).apart?.same_code).toBe(true);
    const { pair: made } = await pair("def f(a):\n    return a + 1\n", "def f(a: int) -> int:\n    return 1 + a\n");
    expect(made?.base).toContain("def f(a: int)");
    expect(made?.notes).toEqual(["Only one version annotates a: its types are used for both."]);
    const { pair: other } = await pair(
      "def f(a=1):\n    return a + 1\n",
      "from typing import TypeVar\nT = TypeVar('T')\ndef f(a: T = 1):\n    return 1 + a\n",
    );
    expect(other).toMatchObject({ base: expect.not.stringContaining("T"), assumed_types: { a: "int" } });
  });

  /** A module in two versions, in which a statement at the top is followed by a function that changed. */
  const changed = (top: string, uses = "") =>
    [1, 2].map((n) => `${top}\ndef f(x: int) -> int:\n    return x + ${n}${uses}\n`);

  it.each([
    ["a package that names modules to load late", '__lazy_modules__ = {f"{__spec__.parent}.late"}'],
    ["a module that extends its own docstring", '"""One."""\n__doc__ = __doc__ + "x"'],
    ["a call that imports a constant name", 'def g():\n    return __import__("concurrent.futures").futures.Executor'],
  ])("compares functions of %s", async (_, top) => {
    const [base = "", head = ""] = changed(top);
    const { pair: made } = await pair(base, head);
    expect([made?.base, made?.code]).toEqual([1, 2].map((n) => `def f(x: int) -> int:\n    return x + ${n}`));
  });

  it("takes along an import by a call of `__import__`", async () => {
    const top = 'def g():\n    return __import__("concurrent.futures").futures.FIRST_COMPLETED';
    const [base = "", head = ""] = changed(top, " + len(g())");
    expect((await pair(base, head)).pair?.code).toMatch(/^import concurrent\.futures\n.*return concurrent\.futures\./s);
    // A name with another meaning, and one that is not a constant, stay what they are.
    for (const other of [`concurrent = 1\n${top}`, top.replace('"concurrent.futures"', "f.x")]) {
      const [old = "", young = ""] = changed(other, " + len(g())");
      expect((await pair(old, young)).pair?.code).toContain("__import__(");
    }
  });

  // What a call does while the module is loaded, in two versions that differ in nothing else.
  const C = "class C:\n    limit = 3\n";
  const put = `${C}def put(c):\n    c.limit = 5\n    return 1\n`;
  const setup =
    "import decimal\ndef setup(g=None):\n    from decimal import getcontext\n    getcontext().prec = 5\n    return g\n";
  const third = "str(decimal.Decimal(x) / 3)";
  it.each([
    ["a class that a called function is given", `${put}X = put(C)\n`, "C.limit"],
    ["a class, by a call whose value nothing keeps", `${put}put(C)\n`, "C.limit"],
    ["a class, by a function in a table", `${put}T = {1: put}\nX = [each(C) for each in T.values()]\n`, "C.limit"],
    ["a function that a called function is given", `${put}def g():\n    pass\nX = put(g)\n`, "g.limit"],
    [
      "a class, by its base",
      `${C}    def __init_subclass__(cls, k):\n        put(cls.mro()[1], k)\ndef put(c, k):\n    c.limit = k\nclass D5(C, k=5):\n    pass\n`,
      "C.limit",
    ],
    ["a setting of a library", `${setup}X = setup(1)\n`, third],
    ["a setting, by a call whose value nothing keeps", `${setup}setup()\n`, third],
    ["a setting, by a decorator", `${setup}@setup\ndef g():\n    pass\n`, third],
    ["a setting, by a default", `${setup}def g(n=setup()):\n    pass\n`, third],
    ["a setting, by an annotation", `${setup}X: setup(int) = 3\n`, third],
    ["a setting, by the body of a class", "import decimal\nclass D5:\n    decimal.getcontext().prec = 5\n", third],
  ])("lists a function of a module that changes %s while it is loaded", async (_, top, used) => {
    const base = `${top}def f(x: int) -> object:\n    return ${used}\n`;
    const head = base.replaceAll("5", "9");
    const { functions } = await engines.python.changes(base, head, job());
    expect(functions.map(({ name }) => name)).toContain("f");
    expect((await pair(base, head)).pair?.code).toContain("9");
  });

  it("lists a function of which a call changes a table while the module is loaded, and compares it", async () => {
    const of = (n: number) =>
      `T = {}\ndef fill():\n    T.update({1: ${n}})\nfill()\ndef f(x: int) -> int:\n    return T[1]\n`;
    const { functions } = await engines.python.changes(of(1), of(2), job());
    expect(functions.map(({ name, through }) => `${name} ${through.join()}`)).toContain("f fill");
    expect((await pair(of(1), of(2))).pair?.base).toMatch(/T.update\(\{1: 1\}\).*fill\(\)/s);
  });

  it("takes along what a module makes for types only, where only annotations use it", async () => {
    const top =
      "from __future__ import annotations\nTYPE_CHECKING = False\nif TYPE_CHECKING:\n    import datetime as dt\n    import sys\n    if sys.version_info >= (3, 10):\n        from typing import TypeAlias\n    else:\n        from typing_extensions import TypeAlias\n    Time: TypeAlias = dt.timedelta | int\n    X = print()\n";
    const of = (n: number) =>
      `${top}def now() -> dt.datetime:\n    """Raises: dt"""\n    import datetime as dt\n    return dt.datetime.now()\ndef f(x: Time, y: dt.timedelta) -> int:\n    return y.days + ${n}\n`;
    const { pair: made } = await pair(of(1), of(2));
    expect(made?.code).not.toMatch(/TYPE_CHECKING|version_info|print/);
    expect(made?.code).toMatch(
      /^from __future__.*import datetime as dt\nfrom typing import TypeAlias\nTime: TypeAlias = /s,
    );
    // A name of such a block that code uses keeps its meaning, which is none.
    const used =
      "TYPE_CHECKING = False\nif TYPE_CHECKING:\n    import datetime as dt\ndef f(x: int) -> int:\n    return dt.timedelta(x).days + 1\n";
    expect((await pair(used, used.replace("+ 1", "+ 2"))).pair?.code).toContain(
      "if TYPE_CHECKING:\n    import datetime",
    );
  });

  it("compares functions that a block of their module defines once, as this Python runs the block", async () => {
    const blocks = (n: number) => [
      `import math\nif math.pi > 3:\n    def f(x: int) -> int:\n        return x + ${n}\n`,
      `try:\n    from math import nosuch as g\nexcept ImportError:\n    g = abs\nelse:\n    g = max\ntry:\n    pass\nfinally:\n    def f(x: int) -> int:\n        return g(x) + ${n}\n`,
    ];
    for (const [place, base] of blocks(1).entries()) {
      const { pair: made } = await pair(base, blocks(2)[place] ?? "");
      expect(made).toMatchObject({
        function_a: "f",
        notes: [expect.stringContaining("the definition that this Python version uses")],
      });
      expect(made?.base).toContain("    def f(x: int)");
    }
    const of = (n: number) =>
      `import sys\nif sys.version_info >= (3, 1):\n    def f(x: int) -> int:\n        return x + ${n}\nelse:\n    def f(x: int) -> int:\n        return x\n`;
    expect((await pair(of(1), of(2))).pair).toMatchObject({ notes: [], code: expect.not.stringContaining("if") });
    const own = `class sys:\n    version_info = (2, 7)\n${of(1).slice(11)}`;
    expect(await reasonOf(own, own.replace("+ 1", "+ 2"))).toContain("more than one definition");
  });

  it("asks for the class of a value in the form that the sandbox knows", async () => {
    const of = (n: number) =>
      `class C:\n    def __eq__(self, other):\n        return self.__class__ is other.__class__\ndef f(x: int) -> int:\n    return (C() == C()) + ${n}\n`;
    expect((await pair(of(1), of(2))).pair?.code).toContain("return type(self) is type(other)");
    const named = (n: number) => of(n).replace("def f(x", "type = id\ndef f(x");
    expect((await pair(named(1), named(2))).pair?.code).toContain("self.__class__");
  });

  it("does what each version does alone, on random modules, and so does one tree of both", async () => {
    const { paired, merged, mistakes } = await composed(60, 1);
    expect(mistakes).toEqual([]);
    expect(Math.min(paired, 3 * merged)).toBeGreaterThan(15);
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

  it.each([
    ["a constant of its class", "class C:\n    LIMIT = #\n    def f(self):\n        return self.LIMIT\n", "C.LIMIT"],
    ["a constant of the module", "LIMIT = #\nclass C:\n    def f(self):\n        return LIMIT\n", "LIMIT"],
    ["a base class", "class B:\n    LIMIT = #\nclass C(B):\n    def f(self):\n        return self.LIMIT\n", "B.LIMIT"],
    ["the default of a field", "@dataclass\nclass C:\n    n: int = #\n    def f(self):\n        return self.n\n", "C"],
    ["what changes its class", "class C:\n    def f(self):\n        return self.n\nC.n = #\n", "C"],
    ["what it is bound to again", "def h(n):\n    return n\nK = #\ndef f(n):\n    return 1\nf = h if K else f\n", "K"],
    [
      "what chooses its definition",
      "if #:\n    def f(n):\n        return 1\nelse:\n    def f(n):\n        return 2\n",
      "f",
    ],
    ["the class of a parameter", "class C(Enum):\n    A = #\ndef f(c: C):\n    return c.value\n", "C.A"],
    ["the class in a type", "class C:\n    n = #\nT = list[C]\ndef f(*, c: 'T | None'):\n    return c[0].n\n", "C.n"],
  ])("lists a function or a method that uses %s, which changed", async (_, text, through) => {
    const { functions } = await engines.python.changes(text.replace("#", "1"), text.replace("#", "2"), job());
    expect(functions).toMatchObject([{ name: expect.stringMatching(/f$/), change: "changed", through: [through] }]);
  });

  it("lists a method that calls a changed one of its class, and no other method", async () => {
    const of = (limit: number, more: string) =>
      `class C:\n    "${limit}"\n    def g(self):\n        return ${limit}\n    def f(self):\n        return self.g()\n    def e(self):\n        return 1\n${more}`;
    const { functions } = await engines.python.changes(of(1, ""), of(2, "    def h(self):\n        return 1\n"), job());
    const shown = functions.map(({ name, through }) => `${name} ${through.join()}`.trim());
    expect(shown.toSorted()).toEqual(["C.f C.g", "C.g", "C.h"]);
  });

  it.each([
    ["no constant", "return 1", true],
    ["another constant", "return self.OTHER", true],
    ["the constant", "return self.LIMIT", false],
    ["a constant made of it", "return self.DERIVED", false],
    ["its name in a text", 'return self.take("LIMIT")', false],
    ["attributes by texts", "return getattr(self, chr(65))", false],
  ])(
    "takes a method that reads %s, of a class of which one constant changed, for what it is",
    async (_, body, is_same) => {
      const of = (n: number) =>
        `class C:\n    LIMIT = ${n}\n    OTHER = 1\n    DERIVED = LIMIT\n    def f(self):\n        ${body}\n    def take(self, name):\n        return 1\n`;
      expect((await pair(of(1), of(2), "C.f")).apart?.same_code ?? false).toBe(is_same);
    },
  );

  const helper = "def helper(c):\n    return c.A\n";
  it.each([
    ["a function that it calls", `${helper}class C:\n    A = #\n    def f(self):\n        return helper(self)\n`],
    [
      "a function, by the name of the class",
      "def g():\n    return C.A\nclass C:\n    A = #\n    def f(self):\n        return g()\n",
    ],
    ["a function of another file", "from .m import g\nclass C:\n    A = #\n    def f(self):\n        return g(self)\n"],
    [
      "another class",
      "class B:\n    def g(self, c):\n        return c.A\nclass C:\n    A = #\n    def f(self):\n        return B().g(self)\n",
    ],
    [
      "a descriptor",
      "class D:\n    def __get__(self, c, kind):\n        return c.A\nclass C:\n    A = #\n    d = D()\n    def f(self):\n        return self.d\n",
    ],
    [
      "another name of getattr",
      "read = getattr\nclass C:\n    A = #\n    def f(self):\n        return read(self, chr(65))\n",
    ],
    [
      "an imported name of attrgetter",
      "from operator import attrgetter as read\nclass C:\n    A = #\n    def f(self):\n        return read(chr(65))(self)\n",
    ],
    [
      "a format that is made",
      "class C:\n    A = #\n    def f(self):\n        return ('{0.' + chr(65) + '}').format(self)\n",
    ],
    [
      "a constant's function",
      `${helper}class C:\n    A = #\n    g = lambda self: helper(self)\n    def f(self):\n        return self.g()\n`,
    ],
    [
      "a loop of the class",
      "class C:\n    A = #\n    for B in range(A):\n        pass\n    def f(self):\n        return self.B\n",
    ],
    ["an item of a constant", "class C:\n    B = {}\n    B[1] = #\n    def f(self):\n        return self.B\n"],
    [
      "a call that changes a constant",
      "class C:\n    B = []\n    A = B.append(#)\n    def f(self):\n        return self.B\n",
    ],
    [
      "a call that takes the next value",
      "import itertools\nclass C:\n    n = itertools.count()\n    A = [next(n)] * #\n    A2 = [next(n) for _ in range(#)]\n    B = next(n)\n    def f(self):\n        return self.B\n",
    ],
    [
      "a pattern",
      "class C:\n    A = #\n    def f(self):\n        match self:\n            case C(A=1):\n                return 1\n",
    ],
    [
      "the names of a pattern",
      "class C:\n    A = #\n    __match_args__ = ('A',)\n    def f(self):\n        match self:\n            case C(1):\n                return 1\n",
    ],
    ["another binding of its own name", "class C:\n    def f(self):\n        return 1\n    f = lambda self: #\n"],
    [
      "a variable made by another method",
      "class C:\n    A = #\n    def g(self):\n        return self.A\n    def f(self):\n        return X\nX = C().g()\n",
    ],
    ["all names of another file", "from .m import *\nclass C:\n    A = #\n    def f(self):\n        return g(self)\n"],
    [
      "a method of another constant",
      "class C:\n    B = []\n    D = B\n    A = D.append(#)\n    def f(self):\n        return self.B\n",
    ],
    [
      "a kept method of another constant",
      "class C:\n    B = []\n    push = B.append\n    A = push(#)\n    def f(self):\n        return self.B\n",
    ],
    ["its annotation", "class C:\n    A: '#' = 1\n    def f(self):\n        return C.__annotations__\n"],
  ])("lists a method that gets a changed constant of its class by %s", async (_, text) => {
    const { functions } = await engines.python.changes(text.replaceAll("#", "1"), text.replaceAll("#", "2"), job());
    expect(functions.map(({ name }) => name)).toContain("C.f");
    const { apart } = await pair(text.replaceAll("#", "1"), text.replaceAll("#", "2"), "C.f");
    expect(apart?.same_code ?? false).toBe(false);
  });

  /** A class with a method that changes, in a module with a function or a method `f`. */
  const other = "class C:\n    def __init__(self, x=0):\n        self.x = x\n    def other(self):\n        return #\n";
  const keeping = "class keep:\n    def __init__(self, made):\n        self.made = made\n";
  it.each([
    ["a method that it does not name", `${other}    def f(self):\n        return self.x\n`],
    ["a method of a class that it does not use", `${other}def f(x):\n    return x\nT = C()\n`],
    [
      "an operator of a class that it does not use",
      `${other.replace("other", "__eq__")}def f(x):\n    return [x == 1]\n`,
    ],
    ["how its object is copied", `${other.replace("other", "__reduce__")}    def f(self):\n        return self.x\n`],
    ["a method below a text in its class", `${other}    "See __dict__."\n    def f(self):\n        return self.x\n`],
    [
      "a method, in a module that asks which Python runs it",
      `import sys\nPYPY = hasattr(sys, "pypy_version_info")\n${other}    def f(self):\n        return self.x\n`,
    ],
    [
      "a method, in a module that casts types",
      `from typing import cast\n${other}    def f(self):\n        return cast(int, self.x)\n`,
    ],
    [
      "a method with a decorator that only keeps it",
      `${keeping}${other.replace("    def other", "    @keep\n    def other")}    def f(self):\n        return self.x\n`,
    ],
    [
      "a function that another function names by a keyword",
      "def g(n):\n    return #\nT = dict(g=1, isinstance=2)\ndef f(x):\n    return x\n",
    ],
    ["the name of a base that every class has", "class C(#):\n    def f(self):\n        return 1\n", "object", ""],
    [
      "this name, in a module with parameters and keys of the same name",
      "T = dict(object=[lambda object: None])\nclass C(#):\n    def f(self):\n        return T\n",
      "object",
      "",
    ],
    [
      "the order of imports",
      "#\ndef f(x):\n    return itertools.chain(math.sqrt(x))\n",
      "import itertools\nimport math",
      "import math\nimport itertools",
    ],
    [
      "an import that it does not use",
      "#\ndef f(x):\n    return itertools.chain(x)\n",
      "import itertools",
      "import itertools\nimport math",
    ],
    ["an annotation of a variable", "def f(x):\n    y# = x\n    return y\n", "", ": int"],
    [
      "a type for an unused class",
      "from types import GenericAlias\nclass C:\n    #\n    def f(self):\n        return 1\n",
      "pass",
      "__class_getitem__ = classmethod(GenericAlias)",
    ],
  ])("knows the same code if only %s changed", async (_, text, one = "1", two = "2") => {
    const name = text.includes("f(self)") ? "C.f" : "f";
    const { apart } = await pair(text.replaceAll("#", one), text.replaceAll("#", two), name);
    expect(apart?.same_code).toBe(true);
  });

  it.each([
    [
      "a method that another one names",
      `${other}    def g(self):\n        return self.other()\n    def f(self):\n        return self.g()\n`,
    ],
    ["a method, as a variable of its class", `${other}    g = other\n    def f(self):\n        return self.g()\n`],
    ["an operator of its class", `${other.replace("other", "__eq__")}def f(x):\n    return [C()].index(x)\n`],
    [
      "a method that Python calls",
      `${other.replace("other(self)", "write(self, t)")}def f(x):\n    print(x, file=C())\n`,
    ],
    [
      "a method that a library's class calls",
      `from html.parser import HTMLParser\n${other.replace("class C", "class C(HTMLParser)").replace("other(self)", "handle_data(self, d)")}def f(x):\n    return C().feed(x)\n`,
    ],
    ["a method, by its name in a text", `${other}def f(x):\n    return getattr(C(), 'other')()\n`],
    ["a method, by a name that is made", `${other}def f(x):\n    return getattr(C(), 'oth' + 'er')()\n`],
    ["a method, by all of its class", `${other}def f(x):\n    return vars(C)['oth' + 'er'](x)\n`],
    ["the docstring of a function", "def g():\n    '#'\ndef f(x):\n    return g.__doc__\n"],
    ["a class in a table", `${other}T = {'c': C}\ndef f(x):\n    return T['c']().other()\n`],
    [
      "a class that a decorator registers",
      `T = []\ndef put(c):\n    T.append(c)\n    return c\n@put\n${other}def f(x):\n    return T[0]().other()\n`,
    ],
    [
      "a function that a decorator calls",
      `L = []\ndef put(g):\n    L.append(g())\n    return g\nclass C:\n    @put\n    def g():\n        return #\ndef f(x):\n    return L\n`,
    ],
    [
      "a function that a decorator sets",
      `T = {}\ndef put(g):\n    T[1] = g\n    return g\nclass C:\n    @put\n    def g(self):\n        return #\ndef f(x):\n    return T[1](x)\n`,
    ],
    [
      "a function that a decorator calls by a field",
      `class keep:\n    def __init__(self, g):\n        self.g = g\n    g = property(None, lambda self, g: L.append(g(0)))\nL = []\nclass C:\n    @keep\n    def other(self):\n        return #\ndef f(x):\n    return L\n`,
    ],
    [
      "a function that a decorator's default calls",
      "L = []\ndef put(g):\n    def inner(x=g()):\n        return x\n    return inner\nclass C:\n    @put\n    def g():\n        L.append(#)\ndef f(x):\n    return L\n",
    ],
    [
      "a function that a made decorator calls",
      "L = []\nclass put:\n    def __init__(self, n):\n        self.n = n\n    def __call__(self, g):\n        L.append(g())\n        return g\nclass C:\n    @put(1)\n    def g():\n        return #\ndef f(x):\n    return L\n",
    ],
    [
      "a function that a function made by a decorator calls",
      "L = []\ndef put(n):\n    def inner(g):\n        L.append(g())\n        return g\n    return inner\nclass C:\n    @put(1)\n    def g():\n        return #\ndef f(x):\n    return L\n",
    ],
    [
      "which branch of its module runs",
      "L = []\ndef put():\n    L.append(1)\nif #:\n    put()\ndef f(x):\n    return L\n",
      "1",
      "0",
    ],
    [
      "the class of what its object is made of",
      "class D:\n    def go(self):\n        return #\nclass C:\n    def __init__(self, d: D):\n        self.d = d\n    def f(self):\n        return self.d.go()\n",
    ],
    [
      "when a default is read",
      "K = 1\ndef put():\n    global K\n    K = 2\n#def f(x):\n    return g()\n",
      "def g(k=K):\n    return k\nput()\n",
      "put()\ndef g(k=K):\n    return k\n",
    ],
    [
      "how objects are copied",
      `import copy\n${other.replace("other", "__reduce__")}def f(x):\n    return copy.copy(C())\n`,
    ],
    [
      "a base class",
      "class B:\n    def g(self):\n        return #\nclass C(B):\n    def f(self):\n        return self.g()\n",
    ],
    [
      "a function, by its module",
      "import sys\ndef g():\n    return #\ndef f(x):\n    return sys.modules[__name__].g()\n",
    ],
    [
      "the name of a parameter that a call names",
      "def g(#=1):\n    return 1\ndef f(x):\n    return g(b=x)\n",
      "b",
      "a",
    ],
    [
      "the name of a parameter of a function that gets a table",
      "def g(#=1):\n    return 1\ndef f(x):\n    return g(**x)\n",
      "b",
      "a",
    ],
    [
      "the name of a variable of its module",
      "def f(x):\n    for # in x:\n        pass\n    return len(a)\na = b = 'ab'\n",
      "a",
      "b",
    ],
    ["the place of a variable", "def f(x, y):\n    a, b = x, y\n    return #\n", "a - b", "b - a"],
    ["what a name is imported from", "from # import gcd as g\ndef f(x):\n    return g(x, 4)\n", "math", "fractions"],
    [
      "a name that a local variable hides",
      "import math, cmath\ndef f(x):\n    # = x\n    return math.sqrt(4)\n",
      "math",
      "cmath",
    ],
    [
      "a type of a class that it uses with brackets",
      "from types import GenericAlias\nclass C:\n    #\n    def f(self):\n        return C[1]\n",
      "pass",
      "__class_getitem__ = classmethod(GenericAlias)",
    ],
    ["an attribute of an imported module", "import math\nmath.tau = #\ndef f(x):\n    return math.tau\n"],
    [
      "when a default is read, if the name is bound twice",
      "K = 1\n#def f(x):\n    return g()\n",
      "def g(k=K):\n    return k\nK = 2\n",
      "K = 2\ndef g(k=K):\n    return k\n",
    ],
    [
      "when a constant is copied",
      "class C:\n    k = 1\n#def f(x):\n    return X\n",
      "X = C.k\nC.k = 5\n",
      "C.k = 5\nX = C.k\n",
    ],
    [
      "which import of all names is the last",
      "#def f(x):\n    return sqrt(4)\n",
      "from math import sqrt\nfrom cmath import *\n",
      "from cmath import *\nfrom math import sqrt\n",
    ],
    ["a keyword-only parameter", "def f(*, #=1):\n    return #\n", "a", "b"],
    [
      "a parameter of a function that it passes on",
      "import threading\ndef g(#=0):\n    return #\ndef f(d):\n    threading.Thread(target=g, kwargs=d).run()\n",
      "a",
      "b",
    ],
    [
      "a parameter of a method that a library calls",
      "import json\nclass E(json.JSONEncoder):\n    def __init__(self, #=1, **kw):\n        self.k = #\ndef f(x):\n    return json.dumps(x, cls=E)\n",
      "skipkeys",
      "other",
    ],
    [
      "a variable of the library that changes",
      "#",
      "import sys\ndef f(x):\n    return sys.stdout\n",
      "from sys import stdout\ndef f(x):\n    return stdout\n",
    ],
    [
      "an import of a module in a package",
      "import #\ndef f(x):\n    return importlib.resources.files(x)\n",
      "importlib.resources",
      "importlib",
    ],
    [
      "an import that a table of variables shows",
      "#\ndef f(x):\n    return 'math' in globals()\n",
      "import math",
      "pass",
    ],
    [
      "whether annotations of fields are texts",
      "#\nfrom dataclasses import dataclass, fields\n@dataclass\nclass C:\n    x: int\ndef f(x):\n    return fields(C)[0].type\n",
      "from __future__ import annotations",
      "pass",
    ],
    ["the docstring of a class", "class C:\n    '#'\ndef f(x):\n    return C.__doc__\n"],
    ["the docstring of its module", "'#'\ndef f(x):\n    return __doc__\n"],
    ["a docstring in a table of members", "class C:\n    '#'\ndef f(x):\n    return [*vars(C).values()]\n"],
    [
      "a docstring that is set",
      "import inspect\ndef g():\n    pass\ng.__doc__ = '#'\ndef f(x):\n    return inspect.getdoc(g)\n",
    ],
    [
      "an annotation that calls a function",
      "def f(x):\n    made = []\n    def g(a: made.append(#)):\n        pass\n    return made\n",
    ],
    [
      "a class in an annotation that is read",
      "from typing import get_type_hints\nclass C:\n    def other(self, n=0):\n        return #\ndef g(a: C):\n    pass\ndef f(x):\n    return get_type_hints(g)['a']().other()\n",
    ],
    [
      "a function that a class in a function reads",
      "def g(x):\n    return #\ndef f(x):\n    g = 1\n    class K:\n        g = g\n    return K.g\n",
    ],
    [
      "a method of a base beside a library's class",
      "from html.parser import HTMLParser\nclass M:\n    def handle_data(self, d):\n        print(#)\nclass D(M, HTMLParser):\n    pass\ndef f(x):\n    D().feed(x)\n",
    ],
    [
      "a method of a class that gets another meaning",
      "from html.parser import HTMLParser\nclass B:\n    pass\nB = HTMLParser\nclass D(B):\n    def handle_data(self, d):\n        print(#)\ndef f(x):\n    D().feed(x)\n",
    ],
    [
      "a method that a protocol asks for",
      "from typing import Protocol, runtime_checkable\n@runtime_checkable\nclass P(Protocol):\n    def go(self): ...\nclass C:\n    #\ndef f(x):\n    return isinstance(C(), P)\n",
      "def go(self): return 1",
      "pass",
    ],
    [
      "a method, by one of two names",
      "from operator import attrgetter\nclass C:\n    def other(self, n=0):\n        return #\ndef f(n):\n    return attrgetter(n, '__class__')(C())[0]()\n",
    ],
    [
      "a method, by another name of `getattr`",
      "from builtins import getattr as get\nclass C:\n    def other(self, n=0):\n        return #\ndef f(n):\n    return get(C(), n)()\n",
    ],
    ["a function, by its module's table in a text", "K = #\ndef f(x):\n    return '{0.__globals__[K]}'.format(f)\n"],
    [
      "a function, by a module's name in a text",
      "import sys\ndef g():\n    return #\ndef f(n):\n    return getattr(sys, 'modules')[__name__].g()\n",
    ],
    [
      "a field, by a text of fields",
      "import string\nclass C:\n    other = #\ndef f(n):\n    return string.Formatter().vformat(n, [C()], {})\n",
    ],
    [
      "a method, by the table of a class named self",
      "class C:\n    def other(self, n=0):\n        return #\ndef look(self, n):\n    return self.__dict__[n]\ndef f(n):\n    return look(C, n)(1)\n",
    ],
    [
      "how its object is copied by a call",
      "class C:\n    def __reduce__(self):\n        return #\ndef f(x):\n    return C().__reduce_ex__(2)\n",
    ],
    [
      "what a metaclass finds in a subclass",
      "R = {}\nclass M(type):\n    def __new__(m, n, b, d):\n        R.update(d)\n        return type.__new__(m, n, b, d)\nclass C(metaclass=M):\n    pass\nclass D(C):\n    def go(self):\n        return #\ndef f(n):\n    return R[n](1)\n",
    ],
    [
      "a class that a metaclass registers",
      "R = []\nclass M(type):\n    def __init__(c, n, b, d):\n        R.append(c)\nB = M('B', (), {})\nclass D(B):\n    def go(self):\n        return #\ndef f(x):\n    return R[-1]().go()\n",
    ],
    [
      "the number of bases that a metaclass gets",
      "class M(type):\n    def __new__(m, n, b, d):\n        return type.__new__(m, n, b, {'k': len(b)})\nclass C(#metaclass=M):\n    pass\ndef f(x):\n    return C.k\n",
      "",
      "object, ",
    ],
    [
      "a base with the name of a parameter",
      "def f(object):\n    class Y#:\n        pass\n    return Y\n",
      "",
      "(object)",
    ],
    [
      "a type of what a constructor gets",
      "class D:\n    def go(self):\n        return #\nclass C:\n    def __new__(cls, d: D):\n        return object.__new__(cls)\n    def f(self):\n        return self.d.go()\n",
    ],
    [
      "a type for a base of a class in brackets",
      "from types import GenericAlias\nclass C:\n    #\nclass D(C):\n    pass\ndef f(x):\n    return D[int]\n",
      "pass",
      "__class_getitem__ = classmethod(GenericAlias)",
    ],
    [
      "what brackets at a class do while it is loaded",
      "L = []\nclass C:\n    def __class_getitem__(cls, k):\n        L.append(k)\nX = C[#]\ndef f(x):\n    return L\n",
    ],
    [
      "a read of a descriptor while it is loaded",
      "L = []\nclass D:\n    def __get__(self, o, t):\n        L.append(1)\nclass C:\n    k = D()\nX = #\ndef f(x):\n    return L\n",
      "C.k",
      "1",
    ],
    ["the class that an object claims", "def f(x):\n    return #\n", "x.__class__", "type(x)"],
    [
      "a function that a decorator passes to an operator",
      "class R:\n    def __lshift__(self, g):\n        self.g = g\nT = R()\ndef put(g):\n    T << g\n    return g\n@put\ndef g():\n    return #\ndef f(x):\n    return T.g()\n",
    ],
    [
      "a function that a decorator in a decorator calls",
      "L = []\ndef run(h):\n    L.append(h())\n    return h\ndef put(g):\n    @run\n    def inner():\n        return g()\n    return g\n@put\ndef g():\n    return #\ndef f(x):\n    return L\n",
    ],
    ["a global variable that a class sets", "class C:\n    global K\n    K = #\ndef f(x):\n    return K\n"],
    ["a loop of a class", "K = [1]\nclass C:\n    for i in range(#):\n        K.append(i)\ndef f(x):\n    return K\n"],
    ["what a class's variable names", "K = [1]\nclass C:\n    J = K\n    J += [#]\ndef f(x):\n    return K\n"],
    [
      "what a class passes to a decorator",
      "K = [1]\ndef d(n):\n    K.append(n)\n    return lambda g: g\nclass C:\n    n = #\n    @d(n)\n    def m(self): pass\ndef f(x):\n    return K\n",
    ],
    [
      "another class's private name",
      "class A:\n    _B__k = #\nclass B:\n    def m(self):\n        return A().__k\ndef f(x):\n    return B().m()\n",
    ],
    [
      "the fields of a class named self",
      "class C:\n    k = #\n    @classmethod\n    def m(self):\n        return [*self.__dict__.values()]\ndef f(x):\n    return C.m()\n",
    ],
    [
      "an import, if code asks what is loaded",
      "import sys\n#\ndef f(x):\n    return x in sys.modules\n",
      "import tomllib",
      "import math",
    ],
    ["a line number", "#def f(x):\n    return f.__code__.co_firstlineno\n", "", "# moved\n"],
    ["a repeated statement", "def f(x):\n    return T\nT = [1]\nT += T\n#", "", "T += T\n"],
    ["the name of its module", "__name__ = '#'\nclass C:\n    pass\ndef f(x):\n    return C.__module__\n"],
    ...[
      "isinstance(put(C), int)",
      "isinstance(setattr(C, 'k', #), int)",
      "isinstance(1, X() | C)",
      "isinstance(1, X()[C])",
      "hasattr(put(C), 'k')",
    ].map((call) => [
      `what ${call} does to a class`,
      `class C:\n    k = 0\ndef put(c):\n    c.k = #\n    return int\nclass X:\n    def __or__(self, c):\n        return put(c)\n    __getitem__ = __or__\n${call}\ndef f(x):\n    return C.k\n`,
    ]),
    [
      "a base class by a text",
      "globals()['object'] = int\nclass C#:\n    pass\ndef f(x):\n    return C()\n",
      "(object)",
      "",
    ],
    [
      "a base class by a key",
      "globals().update(object=int)\nclass C#:\n    pass\ndef f(x):\n    return C()\n",
      "(object)",
      "",
    ],
    [
      "the order of imports, if code lists variables",
      "#\ndef f(x):\n    return [*globals()]\n",
      "import math\nimport cmath",
      "import cmath\nimport math",
    ],
    [
      "the order of imports of one name",
      "#\ndef f(x):\n    return sqrt(x)\n",
      "from math import sqrt\nfrom cmath import sqrt",
      "from cmath import sqrt\nfrom math import sqrt",
    ],
    [
      "the order of imports and code",
      "import math\n#\ndef f(x):\n    return sqrt(x)\n",
      "sqrt = math.floor\nfrom math import sqrt",
      "from math import sqrt\nsqrt = math.floor",
    ],
    [
      "the order of imports of a package",
      "#\ndef f(x):\n    return a.y(b)\n",
      "import a\nimport b",
      "import b\nimport a",
    ],
    ...["from ctypes import cast", "from .typing import cast"].map((top) => [
      `what code can reach by ${top}`,
      `from typing import cast\n${top}\nT = #\ndef f(x):\n    return cast(int, x)\n`,
    ]),
  ])("does not take %s for the same code", async (_, text, one = "1", two = "2") => {
    const name = text.includes("f(self)") ? "C.f" : "f";
    const [base, head] = [text.replaceAll("#", one), text.replaceAll("#", two)];
    const { apart } = await pair(base, head, name);
    expect(apart?.same_code ?? false).toBe(false);
    const { functions } = await engines.python.changes(base, head, job());
    expect(functions.map(({ name, change }) => `${name} ${change}`)).toContain(`${name} changed`);
  });

  it("takes docstrings for code where something reads them, and says where names of parameters changed", async () => {
    const of = (doc: string) => `def a(n):\n    """${doc}"""\n    return n\ndef b():\n    return a.__doc__\n`;
    const { functions } = await engines.python.changes(of("x"), of("y"), job());
    expect(functions.map(({ name, change }) => `${name} ${change}`)).toEqual(["a same_code", "b changed"]);
    const { pair: made } = await pair("def f(n: int):\n    return n\n", "def f(m: int):\n    return m + 0\n");
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

describe.skipIf(!has_python)("a function with what it uses of other modules of its repository", () => {
  const main =
    "from .util import clip as cut\nfrom . import util\ndef f(n: int) -> int:\n    return cut(n) + util.LIMIT\n";
  const util = (limit: number) => `LIMIT = ${limit}\ndef clip(n):\n    return min(n, LIMIT)\n`;
  const none = { "pkg/util/__init__.py": null, "pkg/__init__.py": "" };

  async function together(base: [string, object], head: [string, object]): Promise<PairAnswer> {
    const of = ([text, files]: [string, object]) => ({ ...version(text), files: { ...none, ...files } });
    return engines.python.pair(of(base), of(head), job());
  }

  it("asks for the files that it has to read, each of its own version", async () => {
    const { wanted } = await engines.python.pair(version(f), version(main), job());
    expect(wanted).toEqual({ base: [], head: ["pkg/util/__init__.py", "pkg/util.py", "pkg/__init__.py"] });
  });

  it("gives each version the modules of its own tree", async () => {
    const { pair: made } = await together([main, { "pkg/util.py": util(3) }], [main, { "pkg/util.py": util(4) }]);
    expect(made?.base).toMatch(/LIMIT = 3.*return clip\(n\) \+ LIMIT/s);
    expect(made?.code).toMatch(/LIMIT = 4.*return clip\(n\) \+ LIMIT/s);
    expect(made?.notes).toEqual(["Included from each version: pkg/util.py."]);
    const same = await together([main, { "pkg/util.py": util(3) }], [main, { "pkg/util.py": util(3) }]);
    expect(same.apart?.same_code).toBe(true);
  });

  it("keeps names apart that two modules give a meaning of their own", async () => {
    const head = `${main.replace("cut(n)", "LIMIT * cut(n) + min(2, n)")}LIMIT = 7\n`;
    const { pair: made } = await together(
      [head, { "pkg/util.py": util(3) }],
      [head, { "pkg/util.py": `${util(3)}def min(a, b):\n    return a\n` }],
    );
    // The module's own LIMIT stays, and `min` of the other module is none of this one.
    expect(made?.code).toContain("return LIMIT * clip(n) + min(2, n) + LIMIT_of_util");
    expect(made?.code).toContain("return min_of_util(n, LIMIT_of_util)");
    expect(made?.base).toContain("return min(n, LIMIT_of_util)");
  });

  it.each([
    ["a parameter has the new name", "clip: int) -> int:\n    return cut(clip)", "clip"],
    ["a local variable has it", "n: int) -> int:\n    clip = 3\n    return cut(n) + clip", "clip"],
    ["a parameter has the old name", "n: int, cut: int) -> int:\n    return cut", "cut"],
    [
      "an exception has it",
      "n: int) -> int:\n    try:\n        return cut(n)\n    except ValueError as clip:\n        raise",
      "clip",
    ],
  ])("does not replace the name of a function if %s", async (_, body, name) => {
    const text = `from .util import clip as cut\ndef g(n):\n    return cut(n)\ndef f(${body} + g(1)\n`;
    const { apart, pair: made } = await together(
      [text, { "pkg/util.py": util(3) }],
      [text, { "pkg/util.py": util(4) }],
    );
    expect(apart?.why ?? made?.code).toBe(
      `two modules of the repository use the name ${name}, and it could not be replaced`,
    );
  });

  it("follows the import of a module in a package that code names in full", async () => {
    const text = "import pkg.util\ndef f(n: int) -> int:\n    return pkg.util.clip(n)\n";
    const files: Record<string, string | null> = { "pkg/__init__.py": "", "pkg/util.py": util(3), "pkg.py": null };
    // There are no modules of this name elsewhere.
    for (const root of ["src/", "lib/", "pkg/"])
      for (const end of ["pkg/util.py", "pkg/util/__init__.py"]) files[`${root}${end}`] = null;
    const { pair: made } = await together([text, files], [text.replace("return", "return 1 +"), files]);
    expect(made?.code).toMatch(/def f\(n: int\) -> int:\n {4}return 1 \+ clip\(n\)/);
    // The package itself has another meaning.
    const bare = `${text}X = pkg\n`;
    const refused = await together([bare, files], [bare.replace("return", "return 1 +"), files]);
    expect(refused.apart?.why).toContain("it imports pkg.util");
  });

  it.each([
    [
      "uses a module as a value",
      "from . import util\ndef f(n: int) -> int:\n    return len(dir2(util))\ndef dir2(x):\n    return x\n",
      /as a value/,
    ],
    [
      "sets a variable of a module",
      "from . import util\ndef f(n: int) -> int:\n    util.LIMIT = n\n    return n\n",
      /changes util/,
    ],
    ["imports all names", "from .util import *\ndef f(n: int) -> int:\n    return clip(n)\n", /import \*/],
    [
      "imports what is not there",
      "from .util import gone\ndef f(n: int) -> int:\n    return gone(n)\n",
      /no file of this repository defines/,
    ],
    [
      "imports in a block",
      "if len('a') > 0:\n    from .util import clip\ndef f(n: int) -> int:\n    return clip(n)\n",
      /inside a block/,
    ],
    [
      "uses another package",
      "from .util import far\ndef f(n: int) -> int:\n    return far(n)\n",
      /the package requests/,
    ],
  ])("refuses code that %s", async (_, text, why) => {
    const files = {
      "pkg/util.py": `import requests\n${util(3)}def far(n):\n    return requests.get(n)\n`,
      "pkg/util/gone/__init__.py": null,
      "pkg/util/gone.py": null,
    };
    const other = text.replace("return ", "return 1 + ");
    expect((await together([text, files], [other, files])).apart?.why).toMatch(why);
  });
});
