import type { Type } from "../../engines/minizinc/read.ts";
import type { Position } from "../../kernel/fault.ts";
import { Lines } from "../../kernel/text/lines.ts";
import type { Statement } from "./statements.ts";
import { closingOf, endOfLevel, outside, parted, type Token, type Tokens } from "./tokens.ts";

/** A name that a model declares outside of functions: `TYPE: name`. */
export interface Declaration {
  readonly statement: Statement;
  readonly name: Token;
  /** The tokens before the colon. */
  readonly type: Tokens;
  readonly is_variable: boolean;
  /** The `=` before its value, and the tokens of the value, if it is in the declaration. */
  readonly sign: Token | undefined;
  readonly value: Tokens;
}

const no_declaration = /^(?:constraint|solve|output|include|predicate|function|test|annotation|enum|type)$/;

/** The declarations of a model, other than those of enums, types and functions. */
export function declarationsIn(statements: readonly Statement[]): Declaration[] {
  const aliases = new Set(
    statements.flatMap(({ tokens: [first, name, ...type] }) =>
      first?.text === "type" && name && type.some(({ text }) => text === "var") ? [name.text] : [],
    ),
  );
  return statements.flatMap((statement) => {
    const { tokens } = statement;
    if (no_declaration.test(tokens[0]?.text ?? "")) return [];
    const [colon = -1] = outside(tokens, /^:$/);
    const name = tokens[colon + 1];
    if (colon < 1 || name?.kind !== "word" || tokens[colon + 2]?.text === "(") return [];
    const type = tokens.slice(0, colon);
    const is_variable = type.some(({ text }) => text === "var" || aliases.has(text));
    // The value follows the first = outside all brackets; annotations precede it.
    const at = endOfLevel(tokens, colon, /^[=;]$/);
    const sign = tokens[at]?.text === "=" ? tokens[at] : undefined;
    return [{ statement, name, type, is_variable, sign, value: sign ? tokens.slice(at + 1, -1) : [] }];
  });
}

/** The variables that a model declares: `var T: x`, `array[S] of var T: x`, `record(var T: a): x`. */
export function variablesIn(statements: readonly Statement[]): Declaration[] {
  return declarationsIn(statements).filter(({ is_variable }) => is_variable);
}

/** The names that get their value from a separate statement: `x = 3;`. */
export function assignedIn(statements: readonly Statement[]): ReadonlySet<string> {
  return new Set(
    statements.flatMap(({ tokens: [name, sign] }) => (name?.kind === "word" && sign?.text === "=" ? [name.text] : [])),
  );
}

/** Variables whose value is given in the model itself, in their declaration or by an assignment. */
export function namesWithValue(statements: readonly Statement[]): ReadonlySet<string> {
  const declared = variablesIn(statements).filter(({ sign }) => sign !== undefined);
  return new Set([...declared.map(({ name }) => name.text), ...assignedIn(statements)]);
}

/** The names declared anywhere in a statement with this word in their type. */
export function declaredWith(word: RegExp, tokens: Tokens): string[] {
  return tokens.flatMap(({ text }, i) => {
    const colon = word.test(text) ? endOfLevel(tokens, i, /^[:;]$/) : tokens.length;
    const name = tokens[colon + 1];
    return tokens[colon]?.text === ":" && name?.kind === "word" ? [name.text] : [];
  });
}

/** The positions of these names' declarations: after a colon, or after the word enum. */
export function placesOf(
  names: readonly string[],
  statements: readonly Statement[],
  items: readonly string[],
): Map<string, Position> {
  const name_set = new Set(names);
  const places = new Map<string, Position>();
  for (const { item, tokens } of statements) {
    for (const [i, { text, start }] of tokens.entries()) {
      const declares = /^(?::|enum)$/.test(tokens[i - 1]?.text ?? "");
      if (declares && name_set.has(text) && !places.has(text))
        places.set(text, { item, ...new Lines(items[item] ?? "").at(start) });
    }
  }
  return places;
}

/** The enums declared without members. */
export function openEnums(statements: readonly Statement[]): string[] {
  const assigned = assignedIn(statements);
  return statements.flatMap(({ tokens: [first, name, ...rest] }) =>
    first?.text === "enum" && name && !rest.some(({ text }) => text === "=") && !assigned.has(name.text)
      ? [name.text]
      : [],
  );
}

/** The index sets in the type of an array; empty for other types. */
export function indexSetsOf(type: Tokens): Tokens[] {
  return type[0]?.text === "array" ? parted(type.slice(2, closingOf(type, 1))) : [];
}

/**
 * The types of the parameters without a value in a model, if all of them are numbers, truth values, or lists of these
 * indexed by numbers. Undefined for any other model; then MiniZinc has to determine them, in a separate run.
 */
export function plainParameters(statements: readonly Statement[]): Readonly<Record<string, Type>> | undefined {
  const declared = declarationsIn(statements);
  const known_statements = new Set(declared.map(({ statement }) => statement));
  const isKnown = (statement: Statement) => {
    const [first, sign] = statement.tokens;
    return known_statements.has(statement) || no_declaration.test(first?.text ?? "") || sign?.text === "=";
  };
  if (!statements.every(isKnown) || openEnums(statements).length > 0) return undefined;
  const sets = new Set(declared.flatMap(({ type, name }) => (textOf(type) === "set of int" ? [name.text] : [])));
  const assigned = assignedIn(statements);
  const open = declared.filter(({ is_variable, sign, name }) => !is_variable && !sign && !assigned.has(name.text));
  const types = open.map(({ type, name }): [string, Type] | undefined => {
    const dims = indexSetsOf(type).map(textOf);
    const [, element] = /^(?:array \[ [^()]* \] of )?(int|float|bool)$/.exec(textOf(type)) ?? [];
    const has_numbers = dims.every((each) => each === "int" || each.includes("..") || sets.has(each));
    if (element === undefined || !has_numbers || name.text.startsWith("'")) return undefined;
    return [name.text, { type: element, set: false, optional: false, dim: dims.length, dims: dims.map(() => "int") }];
  });
  const known = types.filter((each) => each !== undefined);
  return known.length === types.length ? Object.fromEntries(known) : undefined;
}

/** Tokens as one text, with spaces between them. */
export function textOf(tokens: Tokens): string {
  return tokens.map(({ text }) => text).join(" ");
}
