/**
 * States facts about the sums in a question, without quantifiers. They relate each sum to the other sums of the same
 * summand, and to the sum over a list that differs in one item. All sums obey these equations, whatever their summands.
 */
import { inOrder, type Term } from "./term.ts";
import type { Terms } from "./terms.ts";

interface Sum {
  readonly term: Term;
  readonly from: Term;
  readonly to: Term;
  readonly body: Term;
  readonly variable: Term;
}

const sums_max = 40;

/**
 * Returns equations between the sums in these terms and the sums over the lists that the lists in these terms were made
 * from.
 */
export function sumFacts(t: Terms, roots: readonly Term[]): Term[] {
  const sums = inOrder(roots).flatMap((term) => sumOf(t, term));
  const facts: Term[] = [];
  for (let i = 0; i < sums.length && i < sums_max; i++) {
    const sum = sums[i];
    if (!sum) break;
    facts.push(...alone(t, sum));
    const equation = reduced(t, sum);
    if (!equation) continue;
    facts.push(equation);
    for (const more of inOrder([equation]).flatMap((term) => sumOf(t, term)))
      if (!sums.some(({ term }) => term === more.term)) sums.push(more);
  }
  for (const a of sums) for (const b of sums) facts.push(...together(t, a, b));
  for (const open of inOrder(roots).filter(({ op, open }) => op === "sum" && open.length === 1))
    for (const { term } of sums) facts.push(...instances(t, open, term));
  return [...new Set(facts)].filter((fact) => fact !== t.yes);
}

function sumOf(t: Terms, term: Term): Sum[] {
  const [from, to, body] = term.args;
  if (term.op !== "sum" || term.open.length > 0 || !from || !to || !body) return [];
  return [{ term, from, to, body, variable: t.bound(term.name ?? "") }];
}

function itemAt(t: Terms, { body, variable }: Sum, place: Term): Term {
  return t.replace(body, new Map([[variable, place]]));
}

/** States that an empty sum is 0 and that the sum of one item is the item. */
function alone(t: Terms, sum: Sum): Term[] {
  const { term, from, to } = sum;
  const next = t.add(from, t.one);
  return [t.implies(t.le(to, from), t.eq(term, t.zero)), t.implies(t.eq(to, next), t.eq(term, itemAt(t, sum, from)))];
}

/** Relates two sums with the same summand, over the same range or over a range with one more item at either end. */
function together(t: Terms, a: Sum, b: Sum): Term[] {
  if (a.term === b.term || a.body !== b.body || a.variable !== b.variable) return [];
  const later = t.and(t.eq(a.from, b.from), t.eq(b.to, t.add(a.to, t.one)), t.le(a.from, a.to));
  const earlier = t.and(t.eq(a.to, b.to), t.eq(a.from, t.add(b.from, t.one)), t.le(a.from, a.to));
  const same = t.and(t.eq(a.from, b.from), t.eq(a.to, b.to));
  return [
    t.implies(later, t.eq(b.term, t.add(a.term, itemAt(t, a, a.to)))),
    t.implies(earlier, t.eq(b.term, t.add(a.term, itemAt(t, a, b.from)))),
    t.implies(same, t.eq(a.term, b.term)),
  ];
}

/**
 * A sum that equals another sum with a number in place of a bound variable: a solver sees the two as different
 * functions.
 */
function instances(t: Terms, open: Term, sum: Term): Term[] {
  const [variable] = open.open;
  const [own, others] = [open, sum].map(({ name = "" }) => t.bound(name));
  if (!variable || !own || !others) return [];
  const numbers = new Set(inOrder([sum]).flatMap(({ op, args: [, at] }) => (op === "select" && at ? at : [])));
  const at = (number: Term) => {
    const [from = t.zero, to = t.zero, body = t.zero] = open.args.map((each) =>
      t.replace(each, new Map([[variable, number]])),
    );
    return t.sum(others, from, to, t.replace(body, new Map([[own, others]])));
  };
  return [...numbers]
    .filter((number) => number.open.length === 0 && at(number) === sum)
    .map((number) => t.forAll(variable, number, t.add(number, t.one), t.eq(open, sum)));
}

/** Expresses a sum over a list with one changed item, or over one of two lists, by sums over the original lists. */
function reduced(t: Terms, sum: Sum): Term | undefined {
  const { term, from, to, body, variable } = sum;
  const parts = inOrder([body]);
  for (const array of parts) {
    const [first, second, third] = array.args;
    if (array.open.length > 0 || !first || !second || !third) continue;
    const over = (other: Term) => t.replace(body, new Map([[array, other]]));
    if (array.op === "ite" && array.sort.item)
      return t.eq(term, t.ite(first, t.sum(variable, from, to, over(second)), t.sum(variable, from, to, over(third))));
    // Only the summand at the changed position may read the changed item.
    const users = parts.filter(({ args }) => args.includes(array));
    if (array.op !== "store" || users.some(({ op, args }) => op !== "select" || args[1] !== variable)) continue;
    const below = over(first);
    const change = t.sub(itemAt(t, sum, second), t.replace(below, new Map([[variable, second]])));
    const within = t.and(t.le(from, second), t.lt(second, to));
    return t.eq(term, t.add(t.sum(variable, from, to, below), t.ite(within, change, t.zero)));
  }
  return undefined;
}
