import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Answer, parseExactJson, Reader, readInterface, writeExactJson } from "../../src/engines/minizinc/read.ts";
import { DOUBT_REASONS, doubtsOn, looseTruths, readFlatZinc } from "../../src/evidence/flatzinc/trust.ts";
import { checkSolutions } from "../../src/evidence/flatzinc/values.ts";
import { type Crash, type Decision, decide } from "../../src/evidence/minizinc/decide.ts";
import { statementsOf } from "../../src/evidence/minizinc/statements.ts";
import type { Ending } from "../../src/kernel/process/child.ts";
import { othersThan } from "../../src/tools/model/languages/minizinc/choice.ts";
import { findConflict } from "../../src/tools/model/languages/minizinc/explain/conflict.ts";
import { readModel } from "../../src/tools/model/languages/minizinc/model.ts";
import { doubtNote, listed } from "../../src/tools/model/languages/minizinc/remarks.ts";
import { plainValues } from "../../src/tools/model/languages/minizinc/values.ts";

function recorded(name: string): string[] {
  return readFileSync(`test/fixtures/minizinc/${name}.txt`, "utf8").trimEnd().split("\n").slice(1);
}

function read(name: string): Answer {
  const reader = new Reader(10);
  for (const line of recorded(name)) reader.take(line);
  return reader.answer();
}

it("takes the bound that a linear solver writes before a solution, for that solution alone", () => {
  const reader = new Reader(10);
  const statistics = (more: object) => reader.take(JSON.stringify({ type: "statistics", statistics: more }));
  const solution = (objective: number) =>
    reader.take(JSON.stringify({ type: "solution", output: { json: { _objective: objective } } }));
  statistics({ objective: 59, nodes: 0 });
  solution(59);
  statistics({ objective: 1094, objectiveBound: 2208, nodes: 0 });
  solution(1094);
  solution(1095);
  expect(reader.answer().solutions.map(({ bound }) => bound)).toEqual([undefined, 2208, undefined]);
});

describe("recorded output of the embedded build", () => {
  const of = (name: string) => read(`wasm_${name}`);

  it("has a solution without a status when one was asked for", () => {
    const { status, solutions } = of("satisfied");
    expect(status).toBeUndefined();
    expect(solutions).toMatchObject([{ values: { x: 3 }, text: "x is 3\n" }]);
  });

  it("has all solutions", () => {
    expect(of("all_solutions")).toMatchObject({ status: "ALL_SOLUTIONS" });
    expect(of("all_solutions").solutions.map(({ values }) => values.x)).toEqual([1, 2, 3]);
  });

  it("has an optimum", () => {
    const { status, solutions } = of("optimal");
    expect(status).toBe("OPTIMAL_SOLUTION");
    expect(solutions.at(-1)).toMatchObject({
      values: {
        x: 3,
        a: [
          [1, 1],
          [1, 1],
        ],
      },
      objective: 3,
    });
  });

  it("has values of all kinds, made plain", () => {
    const [solution] = of("values").solutions;
    expect(plainValues(solution?.values ?? {})).toEqual({ c: "G", s: [1, 2, 3, 7], b: true, f: 0.5 });
  });

  it("has large integers as texts", () => {
    expect(of("large").solutions).toMatchObject([{ values: { big: "9007199254740993" } }]);
  });

  it("has unsat, at compile time with its place", () => {
    expect(of("unsat").status).toBe("UNSATISFIABLE");
    const { status, warnings } = of("unsat_compiled");
    expect(status).toBe("UNSATISFIABLE");
    expect(warnings).toMatchObject([
      { message: "model inconsistency detected", places: [{ file: "model.mzn", line: 2 }] },
    ]);
    expect(of("division").warnings[0]).toMatchObject({ places: [{ file: "model.mzn", line: 3, column: 16 }, {}, {}] });
  });

  it.each([
    ["assertion", "assertion failed", 2],
    ["undeclared", "type error", 2],
    ["syntax", "syntax error", 2],
    ["missing", "type error", 1],
  ])("has the error of %s with its place", (name, what, line) => {
    const { errors, status, solutions } = of(name);
    expect({ status, solutions }).toEqual({ status: undefined, solutions: [] });
    expect(errors).toMatchObject([{ what }]);
    expect(errors[0]?.places[0]).toMatchObject({ file: "model.mzn", line });
  });

  it("takes no printed text for a status", () => {
    expect(of("trace")).toMatchObject({ status: undefined, traces: ["=====UNSATISFIABLE=====\n"] });
  });

  it("has nothing at a time limit that could be taken for unsat", () => {
    expect(of("timeout").solutions).toEqual([]);
    expect(of("timeout").status === undefined || of("timeout").status === "UNKNOWN").toBe(true);
  });

  it("has the parameters with their types", () => {
    const { C, n, q, o } = readInterface(recorded("wasm_interface")) ?? {};
    expect({ C, n, q, o }).toMatchObject({
      C: { type: "int", set: true },
      n: { type: "int", dim: 0 },
      q: { set: true, dim: 2, enum_type: "C", dims: ["C", "int"] },
      o: { optional: true },
    });
  });
});

