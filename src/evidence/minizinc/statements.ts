import { Fault, type Position } from "../../kernel/fault.ts";
import { Lines } from "../../kernel/text/lines.ts";
import { endOf, placed, stepOf, type Token, type Tokens, tokensOf } from "./tokens.ts";

/** A MiniZinc statement, such as a constraint, within an item of the model. */
export interface Statement {
  readonly item: number;
  /** The statement's offsets in its item's text, including the semicolon. */
  readonly start: number;
  readonly end: number;
  /** The line in the item where the statement begins, counted from 1. */
  readonly line: number;
  /** The statement's tokens, without comments. */
  readonly tokens: readonly Token[];
}

/**
 * Splits all items into statements. Raises `syntax_error` for unclosed brackets and strings, and `forbidden` for host
 * files.
 */
export function statementsOf(items: readonly string[]): Statement[] {
  return items.flatMap((text, item) => {
    const lines = new Lines(text);
    const at = (offset: number): Position => ({ item, ...lines.at(offset) });
    const statements = split(tokensOf(text, at), item, lines);
    for (const statement of statements) expectLibrary(statement, at);
    return statements;
  });
}

/** The solve item of a model. */
export interface SolveItem {
  readonly statement: Statement;
  readonly goal: "satisfy" | "minimize" | "maximize";
  /** The word of the goal; undefined if it is missing. */
  readonly word: Token | undefined;
  /** What follows that word, without the semicolon. */
  readonly objective: Tokens;
}

/** The solve item; undefined if there is none. */
export function solveItemOf(statements: readonly Statement[]): SolveItem | undefined {
  const statement = statements.find(({ tokens }) => tokens[0]?.text === "solve");
  if (!statement) return undefined;
  const at = statement.tokens.findIndex(({ text }) => /^(?:satisfy|minimize|maximize)$/.test(text));
  const word = statement.tokens[at];
  const goal = word?.text === "minimize" || word?.text === "maximize" ? word.text : "satisfy";
  const rest = word ? statement.tokens.slice(at + 1) : [];
  return { statement, goal, word, objective: rest.at(-1)?.text === ";" ? rest.slice(0, -1) : rest };
}

function split(tokens: readonly Token[], item: number, lines: Lines): Statement[] {
  const statements: Statement[] = [];
  let depth = 0;
  let own: Token[] = [];
  for (const each of tokens) {
    own.push(each);
    depth = Math.max(0, depth + stepOf(each.text));
    const [first] = own;
    if (each.text !== ";" || depth > 0 || !first) continue;
    const { start } = first;
    statements.push({ item, start, end: each.start + 1, line: lines.at(start).line, tokens: own });
    own = [];
  }
  const [first] = own;
  if (!first) return statements;
  const { start } = first;
  return [...statements, { item, start, end: endOf(own.at(-1)), line: lines.at(start).line, tokens: own }];
}

/** Matches a file in the library or in one of its subfolders, but never in a parent folder or at an absolute path. */
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
        "put the content of the file into items, or pass its values as data to solve_model",
      ],
      position,
    );
  }
}
