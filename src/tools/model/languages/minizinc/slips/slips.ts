import { type Token, tokensOf } from "../../../../../evidence/minizinc/tokens.ts";
import { commentBehind, remainderCure } from "../source/source.ts";

/** Returns the correction if an error's position reveals a known mistake; otherwise undefined. */
export function cureFor(message: string, text: string, at: number): string | undefined {
  const spot = spotAt(message, text, at);
  const cures = /syntax error/.test(message) ? syntaxCures : typeCures;
  for (const cure of cures) {
    const advice = cure(spot);
    if (advice !== undefined) return advice;
  }
  return undefined;
}

/** The position of a MiniZinc error in an item, with the tokens of its statement. */
interface Spot {
  /** MiniZinc's message. */
  readonly message: string;
  /** The item, and the offset of the position in it. */
  readonly text: string;
  readonly at: number;
  /** The surrounding statement, and the index of the token at the position. */
  readonly tokens: readonly Token[];
  readonly index: number;
}

/** The correction if the position reveals a certain mistake. */
type Cure = (spot: Spot) => string | undefined;

/** The position with its statement. */
function spotAt(message: string, text: string, at: number): Spot {
  const all = tokensOf(text);
  const first = all.findIndex(({ start, text }) => start + text.length > at);
  const here = first < 0 ? all.length : first;
  // A semicolon at the position itself ends the statement that it belongs to.
  const start = all.findLastIndex(({ text }, i) => i < here && text === ";") + 1;
  const end = all.findIndex(({ text }, i) => i >= here && text === ";");
  return { message, text, at, tokens: all.slice(start, end < 0 ? all.length : end + 1), index: here - start };
}

/** The token at this offset from the error; "" if there isn't one. */
function wordAt({ tokens, index }: Spot, offset: number): string {
  return tokens[index + offset]?.text ?? "";
}

const and = "write /\\ for `and`: `constraint x > 1 /\\ y > 2;`";
const or = "write \\/ for `or`: `constraint x > 1 \\/ y > 2;`";
const not = "write not for negation: `not b`, `not (x = 2)`";
const implies = "write -> for an implication: `b -> x > 3`";
const iff = "write <-> for an equivalence: `a <-> b`";
const unequal = "write != for `not equal`";
const comment = "comments begin with %, or are enclosed in /* and */";
const generator = "write the generator before the body: `sum(i in 1..3)(a[i])`, or a list `[a[i] | i in 1..3]`";
const loop = "a loop is an expression inside one constraint: `constraint forall(i in 1..3)(a[i] > 1);`";
const named_fields = "a tuple has no names: write `tuple(int, bool)`, or `record(int: size, bool: used)` with names";
const texts = 'strings are written in straight double quotes: "x"';

/** Words and operators of other languages, where MiniZinc expects an operator. */
const operators: Readonly<Record<string, string>> = {
  and,
  AND: and,
  And: and,
  "&": and,
  or,
  OR: or,
  Or: or,
  "||": or,
  "!": not,
  "~": not,
  implies,
  iff,
  is: "write = for equality",
  for: generator,
  "<>": unequal,
  "#": comment,
};

/** Signs of which MiniZinc reads the first half, and fails at the second. */
const halves: readonly (readonly [written: string, cure: string])[] = [
  ["**", "write `x ^ 2`, `pow(x, 2)` or `x * x` for a power"],
  ["<=>", iff],
  ["=>", implies],
  ["=<", "write <= for `at most`"],
  ["=!", unequal],
  ["//", "write `x div y` for the integer quotient"],
  ["...", "a range has two dots: `1..9`"],
  ["+=", "a variable can't be reassigned: declare another one, `var int: y = x + 2;`"],
  ["-=", "a variable can't be reassigned: declare another one, `var int: y = x - 2;`"],
];

const item_words = /^(?:constraint|solve|var|output|include|enum|predicate|function|array|set|int|bool|float|par)$/;
const type_words = /^(?:int|float|bool|string)$/;
const loop_words = /^(?:forall|exists|sum|product|min|max)$/;
const taken_words =
  /^(?:ann|annotation|any|array|bool|case|constraint|default|diff|div|else|elseif|endif|enum|float|function|if|include|int|intersect|in|let|list|maximize|minimize|mod|not|of|op|opt|output|par|predicate|record|satisfy|set|solve|string|subset|superset|symdiff|test|then|tuple|type|union|var|where|xor)$/;

