import { type Node, nameOf } from "../../../engines/smt/sexpr.ts";
import type { Command } from "./commands.ts";
import { levelsOf } from "./scope.ts";

/** A name that a command brings into the script. */
export interface Declaration {
  readonly name: string;
  /** `defined` names refer to a term, `recursive` ones to a function with a body. */
  readonly kind: "declared" | "defined" | "recursive" | "datatype" | "named" | "sort";
  /** How many arguments it takes. */
  readonly arity: number;
  readonly command: Command;
  /** The constructor whose field a selector reads. */
  readonly of?: string;
}

/** The names that a command declares or defines, in the order of the text, without `:named` ones. */
export function declarationsOf(command: Command): Declaration[] {
  const [, first, second] = command.node.items;
  const own = nameOf(first);
  const one = (kind: Declaration["kind"], arity: number): Declaration[] =>
    own === undefined ? [] : [{ name: own, kind, arity, command }];
  switch (command.head) {
    case "declare-const":
    case "declare-var":
      return one("declared", 0);
    case "declare-fun":
    case "declare-rel":
    case "declare-map":
      return one("declared", itemsOf(second).length);
    case "define-const":
      return one("defined", 0);
    case "define-fun":
      return one("defined", itemsOf(second).length);
    case "define-fun-rec":
      return one("recursive", itemsOf(second).length);
    case "define-funs-rec":
      return itemsOf(first).flatMap((signature) => {
        const [symbol, parameters] = itemsOf(signature);
        const name = nameOf(symbol);
        return name === undefined
          ? []
          : [{ name, kind: "recursive" as const, arity: itemsOf(parameters).length, command }];
      });
    case "declare-sort":
    case "define-sort":
    case "declare-type-var":
      return one("sort", 0);
    case "declare-datatype":
      return [...one("sort", 0), ...constructors(command, second)];
    case "declare-datatypes":
    case "declare-codatatypes":
      return datatypes(command, first, second);
    default:
      return [];
  }
}

function datatypes(command: Command, first: Node | undefined, second: Node | undefined): Declaration[] {
  const sort = (node: Node | undefined): Declaration[] => {
    const name = nameOf(node);
    return name === undefined ? [] : [{ name, kind: "sort", arity: 0, command }];
  };
  const heads = itemsOf(first);
  // The older form has parameters first, and each datatype's name before its constructors.
  const is_older_form = heads.every((head) => head.kind !== "list");
  if (!is_older_form) {
    return [
      ...heads.flatMap((head) => sort(itemsOf(head)[0])),
      ...itemsOf(second).flatMap((body) => constructors(command, body)),
    ];
  }
  return itemsOf(second).flatMap((body) => [
    ...sort(itemsOf(body)[0]),
    ...itemsOf(body)
      .slice(1)
      .flatMap((each) => constructorNames(command, each)),
  ]);
}

/** Constructors and selectors of `((nil) (cons (head Int) (tail L)))`, also after `par`. */
function constructors(command: Command, body: Node | undefined): Declaration[] {
  const [head, , inner] = itemsOf(body);
  if (nameOf(head) === "par") return constructors(command, inner);
  return itemsOf(body).flatMap((each) => constructorNames(command, each));
}

function constructorNames(command: Command, node: Node): Declaration[] {
  const name = nameOf(node.kind === "list" ? node.items[0] : node);
  if (name === undefined) return [];
  const fields = itemsOf(node).slice(1);
  const selectors = fields.flatMap((field) => nameOf(itemsOf(field)[0]) ?? []);
  return [
    { name, kind: "datatype", arity: fields.length, command },
    ...selectors.map((selector) => ({ name: selector, kind: "datatype" as const, arity: 1, command, of: name })),
  ];
}

/** The items of a list; none for an atom. */
export function itemsOf(node: Node | undefined): readonly Node[] {
  return node?.kind === "list" ? node.items : [];
}

/** The names in force while a script is read, as push, pop and reset leave them. */
export class Names {
  #levels: Map<string, Declaration[]>[] = [new Map()];
  readonly #global: boolean;

  /** With `global`, declarations outlive a pop. */
  constructor(global: boolean) {
    this.#global = global;
  }

  /** The current meaning of a name; nothing for one that is free. */
  of(name: string): Declaration[] {
    return this.#levels.flatMap((level) => level.get(name) ?? []);
  }

  add(declaration: Declaration): void {
    const level = this.#levels.at(-1);
    level?.set(declaration.name, [...(level.get(declaration.name) ?? []), declaration]);
  }

  /** Follows a command that opens or closes a scope. Z3 keeps its declarations when assertions are reset. */
  follow({ head, node }: Command): void {
    if (head === "reset") this.#levels = [new Map()];
    else if (!this.#global && head !== "reset-assertions")
      this.#levels = levelsOf(this.#levels, head, node, () => new Map<string, Declaration[]>());
  }
}

/** Whether a script keeps its declarations through (pop). */
export function hasGlobalDeclarations(commands: readonly Command[]): boolean {
  return commands.some(({ head, node }) => {
    if (head !== "set-option") return false;
    const [, key, value] = node.items;
    return key?.kind === "keyword" && /^:global[-_]decl/i.test(key.text) && nameOf(value) === "true";
  });
}

/** The list of `(head …)` of an assertion or of any other command with terms. */
export function termsOf(command: Command): readonly Node[] {
  return has_terms.test(command.head) ? command.node.items.slice(1) : [];
}

const has_terms =
  /^(assert|assert-soft|define-(fun|const|fun-rec|funs-rec)|minimize|maximize|check-sat.*|get-value|eval|simplify|rule|query|get-consequences)$/;
