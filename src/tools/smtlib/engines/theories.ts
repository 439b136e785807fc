import type { Theory } from "../../../engines/smt/dialect.ts";
import { type Atom, headOf, type List, type Node, nameOf, walk } from "../../../engines/smt/sexpr.ts";
import type { Command } from "../script/commands.ts";
import { declarationsOf, itemsOf } from "../script/names.ts";

/** What a script is made of. */
export interface Contents {
  readonly theories: ReadonlySet<Theory>;
  /** Whether a product, quotient or remainder of two terms that are not numbers occurs. */
  readonly is_nonlinear: boolean;
  /** The first symbol that SMT-LIB does not have and the script does not declare: only Z3 may know it. */
  readonly foreign: Node | undefined;
}

const words = (text: string) => text.split(/\s+/);

/** The symbols of each theory, those that every solver understands alike. `^` and `rem` are not among them. */
const by_theory: Readonly<
  Record<string, { readonly theories: readonly Theory[]; readonly symbols: readonly string[] }>
> = {
  core: {
    theories: [],
    symbols: words(
      "Bool true false not and or xor => = distinct ite let ! as _ par + - * < <= > >= abs :named :pattern",
    ),
  },
  quantifiers: { theories: ["quantifiers"], symbols: ["forall", "exists"] },
  integers: { theories: ["integers"], symbols: words("Int div mod divisible") },
  reals: { theories: ["reals"], symbols: words("Real /") },
  mixed: { theories: ["integers", "reals"], symbols: words("to_real to_int is_int") },
  arrays: { theories: ["arrays"], symbols: words("Array select store const") },
  bit_vectors: {
    theories: ["bit-vectors"],
    symbols: words(
      `BitVec concat extract repeat zero_extend sign_extend rotate_left rotate_right bvnot bvneg bvand bvor bvnand
        bvnor bvxor bvxnor bvcomp bvadd bvsub bvmul bvudiv bvurem bvsdiv bvsrem bvsmod bvshl bvlshr bvashr bvult bvule
        bvugt bvuge bvslt bvsle bvsgt bvsge bvnego bvuaddo bvsaddo bvumulo bvsmulo`,
    ),
  },
  bits_and_integers: {
    theories: ["bit-vectors", "integers"],
    symbols: words("bv2nat int2bv ubv_to_int sbv_to_int int_to_bv"),
  },
  floating_point: {
    theories: ["floating point"],
    symbols: words(
      `FloatingPoint RoundingMode Float16 Float32 Float64 Float128 RNE RNA RTP RTN RTZ roundNearestTiesToEven
        roundNearestTiesToAway roundTowardPositive roundTowardNegative roundTowardZero fp +oo -oo +zero -zero NaN
        fp.abs fp.neg fp.add fp.sub fp.mul fp.div fp.fma fp.sqrt fp.rem fp.roundToIntegral fp.min fp.max fp.leq fp.lt
        fp.geq fp.gt fp.eq fp.isNormal fp.isSubnormal fp.isZero fp.isInfinite fp.isNaN fp.isNegative fp.isPositive
        to_fp to_fp_unsigned fp.to_ubv fp.to_sbv`,
    ),
  },
  floats_and_reals: { theories: ["floating point", "reals"], symbols: ["fp.to_real"] },
  strings: {
    theories: ["strings", "integers"],
    symbols: words(
      `String RegLan str.++ str.len str.< str.<= str.at str.substr str.prefixof str.suffixof str.contains
        str.indexof str.replace str.replace_all str.replace_re str.replace_re_all str.is_digit str.to_code
        str.from_code str.to_int str.from_int str.in_re str.to_re re.none re.all re.allchar re.++ re.union re.inter
        re.* re.+ re.opt re.range re.^ re.loop re.comp re.diff char`,
    ),
  },
  sequences: {
    theories: ["sequences", "integers"],
    symbols: words("Seq seq.empty seq.unit seq.++ seq.len seq.extract seq.at seq.nth seq.contains seq.indexof"),
  },
  datatypes: { theories: ["datatypes"], symbols: words("is match") },
};

const theories_of = new Map<string, readonly Theory[]>(
  Object.values(by_theory).flatMap(({ theories, symbols }) => symbols.map((symbol) => [symbol, theories] as const)),
);

const with_terms = /^(assert|define-(fun|const|fun-rec|funs-rec|sort)|declare-\w+|check-sat.*|get-value)$/;

/** Reads off a script which theories it needs. What it takes for more than is there costs speed, not truth. */
export function contentsOf(commands: readonly Command[]): Contents {
  const contents = new Reader();
  for (const command of commands) contents.declare(command);
  for (const command of commands) if (with_terms.test(command.head)) contents.read(command);
  return contents;
}

/** The clause that names MiniZinc as another way to solve a script, if it can be stated there. */
export function orInMinizinc(commands: readonly Command[]): string {
  const { theories, is_nonlinear, foreign } = contentsOf(commands);
  const is_linear = !is_nonlinear && !foreign && [...theories].every((each) => each === "integers" || each === "reals");
  return is_linear ? ", or state the model for the tool solve in the language minizinc with solver highs" : "";
}

class Reader implements Contents {
  readonly theories = new Set<Theory>();
  is_nonlinear = false;
  foreign: Node | undefined;
  readonly #own = new Set<string>();

