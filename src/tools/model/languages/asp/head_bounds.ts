import { joined } from "../../items/item_lines.ts";
import type { AspProgram, Statement } from "./program.ts";
import { closing, partsOf, type Token } from "./tokens.ts";

/**
 * The program with choices such as `2 { b; a : b } :- c.` written as `{ b; a : b } :- c. :- c, not 2 { b; a : b }.`,
 * which means the same. clingo 5.4 and 5.8 ground the first form wrongly: they look for the bound before the head's own
 * atoms count in its conditions, and then report that there is no answer set. Only choices with a condition that can
 * depend on their own atoms are changed. The constraint stands behind the item's text, so that all positions stay.
 */
export function withBoundsApart(program: AspProgram): AspProgram {
  const uses = usesOf(program.statements);
  const bare_items = [...program.bare_items];
  const statements = program.statements.map((statement) => {
    const choice = choiceOf(statement);
    const guards = [...(choice?.before ?? []), ...(choice?.behind ?? [])];
    if (!choice || guards.length === 0 || !dependsOnItself(choice, uses)) return statement;
    const bare = bare_items[statement.item] ?? "";
    const unbounded = `${guards.reduce(blanked, bare)} `;
    const constraint = constraintOf(choice, bare);
    bare_items[statement.item] = unbounded + constraint;
    return { ...statement, bounds: { start: unbounded.length, end: unbounded.length + constraint.length } };
  });
  return { bare_items, text: joined(bare_items), statements };
}

/** A head with an aggregate. */
interface Choice {
  readonly elements: readonly Element[];
  /** The tokens of its bounds, before and behind. */
  readonly before: readonly Token[];
  readonly behind: readonly Token[];
  /** What counts the elements, such as `#sum`; empty for a head that is only braces. */
  readonly by: string;
  readonly body: readonly Token[];
}

interface Element {
  /** What is counted: empty for a head that is only braces, which counts its atoms. */
  readonly tuple: readonly Token[];
  readonly atom: readonly Token[];
  readonly conditions: readonly (readonly Token[])[];
}

function choiceOf({ tokens }: Statement): Choice | undefined {
  const [head, body] = sidesOf(tokens);
  const open = head.findIndex(({ text }) => text === "{");
  if (open < 0 || tokens[0]?.text === ":-" || tokens[0]?.kind === "directive") return undefined;
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

/** Head and body of a rule, without the signs around them. */
function sidesOf(tokens: readonly Token[]): [head: readonly Token[], body: readonly Token[]] {
  const sign = tokens.findIndex(({ text }) => text === ":-");
  return sign < 0 ? [tokens.slice(0, -1), []] : [tokens.slice(0, sign), tokens.slice(sign + 1, -1)];
}

/** The names that rules derive, each with the names that its derivation can use. */
function usesOf(statements: readonly Statement[]): Map<string, Set<string>> {
  const uses = new Map<string, Set<string>>();
  const note = (derived: readonly Token[], used: readonly Token[]) => {
    for (const name of namesIn(derived)) uses.set(name, new Set([...(uses.get(name) ?? []), ...namesIn(used)]));
  };
  for (const statement of statements) {
    const choice = choiceOf(statement);
    const [first] = statement.tokens;
    if (choice) for (const { atom, conditions } of choice.elements) note(atom, [...conditions.flat(), ...choice.body]);
    else if (first?.kind !== "directive" && first?.text !== ":~") note(sidesOf(statement.tokens)[0], statement.tokens);
  }
  return uses;
}

/** Names of predicates, and of functions and constants: these can only make more heads depend on themselves. */
function namesIn(tokens: readonly Token[]): string[] {
  return tokens.filter(({ kind }) => kind === "name").map(({ text }) => text);
}

function dependsOnItself({ elements }: Choice, uses: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const own = new Set(elements.flatMap(({ atom }) => namesIn(atom)));
  const reached = new Set(elements.flatMap(({ conditions }) => namesIn(conditions.flat())));
  // A set can grow while it is walked through: what is added is visited, too.
  for (const name of reached) for (const used of uses.get(name) ?? []) reached.add(used);
  return [...reached].some((name) => own.has(name));
}

/** In a body, the atom of an element stands among its conditions. A comma would continue a conditional literal there. */
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

function blanked(text: string, { at, text: token }: Token): string {
  return text.slice(0, at) + " ".repeat(token.length) + text.slice(at + token.length);
}
