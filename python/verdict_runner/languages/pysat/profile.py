"""The profile of `pysat`: SAT, MaxSAT and related problems with PySAT. Nothing here imports the engine."""

from collections.abc import Iterator, Set

from verdict_runner.languages.profile import LanguageProfile

# Verdict provides the mcp_solver modules, because models written for the original mcp-solver import them.
MODULES = (
    "pysat",
    "pysat.allies",
    "pysat.card",
    "pysat.engines",
    "pysat.examples",
    "pysat.examples.fm",
    "pysat.examples.hitman",
    "pysat.examples.lbx",
    "pysat.examples.lsu",
    "pysat.examples.mcsls",
    "pysat.examples.musx",
    "pysat.examples.optux",
    "pysat.examples.rc2",
    "pysat.formula",
    "pysat.integer",
    "pysat.pb",
    "pysat.process",
    "pysat.solvers",
    "mcp_solver",
    "mcp_solver.helpers",
    "mcp_solver.helpers.maxsat",
    "mcp_solver.helpers.pysat",
    "mcp_solver.maxsat",
    "mcp_solver.maxsat.constraints",
    "mcp_solver.maxsat.solution",
    "mcp_solver.maxsat.templates",
    "mcp_solver.maxsat.templates.cardinality_constraints",
    "mcp_solver.pysat",
    "mcp_solver.pysat.constraints",
    "mcp_solver.pysat.error_handling",
    "mcp_solver.pysat.solution",
    "mcp_solver.pysat.templates",
    "mcp_solver.pysat.templates.basic_templates",
    "mcp_solver.pysat.templates.cardinality_templates",
    "mcp_solver.pysat.templates.mapping",
    "mcp_solver.solution",
)

# Names available without an import.
PRESENT = frozenset(
    """
    export_solution exactly_k at_most_k at_least_k at_most_one exactly_one mutually_exclusive implies
    if_then_else VariableMap enumerate_models count_models CNF WCNF Cadical153 Glucose3 CardEnc EncType RC2
    collections itertools json math random re time
    """.split()
)

# Operators from other languages, with their equivalents in this language.
FOREIGN = {
    "<=>": "[-p, q] and [p, -q]",
    "<->": "[-p, q] and [p, -q]",
    "=>": "the clause [-p, q], or >= for 'at least'",
    "->": "the clause [-p, q]",
    "&&": "two clauses, [p] and [q]",
    "||": "the clause [p, q]",
    "/\\": "two clauses, [p] and [q]",
    "\\/": "the clause [p, q]",
    "!": "-p",
}

# Logic symbols, with their equivalents in this language.
SIGNS = {
    "∧": "two clauses, [p] and [q]",
    "∨": "the clause [p, q]",
    "¬": "-p",
    "→": "the clause [-p, q]",
    "⇒": "the clause [-p, q]",
}

# PySAT classes that solve when export_solution reads them or through methods with common names.
ENGINES = frozenset(
    "Solver Cadical103 Cadical153 Cadical195 CryptoMinisat Gluecard3 Gluecard4 Glucose3 Glucose4 Glucose42 Lingeling "
    "MapleChrono MapleCM Maplesat Mergesat3 Minicard Minisat22 MinisatGH Hitman IntegerEngine".split()
)
NOTHING_EXPORTED = "Nothing is exported yet: without export_solution({…}), the answer is the solver's last answer, with its model as a list of literals."
# Methods and functions that call a solver.
SOLVING = frozenset("solve solve_limited compute enumerate enum_models enumerate_models count_models propagate".split())


def _missed(calls: Set[str]) -> Iterator[str]:
    """Reports a solver without an export, or an export without a solver."""
    exports, solves = "export_solution" in calls, calls & SOLVING
    if solves and not exports:
        yield NOTHING_EXPORTED
    if exports and not solves and not calls & ENGINES:
        yield "export_solution is called, but no solver: call solve(), compute() or count_models() first."


PROFILE = LanguageProfile(
    id="pysat",
    programs={"pysat": "verdict_runner.languages.pysat.language"},
    own_modules=MODULES,
    only_its_own=("pysat",),
    present=PRESENT,
    files=("cnf",),
    engines=("pysat",),
    # Programs can change formulas, the objects that build them, and variable names.
    changeable=("decimal", "pysat.formula", "pysat.card", "pysat.integer", "verdict_runner.languages.pysat.patterns"),
    foreign=FOREIGN,
    signs=SIGNS,
    instead_of_nesting="write a list of clauses, or sum(…) over a list, instead of hundreds of operands",
    missed=_missed,
)
