"""The profile of `cpmpy`: constraint programming by CPMpy. Nothing here imports the engine."""

from collections.abc import Iterator, Set

from verdict_runner.languages.profile import LanguageProfile

MODULES = (
    "cpmpy",
    "cpmpy.exceptions",
    "cpmpy.expressions",
    "cpmpy.expressions.globalconstraints",
    "cpmpy.expressions.globalfunctions",
    "cpmpy.expressions.variables",
    "cpmpy.solvers",
    "cpmpy.solvers.solver_interface",
)

# What of numpy a model needs for its data; what reads files or memory is not among it.
NUMPY = tuple(
    """
    abs all any append arange argmax argmin argsort array array_equal asarray bool_ ceil clip column_stack concatenate
    copy cumsum diag diff dot eye flip floor full hstack inf int32 int64 integer invert linspace logical_and logical_not
    logical_or max maximum mean meshgrid min minimum mod nan ndenumerate ndindex newaxis nonzero ones ones_like outer
    prod ravel repeat reshape roll rot90 round sort split sqrt squeeze stack sum swapaxes tile trace transpose tri tril
    triu unique vstack where zeros zeros_like
    """.split()
)

# Names that are there without an import.
PRESENT = frozenset(("cp", "np", "export_solution"))

# Operators of other languages, with what stands for them here.
FOREIGN = {
    "<=>": "p == q",
    "<->": "p == q",
    "=>": "p.implies(q), or >= for 'at least'",
    "->": "p.implies(q)",
    "&&": "p & q",
    "||": "p | q",
    "/\\": "p & q",
    "\\/": "p | q",
    "!": "~p",
}
SIGNS = {"∧": "p & q", "∨": "p | q", "¬": "~p", "→": "p.implies(q)", "⇒": "p.implies(q)"}


def _missed(calls: Set[str]) -> Iterator[str]:
    if "export_solution" in calls and not calls & {"solve", "solveAll"}:
        yield "export_solution is called, but solve() is not: call m.solve() before."


PROFILE = LanguageProfile(
    id="cpmpy",
    programs={"cpmpy": "verdict_runner.languages.cpmpy.language"},
    own_modules=MODULES,
    chosen={"numpy": NUMPY},
    # It calls a method of the solver by the text of its name.
    kept_back=dict.fromkeys(MODULES, ("DirectConstraint",)),
    only_its_own=("cpmpy",),
    present=PRESENT,
    # Parameters of CP-SAT, and the list of constraints of a model.
    changeable=("decimal", "cpmpy.model", "ortools.sat.python.cp_model_helper"),
    foreign=FOREIGN,
    signs=SIGNS,
    missed=_missed,
)
