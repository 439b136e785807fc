import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import type { Deadline } from "../../src/kernel/deadline.ts";
import { cancelled } from "../../src/kernel/fault.ts";
import { limits } from "../../src/kernel/limits.ts";
import { quietContext, type Tool } from "../../src/kernel/tool.ts";
import { openToolsets } from "../../src/tools/index.ts";
import { withFiles } from "../../src/tools/model/data/with_files.ts";
import { Model } from "../../src/tools/model/items/model.ts";
import { openLanguages } from "../../src/tools/model/languages/index.ts";
import { column_units, withColumns, withEnums } from "../../src/tools/model/languages/minizinc/source/tables.ts";
import { scratchDirectory } from "../support/directories.ts";
import { has_python } from "../support/models.ts";
import { pythonData, real_setup_ms_max } from "../support/python.ts";
import { workbook } from "../support/workbook.ts";

/** Data files by their paths, in every language: what a call names is read below the data directories only. */

const directory = scratchDirectory();
const project = join(directory, "project");
mkdirSync(join(project, ".secret"), { recursive: true });
mkdirSync(join(project, "may"));
const put = (path: string, content: string | Uint8Array) => writeFileSync(join(directory, path), content);
put("project/staff.csv", "name,hours,skill\nAnna,38,icu\nBen,20,er\nCarla,30,icu\nDora,,er\n");
put(
  "project/may/demand.xlsx",
  workbook({
    May: [
      ["day", "need"],
      ["Mon", 2],
      ["Tue", 1],
    ],
  }),
);
put("project/shifts.csv", "staff,day\nAnna,Mon\nBob,Tue\n");
put("project/limits.json", '{"most": 60}');
put("project/facts.lp", "most(60).\n");
put("project/more.dzn", "most = 60;\n");
put("project/.secret/keys.csv", "key\nhush\n");
put("outside.csv", "key\nhush\n");
symlinkSync(join(directory, "outside.csv"), join(project, "link.csv"));

const env = { ...process.env, ...(has_python && { VERDICT_DATA: await pythonData() }) };
const config = readConfig({ dataDir: [project] }, env);
const engines = new Engines(config);
afterAll(() => engines.close());

const open = (roots = config.data_roots): readonly Tool[] =>
  openToolsets(engines, { ...config, data_roots: roots }).flatMap((set) => set.session());
