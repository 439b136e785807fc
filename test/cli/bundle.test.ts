import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compared, type Facts, type Kept, withValues } from "../../src/tools/model/bundle/facts.ts";
import { sha256 } from "../../src/tools/model/bundle/record.ts";
import { command } from "../support/command_line.ts";
import { removeDirectory } from "../support/directories.ts";
import { has_python } from "../support/models.ts";
import { privatePython } from "../support/python.ts";
import { runs_all, some } from "../support/runs_all.ts";

let directory = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "verdict-bundle-"));
});
afterAll(() => removeDirectory(directory));

const colours = "{c(N,1..2)} = 1 :- n(N).\n:- e(A,B), c(A,X), c(B,X).\n#maximize{X,N : c(N,X)}.\n#show c/2.\n";
const map = "n(1..3). e(1,2). e(2,3).\n";

function at(...parts: string[]): string {
  return join(directory, ...parts);
}

/** Writes files, and makes a bundle of them. */
function bundle(files: Record<string, string>, args: readonly string[], env: Record<string, string> = {}) {
  for (const [name, text] of Object.entries(files)) writeFileSync(at(name), text);
  return command(["bundle", ...args, "--quiet"], { directory, env });
}

async function rerun(path: string, env: Record<string, string> = {}) {
  const { status, stdout, stderr } = await command(["rerun", path, "--json", "--quiet"], { directory, env });
  return { status, stderr, report: JSON.parse(stdout) };
}

/** Changes a JSON file of a bundle. */
function change(path: string, edit: (json: Record<string, object>) => unknown): void {
  writeFileSync(path, JSON.stringify(edit(JSON.parse(readFileSync(path, "utf8")))));
}

/** Changes the recorded answer of a bundle, and its hash. */
function forge(folder: string, edit: (answer: Record<string, object>) => unknown): void {
  change(join(folder, "answer.json"), edit);
  const bytes = readFileSync(join(folder, "answer.json"));
  change(join(folder, "bundle.json"), (record) => ({
    ...record,
    files: { ...record["files"], "answer.json": { bytes: bytes.length, sha256: sha256(bytes) } },
  }));
}

/** A fresh copy of the bundle of the map. */
async function copyOfMap(name: string): Promise<string> {
  if (!existsSync(at("map_bundle")))
    await bundle({ "c.lp": colours, "m.lp": map }, ["c.lp", "m.lp", "--out", "map_bundle"]);
  cpSync(at("map_bundle"), at(name), { recursive: true });
  return at(name);
}

/** The files of a folder, by name. */
function filesIn(folder: string): Record<string, Uint8Array> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return Object.fromEntries(
    names.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(folder.length + 1), new Uint8Array(readFileSync(path))];
    }),
  );
}

