import fc from "fast-check";
import { expect } from "vitest";
import type { Bench } from "./engines.ts";
import { solveText } from "./smtlib.ts";

/** Random scripts in logics that several engines read: they hold each other's answers to account. */

interface Logic {
  readonly name: string;
  /** Declarations that every script of the logic begins with. */
  readonly declares: string;
  /** Atoms of its formulas. */
  readonly atoms: fc.Arbitrary<string>;
  /** The engines that read it besides Z3. */
  readonly others: readonly string[];
}

/** Terms of one sort: some leaves, and functions with that many arguments of the same sort. */
function terms(leaves: readonly string[], functions: readonly (readonly [string, number])[]): fc.Arbitrary<string> {
  return fc.letrec<{ term: string }>((tie) => ({
    term: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom(...leaves),
      ...functions.map(([head, arity]) =>
        fc.array(tie("term"), { minLength: arity, maxLength: arity }).map((items) => `(${head} ${items.join(" ")})`),
      ),
    ),
  })).term;
}

function atoms(of: fc.Arbitrary<string>, relations: readonly string[]): fc.Arbitrary<string> {
  return fc.tuple(fc.constantFrom(...relations), of, of).map(([head, a, b]) => `(${head} ${a} ${b})`);
}

const words = (text: string) => text.split(" ");
const binary = (text: string) => words(text).map((head) => [head, 2] as const);

const bits = terms(words("x y z #x0 #x1 #x9 #xf"), [
  ...binary("bvadd bvsub bvmul bvudiv bvurem bvsdiv bvsrem bvsmod bvand bvor bvxor bvshl bvlshr bvashr"),
  ["bvneg", 1],
  ["bvnot", 1],
  ["(_ rotate_left 1)", 1],
]);
const floats = terms(
  words("f g (_|+oo|8|24) (_|NaN|8|24) (_|+zero|8|24) one").map((leaf) => leaf.replaceAll("|", " ")),
  [
    ...binary("fp.add|RNE fp.mul|RTZ fp.sub|RNA fp.div|RTP fp.max").map(
      ([head, arity]) => [head.replace("|", " "), arity] as const,
    ),
    ["fp.neg", 1],
    ["fp.abs", 1],
    ["fp.roundToIntegral RTN", 1],
  ],
);
const integers = terms(
  words("i j 0 1 7 (f|i) (f|j)").map((leaf) => leaf.replace("|", " ")),
  [...binary("+ -"), ["* 3", 1], ["mod", 0]],
).map((text) => text.replaceAll("(mod )", "(mod (+ i j) 3)"));
const reals = terms(words("a b 0.0 1.5 2.0"), [...binary("+ -"), ["* 2.5", 1], ["/ 3.0", 0]]).map((text) =>
  text.replaceAll("(/ 3.0 )", "(/ a 3.0)"),
);
const texts = terms(
  words('s t "" "a" "ab" (str.from_int|n)').map((leaf) => leaf.replace("|", " ")),
  [...binary("str.++"), ["str.replace", 3]],
);
const cells = terms(
  words("m (store|m|x|y) (store|m|y|#x1)").map((leaf) => leaf.replaceAll("|", " ")),
  [["ite (= x y)", 2]],
);

const logics: readonly Logic[] = [
  {
    name: "bit-vectors",
    declares: "(declare-const x (_ BitVec 4))(declare-const y (_ BitVec 4))(declare-const z (_ BitVec 4))",
    atoms: atoms(bits, words("= bvult bvule bvslt bvsge distinct")),
    others: ["bitwuzla", "cvc5"],
  },
  {
    name: "floating point",
    declares:
      "(declare-const f (_ FloatingPoint 8 24))(declare-const g (_ FloatingPoint 8 24))(define-const one (_ FloatingPoint 8 24) ((_ to_fp 8 24) #x3f800000))",
    atoms: atoms(floats, words("= fp.eq fp.lt fp.leq")),
    others: ["bitwuzla", "cvc5"],
  },
  {
    name: "arrays of bit-vectors",
    declares:
      "(declare-const m (Array (_ BitVec 4) (_ BitVec 4)))(declare-const x (_ BitVec 4))(declare-const y (_ BitVec 4))",
    atoms: fc.oneof(
      atoms(cells, ["="]),
      atoms(
        cells.map((cell) => `(select ${cell} x)`),
        words("= bvult"),
      ),
    ),
    others: ["bitwuzla", "cvc5"],
  },
  {
    name: "integers and functions",
    declares: "(declare-fun f (Int) Int)(declare-const i Int)(declare-const j Int)",
    atoms: atoms(integers, words("= < <= distinct")),
    others: ["cvc5"],
  },
  {
    name: "reals",
    declares: "(declare-const a Real)(declare-const b Real)",
    atoms: atoms(reals, words("= < >=")),
    others: ["cvc5"],
  },
  {
    name: "strings",
    declares:
      "(declare-const s String)(declare-const t String)(declare-const n Int)(assert (< (str.len s) 5))(assert (< (str.len t) 5))(assert (< n 99))",
    atoms: atoms(texts, words("= str.contains str.prefixof str.<")),
    others: ["cvc5"],
  },
];

const scripts = fc.constantFrom(...logics).chain(({ declares, atoms, others }) => {
  const formula = terms(["@"], [...binary("and or =>"), ["not", 1]]);
  return fc
    .array(fc.tuple(formula, fc.array(atoms, { minLength: 8, maxLength: 8 })), { minLength: 1, maxLength: 4 })
    .map((all) => {
      const asserted = all.map(([shape, parts]) => {
        let at = 0;
        return `(assert ${shape.replaceAll("@", () => parts[at++ % parts.length] ?? "true")})`;
      });
      return { script: `${declares}\n${asserted.join("\n")}\n(check-sat)`, others };
    });
});

/**
 * No two engines contradict each other (that raises `engines_disagree`), and no model of cvc5 or Bitwuzla breaks its script. Floats and
 * strings can take an engine long, so an answer may lack its confirmation; `count` receives how many had one.
 */
export function agreeing(
  bench: Bench,
  count: (confirmed: number) => void,
): fc.IAsyncPropertyWithHooks<[{ script: string; others: readonly string[] }]> {
  return fc.asyncProperty(scripts, async ({ script, others }) => {
    const answer = await solveText(bench, script, { engine: "all", timeout_ms: 10_000 });
    const confirming = (answer.confirmed_by ?? []).map((engine) => engine.split(" ")[0] ?? "");
    count(confirming.length);
    expect(confirming.filter((name) => name !== "z3" && !others.includes(name))).toEqual([]);
    const messages = [...answer.warnings, answer.unconfirmed ?? "", answer.reason ?? ""];
    const broken = messages.filter((text) => /the model that (cvc5|Bitwuzla) found does not satisfy/.test(text));
    expect({ script, broken }).toEqual({ script, broken: [] });
  });
}
