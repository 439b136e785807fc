"""What an answer of PySAT's engines rests on, as clauses, so that a process that never ran the program can decide it again."""

from pysat.formula import CNF, WCNF

# Literals that are handed over, of an answer's room of 8 MB.
LITERALS_MAX = 600_000


class Problem:
    """What one question to an engine was about; the clauses may grow afterwards."""

    def __init__(self, hard=(), soft=(), weights=(), assumptions=(), reason=None):
        self.hard, self.count = hard, len(hard)
        self.soft, self.weights = soft, weights
        self.assumptions = assumptions
        # Why it can't be handed over, if so.
        self.reason = reason
        self.model = None

    def evidence(self, cost=None, exported=()):
        """The problem as JSON, with the model that was found, and solutions that the program exports.

        `cost` is what its soft clauses are said to cost at least.
        """
        hard, exported = self.hard[: self.count], list(exported)
        if self.reason is None and sum(map(len, (*hard, *self.soft, *exported))) > LITERALS_MAX:
            self.reason = "the problem is too large to be handed over"
        if self.reason is None and not all(type(each) is int for each in (*self.weights, 0 if cost is None else cost)):
            self.reason = "its weights are not whole numbers"
        if self.reason is not None:
            return {"open": self.reason}
        return {
            "hard": _plain(hard),
            "soft": _plain(self.soft),
            "weights": list(self.weights),
            "assumptions": [int(each) for each in self.assumptions],
            "model": None if self.model is None else [int(each) for each in self.model],
            "exported": [[int(each) for each in solution] for solution in exported],
            "cost": cost,
        }


def of_log(log, assumptions):
    """What a solver was asked, by the log of its clauses."""
    reason = (
        "it has constraints besides clauses"
        if log.others
        else None
        if log.whole
        else "the problem is too large to be handed over"
    )
    return Problem(log.clauses, assumptions=tuple(assumptions), reason=reason)


def of_formula(formula, only_hard=False, all_hard=False):
    """What an engine was asked that takes a formula."""
    if getattr(formula, "atms", None) or getattr(formula, "atmosts", None):
        return Problem(reason="it has constraints besides clauses")
    if isinstance(formula, WCNF):
        hard, soft, weights = list(map(list, formula.hard)), list(map(list, formula.soft)), list(formula.wght)
        if all_hard or only_hard:
            return Problem([*hard, *soft] if all_hard else hard)
        return Problem(hard, soft, weights)
    return (
        Problem(list(map(list, formula.clauses)))
        if isinstance(formula, CNF)
        else Problem(reason="this kind of question is not checked again")
    )


def is_part(one, other):
    """Whether everything that one problem asks is asked by the other, too."""
    if one is None or other is None or one.reason is not None or other.reason is not None:
        return True
    if not set(one.assumptions) <= set(other.assumptions):
        return False
    if one.hard is other.hard:
        return one.count <= other.count
    return set(map(frozenset, one.hard[: one.count])) <= set(map(frozenset, other.hard[: other.count]))


def _plain(clauses):
    return [[int(each) for each in clause] for clause in clauses]
