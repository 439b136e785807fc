"""Functions with which programs enumerate and count models."""

from __future__ import annotations

from collections.abc import Iterable

from verdict_runner.languages.pysat import helpers as pysat_helpers
from verdict_runner.languages.pysat import problem as pysat_evidence
from verdict_runner.languages.pysat.run import the_run
from verdict_runner.refusal import Refused


def enumerate_models(
    formula: pysat_helpers.Formula, variables: Iterable[int] | None = None, limit: int = pysat_helpers.ENUMERATION_LIMIT
) -> list[list[int]]:
    """Lists a CNF's models over these variables, each once; the default is all variables except those of encodings."""
    run = the_run()
    models, whole, problem = _all_models(formula, variables, limit)
    for each in models:
        run.note_read(problem, each)
    if models:
        run.searches.note_list(problem, len(models))
    if not whole:
        run.warn(f"enumerate_models stopped at its limit of {limit} models: there are more.")
    return models


def count_models(
    formula: pysat_helpers.Formula,
    variables: Iterable[int] | None = None,
    limit: int = pysat_helpers.COUNT_LIMIT,
    method: str = "exact",
) -> int:
    """Counts a CNF's models over the variables exactly; raises `Refused` if there are more than `limit`."""
    if method not in ("exact", "approximate"):
        raise Refused(
            f"count_models has no method {method!r}.",
            ["omit method for an exact count", "or write method='approximate'"],
        )
    if method == "approximate":
        return _approximate_count(formula, variables)
    models, whole, _ = _all_models(formula, variables, limit)
    if not whole:
        raise Refused(
            f"There are more than {limit} models; they were counted one by one, and the count was not completed.",
            [
                "raise limit=… and timeout_ms",
                "count over fewer variables with variables=[…]",
                "or count_models(…, method='approximate'), if the package pyapproxmc is installed",
            ],
        )
    return len(models)


def _all_models(
    formula: pysat_helpers.Formula, variables: Iterable[int] | None, limit: int
) -> tuple[list[list[int]], bool, pysat_evidence.Problem]:
    run = the_run()
    run.depth += 1
    try:
        models, whole = pysat_helpers.models(formula, variables, limit)
    finally:
        run.depth -= 1
    problem = pysat_evidence.Problem(pysat_helpers.clauses_of(formula))
    run.note(bool(models), problem)
    return models, whole, problem


def _approximate_count(formula: pysat_helpers.Formula, variables: Iterable[int] | None) -> int:
    run = the_run()
    try:
        import pyapproxmc  # noqa: F401
        from pysat.allies.approxmc import Counter
    except ImportError:
        raise Refused(
            "Approximate counting needs the package pyapproxmc, which is not installed.",
            ["count exactly with count_models(formula, limit=…)"],
        ) from None
    clauses = pysat_helpers.clauses_of(formula)
    chosen = sorted({abs(each) for each in variables}) if variables is not None else pysat_helpers.variables_of(clauses)
    with Counter(clauses) as counter:
        count = counter.count(projection=chosen)
    run.note(count > 0, pysat_evidence.Problem(clauses))
    run.warn("The count is approximate (ApproxMC, within a factor of 1.8 with a probability of 80 %).")
    return count


FUNCTIONS = {"enumerate_models": enumerate_models, "count_models": count_models}
