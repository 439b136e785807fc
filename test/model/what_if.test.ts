import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { removeDirectory } from "../support/directories.ts";
import { faultOf } from "../support/faults.ts";
import { fixture } from "../support/fixture.ts";
import { has_python, openModels, shareModels } from "../support/models.ts";
import { cpuSeconds, gone_ms_max, processesWith, sees_processes, until } from "../support/processes.ts";
import { leastOf, planIn, roster_texts, rosters } from "../support/rosters.ts";
import { some } from "../support/runs_all.ts";

const timeout_ms = 60_000;

describe.runIf(has_python)("plans that live on", () => {
  const models = fixture(shareModels);

  let count = 0;
  const kept = async (language: string, items: readonly string[]) => {
    const model_id = `case${count++}`;
    await models.call("clear_model", { language, model_id });
    for (const item of items) await models.call("add_item", { item, model_id });
    return model_id;
  };

  it.each(["minizinc", "asp", "z3", "ortools", "cpmpy"])(
    "change as little as possible after one more fact, in rosters in %s",
    async (language) => {
      const write = roster_texts[language] ?? (() => []);
      const faults: unknown[] = [];
      for (const roster of some(rosters(4), language === "minizinc" ? 1 : 2)) {
        const first = await models.solve(language, write(roster), timeout_ms);
        const plan = planIn(Object(first["model"]));
        const ill = { ...roster, away: [...roster.away, [Number(plan[2]), 3] as const] };
        const keep = language === "asp" ? { on: plan.map((person, i) => [i + 1, person]) } : { on: plan };
        const { keep: changed, objective, optimal } = await models.solve(language, write(ill), timeout_ms, { keep });
        const least = leastOf(ill, plan);
        const by = language === "asp" ? 2 : 1;
        const expected = [least && least.changes * by, true, least?.cost, true];
        const { number, least: is_least } = Object(changed);
        if (JSON.stringify([number, is_least, objective, optimal]) !== JSON.stringify(expected))
          faults.push([roster, plan, changed, objective, expected]);
      }
      expect(faults).toEqual([]);
    },
    240_000,
  );

  const shop = [
    "enum Good = {Oak, Elm}; array[Good] of var 0..9: make; int: hours;",
    "constraint 2 * make[Oak] + make[Elm] <= hours;",
    "constraint make[Elm] <= 4;",
    "solve maximize 3 * make[Oak] + make[Elm];",
  ];

  it("have cases beside the model: data, fixed values, items left out and added, faults in their rows", async () => {
    const model_id = await kept("minizinc", shop);
    const { model } = await models.call("solve_model", { model_id, timeout_ms, data: { hours: 10 } });
    const cases = {
      "less time and no oak": { data: { hours: 6 }, set: { "make[Oak]": 0 } },
      "too many elms": { set: { make: [0, 5] } },
      "elms as you like": { without: [2], set: { make: [null, 8] } },
      "one rule more": { add: "constraint make[Oak] <= 1;", data: { hours: 20 } },
      "a slip": { add: "constraint make[Ash] = 1;" },
    };
    // Six questions share the time, and the amount of a broken rule takes several runs.
    const answer = await models.call("solve_model", { model_id, what_if: cases, timeout_ms: 4 * timeout_ms });
    expect(answer).toMatchObject({ status: "sat", objective: 15, optimal: true });
    expect(answer["what_if"]).toMatchObject([
      { name: "less time and no oak", objective: 4, difference: -11, optimal: true, values: { make: [0, 4] } },
      { name: "too many elms", status: "unsat", objective: null, broken: [{ item: 2, line: 1, by: 1 }] },
      { name: "elms as you like", objective: 11, values: { make: [1, 8] } },
      { name: "one rule more", objective: 7, values: { make: [1, 4] } },
      { name: "a slip", status: "fault", message: expect.stringContaining("Ash") },
    ]);
    // The model, its data and its last solution are as they were.
    expect(await models.call("get_model", { model_id })).toMatchObject({ items: { length: 4 } });
    const now = await models.call("get_solution", { model_id, name: "values" });
    expect(now).toMatchObject({ value: model });
  }, 300_000);

  it("keep the last solution in each case", async () => {
    const model_id = await kept("minizinc", shop);
    await models.call("solve_model", { model_id, timeout_ms, data: { hours: 10 } });
    const cases = { less: { data: { hours: 8 } }, more: { data: { hours: 12 } } };
    const answer = await models.call("solve_model", { model_id, what_if: cases, keep: true, timeout_ms });
    expect(answer["what_if"]).toMatchObject([
      {
        keep: { number: 1, changes: [{ at: "make[Oak]", old: 5, new: 4 }], least: true },
        objective: 12,
        difference: -3,
      },
      { keep: { number: 0, least: true }, objective: 15 },
    ]);
  });

  const program = [
    "from ortools.sat.python import cp_model\nm = cp_model.CpModel()\nx = [m.new_int_var(0, 9, f'x{i}') for i in range(3)]",
    "m.add(sum(x) <= data['most'])",
    "m.maximize(3 * x[0] + 2 * x[1] + x[2])\ns = cp_model.CpSolver()\ns.solve(m)\nexport_solution({'x': x})",
  ];

  it.each([
    ["z3", "hours = 4\nx = Int('x')\no = Optimize()\no.add(x <= hours)\no.maximize(x)\no.check()"],
    ["cpmpy", "x = cp.intvar(0, 4, name='x')\nm = cp.Model()\nm.maximize(x)\nm.solve()"],
    ["asp", "x(1..4). { y(X) : x(X) } = 1. #maximize { X : y(X) }."],
  ])("are faults if nothing in the model reads their data (%s)", async (language, text) => {
    const what_if = { more: { data: { hours: 6 } } };
    const answer = await models.solve(language, [text], timeout_ms, { what_if });
    expect(answer).toMatchObject({ objective: 4, optimal: true });
    expect(answer["what_if"]).toMatchObject([
      {
        name: "more",
        status: "fault",
        difference: null,
        message: expect.stringMatching(/does not change the answer.*hours/),
      },
    ]);
  });

  it("are faults if the name of their data is only a column's name", async () => {
    const data = { tutors: [{ tutor: "Rosa", cap: 3 }] };
    const text = "cap = {r['tutor']: r['cap'] for r in data['tutors']}\nm.add(x[0] <= sum(cap.values()))";
    const what_if = { misspelt: { data: { tutor: [{ tutor: "Rosa", cap: 9 }] } } };
    const items = [program[0] ?? "", text, "m.maximize(x[0])"];
    const answer = await models.call("solve", { language: "ortools", items, data, what_if, timeout_ms });
    expect(answer).toMatchObject({
      objective: 3,
      what_if: [
        {
          status: "fault",
          message: expect.stringMatching(/does not read data\['tutor'\].*write 'tutors' instead of 'tutor'/),
        },
      ],
    });
  });

  it("are faults if nothing reads the name of their data through another name of `data`", async () => {
    const items = [program[0] ?? "", "d = data | {}\nm.add(x[0] <= d['most'])\nm.maximize(x[0])"];
    const what_if = { misspelt: { data: { mots: 9 } }, right: { data: { most: 5 } } };
    const answer = await models.call("solve", { language: "ortools", items, data: { most: 3 }, what_if, timeout_ms });
    expect(answer).toMatchObject({
      objective: 3,
      what_if: [
        {
          status: "fault",
          message: expect.stringMatching(/does not read data\['mots'\].*write 'most' instead of 'mots'/),
        },
        { objective: 5, difference: 2 },
      ],
    });
  });

  it("have an added line before the solve of a program, also of a program that is one item", async () => {
    const data = { most: 12 };
    const model_id = await kept("ortools", program.slice(0, 1));
    for (const item of program.slice(1)) await models.call("add_item", { item, model_id });
    await models.call("solve_model", { model_id, timeout_ms, data });
    const cases = {
      capped: { add: "m.add(x[0] <= 2)" },
      free: { without: [1] },
      fixed: { set: { "x[2]": 9, x: { 0: 4 } } },
    };
    const answer = await models.call("solve_model", { model_id, what_if: cases, timeout_ms });
    expect(answer["what_if"]).toMatchObject([
      { objective: 25, difference: -8, values: { x: [2, 9, 1] } },
      { objective: 54, difference: 21 },
      { status: "unsat", broken: [{ item: 1, by: 1 }] },
    ]);
    // A whole program is one item: the lines are put before the statement that solves.
    const text = program.join("\n").replace("data['most']", "12");
    const whole = await kept("ortools", [text.replace("s.solve(m)\n", "if True:\n    # solves\n    s.solve(m)\n")]);
    const what_if = {
      capped: cases.capped,
      no: { add: ["m.add(x[0] <= 1)", "m.add(x[1] <= 1)"], set: { x: [1, 3, null] } },
    };
    const one = await models.call("solve_model", { model_id: whole, what_if, timeout_ms });
    expect(one["what_if"]).toMatchObject([
      { objective: 25, difference: -8, values: { x: [2, 9, 1] } },
      { status: "unsat", broken: [{ item: 1, line: 2, text: "m.add(x[1] <= 1)", by: 2 }] },
    ]);
  });

  it.each([
    [
      "z3",
      "x, y = Ints('x y')\ns = Optimize()\nfor i, v in enumerate((x, y)):\n    s.add(v >= i, v <= 9)\ns.maximize(x + y)\nprint(s.check())\nexport_solution(solver=s, variables={'x': x})",
      "s.add(x <= 2)",
    ],
    [
      "cpmpy",
      "import cpmpy as cp\nx, y = cp.intvar(0, 9, name='x'), cp.intvar(0, 9, name='y')\nm = cp.Model(maximize=x + y)\nif m.solve():\n    export_solution({'x': x})",
      "m += x <= 2",
    ],
    [
      "pysat",
      "from pysat.examples.rc2 import RC2\nw = WCNF()\nw.append([1, 2])\nw.append([-1], weight=2)\nw.append([-2], weight=3)\nwith RC2(w) as rc2:\n    rc2.compute()\n    export_solution(rc2, variables={'a': 1})",
      "w.append([2])",
    ],
  ])("have an added line before the solve in %s", async (language, text, add) => {
    const { objective, what_if } = await models.solve(language, [text], timeout_ms, { what_if: { capped: { add } } });
    const expected = { z3: [18, 11], cpmpy: [18, 11], pysat: [2, 3] }[language];
    expect([objective, Object(what_if)[0].objective]).toEqual(expected);
  });

  it.runIf(sees_processes).each([
    ["what_if", { what_if: { endless: { add: "while True:\n    pass" } } }],
    ["keep", { keep: { x: [0, 0, 0] } }],
  ])(
    "are given up when the call is cancelled during %s: nothing runs on, and the next call is answered",
    async (option, more) => {
      const directory = mkdtempSync(join(tmpdir(), "verdict-cases-"));
      vi.stubEnv("TMPDIR", directory);
      const own = await openModels({ packages: "cp" });
      try {
        const text = program.join("\n").replace("data['most']", "12");
        const endless = option === "keep" ? `${text}\nwhile True:\n    pass` : text;
        expect(await own.solve("ortools", [text], timeout_ms)).toMatchObject({ status: "sat" });
        // The packages are loaded: only the process of the case, or of the kept plan, uses so much more by itself.
        const used = new Map(processesWith(directory).map(({ pid }) => [pid, cpuSeconds(pid)]));
        const busy = () =>
          processesWith(directory).flatMap(({ pid }) => (cpuSeconds(pid) - (used.get(pid) ?? 0) > 1.5 ? [pid] : []));
        const giving_up = new AbortController();
        await own.call("clear_model", { language: "ortools" });
        await own.call("add_item", { item: endless });
        const call = faultOf(own.call("solve_model", { ...more, timeout_ms: 300_000 }, { signal: giving_up.signal }));
        expect(await until(() => busy().length > 0, 200_000)).toBe(true);
        giving_up.abort();
        expect(await call).toMatchObject({ code: "cancelled" });
        expect(await until(() => busy().length === 0, gone_ms_max)).toBe(true);
        expect(await own.solve("ortools", [text], timeout_ms)).toMatchObject({ status: "sat" });
      } finally {
        own.close();
        vi.unstubAllEnvs();
        removeDirectory(directory);
      }
    },
  );

  it("say what is wrong with the form of cases", async () => {
    const model_id = await kept("minizinc", ["var 0..3: x;"]);
    const wrong = [
      [{}, "1 to 20 cases"],
      [{ a: {} }, "one or more of"],
      [{ a: { fix: { x: 1 } } }, "set (values by name"],
      [{ a: { set: 1 } }, "set (values by name"],
      [[1], "must be an object"],
    ] as const;
    for (const [cases, words] of wrong) {
      const fault = await faultOf(models.call("solve_model", { model_id, what_if: cases, timeout_ms }));
      expect([fault.code, fault.error]).toEqual(["invalid_argument", expect.stringContaining(words)]);
    }
    const cases = { a: { set: { y: 1 } }, b: { without: [7] }, c: { set: { x: 2 } } };
    const answer = await models.call("solve_model", { model_id, what_if: cases, timeout_ms });
    expect(answer["what_if"]).toMatchObject([
      { status: "fault" },
      { status: "fault" },
      { status: "sat", values: { x: 2 } },
    ]);
  });

  it.each([
    [
      "minizinc",
      ["var 0..9: x; var 0..9: y;", "constraint x + y <= 10;", "constraint y <= 7;", "solve maximize 2 * x + y;"],
    ],
    [
      "asp",
      [
        "1 { x(0..9) } 1. 1 { y(0..9) } 1.",
        ":- x(X), y(Y), X + Y > 10.",
        ":- y(Y), Y > 7.",
        "#maximize { 2*X,x : x(X); Y,y : y(Y) }.",
      ],
    ],
    [
      "z3",
      [
        "x, y = Ints('x y')\ns = Optimize()\ns.add(0 <= x, x <= 9, 0 <= y, y <= 9)",
        "s.add(x + y <= 10)",
        "s.add(y <= 7)",
        "s.maximize(2 * x + y)\nexport_solution(solver=s, variables={'x': x, 'y': y})",
      ],
    ],
    [
      "cpmpy",
      [
        "import cpmpy as cp\nx, y = cp.intvar(0, 9, name='x'), cp.intvar(0, 9, name='y')\nm = cp.Model()",
        "m += x + y <= 10",
        "m += y <= 7",
        "m.maximize(2 * x + y)\nm.solve()\nexport_solution({'x': x, 'y': y})",
      ],
    ],
  ])(
    "say why not, in %s: what it costs, the lines that forbid it, or that nothing is lost",
    async (language, items) => {
      const is_asp = language === "asp";
      const model_id = await kept(language, items);
      const asked = async (x: number, y: number) => {
        const not = is_asp ? { [`x(${x})`]: true, [`y(${y})`]: true } : { x, y };
        const answer = await models.call("solve_model", { model_id, timeout_ms, why: { not } });
        expect(answer).toMatchObject({ status: "sat", objective: 19, optimal: true });
        return answer["why_not"];
      };
      expect(await asked(3, 7)).toMatchObject({ status: "sat", objective: 13, difference: -6, optimal: true });
      expect(await asked(9, 1)).toMatchObject({ status: "sat", difference: 0, optimal: true });
      const forbidden = await asked(4, 8);
      expect(forbidden).toMatchObject({ status: "unsat", objective: null });
      if (language !== "z3") expect(forbidden).toMatchObject({ broken: [{ item: 1 }, { item: 2 }] });
    },
  );

  it.each([
    ["minizinc", ["var 0..9: x;\nvar 0..9: y;", "constraint x + y <= 10;", "solve maximize 2 * x + y;"]],
    [
      "ortools",
      [
        "m = cp_model.CpModel()\nx = m.new_int_var(0, 9, 'x')\ny = m.new_int_var(0, 9, 'y')",
        "m.add(x + y <= 10)",
        "m.maximize(2 * x + y)",
      ],
    ],
    [
      "cpmpy",
      [
        "import cpmpy as cp\nx = cp.intvar(0, 9, name='x')\ny = cp.intvar(0, 9, name='y')",
        "m = cp.Model(x + y <= 10)",
        "m.maximize(2 * x + y)",
      ],
    ],
  ])("say why not, in %s: the line of the declaration that excludes a value", async (language, items) => {
    const model_id = await kept(language, items);
    const asked = async (not: Record<string, number>) =>
      (await models.call("solve_model", { model_id, timeout_ms, why: { not } }))["why_not"];
    const line = language === "minizinc" ? 1 : 2;
    const cases = [
      [
        { x: 1, y: -1 },
        { item: 0, line: line + 1 },
      ],
      [
        { x: 9, y: 2 },
        { item: 1, line: 1 },
      ],
      [{ x: 12 }, { item: 0, line }],
    ] as const;
    for (const [not, broken] of some(cases, language === "minizinc" ? 1 : 3))
      expect(await asked(not)).toMatchObject({ status: "unsat", broken: [broken] });
  });
});
