import type { MiniZinc } from "../../../../engines/minizinc/index.ts";
import type { Remark } from "../../../../engines/minizinc/read.ts";
import type { SmtSolver } from "../../../../engines/smt/solver.ts";
import { optimises } from "../../../../evidence/minizinc/asking.ts";
import { openEnums } from "../../../../evidence/minizinc/declarations.ts";
import { Fault } from "../../../../kernel/fault.ts";
import { correct_and_send, inCalls, inShell, type Step } from "../../../../kernel/step.ts";
import type { Items } from "../../items/items.ts";
import type { Language, Outcome, SolveContext } from "../../language.ts";
import { notCompared, planAnswer } from "../questions/answer.ts";
import { question_kinds } from "../questions/kinds.ts";
import { expectObjective, type Question, questionOf } from "../questions/question.ts";
import { type CpSatPython, cp_sat_language, withCpSat } from "./cp_sat.ts";
import { answeredBy } from "./explain/all.ts";
import { solveEdit } from "./explain/part.ts";
import { explainedBy } from "./explain/why.ts";
import { faultOf, remarkText, stillNeeded } from "./faults.ts";
import { findingsOf } from "./findings.ts";
import guide from "./guide.md";
import { keeping } from "./keep.ts";
import type { Call } from "./model.ts";
import { additionsTo, dataFor, type Model, type Read, reading, readModel, typesOf } from "./model.ts";
import { neverBegun } from "./outcome.ts";
import { plainForm } from "./plain.ts";
import { keepItem, type PlanItem, planItem } from "./plan.ts";
import { Solve } from "./solve.ts";
import { indicesOf, membersNamed } from "./source/index_names.ts";
import { declarationsFor, withEnums } from "./source/tables.ts";

const unchanged: Step = {
  call: `${inCalls(correct_and_send)}: the model is unchanged`,
  shell: inShell(correct_and_send),
};

/** Suggests steps for an unknown name that the data may define: a table, a column, or a member of an enum. */
function stepsOfData({ message }: Remark, { model, data = {} }: Read): Step[] {
  const [, name = ""] = /undefined identifier [`'](.+?)'/.exec(message) ?? [];
  const declarations = declarationsFor(name, data);
  if (declarations !== undefined) return [`declare what the data defines: \`${declarations}\``];
  const [unknown] = openEnums(model.statements).filter((name) => !Object.hasOwn(data, name));
  if (unknown === undefined || !/undefined identifier/.test(message)) return [];
  return [
    {
      call: `if it is a member of ${unknown}: call solve_model with data for ${unknown} first, or put the members into its declaration`,
      shell: `if it is a member of ${unknown}: give --data FILE with a value for ${unknown}`,
    },
  ];
}

/** Returns the additions that these items need, without duplicates. */
function additionsToAny(indices: readonly number[], items: Items, model: Model): string[] {
  return [...new Set(indices.flatMap((item) => additionsTo(item, items, model)))];
}

/**
 * The language MiniZinc: constraints over integers, sets, enums and floats; global constraints; optimisation; several
 * solvers.
 */
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
    declares: (name) => new RegExp(`:\\s*${name}\\s*(?:=|;|::|$)`),
    guide: { name: "minizinc", title: "How to model in MiniZinc", text: guide },
    remarksBesideSolving: (items) => additionsToAny([...items.keys()], items, readModel(items)),
    async check(items, changed, deadline, data) {
      const model = readModel(items);
      const known = data && withEnums(data, openEnums(model.statements));
      const { answer } = await reading(engine, { model, data: known }, deadline, ["--model-check-only"]);
      const [error] = answer.errors;
      if (error && changed === undefined) throw stillNeeded(error, model.lines);
      if (error) throw faultOf(error, model.lines, [...stepsOfData(error, { model, data }), unchanged]);
      engine.prepare();
      const new_items = changed === "all" ? [...items.keys()] : changed === undefined ? [] : [changed];
      return [
        ...additionsToAny(new_items, items, model),
        ...answer.warnings.map((warning) => remarkText(warning, model.lines)),
      ];
    },
    findings: (items, data) => findingsOf(readModel(items), data),
    plain: (filed, deadline) => plainForm(engine, filed, deadline),
    async solve(items, given) {
      given.progress("solving the minizinc model");
      const question = questionOf(given.options);
      const model = readModel(items);
      const { data, notes } = await dataFor(engine, model, given);
      const context = { ...given, options: { ...given.options, data } };
      const planned = question?.plan && (await planOf(engine, question, model, context));
      if (planned && planned.over.length === 0 && planned.left_out.length > 0)
        return notCompared("minizinc", "the given values are of types that can't be compared", planned.left_out);
      if (question) expectObjective(question, optimises(model));
      const cp_sat = {
        isReady: () => python.has(cp_sat_language),
        prepare: () => python.prepare(cp_sat_language),
      };
      const outcome = await engine.run(context.deadline, async (embedded, build, takePlace) => {
        const { run, ...others } = withCpSat({ run: embedded, build, takePlace }, python);
        const reader: Call["engine"] = {
          build: async () => build,
          check: (task, deadline, onLine) => engine.check(task, deadline, onLine, embedded),
        };
        const call = {
          engine: reader,
          z3: z3.unqueued,
          run,
          ...others,
          cp_sat,
          model: planned?.model ?? model,
          context,
        };
        if (planned && question?.keep) return keepingPlan(call, planned, model);
        const solve = new Solve(call);
        const solved = await solve.outcome(!question && !given.options.why).catch((thrown: unknown) => {
          throw planned ? aboutPlan(thrown, model) : thrown;
        });
        const explained_outcome = await explainedBy(call, solved, (part) => new Solve(part));
        if (planned) return withPlan(explained_outcome, planned, items.length);
        return answeredBy(call, explained_outcome, solve.accepted, (part) => new Solve(part).finding());
      });
      if (outcome === "expired") return neverBegun();
      return { ...outcome, warnings: [...notes, ...outcome.warnings], findings: findingsOf(model, data) };
    },
  };
}

