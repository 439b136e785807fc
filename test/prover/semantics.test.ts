import { beforeAll, describe, expect, it } from "vitest";
import { Deadline } from "../../src/kernel/deadline.ts";
import { OutOfTime } from "../../src/prover/ask/time_budget.ts";
import type { PythonValue } from "../../src/prover/inputs.ts";
import { readProgram } from "../../src/prover/python/program.ts";
import { withEnoughTime } from "../support/enough_time.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { bool, int, list, text } from "../support/program_inputs.ts";
import { changing_pairs } from "../support/programs.ts";
import { model, outcomeOf, type Run, runInPython, shareProver } from "../support/prover.ts";
import { agreement, agreementOfZ3, soundClaims, soundContracts } from "../support/prover_properties.ts";
import { privatePython } from "../support/python.ts";

const seed = 20_261_122;

function noneInTime(thrown: unknown): number {
  if (thrown instanceof OutOfTime) return 0;
  throw thrown;
}

describe.skipIf(!has_python)("the prover's Python against CPython", () => {
  const bench = fixture(shareProver);

  it("ends every call of random programs as CPython does", async () => {
    const sum = await agreement(12, seed);
    console.log("calls of random programs:", sum);
    expect(sum.agreed).toBeGreaterThan(2_400);
    expect(sum.raised).toBeGreaterThan(600);
    expect(sum.open).toBeLessThan(sum.agreed / 6);
  }, 900_000);

  it("leaves the same contents in a list that a random function changes", async () => {
    const sum = await agreement(8, seed, changing_pairs);
    console.log("calls of random programs that change a parameter:", sum);
    expect(sum.agreed).toBeGreaterThan(500);
    expect(sum.raised).toBeGreaterThan(50);
  }, 900_000);

  it("leaves Z3 no other end with pinned inputs", async () => {
    const decided = await withEnoughTime(
      (ms) => agreementOfZ3(bench.engines, 25, seed, new Deadline(ms)).catch(noneInTime),
      (count) => count > 10,
      20_000,
    );
    console.log("calls decided by Z3:", decided);
    expect(decided).toBeGreaterThan(10);
  }, 900_000);

  it("claims nothing about random programs that a call refutes", async () => {
    const sum = await withEnoughTime(
      (ms) => soundClaims(bench.engines, 7, seed, ms),
      ({ proven }) => proven > 5,
    );
    console.log("claims about random programs:", sum);
    expect(sum.proven).toBeGreaterThan(5);
    expect(sum.refuted).toBeGreaterThan(5);
  });

  it("claims nothing about random functions that change a parameter, if a call refutes it", async () => {
    const sum = await withEnoughTime(
      (ms) => soundClaims(bench.engines, 6, seed, ms, changing_pairs),
      ({ proven }) => proven > 3,
    );
    console.log("claims about random functions that change a parameter:", sum);
    expect(sum.proven).toBeGreaterThan(3);
    expect(sum.refuted).toBeGreaterThan(3);
  });

  it("claims nothing about functions under contracts that icontract refutes", async () => {
    const { python } = await privatePython();
    const sum = await withEnoughTime(
      (ms) => soundContracts(bench.engines, 5, seed, python, ms),
      ({ proven }) => proven > 4,
    );
    console.log("claims about random functions under contracts:", sum);
    expect(sum.proven).toBeGreaterThan(4);
    expect(sum.refuted).toBeGreaterThan(4);
  });

  describe("knows that", () => {
    const facts = checklist();
    let runs: Run[] = [];
    beforeAll(async () => {
      runs = await runInPython(
        facts.map(({ code, args }) => ({ code, calls: args.map((each) => ({ function: "f", args: each })) })),
      );
    });

    it.each(facts.map((fact, i) => ({ ...fact, i })))("$title", async ({ args, i }) => {
      const run = runs[i];
      if (!run) throw new Error("Python ran nothing");
      const modelled = model(readProgram(run.syntax), "f");
      expect(run.outcomes.length).toBe(args.length);
      for (const [k, expected] of run.outcomes.entries())
        expect(await outcomeOf(modelled, args[k] ?? [])).toBe(expected);
    });
  });
});

function float(bits: string): PythonValue {
  return { type: "float", value: bits };
}

const [nan, minus_zero, zero, one, inf] = [
  "7ff8000000000000",
  "8000000000000000",
  "0000000000000000",
  "3ff0000000000000",
  "7ff0000000000000",
].map(float);

