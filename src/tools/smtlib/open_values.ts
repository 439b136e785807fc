import { type Node, nameOf } from "../../solvers/z3/sexpr.ts";
import { declarationsOf, itemsOf } from "./names.ts";
import { formulaOf } from "./scope.ts";
import { type Command, excerpt, type Script } from "./script.ts";

/** A place where an assertion may use a value that SMT-LIB leaves open, such as that of 1/0. */
export interface OpenValue {
  /** True in a model that uses the value there. */
  readonly condition: string;
  /** The warning for such a model. */
  readonly text: string;
}

const sites_max = 100;
const depth_max = 200;
const condition_chars_max = 2_000;

/**
 * The divisions, and reads of sequences and of fields, in these assertions, each with the condition
 * under which its value is open and matters. Places under a quantifier have no value in a model.
 */
export function openValues(script: Script, in_force: readonly Command[]): OpenValue[] {
  const selectors = selectorsOf(script.commands);
  const names = [...divisions, "seq.nth", ...selectors.keys()];
  if (!names.some((name) => script.text.includes(name))) return [];
  const found: OpenValue[] = [];
  for (const command of in_force) {
    const formula = formulaOf(command);
    if (!formula || found.length >= sites_max) continue;
    const finder = new Finder(script.text, command.line, selectors);
    found.push(...finder.in(formula, 0));
  }
  return found.filter(({ condition }) => condition.length <= condition_chars_max).slice(0, sites_max);
}

const divisions = ["/", "div", "mod", "rem"];

/** Each selector with the constructor whose field it reads. */
function selectorsOf(commands: readonly Command[]): Map<string, string> {
  const pairs = commands
    .flatMap(declarationsOf)
    .flatMap(({ name, of }): [string, string][] => (of ? [[name, of]] : []));
  return new Map(pairs);
}

class Finder {
  readonly #text: string;
  readonly #line: number;
  readonly #selectors: ReadonlyMap<string, string>;

  constructor(text: string, line: number, selectors: ReadonlyMap<string, string>) {
    this.#text = text;
    this.#line = line;
    this.#selectors = selectors;
  }

  in(node: Node, depth: number): OpenValue[] {
    if (node.kind !== "list" || depth > depth_max) return [];
    const [head, ...rest] = node.items;
    const name = nameOf(head);
    const inside = (each: Node | undefined) => (each ? this.in(each, depth + 1) : []);
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
          ...inside(rest[1]).map((each) => within(`let ${this.#written(rest[0])}`, each)),
        ];
      case "ite":
        return [
          ...inside(rest[0]),
          ...inside(rest[1]).map((each) => within(`and ${this.#written(rest[0])}`, each)),
          ...inside(rest[2]).map((each) => within(`and (not ${this.#written(rest[0])})`, each)),
        ];
      case "=>":
      case "or":
      case "and":
        return rest.flatMap((each) => inside(each).map((site) => this.#where(name, rest, each, site)));
      default:
        return [...rest.flatMap(inside), ...this.#here(name, node, rest)];
    }
  }

  /** The value matters only where the other arguments leave the outcome to this one. */
  #where(name: string, all: readonly Node[], own: Node, site: OpenValue): OpenValue {
    const others = all.filter((each) => each !== own);
    const guards = others.map((each) => {
      const holds = name === "and" || (name === "=>" && each !== all.at(-1));
      return holds ? this.#written(each) : `(not ${this.#written(each)})`;
    });
    return within(`and true ${guards.join(" ")}`, site);
  }

  #here(name: string | undefined, node: Node, rest: readonly Node[]): OpenValue[] {
    const shown = excerpt(this.#text, node);
    const where = `Line ${this.#line}: the model uses the value of \`${shown}\``;
    const open = "SMT-LIB leaves that value open, and Z3 chose it.";
    if (name !== undefined && divisions.includes(name)) {
      return rest.slice(1).flatMap((divisor) => {
        if (divisor.kind === "literal" && !/^[0.]+$/.test(divisor.text)) return [];
        const zero = excerpt(this.#text, divisor);
        const text = `${where}, where \`${zero}\` is 0. ${open} Assert (distinct ${zero} 0) if that is not meant.`;
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

function within(words: string, { condition, text }: OpenValue): OpenValue {
  return { condition: `(${words} ${condition})`, text };
}

/** A name as it can be written anywhere. */
function symbol(name: string): string {
  return /^[A-Za-z0-9~!@$%^&*_\-+=<>.?/]+$/.test(name) ? name : `|${name}|`;
}
