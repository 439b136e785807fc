import { type List, type Node, nameOf, oneLine } from "../../../engines/smt/sexpr.ts";
import { Fault } from "../../../kernel/fault.ts";
import type { Lines } from "../../../kernel/text/lines.ts";
import { type Command, excerpt } from "./commands.ts";
import { itemsOf, termsOf } from "./names.ts";

/** A sort as written on one line; undefined if it was not determined. */
type Sort = string | undefined;

interface Signature {
  readonly parameters: readonly Sort[];
  readonly result: Sort;
}

/**
 * Finds where Z3 silently converts between Bool, Int and Real: a Bool becomes 1 or 0, which gives a warning; a Real
 * where an Int is required is rounded down, which is refused. Raises `input_rejected`.
 */
export function checkCoercions(text: string, lines: Lines, commands: readonly Command[]): string[] {
  const checker = new CoercionChecker(text, lines);
  for (const command of commands) checker.command(command);
  return checker.warnings;
}

/** Deeper terms are not looked into: this reads them by recursion. */
const depth_max = 300;
const warnings_max = 3;

class CoercionChecker {
  readonly #text: string;
  readonly #lines: Lines;
  /** Undefined for a name with several meanings. */
  readonly #functions = new Map<string, Signature | undefined>();
  readonly #locals = new Map<string, Sort[]>();
  readonly #aliases = new Map<string, Sort>();
  readonly #warned_at = new Set<number>();
  readonly warnings: string[] = [];

  constructor(text: string, lines: Lines) {
    this.#text = text;
    this.#lines = lines;
  }

