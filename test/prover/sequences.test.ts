import { describe, expect, it } from "vitest";
import type { Goal } from "../../src/prover/index.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { equal, meets, never, shareProver } from "../support/prover.ts";

/** What is false is refuted at once, or not at all. */
const refute_ms_max = 1_500;

/** Two functions of the same parameters, each of one expression or of a body. */
function pair(parameters: string, f: string, g: string): string {
  const body = (text: string) => (text.includes("\n") ? text : `    return ${text}`);
  return `def f(${parameters}):\n${body(f)}\ndef g(${parameters}):\n${body(g)}`;
}

const lists = "xs: list[int], ys: list[int]";
const texts = "s: str, t: str";

describe.skipIf(!has_python)("the prover, on lists and strings as wholes", () => {
  const bench = fixture(shareProver);

  it.each<[string, string]>([
    ["equality goes both ways", pair(texts, "s == t", "not t != s")],
    [
      "equal lists are equal item by item",
      pair(
        lists,
        "xs == ys",
        "    if len(xs) != len(ys):\n        return False\n    for i in range(len(xs)):\n        if xs[i] != ys[i]:\n            return False\n    return True",
      ),
    ],
    [
      "all() over zip() is equality",
      pair(lists, "xs == ys", "len(xs) == len(ys) and all(x == y for x, y in zip(xs, ys))"),
    ],
    [
      "a palindrome is one from both ends",
      pair(
        "s: str",
        "s == s[::-1]",
        "    i, j = 0, len(s) - 1\n    while i < j:\n        if s[i] != s[j]:\n            return False\n        i += 1\n        j -= 1\n    return True",
      ),
    ],
    ["of two strings one is not behind the other", pair(texts, "not s < t", "t <= s")],
    ["<= is < or ==", pair(lists, "xs <= ys", "xs < ys or xs == ys")],
    [
      "a character between others",
      pair("c: str", "len(c) == 1 and '0' <= c <= '9'", "len(c) == 1 and 48 <= ord(c) <= 57"),
    ],
    ["joining is associative", pair(`${lists}, zs: list[int]`, "(xs + ys) + zs", "xs + (ys + zs)")],
    ["what is joined is reversed in parts", pair(texts, "(s + t)[::-1]", "t[::-1] + s[::-1]")],
    ["a string begins with what it was made of", pair(texts, "(s + t).startswith(s) and (s + t).endswith(t)", "True")],
    ["startswith looks at a slice", pair(texts, "s.startswith(t)", "s[:len(t)] == t")],
    [
      "`in` a string is a loop",
      pair("s: str", "'a' in s", "    for c in s:\n        if c == 'a':\n            return True\n    return False"),
    ],
    ["count() is a loop", pair("xs: list[int], x: int", "xs.count(x)", "sum(1 for y in xs if y == x)")],
    [
      "index() is a loop",
      pair(
        "xs: list[int], x: int",
        "xs.index(x)",
        "    for i, y in enumerate(xs):\n        if y == x:\n            return i\n    raise ValueError",
      ),
    ],
    [
      "sorted() ascends",
      pair(
        "xs: list[int]",
        "    ys = sorted(xs)\n    return all(ys[k] <= ys[k + 1] for k in range(len(ys) - 1))",
        "True",
      ),
    ],
    ["descending is ascending backwards", pair("xs: list[int]", "sorted(xs, reverse=True)", "sorted(xs)[::-1]")],
    ["a default is for what is empty", pair("xs: list[int]", "max(xs, default=0)", "max(xs) if xs else 0")],
    ["a sum may begin anywhere", pair("xs: list[int], k: int", "sum(xs, k)", "k + sum(xs)")],
    ["round() keeps whole numbers", pair("n: int", "round(n)", "n")],
    [
      "lists made here can be changed",
      pair("xs: list[int]", "    ys = xs + [1]\n    ys.append(2)\n    return ys", "xs + [1, 2]"),
    ],
    [
      "a queue gives the first item, and a stack the last",
      pair(
        "xs: list[int]",
        "    ys = xs.copy()\n    if len(ys) > 1:\n        x = ys.pop(0)\n        y = ys.pop()\n        ys += [x, y]\n    return ys",
        "xs[1:-1] + [xs[0], xs[-1]] if len(xs) > 1 else xs",
      ),
    ],
    [
      "pop(i) and insert() leave the items around",
      pair(
        "xs: list[int], i: int",
        "    ys = xs.copy()\n    if 0 <= i < len(ys):\n        y = ys.pop(i)\n        ys.insert(i, y)\n    return ys",
        "xs",
      ),
    ],
    [
      "remove() takes the first of equals",
      pair(
        "n: int",
        "    ys = [1, n, 2, n]\n    ys.remove(n)\n    return ys",
        "[2, 1] if n == 1 and False else [1, 2, n] if n != 1 else [1, 2, 1]",
      ),
    ],
    [
      "a list that is emptied is gone through backwards",
      pair(
        "xs: list[int]",
        "    ys = xs.copy()\n    t = 0\n    while ys:\n        y = ys.pop()\n        t += y\n    return t",
        "    t = 0\n    for x in reversed(xs):\n        t += x\n    return t",
      ),
    ],
    [
      "recursion over a list reverses it",
      "def f(xs: list[int]) -> list[int]:\n    if not xs:\n        return []\n    return f(xs[1:]) + [xs[0]]\ndef g(xs: list[int]) -> list[int]:\n    return xs[::-1]",
    ],
    [
      "recursion from both ends finds palindromes",
      "def f(s: str) -> bool:\n    return len(s) < 2 or (s[0] == s[-1] and f(s[1:-1]))\ndef g(s: str) -> bool:\n    return s == s[::-1]",
    ],
  ])("proves that %s", async (_, code) => {
    expect(await bench.decide(code, equal)).toMatchObject({ kind: "proven" });
  });

  const running = (last: string) => `    out = []\n    for n in xs:\n        out.append(${last})\n    return out`;
  const chunks = (end: string) =>
    `    out = []\n    for i in range(0, len(xs), 3):\n        out.append(xs[i:${end}])\n    return out`;
  it.each<[string, string]>([
    [
      "a list may be the condition of an expression in its own change",
      pair(
        "xs: list[int]",
        running("max(out[-1], n) if out else n"),
        running("n if not out or out[-1] < n else out[-1]"),
      ),
    ],
    ["slices may be items", pair("xs: list[int]", chunks("i + 3"), "[xs[i:3 + i] for i in range(0, len(xs), 3)]")],
    [
      "parts of items may be items",
      pair(
        "ls: list[list[int]]",
        "    out = []\n    for y in ls:\n        out.append(y[::-1])\n    return out",
        "[y[::-1] for y in ls]",
      ),
    ],
    [
      "a default with a sign is for what a generator does not give",
      pair("xs: list[int]", "max((x for x in xs if x > 3), default=-1)", "max([x for x in xs if 3 < x], default=-1)"),
    ],
    [
      "a variable is a default of a generator",
      pair("xs: list[int], d: int", "min((x for x in xs), default=d)", "min(xs) if xs else d"),
    ],
    ["a variable is a start of a sum", pair("xs: list[int], d: int", "sum((x for x in xs), d)", "sum(xs) + d")],
    ["a tuple is sorted as a list", pair("a: int, b: int", "sorted((a, b))", "sorted([a, b])")],
    ["a sorted tuple begins with the least", pair("a: int, b: int", "sorted((a, b))[0]", "min(a, b)")],
    [
      "every other item is one at an odd place",
      pair("xs: list[int]", "xs[1::2]", "[xs[i] for i in range(1, len(xs), 2)]"),
    ],
    ["every third letter is one", pair("s: str", "len(s[::3])", "(len(s) + 2) // 3")],
  ])("reads that %s", async (_, code) => {
    expect(await bench.decide(code, equal)).toMatchObject({ kind: "proven" });
  });

  it.each<[string, string]>([
    [
      "a list as a condition is its last item",
      pair("xs: list[int]", running("max(out[-1], n) if out else n"), running("max(out[-1], n) if out else 0")),
    ],
    ["slices end one item later", pair("xs: list[int]", chunks("i + 3"), chunks("i + 4"))],
    ["a default is for all", pair("xs: list[int]", "max((x for x in xs), default=-1)", "max([-1] + xs)")],
    ["a sorted tuple is a tuple", pair("a: int, b: int", "sorted((a, b))", "(a, b) if a <= b else (b, a)")],
    ["a sorted tuple is as it was", pair("a: int, b: int", "sorted((a, b))", "[a, b]")],
    ["every other item is one at an even place", pair("xs: list[int]", "xs[1::2]", "xs[::2]")],
    ["a step leaves nothing out", pair("xs: list[int]", "len(xs[::2])", "len(xs) // 2")],
  ])("does not read that %s", async (_, code) => {
    expect((await bench.prove(code, equal, refute_ms_max)).kind).not.toBe("proven");
  });

  it.each<[string, string, Goal]>([
    [
      "a median is there",
      "def f(xs: list[int]) -> int:\n    return sorted(xs)[len(xs) // 2] if xs else 0",
      never("IndexError"),
    ],
    [
      "what is sorted lies around each item",
      "def f(xs: list[int], i: int) -> int:\n    assert 0 <= i < len(xs)\n    ys = sorted(xs)\n    assert ys[0] <= xs[i] <= ys[-1]\n    return ys[0]",
      meets,
    ],
    [
      "recursion over a list ends, and keeps to it",
      "def f(xs: list[int]) -> int:\n    if not xs:\n        return 0\n    return abs(xs[0]) + f(xs[1:])",
      meets,
    ],
  ])("proves of one function that %s", async (_, code, goal) => {
    expect(await bench.decide(code, goal)).toMatchObject({ kind: "proven" });
  });

  it.each<[string, string]>([
    ["strings of one length are equal", pair(texts, "s == t", "len(s) == len(t)")],
    ["strings that begin alike are equal", pair(texts, "s == t", "s.startswith(t)")],
    [
      "lists without a difference in the shorter one are equal",
      pair(lists, "xs == ys", "all(x == y for x, y in zip(xs, ys))"),
    ],
    [
      "a difference at the end does not count",
      pair(lists, "xs == ys", "len(xs) == len(ys) and all(xs[i] == ys[i] for i in range(len(xs) - 1))"),
    ],
    [
      "some item in common makes lists equal",
      pair(lists, "xs == ys", "len(xs) == len(ys) and any(x == y for x, y in zip(xs, ys))"),
    ],
    ["equal lists are equal backwards to each other", pair(lists, "xs == ys", "xs == ys[::-1]")],
    ["every string is a palindrome", pair("s: str", "s == s[::-1]", "True")],
    ["a string with the same ends is a palindrome", pair("s: str", "s == s[::-1]", "len(s) == 0 or s[0] == s[-1]")],
    [
      "half of a palindrome may be left out",
      pair("s: str", "s == s[::-1]", "all(s[i] == s[len(s) - 1 - i] for i in range(len(s) // 2 - 1))"),
    ],
    ["no string is another one", pair(texts, "s == t", "False")],
    ["equal lists are empty", pair(lists, "xs == ys", "not xs and not ys")],
    ["the order of strings is that of their lengths", pair(texts, "s < t", "len(s) < len(t)")],
    ["the order of strings is that of their first characters", pair(texts, "s < t", "s[:1] < t[:1]")],
    ["< is <=", pair(lists, "xs < ys", "xs <= ys")],
    ["not < is >", pair(texts, "not s < t", "s > t")],
    ["a longer list is greater", pair(lists, "xs < xs + ys", "True")],
    ["what comes first stays first with the same end", pair(`${texts}, u: str`, "s < t", "s + u < t + u")],
    [
      "a character is a digit when it is not below 0",
      pair("c: str", "len(c) == 1 and '0' <= c <= '9'", "len(c) == 1 and '0' <= c"),
    ],
    [
      "strings that begin with a digit are digits",
      pair("c: str", "'0' <= c <= '9'", "len(c) == 1 and '0' <= c <= '9'"),
    ],
    ["joining is commutative", pair(lists, "xs + ys", "ys + xs")],
    ["joining twice is joining once", pair(lists, "xs + ys + ys", "xs + ys")],
    ["what is joined is reversed in its order", pair(texts, "(s + t)[::-1]", "s[::-1] + t[::-1]")],
    ["a joined list ends where the first one does", pair(lists, "(xs + ys)[-1]", "xs[-1]")],
    ["a joined list has no room for more", pair(lists, "(xs + ys)[len(xs)]", "ys[-1]")],
    ["the last item of nothing is the whole", pair(texts, "s.endswith(t)", "s[-len(t):] == t")],
    ["startswith is `in`", pair(texts, "s.startswith(t)", "t in s")],
    ["startswith of several is `in`", pair("s: str", "s.startswith(('a', 'b'))", "'a' in s")],
    ["startswith is the other way round", pair(texts, "s.startswith(t)", "t.startswith(s)")],
    ["the empty string is nowhere", pair("s: str", "'' in s", "len(s) > 0")],
    ["find raises", pair("s: str", "s.find('b')", "s.index('b')")],
    ["find gives the last place", pair("s: str", "s.find('b')", "len(s) - 1 - s[::-1].find('b') if 'b' in s else -1")],
    ["index gives -1", pair("xs: list[int]", "xs.index(3)", "xs.index(3) if 3 in xs else -1")],
    ["index gives an item", pair("xs: list[int]", "xs.index(3)", "xs[xs.index(3)]")],
    ["count is `in`", pair("xs: list[int]", "xs.count(3)", "1 if 3 in xs else 0")],
    ["lists are sorted", pair("xs: list[int]", "sorted(xs)", "xs")],
    ["sorted() forgets what is there twice", pair("xs: list[int]", "len(sorted(xs))", "1 if xs else 0")],
    [
      "sorted() strictly ascends",
      pair(
        "xs: list[int]",
        "    ys = sorted(xs)\n    return all(ys[k] < ys[k + 1] for k in range(len(ys) - 1))",
        "True",
      ),
    ],
    ["lists of equal sums sort alike", pair(lists, "sorted(xs) == sorted(ys)", "sum(xs) == sum(ys)")],
    [
      "lists of equal ends sort alike",
      pair(lists, "sorted(xs) == sorted(ys)", "len(xs) == len(ys) and sorted(xs)[:1] == sorted(ys)[:1]"),
    ],
    ["descending is reversed", pair("xs: list[int]", "sorted(xs, reverse=True)", "xs[::-1]")],
    ["the least is the greatest", pair("xs: list[int]", "sorted(xs)[0]", "sorted(xs)[-1]")],
    ["sorted() of nothing has an item", pair("xs: list[int]", "sorted(xs)[0] if len(xs) >= 0 else 0", "min(xs)")],
    ["a default counts as an item", pair("xs: list[int]", "max(xs, default=0)", "max([0] + xs)")],
    ["a default stands for what is empty without one", pair("xs: list[int]", "max(xs, default=0)", "max(xs)")],
    ["a sum's start is added twice", pair("xs: list[int], k: int", "sum(xs, k)", "sum(xs) + k + k")],
    ["round(True) is True", pair("p: bool", "round(p)", "p")],
    [
      "a copy is the list",
      pair("xs: list[int]", "    ys = xs.copy()\n    ys.append(1)\n    return len(ys)", "len(xs)"),
    ],
    ["True is 1 in a string", pair("s: str", "1 in s", "False")],
    ["pop() takes the first item", pair("xs: list[int]", "    ys = xs.copy()\n    return ys.pop()", "xs[0]")],
    [
      "pop() leaves the list as it is",
      pair("xs: list[int]", "    ys = xs.copy()\n    if ys:\n        ys.pop()\n    return ys", "xs"),
    ],
    [
      "insert() clamps to the last item",
      pair(
        "xs: list[int], i: int",
        "    ys = xs.copy()\n    if 0 <= i < 9:\n        ys.insert(i, 5)\n        return ys[i] == 5\n    return True",
        "True",
      ),
    ],
    ["insert() takes any index", pair("i: int", "    ys = [1]\n    ys.insert(i, 5)\n    return len(ys)", "2")],
    ["remove() takes all equals", pair("n: int", "    ys = [n, 2]\n    ys.remove(2)\n    return 2 in ys", "False")],
    [
      "pop(i) finds every item",
      pair("i: int", "    ys = [1, 2, 3]\n    if -4 <= i < 3:\n        ys.pop(i)\n    return ys", "[1, 2, 3]"),
    ],
    ["pop(0) takes the last item", pair("xs: list[int]", "    ys = xs.copy()\n    return ys.pop(0)", "xs[-1]")],
    [
      "extend() puts its items in front",
      pair(lists, "    zs = xs.copy()\n    zs.extend(ys)\n    return zs", "ys + xs"),
    ],
    [
      "+= [x] is forgotten",
      pair("xs: list[int]", "    ys = []\n    for x in xs:\n        ys += [x]\n    return len(ys)", "0"),
    ],
    [
      "a list that is emptied in a loop stays",
      pair(
        "xs: list[int]",
        "    ys = xs.copy()\n    while len(ys) > 1:\n        ys.pop()\n    return len(ys)",
        "len(xs)",
      ),
    ],
    [
      "recursion over a list keeps its order",
      "def f(xs: list[int]) -> list[int]:\n    if not xs:\n        return []\n    return [xs[0]] + f(xs[1:])\ndef g(xs: list[int]) -> list[int]:\n    return xs[::-1]",
    ],
    [
      "recursion that leaves an end out finds palindromes",
      "def f(s: str) -> bool:\n    return len(s) < 2 or (s[0] == s[-1] and f(s[1:]))\ndef g(s: str) -> bool:\n    return s == s[::-1]",
    ],
  ])("does not prove that %s", async (_, code) => {
    expect((await bench.prove(code, equal, refute_ms_max)).kind).not.toBe("proven");
  });

  it.each<[string, string, Goal]>([
    [
      "a median of nothing is there",
      "def f(xs: list[int]) -> int:\n    return sorted(xs)[len(xs) // 2]",
      never("IndexError"),
    ],
    [
      "a second item is there",
      "def f(xs: list[int]) -> int:\n    return sorted(xs)[1] if xs else 0",
      never("IndexError"),
    ],
    [
      "an empty list has a last item to take, because loops come later",
      "def f(xs: list[int], n: int) -> int:\n    ys = xs.copy()\n    x = ys.pop()\n    for i in range(n):\n        ys.append(i)\n    while len(ys) > 3:\n        ys.pop()\n    return len(ys)",
      never("IndexError"),
    ],
    ["an item is found", "def f(xs: list[int]) -> int:\n    return xs.index(1)", never("ValueError")],
    [
      "looking for a number in a string is not a mistake",
      "def f(s: str) -> bool:\n    return s.startswith(1)",
      never("TypeError"),
    ],
    [
      "recursion over a list that stays as long ends",
      "def f(xs: list[int]) -> int:\n    return f(xs[:]) if xs else 0",
      meets,
    ],
    [
      "recursion finds a greatest item of nothing",
      "def f(xs: list[int]) -> int:\n    return xs[0] if len(xs) == 1 else max(xs[0], f(xs[1:]))",
      never("IndexError"),
    ],
    [
      "a caller may break the precondition of its own call",
      "def f(n: int) -> int:\n    assert n >= 0\n    return f(-1) if n == 3 else n",
      meets,
    ],
  ])("does not prove of one function that %s", async (_, code, goal) => {
    expect((await bench.prove(code, goal, refute_ms_max)).kind).not.toBe("proven");
  });

  it.each<[string, string, Goal]>([
    [
      "recursive functions that differ from the fifth call on",
      "def f(n: int) -> int:\n    return 1 if n <= 0 else n * f(n - 1)\ndef g(n: int) -> int:\n    return 1 if n <= 0 else 7 if n == 4 else n * g(n - 1)",
      equal,
    ],
    [
      "a recursive sum that breaks its contract",
      "def f(n: int) -> int:\n    assert n >= 0\n    r = n if n < 2 else f(n - 1) + f(n - 2)\n    assert r < 5\n    return r",
      meets,
    ],
    [
      "an exception behind some recursive calls",
      "def f(xs: list[int]) -> int:\n    if len(xs) == 1:\n        raise KeyError\n    return f(xs[2:]) if xs else 0",
      never("KeyError"),
    ],
  ])("finds an input for %s", async (_, code, goal) => {
    expect(await bench.decide(code, goal)).toMatchObject({ cause: "unconfirmed" });
  });

  it.each([
    ["NaN, which is in its list", pair("x: float", "[x] == [x]", "x == x")],
    ["lists of floats", pair("xs: list[float], ys: list[float]", "xs == ys", "False")],
    ["lists of lists", pair("xs: list[list[int]], ys: list[list[int]]", "xs == ys", "False")],
    ["sorted() of strings", pair("xs: list[str]", "sorted(xs)", "xs")],
    ["sorted() by a key", pair("xs: list[int]", "sorted(xs, key=abs)", "sorted(xs)")],
    ["a start after what can't be gone through", pair("a: int", "sum(5, 1 // a)", "    raise TypeError\n")],
    [
      "pop() within a condition",
      pair("xs: list[int]", "    ys = xs.copy()\n    while ys.pop() > 1:\n        pass\n    return ys", "xs"),
    ],
    [
      "pop() within a comprehension",
      pair("xs: list[int]", "    ys = xs.copy()\n    zs = [ys.pop() for x in xs]\n    return ys", "xs"),
    ],
    [
      "pop() of a list that another variable holds",
      pair("n: int", "    ys = [1, 2]\n    zs = ys\n    x = ys.pop()\n    return len(zs)", "2"),
    ],
    [
      "a list that is popped while it is gone through",
      pair("xs: list[int]", "    ys = xs.copy()\n    for y in ys:\n        ys.pop()\n    return ys", "xs"),
    ],
    ["a default that can raise", pair("a: int", "max((x for x in []), default=1 // a)", "1 // a")],
    [
      "a default without a value",
      pair("a: int", "    if a:\n        d = 1\n    return max((x for x in []), default=d)\n", "1"),
    ],
    [
      "a list that a condition gives to another variable",
      pair(
        "xs: list[int]",
        "    ys = [1]\n    zs = ys if xs else [2]\n    ys.append(3)\n    return zs",
        "[1] if xs else [2]",
      ),
    ],
    [
      "a list that a test passes on",
      pair(
        "xs: list[int]",
        "    ys = [1]\n    zs = (xs or ys) if xs else (not xs and ys)\n    ys.append(3)\n    return zs",
        "xs",
      ),
    ],
    ["every other item backwards", pair("xs: list[int]", "xs[::-2]", "xs[::-1][::2]")],
    ["a step of nothing", pair("xs: list[int]", "xs[::0]", "xs")],
  ])("claims nothing about %s", async (_, code) => {
    expect(await bench.decide(code, equal)).toMatchObject({ cause: "unsupported" });
  });

  it.each([
    ["an argument that is popped", pair("xs: list[int]", "    return xs.pop()\n", "xs[-1]")],
    ["an argument that gets longer", pair("xs: list[int]", "    xs += [1]\n    return xs", "xs + [1]")],
    ["a list that two variables hold", pair("xs: list[int]", "    ys = xs\n    ys.append(1)\n    return ys", "xs")],
    ["an argument that one function changes", pair("xs: list[int]", "    xs.append(1)\n    return 1", "1")],
  ])("finds an input for %s", async (_, code) => {
    expect(await bench.decide(code, equal)).toMatchObject({ cause: "unconfirmed" });
  });

  it("says how a list may be popped", async () => {
    const drain = "    ys = xs.copy()\n    total = 0\n    while ys:\n        total += ys.pop()\n    return total";
    const verdict = await bench.decide(pair("xs: list[int]", drain, "sum(xs)"), equal);
    expect(JSON.stringify(verdict)).toMatch(
      /calls of pop inside of a larger expression.*make the call a statement of its own/,
    );
  });
});
