import type { Edit } from "../../../items/edits.ts";
import { closingOf, openingOf, withOperators } from "./brackets.ts";
import { endOf } from "./floats.ts";
import type { Statement, Token } from "./source.ts";

export type Tokens = readonly Token[];

/**
 * Functions around what MiniZinc's compiler states wrongly where it negates it: `not (o < 3)` of an optional variable
 * becomes `o >= 3`, which is true of an absent one, too, and `not (t = u)` of tuples `t = u`. Of a truth value that has
 * a name only the value is negated. `deopt(o)` of an absent variable is undefined, and 0 as it is compiled.
 */
const truth_functions = `
function var bool: truth_by_verdict(var bool: b) = let { var bool: t = b } in t;
test truth_by_verdict(bool: b) = b;`;

function deopt(type: string): string {
  return `
function var ${type}: deopt_by_verdict(var opt ${type}: o) = let { constraint occurs(o) } in deopt(o);
function ${type}: deopt_by_verdict(opt ${type}: o) = deopt(o);`;
}

/** The functions that a rewritten text uses; those of floats only where it has some, which show that a model is about floats. */
export function functionsFor(edits: readonly Edit[], statements: readonly Statement[]): string {
  if (edits.length === 0) return "";
  const has_floats = statements.some(({ tokens }) => tokens.some(({ text }) => text === "float"));
  return `${truth_functions}${["$$E", "bool", ...(has_floats ? ["float"] : [])].map(deopt).join("")}
`;
}

/** The insertions that put these functions around comparisons of optional values and of structures, and for `deopt`. */
export function truths(statements: readonly Statement[]): Edit[] {
  const all = statements.map(({ tokens, item }) => ({ item, tokens: withOperators(tokens) }));
  const special = specialIn(all.map(({ tokens }) => tokens));
  if (!special) return [];
  return all.flatMap(({ item, tokens }) => {
    if (/^(?:output|include|type|enum)$/.test(tokens[0]?.text ?? "")) return [];
    const insert = (at: number, text: string): Edit => ({ item, start: at, end: at, text });
    const reads = tokens.filter(({ text }, i) => text === "deopt" && tokens[i + 1]?.text === "(");
    return [
      ...reads.map((token) => insert(endOf(token), "_by_verdict")),
      ...comparisonsIn(tokens, special).flatMap(({ from, to }) => [
        insert(tokens[from]?.start ?? 0, "truth_by_verdict("),
        insert(endOf(tokens[to]), ")"),
      ]),
    ];
  });
}

/** Whether a `let` has a variable without a value: such a one can't stand in an argument. */
export function hasFreeVariables(statements: readonly Statement[]): boolean {
  return statements.some(({ tokens }) =>
    tokens.some(({ text }, i) => {
      if (text !== "let" || tokens[i + 1]?.text !== "{") return false;
      const inner = tokens.slice(i + 2, closingOf(tokens, i + 1));
      return inner.some(({ text }, at) => text === "var" && inner[endOfLevel(inner, at, /^[=;,]$/)]?.text !== "=");
    }),
  );
}

/** What can stand for an optional value or a structure. */
interface Special {
  readonly names: ReadonlySet<string>;
  readonly variables: ReadonlySet<string>;
  readonly has_structures: boolean;
}

/** Undefined where a model has none of them. */
function specialIn(all: readonly Tokens[]): Special | undefined {
  const variables = new Set(all.flatMap((tokens) => declaredWith(/^var$/, tokens)));
  const aliases = all.flatMap(([first, name]) => (first?.text === "type" && name ? [name.text] : []));
  const structures = new RegExp(`^(?:${["tuple", "record", ...aliases].join("|")})$`);
  const has_structures = all.some((tokens) => tokens.some(({ text }) => structures.test(text)));
  const types = has_structures ? new RegExp(`${structures.source}|^(?:opt|any)$`) : /^(?:opt|any)$/;
  const names = new Set(all.flatMap((tokens) => declaredWith(types, tokens)));
  const special = { names, variables, has_structures };
  const bindings = all.flatMap(bindingsIn);
  for (let before = -1; before !== names.size; ) {
    before = names.size;
    for (const { name, value } of bindings) {
      if (isSpecial(value, special)) names.add(name);
      if (value.some(({ text }) => variables.has(text))) variables.add(name);
    }
  }
  return all.some((tokens) => isSpecial(tokens, special)) ? special : undefined;
}

