import { Fault, type Position } from "../../kernel/fault.ts";
import { correct_and_send } from "../../kernel/step.ts";
import { Lines } from "../../kernel/text/lines.ts";

/** A word, a string, a number or an operator of a text, without comments. */
export interface Token {
  readonly kind: "word" | "string" | "number" | "sign";
  readonly text: string;
  readonly start: number;
}

export type Tokens = readonly Token[];

const token =
  /(?<space>\s+|%[^\n]*)|(?<comment>\/\*[\s\S]*?\*\/)|(?<word>[A-Za-z_]\w*|'[^'\n]*')|(?<number>\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)|(?<sign>\/\\|\\\/|<->|<-|->|<>|[=!<>]=|::|\.\.|\+\+|[\s\S])/y;

/** The tokens of an item. Raises `syntax_error` for unclosed brackets and strings. */
export function tokensOf(
  text: string,
  at: (offset: number) => Position = (offset) => new Lines(text).at(offset),
): Token[] {
  const tokens: Token[] = [];
  for (let start = 0; start < text.length; ) {
    if (text[start] === '"') {
      const end = endOfString(text, start);
      if (end === undefined) throw unclosed("string", '"', at(start));
      tokens.push({ kind: "string", text: text.slice(start, end), start });
      start = end;
      continue;
    }
    if (text.startsWith("/*", start) && !text.includes("*/", start + 2)) throw unclosed("comment", "*/", at(start));
    token.lastIndex = start;
    const { word, number, sign } = token.exec(text)?.groups ?? {};
    if (word !== undefined) tokens.push({ kind: "word", text: word, start });
    else if (number !== undefined) tokens.push({ kind: "number", text: number, start });
    else if (sign !== undefined) tokens.push({ kind: "sign", text: sign, start });
    start = token.lastIndex;
  }
  return tokens;
}

/** The end of a string, which can contain expressions with strings: "x = \(show("y"))". */
function endOfString(text: string, start: number): number | undefined {
  let at = start + 1;
  while (at < text.length && text[at] !== "\n") {
    if (text[at] === '"') return at + 1;
    if (text.startsWith("\\(", at)) {
      const end = endOfExpression(text, at + 2);
      if (end === undefined) return undefined;
      at = end;
    } else at += text[at] === "\\" ? 2 : 1;
  }
  return undefined;
}

function endOfExpression(text: string, start: number): number | undefined {
  let depth = 1;
  let at = start;
  while (at < text.length) {
    if (text[at] === '"') {
      const end = endOfString(text, at);
      if (end === undefined) return undefined;
      at = end;
      continue;
    }
    if (text[at] === "(") depth++;
    if (text[at] === ")") depth--;
    at++;
    if (depth === 0) return at;
  }
  return undefined;
}

function unclosed(what: string, sign: string, position: Position): Fault {
  return new Fault(
    "syntax_error",
    { where: placed(position), what: `The ${what} that begins here is not closed.` },
    [`close it with ${sign} in the same item${what === "string" ? " and on the same line" : ""}`, correct_and_send],
    position,
  );
}

/** "Item 2, line 1, column 4: " */
export function placed({ item, line, column }: Position): string {
  return item === undefined ? "" : `Item ${item}, line ${line}, column ${column}: `;
}

/** The offset after a token. */
export function endOf(token: Token | undefined): number {
  return token ? token.start + token.text.length : 0;
}

/** The text of tokens as written in their item. */
export function written(tokens: Tokens, item: string): string {
  return item.slice(tokens[0]?.start, endOf(tokens.at(-1)));
}

/** A token's effect on the bracket depth. */
export function stepOf(text: string | undefined): number {
  if (text === "(" || text === "[" || text === "{") return 1;
  return text === ")" || text === "]" || text === "}" ? -1 : 0;
}

/** The index of the matching closing bracket; the number of tokens if there isn't one. */
export function closingOf(tokens: Tokens, open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    depth += stepOf(tokens[i]?.text);
    if (depth === 0) return i;
  }
  return tokens.length;
}

/** The index of the bracket that encloses a token; -1 if there isn't one. */
export function enclosingOf(tokens: Tokens, at: number): number {
  let depth = 0;
  for (let i = at - 1; i >= 0; i--) {
    depth += stepOf(tokens[i]?.text);
    if (depth > 0) return i;
  }
  return -1;
}

/** For each token, the index of the bracket that encloses it; -1 if there isn't one. */
export function enclosures(tokens: Tokens): number[] {
  const open: number[] = [];
  return tokens.map(({ text }, i) => {
    if (stepOf(text) < 0) open.pop();
    const enclosing = open.at(-1) ?? -1;
    if (stepOf(text) > 0) open.push(i);
    return enclosing;
  });
}

/** Whether a bracket at the start is closed at the end. */
export function isEnclosed(tokens: Tokens): boolean {
  return tokens.length > 1 && stepOf(tokens[0]?.text) > 0 && closingOf(tokens, 0) === tokens.length - 1;
}

/** The index of the first matching token on this level, or of the bracket that closes the level. */
export function endOfLevel(tokens: Tokens, from: number, end: RegExp): number {
  for (let i = from; i < tokens.length; i++) {
    const { text = "" } = tokens[i] ?? {};
    if (end.test(text) || stepOf(text) < 0) return i;
    if (stepOf(text) > 0) i = closingOf(tokens, i);
  }
  return tokens.length;
}

/** The indices of the tokens outside all brackets that match. */
export function outside(tokens: Tokens, match: RegExp): number[] {
  let depth = 0;
  return tokens.flatMap(({ text }, i) => {
    depth += stepOf(text);
    return depth === 0 && match.test(text) ? [i] : [];
  });
}

/** The parts between commas. */
export function parted(tokens: Tokens): Token[][] {
  const ends = [...outside(tokens, /^,$/), tokens.length];
  return ends.map((end, i) => tokens.slice(i === 0 ? 0 : (ends[i - 1] ?? 0) + 1, end));
}

/** A name as written in the source. */
export function quoted(name: string): string {
  return /^[A-Za-z]\w*$/.test(name) ? name : `'${name}'`;
}

/** A name without quotes: `'x'` is `x`. */
export function bare(name: string): string {
  return name.replace(/^'(.*)'$/, "$1");
}
