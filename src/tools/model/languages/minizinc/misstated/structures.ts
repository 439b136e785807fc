import { closingOf, withOperators } from "../source/brackets.ts";
import type { Statement } from "../source/source.ts";
import { bindingsOf, declaredWith, definesAt, endOf, spread, type Tokens, variablesOf } from "./bindings.ts";
import { holdsBetween } from "./positions.ts";
import { operandsOf } from "./weak.ts";

/**
 * Whether tuples or records with variables are compared as a whole where the comparison may be false: MiniZinc 2.10
 * compiles `not (t = u)` to `t = u`, and forgets what is said of a negated comparison in other positions, too.
 */
export function comparesStructures(statements: readonly Statement[]): boolean {
  const all = statements.map(({ tokens }) => withOperators(tokens));
  const structures = structuresIn(all);
  return all.some((tokens) =>
    tokens.some(({ text }, i) => {
      if (!comparison.test(text) || tokens[0]?.text === "output" || definesAt(tokens, i)) return false;
      const { from, to } = operandsOf(tokens, i);
      const compared = [tokens.slice(from, i), tokens.slice(i + 1, to + 1)];
      if (!compared.some((operand) => standsForStructure(operand, structures))) return false;
      return tokens[0]?.text !== "constraint" || !holdsBetween(tokens, from, to);
    }),
  );
}

const comparison = /^(?:=|==|!=|<|<=|>|>=)$/;

interface Structures {
  /** Names of tuples and records that have variables, and of lists and functions of them. */
  readonly names: ReadonlySet<string>;
  readonly variables: ReadonlySet<string>;
  /** Whether a field can be a tuple or a record itself. */
  readonly are_nested: boolean;
}

function structuresIn(all: readonly Tokens[]): Structures {
  const bindings = bindingsOf(all);
  const variables = variablesOf(all, bindings);
  const aliases = all.flatMap(([first, name]) => (first?.text === "type" && name ? [name.text] : []));
  const type = new RegExp(`^(?:${["tuple", "record", ...aliases].join("|")})$`);
  const names = new Set(all.flatMap((tokens) => declaredWith(type, tokens)));
  const are_nested = all.some((tokens) => tokens.filter(({ text }) => type.test(text)).length > 1);
  const isStructure = (value: Tokens) => standsForStructure(value, { names, variables, are_nested });
  return { names: spread(names, bindings, isStructure), variables, are_nested };
}

/** Whether a tuple or a record stands there as itself, and not only a field of it or a function of it. */
function standsForStructure(tokens: Tokens, structures: Structures): boolean {
  for (let i = 0; i < tokens.length; i++) {
    const { kind, text = "" } = tokens[i] ?? {};
    const is_call = kind === "word" && tokens[i + 1]?.text === "(" && !/^(?:in|then|else|not)$/.test(text);
    if (kind === "word" && structures.names.has(text) && tokens[i - 1]?.text !== ".") {
      let after = i + 1;
      while (/^[([]$/.test(tokens[after]?.text ?? "")) after = closingOf(tokens, after) + 1;
      if (tokens[after]?.text !== "." || structures.are_nested) return true;
      i = after;
    } else if (is_call) i = closingOf(tokens, i + 1);
    else if (text === "(" && isLiteral(tokens.slice(i + 1, closingOf(tokens, i)), structures)) return true;
  }
  return false;
}

/** Whether the inside of brackets is that of a tuple or a record with a variable. */
function isLiteral(inner: Tokens, { variables }: Structures): boolean {
  return endOf(inner, 0, /^[,:]$/) < inner.length && inner.some(({ text }) => variables.has(text));
}
