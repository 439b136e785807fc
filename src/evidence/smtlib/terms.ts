import { type List, type Node, nameOf } from "../../engines/smt/sexpr.ts";
import { type Declaration, Declarations, hasGlobalDeclarations, itemsOf, Names, type Stated } from "./declarations.ts";
import { builtIn, type Sort } from "./symbols.ts";

/** A term in a script: a symbol, a literal, or an application of a symbol. */
export interface Term {
  readonly node: Node;
  /**
   * The symbol, such as `to_fp` in `((_ to_fp 8 24) RNE x)`; undefined for a literal, or if the head is itself a term.
   */
  readonly name: string | undefined;
  readonly indices: readonly Node[];
  /** The term's subterms; for `let`, the values and then the body. */
  readonly args: readonly Node[];
  readonly sorts: readonly Sort[];
  readonly sort: Sort;
  /** The meaning of the symbol, if the script declares or binds it itself. */
  readonly own: readonly Declaration[] | "bound" | undefined;
}

/** The meanings of names at a position in a script, and which of its terms are numbers. */
export type Scope = Pick<Tree, "of" | "isBound" | "isConstant">;

/** Visits a script's declarations and terms; subterms are visited before the terms that contain them. */
export interface Reader {
  /** Called for each declared name before it comes into force. */
  declaration?(declaration: Declaration, scope: Scope): void;
  term?(term: Term, scope: Scope): void;
  /** Called at the first use of a sort that the script does not declare. */
  sort?(name: string, node: Node): void;
  /** Called for each variable case in a `match`; `is_used` says whether the case's term uses the variable. */
  variableCase?(pattern: Node, is_last: boolean, is_used: boolean): void;
}

/** Visits all terms of a script once, with their sorts. */
export function readTerms(text: string, commands: readonly Stated[], readers: readonly Reader[]): void {
  const tree = new Tree(text, readers, new Names(hasGlobalDeclarations(commands)));
  for (const command of commands) tree.read(command);
}

/** A name bound by a term. */
interface Local {
  readonly sort: Sort;
  is_used: boolean;
}

/** Yields the subterms of a term, receives their sorts, and returns its own sort. */
type Reading = Generator<Node, Sort, Sort>;

class Tree {
  readonly #readers: readonly Reader[];
  readonly #names: Names;
  readonly #declarations: Declarations;
  readonly #locals = new Map<string, Local[]>();
  readonly #constants = new WeakSet<Node>();
  #command: Stated | undefined;