it("lines that are cut off or no JSON say nothing", () => {
  const reader = new Reader(1);
  for (const line of [
    '{"type": "status", "status": "UNSAT',
    "UNSATISFIABLE",
    "{}",
    '{"type": "status", "status": "NEW"}',
  ])
    reader.take(line);
  expect(reader.answer()).toMatchObject({ status: undefined, solutions: [], errors: [] });
});

it("JSON keeps integers of any size, and texts as they are", () => {
  const text = '{"a":[-9223372036854775807,1e30,0.1234567890123456,"12345678901234567890 \\" x"],"b":9007199254740991}';
  const value = parseExactJson(text);
  expect(value).toEqual({
    a: ["-9223372036854775807", 1e30, 0.1234567890123456, '12345678901234567890 " x'],
    b: 9007199254740991,
  });
  expect(writeExactJson({ a: "9007199254740993" })).toBe('{"a":9007199254740993}');
});

function doubtsIn(flatzinc: string, solver: string, objective?: number): string[] {
  const model = readFlatZinc(flatzinc);
  return model ? doubtsOn(model, solver, objective).map(({ what }) => what) : ["unreadable"];
}

describe("a compiled model as JSON", () => {
  const json = {
    variables: {
      x: {
        type: "int",
        domain: [
          [1, 1],
          [3, 3],
        ],
      },
      y: { type: "int", introduced: true },
      b: { type: "bool", rhs: true },
    },
    arrays: { a: { a: ["x", "large"] } },
    constraints: [
      { id: "int_lin_le", args: [[1, -2], ["x", "y"], 7], ann: ["ctx_pos"] },
      {
        id: "set_in",
        args: [
          "x",
          {
            set: [
              [1, 3],
              [5, 5],
            ],
          },
        ],
      },
    ],
    output: ["x", "a"],
    solve: { method: "minimize", objective: "y" },
  };
  const written = (value: object) => JSON.stringify(value).replace('"large"', "9007199254740993");

  it("is read like its text", () => {
    const text = `var {1,3}: x:: output_var;
var int: y;
var bool: b = true;
array [1..2] of var int: a:: output_array([1..2]) = [x,9007199254740993];
constraint int_lin_le([1,-2],[x,y],7);
constraint set_in(x,{1..3,5});
solve minimize y;
`;
    const model = readFlatZinc(text);
    expect(model).toBeDefined();
    expect(readFlatZinc(written(json))).toEqual(model);
  });

  it.each([
    ["reals", { ...json, variables: { ...json.variables, f: { type: "float" } } }],
    ["a real argument", { ...json, constraints: [{ id: "float_le", args: [0.5, "x"] }] }],
    ["no goal", { ...json, solve: {} }],
  ])("is unreadable with %s", (_, value) => {
    expect(readFlatZinc(written(value))).toBeUndefined();
  });

  it("is unreadable if it was cut off", () => {
    expect(readFlatZinc(written(json).slice(0, -9))).toBeUndefined();
  });
});

