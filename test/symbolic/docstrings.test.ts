import { describe, expect, it } from "vitest";
import { faultOf } from "../support/faults.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { shareSymbolic } from "../support/symbolic.ts";

const verdict = fixture(shareSymbolic);

/** A root that refuses negative numbers, with this docstring. */
function refusing(doc: string): string {
  const text = doc.split("\n").join("\n    ");
  return `def f(n: int) -> int:\n    """${text}\n    """\n    if n < 0:\n        raise ValueError("negative")\n    return n + 1\n`;
}

const notesOf = (answer: Record<string, unknown>) => (answer["notes"] as string[]).join("\n");

describe.skipIf(!has_python)("exceptions that a docstring declares", () => {
  it.each([
    [
      "Google",
      "Add one.\n\nArgs:\n    n: A number.\n\nRaises:\n    ValueError: If n is negative.\n    TypeError: never",
    ],
    ["Google, several at once", "Raises:\n    TypeError, ValueError: If n is negative\n        or worse"],
    ["Sphinx", ":param n: a number\n:raises ValueError: when negative"],
    ["Sphinx, several at once", ":raises TypeError, ValueError: when negative"],
    ["Sphinx, in the singular", ":raise ValueError: when negative"],
    ["Epydoc", "@raise ValueError: when negative"],
    [
      "NumPy",
      "Add one.\n\nParameters\n----------\nn : int\n    A number.\n\nRaises\n------\nValueError\n    If n is negative.",
    ],
    ["NumPy, before other sections", "Raises\n------\nTypeError\nValueError\n    If.\n\nReturns\n-------\nint"],
    ["PEP 316", "raises: ValueError"],
  ])("are not violations, and keep no proof away: %s", async (_, doc) => {
    const answer = await verdict.check(refusing(doc), "f");
    expect(answer).toMatchObject({ status: "verified" });
    expect(notesOf(answer)).toMatch(/Exceptions that the docstring declares are not violations: .*ValueError/);
  });

  it.each([
    ["of another kind", "Raises:\n    KeyError: If n is negative."],
    ["below the section", "Raises:\n    KeyError: If.\n\nNote:\n    ValueError is what it raises."],
    ["in what is said of an entry", "Raises:\n    KeyError: like this:\n        ValueError: no entry"],
    ["in prose", "This raises ValueError if n is negative."],
  ])("are violations as ever: %s", async (_, doc) => {
    expect(await verdict.check(refusing(doc), "f")).toMatchObject({
      status: "counterexample",
      counterexamples: [{ violation: "exception: ValueError: negative" }],
    });
  });

  it("do not excuse an assert that fails", async () => {
    const code = (raises: string) =>
      `def f(n: int) -> int:\n    """\n    Raises:\n        ${raises}: always\n    """\n    n += 1\n    assert n != 1000\n    return n\n`;
    for (const raises of ["AssertionError", "Exception"])
      expect(await verdict.check(code(raises), "f")).toMatchObject({ status: "counterexample" });
  });

  it("have no part in the other questions", async () => {
    const code = `${refusing("Raises:\n    ValueError: If n is negative.\npre: n > 5")}def g(n: int) -> int:\n    return n + 1\n`;
    expect(await verdict.compare(code, "f", "g")).toMatchObject({ status: "different" });
    expect(await verdict.raises(code, "f", "ValueError")).toMatchObject({ status: "unreachable" });
    expect(await verdict.raises(code, "f", "KeyError")).toMatchObject({ status: "unreachable" });
    expect(await verdict.branches(code, "f")).toMatchObject({ status: "complete", total_branches: 1 });
  });
});

describe.skipIf(!has_python)("conditions in a docstring", () => {
  const sum = (doc: string, more = "") =>
    `def f(xs: list[int], k: int) -> int:\n    """\n    ${doc.split("\n").join("\n    ")}\n    """\n    total = k\n    for x in xs:\n        total += x * x\n    k = 0\n    return total${more}\n`;

  it("are read by the prover, over loops, and with the arguments as they were given", async () => {
    for (const result of ["__return__", "_"]) {
      const code = sum(`pre: k > 3\npost: ${result} >= k`);
      expect(await verdict.check(code, "f")).toMatchObject({
        status: "verified",
        proof: { method: "proof by induction over its loops" },
      });
    }
  });

  it.each([
    ["a result that breaks one", "pre: k > 3\npost: _ > k"],
    ["a precondition too few", "post: _ >= 0"],
    ["one that raises", "pre: k > 3\npost: 1 // (_ - k) >= 0"],
    ["one that raises what is declared", "raises: ZeroDivisionError\npre: k > 3\npost: 1 // (_ - k) >= 0"],
  ])("are broken by %s", async (_, doc) => {
    expect(await verdict.check(sum(doc), "f")).toMatchObject({ status: "counterexample" });
  });

  it("that raise are not inputs either", async () => {
    const code =
      'def f(n: int) -> int:\n    """\n    pre: 100 // n > 0\n    post: _ > 0\n    """\n    return 100 // n\n';
    expect(await verdict.check(code, "f")).toMatchObject({ status: "verified" });
  });

  it.each([":", "@", ""])("are read behind %j, as fields are written", async (mark) => {
    const code = `def f(n: int) -> int:\n    """One of n.\n\n    ${mark}pre: n != 0\n    ${mark}post: _ >= 0\n    """\n    return 1 // n\n`;
    expect(await verdict.check(code, "f")).toMatchObject({
      status: "counterexample",
      counterexamples: [{ violation: expect.stringContaining("postcondition") }],
    });
  });

  it("are not accepted for a function's own calls", async () => {
    const code =
      'def f(n: int) -> int:\n    """\n    pre: n > 0\n    post: _ > 0\n    """\n    return 1 if n < 3 else f(n - 3)\n';
    const wrong = code.replace("return 1 if n < 3", "return n if n < 3");
    expect(await verdict.check(wrong, "f")).toMatchObject({ status: "counterexample" });
  });

  it("are reported once if they are prose, which prevents no proof before `post:`", async () => {
    const prose = "pre: the list must be sorted\npre: and k is positive\npost: _ >= k";
    const answer = await verdict.check(sum(prose), "f");
    expect(answer).toMatchObject({ status: "verified" });
    expect(notesOf(answer).match(/is prose/g)).toHaveLength(1);
    expect(notesOf(answer)).toContain("line 3, 4");
    const promise = await verdict.check(sum("post: it is positive"), "f", 3);
    expect(promise).not.toMatchObject({ status: "verified" });
  });

  it.each(["eval(n)", "open(n)", "__import__('os')", "n.__class__"])("may not reach further: %s", async (text) => {
    const code = `def f(n: int) -> int:\n    """\n    pre: ${text} == 1\n    """\n    return n\n`;
    const fault = await faultOf(verdict.check(code, "f"));
    expect(fault).toMatchObject({ error_type: "SandboxViolation", position: { line: 3 } });
    expect(fault.error).not.toContain("lineno");
  });
});