/** Where Python is not what one might think: each with inputs on which a wrong reading shows. */
function checklist(): { title: string; code: string; args: PythonValue[][] }[] {
  const signs = [7, -7].flatMap((a) => [2, -2, 0].map((b) => [int(a), int(b)]));
  const floats = [nan, minus_zero, zero, one, inf].flatMap((a) =>
    [nan, minus_zero, zero, one].map((b) => [a ?? int(0), b ?? int(0)]),
  );
  return [
    {
      title: "// rounds down and % has the sign of the divisor",
      code: "def f(a: int, b: int):\n    return (a // b, a % b)",
      args: signs,
    },
    {
      title: "whole numbers have no bound",
      code: "def f(a: int):\n    return a * a + 1",
      args: [[int(2n ** 63n)], [int(10n ** 400n)]],
    },
    {
      title: "shifts and masks of negative numbers",
      code: "def f(a: int):\n    return (a & 7, a >> 2, a << 3, ~a)",
      args: [[int(-1)], [int(-13)], [int(13)]],
    },
    {
      title: "bool is a kind of int",
      code: "def f(p: bool):\n    return (p + p, p == 1, [5, 6][p], isinstance(p, int), -p)",
      args: [[{ type: "bool", value: true }], [{ type: "bool", value: false }]],
    },
    {
      title: "and, or give an operand",
      code: "def f(a: int, b: int):\n    return (a and b, a or b, not a)",
      args: [
        [int(0), int(5)],
        [int(3), int(0)],
      ],
    },
    {
      title: "a chain stops where it is false",
      code: "def f(a: int, b: int):\n    return a < b < 10 // a",
      args: [
        [int(0), int(-1)],
        [int(0), int(1)],
        [int(1), int(2)],
      ],
    },
    {
      title: "max and min keep the first of equals, and NaN where it stands",
      code: "def f(x: float, y: float):\n    return (max(x, y), min(x, y), max(y, x))",
      args: floats,
    },
    {
      title: "float comparison is not identity",
      code: "def f(x: float, y: float):\n    return (x == y, x != y, x < y, x >= y, not x)",
      args: floats,
    },
    {
      title: "float division by both zeros raises",
      code: "def f(x: float, y: float):\n    return x / y",
      args: floats,
    },
    {
      title: "the sum of nothing is 0 and the greatest of nothing is an error",
      code: "def f(xs: list[int]):\n    return (sum(xs), max(xs))",
      args: [[list([])], [list([-3].map(int))], [list([1, 4, 2].map(int))]],
    },
    {
      title: "a negative index counts from the end",
      code: "def f(xs: list[int], i: int):\n    return xs[i]",
      args: [-4, -3, -1, 0, 2, 3].map((i) => [list([4, 5, 6].map(int)), int(i)]),
    },
    {
      title: "slices never raise",
      code: "def f(xs: list[int], i: int, j: int):\n    return xs[i:j]",
      args: [-9, -2, 0, 2, 9].flatMap((i) => [-9, -1, 2, 9].map((j) => [list([4, 5, 6].map(int)), int(i), int(j)])),
    },
    {
      title: "a loop's variable is unbound when there was no iteration",
      code: "def f(xs: list[int]):\n    for x in xs:\n        pass\n    return x",
      args: [[list([2].map(int))]],
    },
    {
      title: "the value is made before the place in an assignment",
      code: "def f(a: int):\n    ys = [1]\n    ys[5] = 1 // a\n    return ys",
      args: [[int(0)], [int(1)]],
    },
    {
      title: "all values are read before the first of several targets gets its own",
      code: "def f(xs: list[int], i: int):\n    ys = list(xs)\n    try:\n        ys[0], ys[i] = ys[i], ys[0]\n        i, ys[i] = xs\n    except IndexError:\n        return (ys, i)\n    except ValueError:\n        return ys\n    return (i, ys)",
      args: [
        [list([4, 1].map(int)), int(1)],
        [list([1, 7].map(int)), int(0)],
        [list([3, 4, 5].map(int)), int(2)],
        [list([]), int(0)],
        [list([4, 5].map(int)), int(-1)],
      ],
    },
    {
      title: "the place comes first in an augmented assignment",
      code: "def f(a: int):\n    ys = [1]\n    ys[5] += 1 // a\n    return ys",
      args: [[int(0)], [int(1)]],
    },
    {
      title: "else of a loop is skipped by break",
      code: "def f(xs: list[int]):\n    for x in xs:\n        if x == 2:\n            break\n    else:\n        return 1\n    return 0",
      args: [[list([])], [list([1, 2].map(int))], [list([1].map(int))]],
    },
    {
      title: "a handler catches subclasses, and sees what was assigned before",
      code: "def f(a: int):\n    b = 1\n    try:\n        b = 2\n        b = 1 // a\n    except ArithmeticError:\n        return b\n    return -b",
      args: [[int(0)], [int(1)]],
    },
    {
      title: "a range counts down, and may be empty",
      code: "def f(a: int, b: int):\n    return [i for i in range(a, b, -3)]",
      args: [
        [int(7), int(0)],
        [int(0), int(7)],
        [int(6), int(0)],
      ],
    },
    {
      title: "any stops at the first true item",
      code: "def f(xs: list[int]):\n    return any(6 // x > 2 for x in xs)",
      args: [[list([1, 0].map(int))], [list([0, 1].map(int))], [list([5].map(int))]],
    },
    {
      title: "characters go beyond 0x2FFFF",
      code: "def f(s: str):\n    return ord(s) > 196607",
      args: [[text("a")], [text("\u{10ffff}")]],
    },
    {
      title: "the empty string and \\0 are not the same",
      code: "def f(s: str):\n    n = 0\n    for c in s:\n        if c == '\\0':\n            n += 1\n    return (n, len(s))",
      args: [[text("")], [text("\0a\0")]],
    },
    {
      title: "1 / 2 and 7 / -2 are exact, and 0.1 + 0.2 is not 0.3",
      code: "def f(x: float):\n    return (1 / 2 + x, 7 / -2, 0.1 + 0.2)",
      args: [[one ?? int(0)]],
    },
    {
      title: "a name of a comprehension is its own",
      code: "def f(xs: list[int]):\n    x = 9\n    try:\n        return [1 // x for x in xs]\n    except ZeroDivisionError:\n        return x",
      args: [[list([1, 0].map(int))], [list([1].map(int))]],
    },
    {
      title: "anything to the power of 0 is 1",
      code: "def f(a: int):\n    return a ** 2 - a ** 0",
      args: [[int(0)], [int(-3)]],
    },
    ...wholes(),
  ];
}

