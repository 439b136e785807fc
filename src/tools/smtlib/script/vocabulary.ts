/** The functions of the theories of SMT-LIB 2.7, as far as scripts use them. */
const words = `true false not and or xor => = distinct ite
  + - * / div mod abs to_real to_int is_int < <= > >= select store
  bvadd bvsub bvmul bvudiv bvurem bvsdiv bvsrem bvsmod bvand bvor bvxor bvnot bvneg bvnand bvnor bvxnor bvcomp
  bvshl bvlshr bvashr bvult bvule bvugt bvuge bvslt bvsle bvsgt bvsge concat extract zero_extend sign_extend
  str.++ str.len str.< str.<= str.at str.substr str.prefixof str.suffixof str.contains str.indexof str.replace
  str.replace_all str.is_digit str.to_code str.from_code str.to_int str.from_int str.in_re str.to_re
  re.none re.all re.allchar re.* re.+ re.++ re.opt re.union re.inter re.comp re.diff re.range
  seq.len seq.unit seq.++ seq.nth seq.empty seq.at seq.extract seq.contains
  fp fp.add fp.sub fp.mul fp.div fp.fma fp.sqrt fp.rem fp.abs fp.neg fp.min fp.max fp.eq fp.lt fp.leq fp.gt fp.geq`;

export const standard_functions: ReadonlySet<string> = new Set(words.split(/\s+/));

/** Words that are not functions, and can't be declared. */
export const reserved_words = "let forall exists match par as Int Real Bool String Array BitVec RegLan Seq".split(" ");

/** Functions and sorts that cvc5 has, and Z3 does not have or only leaves undecided. `divisible` is in the standard. */
const of_cvc5 =
  /^(set|bag|rel|table|tuple|nullable)\.|^(str\.(rev|update|to_lower|to_upper|indexof_re)|seq\.(rev|update|prefixof|suffixof|replace|replace_all)|divisible|exp|sin|cos|tan|csc|sec|cot|arcsin|arccos|arctan|arccsc|arcsec|arccot|sqrt|real\.pi|iand|piand|int\.(pow2|log2|ispow2)|Bag|Tuple|Relation|Table|Nullable)$/;

/**
 * Functions of numbers that Z3 5.4 has beyond the standard, as a pattern. It uses them in place of a script's own functions
 * of these names, without an error.
 */
export const approximated_functions = "a?(?:sin|cos|tan)h?|a(?:rc)?tan2|exp|ln|log";

/** What to do where Z3 has a function or sort of this name itself. */
export function waysAroundOwn(name: string, what: string): readonly string[] {
  return [
    `rename yours, for instance to my_${name}, here and wherever it is used`,
    `or leave the definition out if you mean Z3's ${what}`,
  ];
}

/** Whether cvc5 has a function or sort of this name that Z3 lacks. */
export function isOfCvc5(name: string): boolean {
  return of_cvc5.test(name);
}
