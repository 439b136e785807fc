/** Evaluates terms for given values of their symbols, with exact integers and doubles. */
import type { Concrete, Held } from "./concrete.ts";
import { type BinderOp, floorDiv, isBinder, type RowOp, type Term } from "./term.ts";
import {
  text_codes_name,
  text_count_name,
  text_key_name,
  text_length_name,
  text_place_name,
  textCodes,
  textCount,
  textKey,
  textLength,
  textPlace,
} from "./text_keys.ts";
import { anyResult, isUnmodelled } from "./unmodelled.ts";
import { isWeight, weightOf } from "./weights.ts";

export type { Concrete, Held } from "./concrete.ts";

export type Values = Map<Term, Concrete>;

/** Raised when a term has no value, for example because it contains an unknown function or a symbol without a value. */
export class Valueless extends Error {
  override readonly name = "Valueless";
}

/** Returns a function that evaluates terms for these values of the symbols, and caches the results. */
export function evaluator(values: ReadonlyMap<Term, Concrete>): (term: Term) => Concrete {
  const known = new Map<Term, Concrete>(values);
  return (root) => {
    // Only terms without a cached value are visited: a thousand small terms share most of their parts.
    const pending = [root];
    for (let term = pending.at(-1); term; term = pending.at(-1)) {
      const parts = isBinder(term.op) ? term.args.slice(0, 2) : term.args;
      const missing = known.has(term) ? [] : parts.filter((arg) => !known.has(arg));
      pending.push(...missing);
      if (missing.length > 0) continue;
      if (!known.has(term))
        known.set(term, isBinder(term.op) ? overRange(term, term.op, known, values) : compute(term, known));
      pending.pop();
    }
    const value = known.get(root);
    if (value === undefined) throw new Valueless(root.name ?? root.op);
    return value;
  };
}

function compute(term: Term, known: ReadonlyMap<Term, Concrete>): Concrete {
  if (term.value !== undefined) return term.value;
  const args = term.args.map((arg) => {
    const value = known.get(arg);
    if (value === undefined) throw new Valueless(arg.name ?? arg.op);
    return value;
  });
  const [a, b, c] = args;
  switch (term.op) {
    case "not":
      return !a;
    case "and":
      return args.every(Boolean);
    case "or":
      return args.some(Boolean);
    case "ite":
      return a ? present(b) : present(c);
    case "=":
      return same(present(a), present(b));
    case "select":
      return itemAt(present(a), whole(b));
    case "store":
      return store(present(a), whole(b), present(c));
    case "fill":
      return { items: new Map(), rest: present(a) };
    case "+":
      return args.map(whole).reduce((x, y) => x + y);
    case "*":
      return args.map(whole).reduce((x, y) => ofSomeSize(x * y));
    case "<=":
      return whole(a) <= whole(b);
    case "floordiv":
      return whole(b) === 0n ? 0n : floorDiv(whole(a), whole(b));
    case "mod":
      return whole(b) === 0n ? 0n : whole(a) - whole(b) * floorDiv(whole(a), whole(b));
    case "first difference":
    case "joined":
    case "sorted":
      return onRows(term.op, args);
    case "apply":
      if (isWeight(term)) return weightOf(whole(a));
      if (term.name === text_key_name) return textKey(codesOf(args));
      if (term.name === text_length_name) return textLength(whole(a));
      if (term.name === text_codes_name) return textCodes(whole(a));
      if (term.name === text_count_name) return textCount(rowItems(args, 0), rowItems(args, 4));
      if (term.name === text_place_name) return textPlace(rowItems(args, 0), rowItems(args, 4));
      if (isUnmodelled(term)) return anyResult(term, args.map(present));
      throw new Valueless(term.name ?? term.op);
    case "literal":
    case "symbol":
    case "bound":
    case "forall":
    case "sum":
      throw new Valueless(term.name ?? term.op);
    default:
      return onFloats(term.op, double(a), b === undefined ? 0 : double(b));
  }
}

/**
 * Integers further from 0 than this count as having no value: otherwise, a loop that squares a number might never
 * finish.
 */
const integer_max = 1n << 4_000n;

function ofSomeSize(value: bigint): bigint {
  if (value > integer_max || value < -integer_max) throw new Valueless("an integer of this size");
  return value;
}

/** Terms over a range with more places than this count as having no value. */
const places_max = 300n;

function overRange(
  { args: [from, to, body], name }: Term,
  op: BinderOp,
  known: ReadonlyMap<Term, Concrete>,
  values: ReadonlyMap<Term, Concrete>,
): Concrete {
  const [first, end] = [from, to].map((each) => whole(each && known.get(each)));
  if (first === undefined || end === undefined || !body) throw new Valueless("no range");
  if (end - first > places_max) throw new Valueless("a range of this length");
  const variable = body.open.find((each) => each.name === name);
  let sum = 0n;
  for (let at = first; at < end; at++) {
    const value = evaluator(variable ? new Map([...values, [variable, at]]) : values)(body);
    if (op === "sum") sum += whole(value);
    else if (value !== true) return false;
  }
  return op === "sum" ? sum : true;
}

