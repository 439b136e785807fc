"""The profile of `z3`: Z3's Python API. Nothing here imports the engine."""

from collections.abc import Iterator, Set

from verdict_runner.languages.profile import LanguageProfile
from verdict_runner.languages.z3 import names

# Verdict provides the mcp_solver modules and the templates, because models for the original mcp-solver import them.
MODULES = (
    "z3",
    "mcp_solver",
    "mcp_solver.helpers",
    "mcp_solver.helpers.z3",
    "mcp_solver.z3",
    "mcp_solver.z3.solution",
    "mcp_solver.z3.templates",
    "mcp_solver.z3.templates.function_templates",
    "mcp_solver.z3.templates.subset_templates",
    "mcp_solver.z3.templates.z3_templates",
    "function_templates",
    "subset_templates",
    "z3_templates",
)

# Names available without an import, in addition to the engine's names.
PRESENT = frozenset(
    """
    export_solution array_is_sorted all_distinct array_contains exactly_k at_most_k at_least_k
    function_is_injective function_is_surjective smallest_subset_with_property
    constraint_satisfaction_template optimization_template array_template quantifier_template demo_template
    z3_templates subset_templates function_templates
    """.split()
)

# Operators from other languages, with their equivalents in this language.
FOREIGN = {
    "<=>": "p == q",
    "<->": "p == q",
    "=>": "Implies(p, q), or >= for 'at least'",
    "->": "Implies(p, q)",
    "&&": "And(p, q)",
    "||": "Or(p, q)",
    "/\\": "And(p, q)",
    "\\/": "Or(p, q)",
    "!": "Not(p)",
}

# Logic symbols, with their equivalents in this language.
SIGNS = {"∧": "And(…)", "∨": "Or(…)", "¬": "Not(…)", "→": "Implies(…)", "⇒": "Implies(…)"}

RANGE = "x = Int('x'), and And(0 <= x, x <= 9) as a constraint for its range"
BOOL = "p = Bool('p')"
# Functions that are methods in Z3, and functions from other libraries.
METHODS = {
    **dict.fromkeys(("IntVar", "NewIntVar", "new_int_var", "intvar", "Integer"), RANGE),
    **dict.fromkeys(("BoolVar", "NewBoolVar", "new_bool_var", "boolvar", "Boolean"), BOOL),
    **dict.fromkeys(("AllDifferent", "alldifferent", "all_different", "AllDistinct"), "Distinct(…)"),
    **dict.fromkeys(("Iff", "iff", "Equivalent"), "p == q for `p if and only if q`"),
    **dict.fromkeys(("Max", "Maximum", "max_of"), "If(a > b, a, b) for the larger one"),
    **dict.fromkeys(("Min", "Minimum", "min_of"), "If(a < b, a, b) for the smaller one"),
    **dict.fromkeys(("Exactly", "ExactlyK", "PbExactly"), "PbEq([(p, 1) for p in ps], k)"),
    "minimize": "o = Optimize(), o.add(…) for the constraints, then o.minimize(x)",
    "maximize": "o = Optimize(), o.add(…) for the constraints, then o.maximize(x)",
    "add_soft": "o = Optimize(), then o.add_soft(constraint, weight)",
    "add": "s = Solver(), then s.add(constraint); a constraint may be its own statement, too",
    "check": "s = Solver(), then s.check(); solve_model also checks a single solver automatically",
}
NOT_OFFERED = {
    "UserPropagateBase": "state what it propagates as constraints, or write the model in the language ortools",
    "Fixedpoint": "write rules (Datalog) in the language asp, or bounded steps as constraints of a Solver",
    "OnClause": "read s.statistics() and s.proof() instead",
}
LOOKUPS = (
    "an expression is not an index of a list: write a = Array('a', IntSort(), IntSort()), one constraint a[k] == v for each value, and a[i]",
    "or write Sum([If(i == k, v, 0) for k, v in enumerate(values)]) with 0 <= i and i < len(values) as constraints",
    "for a pair as the key: Sum([If(And(a == p, b == q), v, 0) for (p, q), v in table.items()])",
)
OPTIMISING = ("minimize", "maximize", "minimise", "maximise", "add_soft")
SOLVERS = frozenset(("Solver", "Optimize", "SolverFor", "SimpleSolver", "solver"))


def _missing(name: str, kind: type) -> list[str]:
    if name in OPTIMISING and kind.__name__ == "Solver":
        return ["use Optimize() instead of Solver(): only Optimize has objectives and soft constraints"]
    return []


def _missed(calls: Set[str]) -> Iterator[str]:
    if "export_solution" in calls and not calls & SOLVERS:
        yield "export_solution is called, but there is no Solver or Optimize yet."


PROFILE = LanguageProfile(
    id="z3",
    programs={"z3": "verdict_runner.languages.z3.language"},
    own_modules=MODULES,
    present=PRESENT | names.NAMES,
    constants="Z3_",
    starred=("z3",),
    engines=("z3",),
    hidden_modules=("z3.z3types",),
    hidden_classes=(("z3.z3", "Context"),),
    foreign=FOREIGN,
    signs=SIGNS,
    instead_of_nesting="write Sum([…]), And([…]) or Or([…]) over a list instead of hundreds of operands",
    methods=METHODS,
    not_offered=NOT_OFFERED,
    lookups=LOOKUPS,
    missing=_missing,
    missed=_missed,
)
