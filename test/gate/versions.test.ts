import { describe, expect, it } from "vitest";
import { faultOf } from "../support/faults.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { type Answer, explanationOf, shareSymbolic } from "../support/symbolic.ts";

const verdict = fixture(shareSymbolic);

/** What is said of `f` in two versions, of which the newer one has `after` where the older one has `before`. */
async function compared(text: string, [before, after]: readonly [string, string], time = 4): Promise<Answer> {
  const of = (part: string) => text.replaceAll("#", part);
  return verdict
    .versions(of(before), of(after), ["f", "f"], time)
    .catch((error) => ({ ...error.report(), status: "refused" }));
}

describe.skipIf(!has_python)("two versions of a module, side by side", () => {
  it.each([
    ["a constant", "K = #\ndef f(x: int) -> int:\n    return x + K\n", ["1", "2"], /f_base\(x=.*but f\(x=/],
    [
      "the name of a function that it calls",
      "def #(x):\n    return x\ndef f(x: int) -> str:\n    return #.__name__\n",
      ["g", "h"],
      /returns 'g', but .* returns 'h'/,
    ],
    [
      "what a table of its module holds",
      "T = {}\ndef put():\n    T['a'] = #\nput()\ndef f(x: int) -> int:\n    return globals()['T']['a']\n",
      ["1", "2"],
      /returns 1, but .* returns 2/,
    ],
    [
      "a default",
      "K = #\ndef g(x, k=K):\n    return x + k\ndef f(x: int) -> int:\n    return g(x)\n",
      ["1", "2"],
      /f_base/,
    ],
    [
      "a cache that one version fills while it is loaded",
      "import functools\nN = []\n@functools.lru_cache\ndef g(x):\n    N.append(x)\n    return len(N)\n#\ndef f(x: int) -> int:\n    return g(0)\n",
      ["g(1)", "pass"],
      /returns 2, but .* returns 1/,
    ],
    [
      "an attribute of a class that one version changes",
      "class C:\n    n = 1\ndef patch(c):\n    c.n = #\npatch(C)\ndef f(x: int) -> int:\n    return C.n\n",
      ["1", "2"],
      /returns 1, but .* returns 2/,
    ],
    [
      "a method that one version replaces while it is loaded",
      "class C:\n    def get(self):\n        return 1\ndef get(self):\n    return #\nC.get = get\ndef f(x: int) -> int:\n    return C().get()\n",
      ["1", "2"],
      /returns 1, but .* returns 2/,
    ],
    [
      "the docstring of its module",
      "'''#'''\ndef f(x: int) -> str:\n    return __doc__\n",
      ["a", "b"],
      /returns 'a', but .* returns 'b'/,
    ],
    [
      "which of two marks it returns",
      "from enum import Enum\nclass M(Enum):\n    A = 1\n    B = 2\ndef f(x: int):\n    return M.#\n",
      ["A", "B"],
      /returns M.A, but .* returns M.B/,
    ],
  ] as const)("differ by %s", async (_, text, parts, words) => {
    const answer = await compared(text, parts, undefined);
    expect(answer).toMatchObject({ status: "different" });
    expect(explanationOf(answer)).toMatch(words);
  });

  it.each([
    [
      "a class of its own",
      "class C:\n    pass\ndef f(x: int):\n    c = C()\n    c.x = x\n    return isinstance(c, C), [c], #\n",
    ],
    ["a mark of its module", "MARK = object()\ndef f(x: int):\n    return MARK if x > 3 else [#]\n"],
    ["a function of its module", "def g(x):\n    return x\ndef f(x: int):\n    return g, #\n"],
    ["an exception of its own", "class E(Exception):\n    pass\ndef f(x: int):\n    raise E(#)\n"],
    [
      "values that it is given of its own classes",
      "from enum import Enum\nfrom dataclasses import dataclass\nfrom typing import NamedTuple\nclass M(Enum):\n    A = 1\n    B = 2\n@dataclass\nclass P:\n    n: int\n    m: M\nclass Q(NamedTuple):\n    p: P\ndef f(ps: list[P], qs: list[Q], m: M):\n    return [p.n for p in ps if isinstance(p, P) and isinstance(p.m, M)], [isinstance(q.p, P) for q in qs], m is M.A, type(m) is M, #\n",
    ],
  ])("do not differ by %s", async (_, text) => {
    const { status, error } = await compared(text, ["1 + 1", "2"]);
    expect(`${status} ${error ?? ""}`).toMatch(/^(timeout|undecided|equivalent) $/);
  });

  it.each([
    [
      "a function whose helper differs",
      "def h():\n    return #\ndef g():\n    return h()\ndef f(x: int):\n    return g\n",
    ],
    [
      "an object of a class in a function",
      "def f(x: int):\n    class C:\n        def get(self):\n            return #\n    return C()\n",
    ],
    ["one of two marks", "A = object()\nB = object()\nK = #\ndef f(x: int):\n    return (0, A, B)[K]\n"],
  ])("are neither the same nor different if they return %s", async (_, text) => {
    expect(await compared(text, ["1", "2"])).toMatchObject({ status: "refused" });
  });

  it.each([
    ["the precision of decimals", "import decimal\ndecimal.getcontext().prec = #\n"],
    ["the default of decimals", "import decimal\ndecimal.DefaultContext.prec = #\n"],
    ["the state of random numbers", "import random\nrandom.seed(#)\n"],
    ["what counts as a number", "import numbers\nclass C:\n    K = #\nnumbers.Number.register(str)\n"],
    ["a list of Python's own", "import keyword\nkeyword.kwlist.append('#')\n"],
  ])("are refused if one of them changes %s while it is loaded", async (_, top) => {
    const answer = await compared(`${top}def f(x: int) -> int:\n    return x + #\n`, ["5", "9"]);
    // Without a use of it, it is left out.
    const used = `${top}import decimal, random, numbers, keyword\ndef f(x: int) -> object:\n    return isinstance(x, numbers.Number), str(decimal.Decimal(x)), random.Random(x), keyword.kwlist, #\n`;
    expect(["different", "refused"]).toContain(answer["status"]);
    expect(await compared(used, ["5", "9"])).toMatchObject({
      status: "refused",
      error: expect.stringMatching(/changes what both versions use|not for code under test/),
    });
  });

  it.each([
    ["that pass a renamed parameter by name", ["xs", "ys"], /f_base\(xs=.*\) returns .* but f\(xs=.*TypeError/, "call"],
    ["without a new parameter", ["f(xs)", "f(xs, b)"], /returns .* but f\(xs=.*TypeError/, "crash"],
    [
      "that pass by name what is now passed by position only",
      ["f(xs)", "f(xs, /)"],
      /returns .* but f\(xs=.*TypeError/,
      "call",
    ],
  ] as const)("differ by calls %s", async (_, parts, words, kind) => {
    const base = "from itertools import chain\ndef f(xs):\n    return chain([1], xs)\n";
    const answer = await verdict.versions(base, base.replaceAll(parts[0], parts[1]), ["f", "f"], 4);
    expect(answer).toMatchObject({ status: "different", distinguishing_input: { kind } });
    expect(explanationOf(answer)).toMatch(words);
  });

  const difference = (first: string, second: string) =>
    `def f(${first}: int, ${second}: int) -> int:\n    return ${first} - ${second}\n`;
  const appends = (first: string, second: string, body = "") =>
    `from itertools import chain\nN = []\ndef f(${first}: list[int], ${second}: list[int]):\n    ${body}return chain([1], ${first}, ${second})\n`;
  it("differ by calls that pass by keyword what moved to another position", async () => {
    const answer = await verdict.versions(appends("a", "b"), appends("b", "a"), ["f", "f"], 4);
    expect(answer).toMatchObject({ status: "different", distinguishing_input: { kind: "call" } });
    expect(explanationOf(answer)).toMatch(/f_base\(a=(.*), b=(.*)\) returns .* but f\(a=\1, b=\2\) returns/);
    const proven = await verdict.versions(difference("a", "b"), difference("b", "a"), ["f", "f"]);
    expect(proven).toMatchObject({ status: "equivalent", confidence: "proven" });
    expect(String(proven["notes"])).toMatch(/does not cover .* by keyword: f_base\(a=0, b=1\) returns -1, but f\(a=0/);
  });

  it("do not differ by what earlier calls left in their modules", async () => {
    const count = "N.append(1)\n    ";
    const sum = (first: string, second: string) =>
      `${appends(first, second, count)
        .replace("chain([1]", `chain([len(N), len(${first}) + len(${second})]`)
        .replace(/, \w, \w\)\n$/, ")\n")}`;
    expect(await verdict.versions(sum("a", "b"), sum("b", "a"), ["f", "f"], 4)).not.toMatchObject({
      status: "different",
    });
  });

  it("differ on inputs for which neither uses what code must not use", async () => {
    const text =
      "import os\ndef f(x: int) -> object:\n    if x == 0:\n        return os.sep\n    return iter(int, 1) is x if x == 1 else #\n";
    expect(await compared(text, ["x + 1", "x + 2"])).toMatchObject({ status: "different" });
    expect(await compared(text, ["x + 1", "1 + x"])).toMatchObject({
      status: "refused",
      error: expect.stringContaining("not available to code under test"),
    });
  });

  it.each([
    ["of random numbers", "random()", /timeout|undecided/],
    ["of random numbers from a state that they set", "(seed(1), random())[1]", /different/],
  ])("differ by results %s only if these repeat", async (_, drawn, status) => {
    const text = `from random import random, seed\ndef f(x: int) -> int:\n    return int(${drawn} < #)\n`;
    expect(await compared(text, ["0.000001", "0.999999"])).toMatchObject({ status: expect.stringMatching(status) });
  });

  it.each([
    ["static method", "@staticmethod\n    def m(a: int)", "a function without an object"],
    ["property", "@property\n    def m(self)", "a property"],
  ])("are not compared if a method is now a %s", async (_, head, kind) => {
    const of = (start: string) => `class C:\n    x = 1\n    ${start}:\n        return 1\n`;
    const report = await faultOf(verdict.versions(of("def m(self)"), of(head), ["C.m", "C.m"], 4));
    expect(report.error).toContain(`was a method and is now ${kind}`);
  });

  it.each([
    [
      "the base of an exception",
      "class E(#):\n    pass\ndef f(b: bool) -> int:\n    raise E\n",
      ["ValueError", "KeyError"],
    ],
    [
      "the options of a dataclass",
      "from dataclasses import dataclass\n@dataclass(#)\nclass P:\n    b: bool\ndef f(b: bool):\n    return P(b)\n",
      ["eq=True", "eq=False"],
    ],
    [
      "a class of members",
      "import enum\nclass P(enum.#):\n    A = 1\ndef f(b: bool):\n    return P.A\n",
      ["Enum", "IntEnum"],
    ],
  ] as const)("are not equivalent if they differ by %s", async (_, text, parts) => {
    expect((await compared(text, parts))["status"]).not.toBe("equivalent");
  });

  it("differ by a result rather than by a call that passes a renamed parameter by name", async () => {
    const base = "def f(x: int) -> int:\n    return x + 1\n";
    const answer = await verdict.versions(base, "def f(y: int) -> int:\n    return y + 2\n", ["f", "f"], 4);
    expect(answer).toMatchObject({ status: "different", distinguishing_input: { kind: "result" } });
  });

  it("are proved equivalent for calls by position", async () => {
    const base = "def f(x: int) -> int:\n    return x + 1\n";
    const answer = await verdict.versions(base, "def f(y: int) -> int:\n    return 1 + y\n", ["f", "f"], 8);
    expect(answer).toMatchObject({ status: "equivalent", confidence: "proven", distinguishing_input: null });
  });

  it("are proved equivalent, each with its own names", async () => {
    const text =
      "LIMIT = #\ndef same(x: int) -> int:\n    return x * 2\ndef clip(x: int) -> int:\n    return min(x, LIMIT)\ndef f(x: int) -> int:\n    return same(clip(x))\n";
    expect(await compared(text, ["3 + 4", "7"], undefined)).toMatchObject({
      status: expect.not.stringMatching("different"),
    });
    const of = (body: string) =>
      `LIMIT = 7\ndef clip(x: int) -> int:\n    ${body}\ndef f(x: int) -> int:\n    return clip(x) * 2\n`;
    const [one, other] = [of("return min(x, LIMIT)"), of("return x if x < LIMIT else LIMIT")];
    expect(await verdict.versions(one, other, ["f", "f"])).toMatchObject({
      status: "equivalent",
      confidence: "proven",
    });
    // The same texts with another constant.
    expect(await verdict.versions(one, other.replace("7", "8"), ["f", "f"])).toMatchObject({ status: "different" });
    // `abs` is Python's in one version, and the module's own in the other one.
    const own = "def abs(x: int) -> int:\n    return x\n";
    const g = "def g(x: int) -> int:\n    return abs(x)\ndef f(x: int) -> int:\n    return g(x)\n";
    expect(await verdict.versions(g, own + g, ["f", "f"])).toMatchObject({ status: "different" });
    expect(await verdict.versions(g, own + g.replace("abs(x)", "max(x, -x)"), ["f", "f"])).not.toMatchObject({
      status: "different",
    });
  });
});