  command(command: Command): void {
    const [, first, second, third, fourth] = command.node.items;
    const name = nameOf(first);
    switch (command.head) {
      case "declare-const":
      case "declare-var":
        this.#declare(name, [], second);
        return;
      case "declare-fun":
        this.#declare(name, itemsOf(second), third);
        return;
      case "define-sort":
        if (name !== undefined && itemsOf(second).length === 0) this.#aliases.set(name, this.#sort(third));
        return;
      case "define-const":
        this.#declare(name, [], second);
        this.#of(third, 0);
        return;
      case "define-fun":
      case "define-fun-rec":
        this.#declare(
          name,
          itemsOf(second).map((parameter) => itemsOf(parameter)[1]),
          third,
        );
        this.#within(itemsOf(second), () => this.#of(fourth, 0));
        return;
      case "declare-datatype":
      case "declare-datatypes":
        this.#declareFields(command.node);
        return;
      case "define-funs-rec":
        return;
      default:
        for (const term of termsOf(command)) this.#of(term, 0);
    }
  }

  #declare(name: string | undefined, parameters: readonly (Node | undefined)[], result: Node | undefined): void {
    if (name === undefined) return;
    const signature = { parameters: parameters.map((node) => this.#sort(node)), result: this.#sort(result) };
    this.#functions.set(name, this.#functions.has(name) ? undefined : signature);
  }

  /** Constructors with their fields: `(cons (head Int) (tail L))` takes an Int first. */
  #declareFields(command: List): void {
    const pending: Node[] = [...command.items.slice(2)];
    for (let node = pending.pop(); node; node = pending.pop()) {
      if (node.kind !== "list") continue;
      const fields = node.items.slice(1);
      const is_constructor = fields.length > 0 && fields.every((field) => itemsOf(field).length === 2);
      const name = nameOf(node.items[0]);
      if (is_constructor && name !== undefined)
        this.#declare(
          name,
          fields.map((field) => itemsOf(field)[1]),
          undefined,
        );
      for (const item of node.items) pending.push(item);
    }
  }

  #sort(node: Node | undefined): Sort {
    if (node === undefined) return undefined;
    const written = oneLine(this.#text, node);
    return this.#aliases.get(written) ?? written;
  }

  /** Runs with `((x Int) (y Real))` bound. */
  #within(bindings: readonly Node[], work: () => void): void {
    const names = bindings.flatMap((binding) => nameOf(itemsOf(binding)[0]) ?? []);
    for (const binding of bindings) this.#bind(nameOf(itemsOf(binding)[0]), this.#sort(itemsOf(binding)[1]));
    work();
    this.#unbind(names);
  }

  #bind(name: string | undefined, sort: Sort): void {
    if (name !== undefined) this.#locals.set(name, [...(this.#locals.get(name) ?? []), sort]);
  }

  #unbind(names: readonly string[]): void {
    for (const name of names) {
      const rest = (this.#locals.get(name) ?? []).slice(0, -1);
      if (rest.length > 0) this.#locals.set(name, rest);
      else this.#locals.delete(name);
    }
  }

  #of(node: Node | undefined, depth: number): Sort {
    if (node === undefined || depth > depth_max) return undefined;
    if (node.kind !== "list") return this.#ofAtom(node);
    const [head, ...rest] = node.items;
    const name = nameOf(head);
    if (name === undefined) return this.#ofApplied(node, depth);
    switch (name) {
      case "!":
        return this.#of(rest[0], depth + 1);
      case "let":
        return this.#ofLet(rest, depth);
      case "forall":
      case "exists":
        this.#within(itemsOf(rest[0]), () => this.#of(rest[1], depth + 1));
        return "Bool";
      case "lambda":
        this.#within(itemsOf(rest[0]), () => this.#of(rest[1], depth + 1));
        return undefined;
      case "match":
      case "_":
        return undefined;
      case "as":
        return this.#sort(rest[1]);
      default:
        return this.#ofCall(node, name, rest, depth);
    }
  }

  #ofAtom(node: Node): Sort {
    if (node.kind === "literal") return numberSort(this.#text.slice(node.start, node.end));
    const name = nameOf(node);
    if (name === undefined) return undefined;
    if (/^-\d/.test(name)) return numberSort(name.slice(1));
    const local = this.#locals.get(name);
    if (local) return local.at(-1);
    if (name === "true" || name === "false") return "Bool";
    const known = this.#functions.get(name);
    return known?.parameters.length === 0 ? known.result : undefined;
  }

  /** `((as const (Array Int Int)) 0)` and other applications of a list. */
  #ofApplied(node: List, depth: number): Sort {
    const [head, ...rest] = node.items;
    for (const each of rest) this.#of(each, depth + 1);
    const [as, name, sort] = itemsOf(head);
    return nameOf(as) === "as" && nameOf(name) === "const" ? this.#sort(sort) : undefined;
  }

  #ofLet([bindings, body]: readonly Node[], depth: number): Sort {
    const bound = itemsOf(bindings).map((binding) => ({
      name: nameOf(itemsOf(binding)[0]),
      sort: this.#of(itemsOf(binding)[1], depth + 1),
    }));
    for (const { name, sort } of bound) this.#bind(name, sort);
    const sort = this.#of(body, depth + 1);
    this.#unbind(bound.flatMap(({ name }) => name ?? []));
    return sort;
  }

  #ofCall(call: List, name: string, args: readonly Node[], depth: number): Sort {
    const sorts = args.map((node) => this.#of(node, depth + 1));
    if (this.#locals.has(name)) return undefined;
    if (this.#functions.has(name)) {
      const signature = this.#functions.get(name);
      for (const [i, sort] of (signature?.parameters ?? []).entries()) this.#intBelongs(name, args[i], sorts[i], sort);
      return signature?.result;
    }
    return this.#ofBuiltIn(call, name, args, sorts);
  }

  #ofBuiltIn(call: List, name: string, args: readonly Node[], sorts: readonly Sort[]): Sort {
    const numeric = sorts.some(isNumber);
    switch (name) {
      case "div":
      case "mod":
      case "rem":
        for (const [i, node] of args.entries()) this.#intBelongs(name, node, sorts[i], "Int");
        this.#noBool(call, args, sorts);
        return "Int";
      case "/":
        this.#noBool(call, args, sorts);
        return "Real";
      case "+":
      case "-":
      case "*":
        this.#noBool(call, args, sorts);
        return sorts.includes("Real") ? "Real" : sorts.every((sort) => sort === "Int") ? "Int" : undefined;
      case "<":
      case "<=":
      case ">":
      case ">=":
        this.#noBool(call, args, sorts);
        return "Bool";
      case "=":
      case "distinct":
        if (numeric) this.#noBool(call, args, sorts);
        return "Bool";
      case "ite":
        if (isNumber(sorts[1]) || isNumber(sorts[2])) this.#noBool(call, args.slice(1), sorts.slice(1));
        return sorts.slice(1).includes("Real") ? "Real" : sorts[1];
      case "select":
      case "store":
        return this.#ofArray(name, args, sorts);
      default:
        return results[name];
    }
  }

  #ofArray(name: string, args: readonly Node[], sorts: readonly Sort[]): Sort {
    const [, index, element] = /^\(Array (Int|Real|Bool) (Int|Real|Bool)\)$/.exec(sorts[0] ?? "") ?? [];
    this.#intBelongs(name, args[1], sorts[1], index);
    this.#intBelongs(name, args[2], sorts[2], element);
    return name === "select" ? element : sorts[0];
  }

  /** An integer such as 2.0 does not change when it is rounded. */
  #intBelongs(name: string, node: Node | undefined, sort: Sort, expected: Sort): void {
    if (node === undefined || sort !== "Real" || expected !== "Int") return;
    const shown = excerpt(this.#text, node);
    if (/^-?\d+\.0*$/.test(shown)) return;
    const position = this.#lines.at(node.start);
    throw new Fault(
      "input_rejected",
      {
        where: `Line ${position.line}, column ${position.column}: `,
        what: `\`${shown}\` is a Real, and \`${name}\` requires an Int here. Z3 would round it down silently. Nothing was decided.`,
      },
      [`write (to_int ${shown}) to round it down`, "or declare both sides with the same sort"],
      position,
    );
  }

  #noBool(call: List, args: readonly Node[], sorts: readonly Sort[]): void {
    const at = sorts.indexOf("Bool");
    const node = args[at];
    if (node === undefined || this.#warned_at.has(call.start) || this.#warned_at.size >= warnings_max) return;
    this.#warned_at.add(call.start);
    const shown = excerpt(this.#text, node);
    this.warnings.push(
      `Line ${this.#lines.at(node.start).line}: \`${shown}\` is a Bool where a number is expected; Z3 reads true as 1 and false as 0. Write (ite ${shown} 1 0) if you mean that.`,
    );
  }
}

function isNumber(sort: Sort): boolean {
  return sort === "Int" || sort === "Real";
}

function numberSort(text: string): Sort {
  if (/^\d+$/.test(text)) return "Int";
  return /^\d+\.\d+$/.test(text) ? "Real" : undefined;
}

/** The sorts of built-in functions whose result does not depend on their arguments. */
const results: Readonly<Record<string, string>> = Object.fromEntries([
  ..."and or not xor => is_int str.contains str.prefixof str.suffixof str.in_re bvult bvule bvslt bvsle"
    .split(" ")
    .map((name) => [name, "Bool"]),
  ..."to_int str.len str.indexof str.to_int str.to_code seq.len bv2nat ubv_to_int sbv_to_int"
    .split(" ")
    .map((name) => [name, "Int"]),
  ["to_real", "Real"],
]);
