import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Report } from "../../src/commands/gate/report.ts";
import { command } from "../support/command_line.ts";
import { removeDirectory } from "../support/directories.ts";
import { Repository, statuses } from "../support/gate.ts";
import { has_python } from "../support/models.ts";
import { privatePython, real_setup_ms_max } from "../support/python.ts";

const made: Repository[] = [];
function repository(): Repository {
  const one = new Repository();
  made.push(one);
  return one;
}
afterAll(() => {
  for (const each of made) each.remove();
});

/** Time does not matter here: all of these are decided in a second on a quiet machine. */
const patient = ["--timeout-per-function", "60"];

const base = `LIMIT = 10

def clamp(x: int, low: int, high: int) -> int:
    if x < low:
        return low
    return high if x > high else x

def ticket(age: int) -> int:
    return 12 if age < 65 else 8

def total(xs: list[int]) -> int:
    t = 0
    for x in xs:
        t += x
    return t

def capped(x: int) -> int:
    return min(x, LIMIT)

def fetch(url):
    import requests
    return requests.get(url)

def quiet(x: int) -> int:
    return x

def share(amount: int, people: int) -> int:
    """Split.

    pre: people > 0
    post: _ * people <= amount
    """
    return amount // people
`;
const head = base
  .replace("LIMIT = 10", "LIMIT = 11")
  .replace("age < 65", "age <= 65")
  .replace(/ {4}t = 0[\s\S]*?return t\n/, "    return sum(xs)\n")
  .replace("get(url)", "get(url, timeout=3)")
  .replace("def quiet(x: int) -> int:\n", 'def quiet(x: int) -> int:\n    """It says nothing."""\n')
  .replace("return amount // people", "return -(-amount // people)");

/** The files of a change in both versions. */
const clamp = base.slice(base.indexOf("def clamp"), base.indexOf("def ticket"));
const moved = {
  base: { "a.py": `${clamp}def gone(x: int) -> int:\n    return x\n`, "broken.py": "def f(:\n", "notes.ipynb": "{}" },
  head: {
    "a.py": "\n",
    "b c.py": `${clamp.replace("high if x > high else x", "min(x, high)")}def new(x: int) -> int:\n    return x + 2\n`,
    "broken.py": "def f():\n    pass\n",
    "notes.ipynb": "{ }",
    "made_pb2.py": "def f(x: int) -> int:\n    return x\n",
  },
};
const util = "LIMIT = 3\n\ndef clip(n: int) -> int:\n    return min(n, LIMIT)\n";
const main = `from .util import clip
from . import util

def f(n: int) -> int:
    return clip(n) + 1

def g(n: int) -> int:
    return n + n + util.LIMIT - util.LIMIT
`;
const packaged = {
  base: { "p/__init__.py": "", "p/util.py": util, "p/main.py": main },
  head: {
    "p/util.py": util.replace("LIMIT = 3", "LIMIT = 4"),
    "p/main.py": main.replace("clip(n) + 1", "1 + clip(n)").replace("n + n", "2 * n"),
  },
};
const generator = (first: string, last: string) =>
  `def later(n: int):\n    yield n\n    if n > 3:\n        ${first}\n        yield n + 1\ndef ends(n: int):\n    yield n\n    raise ${last}\n`;
const generators = {
  base: { "generators.py": generator("yield 0", "ValueError") },
  head: { "generators.py": generator("yield 1", "KeyError") },
};

