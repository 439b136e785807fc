import { type List, type Node, nameOf, oneLine, walk } from "../../engines/smt/sexpr.ts";
import type { Sort } from "./symbols.ts";

/** A command in a script. */
export interface Stated {
  readonly head: string;
  readonly node: List;
  readonly line: number;
}

/** A name introduced by a command. */
export interface Declaration {
  readonly name: string;
  /**
   * The kind of name: `defined` names refer to a term, `recursive` ones to a function with a body, and `named` ones to
   * a formula.
   */
  readonly kind: "declared" | "defined" | "recursive" | "datatype" | "named" | "sort";
  readonly parameters: readonly Sort[];
  readonly result: Sort;
  /** The node with the name. */
  readonly node: Node;
  readonly command: Stated;
  /** For a selector, the constructor whose field it reads. */
  readonly of?: string;
}

/** The items of a list; empty for an atom. */
export function itemsOf(node: Node | undefined): readonly Node[] {
  return node?.kind === "list" ? node.items : [];
}

const sort_chars_max = 200;

const abbreviations = ["16 5 11", "32 8 24", "64 11 53", "128 15 113"].map((sizes): [string, Sort] => {
  const [bits, exponent, significand] = sizes.split(" ");
  return [`Float${bits}`, `(_ FloatingPoint ${exponent} ${significand})`];
});

/** Reads a script's declarations, with their sorts. */
export class Declarations {
  readonly #text: string;
  /** Sort abbreviations; undefined for those with parameters. */
  readonly #aliases = new Map(abbreviations);
  /** The names of sorts that were already reported or are declared. */
  readonly #seen = new Set<string>(["_"]);
  readonly #show: (name: string, node: Node) => void;

  /** Calls `show` once for the name of each sort that was not declared before. */
  constructor(text: string, show: (name: string, node: Node) => void) {
    this.#text = text;
    this.#show = show;
  }

