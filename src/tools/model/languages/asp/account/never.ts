import type { Clingo } from "../../../../../engines/clingo/index.ts";
import { type Literal, scopesOf } from "../../../../../evidence/asp/scopes.ts";
import { closing, partsOf, type Statement, type Token } from "../../../../../evidence/asp/tokens.ts";
import type { Deadline } from "../../../../../kernel/deadline.ts";
import { joined } from "../../../items/item_lines.ts";
import type { Items } from "../../../items/items.ts";
import { openPredicates } from "../head_bounds.ts";
import { goalElements } from "../objective.ts";
import type { AspProgram } from "../program.ts";
import { type Found, placed, sourceOf } from "./source.ts";

/** The maximum number of statements in an examined program; most statements of a larger one are data. */
const probes_max = 1_000;
const head = "holds_of_verdict(";

/** A body to be tested by grounding. */
interface Probe {
  readonly terms: string;
  readonly body: string;
}

/**
 * Finds rules and constraints whose conditions never hold together in an answer set, although each of their predicates
 * has atoms. Also finds objectives with the same value in all answer sets. Grounding lists everything that can hold, so
 * whatever it omits never holds. Finds nothing if grounding does not finish in time. Raises `busy` and `cancelled`.
 */
export async function neverIn(
  clingo: Clingo,
  program: AspProgram,
  items: Items,
  deadline: Deadline,
): Promise<string[]> {
  const bodies = program.statements.filter(({ tokens, bounds }) => !bounds && bodyOf(tokens).length > 0);
  const goals = goalElements(program.statements);
  const atoms = new Map<string, number>();
  const needs = bodies.map(({ tokens }) => positiveAtoms(tokens).map((atom) => numberOf(atom, atoms)));
  if (bodies.length + goals.length + atoms.size > probes_max || deadline.is_over) return [];
  const probes: Probe[] = [
    ...bodies.map((each) => ({ terms: "", body: sourceOf(each, bodyOf(each.tokens), program) })),
    ...[...atoms.keys()].map((body) => ({ terms: "", body })),
    ...goals.map(({ statement, tuple, condition }) => ({
      terms: `,(${sourceOf(statement, tuple, program).replaceAll("@", ",")})`,
      body: condition.length > 0 ? sourceOf(statement, condition, program) : "#true",
    })),
  ];
  const rules = probes.map(({ terms, body }, i) => `${head}${i}${terms}) :- ${body}.`);
  const states = new Map<number, "open" | "certain">();
  const is_whole = await clingo.ground(deadline, joined([...program.bare_items, ...rules]), (line) => {
    if (!line.startsWith(head)) return;
    const number = Number.parseInt(line.slice(head.length), 10);
    if (states.get(number) !== "open")
      states.set(number, line.endsWith(").") && !line.includes(":-") ? "certain" : "open");
  });
  if (!is_whole) return [];
  const never = bodies.flatMap((statement, i): Found[] => {
    const has_atoms = (needs[i] ?? []).every((number) => states.has(bodies.length + number));
    return states.has(i) || !has_atoms ? [] : [{ statement, text: findingOf(statement) }];
  });
  const first = bodies.length + atoms.size;
  const has_choices = openPredicates(program.statements).size > 0;
  const is_named = never.length > 0 && !goals.some((_, i) => states.has(first + i));
  const is_fixed =
    has_choices && !is_named && goals.length > 0 && goals.every((_, i) => states.get(first + i) !== "open");
  const fixed = { text: "The objective has the same value in all answer sets: no choice affects it." };
  return placed(is_fixed ? [...never, fixed] : never, items);
}

/** The body tokens of a rule or constraint; empty for a fact or directive. */
function bodyOf(tokens: readonly Token[]): readonly Token[] {
  if (tokens[0]?.text === ":~") return tokens.slice(1, tokens.findLastIndex(({ text }) => text === "[") - 1);
  const sign = tokens.findIndex(({ text }) => text === ":-");
  return sign < 0 ? [] : tokens.slice(sign + 1, -1);
}

/** The atoms that must hold for a body to hold, with each term replaced by `_`. */
function positiveAtoms(tokens: readonly Token[]): string[] {
  return scopesOf(tokens).whole.literals.flatMap(atomOf);
}

function atomOf({ tokens, elements }: Literal): string[] {
  const [name, open, ...rest] = tokens[0]?.text === "-" ? tokens.slice(1) : tokens;
  const is_whole =
    !open || (open.text === "(" && rest.length > 1 && closing(tokens, tokens.indexOf(open)) === tokens.length - 1);
  if (elements.length > 0 || name?.kind !== "name" || !is_whole || rest.some(({ text }) => text === ";")) return [];
  const sign = tokens[0] === name ? "" : "-";
  const terms = open ? `(${partsOf(rest.slice(0, -1), ",").map(() => "_")})` : "";
  return [`${sign}${name.text}${terms}`];
}

function numberOf(atom: string, numbers: Map<string, number>): number {
  const number = numbers.get(atom) ?? numbers.size;
  numbers.set(atom, number);
  return number;
}

function findingOf({ tokens }: Statement): string {
  const [first] = tokens;
  if (first?.text === ":-") return "the conditions of this constraint never hold together, so it forbids nothing.";
  if (first?.text === ":~") return "the conditions of this weak constraint never hold together, so it costs nothing.";
  return "the conditions of this rule never hold together, so it derives nothing.";
}
