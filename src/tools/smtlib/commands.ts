/**
 * The commands that a script may use. `silent` ones print nothing when they are right, `print` ones
 * print text, `check` ones print a verdict. `ours` are sent by us where they belong, so that they
 * are taken out of a script; the answer has what they ask for.
 */
export type CommandKind = "silent" | "print" | "check" | "ours" | "forbidden";

const by_kind: Readonly<Record<CommandKind, readonly string[]>> = {
  silent: [
    ..."assert assert-soft declare-const declare-fun declare-sort declare-datatype declare-datatypes".split(" "),
    ..."declare-codatatypes declare-rel declare-var declare-map declare-tactic declare-type-var".split(" "),
    ..."define-const define-fun define-fun-rec define-funs-rec define-sort".split(" "),
    ..."push pop reset reset-assertions set-logic set-info set-option set-initial-value set-simplifier".split(" "),
    ..."minimize maximize rule".split(" "),
  ],
  print: [
    ..."echo eval simplify display apply labels help help-tactic get-user-tactics".split(" "),
    ..."get-value get-assertions get-assignment get-info get-option get-objectives get-consequences".split(" "),
    ..."get-proof get-proof-graph get-unsat-assumptions get-interpolant".split(" "),
  ],
  check: ["check-sat", "check-sat-assuming", "check-sat-using", "query"],
  ours: ["get-model", "get-unsat-core", "exit"],
  forbidden: ["include"],
};

const kinds = new Map<string, CommandKind>();
for (const kind of ["silent", "print", "check", "ours", "forbidden"] as const) {
  for (const name of by_kind[kind]) kinds.set(name, kind);
}

export const command_names: readonly string[] = [...kinds.keys()];

/** What a command does; undefined for one that nobody knows. */
export function kindOf(name: string): CommandKind | undefined {
  return kinds.get(name);
}

/** The name that Z3 gives an option: `:Smtlib2-Log` is `smtlib2_log`. */
export function optionName(keyword: string): string {
  return keyword.slice(1).toLowerCase().replaceAll("-", "_");
}

/** Options of Z3 5.1 that make it write or read files, or send its output elsewhere. */
const touches_files =
  /channel|file|(^|[._])log($|[._])|_log$|dump|trace|dimacs|drat|print_aig|solution_prefix|inprocess\.out|dot_|(^|[._])root$/;

/** Options whose value is a word that is known to choose a strategy and nothing else. */
const takes_word =
  /(^|[._])(default_tactic|heuristic|encoding|gc|local_search_mode|cutoff|reward|lemma_format|resolve|solver|phase|restart|maxsat_engine|optsmt_engine|priority|mode|check_relation|default_relation|default_table|default_table_checker|engine|logic|selection|slice_technique|mbqi\.id|qi\.cost|regex_orientation|regex_transition_mode|string_solver|random_seed|named|pattern|no_pattern|qid|skolemid|id|weight)$/;

const plain_value = /^(true|false|\d+(\.\d+)?)$/;

/** Whether an option with this value could reach the host's files. Unknown words are held back. */
export function reachesHost(name: string, value: string | undefined): boolean {
  if (touches_files.test(name)) return true;
  return value !== undefined && !plain_value.test(value) && !takes_word.test(name);
}
