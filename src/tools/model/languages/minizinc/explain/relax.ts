import { undefinedOnFailure } from "../../../../../kernel/fault.ts";
import { type Edit, edited } from "../../../items/edits.ts";
import type { Items } from "../../../items/items.ts";
import type { Relaxed } from "../../../why/explain.ts";
import { byStatement } from "../../../why/parts.ts";
import type { Finding } from "../acceptance/acceptance.ts";
import type { Model } from "../model.ts";
import { bodyOf } from "../source/loops.ts";
import { endOf, outside, type Tokens } from "../source/tokens.ts";
import { chosen, type Part, solveEdit } from "./part.ts";

/** What is relaxed: the parts, all removable parts, and the edits that replace the objective. */
interface Relaxing {
  readonly model: Model;
  readonly all: readonly Part[];
  readonly set: readonly Part[];
  readonly goal: readonly Edit[];
  readonly solve: (items: Items) => Promise<Finding | undefined>;
}

/**
 * The smallest amounts by which the comparisons in a set must be relaxed to make a solution possible: one variable per
 * statement, whose sum is minimised. Undefined if a statement is not a comparison of integers, or if no solution was
 * found in time. Raises `cancelled`.
 */
export async function relaxed({ model, all, set, goal, solve }: Relaxing): Promise<Relaxed | undefined> {
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
