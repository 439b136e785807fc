import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { privatePython, real_setup_ms_max } from "../support/python.ts";
import { shareSymbolic } from "../support/symbolic.ts";

const verdict = fixture(shareSymbolic);

/** Random values from a seed; one process writes them, and another one reads what came through JavaScript. */
const program = `
import collections, datetime, decimal, fractions, json, math, random, sys
from collections import OrderedDict, deque
from decimal import Decimal
from fractions import Fraction
from verdict_runner.symbolic.contracts.same import same
from verdict_runner.symbolic.run import shown

chance = random.Random(7)
INTS = [0, 1, -1, 2**53, 2**53 + 1, -(2**53), 10**5000, -(10**5000), 10**400 + 7, 3 - 2**999, 2**64 - 1]
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.1, 1e308, 5e-324, 1e16, math.inf, -math.inf, math.nan]

def atom():
    kind = chance.randrange(10)
    if kind == 0: return chance.choice([None, True, False])
    if kind == 1: return chance.choice(INTS)
    if kind == 2: return chance.randrange(-10**chance.randrange(1, 600), 10**chance.randrange(1, 600))
    if kind == 3: return chance.choice(FLOATS)
    if kind == 4: return chance.uniform(-1e3, 1e3)
    if kind == 5: return "".join(chance.choice(["a", "\\0", "\\n", "'", '"', "\\\\", "\\ud83d", "\\ude00", "ß"]) for _ in range(chance.randrange(6)))
    if kind == 6: return chance.choice(["x" * 500, "python", "\\ud83d" * 300, b"\\xff", bytearray(b"a"), range(3, 9, 2)])
    if kind == 7: return Decimal(chance.choice(["1.5", "-0", "NaN", "1E+30", "Infinity"]))
    if kind == 8: return Fraction(chance.randrange(-9, 9), 7)
    return chance.choice([datetime.date(2024, 2, 29), datetime.datetime(2024, 2, 29, 1, fold=1), datetime.time(1, 2),
                          datetime.timedelta(-1, 3), complex(-0.0, math.nan), complex(1, -1)])

def value(depth):
    kind = chance.randrange(12) if depth else 11
    parts = [value(depth - 1) for _ in range(chance.randrange(3))] if kind < 8 else []
    if kind < 3: return parts
    if kind == 3: return tuple(parts)
    if kind == 4: return {chance.choice(["a", "python", "b"]): each for each in parts}
    if kind == 5: return OrderedDict((n, each) for n, each in enumerate(parts))
    if kind == 6: return deque(parts)
    if kind == 7: return dict(enumerate(parts))
    if kind == 8: return {1, -1.5, "a"} if chance.randrange(2) else frozenset([()])
    return atom()

def read(written):
    if isinstance(written, dict):
        if written.keys() == {"python"}: return eval(written["python"])
        return {key: read(each) for key, each in written.items()}
    return [read(each) for each in written] if isinstance(written, list) else written

values = [value(3) for _ in range(3000)] + INTS + FLOATS
if sys.argv[1] == "write":
    json.dump([shown.exact(each) for each in values], sys.stdout)
else:
    written = json.load(sys.stdin)
    wrong = [repr(each)[:80] for each, text in zip(values, written, strict=True) if not same(read(text), each)]
    long = [len(json.dumps(text)) for each, text in zip(INTS, written[3000:]) if len(json.dumps(text)) > 45]
    json.dump([wrong, long], sys.stdout)
`;

describe.skipIf(!has_python)("the arguments in an answer", () => {
  it(
    "are read back as the same values of the same types, and are short",
    async () => {
      const { python } = await privatePython();
      const run = (what: string, input: string) => {
        const text = spawnSync(python, ["-c", program, what], { cwd: "python", input, maxBuffer: 2 ** 28 });
        expect(text.stderr.toString()).toBe("");
        return JSON.parse(text.stdout.toString()) as unknown;
      };
      expect(run("read", JSON.stringify(run("write", "")))).toEqual([[], []]);
    },
    real_setup_ms_max,
  );

  it("have one form in all four tools", async () => {
    const code =
      "def f(x: float) -> int:\n    if x == -1.0:\n        raise ValueError(x)\n    return 0\ndef g(x: float) -> int:\n    return 0\n";
    const args = { x: { python: "-1.0" } };
    expect(await verdict.check(code, "f")).toMatchObject({ counterexamples: [{ args }] });
    expect(await verdict.raises(code, "f", "ValueError")).toMatchObject({ triggering_inputs: [{ args }] });
    expect(await verdict.compare(code, "f", "g")).toMatchObject({ distinguishing_input: { args } });
    expect(await verdict.branches(code, "f")).toMatchObject({ branches: [{ true_example: args }] });
  });

  it("are plain JSON where that is exact, and tell lists from tuples", async () => {
    const code =
      "def f(n: int, s: str, xs: list[float], t: tuple[int, bool]) -> int:\n    assert n == 2 and s == 'a' and xs == [0.5] and t == (1, True)\n    return 1 // 0\n";
    const [first] = (await verdict.check(code, "f"))["counterexamples"] as Record<string, unknown>[];
    expect(first?.["args"]).toEqual({ n: 2, s: "a", xs: [0.5], t: { python: "(1, True)" } });
  });
});