type Planned = PlanItem & { readonly model: Model; readonly indices: Record<string, string[][]> };

/**
 * Adds a plan's values to the model as its last item, and the cost of changes to the plan given as `keep`. Raises
 * `invalid_argument`, also for names that do not belong to any enum.
 */
async function planOf(
  engine: MiniZinc,
  { plan = {}, keep }: Question,
  model: Model,
  { options: { data }, deadline }: SolveContext,
): Promise<Planned> {
  const types = await typesOf(engine, { model, data }, deadline);
  const objective = solveEdit(model, (text) => text.trim())?.text ?? "";
  const indices = indicesOf(model.statements, data, keep?.values ?? {});
  const membersOf = membersNamed(model.statements, data);
  const parts = [planItem(plan, types), ...(keep ? [keepItem(keep, { types, objective, indices, membersOf })] : [])];
  const item = {
    text: parts.map(({ text }) => text).join("\n"),
    over: [...new Set(parts.flatMap(({ over }) => over))],
    left_out: [...new Set(parts.flatMap(({ left_out }) => left_out))],
    indices,
  };
  return { ...item, model: readModel([...model.items, item.text]) };
}

/**
 * Rewords a fault about the item that was added for a plan, so that it refers to the plan; other faults stay unchanged.
 */
function aboutPlan(thrown: unknown, { items }: Model): unknown {
  if (!(thrown instanceof Fault) || (thrown.position?.item ?? 0) < items.length) return thrown;
  const what = thrown.message.replace(/^Item \d+, line \d+(?:, column \d+)?: /, "");
  return new Fault("invalid_argument", `The model does not allow the plan's values: ${what}`, [
    "write the values in the form used by this model's answers",
    "leave out a value that the solver should choose",
  ]);
}

/**
 * Solves the model with the fewest possible changes to a plan. Raises `invalid_argument` if the plan does not fit the
 * model.
 */
async function keepingPlan(call: Call, planned: Planned, model: Model): Promise<Outcome> {
  try {
    const { outcome, changes } = await keeping(call, (part) => new Solve(part).outcome());
    const { verdict } = outcome;
    const values = verdict.kind === "sat" && "values" in verdict.witness ? verdict.witness.values : {};
    const index_names = { ...planned.indices, ...indicesOf(model.statements, call.context.options.data, values) };
    return withPlan(outcome, planned, model.items.length, { ...(changes && { changes }), index_names });
  } catch (thrown) {
    throw aboutPlan(thrown, model);
  }
}

/** Removes the plan's item from the outcome, and adds whether the plan is possible. */
function withPlan(
  outcome: Outcome,
  { over, left_out }: PlanItem,
  own: number,
  more: Parameters<typeof planAnswer>[3] = {},
): Outcome {
  const { verdict } = outcome;
  const items = verdict.kind === "unsat" ? verdict.core?.items?.filter(({ item }) => item < own) : undefined;
  const without = verdict.kind === "unsat" && items ? { ...verdict, core: { items } } : verdict;
  return { ...outcome, verdict: without, all_answer: planAnswer(outcome, over, left_out, more) };
}
