import type { Statement } from "../../../../../evidence/minizinc/statements.ts";
import { placed } from "../../../../../evidence/minizinc/tokens.ts";
import { Fault } from "../../../../../kernel/fault.ts";
import { correct_and_send } from "../../../../../kernel/step.ts";

/**
 * The names that `globals.mzn` defines, except `range`, which without an include usually means Python's `range`. If a
 * build lacks a name, the build's own error is reported.
 */
export const globals: ReadonlySet<string> = new Set(
  `all_different all_different_except all_different_except_0 all_disjoint all_equal alldifferent alldifferent_except
alldifferent_except_0 alternative among arg_max arg_max_weak arg_min arg_min_weak arg_sort at_least at_most at_most1 atleast atmost
atmost1 bin_packing bin_packing_capa bin_packing_load bounded_dpath bounded_path circuit connected cost_mdd cost_regular count
count_eq count_geq count_gt count_leq count_lt count_neq cumulative cumulatives d_weighted_spanning_tree dag dconnected decreasing
diffn diffn_k diffn_nonstrict diffn_nonstrict_k disjoint disjunctive disjunctive_strict distribute dpath dreachable dsteiner dtree
element exactly geost geost_bb geost_nonoverlap_k geost_smallest_bb global_cardinality global_cardinality_closed
global_cardinality_low_up global_cardinality_low_up_closed increasing int_set_channel inverse inverse_in_range inverse_set knapsack
lex2 lex2_strict lex_chain lex_chain_greater lex_chain_greatereq lex_chain_greatereq_orbitope lex_chain_less lex_chain_lesseq
lex_chain_lesseq_orbitope lex_greater lex_greatereq lex_less lex_lesseq link_set_to_booleans maximum maximum_arg mdd mdd_nondet
member minimum minimum_arg network_flow network_flow_cost neural_net nvalue partition_set path piecewise_linear reachable regular
regular_nfa roots seq_precede_chain sliding_among sliding_sum sort span steiner strict_lex2 strictly_decreasing strictly_increasing subcircuit
subgraph sum_pred sum_set symmetric_all_different table tree value_precede value_precede_chain weighted_spanning_tree write writes
writes_seq`.split(/\s+/),
);

/** Finds global constraints that are called, but neither included nor defined by an item; without duplicates. */
export function globalsWithoutInclude(statements: readonly Statement[]): string[] {
  const included = new Set(statements.flatMap(includedFile));
  if (included.has("globals")) return [];
  const defined = new Set(statements.flatMap(definedName));
  const called = statements.flatMap(({ tokens }) =>
    tokens.flatMap(({ kind, text }, i) => (kind === "word" && tokens[i + 1]?.text === "(" ? [text] : [])),
  );
  return [...new Set(called)].filter(
    (name) => globals.has(name) && !defined.has(name) && !included.has(name.replaceAll("_", "")),
  );
}

/** Returns the name of the file that a statement includes, without its extension: `alldifferent`. */
function includedFile({ tokens: [first, file] }: Statement): string[] {
  const name = first?.text === "include" ? /(\w+)\.mzn"$/.exec(file?.text ?? "")?.[1] : undefined;
  return name === undefined ? [] : [name.replaceAll("_", "")];
}

/** Returns the name of the predicate or function that a statement defines; it precedes the first parenthesis. */
function definedName({ tokens }: Statement): string[] {
  if (!/^(?:predicate|function|test)$/.test(tokens[0]?.text ?? "")) return [];
  const before = tokens[tokens.findIndex(({ text }) => text === "(") - 1];
  return before ? [before.text] : [];
}

/**
 * The built-ins that MiniZinc's library and the solvers use; if a model redefines one of them, the meaning of all
 * constraints changes.
 */
const built_in =
  /^(?:'\W+'|fzn_\w+|forall|exists|xorall|iffall|clause|sum|product|min|max|abs|pow|bool2int|int2float|array_(?:var_)?(?:bool|int|float|set)_(?:and|or|xor|element|maximum|minimum)(?:_imp|_reif)?|(?:bool|int|float)_(?:lin_)?(?:eq|ne|le|lt|ge|gt)(?:_imp|_reif)?|bool_(?:and|or|xor|not|clause)(?:_imp|_reif)?|(?:int|float)_(?:abs|div|max|min|mod|plus|pow|times)(?:_imp|_reif)?|set_(?:card|diff|eq|in|intersect|le|lt|ne|subset|superset|symdiff|union)(?:_imp|_reif)?)$/;

/** Raises `input_rejected` for a model that redefines a built-in. */
export function refuseOwnBuiltIns(statements: readonly Statement[]): void {
  for (const statement of statements) {
    const name = definedName(statement).find((each) => built_in.test(each));
    if (name === undefined) continue;
    const position = { item: statement.item, line: statement.line, column: 1 };
    throw new Fault(
      "input_rejected",
      {
        where: placed(position),
        what: `\`${name}\` is built into MiniZinc, and this would change its meaning, even inside other constraints.`,
      },
      [`choose another name, such as my_${name.replaceAll(/\W/g, "") || "relation"}`, correct_and_send],
      position,
    );
  }
}

/** Returns a note on global constraints that the model defines itself instead of using those in the library. */
export function ownGlobals(statements: readonly Statement[]): string[] {
  const own = [...new Set(statements.flatMap(definedName))].filter((name) => globals.has(name));
  return own.length === 0
    ? []
    : [`The model defines ${own.join(", ")} itself; the global constraint of MiniZinc's library is not used.`];
}
