/** The terms of the logic, and functions that inspect them. terms.ts builds them. */

/** A sort. `text` is its name in SMT-LIB, and identifies the sort. */
export interface Sort {
  readonly text: string;
  /** The sort of an array's elements; undefined for other sorts. Array indices are integers. */
  readonly item: Sort | undefined;
}

export const INT: Sort = { text: "Int", item: undefined };
export const BOOL: Sort = { text: "Bool", item: undefined };
export const FLOAT: Sort = { text: "(_ FloatingPoint 11 53)", item: undefined };

/** The sort of Python values about which nothing is known, except that equal terms are the same value. */
export const VALUE: Sort = { text: "PyValue", item: undefined };

export function arrayOf(item: Sort): Sort {
  return { text: `(Array Int ${item.text})`, item };
}

export type Op =
  | "literal"
  | "symbol"
  | "apply"
  | "not"
  | "and"
  | "or"
  | "="
  | "ite"
  | "+"
  | "*"
  | "floordiv"
  | "mod"
  | "<="
  | "select"
  | "store"
  | "fill"
  | "bound"
  | BinderOp
  | RowOp
  | FloatOp;

/**
 * Functions of rows of items. For solvers, each is a constant with its definition (definitions.ts). Sequence theory is
 * not used, because its characters end at 0x2FFFF.
 */
export type RowOp = "first difference" | "joined" | "sorted";

/**
 * Terms that bind a named variable over a range of integers, from the first argument up to but excluding the second.
 * `forall` says whether the last argument is true at each place in the range; `sum` is the sum of its values there.
 */
export type BinderOp = "forall" | "sum";

/** Operations on floats, with their SMT-LIB names. */
export type FloatOp =
  | "fp.add"
  | "fp.sub"
  | "fp.mul"
  | "fp.div"
  | "fp.sqrt"
  | "fp.neg"
  | "fp.abs"
  | "fp.eq"
  | "fp.lt"
  | "fp.leq"
  | "fp.isNaN"
  | "fp.isInfinite"
  | "fp.isZero";

export interface Term {
  readonly id: number;
  readonly op: Op;
  readonly args: readonly Term[];
  readonly sort: Sort;
  /** The value of a literal. */
  readonly value?: bigint | boolean | number;
  /** The name of a symbol, an applied function or a bound variable, or of the variable that a term binds. */
  readonly name?: string;
  /** The bound variables in the term that the term does not bind itself. */
  readonly open: readonly Term[];
}

/** A row of items: part of an array that starts at an index and runs upwards or downwards. */
export interface Row {
  readonly array: Term;
  readonly start: Term;
  readonly backwards: boolean;
  readonly length: Term;
}

/** Returns the row that the first four of these terms describe. */
export function rowOf([array, start, backwards, length]: readonly Term[]): Row {
  if (!array || !start || !backwards || !length) throw new Error("a row has four parts");
  return { array, start, backwards: backwards.value === true, length };
}

export function isOfRows(op: Op): op is RowOp {
  return op === "first difference" || op === "joined" || op === "sorted";
}

export function isBinder(op: Op): op is BinderOp {
  return op === "forall" || op === "sum";
}

export function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

/** Returns the bits of a double in hexadecimal. All NaNs have the same bits. */
export function bitsOf(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Number.isNaN(value) ? Number.NaN : value);
  return view.getBigUint64(0).toString(16).padStart(16, "0");
}

/**
 * Returns all subterms of these terms, each once, with arguments before the terms that contain them. Does not recurse.
 */
export function inOrder(roots: readonly Term[]): Term[] {
  const done = new Set<Term>();
  const pending = [...roots];
  for (let term = pending.at(-1); term; term = pending.at(-1)) {
    const missing = done.has(term) ? [] : term.args.filter((arg) => !done.has(arg));
    if (missing.length === 0) {
      done.add(term);
      pending.pop();
    } else pending.push(...missing);
  }
  return [...done];
}

/** Returns the symbols in these terms. */
export function symbolsIn(roots: readonly Term[]): Set<Term> {
  return new Set(inOrder(roots).filter((term) => term.op === "symbol"));
}
