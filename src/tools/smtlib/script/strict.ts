import { headOf, type List, type Node, nameOf } from "../../../engines/smt/sexpr.ts";
import { type Declaration, itemsOf, type Stated } from "../../../evidence/smtlib/declarations.ts";
import { approximated_functions } from "../../../evidence/smtlib/defects.ts";
import { standard_functions } from "../../../evidence/smtlib/symbols.ts";
import type { Reader, Scope, Term } from "../../../evidence/smtlib/terms.ts";
import type { Fault } from "../../../kernel/fault.ts";
import type { Lines } from "../../../kernel/text/lines.ts";
import { nearest } from "../../../kernel/text/near_miss.ts";
import { excerpt, refusal } from "./commands.ts";
import { notName } from "./syntax_fault.ts";
import { waysAroundOwn } from "./vocabulary.ts";

const warnings_of_a_kind_max = 3;
/** The maximum number of names that are compared with all constructors, since a script can have thousands of both. */
const guesses_max = 100;
/** The maximum number of declarations of one name, since each is compared with all others. */
const meanings_max = 100;

/**
 * Checks rules of SMT-LIB 2.7 whose violation Z3 silently reads as something else. Text that is certainly an error is
 * rejected, because the verdict would be about a different script. Doubtful text gets a warning. Raises
 * `input_rejected` with the position.
 */
export class StrictReader implements Reader {
  readonly #text: string;
  readonly #lines: Lines;
  readonly #counts = new Map<string, number>();
  #guesses = 0;
  readonly declarations: Declaration[] = [];
  readonly warnings: string[] = [];

  constructor(text: string, lines: Lines) {
    this.#text = text;
    this.#lines = lines;
  }

