import { execFile } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/v4";
import { readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import type { JobEnd } from "../../src/engines/python/talk.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { Difference, Inspected, Raised, ReadBranches, Taken, Violation } from "../../src/tools/symbolic/replies.ts";
import { removeDirectory } from "../support/directories.ts";
import { has_python } from "../support/models.ts";
import { pythonData, real_setup_ms_max } from "../support/python.ts";

let engines: Engines;
let python = "";
beforeAll(async () => {
  if (!has_python) return;
  engines = new Engines(readConfig({}, { ...process.env, VERDICT_DATA: await pythonData() }));
  const environment = await engines.python.environment.installed();
  if (!environment) throw new Error("no environment");
  python = environment.python;
}, real_setup_ms_max);
afterAll(() => engines?.close());

interface Asked {
  readonly code: string;
  readonly functions?: readonly string[];
  readonly task_of?: "check" | "raises" | "compare" | "branches";
  readonly exception?: string;
}

const Candidate = z.object({ input: z.unknown(), key: z.string() });
const Unending = z.object({ unending: z.string() });

/** The reply of the clean interpreter to one request, and its intermediate results. */
async function send(asked: Asked, what: object): Promise<{ end: JobEnd; found: unknown[] }> {
  const { code, functions = ["f"], task_of = "check", exception = null } = asked;
  const findings: unknown[] = [];
  const job = new Deadline(200_000);
  const program = { items: [code], request: { functions, task_of, exception, ...what } };
  const reply = await engines.python.turn(
    job,
    () => {},
    (run) => run("replay", program, job, (each) => findings.push(each)),
  );
  if (reply === "expired") throw new Error("no time");
  return { end: reply.end, found: findings };
}

function resultOf({ end }: { end: JobEnd }): unknown {
  if (end.kind !== "result") throw new Error(JSON.stringify(end));
  return end.result;
}

const inspect = async (asked: Asked) => Inspected.parse(resultOf(await send(asked, { task: "inspect" })));

/** What boundary values show, one input of each kind, each replayed in a process of its own. */
async function shown<Schema extends z.ZodType>(schema: Schema, asked: Asked): Promise<z.output<Schema>[]> {
  const probed = await send(asked, { task: "probe", seconds: 3, patience: 0.5 });
  resultOf(probed);
  const first = new Map<string, unknown>();
  for (const { key, input } of probed.found.map((each) => Candidate.parse(each)))
    if (!first.has(key)) first.set(key, input);
  const replayed: z.output<Schema>[] = [];
  for (const input of first.values()) {
    replayed.push(schema.parse(resultOf(await send(asked, { task: "replay", input }))));
  }
  return replayed;
}

/** What a function is found to break, in alphabetical order. */
const violations = async (code: string) =>
  (await shown(Violation, { code })).map(({ violation, line }) => `${line} ${violation}`).sort();

describe.skipIf(!has_python)("contracts are read", () => {
  it("from decorators, documentation, asserts and annotations", async () => {
    const code = `
import deal
from icontract import require, ensure, snapshot

@require(lambda x: x >= 0)
@snapshot(lambda x: x, name="before")
@ensure(lambda result, OLD: result >= OLD.before)
def by_icontract(x: int) -> int:
    return x

@deal.pre(lambda x: x >= 0)
@deal.pre(lambda _: _.x < 10)
@deal.post(lambda r: r > 1)
@deal.ensure(lambda x, result: result >= x)
@deal.raises(ValueError)
def by_deal(x: int):
    return x

def by_text(x: int):
    """Says what it does.

    pre: x >= 0
    post:
        __return__ >= x
        _ > 1
    raises: KeyError, ValueError
    """
    return x

def by_asserts(x: int):
    """Twice."""
    assert x >= 0
    assert x < 10, "small"
    y = x * 2
    assert y > 1
    return y
`;
    const functions = ["by_icontract", "by_deal", "by_text", "by_asserts"];
    const inspection = await inspect({ code, functions });
    expect(inspection.functions.map(({ contract }) => contract)).toEqual([
      {
        styles: ["icontract", "types"],
        preconditions: ["x >= 0"],
        postconditions: ["result >= OLD.before"],
        raises: [],
      },
      {
        styles: ["deal"],
        preconditions: ["_.x < 10", "x >= 0"],
        postconditions: ["r > 1", "result >= x"],
        raises: ["ValueError"],
      },
      {
        styles: ["PEP 316"],
        preconditions: ["x >= 0"],
        postconditions: ["__return__ >= x", "_ > 1"],
        raises: ["KeyError", "ValueError"],
      },
      { styles: ["asserts"], preconditions: ["x >= 0", "x < 10"], postconditions: ["y > 1"], raises: [] },
    ]);
  });

  it("except for what is not a condition, which is reported", async () => {
    const code =
      'def f(x: int):\n    """\n    pre: x is positive\n    post: the result is right\n    """\n    return x\n';
    const { notes, functions } = await inspect({ code });
    expect(functions).toMatchObject([{ contract: { preconditions: [], postconditions: [] } }]);
    expect(notes).toEqual([expect.stringContaining("line 4"), expect.stringContaining("Line 3")]);
  });
});

describe.skipIf(!has_python)("what breaks a contract", () => {
  it.each([
    [
      "a postcondition of icontract, with what was before",
      "from icontract import ensure, snapshot\n@snapshot(lambda xs: xs[:])\n@ensure(lambda xs, OLD: xs == sorted(OLD.xs))\ndef f(xs: list[int]) -> None:\n    xs.reverse() if len(xs) > 3 else xs.sort()\n",
      ["3 postcondition: xs == sorted(OLD.xs)"],
    ],
    [
      "a postcondition that its author raises by an error of his own",
      "from icontract import require, ensure\n@require(lambda n: n >= 0, error=ValueError)\n@ensure(lambda result: result > 0, error=KeyError)\ndef f(n: int) -> int:\n    return n\n",
      ["3 postcondition: result > 0"],
    ],
    [
      "a postcondition of deal, and an exception besides those that it allows",
      'import deal\n@deal.pre(lambda a, b: b != 0)\n@deal.ensure(lambda a, b, result: result <= a or b < 0 or a < 0)\n@deal.raises(ValueError)\ndef f(a: int, b: int) -> int:\n    if a == 3: raise ValueError\n    if a == 100: raise KeyError("k")\n    return a // b + (a == b)\n',
      ["3 postcondition: result <= a or b < 0 or a < 0", "7 exception: KeyError: 'k'"],
    ],
    [
      "a side effect of what deal calls pure, and an exception of what it calls safe",
      "import deal\n@deal.pure\ndef f(a: int) -> float:\n    if a == 2: print(a)\n    return 1 / a\n",
      ["4 side effects: it prints or reads input", "5 exception: ZeroDivisionError: division by zero"],
    ],
    [
      "the reason for an exception",
      "import deal\n@deal.reason(ValueError, lambda a: a < 0)\n@deal.raises(ValueError)\ndef f(a: int) -> int:\n    if a > 5 or a < -5: raise ValueError\n    return 1\n",
      ["2 ValueError only when a < 0"],
    ],
    [
      "what documentation promises",
      'def f(x: int) -> int:\n    """\n    pre: x > 0\n    post: __return__ > x\n    post: _ % 2 == 0\n    raises: KeyError\n    """\n    if x == 7: raise KeyError(x)\n    if x == 10: raise IndexError\n    return 1 if x == 100 else 2 * x\n',
      ["4 postcondition: __return__ > x", "9 exception: IndexError"],
    ],
    [
      "what documentation lets be changed",
      'def f(xs: list[int], ys: list[int]) -> int:\n    """\n    post[ys]: len(ys) == len(__old__.ys) + 1\n    """\n    if len(xs) != 1: ys.append(1)\n    xs.sort()\n    return 0\n',
      ["3 postcondition: len(ys) == len(__old__.ys) + 1", "3 postcondition: xs == __old__.xs"],
    ],
    [
      "a later assert; the leading ones are what the function asks for",
      'def f(x: float) -> float:\n    assert x >= 0, "asked"\n    root = x ** 0.5\n    assert root > 0, "promised"\n    return root\n',
      ["4 postcondition: root > 0"],
    ],
    [
      "what it asks for itself, when it calls itself",
      "def f(n: int) -> int:\n    assert n >= 0\n    return 1 if n == 0 or n > 50 else f(n - 2)\n",
      ["2 precondition of f: n >= 0"],
    ],
    [
      "what a callee asks for and promises, by asserts, icontract and deal",
      'import deal, icontract\n@icontract.require(lambda y: y != 0, "not zero")\n@icontract.ensure(lambda result: result < 6)\ndef g(y: int) -> int:\n    return 10 // y\n@deal.pre(lambda y: y != 2)\ndef h(y: int) -> int:\n    return y\ndef k(y: int) -> int:\n    assert y < 1000\n    return y\ndef f(x: int) -> int:\n    return g(x) + h(x) + k(x)\n',
      [
        "10 precondition of k: y < 1000",
        "13 postcondition of g: result < 6",
        "13 precondition of g: y != 0",
        "13 precondition of h: y != 2",
      ],
    ],
    [
      "the invariant of a class, by icontract and by deal",
      "import deal, icontract\n@icontract.invariant(lambda self: self.n >= 0)\nclass C:\n    def __init__(self, n: int): self.n = n\n@deal.inv(lambda d: d.n < 100)\nclass D:\n    def __init__(self, n: int): self.n = n\ndef f(n: int) -> int:\n    return C(n).n + D(n).n\n",
      ["7 invariant of a function that it calls: d.n < 100", "9 invariant of C: self.n >= 0"],
    ],
    [
      "the annotation of the result, in depth",
      "from typing import Optional\ndef f(x: int) -> dict[str, list[Optional[float]]]:\n    return {'a': [x, None, 'b' if x == 3 else 1.5]}\n",
      ["2 return type: expected dict[str, list[Optional[float]]], got dict"],
    ],
    [
      "no annotation at all: ints are floats, and truth values ints",
      "def f(x: int) -> float:\n    return x == 1\n",
      [],
    ],
    [
      "an exception of the code's own, whatever its message does",
      "class Odd(BaseException):\n    def __str__(self): raise TypeError\ndef f(x: int) -> int:\n    if x == 3: raise Odd\n    if x == 2: exit(4)\n    return x\n",
      ["4 exception: Odd: (its message failed with TypeError)", "5 exception: SystemExit: 4"],
    ],
    [
      "the digits that Python lets a text have",
      'def f(x: int) -> str:\n    return f"{x}"\n',
      [expect.stringContaining("2 exception: ValueError: Exceeds the limit (4300")],
    ],
    [
      "an endless recursion",
      "def f(n: int) -> int:\n    return f(n + 1) if n else 0\n",
      ["2 exception: RecursionError: maximum recursion depth exceeded"],
    ],
  ])("%s", async (_, code, expected) => {
    expect(await violations(code)).toEqual(expected);
  });
});

describe.skipIf(!has_python)("ways to an exception", () => {
  const raised = (code: string, exception: string) => shown(Raised, { code, task_of: "raises", exception });

  it("subclasses count, each line is a way of its own", async () => {
    const code =
      "class Low(ValueError): pass\ndef f(x: int) -> int:\n    if x < 0:\n        raise Low('low')\n    if x == 100:\n        raise ValueError('a hundred')\n    if x == 10: raise KeyError\n    return x\n";
    expect(await raised(code, "ValueError")).toMatchObject([
      { exception: "Low", stack_trace: "Low at line 4: low", path_condition: "x < 0", path_lines: [[3, true]] },
      {
        ...{ exception: "ValueError", stack_trace: "ValueError at line 6: a hundred", args: { x: 100 } },
        path_lines: [
          [3, false],
          [5, true],
        ],
      },
    ]);
  });

  it.each([
    ["Low", "class Low(Exception): pass\ndef f(x: int) -> int:\n    raise Low\n"],
    ["decimal.InvalidOperation", "from decimal import Decimal\ndef f(x: str) -> Decimal:\n    return Decimal(x)\n"],
    ["JSONDecodeError", "import json\ndef f(x: str) -> int:\n    return len(json.loads(x))\n"],
    [
      "icontract.ViolationError",
      "import icontract\n@icontract.ensure(lambda result: result > 0)\ndef f(x: int): return x\n",
    ],
    ["OverflowError", "def f(a: int, b: int) -> float:\n    return 0.0 if b == 0 else a / b\n"],
  ])("lead to %s", async (exception, code) => {
    expect(await raised(code, exception)).toMatchObject([{ confirmed: true }]);
  });
});

describe.skipIf(!has_python)("two functions", () => {
  const compared = (a: string, b: string) => {
    const code = `import math\nfrom dataclasses import dataclass\nfrom decimal import Decimal\n@dataclass\nclass P:\n    x: int\n${a}${b}`;
    return shown(Difference, { code, functions: ["f", "g"], task_of: "compare" });
  };

  it.each([
    ["True and 1", "def f(x: int):\n    return x == 1\n", "def g(x: int):\n    return int(x == 1)\n"],
    ["0.0 and -0.0", "def f(x: float):\n    return x\n", "def g(x: float):\n    return x + 0.0\n"],
    ["2 and 2.0", "def f(x: int):\n    return x\n", "def g(x: int):\n    return x * 1.0\n"],
    ["a list and a tuple", "def f(x: int):\n    return [x]\n", "def g(x: int):\n    return (x,)\n"],
    [
      "2**53 and its neighbour",
      "def f(x: int):\n    return x\n",
      "def g(x: int):\n    return int(float(x)) if abs(x) < 2**60 else x\n",
    ],
    [
      "changed arguments",
      "def f(xs: list[int]):\n    return len(xs)\n",
      "def g(xs: list[int]):\n    xs.sort()\n    return len(xs)\n",
    ],
    [
      "the kind of exception",
      "def f(x: int, y: int):\n    return x // y\n",
      "def g(x: int, y: int):\n    if y == 0: raise ValueError\n    return x // y\n",
    ],
    ["fields of objects", "def f(x: int):\n    return [P(x)]\n", "def g(x: int):\n    return [P(abs(x))]\n"],
    [
      "decimals that are equal",
      "def f(x: int):\n    return Decimal(x)\n",
      "def g(x: int):\n    return Decimal(x) * Decimal('1.0')\n",
    ],
    [
      "keys that are equal",
      "def f(x: int):\n    return {x: 1}\n",
      "def g(x: int):\n    return {x + 0.0 if x < 9 else x: 1}\n",
    ],
    [
      "floor division and truncation",
      "def f(x: int):\n    return x // 2\n",
      "def g(x: int):\n    return int(x / 2) if abs(x) < 100 else x // 2\n",
    ],
    [
      "order of arguments to max",
      "def f(x: float):\n    return max(x, 0.0)\n",
      "def g(x: float):\n    return max(0.0, x)\n",
    ],
    ["upper case of sharp s", "def f(s: str):\n    return len(s)\n", "def g(s: str):\n    return len(s.upper())\n"],
  ])("differ by %s", async (_, f, g) => {
    const [difference] = await compared(f, g);
    expect(difference).toMatchObject({ confirmed: true });
  });

  it.each([
    ["NaN is NaN", "def f(x: float):\n    return [x * 1.0]\n", "def g(x: float):\n    return [x]\n"],
    [
      "the order of a dictionary",
      "def f(x: int):\n    return {1: x, 2: x}\n",
      "def g(x: int):\n    return {2: x, 1: x}\n",
    ],
    [
      "the message of an exception",
      "def f(x: int):\n    return 1 // x\n",
      "def g(x: int):\n    if x == 0: raise ZeroDivisionError('zero')\n    return 1 // x\n",
    ],
    [
      "names of parameters",
      "def f(x: int, *, k: int = 2):\n    return x + k\n",
      "def g(y: int, *, k: int = 2):\n    return y + k\n",
    ],
  ])("do not differ by %s", async (_, f, g) => {
    expect(await compared(f, g)).toEqual([]);
  });

  it("are explained in terms of the code", async () => {
    const [difference] = await compared(
      "def f(xs: list[int], k: int = 1):\n    if k > 2:\n        xs.append(k)\n    return k\n",
      "def g(ys: list[int], k: int = 1):\n    return k\n",
    );
    expect(difference?.explanation).toBe(
      "f(xs=[], k=3) returns 3 and leaves its arguments as [[3], 3], but g(ys=[], k=3) returns 3 and leaves its arguments as [[], 3], where k > 2.",
    );
  });

  it("that give what can't be compared are unsupported", async () => {
    const code = "def f(x: int):\n    return lambda: x\ndef g(x: int):\n    return lambda: x\n";
    const { end } = await send(
      { code, functions: ["f", "g"], task_of: "compare" },
      { task: "probe", seconds: 1, patience: 0.5 },
    );
    expect(end).toMatchObject({ kind: "error", error: { error_type: "UnsupportedConstruct" } });
  });
});

describe.skipIf(!has_python)("branches of one run", () => {
  it("are those that the replay takes", async () => {
    const code = "def f(x: int) -> int:\n    if x > 0 and x < 5:\n        return 1\n    return 2\n";
    const { found } = await send({ code }, { task: "inspect" });
    const { sites } = ReadBranches.parse(found[0]).branches;
    const taken = await shown(Taken, { code, task_of: "branches" });
    const sides = new Set(taken.flatMap(({ outcomes }) => outcomes.map(([site, side]) => `${site} ${side}`)));
    expect([...sides].sort()).toEqual(sites.flatMap(({ site }) => [`${site} false`, `${site} true`]).sort());
  });
});

describe.skipIf(!has_python)("tests of what was found", () => {
  /** Runs a test, with the code next to it, as pytest would; returns the name of its outcome. */
  async function run(code: string, test: string): Promise<string> {
    const directory = await mkdtemp(join(tmpdir(), "verdict-regression-"));
    const runner =
      "import sys\nsys.path.insert(0, sys.argv[1])\nimport test_found\nfor name in dir(test_found):\n    if name.startswith('test_'):\n        try:\n            getattr(test_found, name)()\n            print('passed')\n        except BaseException as error:\n            print(type(error).__name__)\n";
    try {
      await writeFile(join(directory, "module_under_test.py"), code);
      await writeFile(join(directory, "test_found.py"), test);
      const { stdout } = await promisify(execFile)(python, ["-I", "-c", runner, directory], { timeout: 200_000 });
      return stdout.trim();
    } finally {
      removeDirectory(directory);
    }
  }

  it.each([
    [
      "an exception",
      "from decimal import Decimal\nfrom enum import Enum\nclass E(Enum):\n    A = 1\ndef f(xs: list[float], d: Decimal, e: E, *rest: int, **more: str) -> float:\n    return xs[0]\n",
      "return xs[0]",
      "return xs[0] if xs else 0.0",
      "IndexError",
    ],
    [
      "a postcondition of documentation",
      'import math\ndef f(xs: list[int], x: int) -> int:\n    """\n    post: len(xs) == len(__old__.xs) + 1 and math.isfinite(_)\n    """\n    return 0\n',
      "return 0",
      "xs.append(x); return 0",
      "AssertionError",
    ],
    [
      "an annotation",
      "from typing import Optional\ndef f(x: int) -> list[Optional[int]]:\n    return [str(x)]\n",
      "str(x)",
      "x",
      "AssertionError",
    ],
    [
      "a contract of icontract",
      "from icontract import ensure\n@ensure(lambda result: result >= 0)\ndef f(x: int) -> int:\n    return x\n",
      "return x",
      "return abs(x)",
      "ViolationError",
    ],
    [
      "an assert",
      "def f(x: int) -> int:\n    y = x\n    assert y >= 0\n    return y\n",
      "y = x",
      "y = abs(x)",
      "AssertionError",
    ],
  ])("fail before %s is mended and pass after", async (_, code, wrong, right, failure) => {
    const [violation] = await shown(Violation, { code });
    expect(violation?.test).not.toContain("verdict");
    expect(await run(code, violation?.test ?? "")).toBe(failure);
    expect(await run(code.replace(wrong, right), violation?.test ?? "")).toBe("passed");
  });

  it("fail as long as two functions differ", async () => {
    const code = "def f(x: float):\n    return {'a': [x]}\ndef g(y: float):\n    return {'a': [y + 0.0]}\n";
    const [difference] = await shown(Difference, { code, functions: ["f", "g"], task_of: "compare" });
    expect(await run(code, difference?.test ?? "")).toBe("AssertionError");
    expect(await run(code.replace("y + 0.0", "y"), difference?.test ?? "")).toBe("passed");
  });
});

describe.skipIf(!has_python)("a call that does not end", () => {
  const collatz =
    "def f(n: int) -> int:\n    while n != 1 and n != 0:\n        n = n // 2 if n % 2 == 0 else 3 * n + 1\n    return n\n";
  const probe = { task: "probe", seconds: 2, patience: 0.5 };
  const unendingOf = ({ found }: { found: unknown[] }) =>
    found.flatMap((each) => Unending.safeParse(each).data?.unending ?? []);

  it("is reported once, with its input", async () => {
    const unending = unendingOf(await send({ code: collatz }, probe));
    expect(unending).toEqual([
      expect.stringMatching(
        /^Not part of the verdict, but worth checking: f\(n=-\d+\) had not finished after 0\.5 s of computing\.$/,
      ),
    ]);
  });

  it("is reported beside what another function gives", async () => {
    const code = `${collatz}def g(n: int) -> int:\n    return f(n) if n > 0 else 0\n`;
    const unending = unendingOf(await send({ code, functions: ["f", "g"], task_of: "compare" }, probe));
    expect(unending).toEqual([
      expect.stringMatching(/f\((n=-\d+)\) had not finished after 0\.5 s of computing, while g\(\1\) returns 0/),
    ]);
  });

  it("is not reported for calls that are only slow", async () => {
    const code = "def f(n: int) -> int:\n    for _ in range(3_000_000 if n == 5 else 1): pass\n    return n\n";
    expect(unendingOf(await send({ code }, { ...probe, patience: 5 }))).toEqual([]);
  });
});
