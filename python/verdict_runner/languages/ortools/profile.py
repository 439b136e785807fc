"""The profile of `ortools`: CP-SAT through OR-Tools' cp_model, and MathOpt. Nothing here imports the engine."""

from collections.abc import Iterator, Set

from verdict_runner.languages.profile import LanguageProfile

MODULES = (
    *("ortools", "ortools.sat", "ortools.sat.python", "ortools.sat.python.cp_model"),
    *("ortools.math_opt", "ortools.math_opt.python", "ortools.math_opt.python.mathopt"),
)
# The MathOpt modules whose objects a program can change, for example to set bounds or parameters.
_MATHOPT = ("variables", "linear_constraints", "objectives", "parameters", "model_parameters", "solution")

# Operators from other languages, with their equivalents in this language.
FOREIGN = {
    "<=>": "model.add(x == y), or two add_implication",
    "=>": "model.add_implication(p, q), or model.add(…).only_enforce_if(p)",
    "->": "model.add_implication(p, q), or model.add(…).only_enforce_if(p)",
    "&&": "two constraints, or model.add_bool_and([p, q])",
    "||": "model.add_bool_or([p, q])",
    "!": "~p",
}
SIGNS = {"∧": "add_bool_and([…])", "∨": "add_bool_or([…])", "¬": "~p", "→": "add_implication(p, q)"}

# Older names and names from other interfaces, with their equivalents in this language.
METHODS = {
    "Arc": "model.add_circuit([(tail, head, literal), …]); an arc is a tuple",
    "ClearField": "model.clear_objective()",
    "Clear": "model.clear_hints()",
    "solution_hint": "model.clear_hints() and model.add_hint(x, value)",
    "VarIndexToVarProto": "model.get_int_var_from_proto_index(i)",
    **dict.fromkeys(("Abs", "abs_", "AddAbs"), "model.add_abs_equality(y, x), where y is a new variable for |x|"),
    **dict.fromkeys(("Max", "max_"), "model.add_max_equality(y, [a, b])"),
    **dict.fromkeys(("Min", "min_"), "model.add_min_equality(y, [a, b])"),
    **dict.fromkeys(("Or", "BoolOr"), "model.add_bool_or([p, q])"),
    **dict.fromkeys(("And", "BoolAnd"), "model.add_bool_and([p, q])"),
}
NOT_OFFERED = {
    "CallbackRegistration": "add all constraints to the model; cp_model's add_circuit replaces the lazy cuts of a tour",
}
LOOKUPS = (
    "an expression can't be a list index: write model.add_element(x, values, y), where y is a new variable for values[x]",
    "for a pair as the key: model.add_allowed_assignments([a, b, y], [(p, q, v) for (p, q), v in table.items()])",
)


def _missed(calls: Set[str]) -> Iterator[str]:
    if "export_solution" in calls and not calls & {"CpModel", "Model"}:
        yield "export_solution is called, but there is no CpModel or mathopt.Model yet."


PROFILE = LanguageProfile(
    id="ortools",
    # The program `flatzinc` does not run its items, which are models compiled by MiniZinc.
    programs={
        "ortools": "verdict_runner.languages.ortools.language",
        "flatzinc": "verdict_runner.languages.flatzinc.language",
    },
    own_modules=MODULES,
    only_its_own=("ortools",),
    present=frozenset(("cp_model", "export_solution")),
    files=("mps", "lp", "opb", "cnf"),
    starred=("ortools.sat.python.cp_model",),
    # Programs can change a solver's parameters, its callbacks, and variable names.
    changeable=(
        *("decimal", "ortools.sat.python.cp_model", "ortools.sat.python.cp_model_helper"),
        *(f"ortools.math_opt.python.{name}" for name in _MATHOPT),
    ),
    foreign=FOREIGN,
    signs=SIGNS,
    methods=METHODS,
    not_offered=NOT_OFFERED,
    lookups=LOOKUPS,
    missed=_missed,
)
