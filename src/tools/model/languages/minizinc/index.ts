import type { MiniZinc } from "../../../../engines/minizinc/index.ts";
import type { Remark } from "../../../../engines/minizinc/read.ts";
import type { SmtSolver } from "../../../../engines/smt/solver.ts";
import { correct_and_send, inCalls, inShell, type Step } from "../../../../kernel/step.ts";
import type { Items } from "../../items/items.ts";
import type { Language, SolveContext } from "../../language.ts";
import { question_kinds } from "../questions/kinds.ts";
import { expectObjective, questionOf } from "../questions/question.ts";
import { type CpSatPython, cp_sat_language, withCpSat } from "./cp_sat.ts";
import { answeredBy } from "./explain/all.ts";
import { explainedBy } from "./explain/why.ts";
import { faultOf, remarkText, stillNeeded } from "./faults.ts";
import guide from "./guide.md";
import { additionsTo, type Model, openEnums, parametersOf, type Read, reading, readModel } from "./model.ts";
import { neverBegun } from "./outcome.ts";
import { Solve } from "./solve.ts";
import { tablesIn, withColumns, withEnums } from "./source/tables.ts";

const unchanged: Step = {
  call: `${inCalls(correct_and_send)}: the model is unchanged`,
  shell: inShell(correct_and_send),
};

/** Steps for a name that can be a member of an enum whose members are not known yet. */
function stepsOfEnums({ message }: Remark, { model, data = {} }: Read): Step[] {
  const [unknown] = openEnums(model).filter((name) => !Object.hasOwn(data, name));
  if (unknown === undefined || !/undefined identifier/.test(message)) return [];
  return [
    {
      call: `if it is a member of ${unknown}: call solve_model with data for ${unknown} first, or write the members into its declaration`,
      shell: `if it is a member of ${unknown}: give --data FILE with a value for ${unknown}`,
    },
  ];
}

/** The additions to these items, each once. */
function additionsToAny(indices: readonly number[], items: Items, model: Model): string[] {
  return [...new Set(indices.flatMap((item) => additionsTo(item, items, model)))];
}

/** MiniZinc: constraints over integers, sets, enums, floats; global constraints; optimisation; several solvers. */
export function minizinc(engine: MiniZinc, z3: SmtSolver, python: CpSatPython): Language {
  return {
    id: "minizinc",
    also: ["mzn"],
    slips: [],
    takes: [
      "solver",
      "data",
      "data_files",
      "all_solutions",
      "max_solutions",
      "check",
      "why",
      ...question_kinds,
      "reproducible",
    ],
    guide: { name: "minizinc", title: "How to model in MiniZinc", text: guide },
    remarksBesideSolving: (items) => additionsToAny([...items.keys()], items, readModel(items)),
    async check(items, changed, deadline, data) {
      const model = readModel(items);
      const known = data && withEnums(data, openEnums(model));
      const { answer } = await reading(engine, { model, data: known }, deadline, ["--model-check-only"]);
      const [error] = answer.errors;
      if (error && changed === undefined) throw stillNeeded(error, model.lines);
      if (error) throw faultOf(error, model.lines, [...stepsOfEnums(error, { model, data }), unchanged]);
      engine.prepare();
      const new_items = changed === "all" ? [...items.keys()] : changed === undefined ? [] : [changed];
      return [
        ...additionsToAny(new_items, items, model),
        ...answer.warnings.map((warning) => remarkText(warning, model.lines)),
      ];
    },
    async solve(items, given) {
      given.progress("the minizinc model is being solved");
      const question = questionOf(given.options);
      const model = readModel(items);
      const { data, notes } = await dataFor(engine, model, given);
      const context = { ...given, options: { ...given.options, data } };
      if (question) expectObjective(question, model.goal === "minimize" || model.goal === "maximize");
      const cp_sat = {
        isReady: () => python.has(cp_sat_language),
        prepare: () => python.prepare(cp_sat_language),
      };
      const outcome = await engine.run(context.deadline, async (embedded, build, takePlace) => {
        const { run, ...others } = withCpSat({ run: embedded, build, takePlace }, python);
        const call = { engine, z3: z3.unqueued, run, ...others, cp_sat, model, context };
        const explained_outcome = await explainedBy(call, await new Solve(call).outcome(), (part) => new Solve(part));
        return answeredBy(call, explained_outcome, (part) => new Solve(part).finding());
      });
      if (outcome === "expired") return neverBegun();
      return { ...outcome, warnings: [...notes, ...outcome.warnings] };
    },
  };
}

/** The data with what its tables give the model: members of enums, columns, numbers of rows. Raises as `parametersOf` does. */
async function dataFor(
  engine: MiniZinc,
  model: Model,
  { options: { data }, deadline }: SolveContext,
): Promise<{ readonly data: SolveContext["options"]["data"]; readonly notes: readonly string[] }> {
  const tables = tablesIn(data ?? {});
  if (data === undefined || tables.size === 0) return { data, notes: [] };
  const known = withEnums(data, openEnums(model));
  const { types } = await parametersOf(engine, { model, data: known }, deadline);
  const shaped = withColumns(known, types);
  const is_used = Object.keys(shaped).length > Object.keys(data).length - tables.size;
  const [name = "", rows = []] = [...tables][0] ?? [];
  const [column = ""] = Object.keys(rows[0] ?? {});
  const unused = `The tables give no parameter: declare for instance \`int: n_${name};\` and \`array[1..n_${name}] of int: ${name}_${column};\`.`;
  return { data: shaped, notes: is_used ? [] : [unused] };
}
