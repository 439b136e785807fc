import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import { type Answer, quietContext } from "../../src/kernel/tool.ts";
import { openToolsets } from "../../src/tools/index.ts";
import { faultIn } from "../support/faults.ts";
import { quickest_minizinc } from "../support/minizinc.ts";
import { has_python } from "../support/models.ts";
import { pythonData, real_setup_ms_max } from "../support/python.ts";
import { runs_all } from "../support/runs_all.ts";

/** What becomes of the usual mistakes with models that are built item by item. */

let engines: Engines;
type Call = (name: string, args?: Record<string, unknown>) => Promise<Answer>;
let call: Call;
/** The tools of one more client, which has no model yet. */
let openStore: () => Call;

beforeAll(async () => {
  const env = {
    ...process.env,
    ...(has_python && { VERDICT_DATA: await pythonData() }),
    ...(!runs_all && { VERDICT_MINIZINC: quickest_minizinc }),
  };
  const config = readConfig({ tools: "model" }, env);
  engines = new Engines(config);
  const toolsets = openToolsets(engines, config);
  openStore = () => {
    const tools = new Map(toolsets.flatMap((set) => set.session().map((tool) => [tool.name, tool])));
    return (name, args = {}) => {
      const tool = tools.get(name);
      if (!tool) throw new Error(`no tool ${name}`);
      return tool.call(args, quietContext());
    };
  };
  call = openStore();
}, real_setup_ms_max);
afterAll(() => engines?.close());

async function begin(language: string, ...items: string[]): Promise<void> {
  await call("clear_model", { language });
  for (const item of items) await call("add_item", { item });
}

const faultOf = async (name: string, args: Record<string, unknown>) => (await faultIn(call(name, args))).report();

const warningsOf = ({ structured }: Answer) => structured["warnings"];