describe("a compiled model", () => {
  const bounded = "var 0..9: x:: output_var;\nvar -3..3: y;\n";
  it.each([
    ["is fine with bounds", bounded, "gecode", []],
    ["has a variable without bounds", "var int: z:: output_var;\n", "gecode", ["z has no bounds"]],
    [
      "has a sum that follows from bounds",
      `${bounded}var int: s:: is_defined_var;\nconstraint int_lin_eq([1,1,-1],[x,y,s],0):: defines_var(s);\n`,
      "chuffed",
      [],
    ],
    [
      "has a sum of the unbounded",
      "var int: z;\nvar int: s;\nconstraint int_lin_eq([1,-1],[z,s],0):: defines_var(s);\n",
      "gecode",
      ["z has no bounds", "s has no bounds"],
    ],
    [
      "has a number too large for gecode",
      "var 0..9: x;\nconstraint int_le(3000000000,x);\n",
      "gecode",
      ["3000000000 is too large"],
    ],
    [
      "has a number too large for chuffed alone",
      "var 0..600000000: x;\n",
      "chuffed",
      ["600000000 is too large", "x is too large"],
    ],
    [
      "has a sum that false implies, which chuffed takes for a constraint",
      `${bounded}constraint int_lin_le_imp([2,-3],[x,y],-4,false);\n`,
      "chuffed",
      ["int_lin_le_imp with a constant premise"],
    ],
    [
      "has tasks that all take time, one after the other",
      `${bounded}constraint chuffed_disjunctive_strict([x,y],[2,1]);\n`,
      "chuffed",
      [],
    ],
    [
      "has a task that takes no time, which chuffed was seen to be wrong on",
      `array [1..2] of int: times = [2,0];\n${bounded}constraint chuffed_disjunctive_strict([x,y],[2,1]);\nconstraint chuffed_disjunctive_strict([x,y],times);\n`,
      "chuffed",
      ["chuffed_disjunctive_strict"],
    ],
    [
      "has a task whose time is a variable",
      `${bounded}constraint chuffed_disjunctive_strict([x,y],[2,x]);\n`,
      "chuffed",
      ["chuffed_disjunctive_strict"],
    ],
    ["has an inverse of lists from 0", `${bounded}constraint inverse_offsets([x,y],1,[y,x],0);\n`, "chuffed", []],
    [
      "has an inverse of a list with negative indices, which chuffed was seen to be wrong on",
      `${bounded}constraint inverse_offsets([x,y],0,[y,x],-1);\n`,
      "chuffed",
      ["inverse_offsets"],
    ],
    ["has that number for gecode", "var 0..600000000: x;\n", "gecode", []],
    ["has a large number in a text only", 'var 0..1: x:: mzn_path("model|1|3000000000");\n', "gecode", []],
  ])("%s", (_, flatzinc, solver, doubts) => {
    expect(doubtsIn(flatzinc, `org.${solver}`)).toEqual(doubts);
  });

  it("has a sum that grows too large", () => {
    const big = "var 0..2000000000: x;\nvar 0..2000000000: y;\nvar int: s;\n";
    const sum = "constraint int_lin_eq([1,1,-1],[x,y,s],0):: defines_var(s);\n";
    expect(doubtsIn(big + sum, "gecode")).toEqual(["4000000000 is too large", "s is too large"]);
  });
});