describe.skipIf(!has_python)("verdict gate", { timeout: real_setup_ms_max }, () => {
  let env: Record<string, string>;
  let project: Repository;
  let data: string;
  /** Of the change of the shop, and of several changes that have nothing to do with each other. */
  let report: Report;
  let various: Report;
  beforeAll(async () => {
    // Answers of an earlier run of the tests are not used, and those of this one are.
    data = mkdtempSync(join(tmpdir(), "verdict-gate-data-"));
    env = { VERDICT_DATA: data, VERDICT_ENVIRONMENTS: join((await privatePython()).data, "python") };
    project = repository().change({ "shop/price.py": base }, { "shop/price.py": head });
    report = await project.report(patient, env);
    various = await repository()
      .change(
        { ...moved.base, ...packaged.base, ...generators.base },
        { ...moved.head, ...packaged.head, ...generators.head },
      )
      .report(patient, env);
  }, real_setup_ms_max);

  afterAll(() => data && removeDirectory(data));

  it("tells apart what is proved, what differs, and what could not be checked", () => {
    expect(statuses(report)).toEqual({
      ticket: "different",
      total: "equivalent",
      capped: "different",
      fetch: "not_checked",
      quiet: "same_code",
      share: "different",
    });
    const of = (name: string) => report.results.find((each) => each.head?.function === name);
    expect(of("ticket")?.comparison?.counterexample).toMatchObject({ args: { age: 65 } });
    expect(of("total")?.comparison?.proof?.assumptions.length).toBeGreaterThan(0);
    expect(of("capped")).toMatchObject({ through: ["LIMIT"], failures: [] });
    expect(of("fetch")?.comparison?.why).toContain("the package requests");
    // The contract was kept before: this change broke it.
    expect(of("share")).toMatchObject({ contract: { in_base: "not_known_broken" }, failures: ["contract"] });
    expect(report.passed).toBe(false);
  });

  it("prints it for people, writes further reports into files, and exits with 1 where the policy says so", async () => {
    const file = join(data, "out.sarif");
    const writes = ["--write", `sarif=${file}`, `json=${file}.json`];
    const { status, stdout } = await project.gate(
      [...patient, ...writes, "--fail-on", "different", "--expect-different", "cap*", "share"],
      env,
    );
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ version: "2.1.0" });
    expect(JSON.parse(readFileSync(`${file}.json`, "utf8"))).toMatchObject({ passed: false });
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /✗ different .* shop\/price\.py:8 ticket\n.*ticket_base\(age=65\) returns 8, but ticket\(age=65\) returns 12, where not \(age < 65\)/,
    );
    expect(stdout).toMatch(/! different .* capped/);
    expect(stdout).toMatch(/proved equivalent .* total/);
    expect(stdout).not.toMatch(/verified/);
    expect(stdout).toContain("Failed: 1 of the functions (the gate fails on different).");
    expect((await project.gate([...patient, "--fail-on", "none"], env)).status).toBe(0);
    const expecting = await project.report(
      [...patient, "--fail-on", "unexpected", "--expect-same", "shop/*::cap*"],
      env,
    );
    expect(expecting.results.filter(({ failures }) => failures.length > 0).map((each) => each.head?.function)).toEqual([
      "capped",
    ]);
  });

  it("finds functions that moved, and those that are new or gone; a file that is not Python is left out", () => {
    const { results, left_out } = various;
    expect(statuses(various)).toMatchObject({ clamp: "equivalent", new: "added", gone: "removed" });
    const clamp = results.find((each) => each.head?.function === "clamp");
    expect(clamp).toMatchObject({ change: "moved", base: { file: "a.py" }, head: { file: "b c.py" } });
    expect(left_out).toEqual([{ file: "broken.py", why: expect.stringContaining("in the base it can't be parsed") }]);
  });

  it("takes other modules of the repository along, each of its own version", () => {
    expect(statuses(various)).toMatchObject({ f: "different", g: "equivalent", clip: "different" });
    const f = various.results.find((each) => each.head?.function === "f");
    // They differ for each n above 3, whichever is found.
    const differs = /f_base\(n=([4-9]|\d{2,})\) returns 4, but f\(n=\1\) returns 5/;
    expect(f?.comparison?.counterexample?.explanation).toMatch(differs);
    expect(f?.comparison?.notes).toContain("Included from each version: p/util.py.");
  });

  it("checks no function of a module that can't be loaded", async () => {
    const of = (body: string, more: string) => `def f(x: int) -> int:\n    return ${body}\n${more}`;
    const broken = repository().change(
      { "a.py": of("x + 1", ""), "b.py": of("x + 1", "") },
      {
        "a.py": of("1 + x", "import os\nHOME = os.sep\nSIZE = 1 // 0\n"),
        "b.py": of("1 + x", "SIZE = 1\n"),
      },
    );
    const report = await broken.report(patient, env);
    const [a, b] = ["a.py", "b.py"].map((file) => report.results.find((each) => each.head?.file === file)?.comparison);
    expect(a).toMatchObject({
      status: "not_checked",
      why: expect.stringContaining("a.py can't be loaded: Line 5: The module level raises ZeroDivisionError"),
    });
    expect(b?.status).toBe("equivalent");
  });

  it("guesses types where there are none, and never calls the answer a proof", async () => {
    const of = (same: string, sign: string, lots: string, wrong: string) =>
      `import random\ndef same(n=3):\n    return ${same}\ndef shout(text):\n    return text.upper() + "${sign}"\ndef lots(n: int) -> float:\n    return ${lots}\ndef wrong(x):\n    return ${wrong}\n`;
    const bare = repository().change(
      { "a.py": of("n + n", "!", "random.random() + n", "x.nothing()") },
      { "a.py": of("2 * n", "?", "n + random.random()", "0 or x.nothing()") },
    );
    const args = ["--timeout-per-function", "20", "--fail-on", "undecided"];
    const report = await bare.report(args, env);
    const of_function = (name: string) => report.results.find((each) => each.head?.function === name);
    expect(of_function("same")).toMatchObject({
      comparison: { status: "no_difference_under_assumed_types", assumed_types: { n: "int" } },
      failures: ["undecided"],
    });
    // A difference was run, whatever the types are.
    expect(of_function("shout")?.comparison).toMatchObject({
      status: "different",
      assumed_types: { text: "str" },
      counterexample: { args: { text: "" } },
    });
    // It differs even from itself; and no value that was tried is one that the function takes.
    expect(of_function("lots")?.comparison?.status).toBe("undecided");
    expect(of_function("wrong")?.comparison?.status).toBe("undecided");
  });

  it("compares generators by their items and by the exception that ends them", () => {
    expect(statuses(various)).toMatchObject({ later: "different", ends: "different" });
    const later = various.results.find((each) => each.head?.function === "later");
    expect(later?.comparison?.counterexample?.args["n"]).toBeGreaterThan(3);
    expect(later?.comparison?.notes.join()).toContain("A generator is compared by the list of all its items");
  });

  it("never says that what was not decided is proved", async () => {
    const of = (text: string) => `def f(x: float, y: float) -> float:\n    return ${text}\n`;
    const floats = repository().change({ "a.py": of("(x + y) * 2.0 - x") }, { "a.py": of("(y + x) * 2.0 - x") });
    const args = ["--timeout-per-function", "1", "--fail-on", "undecided"];
    const report = await floats.report(args, env);
    const status = report.results[0]?.comparison?.status ?? "";
    // The prover may find a proof in a second; a search alone must not be called one.
    expect(["undecided", "no_difference_found", "equivalent"]).toContain(status);
    if (status === "equivalent") expect(report.results[0]?.comparison?.proof?.method).toContain("proof");
    else expect(report.passed).toBe(false);
  });

  it("asks about no more functions than allowed, and names those that it left", async () => {
    const bounded = await project.report([...patient, "--max-functions", "1"], env);
    const left = bounded.results.filter(({ comparison }) => comparison?.why?.includes("more than 1 functions"));
    expect(left.length).toBe(3);
    expect(bounded.notes[0]).toContain("--max-functions");
    // What can't be checked is not counted, and keeps its own reason.
    const refused = "def first(x: int) -> int:\n    import requests\n    return requests.get(x) + ";
    const small = "def second(x: int) -> int:\n    return x + ";
    const of = (n: number) => ({ "a.py": `${refused}${n}\n\n${small}${n}\n` });
    const counted = await repository()
      .change(of(1), of(2))
      .report([...patient, "--max-functions", "1"], env);
    expect(statuses(counted)).toEqual({ first: "not_checked", second: "different" });
    expect(counted.results.map(({ comparison }) => comparison?.why ?? "").join()).toContain("the package requests");
  });

  it("keeps answers until the code, or what it uses, is another", async () => {
    const wasCached = ({ results }: Report) =>
      Object.fromEntries(results.map(({ head, comparison }) => [head?.function, comparison?.cached]));
    const named = ["--repository", project.directory, "--only", "shop/*.py", ...patient];
    const elsewhere = async (ref: string) => {
      const args = ["gate", "--base", "main", "--format", "json", "--head", ref, ...named];
      return wasCached(Report.parse(JSON.parse((await command(args, { env })).stdout)));
    };
    expect(wasCached(report)).toMatchObject({ ticket: false, total: false, capped: false });
    expect(await elsewhere("work")).toMatchObject({ ticket: true, total: true, capped: true });
    expect(readdirSync(join(data, "gate")).length).toBeGreaterThan(2);
    project.git("checkout", "-q", "-b", "other");
    project.commit({ "shop/price.py": head.replace("LIMIT = 11", "LIMIT = 12") });
    expect(await elsewhere("other")).toMatchObject({ ticket: true, total: true, capped: false });
    project.git("checkout", "-q", "work");
    expect((await project.report(["--no-cache", "--only", "none.py"], env)).results).toEqual([]);
  });
});
