/** Words that are not functions and that can't be declared. */
export const reserved_words = "let forall exists match par as Int Real Bool String Array BitVec RegLan Seq".split(" ");

/** Functions and sorts that cvc5 has, but that Z3 lacks or leaves undecided. `divisible` is in the standard. */
const of_cvc5 =
  /^(set|bag|rel|table|tuple|nullable)\.|^(str\.(rev|update|to_lower|to_upper|indexof_re)|seq\.(rev|update|prefixof|suffixof|replace|replace_all)|divisible|exp|sin|cos|tan|csc|sec|cot|arcsin|arccos|arctan|arccsc|arcsec|arccot|sqrt|real\.pi|iand|piand|int\.(pow2|log2|ispow2)|Bag|Tuple|Relation|Table|Nullable)$/;

/** Suggests what to do if Z3 itself has a function or sort with this name. */
export function waysAroundOwn(name: string, what: string): readonly string[] {
  return [
    `rename yours, for example to my_${name}, here and wherever it is used`,
    `or remove the definition if you mean Z3's ${what}`,
  ];
}

/** Whether cvc5 has a function or sort with this name that Z3 lacks. */
export function isOfCvc5(name: string): boolean {
  return of_cvc5.test(name);
}
