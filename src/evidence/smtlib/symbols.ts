import type { Theory } from "../../engines/smt/dialect.ts";

/**
 * A sort on one line, without bars and abbreviations, such as `(_ BitVec 8)`; undefined if it could not be determined.
 */
export type Sort = string | undefined;

/** The sort of a term, given its symbol's indices and its arguments' sorts. */
type Result = Sort | ((sorts: readonly Sort[], indices: readonly (number | undefined)[]) => Sort);

/** A symbol of a theory. */
export interface BuiltIn {
  readonly result: Result;
  /** The symbol's theories; undefined if only Z3 has the symbol, or if its meaning differs in other solvers. */
  readonly theories: readonly Theory[] | undefined;
}

const first: Result = ([sort]) => sort;
const second: Result = ([, sort]) => sort;
const number: Result = (sorts) =>
  sorts.includes("Real") ? "Real" : sorts.length > 0 && sorts.every((sort) => sort === "Int") ? "Int" : undefined;
const branch: Result = ([, then, otherwise]) => (otherwise === "Real" ? otherwise : then);
const element: Result = ([sort]) => /^\(Seq (.*)\)$/.exec(sort ?? "")?.[1];
const range: Result = ([sort]) => /^\(Array (?:\w+|\([^()]*\)) (\w+|\([^()]*\))\)$/.exec(sort ?? "")?.[1];
const sequence: Result = ([sort]) => sort && `(Seq ${sort})`;

function bits(width: number | undefined): Sort {
  return width === undefined || Number.isNaN(width) ? undefined : `(_ BitVec ${width})`;
}

function float(exponent: number | undefined, significand: number | undefined): Sort {
  return exponent && significand ? `(_ FloatingPoint ${exponent} ${significand})` : undefined;
}

/** The width of a bit-vector sort. */
function widthOf(sort: Sort): number | undefined {
  const width = /^\(_ BitVec (\d+)\)$/.exec(sort ?? "")?.[1];
  return width === undefined ? undefined : Number(width);
}

/** The bits of a float sort's exponent and significand, the latter including the hidden bit. */
export function floatSize(sort: Sort): readonly [exponent: number, significand: number] | undefined {
  const [, exponent, significand] = /^\(_ FloatingPoint (\d+) (\d+)\)$/.exec(sort ?? "") ?? [];
  return significand === undefined ? undefined : [Number(exponent), Number(significand)];
}

/** The sum of the numbers; undefined if any of them is undefined. */
function sum(...numbers: readonly (number | undefined)[]): number | undefined {
  return numbers.reduce((all, each) => (all === undefined || each === undefined ? undefined : all + each), 0);
}

const of_index: Result = (_, [width]) => bits(width);
const of_indices: Result = (_, [exponent, significand]) => float(exponent, significand);

const mixed: readonly Theory[] = ["integers", "reals"];
const bit_vectors: readonly Theory[] = ["bit-vectors"];
const floats: readonly Theory[] = ["floating point"];
const strings: readonly Theory[] = ["strings", "integers"];
const sequences: readonly Theory[] = ["sequences", "integers"];

/**
 * Each row contains theories, the result's sort, and symbols. Symbols that follow `_` are listed separately from those
 * that a script can use alone.
 */