/** Frequent syntax errors. The first match is reported, so the most reliable ones come first. */
const syntaxCures: readonly Cure[] = [
  ({ text, tokens, index }) => {
    const last = tokens[index - 1];
    const lost = last && commentBehind(text, last);
    return lost === undefined ? undefined : remainderCure(lost);
  },
  (spot) => (spot.text.startsWith("//", spot.at) && spot.index === 0 ? comment : undefined),
  ({ message }) => (/expecting \|\]/.test(message) ? "close [| with |]: `[| 1, 2 | 3, 4 |]`" : undefined),
  ({ message }) => (/illegal expression in generator call/.test(message) ? generator : undefined),
  ({ message, text, at }) =>
    /unexpected ':'/.test(message) && /\btuple\([^()]{0,200}$/.test(text.slice(0, at)) ? named_fields : undefined,
  halved,
  foreignOperator,
  ({ text, at }) => (/^[“”„«»‘’`]/.test(text.slice(at)) ? texts : undefined),
  foreignCharacter,
  chained,
  objective,
  loops,
  enumeration,
  typeFirst,
  unmarked,
  missingColon,
  missingSemicolon,
  unclosed,
  (spot) =>
    /expecting identifier/.test(spot.message) && taken_words.test(wordAt(spot, 0))
      ? `${wordAt(spot, 0)} is a MiniZinc keyword: choose another name, such as ${wordAt(spot, 0)}_1`
      : undefined,
];

function halved({ text, at }: Spot): string | undefined {
  const fits = ([written]: readonly [string, string]) =>
    // The position is that of the second half, or of any dot.
    Array.from(written, (_, i) => i).some((i) => (i > 0 || written === "...") && text.startsWith(written, at - i));
  return halves.find(fits)?.[1];
}

function foreignOperator(spot: Spot): string | undefined {
  const { text, at } = spot;
  const word = wordAt(spot, 0);
  if (word === "not" && wordAt(spot, 1) === "in") return "write `not (x in {1, 3})` for `x not in {1, 3}`";
  const sign = text.startsWith("||", at) || text.startsWith("<>", at) ? text.slice(at, at + 2) : word;
  if (/^\|\s*\w+\s+in\b/.test(text.slice(at))) return generator;
  if (/^\.\s*(?:length|size|count|len)\b/.test(text.slice(at)))
    return "write `length(a)` for the number of elements of an array";
  if (text.startsWith("!=", at)) return undefined;
  const behind_term = spot.index > 0 || !/^\w/.test(sign);
  return behind_term && Object.hasOwn(operators, sign) ? operators[sign] : undefined;
}

function foreignCharacter({ text, at }: Spot): string | undefined {
  const char = String.fromCodePoint(text.codePointAt(at) ?? 32);
  if (/\p{ASCII}/u.test(char)) return undefined;
  return `names consist of ASCII letters, digits and _, not ${char}: choose another name, or write it in single quotes wherever you use it`;
}

const comparison = /^(?:<=|>=|==|!=|<|>|=)/;

/** `a < b < c`: comparisons can't be chained. */
function chained({ text, at, tokens, index }: Spot): string | undefined {
  const second = comparison.exec(text.slice(at))?.[0];
  if (second === undefined) return undefined;
  const start = startOfTerm(tokens, index);
  const left = text.slice(tokens[start]?.start ?? at, at).trim();
  const middle = /(?:<=|>=|==|!=|<|>|=)([^<>=!]+)$/.exec(left)?.[1]?.trim();
  if (middle === undefined) return undefined;
  const right = /^[^;,)\]}\n<>=!/\\]*/.exec(text.slice(at + second.length))?.[0].trim();
  return `comparisons do not chain: write \`${left} /\\ ${middle} ${second} ${right}\``;
}

/** The first token of the expression at this position, outside of closed brackets. */
function startOfTerm(tokens: Spot["tokens"], index: number): number {
  let depth = 0;
  for (let i = index - 1; i >= 0; i--) {
    const { text = "" } = tokens[i] ?? {};
    if (/^[)\]}]$/.test(text)) depth++;
    else if (depth > 0 && /^[([{]$/.test(text)) depth--;
    else if (depth === 0 && /^(?:[([{,:]|constraint|then|else|elseif|where)$/.test(text)) return i + 1;
  }
  return 0;
}

/** `maximize y;` without `solve`, or in British spelling. */
function objective({ text, tokens, index }: Spot): string | undefined {
  const goal = /^(?:maximi[sz]e|minimi[sz]e)$/i;
  const goal_token = tokens.find(({ text }, i) => i <= index && goal.test(text));
  if (!goal_token || (tokens[0]?.text === "solve" && /z/.test(goal_token.text))) return undefined;
  const kind = /^max/i.test(goal_token.text) ? "maximize" : "minimize";
  const rest = text
    .slice(goal_token.start + goal_token.text.length)
    .split(";")[0]
    ?.replace(/^\s*:/, "")
    .trim();
  return `the objective belongs in the solve item: \`solve ${kind} ${rest || "x"};\``;
}

function loops(spot: Spot): string | undefined {
  const { text, tokens, index } = spot;
  if (tokens[0]?.text === "for") return loop;
  const before = wordAt(spot, -1);
  if (loop_words.test(before) && /^\w/.test(wordAt(spot, 0)))
    return `both the generator and the body are written in parentheses: \`${before}(i in 1..3)(a[i])\``;
  const [, over] = /\b(forall|exists|sum|product)\s*\([^()]*\)\s*$/.exec(text.slice(0, spot.at)) ?? [];
  if (over !== undefined) return `the body is written in parentheses too: \`${over}(i in 1..3)(a[i])\``;
  const inside = tokens
    .slice(0, index)
    .reduce((depth, { text }) => depth + (text === "(" ? 1 : text === ")" ? -1 : 0), 0);
  return wordAt(spot, 0) === "constraint" && inside > 0 ? loop : undefined;
}

function enumeration({ tokens, index }: Spot): string | undefined {
  const declares = tokens[0]?.text === "enum" && index <= 4;
  return declares ? "write `enum Color = {red, green};`: an equals sign, braces, and names without quotes" : undefined;
}

/** `x: int` and `var x: 1..9`: the type comes before the colon. */
function typeFirst(spot: Spot): string | undefined {
  const word = wordAt(spot, 0);
  const misplaced =
    wordAt(spot, -1) === ":" && (/^\d/.test(word) || type_words.test(word) || /^(?:var|array|set)$/.test(word));
  if (!misplaced || !/expecting identifier/.test(spot.message)) return undefined;
  return `the type is written before the colon, the name after it: \`var 1..9: ${wordAt(spot, -2) || "x"};\``;
}

/** A constraint without its keyword, or with another language's keyword. */
function unmarked(spot: Spot): string | undefined {
  const { tokens, index, text, message } = spot;
  const [first] = tokens;
  if (first?.text === "constraint" && index === 1 && wordAt(spot, 0) === ":")
    return "there is no colon after `constraint`: `constraint x > 3;`";
  if (!first || !/expecting (?:\+\+ or )?':'/.test(message)) return undefined;
  if (first.text === "print") return 'write `output ["x = \\(x)\\n"];` to print';
  const rest = text.slice(first.start).split(";")[0]?.trim();
  const match = /^(?:constrain|constraints|subject\s+to|require|assert|st|s\.t\.)\b:?\s*(.*)$/s.exec(rest ?? "");
  if (match) return `a constraint begins with the word constraint: \`constraint ${match[1]};\``;
  const is_expression = /^[-+*/<>=!\\;]/.test(wordAt(spot, 0)) && !type_words.test(first.text) && first.text !== "var";
  return is_expression ? `a condition that must hold is a constraint: \`constraint ${rest};\`` : undefined;
}

/** `int n = 3;` */
function missingColon(spot: Spot): string | undefined {
  const { tokens, index, text, message, at } = spot;
  if (/expecting '\{'/.test(message) && wordAt(spot, -1) === "let")
    return "write `let { var int: y = x + 1 } in (y > 3)`: declarations in braces";
  if (wordAt(spot, -1) === "list") return "write the index set: `array[1..3] of int: a = [1, 2, 3];`";
  if (!/expecting (?:\+\+ or )?':'/.test(message)) return undefined;
  if (wordAt(spot, 0) === "[") return "an array is declared as `array[1..3] of int: a = [1, 2, 3];`";
  if (wordAt(spot, 0) === "(") return "a range of values is already a type: `var 1..9: x;`";
  if (/^(?:const|final|let|static)$/.test(tokens[0]?.text ?? ""))
    return "a constant is declared with its type only: `int: n = 3;`";
  const named = tokens[index];
  if (named?.kind !== "word" || index === 0) return undefined;
  const type = text.slice(tokens[0]?.start, at).trim();
  return `a colon is required between type and name: \`${type}: ${named.text}\``;
}

function missingSemicolon(spot: Spot): string | undefined {
  const { tokens, index, message } = spot;
  if (wordAt(spot, 0) === ";" && index === 0) return "one semicolon ends an item: delete the other one";
  const last = tokens[index - 1];
  const begins = item_words.test(wordAt(spot, 0)) && /unexpected/.test(message);
  return last && begins ? `a semicolon is missing after \`${last.text}\`, at the end of the previous item` : undefined;
}

function unclosed({ message, tokens, index }: Spot): string | undefined {
  if (!/unexpected (?:';'|end of file|constraint|solve)/.test(message)) return undefined;
  const count = (word: string) => tokens.slice(0, index).filter(({ text }) => text === word).length;
  if (count("if") > count("endif")) return "close each if with endif: `if x > 3 then x < 5 else true endif`";
  const pairs = [
    ["(", ")"],
    ["[", "]"],
    ["{", "}"],
  ] as const;
  const open = pairs.find(([left, right]) => count(left) > count(right));
  return open && `a ${open[0]} in this statement is not closed: add ${open[1]}`;
}

const rows = "write the rows between bars, `[| 1, 2 | 3, 4 |]`, or `array2d(1..2, 1..2, [1, 2, 3, 4])`";
const different = "write `alldifferent(a)`";

/** Types and constants of other languages. */
const foreign_names: Readonly<Record<string, string>> = {
  True: "write true, in lower case",
  TRUE: "write true, in lower case",
  False: "write false, in lower case",
  FALSE: "write false, in lower case",
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
const typeCures: readonly Cure[] = [
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
  if (access === undefined) return "write one index for each dimension, separated by commas: `x[1, 2]`";
  return `write all indices in one pair of brackets: \`${access.replaceAll(/\s*\]\s*\[\s*/g, ", ")}\` for \`${access}\``;
}

/** An array whose number of values differs from the size of its index set. */
function indexSets({ message }: Spot): string | undefined {
  if (!/[Ii]ndex sets? (?:mismatch|.* do not match)|index sets do not match/.test(message)) return undefined;
  const [, name, declared, actual] =
    /index set of [`'](\w+)' is \[([^\]]*)\], but is assigned to array with index set \[([^\]]*)\]/.exec(message) ?? [];
  if (name === undefined)
    return "use the same index set for both arrays: `array1d(0..2, b)` is b with the indices 0..2";
  return `${name} is declared over ${declared}, and its values have the indices ${actual}: declare it as \`array[${actual}]\`, provide as many values as ${declared} has, or write \`array1d(${declared}, [...])\` for as many values with other indices`;
}

/** `array[3] of int: a` and `var 1-9: x` */
function notASet(spot: Spot): string | undefined {
  if (!/type-inst must be par set but is [`']int'/.test(spot.message)) return undefined;
  const [, low, high] = /^(\w+)\s*-\s*(\w+)/.exec(spot.text.slice(spot.at)) ?? [];
  if (low !== undefined) return `a range has two dots: \`${low}..${high}\``;
  return `an index set or a domain is a range: \`1..${wordAt(spot, 0)}\` for \`${wordAt(spot, 0)}\``;
}
