import { closingOf, stepOf, withOperators } from "./brackets.ts";
import type { Statement, Token } from "./source.ts";

/** A call of a function: the tokens of its statement, where its name is, and its arguments. */
export interface Call {
  readonly tokens: readonly Token[];
  readonly at: number;
  readonly args: readonly (readonly Token[])[];
}

/** The calls of functions whose names match. */
export function callsOf(statements: readonly Statement[], name: RegExp): Call[] {
  return statements.flatMap((statement) => {
    const tokens = withOperators(statement.tokens);
    return tokens.flatMap(({ kind, text }, at) => {
      if (kind !== "word" || !name.test(text) || tokens[at + 1]?.text !== "(") return [];
      return [{ tokens, at, args: parted(tokens.slice(at + 2, closingOf(tokens, at + 1))) }];
    });
  });
}

/** The argument with a name in MiniZinc's library (`f(cover: [1, 2])`), or else at a position. */
export function argumentOf({ args }: Call, position: number, name: string): readonly Token[] {
  const named = args.find(([first, second]) => first?.text === name && second?.text === ":");
  return named?.slice(2) ?? args[position] ?? [];
}

/** The parts between commas. */
export function parted(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    depth += stepOf(token.text);
    if (depth === 0 && token.text === ",") parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

/** The elements of a list as the source or the data writes them; undefined where they are computed. */
export function writtenElements(
  list: readonly Token[],
  statements: readonly Statement[],
  data: readonly string[],
): string[] | undefined {
  const [first, ...more] = list;
  if (first?.kind === "word" && more.length === 0) return elementsOfName(first.text, statements, data);
  const inner = list.slice(1, -1);
  if (first?.text !== "[" || closingOf(list, 0) !== list.length - 1 || inner.some(({ text }) => text === "|"))
    return undefined;
  return parted(inner)
    .map((part) => part.map(({ text }) => text).join(""))
    .filter((text) => text !== "");
}

function elementsOfName(name: string, statements: readonly Statement[], data: readonly string[]): string[] | undefined {
  for (const { tokens } of statements) {
    const i = tokens.findIndex(({ text }, at) => text === name && tokens[at + 1]?.text === "=");
    const before = tokens[i - 1]?.text;
    if (i < 0 || (before !== undefined && before !== ":")) continue;
    const value = tokens.slice(i + 2);
    return writtenElements(value.at(-1)?.text === ";" ? value.slice(0, -1) : value, statements, data);
  }
  for (const text of data) {
    const values: unknown = JSON.parse(text);
    const value = typeof values === "object" && values !== null ? Object.entries(values) : [];
    const own = value.find(([key]) => key === name)?.[1];
    if (Array.isArray(own)) return own.map((each) => JSON.stringify(each));
  }
  return undefined;
}
