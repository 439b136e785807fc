/** The correct forms of commands and terms that are often written wrongly. */
const usage: Readonly<Record<string, string>> = {
  "declare-const": "(declare-const x Int)",
  "declare-fun": "(declare-fun f (Int Int) Bool), with () for no arguments",
  "declare-sort": "(declare-sort S 0)",
  "declare-datatypes": "(declare-datatypes ((Pair 0)) (((pair (first Int) (second Int)))))",
  "declare-datatype": "(declare-datatype Pair ((pair (first Int) (second Int))))",
  "define-fun": "(define-fun f ((x Int) (y Int)) Int (+ x y))",
  "define-const": "(define-const c Int 5)",
  assert: "(assert (> x 0)), with one formula; join several with (and …)",
  "assert-soft": "(assert-soft (> x 0) :weight 2 :id wish)",
  "get-value": "(get-value (x y)), with a list of terms",
  "check-sat-assuming": "(check-sat-assuming (p (not q)))",
  push: "(push) or (push 1)",
  pop: "(pop) or (pop 1)",
  "set-option": "(set-option :name value)",
  "set-info": "(set-info :name value)",
  forall: "(forall ((x Int) (y Int)) (> x y))",
  exists: "(exists ((x Int)) (> x 0))",
  let: "(let ((a 1) (b 2)) (+ a b)); a binding can't use the others of the same let: nest two lets",
  ite: "(ite condition a b), with a Bool and two terms of one sort",
  not: "(not a), with one formula",
  Array: "(Array Int Int), with the sorts of the indices and of the values",
};

/** Returns the correct form of a command or term with this name; undefined if it needs no explanation. */
export function usageOf(head: string): string | undefined {
  return Object.hasOwn(usage, head) ? usage[head] : undefined;
}

const indexed: Readonly<Record<string, string>> = {
  extract: "((_ extract 3 0) v) for the bits 3 to 0",
  zero_extend: "((_ zero_extend 8) v)",
  sign_extend: "((_ sign_extend 8) v)",
  rotate_left: "((_ rotate_left 1) v)",
  rotate_right: "((_ rotate_right 1) v)",
  repeat: "((_ repeat 2) v)",
  int2bv: "((_ int2bv 8) x)",
  int_to_bv: "((_ int_to_bv 8) x)",
  "at-most": "((_ at-most 1) a b c)",
  "at-least": "((_ at-least 1) a b c)",
  pbeq: "((_ pbeq 2 1 1 1) a b c): the sum first, then a weight for each",
  pble: "((_ pble 2 1 1 1) a b c): the sum first, then a weight for each",
  pbge: "((_ pbge 2 1 1 1) a b c): the sum first, then a weight for each",
};

/** Returns how to apply a function with indices; undefined for a function without indices. */
export function indexedUsageOf(name: string): string | undefined {
  return Object.hasOwn(indexed, name) ? indexed[name] : undefined;
}

/** How SMT-LIB writes commands that language models take from other languages. */
const aliases: Readonly<Record<string, string>> = {
  check: "(check-sat)",
  sat: "(check-sat)",
  solve: "(check-sat)",
  declare: "(declare-const x Int), or (declare-fun f (Int) Int)",
  "declare-variable": "(declare-const x Int)",
  const: "(declare-const x Int)",
  var: "(declare-const x Int)",
  define: "(define-fun f ((x Int)) Int (+ x 1))",
  defun: "(define-fun f ((x Int)) Int (+ x 1))",
  constraint: "(assert …)",
  require: "(assert …)",
  print: '(echo "text") or (eval term)',
  maximise: "(maximize term)",
  minimise: "(minimize term)",
};

/** Returns how to write a command that another language has under this name. */
export function aliasOf(head: string): string | undefined {
  return Object.hasOwn(aliases, head.toLowerCase()) ? aliases[head.toLowerCase()] : undefined;
}
