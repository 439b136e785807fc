import type { Accepted } from "../../../../../evidence/minizinc/judge.ts";
import { compile, type Question } from "../../../../../evidence/minizinc/question.ts";
import { type Statement, solveItemOf } from "../../../../../evidence/minizinc/statements.ts";
import { endOf } from "../../../../../evidence/minizinc/tokens.ts";
import type { Deadline } from "../../../../../kernel/deadline.ts";
import { type Edit, edited } from "../../../../../kernel/text/edits.ts";
import type { ItemLine } from "../../../language.ts";
import { model_limits } from "../../../limits.ts";
import { byStatement, type Part as PartOf, withCases } from "../../../why/parts.ts";
import type { Probed } from "../../../why/probe.ts";
import type { Call } from "../model.ts";
import { type Model, sourceOf } from "../model.ts";
import { type Loops, loopsOf } from "../source/loops.ts";

/** A separate call, with the doubts about its solvers and the means to remove them. */
export interface Solving {
  claimed(): Promise<"unsat" | "doubted" | "open">;
  decided(): Promise<Probed["verdict"]>;
  dataFiles(): Promise<readonly string[]>;
  finding(): Promise<Accepted | undefined>;
}

/** Creates a call for another model text, with the same solver, workers and data, but without progress reports. */
export function partOf(
  call: Call,
  model: Model,
  deadline: Deadline,
  others: Pick<Call["context"]["options"], "solver" | "max_solutions"> = {},
): Call {
  const { solver, data, data_kept, reproducible } = call.context.options;
  return {
    ...call,
    model,
    context: {
      deadline,
      options: { solver, data, data_kept, reproducible, ...others },
      progress: () => {},
      news: () => {},
    },
  };
}

/**
 * Replaces a model's solve item with the result of calling `write` on the objective's text, which is empty for
 * `satisfy`. Returns undefined if the model has no solve item.
 */
export function solveEdit({ items, statements }: Model, write: (objective: string) => string): Edit | undefined {
  const { statement, word } = solveItemOf(statements) ?? {};
  if (!statement || !word) return undefined;
  const { item, start, end } = statement;
  const objective = (items[item] ?? "").slice(endOf(word), end).replace(/;\s*$/, "");
  return { item, start, end, text: write(objective) };
}

/** Changes the goal to any solution instead of the best one; the objective must still have a value. */
export function anySolution(model: Model): Edit[] {
  const edit = solveEdit(model, (objective) => `constraint (${objective}\n) = (${objective}\n); solve satisfy;`);
  return edit && model.goal !== "satisfy" ? [edit] : [];
}

/** The removable statements of a model: its constraints, and an objective that may be undefined. */
export function removable({ statements }: Model): Statement[] {
  const solve = solveItemOf(statements);
  const may_be_undefined = solve?.objective.some(({ text }) => partial.test(text));
  return statements.filter(
    (each) => each.tokens[0]?.text === "constraint" || (may_be_undefined && each === solve?.statement),
  );
}

