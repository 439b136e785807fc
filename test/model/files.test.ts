import { describe, expect, it } from "vitest";
import { isFile } from "../../src/tools/written_in.ts";
import { fixture } from "../support/fixture.ts";
import { has_python, shareModels } from "../support/models.ts";
import { filesAnsweredWrong } from "../support/random_files.ts";

// Each text is our own, and its best value is known by hand.

/** Fixed columns, names with spaces, a maximum, a constant, ranges of each kind, and each kind of bound. */
const mps = `* a comment
NAME          own
OBJSENSE
    MAX
ROWS
 N  gain
 L  oak wood
 G  work
 E  even
 N  unused
COLUMNS
    MARKER                 'MARKER'                 'INTORG'
    chair     gain               3.0   oak wood             2
    chair     work                 1
    table     gain               5.5   oak wood             3
    table     work                 1   even                 1
    half      even                -2
    MARKER                 'MARKER'                 'INTEND'
RHS
    RHS       oak wood            12   work                 1
    RHS       gain               -10
RANGES
    RNG       oak wood            10   work                 4
    RNG       even               0.5
BOUNDS
 UP BND       chair                4
 PL BND       table
 UP BND       table                3
 LI BND       half                 0
 UI BND       half                 2
ENDATA
`;

const lp = `\\ a comment
Maximize
 obj: 3 chair + 5.5 table
      + 10
Subject To
 oak_wood: 2 <= 2 chair + 3 table <= 12
 work: chair + table >= 1
 5 >= chair + table
 table - 2 half = 0
Bounds
 chair <= 4
 0 <= table <= 3
 half <= 2
General
 chair table half
End
`;

const opb = `* #variable= 4 #constraint= 3
min: -1 x1 -4 x2 x3 +2 ~x4 ;
+2 x1 +3 x2 +1 x3 -1 x4 >= -1 ;
-2 x1 -2 x2 -1 x3 +1 x4 >= -3 ;
+1 x1 +1 ~x4 = 1 ;
`;

const wbo = `* #variable= 2 #constraint= 3 #soft= 2 mincost= 2 maxcost= 3 sumcost= 5
soft: 6 ;
[2] +1 x1 +1 x2 >= 2 ;
[3] +1 ~x1 >= 1 ;
+1 x1 +1 x2 >= 1 ;
`;

const cnf = "c own\np cnf 3 4\n1 2 0\n-1 2 0\n1 -2\n0 3 -2 0\n";
const conflict = "p cnf 3 5\n3 1 0\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n";
const wcnf_old = "p wcnf 3 4 10\n10 1 2 0\n3 -1 0\n4 -2 0\n2 3 0\n";
const wcnf_new = "c own\nh 1 2 0\n3 -1 0\n4 -2 0\n2 3 0\n";

const job_shop = "# own\n2 2\n 0 3 1 2\n 1 4  0 1\n";
const stars = "*".repeat(40);
const project = `${stars}
file with basedata            : own.bas
${stars}
RESOURCES
  - renewable                 :  2   R
  - nonrenewable              :  0   N
${stars}
PRECEDENCE RELATIONS:
jobnr.    #modes  #successors   successors
   1        1          3           2   3   4
   2        1          1           5
   3        1          1           5
   4        1          1           5
   5        1          0
${stars}
REQUESTS/DURATIONS:
jobnr. mode duration  R 1  R 2
--------------------------------
  1      1     0       0    0
  2      1     4       2    0
  3      1     3       2    1
  4      1     2       1    1
  5      1     0       0    0
${stars}
RESOURCEAVAILABILITIES:
  R 1  R 2
    3    1
${stars}
`;

