import type { Hint } from "../hints.ts";

const logic =
  "a constraint has no truth value in Python: use And(…), Or(…), Not(…), If(c, a, b) instead of and, or, not, if";
const bits =
  "bit operations need a BitVec: declare x = BitVec('x', 8), or convert an Int with Int2BV(x, 8) and back with BV2Int";

/** Hints for common mistakes in programs that use Z3. */
export const hints: readonly Hint[] = [
  {
    type: /Z3Exception/,
    message: /Symbolic expressions cannot be cast/,
    steps: [
      logic,
      "write And(0 <= x, x < 9) instead of 0 <= x < 9",
      "write If(a > b, a, b) instead of max(a, b), and assert an order instead of sorting",
    ],
  },
  {
    type: /Z3Exception/,
    message: /sort mismatch|are incompatible|Sorts .* and .* are/i,
    steps: [
      "both sides need the same sort: convert with ToReal, ToInt, Int2BV, BV2Int, or ZeroExt/SignExt of bit-vectors",
    ],
  },
  {
    type: /Z3Exception/,
    message: /model is not available/,
    steps: ["ask for model() only after check() answered sat: if s.check() == sat: m = s.model()"],
  },
  {
    type: /Z3Exception/,
    message: /Z3 AST expected/,
    steps: ["apply a function before it is compared: f(x) == 3 instead of f == 3"],
  },
  {
    type: /Z3Exception/,
    message: /Z3 expression expected/,
    steps: [
      "write a string argument or index as StringVal('a')",
      "an argument must be an expression, not a list or None",
    ],
  },
  {
    type: /Z3Exception/,
    message: /True, False or Z3 Boolean expression expected|cannot be converted into a Z3 Boolean/,
    steps: [
      "a constraint is Boolean: write p or Not(p) instead of 1 or 0, and x != 0 instead of x",
      "lists of constraints can't be nested: s.add([a, b]), not s.add([[a], [b]])",
    ],
  },
  {
    type: /Z3Exception/,
    message: /parser error|invalid rational/,
    steps: ["a string is read as a number here: write RealVal('1/3'), or StringVal('a') beside String('s')"],
  },
  {
    type: /Z3Exception/,
    message: /named assertion defined twice/,
    steps: ["give each assert_and_track a unique name"],
  },
  {
    type: /Z3Exception/,
    message: /Invalid bounds|First argument must be greater/,
    steps: ["Extract(high, low, x) names the high bit first"],
  },
  {
    type: /TypeError/,
    message: /not supported between instances of 'list'|unsupported operand type\(s\) for \S+ 'list' and/,
    steps: [
      "name one element, such as xs[0], or write x = Int('x') for one variable: Ints, Reals and Bools return a list",
    ],
  },
  {
    type: /TypeError/,
    message: /unsupported operand type\(s\) for (\^|&|\||<<|>>|~).*(ArithRef|IntNumRef)/,
    steps: [
      bits,
      "x ** 2 is the power; And(a, b), Or(a, b) join constraints, and comparisons such as x > 3 need parentheses next to & and |",
    ],
  },
  {
    type: /TypeError/,
    message: /unsupported operand type\(s\) for \/\/.*ArithRef/,
    steps: ["x / 2 of an Int is already the integer quotient, as // is in Python; x % 2 is the remainder"],
  },
  {
    type: /TypeError/,
    message: /must be real number, not \w+Ref/,
    steps: ["math works on numbers only: write x * x == y, x ** 2 or Sqrt(x) with an expression"],
  },
  {
    type: /TypeError/,
    message: /'ArrayRef' object does not support item assignment/,
    steps: ["an array can't be changed in place: a = Store(a, i, v) is a copy with v at i"],
  },
  {
    type: /TypeError/,
    message: /^(Int|Real|Bool|String)\(\) (takes|got)/,
    steps: ["a variable has only a name: x = Int('x'), and And(0 <= x, x <= 9) as a constraint for its range"],
  },
  {
    type: /TypeError/,
    message: /unexpected keyword argument/,
    steps: ["write x == 5 with two equals signs for a constraint: x=5 names an argument"],
  },
  {
    type: /TypeError/,
    message:
      /NumRef.*(integer|number)|(integer|number).*NumRef|cannot be interpreted as an integer|doesn't define __round__|int\(\) argument|float\(\) argument/,
    steps: [
      "convert a model's value to Python's with m[x].as_long(), for a Real with m[x].as_fraction(), for a Bool with is_true(m[p])",
      "an expression has no value until check() has answered sat and m = s.model() has been read",
    ],
  },
  {
    type: /AttributeError/,
    message: /(ArithRef|BoolRef|BitVecRef).*(as_long|as_fraction|as_decimal)/,
    steps: [
      "only a value has as_long(): take it from a model, m.eval(x, model_completion=True).as_long()",
      "m[p] of a Bool is read with is_true(m[p])",
    ],
  },
  {
    type: /AttributeError/,
    message: /NoneType.*(as_long|as_fraction|as_decimal|as_string)/,
    steps: ["m[x] is None when any value is possible: m.eval(x, model_completion=True) gives one"],
  },
];
