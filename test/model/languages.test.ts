import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Deadline } from "../../src/kernel/deadline.ts";
import { quietContext } from "../../src/kernel/tool.ts";
import { withEnoughTime } from "../support/enough_time.ts";
import { faultOf } from "../support/faults.ts";
import { fixture } from "../support/fixture.ts";
import { language_fixtures, languages_without_fixture } from "../support/language_fixtures.ts";
import { compiles_quickly } from "../support/minizinc.ts";
import { openModels } from "../support/models.ts";
import { runs_all } from "../support/runs_all.ts";

it("speaks of every language that there is", () => {
  expect(languages_without_fixture).toEqual([]);
});

/** The same facts for every language; those that rest on its engine for every build, the others for the quickest one. */
describe.each(language_fixtures)("models in $name", (sample) => {
  describe.skipIf(!sample.here)("on this machine", () => {
    const { language } = sample;
    const models = fixture(() => openModels({ env: sample.env, packages: sample.packages }));

    const solve = (items: readonly string[], timeout_ms?: number) => models.solve(language, items, timeout_ms);
    const build = async (items: readonly string[]) => {
      await models.call("clear_model", { language });
      for (const item of items) await models.call("add_item", { item });
    };

    it("are satisfiable with values", async () => {
      const answer = await solve(sample.sat.items);
      expect(answer).toMatchObject({ status: "sat", satisfiable: true, model: sample.sat.model, error: null });
      expect(answer["values"]).toEqual(answer.model);
      expect(answer["engine"]).toMatch(/\d+\.\d+/);
    });

    it("are solved in one call, and kept for the item tools", async () => {
      const { items, model } = sample.sat;
      const answer = await models.call("solve", { language, items });
      expect(answer).toMatchObject({ status: "sat", model });
      const { model_id, items: kept } = await models.call("get_model", { model_id: answer["model_id"] });
      expect([model_id, Array.isArray(kept) && kept.length]).toEqual([answer["model_id"], items.length]);
      const whole = await models.call("solve", { language, model: items.join("\n") });
      expect(whole).toMatchObject({ status: "sat", model });
    });

    it("are unsatisfiable, and the items that conflict are named", async () => {
      const { items, conflict } = sample.unsat;
      const answer = await solve(items);
      expect(answer).toMatchObject({ status: "unsat", satisfiable: false, model: null });
      const named: { item: number }[] = Array.isArray(answer["unsat_items"]) ? answer["unsat_items"] : [];
      expect([...new Set(named.map(({ item }) => item))]).toEqual(conflict);
    });

    it("have a best solution, proved to be the best", async () => {
      const { items, model, objective } = sample.optimum;
      const answer = await solve(items);
      expect(answer).toMatchObject({ status: "sat", model, objective_value: objective, objective, optimal: true });
    });

    it("decide nothing when the time runs out", async () => {
      // A busy machine may need more to begin at all; every answer counts.
      const answer = await withEnoughTime(
        (timeout_ms) => solve(sample.hard, timeout_ms),
        () => true,
        400,
      );
      expect(answer).toMatchObject({ status: "timeout", satisfiable: null, model: null, optimal: null });
    });

    it("give the best solution so far when the time runs out, if the engine reports it, and never call it the best", async () => {
      const answer = await withEnoughTime(
        (timeout_ms) => solve(sample.hard_optimum, timeout_ms),
        ({ status }) => !sample.gives_incumbent || status === "sat",
        sample.incumbent_ms,
        4,
      );
      if (sample.gives_incumbent) {
        expect(answer).toMatchObject({ status: "sat", satisfiable: true, optimal: false });
        expect(answer["objective_value"]).toEqual(expect.any(Number));
        expect(answer.warnings.length).toBeGreaterThan(0);
      } else {
        expect(["timeout", "unknown"]).toContain(answer.status);
        expect(answer).toMatchObject({ satisfiable: null, model: null });
      }
    });

    it("are given up at once when the client cancels, and the next two are solved, which know nothing of each other", async () => {
      await build(sample.hard);
      const giving_up = new AbortController();
      const call = faultOf(models.call("solve_model", { timeout_ms: 600_000 }, { signal: giving_up.signal }));
      await sleep(300);
      giving_up.abort();
      expect(await call).toMatchObject({ code: "cancelled" });
      const answers = await Promise.all([solve(sample.sat.items), solve(sample.unsat.items)]);
      expect(answers.map(({ status }) => status)).toEqual(["sat", "unsat"]);
    });

    if (sample.is_second && !runs_all) return;

    it("refuse a bad item with its place, and stay as they were", async () => {
      const { item, line, column } = sample.bad;
      await build(sample.sat.items);
      const fault = await faultOf(models.call("add_item", { item }));
      expect(fault).toMatchObject({ code: "syntax_error", position: { item: sample.sat.items.length, line, column } });
      expect(await models.call("get_model")).toMatchObject({ item_count: sample.sat.items.length });
      expect(await models.call("solve_model")).toMatchObject({ status: "sat" });
    });

    it("say it when a deletion breaks them", async () => {
      const { index, gives } = sample.broken_by;
      await build(sample.sat.items);
      const deleting = models.call("delete_item", { index });
      if (gives === "refusal") {
        expect((await faultOf(deleting)).position).toBeDefined();
        expect(await models.call("solve_model")).toMatchObject({ status: "sat" });
        return;
      }
      await deleting;
      if (gives === "fault") expect((await faultOf(models.call("solve_model"))).position).toBeDefined();
      else expect((await models.call("solve_model"))["warnings"]).not.toEqual([]);
    });

    it("are nothing to solve while they are empty", async () => {
      await models.call("clear_model", { language });
      expect(await faultOf(models.call("solve_model"))).toMatchObject({ code: "input_rejected" });
    });

    // Each of them compiles a model once more, or a large one.
    if (language === "minizinc" && !compiles_quickly) return;

    it("keep every character", async () => {
      expect(await solve(sample.unicode.items)).toMatchObject({ status: "sat", model: sample.unicode.model });
    });

    it("may have a thousand items", async () => {
      // All at once, behind the tools: test/long/ adds them one by one.
      const items = sample.many(1_000);
      const { signal, ...quiet } = quietContext();
      const deadline = new Deadline(200_000, signal);
      const of = models.language(language);
      await of.check(items, items.length - 1, deadline);
      expect(await of.solve(items, { ...quiet, news: quiet.onEvent, deadline, options: {} })).toMatchObject({
        verdict: { kind: "sat" },
      });
    });
  });
});
