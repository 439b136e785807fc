import { namesFloats } from "../../../../../evidence/flatzinc/trust.ts";
import type { Accepted } from "../../../../../evidence/minizinc/judge.ts";
import { endOf, outside, type Tokens } from "../../../../../evidence/minizinc/tokens.ts";
import { undefinedOnFailure } from "../../../../../kernel/fault.ts";
import { type Edit, edited } from "../../../../../kernel/text/edits.ts";
import type { Items } from "../../../items/items.ts";
import type { Outcome } from "../../../language.ts";
import { model_limits } from "../../../limits.ts";
import type { Relaxed } from "../../../why/explain.ts";
import { explained, knownAmong } from "../../../why/outcome.ts";
import { byStatement } from "../../../why/parts.ts";
import type { Call } from "../model.ts";
import { type Model, readModel } from "../model.ts";
import { bodyOf } from "../source/loops.ts";
import {
  anySolution,
  chosen,
  keeping,
  type Part,
  partOf,
  partsOf,
  placeOf,
  removable,
  type Solving,
  solveEdit,
} from "./part.ts";

/**
 * Adds an explanation, which is found by leaving out constraints, to the outcome if the call asks for one. Raises
 * `cancelled`.
 */
export async function explainedBy(call: Call, outcome: Outcome, solving: (call: Call) => Solving): Promise<Outcome> {
  const { model, context } = call;
  return explained(outcome, context, async (about) => {
    // The item with a plan's values is never left out.
    const own = context.options.plan ? model.items.length - 1 : model.items.length;
    const all = removable(model).filter(({ item }) => item < own);
    // To explain an optimum, a constraint replaces the objective.
    const constraints = about === "optimum" ? all.filter(({ tokens }) => tokens[0]?.text === "constraint") : all;
    const better = about === "optimum" ? betterOnly(model, outcome, hasFloats(call)) : anySolution(model);
    if (better === undefined) return "why: the best value is not a number, so nothing is explained.";
    const data = await solving(call).dataFiles();
    const part = { ...call, data };
    const deadline = context.deadline.atMost(context.deadline.left_ms * model_limits.why_probe_share);
    const kept = await partsOf(constraints, { ...call, data, deadline });
    const parts = kept.map((part) => ({ place: placeOf(part.statement, [part], model.items) }));
    return {
      parts,
      monotone: true,
      known: knownAmong(parts, outcome.verdict),
      async ask(subset, deadline) {
        const some = subset.flatMap((index) => kept[index] ?? []);
        const items = keeping(model.items, kept, some, better);
        return { verdict: await solving(partOf(part, readModel(items), deadline)).decided() };
      },
      relax: (set, deadline) =>
        relaxed({
          ...{ model, all: kept, set: set.flatMap((index) => kept[index] ?? []), goal: better },
          solve: async (items) => solving(partOf(part, readModel(items), deadline)).finding(),
        }),
    };
  });
}

function hasFloats({ model, context }: Call): boolean {
  return [model.source, JSON.stringify(context.options.data ?? {})].some(namesFloats);
}

/** The minimum relative improvement for a float to count as better, which is the precision of the known optimum. */
const float_distance = 1e-6;

/**
 * Replaces the solve item with a constraint that the objective is better than the optimum. Returns undefined if the
 * optimum is not a number.
 */
function betterOnly(model: Model, { verdict }: Outcome, has_floats: boolean): Edit[] | undefined {
  const best: unknown = verdict.kind === "sat" ? verdict.best?.value : undefined;
  const is_number = typeof best === "number" || (typeof best === "string" && /^-?\d+$/.test(best));
  if (!is_number) return undefined;
  const sign = model.goal === "minimize" ? "<" : ">";
  const distance = has_floats ? Math.max(1, Math.abs(Number(best))) * float_distance : 0;
  const limit = distance === 0 ? `${best}` : `${best} ${sign === "<" ? "-" : "+"} ${distance.toFixed(12)}`;
  const edit = solveEdit(model, (objective) => `constraint (${objective}\n) ${sign} ${limit}; solve satisfy;`);
  return edit && [edit];
}

