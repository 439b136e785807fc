import type { Solution, Type } from "../../../../../engines/minizinc/read.ts";
import { isBetter } from "../../../../../evidence/minizinc/asking.ts";
import type { Accepted } from "../../../../../evidence/minizinc/judge.ts";
import { quoted } from "../../../../../evidence/minizinc/tokens.ts";
import { Fault } from "../../../../../kernel/fault.ts";
import { limits } from "../../../../../kernel/limits.ts";
import { edited } from "../../../../../kernel/text/edits.ts";
import type { Outcome } from "../../../language.ts";
import { model_limits } from "../../../limits.ts";
import { type AllAnswer, noAnswer } from "../../questions/answer.ts";
import { withAnswer } from "../../questions/ask.ts";
import { drive, type Row, type Space, type Step } from "../../questions/drive.ts";
import { type Question, questionOf } from "../../questions/question.ts";
import type { Call } from "../model.ts";
import { type Model, readModel, typesOf } from "../model.ts";
import { plainValue, plainValues } from "../values.ts";
import { partOf, solveEdit } from "./part.ts";

/** The share of the time spent on finding a solution in which several values change at once. */
const share_of_many = 0.2;
/** The minimum time of a step: compiling the model takes a second on a busy machine. */
const step_ms_min = 5_000;

/** Solves a model as a separate call; returns undefined if no time is left. */
export type Solves = (call: Call) => Promise<Accepted | undefined>;

/**
 * Adds the answer to a question about all solutions to the outcome, if the call asks one. `own` is the finding from
 * which the outcome was made.
 */
export async function answeredBy(
  call: Call,
  outcome: Outcome,
  own: Accepted | undefined,
  solves: Solves,
): Promise<Outcome> {
  const question = questionOf(call.context.options);
  return question ? withAnswer(outcome, question, () => answerOf(call, question, outcome, own, solves)) : outcome;
}

async function answerOf(
  call: Call,
  question: Question,
  { verdict }: Outcome,
  own: Accepted | undefined,
  solves: Solves,
): Promise<AllAnswer> {
  const best: unknown = verdict.kind === "sat" ? verdict.best?.value : undefined;
  const is_number = typeof best === "number" || (typeof best === "string" && /^-?\d+$/.test(best));
  if (
    best !== undefined &&
    question.kind !== "k_best" &&
    (!is_number || (typeof best === "number" && !Number.isInteger(best)))
  )
    return noAnswer(
      question,
      "the objective is not an integer, so the optimal solutions can't be distinguished from the others",
    );
  const types = await typesOf(
    call.engine,
    { model: call.model, data: call.context.options.data },
    call.context.deadline,
  );
  call.context.progress("asking for further solutions");
  const of_best = is_number && question.kind !== "k_best" ? best : undefined;
  // The finding has exact values, while the answer's values are formatted for reading. With its optimum as a
  // constraint, the model is a different one.
  const finding =
    of_best === undefined && own?.decision.kind === "sat"
      ? own
      : await solves(partOf(call, changed(call.model, of_best, [], undefined), call.context.deadline));
  if (finding?.decision.kind !== "sat") return noAnswer(question, "no further solution was found in time");
  const space = new MiniZincSpace({ call, solves, types, best: of_best }, finding.decision.witness);
  return drive({ ...question, limit: Math.min(question.limit, limitOf(question)) }, space, space.first);
}

function limitOf({ kind }: Question): number {
  return kind === "count" ? model_limits.minizinc_counted_max : model_limits.solutions_max;
}

/**
 * Adds constraints to the model. Fixes the objective if its optimum is given, and replaces the goal if another one is
 * given.
 */
function changed(model: Model, best: unknown, constraints: readonly string[], goal: string | undefined): Model {
  const edit = solveEdit(model, (objective) => {
    const fixed = best === undefined ? "" : `constraint (${objective}\n) = ${String(best)}; `;
    return `${fixed}solve ${goal ?? "satisfy"};`;
  });
  const is_changed = best !== undefined || goal !== undefined;
  const items = is_changed && edit ? edited(model.items, [edit]) : model.items;
  const ending = !edit && goal !== undefined ? [`solve ${goal};`] : [];
  return readModel([...items, ...constraints.map((each) => `${each};`), ...ending]);
}

const cost_name = "cost_of_verdict";
/** The maximum number of solutions to list in one run; a longer list is rarely complete. */
const ranked_max = 200;

