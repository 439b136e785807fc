/**
 * The FlatZinc constraints for which each solver was found to be correct, in one of three ways. The solver returned all
 * solutions of random instances of the constraint alone (test/long/minizinc_constraints.test.ts). Or the constraint was
 * in random models, and brute force confirmed the solver's claims ("unsatisfiable", "best", "all") about them
 * (test/long/minizinc_measured.test.ts). Or its solutions were the same as another implementation's
 * (test/long/minizinc_reified.test.ts). For a constraint that is not listed, the solver was not tested or was wrong, so
 * another solver or Z3 checks claims about it.
 */

/** The kind of arithmetic used by a group of solvers. */
export type Kind = "gecode" | "chuffed" | "linear" | "cp_sat" | "other";

const gecode = `
    array_bool_and array_bool_and_imp array_bool_element array_bool_or array_bool_or_imp array_bool_xor
    array_bool_xor_imp array_int_element array_int_lq array_int_lt array_int_maximum array_int_minimum
    array_set_element array_set_partition array_set_union array_var_bool_element array_var_int_element
    array_var_set_element bool2int bool_and bool_and_imp bool_clause bool_clause_reif bool_eq bool_eq_imp
    bool_eq_reif bool_ge bool_ge_imp bool_ge_reif bool_gt bool_gt_imp bool_gt_reif bool_le bool_le_imp bool_le_reif
    bool_lin_eq bool_lin_eq_imp bool_lin_eq_reif bool_lin_ge bool_lin_ge_imp bool_lin_ge_reif bool_lin_gt
    bool_lin_gt_imp bool_lin_gt_reif bool_lin_le bool_lin_le_imp bool_lin_le_reif bool_lin_lt bool_lin_lt_imp
    bool_lin_lt_reif bool_lin_ne bool_lt bool_lt_imp bool_lt_reif bool_ne bool_ne_imp bool_ne_reif bool_not bool_or
    bool_or_imp bool_xor bool_xor_imp fzn_all_equal_int fzn_among fzn_at_least_int fzn_at_most_int
    fzn_decreasing_bool fzn_decreasing_int fzn_disjoint fzn_global_cardinality fzn_global_cardinality_closed
    fzn_global_cardinality_low_up fzn_global_cardinality_low_up_closed fzn_increasing_bool fzn_increasing_int
    fzn_member_bool fzn_member_int fzn_nvalue fzn_sort fzn_table_int gecode_all_different_int gecode_array_bool_lq
    gecode_array_bool_lt gecode_array_int_lq gecode_array_int_lt gecode_array_int_maximum gecode_array_int_minimum
    gecode_array_set_partition gecode_bin_packing_load gecode_circuit gecode_count gecode_count_reif
    gecode_int_set_channel gecode_inverse_offsets gecode_link_set_to_booleans
    gecode_maximum_arg_int gecode_member_bool_reif gecode_member_int_reif gecode_minimum_arg_int gecode_nooverlap
    gecode_precede gecode_range gecode_regular gecode_schedule_unary gecode_set_weights gecode_table_bool_imp
    gecode_table_bool_reif gecode_table_int_imp gecode_table_int_reif int_abs int_div int_eq int_eq_imp int_eq_reif
    int_ge int_ge_imp int_ge_reif int_gt int_gt_imp int_gt_reif int_le int_le_imp int_le_reif int_lin_eq
    int_lin_eq_reif int_lin_ge int_lin_ge_imp int_lin_ge_reif int_lin_gt int_lin_gt_imp
    int_lin_gt_reif int_lin_le int_lin_le_imp int_lin_le_reif int_lin_lt int_lin_lt_imp int_lin_lt_reif int_lin_ne
    int_lin_ne_imp int_lin_ne_reif int_lt int_lt_imp int_lt_reif int_max int_min int_minus int_mod int_ne
    int_ne_imp int_ne_reif int_negate int_plus int_times set_card set_diff set_eq set_eq_reif set_in set_in_imp
    set_in_reif set_intersect set_ne set_ne_reif set_subset set_subset_reif set_superset set_superset_reif
    set_symdiff set_union
`;

const chuffed = `
    array_bool_and array_bool_element array_int_element array_var_bool_element array_var_int_element
    array_var_int_element_imp bool2int bool_and bool_clause bool_clause_reif bool_eq bool_eq_imp bool_eq_reif
    bool_le bool_le_reif bool_lt bool_lt_reif bool_ne bool_ne_reif bool_not bool_or bool_sum_eq bool_sum_ge
    bool_sum_gt bool_sum_le bool_sum_lt bool_xor chuffed_array_int_maximum chuffed_array_int_minimum
    chuffed_circuit chuffed_cumulative chuffed_cumulative_vars chuffed_regular chuffed_seq_precede
    chuffed_subcircuit chuffed_table_int chuffed_value_precede fzn_all_different_int int_abs int_div int_eq
    int_eq_imp int_eq_reif int_ge_imp int_gt_imp int_le int_le_imp int_le_reif int_lin_eq
    int_lin_eq_reif int_lin_ge int_lin_le int_lin_le_imp int_lin_le_reif int_lin_lt int_lin_ne int_lin_ne_imp
    int_lin_ne_reif int_lt int_lt_imp int_lt_reif int_max int_min int_minus int_ne int_ne_imp int_ne_reif int_plus
    int_times inverse_offsets set_in set_in_reif
`;

const linear = `
    bool_eq int_eq int_le int_lin_eq int_lin_le
`;

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const measured: Readonly<Record<Kind, ReadonlySet<string>>> = {
  gecode: words(gecode),
  chuffed: words(chuffed),
  linear: words(linear),
  // Verdict compiles constraints for CP-SAT in its own way, and CP-SAT's side reports what is uncertain.
  cp_sat: new Set(),
  other: new Set(),
};

/** Whether a solver was tested on a constraint. */
export function isMeasured(kind: Kind, name: string): boolean {
  return measured[kind].has(name);
}
