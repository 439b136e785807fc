import { headOf, type List, type Node, nameOf, walk } from "../../../engines/smt/sexpr.ts";
import { Fault } from "../../../kernel/fault.ts";
import type { Lines } from "../../../kernel/text/lines.ts";
import { nearest } from "../../../kernel/text/near_miss.ts";
import { type Command, excerpt } from "./commands.ts";
import { type Declaration, declarationsOf, hasGlobalDeclarations, itemsOf, Names, termsOf } from "./names.ts";
import { notName } from "./syntax_fault.ts";
import { approximated_functions, standard_functions, waysAroundOwn } from "./vocabulary.ts";

/**
 * Checks rules of SMT-LIB 2.7 where Z3 silently reads something else. Text that is certainly an error is refused,
 * because the verdict would be about another script; doubtful text gets a warning. Raises `input_rejected` with the
 * position.
 */
export function readStrictly(text: string, lines: Lines, commands: readonly Command[]): string[] {
  const reader = new StrictReader(text, lines, new Names(hasGlobalDeclarations(commands)));
  for (const command of commands) reader.command(command);
  return reader.warnings;
}

const warnings_of_a_kind_max = 3;

class StrictReader {
  readonly #text: string;
  readonly #lines: Lines;
  readonly #names: Names;
  readonly #constructors = new Map<string, Declaration>();
  readonly #counts = new Map<string, number>();
  readonly warnings: string[] = [];

  constructor(text: string, lines: Lines, names: Names) {
    this.#text = text;
    this.#lines = lines;
    this.#names = names;
  }

  command(command: Command): void {
    this.#names.follow(command);
    for (const declaration of declarationsOf(command)) this.#declare(declaration);
    if (command.head.startsWith("define-fun")) this.#checkParameters(command);
    for (const term of termsOf(command)) this.#term(command, term);
  }

