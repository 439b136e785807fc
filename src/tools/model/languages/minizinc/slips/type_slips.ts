import { type Cure, type Spot, wordAt } from "./spot.ts";

const rows = "write the rows between bars, `[| 1, 2 | 3, 4 |]`, or `array2d(1..2, 1..2, [1, 2, 3, 4])`";
const different = "write `alldifferent(a)`";

/** Types and constants of other languages. */
const foreign_names: Readonly<Record<string, string>> = {
  True: "write true, in small letters",
  TRUE: "write true, in small letters",
  False: "write false, in small letters",
  FALSE: "write false, in small letters",
  None: "an absent value is `<>`, and its type has `opt`: `var opt 1..9: x;`",
  null: "an absent value is `<>`, and its type has `opt`: `var opt 1..9: x;`",
  double: "the type is float",
  real: "the type is float",
  Real: "the type is float",
  Float: "the type is float",
  boolean: "the type is bool",
  Bool: "the type is bool",
  integer: "the type is int",
  Int: "the type is int",
  String: "the type is string",
  str: "the type is string",
};

/** Functions of other languages. */
const foreign_functions: Readonly<Record<string, string>> = {
  And: "write a /\\ b, or `forall([a, b, c])`",
  Or: "write a \\/ b, or `exists([a, b, c])`",
  Not: "write not a",
  Implies: "write a -> b",
  implies: "write a -> b",
  iff: "write a <-> b",
  If: "write `if a then b else c endif`",
  Xor: "write a xor b",
  len: "write `length(a)`",
  size: "write `length(a)` of an array, `card(s)` of a set",
  range: "write a range as `1..n`",
  Sum: "write `sum(a)`, or `sum(i in 1..3)(a[i])`",
  Max: "write `max(a)`",
  Min: "write `min(a)`",
  Abs: "write `abs(x)`",
  AllDifferent: different,
  allDifferent: different,
  AllDiff: different,
  Alldifferent: different,
  Distinct: different,
  distinct: different,
  alldiff: different,
  all_diff: different,
  allequal: "write `all_equal(a)`",
  print: 'write `output ["x = \\(x)\\n"];` to print',
  str: 'write `show(x)`, or put it into a text as "x is \\(x)"',
  int: "write `floor(x)`, `ceil(x)` or `round(x)` of a fixed float, `bool2int(b)` of a truth value",
  float: "write `int2float(n)`",
  power: "write `pow(x, 2)` or `x ^ 2`",
  mod: "write `x mod 2`",
  div: "write `x div 2`",
};

/** Frequent errors that are syntactically correct but meaningless. */
export const typeCures: readonly Cure[] = [
  named(/undefined identifier [`']([^'`]+)'/, foreign_names),
  named(/no function or predicate with name [`'](\w+)'/, foreign_functions),
  (spot) =>
    /undefined identifier/.test(spot.message) && spot.text[spot.at] === "'"
      ? 'strings are written in double quotes: "x"; single quotes are for names'
      : undefined,
  manyIndices,
  indexSets,
  ({ message }) =>
    /array\[int,int\] of|array\[_\] of array\[|arrays cannot be elements of arrays/.test(message) ? rows : undefined,
  notASet,
  (spot) =>
    /from type (?:var )?(?:int|float) to type (?:var )?bool/.test(spot.message) &&
    spot.tokens.some(({ text }) => text === "^")
      ? "^ is the power: write `a xor b` for exactly one of two"
      : undefined,
  ({ message }) =>
    /invalid type in output item/.test(message)
      ? 'an output item takes a list of strings: `output ["x = \\(x)\\n"];`'
      : undefined,
  ({ message }) =>
    /without [`']?else/.test(message) ? "add an else to the if: `if x > 3 then 5 else 0 endif`" : undefined,
  ({ message }) =>
    /field access/.test(message)
      ? "write `length(a)` for the number of elements; only records and tuples have fields"
      : undefined,
  ({ message }) =>
    /(?:from type|actual) [`']?(?:var )?float.*(?:to type|expected) [`']?(?:var )?int|expected [`'](?:var )?int', actual [`'](?:var )?float'/.test(
      message,
    )
      ? "a float is not an int: write `x div y` for the integer quotient, or declare the variable as `var float: x;`"
      : undefined,
];

function named(message: RegExp, cures: Readonly<Record<string, string>>): Cure {
  return (spot) => {
    const name = message.exec(spot.message)?.[1];
    return name !== undefined && Object.hasOwn(cures, name) ? cures[name] : undefined;
  };
}

/** `x[1][2]` */
function manyIndices(spot: Spot): string | undefined {
  if (!/-dimensional array accessed with/.test(spot.message)) return undefined;
  const access = /^\w+(?:\s*\[[^[\]]*\]){2,}/.exec(spot.text.slice(spot.at))?.[0];
  if (access === undefined) return "give one index for each dimension, separated by commas: `x[1, 2]`";
  return `write all indices in one pair of brackets: \`${access.replaceAll(/\s*\]\s*\[\s*/g, ", ")}\` for \`${access}\``;
}

/** An array whose number of values differs from the size of its index set. */
function indexSets({ message }: Spot): string | undefined {
  if (!/[Ii]ndex sets? (?:mismatch|.* do not match)|index sets do not match/.test(message)) return undefined;
  const [, name, declared, actual] =
    /index set of [`'](\w+)' is \[([^\]]*)\], but is assigned to array with index set \[([^\]]*)\]/.exec(message) ?? [];
  if (name === undefined) return "give both arrays the same index set: `array1d(0..2, b)` is b with the indices 0..2";
  return `${name} is declared over ${declared}, and its values have the indices ${actual}: declare it as \`array[${actual}]\`, give as many values as ${declared} has, or write \`array1d(${declared}, [...])\` for as many values with other indices`;
}

/** `array[3] of int: a` and `var 1-9: x` */
function notASet(spot: Spot): string | undefined {
  if (!/type-inst must be par set but is [`']int'/.test(spot.message)) return undefined;
  const [, low, high] = /^(\w+)\s*-\s*(\w+)/.exec(spot.text.slice(spot.at)) ?? [];
  if (low !== undefined) return `a range has two dots: \`${low}..${high}\``;
  return `an index set or a domain is a range: \`1..${wordAt(spot, 0)}\` for \`${wordAt(spot, 0)}\``;
}
