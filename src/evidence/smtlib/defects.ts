import { isBefore } from "../../engines/build.ts";
import type { Node } from "../../engines/smt/sexpr.ts";
import type { Lines } from "../../kernel/text/lines.ts";
import { floatSize, type Sort } from "./symbols.ts";
import type { Reader, Scope, Term } from "./terms.ts";

/** The answers invalidated by a defect: every answer, each `unsat`, or each `sat` whose model was not evaluated. */
export type Void = "answers" | "unsat" | "unevaluated sat";

/** A known defect of an engine. */
export interface Defect {
  readonly engine: string;
  /** The first version without the defect; if omitted, all versions have it. */
  readonly mended?: readonly [major: number, minor: number];
  /** The test that demonstrates the defect; if this test fails with a newer version, the entry can be removed. */
  readonly shown_by: string;
  /** The functions and sorts that have the defect, unless the script itself declares them. */
  readonly symbols: readonly string[];
  /**
   * Whether a term with one of the symbols triggers the defect; by default all do. An unknown sort counts as a trigger.
   */
  applies?(term: Term, scope: Scope): boolean;
  readonly voids: Void;
  readonly what: string;
  readonly steps: readonly string[];
}

/** A defect, and the first term in a script that triggers it. */
export interface Match {
  readonly defect: Defect;
  readonly name: string;
  readonly node: Node;
}

/**
 * Numeric functions that Z3 5.4 has in addition to the standard. It silently uses them in place of a script's own
 * functions with these names.
 */
export const approximated_functions: readonly string[] = [
  ..."sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh atan2 arctan2 exp ln log".split(" "),
];

const tests = "test/smtlib/soundness.test.ts";

/**
 * The known defects. They were found by comparing operators with exact arithmetic, for sixteen float sizes, and for all
 * sequences of up to three elements.
 */
const defects: readonly Defect[] = [
  {
    engine: "z3",
    mended: [5, 4],
    shown_by: tests,
    symbols: ["fp.fma"],
    applies: ({ sort }) => (floatSize(sort)?.[1] ?? 3) === 3,
    voids: "answers",
    what: "computes `fp.fma` incorrectly for floats whose significand has 3 bits",
    steps: [
      "multiply and add in a sort that represents both results exactly, such as Float128 if the exponent has 5 bits",
      "round once, to the narrow sort, with to_fp",
    ],
  },
  {
    engine: "z3",
    mended: [5, 4],
    shown_by: tests,
    symbols: ["fp.roundToIntegral"],
    applies: ({ sort }) => (floatSize(sort)?.[0] ?? 2) === 2,
    voids: "answers",
    what: "computes `fp.roundToIntegral` incorrectly for floats whose exponent has 2 bits",
    steps: [
      "round in a sort with a wider exponent: ((_ to_fp 5 11) RNE x) is exact",
      "convert the result back with to_fp",
    ],
  },
  {
    engine: "z3",
    mended: [5, 4],
    shown_by: tests,
    symbols: ["seq.last_indexof"],
    applies: ({ sorts }) => sorts.some((sort) => sort !== "String"),
    voids: "answers",
    what: "computes `seq.last_indexof` incorrectly for sequences that are not strings",
    steps: [
      "state an occurrence of t: (= s (seq.++ before t after)), whose index is (seq.len before)",
      "state that there is no later one with seq.contains or seq.indexof",
    ],
  },
  {
    // Z3 5.4 answers unsat if two empty sets are a solution, sat if there is no solution, and crashes in some cases.
    // The functions create such sets even without the sort's name.
    engine: "z3",
    shown_by: tests,
    symbols: [
      "FiniteSet",
      ..."empty singleton range union intersect difference in subset size map filter"
        .split(" ")
        .map((of) => `set.${of}`),
    ],
    voids: "answers",
    what: "decides problems with finite sets incorrectly",
    steps: [
      'use engine: "cvc5" and its sets: (Set Int) with set.union, set.inter, set.minus, set.member, set.subset, set.card',
      "or declare a Bool for each possible element, and count with (ite b 1 0)",
    ],
  },
  {
    // Z3 5.1 wrongly denies that there is a number between 1 and 1.0625 that is rounded to 1.
    engine: "z3",
    mended: [5, 4],
    shown_by: "test/smtlib/optimum.test.ts",
    symbols: ["to_fp"],
    applies: ({ args, sorts }, scope) =>
      args.slice(1).some((arg, i) => !isOfBits(sorts[i + 1]) && !scope.isConstant(arg)),
    voids: "unsat",
    what: "is known to lose solutions if a Real or Int that is not a constant is converted to a float",
    steps: [
      "use floats or bit-vectors from the start, such as (declare-const x (_ BitVec 64)) and ((_ to_fp 11 53) RNE x), which is exact",
    ],
  },
  {
    engine: "z3",
    shown_by: tests,
    symbols: "map union intersection setminus complement subset".split(" "),
    applies: ({ name, indices }) => name !== "map" || indices.length > 0,
    voids: "unevaluated sat",
    what: "is known to be wrong about arrays created by (_ map f) or by set operations",
    steps: ["assert the equation for each index, such as (= (select c i) (bvand (select a i) (select b i)))"],
  },
  {
    engine: "z3",
    shown_by: tests,
    symbols: approximated_functions,
    voids: "unevaluated sat",
    what: "compares values of functions such as exp and cosh only up to 0.0000001",
    steps: ['engine: "cvc5" has exp, sin, cos and tan'],
  },
];

function isOfBits(sort: Sort): boolean {
  return /^\(_ (?:BitVec|FloatingPoint) /.test(sort ?? "");
}

const by_symbol = new Map(defects.flatMap((defect) => defect.symbols.map((symbol) => [symbol, defect] as const)));

/** Finds the first trigger in a script for each defect. */
export class DefectReader implements Reader {
  readonly #matches = new Map<Defect, Match>();

  get matches(): readonly Match[] {
    return [...this.#matches.values()];
  }

  term(term: Term, scope: Scope): void {
    const { name, own, node } = term;
    const defect = own === undefined ? by_symbol.get(name ?? "") : undefined;
    if (name !== undefined && defect && (defect.applies?.(term, scope) ?? true)) this.#add({ defect, name, node });
  }

  sort(name: string, node: Node): void {
    const defect = by_symbol.get(name);
    if (defect && !defect.applies) this.#add({ defect, name, node });
  }

  #add(match: Match): void {
    if (!this.#matches.has(match.defect)) this.#matches.set(match.defect, match);
  }
}

/** The defects of an engine in this version. */
export function defectsOf(matches: readonly Match[], engine: string, version = "0"): Match[] {
  return matches.filter(
    ({ defect: { engine: of, mended } }) => of === engine && (!mended || isBefore(version, mended)),
  );
}

/** Explains why an answer does not count, because of a known defect; undefined if it counts. */
export function doubtOn(
  { defects, lines }: { readonly defects: readonly Match[]; readonly lines: Lines },
  voids: Exclude<Void, "answers">,
): string | undefined {
  const found = defects.find(({ defect }) => defect.voids === voids);
  if (!found) return undefined;
  const { what, steps } = found.defect;
  const where = `${found.name}, line ${lines.at(found.node.start).line}`;
  return voids === "unsat"
    ? `Z3 answered unsat, but it ${what} (${where}); ${steps.join("; ")}`
    : `Z3 answered sat, but it ${what} (${where}), and its model could not be evaluated; ${steps.join("; ")}`;
}
