import { describe, expect, it } from "vitest";
import { withEnoughTime } from "../support/enough_time.ts";
import { faultOf } from "../support/faults.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { type Answer, shareSymbolic } from "../support/symbolic.ts";

const verdict = fixture(shareSymbolic);

/** A function with a bug in its third line. */
const inverse = "def inverse(x: int) -> int:\n    y = 100\n    return y // x\n";

describe.skipIf(!has_python)("recursion that is deeper than Python allows", () => {
  const count = (more: string) => `def f(n: int) -> int:\n    return ${more}1 + f(n - 1) if n > 0 else 0\n`;
  const at_once = "def g(n: int) -> int:\n    return n if n > 0 else 0\n";

  it("is reported beside a proof that leaves it out", async () => {
    const answer = await verdict.compare(count("") + at_once, "f", "g", 150);
    expect(answer).toMatchObject({ status: "equivalent", confidence: "proven", distinguishing_input: null });
    expect(answer["notes"]).toContainEqual(
      expect.stringMatching(/does not cover the recursion limit: f\(.*RecursionError/),
    );
    expect(answer["notes"]).not.toContain("found by trying boundary values");
    expect(JSON.stringify(answer["proof"])).toContain("recursion depth");
  });

  it("hides no other difference", async () => {
    const answer = await verdict.compare(count("(n == 3) + ") + at_once, "f", "g", 150);
    expect(answer).toMatchObject({ status: "different", proof: null });
    expect(JSON.stringify(answer["distinguishing_input"])).not.toContain("RecursionError");
  });

  it("is a difference where nothing else was decided", async () => {
    const endless = "def f(n: int) -> int:\n    return f(n)\ndef g(n: int) -> int:\n    return 0\n";
    const answer = await withEnoughTime(
      (ms) => verdict.compare(endless, "f", "g", ms / 1000),
      ({ status }) => status === "different",
      2_000,
    );
    expect(answer).toMatchObject({
      status: "different",
      distinguishing_input: { function_a_result: expect.stringContaining("RecursionError") },
    });
  });
});

describe.skipIf(!has_python)("a set of constants of which is asked what is in it", () => {
  const classify = (set: string) =>
    `def f(n: int) -> int:\n    if n in ${set}:\n        if n > 3:\n            return 2\n        return 1\n    return 0\n`;

  it("has no order that could keep a proof away", async () => {
    const answer = await verdict.branches(classify("{1, 2, 3}"), "f");
    expect(answer).toMatchObject({ status: "complete", dead_code_lines: [4] });
    expect(JSON.stringify(answer)).not.toContain("order of a set");
  });
});

describe.skipIf(!has_python)("code as language models send it", () => {
  it.each([
    ["a code fence", `\`\`\`python\n${inverse}\`\`\`\n`, "code fence"],
    [
      "a code fence with line ends of another system",
      `\`\`\`py\r\n${inverse.replaceAll("\n", "\r\n")}\`\`\``,
      "code fence",
    ],
    ["a byte order mark", `\uFEFF${inverse}`, "byte order mark"],
  ])("may have %s around it, which is taken off and told; lines count within", async (_, code, told) => {
    expect(await verdict.check(code, "inverse")).toMatchObject({
      status: "counterexample",
      counterexamples: [{ args: { x: 0 }, stack_trace: expect.stringContaining("ZeroDivisionError at line 3") }],
      notes: expect.arrayContaining([expect.stringContaining(told)]),
    });
  });

  it("keeps its lines in a fault, too, and says nothing where nothing was taken off", async () => {
    const fault = await faultOf(verdict.check("```python\ndef f(x: int) -> int:\n    return x +\n```", "f"));
    expect(fault).toMatchObject({ error_type: "SyntaxError", position: { line: 2 } });
    expect(JSON.stringify(await verdict.check(inverse, "inverse"))).not.toContain("taken off");
  });

  const main = 'if __name__ == "__main__":\n    print(inverse(int(input())))\n';

  it("may end with a block for the main program, which never runs and is not looked at", async () => {
    const code = `def inverse(x: int) -> int:\n    return 0 if x == 0 else 100 // x\n\n${main}`;
    expect(await verdict.check(code, "inverse")).toMatchObject({ status: "verified" });
    expect(await verdict.branches(code, "inverse")).toMatchObject({ status: "complete", total_branches: 1 });
  });

  it.each([
    ["input() elsewhere", `def f(x: int) -> int:\n    return int(input())\n${main}`],
    [
      "one that does so by globals()",
      `globals()["__name__"] = "__main__"\ninverse = abs\ndef f(x: int) -> int:\n    return x\n${main}`,
    ],
    ["an import of os", `import os\ndef f(x: int) -> int:\n    return len(os.sep)\n${main}`],
  ])("is refused for %s, with such a block as without", async (_, code) => {
    expect(await faultOf(verdict.check(code, "f"))).toMatchObject({ error_type: "SandboxViolation" });
  });
});

describe.skipIf(!has_python)("memory that runs out here", () => {
  const starved = { notes: expect.arrayContaining([expect.stringContaining("memory ran out here")]) };
  const zeros = (size: string) => `def zeros(n: int) -> int:\n    return len([0] * ${size})\n`;
  const big = zeros("(10**10 if n == 3 else 1)");
  /** Asks until the call that runs out of memory was tried. */
  const untilStarved = (ask: (timeout_s: number) => Promise<Answer>) =>
    withEnoughTime(
      (ms) => ask(ms / 1000),
      ({ notes }) => String(notes).includes("memory ran out here"),
      2_000,
    );

  it("breaks no contract", async () => {
    const answer = await untilStarved((time) => verdict.check(big, "zeros", time));
    expect(answer).toMatchObject({ counterexamples: [], ...starved });
  });

  it.each(["Exception", "MemoryError"])("is not found when %s is asked for", async (exception) => {
    const answer = await untilStarved((time) => verdict.raises(big, "zeros", exception, time));
    expect(answer).toMatchObject({ triggering_inputs: [], ...starved });
  });

  it("is no other exception that the code raises in its place", async () => {
    const code =
      "def f(n: int) -> int:\n    try:\n        return len([0] * (10**10 if n == 3 else 1))\n" +
      "    except MemoryError as error:\n        raise ValueError('too many') from error\n";
    const answer = await untilStarved((time) => verdict.raises(code, "f", "ValueError", time));
    expect(answer).toMatchObject({ triggering_inputs: [], ...starved });
  });

  it("is claimed of no code, however small", async () => {
    const answer = await verdict.raises("def f(n: int) -> int:\n    return n\n", "f", "MemoryError");
    expect(answer).toMatchObject({ status: "undecided", proof: null });
    expect(String(answer["notes"])).toContain("nothing is claimed about MemoryError");
  });

  it("hides no other exception, and no class of the code's own", async () => {
    expect(await verdict.check(zeros("(10**10 // n)"), "zeros")).toMatchObject({
      counterexamples: [{ args: { n: 0 }, violation: expect.stringContaining("ZeroDivisionError") }],
    });
    const own =
      "class Full(MemoryError):\n    pass\n\ndef f(n: int) -> int:\n    if n == 7:\n        raise Full('full')\n    return n\n";
    expect(await verdict.raises(own, "f", "Full")).toMatchObject({
      status: "found",
      triggering_inputs: [{ args: { n: 7 } }],
    });
  });
});

describe.skipIf(!has_python)("a question that is not quite right", () => {
  const identity = "def f(x: int) -> int:\n    return x\n";
  const account =
    "class Account:\n    def __init__(self, balance: int):\n        self.balance = balance\n\n" +
    "    def take(self, amount: int, *, fee: int) -> int:\n        return self.balance - amount - fee\n";

  it.each(["f()", "def f", " f ", "def f(x: int) -> int:", "async  def f"])(
    "may name its function as %j",
    async (name) => {
      expect(await verdict.check(identity, name)).toMatchObject({ status: "verified" });
    },
  );

  it("is still asked about some function", async () => {
    await expect(verdict.check(identity, "def ()")).rejects.toThrow("must be the name of a function");
  });

  it("names what the code never defines, and still the result", async () => {
    const answer = await verdict.check("def f(x: int) -> int:\n    return helper([y for y in range(x)])\n", "f");
    expect(answer).toMatchObject({
      status: "counterexample",
      counterexamples: [{ violation: expect.stringContaining("NameError") }],
      notes: expect.arrayContaining(["not defined in the code: helper; send what it calls, too"]),
    });
  });

  it.each([
    ["a package", `import numpy as np\ndef f(x: int) -> int:\n    return np.abs(x)\n`, "f", "plain Python"],
    [
      "a part of a package",
      `from pandas.core import frame\ndef f(x: int) -> int:\n    return frame(x)\n`,
      "f",
      "plain Python",
    ],
    [
      "what may be syntax of a newer Python",
      "def f(x: int -> int:\n    return x\n",
      "f",
      /this Python is version 3\.\d+/,
    ],
    ["a method without its class", account, "take", "Account.take"],
  ])("is told what to write instead of %s", async (_, code, name, told) => {
    const { remedy } = await faultOf(verdict.check(code, name));
    expect(remedy).toMatch(told);
  });
});

const film = `
from __future__ import annotations
from typing import TypedDict
from typing_extensions import NotRequired
class Film(TypedDict):
    title: str
    year: int
    sequel: NotRequired[Film]
`;

describe.skipIf(!has_python)("a TypedDict", () => {
  it("lacks a field that is not required, in some inputs", async () => {
    const code = `${film}def f(film: Film) -> int:\n    return film["sequel"]["year"]\n`;
    const { counterexamples } = await verdict.check(code, "f");
    expect(counterexamples).toMatchObject([{ violation: "exception: KeyError: 'sequel'" }]);
  });

  it("has a field that is not required, in others", async () => {
    const code = `${film}def f(film: Film) -> int:
    return 100 // (film["sequel"]["year"] - 1984) if "sequel" in film else 0
`;
    const { counterexamples } = await verdict.check(code, "f");
    expect(counterexamples).toMatchObject([
      {
        args: { film: { title: "", year: 0, sequel: { title: "", year: 1984 } } },
        violation: expect.stringContaining("ZeroDivisionError"),
      },
    ]);
  });

  it.each(['{"title": "a"}', '{"title": "a", "year": "b"}', '{"title": "a", "year": 1, "other": 2}', "None"])(
    "is not kept by %s",
    async (value) => {
      const code = `${film}def f(n: int) -> Film:\n    return ${value} if n == 5 else {"title": "a", "year": n}\n`;
      expect(await verdict.check(code, "f")).toMatchObject({
        counterexamples: [{ args: { n: 5 }, violation: expect.stringContaining("expected Film") }],
      });
    },
  );

  it("is not made without a class statement", async () => {
    const code = 'import typing\nP = typing.TypedDict("P", {"a: print(1)": int})\ndef f(p: P) -> int:\n    return 1\n';
    const { message } = await faultOf(verdict.check(code, "f"));
    expect(message).toContain("TypedDict can only be the base of a class");
  });
});

it.skipIf(!has_python)("a metaclass is refused by its name, with the reason", async () => {
  const code = "class M(type):\n    pass\ndef f(x: int) -> int:\n    return isinstance(int, M)\n";
  const { message } = await faultOf(verdict.check(code, "f"));
  expect(message).toMatch(/A class can't inherit from type here: a metaclass can change what its classes do/);
});

describe.skipIf(!has_python)("an answer", () => {
  const note = "found by trying boundary values";

  it("says that it was found by trying boundary values", async () => {
    // Formatting makes an exploration try values one by one, and none of them is this long.
    const code =
      'def f(x: int) -> int:\n    if len(format(x, "x")) > 300:\n        raise ValueError("too long")\n    return x\n';
    const counterexample = { status: "found", notes: expect.arrayContaining([note]) };
    expect(await verdict.raises(code, "f", "ValueError")).toMatchObject(counterexample);
  });

  it("does not say so where others found it", async () => {
    const code =
      "def f(x: int, y: int) -> int:\n    if x * 7 + 3 == y and x > 4000 and y % 1013 == 5:\n        raise ValueError(x)\n    return x\n";
    const answer = await verdict.raises(code, "f", "ValueError");
    expect(answer).toMatchObject({ status: "found" });
    expect(answer["notes"]).not.toContain(note);
  });
});

describe.skipIf(!has_python)("what stays open", () => {
  it("is not a timeout where nobody lacked time", async () => {
    const code = "def f(b: bool, n: int) -> str:\n    return repr((n > n, b))\n";
    const answer = await verdict.check(code, "f");
    expect(answer).toMatchObject({ status: "undecided", proof: null });
    expect(answer["notes"]).toContainEqual(expect.stringContaining("All paths were explored"));
  });
});

describe.skipIf(!has_python)("what is verified", () => {
  it("is said in one sentence", async () => {
    const code =
      'from icontract import require, ensure\n@require(lambda x: x > 2)\n@ensure(lambda result: result > 3)\ndef f(x: int) -> int:\n    """\n    Raises:\n        KeyError: never\n    """\n    assert x > 1\n    return x + 1\n';
    expect((await verdict.check(code, "f"))["notes"]).toContain(
      "Verified for all inputs with x > 2 and x > 1: f ends, returns int and raises no exception but KeyError, and keeps result > 3.",
    );
    expect((await verdict.check("def g(x: int):\n    return x\n", "g"))["notes"]).toContain(
      "Verified for all inputs: g ends, returns and raises no exception.",
    );
  });
});

describe.skipIf(!has_python)("a default that marks a parameter that was left out", () => {
  const first = (name: string, error: string) =>
    `${name}_left = object()\ndef ${name}(xs: list[int], default: int = ${name}_left) -> int:\n    if xs:\n        return xs[0]\n    if default is ${name}_left:\n        raise ${error}\n    return default\n`;

  it("is left out of calls of both functions, each with its own", async () => {
    const answer = await verdict.compare(first("f", "ValueError") + first("g", "KeyError"), "f", "g", 60);
    expect(answer["status"]).toBe("different");
    expect(answer["distinguishing_input"]).toMatchObject({ kwargs: {} });
    expect(Object(answer["distinguishing_input"]).args).toEqual({ xs: [] });
  });
});
