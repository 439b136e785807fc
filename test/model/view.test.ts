import { describe, expect, it } from "vitest";
import type { Found, SolveVerdict } from "../../src/tools/model/language.ts";
import { model_limits } from "../../src/tools/model/limits.ts";
import { Incumbents } from "../../src/tools/model/solution/incumbents.ts";
import { faultOf } from "../support/faults.ts";
import { openModels, ScriptedLanguage } from "../support/scripted_language.ts";

describe("the view of a question", () => {
  const bench = () => openModels([new ScriptedLanguage("first")]);

  it("changes nothing of the answer where it fits, in either tool", async () => {
    const models = bench();
    const view = { kind: "table", columns: ["x"] };
    expect(await models.call("solve", { model: "a", view })).toMatchObject({ values: { x: 1 }, warnings: [] });
    expect(await models.call("solve_model", { view })).toMatchObject({ warnings: [] });
  });

  it("that does not fit is reported in a note; the answer is kept", async () => {
    const models = bench();
    const answer = await models.call("solve", { model: "a", view: { kind: "gantt", start: "s", end: "e" } });
    expect(answer).toMatchObject({
      status: "sat",
      warnings: [
        'view was not used: start names "s", which the answer does not have; it has: x. For a computed list or the names of an enum, put the values into the view.',
      ],
    });
  });

  it.each([
    [{ kind: "pie" }, "view.kind must be one of: gantt, grid, route, graph, bars, table."],
    [
      { kind: "gantt", start: "s", end: "e", row: "m" },
      "view of kind gantt does not have row; it has: start, duration",
    ],
    [{ kind: "bars", values: 3 }, "view.values must be the name of a value, or a list."],
    ["gantt", "view must be an object with a kind"],
  ])("that means nothing is a fault before anything is solved: %j", async (view, why) => {
    const fault = await faultOf(bench().call("solve", { model: "a", view }));
    expect(fault.code).toBe("invalid_argument");
    expect(fault.error).toContain(why);
  });
});

const open: SolveVerdict = { kind: "undecided", cause: "time", reason: "the time ran out" };
const satisfiable = (more: Partial<Found>): Found => ({ kind: "sat", witness: { values: {} }, ...more });

describe("the better solutions of an answer", () => {
  it("are those with an objective, and the latest of many at once", () => {
    const heard: string[] = [];
    const incumbents = new Incumbents((message) => heard.push(message));
    expect(incumbents.shownWith(open)).toBeUndefined();
    incumbents.news("nothing");
    for (let objective = 500; objective >= 0; objective -= 1) incumbents.news(`objective ${objective}`, { objective });
    const shown = incumbents.shownWith(open) ?? [];
    expect(heard).toHaveLength(502);
    expect(shown[0]?.objective).toBe(500);
    expect(shown.at(-1)?.objective).toBe(0);
    expect(shown.length).toBeLessThanOrEqual(model_limits.incumbents_max);
  });

  it("is none of one", () => {
    const incumbents = new Incumbents(() => {});
    incumbents.news("objective 3", { objective: 3 });
    expect(incumbents.shownWith(open)).toBeUndefined();
  });

  it("are those of the last search of a program, at the time when they were found", () => {
    const incumbents = new Incumbents(() => {});
    incumbents.news("one", { objective: 1, search: 1 });
    incumbents.news("two", { objective: 9, search: 2, ago_s: 100 });
    incumbents.news("three", { objective: 7, search: 2 });
    const [first, second] = incumbents.shownWith(open) ?? [];
    expect([first?.objective, second?.objective]).toEqual([9, 7]);
    expect((second?.seconds ?? 0) - (first?.seconds ?? 0)).toBeCloseTo(100, 0);
  });

  it.each<[string, SolveVerdict, readonly (number | undefined)[]]>([
    ["the optimum is proved", satisfiable({ best: { value: 7, proved: true } }), [3, 7, undefined]],
    [
      "the last bound is believed",
      satisfiable({ best: { value: 7, proved: false }, objective_bound: 6 }),
      [3, 7, undefined],
    ],
    ["no bound is believed", satisfiable({ best: { value: 7, proved: false } }), [undefined, undefined, undefined]],
    ["nothing is decided", open, [undefined, undefined, undefined]],
  ])("have the solver's bounds only where these are believed, and true of what was found: %s", (_, verdict, bounds) => {
    const incumbents = new Incumbents(() => {});
    // The last one would exclude the solution itself.
    for (const [i, bound] of [3, 7, 8].entries()) incumbents.news("", { objective: 9 - i, bound, ago_s: 10 - i });
    expect(incumbents.shownWith(verdict)?.map(({ bound }) => bound)).toEqual(bounds);
  });
});
