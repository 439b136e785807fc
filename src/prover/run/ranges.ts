/**
 * Expresses conditions and sums over all items of an iterable as formulas with a bound variable. Only a run with given
 * invariants uses them. Exceptions are obligations there, so a formula need not express which item raises first.
 */

import { INT, inOrder, isOfRows, type Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import { text_count_name, text_place_name } from "../logic/text_keys.ts";
import { always, bool, int, type Plain, rawItem, type Sequence, type Value } from "../logic/values.ts";
import { weight_name } from "../logic/weights.ts";
import { Unsupported } from "../python/refusal.ts";
import type { Call, Expression } from "../python/tree.ts";
import { iterationOver } from "./builtins/iterables.ts";
import { inScope } from "./comprehensions.ts";
import { type Iteration, overSequence } from "./iteration.ts";
import type { Machine } from "./machine.ts";
import { equals } from "./operators/comparison.ts";
import { asInt, truth } from "./operators/conversions.ts";
import { sequenceOf, written_repeats_max } from "./operators/lists.ts";
import type { State } from "./parts.ts";
import { codeOf, placesFor, rowsOf, standsAt } from "./sequences.ts";

/** Returns a formula over the items of an iteration. `body` returns the formula for one item. */
export function overItems(
  m: Machine,
  state: State,
  iteration: Iteration,
  how: "forAll" | "exists" | "sum",
  body: (state: State, item: Plain) => Term,
  line: number,
): Term {
  const { t } = m;
  m.step(line);
  const { from, to, at } = iteration.span ?? { from: t.zero, to: iteration.count, at: iteration.at };
  const place = t.bound(`k${m.binders}`);
  const own: State = { live: t.and(state.live, t.le(from, place), t.lt(place, to)), variables: state.variables };
  const [facts, obligations] = [m.facts.length, m.obligations.length];
  m.binders++;
  // This fact is needed mainly because a non-negative index does not count from the end.
  if (m.isNotNegative(from)) m.facts.push(t.le(t.zero, place));
  const item = at(place);
  // A list without a type of its items is empty.
  const value = item.kind === "unbound" ? t[how === "forAll" ? "yes" : how === "sum" ? "zero" : "no"] : body(own, item);
  m.binders--;
  const rest = m.facts.splice(facts).filter(({ open }) => !open.includes(place));
  m.facts.push(...rest);
  for (const each of m.obligations.splice(obligations))
    m.obligations.push({ ...each, when: t.exists(place, from, to, each.when) });
  if (inOrder([value]).some(({ op, open }) => open.length > 0 && isOfRows(op)))
    throw new Unsupported("orders of lists within a condition over a range", line);
  return t[how](place, from, to, value);
}

/** Returns a formula over all values of a comprehension. */
function overValues(
  m: Machine,
  state: State,
  node: Expression,
  iteration: Iteration | undefined,
  how: "forAll" | "exists" | "sum",
  each: (state: State, value: Value) => Term,
): Term {
  const { t } = m;
  if (node.is !== "GeneratorExp") {
    const items = iteration ?? iterationOver(m, state, node, { in_any_order: true });
    return overItems(m, state, items, how, (own, item) => each(own, always(t, item)), node.line);
  }
  const neutral = how === "sum" ? t.zero : t.bool(how === "forAll");
  const inAnyOrder = (own: State, over: Expression) => iterationOver(m, own, over, { in_any_order: true });
  return inScope(m, state, node, inAnyOrder, (first) => {
    const level = (own: State, depth: number): Term => {
      const generator = node.generators[depth];
      if (!generator) return each(own, m.evaluate(own, node.elt));
      const items = depth === 0 ? first : inAnyOrder(own, generator.iter);
      return overItems(
        m,
        own,
        items,
        how,
        (inner, item) => {
          const variables = new Map(inner.variables);
          const bound = { ...inner, variables };
          m.assign(bound, generator.target, always(t, item));
          return filtered(bound, generator.ifs, depth);
        },
        node.line,
      );
    };
    const filtered = (own: State, tests: readonly Expression[], depth: number): Term => {
      const [test, ...rest] = tests;
      if (!test) return level(own, depth + 1);
      const passes = m.test(own, test);
      const then = { live: t.and(own.live, passes), variables: own.variables };
      return then.live === t.no ? neutral : t.ite(passes, filtered(then, rest, depth), neutral);
    };
    return level(state, 0);
  });
}

/** Executes `all` or `any`. */
export function allOf(m: Machine, state: State, items: Expression, is_any: boolean, line: number): Value {
  const how = is_any ? "exists" : "forAll";
  return always(m.t, bool(overValues(m, state, items, undefined, how, (_, value) => truth(m, value, line))));
}

/** Executes `sum` of integers, from a start value. */
export function sumOf(
  m: Machine,
  state: State,
  items: Expression,
  iteration: Iteration | undefined,
  start: Value,
  line: number,
): Value {
  const { t } = m;
  const total = overValues(m, state, items, iteration, "sum", (_, value) => wholeNumber(m, value, line));
  return always(t, int(t.add(wholeNumber(m, start, line), total)));
}

function wholeNumber(m: Machine, value: Value, line: number): Term {
  const [only, second] = value;
  const number = only && !second ? asInt(m.t, only.plain) : undefined;
  if (number?.sort !== INT) throw new Unsupported("sum of items that are not whole numbers", line);
  return number;
}

/** Whether a list contains a value. */
export function isAmong(m: Machine, state: State, plain: Plain, of: Sequence, line: number): Term {
  return overItems(m, state, overSequence(m, of), "exists", (_, item) => isItem(m, item, plain, line), line);
}

/** Whether a value is in a view of a dict. */
export function isAmongValues(m: Machine, state: State, value: Value, view: Expression, line: number): Term {
  const [only, ...others] = value;
  const items = iterationOver(m, state, view, { in_any_order: true });
  if (!m.plan.by_invariants || !only || others.length > 0)
    throw new Unsupported("`in` the values or items of a dict", line);
  return overItems(m, state, items, "exists", (_, item) => isItem(m, item, only.plain, line), line);
}

/**
 * Whether a text occurs in another, before a given position if there is one. A single character is searched for among
 * the characters, which a solver handles best. Used only in a run with given invariants, unless both texts are short.
 */
export function occursIn(m: Machine, state: State, part: Sequence, of: Sequence, line: number, before?: Term): Term {
  const { t } = m;
  const isHere = (item: Plain) => isItem(m, item, { kind: "sequence", sequence: part }, line);
  const own = before ? { ...of, length: before } : of;
  const characters = overSequence(m, own);
  if (part.length === t.one && isShort(own.length))
    return t.or(...Array.from({ length: Number(own.length.value) }, (_, i) => isHere(characters.at(t.int(BigInt(i))))));
  const among = overItems(m, state, characters, "exists", (_, item) => isHere(item), line);
  if (part.length === t.one) return among;
  const places = { count: before ?? placesFor(m, part, of), at: int };
  const here = (at: Plain) => (at.kind === "int" ? standsAt(m, part, of, at.term) : t.no);
  const somewhere = overItems(m, state, places, "exists", (_, at) => here(at), line);
  return t.ite(t.eq(part.length, t.one), among, somewhere);
}

/** `of.find(part)`, as an unknown number, with the facts known about it. */
export function placeIn(m: Machine, state: State, part: Sequence, of: Sequence, line: number): Term {
  const { t } = m;
  const place = t.apply(text_place_name, termsOf(t, [part, of]), INT);
  const first = t.and(standsAt(m, part, of, place), t.not(occursIn(m, state, part, of, line, place)));
  const is_place = t.and(t.le(t.zero, place), t.le(t.add(place, part.length), of.length), first);
  m.facts.push(t.ite(occursIn(m, state, part, of, line), is_place, t.eq(place, t.int(-1n))));
  return place;
}

/**
 * What is known about `separator.join(texts)`: its length, and its characters if each text is a single character and
 * the separator is empty.
 */
export function assumeJoined(m: Machine, state: State, separator: Sequence, texts: Sequence, joined: Sequence): void {
  const { t } = m;
  const over = (how: "forAll" | "sum", of: (item: Sequence) => Term) =>
    overItems(m, state, overSequence(m, texts), how, (_, item) => of(sequenceOf(item) ?? joined), 0);
  const gaps = t.ite(t.lt(t.zero, texts.length), t.sub(texts.length, t.one), t.zero);
  const total = t.add(
    over("sum", ({ length }) => length),
    t.mul(gaps, separator.length),
  );
  m.facts.push(t.eq(joined.length, total));
  if (separator.length !== t.zero) return;
  const are_characters = over("forAll", ({ length }) => t.eq(length, t.one));
  const place = t.bound(`k${m.binders}`);
  const [item, own] = [texts, joined].map((each) => rawItem(t, each, place));
  const code = item && sequenceOf(item);
  const same = code && own ? equals(m, rawItem(t, code, t.zero), own, 0) : t.yes;
  const agree = t.forAll(place, t.zero, texts.length, same);
  m.facts.push(t.implies(are_characters, t.and(t.eq(joined.length, texts.length), agree)));
}

/** The terms that a function of texts is applied to. */
function termsOf(t: Terms, texts: readonly Sequence[]): Term[] {
  return texts.flatMap(rowsOf).flatMap((row) => [row.array, row.start, t.bool(row.backwards), row.length]);
}

/** Whether the items of a list of this length are written out. */
export function isShort({ value }: Term): boolean {
  return typeof value === "bigint" && value <= written_repeats_max;
}

/**
 * How often a text occurs in another without overlaps: a sum for a single character, otherwise a number about which
 * little is known.
 */
export function occurrencesOf(m: Machine, state: State, part: Sequence, of: Sequence, line: number): Term {
  const { t } = m;
  const characters = countOf(m, state, { kind: "sequence", sequence: part }, of, line);
  if (part.length === t.one) return characters;
  const others = t.apply(text_count_name, termsOf(t, [part, of]), INT);
  m.facts.push(t.le(t.zero, others), t.le(others, t.add(of.length, t.one)));
  return t.ite(t.eq(part.length, t.one), characters, others);
}

/** Returns how many items of a list are equal to a value. */
export function countOf(m: Machine, state: State, plain: Plain, of: Sequence, line: number): Term {
  const { t } = m;
  const one = (_: State, item: Plain) => t.ite(isItem(m, item, plain, line), t.one, t.zero);
  return overItems(m, state, overSequence(m, of), "sum", one, line);
}

function isItem(m: Machine, item: Plain, plain: Plain, line: number): Term {
  if (item.kind === "float" || plain.kind === "float") throw new Unsupported("a search for floats in a list", line);
  return equals(m, item, plain, line);
}

/**
 * Expresses `sorted(a) == sorted(b)`. If both lists contain the same items equally often, any function has the same sum
 * over both. Conversely, if all functions have the same sum, a function that is 1 for one item and 0 for all others
 * shows that this item occurs equally often. The function is unknown, and the integers can be extended by infinite
 * numbers, among which its values can be unrelated. So the solver may also use an inequality of the lists as an
 * inequality of the sums.
 */
export function samePermutation(m: Machine, state: State, a: Expression, b: Expression): Term | undefined {
  const { t } = m;
  const [x, y] = [a, b].map((each) => sortedList(m, each));
  if (!x || !y) return undefined;
  const [left, right] = [x, y]
    .map((each) => m.evaluate(state, each))
    .map((value) => {
      const [only, second] = value;
      return only && !second ? sequenceOf(only.plain) : undefined;
    });
  if (!left || left.type.kind !== right?.type.kind) throw new Unsupported("sorted of this value", a.line);
  const sum = (sequence: Sequence) =>
    overItems(
      m,
      state,
      overSequence(m, sequence),
      "sum",
      (_, item) => t.apply(weight_name, [codeOf(t, item) ?? wholeNumber(m, always(t, item), a.line)], INT),
      a.line,
    );
  return t.and(t.eq(left.length, right.length), t.eq(sum(left), sum(right)));
}

function sortedList(m: Machine, node: Expression): Call["args"][number] | undefined {
  if (node.is !== "Call" || node.func.is !== "Name" || node.func.id !== "sorted" || !m.isBuiltin("sorted"))
    return undefined;
  const [list, ...more] = node.args;
  const is_lazy = list?.is === "GeneratorExp" || list?.is === "Call";
  return more.length === 0 && node.keywords.length === 0 && !is_lazy ? list : undefined;
}