describe.skipIf(!has_python)("a file of another solver", () => {
  const models = fixture(shareModels);

  const solve = (text: string, options: Record<string, unknown> = {}) =>
    models.call("solve", { model: text, timeout_ms: 30_000, ...options });

  it.each([
    ["MPS", mps, { chair: 3, table: 2, half: 1 }, 30],
    ["LP", lp, { chair: 3, table: 2, half: 1 }, 30],
    ["OPB with a product", opb, { x1: 0, x2: 1, x3: 1, x4: 0 }, -2],
    ["WBO", wbo, { x1: 0, x2: 1 }, 2],
  ])("in %s is decided exactly where all variables are whole and bounded", async (_format, text, model, value) => {
    const answer = await solve(text);
    expect(answer).toMatchObject({ status: "sat", optimal: true, objective_value: value, confirmed: true });
    expect(answer["model"]).toEqual(model);
    expect(answer["engine"]).toMatch(/^CP-SAT by ortools/);
    expect(answer["warnings"]).toContain("language was omitted; the text shows that it is ortools.");
  });

  it("with reals goes to HiGHS, whose word is confirmed in fractions", async () => {
    const real = lp.replace("General\n chair table half\n", "");
    const answer = await solve(real);
    expect(answer).toMatchObject({ status: "sat", optimal: true, confirmed: true });
    // chair 1.5 and table 3: 4.5 + 16.5 + 10.
    expect(answer["objective_value"]).toBeCloseTo(31, 6);
    expect(answer["engine"]).toMatch(/^HiGHS by ortools/);
  });

  it("has semi-continuous variables: 0, or within their bounds", async () => {
    const text =
      "Minimize\n cost: x + 10 y\nSubject To\n need: x + y >= 1\nBounds\n 3 <= x <= 8\nSemi-continuous\n x\nEnd\n";
    const dear = await solve(text);
    expect(dear).toMatchObject({ optimal: true });
    expect(dear["objective_value"]).toBeCloseTo(3, 5);
    const cheap = await solve(text.replace("10 y", "2 y"));
    expect(cheap).toMatchObject({ optimal: true });
    expect(cheap["objective_value"]).toBeCloseTo(2, 5);
  });

  it.each([
    ["in DIMACS", cnf, "pysat", { 1: true, 2: true, 3: true }, null],
    ["with weights and a header", wcnf_old, "pysat", { 1: true, 2: false, 3: true }, 3],
    ["with weights and without a header", wcnf_new, "pysat", { 1: true, 2: false, 3: true }, 3],
    ["with weights, by CP-SAT", wcnf_new, "ortools", { 1: 1, 2: 0, 3: 1 }, 3],
  ])("of clauses %s is solved", async (_form, text, language, model, value) => {
    const answer = await solve(text, { language });
    expect(answer).toMatchObject({ status: "sat", objective_value: value, confirmed: true });
    expect(answer["model"]).toEqual(model);
  });

  it.each([
    ["pysat", { certificate: { kind: "drat", checked: true } }],
    ["ortools", { confirmed_by: ["enumeration"] }],
  ])("has no solution with a proof, and the lines that conflict (%s)", async (language, proof) => {
    const answer = await solve(conflict, { language, why: true });
    expect(answer).toMatchObject({ status: "unsat", ...proof });
    const core = [3, 4, 5, 6].map((line) => expect.objectContaining({ item: 0, line }));
    expect(answer["why"]).toMatchObject({ core, core_minimal: true });
  });

  it("takes the questions of its language: all solutions, their number, the best ones, the backbone", async () => {
    expect(await solve(cnf, { count: true })).toMatchObject({ count: { number: 1, exact: true } });
    expect(await solve(cnf, { language: "ortools", all_solutions: true })).toMatchObject({
      solutions: [{ 1: 1, 2: 1, 3: 1 }],
    });
    expect(await solve(mps, { k_best: 2 })).toMatchObject({ k_best: { objectives: [30, 27] } });
  });

  it.each([
    ["a job shop", job_shop, 6],
    ["a project", project, 7],
  ])("of a library of schedules is solved: %s", async (_what, text, makespan) => {
    const answer = await solve(text, { check: true });
    expect(answer).toMatchObject({ status: "sat", optimal: true, objective_value: makespan, confirmed_by: ["z3"] });
    expect(answer["engine"]).toContain("cpmpy");
  });

  it("becomes a model whose one item can be replaced, and that no other item can join", async () => {
    const { model_id } = await solve(cnf);
    await expect(models.call("add_item", { model_id, item: "x = 1" })).rejects.toMatchObject({
      message: expect.stringContaining("which is a whole model; there are 2 items"),
    });
    await models.call("replace_item", { model_id, index: 0, new_item: conflict });
    expect(await models.call("solve_model", { model_id })).toMatchObject({ status: "unsat" });
  });

  it("can be larger than an item", async () => {
    const clauses = Array.from({ length: 20_000 }, (_, i) => `${(i % 500) + 1} -${((i * 7) % 500) + 1} 0`);
    const text = `p cnf 500 ${clauses.length}\n${clauses.join("\n")}\n`;
    expect(text.length).toBeGreaterThan(100_000);
    expect(await solve(text)).toMatchObject({ status: "sat" });
    await expect(solve(text.padEnd(4_000_001))).rejects.toMatchObject({ code: "input_rejected" });
  });

  it.each([
    [
      "a row that is not declared",
      mps.replace("work                 1   even", "wrok                 1   even"),
      16,
      "no row wrok. Did you mean work?",
    ],
    ["a number that is none", mps.replace("5.5", "5,5"), 15, "5,5 is not a number"],
    [
      "a variable that is not declared",
      mps.replace(" UI BND       half", " UI BND       halv"),
      30,
      "no variable halv",
    ],
    ["an end that is missing", mps.replace("ENDATA\n", ""), 30, "ends without ENDATA"],
    [
      "a section of another kind of model",
      mps.replace("ENDATA", "QUADOBJ"),
      31,
      "QUADOBJ of the MPS file is not supported",
    ],
    ["a second coefficient", mps.replace("table     work ", "table     gain "), 16, "two coefficients of table"],
    [
      "only a negative upper bound",
      mps.replace("chair                4", "chair               -4"),
      26,
      "some programs then assume 0, others none",
    ],
    ["a number for a row twice", mps.replace("RHS       gain ", "RHS       work "), 21, "two numbers for the row work"],
    [
      "a whole variable that is semi-continuous",
      mps.replace(" UP BND       chair", " SC BND       chair"),
      26,
      "real in some programs",
    ],
    [
      "a product",
      lp.replace("3 chair +", "3 chair * table +"),
      3,
      "* is not allowed in this position, in the objective",
    ],
    [
      "one range or two constraints",
      lp.replace("5 >= chair + table\n table", "5 >= chair\n - table >= -3\n table"),
      9,
      "one range or as two",
    ],
    [
      "a variable on the right",
      lp.replace(">= 1\n", ">= 1 half\n"),
      7,
      "half is not allowed in this position, in the right side",
    ],
    ["a condition", lp.replace("work: chair", "work: half = 1 -> chair"), 7, "-> is not allowed in this position"],
    ["bounds of a truth value", lp.replace("General\n chair table half", "Binary\n chair"), 15, "chair is in Binary"],
    [
      "a set of variables of which one is not 0",
      lp.replace("General", "SOS1"),
      14,
      "The section SOS1 is not supported",
    ],
    ["a clause without its end", cnf.replace("3 -2 0", "3 -2"), 6, "does not end with 0"],
    ["fewer clauses than its header says", cnf.replace("3 4", "3 5"), 6, "says 5 clauses, but there are 4"],
    ["a variable beyond its header", cnf.replace("p cnf 3", "p cnf 2"), 6, "variable 3 exceeds the 2"],
    ["a weight that is none", wcnf_old.replace("10 1", "h 1"), 2, "h is not a clause weight"],
    ["a statement without its end", opb.replace("= 1 ;", "= 1"), 5, "does not end with a semicolon"],
    ["a name that is none of OPB", opb.replace("+1 x3", "+1 y3"), 3, "No literal follows +1"],
    [
      "signs of lp_solve's format",
      "max: 3 x1 + 2 x2 ;\n+1 x1 +1 x2 <= 4 ;\n",
      1,
      "this could also be an lp_solve file",
    ],
    ["a job with too few operations", job_shop.replace("1 4  0 1", "1 4"), 4, "has 2 pairs of a machine"],
    ["a job with two modes", project.replace("   3        1 ", "   3        2 "), 12, "more than one mode is not read"],
    ["a table that is cut", project.slice(0, project.indexOf("   4   ")), 12, "does not end with a line of stars"],
  ])("with %s is a fault at its line", async (_what, text, line, message) => {
    const language = isFile(text) ? undefined : "ortools";
    await expect(solve(text, { language })).rejects.toMatchObject({
      code: "syntax_error",
      position: { item: 0, line },
      message: expect.stringContaining(message),
    });
  });

  it("says what it read where files of the format differ in their meaning", async () => {
    const truth =
      "NAME own\nROWS\n N c\n G r\nCOLUMNS\n m 'MARKER' 'INTORG'\n x c 1 r 1\n m 'MARKER' 'INTEND'\nRHS\n s r 1\nENDATA\n";
    const answer = await solve(truth);
    expect(answer).toMatchObject({ objective_value: 1 });
    expect(answer["warnings"]).toContainEqual(
      expect.stringContaining("such an integer variable in an MPS file is 0 or 1"),
    );
    const cut = await solve(lp.replace("End\n", ""));
    expect(cut["warnings"]).toContainEqual(expect.stringContaining("The file has no End."));
  });

  it("is refused where its numbers are too large for CP-SAT and for floats", async () => {
    const large = `* #variable= 2 #constraint= 1\n+${2n ** 90n} x1 +${2n ** 90n + 1n} x2 >= 1 ;\n`;
    await expect(solve(large)).rejects.toMatchObject({ message: expect.stringContaining("is beyond 2^53") });
  });

  it("in a language that does not read its format is a fault that names the one that does", async () => {
    const fault = await models.fault("z3", [mps]);
    expect(fault.remedy).toContain(
      'this is an MPS file, but the model\'s language is z3: clear_model with language "ortools"',
    );
  });
});

describe.skipIf(!has_python)("random files of other solvers", () => {
  it("have the best value that all values show", async () => {
    expect(await filesAnsweredWrong(3, 42)).toEqual([]);
  });
});

describe("what is not a file of another solver", () => {
  it.each([
    ["Python", "NAME = 3\nROWS\n"],
    ["Python with such a text in it", 'cnf = CNF(from_string="""p cnf 1 1\n1 0\n""")\n'],
    ["an answer-set program", "max(3).\nsubject(X) :- max(X).\n"],
    ["MiniZinc", "var 1..3: x;\nsolve minimize x;\n"],
    ["SMT-LIB", "(minimize x)\n(check-sat)\n"],
    ["numbers", "1 2 3\n4 5 6\n"],
  ])("is %s", (_what, text) => expect(isFile(text)).toBe(false));
});
