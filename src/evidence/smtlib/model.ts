import { readList } from "../../engines/smt/read.ts";
import { asking } from "../../engines/smt/second.ts";
import { headOf, type Node, nameOf, walk } from "../../engines/smt/sexpr.ts";
import type { SmtSolver } from "../../engines/smt/solver.ts";
import type { Deadline } from "../../kernel/deadline.ts";
import { confirmed, type Finding, open } from "../../kernel/evidence.ts";
import type { Stated } from "./declarations.ts";

/** The declarations and assertions before a check, and the check's assumptions. */
export interface SmtProblem {
  readonly commands: readonly { readonly command: Stated; readonly text: string }[];
  readonly assumptions: readonly string[];
}

/**
 * Checks a model with a solver that did not find it: Z3 solves the problem with each constant and function defined as
 * in the model, so that it only has to find values that SMT-LIB leaves open.
 */
export async function checkModel(
  z3: SmtSolver,
  problem: SmtProblem,
  model: string,
  deadline: Deadline,
): Promise<Finding> {
  const text = withModel(problem, model);
  if (text === undefined) return open("it is not a model");
  const opinion = await asking(z3)([text], deadline);
  if (opinion.kind === "undecided") return open(opinion.why);
  const by = [opinion.engine];
  return opinion.kind === "sat" ? confirmed(by) : { verdict: "refuted", by, reason: "the script" };
}

/** The problem with its declarations replaced by the model's definitions; undefined if the text is not a model. */
function withModel({ commands, assumptions }: SmtProblem, model: string): string | undefined {
  const parsed = parsedModel(model);
  if (!parsed) return undefined;
  const lines = commands.flatMap(({ command, text }) => {
    const definition = isDeclaration(command) ? parsed.definitions.get(nameOf(command.node.items[1]) ?? "") : undefined;
    return [definition ?? text, ...elementsOf(command, parsed.elements)];
  });
  return [...parsed.roots, ...lines, ...assumptions.map((each) => `(assert ${each})`)].join("\n");
}

interface ParsedModel {
  readonly definitions: Map<string, string>;
  /** The element names of each uninterpreted sort. */
  readonly elements: Map<string, Set<string>>;
  /** Commands that define the polynomial roots used as values. */
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

/**
 * Rewrites a definition for Z3: values that only the model's own solver can read are replaced with constants that we
 * declare.
 */
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

/** Recognises an element of an uninterpreted sort, such as `(as @U_0 U)`. */
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

/** Declares the elements of a sort, which are distinct, after the sort's declaration. */
function elementsOf({ head, node }: Stated, elements: ParsedModel["elements"]): string[] {
  const sort = head === "declare-sort" ? (nameOf(node.items[1]) ?? "") : "";
  const names = [...(elements.get(sort) ?? [])];
  const declared = names.map((name) => `(declare-const ${name} |${sort}|)`);
  return names.length > 1 ? [...declared, `(assert (distinct ${names.join(" ")}))`] : declared;
}

/**
 * Recognises a polynomial's root between two bounds, such as `(_ real_algebraic_number |<1*x^2 + (-2), (5/4, 3/2)>|)`.
 */
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

/** Converts a monomial such as `(-3*x^2)` to a term. */
function monomial(text: string): string {
  const [, factor = "0", x, power = "1"] = /^\(?(-?\d+)(\*x(?:\^(\d+))?)?\)?$/.exec(text) ?? [];
  const powers = Array.from({ length: x === undefined ? 0 : Number(power) }, () => "x");
  return `(* 1 ${rational(factor)} ${powers.join(" ")})`;
}

/** Converts a fraction such as `-7/4` to a term. */
function rational(text: string): string {
  const [numerator = "0", denominator = "1"] = text.replace("-", "").split("/");
  const value = `(/ ${numerator} ${denominator})`;
  return text.startsWith("-") ? `(- ${value})` : value;
}

function isDeclaration({ head }: Stated): boolean {
  return head === "declare-const" || head === "declare-fun";
}
