import { describe, expect, it } from "vitest";
import { faultOf } from "../support/faults.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { some } from "../support/runs_all.ts";
import { shareSymbolic } from "../support/symbolic.ts";

const verdict = fixture(shareSymbolic);

const asked = "def f(x: int) -> int:\n    return x + 1 if x > 0 else 1 - x\n";
/** It has infinitely many paths: only the prover can prove something about it. */
const looped = "def f(xs: list[int]) -> int:\n    n = 0\n    for x in xs:\n        n += x\n    return n\n";
const notesOf = (answer: Record<string, unknown>) => (answer["notes"] as string[]).join("\n");

describe.skipIf(!has_python)("what a question does not reach", () => {
  it.each([
    ["a list", "XS = [1, 2]\n", "XS"],
    ["a constant from arithmetic", "SIZE = 2 ** 10 - 1\n", undefined],
    ["a pattern", 'import re\nPATTERN = re.compile(r"[0-9]+")\n', "PATTERN"],
    ["a class", "class Config:\n    def __init__(self):\n        self.x = 1\n", "the class Config"],
    ["a function with any arguments", "def g(*args, flag=[], **more):\n    yield from args\n", undefined],
    [
      "imports of what reaches the machine",
      "import os, logging\nfrom pathlib import Path\n",
      "the import of os (line 1), the import of logging (line 1), the import of pathlib (line 2)",
    ],
    [
      "a logger",
      "import logging\nlogging.basicConfig(level=logging.INFO)\nlogger = logging.getLogger(__name__)\n",
      "logger",
    ],
    [
      "an object that holds a constant of a module",
      "import logging\nclass App:\n    def __init__(self):\n        self.level = logging.INFO\napp = App()\n",
      "app (line 5)",
    ],
    ["an import of a package", "try:\n    import numpy as np\nexcept ImportError:\n    np = None\n", "`try:`"],
    ["code that asks it something", "print(f([3]))\nassert f([-3]) == -3\n", "`print(f([3]))`"],
    ["a main program without its test", "import sys\nif len(sys.argv) > 1:\n    print(f(int(input())))\n", "`if len"],
    ["what would not end", "while len('x') > 0:\n    pass\n", "`while"],
    [
      "a test class",
      "import unittest\nclass TestF(unittest.TestCase):\n    def test(self):\n        assert f(1) == 2\n",
      "the class TestF",
    ],
    ["a typed dictionary", "from typing import TypedDict\nclass Film(TypedDict):\n    year: int\n", "the class Film"],
    [
      "an application of no importance",
      "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--x')\n",
      "parser",
    ],
    [
      "a lock",
      "import contextvars, threading\nlock = threading.Lock()\nV = contextvars.ContextVar('V')\n",
      "lock (line 2), V",
    ],
    ["a translation", "import gettext\nT = {None: gettext.NullTranslations()}\n", "T (line 2)"],
    ["the version of a package", "from importlib.metadata import version\nV = version('p')\n", "V (line 2)"],
    ["an exact number", "from decimal import Decimal\nRATE = Decimal('1.5')\n", "RATE (line 2)"],
    [
      "the recursion depth",
      "import sys\nsys.setrecursionlimit(5000)\nsys.path.insert(0, '.')\n",
      "`sys.setrecursionlimit(5000)`",
    ],
  ])("is left out: %s", async (_, more, label) => {
    const answer = await verdict.check(more.includes("f(") ? looped + more : more + looped, "f");
    expect(answer).toMatchObject({ status: "verified", proof: { method: expect.stringContaining("proof") } });
    if (label === undefined) expect(notesOf(answer)).not.toContain("Left out");
    else expect(notesOf(answer)).toMatch(/Left out, because f can't reach it: /);
    if (label !== undefined) expect(notesOf(answer)).toContain(label);
  });

  it.each([
    "import threading\nthreading.setprofile(print)\n",
    "from threading import Lock, settrace\nsettrace(Lock)\n",
    "from threading import *\nsettrace(print)\n",
    "import logging\nlogging.threading.settrace(print)\n",
    "import threading as t\nu = t\nu.settrace(print)\n",
    "import gettext\ngettext.NullTranslations().install()\n",
    "import threading\nXS = [1]\nthreading.Thread(target=XS.clear).start()\n",
  ])("is not left out if it can change how other code runs: %s", async (more) => {
    await expect(verdict.check(more + looped, "f")).rejects.toThrow("not available");
  });

  /** No function of it can be called. */
  it.each([
    ["X = 1 // 0\n", "ZeroDivisionError", 1],
    ["from math import nosuch\n", "ImportError", 1],
    ["import math\nimport math.nosuch\n", "ModuleNotFoundError", 2],
    ["def g(x: int, y: int = 1 // 0):\n    return x\n", "ZeroDivisionError", 1],
    ["def g(x: nosuch):\n    return x\n", "NameError", 1],
    ["def g(x) -> nosuch:\n    return x\n", "NameError", 1],
    ["class C:\n    size = [1][2]\n", "IndexError", 2],
    ["class C(nosuch):\n    pass\n", "NameError", 1],
    ["def d(g):\n    raise KeyError(g)\n@d\ndef g():\n    pass\n", "KeyError", 2],
    ["import os\ndef g():\n    return os.sep\nassert not 'x'\n", "AssertionError", 4],
  ])("is an error of all questions if it raises: %s", async (more, error_type, line) => {
    const code = `${more}${asked}h = f\ndef k(x: int) -> int:\n    return f(x)\n`;
    const questions = [
      verdict.check(code, "f"),
      verdict.raises(code, "f", "ValueError"),
      verdict.compare(code, "f", "k"),
      verdict.branches(code, "f"),
    ];
    const faults = await Promise.all(questions.map(faultOf));
    for (const fault of faults) expect(fault).toMatchObject({ status: "error", error_type, line });
  });

  it("is not evaluated where Python does not evaluate it", async () => {
    const code = `from __future__ import annotations\ndef g(x: nosuch):\n    return x + absent\n${asked}`;
    expect(await verdict.check(code, "f")).toMatchObject({ status: "verified" });
  });

  it.each([
    [
      "not allowed, or uses what is not",
      "import os\nHOME = os.sep\ndef g():\n    return HOME\nX = g()\n",
      "line 1, 2, 5.",
    ],
    ["endless", "while 'x':\n    pass\nX = 1 // 0\n", "line 1, 3."],
    ["withheld at run time", "import string\nX = string.Formatter\n", "line 2."],
  ])("is named where it can't be judged: %s", async (_, more, lines) => {
    const answer = await verdict.check(more + asked, "f");
    expect(answer).toMatchObject({ status: "verified" });
    expect(notesOf(answer)).toContain(
      `Not run here (not allowed, in need of something not allowed, or too slow): ${lines}`,
    );
  });

  /** What sets a limit or the clock of the interpreter, or comes to a module through another one. */
  it.each([
    "import sys\nsys.setrecursionlimit(100)\n",
    "import sys\nLIMIT = 60\nsys.setrecursionlimit(LIMIT)\n",
    "from sys import setrecursionlimit as limit\nlimit(50)\n",
    "import sys\ndef setup():\n    list(map(sys.setrecursionlimit, [50]))\nsetup()\n",
    "import sys\nsys.set_int_max_str_digits(640)\n",
    "import locale\nlocale.setlocale(locale.LC_ALL, '')\n",
    "import os\nos.environ['TZ'] = 'EST+05EDT'\n",
    "import time\ntime.tzset()\n",
    "from os import putenv\nputenv('TZ', 'EST+05EDT')\n",
    "import statistics\nm = statistics.math\nm.gcd = None\n",
    "import statistics\ndef patch(m):\n    m.gcd = None\npatch(statistics.math)\n",
    "import logging\nlogging.sys.modules['math'] = None\n",
    "import logging\nlogging.sys.setrecursionlimit(50)\n",
  ])("is not left out: %s", async (more) => {
    const clock = "import datetime, math\ndef f(x: int) -> int:\n    return math.gcd(x, datetime.MINYEAR)\n";
    const { message } = await verdict.check(more + clock, "f").then(
      () => ({ message: "answered" }),
      (fault: Error) => fault,
    );
    expect(message).toMatch(/is not allowed|is not available to code under test/);
  });

  it("is not the depth of recursion, where that is asked about", async () => {
    const code = `import sys\nsys.setrecursionlimit(10**6)\n${asked}def g(x: int) -> int:\n    try:\n        return f(x)\n    except RecursionError:\n        return 0\n`;
    expect(await verdict.raises(code, "f", "KeyError")).toMatchObject({ status: "unreachable" });
    const about_it = await faultOf(verdict.raises(code, "f", "RuntimeError"));
    const refusal = "The name setrecursionlimit of sys is not available to code under test";
    expect(JSON.stringify(about_it)).toContain(refusal);
    expect(JSON.stringify(await faultOf(verdict.check(code, "g")))).toContain(refusal);
  });

  it("stays out of the other questions, too", async () => {
    const code = `import os\nTABLE = [os.sep]\n${asked}def g(y: int) -> int:\n    return f(y)\ndef h(z):\n    return TABLE\n`;
    expect(await verdict.compare(code, "f", "g")).toMatchObject({ status: "equivalent", confidence: "proven" });
    expect(await verdict.raises(code, "f", "ValueError")).toMatchObject({ status: "unreachable" });
    expect(await verdict.branches(code, "f")).toMatchObject({ status: "complete", total_branches: 1 });
  });
});

describe.skipIf(!has_python)("what a question reaches", () => {
  it.each([
    ["os", "import os\ndef f(x: int) -> int:\n    return len(os.sep) + x\n", "os"],
    [
      "a logger",
      "import logging\nlog = logging.getLogger('a')\ndef f(x: int) -> int:\n    log.info('a')\n    return x\n",
      "logging",
    ],
    [
      "os through a helper",
      "import os\ndef g() -> int:\n    return len(os.sep)\ndef f(x: int) -> int:\n    return g() + x\n",
      "os",
    ],
    ["os in an import of its own", "def f(x: int) -> int:\n    import os\n    return len(os.sep) + x\n", "os"],
  ])("is refused as ever: %s", async (_, code, name) => {
    const { error } = { error: await faultOf(verdict.check(code, "f")) };
    expect(JSON.stringify(error)).toMatch(new RegExp(`The name \\w+ of ${name} is not available to code under test`));
  });

  const imports = "import os, concurrent.futures\nfrom importlib import import_module as load\n";
  it.each([
    ["the name of a module", "os.sep"],
    ["a name of a module in a package", "concurrent.futures.wait"],
    ["an attribute that is set", "setattr(os, 'sep', 1) or [0 for os.sep in ()]"],
    ["an attribute that leads out", "f.__globals__"],
    ["such an attribute that is set", "[0 for f.__module__ in (1,)]"],
    ["an imported name", "load"],
    ["a name that a function imports itself", "inner()"],
  ])("may be named in code that no run reaches: %s", async (_, use) => {
    const inner = "def inner():\n    from subprocess import run\n    return run(1)\n";
    const code = `${imports}${inner}def f(a: bool) -> int:\n    if a is None:\n        return ${use}\n    return 1\n`;
    expect(await verdict.check(code, "f")).toMatchObject({ status: expect.stringMatching(/verified|undecided/) });
    const reached = code.replace("a is None", "a");
    expect(JSON.stringify(await faultOf(verdict.check(reached, "f")))).toContain("is not available to code under test");
    const swallowed = `${reached}def g(a: bool) -> int:\n    try:\n        return f(a)\n    except BaseException:\n        return 2\n`;
    expect(JSON.stringify(await faultOf(verdict.check(swallowed, "g")))).toContain(
      "is not available to code under test",
    );
  });

  it("can define how objects are copied, if nothing copies them", async () => {
    const code =
      "class A:\n    if True:\n        def __reduce__(self):\n            return A, ()\ndef f(a: bool) -> bool:\n    return A() is None\n";
    expect(await verdict.check(code, "f")).toMatchObject({ status: expect.stringMatching(/verified|undecided/) });
    expect(
      JSON.stringify(await faultOf(verdict.check(`import copy\n${code.replace("A() is", "copy.copy(A()) is")}`, "f"))),
    ).toContain("__reduce__ is not available to code");
    const evaluated =
      "class A:\n    def __reduce__(self, b=(C := 1)):\n        pass\ndef f(a: bool) -> int:\n    return A.C\n";
    expect(await verdict.check(evaluated, "f")).toMatchObject({ status: expect.stringMatching(/verified|undecided/) });
    expect(JSON.stringify(await faultOf(verdict.check(evaluated.replace("C := 1", "C"), "f")))).toContain("NameError");
  });

  it("can define methods that only Python 2 called", async () => {
    const code =
      "class A:\n    def __delslice__(self, i, j):\n        pass\ndef f(a: bool) -> bool:\n    return A() is None\n";
    expect(await verdict.check(code, "f")).toMatchObject({ status: expect.stringMatching(/verified|undecided/) });
  });

  it("is refused where names can be read through texts", async () => {
    const code = `${imports}def f(a: bool) -> object:\n    return globals()["load"] if a is None else os\n`;
    expect(JSON.stringify(await faultOf(verdict.check(code, "f")))).toContain("is not allowed");
  });

  const returns = "def f(a: bool) -> int:\n    ";
  const machine = "import os, sys\n";
  const descriptor = "class D:\n    def __get__(self, o, t):\n        return 3\nclass C:\n    d = D()\n";
  const maker = "class C:\n    def __new__(cls):\n        return 5\n";
  it.each([
    [
      "a special method that no run calls",
      `class C:\n    def __get__(self, o, t):\n        pass\n${returns}return 1\n`,
    ],
    ["its name", `class C:\n    def __get__(self, o, t):\n        pass\n${returns}return int("__get__" in dir(C))\n`],
    ["a constructor", `${maker}${returns}return C() - 4\n`],
    [
      "a constructor that calls another",
      `class C(dict):\n    def __new__(cls, a):\n        made = super().__new__(cls)\n        made.b = a\n        return made\n${returns}return C({1: 2}).b[1] - 1\n`,
    ],
    [
      "a special name in a class",
      `class C:\n    def m(self):\n        return 1\n    __m__ = m\n${returns}return C().m()\n`,
    ],
    ["a keyword", `${returns}return len(dict(__build_class__=1))\n`],
    ["a special variable", `${returns}__tracebackhide__ = True\n    return 1\n`],
    ["a builtin function", `${returns}return 1 if a is not None else eval("2")\n`],
    [
      "a constant that can't be computed",
      `${machine}X = os.O_RDWR | os.O_CREAT\n${returns}return 1 if a is not None else X\n`,
    ],
    [
      "a table of types that can't be made",
      `import types\nX = {int, types.FunctionType, type(None)}\n${returns}return 1 if a is not None else X\n`,
    ],
    [
      "an object that can't be made",
      `${machine}def made():\n    return sys._getframe(1).f_globals.get("__name__")\nX = made()\n${returns}return 1 if a is not None else X\n`,
    ],
    [
      "a default that can't be computed",
      `${machine}X = os.getpid()\ndef g(b, c=X):\n    return b + c\n${returns}return g(0, 1)\n`,
    ],
    [
      "a class with such a base",
      `from html.parser import HTMLParser\nclass P(HTMLParser):\n    pass\n${returns}return 1 if a is not None else P()\n`,
    ],
    ["a type that can't be read", `${machine}def g(b: os.PathLike):\n    return b\n${returns}return g(1)\n`],
    ["a parameter of its name", `${machine}def g(os: int):\n    return os\n${returns}return g(1)\n`],
    ["a variable of its name", `${machine}${returns}os = 1\n    def g():\n        return os\n    return g()\n`],
    [
      "an import beside a definition of the same name",
      `try:\n    from socket import inet_pton\nexcept ImportError:\n    def inet_pton():\n        return 2\n${returns}return 1 if a is not None else inet_pton()\n`,
    ],
    [
      "an object that keeps a function of a module",
      `${machine}class G:\n    def __init__(self):\n        import hashlib\n        self.f = hashlib.sha1\n        self.pid = os.getpid()\nG = G()\n${returns}return 1\n`,
    ],
    [
      "a name of an allowed module",
      `from typing import get_type_hints\n${returns}return 1 if a is not None else get_type_hints(f)\n`,
    ],
  ])("may contain, unused: %s", async (_, code) => {
    const conditioned = code.replace("def f(a: bool) -> int:\n", "$&    '''post: _ == 1'''\n");
    expect(await verdict.check(conditioned, "f")).toMatchObject({
      status: expect.stringMatching(/verified|undecided/),
      counterexamples: [],
    });
  });

  it.each([
    ["a decorated constructor", `${maker.replace("    def", "    @staticmethod\n    def")}${returns}return C()\n`],
    ["a constructor that is read", `${maker}${returns}return int(C.__new__ is object.__new__)\n`],
    ["an object of a library", `${maker.replace("5", "int.__new__(bool)")}${returns}return C()\n`],
    ["a descriptor", `${descriptor}${returns}return C().d\n`],
    ["a descriptor behind hasattr", `${descriptor}${returns}return int(hasattr(C(), "d"))\n`],
    ["a descriptor behind a default", `${descriptor}${returns}return getattr(C(), "d", 1)\n`],
    ["a made name", `${descriptor}${returns}return int(hasattr(D(), "__g" + "et__"))\n`],
    [
      "an attribute that a method sets",
      `class C:\n    x = 1\n    def __setattr__(self, n, v):\n        pass\n${returns}c = C()\n    try:\n        c.x = 2\n    except Exception:\n        pass\n    return c.x\n`,
    ],
    ["the class of an object", `class C:\n    __class__ = int\n${returns}return int(isinstance(C(), int))\n`],
    [
      "a hook of subclasses",
      `S = []\nclass B:\n    def __init_subclass__(cls):\n        S.append(cls)\nclass C(B):\n    pass\n${returns}return len(S)\n`,
    ],
    [
      "a copy",
      `import copy\nclass C:\n    def __reduce__(self):\n        return int, ("7",)\n${returns}return copy.copy(C()) == 7\n`,
    ],
    [
      "a decorator that keeps the name of a method",
      `R = {}\ndef reg(g):\n    R[g.__name__] = g\nclass C:\n    @reg\n    def __get__(self, o, t):\n        pass\n${returns}return len(R)\n`,
    ],
    [
      "a default without a value",
      `${machine}X = os.getpid()\ndef g(b=X):\n    return 1 if b else 2\n${returns}return g()\n`,
    ],
    ["a default of its name", `${machine}def g(os=os):\n    return 1 if os else 2\n${returns}return g()\n`],
    [
      "a global name in a function with such a variable",
      `${machine}${returns}os = 1\n    def g():\n        global os\n        return int(os is not None)\n    return g()\n`,
    ],
    [
      "a class that binds the name, in a function that does",
      `${machine}${returns}os = 1\n    class C:\n        x = int(os == 1)\n        os = 1\n    return C.x\n`,
    ],
    ["an import into a function", `${returns}if a is not None:\n        import os\n    return int(os is None)\n`],
    [
      "an import that takes the place of a definition",
      `def walk():\n    return 1\nfrom os import walk\n${returns}return walk()\n`,
    ],
    ["a default of a lambda", `${machine}X = os.getpid()\ng = lambda b=X: 1 if b else 2\n${returns}return g()\n`],
    ["a constant without a value", `${machine}X = os.getpid()\n${returns}return int(X is None)\n`],
    ["a constant of such a constant", `${machine}X = os.getpid()\nY = [X]\n${returns}return len(Y)\n`],
    [
      "what such a statement changes",
      `${machine}L = []\ndef g():\n    L.append(1)\n    return os.getpid()\nX = g()\n${returns}return len(L)\n`,
    ],
    [
      "what such a statement would change",
      `${machine}L = []\ndef g():\n    p = os.getpid()\n    L.append(p)\nX = g()\n${returns}return len(L)\n`,
    ],
    [
      "what an item of such a table changes",
      `import types\nL = []\nclass K:\n    def __hash__(self):\n        L.append(1)\n        return 1\nk = K()\nX = {k, types.FunctionType}\n${returns}return len(L)\n`,
    ],
    [
      "what an attribute in such a table changes",
      `import types\nL = []\nclass K:\n    def __getattr__(self, name):\n        L.append(1)\n        return 1\nk = K()\nX = [types.FunctionType, k.x]\n${returns}return len(L)\n`,
    ],
    [
      "what the body of a class changes",
      `${machine}L = []\nclass C:\n    x = L.append(1)\n    y = os.getpid()\n${returns}return len(L)\n`,
    ],
    [
      "a subclass that can't be made",
      `${machine}class B:\n    pass\nclass C(B):\n    y = os.getpid()\n${returns}return len(B.__subclasses__())\n`,
    ],
    ["a name that an annotation binds", `${machine}def g(b: (q := os.sep) = 1):\n    pass\n${returns}return len(q)\n`],
    [
      "the type of a field",
      `${machine}from dataclasses import dataclass, fields\n@dataclass\nclass C:\n    p: os.PathLike\n${returns}return int(isinstance(fields(C)[0].type, str))\n`,
    ],
    [
      "a name of all names",
      `from typing import *\n${returns}try:\n        get_type_hints(f)\n    except NameError:\n        return 1\n    return 2\n`,
    ],
    [
      "variables of a frame",
      `${machine}N = [1]\ndef g():\n    sys._getframe(1).f_globals.get("N").append(2)\nX = g()\n${returns}return len(N)\n`,
    ],
  ])("has no result that depends on what it must not use: %s", async (_, code) => {
    expect(JSON.stringify(await faultOf(verdict.check(code, "f")))).toMatch(
      /not available to (code under test|a model)/,
    );
  });

  it.each([
    ["an import of a class", `class A:\n    import os\n${returns}return hasattr(A, "os")\n`],
    [
      "a changed variable",
      `${returns}from os import sep\n    try:\n        sep += "x"\n    except NameError:\n        return 1\n    return 0\n`,
    ],
    [
      "a deleted variable",
      `${returns}import os\n    try:\n        del os\n    except NameError:\n        return 1\n    return 0\n`,
    ],
    [
      "a module of another system",
      `try:\n    import _scproxy, winreg\n    A = 0\nexcept ImportError:\n    A = 1\n${returns}return A\n`,
    ],
    [
      "a name that may not exist",
      `${returns}try:\n        from os import missing_name\n    except ImportError:\n        return 0\n    return 1\n`,
    ],
    [
      "an import that a block hides",
      `from contextlib import suppress\nA = 0\nwith suppress(ImportError):\n    from os import missing_name\n    A = 1\n${returns}return A\n`,
    ],
    ["a list of variables", `${returns}import os\n    return "os" in dir(*())\n`],
    [
      "an attribute behind hasattr",
      `import os\nclass A:\n    @property\n    def b(self):\n        return os.sep\n${returns}return hasattr(A(), "b")\n`,
    ],
    ["an attribute that exists", `class A:\n    pass\n${returns}return hasattr(A(), "__dict__")\n`],
    [
      "an abstract method that copies",
      `from abc import ABC, abstractmethod\nclass A(ABC):\n    @abstractmethod\n    def __getstate__(self):\n        pass\n${returns}return A() is None\n`,
    ],
    [
      "a made name of a method that copies",
      `class A:\n    def __setstate__(self, a):\n        pass\n${returns}return hasattr(A(), "__set" + "state__")\n`,
    ],
    [
      "a made name of a method of Python 2",
      `class A:\n    def __cmp__(self, a):\n        pass\n${returns}return hasattr(A(), "__c" + "mp__")\n`,
    ],
    [
      "a method of Python 2 that has another name",
      `class A:\n    def __cmp__(self, a):\n        pass\n    b = __cmp__\n${returns}return A().b(1) is None\n`,
    ],
    ["another definition", `${returns}return 1\nif True:\n    from os import cpu_count as f\n`],
    ["a condition", `import os\n${returns}"""\n    pre: os.sep == ":"\n    post: _ > 2\n    """\n    return 1\n`],
  ])("has no result that depends on what was left out: %s", async (_, code) => {
    expect(JSON.stringify(await faultOf(verdict.check(code, "f")))).toMatch(
      /not available to (code under test|a model)|not allowed/,
    );
  });

  it("has the constants of sys", async () => {
    const code =
      "import sys\ndef f(a: bool) -> bool:\n    '''post: not _'''\n    return sys.maxsize > 2**31 and sys.version_info >= (3, 10)\n";
    expect(await verdict.check(code, "f")).toMatchObject({ counterexamples: [{ actual_result: true }] });
  });

  it("has the parts of types", async () => {
    const code =
      "from typing import Union\nText = Union[str, bytes]\ndef f(a: bool) -> bool:\n    '''post: not _'''\n    return Text.__args__ == (str, bytes)\n";
    expect(await verdict.check(code, "f")).toMatchObject({ counterexamples: [{ actual_result: true }] });
    const other = "class A:\n    pass\ndef f(a: bool) -> bool:\n    return A.__args__\n";
    expect(JSON.stringify(await faultOf(verdict.check(other, "f")))).toContain("__args__");
  });

  it("gives abstract numbers the values of plain ones", async () => {
    const code = "from typing import SupportsInt\ndef f(a: SupportsInt) -> int:\n    return 10 // int(a)\n";
    const answer = await verdict.check(code, "f");
    expect(answer).toMatchObject({ status: "counterexample", counterexamples: [{ args: { a: 0 } }] });
    const safe = await verdict.check(code.replace("10 // int(a)", "int(a)"), "f");
    expect(JSON.stringify(safe["notes"])).toContain("SupportsInt");
  });

  /** Each of these changes `helper`, or what it needs: a proof that f adds 1 would be wrong. */
  const helper =
    "import math\ndef helper(x: int) -> int:\n    return x + 1\ndef other(x: int) -> int:\n    return x + 2\n";
  const f = "def f(x: int) -> int:\n    return helper(x)\ndef one_more(x: int) -> int:\n    return x + 1\n";
  it.each([
    "helper = other\n",
    "def helper(x: int) -> int:\n    return x + 2\n",
    "if len('a') == 1:\n    helper = other\n",
    "for helper in [other]:\n    pass\n",
    "[helper := each for each in [other]]\n",
    "def change():\n    global helper\n    helper = other\nchange()\n",
    "class C:\n    global helper\n    helper = other\n",
    "globals()['helper'] = other\n",
    "helper.__code__ = other.__code__\n",
    "import sys\nsys.modules[__name__].helper = other\n",
    "import builtins\nbuiltins.helper = other\n",
    "exec('helper = other')\n",
    "getattr(other, '__glo' 'bals__')['helper'] = other\n",
    "import operator\noperator.attrgetter('__globals__')(other)['helper'] = other\n",
    "from unittest import mock\nmock.patch(__name__ + '.helper', other).start()\n",
    "import importlib\nimportlib.import_module(__name__).helper = other\n",
    "from sys import modules\nsetattr(modules[__name__], 'helper', other)\n",
    "getattr(other, '__globals__')['helper'] = other\n",
    "(lambda: 0).__globals__['helper'] = (lambda: 0).__globals__['other']\n",
  ])("is reached by what changes it: %s", async (change) => {
    const answer = await verdict.compare(helper + f + change, "f", "one_more", 4).catch((fault: Error) => fault);
    // Refused, or found different; never equal.
    if (!(answer instanceof Error)) expect(answer).toMatchObject({ status: "different" });
  });

  it("reaches what changes it through all global variables", async () => {
    const change = "def change(names):\n    names['helper'] = other\nchange(globals())\n";
    const answer = await verdict.compare(helper + f + change, "f", "one_more", 20);
    expect(answer).toMatchObject({ status: "different" });
  });

  it.each([
    "STEPS.append(1)\n",
    "alias = STEPS\nalias.append(1)\n",
    "def change():\n    STEPS[0] = 2\nchange()\n",
    "holder = {'steps': STEPS}\nholder['steps'][0] = 2\n",
    "STEPS += [1]\n",
    "del STEPS[0]\n",
    "def change(steps=STEPS):\n    steps.append(1)\nchange()\n",
    "sorted([1], key=STEPS.append)\n",
    "class Other:\n    steps = STEPS\nOther.steps.append(1)\n",
  ])("is reached by what changes an object behind a name: %s", async (change) => {
    const code = `STEPS = [1]\ndef f(x: int) -> int:\n    return x + sum(STEPS)\n${change}def one_more(x: int) -> int:\n    return x + 1\n`;
    expect(await verdict.compare(code, "f", "one_more", 4)).toMatchObject({ status: "different" });
  });

  /** In each of these f returns at least x + 2; only the code around it shows that. */
  const klass = "class C:\n    n = 1\n";
  it.each([
    [
      "a decorator that calls what it decorates",
      "XS = [1]\ndef run(g):\n    g()\n    return g\n@run\ndef setup():\n    XS.append(1)\n",
      "sum(XS)",
    ],
    ["a lambda as a decorator", "XS = [1]\n@(lambda g: g())\ndef setup():\n    XS.append(1)\n", "sum(XS)"],
    [
      "a constant that a decorator has set",
      "N = 1\ndef run(g):\n    g()\n    return g\n@run\ndef setup():\n    global N\n    N = 2\n",
      "N",
    ],
    [
      "a decorator of a class",
      "XS = [1]\ndef run(k):\n    return k()\n@run\nclass Setup:\n    def __init__(self):\n        XS.append(1)\n",
      "sum(XS)",
    ],
    ["a name that only functions bind", "def setup():\n    global len\n    len = lambda x: 2\nsetup()\n", "len('a')"],
    ["a list that a class was given", "class C:\n    pass\nC.xs = [1]\nC.xs.append(1)\n", "sum(C.xs)"],
    ["a list that a function was given", "def g():\n    return 1\ng.xs = [1]\ng.xs.append(1)\n", "sum(g.xs)"],
    [
      "a list that a class was given by a function",
      "class C:\n    pass\ndef patch(k):\n    k.xs = [1]\ndef main():\n    patch(C)\nmain()\nC.xs.append(1)\n",
      "sum(C.xs)",
    ],
    [
      "a method of the class with any word for it",
      `${klass}    @classmethod\n    def bump(klass):\n        klass.n += 1\nC().bump()\n`,
      "C.n",
    ],
    ["attributes set by a name in a text", `${klass}getattr(type, '__setattr__')(C, 'n', 2)\n`, "C.n"],
    ["isinstance of its own", `${klass}def isinstance(x, k):\n    k.n = 2\nisinstance(1, C)\n`, "C.n"],
    [
      "an object in brackets of an annotation",
      "class R:\n    def __init__(self):\n        self.n = 1\n    def __getitem__(self, k):\n        self.n = 2\n        return int\nR1 = R()\ndef g(x: R1['a']):\n    return x\n",
      "R1.n",
    ],
    [
      "names that a class mangles",
      "_C__n = 2\nclass C:\n    def get(self):\n        try:\n            return __n\n        except NameError:\n            return 1\n",
      "C().get()",
    ],
    ["the names of the module", "a = 1\nb = 2\nN = max(1, len([each for each in dir() if len(each) == 1]))\n", "N"],
    ["a list of a module", "import keyword\nkeyword.kwlist.append('ab')\n", "1 + ('ab' in keyword.kwlist)"],
    [
      "an abstract class told of another one",
      "from numbers import Number\nfor each in (Number,):\n    each.register(str)\n",
      "1 + isinstance('a', Number)",
    ],
    [
      "a class of a module by another name",
      "from fractions import Fraction\nfrom numbers import Rational\nK = Rational\nK.__float__ = lambda self: 2.0\n",
      "int(float(Fraction(1)))",
    ],
  ])("is told by what it rests on: %s", async (_, around, value) => {
    const code = `${around}def f(x: int) -> int:\n    return x + ${value}\ndef one_more(x: int) -> int:\n    return x + 1\n`;
    const answer = await verdict.compare(code, "f", "one_more", 4).catch((fault: Error) => fault);
    // Refused, or found different.
    if (!(answer instanceof Error)) expect(answer).toMatchObject({ status: "different" });
  });
});

describe.skipIf(!has_python)("modules that compute", () => {
  it("may be texts without a translation, and variables of a thread", async () => {
    const top =
      "import gettext\nfrom threading import local\nT = {None: gettext.NullTranslations()}\nC = local()\ndef t():\n    return T[getattr(C, 'locale', None)]\n";
    const code = `${top}def f(n: int) -> str:\n    C.seen = n\n    return t().gettext('%d') + t().ngettext(msgid1='one', msgid2='many', n=C.seen)\ndef g(n: int) -> str:\n    return '%d' + ('many' if n != 1 else 'one')\n`;
    expect(await verdict.compare(code, "f", "g", 20)).toMatchObject({ distinguishing_input: null });
    const other = await verdict.compare(code.replace("n != 1", "n > 1"), "f", "g", 20);
    expect(other).toMatchObject({ status: "different" });
    const { code: kind } = await faultOf(
      verdict.check(`${top}def f(n: int) -> int:\n    t().install()\n    return n\n`, "f"),
    );
    expect(kind).toBe("forbidden");
  });

  it("may be used", async () => {
    const uses: [string, string, string][] = [
      [
        "contextlib",
        "from contextlib import contextmanager, suppress",
        "str(n) if suppress(ValueError) else str(contextmanager)",
      ],
      ["textwrap", "import textwrap", "textwrap.dedent('  a') + str(n)"],
      ["unicodedata", "import unicodedata", "unicodedata.category('a') + str(n)"],
      ["calendar", "import calendar", "str(calendar.isleap(2000 + n))"],
      ["struct", "import struct", "str(struct.unpack('<i', struct.pack('<i', n % 7)))"],
      ["difflib", "import difflib", "difflib.get_close_matches('a', ['a', str(n)])[0]"],
      ["graphlib", "from graphlib import TopologicalSorter", "str([*TopologicalSorter({n: [n + 1]}).static_order()])"],
      ["base64", "import base64", "base64.b64encode(str(n).encode()).decode()"],
      ["hashlib", "import hashlib", "hashlib.sha256(str(n).encode()).hexdigest()"],
      ["html", "import html", "html.escape(str(n))"],
      ["ipaddress", "import ipaddress", "str(ipaddress.ip_address(n % 256))"],
      ["types", "from types import SimpleNamespace", "repr(SimpleNamespace(n=n, m=SimpleNamespace())) + str(n)"],
      ["pprint", "import pprint", "pprint.pformat([n])"],
      ["binascii", "import binascii", "binascii.hexlify(str(n).encode()).decode()"],
    ];
    const code = uses.map(
      ([name, use, text]) =>
        `${use}\ndef f_${name}(n: int) -> str:\n    if n == 5: raise KeyError(${text})\n    return ${text}\n`,
    );
    for (const [i, [name]] of some([...uses.entries()], 5))
      expect([name, await verdict.raises(code[i] ?? "", `f_${name}`, "KeyError")]).toMatchObject([
        name,
        { status: "found", triggering_inputs: [{ args: { n: 5 } }] },
      ]);
  });

  it.each([
    [
      "read of the module",
      "import calendar\ndef f(x: int) -> int:\n    calendar.setfirstweekday(x % 7)\n    return 1\n",
    ],
    [
      "asked for, under another name",
      "import calendar as c\ndef f(x: int) -> int:\n    m = c\n    return 1 if hasattr(m, 'setfirstweekday') else 2\n",
    ],
    [
      "caught",
      "import calendar\ndef f(x: int) -> int:\n    try:\n        calendar.setfirstweekday(x % 7)\n    except AttributeError:\n        return 2\n    return 1\n",
    ],
  ])("never answer as if a withheld name did not exist: %s", async (_, code) => {
    const { code: kind, error } = await faultOf(verdict.check(code, "f"));
    expect({ kind, error }).toEqual({
      kind: "forbidden",
      error: expect.stringMatching(/^Line \d+: The name setfirstweekday of calendar .* withheld, since it can access/),
    });
  });

  it("let Python's functions import what they need, of which code gets nothing", async () => {
    const code = (text: string) =>
      `import datetime\ndef f(n: bool) -> str:\n    day = datetime.date(2024, 2, 28 + n)\n    return ${text}\n`;
    const shown = "day.strftime('%d/%m') + f'{day:%Y}'";
    const checked = `${code(shown).replace("return", "text =")}    assert text != '29/022024'\n    return text\n`;
    expect(await verdict.check(checked, "f")).toMatchObject({
      status: "counterexample",
      counterexamples: [{ args: { n: true } }],
    });
    const fault = await faultOf(verdict.check(code("__import__('time').tzname[0]"), "f"));
    expect(fault.error).toContain("__import__ is not available");
  });

  it("still say that a name does not exist which no version of the module has", async () => {
    const code = "import calendar\ndef f(x: int) -> int:\n    return calendar.nosuch\n";
    expect(JSON.stringify(await verdict.check(code, "f"))).toContain("module 'calendar' has no attribute 'nosuch'");
  });

  it.each([
    ["types", "from types import FunctionType", "FunctionType of types is not available to code under test"],
    [
      "types.CodeType",
      "import types\nx = types.CodeType",
      "The name CodeType of types is not available to code under test",
    ],
    ["traceback", "import traceback as x", "files and frames"],
    ["warnings", "import warnings as x", "remove the call"],
    ["logging", "import logging as x", "remove the call"],
    ["time", "import time as x", "take the value as a parameter"],
    ["calendar's state", "from calendar import setfirstweekday", "is not available to code under test"],
    ["contextlib's streams", "from contextlib import redirect_stdout", "is not available to code under test"],
    [
      "a frame of a manager",
      "import contextlib\nx = contextlib.contextmanager(lambda: (yield))().gen.gi_frame",
      "gi_frame",
    ],
    [
      "what a module imports",
      "import calendar\nx = calendar.datetime",
      "The name datetime of calendar is not available to code under test",
    ],
  ])("keep back what leads out: %s", async (_, use, told) => {
    const name = /import (\w+)$/.exec(use)?.[1] ?? "x";
    const fault = await faultOf(verdict.check(`${use}\ndef f(n: int) -> int:\n    return ${name}\n`, "f"));
    expect(fault.error).toContain(told);
  });
});
