import { afterAll, describe, expect, it } from "vitest";
import { OwnAnswers } from "../../src/commands/gate/affected.ts";
import type { Change } from "../../src/commands/gate/changed.ts";
import { readOptions } from "../../src/commands/gate/options.ts";
import { expectedNotes, judged } from "../../src/commands/gate/policy.ts";
import type { Comparison, Report, Result } from "../../src/commands/gate/report.ts";
import { sarifReport } from "../../src/commands/gate/reports/sarif.ts";
import { textReport } from "../../src/commands/gate/reports/text.ts";
import { readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { fixture } from "../support/fixture.ts";
import { Repository } from "../support/gate.ts";
import { has_python } from "../support/models.ts";
import { privatePython, real_setup_ms_max } from "../support/python.ts";

const engines = fixture(() => new Engines(readConfig({})));
const job = () => new Deadline(60_000);

/** A call of `f` uses all that the text defines. */
const uses = "def f(x):\n    return g(x)\n";

describe.skipIf(!has_python)("the functions through which a function is affected", () => {
  async function usesOf(base: string, head: string) {
    const { functions } = await engines.python.changes(base, head, job());
    const version = (text: string) => ({ text, name: "f", own_modules: [], path: "a.py", files: {} });
    const { pair } = await engines.python.pair(version(base), version(head), job());
    const listed = functions.find(({ name }) => name === "f");
    expect(listed).toMatchObject({ change: "changed", through: expect.any(Array) });
    // Without imports, both see the same code.
    expect(pair?.uses).toEqual(listed?.uses);
    return listed?.uses?.map(({ name, by_value }) => `${name}${by_value ? " by value" : ""}`);
  }

  it.each([
    ["a function", "def g(x):\n    return x + #\n", ["g"]],
    ["a method", "class C:\n    def m(self):\n        return #\ndef g(x):\n    return C().m()\n", ["C.m"]],
    ["another parameter", "def g(x, #=1):\n    return x\n", ["g"], "a", "b"],
    ["another default", "def g(x, a=#):\n    return x\n", ["g"]],
    ["a default from elsewhere", "T = 1\ndef g(x, a=T):\n    return x + #\n", ["g"]],
    ["a docstring that code reads", 'def g(x):\n    "#"\n    return g.__doc__ + "#"\n', ["g"]],
    ["a new helper of it", "#    return x\n", ["g"], "def g(x):\n", "def h(x):\n    return x\ndef g(x):\n    h(x)\n"],
    ["a constant of it alone", "T = #\ndef g(x):\n    return x + T + #\n", ["g"]],
    ["only the first of two", "def h(x):\n    return #\ndef g(x):\n    return h(x) + #\n", ["g"]],
    [
      "a new method",
      "class C:\n    a = 1\n#def g(x):\n    return C() == x\n",
      ["C.__eq__"],
      "",
      "    def __eq__(self, o):\n        return True\n",
    ],
    ["an immutable function", "def g(x: int) -> int | None:\n    return x + #\n", ["g by value"]],
    ["an immutable function with a default", "def g(x: str, a=1) -> str:\n    return x + '#'\n", ["g"]],
    [
      "the first of two",
      "def h(x: int):\n    return #\ndef g(x: int, a: int = 1) -> int:\n    return h(x) + #\n",
      ["g by value"],
    ],
    ["a list", "def g(x: list[int]) -> int:\n    return x[#]\n", ["g"]],
    ["a quoted type", "def g(x: 'list') -> int:\n    return x[#]\n", ["g"]],
    ["a result without a type", "def g(x: int):\n    return [x, #]\n", ["g"]],
    ["another default of an integer", "def g(x: int, a: int = #) -> int:\n    return x\n", ["g"]],
    ["another type", "def g(x: #) -> int:\n    return # + 1\n", ["g"], "int", "float"],
    ["another message", "def g(x: int) -> int:\n    if x:\n        raise KeyError(#)\n    return x\n", ["g"]],
    [
      "another message of its helper",
      "def h(x):\n    assert x, #\ndef g(x: int) -> int:\n    h(x)\n    return x + #\n",
      ["g"],
    ],
    ["text that code reads", "def g(x: int) -> int:\n    return len(g.__annotations__) + #\n", ["g"]],
  ])("are found: %s", async (_, text, names, one = "1", two = "2") => {
    expect(await usesOf(text.replaceAll("#", one) + uses, text.replaceAll("#", two) + uses)).toEqual(names);
  });

  it.each([
    ["a constant", "T = #\ndef g(x):\n    return T\n"],
    [
      "a constant that other code also uses",
      "T = #\ndef h(x):\n    return T\ndef g(x):\n    h(x)\n    return x + #\ndef f(x):\n    return g(x) + h(x)\n",
    ],
    ["a class variable", "class C:\n    a = #\ndef g(x):\n    return C.a\n"],
    ["an import", "#\ndef g(x):\n    return sqrt(x)\n", "from math import sqrt", "from cmath import sqrt"],
    [
      "an import that is a function now",
      "#\ndef g(x):\n    return sqrt(x)\n",
      "from math import sqrt",
      "def sqrt(x):\n    return x",
    ],
    ["a decorator", "def d(n):\n    return lambda f: f\n@d(#)\ndef g(x):\n    return x + #\n"],
    [
      "a new decorated function",
      "T = []\ndef d(f):\n    T.append(f)\n    return f\n#def g(x):\n    return T\n",
      "",
      "@d\ndef h(x):\n    return x\n",
    ],
    [
      "what a default does while it is loaded",
      "T = []\ndef g(x, a=#):\n    return x + #\ndef f(x):\n    return g(x) + len(T)\n",
      "T.append(1)",
      "T.append(2)",
    ],
    ["a statement of the module", "T = []\ndef g(x):\n    return T + [#]\nT.append(#)\n"],
    [
      "the order of definitions",
      "#def f(x):\n    return g(x)\n",
      "def g(x):\n    return 1\ndef g(x):\n    return 2\n",
      "def g(x):\n    return 2\ndef g(x):\n    return 1\n",
    ],
    [
      "a function and a constant that code finds by its name",
      "T = #\ndef g(x):\n    return x + #\ndef f(x):\n    return g(x) + globals()['T']\n",
    ],
    [
      "a base class",
      "class A:\n    def m(self):\n        return #\nclass B:\n    def m(self):\n        return 3\nclass C(#):\n    pass\ndef g(x):\n    return C().m()\n",
      "A",
      "B",
    ],
  ])("are not named if %s differs", async (_, text, one = "1", two = "2") => {
    const more = text.includes("def f(") ? "" : uses;
    expect(await usesOf(text.replaceAll("#", one) + more, text.replaceAll("#", two) + more)).toBeUndefined();
  });

  it("are named with their module, and only if no other module differs elsewhere", async () => {
    const text = "from .util import g\nfrom .util import T\ndef f(x):\n    return g(x) + T\n";
    const of = (sum: string, constant: string) => ({
      ...{ text, name: "f", own_modules: [], path: "pkg/main.py" },
      files: {
        ...{ "pkg/util/__init__.py": null, "pkg/__init__.py": "" },
        "pkg/util.py": `T = ${constant}\ndef g(x):\n    return ${sum}\n`,
      },
    });
    const { pair } = await engines.python.pair(of("x + 1", "1"), of("x + 2", "1"), job());
    expect(pair?.uses).toEqual([{ name: "g", by_value: false, path: "pkg/util.py" }]);
    expect((await engines.python.pair(of("x + 1", "1"), of("x + 2", "2"), job())).pair?.uses).toBeNull();
  });
});

const place = { file: "a.py", function: "f", line: 1, end_line: 2 };
const none = { notes: [], cached: false, time_seconds: 0 };

function affected(more: Partial<Comparison> = {}, name = "f"): Omit<Result, "failures"> {
  const used = [{ file: "a.py", function: "g", status: "different" }];
  const comparison: Comparison = { status: "affected", uses: used, are_same: false, ...none, ...more };
  return {
    change: "changed",
    head: { ...place, function: name },
    base: place,
    through: ["g"],
    comparison,
    contract: null,
  };
}

describe("an affected function", () => {
  const text = "def f(): pass";
  const change = (name: string, kind: Change["kind"] = "changed", through: string[] = []): Change => {
    const at = { file: "a.py", text, name, own_modules: [], line: 1, end_line: 1 };
    return { kind, base: at, head: at, through, uses: null, has_contract: false, had_contract: false };
  };
  const use = (name: string, by_value = true) => ({ name, by_value, path: "" });

  it("uses only functions that have changes of their own, and that are the same or not", () => {
    const own = new OwnAnswers();
    own.add(change("g"), { comparison: { status: "equivalent", ...none } });
    own.add(change("h"), { comparison: { status: "undecided", ...none } });
    own.add(change("text", "same_code"), { comparison: { status: "same_code", ...none } });
    own.add(change("user", "changed", ["g"]), { comparison: { status: "equivalent", ...none } });
    const of = (...used: ReturnType<typeof use>[]) => own.affected("a.py", used);
    expect(of(use("g"))).toMatchObject({ status: "affected", are_same: true });
    expect(of(use("g", false))?.are_same).toBe(false);
    expect(of(use("g"), use("h"))).toMatchObject({
      are_same: false,
      uses: [
        { file: "a.py", function: "g", status: "equivalent" },
        { file: "a.py", function: "h", status: "undecided" },
      ],
    });
    for (const each of ["text", "user", "unknown"]) expect(of(use("g"), use(each))).toBeUndefined();
    expect(own.affected("b.py", [use("g")])).toBeUndefined();
    expect(own.affected("b.py", [{ ...use("g"), path: "a.py" }])?.are_same).toBe(true);
    expect(own.affected("a.py", null)).toBeUndefined();
  });

  it("fails the gate only if it must not change, and neither it nor what it uses was found to be the same", () => {
    const all = "different,unexpected,contract,undecided,not-checked,error";
    const failuresOf = (each: Omit<Result, "failures">, flags: object) =>
      judged(each, readOptions({ base: "main", failOn: all, ...flags })).failures;
    const promise = { expectSame: ["f"] };
    expect(failuresOf(affected(), {})).toEqual([]);
    expect(failuresOf(affected(), promise)).toEqual(["unexpected"]);
    expect(failuresOf(affected({ asked: { status: "not_checked", why: "w" } }), promise)).toEqual(["unexpected"]);
    expect(failuresOf(affected(), { ...promise, allow: "not-checked" })).toEqual([]);
    expect(failuresOf(affected({ are_same: true }), promise)).toEqual([]);
    expect(failuresOf(affected({ asked: { status: "undecided", why: "w" } }), promise)).toEqual([]);
    const results = [affected(), affected({ are_same: true })].map((each) => ({ ...each, failures: [] }));
    expect(expectedNotes(results, { expect_same: ["f"] })).toEqual([
      "Of --expect-same, could not be checked: a.py::f.",
      "Of --expect-same, not checked separately, because all functions that they use were found to be the same: a.py::f.",
    ]);
  });

  it("shares one line with all that use the same functions, after those with changes of their own", () => {
    const others = [{ file: "a.py", function: "h", status: "undecided" }];
    const own: Comparison = { status: "undecided", why: "not decided within 10 s", ...none };
    const results = [
      ...["a", "b", "c"].map((name) => affected({}, name)),
      affected({ uses: others, asked: { status: "undecided", why: "not decided within 10 s" } }, "d"),
      { ...affected({}, "e"), through: [], comparison: own },
    ].map((each) => ({ ...each, failures: [] }));
    const commit = "a".repeat(40);
    const report: Report = {
      ...{ version: "0", python: "3", passed: true, fail_on: [], left_out: [], notes: [], time_seconds: 1, results },
      ...{ base: { ref: "main", commit, merge_base: commit }, head: { ref: "HEAD", commit } },
      counts: { functions: 5 },
    };
    const shown = textReport(report);
    expect(shown).toMatch(
      /^1 function differs between .* 4 more functions did not change themselves, but use functions that changed\.\n/,
    );
    const lines = shown.split("\n").filter((line) => line.startsWith("·"));
    expect(lines.map((line) => line.replace(/a\.py:1 /g, "").replace(/ +/g, " "))).toEqual([
      "· undecided e",
      "· affected 3 functions: a, b, c",
      "· affected d",
    ]);
    expect(shown).toContain("    their own code is the same; they use g, which changed\n");
    expect(shown).toContain("it uses h, which changed; the question about it: not decided within 10 s");
    expect(shown).toContain("1 undecided; of the functions that use what changed: 4 affected.");
    expect(shown).not.toMatch(/equivalent|proved/);
    expect(sarifReport(report).runs[0]?.results).toEqual([]);
    const failing = { ...report, results: results.map((each) => ({ ...each, failures: ["unexpected"] })) };
    expect(sarifReport(failing).runs[0]?.results.map(({ ruleId }) => ruleId)).toContain("verdict/affected");
  });
});

describe.skipIf(!has_python)("verdict gate on affected functions", { timeout: real_setup_ms_max }, () => {
  const project = new Repository();
  afterAll(() => project.remove());
  const of = (sum: string, order: string, less: string, list: string, get: string) => `import requests
def twice(x: int) -> int:
    return ${sum}
def four(x: int) -> int:
    return twice(twice(x))
def take(${order}) -> int:
    return a - b
def left(x: int) -> int:
    return take(x, 1)
def ticket(age: int) -> int:
    return 12 if age ${less} 65 else 8
def child(x: bool) -> int:
    return ticket(3) + x
def price(age: int) -> int:
    return ticket(age)
def parts(xs: list[int]) -> list[int]:
    return ${list}
def more(xs: list[int]) -> int:
    parts(xs).append(1)
    return len(xs)
def fetch(url: str) -> int:
    return ${get}
def page(n: int) -> int:
    return fetch(str(n))
`;

  it("asks for those whose answer does not follow, and makes no claim about the others", async () => {
    project.change(
      { "a.py": of("x + x", "a: int, b: int", "<", "xs", "requests.get(url)") },
      { "a.py": of("2 * x", "b: int, a: int", "<=", "xs[:]", "requests.post(url)") },
    );
    const env = { VERDICT_ENVIRONMENTS: `${(await privatePython()).data}/python` };
    const args = ["--timeout-per-function", "60", "--no-cache"];
    const { results, counts } = await project.report(args, env);
    const found = new Map(results.map(({ head, comparison }) => [head?.function, comparison]));
    expect(found.get("four")).toMatchObject({ status: "affected", are_same: true });
    expect(found.get("four")?.asked).toBeUndefined();
    // Its callers were not adapted to the changed order of the parameters.
    expect(found.get("left")?.status).toBe("different");
    // The proof for `parts` says nothing about which list it returns.
    expect(found.get("parts")?.status).toBe("equivalent");
    expect(found.get("more")?.status).toBe("different");
    expect(found.get("child")?.status).toBe("equivalent");
    expect(found.get("price")?.status).toBe("different");
    expect(found.get("page")).toMatchObject({
      status: "affected",
      uses: [{ file: "a.py", function: "fetch", status: "not_checked" }],
      asked: { status: "not_checked", why: expect.stringContaining("package requests") },
    });
    expect(results.slice(0, 5).every(({ through }) => through.length === 0)).toBe(true);
    expect(counts).toMatchObject({ functions: 11, own_changes: 5, affected: 2 });
    // A promise is asked about, whatever is known of what the function uses.
    const promised = await project.report([...args, "--expect-same", "four"], env);
    expect(promised.results.find(({ head }) => head?.function === "four")?.comparison?.status).toBe("equivalent");
  });
});