describe("verdict bundle", () => {
  it("keeps question and answer, gives the same bytes again, and holds", async () => {
    const made = await bundle({ "c.lp": colours, "m.lp": map }, ["c.lp", "m.lp", "--out", "one"]);
    expect([made.status, made.stdout]).toEqual([0, expect.stringContaining("objective: 5")]);
    await bundle({}, ["c.lp", "m.lp", "--out", "two"]);
    expect(filesIn(at("two"))).toEqual(filesIn(at("one")));
    const record = JSON.parse(readFileSync(at("one", "bundle.json"), "utf8"));
    expect(record).toMatchObject({
      language: "asp",
      items: ["model/item_0.lp", "model/item_1.lp"],
      command: "clingo model/item_0.lp model/item_1.lp",
      sources: [
        { name: "c.lp", sha256: sha256(colours) },
        { name: "m.lp", sha256: sha256(map) },
      ],
    });
    const told = await rerun("one");
    expect(told).toMatchObject({
      status: 0,
      report: {
        holds: true,
        changed_files: [],
        versions: [],
        bundle_sha256: sha256(readFileSync(at("one", "bundle.json"))),
      },
    });
    expect(made.stderr).toContain(told.report.bundle_sha256);
  });

  it("writes a ZIP, which is the same to rerun, and replaces nothing unasked", async () => {
    const args = ["c.lp", "m.lp", "--out", "map.zip"];
    await bundle({ "c.lp": colours, "m.lp": map }, args);
    const bytes = readFileSync(at("map.zip"));
    expect(await rerun("map.zip")).toMatchObject({ status: 0, report: { holds: true } });
    const again = await bundle({}, args);
    expect([again.status, again.stderr]).toEqual([2, expect.stringContaining("was not replaced")]);
    expect((await bundle({}, [...args, "--overwrite"])).status).toBe(0);
    expect(readFileSync(at("map.zip")).equals(bytes)).toBe(true);
    const in_use = await bundle({}, ["c.lp", "m.lp", "--out", "."]);
    expect([in_use.status, in_use.stderr]).toEqual([2, expect.stringContaining("has files already")]);
  });

  it("keeps the values of a table, and a script of SMT-LIB with its check", async () => {
    const model = "picked(N) :- staff(N,H), H > 4.\n#show picked/1.\n";
    await bundle({ "p.lp": model, "staff.csv": "name,hours\nAnn,3\nBob,5\n" }, ["p.lp", "staff.csv", "--out", "staff"]);
    rmSync(at("staff.csv"));
    expect(readFileSync(at("staff", "data.lp"), "utf8")).toBe('staff("Ann",3).\nstaff("Bob",5).\n');
    expect(await rerun("staff")).toMatchObject({ status: 0, report: { holds: true } });
    await bundle({ "s.smt2": "(declare-const x Int)(assert (> x 3))(assert (< x 4))" }, ["s.smt2", "--out", "script"]);
    expect(readFileSync(at("script", "run.sh"), "utf8")).toContain('echo "(check-sat)"; } | z3 -in');
    expect(await rerun("script")).toMatchObject({ status: 0, report: { message: expect.stringContaining("unsat") } });
  });
});

