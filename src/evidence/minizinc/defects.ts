import type { Answer } from "../../engines/minizinc/read.ts";
import type { Kind } from "../flatzinc/measured.ts";
import { DOUBT_REASONS, type Doubt, kindOf } from "../flatzinc/trust.ts";
import { model_file } from "./data_files.ts";
import { declaredWith } from "./declarations.ts";

import { type Statement, statementsOf } from "./statements.ts";
import type { Tokens } from "./tokens.ts";
import { comparisonsOf, hasFreeVariables, hasLongConditions, truths } from "./truths.ts";

/** A construct that MiniZinc translates wrongly, and that neither Verdict's library nor `truths.ts` corrects. */
interface Defect extends Pick<Doubt, "reason"> {
  /** How an answer describes the construct; by default, the matching word in the model. */
  readonly what?: string;
  /** Which solvers' compiled models are affected; by default, all. */
  readonly by?: (kind: Kind) => boolean;
  /** The words that indicate the construct in a model; alternatively, `isIn` examines the model's text. */
  readonly words?: RegExp;
  readonly isIn?: (model: readonly Statement[]) => boolean;
}

const { misstated, unmeasured, restricted } = DOUBT_REASONS;
const isLinear = (kind: Kind) => kind === "linear";

/** The known defects; for each, there is a model in test/model/minizinc_defects.test.ts. */
const defects: readonly Defect[] = [
  // The function must have a value even where the statement holds without one.
  { words: /^piecewise_linear$/, reason: misstated },
  // Apart from functions such as sol(), the predicate's contents become ordinary constraints of the compiled model.
  { words: /^on_restart$/, reason: restricted, what: "the predicate of on_restart" },
  // The library for linear solvers does not order a list before a longer list that starts with the same elements, and
  // it counts tasks of duration zero.
  { words: /^(?:lex_(?:less|greater)|cumulative)$/, by: isLinear, reason: unmeasured },
  // Rewriting would turn the comparison into an argument, which can't contain a free variable.
  {
    isIn: (model) => hasFreeVariables(model) && truths(model).length > 0,
    reason: misstated,
    what: "optional values, tuples or records in comparisons, together with a let variable that has no value",
  },
  { isIn: hasLongConditions, reason: misstated, what: "hundreds of connectives in a model with optional truth values" },
  // For `b <-> {} <= {x}`, the translation for solvers without sets states nothing.
  { isIn: ordersSets, by: (kind) => kind !== "gecode", reason: unmeasured, what: "a comparison of sets by order" },
];

/** Finds reasons to reject a run in its model and in the compiler's warnings. */
export function defectsIn(
  { source, solver }: { readonly source: string; readonly solver: string },
  answer: Pick<Answer, "warnings">,
): Doubt[] {
  const model = statementsOf([source]);
  const kind = kindOf(solver);
  const words = new Set(model.flatMap(({ tokens }) => tokens.map(({ text }) => text)));
  const of_text = defects
    .filter(({ by }) => by?.(kind) ?? true)
    .flatMap(({ words: wrong, isIn, what = "", reason }): Doubt[] => {
      if (isIn) return isIn(model) ? [{ reason, what }] : [];
      return [...words].filter((word) => wrong?.test(word)).map((word) => ({ reason, what: what || word }));
    });
  const may_be_negated = model.some(({ tokens }) => tokens.some(({ text }) => /^(?:not|xor|<->)$/.test(text)));
  const of_compiler = [
    // The compiler may lose the fact that an undefined value makes the surrounding comparison false.
    ...(isWarned(answer) && may_be_negated ? ["undefined values under not, xor or <->"] : []),
    ...(losesEmptyLists(answer) ? ["a list without elements"] : []),
  ];
  return [...of_text, ...of_compiler.map((what) => ({ reason: misstated, what }))];
}

/** How the compiler's messages about an undefined value start. */
const undefined_is_false = "undefined result becomes false";

function isWarned({ warnings }: Pick<Answer, "warnings">): boolean {
  return warnings.some(({ message }) => message.startsWith(undefined_is_false));
}

/** Whether a constraint became false because of an undefined value in the library rather than in the model. */
export function losesOwnValues({ warnings }: Pick<Answer, "warnings">, about = /^/): boolean {
  return warnings.some(
    ({ message, places: [inner] }) =>
      message.startsWith(undefined_is_false) && about.test(message) && inner !== undefined && inner.file !== model_file,
  );
}

/** Whether the library asked for the smallest index of an empty list, or for a bound of an empty set. */
export function losesEmptyLists(answer: Pick<Answer, "warnings">): boolean {
  return losesOwnValues(answer, /\bempty\b/);
}

/** Whether sets, or lists of sets, are compared by order. */
function ordersSets(model: readonly Statement[]): boolean {
  const sets = new Set(model.flatMap(({ tokens }) => declaredWith(/^set$/, tokens)));
  const isSet = (tokens: Tokens) =>
    tokens.some(({ text }, i) => {
      // The braces of `let {…}` hold declarations.
      const is_part = /^(?:in|subset|superset|let)$/.test(tokens[i - 1]?.text ?? "");
      const is_argument = tokens[i - 1]?.text === "(" && tokens[i - 2]?.kind === "word";
      return !is_part && !is_argument && (text === "{" || sets.has(text));
    });
  return model.some(({ tokens }) => {
    const has_list = tokens.some(({ text }) => /^(?:lex_\w+|(?:strictly_)?(?:in|de)creasing)$/.test(text));
    return (
      (has_list && isSet(tokens)) ||
      comparisonsOf(tokens, /^[<>]=?$/).some(({ from, to }) => isSet(tokens.slice(from, to + 1)))
    );
  });
}