  /** Returns a sort without abbreviations; undefined if it depends on parameters or is very long. */
  sort(node: Node | undefined, parameters: ReadonlySet<string> = new Set()): Sort {
    if (node === undefined) return undefined;
    let is_open = false;
    for (const each of walk(node)) {
      const name = nameOf(each);
      if (name === undefined) continue;
      is_open ||= parameters.has(name);
      if (parameters.has(name) || this.#seen.has(name)) continue;
      this.#seen.add(name);
      this.#show(name, each);
    }
    if (is_open || node.end - node.start > sort_chars_max) return undefined;
    let is_known = true;
    const plain = oneLine(this.#text, node).replaceAll(/\|[^|]*\||[^\s()|]+/g, (word) => {
      const name = word.startsWith("|") ? word.slice(1, -1) : word;
      if (!this.#aliases.has(name)) return /^[\w.!$%&*+/<=>?@^~-]+$/.test(name) ? name : word;
      const meaning = this.#aliases.get(name);
      is_known &&= meaning !== undefined;
      return meaning ?? name;
    });
    return is_known && plain.length <= sort_chars_max ? plain : undefined;
  }

  /** The names declared or defined by a command, in text order, without `:named` ones. */
  of(command: Stated): Declaration[] {
    const { head, node } = command;
    const [, first, second, third] = node.items;
    const sorts = (nodes: readonly (Node | undefined)[]) => nodes.map((each) => this.sort(each));
    switch (head) {
      case "declare-const":
      case "declare-var":
        return declaration("declared", command, first, [], this.sort(second));
      case "declare-fun":
      case "declare-rel":
      case "declare-map":
        return declaration("declared", command, first, sorts(itemsOf(second)), this.sort(third));
      case "define-const":
        return declaration("defined", command, first, [], this.sort(second));
      case "define-fun":
      case "define-fun-rec": {
        const kind = head === "define-fun" ? "defined" : "recursive";
        return declaration(kind, command, first, sorts(secondsOf(second)), this.sort(third));
      }
      case "define-funs-rec":
        return itemsOf(first).flatMap((signature) => {
          const [symbol, parameters, result] = itemsOf(signature);
          return declaration("recursive", command, symbol, sorts(secondsOf(parameters)), this.sort(result));
        });
      case "declare-sort":
      case "declare-type-var":
        return this.#sortDeclared(command, first);
      case "define-sort": {
        const sort = this.sort(third, namesIn(second));
        const declared = this.#sortDeclared(command, first);
        this.#aliases.set(nameOf(first) ?? "", itemsOf(second).length === 0 ? sort : undefined);
        return declared;
      }
    }
    const all = datatypesOf(command);
    const names = all.flatMap(({ symbol }) => this.#sortDeclared(command, symbol));
    return [...names, ...all.flatMap((datatype) => this.#constructors(command, datatype))];
  }

  #sortDeclared(command: Stated, node: Node | undefined): Declaration[] {
    const name = nameOf(node) ?? "";
    this.#seen.add(name);
    this.#aliases.delete(name);
    return declaration("sort", command, node, [], undefined);
  }

  /** Constructors and selectors in `((nil) (cons (head Int) (tail L)))`. */
  #constructors(command: Stated, { symbol, parameters, constructors }: Datatype): Declaration[] {
    const open = namesIn(parameters);
    const own = open.size === 0 ? this.sort(symbol) : undefined;
    return constructors.flatMap((each) => {
      const [node, ...fields] = each.kind === "list" ? each.items : [each];
      const sorts = fields.map((field) => this.sort(itemsOf(field)[1], open));
      const selectors = fields.flatMap((field, i) =>
        declaration("datatype", command, itemsOf(field)[0], [own], sorts[i]),
      );
      const of = nameOf(node) ?? "";
      return [
        ...declaration("datatype", command, node, sorts, own),
        ...selectors.map((selector) => ({ ...selector, of })),
      ];
    });
  }
}

function declaration(
  kind: Declaration["kind"],
  command: Stated,
  node: Node | undefined,
  parameters: readonly Sort[],
  result: Sort,
): Declaration[] {
  const name = nameOf(node);
  return node === undefined || name === undefined ? [] : [{ name, kind, parameters, result, node, command }];
}

interface Datatype {
  readonly symbol: Node | undefined;
  readonly parameters: Node | undefined;
  readonly constructors: readonly Node[];
}

/** The datatypes declared by a command, in the forms `(par (T) …)` and Z3's older one. */
function datatypesOf({ head, node }: Stated): Datatype[] {
  const [, first, second] = node.items;
  const of_body = (symbol: Node | undefined, body: Node | undefined): Datatype => {
    const [par, parameters, inner] = itemsOf(body);
    return nameOf(par) === "par"
      ? { symbol, parameters, constructors: itemsOf(inner) }
      : { symbol, parameters: undefined, constructors: itemsOf(body) };
  };
  if (head === "declare-datatype") return [of_body(first, second)];
  if (head !== "declare-datatypes" && head !== "declare-codatatypes") return [];
  // The older form has the parameters first, and each datatype's name before its constructors.
  if (itemsOf(first).every(({ kind }) => kind !== "list"))
    return itemsOf(second).map((body) => {
      const [symbol, ...constructors] = itemsOf(body);
      return { symbol, parameters: first, constructors };
    });
  return itemsOf(first).map((each, i) => of_body(itemsOf(each)[0], itemsOf(second)[i]));
}

/** Returns the second items of pairs, such as the sorts in `((x Int) (y Real))`. */
function secondsOf(pairs: Node | undefined): (Node | undefined)[] {
  return itemsOf(pairs).map((pair) => itemsOf(pair)[1]);
}

function namesIn(list: Node | undefined): ReadonlySet<string> {
  return new Set(itemsOf(list).flatMap((each) => nameOf(each) ?? []));
}

/** The items in force on each level of an assertion stack. A push of many levels is a single entry. */
export class Levels<Item> {
  #levels: { depth: number; items: Item[] }[] = [{ depth: 1, items: [] }];

  add(item: Item): void {
    this.#levels.at(-1)?.items.push(item);
  }

  /** All items in force, in the order in which they were added. */
  get items(): Item[] {
    return this.#levels.flatMap(({ items }) => items);
  }

  /** Processes a command that opens or closes levels; returns the items no longer in force. */
  follow({ head, node }: Stated): Item[] {
    const number = node.items[1];
    let depth = number?.kind === "literal" ? Number(number.text) : 1;
    if (head === "push" && depth > 0) this.#levels.push({ depth, items: [] });
    if (head === "reset" || head === "reset-assertions") {
      const { items } = this;
      this.#levels = [{ depth: 1, items: [] }];
      return items;
    }
    const closed: Item[][] = [];
    for (let top = this.#levels.at(-1); head === "pop" && top && depth > 0; top = this.#levels.at(-1)) {
      if (this.#levels.length === 1) break;
      closed.push(top.items);
      const steps = Math.min(top.depth, depth);
      depth -= steps;
      top.depth -= steps;
      top.items = [];
      if (top.depth === 0) this.#levels.pop();
    }
    return closed.flat();
  }
}

/** The names in force while a script is read, as affected by push, pop and reset. */
export class Names {
  readonly #meanings = new Map<string, Declaration[]>();
  readonly #levels = new Levels<string>();
  readonly #global: boolean;

  /** If `global` is set, declarations survive a pop. */
  constructor(global: boolean) {
    this.#global = global;
  }

  /** The current meanings of a name; empty if it is free. */
  of(name: string): readonly Declaration[] {
    return this.#meanings.get(name) ?? [];
  }

  add(declaration: Declaration): void {
    const { name } = declaration;
    this.#levels.add(name);
    const meanings = this.#meanings.get(name);
    if (meanings) meanings.push(declaration);
    else this.#meanings.set(name, [declaration]);
  }

  /** Processes a command that opens or closes a scope. Z3 keeps its declarations when assertions are reset. */
  follow(command: Stated): void {
    const { head } = command;
    if (head === "reset-assertions" || (this.#global && head !== "reset")) return;
    for (const name of this.#levels.follow(command)) this.#meanings.get(name)?.pop();
  }
}

/** Whether a script's declarations survive (pop). */
export function hasGlobalDeclarations(commands: readonly Stated[]): boolean {
  return commands.some(({ head, node }) => {
    if (head !== "set-option") return false;
    const [, key, value] = node.items;
    return key?.kind === "keyword" && /^:global[-_]decl/i.test(key.text) && nameOf(value) === "true";
  });
}