  #declare(declaration: Declaration): void {
    const { name, kind, command } = declaration;
    if (kind === "sort") return;
    for (const earlier of this.#names.of(name)) this.#checkTwice(earlier, declaration);
    if (kind === "datatype") this.#constructors.set(name, declaration);
    else if (declaration.arity > 0 && is_approximated.test(name)) throw this.#replaced(declaration);
    if (standard_functions.has(name)) {
      this.#warn(
        "own",
        command.node,
        `SMT-LIB has a built-in \`${name}\`, which is still used wherever the arguments fit it. Another name is safer.`,
      );
    }
    this.#names.add(declaration);
  }

  /** Z3 lets a definition hide an earlier name, and gives a recursive one to later uses only. */
  #checkTwice(earlier: Declaration, later: Declaration): void {
    if (earlier.command === later.command && later.kind === "datatype") return;
    const { name, command } = later;
    if (earlier.arity === later.arity) {
      if (earlier.kind === "recursive" || later.kind === "recursive") {
        throw this.#refuse(
          command.node,
          `\`${name}\` is declared on line ${earlier.command.line} already. Z3 would read the uses before the recursive definition as another function, without a body`,
          [
            `leave out the declaration on line ${Math.min(earlier.command.line, command.line)}`,
            "define functions that call each other together: (define-funs-rec ((f ((n Int)) Int) (g ((n Int)) Int)) (body-of-f body-of-g))",
          ],
        );
      }
      // Two constants with one name can't be distinguished, whatever their sorts.
      const hides = earlier.arity === 0 && !(earlier.kind === "datatype" && later.kind === "datatype");
      const selector = (earlier.kind === "datatype") !== (later.kind === "datatype") && earlier.arity > 0;
      if (hides || selector) throw this.#taken(command.node, later, earlier);
    }
    this.#warn(
      "overloaded",
      command.node,
      `\`${name}\` is declared on line ${earlier.command.line} already. Z3 distinguishes the two by their sorts; SMT-LIB allows only one.`,
    );
  }

  #taken(place: Node, { name }: Declaration, earlier: Declaration): Fault {
    return this.#refuse(
      place,
      `the name \`${name}\` is taken: line ${earlier.command.line} declares it. Z3 would silently replace the old meaning by the new one`,
      [`choose another name, such as ${name}_2`, "declare each name once"],
    );
  }

  #replaced({ name, command }: Declaration): Fault {
    return this.#refuse(
      command.node,
      `Z3 has a function \`${name}\` of its own, and would use it in place of this one, silently`,
      waysAroundOwn(name, "function"),
    );
  }

  #term(command: Command, term: Node): void {
    let binders: ReadonlySet<string> | undefined;
    for (const node of walk(term)) {
      if (node.kind === "string") this.#checkEscapes(node);
      if (node.kind !== "list") continue;
      switch (headOf(node)) {
        case "!":
          binders ??= boundNames(term);
          this.#checkAnnotation(command, node, binders);
          break;
        case "let":
          this.#checkDistinct(node, itemsOf(node.items[1]), "let");
          break;
        case "match":
          this.#checkCases(node);
          break;
        case "_":
          this.#checkWidth(node);
          break;
        default:
          this.#checkCount(node);
      }
    }
  }

  #checkAnnotation(command: Command, node: List, binders: ReadonlySet<string>): void {
    const [, formula, ...attributes] = node.items;
    if (formula && attributes.length === 0) {
      const shown = excerpt(this.#text, formula);
      throw this.#refuse(
        node,
        `\`(! ${shown})\` has no attribute: ! is not a negation, and Z3 would read it as ${shown}`,
        [`write (not ${shown}) for a negation`, `write (! ${shown} :named a) for a name`],
      );
    }
    for (const [i, attribute] of attributes.entries()) {
      if (attribute.kind !== "keyword") continue;
      if (attribute.text === ":named") this.#name(command, attributes[i + 1], binders);
      else if (!known_attributes.has(attribute.text)) {
        const near = nearest(
          attribute.text.slice(1),
          [...known_attributes].map((known) => known.slice(1)),
        );
        const hint = near[0] === undefined ? "" : ` Did you mean :${near[0]}?`;
        this.#warn("attribute", attribute, `Z3 does not know the attribute ${attribute.text} and ignores it.${hint}`);
      }
    }
  }

  #name(command: Command, node: Node | undefined, binders: ReadonlySet<string>): void {
    if (node === undefined) return;
    const name = nameOf(node);
    if (name === undefined) {
      const [why, ...steps] = notName(excerpt(this.#text, node), "");
      throw this.#refuse(node, `:named needs a name, and ${why.slice(0, -1)}`, steps);
    }
    const earlier = this.#names.of(name)[0];
    if (earlier || binders.has(name)) {
      const where = earlier ? `line ${earlier.command.line}` : "a variable that is bound around it";
      throw this.#refuse(
        node,
        `:named ${name} uses a name that is taken (${where}). Z3 would read \`${name}\` as this formula from here on, silently`,
        [`give the formula a name of its own, such as ${name}_1`, "names of formulas and of variables share one space"],
      );
    }
    this.#names.add({ name, kind: "named", arity: 0, command });
  }

  #checkParameters(command: Command): void {
    const [, first, second] = command.node.items;
    const lists =
      command.head === "define-funs-rec" ? itemsOf(first).map((signature) => itemsOf(signature)[1]) : [second];
    for (const list of lists) this.#checkDistinct(list ?? command.node, itemsOf(list), command.head);
  }

  #checkDistinct(place: Node, bindings: readonly Node[], head: string): void {
    const seen = new Set<string>();
    for (const binding of bindings) {
      const name = nameOf(itemsOf(binding)[0]);
      if (name === undefined) continue;
      if (seen.has(name)) {
        throw this.#refuse(place, `\`${name}\` is bound twice in one ${head}; Z3 would keep the last one`, [
          "use distinct names",
          head === "let" ? "for a second step, nest another let inside" : "then send the whole script again",
        ]);
      }
      seen.add(name);
    }
  }

  /** `(match l ((Nil 0) …))`: a misspelt constructor is a variable, which matches everything. */
  #checkCases(node: List): void {
    for (const [i, branch] of itemsOf(node.items[2]).entries()) {
      const [pattern, body] = itemsOf(branch);
      const name = nameOf(pattern);
      if (pattern === undefined || body === undefined || name === undefined || this.#constructors.has(name)) continue;
      const is_last = i === itemsOf(node.items[2]).length - 1;
      if (is_last && (name.startsWith("_") || mentions(body, name))) continue;
      if (this.#said("case")) continue;
      const near = nearest(name, [...this.#constructors.keys()]);
      const hint = near[0] === undefined ? "" : ` Did you mean \`${near[0]}\`?`;
      if (is_last && near[0] === undefined) continue;
      this.#warn(
        "case",
        pattern,
        `\`${name}\` is not a constructor, so this case of match matches every value.${hint}`,
      );
    }
  }

  /** Z3 answers true to `(< x)`. */
  #checkCount(node: List): void {
    const head = headOf(node);
    if (head === undefined || !chainable.has(head) || node.items.length !== 2) return;
    throw this.#refuse(node, `\`${head}\` needs at least two terms; Z3 would read this one as true`, [
      `write (${head} a b)`,
      "check where the parentheses close",
    ]);
  }

  #checkWidth(node: List): void {
    const [, value, width] = node.items;
    const number = /^bv(\d+)$/.exec(nameOf(value) ?? "")?.[1];
    const bits = width?.kind === "literal" ? Number(width.text) : Number.NaN;
    if (number === undefined || !(bits <= bits_checked_max) || BigInt(number) < 2n ** BigInt(bits)) return;
    this.#warn(
      "width",
      node,
      `${number} does not fit into ${bits} bits; Z3 would use ${BigInt(number) % 2n ** BigInt(bits)}.`,
    );
  }

  #checkEscapes(node: Node): void {
    const sequence = misread_escape.exec(this.#text.slice(node.start, node.end))?.[0];
    if (sequence === undefined) return;
    this.#warn(
      "escape",
      node,
      `\`${sequence}\` is not an escape in SMT-LIB: its characters are read literally. Write \\u{a} for a line end, \\u{9} for a tab, \\u{41} for the letter of code 41 (hexadecimal).`,
    );
  }

  #refuse(node: Node, why: string, steps: readonly string[]): Fault {
    const position = this.#lines.at(node.start);
    return new Fault(
      "input_rejected",
      { where: `Line ${position.line}, column ${position.column}: `, what: `${why}. Nothing was decided.` },
      steps,
      position,
    );
  }

  /** Whether enough was said of this kind. */
  #said(kind: string): boolean {
    return (this.#counts.get(kind) ?? 0) >= warnings_of_a_kind_max;
  }

  #warn(kind: string, node: Node, text: string): void {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    if (count <= warnings_of_a_kind_max) this.warnings.push(`Line ${this.#lines.at(node.start).line}: ${text}`);
  }
}