/** Terms about a row with more items than this count as having no value. */
const row_items_max = 10_000n;

/** Returns the items of the row that is described by four arguments, starting with the argument at this index. */
function rowItems(args: readonly (Concrete | undefined)[], at: number): Concrete[] {
  const [array, start, backwards, length] = args.slice(at, at + 4);
  const [first, count] = [whole(start), whole(length)];
  if (count > row_items_max) throw new Valueless("a row of this length");
  return Array.from({ length: Math.max(0, Number(count)) }, (_, i) =>
    itemAt(present(array), backwards ? first - BigInt(i) : first + BigInt(i)),
  );
}

function codesOf([length, codes]: readonly (Concrete | undefined)[]): bigint[] {
  return rowItems([codes, 0n, false, length], 0).map(whole);
}

function onRows(op: RowOp, args: readonly (Concrete | undefined)[]): Concrete {
  const a = rowItems(args, 0);
  if (op === "sorted") {
    const ordered = a.map(whole).sort((x, y) => (x < y ? -1 : x > y ? 1 : 0));
    return held(ordered, 0n);
  }
  const b = rowItems(args, 4);
  if (op === "joined") return held([...a, ...b], present(args[8]));
  const shorter = Math.min(a.length, b.length);
  const at = a.findIndex((item, i) => i >= shorter || !same(item, present(b[i])));
  return BigInt(at < 0 ? shorter : at);
}

function held(items: readonly Concrete[], rest: Concrete): Held {
  return { items: new Map(items.map((item, i): [bigint, Concrete] => [BigInt(i), item])), rest };
}

function onFloats(op: string, a: number, b: number): Concrete {
  switch (op) {
    case "fp.add":
      return a + b;
    case "fp.sub":
      return a - b;
    case "fp.mul":
      return a * b;
    case "fp.div":
      return a / b;
    case "fp.sqrt":
      return Math.sqrt(a);
    case "fp.neg":
      return -a;
    case "fp.abs":
      return Math.abs(a);
    case "fp.eq":
      return a === b;
    case "fp.lt":
      return a < b;
    case "fp.leq":
      return a <= b;
    case "fp.isNaN":
      return Number.isNaN(a);
    case "fp.isInfinite":
      return Math.abs(a) === Number.POSITIVE_INFINITY;
    case "fp.isZero":
      return a === 0;
    default:
      throw new Valueless(op);
  }
}

function present(value: Concrete | undefined): Concrete {
  if (value === undefined) throw new Valueless("nothing");
  return value;
}

function whole(value: Concrete | undefined): bigint {
  if (typeof value === "bigint") return value;
  throw new Valueless("no whole number");
}

function double(value: Concrete | undefined): number {
  if (typeof value === "number") return value;
  throw new Valueless("no float");
}

export function itemAt(array: Concrete, index: bigint): Concrete {
  if (typeof array !== "object") throw new Valueless("no array");
  return array.items.get(index) ?? array.rest;
}

function store(array: Concrete, index: bigint, item: Concrete): Concrete {
  if (typeof array !== "object") throw new Valueless("no array");
  return { items: new Map(array.items).set(index, item), rest: array.rest };
}

/** Whether two values are identical. NaN is identical to itself, but 0.0 and -0.0 are not identical. */
export function same(a: Concrete, b: Concrete): boolean {
  if (typeof a !== "object" || typeof b !== "object") return Object.is(a, b);
  const indices = new Set([...a.items.keys(), ...b.items.keys()]);
  return same(a.rest, b.rest) && [...indices].every((index) => same(itemAt(a, index), itemAt(b, index)));
}

/**
 * Reads a value that Z3 has written: `7`, `(- 7)`, `true`, `(fp #b0 …)`, `(_ NaN 11 53)`. Returns undefined for an
 * array.
 */
export function readValue(text: string): Concrete | undefined {
  if (/^\d+$/.test(text)) return BigInt(text);
  const [, negative] = /^\(- (\d+)\)$/.exec(text) ?? [];
  if (negative !== undefined) return -BigInt(negative);
  if (text === "true" || text === "false") return text === "true";
  const [, special] = /^\(_ (NaN|\+oo|-oo|\+zero|-zero) 11 53\)$/.exec(text) ?? [];
  if (special !== undefined) return special_floats[special];
  const [, sign, exponent, digits] = /^\(fp #b([01]) #b([01]{11}) #x([\da-f]{13})\)$/.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const high = Number.parseInt(`${sign}${exponent}`, 2).toString(16).padStart(3, "0");
  return floatOfBits(`${high}${digits}`);
}

const special_floats: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  "+oo": Number.POSITIVE_INFINITY,
  "-oo": Number.NEGATIVE_INFINITY,
  "+zero": 0,
  "-zero": -0,
};

/** Returns the double with these bits, given in hexadecimal. */
export function floatOfBits(bits: string): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(`0x${bits}`));
  return view.getFloat64(0);
}
