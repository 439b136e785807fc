import { afterAll, describe, expect, it } from "vitest";
import { Chance } from "../support/chance.ts";
import {
  type Call,
  type Context,
  contexts,
  mended_calls,
  truth,
  type Values,
  type Variable,
} from "../support/mended_calls.ts";
import { openMiniZinc } from "../support/minizinc.ts";

/**
 * The constraints that Verdict's library for MiniZinc defines: random calls (`RUNS` of each constraint, from a seed that is
 * printed, `SEED`) in all contexts. Each list of all solutions is that of brute force.
 */
const runs = Number(process.env["RUNS"] ?? 20);
const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000_000);
const wanted = process.env["SOLVERS"]?.split(",") ?? ["gecode", "chuffed", "highs"];

function assignments(variables: readonly Variable[]): Values[] {
  return variables.reduce<Values[]>(
    (all, { name, domain }) => all.flatMap((values) => domain.map((value): Values => ({ ...values, [name]: value }))),
    [{}],
  );
}

function keyOf(values: Readonly<Record<string, unknown>>, variables: readonly Variable[]): string {
  return JSON.stringify(variables.map(({ name }) => values[name] ?? null));
}

function truthOf({ holds }: Call, [, inContext]: Context, values: Values): boolean {
  return inContext(holds(values), values["b"] === true);
}

describe.each(wanted)("%s", (solver) => {
  const bench = openMiniZinc("wasm");
  afterAll(() => bench.engines.close());

  it.each(mended_calls.map((generate, i) => ({ called: generate(new Chance(i)).text.split("(", 1)[0], generate })))(
    "answers as MiniZinc means it: $called",
    async ({ generate }) => {
      console.info(`seed ${seed}`);
      const left_open: string[] = [];
      for (let run = 0; run < runs; run++) {
        const chance = new Chance(seed + run);
        const call = generate(chance);
        const context = chance.of(contexts);
        const variables = [...call.variables, truth("b")];
        const all = assignments(variables);
        const true_ones = all.filter((values) => truthOf(call, context, values));
        const constraint = `constraint ${context[0](call.text)};`;
        const items = ['include "globals.mzn";', ...variables.map(({ declaration }) => declaration), constraint];
        const lists_all = solver !== "highs";
        const answer = await bench.solveAtOnce(items, {
          solver,
          ...(lists_all && { all_solutions: true }),
        });
        const shown = `seed ${seed + run}: ${items.join(" ")} ${JSON.stringify({ ...answer, solutions: [] })}`;
        if (answer.status === "unsat") expect(true_ones, shown).toEqual([]);
        else if (answer.status === "sat") {
          const expected = new Set(true_ones.map((values) => keyOf(values, variables)));
          const found = lists_all ? solutionsOf(answer) : [answer["model"]];
          const keys = found.map((values) => keyOf(Object(values), variables));
          expect([...keys.filter((key) => !expected.has(key))], shown).toEqual([]);
          // The list that is shown may be cut.
          const claim = /These are all solutions: (\d+)/.exec(String(answer["warnings"]));
          if (claim) expect(Number(claim[1]), shown).toBe(expected.size);
        } else left_open.push(shown);
      }
      console.info(`${solver}: ${left_open.length} of ${runs} left open\n${left_open[0] ?? ""}`);
      if (solver === "gecode") expect(left_open.length).toBeLessThan(Math.max(2, runs / 5));
    },
  );
});

function solutionsOf(answer: Readonly<Record<string, unknown>>): readonly unknown[] {
  const { solutions, model } = answer;
  return Array.isArray(solutions) ? solutions : [model];
}