describe.skipIf(!has_python)("the script of a bundle, in plain Python,", () => {
  const items: Record<string, { readonly text: string; readonly told: object; readonly group?: string }> = {
    "z.py": {
      text: 'from z3 import *\no = Optimize()\nx, y = Ints("x y")\no.add(x + y <= data["cap"], x >= 0, y >= 0, x <= 7)\no.maximize(2*x + y)\n',
      told: { status: "sat", objective: 18, optimal: true, values: { x: 7, y: 4 } },
    },
    "p.py": {
      text: "from pysat.solvers import Solver\nwith Solver(name='cadical195', bootstrap_with=[*exactly_k([1, 2, 3], 2), [-1]]) as s:\n    ok = s.solve()\n    export_solution({'satisfiable': ok, 'true': [v for v in s.get_model() if v > 0]})\n",
      told: { status: "sat", values: { true: [2, 3] } },
    },
    "o.py": {
      text: 'from ortools.sat.python import cp_model\nm = cp_model.CpModel()\nx = m.new_int_var(0, 20, "x")\ny = m.new_int_var(0, 20, "y")\nm.add(3*x + 2*y <= data["cap"])\nm.add(x - y <= 4)\nm.maximize(5*x + 3*y)\n',
      told: { status: "sat", objective: 18, optimal: true, values: { x: 3, y: 1 } },
      group: "cp",
    },
    "m.py": {
      text: 'from ortools.math_opt.python import mathopt\nm = mathopt.Model()\nx = m.add_integer_variable(lb=0, ub=9, name="x")\ny = m.add_variable(lb=0, ub=9, name="y")\nm.add_linear_constraint(2*x + 4*y <= data["cap"])\nm.add_linear_constraint(x <= 4)\nm.maximize(x + y)\n',
      told: { status: "sat", objective: 4.75, optimal: true, values: { x: 4, y: 0.75 } },
      group: "cp",
    },
    "c.py": {
      text: 'import cpmpy as cp\nm = cp.Model()\nx = cp.intvar(0, 9, shape=2, name="x")\nm += cp.sum(x) <= data["cap"]\nm.maximize(3 * x[0] + x[1])\nm.solve()\nexport_solution({"x": x})\n',
      told: { status: "sat", objective: 29, optimal: true, values: { x: [9, 2] } },
      group: "cp",
    },
  };
  for (const [name, { text, told, group }] of Object.entries(items)) {
    it(`gives the same for ${name}`, async () => {
      const { data, python } = await privatePython(group);
      const env = { VERDICT_DATA: data };
      const out = `${name}_bundle`;
      const made = await bundle({ [name]: text }, [name, "--data", '{"cap": 11}', "--out", out], env);
      expect(made).toMatchObject({ status: 0 });
      const printed = execFileSync(python, [at(out, "run.py")], { encoding: "utf8" });
      expect(JSON.parse(printed)).toMatchObject(told);
      if (runs_all || group === undefined)
        expect(await rerun(out, env)).toMatchObject({ status: 0, report: { holds: true } });
    });
  }

  it("asks its checker about the recorded values, and says which ones can't be compared", async () => {
    const { data } = await privatePython();
    const env = { VERDICT_DATA: data };
    const model =
      'from z3 import *\ns = Solver()\nx = Int("x")\nf = Function("f", IntSort(), IntSort())\ns.add(x > 0, x < 9, f(x) == x)\n';
    const rules = 'def violations(values, data):\n    if values["x"] == 7: yield "not 7"\n';
    await bundle({ "f.py": model, "rules.py": rules }, ["f.py", "--checker", "rules.py", "--out", "ruled"], env);
    const told: Record<string, string> = {};
    for (const [name, x] of Object.entries({ good: 8, broken: 7 })) {
      cpSync(at("ruled"), at(name), { recursive: true });
      forge(at(name), (answer) => ({ ...answer, model: { ...answer["model"], x } }));
      told[name] = (await rerun(name, env)).report.message;
    }
    expect(told).toEqual({
      good: expect.stringMatching(/a solution too, apart from f, which can't be compared\. Checker: passed/),
      broken: expect.stringContaining("the checker's result differs (recorded: passed; now: violated)"),
    });
  });

  it("keeps the proof of an unsat of clauses", async () => {
    const { data, python } = await privatePython();
    const env = { VERDICT_DATA: data };
    const cnf = "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n";
    await bundle({ "u.cnf": cnf }, ["u.cnf", "--out", "proved"], env);
    const endings = readdirSync(at("proved", "certificate")).map((name) => name.replace(/^unsat-\w+/, ""));
    expect(endings.toSorted()).toEqual([".cnf", ".drat"]);
    const printed = execFileSync(python, [at("proved", "run.py")], { encoding: "utf8" });
    expect(JSON.parse(printed)).toMatchObject({ status: "unsat" });
    expect((await rerun("proved", env)).status).toBe(0);
  });
});

describe("verdict rerun", () => {
  it("solves nothing where the model, the data or the answer is not as recorded", async () => {
    for (const file of ["model/item_1.lp", "answer.json"]) {
      const folder = await copyOfMap(`changed_${file.length}`);
      appendFileSync(join(folder, file), " ");
      expect(await rerun(folder)).toMatchObject({
        status: 4,
        report: {
          holds: null,
          changed_files: [{ file, how: "changed" }],
          message: expect.stringContaining("Not asked"),
        },
      });
    }
    const folder = await copyOfMap("missing");
    rmSync(join(folder, "model", "item_0.lp"));
    expect(await rerun(folder)).toMatchObject({
      status: 4,
      report: { holds: null, changed_files: [{ file: "model/item_0.lp", how: "missing" }] },
    });
  });

  it("exits with 4 where only a script was changed, and says that the answer holds", async () => {
    const folder = await copyOfMap("script_changed");
    appendFileSync(join(folder, "run.sh"), "rm -rf /\n");
    expect(await rerun(folder)).toMatchObject({
      status: 4,
      report: { holds: true, changed_files: [{ file: "run.sh", how: "changed" }] },
    });
  });

  it("notices another answer whose hash was changed, too, and other versions", async () => {
    const folder = await copyOfMap("forged");
    forge(folder, (answer) => ({ ...answer, objective_value: 6 }));
    change(join(folder, "bundle.json"), (record) => ({
      ...record,
      versions: { ...record["versions"], verdict: "0.0.1" },
    }));
    expect(await rerun(folder)).toMatchObject({
      status: 1,
      report: {
        holds: false,
        message: expect.stringContaining("the objective differs"),
        versions: [{ name: "verdict", recorded: "0.0.1" }],
      },
    });
  });

  it("puts recorded values into the model if others are found: they must be a solution with this optimum", async () => {
    const cases: readonly (readonly [atoms: readonly string[], holds: boolean, message: string])[] = [
      [["c(1,1)", "c(2,2)", "c(3,1)"], false, "have the objective 4"],
      [["c(1,2)", "c(2,2)", "c(3,1)"], false, "does not allow the recorded values"],
      [["c(1,2)", "c(2,1)", "c(3,2)"], true, "The values are the same"],
    ];
    for (const [i, [atoms, holds, message]] of cases.entries()) {
      const folder = await copyOfMap(`values_${i}`);
      const c = atoms.map((atom) => [Number(atom[2]), Number(atom[4])]);
      forge(folder, (answer) => ({ ...answer, model: { atoms, c } }));
      expect(await rerun(folder)).toMatchObject({ report: { holds, message: expect.stringContaining(message) } });
    }
    await bundle({ "free.lp": "1 {c(1..3)} 1.\n" }, ["free.lp", "--out", "free"]);
    const found = JSON.parse(readFileSync(at("free", "answer.json"), "utf8")).model.c;
    const other = [1, 2, 3].find((each) => each !== found[0][0]);
    forge(at("free"), (answer) => ({ ...answer, model: { atoms: [`c(${other})`], c: [[other]] } }));
    expect(await rerun("free")).toMatchObject({
      status: 0,
      report: { holds: true, message: expect.stringContaining("the recorded ones are a solution too") },
    });
  });

  it("compares the objective of an answer that was not proved best, and notices values that are left out", async () => {
    const cases: readonly (readonly [edit: object, exit: number, message: string])[] = [
      [{ optimal: false }, 0, "objective 5 (not proved best), as recorded; now: sat, objective 5 (proved best)"],
      [
        { optimal: false, objective_value: 4, model: { atoms: ["c(1,1)", "c(2,2)", "c(3,1)"] } },
        3,
        "lacks the value of c",
      ],
      [
        { optimal: false, objective_value: 3, objective_terms: undefined },
        0,
        "The recorded values have the better objective 5",
      ],
      [{ optimal: false, objective_value: 12 }, 1, "have the objective 5, not 12, which is better than the optimum"],
      [
        { objective_terms: [{ term: "c(N,X)", cost: 4 }] },
        1,
        "the recorded terms of the objective do not add up to it",
      ],
      [{ objective_terms: [{ term: "c(N,1)", cost: 5 }] }, 1, "the terms of the objective are different"],
      [{ output: ["12 in 0.1 s"] }, 3, "the program now printed something else, with the same values"],
      [
        { optimal: false, objective_value: 6, model: { atoms: ["c(1,1)", "c(2,2)", "c(3,1)"] } },
        1,
        "have the objective 4, not 6, which is better than the optimum",
      ],
      [{ optimal: false, objective_value: null }, 1, "the objective differs"],
      [{ model: {} }, 3, "the recorded answer lacks the value of atoms, c"],
      [{ model: null }, 3, "the recorded answer has no values"],
    ];
    for (const [i, [edit, exit, message]] of some(cases, 6).entries()) {
      const folder = await copyOfMap(`unproved_${i}`);
      forge(folder, (answer) => ({ ...answer, ...edit }));
      expect(await rerun(folder)).toMatchObject({
        status: exit,
        report: { message: expect.stringContaining(message) },
      });
    }
  });

  const hostile: readonly [what: string, edit: (folder: string) => void, fault: string][] = [
    [
      "a path that leads out",
      (folder) => change(join(folder, "bundle.json"), (record) => ({ ...record, items: ["../c.lp"] })),
      "bundle.json, items.0: not a plain path inside the bundle",
    ],
    [
      "a file without a hash",
      (folder) => change(join(folder, "bundle.json"), (record) => ({ ...record, answer: "other.json" })),
      "names other.json, but lists no hash",
    ],
    [
      "an option that names files",
      (folder) =>
        change(join(folder, "bundle.json"), (record) => ({ ...record, options: { data_files: ["/etc/passwd.csv"] } })),
      "bundle.json, options",
    ],
    [
      "sizes beyond the bound",
      (folder) =>
        change(join(folder, "bundle.json"), (record) => ({
          ...record,
          files: { ...record["files"], big: { bytes: 2 ** 40, sha256: "0".repeat(64) } },
        })),
      "at most 64 MB of files",
    ],
    [
      "a link in place of a file",
      (folder) => {
        renameSync(join(folder, "answer.json"), `${folder}.answer`);
        symlinkSync(`${folder}.answer`, join(folder, "answer.json"));
      },
      "answer.json is a symbolic link",
    ],
    [
      "a link in place of a folder",
      (folder) => {
        renameSync(join(folder, "model"), `${folder}.model`);
        symlinkSync(`${folder}.model`, join(folder, "model"));
      },
      "model/item_0.lp is a symbolic link",
    ],
    [
      "a list of files of many megabytes",
      (folder) => truncateSync(join(folder, "bundle.json"), 100 * 1024 * 1024),
      "bundle.json is too large",
    ],
    ["a list that is not JSON", (folder) => writeFileSync(join(folder, "bundle.json"), "{"), "not JSON in UTF-8"],
    ["no list", (folder) => rmSync(join(folder, "bundle.json")), "it is not a bundle"],
    [
      "an answer of another form",
      (folder) => {
        writeFileSync(join(folder, "answer.json"), "[]");
        change(join(folder, "bundle.json"), (record) => ({
          ...record,
          files: { ...record["files"], "answer.json": { bytes: 2, sha256: sha256("[]") } },
        }));
      },
      "answer.json does not have the form of an answer",
    ],
  ];
  for (const [i, [what, edit, fault]] of hostile.entries()) {
    it(`refuses ${what}`, async () => {
      const folder = await copyOfMap(`hostile_${i}`);
      edit(folder);
      const { status, report } = await rerun(folder);
      expect([status, report.error]).toEqual([2, expect.stringContaining(fault)]);
    });
  }

  it("reads a file that grew to its recorded length only", async () => {
    const folder = await copyOfMap("grown");
    truncateSync(join(folder, "README.md"), 3 * 1024 ** 3);
    expect(await rerun(folder)).toMatchObject({ status: 4, report: { changed_files: [{ file: "README.md" }] } });
  });

  it("refuses a ZIP that leads out, that unpacks to too much, or that is none", async () => {
    const files = filesIn(await copyOfMap("for_zip"));
    writeFileSync(at("out.zip"), zipSync({ ...files, "../evil.sh": strToU8("echo") }));
    writeFileSync(at("bomb.zip"), zipSync({ ...files, "a.bin": new Uint8Array(65 * 1024 * 1024) }));
    writeFileSync(at("none.zip"), "PK\u0003\u0004 and then nothing");
    // Two files with one name: which one counts depends on the program that unpacks it.
    const twice = zipSync({ ...files, "answer.jsom": strToU8("{}") });
    writeFileSync(
      at("twice.zip"),
      Buffer.from(Buffer.from(twice).toString("latin1").replaceAll("answer.jsom", "answer.json"), "latin1"),
    );
    const said = [];
    for (const name of ["out.zip", "bomb.zip", "none.zip", "twice.zip"]) said.push((await rerun(name)).report.error);
    expect(said).toEqual([
      expect.stringContaining('../evil.sh" points outside'),
      expect.stringContaining("a.bin is too large"),
      expect.stringContaining("neither a folder nor a readable ZIP"),
      expect.stringContaining("two files named answer.json"),
    ]);
  });
});

describe("what is compared", () => {
  const facts = (status: string, objective: unknown = null, optimal: boolean | null = null, count?: object): Facts => ({
    status,
    objective,
    optimal,
    ...(count && { count }),
  });
  const cases: readonly [was: Facts, now: Facts, holds: boolean | null][] = [
    [facts("sat"), facts("sat"), true],
    [facts("sat"), facts("unsat"), false],
    [facts("unsat"), facts("sat"), false],
    [facts("unsat"), facts("timeout"), null],
    [facts("timeout"), facts("timeout"), null],
    [facts("unknown"), facts("sat"), false],
    [facts("sat", 5, true), facts("sat", 5, true), true],
    [facts("sat", 5, true), facts("sat", 6, true), false],
    [facts("sat", 5, true), facts("sat", 5, false), null],
    [facts("sat", 5, false), facts("sat", 6, true), null],
    [facts("sat", 5, false), facts("sat", 5, true), true],
    [facts("sat", null, false), facts("sat", 5, true), false],
    [facts("sat", 0.3, true), facts("sat", 0.1 + 0.2, true), true],
    [facts("sat", 0.3, true), facts("sat", 0.31, true), false],
    [facts("sat", "1/3", true), facts("sat", "2/3", true), false],
    [facts("sat", [1, 2], true), facts("sat", [1, 2], true), true],
    [facts("sat", null, null, { value: 4 }), facts("sat", null, null, { value: 5 }), false],
    [facts("sat", null, null, { value: 4 }), facts("sat"), null],
  ];
  it("are the status, a proved optimum and an exact count", () => {
    const wrong = cases.filter(([was, now, holds]) => compared(was, now).holds !== holds);
    expect(wrong).toEqual([]);
  });

  const kept = (objective: unknown, completed: object): Kept => ({ is_possible: true, objective, completed });
  const found = { x: 1, y: [1, 2] };
  const with_values: readonly [was: object, kept: Kept | undefined, holds: boolean | null][] = [
    [{ objective: 5, values: { x: 0 } }, kept(5, { x: 0 }), true],
    // The optimum is 6: no solution has more. A solution with less than the values show has parts that are not shown.
    [{ objective: 7, values: { x: 0 } }, kept(5, { x: 0 }), false],
    [{ objective: 4, values: { x: 0 } }, kept(5, { x: 0 }), true],
    [{ objective: 5.5, values: { x: 0 } }, kept(5, { x: 0 }), null],
    // All known solutions are optimal, so it is not known whether less is worse.
    [{ objective: 4, values: { x: 0 } }, kept(6, { x: 0 }), null],
    [{ objective: 5, values: found }, undefined, null],
    [{ objective: 6, values: found }, undefined, true],
    [{ objective: 6, values: { x: null, y: [1, 2] } }, kept(6, found), null],
    [{ objective: 6, values: { x: 1, y: [1, null] } }, kept(6, found), null],
    // An absent value stays null.
    [{ objective: 6, values: { x: null } }, kept(6, { x: null }), true],
  ];
  it("are the objective that the values have, and all values that the answer shows", () => {
    const now = { ...facts("sat", 6, true), values: found };
    const told = with_values.map(([was, of_values]) => {
      const recorded = { ...facts("sat", 5, false), ...was };
      return withValues(compared(recorded, now), recorded, now, { kept: of_values }).holds;
    });
    expect(told).toEqual(with_values.map(([, , holds]) => holds));
  });
});