describe("an item that was refused", () => {
  const refused = { item: "big(X) :- sizes(X, S), S > 3, not Y." };

  it("is named by the next answer, until it is mended", async () => {
    await begin("asp", "size(a, 5).");
    await faultOf("add_item", refused);
    await call("add_item", { item: "size(b, 1)." });
    const warning =
      "1 item was refused since the last accepted change and is not in the model: `big(X) :- sizes(X, S), S > 3, not Y.`.";
    const answer = await call("solve_model");
    expect(warningsOf(answer)).toEqual([warning]);
    expect(answer.text.join("\n")).toContain(warning);
    expect(warningsOf(await call("solve_model"))).toEqual([warning]);
    await call("add_item", { item: "small(a)." });
    expect(warningsOf(await call("solve_model"))).toEqual([]);
    await faultOf("replace_item", { index: 0, new_item: "size(a 5)." });
    await call("replace_item", { index: 0, new_item: "size(a, 6)." });
    expect(warningsOf(await call("solve_model"))).toEqual([]);
  });

  it("is counted with others, those with a bad index too", async () => {
    await begin("asp", "a.");
    await faultOf("add_item", { item: "b c." });
    await faultOf("add_item", { item: "wholly(different, text).", index: 9 });
    expect(warningsOf(await call("solve_model"))).toEqual([
      expect.stringMatching(/^2 items were refused .*`b c\.`; `wholly/),
    ]);
    await call("clear_model");
    await faultOf("add_item", refused);
    const { remedy } = await faultOf("solve_model", {});
    expect(remedy).toContain("1 item was refused");
  });
});

describe("a refused change", () => {
  it("names the items as the model has them", async () => {
    await begin("minizinc", "var 1..9: x;", "constraint x > 3;");
    const deletion = await faultOf("delete_item", { index: 0 });
    expect(deletion.error).toBe("Item 0 was not deleted. Item 1 still needs x (line 1, column 12).");
    expect(deletion).toMatchObject({ position: { item: 1, line: 1, column: 12 } });
    expect(deletion.remedy).toContain("delete or replace item 1");
    const between = await faultOf("add_item", { item: "constraint y > 1;", index: 0 });
    expect(between.error).toMatch(/^The new item, line 1, column 12: .*undefined identifier/);
    const other = await faultOf("replace_item", { index: 0, new_item: "var 1..9: y;" });
    expect(other).toMatchObject({ position: { item: 1 }, error: expect.stringMatching(/^Item 1, line 1/) });
    const clash = await faultOf("add_item", { item: "var 1..9: x;", index: 0 });
    expect(clash.position).toMatchObject({ item: 0 });
    expect(await call("solve_model")).toMatchObject({ structured: { status: "sat" } });
  });
});

describe("several solutions", () => {
  const all = { all_solutions: true };

  it("are in the text, each on its line", async () => {
    await begin("minizinc", "var 1..12: x; var 1..12: y; constraint x * y = 12 /\\ x <= y; solve satisfy;");
    const { text, structured } = await call("solve_model", all);
    expect(text[0]).toContain(
      "3 solutions were found.\nsolution 0: x = 1, y = 12\nsolution 1: x = 2, y = 6\nsolution 2: x = 3, y = 4",
    );
    expect(structured["message"]).toContain("3 solutions were found.");
    await begin("minizinc", "var 1..12: x; constraint x > 11; solve satisfy;");
    const one = await call("solve_model", all);
    expect(one.text[0]).toContain("1 solution was found.\nx = 12");
  });

  it("are read as answer sets", async () => {
    await begin("asp", "{ a; b }.");
    const { text } = await call("solve_model", all);
    expect(text[0]?.split("\n").slice(2).sort()).toEqual([
      "solution 0: ",
      "solution 1: b",
      "solution 2: a",
      "solution 3: a b",
    ]);
  });

  it("are paged through with get_solution", async () => {
    await begin("minizinc", "array[1..6] of var 1..3: queue_of_the_long_name; solve satisfy;");
    const { text, structured } = await call("solve_model", all);
    const shown = Number(/from_index (\d+)/.exec(String(structured["warnings"]))?.[1]);
    expect(text[0]).toMatch(/get_solution with name "solutions" and from_index \d+ shows more/);
    // The text shows fewer than the structured answer: it names one place to go on from, its own.
    const indices = [...text.join("\n").matchAll(/from_index (\d+) shows more/g)].map(([, from]) => Number(from));
    expect(indices).toEqual([text[0]?.match(/^solution \d+: /gm)?.length]);
    expect(structured["solutions"]).toHaveLength(shown);
    let from_index = 0;
    const pages: unknown[] = [];
    while (from_index < 729) {
      const { structured: page } = await call("get_solution", { name: "solutions", from_index });
      const value: unknown = page["value"];
      if (!Array.isArray(value) || value.length === 0) throw new Error("no page");
      pages.push(...value);
      from_index += value.length;
      if (from_index < 729)
        expect(page["warnings"]).toEqual([expect.stringContaining(`from_index ${from_index} shows more`)]);
    }
    expect(new Set(pages.map((each) => JSON.stringify(each))).size).toBe(729);
    expect(
      await call("get_solution", { name: "solutions", indices: [728, "queue_of_the_long_name", 0] }),
    ).toMatchObject({
      structured: { value: expect.any(Number) },
    });
    expect(await faultOf("get_solution", { name: "solutions", from_index: 729 })).toMatchObject({
      code: "invalid_argument",
    });
  });

  it("are shown in part where even one is too long", async () => {
    await begin("asp", "p(1..4000). { q }.");
    const { structured } = await call("solve_model", { max_models: 2 });
    expect(structured["solutions"]).toMatchObject([{ atoms: expect.arrayContaining(["p(1)"]) }]);
    expect(String(structured["warnings"])).toContain("2 solutions were found; the first one is shown.");
  });

  it("differ in what is shown, whatever #project says", async () => {
    await begin("asp", "{ a; b }. #project a/0.");
    const { structured } = await call("solve_model", all);
    expect(structured["solutions"]).toHaveLength(4);
    expect(structured["warnings"]).toEqual([
      expect.stringContaining("#project has no effect here"),
      "These are all answer sets, distinguished by the shown atoms.",
    ]);
  });
});

it("a list that is too long for an answer stays a list", async () => {
  await begin("asp", "p(1..9000).");
  const { structured } = await call("solve_model");
  expect(structured).toMatchObject({ model: { atoms: expect.arrayContaining(["p(1)", "p(2)"]) } });
  const { structured: whole } = await call("get_solution", { name: "atoms" });
  expect(whole).toMatchObject({ value: expect.arrayContaining(["p(1)"]) });
  expect(String(whole["warnings"])).toMatch(/Elements 0 to \d+ of 9000 are shown/);
});

describe("data", () => {
  it("stays with the model until other data comes", async () => {
    await begin("minizinc", "int: n; int: m; var 1..n: x; constraint x > m; solve maximize x;");
    expect(await call("solve_model", { data: { n: 7, m: 2 } })).toMatchObject({ structured: { objective_value: 7 } });
    const again = await call("solve_model");
    expect(again.structured).toMatchObject({
      objective_value: 7,
      warnings: ["Data from an earlier call still applies: n, m. Data in this call replaces parameters by name."],
    });
    await call("replace_item", {
      index: 0,
      new_item: "int: n; int: m = 3; var 1..n: x; constraint x > m; solve minimize x;",
    });
    expect((await call("solve_model")).structured).toMatchObject({ objective_value: 4 });
    expect((await call("solve_model", { data: { n: 4 } })).structured).toMatchObject({
      objective_value: 4,
      warnings: ["Data from an earlier call still applies: m. Data in this call replaces parameters by name."],
    });
  });

  it("changes by name: the rest of it stays", async () => {
    await begin("minizinc", "int: n; array[1..3] of int: a; var 1..n: x; constraint x > max(a); solve minimize x;");
    await call("solve_model", { data: { n: 50, a: [7, 8, 9] } });
    expect((await call("solve_model", { data: { a: [7, 28, 9] } })).structured).toMatchObject({
      objective_value: 29,
      warnings: ["Data from an earlier call still applies: n. Data in this call replaces parameters by name."],
    });
    expect((await call("solve_model", { data: { n: 5 } })).structured).toMatchObject({ status: "unsat" });
  });

  it("takes elements of enums as MiniZinc writes them", async () => {
    await begin("minizinc", "enum C; array[C] of int: a; C: best; var C: c; constraint a[c] < a[best]; solve satisfy;");
    const names = [{ e: "A" }, { e: "B" }];
    for (const C of [names, { set: names }, ["A", "B"]])
      expect((await call("solve_model", { data: { C, a: [1, 2], best: { e: "B" } } })).structured).toMatchObject({
        model: { c: "A" },
      });
  });
});

describe("an item in another language", () => {
  const smtlib = "(declare-const x Int)\n(assert (> x 3))";
  const texts: readonly (readonly [text: string, what: string, languages: string, of: string])[] = [
    ["var 1..9: x;\nconstraint x > 3;", "MiniZinc", 'clear_model with language "minizinc"', "asp z3 pysat"],
    ["solve maximize x;", "MiniZinc", 'clear_model with language "minizinc"', "asp z3"],
    [smtlib, "SMT-LIB", "solve_smtlib", "asp minizinc z3"],
    [
      "color(red). color(blue).\n{ at(X) : color(X) } = 1.",
      "an answer-set or Prolog program",
      'clear_model with language "asp"',
      "minizinc z3",
    ],
    [":- at(X), at(Y), X < Y.", "an answer-set or Prolog program", 'clear_model with language "asp"', "minizinc pysat"],
    ["from z3 import *\nx = Int('x')", "Python with Z3", 'clear_model with language "z3"', "minizinc asp"],
    [
      "from pysat.formula import CNF\ncnf = CNF()",
      "Python with PySAT",
      'clear_model with language "pysat"',
      "minizinc asp",
    ],
    ["for i in range(3):\n    print(i)", "Python", 'clear_model with language "z3" or "pysat"', "minizinc asp"],
    [
      "import clingo\nctl = clingo.Control()",
      "clingo's Python interface",
      "send the rules themselves",
      "asp z3 minizinc",
    ],
    [
      "from ortools.sat.python import cp_model",
      "Python with OR-Tools",
      'clear_model with language "ortools"',
      "z3 minizinc asp",
    ],
    [
      "from ortools.math_opt.python import mathopt",
      "Python with OR-Tools",
      'clear_model with language "ortools"',
      "z3 minizinc asp",
    ],
    [
      "import cpmpy as cp\nm = cp.Model()",
      "Python with CPMpy",
      'clear_model with language "cpmpy"',
      "z3 minizinc ortools",
    ],
    ["import pulp", "a Python solver library that is not available", "write the same model", "z3 minizinc ortools"],
  ];
  const cases = texts.flatMap(([text, what, step, of]) =>
    of.split(" ").map((language) => ({ text, what, step, language })),
  );

  it.each(cases.filter(({ language }) => has_python || /asp|minizinc/.test(language)))(
    "$what in $language is recognised: $text",
    async ({ text, what, step, language }) => {
      await begin(language);
      const { remedy } = await faultOf("add_item", { item: text });
      expect(remedy).toMatch(new RegExp(`^\\(1\\) this is ${what}`));
      expect(remedy.split("; (2)")[0]).toContain(step);
    },
  );

  const shown_by_text = "language was omitted; the text shows that it is minizinc.";

  it("is used without a language where its text shows it, in one call and in the first item", async () => {
    const { structured } = await call("solve", { model: "var 1..9: x; constraint x > 8; solve satisfy;" });
    expect(structured).toMatchObject({ model: { x: 9 }, warnings: [shown_by_text] });
    const atoms = await call("solve", { items: ["color(red).", "p(X) :- color(X)."] });
    expect(atoms.structured).toMatchObject({ model: { atoms: ["color(red)", "p(red)"] } });
    const roster = "enum P; array[P] of var 0..1: w; constraint w[Anna] = 1; solve maximize sum(w);";
    const named = await call("solve", { model: roster, data: { P: ["Anna", "Ben"] } });
    expect(named.structured).toMatchObject({ model: { w: [1, 1] }, warnings: [shown_by_text] });
    const empty = openStore();
    expect((await empty("add_item", { item: "var 1..9: y; solve maximize y;" })).structured).toMatchObject({
      warnings: [shown_by_text],
    });
    expect((await empty("add_item", { item: "constraint y < 4;" })).structured).toMatchObject({ warnings: [] });
    expect((await empty("solve_model")).structured).toMatchObject({ model: { y: 3 } });
  });

  it("is not used against a language that was named", async () => {
    await begin("asp");
    expect((await faultOf("add_item", { item: "var 1..9: x;" })).remedy).toContain("this is MiniZinc");
  });

  it("of a whole model is sent again in its language, in one call", async () => {
    const { remedy } = await faultOf("solve", { model: "{ a; b }.\n:- a, b.", language: "minizinc" });
    expect(remedy).toContain('solve with language "asp"');
    expect(remedy).not.toContain("clear_model");
  });

  it("MiniZinc's own form of data goes into an item", async () => {
    const model = "int: n; var 1..n: x; solve maximize x;";
    const { error } = await faultOf("solve", { language: "minizinc", model, data: "n = 4;" });
    expect(error).toContain('such as {"n": 3');
    expect(error).toContain("send it as an item");
  });

  it.each([
    ["asp", "a(1). b(X) :- a(X), X > Y."],
    ["minizinc", 'var 1..9: x; constraint zz > 3; output ["solve satisfy; :- p(1)."];'],
    ["z3", "x = Int('x')\ny = [1, 2][:-1]\nx +"],
    ["pysat", "from pysat.solvers import Solver\ns = Solver(\ns.add_clause([1])"],
  ])("a fault of %s in its own language says nothing of others: %j", async (language, item) => {
    if (!has_python && !/asp|minizinc/.test(language)) return;
    await begin(language);
    expect((await faultOf("add_item", { item })).remedy).not.toContain("this is ");
  });
});

describe("habits of other languages", () => {
  it.each([
    ["asp", "q :- p && r.", "a comma joins"],
    ["asp", "p -> q.", "an implication is a rule"],
    ["asp", "p => q.", "an implication is a rule"],
    ["asp", "p(1).\n?- p(X).", "there are no queries"],
    ["asp", "p(1). q(Y) :- p(X), Y is X + 1.", "write `Y = X + 1`"],
    ["asp", "price(a, 2.5).", "there are no decimals"],
    ["asp", "p(1). q(_) :- p(1).", "replace `_` with a named variable"],
    ["minizinc", "var 1..5: x; constraint x > most;", "(1) declare most first, for example `var 1..9: most;`"],
    ["minizinc", "var 1..5: x; constraint alldiferent([x]);", "(1) write alldifferent instead of alldiferent;"],
    ["minizinc", "var 1..5: x; for i in 1..3: constraint x > i;", "`constraint forall(i in 1..3)"],
    ["minizinc", "var 1..5: x; constraint if x > 1 then x = 2 endif else x = 3;", "write endif only at the end"],
    ["asp", "p(1) q(2).", "(1) write the comma or full stop that is missing"],
    ["minizinc", 'var 1..5: x; output ["x is " ++ x];', '"x = " ++ show(x)'],
    ["asp", "Color(red).", "predicates begin with a lower-case letter"],
    ["asp", "a.\\nb.", "two characters"],
    ["asp", "a.\u200b b.", "line 1, column 3 contains the invisible character U+200B"],
    ["minizinc", "var 1..9: x;\\nconstraint x > 3;", "two characters"],
    ["minizinc", "var 1..9:\u200b x;", "U+200B"],
    ["z3", "p, q = Bools('p q')\nq && p", "And(p, q)"],
    ["z3", "p, q = Bools('p q')\np -> q", "Implies(p, q)"],
    ["z3", "p, q = Bools('p q')\np => q", "Implies(p, q)"],
    ["z3", "p = Bool('p')\\np", "two characters"],
    ["z3", "p = Bool('p')\u200b", "U+200B"],
    ["pysat", "p -> q", "[-p, q]"],
  ])("%s: %j has its cure", async (language, item, cure) => {
    if (!has_python && !/asp|minizinc/.test(language)) return;
    await begin(language);
    expect((await faultOf("add_item", { item })).remedy).toContain(cure);
  });
});