describe("the decision", () => {
  const nothing: Answer = { status: undefined, solutions: [], statistics: {}, warnings: [], errors: [], traces: [] };
  const decided = (
    answer: Partial<Answer>,
    ending: Ending,
    flatzinc?: string,
    stderr = "",
    source = "",
  ): Decision | Crash =>
    decide({
      question: { source, data: [], solver: "gecode", time_ms: 1_000 },
      answer: { ...nothing, ...answer },
      solutions_seen: answer.solutions?.length ?? 0,
      end: { ending, stderr, kept_files: {} },
      compiled: flatzinc === undefined ? undefined : (readFlatZinc(flatzinc) ?? "unreadable"),
      ms: 10,
    });
  const well: Ending = { kind: "exited", code: 0 };
  const solutions = [{ values: { x: 1 }, objective: 1, text: "" }];

  it("is unsat only for a run that ended well and said so", () => {
    expect(decided({ status: "UNSATISFIABLE" }, well).kind).toBe("unsat");
    expect(decided({ status: "UNSATISFIABLE" }, well, "var int: x;\n").kind).toBe("undecided");
    for (const why of ["deadline", "memory", "output"] as const)
      expect(decided({ status: "UNSATISFIABLE" }, { kind: "stopped", why }).kind).toBe("undecided");
    for (const ending of [
      { kind: "exited", code: 1 },
      { kind: "signalled", signal: "SIGSEGV" },
    ] as const)
      expect(decided({ status: "UNSATISFIABLE" }, ending).kind).toBe("crashed");
    for (const status of [undefined, "UNKNOWN", "UNSAT_OR_UNBOUNDED", "UNBOUNDED"] as const)
      expect(decided({ status }, well).kind).toBe("undecided");
    expect(decided({ status: "ERROR" }, well).kind).toBe("crashed");
    expect(decided({ status: "UNSATISFIABLE", solutions }, well).kind).toBe("crashed");
  });

  it("is optimal only for a run that ended well and said so", () => {
    expect(decided({ status: "OPTIMAL_SOLUTION", solutions }, well)).toMatchObject({ kind: "sat", proved: true });
    expect(decided({ solutions }, well)).toMatchObject({ kind: "sat", proved: false });
    expect(decided({ status: "OPTIMAL_SOLUTION", solutions }, { kind: "stopped", why: "deadline" })).toMatchObject({
      proved: false,
    });
    expect(decided({ status: "OPTIMAL_SOLUTION", solutions }, well, "var int: x;\n")).toMatchObject({ proved: false });
    expect(decided({ solutions }, { kind: "exited", code: 134 }).kind).toBe("crashed");
  });

  it("questions values of floats also if the run was killed before its compiled model was read", () => {
    const source = "var 0.0..9.0: x; solve maximize x;";
    const killed = decided({ solutions }, { kind: "stopped", why: "deadline" }, undefined, "", source);
    expect(killed).toMatchObject({ kind: "sat", proved: false, doubt: [{ reason: DOUBT_REASONS.float }] });
    expect(decided({ solutions }, { kind: "stopped", why: "deadline" })).toMatchObject({ doubt: [] });
  });

  it("recognises memory that ran out inside of the solver", () => {
    const ending: Ending = { kind: "exited", code: -1 };
    expect(decided({}, ending, undefined, "Aborted(OOM)")).toMatchObject({ kind: "undecided", cause: "memory" });
  });
});

describe("the source", () => {
  it("is split into statements, whatever strings and comments hold", () => {
    const items = [
      "constraint x > 1; % not; this\nconstraint /* nor; this */ y > 2;",
      'output ["a;\\(show("b;"))"]; constraint let { var 1..2: z; constraint z > 1; } in z = x;',
    ];
    const places = statementsOf(items).map(({ item, line, tokens: [first] }) => [item, line, first?.text]);
    expect(places).toEqual([
      [0, 1, "constraint"],
      [0, 2, "constraint"],
      [1, 1, "output"],
      [1, 1, "constraint"],
    ]);
  });

  it.each([
    'string: s = "include \\"x\\"";',
    '% include "/etc/passwd"\n',
    '/* include "/etc/passwd" */',
    'include "globals.mzn";',
  ])("may say include in %j", (item) => expect(() => statementsOf([item])).not.toThrow());

  it.each([
    'include "/etc/passwd";',
    'include/* */"a/../b.mzn";',
    'include "..";',
    'include "a.dzn";',
    'int: x = 1; include\n"C:\\\\x.mzn";',
  ])("may not include: %j", (item) => expect(() => statementsOf([item])).toThrow(/not allowed/));
});

/** What the search for a conflict finds where some constraints conflict; each question takes a second. */
async function conflictAmong(
  items: readonly string[],
  needed: readonly string[],
  time_ms: number,
  { claim = "unsat", is_proved = false }: { claim?: "unsat" | "doubted"; is_proved?: boolean } = {},
) {
  let left = time_ms;
  const sources: string[] = [];
  const proofs: string[] = [];
  const conflict = await findConflict(readModel([...items]), {
    left_ms: () => left,
    casesOf: async (statements) => statements.map((statement) => ({ statement })),
    confirmed: async (part) => {
      proofs.push(part.join(" ").trim());
      return is_proved;
    },
    claimed: async (part) => {
      left -= 1_000;
      const source = part.join("\n");
      sources.push(source);
      return needed.every((each) => source.includes(each)) ? claim : "open";
    },
  });
  return { ...conflict, sources, proofs };
}

it("the search for a conflict goes on as long as the call has time", async () => {
  const items = Array.from({ length: 20 }, (_, i) => `constraint c${i};`);
  // Five seconds were the end before.
  const conflict = await conflictAmong(items, ["constraint c3;", "constraint c11;", "constraint c12;"], 112_000);
  expect(conflict.items?.map(({ item }) => item)).toEqual([3, 11, 12]);
  expect(conflict.warnings).toEqual([]);
});

