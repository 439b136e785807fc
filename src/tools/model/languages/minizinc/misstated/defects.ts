import type { Kind } from "../../../../../engines/minizinc/flatzinc/measured.ts";
import { DOUBT_REASONS, type Doubt, kindOf } from "../../../../../engines/minizinc/flatzinc/trust.ts";
import { isOld } from "../../../../../engines/minizinc/index.ts";
import type { Reply } from "../question.ts";
import { withOperators } from "../source/brackets.ts";
import type { Statement } from "../source/source.ts";

/** A word of a model, or two in a row, about which some solvers are not believed. */
interface Defect extends Pick<Doubt, "reason"> {
  readonly words: RegExp;
  readonly applies: (kind: Kind, version: string) => boolean;
  readonly what?: string;
}

const { misstated, unmeasured, restricted } = DOUBT_REASONS;
const isLinear = (kind: Kind) => kind === "linear";

/** What stays wrong beside the library that Verdict brings (src/engines/minizinc/library/). */
const defects: readonly Defect[] = [
  // Its function has to have a value, also where the statement holds without it.
  { words: /^piecewise_linear$/, applies: () => true, reason: misstated },
  // What the predicate says without functions such as sol() is a constraint of the compiled model like any other.
  { words: /^on_restart$/, applies: () => true, reason: restricted, what: "the predicate of on_restart" },
  // The own library of linear solvers takes no list for less than a longer one that begins with it, and counts tasks
  // that take no time.
  { words: /^lex_(?:less|greater)$/, applies: isLinear, reason: unmeasured },
  { words: /^cumulative$/, applies: isLinear, reason: unmeasured },
  // Measured in 2.6.4 (docs/decisions/minizinc_numbers.md); these versions do not get the library either.
  {
    words:
      /^(?:var opt|<>|\w+_weak|var set|xor|let|pow|\^|circuit|arg_(?:sort|val)|bin_packing_(?:capa|load)|cost_mdd|cumulative|dag|global_cardinality\w*|inverse|mdd_nondet|regular|seq_precede_chain|sliding_(?:among|sum)|span|alternative|strictly_(?:in|de)creasing|subcircuit|sum_set|symmetric_all_different|writes)$/,
    applies: (_, version) => isOld(version),
    reason: misstated,
  },
];

/** What is known of a run: who solved, and which version of MiniZinc compiled. */
interface Run extends Pick<Reply, "version"> {
  readonly question: Pick<Reply["question"], "solver">;
}

/** The doubts about the words of a model. */
export function defectsIn(statements: readonly Statement[], { question, version }: Run): Doubt[] {
  const texts = statements.flatMap(({ tokens }) => withOperators(tokens).map(({ text }) => text));
  const words = new Set([...texts, ...texts.map((text, i) => `${text} ${texts[i + 1]}`)]);
  const known = defects.filter(({ applies }) => applies(kindOf(question.solver), version));
  return known.flatMap(({ words: wrong, what, reason }): Doubt[] =>
    [...words].filter((word) => wrong.test(word)).map((word) => ({ reason, what: what ?? word })),
  );
}