function isSpecial(tokens: Tokens, { names, variables, has_structures }: Special): boolean {
  return tokens.some(({ kind, text }, i) => {
    if (text === "<>" || text.endsWith("_weak")) return true;
    // Elements that are left out depending on a variable are absent.
    if (text === "where") return tokens.slice(i, endOfLevel(tokens, i, /^,$/)).some((each) => variables.has(each.text));
    if (text === "(" && has_structures && tokens[i - 1]?.kind !== "word")
      return endOfLevel(tokens, i + 1, /^[,:]$/) < closingOf(tokens, i);
    if (kind !== "word" || !names.has(text)) return false;
    const is_read = tokens[i - 1]?.text === "(" && /^(?:occurs|absent|deopt)$/.test(tokens[i - 2]?.text ?? "");
    const after = /^[([]$/.test(tokens[i + 1]?.text ?? "") ? closingOf(tokens, i + 1) + 1 : i + 1;
    return !is_read && tokens[after]?.text !== "default";
  });
}

/** The names that a statement declares with a word in their type. */
export function declaredWith(word: RegExp, tokens: Tokens): string[] {
  return tokens.flatMap(({ text }, i) => {
    const colon = word.test(text) ? endOfLevel(tokens, i, /^[:;]$/) : tokens.length;
    const name = tokens[colon + 1];
    return tokens[colon]?.text === ":" && name?.kind === "word" ? [name.text] : [];
  });
}

/** What generators give a name: `x, y in list`, and `z = value` behind another one. */
function bindingsIn(tokens: Tokens): { readonly name: string; readonly value: Tokens }[] {
  return tokens.flatMap(({ kind, text }, i) => {
    if (kind !== "word" || !/^(?:in|,|=)$/.test(tokens[i + 1]?.text ?? "")) return [];
    const sign = tokens.findIndex(
      (each, at) => at > i && !(each.text === "," || (each.kind === "word" && each.text !== "in")),
    );
    const is_in =
      tokens[i + 1]?.text === "=" ? i + 1 : tokens.findIndex((each, at) => at > i && at <= sign && each.text === "in");
    return is_in < 0
      ? []
      : [{ name: text, value: tokens.slice(is_in + 1, endOfLevel(tokens, is_in + 1, end_of_value)) }];
  });
}

const end_of_value = /^(?:[,;]|where|\/\\|\\\/|->|<-|<->|xor|then|else|endif)$/;

/** The first token that matches and stands on this level, or the bracket that closes it. */
function endOfLevel(tokens: Tokens, from: number, end: RegExp): number {
  for (let i = from; i < tokens.length; i++) {
    const text = tokens[i]?.text ?? "";
    if (end.test(text) || /^[)\]}]$/.test(text)) return i;
    if (/^[([{]$/.test(text)) i = closingOf(tokens, i);
  }
  return tokens.length;
}

/** Tokens, both included. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Words in whose reach a condition may be negated, but for other comparisons. */
const negating = /^(?:not|->|<-|<->|xor|if|where|clause|predicate|function|test|var|bool)$/;

/** The comparisons of something special that may be negated: one by itself in a constraint is not. */
function comparisonsIn(tokens: Tokens, special: Special): Span[] {
  const all = comparisonsOf(tokens, /^(?:<|<=|>|>=|=|==|!=)$/);
  if (all.length === 1 && !tokens.some(({ text }) => negating.test(text))) return [];
  const comparisons = special.has_structures ? all : comparisonsOf(tokens, /^[<>]=?$/);
  return comparisons.filter(({ from, to }) => isSpecial(tokens.slice(from, to + 1), special));
}

/** The comparisons with these operators. */
export function comparisonsOf(tokens: Tokens, operator: RegExp): Span[] {
  return tokens.flatMap(({ text }, i) =>
    operator.test(text) && !definesAt(tokens, i)
      ? [{ from: endOfOperand(tokens, i, -1), to: endOfOperand(tokens, i, 1) }]
      : [],
  );
}

/** Whether a token is the sign of a declaration, an assignment, a definition or a generator. */
function definesAt(tokens: Tokens, i: number): boolean {
  if (tokens[i]?.text !== "=") return false;
  const open = openOfLevel(tokens, i);
  const before = tokens[i - 2]?.text ?? "";
  if (open < 0) {
    const is_definition = !/^(?:constraint|solve)$/.test(tokens[0]?.text ?? "");
    return is_definition && tokens.findIndex((each, at) => each.text === "=" && openOfLevel(tokens, at) < 0) === i;
  }
  // In a let, or behind another generator.
  const inner = tokens.slice(open, i);
  return before === ":" || (before === "," && inner.some(({ text }) => text === "in"));
}

/** The bracket around a token; -1 where there is none. */
function openOfLevel(tokens: Tokens, at: number): number {
  for (let i = at - 1; i >= 0; i--) {
    const text = tokens[i]?.text ?? "";
    if (/^[([{]$/.test(text)) return i;
    if (/^[)\]}]$/.test(text)) i = openingOf(tokens, i);
  }
  return -1;
}

/** What ends an operand of a comparison on its own level. */
const end_of_operand = /^(?:\/\\|\\\/|->|<-|<->|xor|not|=|==|!=|<|<=|>|>=|,|;|:|\||then|else|elseif|where|constraint)$/;

/** The last token of the operand of a comparison on one side of it. */
function endOfOperand(tokens: Tokens, operator: number, by: 1 | -1): number {
  let last = operator;
  for (let i = operator + by; i >= 0 && i < tokens.length; i += by) {
    const text = tokens[i]?.text ?? "";
    const is_body = text === "in" && tokens[i - 1]?.text === "}";
    if (end_of_operand.test(text) || is_body || isEdge(text, by)) return last;
    if (isEdge(text, by === 1 ? -1 : 1)) i = otherEnd(tokens, i, by);
    last = i;
  }
  return last;
}

/** Whether a bracket, or an `if`, closes what is around it in this direction. */
function isEdge(text: string, by: 1 | -1): boolean {
  return by === 1 ? /^(?:[)\]}]|endif)$/.test(text) : /^(?:[([{]|if)$/.test(text);
}

function otherEnd(tokens: Tokens, from: number, by: 1 | -1): number {
  let depth = 0;
  for (let i = from; i >= 0 && i < tokens.length; i += by) {
    const text = tokens[i]?.text ?? "";
    if (isEdge(text, by === 1 ? -1 : 1)) depth++;
    if (isEdge(text, by)) depth--;
    if (depth === 0) return i;
  }
  return from;
}