const is_approximated = new RegExp(`^(?:${approximated_functions})$`);

/** Wider literals are not measured. */
const bits_checked_max = 4096;

const known_attributes = new Set(
  ":named :pattern :no-pattern :qid :skolemid :weight :lblpos :lblneg :lambda-def :ex-act".split(" "),
);

const chainable = new Set("= distinct < <= > >=".split(" "));

/** Operators that are one token in other languages, and two or more in SMT-LIB. */
const misread_escape = /\\(?:[nrt]|x[\da-fA-F]{2}|u(?!\{[\da-fA-F]{1,5}\}|[\da-fA-F]{4})[\da-fA-F]{1,3})/;

/** Every name that is bound somewhere inside of a term. */
function boundNames(term: Node): ReadonlySet<string> {
  const bound = new Set<string>();
  for (const node of walk(term)) {
    if (!/^(let|forall|exists|lambda)$/.test(headOf(node) ?? "")) continue;
    for (const binding of itemsOf(itemsOf(node)[1])) {
      const name = nameOf(itemsOf(binding)[0]);
      if (name !== undefined) bound.add(name);
    }
  }
  return bound;
}

function mentions(node: Node, name: string): boolean {
  for (const each of walk(node)) if (nameOf(each) === name) return true;
  return false;
}