const rows: readonly (readonly [BuiltIn["theories"], Result, string, string?])[] = [
  [[], "Bool", "true false not and or xor => = distinct < <= > >="],
  [[], branch, "ite"],
  [[], number, "+ - * abs"],
  [["integers"], "Int", "div mod"],
  [["integers"], "Bool", "", "divisible"],
  [["reals"], "Real", "/"],
  [mixed, "Real", "to_real"],
  [mixed, "Int", "to_int"],
  [mixed, "Bool", "is_int"],
  [["arrays"], range, "select"],
  [["arrays"], first, "store", "const"],
  [
    bit_vectors,
    first,
    "bvnot bvneg bvand bvor bvnand bvnor bvxor bvxnor bvadd bvsub bvmul bvudiv bvurem bvsdiv bvsrem",
  ],
  [bit_vectors, first, "bvsmod bvshl bvlshr bvashr", "rotate_left rotate_right"],
  [bit_vectors, "Bool", "bvult bvule bvugt bvuge bvslt bvsle bvsgt bvsge bvnego bvuaddo bvsaddo bvumulo bvsmulo"],
  [bit_vectors, "(_ BitVec 1)", "bvcomp"],
  [bit_vectors, (sorts) => bits(sum(...sorts.map(widthOf))), "concat"],
  [bit_vectors, (_, [high = Number.NaN, low = Number.NaN]) => bits(high - low + 1), "", "extract"],
  [bit_vectors, ([sort], [more]) => bits(sum(widthOf(sort), more)), "", "zero_extend sign_extend"],
  [bit_vectors, ([sort], [count = Number.NaN]) => bits((widthOf(sort) ?? Number.NaN) * count), "", "repeat"],
  [["bit-vectors", "integers"], "Int", "bv2nat ubv_to_int sbv_to_int"],
  [["bit-vectors", "integers"], of_index, "", "int2bv int_to_bv"],
  [floats, "RoundingMode", "RNE RNA RTP RTN RTZ roundNearestTiesToEven roundNearestTiesToAway roundTowardPositive"],
  [floats, "RoundingMode", "roundTowardNegative roundTowardZero"],
  [floats, ([, one, two]) => float(widthOf(one), sum(widthOf(two), 1)), "fp"],
  [floats, first, "fp.abs fp.neg fp.rem fp.min fp.max"],
  [floats, second, "fp.add fp.sub fp.mul fp.div fp.fma fp.sqrt fp.roundToIntegral"],
  [floats, "Bool", "fp.leq fp.lt fp.geq fp.gt fp.eq fp.isNormal fp.isSubnormal fp.isZero fp.isInfinite fp.isNaN"],
  [floats, "Bool", "fp.isNegative fp.isPositive"],
  [floats, of_indices, "", "+oo -oo +zero -zero NaN to_fp to_fp_unsigned"],
  [floats, of_index, "", "fp.to_ubv fp.to_sbv"],
  [["floating point", "reals"], "Real", "fp.to_real"],
  [strings, "String", "str.++ str.at str.substr str.replace str.replace_all str.replace_re str.replace_re_all"],
  [strings, "String", "str.from_code str.from_int", "char"],
  [strings, "Int", "str.len str.indexof str.to_code str.to_int"],
  [strings, "Bool", "str.< str.<= str.prefixof str.suffixof str.contains str.is_digit str.in_re"],
  [strings, "RegLan", "str.to_re re.none re.all re.allchar re.++ re.union re.inter re.* re.+ re.opt re.range", "re.^"],
  [strings, "RegLan", "re.comp re.diff", "re.loop"],
  [sequences, sequence, "seq.unit"],
  [sequences, first, "seq.++ seq.extract seq.at"],
  [sequences, element, "seq.nth"],
  [sequences, "Int", "seq.len seq.indexof", "seq.empty"],
  [sequences, "Bool", "seq.contains"],
  [["datatypes"], "Bool", "", "is"],
  [["quantifiers"], "Bool", "", "forall exists"],
  [["datatypes"], undefined, "", "match"],
  [[], undefined, "", "let !"],
  [undefined, "Int", "rem bv2int seq.last_indexof"],
  [undefined, number, "^"],
  [
    undefined,
    "Bool",
    "implies iff seq.prefixof seq.suffixof bvusubo bvssubo bvsdivo",
    "at-most at-least pbeq pble pbge",
  ],
  [undefined, first, "seq.replace seq.replace_all update-field"],
];

const listed = (text: string) => text.split(" ").filter((symbol) => symbol !== "");

const built_in: ReadonlyMap<string, BuiltIn> = new Map(
  rows.flatMap(([theories, result, plain, indexed = ""]) =>
    [...listed(plain), ...listed(indexed)].map((symbol) => [symbol, { theories, result }] as const),
  ),
);

/** Standard functions that are written without an index. */
export const standard_functions: ReadonlySet<string> = new Set(
  rows.flatMap(([theories, , plain]) => (theories ? listed(plain) : [])),
);

/** The meaning of a name in SMT-LIB or Z3. */
export function builtIn(symbol: string): BuiltIn | undefined {
  return built_in.get(symbol) ?? (/^bv\d+$/.test(symbol) ? { theories: bit_vectors, result: of_index } : undefined);
}

/** The theories of sorts, by sort name. */
export const theories_of_sorts: ReadonlyMap<string, readonly Theory[]> = new Map<string, readonly Theory[]>([
  ["Bool", []],
  ["Int", ["integers"]],
  ["Real", ["reals"]],
  ["Array", ["arrays"]],
  ["BitVec", bit_vectors],
  ["FloatingPoint", floats],
  ...["RoundingMode", "Float16", "Float32", "Float64", "Float128"].map((name) => [name, floats] as const),
  ["String", strings],
  ["RegLan", strings],
  ["Seq", sequences],
]);
