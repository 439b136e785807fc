/**
 * A parser for S-expressions with positions, for SMT-LIB 2.7 (section 3.1) as Z3 reads it. It must agree with Z3's
 * scanner on where each command ends: if Z3 read on past that point, it could swallow Verdict's own commands. Text that
 * the two read differently is rejected here.
 */

export type AtomKind = "symbol" | "quoted" | "keyword" | "string" | "literal";

export interface Atom {
  readonly kind: AtomKind;
  /** The atom as written: quoted symbols with their bars, and strings with their quotes. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface List {
  readonly kind: "list";
  readonly items: readonly Node[];
  readonly start: number;
  readonly end: number;
}

export type Node = Atom | List;

export type ReadProblem =
  | "unclosed"
  | "stray"
  | "unterminated_string"
  | "unterminated_symbol"
  | "backslash_in_symbol"
  | "block_comment"
  | "nul"
  | "literal"
  | "character";

/** The error for text that is not a sequence of S-expressions, with the offset. */
export class ReadError extends Error {
  override readonly name = "ReadError";
  readonly problem: ReadProblem;
  readonly offset: number;
  /** The offsets of the parentheses that are open at the error, the outermost first. */
  openings: readonly number[] = [];
  /** The last complete top-level expression before the error. */
  previous: Node | undefined;

  constructor(problem: ReadProblem, offset: number) {
    super(`${problem} at offset ${offset}`);
    this.problem = problem;
    this.offset = offset;
  }
}

const symbol_character = /[A-Za-z0-9~!@$%^&*_\-+=<>.?/]/;
/** Whether each character is allowed in a bare symbol, keyword or number; indexed by character code for speed. */
const in_symbol = Uint8Array.from({ length: 128 }, (_, code) =>
  symbol_character.test(String.fromCharCode(code)) ? 1 : 0,
);

interface OpenList {
  readonly items: Node[];
  readonly start: number;
}

/**
 * Parses all S-expressions in a text. Raises ReadError. Nesting can be arbitrarily deep. In a script, literals must be
 * complete, since Z3 silently reads `2x` as `2 x` and `10-5` as `10 -5`. Z3's own output is parsed with `loose`
 * literals, such as `1.41?`.
 */
export function readAll(text: string, literals: "whole" | "loose" = "whole"): Node[] {
  const top: Node[] = [];
  const open: OpenList[] = [];
  try {
    readInto(text, top, open, literals === "whole");
  } catch (error) {
    if (error instanceof ReadError) {
      error.openings = open.map((list) => list.start);
      error.previous = top.at(-1);
    }
    throw error;
  }
  return top;
}

function readInto(text: string, top: Node[], open: OpenList[], whole: boolean): void {
  const nul = text.indexOf("\0");
  if (nul >= 0) throw new ReadError("nul", nul);
  let items = top;
  let at = 0;
  while (at < text.length) {
    const character = text[at];
    if (character === " " || character === "\n" || character === "\t" || character === "\r") at++;
    else if (character === ";") at = endOfLine(text, at);
    else if (character === "(") {
      items = [];
      open.push({ items, start: at++ });
    } else if (character === ")") {
      const done = open.pop();
      if (!done) throw new ReadError("stray", at);
      items = open.at(-1)?.items ?? top;
      items.push({ kind: "list", items: done.items, start: done.start, end: ++at });
    } else {
      const atom = readAtom(text, at);
      if (whole && starts_literal.test(atom.text) && !whole_literal.test(atom.text)) throw new ReadError("literal", at);
      items.push(atom);
      at = atom.end;
    }
  }
  const unclosed = open.at(-1);
  if (unclosed) throw new ReadError("unclosed", unclosed.start);
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

const starts_literal = /^(#|-?\d)/;
const whole_literal = /^(-?\d+(\.\d+)?|#x[\da-fA-F]+|#b[01]+)$/;

function readAtom(text: string, start: number): Atom {
  const first = text[start];
  if (first === '"') return readString(text, start);
  if (first === "|") return readQuoted(text, start);
  if (first === "#" && text[start + 1] === "|") throw new ReadError("block_comment", start);
  const end = endOfWord(text, first === ":" || first === "#" ? start + 1 : start);
  if (end === start) throw new ReadError("character", start);
  const kind = first === ":" ? "keyword" : /[0-9#]/.test(first ?? "") ? "literal" : "symbol";
  return { kind, text: text.slice(start, end), start, end };
}

function endOfWord(text: string, start: number): number {
  let at = start;
  while (in_symbol[text.charCodeAt(at)] === 1) at++;
  return at;
}

/** Reads a string, which ends at the first quote that is not doubled. */
function readString(text: string, start: number): Atom {
  let close = text.indexOf('"', start + 1);
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  if (close < 0) throw new ReadError("unterminated_string", start);
  return { kind: "string", text: text.slice(start, close + 1), start, end: close + 1 };
}

/**
 * Reads a quoted symbol. A backslash in it is rejected: in Z3, it escapes the closing bar, which the standard forbids.
 */
function readQuoted(text: string, start: number): Atom {
  const close = text.indexOf("|", start + 1);
  if (close < 0) throw new ReadError("unterminated_symbol", start);
  const symbol = text.slice(start, close + 1);
  const backslash = symbol.indexOf("\\");
  if (backslash >= 0) throw new ReadError("backslash_in_symbol", start + backslash);
  return { kind: "quoted", text: symbol, start, end: close + 1 };
}

/** Returns a symbol's name: `|x|` and `x` are the same symbol. */
export function nameOf(node: Node | undefined): string | undefined {
  if (node?.kind === "symbol") return node.text;
  if (node?.kind === "quoted") return node.text.slice(1, -1);
  return undefined;
}

/** Returns the name at the head of a list, such as `assert` for `(assert …)`. */
export function headOf(node: Node | undefined): string | undefined {
  return node?.kind === "list" ? nameOf(node.items[0]) : undefined;
}

/** Visits a node and all its descendants, in the order of the text, without recursion. */
export function* walk(root: Node): Generator<Node> {
  const pending = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    yield node;
    if (node.kind === "list") for (const item of node.items.toReversed()) pending.push(item);
  }
}

/**
 * Returns the node's text on one line. White space outside strings and quoted symbols becomes a single space, and
 * comments are removed.
 */
export function oneLine(text: string, root: Node): string {
  const words: string[] = [];
  let space = "";
  const tasks: (Node | ")")[] = [root];
  for (let task = tasks.pop(); task; task = tasks.pop()) {
    if (task === ")") {
      words.push(")");
      space = " ";
    } else if (task.kind !== "list") {
      words.push(space, text.slice(task.start, task.end));
      space = " ";
    } else {
      words.push(space, "(");
      space = "";
      tasks.push(")");
      for (const item of task.items.toReversed()) tasks.push(item);
    }
  }
  return words.join("");
}