/** Operators, calls and accesses that can be undefined. */
const partial = /^(?:div|mod|let|[/^([])$/;

/** A case of a constraint's loops. */
interface Case {
  readonly loops: Loops;
  /** The values of the loop variables, and the name of the case. */
  readonly values: string;
  readonly name: string;
}

export type Part = PartOf<Statement, Case>;

/** The model with its data, and the runner that compiles it to list the cases. */
type Listing = Pick<Call, "model" | "run"> & Pick<Question, "data"> & { readonly deadline: Deadline };

/** The parts of statements: their cases, if MiniZinc can list them in time. */
export async function partsOf(statements: readonly Statement[], listing: Listing): Promise<Part[]> {
  const { items } = listing.model;
  const all = statements.map((statement) => ({ statement, loops: loopsOf(statement, items[statement.item] ?? "") }));
  const cases = await casesOf(
    all.flatMap(({ loops }) => loops ?? []),
    listing,
  );
  return all.flatMap(({ statement, loops }): Part[] => {
    const own = [...((loops && cases.get(loops)) ?? [])];
    if (!loops || own.length === 0 || !own.every(([values]) => printable.test(values))) return [{ statement }];
    return own.map(([values, name]) => ({ statement, case: { loops, values, name } }));
  });
}

/** Strings that can be written in MiniZinc unchanged, except for their quotes. */
const printable = /^[^\\\p{Cc}]{0,200}$/u;

/** The names of cases, by their values. */
type Cases = Map<Loops, Map<string, string>>;

/**
 * All cases; none for loops that MiniZinc can't list, for example if a loop variable depends on a variable of the
 * model.
 */
async function casesOf(all: readonly Loops[], listing: Listing): Promise<Cases> {
  const cases = all.length > 0 ? await listed(all, listing) : undefined;
  if (cases || all.length <= 1) return cases ?? new Map();
  const half = Math.ceil(all.length / 2);
  return new Map([...(await casesOf(all.slice(0, half), listing)), ...(await casesOf(all.slice(half), listing))]);
}

const mark = "cases by verdict";

/**
 * MiniZinc evaluates the generators and returns the cases in an assertion's message, one per line. Only variables with
 * known values have a `known_to_verdict`.
 */
async function listed(all: readonly Loops[], { model, data, run, deadline }: Listing): Promise<Cases | undefined> {
  if (deadline.is_over) return undefined;
  const lists = all.map(({ values, name, generators, variables }, i) => {
    const known = variables.map((each) => `known_to_verdict(${each}) ++ `).join("");
    const generated = generators.length > 0 ? ` | ${generators.join(", ")}` : "";
    return `listed_by_verdict(["\\n${i}\\t" ++ ${known}${values} ++ "\\t" ++ ${name}${generated}])`;
  });
  const source = `constraint assert(false, "${mark}" ++ ${lists.join(" ++ ")});
function string: known_to_verdict($T: x) = "";
function string: known_to_verdict(set of $$T: x) = "";
function string: listed_by_verdict(array[int] of string: cases) =
  if length(cases) <= ${model_limits.cases_max} then concat(cases) else "" endif;
${sourceOf(edited(model.items, removable(model).map(removal)), model.tail)}`;
  const { answer } = await compile(run, { source, data }, deadline);
  const [first, ...lines] = answer.errors[0]?.message.split("\n") ?? [];
  if (first !== mark) return undefined;
  const cases: Cases = new Map(all.map((loops) => [loops, new Map()]));
  for (const [index, values = "", name = ""] of lines.map((line) => line.split("\t"))) {
    const loops = all[Number(index)];
    if (loops) cases.get(loops)?.set(values, name);
  }
  return cases;
}

/**
 * The items with only some of the parts. A loop that loses cases gets an additional generator, which is empty for the
 * removed cases.
 */
export function keeping(
  items: readonly string[],
  all: readonly Part[],
  kept: readonly Part[],
  others: readonly Edit[] = [],
): string[] {
  const left = byStatement(kept);
  const functions: string[] = [];
  const edits = [...byStatement(all)].flatMap(([statement, parts]): Edit[] => {
    const own = left.get(statement) ?? [];
    if (own.length === parts.length) return [];
    const loops = own[0]?.case?.loops;
    if (!loops) return [removal(statement)];
    const name = `kept_${functions.length}_by_verdict`;
    functions.push(
      `function set of int: ${name}(string: values) = if ${chosen(parts, own)} then 1..1 else 1..0 endif;`,
    );
    const { item } = statement;
    return [{ item, start: loops.end, end: loops.end, text: `, each_of_verdict in ${name}(${loops.values})` }];
  });
  const starts = new Set(edits.map(({ item, start }) => `${item}:${start}`));
  const of_kept = others.filter(({ item, start }) => !starts.has(`${item}:${start}`));
  return [...edited(items, [...edits, ...of_kept]), ...functions];
}

/** A condition that `values` belong to a kept case, using the shorter of the two lists. */
export function chosen(all: readonly Part[], kept: readonly Part[]): string {
  const set = new Set(kept);
  const dropped = all.filter((part) => !set.has(part));
  const listOf = (parts: readonly Part[]) =>
    parts.map((part) => `"${part.case?.values.replaceAll('"', '\\"') ?? ""}"`).join(", ");
  return kept.length <= dropped.length
    ? `exists(each in [${listOf(kept)}])(each = values)`
    : `forall(each in [${listOf(dropped)}])(each != values)`;
}

/** Removes a statement. If the objective is removed, any solution will do. */
function removal({ item, start, end, tokens }: Statement): Edit {
  return { item, start, end, text: tokens[0]?.text === "solve" ? "solve satisfy;" : "" };
}

/** The position of a statement as shown in an answer, with these cases of it. */
export function placeOf(
  { item, line, start, end }: Statement,
  parts: readonly Part[],
  items: readonly string[],
): ItemLine {
  const text = (items[item] ?? "").slice(start, end).replaceAll(/\s+/g, " ");
  return withCases({ item, line, text }, parts);
}
