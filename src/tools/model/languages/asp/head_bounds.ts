import type { Statement } from "../../../../evidence/asp/tokens.ts";
import { closing, partsOf, type Token } from "../../../../evidence/asp/tokens.ts";
import { joined } from "../../items/item_lines.ts";
import { componentsOf } from "./components.ts";
import type { AspProgram } from "./program.ts";

/**
 * Rewrites choices such as `2 { b; a : b } :- c.` as the equivalent `{ b; a : b } :- c. :- c, not 2 { b; a : b }.`.
 * clingo 5.4 and 5.8 ground the first form incorrectly: they check the bound before the head's own atoms count in its
 * conditions, and then report that there is no answer set. A choice is rewritten only if one of its conditions can
 * depend on the choice's own atoms. The constraint is appended to the item's text, so that all positions are preserved.
 */
export function withBoundsApart(program: AspProgram): AspProgram {
  const components = componentsOf(usesOf(program.statements));
  const guards = program.bare_items.map((): Token[] => []);
  const constraints = program.bare_items.map((): string[] => []);
  const ends = program.bare_items.map(({ length }) => length);
  const statements = program.statements.map((statement) => {
    const { item } = statement;
    const choice = choiceOf(statement);
    const bounds = [...(choice?.before ?? []), ...(choice?.behind ?? [])];
    if (!choice || bounds.length === 0 || !dependsOnItself(choice, components)) return statement;
    const constraint = constraintOf(choice, program.bare_items[item] ?? "");
    guards[item]?.push(...bounds);
    constraints[item]?.push(constraint);
    const start = (ends[item] ?? 0) + 1;
    ends[item] = start + constraint.length;
    return { ...statement, bounds: { start, end: start + constraint.length } };
  });
  const bare_items = program.bare_items.map((bare, item) =>
    [blank(bare, guards[item] ?? []), ...(constraints[item] ?? [])].join(" "),
  );
  return { ...program, bare_items, text: joined(bare_items), statements };
}

/** A rule whose head has an aggregate. */
interface Choice {
  readonly elements: readonly Element[];
  /** The tokens of the lower and upper bounds. */
  readonly before: readonly Token[];
  readonly behind: readonly Token[];
  /** The aggregate function that counts the elements, such as `#sum`; empty for a head that consists only of braces. */
  readonly by: string;
  readonly body: readonly Token[];
}

interface Element {
  /** The counted tuple; empty for a head that consists only of braces and therefore counts its atoms. */
  readonly tuple: readonly Token[];
  readonly atom: readonly Token[];
  readonly conditions: readonly (readonly Token[])[];
}

function choiceOf({ tokens }: Statement): Choice | undefined {
  const [head, body] = sidesOf(tokens);
  const open = head.findIndex(({ text }) => text === "{");
  if (open < 0 || !derives(tokens)) return undefined;
  const close = closing(head, open);
  const by = head[open - 1]?.kind === "directive" ? (head[open - 1]?.text ?? "") : "";
  const elements = partsOf(head.slice(open + 1, close), ";").map((element) => {
    const parts = partsOf(element, ":");
    const [tuple = [], atom = [], ...conditions] = by === "" ? [[], ...parts] : parts;
    return { tuple, atom, conditions };
  });
  const before = head.slice(0, by === "" ? open : open - 1);
  return { elements, before, behind: head.slice(close + 1), by, body };
}

/** Splits a rule into its head and body, without the separators around them. */
export function sidesOf(tokens: readonly Token[]): [head: readonly Token[], body: readonly Token[]] {
  const sign = tokens.findIndex(({ text }) => text === ":-");
  return sign < 0 ? [tokens.slice(0, -1), []] : [tokens.slice(0, sign), tokens.slice(sign + 1, -1)];
}

const aggregate = /^#(?:sum\+?|count|min|max)$/;

/**
 * Whether a statement derives atoms, unlike a constraint or a directive. Note that a head can begin with an aggregate.
 */
export function derives([first]: readonly Token[]): boolean {
  const text = first?.text ?? "";
  return text !== ":-" && text !== ":~" && (first?.kind !== "directive" || aggregate.test(text));
}

