import { type Node, nameOf } from "../../engines/smt/sexpr.ts";
import { itemsOf } from "../../evidence/smtlib/declarations.ts";
import type { Evaluator } from "../../evidence/smtlib/evaluator.ts";
import { type Command, excerpt, type Script } from "./script/commands.ts";
import { formulaOf } from "./script/scope.ts";

/** A position at which an assertion can use a value that SMT-LIB does not define, such as 1/0. */
export interface OpenValue {
  /** A condition that is true in a model that uses the undefined value. */
  readonly condition: string;
  /** The warning for a model that uses the undefined value. */
  readonly text: string;
}

const sites_max = 100;
const depth_max = 200;
const condition_chars_max = 2_000;

/**
 * Finds the divisions, and the reads of sequences and fields, in these assertions, each with the condition under which
 * its value is undefined and matters. Positions under a quantifier have no value in a model.
 */
export function openValues(script: Script, in_force: readonly Command[]): OpenValue[] {
  const selectors = new Map(
    script.declarations.flatMap(({ name, of }) => (of === undefined ? [] : [[name, of] as const])),
  );
  const names = [...divisions, "seq.nth", ...selectors.keys()];
  if (!names.some((name) => script.text.includes(name))) return [];
  const open_values: OpenValue[] = [];
  for (const command of in_force) {
    const formula = formulaOf(command);
    if (!formula || open_values.length >= sites_max) continue;
    const finder = new Finder(script.text, command.line, selectors);
    open_values.push(...finder.in(formula, 0, true));
  }
  return open_values.slice(0, sites_max);
}

/** Returns the warning if a value that Z3 was free to choose makes an assertion true in this model. */
export async function noteOnOpenValues(
  evaluator: Evaluator,
  open_values: readonly OpenValue[],
): Promise<string | undefined> {
  if (open_values.length === 0) return undefined;
  const any = await evaluator.valueOf(`(or false ${open_values.map(({ condition }) => condition).join("\n")})`);
  if (any !== "true") return undefined;
  for (const { condition, text } of open_values) if ((await evaluator.valueOf(condition)) === "true") return text;
  return undefined;
}

const divisions = ["/", "div", "mod", "rem"];

class Finder {
  readonly #text: string;
  readonly #line: number;
  readonly #selectors: ReadonlyMap<string, string>;
  #seen = 0;

  constructor(text: string, line: number, selectors: ReadonlyMap<string, string>) {
    this.#text = text;
    this.#line = line;
    this.#selectors = selectors;
  }

  /**
   * Finds the positions in a term that can use undefined values. An asserted term is true in every model, and so are
   * all parts of its `and`.
   */
  in(node: Node, depth: number, asserted = false): OpenValue[] {
    if (node.kind !== "list" || depth > depth_max || this.#seen >= sites_max) return [];
    const [head, ...rest] = node.items;
    const name = nameOf(head);
    const inside = (each: Node | undefined) => (each ? this.in(each, depth + 1) : []);
    if (asserted && (name === "and" || name === "!")) {
      return rest.flatMap((each) => (each.kind === "list" ? this.in(each, depth + 1, true) : []));
    }
    switch (name) {
      case "forall":
      case "exists":
      case "lambda":
      case "match":
      case "_":
      case "as":
        return [];
      case "!":
        return inside(rest[0]);
      case "let":
        return [
          ...itemsOf(rest[0]).flatMap((binding) => inside(itemsOf(binding)[1])),
          ...inside(rest[1]).flatMap((each) => this.#within("let ", [rest[0]], each)),
        ];
      case "ite":
        return [
          ...inside(rest[0]),
          ...inside(rest[1]).flatMap((each) => this.#within("and ", [rest[0]], each)),
          ...inside(rest[2]).flatMap((each) => this.#within("and not ", [rest[0]], each)),
        ];
      case "=>":
      case "or":
      case "and":
        return rest.flatMap((each) => inside(each).flatMap((site) => this.#where(name, rest, each, site)));
      default:
        return [...rest.flatMap(inside), ...this.#here(name, node, rest)];
    }
  }

  /** Extends a position's condition: the value matters only if the other arguments do not determine the outcome. */
  #where(name: string, all: readonly Node[], own: Node, site: OpenValue): OpenValue[] {
    const conclusion = name === "=>" ? all.at(-1) : undefined;
    const true_ones = all.filter((each) => each !== own && each !== conclusion);
    const false_ones = conclusion && conclusion !== own ? [conclusion] : [];
    if (name === "or") return this.#within("and not ", true_ones, site);
    return this.#within("and ", true_ones, site).flatMap((each) => this.#within("and not ", false_ones, each));
  }

  /** Extends a condition with what must hold or must not hold; returns nothing if the condition grows too long. */
  #within(words: "let " | "and " | "and not ", nodes: readonly (Node | undefined)[], site: OpenValue): OpenValue[] {
    const length = nodes.reduce((sum, node) => sum + (node ? node.end - node.start : 0), site.condition.length);
    if (length > condition_chars_max) return [];
    const guards = nodes.map((node) => (words === "and not " ? `(not ${this.#written(node)})` : this.#written(node)));
    const head = words === "let " ? "let" : "and true";
    return [{ condition: `(${head} ${guards.join(" ")} ${site.condition})`, text: site.text }];
  }

  #here(name: string | undefined, node: Node, rest: readonly Node[]): OpenValue[] {
    const sites = this.#siteOf(name, node, rest).filter(({ condition }) => condition.length <= condition_chars_max);
    this.#seen += sites.length;
    return sites;
  }

  #siteOf(name: string | undefined, node: Node, rest: readonly Node[]): OpenValue[] {
    const shown = excerpt(this.#text, node);
    const where = `Line ${this.#line}: the model uses the value of \`${shown}\``;
    const open = "SMT-LIB does not define that value, and Z3 chose it.";
    if (name !== undefined && divisions.includes(name)) {
      return rest.slice(1).flatMap((divisor) => {
        if (divisor.kind === "literal" && !/^[0.]+$/.test(divisor.text)) return [];
        const zero = excerpt(this.#text, divisor);
        const text =
          divisor.kind === "literal"
            ? `${where}, a division by 0. ${open} Change the divisor if you do not want that.`
            : `${where}, where \`${zero}\` is 0. ${open} Assert (distinct ${zero} 0) if you do not want that.`;
        return [{ condition: `(= ${this.#written(divisor)} 0)`, text }];
      });
    }
    const [first, index] = rest;
    if (name === "seq.nth" && first && index) {
      const at = this.#written(index);
      const condition = `(or (< ${at} 0) (>= ${at} (seq.len ${this.#written(first)})))`;
      return [{ condition, text: `${where}, beyond the end of the sequence. ${open} Assert a bound for the index.` }];
    }
    const constructor_name = name === undefined ? undefined : this.#selectors.get(name);
    if (constructor_name === undefined || !first || rest.length !== 1) return [];
    const is_it = `((_ is ${symbol(constructor_name)}) ${this.#written(first)})`;
    return [{ condition: `(not ${is_it})`, text: `${where}, which has no such field. ${open} Assert ${is_it}.` }];
  }

  #written(node: Node | undefined): string {
    return node ? this.#text.slice(node.start, node.end) : "";
  }
}

/** Writes a name in a form that is valid anywhere. */
function symbol(name: string): string {
  return /^[A-Za-z0-9~!@$%^&*_\-+=<>.?/]+$/.test(name) ? name : `|${name}|`;
}
