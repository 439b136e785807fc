import { type Token, tokensOf } from "../../../../evidence/minizinc/tokens.ts";
import { commentBehind, remainderCure } from "./source/source.ts";

/**
 * A mistake that language models make in MiniZinc. All patterns that a row has must match: MiniZinc's message, the item's
 * text at the error's position, and the text before it. In `cure`, `$1` is the first group of the last of these patterns.
 */
interface Slip {
  readonly message?: RegExp;
  readonly here?: RegExp;
  readonly before?: RegExp;
  readonly cure: string;
}

const rows = "write the rows between bars, `[| 1, 2 | 3, 4 |]`, or `array2d(1..2, 1..2, [1, 2, 3, 4])`";
const generator = "write the generator before the body: `sum(i in 1..3)(a[i])`, or a list `[a[i] | i in 1..3]`";
const implies = "write -> for an implication: `b -> x > 3`";

/** Frequent mistakes. The first match is reported, so the most reliable ones come first. */
const slips: readonly Slip[] = [
  { here: /^(?:\/\/|#)/, before: /(?:^|[\n;])\s*$/, cure: "comments begin with %, or are enclosed in /* and */" },
  { message: /expecting \|\]/, cure: "close [| with |]: `[| 1, 2 | 3, 4 |]`" },
  { message: /illegal expression in generator call/, cure: generator },
  {
    message: /unexpected ':'/,
    before: /\btuple\([^()]{0,200}$/,
    cure: "a tuple has no names: write `tuple(int, bool)`, or `record(int: size, bool: used)` with names",
  },
  {
    message: /unexpected/,
    here: /^(?:and|AND|And|&&?)(?!\w)/,
    cure: "write /\\ for `and`: `constraint x > 1 /\\ y > 2;`",
  },
  {
    message: /unexpected/,
    here: /^(?:or|OR|Or|\|\|)(?!\w)/,
    cure: "write \\/ for `or`: `constraint x > 1 \\/ y > 2;`",
  },
  { message: /unexpected/, here: /^[!~](?!=)/, cure: "write not for negation: `not b`, `not (x = 2)`" },
  { message: /unexpected/, here: /^<>/, cure: "write != for `not equal`" },
  { message: /unexpected/, here: /^\*/, before: /\*$/, cure: "write `x ^ 2`, `pow(x, 2)` or `x * x` for a power" },
  { message: /unexpected/, here: /^>/, before: /<=$/, cure: "write <-> for an equivalence: `a <-> b`" },
  { message: /unexpected/, here: /^>/, before: /=$/, cure: implies },
  { message: /unexpected/, here: /^\//, before: /\/$/, cure: "write `x div y` for the integer quotient" },
  { message: /unexpected identifier/, here: /^for\b/, cure: generator },
  {
    message:
      /unexpected (?:constraint|solve|var|output|include|enum|predicate|function|array|set|int|bool|float|par)\b/,
    before: /([\w)\]}'"]+)\s*\n\s*$/,
    cure: "a semicolon is missing after `$1`, at the end of the previous line",
  },
  {
    message: /unexpected (?!identifier\b|(?:int|float|bool|string|var|array|set)\b)([a-z]\w*), expecting identifier/,
    cure: "$1 is a MiniZinc keyword: choose another name, such as $1_1",
  },
  {
    message: /expecting identifier/,
    before: /:\s*$/,
    cure: "the type is written before the colon, the name after it: `var 1..9: x;`",
  },
  {
    here: /^(?:maximi[sz]e|minimi[sz]e)\b/,
    cure: "the objective belongs in the solve item: `solve maximize x;` or `solve minimize x;`",
  },
  {
    message: /unexpected/,
    before: /(?:^|[\n;])\s*for\s*$/,
    cure: "write a loop over constraints as `constraint forall(i in 1..3)(x[i] != i);`",
  },
  {
    message: /unexpected (?:then|elseif|else|endif)\b/,
    before: /\bendif\s*$/,
    cure: "write endif only at the end: `if b then x = 1 else x = 2 endif`",
  },
  {
    message: /expecting (?:\+\+ or )?':'/,
    cure: "a declaration has a colon between type and name, `int: n = 3;`, and a condition begins with the word constraint: `constraint x > 3;`",
  },
  { message: /undefined identifier [`'](?:True|False|TRUE|FALSE)'/, cure: "write true and false in lower case" },
  {
    message: /array\[int,int\] of|array\[_\] of array\[|arrays cannot be elements of arrays/,
    cure: rows,
  },
  {
    message: /-dimensional array accessed with/,
    cure: "write one index for each dimension, in one pair of brackets: `x[1, 2]`",
  },
  {
    message: /type-inst must be par set but is [`']int'/,
    here: /^(\w+)/,
    cure: "an index set or a domain is a range: `1..$1` for `$1`",
  },
];

/** Returns the correction if an error's position reveals a known mistake; otherwise undefined. */
export function cureFor(message: string, text: string, at: number): string | undefined {
  const lost = /syntax error/.test(message) ? remainderAt(text, at) : undefined;
  if (lost !== undefined) return remainderCure(lost);
  // Patterns can take quadratic time, so they see only the surrounding text.
  const [before, here] = [text.slice(Math.max(0, at - near_chars_max), at), text.slice(at, at + near_chars_max)];
  for (const slip of slips) {
    const matches = [slip.message?.exec(message), slip.here?.exec(here), slip.before?.exec(before)];
    if (matches.includes(null)) continue;
    const [, first = ""] = matches.findLast((match) => match?.[1] !== undefined) ?? [];
    return slip.cure.replaceAll("$1", () => first);
  }
  return chained(before, here, message) ?? indexSets(message);
}

const near_chars_max = 300;

/** A comment that was meant as the remainder, as in `x % 2 = 0`, before this position. */
function remainderAt(text: string, at: number): string | undefined {
  const tokens = tokensOf(text);
  const last = tokens.findLastIndex(({ start, text }) => start + text.length <= at);
  return remainderBehind(text, tokens, last);
}

/**
 * Returns the comment behind a token if it looks like a remainder with the token as its left operand. A number alone, as
 * in `% 2`, may also count the rows of an array.
 */
export function remainderBehind(text: string, tokens: readonly Token[], at: number): string | undefined {
  const [token, next] = [tokens[at], tokens[at + 1]];
  const comment = token && /^[\w)\]']/.test(token.text) ? commentBehind(text, token) : undefined;
  if (comment === undefined) return undefined;
  const is_number = /^%\s*\d+\s*$/.test(comment) && !/^[,|\]}]/.test(next?.text ?? "");
  return is_number || meant_as_code.test(comment) ? comment : undefined;
}

