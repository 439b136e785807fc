import { Fault } from "../../kernel/fault.ts";
import { Lines } from "../../kernel/text/lines.ts";

export interface Token {
  readonly kind: "name" | "variable" | "number" | "string" | "directive" | "sign";
  readonly text: string;
  /** The token's offset in the item. */
  readonly at: number;
}

export interface Scanned {
  readonly tokens: readonly Token[];
  /** The item with comments replaced by spaces. */
  readonly bare: string;
}

/** The patterns of the tokens in clingo's own lexer, in the order in which they are tried. */
const forms: readonly (readonly [Token["kind"], RegExp])[] = [
  ["string", /"(?:[^"\\\p{Cc}]|\t|\\["\\n])*"/uy],
  ["number", /0x[0-9A-Fa-f]+|0o[0-7]+|0b[01]+|\d+/y],
  ["name", /[_']*[a-z][\w']*/y],
  ["variable", /[_']*[A-Z][\w']*|_/y],
  ["directive", /#(?:sum\+|[a-z_]+)/y],
  ["sign", /:-|:~|\.\.|<=|>=|!=|<>|==|\*\*|\|\||[-+*/\\?&~|^.,;:()[\]{}=<>@]/y],
];

/**
 * Tokenises an item as clingo would, and blanks out its comments. Since clingo then receives no comments, no text can
 * be a comment for one lexer and code for the other. Raises `syntax_error`.
 */
export function scan(item: string, index: number): Scanned {
  const tokens: Token[] = [];
  let bare = "";
  for (let at = 0; at < item.length; at = bare.length) {
    const gap = /[ \t\n]+/y;
    gap.lastIndex = at;
    const [space = ""] = gap.exec(item) ?? [];
    if (space !== "") bare += space;
    else if (item[at] === "%") bare += item.slice(at, commentEnd(item, at, index)).replaceAll(/[^\n]/g, " ");
    else {
      const token = tokenAt(item, at);
      if (!token) throw unreadable(item, at, index);
      tokens.push(token);
      bare += token.text;
    }
  }
  return { tokens, bare };
}

function tokenAt(item: string, at: number): Token | undefined {
  for (const [kind, form] of forms) {
    form.lastIndex = at;
    const text = form.exec(item)?.[0];
    if (text !== undefined) return { kind, text, at };
  }
  return undefined;
}

/** Finds the end of the comment that begins at this position. Block comments nest, and can contain line comments. */
function commentEnd(item: string, start: number, index: number): number {
  const line = /%[^\n]*/y;
  if (!item.startsWith("%*", start)) return endOf(line, item, start);
  let depth = 0;
  for (let at = start; at < item.length; ) {
    if (item.startsWith("%*", at)) {
      depth++;
      at += 2;
    } else if (item.startsWith("*%", at)) {
      at += 2;
      if (--depth === 0) return at;
    } else at = item[at] === "%" ? endOf(line, item, at) : at + 1;
  }
  throw faultAt(item, start, index, "This comment is not closed.", ["close it with *% in the same item"]);
}

function endOf(form: RegExp, text: string, at: number): number {
  form.lastIndex = at;
  return form.test(text) ? form.lastIndex : text.length;
}

function unreadable(item: string, at: number, index: number): Fault {
  const char = String.fromCodePoint(item.codePointAt(at) ?? 0);
  if (char === '"')
    return faultAt(item, at, index, "This string is not closed on its line, or has an unknown escape.", [
      'end it with " on the same line',
      'only \\", \\\\ and \\n are escapes',
    ]);
  if (char === "#")
    return faultAt(item, at, index, "This # does not begin a directive.", ["write comments with %, not with #"]);
  return faultAt(item, at, index, `The character ${JSON.stringify(char)} has no meaning here.`, [
    "write names with ASCII letters, digits and _; predicates and constants begin with a lower-case letter, variables with a capital",
    'put other strings into quotes: town("Köln")',
  ]);
}

/** Creates a fault at this position in this item. */
export function faultAt(
  item: string,
  at: number,
  index: number,
  message: string,
  steps: readonly string[],
  code: "syntax_error" | "forbidden" | "input_rejected" = "syntax_error",
): Fault {
  const place = { item: index, ...new Lines(item).at(at) };
  return new Fault(code, { where: `Item ${index}, line ${place.line}: `, what: message }, steps, place);
}

/** The position of the matching closing bracket. */
export function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    if (/^[{([]$/.test(tokens[i]?.text ?? "")) depth++;
    else if (/^[})\]]$/.test(tokens[i]?.text ?? "") && --depth === 0) return i;
  }
  return tokens.length;
}

/** Splits the tokens at separators outside brackets. */
export function partsOf(tokens: readonly Token[], sign: string): Token[][] {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (/^[{([]$/.test(token.text)) depth++;
    if (/^[})\]]$/.test(token.text)) depth--;
    if (depth === 0 && token.text === sign) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

/** A rule, constraint or directive. */
export interface Statement {
  readonly item: number;
  readonly tokens: readonly Token[];
  /**
   * The position, in the bare item, of the constraint that states the bounds, if `head_bounds.ts` separated them from
   * the choice.
   */
  readonly bounds?: { readonly start: number; readonly end: number };
}