/** Removes the model's goal, and adds its objective as a variable. */
function withCost(model: Model): Model {
  const edit = solveEdit(
    model,
    (objective) => `var int: ${cost_name}; constraint ${cost_name} = (${objective}\n); solve satisfy;`,
  );
  return readModel(edit ? edited(model.items, [edit]) : model.items);
}

interface Leaf {
  readonly path: string;
  /** The leaf, written as a MiniZinc expression. */
  readonly expression: string;
  readonly read: (values: Solution["values"]) => unknown;
}

interface SpaceParts {
  readonly call: Call;
  readonly solves: Solves;
  readonly types: Readonly<Record<string, Type>>;
  /** The value at which the objective is fixed. */
  readonly best: unknown;
}

/** The solutions of a model; each is found by a MiniZinc run with additional constraints. */
class MiniZincSpace implements Space {
  readonly over: readonly string[];
  readonly left_out: readonly string[];
  readonly paths: readonly string[];
  readonly method = "enumeration with MiniZinc";
  readonly first: Row;
  readonly #parts: SpaceParts;
  readonly #leaves: readonly Leaf[];

  constructor(parts: SpaceParts, first: Solution) {
    this.#parts = parts;
    const names = Object.keys(first.values);
    const leaves = names.map((name) => leavesOf(name, first.values[name], parts.types[name]));
    this.over = names.filter((_, i) => leaves[i] !== undefined);
    this.left_out = names.filter((_, i) => leaves[i] === undefined);
    this.#leaves = leaves.flatMap((each) => each ?? []);
    this.paths = this.#leaves.map(({ path }) => path);
    this.first = this.#row(first);
  }

  async list(limit: number, share = 1) {
    const finding = await this.#solve([], undefined, share, limit + 1);
    if (typeof finding === "string") return { rows: [], is_whole: false, reason: finding };
    const rows = finding.reply.answer.solutions.map((each) => this.#row(each));
    const is_whole = finding.decision.kind === "sat" && finding.decision.proved && rows.length <= limit;
    return { rows, is_whole, reason: whyNotAll(finding, rows.length, limit) };
  }

  async ranked(share: number) {
    const { call } = this.#parts;
    const finding = await this.#solveModel(() => withCost(call.model), share, ranked_max + 1);
    if (typeof finding === "string" || finding.decision.kind !== "sat" || !finding.decision.proved) return undefined;
    const { solutions } = finding.reply.answer;
    if (solutions.length > ranked_max) return undefined;
    const costed = solutions.map((each) => ({ ...each, objective: each.values[cost_name] }));
    const sorted = costed.toSorted((one, other) =>
      isBetter(one, other, call.model.goal) ? -1 : isBetter(other, one, call.model.goal) ? 1 : 0,
    );
    const rows = sorted.map((each) => this.#row(each));
    const keys = rows.map(({ leaves }) => leaves.join("\n"));
    return rows.filter((_, i) => keys.indexOf(keys[i] ?? "") === i);
  }

  async other(row: Row, at: readonly number[], count: number): Promise<Step> {
    if (count === 1) return this.#step(await this.#solve([`constraint ${this.#differs(row, at)}`], undefined, 1));
    const terms = at.map((i) => this.#differsAt(row, i));
    return this.#step(
      await this.#solve([`constraint ${count} <= sum([${terms.join(", ")}])`], undefined, share_of_many),
    );
  }

  async best(without: readonly Row[]): Promise<Step> {
    const all = this.#leaves.map((_, i) => i);
    const others = without.map((row) => `constraint ${this.#differs(row, all)}`);
    return this.#step(await this.#solve(others, undefined, 1));
  }

  async farthest(rows: readonly Row[], more: number): Promise<Step> {
    const name = `distance_${rows.length}_of_verdict`;
    const far = rows.map((row) => {
      const terms = this.#leaves.map((_, i) => this.#differsAt(row, i));
      return `constraint ${name} <= sum([${terms.join(", ")}])`;
    });
    const declared = `var 1..${this.#leaves.length}: ${name}`;
    return this.#step(await this.#solve([declared, ...far], `maximize ${name}`, 1 / more));
  }

  #differsAt(row: Row, i: number): string {
    return `bool2int(${this.#leaves[i]?.expression ?? "true"} != ${literal(row.leaves[i])})`;
  }

  #differs(row: Row, at: readonly number[]): string {
    const terms = at.map((i) => `${this.#leaves[i]?.expression ?? "true"} != ${literal(row.leaves[i])}`);
    return `exists([${terms.join(", ")}])`;
  }