/** What is relaxed: the parts, all removable parts, and the edits that replace the objective. */
interface Relaxing {
  readonly model: Model;
  readonly all: readonly Part[];
  readonly set: readonly Part[];
  readonly goal: readonly Edit[];
  readonly solve: (items: Items) => Promise<Accepted | undefined>;
}

/**
 * The smallest amounts by which the comparisons in a set must be relaxed to make a solution possible: one variable per
 * statement, whose sum is minimised. Undefined if a statement is not a comparison of integers, or if no solution was
 * found in time. Raises `cancelled`.
 */
async function relaxed({ model, all, set, goal, solve }: Relaxing): Promise<Relaxed | undefined> {
  const groups = byStatement(all);
  const edits: Edit[] = [];
  const added = [numbers];
  const names: string[] = [];
  for (const [statement, own] of byStatement(set)) {
    const name = `relaxed_${names.length}_by_verdict`;
    const loops = own[0]?.case?.loops;
    const among = groups.get(statement) ?? [];
    const is_whole = loops === undefined || own.length === among.length;
    const text = model.items[statement.item] ?? "";
    const edit = apart(text, bodyOf(statement, text), is_whole ? name : `${name}_in(${loops.values})`);
    if (!edit) return undefined;
    if (!is_whole)
      added.push(`function var int: ${name}_in(string: values) = if ${chosen(among, own)} then ${name} else 0 endif;`);
    edits.push({ item: statement.item, ...edit });
    added.push(`var 0..${relaxed_max}: ${name};`);
    names.push(name);
  }
  const target = `solve minimize ${names.join(" + ")};`;
  const own_goal = goal.length > 0 ? goal : [solveEdit(model, () => "solve satisfy;") ?? []].flat();
  const goals = own_goal.map((edit) => ({ ...edit, text: edit.text.replace(/solve satisfy;$/, target) }));
  const items = [...edited(model.items, [...edits, ...goals]), ...added, ...(goals.length > 0 ? [] : [target])];
  const finding = await solve(items).catch(undefinedOnFailure);
  if (finding?.decision.kind !== "sat") return undefined;
  const { witness, proved } = finding.decision;
  const by = names.map((name) => Number(witness.values[name]));
  if (!by.every((each) => Number.isSafeInteger(each))) return undefined;
  const parts = [...byStatement(set).values()];
  return { least: parts.map((own, i) => ({ parts: own.map((part) => set.indexOf(part)), by: by[i] ?? 0 })), proved };
}

/** Larger amounts are not considered: solvers have bounds, which the sum must not reach. */
const relaxed_max = 1_000_000;

/** Only integers have an amount: the first overload excludes other types, the second rejects truth values. */
const numbers = `function var int: number_by_verdict(var int: x) = x;
function var int: number_by_verdict(var bool: x) = assert(false, "a truth value has no amount", bool2int(x));`;

const comparison = /^(?:<=|>=|==|<|>|=)$/;
/** Operators that, outside of brackets, make a condition more than a single comparison. */
const other_condition =
  /^(?:\/\\|\\\/|->|<-|<->|!=|<>|not|xor|if|let|in|subset|superset|union|intersect|diff|symdiff|:|\|)$/;

/** A comparison whose sides may differ by `amount`; undefined for anything else. */
function apart(item: string, body: Tokens, amount: string): Omit<Edit, "item"> | undefined {
  const [at = -1, more] = outside(body, comparison);
  const [sign, start] = [body[at], body[0]?.start];
  if (more !== undefined || outside(body, other_condition).length > 0 || !sign || start === undefined) return undefined;
  const end = endOf(body.at(-1));
  // The line end terminates a possible comment in a side.
  const left = `number_by_verdict(${item.slice(start, sign.start)}\n)`;
  const right = `number_by_verdict(${item.slice(endOf(sign), end)}\n)`;
  const is_equation = sign.text === "=" || sign.text === "==";
  const text = is_equation
    ? `abs(${left} - ${right}) <= ${amount}`
    : `${left} ${sign.text} ${right} ${sign.text.startsWith("<") ? "+" : "-"} ${amount}`;
  return { start, end, text };
}
