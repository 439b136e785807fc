import { readCheck, readErrors, readList } from "../../../engines/smt/read.ts";
import { headOf, type Node, nameOf, walk } from "../../../engines/smt/sexpr.ts";
import type { SmtSolver } from "../../../engines/smt/solver.ts";
import type { Deadline } from "../../../kernel/deadline.ts";
import { smtlib_limits } from "../limits.ts";
import type { Plan } from "../plan.ts";
import type { Command } from "../script/commands.ts";
import { isSetting } from "./fit.ts";

/** What Z3 says of a model that another solver found; open where it can't tell. */
export type Confirmation = "holds" | "fails" | "undecided";

/**
 * Checks a model by a solver that did not find it: Z3 runs the script with each constant and function defined as the
 * model has it, so that only values that SMT-LIB leaves open are still to be found.
 */
export async function confirmModel(
  z3: Pick<SmtSolver, "unqueued">,
  plan: Plan,
  model: string,
  deadline: Deadline,
): Promise<Confirmation> {
  const commands = withModel(plan, model);
  if (!commands) return "undecided";
  const bounded = deadline.atMost(smtlib_limits.confirm_ms_max);
  const answer = await z3.unqueued.run(bounded, async (session) => {
    const read = await session.ask(commands);
    if (read.kind === "gone" || readErrors(read.text).length > 0) return "undecided";
    const checked = await session.ask("(check-sat)");
    const word = checked.kind === "gone" ? undefined : readCheck(checked.text);
    return word === "sat" ? "holds" : word === "unsat" ? "fails" : "undecided";
  });
  return answer === "expired" ? "undecided" : answer;
}

/**
 * The script up to its last check, with definitions in place of its declarations; undefined for what is not a model.
 * Settings are left out: Z3 answers those of other solvers with errors.
 */
function withModel(plan: Plan, model: string): string | undefined {
  const parsed = parsedModel(model);
  if (!parsed) return undefined;
  const commands = plan.before.filter(({ command }) => !isSetting(command));
  const lines = commands.flatMap(({ command, piece }) => {
    const definition = isDeclaration(command) ? parsed.definitions.get(nameOf(command.node.items[1]) ?? "") : undefined;
    return [definition ?? piece.text, ...elementsOf(command, parsed.elements)];
  });
  const assumed = plan.assumptions.map(({ piece }) => `(assert ${piece.text})`);
  return [...parsed.roots, ...lines, ...assumed].join("\n");
}

interface ParsedModel {
  readonly definitions: Map<string, string>;
  /** The names of the elements of each uninterpreted sort. */
  readonly elements: Map<string, Set<string>>;
  /** Commands that say what the roots of polynomials are that occur as values. */
  readonly roots: string[];
}

function parsedModel(model: string): ParsedModel | undefined {
  const items = readList(model)?.items;
  if (!items) return undefined;
  const parsed: ParsedModel = { definitions: new Map(), elements: new Map(), roots: [] };
  for (const item of items) {
    const name = item.kind === "list" && headOf(item)?.startsWith("define-fun") ? nameOf(item.items[1]) : undefined;
    if (name !== undefined) parsed.definitions.set(name, inWordsOfZ3(model, item, parsed));
  }
  return parsed;
}

/** A definition in which constants that we declare stand for the values that only its own solver can read. */
function inWordsOfZ3(model: string, definition: Node, parsed: ParsedModel): string {
  let text = "";
  let from = definition.start;
  for (const node of walk(definition)) {
    const constant = elementIn(node, parsed) ?? rootIn(node, parsed);
    if (constant === undefined) continue;
    text += model.slice(from, node.start) + constant;
    from = node.end;
  }
  return text + model.slice(from, definition.end);
}

/** The element of an uninterpreted sort: `(as @U_0 U)`. */
function elementIn(node: Node, { elements }: ParsedModel): string | undefined {
  if (node.kind !== "list" || headOf(node) !== "as") return undefined;
  const [, element, sort] = node.items;
  const name = nameOf(element);
  if (!name?.startsWith("@")) return undefined;
  const constant = `|element ${name}|`;
  const of_sort = nameOf(sort) ?? "";
  elements.set(of_sort, (elements.get(of_sort) ?? new Set()).add(constant));
  return constant;
}

/** Declares the elements of a sort behind its declaration: they differ from each other. */
function elementsOf({ head, node }: Command, elements: ParsedModel["elements"]): string[] {
  const sort = head === "declare-sort" ? (nameOf(node.items[1]) ?? "") : "";
  const names = [...(elements.get(sort) ?? [])];
  const declared = names.map((name) => `(declare-const ${name} |${sort}|)`);
  return names.length > 1 ? [...declared, `(assert (distinct ${names.join(" ")}))`] : declared;
}

/** The root of a polynomial between two bounds: `(_ real_algebraic_number |<1*x^2 + (-2), (5/4, 3/2)>|)`. */
function rootIn(node: Node, { roots }: ParsedModel): string | undefined {
  if (node.kind !== "list" || nameOf(node.items[1]) !== "real_algebraic_number") return undefined;
  const [, polynomial = "", low = "", high = ""] = /^<(.*), \((.*), (.*)\)>$/.exec(nameOf(node.items[2]) ?? "") ?? [];
  const constant = `|root ${roots.length}|`;
  const sum = polynomial.split(" + ").map(monomial).join(" ");
  roots.push(
    `(declare-const ${constant} Real)(assert (let ((x ${constant})) (and (= 0 (+ 0 ${sum})) (< ${rational(low)} x ${rational(high)}))))`,
  );
  return constant;
}

/** `(-3*x^2)` as a term. */
function monomial(text: string): string {
  const [, factor = "0", x, power = "1"] = /^\(?(-?\d+)(\*x(?:\^(\d+))?)?\)?$/.exec(text) ?? [];
  const powers = Array.from({ length: x === undefined ? 0 : Number(power) }, () => "x");
  return `(* 1 ${rational(factor)} ${powers.join(" ")})`;
}

/** `-7/4` as a term. */
function rational(text: string): string {
  const [numerator = "0", denominator = "1"] = text.replace("-", "").split("/");
  const value = `(/ ${numerator} ${denominator})`;
  return text.startsWith("-") ? `(- ${value})` : value;
}

function isDeclaration({ head }: Command): boolean {
  return head === "declare-const" || head === "declare-fun";
}