/**
 * Maps each predicate that rules derive to the predicates that its derivation can use. Every atom in a choice uses all
 * of the choice's conditions, since the conditions decide whether the choice's bound can be met.
 */
function usesOf(statements: readonly Statement[]): Map<string, Set<string>> {
  const uses = new Map<string, Set<string>>();
  const note = (derived: readonly Token[], used: readonly Token[]) => {
    const names = predicatesIn(used);
    for (const name of predicatesIn(derived)) {
      const known = uses.get(name) ?? new Set();
      for (const each of names) known.add(each);
      uses.set(name, known);
    }
  };
  for (const statement of statements.filter(({ tokens }) => derives(tokens))) {
    const choice = choiceOf(statement);
    const [head, body] = sidesOf(statement.tokens);
    if (choice) note(atomsOf(choice), [...conditionsOf(choice), ...body]);
    else note(head, [...(head.some(({ text }) => text === ":") ? head : []), ...body]);
  }
  return uses;
}

/**
 * The predicates whose atoms can differ between answer sets, as far as the rules show: those in a choice or a
 * disjunction, and those that depend on them.
 */
export function openPredicates(statements: readonly Statement[]): ReadonlySet<string> {
  const rules = statements.filter(({ tokens }) => derives(tokens));
  const open = new Set(
    rules.flatMap((rule) => {
      const choice = choiceOf(rule);
      const [head] = sidesOf(rule.tokens);
      const is_disjunction = partsOf(head, ";").length > 1 || partsOf(head, "|").length > 1;
      return choice || is_disjunction ? [...predicatesIn(choice ? atomsOf(choice) : head)] : [];
    }),
  );
  const uses = usesOf(statements);
  for (let before = -1; before !== open.size; ) {
    before = open.size;
    for (const [name, used] of uses) if ([...used].some((each) => open.has(each))) open.add(name);
  }
  return open;
}

function atomsOf({ elements }: Choice): Token[] {
  return elements.flatMap(({ atom }) => [...atom]);
}

function conditionsOf({ elements }: Choice): Token[] {
  return elements.flatMap(({ conditions }) => conditions.flat());
}

/** The names outside arguments: predicates, and also constants in comparisons, which derive nothing. */
export function predicatesIn(tokens: readonly Token[]): Set<string> {
  const names = new Set<string>();
  let depth = 0;
  for (const { kind, text } of tokens) {
    if (text === "(") depth++;
    else if (text === ")") depth--;
    else if (kind === "name" && depth === 0) names.add(text);
  }
  return names;
}

function dependsOnItself(choice: Choice, components: ReadonlyMap<string, number>): boolean {
  const conditions = new Set([...predicatesIn(conditionsOf(choice))].map((name) => components.get(name)));
  return [...predicatesIn(atomsOf(choice))].some((name) => conditions.has(components.get(name)));
}

/**
 * Builds the constraint for a choice's bound. In a body, an element's atom becomes one of its conditions. Literals are
 * separated by semicolons, since a comma would continue a conditional literal.
 */
function constraintOf({ elements, before, behind, by, body }: Choice, bare: string): string {
  const textOf = (part: readonly Token[]) => {
    const last = part.at(-1);
    return last ? bare.slice(part[0]?.at, last.at + last.text.length).replaceAll("\n", " ") : "";
  };
  const counted = elements.map(({ tuple, atom, conditions }) => {
    const parts = [atom, ...conditions].map(textOf);
    const [head, ...others] = by === "" ? parts : [textOf(tuple), ...parts];
    const needed = others.filter((part) => part !== "").join(", ");
    return needed === "" ? head : `${head} : ${needed}`;
  });
  const bounded = `not ${textOf(before)} ${by} { ${counted.join("; ")} } ${textOf(behind)}`;
  return `:- ${[textOf(body), bounded].filter((part) => part !== "").join("; ")}.`;
}

function blank(text: string, tokens: readonly Token[]): string {
  const parts: string[] = [];
  let end = 0;
  for (const { at, text: token } of tokens) {
    parts.push(text.slice(end, at), " ".repeat(token.length));
    end = at + token.length;
  }
  return [...parts, text.slice(end)].join("");
}
