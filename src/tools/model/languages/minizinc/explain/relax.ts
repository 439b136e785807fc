import { Fault } from "../../../../../kernel/fault.ts";
import { type Edit, edited } from "../../../items/edits.ts";
import type { Relaxed } from "../../../why/explain.ts";
import { byStatement } from "../../../why/parts.ts";
import type { Finding } from "../acceptance/acceptance.ts";
import type { Model } from "../model.ts";
import { readModel } from "../model.ts";
import { closingOf } from "../source/brackets.ts";
import { endOf } from "../source/floats.ts";
import { bodyOf } from "../source/loops.ts";
import type { Token } from "../source/source.ts";
import { chosen, type Part } from "./cases.ts";
import { solveEdit } from "./part.ts";

/** What is relaxed: parts of a model, all parts that can be left out, and the edits that take the objective's place. */
interface Relaxing {
  readonly model: Model;
  readonly all: readonly Part[];
  readonly set: readonly Part[];
  readonly goal: readonly Edit[];
  readonly solve: (model: Model) => Promise<Finding | undefined>;
}

/**
 * By how much the two sides of the comparisons of a set must be moved apart at least, so that there is a solution: for
 * each statement one variable, and their sum is minimised. Undefined where a statement is not a comparison of whole
 * numbers, or where no solution was found in time. Raises `cancelled`.
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
  const finding = await ifAble(() => solve(readModel(items)));
  if (finding?.decision.kind !== "sat") return undefined;
  const { witness, proved } = finding.decision;
  const by = names.map((name) => Number(witness.values[name]));
  if (!by.every((each) => Number.isSafeInteger(each))) return undefined;
  const parts = [...byStatement(set).values()];
  return { least: parts.map((own, i) => ({ parts: own.map((part) => set.indexOf(part)), by: by[i] ?? 0 })), proved };
}

/** More than this is not looked for: solvers have bounds, and a sum must not reach them. */
const relaxed_max = 1_000_000;

/** Only whole numbers have an amount: of other types the first call has no meaning, and of truth values the second. */
const numbers = `function var int: number_by_verdict(var int: x) = x;
function var int: number_by_verdict(var bool: x) = assert(false, "a truth value has no amount", bool2int(x));`;

/** The result; undefined where this has a fault. Raises `cancelled`. */
export async function ifAble<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code !== "cancelled") return undefined;
    throw thrown;
  }
}

const comparison = /^(?:<=|>=|==|<|>|=)$/;
/** What makes a condition more than one comparison, if it is outside of brackets. */
const other_condition =
  /^(?:\/\\|\\\/|->|<-|<->|!=|<>|not|xor|if|let|in|subset|superset|union|intersect|diff|symdiff|:|\|)$/;

/** A comparison whose sides may be `amount` apart; undefined for what is none. */
function apart(item: string, body: readonly Token[], amount: string): Omit<Edit, "item"> | undefined {
  let at: number | undefined;
  for (let i = 0; i < body.length; i++) {
    const { text = "" } = body[i] ?? {};
    if (/^[([{]$/.test(text)) i = closingOf(body, i);
    else if (other_condition.test(text) || (comparison.test(text) && at !== undefined)) return undefined;
    else if (comparison.test(text)) at = i;
  }
  const sign = at === undefined ? undefined : body[at];
  const start = body[0]?.start;
  if (sign === undefined || start === undefined) return undefined;
  const end = endOf(body.at(-1)) ?? item.length;
  // A comment in a side can end with its line.
  const left = `number_by_verdict(${item.slice(start, sign.start)}\n)`;
  const right = `number_by_verdict(${item.slice(sign.start + sign.text.length, end)}\n)`;
  const is_equation = sign.text === "=" || sign.text === "==";
  const text = is_equation
    ? `abs(${left} - ${right}) <= ${amount}`
    : `${left} ${sign.text} ${right} ${sign.text.startsWith("<") ? "+" : "-"} ${amount}`;
  return { start, end, text };
}
