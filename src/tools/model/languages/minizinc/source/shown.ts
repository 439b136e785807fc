import type { Edit } from "../../../items/edits.ts";
import type { Statement, Token } from "./source.ts";

/** A statement that declares a variable. */
interface Declaration {
  readonly statement: Statement;
  readonly name: Token;
  /** The tokens before the colon. */
  readonly type: readonly Token[];
  /** The `=` before its value, if the declaration has one. */
  readonly sign: Token | undefined;
}

const annotation = " :: add_to_output";

/**
 * Annotations that make MiniZinc print variables defined by an equation; if one variable is annotated, all others must
 * be, too. A model with its own output annotations gets none.
 */
export function annotations(statements: readonly Statement[]): Edit[] {
  const declared = variablesIn(statements);
  const chosen = statements.some(({ tokens }) =>
    tokens.some(
      ({ text }, i) =>
        /^(?:add_to_output|output|output_only|no_output)$/.test(text) &&
        tokens[i - 1]?.text === ":" &&
        tokens[i - 2]?.text === ":",
    ),
  );
  const valued = namesWithValue(statements);
  if (chosen || !declared.some(({ name }) => valued.has(name.text))) return [];
  return declared.map(({ statement: { item }, name }) => {
    const end = name.start + name.text.length;
    return { item, start: end, end, text: annotation };
  });
}

/** The names of the variables declared by a model. */
export function namesOfVariables(statements: readonly Statement[]): string[] {
  return variablesIn(statements).map(({ name }) => name.text);
}

/** Variables whose value is given in the model itself, in their declaration or by an assignment. */
export function namesWithValue(statements: readonly Statement[]): ReadonlySet<string> {
  const declared = variablesIn(statements).filter(({ sign }) => sign !== undefined);
  const assigned = statements.flatMap(({ tokens: [name, sign] }) =>
    name?.kind === "word" && sign?.text === "=" ? [name.text] : [],
  );
  return new Set([...declared.map(({ name }) => name.text), ...assigned]);
}

/** The variables that the statements declare: `var T: x`, `array[S] of var T: x`, `record(var T: a): x`. */
export function variablesIn(statements: readonly Statement[]): Declaration[] {
  const aliases = statements.flatMap(({ tokens: [first, name, ...type] }) =>
    first?.text === "type" && name && type.some(({ text }) => text === "var") ? [name.text] : [],
  );
  return statements.flatMap((statement) => variableIn(statement, new Set(aliases)));
}

function variableIn(statement: Statement, aliases: ReadonlySet<string>): Declaration[] {
  const { tokens } = statement;
  const first = tokens[0]?.text ?? "";
  if (!/^(?:var|array|any|tuple|record)$/.test(first) && !aliases.has(first)) return [];
  const depths = depthsOf(tokens);
  const colon = tokens.findIndex(({ text }, i) => text === ":" && depths[i] === 0);
  const name = tokens[colon + 1];
  const type = tokens.slice(0, colon);
  const is_variable = type.some(({ text }) => text === "var" || aliases.has(text));
  if (colon < 0 || name?.kind !== "word" || !is_variable || tokens[colon + 2]?.text === "(") return [];
  // The value follows the first = outside of all brackets; annotations precede it.
  const sign = tokens.find(({ text }, i) => i > colon && text === "=" && depths[i] === 0);
  return [{ statement, name, type, sign }];
}

/** The bracket depth of each token. */
function depthsOf(tokens: readonly Token[]): number[] {
  let depth = 0;
  return tokens.map(({ text }) => {
    if (/^[)\]}]$/.test(text)) depth--;
    const own = depth;
    if (/^[([{]$/.test(text)) depth++;
    return own;
  });
}
