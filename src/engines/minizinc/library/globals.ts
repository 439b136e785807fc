/**
 * The files of MiniZinc's library that declare global constraints, as of the embedded version. Reading all of
 * `globals.mzn` takes half of a small run, and most models need one or two of its 450 files.
 */

const words = (text: string) => text.split(/\s+/);

/** Names that are declared in the file of the same name. */
const own_file = words(
  `all_different all_different_except all_different_except_0 all_disjoint all_equal alternative among analyse_all_different arg_max
arg_min arg_sort arg_val at_least at_most at_most1 bin_packing bin_packing_capa bin_packing_load bounded_path circuit connected
cost_mdd cost_regular count count_eq cumulative cumulatives dag decreasing diffn diffn_k diffn_nonstrict diffn_nonstrict_k disjoint
disjunctive disjunctive_strict distribute element exactly geost global_cardinality global_cardinality_closed
global_cardinality_low_up global_cardinality_low_up_closed increasing int_set_channel inverse inverse_in_range inverse_set knapsack
lex2 lex2_strict lex_chain_greater lex_chain_greatereq lex_chain_greatereq_orbitope lex_chain_less lex_chain_lesseq
lex_chain_lesseq_orbitope lex_greater lex_greatereq lex_less lex_lesseq link_set_to_booleans maximum mdd mdd_nondet member minimum
network_flow neural_net nvalue partition_set path piecewise_linear range reachable regular regular_nfa roots seq_precede_chain
sliding_among sliding_sum sort span steiner strict_lex2 strictly_decreasing strictly_increasing subcircuit subgraph sum_pred sum_set
symmetric_all_different table tree value_precede value_precede_chain var_perm_sym var_sqr_sym weighted_spanning_tree write writes
writes_seq`,
);

/** For other files, the names that they declare. A name can be declared in several files, once for each overload. */
const other_files: Readonly<Record<string, string>> = {
  all_different: "alldifferent",
  all_different_except: "alldifferent_except",
  all_different_except_0: "alldifferent_except_0",
  among_fn: "among",
  arg_max: "arg_max_total arg_max_weak arg_max_weak_bool arg_max_weak_float arg_max_weak_int maximum_arg",
  arg_min: "arg_min_total arg_min_weak arg_min_weak_bool arg_min_weak_float arg_min_weak_int minimum_arg",
  arg_sort: "arg_sort_float arg_sort_int",
  at_least: "atleast",
  at_most: "atmost",
  at_most1: "atmost1",
  bin_packing_load_fn: "bin_packing_load",
  bounded_path: "bounded_dpath",
  circuit_opt: "circuit",
  connected: "dconnected",
  count_fn: "count",
  cumulative_opt: "cumulative",
  cumulatives: "cumulatives_helper",
  cumulatives_opt: "cumulatives cumulatives_helper",
  disjunctive_opt: "disjunctive",
  disjunctive_strict_opt: "disjunctive_strict",
  distribute_fn: "distribute",
  fzn_inverse_in_range: "strengthen_injection_for_inverse_in_range",
  fzn_table_int_reif: "aux_is_in_table",
  geost: "geost_bb geost_nonoverlap_k geost_smallest_bb",
  global_cardinality_closed_fn: "global_cardinality_closed",
  global_cardinality_fn: "global_cardinality",
  inverse_fn: "inverse",
  lex_chain_lesseq: "lex_chain",
  lex_less: "lex_lt",
  lex_lesseq: "lex_leq",
  network_flow: "network_flow_cost",
  neural_net: `mincreasing neuron_linear neuron_relu neuron_softplus neuron_step NEURON_TYPE NT_RELU NT_STEP NT_LINEAR
NT_SOFTPLUS`,
  nvalue_fn: "nvalue",
  path: "dpath",
  piecewise_linear_non_continuous: "piecewise_linear",
  range_fn: "range",
  reachable: "dreachable",
  regular_regexp: "regular",
  roots_fn: "roots",
  sort_fn: "sort",
  steiner: "dsteiner",
  tree: "dtree",
  weighted_spanning_tree: "d_weighted_spanning_tree",
};

/** The files that declare each name. */
const files_of = new Map<string, string[]>(own_file.map((name) => [name, [name]]));
for (const [file, names] of Object.entries(other_files))
  for (const name of words(names)) files_of.set(name, [...(files_of.get(name) ?? []), file]);

/** The names that `globals.mzn` declares. */
export const global_names: ReadonlySet<string> = new Set([...files_of.keys()].filter((name) => /^[a-z]/.test(name)));

/** The length of a text that is not searched: MiniZinc takes much longer for it than for its library. */
const searched_chars_max = 200_000;

/**
 * Returns a text to be read instead of `globals.mzn`, which includes only the files that declare a name in the texts, with
 * all its overloads; undefined if the texts do not include `globals.mzn`, or need all of it.
 */
export function globalsFor(texts: readonly string[]): string | undefined {
  const text = texts.join("\n");
  if (text.length > searched_chars_max || !/"globals(?:\.mzn)?"/.test(text) || /\bfzn_/.test(text)) return undefined;
  const named = new Set(text.match(/\b[a-zA-Z]\w*/g));
  const needed = new Set([...named].flatMap((name) => files_of.get(name) ?? []));
  return [...needed].map((file) => `include "${file}.mzn";\n`).join("");
}