  constructor(text: string, readers: readonly Reader[], names: Names) {
    this.#readers = readers;
    this.#names = names;
    this.#declarations = new Declarations(text, (name, node) => {
      for (const reader of readers) reader.sort?.(name, node);
    });
  }

  /** The meanings of a name declared by the script. */
  of(name: string): readonly Declaration[] {
    return this.#names.of(name);
  }

  isBound(name: string): boolean {
    return this.#localOf(name) !== undefined;
  }

  /** Whether a visited term consists only of numbers, such as (/ 1 (- 3)). */
  isConstant(node: Node): boolean {
    return this.#constants.has(node);
  }

  read(command: Stated): void {
    this.#command = command;
    this.#names.follow(command);
    for (const declaration of this.#declarations.of(command)) this.#declare(declaration);
    const [, first, second, third, fourth] = command.node.items;
    switch (command.head) {
      case "define-const":
        this.#read(third);
        break;
      case "define-fun":
      case "define-fun-rec":
        this.#readWith(second, fourth);
        break;
      case "define-funs-rec":
        for (const [i, body] of itemsOf(second).entries()) this.#readWith(itemsOf(itemsOf(first)[i])[1], body);
        break;
      case "check-sat":
      case "get-interpolant":
        for (const each of command.node.items.slice(1)) this.#read(each);
        break;
      case "check-sat-assuming":
      case "get-value":
      case "get-consequences":
        for (const each of [...itemsOf(first), ...itemsOf(second)]) this.#read(each);
        break;
      default:
        if (has_a_term.test(command.head)) this.#read(first);
    }
  }

  #declare(declaration: Declaration): void {
    for (const reader of this.#readers) reader.declaration?.(declaration, this);
    // Sorts have a separate namespace.
    if (declaration.kind !== "sort") this.#names.add(declaration);
  }

  #readWith(parameters: Node | undefined, body: Node | undefined): void {
    const names = this.#bindAll(parameters);
    this.#read(body);
    this.#unbind(names);
  }

  /** Reads a term without recursion, since terms can be nested as deeply as the text allows. */
  #read(root: Node | undefined): void {
    const open: Reading[] = [];
    let sort: Sort;
    for (let next = root; ; ) {
      if (next?.kind === "list") open.push(this.#list(next));
      else if (next) sort = this.#applied(next, next, [], []);
      const innermost = open.at(-1);
      if (!innermost) return;
      const step = innermost.next(sort);
      next = step.done ? undefined : step.value;
      if (!step.done) continue;
      sort = step.value;
      open.pop();
    }
  }

  *#list(node: List): Reading {
    const [head, ...rest] = node.items;
    const name = nameOf(head);
    switch (name) {
      case "let":
        return yield* this.#let(node);
      case "forall":
      case "exists":
      case "lambda": {
        const names = this.#bindAll(rest[0]);
        const sorts = yield* this.#sortsOf(rest.slice(1));
        this.#unbind(names);
        return this.#show({ node, name, args: rest.slice(1), sorts }, name === "lambda" ? undefined : "Bool");
      }
      case "match":
        return yield* this.#match(node);
      case "!":
        return yield* this.#annotated(node);
      case "_":
      case "as":
        return this.#applied(node, node, [], []);
      default: {
        const begins_with_term = head?.kind === "list" && !/^(?:_|as)$/.test(nameOf(head.items[0]) ?? "");
        if (begins_with_term) yield head;
        const sorts = yield* this.#sortsOf(rest);
        return this.#applied(node, begins_with_term ? undefined : head, rest, sorts);
      }
    }
  }

  *#sortsOf(nodes: readonly Node[]): Generator<Node, Sort[], Sort> {
    const sorts: Sort[] = [];
    for (const node of nodes) sorts.push(yield node);
    return sorts;
  }

  *#let(node: List): Reading {
    const [, bindings, body] = node.items;
    const pairs = itemsOf(bindings).flatMap((binding): [Node | undefined, Node][] => {
      const [symbol, value] = itemsOf(binding);
      return value ? [[symbol, value]] : [];
    });
    const values = pairs.map(([, value]) => value);
    const sorts = yield* this.#sortsOf(values);
    const names = pairs.flatMap(([symbol], i) => this.#bind(symbol, sorts[i]));
    const sort = body && (yield body);
    this.#unbind(names);
    const args = body ? [...values, body] : values;
    return this.#show({ node, name: "let", args, sorts: [...sorts, sort] }, sort);
  }

  *#match(node: List): Reading {
    const [, matched, branches] = node.items;
    const of_matched = matched && (yield matched);
    const args = matched ? [matched] : [];
    const sorts = [of_matched];
    for (const [i, branch] of itemsOf(branches).entries()) {
      const [pattern, body] = itemsOf(branch);
      const [symbol, ...fields] = pattern?.kind === "list" ? pattern.items : [pattern];
      const of_datatype = this.of(nameOf(symbol) ?? "").find(({ kind }) => kind === "datatype");
      const names = of_datatype
        ? fields.flatMap((field, at) => this.#bind(field, of_datatype.parameters[at]))
        : this.#bind(symbol, of_matched);
      if (body) {
        args.push(body);
        sorts.push(yield body);
      }
      const is_used = this.#localOf(names[0] ?? "")?.is_used === true;
      this.#unbind(names);
      if (!pattern || !body || of_datatype || nameOf(pattern) === undefined) continue;
      for (const reader of this.#readers) reader.variableCase?.(pattern, i === itemsOf(branches).length - 1, is_used);
    }
    return this.#show({ node, name: "match", args, sorts }, sorts.at(-1));
  }

  *#annotated(node: List): Reading {
    const [, formula, ...attributes] = node.items;
    const sort = formula && (yield formula);
    for (const [i, attribute] of attributes.entries())
      if (attribute.kind === "list" && attributes[i - 1]?.kind === "keyword") yield* this.#sortsOf(attribute.items);
    this.#show({ node, name: "!", args: formula ? [formula] : [], sorts: [sort] }, sort);
    for (const [i, attribute] of attributes.entries()) {
      const symbol = attribute.kind === "keyword" && attribute.text === ":named" ? attributes[i + 1] : undefined;
      const name = nameOf(symbol);
      const command = this.#command;
      if (symbol && name !== undefined && command)
        this.#declare({ name, kind: "named", parameters: [], result: sort, node: symbol, command });
    }
    return sort;
  }

  /**
   * Reads an application whose head is a symbol, possibly with indices or a sort, such as `x`, `(f x)`, `((_ extract 3
   * 0) x)` or `(as nil L)`.
   */
  #applied(node: Node, head: Node | undefined, args: readonly Node[], sorts: readonly Sort[]): Sort {
    const [kind, inner, ...more] = itemsOf(head);
    const symbol = head?.kind === "list" ? inner : head;
    const name = nameOf(symbol);
    const is_as = nameOf(kind) === "as";
    const indices = is_as ? [] : more;
    const own = name === undefined ? undefined : this.#meaningOf(name);
    const sort = is_as ? this.#declarations.sort(more[0]) : this.#sortOf(symbol, own, sorts, indices);
    const is_number = args.length === 0 ? sortOfLiteral(symbol) !== undefined : keeps_constants.test(name ?? "");
    if (is_number && own === undefined && args.every((each) => this.isConstant(each))) this.#constants.add(node);
    return this.#show({ node, name, indices, args, sorts, own }, sort);
  }

  #meaningOf(name: string): Term["own"] {
    const local = this.#localOf(name);
    if (local) local.is_used = true;
    if (local) return "bound";
    const own = this.of(name);
    return own.length > 0 ? own : undefined;
  }

  #sortOf(symbol: Node | undefined, own: Term["own"], sorts: readonly Sort[], indices: readonly Node[]): Sort {
    const name = nameOf(symbol);
    if (symbol === undefined || name === undefined) return sortOfLiteral(symbol);
    if (own === "bound") return sorts.length === 0 ? this.#localOf(name)?.sort : undefined;
    const known = builtIn(name);
    if (own) {
      const [declaration, ...others] = own.filter(({ parameters }) => parameters.length === sorts.length);
      return others.length === 0 && !known ? declaration?.result : undefined;
    }
    if (typeof known?.result !== "function") return known ? known.result : sortOfLiteral(symbol);
    return known.result(
      sorts,
      indices.map((each) => (each.kind === "literal" ? Number(each.text) : undefined)),
    );
  }

  #show(shown: Pick<Term, "node" | "name"> & Partial<Term>, sort: Sort): Sort {
    const term: Term = { indices: [], args: [], sorts: [], own: undefined, ...shown, sort };
    for (const reader of this.#readers) reader.term?.(term, this);
    return sort;
  }

  #localOf(name: string): Local | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #bindAll(pairs: Node | undefined): string[] {
    return itemsOf(pairs).flatMap((pair) => this.#bind(itemsOf(pair)[0], this.#declarations.sort(itemsOf(pair)[1])));
  }

  #bind(symbol: Node | undefined, sort: Sort): string[] {
    const name = nameOf(symbol);
    if (name === undefined) return [];
    const locals = this.#locals.get(name);
    if (locals) locals.push({ sort, is_used: false });
    else this.#locals.set(name, [{ sort, is_used: false }]);
    return [name];
  }

  #unbind(names: readonly string[]): void {
    for (const name of names) this.#locals.get(name)?.pop();
  }
}

/** Operators that produce numbers from numbers. */
const keeps_constants = /^(?:[-+*/]|to_real)$/;

const has_a_term = /^(?:assert|assert-soft|minimize|maximize|eval|simplify|rule|query)$/;

/** The sort of a numeric, bit-vector or string literal; Z3 also reads -5 as a number. */
function sortOfLiteral(node: Node | undefined): Sort {
  if (node?.kind === "string") return "String";
  if (node?.kind !== "literal" && node?.kind !== "symbol") return undefined;
  const [, base, digits = ""] = /^#([xb])(.*)$/.exec(node.text) ?? [];
  if (base) return `(_ BitVec ${digits.length * (base === "x" ? 4 : 1)})`;
  return /^-?\d+$/.test(node.text) ? "Int" : /^-?\d+\.\d+$/.test(node.text) ? "Real" : undefined;
}
