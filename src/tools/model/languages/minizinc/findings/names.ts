import { topLevelColon } from "../source/floats.ts";
import type { Statement, Token } from "../source/source.ts";

/** A name that a model declares outside of functions. */
export interface Declared {
  readonly statement: Statement;
  readonly name: string;
  readonly token: Token;
  readonly is_variable: boolean;
  /** The tokens of its type. */
  readonly type: readonly Token[];
  /** The tokens of its definition, if it is in the declaration. */
  readonly value: readonly Token[];
}

const no_declaration =
  /^(?:constraint|solve|output|include|predicate|function|test|annotation|enum|type|any|tuple|record)$/;

/** A model's declarations with plain types; enums, records and types with names are left out. */
export function declaredIn(statements: readonly Statement[]): Declared[] {
  return statements.flatMap((statement) => {
    const { tokens } = statement;
    const colon = topLevelColon(tokens);
    const token = tokens[colon + 1];
    if (colon < 1 || token?.kind !== "word" || no_declaration.test(tokens[0]?.text ?? "")) return [];
    const type = tokens.slice(0, colon);
    const sign = tokens.findIndex(({ text }, i) => i > colon && text === "=");
    const value = sign < 0 ? [] : tokens.slice(sign + 1, -1);
    const is_variable = type.some(({ text }) => text === "var");
    return [{ statement, name: bare(token.text), token, is_variable, type, value }];
  });
}

/** The names among some tokens, without quotes; including those in strings, which can contain expressions. */
export function wordsIn(tokens: readonly Token[]): string[] {
  return tokens.flatMap(({ kind, text }) => {
    if (kind === "word") return [bare(text)];
    return kind === "string" && text.includes("\\(") ? (text.match(/[A-Za-z_]\w*/g) ?? []) : [];
  });
}

/** A name without quotes: `'x'` is `x`. */
export function bare(name: string): string {
  return name.replace(/^'(.*)'$/, "$1");
}

/** Whether a type bounds its values, as `0..9` does but `int` doesn't. */
export function isBounded(type: readonly Token[]): boolean {
  const elements = type.slice(type.findIndex(({ text }) => text === "var") + 1);
  return !elements.every(({ text }) => /^(?:int|float|bool)$/.test(text));
}
