import { describe, expect, it } from "vitest";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { shareSymbolic } from "../support/symbolic.ts";

const verdict = fixture(shareSymbolic);

const crash_and_raise = `
def root(x: int, y: int) -> int:
    if x < 0:
        raise ValueError("negative")
    return x // y
`;

describe.skipIf(!has_python)("kinds of findings", () => {
  it("shows crashes before exceptions that the function raises on purpose", async () => {
    const answer = await verdict.check(crash_and_raise, "root");
    expect(answer).toMatchObject({
      status: "counterexample",
      counterexamples: [{ kind: "crash" }, { kind: "deliberate", violation: "exception: ValueError: negative" }],
    });
  });

  it.each([
    [
      "a raise of its own",
      'def f(x: int) -> int:\n    if x < 3:\n        raise KeyError("low")\n    return x\n',
      "deliberate",
    ],
    [
      "an exception that a doctest shows",
      'def f(x: int) -> int:\n    """Halve.\n\n    >>> f(0)\n    Traceback (most recent call last):\n        ...\n    ZeroDivisionError: none\n    """\n    return 8 // x\n',
      "deliberate",
    ],
    [
      "a raise of a function that it calls",
      "def g(x: int) -> int:\n    raise KeyError(x)\ndef f(x: int) -> int:\n    return g(x)\n",
      "crash",
    ],
    ["a wrong result", "def f(x: int) -> int:\n    return None if x == 4 else x\n", "result"],
    ["infinity as a number", "def f(x: float) -> int:\n    return 0 if x != x else int(x)\n", "crash"],
    ["digits", "def f(n: int) -> int:\n    return len(str(n))\n", "limit"],
  ])("has the right kind for %s", async (_, code, kind) => {
    const { counterexamples } = await verdict.check(code, "f", 5);
    expect(Array.isArray(counterexamples) && counterexamples[0]).toMatchObject({ kind });
  });

  it("goes on past a limit to the bug", async () => {
    const code =
      "def f(n: int, m: int) -> int:\n    text = str(n)\n    if n == 7654321 and m == 2 * n + 17:\n        return 1 // (m - 15308659)\n    return len(text)\n";
    const answer = await verdict.check(code, "f", 20);
    expect(answer).toMatchObject({ status: "counterexample", counterexamples: [{ kind: "crash" }, { kind: "limit" }] });
  });

  it("goes on past an exception that is raised on purpose to the bug", async () => {
    // Long enough that others of the first finding would have followed.
    const code =
      'def f(n: int, m: int) -> int:\n    if n < 0:\n        raise ValueError("negative")\n    t = 0\n    for i in range(40_000):\n        t += i\n    if n % 7919 == 4242:\n        if m % 7879 == n % 911 + 17:\n            if m > 3 * n:\n                if m + n > 10**7:\n                    return 1 // (t - 799980000)\n    return 0\n';
    const answer = await verdict.check(code, "f", 40);
    expect(answer).toMatchObject({ counterexamples: [{ kind: "crash" }, { kind: "deliberate" }] });
  });

  it("a difference that a limit makes is said to be one", async () => {
    const code =
      "def f(n: int) -> int:\n    return len(str(abs(n)))\ndef g(n: int) -> int:\n    n = abs(n)\n    if n < 10:\n        return 1\n    d = 0\n    while n:\n        n //= 10\n        d += 1\n    return d\n";
    expect(await verdict.compare(code, "f", "g", 5)).toMatchObject({ distinguishing_input: { kind: "limit" } });
  });
});