it("the search for a conflict proves only its result if the solver's claims are doubted", async () => {
  const items = Array.from({ length: 6 }, (_, i) => `constraint c${i};`);
  const needed = ["constraint c1;", "constraint c4;"];
  const proved = await conflictAmong(items, needed, 112_000, { claim: "doubted", is_proved: true });
  expect(proved.items?.map(({ item }) => item)).toEqual([1, 4]);
  expect(proved.proofs).toHaveLength(1);
  const open = await conflictAmong(items, needed, 112_000, { claim: "doubted" });
  expect(open.items).toBeUndefined();
  expect(open.warnings).toEqual([expect.stringContaining("could not be confirmed")]);
  expect((await conflictAmong(items, needed, 112_000)).proofs).toEqual([]);
});

it("the search for a conflict asks for any solution, and never for the best one", async () => {
  const items = ["constraint c0; constraint c1;", "solve minimize x div y;"];
  const { items: found, sources } = await conflictAmong(items, ["constraint c0;", "x div y"], 112_000);
  expect(found?.map(({ item }) => item)).toEqual([0, 1]);
  expect(sources.join()).not.toContain("minimize");
});

it("reasons name no variables that the compiler introduced", () => {
  expect(listed(["X_INTRODUCED_0_ is too large", "X_INTRODUCED_7_ is too large"])).toBe(
    "a sum or product of variables is too large",
  );
  expect(listed(["X_INTRODUCED_0_ is too large", "x has no bounds"])).toBe("x has no bounds");
});

describe("the advice to take another solver", () => {
  const solvers = ["gecode", "chuffed", "coin-bc", "highs"].map((name) => ({ id: `org.${name}`, names: [name] }));
  const build = { kind: "wasm", version: "2.10.0", why: "", command: "", solvers } as const;
  const reals = "var 0.0..9.0: x; solve maximize x;";
  const advised = (source: string, solver: string, flatzinc?: string, solutions_max?: number) => {
    const question = { source, data: [], solver: `org.${solver}`, time_ms: 1, ...(solutions_max && { solutions_max }) };
    const compiled = flatzinc === undefined ? undefined : readFlatZinc(flatzinc);
    return othersThan({ question, compiled }, build);
  };

  it("names those that suit the model first, and for reals never one without them", () => {
    expect(advised("var 0..9: x;", "gecode")).toEqual(["chuffed", "highs", "coin-bc"]);
    expect(advised(reals, "gecode")).toEqual(["highs", "coin-bc"]);
    expect(advised(reals, "highs")).toEqual(["gecode", "coin-bc"]);
  });

  it("names no linear solver where reals are multiplied, or where several solutions are asked for", () => {
    const product = "var 0.0..9.0: x;\nvar 0.0..9.0: y;\nconstraint float_times(x,x,y);\nsolve satisfy;\n";
    expect(advised(reals, "gecode", product)).toEqual([]);
    expect(advised(reals, "highs", product)).toEqual(["gecode"]);
    expect(advised("var 0..9: x;", "gecode", undefined, 5)).toEqual(["chuffed"]);
  });

  it("names HiGHS with its limits if floats are not accepted, if it can take the model and has not done so", () => {
    const doubt = [{ reason: DOUBT_REASONS.float, what: "x is a float" }];
    expect(doubtNote(doubt, "gecode", ["highs", "coin-bc"])).toMatch(/solver "highs".*no product of two variables/);
    expect(doubtNote(doubt, "highs", ["gecode"])).not.toContain('solver "highs"');
  });
});

