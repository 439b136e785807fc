"""Decides which CP-SAT parameters a program can set, and how far CP-SAT's answers are trusted with them."""

from __future__ import annotations

import re
from typing import Any, TypeAlias

from ortools.sat.python import cp_model

from verdict_runner.refusal import Refused

# CP-SAT's parameter message, as exposed by its Python interface.
Parameters: TypeAlias = Any

# Parameters that do not affect how far CP-SAT's proofs are trusted: limits, seeds, search order and logging.
# With any other parameter, a proof counts only if a second engine confirms it.
TRUSTED = frozenset(
    """
    absolute_gap_limit relative_gap_limit max_time_in_seconds max_deterministic_time max_number_of_conflicts
    max_memory_in_mb random_seed randomize_search search_random_variable_pool_size permute_variable_randomly
    permute_presolve_constraint_order num_workers num_search_workers enumerate_all_solutions stop_after_first_solution
    search_branching hint_conflict_limit repair_hint initial_polarity preferred_variable_order linearization_level
    symmetry_level cp_model_probing_level optimize_with_core optimize_with_lb_tree_search presolve_inclusion_work_limit
    log_search_progress log_subsolver_statistics log_to_stdout log_to_response log_prefix name catch_sigint_signal
    fill_tightened_domains_in_response fill_additional_solutions_in_response solution_pool_size
    """.split()
)
_WRITING = ("output_drat_proof", "output_lrat_proof")
_FIELD = re.compile(r"^(\w+)", re.MULTILINE)
_DEFAULTS = cp_model.CpSolver().parameters


def refuse(parameters: Parameters) -> None:
    """Raises `Refused` for parameters that make CP-SAT answer a different question or write files."""
    if parameters.fix_variables_to_their_hinted_value:
        raise Refused(
            "With fix_variables_to_their_hinted_value CP-SAT searches only the hinted values, and reports the model "
            "as infeasible if they do not fit.",
            ["leave the parameter out: hints then only guide the search", "or state the values: model.add(x == 3)"],
        )
    for name in _WRITING:
        if getattr(parameters, name):
            raise Refused(f"{name} makes CP-SAT write a file, which programs can't do here.", ["leave it out"])


def distrusted(parameters: Parameters) -> str | None:
    """Why CP-SAT's answer alone is not enough for an optimum or an `unsat` under these parameters."""
    names = [name for name in _FIELD.findall(str(parameters)) if name not in TRUSTED and _is_changed(parameters, name)]
    if not names:
        return None
    return (
        f"CP-SAT alone is not trusted under the parameter {', '.join(sorted(set(names)))}; leave it out, or rely on "
        "what a second engine confirms"
    )


def _is_changed(parameters: Parameters, name: str) -> bool:
    value, default = getattr(parameters, name), getattr(_DEFAULTS, name)
    # CP-SAT's list objects are equal only to themselves.
    return len(value) > 0 if hasattr(value, "__len__") and not isinstance(value, str) else value != default


def allow_gap(parameters: Parameters) -> bool:
    """Whether the search can stop before the best value is reached and still report OPTIMAL."""
    return parameters.relative_gap_limit > 0 or parameters.absolute_gap_limit >= 1
