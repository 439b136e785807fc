import { getEventListeners } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { readConfig } from "../../src/config.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import type { Solves } from "../../src/prover/ask/queries.ts";
import { type Goal, Prover, SyntaxTree, type Verdict } from "../../src/prover/index.ts";
import { ProverThreads } from "../../src/prover/threads.ts";
import { withEnoughTime } from "../support/enough_time.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { blocksOf } from "../support/proofs.mjs";
import { equal, isDecided, meets, never, prove_ms_max, runInPython, shareProver } from "../support/prover.ts";

function outcome(place: readonly [number, number, number, number], taken: boolean): Goal {
  const [line, column, end_line, end_column] = place;
  return {
    kind: "never_reached",
    function: "f",
    target: { kind: "outcome", line, column, end_line, end_column, outcome: taken },
  };
}

describe.skipIf(!has_python)("the prover", () => {
  const bench = fixture(shareProver);

  it("ends where a loop squares a number more often than memory allows", async () => {
    const code = `def f(n: int, x: int) -> int:
    i = 0
    while i < n:
        x = x * x * x * x * x * x * x * x + 2
        i += 1
    return x + i
`;
    const verdict = await bench.decide(`${code}\n${code.replace("f(", "g(").replace("x + i", "i + x")}`, equal);
    expect(verdict).toMatchObject({ kind: "proven" });
  });

  it("excuses a call by a precondition that raises, and no call within it", async () => {
    const asserted = (body: string) => `def f(n: int) -> int:\n    assert 10 // n > 0\n${body}`;
    const required = (body: string) =>
      `from icontract import require\n@require(lambda n: 10 // n > 0)\ndef f(n: int) -> int:\n${body}`;
    for (const under of [asserted, required]) {
      expect((await bench.decide(under("    return n\n"), meets)).kind).toBe("proven");
      expect((await bench.prove(under("    if n == 7:\n        return f(0)\n    return n\n"), meets)).kind).not.toBe(
        "proven",
      );
      const helped = `def h(n: int) -> int:\n    return 10 // (n - 7)\n${under("    return h(n)\n")}`;
      expect((await bench.prove(helped, meets)).kind).not.toBe("proven");
    }
  });

  it.each([
    ["a helper", "def h(n: int) -> int:\n    return 0 if n < 1 else h(n - 1)\n", "recursion of the helper h"],
    [
      "two helpers",
      "def h(n: int) -> int:\n    return 0 if n < 1 else k(n - 1)\ndef k(n: int) -> int:\n    return 1 + h(n)\n",
      "recursion of h through k",
    ],
  ])("names the recursion of %s", async (_, helpers, construct) => {
    const code = `${helpers.replace("else h", "else 1 + h")}def f(n: int) -> int:\n    return h(n) + 1\n`;
    expect(await bench.prove(code, meets)).toMatchObject({
      cause: "unsupported",
      construct,
    });
  });

  it.each([
    ["x = [lambda y: y]\n    return 0", 3, "lambda expressions", "lambda y: y"],
    ["return (n := 3)", 3, "assignment expressions (the walrus operator `:=`)", "n := 3"],
    ["return max(*[n])", 3, "starred expressions", "*[n]"],
    ["match n:\n        case 1:\n            return 1\n    return 0", 3, "match statements", "match n: …"],
    ["with open('f') as g:\n        pass\n    return 0", 3, "with statements", "with open('f') as g: …"],
    ["'ä'; x = f'é{n}'\n    return 0", 3, "f-strings other than as the message of an exception", "f'é{n}'"],
    ["xs = [1, 'a']\n    return len(xs) // n", 3, "list displays whose items have several types", "[1, 'a']"],
    ["return 6 // (n | 'a')", 3, "`|` of int and str", "n | 'a'"],
    ["return g(n)", 3, "calls of g", "g(n)"],
    [
      "o = [n]\n    for i, _ in enumerate(o):\n        o += [i]\n    return 0",
      4,
      "assignments to o in a loop whose iterable depends on o",
      "for i, _ in enumerate(o): …",
    ],
    ["return round(n, 2)", 3, "this call with arguments other than 1 by position", "round(n, 2)"],
    [
      "xs = [n]\n    ys = xs\n    n, xs[0] = 1, 2\n    return ys[0]",
      4,
      "a second reference to xs, as the function changes it in place (use a copy here)",
      "ys = xs",
    ],
    [
      "xs = [n]\n    ys = xs\n    xs.append(1)\n    return 0",
      4,
      "a second reference to xs, as the function changes it in place (use a copy here)",
      "ys = xs",
    ],
    [
      "xs = [n]\n    xs[0] = 'a long text, much longer than what a message holds'\n    return 0",
      4,
      "assignments of a value of another type to an item of a list",
      "xs[0] = 'a long text, much longer than w …",
    ],
  ])("quotes the construct that it does not support: %s", async (body, line, construct, source) => {
    // The text is indented: places count in what Python reads.
    const code = `  # a module\n  def f(n: int) -> int:\n      ${body.replaceAll("\n    ", "\n      ")}\n`;
    expect(await bench.prove(code, meets)).toEqual({
      kind: "undecided",
      cause: "unsupported",
      reason: `line ${line}: the prover does not support ${construct} (\`${source}\`)`,
      construct,
      line,
      source,
    });
  });

  describe("proves the examples that the tools were specified with", () => {
    const safe_div = "def f(a: int, b: int) -> float:\n    if b == 0:\n        return 0.0\n    return a / b";
    const validated_sqrt = "def f(x: float) -> float:\n    if x < 0:\n        return 0.0\n    return x ** 0.5";
    const loop =
      "def f(items: list[int]) -> int:\n    total = 0\n    for item in items:\n        total += item\n    return total";
    const icontract =
      "from icontract import require, ensure\n@require(lambda x: x >= 0)\n@ensure(lambda result: result >= 0)\ndef f(x: float) -> float:\n    return x ** 0.5";
    const asserts =
      "def f(x: float) -> float:\n    assert x >= 0, 'precondition'\n    result = x ** 0.5\n    assert result >= 0, 'postcondition'\n    return result";

    it.each<[string, string, Goal]>([
      ["a guarded division never raises ZeroDivisionError", safe_div, never("ZeroDivisionError")],
      [
        "a guarded root never raises ValueError or ZeroDivisionError",
        validated_sqrt,
        never("ValueError", "ZeroDivisionError"),
      ],
      [
        "a summing loop is sum(), on lists of any length",
        `${loop}\ndef g(items: list[int]) -> int:\n    return sum(items)`,
        equal,
      ],
      ["the root with conditions of icontract", icontract, meets],
      ["the root with asserts", asserts, meets],
      [
        "a contradictory test is never true",
        "def f(x: int) -> int:\n    if x > 0 and x < 0:\n        return 999\n    return x",
        { kind: "never_reached", function: "f", target: { kind: "line", line: 3 } },
      ],
    ])("%s", async (_, code, goal) => {
      expect(await bench.decide(code, goal)).toMatchObject({ kind: "proven" });
    });

    it("and not that the division never overflows: 10 ** 400 / 3 does", async () => {
      expect(await bench.decide(safe_div, never("OverflowError"))).toMatchObject({ cause: "unconfirmed" });
    });

    it("and gives the input that breaks an annotation", async () => {
      const code = "def f(x: float) -> float:\n    return x ** 0.5";
      expect(await bench.decide(code, meets)).toMatchObject({ cause: "unconfirmed" });
    });

    it("and finds the needle and the bug", async () => {
      const needle =
        "def f(x: int, y: int) -> int:\n    if x == 7 and y == x * 3 + 4:\n        raise ValueError('Found it!')\n    return x + y";
      const judgement = await bench.decide(needle, never("ValueError"));
      expect(judgement).toMatchObject({
        kind: "undecided",
        cause: "unconfirmed",
        inputs: [
          { type: "int", value: "7" },
          { type: "int", value: "25" },
        ],
      });
      const bug = "def f(x: int) -> int:\n    return x * 2\ndef g(x: int) -> int:\n    return x + x if x != 0 else 1";
      expect(await bench.decide(bug, equal)).toMatchObject({
        cause: "unconfirmed",
        inputs: [{ type: "int", value: "0" }],
      });
    });
  });

  it("gives with a proof what it rests on, and questions that Z3 answers with unsat again", async () => {
    const verdict = await bench.decide(
      "def f(xs: list[int]) -> int:\n    n = 0\n    for x in xs:\n        n += 1\n    return n\ndef g(xs: list[int]) -> int:\n    return len(xs)",
      equal,
    );
    if (verdict.kind !== "proven") throw new Error(JSON.stringify(verdict));
    expect(verdict.proof.method).toBe("induction");
    expect(verdict.proof.assumptions.join("; ")).toMatch(/Python 3.*exactly its annotated type.*recursion depth/);
    expect(verdict.proof.smt.length).toBeGreaterThan(0);
    for (const text of verdict.proof.smt) {
      const job = new Deadline(60_000);
      const reply = await bench.engines.z3.run(job, (session) => session.ask(`${text}\n(check-sat)`));
      expect(reply).toMatchObject({ kind: "text", text: "unsat" });
    }
  });

  it("says nothing of a function whose preconditions nothing meets", async () => {
    const code = "def f(x: int) -> int:\n    assert x > 0\n    assert x < 0\n    return 1 // 0";
    expect(await bench.prove(code, meets)).toMatchObject({ kind: "undecided" });
  });

  const endless_helper = "def h(n: int) -> int:\n    if n == 0:\n        return 0\n    return h(n - 1)\n";
  it.each<[string, string, Goal]>([
    ["a helper ends whose result is not used", `${endless_helper}def f(n: int) -> int:\n    h(n)\n    return 1`, meets],
    [
      "it makes no difference that such a helper does not end",
      `${endless_helper}def f(n: int) -> int:\n    h(n)\n    return 1\ndef g(n: int) -> int:\n    return 1`,
      equal,
    ],
    [
      "a local variable outlives a call that comes last",
      "def f(n: int) -> int:\n    if n > 9:\n        y = n\n    if n <= 0:\n        return 0\n    return y if n == 9 else f(n - 1)",
      never("UnboundLocalError"),
    ],
    [
      "the loop that wrote a list came to all its places",
      "def f(xs: list[int]) -> int:\n    ys = [0] * len(xs)\n    for i in range(len(xs)):\n        if i > 15:\n            break\n        ys[i] = xs[i]\n    return sum(ys)\ndef g(xs: list[int]) -> int:\n    return sum(xs)",
      equal,
    ],
  ])("does not prove that %s", async (_, code, goal) => {
    expect((await bench.prove(code, goal, 2_000)).kind).not.toBe("proven");
  });

  it("does not take a loop that never ends for one that meets its contract", async () => {
    const code = "def f(n: int) -> int:\n    while n != 0:\n        n -= 2\n    return n";
    expect(await bench.prove(code, meets, 5_000)).toMatchObject({ kind: "undecided" });
  });

  it("does not call a line before an endless loop unreached", async () => {
    const code = "def f(n: int) -> int:\n    if n > 3:\n        n = 7\n    while True:\n        n += 1\n    return n";
    const at = (line: number): Goal => ({ kind: "never_reached", function: "f", target: { kind: "line", line } });
    expect((await bench.prove(code, at(3), 5_000)).kind).not.toBe("proven");
    expect((await bench.prove(code, at(5), 5_000)).kind).not.toBe("proven");
  });

  it.each([
    [
      "a builtin with another meaning",
      "def sum(xs):\n    return 0\ndef f(xs: list[int]) -> int:\n    return sum(xs)\ndef g(xs: list[int]) -> int:\n    return 0",
    ],
    [
      "a second definition",
      "def f(x: int) -> int:\n    return x\ndef g(x: int) -> int:\n    return x\ndef g(x: int) -> int:\n    return -x",
    ],
    [
      "code that runs while the text is loaded",
      "def f(x: int) -> int:\n    return x\ndef g(x: int) -> int:\n    return x\nprint(f)",
    ],
    [
      "a decorator",
      "import functools\n@functools.cache\ndef f(x: int) -> int:\n    return x\ndef g(x: int) -> int:\n    return x",
    ],
    [
      "a global statement",
      "n = 0\ndef f(x: int) -> int:\n    global n\n    n = x\n    return x\ndef g(x: int) -> int:\n    return x",
    ],
    [
      "a local name that comes later",
      "def f(xs: list[int]) -> int:\n    return len(xs)\n    with xs as len:\n        pass\ndef g(xs: list[int]) -> int:\n    return len(xs)",
    ],
    [
      "a list with two holders",
      "def f(n: int) -> int:\n    a = [n]\n    b = a\n    b.append(1)\n    return len(a)\ndef g(n: int) -> int:\n    return 1",
    ],
    [
      "a list looked for in a set",
      "def f(xs: list[int]) -> bool:\n    return xs in {1}\ndef g(xs: list[int]) -> bool:\n    return False",
    ],
    ["a parameter without a type", "def f(x):\n    return x\ndef g(x):\n    return x"],
    ["a starred parameter", "def f(*x: int) -> int:\n    return 0\ndef g(*x: int) -> int:\n    return 0"],
    [
      "a mutable default",
      "def f(x: int, y: list[int] = []) -> int:\n    return 0\ndef g(x: int, y: list[int] = []) -> int:\n    return 0",
    ],
    [
      "the sum of floats, which versions of Python compute differently",
      "def f(xs: list[float]) -> float:\n    t = 0.0\n    for x in xs:\n        t += x\n    return t\ndef g(xs: list[float]) -> float:\n    return sum(xs)",
    ],
  ])("claims nothing about %s", async (_, code) => {
    const verdict = await bench.decide(code, equal);
    // A definition of sum() in the text is followed, and true of it.
    const refused = verdict.kind === "undecided" && verdict.cause === "unsupported" ? verdict : undefined;
    expect(refused !== undefined || code.startsWith("def sum(xs)"), JSON.stringify(verdict)).toBe(true);
    if (refused) expect(refused.line).toBeGreaterThan(0);
  });

  it.each([
    [
      "max(0.0, x) and the other order",
      "def f(x: float) -> float:\n    return x if not x < 0 else 0.0\ndef g(x: float) -> float:\n    return max(0.0, x)",
    ],
    ["x * 1 of a bool and itself", "def f(p: bool) -> int:\n    return p * 1\ndef g(p: bool) -> int:\n    return p"],
    [
      "x == x of a float and True",
      "def f(x: float) -> bool:\n    return x == x\ndef g(x: float) -> bool:\n    return True",
    ],
    [
      "(x + y) - y and x",
      "def f(x: float, y: float) -> float:\n    return (x + y) - y\ndef g(x: float, y: float) -> float:\n    return x",
    ],
    [
      "rounding down and to zero",
      "def f(a: int) -> int:\n    return a // 2\ndef g(a: int) -> int:\n    return a // 2 if a >= 0 else -(-a // 2)",
    ],
    [
      "an empty list and 0",
      "def f(xs: list[int]) -> int:\n    return max(xs)\ndef g(xs: list[int]) -> int:\n    return max(xs) if xs else 0",
    ],
    [
      "KeyError and ValueError",
      "def f(a: int) -> int:\n    raise KeyError\ndef g(a: int) -> int:\n    raise ValueError",
    ],
    [
      "an assert and a violated condition",
      "from icontract import require\n@require(lambda a: a > 0)\ndef f(a: int) -> int:\n    return a\ndef g(a: int) -> int:\n    assert a > 0\n    return a",
    ],
  ])("tells apart %s", async (_, code) => {
    expect(await bench.decide(code, equal)).toMatchObject({ cause: "unconfirmed" });
  });

  const endless = "    i = 0\n    while i != n:\n        i += 1\n";

  it.each<[string, string, Goal]>([
    [
      "a list and an empty string can be added",
      'def f(xs: list[int]) -> list[int]:\n    return xs + ""\ndef g(xs: list[int]) -> list[int]:\n    return xs',
      equal,
    ],
    [
      "a number is a code point because chr() was given it",
      "def f(n: int) -> str:\n    return chr(n + 1000)[0]",
      never("ValueError"),
    ],
    [
      "SyntaxError takes any arguments",
      "def f(a: int) -> int:\n    raise SyntaxError('a', a)\ndef g(a: int) -> int:\n    raise SyntaxError",
      equal,
    ],
    [
      "Python prints every constant",
      "def f(a: int) -> int:\n    raise KeyError(f'{(10 ** 64) ** 64 * (10 ** 64) ** 8}')\ndef g(a: int) -> int:\n    raise KeyError",
      equal,
    ],
    [
      "two surrogates are one character",
      "def f(a: int) -> int:\n    return len('\\ud83d\\ude00')\ndef g(a: int) -> int:\n    return 1",
      equal,
    ],
    [
      "what can't be iterated is found out before the arguments behind it are evaluated",
      "def f(n: int) -> int:\n    for a, b in enumerate(n, 1 // n):\n        return 1\n    return 2",
      never("ZeroDivisionError"),
    ],
    [
      "what can't be zipped is found out before the arguments behind it are evaluated",
      "def f(n: int) -> int:\n    for a, b in zip(n, range(1 // n)):\n        return 1\n    return 2",
      never("ZeroDivisionError"),
    ],
    [
      "there is a list of every range",
      "def f(n: int) -> int:\n    try:\n        return len(list(range(n)))\n    except OverflowError:\n        return -1",
      { kind: "never_reached", function: "f", target: { kind: "line", line: 5 } },
    ],
    [
      "a reversed range has a length",
      "def f(n: int) -> int:\n    return len(list(reversed(range(n))))",
      never("OverflowError"),
    ],
    [
      "recursion that never ends does not raise RecursionError",
      "def f(n: int) -> int:\n    return f(n + 1)",
      never("RecursionError"),
    ],
    [
      "recursion that never ends comes to no handler",
      "def f(n: int) -> int:\n    try:\n        return f(n + 1)\n    except Exception:\n        raise ValueError",
      never("ValueError"),
    ],
    [
      "icontract checks the calls that a function makes of itself",
      "from icontract import require\n@require(lambda n: n >= 0)\ndef f(n: int) -> int:\n    if n < 0:\n        return 1 // 0\n    if n == 0:\n        return f(n - 1)\n    return n",
      never("ZeroDivisionError"),
    ],
    [
      "icontract can print every number that breaks a condition",
      "from icontract import require\n@require(lambda n: n >= 0)\ndef h(n: int) -> int:\n    return n\ndef f(n: int) -> int:\n    try:\n        return h(n)\n    except AssertionError:\n        return 0",
      never("RuntimeError"),
    ],
    [
      "icontract evaluates no part of a broken condition that Python left out",
      "from icontract import require\n@require(lambda n: n != 0 and 10 // n > 3)\ndef h(n: int) -> int:\n    return n\ndef f(n: int) -> int:\n    try:\n        return h(n)\n    except RuntimeError:\n        return 0\n    except AssertionError:\n        return 1",
      { kind: "never_reached", function: "f", target: { kind: "line", line: 9 } },
    ],
    [
      "a parameter may be called what icontract calls the result",
      "from icontract import ensure\n@ensure(lambda result: result >= 0)\ndef f(result: int) -> int:\n    return abs(result)",
      never("TypeError"),
    ],
    [
      "memory is never used up",
      "def f(n: int) -> int:\n    try:\n        return len([0] * n)\n    except MemoryError:\n        raise ValueError",
      never("ValueError"),
    ],
    [
      "an annotated item without a value is not evaluated",
      "def f(a: int) -> int:\n    ys = [1]\n    ys[1 // a]: int\n    return 1\ndef g(a: int) -> int:\n    return 1",
      equal,
    ],
    [
      "a comprehension forgets its names from one round to the next",
      "def f(a: int, b: int) -> list[int]:\n    return [y for x in [a, b] if x > 0 or (x < -5 and y > 0) for y in [x]]\ndef g(a: int, b: int) -> list[int]:\n    if a < -5 or b < -5:\n        raise UnboundLocalError\n    if a > 0:\n        return [a, b] if b > 0 else [a]\n    return [b] if b > 0 else [0][:0]",
      equal,
    ],
    [
      "an assert is a precondition because it shares the line of one",
      "def f(x: int) -> int:\n    assert x > 0; y = x - 1; assert y > 0\n    return y",
      meets,
    ],
    [
      "a precondition holds while its own loop runs",
      "def h(k: int) -> int:\n    t = 0\n    for i in range(k):\n        if t == 0:\n            t = 1 if k < 1000 else -1\n    return t\ndef f(k: int) -> int:\n    assert h(k) == (1 if k < 1000 else -1)\n    m = 0\n    assert k < 1000\n    return m",
      meets,
    ],
    [
      "a loop ends because one behind it does",
      `def f(n: int) -> int:\n${endless}    j = 0\n    while j < i:\n        j += 1\n    return j`,
      meets,
    ],
    [
      "a loop ends because another function's loop of the same number does",
      `def f(n: int) -> int:\n    for k in range(n):\n        pass\n${endless}    return i\ndef g(n: int) -> int:\n    for k in range(2):\n        pass\n    for i in range(n):\n        pass\n    j = 0\n    while j < n:\n        j += 1\n    return n`,
      equal,
    ],
    [
      "a loop's condition is never false",
      "def f(n: int) -> int:\n    i = 0\n    while i < n * n + 100:\n        i += 1\n    return i",
      outcome([3, 10, 3, 25], false),
    ],
    [
      "a part of a loop's condition is never true",
      "def f(n: int) -> int:\n    i = 0\n    while i < n * n + 100 and not i == 77:\n        i += 1\n    return i",
      outcome([3, 34, 3, 41], true),
    ],
    [
      "a line of a loop's first iteration comes after the loop",
      "def f(xs: list[int], m: int) -> int:\n    n = 0\n    while n < m or len(xs) > 10:\n        if n == 0 and len(xs) > 10:\n            m = 1\n        n += 1\n    return n",
      { kind: "never_reached", function: "f", target: { kind: "line", line: 5 } },
    ],
    [
      "an annotated name in parentheses is a variable of the function",
      "N = 5\ndef f(a: int) -> int:\n    (N): int\n    return N\ndef g(a: int) -> int:\n    raise UnboundLocalError",
      equal,
    ],
    [
      "an annotation in a function binds nothing",
      "def f(xs: list[int]) -> int:\n    x: (len := 5) = 3\n    return len(xs)\ndef g(xs: list[int]) -> int:\n    return len(xs)",
      equal,
    ],
    [
      "a condition that is not evaluated binds nothing",
      "from icontract import require\n@require(lambda xs: len(xs) >= 0 if True else (len := 3))\ndef f(xs: list[int]) -> int:\n    return 1",
      meets,
    ],
    [
      "a default that is only given by name binds nothing",
      "def h(*, k=(len := abs)):\n    pass\ndef f(xs: list[int]) -> int:\n    return len(xs)\ndef g(xs: list[int]) -> int:\n    n = 0\n    for x in xs:\n        n += 1\n    return n",
      equal,
    ],
    [
      "a condition's result may be a parameter",
      "from icontract import ensure\n@ensure(lambda result: result > 0)\ndef f(result: int) -> int:\n    return 1",
      meets,
    ],
    [
      "a complex number is not 0.0",
      "def f(x: float) -> bool:\n    y = x ** 1.5\n    return y == 0.0\ndef g(x: float) -> bool:\n    y = x ** 1.5\n    if x < 0 and x > -1.0:\n        return False\n    return y == 0.0",
      equal,
    ],
    [
      "a whole number is made a float for an operator that floats don't have",
      "def f(x: float, n: int) -> float:\n    try:\n        y = float(n)\n    except OverflowError:\n        return x & n\n    return 0.0\ndef g(x: float, n: int) -> float:\n    try:\n        y = float(n)\n    except OverflowError:\n        raise OverflowError\n    return 0.0",
      equal,
    ],
    [
      "the length of None goes unnoticed",
      "def f(x: list[int] | None) -> int:\n    try:\n        n = len(x)\n        n = 1\n    except TypeError:\n        n = 0\n    return n\ndef g(x: list[int] | None) -> int:\n    return 1",
      equal,
    ],
    [
      "the greatest of one None is compared",
      "def f(a: int) -> int:\n    max([None])\n    return a\ndef g(a: int) -> int:\n    raise TypeError",
      equal,
    ],
    [
      "a list takes a range of any length",
      "def f(n: int) -> list[int]:\n    return list(range(n))",
      never("OverflowError"),
    ],
    [
      "a list takes a range of any length backwards",
      "def f(n: int) -> list[int]:\n    return list(reversed(range(n)))",
      never("OverflowError"),
    ],
    [
      "a comprehension's name is the loop's own counter",
      "def f(rows: list[tuple[int, int, int, int, int, int, int, int, int, int]]) -> int:\n    if len(rows) == 2 and rows[0][0] > 5 and rows[0][9] != 0:\n        return len([1 // s for (i1, a, b, c, d, e, p, q, r, s) in rows])\n    return 1",
      never("ZeroDivisionError"),
    ],
    [
      "an import from __future__ binds nothing",
      "from __future__ import annotations as len\ndef f(xs: list[int]) -> int:\n    return len(xs)\ndef g(xs: list[int]) -> int:\n    n = 0\n    for x in xs:\n        n += 1\n    return n",
      equal,
    ],
    [
      "an annotation without a value runs nothing",
      "import math\nsetattr(math, 'sqrt', math.fabs).x: int\ndef f(x: float) -> float:\n    return math.sqrt(x)\ndef g(x: float) -> float:\n    if x < 0:\n        raise ValueError\n    return math.sqrt(x)",
      equal,
    ],
    [
      "a variable is a length because another loop's was",
      "def f(n: int, zs: list[int]) -> int:\n    p = None\n    r = 0\n    for i in range(n):\n        if p is not None and i > 50:\n            x = -1\n            k = 0\n            while k < 2:\n                r = zs[x]\n                x = x - 1\n                k += 1\n        x = [0]\n        k = 0\n        while k < 2:\n            x = [k]\n            k += 1\n        p = 1\n    return r",
      never("IndexError"),
    ],
    [
      "a recursive call on the line of a precondition meets it",
      "def f(n: int) -> int: assert n > 0; return 0 if n == 1 else f(n - 2) + 1",
      meets,
    ],
    [
      "a precondition that calls the function is met by its calls",
      "def f(n: int) -> int:\n    assert n > 0 and (n < 5 or f(n - 5) >= 0)\n    return n",
      meets,
    ],
    [
      "functions are the same whose defaults are not",
      "def f(x: int, y: int = 1) -> int:\n    return x + y\ndef g(x: int, y: int = 2) -> int:\n    return x + y",
      equal,
    ],
    ["a default is of the annotated type", "def f(x: int = None) -> int:\n    return x + 1", never("TypeError")],
    [
      "recursion never runs out of depth",
      "def f(n: int) -> int:\n    return 0 if n <= 0 else f(n - 1)",
      never("RecursionError"),
    ],
    [
      "nothing catches what runs out",
      "def f(n: int) -> int:\n    if n <= 0:\n        return 0\n    try:\n        return f(n - 1)\n    except RecursionError:\n        return 1",
      { kind: "never_reached", function: "f", target: { kind: "line", line: 7 } },
    ],
    [
      "a variable of one recursive call is bound in the next",
      "def f(n: int) -> int:\n    if n > 5:\n        x = 1\n    if n <= 0:\n        return x\n    return f(n - 1)",
      never("UnboundLocalError"),
    ],
    [
      "the arguments of a recursive call are assigned one after the other",
      "def f(a: int, b: int) -> int:\n    return a if b <= 0 else f(b - 1, a)\ndef g(a: int, b: int) -> int:\n    while b > 0:\n        a = b - 1\n        b = a\n    return a",
      equal,
    ],
    [
      "a recursive call in a try is the last thing that is done",
      "def f(a: int) -> int:\n    if a <= 0:\n        return 1 // a\n    try:\n        return f(a - 1)\n    except ZeroDivisionError:\n        return 7\ndef g(a: int) -> int:\n    while a > 0:\n        a -= 1\n    return 1 // a",
      equal,
    ],
    [
      "recursion without an end has a value",
      "def f(n: int) -> int:\n    return 0 if n == 0 else f(n - 1)\ndef g(n: int) -> int:\n    return 0",
      equal,
    ],
    [
      "recursive calls meet the preconditions of the first one",
      "def f(n: int) -> int:\n    assert n != 3\n    if n <= 0:\n        return 0\n    return f(n - 1)",
      meets,
    ],
    [
      "recursion ends with the type that it began with",
      "def f(a: int) -> int:\n    if a <= 0:\n        return a\n    return f(a > 9)\ndef g(a: int) -> int:\n    return min(a, 0)",
      equal,
    ],
    [
      "recursion does not use up another function's name",
      "def f(n: int, f: int) -> int:\n    return f(n)",
      never("TypeError"),
    ],
    [
      "the greater of two lists is a list of its own",
      "def f(n: int) -> int:\n    a = [n]\n    b = [n]\n    c = max(a, b)\n    a[0] = 7\n    return c[0]\ndef g(n: int) -> int:\n    return n",
      equal,
    ],
    [
      "an assert behind a text that stands behind an assert is a precondition",
      "def f(x: int) -> int:\n    assert x > 0\n    'and not more than this'\n    assert x != 123456789\n    return x",
      meets,
    ],
    [
      "a condition may have parameters that can't be given by name",
      "from icontract import require\n@require(lambda n, /: n >= 0)\ndef f(n: int) -> int:\n    return n",
      never("TypeError"),
    ],
    [
      "icontract finds every decorator",
      "from icontract import require\n@ require(lambda n: n >= 0)\ndef h(n: int) -> int:\n    return n\ndef f(n: int) -> int:\n    try:\n        return h(n)\n    except AssertionError:\n        return 0\n    except RuntimeError:\n        return 1",
      { kind: "never_raises", function: "f", exceptions: "any" },
    ],
    [
      "icontract knows the letters of every decorator",
      "from icontract import require as é\n@é(lambda n: n >= 0)\ndef h(n: int) -> int:\n    return n\ndef f(n: int) -> int:\n    try:\n        return h(n)\n    except AssertionError:\n        return 0\n    except RuntimeError:\n        return 1",
      { kind: "never_raises", function: "f", exceptions: "any" },
    ],
    [
      "a description may look like what is decorated",
      "from icontract import require\n@require(lambda n: n >= 0, '''\ndef x''')\ndef h(n: int) -> int:\n    return n\ndef f(n: int) -> int:\n    try:\n        return h(n)\n    except AssertionError:\n        return 0\n    except RuntimeError:\n        return 1",
      meets,
    ],
    [
      "icontract sees where a decorator ends",
      "from icontract import require\n@require(lambda n: n >= 0)\ndef\th(n: int) -> int:\n    return n\ndef f(n: int) -> int:\n    try:\n        return h(n)\n    except AssertionError:\n        return 0\n    except RuntimeError:\n        return 1",
      { kind: "never_raises", function: "f", exceptions: "any" },
    ],
    [
      "icontract prints only what a condition is about",
      "from icontract import require\n@require(lambda n: n >= 0)\ndef h(n: int, m: int) -> int:\n    return n\ndef f(n: int, m: int) -> int:\n    return h(n, m)\ndef g(n: int, m: int) -> int:\n    return h(n, 0)",
      equal,
    ],
    [
      "icontract takes no parameter for the builtin of its name",
      "from icontract import require\n@require(lambda xs: len(xs) > 0)\ndef h(xs: list[int], len: int) -> int:\n    return 1\n@require(lambda xs: len(xs) > 0)\ndef k(xs: list[int], m: int) -> int:\n    return 1\ndef f(xs: list[int], n: int) -> int:\n    return h(xs, n)\ndef g(xs: list[int], n: int) -> int:\n    return k(xs, n)",
      equal,
    ],
    [
      "icontract tells of a text as it does of the list of its code points",
      "from icontract import require\n@require(lambda x: len(x) > 3 and x > '')\ndef h(x: str | list[int]) -> int:\n    return 1\ndef f(n: int) -> int:\n    return h('a')\ndef g(n: int) -> int:\n    return h([97])",
      equal,
    ],
    [
      "a precondition that catches what icontract raises asks for the same, with or without invariants",
      "from icontract import require\n@require(lambda n: n >= 0)\ndef h(n: int) -> int:\n    return n\ndef k(n: int) -> bool:\n    try:\n        h(n)\n        return True\n    except RuntimeError:\n        return True\n    except AssertionError:\n        return False\n@require(lambda n: k(n))\ndef f(n: int) -> int:\n    if n < 0:\n        return 1 // 0\n    return n",
      meets,
    ],
    [
      "an assert that catches what icontract raises asks for the same, with or without invariants",
      "from icontract import require\n@require(lambda n: n >= 0)\ndef h(n: int) -> int:\n    return n\ndef k(n: int) -> bool:\n    try:\n        h(n)\n        return True\n    except RuntimeError:\n        return True\n    except AssertionError:\n        return False\ndef f(n: int) -> int:\n    assert k(n)\n    if n < 0:\n        return 1 // 0\n    return n",
      meets,
    ],
    [
      "icontract comes to an end with a part of a condition that Python left out",
      "def w(n: int) -> bool:\n    while n < 0:\n        pass\n    return True\nfrom icontract import require\n@require(lambda n: n >= 0 and w(n))\ndef h(n: int) -> int:\n    return n\ndef f(n: int) -> int:\n    try:\n        return h(n)\n    except AssertionError:\n        return 0\n    except RuntimeError:\n        return 1",
      meets,
    ],
    [
      "icontract catches what a part that Python left out raises",
      "def w(n: int) -> bool:\n    if n < 0:\n        raise SystemExit\n    return True\nfrom icontract import require\n@require(lambda n: n >= 0 and w(n))\ndef h(n: int) -> int:\n    return n\ndef f(n: int) -> int:\n    try:\n        return h(n)\n    except AssertionError:\n        return 0\n    except RuntimeError:\n        return 1",
      never("SystemExit"),
    ],
    [
      "icontract catches what a comprehension of nothing raises",
      "def w(n: int) -> bool:\n    if n < 0:\n        raise SystemExit\n    return True\nfrom icontract import require\n@require(lambda n: not all(w(n) for x in [n] if n >= 0))\ndef h(n: int) -> int:\n    return n\ndef f(n: int) -> int:\n    try:\n        return h(n)\n    except AssertionError:\n        return 0\n    except RuntimeError:\n        return 1",
      never("SystemExit"),
    ],
    [
      "icontract evaluates a condition with the globals that Python takes",
      "def w(n: int) -> bool:\n    if n < 0:\n        raise SystemExit\n    return True\nN = 3\nfrom icontract import require\n@require(lambda n: not w(N))\ndef h(n: int, N: int) -> int:\n    return n\ndef f(n: int) -> int:\n    try:\n        return h(n, n)\n    except AssertionError:\n        return 0\n    except RuntimeError:\n        return 1",
      never("SystemExit"),
    ],
    [
      "what Python leaves out of a condition changes no list",
      "from icontract import require\n@require(lambda xs: len(xs) > 3 and (True or xs.pop() > 0))\ndef h(xs: list[int]) -> int:\n    return 1\ndef f(xs: list[int]) -> int:\n    try:\n        return h(xs)\n    except AssertionError:\n        return len(xs)\n    except RuntimeError:\n        return len(xs)\ndef g(xs: list[int]) -> int:\n    return 1 if len(xs) > 3 else len(xs)",
      equal,
    ],
  ])("does not prove that %s", async (_, code, goal) => {
    expect((await bench.prove(code, goal, 3_000)).kind).not.toBe("proven");
  });

  it.each([
    [
      "chr() of huge numbers, which raises ValueError from 3.13 on",
      "def f(n: int) -> int:\n    chr(n)\n    return 1\ndef g(n: int) -> int:\n    if n >= 2 ** 31 or n < -(2 ** 31):\n        raise OverflowError\n    if n < 0 or n > 1114111:\n        raise ValueError\n    return 1",
      11,
    ],
    [
      "generators, which are functions of their own in all versions",
      "def f(c: bool, a: int) -> int:\n    if c:\n        y = 1\n    return max(y for x in [a])\ndef g(c: bool, a: int) -> int:\n    if c:\n        return 1\n    raise NameError",
      13,
    ],
  ])("knows the version of Python: %s", async (_, code, proven_on) => {
    const job = new Deadline(120_000);
    const tree = SyntaxTree.parse(await bench.engines.python.syntax(code, job));
    const on = (minor: number) => bench.prover.prove({ ...tree, python: [3, minor, 0] }, equal, job);
    expect((await on(proven_on)).kind).toBe("proven");
    expect(await on(13)).toMatchObject(proven_on === 13 ? { kind: "proven" } : { cause: "unconfirmed" });
  });

  it("does not take the parameter of a generic function for the builtin of its name", async () => {
    const job = new Deadline(60_000);
    const { python = [] } = await bench.engines.python.syntax("pass", job);
    const code =
      "def f[len](xs: list[int]) -> int:\n    return len(xs)\ndef g(xs: list[int]) -> int:\n    return len(xs)";
    if ((python[1] ?? 0) < 12) expect(await bench.engines.python.syntax(code, job)).toHaveProperty("broken");
    else expect(await bench.decide(code, equal)).toMatchObject({ cause: "unsupported", line: 1 });
  });

  it("ends with its deadline, and with its signal", async () => {
    const hard =
      "def f(a: int, b: int, c: int) -> bool:\n    return a ** 3 + b ** 3 == c ** 3 and a > 0 and b > 0\ndef g(a: int, b: int, c: int) -> bool:\n    return False";
    expect(await bench.prove(hard, equal, 300)).toMatchObject({ kind: "undecided" });
    const controller = new AbortController();
    const running = bench.prove(hard, equal, 60_000, controller.signal);
    setTimeout(() => controller.abort(), 200);
    await expect(running).rejects.toMatchObject({ code: "cancelled" });
  });

  it("gives each question more time where the proof has more, since machines may be busy", async () => {
    const sum = (body: string) => `(xs: list[int]) -> int:\n${body}`;
    const code = `def f${sum("    t = 0\n    for x in xs:\n        t += x\n    return t\n")}def g${sum("    return sum(xs)\n")}`;
    const asked: string[] = [];
    const heard: Pick<typeof bench.engines.z3, "run"> = {
      run: (deadline, use) =>
        bench.engines.z3.run(deadline, (session) => {
          const ask = session.ask.bind(session);
          vi.spyOn(session, "ask").mockImplementation((text) => {
            asked.push(text);
            return ask(text);
          });
          return use(session);
        }),
    };
    const read = await bench.engines.python.syntax(code, new Deadline(60_000));
    const verdict = await new Prover(heard).prove(SyntaxTree.parse(read), equal, new Deadline(200_000));
    expect(verdict.kind).toBe("proven");
    const limits = asked.flatMap((text) => Number(/:timeout (\d+)/.exec(text)?.[1] ?? 0) || []);
    expect(limits.length).toBeGreaterThan(0);
    // A tenth of the first way's share of the time, and a quarter of that for one goal of several.
    expect(limits.filter((ms) => ms === 2_000 || ms === 500)).toEqual([]);
    expect(Math.min(...limits)).toBeGreaterThan(2_000);
  });

  it.each([
    ["ends", undefined],
    ["is cancelled", 5],
  ])("lets its process go on while it works on terms, until the time %s", async (_, turns_max) => {
    const code = "def f(x: int) -> bool:\n    t = (x, x)\n";
    const body = `${code}${"    t = (t, t)\n".repeat(40)}    return t == t\n`;
    const read = await bench.engines.python.syntax(`${body}${body.replace("def f", "def g")}`, new Deadline(60_000));
    const threads = new ProverThreads(readConfig({}, process.env).prover_file, bench.engines.z3);
    const controller = new AbortController();
    let turns = 0;
    const others = setInterval(() => ++turns === turns_max && controller.abort(), 1);
    const proof = threads.prove(SyntaxTree.parse(read), equal, new Deadline(3_000, controller.signal));
    const ended = await proof.catch((error: unknown) => error).finally(() => clearInterval(others));
    expect(ended).toMatchObject(turns_max ? { code: "cancelled" } : { kind: "undecided" });
    expect(turns).toBeGreaterThan(4);
  });

  it("stops listening for a cancellation when it gives a solver back", async () => {
    const listeners: number[] = [];
    const { z3 } = bench.engines;
    const gone = { kind: "gone", ending: { kind: "stopped", why: "deadline" }, stderr: "" } as const;
    const dying: Solves = {
      run(deadline, work) {
        listeners.push(getEventListeners(deadline.signal, "abort").length);
        return z3.run(deadline, (session) => {
          const ask = async (text: string) => (text.includes(":timeout") ? gone : session.ask(text));
          return work({ ask, engine: session.engine, alive: true });
        });
      },
    };
    const threads = new ProverThreads(readConfig({}, process.env).prover_file, dying);
    const code = "def f(x: int) -> int:\n    n = 0\n    while n < x:\n        n += 3\n    return n\n";
    const read = await bench.engines.python.syntax(
      `${code}${code.replace("f(", "g(").replace("3", "2")}`,
      new Deadline(60_000),
    );
    await threads.prove(SyntaxTree.parse(read), equal, new Deadline(10_000));
    expect(listeners.length).toBeGreaterThan(1);
    // The process itself may still listen.
    expect(Math.max(...listeners)).toBeLessThan(2);
  });

  it("proves no near miss", async () => {
    const near: Goal = { kind: "equivalent", function_a: "f", function_b: "h" };
    const provenOf = (all: readonly Verdict[]) => all.filter(({ kind }) => kind === "proven");
    const foundOf = (all: readonly Verdict[]) =>
      all.filter((each) => each.kind === "undecided" && each.cause === "unconfirmed");
    const verdicts = await withEnoughTime(
      (ms) => verdictsOn("pairs", () => near, ms),
      (all) => provenOf(all).length > 0 || foundOf(all).length >= 50,
      1_500,
    );
    expect(verdicts.length).toBe(61);
    expect(provenOf(verdicts)).toEqual([]);
    expect(foundOf(verdicts).length).toBeGreaterThanOrEqual(50);
  });

  it.each([
    ["lists", "what holds of every place of a list, and closed forms", 12],
    ["recursion", "recursion equal to loops", 6],
  ] as const)(
    "proves of %s %s, and no near miss of these",
    async (file, _, count) => {
      const against = (other: string) => (): Goal => ({ kind: "equivalent", function_a: "f", function_b: other });
      const equivalent = await verdictsOn(file, against("g"), prove_ms_max, isDecided);
      expect(equivalent.map(({ kind }) => kind)).toEqual(Array.from({ length: count }, () => "proven"));
      expect((await verdictsOn(file, against("h"), 1_500)).map(({ kind }) => kind)).not.toContain("proven");
    },
    900_000,
  );

  it("proves of no function that it can't raise what it can", async () => {
    const goal = (exception: string): Goal => ({ kind: "never_raises", function: "g", exceptions: [exception] });
    const verdicts = await verdictsOn("exceptions", goal, 1_500);
    expect(verdicts.length).toBe(40);
    expect(verdicts.filter(({ kind }) => kind === "proven")).toEqual([]);
  });

  function missing(note: string): never {
    throw new Error(`no tree of ${note}`);
  }

  async function verdictsOn(
    file: "pairs" | "exceptions" | "lists" | "recursion",
    goal: (note: string) => Goal,
    first_ms: number,
    isEnough: (verdict: Verdict) => boolean = () => true,
  ): Promise<Verdict[]> {
    const blocks = blocksOf(file);
    const runs = await runInPython(blocks.map(({ code }) => ({ code, calls: [] })));
    const verdicts: Verdict[] = [];
    for (const [i, { note }] of blocks.entries()) {
      const tree = runs[i]?.syntax;
      const ask = (ms: number) => bench.prover.prove(tree ?? missing(note), goal(note), new Deadline(ms));
      verdicts.push(await withEnoughTime(ask, isEnough, first_ms));
    }
    return verdicts;
  }
});