/** Lists and strings as wholes. */
function wholes(): { title: string; code: string; args: PythonValue[][] }[] {
  const pairs = ["", "a", "ab", "ba", "aba", "\uffee", "\u{1f600}"].flatMap((s) =>
    ["", "a", "b", "ab", "abab", "\u{1f600}"].map((t) => [text(s), text(t)]),
  );
  const lists = [
    list([]),
    list([1].map(int)),
    list([1, 2].map(int)),
    list([2, 1].map(int)),
    list([1, 2, 1].map(int)),
    list([-1].map(int)),
  ];
  return [
    {
      title: "strings are ordered by code points, and a beginning comes first",
      code: "def f(s: str, t: str):\n    return (s < t, s <= t, s == t, s != t, s >= t, s > t)",
      args: pairs,
    },
    {
      title: "the empty string is at every place",
      code: "def f(s: str, t: str):\n    return (t in s, s.find(t), s.startswith(t), s.endswith(t))",
      args: pairs,
    },
    {
      title: "a character is among those of a constant, also a surrogate or one beyond 16 bits",
      code: "def f(s: str):\n    return ([c in 'ab\\0ß' for c in s], [c in 'a\\U0001F600' for c in s], s in 'aß')",
      args: ["", "ßa", "\0c", "\ud83d\ude00", "\ud83d", "\u{1f600}b", "aß"].map((s) => [text(s)]),
    },
    {
      title: "index() of a string raises where find() gives -1",
      code: "def f(s: str, t: str):\n    return s.index(t)",
      args: pairs,
    },
    {
      title: "lists are ordered by their first items that differ",
      code: "def f(xs: list[int], ys: list[int]):\n    return (xs < ys, xs <= ys, xs == ys, xs > ys)",
      args: lists.flatMap((xs) => lists.map((ys) => [xs, ys])),
    },
    {
      title: "what is joined is one list, whichever way it ran",
      code: "def f(xs: list[int], a: int):\n    ys = xs[::-1] + xs[1:]\n    ys.append(9)\n    return (ys, ys[a], len(ys))",
      args: lists.flatMap((xs) => [-3, 0, 2].map((a) => [xs, int(a)])),
    },
    {
      title: "the first item is found, all are counted",
      code: "def f(xs: list[int], a: int):\n    return (xs.count(a), xs.index(a))",
      args: lists.flatMap((xs) => [1, 2, 3].map((a) => [xs, int(a)])),
    },
    {
      title: "sorted() makes a new list",
      code: "def f(xs: list[int]):\n    ys = sorted(xs)\n    ys.append(0)\n    return (ys, sorted(xs, reverse=True), sorted(x * x for x in xs), xs)",
      args: lists.map((xs) => [xs]),
    },
    {
      title: "the sum of nothing is its start as it is, and a default is for nothing",
      code: "def f(xs: list[int], p: bool):\n    return (sum(xs, p), max(xs, default=None), min(xs, default=p), round(p))",
      args: lists.flatMap((xs) => [true, false].map((p) => [xs, bool(p)])),
    },
    {
      title: "a slice with a step takes items from its own first place on",
      code: "def f(xs: list[int], a: int):\n    return (xs[a::2], xs[:a:3], xs[1::2], xs[a:-1:2], 'abcdef'[a::2])",
      args: lists.flatMap((xs) => [-3, -1, 0, 2, 9].map((a) => [xs, int(a)])),
    },
    {
      title: "slices are new lists as items, too",
      code: "def f(xs: list[int], a: int):\n    ys = [xs[a:], xs[::-1]]\n    ys.append(xs[:a])\n    return (ys, [xs[i:] for i in range(3)])",
      args: lists.flatMap((xs) => [-1, 0, 1].map((a) => [xs, int(a)])),
    },
    {
      title: "a tuple is sorted into a list",
      code: "def f(a: int, b: int):\n    t = (a, b, 0)\n    return (sorted(t), sorted((b, a), reverse=True))",
      args: [3, -2, 0].flatMap((a) => [1, 3].map((b) => [int(a), int(b)])),
    },
    {
      title: "arguments are evaluated before anything is found missing",
      code: "def f(xs: list[int], a: int):\n    return xs.index(1 // a)",
      args: lists.flatMap((xs) => [0, 1].map((a) => [xs, int(a)])),
    },
  ];
}