  declaration(declaration: Declaration, scope: Scope): void {
    const { name, kind, command } = declaration;
    const is_first = this.declarations.at(-1)?.command !== command;
    this.declarations.push(declaration);
    if (is_first && command.head.startsWith("define-fun"))
      for (const list of parametersOf(command)) this.#checkDistinct(list ?? command.node, itemsOf(list), command.head);
    if (kind === "sort") return;
    if (kind === "named") {
      this.#checkName(declaration, scope);
      return;
    }
    const all = scope.of(name);
    if (all.length >= meanings_max)
      throw this.#refuse(command.node, `\`${name}\` is already declared ${meanings_max} times`, [
        "choose another name for each function",
        "declare each name once",
      ]);
    for (const earlier of all) this.#checkTwice(earlier, declaration);
    if (kind !== "datatype" && declaration.parameters.length > 0 && approximated_functions.includes(name))
      throw this.#refuse(
        command.node,
        `Z3 has its own function \`${name}\`, and would silently use it in place of this one`,
        waysAroundOwn(name, "function"),
      );
    if (!standard_functions.has(name)) return;
    this.#warn(
      "own",
      command.node,
      `SMT-LIB has a built-in \`${name}\`, which is still used wherever its signature fits the arguments. Another name is safer.`,
    );
  }

  /**
   * Rejects a second declaration that would hide an earlier name in Z3, or a recursive one that Z3 would apply only to
   * later uses.
   */
  #checkTwice(earlier: Declaration, later: Declaration): void {
    if (earlier.command === later.command && later.kind === "datatype") return;
    const { name, command } = later;
    if (earlier.parameters.length === later.parameters.length) {
      if (earlier.kind === "recursive" || later.kind === "recursive") {
        throw this.#refuse(
          command.node,
          `\`${name}\` is already declared on line ${earlier.command.line}. Z3 would treat the uses before the recursive definition as a different function, without a body`,
          [
            `remove the declaration on line ${Math.min(earlier.command.line, command.line)}`,
            "define functions that call each other together: (define-funs-rec ((f ((n Int)) Int) (g ((n Int)) Int)) (body-of-f body-of-g))",
          ],
        );
      }
      // Two constants with the same name can't be distinguished, whatever their sorts are.
      const hides = earlier.parameters.length === 0 && !(earlier.kind === "datatype" && later.kind === "datatype");
      const selector = (earlier.kind === "datatype") !== (later.kind === "datatype") && earlier.parameters.length > 0;
      if (hides || selector)
        throw this.#refuse(
          command.node,
          `the name \`${name}\` is taken: line ${earlier.command.line} declares it. Z3 would silently replace the old meaning with the new one`,
          [`choose another name, such as ${name}_2`, "declare each name once"],
        );
    }
    this.#warn(
      "overloaded",
      command.node,
      `\`${name}\` is already declared on line ${earlier.command.line}. Z3 distinguishes the two by their sorts; SMT-LIB allows only one.`,
    );
  }

  term({ node, name, indices }: Term): void {
    if (node.kind === "string") this.#checkEscapes(node);
    if (node.kind !== "list") return;
    if (name === "!") this.#checkAnnotation(node);
    else if (name === "let") this.#checkDistinct(node, itemsOf(node.items[1]), "let");
    else if (indices.length > 0) this.#checkWidth(node, name, indices[0]);
    else this.#checkCount(node);
  }

  #checkAnnotation(node: List): void {
    const [, formula, ...attributes] = node.items;
    if (formula && attributes.length === 0) {
      const shown = excerpt(this.#text, formula);
      throw this.#refuse(
        node,
        `\`(! ${shown})\` has no attribute: ! is not a negation, and Z3 would read it as ${shown}`,
        [`write (not ${shown}) for negation`, `write (! ${shown} :named a) for a name`],
      );
    }
    for (const [i, attribute] of attributes.entries()) {
      if (attribute.kind !== "keyword") continue;
      if (attribute.text === ":named") this.#checkSymbol(attributes[i + 1]);
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

  #checkSymbol(node: Node | undefined): void {
    if (node === undefined || nameOf(node) !== undefined) return;
    const [why, ...steps] = notName(excerpt(this.#text, node), "");
    throw this.#refuse(node, `:named needs a name, and ${why.slice(0, -1)}`, steps);
  }

  #checkName({ name, node }: Declaration, scope: Scope): void {
    const [earlier] = scope.of(name);
    if (!earlier && !scope.isBound(name)) return;
    const where = earlier ? `line ${earlier.command.line}` : "a variable that is bound around it";
    throw this.#refuse(
      node,
      `:named ${name} uses a name that is taken (${where}). From here on, Z3 would silently read \`${name}\` as this formula`,
      [`give the formula a unique name, such as ${name}_1`, "formula names and variable names share one namespace"],
    );
  }

  #checkDistinct(place: Node, bindings: readonly Node[], head: string): void {
    const seen = new Set<string>();
    for (const binding of bindings) {
      const name = nameOf(itemsOf(binding)[0]);
      if (name === undefined) continue;
      if (seen.has(name)) {
        throw this.#refuse(place, `\`${name}\` is bound twice in one ${head}; Z3 would keep the last one`, [
          "use distinct names",
          head === "let" ? "for a second step, nest another let inside it" : "then send the whole script again",
        ]);
      }
      seen.add(name);
    }
  }

  /**
   * Warns of a misspelt constructor, as in `(match l ((Nil 0) …))`, which Z3 reads as a variable that matches
   * everything.
   */
  variableCase(pattern: Node, is_last: boolean, is_used: boolean): void {
    const name = nameOf(pattern) ?? "";
    if ((is_last && (name.startsWith("_") || is_used)) || this.#guesses++ > guesses_max) return;
    const constructors = this.declarations.flatMap((each) => (each.kind === "datatype" ? [each.name] : []));
    const [near] = nearest(name, constructors);
    if (is_last && near === undefined) return;
    const hint = near === undefined ? "" : ` Did you mean \`${near}\`?`;
    this.#warn("case", pattern, `\`${name}\` is not a constructor, so this case of match matches every value.${hint}`);
  }

  /** Rejects `(< x)`, which Z3 would read as true. */
  #checkCount(node: List): void {
    const head = headOf(node);
    if (head === undefined || !chainable.has(head) || node.items.length !== 2) return;
    throw this.#refuse(node, `\`${head}\` needs at least two terms; Z3 would read this one as true`, [
      `write (${head} a b)`,
      "check where the parentheses close",
    ]);
  }

  #checkWidth(node: List, name: string | undefined, width: Node | undefined): void {
    const number = /^bv(\d+)$/.exec(name ?? "")?.[1];
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
      `\`${sequence}\` is not an escape in SMT-LIB: its characters are read literally. Write \\u{a} for a newline, \\u{9} for a tab, \\u{41} for the letter with code 41 (hexadecimal).`,
    );
  }

  #refuse(node: Node, why: string, steps: readonly string[]): Fault {
    return refusal(this.#lines, node, why, steps);
  }

  #warn(kind: string, node: Node, text: string): void {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    if (count <= warnings_of_a_kind_max) this.warnings.push(`Line ${this.#lines.at(node.start).line}: ${text}`);
  }
}

/** The maximum width at which a bit-vector literal is checked for a value that does not fit. */
const bits_checked_max = 4096;

/** Returns the parameter lists of the functions that a command defines. */
function parametersOf({ head, node }: Stated): (Node | undefined)[] {
  const [, first, second] = node.items;
  return head === "define-funs-rec" ? itemsOf(first).map((signature) => itemsOf(signature)[1]) : [second];
}

const known_attributes = new Set(
  ":named :pattern :no-pattern :qid :skolemid :weight :lblpos :lblneg :lambda-def :ex-act".split(" "),
);

const chainable = new Set("= distinct < <= > >=".split(" "));

/** Matches escapes from other languages, whose characters SMT-LIB reads literally. */
const misread_escape = /\\(?:[nrt]|x[\da-fA-F]{2}|u(?!\{[\da-fA-F]{1,5}\}|[\da-fA-F]{4})[\da-fA-F]{1,3})/;
