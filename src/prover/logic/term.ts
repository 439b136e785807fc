/** What terms of the logic are, and what can be read off them. They are built in terms.ts. */

/** A sort; `text` is its name in SMT-LIB and distinguishes sorts. */
export interface Sort {
  readonly text: string;
  /** The sort of the elements, for arrays, whose indices are integers. */
  readonly item: Sort | undefined;
}

export const INT: Sort = { text: "Int", item: undefined };
export const BOOL: Sort = { text: "Bool", item: undefined };
export const FLOAT: Sort = { text: "(_ FloatingPoint 11 53)", item: undefined };

/** Values of Python of which nothing is known but that equal terms are the same value. */
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
 * Functions of items in a row: solvers get each as a constant with its definition (definitions.ts). Sequence theory is
 * not used: its characters stop at 0x2FFFF.
 */
export type RowOp = "first difference" | "joined" | "sorted";

/**
 * Terms over a range of integers, with a variable of their own, which has a name: whether the last argument is true at
 * each place from the first argument up to before the second, and the sum of its values at these places.
 */
export type BinderOp = "forall" | "sum";

/** Operations on floats, by their names in SMT-LIB. */
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
  /** Of a literal. */
  readonly value?: bigint | boolean | number;
  /** Of a symbol, an applied function, a bound variable, or the variable that a term binds. */
  readonly name?: string;
  /** The bound variables in it that it does not bind itself. */
  readonly open: readonly Term[];
}

/** Items in a row: from an index of an array on, upwards or downwards. */
export interface Row {
  readonly array: Term;
  readonly start: Term;
  readonly backwards: boolean;
  readonly length: Term;
}

/** The row that the first four of these terms describe. */
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

/** The bits of a double in hexadecimal; all NaNs are one. */
export function bitsOf(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Number.isNaN(value) ? Number.NaN : value);
  return view.getBigUint64(0).toString(16).padStart(16, "0");
}

/** All subterms of these, each once, arguments before the terms that contain them; without recursion. */
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

/** The symbols in these terms. */
export function symbolsIn(roots: readonly Term[]): Set<Term> {
  return new Set(inOrder(roots).filter((term) => term.op === "symbol"));
}
