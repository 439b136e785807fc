import { bitsOf } from "../../../engines/smt/read.ts";
import { headOf, type List, type Node, nameOf, walk } from "../../../engines/smt/sexpr.ts";
import { Fault } from "../../../kernel/fault.ts";
import type { Script } from "./commands.ts";
import { declarationsOf } from "./names.ts";

/** The bits of the exponent and of the significand of a float; the latter with the hidden one. */
type FloatSize = readonly [exponent: number, significand: number];

/**
 * Refuses an operator that Z3 5.1 computes wrongly for values of some sort that the script has: neither a sat nor an unsat
 * would be about this script. Found by comparing every operator with exact arithmetic, for sixteen sizes of floats, and
 * with all sequences of up to three elements; Z3 5.4 computes them right. Raises `input_rejected`.
 */
export function refuseMiscomputed({ lines, commands }: Script): void {
  const used: Node[] = [];
  // Without a list of all nodes: hardly any script has such an operator, and some are large.
  for (const { node } of commands) for (const each of walk(node)) if (operatorOf(each) !== undefined) used.push(each);
  if (used.length === 0) return;
  const nodes = commands.flatMap(({ node }) => [...walk(node)]);
  const sorts = { sizes: floatSizes(nodes), has_sequences: nodes.some((each) => of_sequences.has(nameOf(each) ?? "")) };
  for (const node of used) {
    const operator = operatorOf(node);
    if (!operator?.isThere(sorts)) continue;
    const position = lines.at(node.start);
    throw new Fault(
      "input_rejected",
      {
        where: `Line ${position.line}, column ${position.column}: `,
        what: `Z3 computes \`${nameOf(node)}\` wrongly for ${operator.what}. Nothing was decided.`,
      },
      operator.steps,
      position,
    );
  }
}

/**
 * Refuses Z3's own finite sets, which cvc5 does not have: Z3 5.4 answers unsat where two empty sets are a solution, sat
 * where none is, and crashes on some. The functions make such sets without the name of the sort, too. Raises
 * `input_rejected`.
 */
export function refuseFiniteSets({ text, lines, commands }: Script): void {
  if (!/FiniteSet|set\./.test(text)) return;
  const own = new Set(commands.flatMap(declarationsOf).map(({ name }) => name));
  const isOfSets = (node: Node) => of_finite_sets.test(nameOf(node) ?? "") && !own.has(nameOf(node) ?? "");
  const node = commands.flatMap((command) => [...walk(command.node)]).find(isOfSets);
  if (!node) return;
  const position = lines.at(node.start);
  throw new Fault(
    "input_rejected",
    {
      where: `Line ${position.line}, column ${position.column}: `,
      what: `Z3 decides problems with finite sets (\`${nameOf(node)}\`) wrongly. Nothing was decided.`,
    },
    [
      'use engine: "cvc5" and its sets: (Set Int) with set.union, set.inter, set.minus, set.member, set.subset, set.card',
      "or declare a Bool for each possible element, and count with (ite b 1 0)",
    ],
    position,
  );
}

const of_finite_sets =
  /^(?:FiniteSet|set\.(?:empty|singleton|range|union|intersect|difference|in|subset|size|map|filter))$/;

function operatorOf(node: Node): Operator | undefined {
  return operators.get(nameOf(node) ?? "");
}

interface SortsOfScript {
  readonly sizes: readonly FloatSize[];
  readonly has_sequences: boolean;
}

interface Operator {
  isThere(sorts: SortsOfScript): boolean;
  readonly what: string;
  readonly steps: readonly string[];
}

const operators: ReadonlyMap<string, Operator> = new Map([
  [
    "fp.fma",
    {
      isThere: ({ sizes }) => sizes.some(([, significand]) => significand === 3),
      what: "floats whose significand has 3 bits",
      steps: [
        "multiply and add in a sort that has both results exactly, such as Float128 where the exponent has 5 bits",
        "round once, to the narrow sort, with to_fp",
      ],
    },
  ],
  [
    "fp.roundToIntegral",
    {
      isThere: ({ sizes }) => sizes.some(([exponent]) => exponent === 2),
      what: "floats whose exponent has 2 bits",
      steps: [
        "round in a sort with a wider exponent: ((_ to_fp 5 11) RNE x) is exact",
        "convert the result back with to_fp",
      ],
    },
  ],
  [
    "seq.last_indexof",
    {
      isThere: ({ has_sequences }) => has_sequences,
      what: "sequences that are not strings",
      steps: [
        "state an occurrence of t: (= s (seq.++ before t after)), whose index is (seq.len before)",
        "state that there is no later one with seq.contains or seq.indexof",
      ],
    },
  ],
]);

const of_sequences = new Set(["Seq", "seq.unit", "seq.empty"]);
const of_float = /^(FloatingPoint|to_fp|to_fp_unsigned|NaN|[-+]oo|[-+]zero)$/;

/** The sizes of floats that are written in a script, and those that `fp` can make of its bit-vectors. */
function floatSizes(nodes: readonly Node[]): FloatSize[] {
  const lists = nodes.filter((node) => node.kind === "list");
  const written = lists.flatMap(({ items: [head, name, ...sizes] }): FloatSize[] => {
    const [exponent, significand] = sizes.map(numberOf);
    const is_float = nameOf(head) === "_" && of_float.test(nameOf(name) ?? "");
    return is_float && exponent !== undefined && significand !== undefined ? [[exponent, significand]] : [];
  });
  const widths = lists.flatMap((list) => widthOfSort(list) ?? []);
  const made = lists.flatMap((list): FloatSize[] => {
    if (headOf(list) !== "fp") return [];
    const [exponents, fractions] = [list.items[2], list.items[3]].map((part) => widthsOf(part, widths));
    return (exponents ?? []).flatMap((exponent) =>
      (fractions ?? []).map((fraction): FloatSize => [exponent, fraction + 1]),
    );
  });
  return [...written, ...made];
}

/** The width of a literal; of another term each width that the script has. */
function widthsOf(node: Node | undefined, widths: readonly number[]): readonly number[] {
  const bits = node?.kind === "literal" ? bitsOf(node.text) : undefined;
  return bits === undefined ? widths : [bits.length];
}

function widthOfSort({ items: [head, name, width] }: List): number | undefined {
  const is_literal = /^bv\d+$/.test(nameOf(name) ?? "");
  return nameOf(head) === "_" && (is_literal || nameOf(name) === "BitVec") ? numberOf(width) : undefined;
}

function numberOf(node: Node | undefined): number | undefined {
  return node?.kind === "literal" && /^\d+$/.test(node.text) ? Number(node.text) : undefined;
}
