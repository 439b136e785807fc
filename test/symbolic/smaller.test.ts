import { describe, expect, it } from "vitest";
import { Deadline } from "../../src/kernel/deadline.ts";
import { Examiner } from "../../src/tools/symbolic/examiner.ts";
import { Raised } from "../../src/tools/symbolic/replies.ts";
import { withEnoughTime } from "../support/enough_time.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { shareSymbolic } from "../support/symbolic.ts";

const verdict = fixture(shareSymbolic);

const records = `
from dataclasses import dataclass
from typing import Literal
@dataclass
class P:
    kind: Literal["big", "small"]
    size: int
    tags: list[str]
`;

describe.skipIf(!has_python)("the input that is shown", () => {
  it.each([
    [
      "equal numbers that depend on each other",
      "def f(c: int, b: int) -> int:\n    return 1 // (c - b) if c == b and c // 7 > 200 else 0\n",
      "f(c=1407, b=1407)",
    ],
    [
      "numbers at a distance",
      "def f(c: int, b: int) -> int:\n    return 1 // (c - b - 1) if c == b + 1 and c * c > 10**9 else 0\n",
      "f(c=31623, b=31622)",
    ],
    ["floats", "def f(x: float, y: float) -> float:\n    return x / y if x > 2.3 else 0.0\n", "f(x=3.0, y=0.0)"],
    ["digits", "def f(n: int) -> int:\n    return len(str(n))\n", "f(n=10**4300)"],
    ["text", 'def f(s: str) -> int:\n    return 1 // (len(s) - 8) if s[3:5] == "xy" else 0\n', "f(s='aaaxyaaa')"],
    [
      "fields, which keep their types",
      `${records}def f(p: P) -> int:\n    if p.kind == "small" and p.size * p.size > 7 and len(p.tags) > 1:\n        return p.size // (p.size - p.size)\n    return 0\n`,
      "f(p=P(kind='small', size=3, tags=['', '']))",
    ],
    [
      "tuples, which keep their lengths unless those are open, and arguments by name",
      "def f(t: tuple[int, int], u: tuple[int, ...], *v: int, **w: str) -> int:\n    return t[2] if len(u) > 1 and v and w else 0\n",
      "f((0, 0), (0, 0), 0, a='')",
    ],
  ])("is small: %s", async (_, code, call) => {
    expect(await verdict.check(code, "f")).toMatchObject({ counterexamples: [{ call }] });
  });

  it("shows the same: the preconditions, the kind of difference, the path to an exception", async () => {
    const bounded = 'def f(n: int) -> int:\n    """pre: n > 123456"""\n    return 1 // (n % 2)\n';
    expect(await verdict.check(bounded, "f")).toMatchObject({ counterexamples: [{ args: { n: 123458 } }] });
    const two =
      "def f(xs: list[int]) -> int:\n    return max(xs)\ndef g(xs: list[int]) -> int:\n    return max(xs) if len(xs) != 3 else 0\n";
    expect(await verdict.compare(two, "f", "g")).toMatchObject({
      distinguishing_input: { function_a_result: 1, function_b_result: 0 },
    });
    // Each path to the exception keeps its own input.
    const paths =
      "def f(n: int) -> int:\n    m = 0 if n * n > 70000 else 7\n    return 1 // (0 if n == 3 else m + 0 * n)\n";
    const inputs = await withEnoughTime(
      async (ms) => {
        const { triggering_inputs } = await verdict.raises(paths, "f", "ZeroDivisionError", ms / 1000);
        return Array.isArray(triggering_inputs) ? triggering_inputs.map(({ args }) => args) : [];
      },
      ({ length }) => length >= 2,
      10_000,
    );
    expect(inputs).toEqual(expect.arrayContaining([{ n: 3 }, { n: 265 }]));
  });
});

describe("a replay", () => {
  it("counts although the search for a simpler input did not end", async () => {
    const raised = {
      confirmed: true,
      args: { n: 99 },
      kwargs: {},
      call: "f(n=99)",
      path_condition: null,
      path_lines: [],
      cause: "crash",
      exception: "KeyError",
      line: 2,
      stack_trace: "KeyError at line 2",
      test: "",
    };
    const question = { task: "raises", code: "", functions: ["f"], exception: "KeyError" } as const;
    const examiner = new Examiner(async (_language, _program, _deadline, onResult) => {
      onResult?.(raised);
      return { end: { kind: "deadline" }, versions: {}, printed: "", unprinted: 0 };
    }, question);
    const candidate = { input: {}, keys: ["1"], sides: [] };
    expect(await examiner.replay(Raised, candidate, new Deadline(1000))).toMatchObject({ call: "f(n=99)" });
  });
});