describe("a solution against the compiled model", () => {
  const compiled = readFlatZinc(`var -9..9: a:: output_var;
var 0.0..9.0: x:: output_var;
var -9..9: r:: is_defined_var;
var bool: b:: is_defined_var;
constraint int_mod(a,5,r):: defines_var(r);
constraint int_lin_le([1,2],[a,r],-3);
constraint float_lt_reif(x,2.5,b):: defines_var(b);
constraint bool_clause([b],[]);
constraint gecode_strange(a);
solve satisfy;`);
  const check = (values: Record<string, unknown>) =>
    compiled && checkSolutions(compiled, [{ values, objective: undefined, text: "" }]);

  it("holds, with what the compiler brought in computed, and what can't be checked named", () => {
    expect(check({ a: -7, x: 1.5 })).toEqual({
      broken: undefined,
      excess: 0,
      objective: undefined,
      unchecked: ["gecode_strange"],
    });
  });

  it("breaks what is about whole numbers, and truth values that follow", () => {
    expect(check({ a: 7, x: 1.5 })?.broken).toContain("int_lin_le");
    expect(check({ a: -7, x: 3.5 })?.broken).toContain("bool_clause");
    expect(check({ a: -12, x: 1.5 })?.broken).toContain("domain of a");
  });

  it("says by how much floats are missed", () => {
    const root = readFlatZinc("var 0.0..9.0: x:: output_var;\nconstraint float_times(x,x,2.0);\nsolve satisfy;");
    const missed = (x: number) => root && checkSolutions(root, [{ values: { x }, objective: undefined, text: "" }]);
    expect(missed(Math.SQRT2 - 1e-8)).toMatchObject({ broken: undefined });
    expect(missed(Math.SQRT2 - 1e-8)?.excess).toBeGreaterThan(1e-9);
    expect(missed(1.41)?.broken).toContain("float_times");
  });

  it("breaks what follows from an implied condition that is false, and nothing from one that is true", () => {
    const implied = readFlatZinc(
      "var 0..2: x:: output_var;\nvar bool: b;\nconstraint int_lin_ne_imp([2],[x],2,b);\nconstraint bool_clause([b],[]);\nsolve satisfy;",
    );
    const held = (x: number) => implied && checkSolutions(implied, [{ values: { x }, objective: undefined, text: "" }]);
    expect(held(1)?.broken).toContain("bool_clause");
    expect(held(2)).toMatchObject({ broken: undefined, unchecked: ["int_lin_ne_imp", "bool_clause"] });
  });

  it("is held against inverse, which Chuffed gets wrong below 0", () => {
    const declared = ["a", "b", "c", "d"].map((name) => `var -2..2: ${name}:: output_var;\n`);
    const compiled = readFlatZinc(`${declared.join("")}constraint inverse_offsets([a,b],1,[c,d],-1);\nsolve satisfy;`);
    const broken = ([a, b]: number[], [c, d]: number[]) =>
      compiled && checkSolutions(compiled, [{ values: { a, b, c, d }, objective: undefined, text: "" }]).broken;
    expect(broken([2, 1], [0, -1])).toBeUndefined();
    expect(broken([1, 2], [0, -1])).toContain("inverse_offsets");
    expect(broken([1, 1], [-1, -1])).toContain("inverse_offsets");
    expect(broken([0, 1], [0, -1])).toContain("inverse_offsets");
  });

  it("is held against tables and the order of sets, which Gecode gets wrong", () => {
    const flatzinc = [
      "var 0..2: x:: output_var;",
      "var set of 1..3: s:: output_var;",
      "constraint gecode_table_int([x,x],[0,1,2,2]);",
      "constraint set_le(s,{1});",
      "solve satisfy;",
    ];
    const compiled = readFlatZinc(flatzinc.join("\n"));
    const brokenBy = (x: number, elements: readonly number[]) =>
      compiled &&
      checkSolutions(compiled, [{ values: { x, s: { set: elements } }, objective: undefined, text: "" }]).broken;
    expect(brokenBy(2, [1])).toBeUndefined();
    expect(brokenBy(2, [])).toBeUndefined();
    expect(brokenBy(0, [1])).toContain("gecode_table_int");
    expect(brokenBy(2, [2])).toContain("set_le");
    expect(brokenBy(2, [1, 2])).toContain("set_le");
  });
});

it("which truth values are shown and are in no constraint", () => {
  const model = readFlatZinc(
    [
      "array [1..2] of int: ones = [1,1];",
      "var bool: loose:: output_var;",
      "var bool: linked:: output_var;",
      "var bool: hidden;",
      "var bool: fixed:: output_var = true;",
      "var 0..1: x:: output_var;",
      "array [1..2] of var bool: list:: output_array([1..2]) = [linked,hidden];",
      "constraint bool2int(linked,x);",
      "constraint int_lin_le(ones,[x,x],1);",
      "solve satisfy;",
    ].join("\n"),
  );
  const names = ["loose", "linked", "hidden", "fixed", "x", "list", "other"];
  expect(model && looseTruths(model, names)).toEqual(["loose", "list"]);
});