const tools = open();
async function call(name: string, args: object, of = tools): Promise<Record<string, unknown>> {
  const tool = of.find((each) => each.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return (await tool.call(args, quietContext())).structured;
}
const solve = (language: string, model: string, data_files: unknown[], more = {}) =>
  call("solve", { language, model, data_files, timeout_ms: 120_000, ...more });

describe("the models that are compared", { timeout: real_setup_ms_max }, () => {
  const bound = (most: number) => `x = Int('x')\ns = Solver()\ns.add(x >= 0, x <= ${most}, x < len(data['staff']))`;
  const compare = (more: object) => call("compare_models", { timeout_ms: 120_000, ...more });

  it.skipIf(!has_python)("can have other data than the model, from files", async () => {
    await solve("z3", bound(9), ["staff.csv"]);
    const shorter = { path: "shifts.csv", name: "staff" };
    const changed = await compare({ data_files: [shorter] });
    expect(changed).toMatchObject({ status: "allows_more", solutions: { model: 4, other: 2 } });
    expect(changed["message"]).toContain("the model with the other data");
    expect(changed["warnings"]).toEqual(
      expect.arrayContaining([
        "shifts.csv is the table staff: 2 rows; columns staff (text), day (text).",
        "Only the other model has this data: staff.",
      ]),
    );
    for (const items of [
      [bound(8), JSON.stringify(shorter)],
      [bound(8), shorter],
    ])
      expect(await compare({ items })).toMatchObject({ status: "allows_more", solutions: { other: 2 } });
    expect(await compare({ model: bound(8), data: {}, items: [] })).toMatchObject({ status: "equal" });
  });

  it("can have a part that is a file", async () => {
    await solve("asp", "{ x(51..60) } = 1. #show x/1.", []);
    const model = "{ x(0..M) } = 1 :- most(M). :- x(X), X <= 50. #show x/1.";
    expect(await compare({ model, data_files: ["facts.lp"] })).toMatchObject({ status: "equal" });
  });
});

describe("a table", { timeout: real_setup_ms_max }, () => {
  it("gives MiniZinc enums, columns and numbers of rows", async () => {
    const answer = await solve(
      "minizinc",
      "enum STAFF; enum SKILL; int: n_demand; array[STAFF] of opt int: hours; array[STAFF] of SKILL: staff_skill;" +
        "array[1..n_demand] of int: need; var set of STAFF: chosen; constraint card(chosen) = need[1];" +
        "constraint exists(s in chosen)(staff_skill[s] = er);" +
        "solve maximize sum(s in STAFF)(bool2int(s in chosen) * (hours[s] default 0));",
      ["staff.csv", "may/demand.xlsx"],
    );
    expect(answer).toMatchObject({ status: "sat", optimal: true, model: { chosen: ["Anna", "Ben"] }, objective: 58 });
    expect(answer["warnings"]).toEqual(
      expect.arrayContaining([
        "staff.csv is the table staff: 4 rows; columns name (text), hours (int, 1 missing), skill (text).",
        "may/demand.xlsx is the table demand: 2 rows; columns day (text), need (int).",
      ]),
    );
  });

  it("gives answer sets facts", async () => {
    const answer = await solve(
      "asp",
      '{ pick(N) : staff(N,H,_), H != none } = 2. :- not 1 { pick(N) : staff(N,_,"er") }. #maximize { H,N : pick(N), staff(N,H,_) }. #show pick/1. :- most < 1.',
      ["staff.csv", { path: "limits.json", name: "caps" }],
      { data: { most: 3 } },
    );
    expect(answer).toMatchObject({ status: "sat", optimal: true, objective: 58 });
  });

  it("gives answer sets texts with all signs, and refuses two names that are one there", async () => {
    const text = 'a\t"b"\\c\ndü';
    const answer = await call("solve", { language: "asp", model: "t(X) :- texts(_,X).", data: { texts: [text] } });
    expect(answer).toMatchObject({ status: "sat", model: { t: [[text]] } });
    await expect(call("solve", { language: "asp", model: "a.", data: { Staff: [[1]], staff: [[2]] } })).rejects.toThrow(
      /both become staff/,
    );
    await expect(call("solve", { language: "asp", model: "a.", data: { t: ["\u0001"] } })).rejects.toThrow(
      /control char/,
    );
  });

  it("gives enums names with spaces and other signs", async () => {
    const model =
      "enum N; array[N] of int: pay; var N: x; var set of N: y; constraint card(y) = 2; solve minimize pay[x];";
    const names = ["Anna Müller", "a;b", "1"];
    const answer = await call("solve", { language: "minizinc", model, data: { N: names, pay: [1, 2, 3] } });
    expect(answer).toMatchObject({ status: "sat", model: { x: "Anna Müller" }, objective: 1 });
    for (const name of ["O'Brien", "+", "a\\b", "\u202ea"])
      await expect(
        call("solve", { language: "minizinc", model, data: { N: [name, "b", "c"], pay: [1, 2, 3] } }),
      ).rejects.toThrow(/Expected: enum/);
  });

  it("gives MiniZinc times, dates and decimals in whole units by name, and says so where a model declares them as they are", async () => {
    put("project/stops.csv", "stop;km;opens;day\nA;1,5;08:30;1.12.2026\nB;0,25;;3.12.2026\n");
    const types =
      "enum STOPS; array[STOPS] of opt int: opens_minutes; array[STOPS] of int: stops_day_days; array[STOPS] of int: km_hundredths;";
    const answer = await solve(
      "minizinc",
      `${types} var STOPS: x; constraint stops_day_days[B] - stops_day_days[A] = 2; solve maximize km_hundredths[x] + (opens_minutes[x] default 0);`,
      ["stops.csv"],
    );
    expect(answer).toMatchObject({ status: "sat", optimal: true, model: { x: "A" }, objective: 660 });
    for (const [declared, remedy] of [
      ["opt int: opens", /opens_minutes.*08:30 is 510/],
      ["int: day", /day_days.*1970/],
      ["int: km", /km_tenths/],
      ["int: opens_minutes", /opt int; opens_minutes\[i\] default 0/],
    ] as const)
      await expect(
        solve("minizinc", `enum STOPS; array[STOPS] of ${declared}; solve satisfy;`, ["stops.csv"]),
      ).rejects.toMatchObject({ remedy: expect.stringMatching(remedy) });
    // More decimals than the unit has.
    await expect(
      solve("minizinc", "enum STOPS; array[STOPS] of int: km_tenths; solve satisfy;", ["stops.csv"]),
    ).rejects.toThrow(/km_tenths/);
  });

  it.each([
    ["array[staff] of var 0..9: x;", "`set of int: staff;`"],
    ["array[STAFF] of var 0..9: x;", "`enum STAFF;`"],
    ["var 0..9: x; constraint x < staff_hours[1];", "`set of int: staff; array[staff] of opt int: staff_hours;`"],
    ["var 0..9: x; constraint skill[x] = 1;", "`set of int: staff; array[staff] of string: skill;`"],
  ])("says which declarations MiniZinc needs for what the files define: %s", async (text, declarations) => {
    await expect(solve("minizinc", `${text} solve satisfy;`, ["staff.csv"])).rejects.toMatchObject({
      remedy: expect.stringContaining(`declare what the data defines: ${declarations}`),
    });
  });

  it("numbers its rows for MiniZinc, and names the equal values of an enum that can't", async () => {
    put("project/jobs.csv", "job;crew;hours\nR-1;A;2\nR-2;A;\nR-1;B;3\n");
    const columns = "array[JOBS] of opt int: hours_tenths;";
    await expect(solve("minizinc", `enum JOBS; ${columns} solve satisfy;`, ["jobs.csv"])).rejects.toMatchObject({
      code: "input_rejected",
      message: expect.stringMatching(/column job of jobs, which contains "R-1" in rows 1, 3\. So JOBS has 2 members/),
      remedy: expect.stringContaining("`set of int: jobs;` and `array[jobs] of opt int: hours_tenths;`"),
    });
    const numbered = "set of int: jobs; enum CREW; array[jobs] of CREW: crew;";
    const rest = "var jobs: x; constraint crew[x] = B; solve maximize hours_tenths[x] default 0;";
    const model = `${numbered} ${columns.replace("JOBS", "jobs")} ${rest}`;
    expect(await solve("minizinc", model, ["jobs.csv"])).toMatchObject({ objective: 30, model: { x: 3 } });
    await expect(
      solve("minizinc", `${numbered} array[jobs] of int: hours; solve satisfy;`, ["jobs.csv"]),
    ).rejects.toThrow(/hours, element 2, has the wrong form/);
  });

  it("that gives MiniZinc nothing is named, with what to declare", async () => {
    const answer = await solve("minizinc", "var 1..3: x; solve satisfy;", ["staff.csv"]);
    expect(String(answer["warnings"])).toContain("array[1..n_staff] of int: staff_name");
  });

  it("stays with the model for later calls, and is read again where a call names it", async () => {
    const [own] = [open()];
    await call(
      "solve",
      { language: "minizinc", model: "int: n_staff; var 1..n_staff: x; solve maximize x;", data_files: ["staff.csv"] },
      own,
    );
    expect(await call("solve_model", {}, own)).toMatchObject({ status: "sat", objective: 4 });
    put("project/staff_short.csv", "name\nAnna\n");
    const again = await call("solve_model", { data_files: [{ path: "staff_short.csv", name: "staff" }] }, own);
    expect(again).toMatchObject({ status: "sat", objective: 1 });
  });
});

it.skipIf(!has_python)(
  "data stays with a model whose first solve has a fault",
  { timeout: real_setup_ms_max },
  async () => {
    const own = open();
    const model = "x = Int('x')\ns = Solver()\ns.add(x == len(data['staff']))\ns.add(y > 0)";
    await expect(call("solve", { language: "z3", model, data_files: ["staff.csv"] }, own)).rejects.toThrow(
      /'y' is not defined/,
    );
    await call("replace_item", { index: 0, new_item: model.replace("y > 0", "x > 0") }, own);
    expect(await call("solve_model", {}, own)).toMatchObject({ status: "sat", model: { x: 4 } });
    await expect(
      call("solve", { language: "z3", model: "s = Solver()\ns.add(Int('x') == len(data['staff']))" }, own),
    ).rejects.toMatchObject({
      remedy: expect.stringContaining("data_files"),
    });
  },
);

describe("pandas and numpy, as programs use them", { timeout: real_setup_ms_max }, () => {
  const pandas = `
import pandas as pd
import io
df = pd.read_csv("staff.csv")
assert df.shape == (4, 3) and list(df.columns) == ["name", "hours", "skill"] and len(df) == 4
assert df["hours"].fillna(0).tolist() == [38, 20, 30, 0] and df["hours"].sum() == 88 and df.hours.max() == 38
assert [row["name"] for _, row in df.iterrows()] == df["name"].tolist()
assert [row.name for row in df.itertuples()] == list(df["name"])
assert df[df["skill"] == "icu"]["name"].tolist() == ["Anna", "Carla"]
assert df.loc[1, "name"] == df.iloc[1]["name"] == df.iloc[1, 0] == "Ben"
assert df.set_index("name")["hours"].to_dict()["Ben"] == 20 and df.set_index("name").loc["Anna", "hours"] == 38
assert df.to_dict("records") == data["staff"] and list(zip(df["name"], df["hours"].fillna(0) * 2))[0] == ("Anna", 76)
assert df.dropna().sort_values("hours")["name"].tolist() == ["Ben", "Carla", "Anna"]
assert [pd.isna(h) for h in df["hours"]] == [False, False, False, True]
assert (df["hours"].fillna(0) + df["hours"].fillna(0)).tolist() == [76, 40, 60, 0]
mask = (df["skill"] == "er") & df["hours"].notna()
assert df.loc[mask, "name"].tolist() == ["Ben"] and df.loc[~mask].shape == (3, 3)
df["double"] = df["hours"].fillna(0) * 2
assert df["double"][0] == 76 and [n for n in df] == ["name", "hours", "skill", "double"]
assert pd.read_csv(io.StringIO("a;b\\n1;x\\n2;"), sep=";").to_dict("list") == {"a": [1, 2], "b": ["x", None]}
assert pd.DataFrame(data["staff"])["name"].unique()[0] == "Anna" and pd.DataFrame({"a": [1]}).a[0] == 1
assert pd.read_csv(io.StringIO("ok\\nTrue\\nFalse\\n"))["ok"].tolist() == [True, False]
assert df["hours"].values[0] == 38 and df.values.tolist()[0][0] == "Anna" and df.columns.tolist()[0] == "name"
total = int(pd.read_excel("may/demand.xlsx")["need"].sum())
`;
  const solved: Readonly<Record<string, string>> = {
    z3: 'x = Int("x")\nsolver = Solver()\nsolver.add(x == total)\nexport_solution(solver=solver, variables={"x": x})',
    ortools:
      'm = cp_model.CpModel()\nx = m.new_int_var(total, total, "x")\ns = cp_model.CpSolver()\ns.solve(m)\nexport_solution({"x": s.value(x)})',
    cpmpy: 'x = cp.intvar(0, 9, name="x")\nm = cp.Model(x == total)\nm.solve()\nexport_solution({"x": x.value()})',
    pysat: 's = Glucose3()\ns.add_clause([total])\ns.solve()\nexport_solution({"satisfiable": True, "x": total})',
  };
  it.each(Object.entries(solved))("read handed tables in %s", async (language, program) => {
    const answer = await solve(language, pandas + program, ["staff.csv", "may/demand.xlsx"]);
    expect(answer).toMatchObject({ status: "sat" });
  });

  it("gives arrays in cpmpy", async () => {
    put("project/cost.csv", "1,2\n3,4\n");
    const program = `import pandas as pd
assert np.loadtxt("cost.csv", delimiter=",", dtype=int).tolist() == [[1, 2], [3, 4]]
assert np.genfromtxt("demand.csv", delimiter=",", skip_header=1).shape == (2, 2)
assert np.array(pd.read_csv("cost.csv")).sum() == 10 and np.array(pd.read_csv("cost.csv")["column_1"]).tolist() == [1, 3]
x = cp.intvar(0, 1, shape=2)
m = cp.Model(cp.sum(x * np.array([1, 2])) == 3)
m.solve()`;
    put("project/demand.csv", "a,b\n1,2\n3,4\n");
    const answer = await solve("cpmpy", program, ["cost.csv", "demand.csv"]);
    expect(answer).toMatchObject({ status: "sat" });
  });

  it.each([
    ["a method that is not there", 'df.groupby("skill")', /DataFrame\.groupby is not available/],
    ["a function that is not there", "pd.merge(df, df)", /pandas\.merge is not available/],
    ["an option that changes the table", 'pd.read_csv("staff.csv", header=None)', /with header/],
    ["a sheet that was not handed over", 'pd.read_excel("staff.csv", sheet_name="June")', /with sheet_name/],
    ["a file that was not handed over", 'pd.read_csv("other.csv")', /no table 'other\.csv'/],
    ["a sum of arrays, which lists do not have", 'df["hours"].values + df["hours"].values', /An operator on values/],
    ["a product of an array", "df.values * 2", /An operator on values/],
    ["a comparison of an array", 'df["name"].to_numpy() == "Anna"', /An operator on values/],
    ["a selection by another order", 'df.sort_values("name", ascending=False)[df["name"] == "Anna"]', /other labels/],
    ["a table of columns that have labels", "pd.DataFrame({'a': df['hours']})", /columns that have labels/],
    ["a table of texts", "pd.DataFrame(['ab', 'cd'])", /not lists, tuples or dicts/],
    ["the bits of numbers", '~df["hours"].fillna(0)', /true and false/],
    ["the mutation of the class", "pd.DataFrame.sum = 1", /can.t be set on this type/],
    ["a private part", "df._columns", /_columns/],
  ])("%s is a fault that names the rows", async (_, line, message) => {
    const program = `import pandas as pd\ndf = pd.read_csv("staff.csv")\n${line}\nx = Int("x")\nsolver = Solver()`;
    await expect(solve("z3", program, ["staff.csv"])).rejects.toMatchObject({
      message: expect.stringMatching(message),
    });
  });

  it("numpy is refused where it is not, with the way to the rows", async () => {
    await expect(solve("z3", "import numpy as np", ["staff.csv"])).rejects.toMatchObject({
      remedy: expect.stringMatching(/data\['staff'\] or with csv/),
    });
  });
});

describe("a file as an item", { timeout: real_setup_ms_max }, () => {
  const program =
    'x = Int("x")\nsolver = Solver()\nsolver.add(x == sum(r["hours"] or 0 for r in data["staff"]))\nexport_solution(solver=solver, variables={"x": x})';

  it("is kept with the model, and each solve has it", async () => {
    const own = open();
    const file = { name: "staff", path: "staff.csv" };
    expect(await call("add_item", { item: file }, own)).toMatchObject({
      data: ["staff"],
      warnings: ["staff.csv is the table staff: 4 rows; columns name (text), hours (int, 1 missing), skill (text)."],
    });
    // The language is that of the first code.
    await call("add_item", { item: `from z3 import *\n${program}` }, own);
    expect(await call("get_model", {}, own)).toMatchObject({ language: "z3", item_count: 1, data: ["staff"] });
    const timeout_ms = 120_000;
    expect(await call("solve_model", { timeout_ms }, own)).toMatchObject({ status: "sat", model: { x: 88 } });
    put("project/staff_later.csv", "name,hours\nAnna,1\n");
    await call("add_item", { item: JSON.stringify({ ...file, path: "staff_later.csv" }) }, own);
    expect(await call("get_solution", { name: "x" }, own)).toMatchObject({
      warnings: ["The model has changed since this solution was found; solve_model finds a new one."],
    });
    expect(await call("solve_model", { timeout_ms }, own)).toMatchObject({ status: "sat", model: { x: 1 } });
  });

  it("can be among the items of a whole model", async () => {
    const model = "int: n_staff; int: most; var 0..99: x; constraint x = n_staff + most; solve satisfy;";
    const items = [{ path: "staff.csv" }, model, '{"path": "more.dzn"}'];
    const answer = await call("solve", { language: "minizinc", items, timeout_ms: 120_000 });
    expect(answer).toMatchObject({ status: "sat", model: { x: 64 } });
  });

  it("that is a part of the program is an ordinary item", async () => {
    const own = open();
    await call("clear_model", { language: "asp" }, own);
    expect(await call("add_item", { item: { path: "facts.lp" } }, own)).toMatchObject({
      index: 0,
      item: "most(60).\n",
    });
  });

  it.each([
    ["another field", { path: "staff.csv", type: "csv" }, "invalid_argument", /only path is required/],
    ["a path out of the directory", { path: "../outside.csv" }, "forbidden", /is outside/],
    ["a file that is not there", { path: "stff.csv" }, "input_rejected", /There is no file/],
  ])("with %s is a fault", async (_, item, code, error) => {
    for (const [name, args] of [
      ["add_item", { item }],
      ["solve", { language: "minizinc", items: [item, "solve satisfy;"] }],
    ] as const)
      await expect(call(name, args)).rejects.toMatchObject({ code, message: expect.stringMatching(error) });
  });

  it("replaces no item", async () => {
    await expect(call("replace_item", { index: 0, new_item: { path: "staff.csv" } })).rejects.toMatchObject({
      code: "invalid_argument",
    });
  });
});

describe("parts of a model", { timeout: real_setup_ms_max }, () => {
  it("are files in its own language", async () => {
    expect(await solve("minizinc", "int: most; var 1..most: x; solve maximize x;", ["more.dzn"])).toMatchObject({
      objective: 60,
    });
    expect(await solve("asp", "a(X) :- most(X).", ["facts.lp"])).toMatchObject({ status: "sat", model: { a: [[60]] } });
    await expect(call("solve_model", { data_files: ["more.dzn"] })).rejects.toThrow(/part of a model/);
    // In a model of another language it is data.
    const facts = await solve("asp", 'a :- more_text != "". #const more_text = more.', ["more.dzn"]);
    expect(facts).toMatchObject({ status: "sat", model: { atoms: ["a"] } });
  });
});

describe.skipIf(!has_python)("a program in Python", { timeout: real_setup_ms_max }, () => {
  it("has rows as dictionaries, and files by their names", async () => {
    const answer = await solve(
      "ortools",
      `import csv, json
from ortools.sat.python import cp_model
rows = data["staff"]
with open("staff.csv", newline="") as file:
    again = list(csv.DictReader(file))
most = json.load(open("data/limits.json"))["most"]
assert [row["name"] for row in rows] == [row["name"] for row in again]
assert rows[3]["hours"] is None and again[3]["hours"] == "" and rows[0]["hours"] == 38
m = cp_model.CpModel()
x = {row["name"]: m.new_bool_var(row["name"]) for row in rows if row["hours"]}
m.add(sum(row["hours"] * x[row["name"]] for row in rows if row["hours"]) <= most)
m.maximize(sum(row["hours"] * x[row["name"]] for row in rows if row["hours"]))
solver = cp_model.CpSolver()
solver.solve(m)
export_solution(x)`,
      ["staff.csv", "limits.json"],
    );
    expect(answer).toMatchObject({
      status: "sat",
      optimal: true,
      objective: 58,
      warnings: [expect.stringContaining("4 rows")],
    });
  });

  it.each([
    [
      "z3",
      "x = Int('x')\ns = Solver()\ns.add(x > sum(data['caps']), x < data['most'])\nexport_solution(solver=s, variables={'x': x})",
      { x: 8 },
    ],
    [
      "cpmpy",
      "import cpmpy as cp\nx = cp.intvar(0, data['most'])\nm = cp.Model(x > sum(data['caps']), minimize=x)\nm.solve()\nexport_solution({'x': x})",
      { x: 8 },
    ],
    [
      "pysat",
      "from pysat.solvers import Cadical153\ns = Cadical153()\nfor c in data['clauses']: s.add_clause(c)\ns.solve()\nexport_solution(s, {'x1': 1})",
      {},
    ],
  ])("of %s has the values of data", async (language, model, values) => {
    const answer = await call("solve", {
      language,
      model,
      data: { caps: [3, 4], most: 9, clauses: [[1], [-1, 2]] },
      timeout_ms: 120_000,
    });
    expect(answer).toMatchObject({ status: "sat", model: values });
  });

  it("can open nothing else, and write nothing", async () => {
    const run = (text: string) => call("solve", { language: "z3", model: text, data: { a: [1] }, timeout_ms: 60_000 });
    await expect(run('open("/etc/passwd")')).rejects.toMatchObject({
      message: expect.stringContaining("no file '/etc/passwd'"),
      remedy: expect.stringContaining("data_files"),
    });
    await expect(run('open("a.csv", "w")')).rejects.toThrow(/can't write files/);
    await expect(call("solve", { language: "z3", model: 'open("a.csv")' })).rejects.toMatchObject({
      code: "forbidden",
      remedy: expect.stringContaining("data_files"),
    });
  });
});

describe("a path", () => {
  it.each([
    ["out of the directory", "../outside.csv", "forbidden"],
    ["that is absolute, and elsewhere", join(directory, "outside.csv"), "input_rejected"],
    ["of a link that leads out", "link.csv", "forbidden"],
    ["of a hidden directory", ".secret/keys.csv", "forbidden"],
    ["of a directory", "may", "input_rejected"],
    ["with another ending", "../../etc/passwd", "input_rejected"],
    ["with a null character", "a\0.csv", "input_rejected"],
    ["that is not there", "stuff.csv", "input_rejected"],
  ])("%s is refused", async (_what, path, code) => {
    const refused = await call("read_data", { files: [path] }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code });
    expect(JSON.stringify(refused)).not.toContain("hush");
  });

  it("below the directory can be absolute; a wrong one is answered with those that are there", async () => {
    expect(await call("read_data", { files: [join(project, "staff.csv")] })).toMatchObject({ status: "ok" });
    await expect(call("read_data", { files: ["stuff.csv"] })).rejects.toMatchObject({
      remedy: expect.stringContaining("write staff.csv instead of stuff.csv"),
    });
  });

  it("can be a file that the user named, by its name alone, and nothing beside it", async () => {
    const own = open([join(project, "staff.csv")]);
    for (const path of ["staff.csv", join(project, "staff.csv")])
      expect(await call("read_data", { files: [path] }, own)).toMatchObject({ files: [{ summary: { rows: 4 } }] });
    for (const path of ["shifts.csv", join(project, "shifts.csv"), "./staff.csv/../shifts.csv", "../staff.csv"])
      await expect(call("read_data", { files: [path] }, own)).rejects.toMatchObject({ code: "input_rejected" });
  });

  it("is refused where the server has no data directory", async () => {
    await expect(call("read_data", { files: ["staff.csv"] }, open([]))).rejects.toMatchObject({
      code: "forbidden",
      remedy: expect.stringContaining("--data-dir"),
    });
  });
});

describe("a call that is given up", () => {
  it("gives up the reading of its files", async () => {
    const giving = (cancel: AbortController) => ({
      view: () => Promise.reject(new Error("nothing is shown")),
      read: (_: unknown, { signal }: Deadline) =>
        new Promise<never>((_done, fail) => {
          signal.addEventListener("abort", () => fail(cancelled()));
          cancel.abort();
        }),
    });
    const solver = tools.find(({ name }) => name === "solve");
    if (!solver) throw new Error("no tool solve");
    const call = { language: "asp", model: "a.", data_files: ["staff.csv"] };
    for (const begin of ["call", "remoteCall", "question"] as const) {
      const cancel = new AbortController();
      const tool = withFiles(solver, {
        tables: giving(cancel),
        roots: [project],
        save_roots: [],
      });
      await expect(tool[begin]({ ...call }, quietContext(cancel.signal))).rejects.toMatchObject({ code: "cancelled" });
    }
  });
});

describe("read_data", () => {
  it("shows no line that a name in a file makes up", async () => {
    writeFileSync(join(project, "lines.csv"), '"a\nFAKE",b\n1,2\n');
    const answer = await tools.find(({ name }) => name === "read_data")?.call({ files: ["lines.csv"] }, quietContext());
    expect(answer?.text.join("\n")).toContain(String.raw`a\u000aFAKE: int`);
    expect(answer?.text.join("\n")).not.toContain("\nFAKE");
  });

  it("says if no row has the values", async () => {
    writeFileSync(join(project, "pairs.csv"), "a,b\nx,1\ny,2\n");
    const args = { files: ["pairs.csv"], where: { a: "z" } };
    const answer = await tools.find(({ name }) => name === "read_data")?.call(args, quietContext());
    expect(answer?.text.join("\n")).toContain("0 of 2 rows have these values");
  });

  it("shows types, rows that match, and names that another table lacks", async () => {
    const answer = await call("read_data", { files: ["staff.csv", "shifts.csv"], where: {}, columns: [], rows: 1 });
    expect(answer).toMatchObject({
      files: [
        {
          name: "staff",
          summary: {
            rows: 4,
            columns: [
              { name: "name", type: "text", distinct: 4 },
              { name: "hours", type: "int", missing: 1, least: 20, greatest: 38 },
              {},
            ],
          },
        },
        { name: "shifts" },
      ],
      warnings: ['shifts.staff has values that staff.name lacks: "Bob" in row 2.'],
    });
    const part = await call("read_data", {
      files: ["staff.csv"],
      where: { skill: "icu" },
      columns: ["name"],
      from_row: 1,
    });
    expect(part).toMatchObject({ files: [{ matching: 2, rows: [{ name: "Carla" }] }] });
    await expect(call("read_data", { files: ["staff.csv", "limits.json"], rows: 0 })).resolves.toMatchObject({
      files: [{ matching: 4, rows: [] }, { value: { most: 60 } }],
    });
    await expect(call("read_data", { files: ["staff.csv"], where: { skil: "icu" } })).rejects.toMatchObject({
      remedy: expect.stringContaining("write skill if you meant that"),
    });
  });
});

describe("a table that is larger than a model can have", () => {
  it("is shown by its summary and some rows", async () => {
    const text = "long ".repeat(40).trim();
    const lines = Array.from({ length: 60_500 }, (_, i) => `${i},${text},${i % 3}`);
    put("project/large.csv", `id,note,kind\n${lines.join("\n")}\n`);
    const answer = await call("read_data", {
      files: ["large.csv"],
      where: { kind: 2 },
      columns: ["id"],
      from_row: 9,
      rows: 2,
    });
    expect(answer).toMatchObject({
      files: [{ summary: { rows: 60_500 }, matching: 20_166, rows: [{ id: 29 }, { id: 32 }] }],
    });
    const [{ rows }] = (await call("read_data", { files: ["large.csv"], rows: 60_500 }))["files"] as [
      { rows: object[] },
    ];
    expect(rows[0]).toEqual({ id: 0, note: text, kind: 0 });
    expect(JSON.stringify(rows).length).toBeLessThanOrEqual(limits.answer_values_chars_max);
    await expect(solve("asp", "a.", ["large.csv"])).rejects.toMatchObject({ code: "input_rejected" });
  });
});

describe("values of an answer", { timeout: real_setup_ms_max }, () => {
  const own = open();
  const roster =
    "enum STAFF = {Anna, Ben}; enum DAY = {Mon, Tue, Wed}; array[STAFF, DAY] of var 0..8: hours; var int: total = sum(hours);" +
    "constraint forall(d in DAY)(sum(s in STAFF)(hours[s, d]) = 8); constraint hours[Anna, Mon] = 3; constraint hours[Ben, Tue] = 1; constraint hours[Anna, Wed] = 8; solve satisfy;";

  it("are saved with the names of rows and columns, and read back as they are", async () => {
    await call("solve", { language: "minizinc", model: roster, timeout_ms: 120_000 }, own);
    expect(await call("get_solution", { name: "hours", save: "plan.csv" }, own)).toMatchObject({ saved: "plan.csv" });
    expect(readFileSync(join(project, "plan.csv"), "utf8")).toBe(",Mon,Tue,Wed\r\nAnna,3,7,8\r\nBen,5,1,0\r\n");
    await call("get_solution", { name: "values", save: "may/plan.xlsx" }, own);
    const read = await call("read_data", {
      files: [
        { path: "may/plan.xlsx", sheet: "hours" },
        { path: "may/plan.xlsx", name: "rest", sheet: "Values" },
      ],
    });
    expect(read).toMatchObject({
      files: [
        {
          rows: [
            { column_1: "Anna", Mon: 3, Tue: 7, Wed: 8 },
            { column_1: "Ben", Mon: 5, Tue: 1, Wed: 0 },
          ],
        },
        { summary: { rows: 1 } },
      ],
    });
    await call("get_solution", { name: "values", save: "plan.json" }, own);
    expect(JSON.parse(readFileSync(join(project, "plan.json"), "utf8"))).toMatchObject({
      total: 24,
      hours: [
        [3, 7, 8],
        [5, 1, 0],
      ],
    });
  });

  it("are a calendar and a page", async () => {
    const own = open();
    put("project/days.csv", "day\n2026-12-01\n2026-12-02\n");
    const program =
      "enum STAFF; enum DAYS; array[STAFF, DAYS] of var 0..1: works; constraint forall(d in DAYS)(sum(s in STAFF)(works[s, d]) = 1);" +
      "constraint forall(s in STAFF)(sum(d in DAYS)(works[s, d]) <= 1); solve satisfy;";
    const asked = { language: "minizinc", model: program, data_files: ["staff.csv", "days.csv"], timeout_ms: 120_000 };
    expect(await call("solve", asked, own)).toMatchObject({ status: "sat" });
    for (const save of ["plan.ics", "plan.html"])
      expect(await call("get_solution", { name: "values", save }, own)).toMatchObject({ saved: save });
    const calendar = readFileSync(join(project, "plan.ics"), "utf8");
    expect(calendar.match(/^DTSTART;VALUE=DATE:2026120[12]\r$/gm)).toHaveLength(2);
    expect(calendar.match(/^SUMMARY:(?:Anna|Ben|Carla|Dora)\r$/gm)).toHaveLength(2);
    expect(readFileSync(join(project, "plan.html"), "utf8")).toMatch(/2026-12-[\s\S]*Anna/);
    await call("solve", { ...asked, data_files: [], model: "var 1..1: x; solve satisfy;" }, own);
    await expect(call("get_solution", { name: "values", save: "none.ics" }, own)).rejects.toMatchObject({
      code: "input_rejected",
      message: expect.stringContaining("have no dates"),
    });
  });

  it.each([
    ["what exists, without being told", "staff.csv", "input_rejected", /exists/],
    ["outside", "../plan.csv", "forbidden", /data directory/],
    ["an absolute path outside", join(directory, "plan.csv"), "forbidden", /data directory/],
    ["a hidden name", ".plan.csv", "forbidden", /hidden/],
    ["a directory that is not there", "june/plan.csv", "forbidden", /its directory does not exist/],
    ["another ending", "plan.py", "invalid_argument", /saved as \.py/],
  ])("never replace or reach %s", async (_what, save, code, message) => {
    await call("solve", { language: "minizinc", model: "var 1..1: x; solve satisfy;", timeout_ms: 120_000 }, own);
    await expect(call("get_solution", { name: "x", save }, own)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
    expect(readFileSync(join(project, "staff.csv"), "utf8")).toContain("Anna,38");
  });

  it("replace a file where the call says so", async () => {
    put("project/old.json", "old");
    await call("solve", { language: "minizinc", model: "var 1..1: x; solve satisfy;", timeout_ms: 120_000 }, own);
    await call("get_solution", { name: "x", save: "old.json", overwrite: true }, own);
    expect(JSON.parse(readFileSync(join(project, "old.json"), "utf8"))).toEqual({ x: 1 });
  });
});

it("data counts in what the models of a session may hold", () => {
  const [language] = openLanguages(engines);
  if (!language) throw new Error("no language");
  const model = new Model("m1", language, false);
  expect(model.chars).toBe(0);
  model.data = { rows: Array.from({ length: 1_000 }, () => ({ a: 1 })), n: 5 };
  expect(model.chars).toBe(7_001);
  model.data = undefined;
  expect(model.chars).toBe(0);
});

describe("a value in whole units", () => {
  it.each([
    ["minutes", "08:30", 510],
    ["minutes", "31:05", 1865],
    ["minutes", "08:30:15", undefined],
    ["days", "1970-01-02", 1],
    ["days", "2024-02-29", 19_782],
    ["days", "2026-02-30", undefined],
    ["days", "2026-13-01", undefined],
    ["days", 5, undefined],
    ["hundredths", -0.05, -5],
    ["hundredths", 1.1, 110],
    ["tenths", 3, 30],
    ["tenths", 0.25, undefined],
    ["thousandths", 1e21, undefined],
    ["thousandths", 9_007_199_254_740_991, undefined],
  ])("has the unit %s of %s", (unit, value, units) => {
    expect(column_units[unit]?.(value)).toBe(units);
  });
});

describe("columns as parameters", () => {
  const int = { type: "int", set: false, optional: false, dim: 0, dims: [] };
  const list = { ...int, dim: 1, dims: ["int"] };
  const data = {
    staff: [
      { name: "A b", pay: 1 },
      { name: "C", pay: 2 },
    ],
    jobs: [{ pay: 5 }],
    n: 3,
  };

  it("have the name of the table, or that of the column if it is the only one", () => {
    const types = { n: int, n_staff: int, staffPay: list, name: list, JOBS: { ...int, set: true } };
    expect(withColumns(data, types)).toEqual({
      n: 3,
      n_staff: 2,
      staffPay: [1, 2],
      name: ["A b", "C"],
      JOBS: { set: [[1, 1]] },
    });
    expect(() => withColumns(data, { pay: list })).toThrow(/pay can be a column of staff and of jobs/);
  });

  it("give enums their members", () => {
    expect(withEnums(data, ["STAFF", "Name"])).toMatchObject({ STAFF: ["A b", "C"], Name: ["A b", "C"] });
  });
});
