import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { languageOf } from "../../src/commands/solve/language.ts";
import { exitCodeOf } from "../../src/commands/solve/shown.ts";
import { Fault } from "../../src/kernel/fault.ts";
import { command } from "../support/command_line.ts";
import { removeDirectory } from "../support/directories.ts";
import { compiles_quickly } from "../support/minizinc.ts";
import { has_python } from "../support/models.ts";
import { pythonData } from "../support/python.ts";

let directory = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "verdict-solve-"));
});
afterAll(() => removeDirectory(directory));

const colours = "{c(N,1..2)} = 1 :- n(N).\n:- e(A,B), c(A,X), c(B,X).\n#show c/2.\n";

function solve(files: Record<string, string>, args: readonly string[], input = "", env: Record<string, string> = {}) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  return command(["solve", ...args], { directory, input, env });
}

function view(args: readonly string[], input = "", env: Record<string, string> = {}) {
  return command(["view", ...args], { directory, input, env });
}

function faultOf(work: () => unknown): Fault {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown;
  }
  throw new Error("there was no fault");
}

describe("verdict solve", () => {
  it("puts facts of a data file beside an answer-set program, and exits with 0 for a solution", async () => {
    const files = { "map.lp": colours, "path.lp": "n(1..3). e(1,2). e(2,3).\n" };
    const { status, stdout } = await solve(files, ["map.lp", "--data", "path.lp", "--solutions", "all"]);
    expect(stdout).toContain("solution 1: c(1,2) c(2,1) c(3,2)");
    expect(stdout).not.toMatch(/model m\d|solution 2/);
    expect(status).toBe(0);
  });

  it.skipIf(!has_python)("runs a checker on the values, and exits with 4 if they break its rules", async () => {
    const rules = 'def violations(values, data):\n    if len(values["c"]) > 2:\n        yield "two nodes at most"\n';
    const files = { "map.lp": colours, "path.lp": "n(1..3). e(1,2).\n", "rules.py": rules, "other.py": "x = 1\n" };
    const env = { VERDICT_DATA: await pythonData() };
    const broken = await solve(files, ["map.lp", "path.lp", "--checker", "rules.py"], "", env);
    expect(broken.stdout).toMatch(
      /^sat, but the values violate rules of the checker\n[^\n]*\nviolation: two nodes at most\n/,
    );
    expect(broken.status).toBe(4);
    const refused = await solve(files, ["map.lp", "path.lp", "--checker", "other.py"], "", env);
    expect([refused.status, refused.stderr]).toEqual([
      2,
      expect.stringContaining("does not define violations(values, data)"),
    ]);
  });

  it("solves FlatZinc, and shows only the variables that it marks", async () => {
    const lines = [
      "array [1..2] of int: X_INTRODUCED_1_ = [1,-1];",
      "var 1..3: X_INTRODUCED_0_;",
      "var 1..3: z:: output_var;",
      "array [1..2] of var int: q:: output_array([1..2]) = [X_INTRODUCED_0_,z];",
      "constraint int_lin_le(X_INTRODUCED_1_,q,-2);",
      "solve :: int_search(q,first_fail,indomain_min,complete) minimize z;",
    ];
    const { status, stdout } = await solve({ "a.fzn": `${lines.join("\n")}\n` }, ["a.fzn", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ status: "sat", optimal: true, model: { q: [1, 3], z: 3 } });
    expect(Object.keys(JSON.parse(stdout).model)).not.toContain("X_INTRODUCED_0_");
    expect(status).toBe(0);
  });

  it("exits with 1 for unsat, and names the lines of the file that conflict", async () => {
    const files = { "map.lp": colours, "ring.lp": "n(1..3). e(1,2). e(2,3). e(1,3).\n" };
    const { status, stdout } = await solve(files, ["map.lp", "--data", "ring.lp"]);
    expect(stdout).toMatch(/^unsat\n/);
    expect(stdout).toMatch(/^map\.lp:2: \(A = \d, .*\): :- e\(A,B\), c\(A,X\), c\(B,X\)\.$/m);
    expect(status).toBe(1);
  });

  it("takes a MiniZinc model with values from JSON", async () => {
    const files = { "a.mzn": "int: n;\nvar 1..n: x;\nconstraint x * x = 49;\nsolve satisfy;\n", "a.json": '{"n": 9}' };
    const { status, stdout } = await solve(files, ["a.mzn", "a.json", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ status: "sat", values: { x: 7 } });
    expect(JSON.parse(stdout)).not.toHaveProperty("model_id");
    expect(stdout).not.toContain(directory);
    expect(status).toBe(0);
  });

  it("lists some of many values, says that --json has all, and prints all of them with it", async () => {
    const files = {
      "many.lp": "x(1..9000).",
      "many.smt2": Array.from(
        { length: 1_500 },
        (_, i) => `(declare-const flag_${i} Bool)(assert (not flag_${i}))`,
      ).join("\n"),
    };
    const { stdout } = await solve(files, ["many.smt2"]);
    expect(stdout.length).toBeLessThan(2_000);
    expect(stdout).toContain("not shown: 1500 values that are 0 or false");
    const script = JSON.parse((await solve(files, ["many.smt2", "--json"])).stdout);
    expect(Object.keys(script.model)).toHaveLength(1_500);
    expect(script.warnings).toEqual([]);
    const text = await solve(files, ["many.lp"]);
    expect(text.stdout).toMatch(
      /^x = \[\[1\],\[2.*\n; cut: 2000 of \d+ characters are shown\n… not shown: the rest of long values; --json prints all/m,
    );
    const model = JSON.parse((await solve(files, ["many.lp", "--json"])).stdout);
    expect(model.values.x).toHaveLength(9_000);
    // A busy machine adds that the call was slow.
    expect(model.warnings.filter((each: string) => !each.startsWith("This took"))).toEqual([]);
  });

  it("gives the steps of a fault in the words of a shell, whether the check or the solving finds it", async () => {
    const words_of_calls = /\bitem\b|replace_item|solve_model|clear_model|verdict:\/\/|send /i;
    const unbound = await solve({ "unbound.mzn": "int: n;\nvar 1..n: x;\nsolve satisfy;\n" }, ["unbound.mzn"]);
    expect(unbound.stderr).toContain("pass them with --data FILE");
    const unread = await solve({ "unread.lp": "a :- .. b.\n" }, ["unread.lp"]);
    expect(unread.stderr).toContain("correct the file and run the command again");
    for (const { stderr } of [unbound, unread]) expect(stderr).not.toMatch(words_of_calls);
    if (!compiles_quickly) return;
    const unknown = await solve({ "unknown.mzn": "constraint y > 2;\n" }, ["unknown.mzn"]);
    expect(unknown.stderr).toMatch(/^unknown\.mzn:1:12: .*declare it first.*correct the file and run the command/s);
    expect(unknown.stderr).not.toMatch(words_of_calls);
  });

  it("names file, line and column of an error, in the data too, and exits with 2", async () => {
    const files = { "a.mzn": "int: n;\nvar 1..n: x;\nsolve satisfy;\n", "bad.dzn": "n = 9;\nm = ;\n" };
    const { status, stdout, stderr } = await solve(files, ["a.mzn", "--data", "bad.dzn"]);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^bad\.dzn:2:5: syntax error/);
    expect(stderr).toContain("run the command again");
    expect(stderr).not.toMatch(/\bitem\b/i);
    expect(status).toBe(2);
  });

  it("reads a script from standard input, and exits with 3 where the time is too short", async () => {
    const hard = "(declare-const a Int)(declare-const b Int)(assert (= (+ (* a a a) (* b b b)) 114))";
    const { status, stdout } = await solve({}, ["-", "--timeout", "1", "--json"], hard);
    expect(JSON.parse(stdout)).toMatchObject({ status: "unknown", reason: "timeout" });
    expect(status).toBe(3);
  });

  it("reads a table, and saves the values where nothing is replaced", async () => {
    const files = {
      "a.lp": "{ x(N) : staff(N, _) } = 1. #maximize { H : x(N), staff(N, H) }.",
      "staff.csv": "name,hours\nAnna,3\nBen,5\n",
      "old.csv": "kept",
    };
    const kept = await solve(files, ["a.lp", "--data", "staff.csv", "--save", "old.csv"]);
    expect(kept.stderr).toContain("old.csv exists, and was not replaced");
    // Nothing was solved.
    expect(kept.stdout).toBe("");
    expect(kept.status).toBe(2);
    const saved = await solve(files, ["a.lp", "--data", "staff.csv", "--save", "new.csv"]);
    expect(saved.stdout).toContain("staff.csv is the table staff: 2 rows");
    expect(saved.stderr).toContain("The values are in");
    expect(saved.status).toBe(0);
  });

  it.skipIf(!has_python)("keeps a plan that was saved, and solves cases beside the model", async () => {
    const files = {
      "plan.py": [
        "from z3 import *\nx = IntVector('x', 3)\no = Optimize()",
        "o.add([And(v >= 0, v <= 9) for v in x])\no.add(Sum(x) <= data['most'])\no.maximize(Sum(x))",
        "export_solution(solver=o, variables={'x': x})\n",
      ].join("\n"),
      "cases.json": '{"less": {"data": {"most": 4}}, "fixed": {"set": {"x[1]": 0}}}',
    };
    const env = { VERDICT_DATA: await pythonData() };
    const start = await solve(files, ["plan.py", "--data", '{"most": 9}', "--save", "plan.json"], "", env);
    expect(start.status).toBe(0);
    const plan = JSON.parse(readFileSync(join(directory, "plan.json"), "utf8"));
    const args = ["plan.py", "--keep", "plan.json", "--what-if", "cases.json", "--json", "--weights", '{"x[1]": 3}'];
    const { status, stdout } = await solve(files, [...args, "--data", '{"most": 9}', "--timeout", "120"], "", env);
    expect(status).toBe(0);
    const answer = JSON.parse(stdout);
    expect(answer).toMatchObject({ objective: 9, keep: { number: 0, least: true, cost: 0 } });
    expect(answer.model.x).toEqual(plan.x);
    expect(answer.what_if).toMatchObject([
      { name: "less", objective: 4 },
      { name: "fixed", objective: expect.any(Number) },
    ]);
  });

  it.each([
    [["plan.mzn", "--keep", "[1]"], "[1] could not be read (ENOENT)"],
    [["plan.mzn", "--what-if", '{"a": }'], "--what-if is not JSON"],
    [["plan.mzn", "--weights", '{"x": 2}', "--data", '{"most": 9}'], "weights requires keep"],
    [["a.smt2", "--keep", "{}", "--what-if", "{}"], "does not accept --keep, --what-if"],
    [["no.mzn"], "no.mzn could not be read (ENOENT)"],
    [["a.smt2", "--data", "a.json"], "An SMT-LIB script does not accept --data"],
    [["map.lp", "--data", "a.dzn"], "a.dzn can't be used as data for a model in asp"],
    [["a.mzn", "--data", '{"n": }'], "--data is not JSON"],
    [["a.mzn", "--view", "{bad"], "(1) correct the JSON, and try again"],
    [["a.smt2", "--timeout", "soon"], "--timeout takes a number above 0. Given: soon"],
  ])("%j is a fault: exit 2", async (args, words) => {
    const { status, stdout, stderr } = await solve(
      { "a.smt2": "(assert true)", "a.json": "{}", "map.lp": colours, "plan.mzn": "var 0..9: x;" },
      args,
    );
    expect(stderr).toContain(words);
    expect(stdout).toBe("");
    expect(status).toBe(2);
  });
});

describe("the language of a file", () => {
  it.each([
    ["a.mzn", "", "minizinc"],
    ["A.SMT2", "", "smtlib"],
    ["a.lp", "", "asp"],
    ["a.py", "from z3 import *\n", "z3"],
    ["a.py", "import cpmpy as cp\nfrom ortools.sat.python import cp_model\n", "cpmpy"],
    ["a.py", "from ortools.sat.python import cp_model\n", "ortools"],
    ["a.py", "from pysat.solvers import Cadical153\n", "pysat"],
    ["a.py", "s = Optimize()\nx = Int('x')\n", "z3"],
    ["-", "(assert true)", "smtlib"],
    ["a.lp", "\\ own\nMinimize\n x\nSubject To\n x >= 1\nEnd\n", "ortools"],
    ["a.lp", "min(1).\nst(X) :- min(X).\n", "asp"],
    ["a.mps", "* own\nNAME a\nROWS\n N c\n", "ortools"],
    ["a.opb", "* #variable= 1 #constraint= 1\n+1 x1 >= 1 ;\n", "ortools"],
    ["a.wcnf", "h 1 2 0\n3 -1 0\n", "pysat"],
    ["-", "c own\np cnf 1 1\n1 0\n", "pysat"],
    ["a.fzn", "var 0..3: x :: output_var;\nsolve satisfy;\n", "minizinc"],
    ["shop.txt", "1 2\n0 3 1 2\n", "cpmpy"],
    ["model.txt", "var 1..3: x;\nsolve satisfy;\n", "minizinc"],
  ])("%s with %j is %s", (file, text, language) => {
    expect(languageOf(file, text, undefined)).toBe(language);
  });

  it("is the one that is named", () => {
    expect(languageOf("a.py", "from z3 import *", "pysat")).toBe("pysat");
    expect(faultOf(() => languageOf("a.py", "", "mzn")).remedy).toContain("smtlib, z3, pysat");
  });

  it("is asked for where it can't be seen", () => {
    expect(faultOf(() => languageOf("a.py", "print(1)", undefined)).remedy).toContain("--language");
    expect(faultOf(() => languageOf("a.py", "import z3\nimport pysat\n", undefined)).message).toContain("z3 and pysat");
    expect(faultOf(() => languageOf("a.py", "def f(x):\n    return x\n", undefined)).remedy).toContain(
      "verdict check a.py::f",
    );
    expect(faultOf(() => languageOf("a.dzn", "n = 3;", undefined)).remedy).toContain("--data a.dzn");
    const unlike = faultOf(() => languageOf("a.cnf", "1 2 0\n", undefined));
    expect(unlike.message).toContain(
      "a.cnf is not recognised as a .cnf file: one begins with `p cnf VARIABLES CLAUSES`",
    );
  });
});

describe("the exit code", () => {
  it.each([
    [{ status: "sat", optimal: null }, 0],
    [{ status: "sat", optimal: true }, 0],
    [{ status: "sat", optimal: false }, 4],
    [{ status: "sat", count: { number: 7, exact: false } }, 4],
    [{ status: "unsat" }, 1],
    [{ status: "timeout" }, 3],
    [{ status: "unknown" }, 3],
    [{ status: "unknown", claimed: "unsat" }, 3],
    [{ status: "sat", optimal: false, claimed: "optimal" }, 4],
  ])("of %j is %i", (answer, code) => {
    expect(exitCodeOf(answer)).toBe(code);
  });
});

describe("the page of an answer", () => {
  it("has the answer and the model, and names no path of this machine", async () => {
    const files = { "map.lp": colours, "ring.lp": "n(1..3). e(1,2). e(2,3). e(1,3).\n" };
    const args = [join(directory, "map.lp"), "--data", join(directory, "ring.lp"), "--html", "out.html"];
    const { status, stdout, stderr } = await solve(files, args);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^unsat\n/);
    expect(stderr).toContain("The report is in ");
    const page = readFileSync(join(directory, "out.html"), "utf8");
    expect(page).toContain("<mark>:- e(A,B), c(A,X), c(B,X).</mark>");
    expect(page).not.toContain(directory);
  });

  it("is made of an answer that was kept, or of the result of a call", async () => {
    const saved = { status: "sat", message: "Satisfiable.", values: { x: 7 } };
    const page = await view(["-"], JSON.stringify(saved));
    expect(page.stdout).toContain("<bdi>7</bdi>");
    expect(page.status).toBe(0);
    writeFileSync(join(directory, "kept.json"), JSON.stringify({ content: [], structuredContent: saved }));
    expect((await view(["kept.json"])).status).toBe(0);
    expect(readFileSync(join(directory, "kept.html"), "utf8")).toBe(page.stdout.replaceAll(">answer<", ">kept<"));
  });

  it.each([
    ["{", "standard input is not JSON"],
    ["[]", "Standard input is not a tool's answer"],
  ])("is refused for %j", async (input, words) => {
    const { status, stderr, stdout } = await view(["-"], input);
    expect(stderr).toContain(words);
    expect([status, stdout]).toEqual([2, ""]);
  });

  it("is opened by a program that gets the path as one argument, and by no shell", async () => {
    const bin = join(directory, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "xdg-open"), '#!/bin/sh\nprintf "%s" "$#:$1" >"$OPENED"\n', { mode: 0o755 });
    writeFileSync(join(directory, "kept.json"), JSON.stringify({ status: "sat" }));
    const opened = join(directory, "opened");
    const html = "a; touch b $(touch c).html";
    const path = `${bin}${delimiter}${process.env["PATH"] ?? ""}`;
    const shown = await view(["kept.json", "--html", html, "--open"], "", { PATH: path, OPENED: opened });
    expect(shown.status).toBe(0);
    await vi.waitFor(
      () => expect(readFileSync(opened, "utf8")).toBe(`1:${join(realpathSync(directory), html)}`),
      60_000,
    );
    expect(readdirSync(directory).filter((name) => ["b", "c"].includes(name))).toEqual([]);
  });
});