  declare(command: Command): void {
    for (const { name, kind, arity } of declarationsOf(command)) {
      this.#own.add(name);
      if (kind === "declared" && arity > 0) this.theories.add("functions");
      if (kind === "datatype") this.theories.add("datatypes");
      if (kind === "recursive") this.theories.add("recursive functions");
    }
    if (command.head === "declare-sort") this.theories.add("uninterpreted sorts");
    for (const node of walk(command.node)) if (node.kind === "list") this.#bind(node, command);
  }

  read({ node, head }: Command): void {
    const numbers_mean_nothing = new Set<Node>();
    if (head === "declare-sort") return;
    for (const each of walk(node)) {
      if (each === node || each === node.items[0]) continue;
      if (each.kind === "list") {
        if (headOf(each) === "_") for (const index of each.items) numbers_mean_nothing.add(index);
        const of_float = numberOfFloat(each);
        if (of_float) numbers_mean_nothing.add(of_float);
        this.is_nonlinear ||= isNonlinear(each);
      } else if (!numbers_mean_nothing.has(each) || each.kind === "symbol") this.#atom(each);
    }
    if (this.#has_numbers && !this.theories.has("reals")) this.theories.add("integers");
  }

  #has_numbers = false;

  #atom(atom: Atom): void {
    if (atom.kind === "string") this.#add(["strings", "integers"]);
    else if (atom.kind === "literal") {
      if (atom.text.startsWith("#")) this.theories.add("bit-vectors");
      else if (atom.text.includes(".")) this.theories.add("reals");
      else this.#has_numbers = true;
    } else if (atom.kind !== "keyword") this.#symbol(atom);
  }

  #symbol(atom: Atom): void {
    const name = nameOf(atom) ?? "";
    if (this.#own.has(name)) return;
    const theories = theories_of.get(name) ?? (/^bv\d+$/.test(name) ? ["bit-vectors" as const] : undefined);
    if (theories) this.#add(theories);
    else this.foreign ??= atom;
  }

  #add(theories: readonly Theory[]): void {
    for (const theory of theories) this.theories.add(theory);
  }

  /** Names that a list binds, and those of formulas: they are the script's own everywhere. */
  #bind(list: List, { head: of, node }: Command): void {
    const head = headOf(list);
    const own = (name: Node | undefined) => this.#own.add(nameOf(name) ?? "");
    if (head === "let" || head === "forall" || head === "exists")
      for (const pair of itemsOf(list.items[1])) own(itemsOf(pair)[0]);
    else if (head === "!") {
      for (const [i, { kind }] of list.items.entries()) if (kind === "keyword") own(list.items[i + 1]);
    } else if (head === "match")
      for (const branch of itemsOf(list.items[2])) for (const name of walk(itemsOf(branch)[0] ?? branch)) own(name);
    else if (head === "par") for (const name of itemsOf(list.items[1])) own(name);
    if (list !== node) return;
    if (/^define-fun(-rec)?$/.test(of)) for (const pair of itemsOf(list.items[2])) own(itemsOf(pair)[0]);
    if (of === "define-sort") for (const name of itemsOf(list.items[2])) own(name);
    if (of === "define-funs-rec")
      for (const signature of itemsOf(list.items[1]))
        for (const pair of itemsOf(itemsOf(signature)[1])) own(itemsOf(pair)[0]);
  }
}

/** The number in ((_ to_fp 8 24) RNE 1.5): floats are written so where there are no reals, too. */
function numberOfFloat({ items: [convert, , number] }: List): Node | undefined {
  const is_conversion = convert?.kind === "list" && nameOf(convert.items[1]) === "to_fp";
  return is_conversion && number?.kind === "literal" && !number.text.startsWith("#") ? number : undefined;
}

function isNonlinear(list: List): boolean {
  const [, ...parts] = list.items;
  const head = headOf(list);
  if (head === "*") return parts.filter((part) => !isNumber(part)).length > 1;
  return (
    (head === "/" || head === "div" || head === "mod") && parts.slice(1).some((part) => !isNumber(part) || isZero(part))
  );
}

/** What a quotient by zero is, solvers find as they find a function's value. */
function isZero(node: Node): boolean {
  return node.kind === "literal" && Number(node.text) === 0;
}

/** A number as it is written: 5, 0.5, (- 5), (/ 1 3). */
function isNumber(node: Node): boolean {
  if (node.kind === "literal") return true;
  const head = headOf(node);
  return node.kind === "list" && (head === "-" || head === "/") && node.items.slice(1).every(isNumber);
}

/** The name of the smallest logic that has all of it: solvers choose their methods by it. */
export function logicOf({ theories, is_nonlinear, foreign }: Contents): string {
  const has = (theory: Theory) => theories.has(theory);
  // A symbol that the solver has and the standard has not belongs to a theory that is not known here.
  if (foreign !== undefined) return "ALL";
  // These are at home in no logic of the standard list, or need more than their own name says.
  if (has("strings") || has("sequences") || has("datatypes") || has("recursive functions")) return "ALL";
  if (has("floating point") && (has("reals") || has("integers"))) return "ALL";
  const arithmetic =
    has("integers") || has("reals")
      ? `${is_nonlinear ? "N" : "L"}${has("integers") ? "I" : ""}${has("reals") ? "R" : ""}A`
      : "";
  const parts = [
    has("arrays") ? "A" : "",
    has("functions") || has("uninterpreted sorts") ? "UF" : "",
    has("bit-vectors") ? "BV" : "",
    has("floating point") ? "FP" : "",
    arithmetic,
  ].join("");
  const name = parts === "" ? "UF" : parts === "A" ? "AX" : parts;
  return has("quantifiers") ? (name === "AX" ? "ALL" : name) : `QF_${name}`;
}