  /** Returns the finding, or the reason why there is none. Raises `cancelled`. */
  async #solve(
    constraints: readonly string[],
    goal: string | undefined,
    share: number,
    max_solutions?: number,
  ): Promise<Accepted | string> {
    const { call, best } = this.#parts;
    return this.#solveModel(() => changed(call.model, best, constraints, goal), share, max_solutions);
  }

  async #solveModel(make: () => Model, share: number, max_solutions?: number): Promise<Accepted | string> {
    const { call, solves } = this.#parts;
    if (call.context.deadline.is_over) return out_of_time;
    try {
      const model = make();
      const { deadline } = call.context;
      const part = share === 1 ? deadline : deadline.atMost(Math.max(deadline.left_ms * share, step_ms_min));
      return (await solves(partOf(call, model, part, { max_solutions }))) ?? out_of_time;
    } catch (error) {
      if (!(error instanceof Fault) || error.code === "cancelled") throw error;
      return `MiniZinc failed with the further constraints (${error.message.slice(0, limits.fault_quote_chars_max)})`;
    }
  }

  #step(finding: Accepted | string): Step {
    if (typeof finding === "string") return { open: finding };
    const { decision } = finding;
    if (decision.kind === "unsat") return "none";
    if (decision.kind === "sat") return { row: this.#row(decision.witness), proved: decision.proved };
    return { open: decision.reason ?? out_of_time };
  }

  value(leaf: string): unknown {
    return plainValue(JSON.parse(leaf));
  }

  #row({ values, objective }: Solution): Row {
    const known = Object.fromEntries([...this.over, ...this.left_out].map((name) => [name, values[name]]));
    return {
      values: plainValues(known),
      leaves: this.#leaves.map(({ read }) => JSON.stringify(read(values)) ?? "null"),
      cost: objective,
    };
  }
}

const out_of_time = "the time ran out";

function whyNotAll({ decision, reply }: Accepted, count: number, limit: number): string {
  if (count > limit) return `counting one by one stops at ${limit}`;
  const doubt = decision.kind === "sat" ? decision.doubt[0]?.what : undefined;
  if (doubt !== undefined) return `the claim that there are no others is not trusted here (${doubt})`;
  return reply.question.solutions_max === undefined ? "the search ended" : out_of_time;
}

/** Splits a variable into its leaves; undefined if the variable's values can't be written and compared exactly. */
function leavesOf(name: string, value: unknown, type: Type | undefined): Leaf[] | undefined {
  const is_exact = type !== undefined && (type.type === "int" || type.type === "bool") && !type.set && !type.optional;
  if (!is_exact) return undefined;
  if (!Array.isArray(value)) {
    return isWritable(value) ? [{ path: name, expression: quoted(name), read: (values) => values[name] }] : undefined;
  }
  const cells = cellsOf(name, value, []);
  if (!cells.every(({ cell }) => isWritable(cell))) return undefined;
  return cells.map(({ path, steps }, i) => ({
    path,
    expression: `array1d(${quoted(name)})[${i + 1}]`,
    read: (values) => steps.reduce<unknown>((at, step) => (Array.isArray(at) ? at[step] : undefined), values[name]),
  }));
}

interface Cell {
  readonly path: string;
  readonly steps: readonly number[];
  readonly cell: unknown;
}

function cellsOf(path: string, value: unknown, steps: readonly number[]): Cell[] {
  if (!Array.isArray(value)) return [{ path, steps, cell: value }];
  return value.flatMap((each, i) => cellsOf(`${path}[${i}]`, each, [...steps, i]));
}

const element = /^[A-Za-z]\w*$/;

function isWritable(value: unknown): boolean {
  if (typeof value === "boolean" || Number.isSafeInteger(value)) return true;
  if (typeof value === "string") return /^-?\d+$/.test(value);
  return isElement(value) && element.test(value.e);
}

function isElement(value: unknown): value is { readonly e: string } {
  if (typeof value !== "object" || value === null || Object.keys(value).length !== 1) return false;
  return "e" in value && typeof value.e === "string";
}

/** Converts a leaf's JSON to MiniZinc's syntax. */
function literal(leaf: string | undefined): string {
  const value: unknown = JSON.parse(leaf ?? "0");
  return isElement(value) ? value.e : `(${String(value)})`;
}
