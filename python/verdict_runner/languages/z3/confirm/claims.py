"""What a program says of its own answer, held against what the solvers answered."""

import z3

from verdict_runner.languages.z3.terms import is_ground

# Lists and dictionaries of one exported value that are looked into.
PARTS_MAX = 10_000
CONTROL_KEYS = frozenset("satisfiable status values objective output".split())


def of_dictionary(solution):
    """A dictionary with the whole answer, as `(variables, satisfiable, objective)`."""
    inner = solution.get("values")
    rest = {name: value for name, value in solution.items() if name not in CONTROL_KEYS}
    return (
        {**(inner if isinstance(inner, dict) else {}), **rest},
        solution.get("satisfiable"),
        solution.get("objective"),
    )


def meant(run, satisfiable):
    """The solver that a claim without a solver is about: the last one that was checked, and answered so."""
    verdicts = [(solver, run.checked[key]) for key in run.checked for solver in run.solvers if id(solver) == key]
    claimed = z3.sat if satisfiable else z3.unsat
    agreeing = [solver for solver, verdict in verdicts if verdict == claimed]
    found = (agreeing or [solver for solver, _ in verdicts] or [None])[-1]
    if found is not None and len(run.solvers) > 1:
        which = f"that was checked last and answered {claimed}" if agreeing else "that was checked last"
        run.warn(
            f"The model has {len(run.solvers)} solvers and export_solution names none: this is the answer of the one {which}."
        )
    return found


def hold_against(run, answer, satisfiable):
    """Says it when a solver does not bear a claim out."""
    claimed = "sat" if satisfiable else "unsat"
    if satisfiable is not None and answer["status"] != claimed:
        run.warn(
            f"The program says satisfiable={bool(satisfiable)}, but the solver answered {answer['status']}: this answer is the solver's."
        )


def add_property(run, answer, verified):
    """Adds whether a property was verified: it is when no counterexample exists, or when the program says so and a solver answered unsat."""
    if answer["status"] not in ("sat", "unsat"):
        return
    needed = "sat" if verified is False else "unsat"
    told = answer["status"] == "unsat" if verified is None else bool(verified)
    if verified is not None and needed != answer["status"]:
        if needed in run.answers:
            answer["unconfirmed"] = (
                f"property_verified={told} is not confirmed: it rests on another check than the one of this answer; export the solver that answered {needed}."
            )
        else:
            told = None
            answer["unconfirmed"] = (
                f"The program says property_verified={bool(verified)}, but no solver answered {needed}, so that was not shown."
            )
    answer["model"] = {"property_verified": told, **(answer["model"] or {})}


def computed(model, variables, solver):
    """The names of exported values that the program computed, and that the solver did not give."""
    constants = {each.name(): each() for each in model.decls() if each.arity() == 0}
    return [
        str(name)
        for name, value in variables.items()
        if not _of_solver(value, solver) and not agrees(model, constants.get(name), value)
    ]


def _of_solver(value, solver):
    """Whether nothing in a value is the program's own; a list can hold itself."""
    waiting, seen = [value], set()
    while waiting:
        each = waiting.pop()
        if isinstance(each, (dict, list, tuple, set, frozenset, z3.AstVector)):
            if id(each) not in seen and len(seen) < PARTS_MAX:
                seen.add(id(each))
                waiting += each.values() if isinstance(each, dict) else each
        elif isinstance(each, z3.OptimizeObjective):
            if each._opt is not solver:
                return False
        elif (
            each is not None
            and not isinstance(each, z3.FuncDeclRef)
            and not (isinstance(each, z3.ExprRef) and not is_ground(each))
        ):
            return False
    return True


def agrees(model, constant, value):
    """Whether the model has this very value for the constant of this name."""
    if constant is None or not isinstance(value, (bool, int, float, str, z3.ExprRef)):
        return False
    found = model.eval(constant, model_completion=True)
    if isinstance(value, (float, str)):
        # The nearest float, or the text of a value.
        return (
            z3.is_rational_value(found) and float(found.as_fraction()) == value
            if isinstance(value, float)
            else value in (str(found), _text(found))
        )
    try:
        return z3.is_true(model.eval(constant == value, model_completion=True))
    except z3.Z3Exception:
        return False


def _text(value):
    return value.as_string() if z3.is_string_value(value) else None
