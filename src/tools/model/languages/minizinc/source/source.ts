import { Fault, type Position } from "../../../../../kernel/fault.ts";
import { limits } from "../../../../../kernel/limits.ts";
import { correct_and_send } from "../../../../../kernel/step.ts";
import { Lines } from "../../../../../kernel/text/lines.ts";
import type { Items } from "../../../items/items.ts";

/** A MiniZinc item, such as a constraint, within an item of the model. */
export interface Statement {
  readonly item: number;
  /** Offsets in its item's text; the semicolon is included. */
  readonly start: number;
  readonly end: number;
  /** The line of the item where it begins, counted from 1. */
  readonly line: number;
  /** Its tokens, without comments. */
  readonly tokens: readonly Token[];
}

export interface Token {
  readonly kind: "word" | "string" | "number" | "sign";
  readonly text: string;
  readonly start: number;
}

/**
 * Splits all items into statements. Raises `syntax_error` for unclosed brackets and strings, and `forbidden` for host
 * files.
 */
export function statementsOf(items: Items): Statement[] {
  return items.flatMap((text, item) => {
    const lines = new Lines(text);
    const at = (offset: number): Position => ({ item, ...lines.at(offset) });
    const statements = split(tokensOf(text, at), item, lines);
    for (const statement of statements) expectLibrary(statement, at);
    return statements;
  });
}

/**
 * Adds a semicolon after an item's last statement if it is missing. Raises `syntax_error` if a comment follows on the
 * same line, since a % meant as the remainder must not change the statement's meaning.
 */
export function ended(text: string, item: number): string {
  const at = (offset: number): Position => ({ item, ...new Lines(text).at(offset) });
  const last = tokensOf(text, at).at(-1);
  if (!last || last.text === ";") return text;
  const end = last.start + last.text.length;
  const comment = commentBehind(text, last);
  if (comment !== undefined) throw unended(at(end), comment);
  return `${text.slice(0, end)};${text.slice(end)}`;
}

/**
 * Joins the bars of an array literal with its brackets, `[|` and `|]`: the grammar allows nothing between them, but
 * people insert line breaks there. The text keeps its length. Raises `syntax_error` as `tokensOf` does.
 */
export function withBarsJoined(text: string, item: number): string {
  // Most items have no multidimensional array literal, and models are parsed again for each question.
  if (!/\[(?:\s|%|\/\*)[^[]*?\||\|(?:\s|%|\/\*)[^\]|]*?\]/.test(text)) return text;
  const tokens = tokensOf(text, (offset) => ({ item, ...new Lines(text).at(offset) }));
  let joined_text = text;
  for (const [i, { text: sign, start }] of tokens.entries()) {
    const next = tokens[i + 1];
    if (next === undefined || next.start === start + 1) continue;
    const between = text.slice(start + 1, next.start);
    const pair = sign + next.text;
    const written = pair === "[|" ? pair + between : pair === "|]" ? between + pair : undefined;
    if (written !== undefined) joined_text = joined_text.slice(0, start) + written + joined_text.slice(next.start + 1);
  }
  return joined_text;
}

/** The rest of the line after a token if a % turns it into a comment, such as `% 2 = 0;`. */
export function commentBehind(text: string, { start, text: word }: Token): string | undefined {
  return /^[ \t]*(%[^\n]*)/.exec(text.slice(start + word.length))?.[1];
}

/** The step for a % that may be meant as the remainder. */
export function remainderCure(comment: string): string {
  return `% begins a comment, so \`${comment.slice(0, limits.fault_quote_chars_max)}\` was not read: write \`x mod 2\` for the remainder, and ; before a comment`;
}

/** The goal of the model's solve item; undefined if there is none. */
export function goalOf(statements: readonly Statement[]): "satisfy" | "minimize" | "maximize" | undefined {
  const solve = statements.find(({ tokens }) => tokens[0]?.text === "solve");
  const goal = solve?.tokens.find(({ text }) => text === "minimize" || text === "maximize");
  if (!solve) return undefined;
  return goal?.text === "minimize" || goal?.text === "maximize" ? goal.text : "satisfy";
}

const token =
  /(?<space>\s+|%[^\n]*)|(?<comment>\/\*[\s\S]*?\*\/)|(?<word>[A-Za-z_]\w*|'[^'\n]*')|(?<number>\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)|(?<sign>[\s\S])/y;

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

const opening = new Set(["(", "[", "{"]);
const closing = new Set([")", "]", "}"]);

function split(tokens: readonly Token[], item: number, lines: Lines): Statement[] {
  const statements: Statement[] = [];
  let depth = 0;
  let own: Token[] = [];
  for (const each of tokens) {
    own.push(each);
    if (each.kind === "sign" && opening.has(each.text)) depth++;
    if (each.kind === "sign" && closing.has(each.text)) depth = Math.max(0, depth - 1);
    const [first] = own;
    if (each.text !== ";" || depth > 0 || !first) continue;
    const { start } = first;
    statements.push({ item, start, end: each.start + 1, line: lines.at(start).line, tokens: own });
    own = [];
  }
  const [first] = own;
  const last = own.at(-1);
  if (!first || !last) return statements;
  const end = last.start + last.text.length;
  return [...statements, { item, start: first.start, end, line: lines.at(first.start).line, tokens: own }];
}

/** A file of the library or one of its subfolders; never a parent folder or an absolute path. */
const library_file = /^"(?:\w[\w-]*\/)*\w[\w-]*\.mzn"$/;

/** Checks that an include names a file of MiniZinc's own library, never a file of the host. */
function expectLibrary({ tokens }: Statement, at: (offset: number) => Position): void {
  for (const [i, { text, kind }] of tokens.entries()) {
    const file = tokens[i + 1];
    if (kind !== "word" || text !== "include" || file === undefined) continue;
    if (library_file.test(file.text)) continue;
    const position = at(file.start);
    throw new Fault(
      "forbidden",
      {
        where: placed(position),
        what: `The include of ${file.text} is not allowed: only files of MiniZinc's own library can be included.`,
      },
      [
        'include library files by their name in the library, such as "globals.mzn" or "experimental/on_restart.mzn"',
        "write the content of the file into items, or pass its values as data to solve_model",
      ],
      position,
    );
  }
}

/** "Item 2, line 1, column 4: " */
export function placed({ item, line, column }: Position): string {
  return item === undefined ? "" : `Item ${item}, line ${line}, column ${column}: `;
}

function unclosed(what: string, sign: string, position: Position): Fault {
  return new Fault(
    "syntax_error",
    { where: placed(position), what: `The ${what} that begins here is not closed.` },
    [`close it with ${sign} in the same item${what === "string" ? " and on the same line" : ""}`, correct_and_send],
    position,
  );
}

function unended(position: Position, comment: string): Fault {
  return new Fault(
    "syntax_error",
    { where: placed(position), what: `A semicolon is missing at the end of the item, before a comment.` },
    [remainderCure(comment), correct_and_send],
    position,
  );
}
