import { describe, expect, it } from "vitest";
import { faultOf } from "../support/faults.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { shareSymbolic } from "../support/symbolic.ts";

const verdict = fixture(shareSymbolic);

/** Methods of text that nothing but running them decides. */
const shout = "''.join(sorted(s.upper().swapcase()))";
const seconds_for_none = 6;
const method = (count: number) => `exhaustive: all ${count} inputs were run`;

describe.skipIf(!has_python)("a function with few inputs", () => {
  it.each([
    ["a precondition in a docstring", '    """\n    pre: 0 <= n < 256\n    post: _ <= 8\n    """\n', 256],
    ["leading asserts", "    assert n >= -3 and 60 > n\n    assert n != 70\n", 63],
  ])("is verified by running them all: %s", async (_, conditions, count) => {
    const code = `def f(n: int) -> int:\n${conditions}    return len(bin(n).replace("0b", "").strip("-0")) - n.bit_count() * 0 and n.bit_count()\n`;
    expect(await verdict.check(code, "f")).toMatchObject({ status: "verified", proof: { method: method(count) } });
  });

  const caught = (body: string, error: string, name = "") =>
    `    try:\n        ${body}\n    except ${error}${name && ` as ${name}`}:\n        return 1\n    return 2\n`;
  it.each([
    ["the text of an error of an import", "", caught("from math import nosuch", "ImportError", "e")],
    ["the text of a decorator", "from dataclasses import dataclass as d\n", "    return len(str(d))\n"],
    ["the text of a base", "import typing\n", "    return len(repr(typing.TypedDict))\n"],
    ["the memory", "", caught("[0] * 10**9", "MemoryError")],
    ["the memory by another name", "K = MemoryError\n", caught("bytearray(8 * 10**9)", "K")],
    ["the memory by a usual name", "ValueError = MemoryError\n", caught("bytearray(8 * 10**9)", "ValueError")],
    ["the depth, and ends", "", "    try:\n        return f(a)\n    finally:\n        return 1\n"],
    ["the time, and ends", "", "    try:\n        while True:\n            pass\n    finally:\n        return 1\n"],
  ])("is not verified if it notices %s", async (_, imports, body) => {
    const code = `${imports}def f(a: bool) -> int:\n${body}`;
    const { status, proof } = await verdict.check(code, "f", seconds_for_none);
    expect(JSON.stringify([status, proof])).not.toContain("exhaustive: all");
  });

  it("is rejected if it reads a withheld name that a star imports", async () => {
    const code = `from enum import *\ndef f(a: bool) -> int:\n${caught("EnumMeta", "NameError")}`;
    await expect(verdict.check(code, "f", seconds_for_none)).rejects.toThrow(
      "The name EnumMeta of enum is not available",
    );
  });

  it.each([
    ["the number of global variables", "", "len(globals()) > 5"],
    ["the text of a module", "import math\n", "len(str(math)) > 5"],
    ["a private name of a module", "", caught("from re import _compile", "ImportError")],
    ["a builtin that the sandbox lacks", "", caught("aiter", "NameError")],
    [
      "a method that is None",
      "from collections.abc import Awaitable\nclass A:\n    __await__ = None\n",
      "isinstance(A(), Awaitable)",
    ],
  ])("ends in a violation if it sees what the sandbox can't show: %s", async (_, head, body) => {
    const returns = body.startsWith("    ") ? body : `    return ${body}\n`;
    const fault = await faultOf(verdict.check(`${head}def f(a: bool):\n    """post: not _"""\n${returns}`, "f"));
    expect(fault["error_type"]).toBe("SandboxViolation");
  });

  it.each([
    'type(type(3)).__name__ == "type"',
    `repr(type) == "<class 'type'>" == str(type(int))`,
    'type(getattr).__name__ == "builtin_function_or_method"',
    'getattr.__name__ == "getattr"',
  ])("has a counterexample that Python shows, too: %s", async (condition) => {
    const code = `def f(a: bool) -> bool:\n    """post: not _"""\n    return ${condition}\n`;
    expect(await verdict.check(code, "f")).toMatchObject({ status: "counterexample" });
  });

  it("has a counterexample if a call of a replaced builtin shows nothing", async () => {
    const names = 'globals()["f"] is f and "f" in globals() and type(a) is bool and hasattr(a, "real")';
    const code = `def f(a: bool) -> bool:\n    """post: _"""\n    return not (${names}) or getattr(a, "imag") == 1\n`;
    expect(await verdict.check(code, "f")).toMatchObject({ status: "counterexample" });
  });

  it("is verified with modules and decorators that are only used", async () => {
    const imports = "import math\nfrom dataclasses import dataclass\n";
    const code = `${imports}@dataclass(frozen=True)\nclass P:\n    a: str\ndef f(s: bool) -> str:\n    return str(math.gcd(4, 6)) + P(str(s).swapcase()).a\n`;
    expect(await verdict.check(code, "f")).toMatchObject({ status: "verified", proof: { method: method(2) } });
  });

  it("is verified for enumerations, literals, tuples, and what may be left out", async () => {
    const code = `from enum import Enum\nfrom typing import Literal, Optional\nclass Color(Enum):\n    RED = 1\n    BLUE = 2\ndef f(c: Color, s: Literal["ab", "c"], t: tuple[bool, None], o: Optional[bool] = None) -> str:\n    return ${shout} + c.name.title() + str(t[0])[:1] + str(o)\n`;
    // 2 colours, 2 literals, 2 tuples; None, False, True, or left out.
    expect(await verdict.check(code, "f")).toMatchObject({ status: "verified", proof: { method: method(32) } });
    expect(await verdict.raises(code, "f", "KeyError")).toMatchObject({
      status: "unreachable",
      proof: { method: method(32) },
    });
  });

  const counted = 'len(bin(n).replace("0b", "").replace("0", ""))';
  it.each([
    [
      "icontract",
      "from icontract import require, ensure\n@require(lambda n: 0 <= n < 90)\n@ensure(lambda result: result <= 7)\n",
      90,
    ],
    [
      "deal",
      "import deal\n@deal.pre(lambda n, m: 0 <= n <= 9 and -1 < m and m < 3)\n@deal.post(lambda r: r < 5)\n",
      30,
    ],
  ])("is bounded by conditions of %s", async (_, decorators, count) => {
    const code = `${decorators}def f(n: int${count === 30 ? ", m: int" : ""}) -> int:\n    return ${counted}\n`;
    expect(await verdict.check(code, "f")).toMatchObject({ status: "verified", proof: { method: method(count) } });
    expect(await verdict.raises(code, "f", "KeyError")).toMatchObject({
      status: "unreachable",
      proof: { method: method(count) },
    });
  });

  it.each([
    ["numbers that limit each other", "n: int, k: int", "0 <= k and k <= n < 5", 25],
    ["numbers that equal each other", "n: int, k: int", "0 <= n < 4 and n == k", 16],
    ["constants", "n: int, s: str", 'n in (3, True, 1000000) and (s == "a" or s in ["b", ""])', 9],
    ["alternatives with bounds", "n: int", "0 <= n < 3 or 7 < n < 10 or n == 20", 21],
    ["a text or nothing", "s: str | None", 's in ("x", "y")', 3],
    ["ranges", "n: int, k: int", "n in range(2, 5) and k in range(n)", 12],
    ["constants of the other type", "n: int, b: bytes", 'n in (1, "1") and b in {b"x", "y"}', 1],
  ])("is bounded by %s", async (_, parameters, condition, count) => {
    const names = parameters.replaceAll(/: [^,]+/g, "");
    const code = `def f(${parameters}) -> int:\n    assert ${condition}\n    return len("".join(sorted(str((${names},)).title())))\n`;
    expect(await verdict.raises(code, "f", "KeyError")).toMatchObject({ proof: { method: method(count) } });
  });

  it.each([
    ["one of several alternatives", "n: int, k: int", "n == 1 or k == 2"],
    ["a float", "n: int, x: float", "0 <= n and n < x and x < 5"],
    ["a condition without an upper limit", "n: int, k: int", "0 <= k <= n"],
    ["other values", "n: int, s: str", "0 <= n < 3 and s not in ('a', 'b') and s != 'c'"],
    ["a number that no float holds", "n: int", `n <= 1${"0".repeat(400)}`],
    ["a parameter with a new value", "n: int", "(n := n % 3) >= 0 and n <= 2"],
    ["a range with a step", "n: int", "n in range(8, 1, -2)"],
    ["asserts after a new value", "n: int", "(n := n % 3) >= 0\n    assert 0 <= n <= 2"],
  ])("is not bounded by %s", async (_, parameters, condition) => {
    const names = parameters.replaceAll(/: [^,]+/g, "");
    const code = `def f(${parameters}) -> int:\n    assert ${condition}\n    return len("".join(sorted(str((${names},)).title())))\n`;
    const { status, proof } = await verdict.raises(code, "f", "KeyError", 2);
    expect(JSON.stringify([status, proof])).not.toContain("exhaustive: all");
  });

  it.each([
    ["a docstring", 'def f(n: int) -> int:\n    """pre: (n := n % 3) >= 0 and 0 <= n <= 2"""\n    k = 1\n'],
    [
      "asserts",
      "def f(n: int) -> int:\n    assert (k := n) == n and (n := n % 3) >= 0\n    assert 0 <= n <= 2\n    n = k\n",
    ],
  ])("is not verified for the new value of a parameter in %s", async (_, code) => {
    const { status } = await verdict.check(`${code}    assert n != 12\n    return n\n`, "f", 5);
    expect(["counterexample", "undecided", "timeout"]).toContain(status);
  });

  it.each([
    ["a parameter of another lambda", "x: 0 <= x <= y"],
    ["a lambda's default", "x, z=100: 0 <= x <= z and x <= y"],
  ])("is not bounded by %s that hides a global", async (_, condition) => {
    const code = `from icontract import require\ny = 100\n@require(lambda ${condition})\n@require(lambda y: 0 <= y <= 3)\ndef f(x: int, y: int) -> int:\n    return len(bin(x * y))\n`;
    const { proof } = await verdict.check(code, "f", 3);
    expect(JSON.stringify(proof)).not.toContain("exhaustive: all 16");
  });

  it("is verified for records of fields with few values", async () => {
    const code = `from dataclasses import dataclass\nfrom enum import Enum\nfrom typing import NamedTuple, Optional, TypedDict\nclass Color(Enum):\n    RED = "r"\n    BLUE = "b"\n@dataclass\nclass Card:\n    color: Color\n    up: bool\nclass Hand(NamedTuple):\n    one: Card\n    two: Optional[Card]\nclass Table(TypedDict):\n    hand: Hand\ndef f(t: Table) -> str:\n    s = t["hand"].one.color.value + str(t["hand"].two)\n    return ${shout}\n`;
    expect(await verdict.check(code, "f")).toMatchObject({ status: "verified", proof: { method: method(20) } });
  });

  it("is not bounded by a range that the code defines", async () => {
    const code =
      'def range(n: int) -> tuple[int, int]:\n    return (n, 123457)\ndef f(n: int) -> int:\n    """pre: n in range(3)"""\n    return len("".join(sorted(str(n).title())))\n';
    const { proof } = await verdict.raises(code, "f", "KeyError", 2);
    expect(JSON.stringify(proof)).not.toContain("exhaustive: all");
  });

  it("is compared on the inputs that at least one precondition allows", async () => {
    const body = "    s = str(n)\n    return format(len(s), '03d') + ";
    const code = `def f(n: int) -> str:\n    assert n in range(9)\n${body}${shout}\ndef g(m: int) -> str:\n    assert 0 <= m < 9\n    n = m\n${body}${shout}\ndef h(n: int) -> str:\n    assert 0 <= n < 12\n${body}${shout}\n`;
    expect(await verdict.compare(code, "f", "g")).toMatchObject({ status: "equivalent", proof: { method: method(9) } });
    expect(await verdict.compare(code, "f", "h")).toMatchObject({
      status: "different",
      distinguishing_input: { args: { n: 9 } },
    });
  });

  it("is compared on all of them", async () => {
    const code = `from typing import Literal\ndef f(s: Literal["ab", "c"], b: bool) -> str:\n    return ${shout} * b\ndef g(s: Literal["ab", "c"], b: bool) -> str:\n    return ${shout} if b else s[:0]\ndef h(s: Literal["ab", "c"], b: bool) -> str:\n    return ${shout}\n`;
    expect(await verdict.compare(code, "f", "g")).toMatchObject({
      status: "equivalent",
      confidence: "proven",
      proof: { method: method(4) },
    });
    expect(await verdict.compare(code, "f", "h")).toMatchObject({ status: "different" });
  });

  const record = "from dataclasses import dataclass\n@dataclass\nclass P:\n    b: bool\n";
  const pair = (of: string, first: string, second: string) =>
    `def f(p: ${of}, q: ${of}) -> bool:\n    ${first}\ndef g(p: ${of}, q: ${of}) -> bool:\n    ${second}\n`;
  const writes = "p.b = True; q.b = False; return";
  it.each([
    ["changed", record + pair("P", `${writes} p.b`, `${writes} True`)],
    [
      "changed by a method",
      `${record}    def f(self, q: "P") -> bool:\n        self.b = True; q.b = False; return self.b\n    def g(self, q: "P") -> bool:\n        self.b = True; q.b = False; return True\n`,
    ],
    [
      "made, and changed",
      `class A:\n    b = False\n${pair("A", "p.b = True; return q.b", "p.b = True; return False")}`,
    ],
    [
      "compared by identity",
      `${record.replace("dataclass\nclass", "dataclass(eq=False)\nclass")}${pair("P", "return p == q", "return False")}`,
    ],
    ["compared by `is`", pair("tuple[bool, bool]", "return p is q", "return False")],
  ])("proves nothing of two arguments that can be one object: %s", async (_, code) => {
    const [a, b] = code.includes("self") ? (["P.f", "P.g"] as const) : (["f", "g"] as const);
    const answer = await verdict.compare(code, a, b, seconds_for_none);
    expect(answer["proof"]).toBeNull();
    expect(answer["confidence"]).not.toBe("proven");
  });

  it("does not call ranges of the same items equal if their bounds differ", async () => {
    const code = "def f(b: bool):\n    return range(0, 3, 2)\ndef g(b: bool):\n    return range(0, 4, 2)\n";
    expect(JSON.stringify(await faultOf(verdict.compare(code, "f", "g")))).toContain("two ranges of the same items");
  });

  const deep = "def deep(n: int) -> int:\n    return 0 if n == 0 else deep(n - 1)\n";
  it.each([
    [
      "a depth that a `finally` hides",
      `${deep}class E(Exception):\n    pass\ndef h() -> int:\n    ok = False\n    try:\n        deep(990)\n        ok = True\n    finally:\n        if not ok: raise E()\n    return 0\ndef k() -> int:\n    try:\n        return h()\n    except E:\n        return -1\n`,
      "k()",
      "-1",
    ],
    [
      "a depth in a generator that is closed late",
      `${deep}def gen(out: list):\n    try:\n        yield 1\n    finally:\n        deep(990)\n        out.append(1)\ndef k() -> int:\n    out = []\n    for v in gen(out): break\n    return len(out)\n`,
      "k()",
      "0",
    ],
  ])("proves nothing of %s", async (_, more, one, other) => {
    const code = `${more}def f(b: bool):\n    return ${one}\ndef g(b: bool):\n    return ${other}\n`;
    expect((await verdict.compare(code, "f", "g", seconds_for_none))["confidence"]).not.toBe("proven");
  });

  it.each([
    ["the hash of a text", "", 'hash("a") == 5'],
    ["the address of an object", "class A:\n    pass\n", 'str(A())[-4] == "3"'],
    ["the address of a function", "def h():\n    pass\n", 'f"{h}"[-4] == "3"'],
    ["the address of an iterator", "", 'repr(iter([]))[-3] == "z"'],
    ["the address of an iterator in a list", "", 'str(list(map(iter, [[]])))[-3] == "z"'],
    ["the address of a generator", "", 'str((n for n in []))[-3] == "z"'],
    ["the address of a function of a module", "from dataclasses import asdict\n", 'f"{asdict}"[-4] == "3"'],
    ["the address of an attribute of a module", "import typing\n", 'str(typing.cast)[-4] == "3"'],
    ["the address of a missing default", "import dataclasses\n", 'repr(dataclasses.field())[60] == "z"'],
    ["the address of a coroutine", "async def h():\n    pass\n", 'f"{h}"[-4] == "3"'],
    ["the address of a bound method", "", 'repr([].append)[-3] == "z"'],
    [
      "the address of an object of a final class",
      "import typing\n@typing.final\nclass A:\n    pass\n",
      'str(A())[-3] == "z"',
    ],
    ["an address in a formatted object", "class A:\n    pass\n", 'format(A())[-3] == "z"'],
    ["an address in a text with a variable format", "class A:\n    pass\n", '[s % A() for s in ["%s"]][0][-3] == "z"'],
    ["an address in a text with a computed format", "class A:\n    pass\n", '((chr(37) + "s") % A())[-3] == "z"'],
    ["the order of a set of keys", "", '[*{"x": 1, "y": 2}.keys() & ["x", "y"]][0] == "z"'],
    ["the order of a set of items", "", '[*{"x": 1, "y": 2}.items() - [3]][0][0] == "z"'],
    ["the order of a set that a variable function makes", "", '[*map(set, ["xy"])][0].pop() == "z"'],
    ["the order of a set of the module", 'T = {"x", "y"}\n', '[*T][0] == "z"'],
  ])("proves nothing of what differs between runs: %s", async (_, more, shown) => {
    const code = `${more}def f(b: bool) -> bool:\n    return ${shown}\ndef g(b: bool) -> bool:\n    return False\n`;
    expect((await verdict.compare(code, "f", "g", seconds_for_none))["proof"] ?? null).toBeNull();
  });

  it.each([
    ["iterators that are read at once", 'f"{list(zip([1], [2]))}{sum(n for n in [1])}"', "'[(1, 2)]1'"],
    ["sets of which no order shows", '"a" in T and isinstance(b, (int, set)) and len({1: 2}.keys()) == 1', "True"],
  ])("is proven with %s", async (_, one, other) => {
    const code = `T = {"a", "b"}\ndef f(b: bool):\n    return ${one}\ndef g(b: bool):\n    return ${other}\n`;
    expect(await verdict.compare(code, "f", "g")).toMatchObject({ status: "equivalent", confidence: "proven" });
  });

  it("is proven although it handles every exception, if none comes from a limit of the machine", async () => {
    const handled =
      "    try:\n        return ''.join(sorted(str(b)))[4]\n    except Exception:\n        return ''\n    finally:\n        b = None\n";
    const code = `def f(b: bool):\n${handled}def g(b: bool):\n    return '' if b else 's'\n`;
    expect(await verdict.compare(code, "f", "g")).toMatchObject({
      status: "equivalent",
      proof: { method: method(2) },
    });
  });

  it.each([
    ["handles", "    try:\n        return deep(980)\n    except RecursionError:\n        return -1\n"],
    ["hides", "    with suppress(RecursionError):\n        return deep(980)\n    return -1\n"],
  ])("is not called different for the size of the stack here, which it %s", async (_, body) => {
    const code = `from contextlib import suppress\n${deep}def f(b: bool) -> int:\n${body}def g(b: bool) -> int:\n    return 0\n`;
    const { status, notes } = await verdict.compare(code, "f", "g", seconds_for_none);
    expect(status).not.toBe("different");
    expect(String(notes)).toContain("the code handled an exhausted memory or stack");
  });

  it("is not verified for a result that only an exhausted memory gives", async () => {
    const ends =
      "    ok = False\n    try:\n        bytearray(8 * 10**9)\n        ok = True\n    finally:\n        if not ok: raise E\n";
    const code = `class E(Exception):\n    pass\ndef h():\n${ends}def f(b: bool) -> int:\n    """post: _ == -1"""\n    try:\n        h()\n    except E:\n        return -1\n    return 0\n`;
    expect((await verdict.check(code, "f", seconds_for_none))["proof"]).toBeNull();
  });

  const endless = "def deep(n):\n    return deep(n + 1)\n";
  const lost = "class E(Exception):\n    pass\ndef kind():\n    raise E() from KeyError()\n";
  it.each([
    [
      "an exception that replaces the limit in an except clause",
      `${endless}${lost}def f(b: bool) -> int:\n    """post: _ == 1"""\n    try:\n        try:\n            return deep(0)\n        except kind():\n            return 2\n    except E:\n        return 1\n`,
    ],
    [
      "a context manager that stops the limit of the next one",
      `from contextlib import suppress, nullcontext\n${endless}def f(b: bool) -> int:\n    """post: _ == 1"""\n    with suppress(RecursionError), nullcontext(deep(0)):\n        return 2\n    return 1\n`,
    ],
    [
      "a limit that the module meets when it is loaded",
      `${endless}try:\n    T = deep(0)\nexcept RecursionError:\n    T = 1\ndef f(b: bool) -> int:\n    """post: _ == 1"""\n    return T\n`,
    ],
    [
      "a file, in a module that has a field of the name `open`",
      'class Shop:\n    open: bool\ndef f(b: bool) -> int:\n    """post: _ == 3"""\n    try:\n        return len(open("a").read())\n    except Exception:\n        return 3\n',
    ],
    [
      "a file, beside a parameter of the name `open`",
      'def h(open):\n    return open\ndef f(b: bool) -> int:\n    """post: _ == 3"""\n    try:\n        return h(open("a"))\n    except Exception:\n        return 3\n',
    ],
    [
      "a name that an annotation in parentheses does not bind",
      'import socket\ndef f(b: bool) -> int:\n    """post: _ == 3"""\n    (socket): int\n    try:\n        return 1 if socket else 2\n    except NameError:\n        return 3\n',
    ],
    [
      "a file, in a class that binds the name `open` in a default",
      'def f(b: bool) -> int:\n    """post: _ == 3"""\n    open = len\n    class C:\n        try:\n            y = open("a")\n        except Exception:\n            y = 3\n        def m(self, a=(open := 5)): pass\n    return C.y\n',
    ],
    [
      "a file, after the module deletes its own `open`",
      'open = len\nif open("a"):\n    del open\ndef f(b: bool) -> int:\n    """post: _ == 3"""\n    try:\n        return open("a")\n    except Exception:\n        return 3\n',
    ],
    [
      "the address of a method of an integer",
      'def f(b: bool) -> int:\n    """post: _ > 0"""\n    return len(f"{(5).bit_length}")\n',
    ],
    [
      "the address of a property",
      'from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n    @property\n    def w(self):\n        return 1\ndef f(b: bool) -> int:\n    """post: _ > 0"""\n    return len(f"{P.w}")\n',
    ],
    [
      "the constructor of an object, in a pattern",
      'from fractions import Fraction\ndef f(b: bool) -> int:\n    """post: _ == 1"""\n    match Fraction(1, 3):\n        case object(__init__=i):\n            return 1\n    return 2\n',
    ],
  ])("is not proven by all inputs if it uses %s", async (_, code) => {
    const answer = await verdict.check(code, "f", 4).catch((error: unknown) => ({ status: String(error) }));
    expect(answer["status"]).not.toBe("verified");
  });

  it.each([
    ["a comprehension", "[open for open in (1, 2)][0]"],
    ["a lambda expression", "(lambda open: open)(1)"],
    ["a field in a pattern", "h(Node())"],
    ["a pattern that no run reaches", "1 if b or not b else h2(b)"],
    ["a variable of a function around a class", "h3()"],
  ])("is proven if %s has a name of a builtin that code must not use", async (_, value) => {
    const other = "def h2(n):\n    match n:\n        case memoryview():\n            return 1\n";
    const node =
      "class Node:\n    data = 1\ndef h(n):\n    match n:\n        case Node(data=d):\n            return d\n";
    const outer = "def h3():\n    open = 1\n    class C:\n        nonlocal open\n        y = open\n    return C.y\n";
    const code = `${other}${node}${outer}def f(b: bool) -> int:\n    """post: _ == 1"""\n    return ${value}\n`;
    expect(await verdict.check(code, "f")).toMatchObject({ status: "verified" });
  });

  it.each([
    [
      "cached function",
      "def deco(f):\n    @functools.wraps(f)\n    def g(x):\n        return f(x)\n    return g\n@deco\n@functools.cache\n",
    ],
    [
      "function, by a class",
      "class D:\n    def __init__(self, f):\n        functools.wraps(f)(self)\n        self.f = f\n    def __call__(self, x):\n        return self.f(x)\n@D\n",
    ],
  ])("is refuted if it calls a decorated %s", async (_, decorator) => {
    const code = `import functools\n${decorator}def h(x):\n    return x\ndef f(b: bool) -> int:\n    """post: _ == 1"""\n    return h(int(b))\n`;
    expect(await verdict.check(code, "f", 4)).toMatchObject({ status: "counterexample" });
  });

  it.each([
    ["comprehensions", `${"[x for x in ".repeat(40)}[1]${" ]".repeat(40)}[0]`],
    ["lambda expressions", `(${"(lambda x=".repeat(40)}1${": 1)".repeat(40)})()`],
  ])("is read to its end if %s are nested deeply", async (_, value) => {
    const code = `def f(b: bool) -> int:\n    """post: _ == 1"""\n    return ${value}\n`;
    expect((await verdict.check(code, "f"))["status"]).toMatch(/verified|undecided/);
  });

  it("is checked in as many blocks as Python itself allows", async () => {
    const blocks = Array.from({ length: 20 }, (_, depth) => `${" ".repeat(4 + depth)}with nullcontext():\n`);
    const code = `from contextlib import nullcontext\ndef f(b: bool) -> int:\n    """post: _ == 1"""\n${blocks.join("")}${" ".repeat(24)}return 2\n`;
    expect(await verdict.check(code, "f", 4)).toMatchObject({ status: "counterexample" });
  });

  const managers =
    "class M:\n    def __enter__(self):\n        return 1\n    def __exit__(self, kind, error, trace):\n        return kind is KeyError\nclass N:\n    def __enter__(self):\n        return 1\nfrom contextlib import ExitStack\nclass Own:\n    pass\nclass Own2(N):\n    __exit__ = property(lambda self: lambda *error: error[0] is KeyError)\n";
  it.each([
    ["what a manager returns and stops", "with M() as r:\n        {}[r]\n    return r"],
    [
      "that an object is no manager",
      "try:\n        with N():\n            pass\n    except TypeError as e:\n        return int('missed __exit__' in str(e))",
    ],
    [
      "the methods of the class rather than of the object",
      "m = M()\n    m.__exit__ = None\n    with m as r, M():\n        {}[r]\n    return r",
    ],
    [
      "that an object itself can't be a manager",
      "try:\n        o = Own()\n        o.__enter__ = o.__exit__ = len\n        with o:\n            pass\n    except TypeError as e:\n        return int('context manager protocol' in str(e))",
    ],
    ["a method that is a descriptor", "with Own2():\n        raise KeyError\n    return 1"],
    ["a stack of managers", "s = ExitStack()\n    with s, s.enter_context(M()) as r:\n        {}[r]\n    return r"],
  ])("is run with Python's context managers: %s", async (_, body) => {
    const code = `${managers}def f(b: bool) -> int:\n    """post: _ != 1"""\n    ${body}\n`;
    expect(await verdict.check(code, "f", 4)).toMatchObject({ status: "counterexample" });
  });

  it("is proven if what two arguments share is only read", async () => {
    const code = record + pair("P", "return p == q and p is not None", "return p.b == q.b");
    expect(await verdict.compare(code, "f", "g")).toMatchObject({ status: "equivalent", confidence: "proven" });
  });

  const put = "def put(c, n):\n    c.size = n\nclass C:\n    size = 3\n";
  const extend = "T = [3]\ndef put(t):\n    t.append(1)\n";
  const reads = "def f(b: bool) -> int:\n#    return len(T)\ndef g(b: bool) -> int:\n    return len(T)\n";
  it.each([
    ["sets what the other one reads", `${put}${reads.replaceAll("len(T)", "C.size").replace("#", "    put(C, 5)\n")}`],
    ["extends what the other one reads", `${extend}${reads.replace("#", "    put(T)\n")}`],
    [
      "takes an item that the other one would get",
      `import itertools\nT = itertools.count()\n${reads.replace("len(T)", "next(T)").replace("len(T)", "next(T) - 1")}`.replace(
        "#",
        "",
      ),
    ],
    [
      "extends what both read",
      `${extend}${reads.replace("#", "    put(T)\n").replace("int:\n    return", "int:\n    put(T)\n    return")}`,
    ],
  ])("is neither equivalent nor different where a function %s", async (_, code) => {
    expect(await verdict.compare(code, "f", "g", 4)).toMatchObject({ status: "undecided", proof: null });
  });

  it("has sides that no input takes", async () => {
    const code = `from typing import Literal\ndef f(s: Literal["ab", "c"]) -> int:\n    if ${shout} == "ba":\n        return 1\n    return 2 if ${shout} == "c" else 0\n`;
    expect(await verdict.branches(code, "f")).toMatchObject({
      status: "complete",
      branches: [
        { true_reachable: false, false_reachable: true },
        { true_reachable: true, false_reachable: true },
      ],
    });
  });

  it.each(["len({b, True, 3})", "int({b} | {0} == {False, b})", "1 if {True} - set([b]) else 0"])(
    "may use a set whose order nothing shows: %s",
    async (result) => {
      const code = `def f(b: bool) -> int:\n    return ${result} * len(str(b).upper().title())\n`;
      // The prover may be first.
      const methods = expect.stringMatching(new RegExp(`^(?:${method(2)}|proof by induction over its loops)$`));
      expect(await verdict.check(code, "f")).toMatchObject({ status: "verified", proof: { method: methods } });
    },
  );

  it.each([
    ["a: list[int], b: list[int]", "sorted(set(a) & set(b))", "sorted(set(a) & set(b))"],
    ["n: int, m: int", "{n, m}", "set([m, n])"],
    ["s: str, t: str", "{s, t}", "{t, s}"],
  ])("is compared for all inputs %s if its set is sorted or its result: %s", async (head, one, other) => {
    const code = `def f(${head}):\n    return ${one}\ndef g(${head}):\n    return ${other}\n`;
    expect(await verdict.compare(code, "f", "g")).toMatchObject({ status: "equivalent", confidence: "proven" });
  });

  const same = (head: string, body: string, more = "") =>
    `${more}def f(${head}):\n    ${body}\ndef g(${head}):\n    ${body}\n`;
  it.each([
    ["not a number", same("xs: list[float]", "return sorted(set(xs))")],
    ["a key that ties", same("xs: list[str]", "return sorted(set(xs), key=len)")],
    ["a default", same("xs: list[int] = T", "return sorted(set(xs))", "T = [float('nan')]\n")],
    ["another int", same("xs: list[int]", "return sorted(set(xs))", "int = float\n")],
    ["another value", same("xs: list[int]", "xs = [each / 2 for each in xs]\n    return sorted(set(xs))")],
    [
      "an argument of another type",
      same("x: float", "return h([x])", "def h(xs: list[int]):\n    return max(set(xs))\n"),
    ],
    ["a caller that reads the result", same("n: str", "return list(h(n))", "def h(n: str):\n    return {n, 'x'}\n")],
    ["a postcondition that reads the result", same("n: str", '"""post: [*_][0] == n"""\n    return {n, "x"}')],
  ])("has a set whose order may show in %s", async (_, code) => {
    const answer = await verdict.compare(code, "f", "g", seconds_for_none);
    expect(answer).toMatchObject({ proof: null });
    expect(JSON.stringify(answer)).toContain("the order of a set is undefined");
  });

  const flagged = (body: string, more = "") => `${more}def f(b: bool) -> int:\n${body}`;
  /** Each would be a false proof, or one of a process that could have written it itself. */
  it.each([
    ["random", flagged("    return int(str(random.random() < 2).isalpha())\n", "import random\n")],
    ["state", flagged("    SEEN.append(b)\n    return len(str(SEEN)) // 1\n", "SEEN = []\n")],
    [
      "a default that is shared",
      "def f(b: bool, seen: tuple[bool] = (False,), /) -> int:\n    global X\n    X = str(b).upper()\n    return len(X)\n",
    ],
    [
      "state that another function changes",
      flagged(
        "    step(C)\n    return 10 // C.left\n",
        "class C:\n    left = 3\ndef step(c):\n    c.left = c.left - 1\n",
      ),
    ],
    ["the order of a set", flagged("    return len(''.join({str(b), 'x'}))\n")],
    [
      "the order of a set, seen by an own len",
      flagged("    return len({str(b), 'x'})\n", "def len(s):\n    return ord(list(s)[0][0])\n"),
    ],
    ["a call without an end", flagged("    while b and str(b).isalpha():\n        pass\n    return 0\n")],
    [
      "recursion without an end",
      flagged("    try:\n        return f(b) + len(str(b).upper())\n    except RecursionError:\n        return 0\n"),
    ],
    ["code that can reach its process", flagged("    return len(str(getattr(b, 'real')).upper())\n")],
    [
      "a class with methods of Python's own",
      flagged(
        "    return len(str(A() == b).upper())\n",
        "class A:\n    def __eq__(self, other):\n        return True\n",
      ),
    ],
    ["too many inputs", 'def f(n: int, b: bool) -> int:\n    """pre: 0 <= n < 3000"""\n    return n.bit_count()\n'],
    [
      "bounds of other parameters",
      `import deal\n@deal.pre(lambda m, n: 0 <= n < 20 and 0 <= m < 3)\ndef f(n: int, m: int) -> int:\n    return ${counted.replace("bin(n)", "bin(n + m)")}\n`,
    ],
    [
      "bounds that are switched off",
      `from icontract import require\n@require(lambda n: 0 <= n < 20, enabled=False)\ndef f(n: int) -> int:\n    return ${counted}\n`,
    ],
    [
      "a library of contracts in the code",
      flagged("    return len(str(icontract.ViolationError)) * len(str(b).upper())\n", "import icontract\n"),
    ],
    [
      "records of open fields",
      "from typing import NamedTuple\nclass P(NamedTuple):\n    up: bool\n    at: int\ndef f(p: P) -> int:\n    return len(str(p).upper())\n",
    ],
    [
      "fields that may be missing",
      "from typing import TypedDict\nclass P(TypedDict, total=False):\n    up: bool\ndef f(p: P) -> int:\n    return len(str(p).upper())\n",
    ],
    ["bounds that are not bounds", 'def f(n: int) -> int:\n    """pre: n > 3 or n < 5"""\n    return n.bit_count()\n'],
  ])("proves nothing by %s", async (_, code) => {
    const { proof } = (await verdict.check(code, "f", 4)) as { proof: { method: string } | null };
    expect(proof?.method ?? "").not.toContain("exhaustive");
  });

  it("has an input that breaks the contract, which is found", async () => {
    const code =
      'def f(n: int) -> int:\n    """pre: 0 <= n <= 300"""\n    return 1 // (n.bit_count() * 7 + len(str(n)) - 59 or 1)\n';
    const seldom = code.replace("or 1)", "- 0)");
    const brute = [...Array(301).keys()].filter(
      (n) => n.toString(2).replaceAll("0", "").length * 7 + `${n}`.length === 59,
    );
    expect(brute.length).toBeGreaterThan(0);
    expect(await verdict.check(seldom, "f")).toMatchObject({ status: "counterexample" });
    expect(await verdict.check(code, "f")).toMatchObject({ status: "verified", proof: { method: method(301) } });
  });
});
