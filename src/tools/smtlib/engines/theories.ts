import type { Theory } from "../../../engines/smt/dialect.ts";
import type { Node } from "../../../engines/smt/sexpr.ts";
import type { Declaration } from "../../../evidence/smtlib/declarations.ts";
import { builtIn, theories_of_sorts } from "../../../evidence/smtlib/symbols.ts";
import type { Reader, Scope, Term } from "../../../evidence/smtlib/terms.ts";

/** What a script contains. */
export interface Contents {
  readonly theories: ReadonlySet<Theory>;
  /** Whether a product, quotient or remainder of two terms that are not numbers occurs. */
  readonly is_nonlinear: boolean;
  /** The first symbol that SMT-LIB does not define and the script does not declare; only Z3 may know it. */
  readonly foreign: string | undefined;
}

/** Returns part of a sentence that suggests MiniZinc for a script, if the script can be stated in it. */
export function orInMinizinc({ theories, is_nonlinear, foreign }: Contents): string {
  const is_linear = !is_nonlinear && !foreign && [...theories].every((each) => each === "integers" || each === "reals");
  return is_linear ? ", or state the model for the tool solve in the language minizinc with solver highs" : "";
}

/** Determines which theories a script needs. Finding too many of them costs speed, but not correctness. */
export class ContentsReader implements Reader {
  readonly #theories = new Set<Theory>();
  #is_nonlinear = false;
  #foreign: string | undefined;
  #has_numerals = false;

  /** Returns what has been read so far. */
  contents(): Contents {
    const has_integers = this.#has_numerals && !this.#theories.has("reals");
    const theories = new Set([...this.#theories, ...(has_integers ? ["integers" as const] : [])]);
    return { theories, is_nonlinear: this.#is_nonlinear, foreign: this.#foreign };
  }

  declaration({ kind, parameters, command }: Declaration): void {
    if (kind === "declared" && parameters.length > 0) this.#theories.add("functions");
    if (kind === "datatype") this.#theories.add("datatypes");
    if (kind === "recursive") this.#theories.add("recursive functions");
    if (command.head === "declare-sort") this.#theories.add("uninterpreted sorts");
  }

  sort(name: string): void {
    this.#add(name, theories_of_sorts.get(name));
  }

  term(term: Term, scope: Scope): void {
    const { name, node, own, args } = term;
    if (node.kind === "string") this.#add("", builtIn("str.++")?.theories);
    else if (name !== undefined && own === undefined) this.#add(name, builtIn(name)?.theories);
    this.#is_nonlinear ||= isNonlinear(term, scope);
    // Floats are written as ((_ to_fp 8 24) RNE 1.5) even in a script without reals.
    for (const [i, arg] of args.entries())
      if (arg.kind === "literal" && (name !== "to_fp" || i !== 1)) this.#literal(arg.text);
  }

  #literal(text: string): void {
    if (text.startsWith("#")) this.#theories.add("bit-vectors");
    else if (text.includes(".")) this.#theories.add("reals");
    else this.#has_numerals = true;
  }

  #add(name: string, theories: readonly Theory[] | undefined): void {
    for (const theory of theories ?? []) this.#theories.add(theory);
    if (!theories) this.#foreign ??= name;
  }
}

function isNonlinear({ name, args }: Term, scope: Scope): boolean {
  if (name === "*") return args.filter((part) => !scope.isConstant(part)).length > 1;
  // Solvers choose the result of dividing by zero as they choose a function's values.
  const isZero = (node: Node) => node.kind === "literal" && Number(node.text) === 0;
  const divides = name === "/" || name === "div" || name === "mod";
  return divides && args.slice(1).some((part) => !scope.isConstant(part) || isZero(part));
}

/** Returns the name of the smallest logic that covers the script; solvers choose their methods by this name. */
export function logicOf({ theories, is_nonlinear, foreign }: Contents): string {
  const has = (theory: Theory) => theories.has(theory);
  // A symbol that the solver has, but not the standard, belongs to a theory that Verdict does not know.
  if (foreign !== undefined) return "ALL";
  // No standard logic covers these theories, or they need more than a logic with their names provides.
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
