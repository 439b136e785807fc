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