const caller = (argument: string, more = "") =>
  `def h(x: int) -> int:\n${more ? `    """${more}"""\n` : ""}    return f(${argument})\n`;
const documented = (conditions: string) => `def f(x: int) -> int:\n    """${conditions}"""\n    return x\n`;

describe.skipIf(!has_python)("the contract of a called function", () => {
  it.each([
    ["a docstring", documented("pre: x > 0")],
    ["leading asserts", "def f(x: int) -> int:\n    assert x > 0\n    return x\n"],
    ["icontract", "import icontract\n@icontract.require(lambda x: x > 0)\ndef f(x: int) -> int:\n    return x\n"],
    ["deal", "import deal\n@deal.pre(lambda x: x > 0)\ndef f(x: int) -> int:\n    return x\n"],
  ])("has preconditions that the caller must meet: %s", async (_, f) => {
    const answer = await verdict.check(f + caller("x"), "h");
    expect(answer).toMatchObject({
      status: "counterexample",
      counterexamples: [{ violation: "precondition of f: x > 0" }],
    });
    expect((await verdict.check(f + caller("x * x + 1"), "h"))["status"]).toMatch(/verified|undecided/);
  });

  it("is an obligation of the prover, too, which the caller's own precondition can meet", async () => {
    const both = documented("pre: x > 0\n    post: _ > 0");
    expect(await verdict.check(both + caller("x", "pre: x > 3"), "h")).toMatchObject({ status: "verified" });
    expect(await verdict.check(both + caller("x", "pre: x > -3"), "h")).toMatchObject({
      status: "counterexample",
      counterexamples: [{ violation: "precondition of f: x > 0" }],
    });
  });

  it("says what Python itself does, which checks no docstring", async () => {
    const answer = await verdict.check(documented("pre: x > 0") + caller("x"), "h");
    expect(answer).toMatchObject({
      counterexamples: [
        { actual_result: expect.any(Number), test: expect.stringContaining("Python does not check a docstring") },
      ],
    });
  });

  it.each([
    ["a postcondition", `${documented("post: _ > 0")}${caller("x")}`, "h", "postcondition of f: _ > 0"],
    [
      "a method and a constructor",
      'class A:\n    def __init__(self, x: int):\n        """pre: x >= 0"""\n        self.x = x\n    def take(self, n: int) -> int:\n        """pre: n <= self.x"""\n        return self.x - n\ndef h(x: int) -> int:\n    """pre: x >= 0"""\n    return A(x).take(2)\n',
      "h",
      "precondition of take: n <= self.x",
    ],
    [
      "a recursive call",
      'def f(n: int) -> int:\n    """pre: n >= 0"""\n    return 0 if n == 0 else f(n - 2)\n',
      "f",
      "precondition of f: n >= 0",
    ],
    [
      "a condition that raises what the caller declares",
      `${documented("pre: 1 // x > -2")}${caller("x", "raises: ZeroDivisionError")}`,
      "h",
      "precondition of f: 1 // x > -2",
    ],
  ])("covers %s", async (_, code, name, violation) => {
    expect(await verdict.check(code, name)).toMatchObject({
      status: "counterexample",
      counterexamples: [{ violation }],
    });
  });

  /** Each of these would be "verified" if what is not seen counted as met. */
  it.each([
    [
      "a handler",
      "    try:\n        return f(x)\n    except Exception:\n        return 0\n",
      "pre: x > 0",
      "line 6 can hide",
    ],
    ["a changed parameter", "    return f(x)\n", "post[x]: True", "line 2: nothing checks this postcondition of f"],
    [
      "values before the call",
      "    return f(x)\n",
      "post: _ == __old__.x",
      "line 2: nothing checks this postcondition of f",
    ],
  ])("keeps a proof away where it can't be followed: %s", async (_, body, conditions, why) => {
    const answer = await verdict.check(`${documented(conditions)}\ndef h(x: int) -> int:\n${body}`, "h");
    expect(answer).toMatchObject({ status: "undecided", proof: null });
    expect(notesOf(answer)).toContain(why);
  });

  it("is only text in the other questions", async () => {
    const code = documented("pre: x > 0") + caller("x");
    expect(await verdict.raises(code, "h", "AssertionError")).toMatchObject({ status: "unreachable" });
    expect(await verdict.compare(code, "f", "h")).toMatchObject({ status: "equivalent" });
  });
});