/** Comments that look as if they were meant as code. */
const meant_as_code = /^%\s*\w+\s*(?:[;=<>!+*)]|\/\\|\\\/)/;

/** `a < b < c`: comparisons can't be chained. */
function chained(before: string, here: string, message: string): string | undefined {
  const second = /unexpected/.test(message) ? /^(?:<=|>=|==|!=|<|>|=)/.exec(here)?.[0] : undefined;
  const [, left, middle] = /([^<>=!;,({]+(?:<=|>=|==|!=|<|>|=)([^<>=!;]+))$/.exec(before) ?? [];
  if (second === undefined || left === undefined || middle === undefined) return undefined;
  const right = /^[^;,)\]}\n<>=!/\\]*/.exec(here.slice(second.length))?.[0].trim();
  const first = left.replace(/^\s*constraint\b/, "").trim();
  return `comparisons do not chain: write \`${first} /\\ ${middle.trim()} ${second} ${right}\``;
}

/** An array whose number of values differs from the size of its index set. */
function indexSets(message: string): string | undefined {
  if (!/[Ii]ndex sets? (?:mismatch|.* do not match)/.test(message)) return undefined;
  const [, name, declared, actual] =
    /index set of [`'](\w+)' is \[([^\]]*)\], but is assigned to array with index set \[([^\]]*)\]/.exec(message) ?? [];
  if (name === undefined)
    return "use the same index set for both arrays: `array1d(0..2, b)` is b with the indices 0..2";
  return `${name} is declared over ${declared}, and its values have the indices ${actual}: declare it as \`array[${actual}]\`, provide as many values as ${declared} has, or write \`array1d(${declared}, [...])\` for as many values with other indices`;
}
