"""The language `z3`: items are Z3's Python, with `from z3 import *` done."""

import ast
import sys
import time
import types

import z3

from . import facade, program, values, z3_core, z3_handles, z3_options, z3_values
from .refusal import Refused

# Kept before any program runs, so that none can put its own in their place.
_solver_init, _optimize_init = z3.Solver.__init__, z3.Optimize.__init__
_solver_assert, _optimize_assert = z3.Solver.assert_exprs, z3.Optimize.assert_exprs
_solver_track, _optimize_track = z3.Solver.assert_and_track, z3.Optimize.assert_and_track
_solver_set, _optimize_set = z3.Solver.set, z3.Optimize.set
_solver_check, _optimize_check = z3.Solver.check, z3.Optimize.check
_solver_for, _set_param, _with = z3.SolverFor, z3.set_param, z3.With

# What we keep of the time for reading the answer out.
RESERVE_SECONDS = 0.1
EXPLAIN_SECONDS_MAX = 5.0
NOT_FOR_MODELS = frozenset(
    "open_log append_log parse_smt2_file enable_trace disable_trace UserPropagateBase OnClause PropClosures Context "
    "main_ctx get_ctx z3_debug set_html_mode in_html_mode print_matrix deserialize to_Ast to_AstVectorObj to_ContextObj "
    "user_prop_binding user_prop_created user_prop_decide user_prop_diseq user_prop_eq user_prop_final user_prop_fixed "
    "user_prop_fresh user_prop_pop user_prop_push ensure_prop_closures on_clause_eh z3_error_handler args2params".split()
)


def versions():
    return {"z3": z3.get_version_string()}


def warm():
    """Makes what every program needs, once, before jobs are forked; it starts no thread."""
    z3_handles.take_only_real_ones()
    z3.main_ctx()
    _plain_solver()
    _listen()


def modules():
    """The modules of this language that we write, or whose names we choose, by name."""
    ours = {"export_solution": export_solution}
    return {"z3": _z3_names(), "mcp_solver": {}, "mcp_solver.z3": ours}


def _z3_names():
    names = {
        name: value
        for name, value in facade.public_names(z3, NOT_FOR_MODELS).items()
        if getattr(value, "__module__", None) in ("z3.z3", "fractions")
        or (name.startswith("Z3_") and isinstance(value, int))
        or isinstance(value, z3.CheckSatResult)
    }
    ours = {"SolverFor": _solver_for_logic, "With": _with_checked, "parse_smt2_string": _parse}
    return {**names, "Z3Exception": z3.Z3Exception, "set_param": _set, "set_option": _set, **ours}


def rehearse():
    """Solves something small in a context of its own, so that the program finds Z3's pages in place."""
    context = z3.Context()
    x, y = z3.Int("x", context), z3.BitVec("y", 8, context)
    solver = z3.Solver(ctx=context)
    _solver_set(solver, "timeout", 1000)
    _solver_assert(solver, x > 5, x < 7, y * 3 == 9)
    if _solver_check(solver) == z3.sat:
        solver.model().eval(x)


class _Run:
    """What is known of the one program that this process runs."""

    def __init__(self, job):
        self.until = job["until"]
        self.items = job["items"]
        self.solvers = []
        self.bare = []
        self.origins = {}
        self.tracked = {}
        self.limits_ms = {}
        self.priorities = {}
        self.answer = None
        self.exports = 0
        self.warnings = []

    def left(self):
        return self.until - time.monotonic()

    def warn(self, text):
        if text not in self.warnings:
            self.warnings.append(text)


_run = None


def solve(job, known):
    """Runs the items of a model and gives what was decided."""
    global _run
    _run = _Run(job)
    _set_param("memory_max_size", job["memory_bytes"] // 2**20 * 3 // 4)
    names = {name: value for name, value in vars(known["z3"]).items() if not name.startswith("__")}
    names["export_solution"] = export_solution
    before = set(names)
    namespace = program.run(job["items"], names, known, "z3", _mark_bare, {"__bare__": _take_bare})
    if _run.answer is None:
        own = {name: value for name, value in namespace.items() if name not in before or value is not names[name]}
        _run.answer = _conclude(own)
    if _run.exports > 1:
        _run.warn(f"export_solution was called {_run.exports} times: this is the answer of the last call.")
    return {**_run.answer, "warnings": _run.warnings}


# ---- What the program does with Z3 is noted down: which solvers there are, and where each assertion stands.


def _listen():
    z3.Solver.__init__ = _noting(_solver_init)
    z3.Optimize.__init__ = _noting(_optimize_init)
    z3.Solver.assert_exprs = _asserting(_solver_assert)
    z3.Optimize.assert_exprs = _asserting(_optimize_assert)
    z3.Solver.assert_and_track = _tracking(_solver_track)
    z3.Optimize.assert_and_track = _tracking(_optimize_track)
    z3.Solver.set = _setting(_solver_set)
    z3.Optimize.set = _setting(_optimize_set)
    # Every other way to give parameters or SMT-LIB ends in one of these.
    z3.ParamsRef.set = _parameter(z3.ParamsRef.set)
    for kind, name in ((z3.Solver, "from_string"), (z3.Optimize, "from_string"), (z3.Fixedpoint, "parse_string"), (z3.ParserContext, "from_string")):
        setattr(kind, name, _reading(getattr(kind, name)))


def _parameter(setter):
    def checked(self, name, value):
        z3_options.check(name, value)
        return setter(self, name, value)

    return checked


def _reading(parse):
    """SMT-LIB has commands that write files and set any parameter."""

    def checked(self, text, *arguments):
        z3_options.check_script(text)
        return parse(self, text, *arguments)

    return checked


def _noting(init):
    def noted(self, *arguments, **keywords):
        if keywords.get("logFile") is not None or any(each is not None for each in arguments[2:]):
            raise Refused("A log file is not for a model.", ["leave logFile out"], "forbidden")
        init(self, *arguments, **keywords)
        # An object of the program's own, given to this method as `self`, is no solver.
        if _run and type(self) in (z3.Solver, z3.Optimize):
            _run.solvers.append(self)

    return noted


def _asserting(assert_exprs):
    def asserted(self, *constraints):
        place = _caller() if _run else None
        if place:
            for each in _flat(constraints):
                if isinstance(each, z3.ExprRef):
                    _run.origins.setdefault(each.get_id(), (place, each))
        return assert_exprs(self, *constraints)

    return asserted


def _tracking(assert_and_track):
    def tracked(self, constraint, name):
        place = _caller()
        if place:
            _run.tracked.setdefault(str(name), place)
        return assert_and_track(self, constraint, name)

    return tracked


def _setting(setter):
    def checked(self, *arguments, **keywords):
        z3_options.check_all(arguments, keywords)
        given = {**dict(zip(map(str, arguments[::2]), arguments[1::2])), **keywords}
        if "timeout" in given:
            _run.limits_ms[id(self)] = int(given["timeout"])
        priority = given.get("priority", given.get("opt.priority"))
        if priority is not None:
            _run.priorities[id(self)] = str(priority)
        return setter(self, *arguments, **keywords)

    return checked


def _set(*arguments, **keywords):
    """`set_param` but for what is not for a model."""
    z3_options.check_all(arguments, keywords)
    return _set_param(*arguments, **keywords)


def _parse(text, *arguments, **keywords):
    """`parse_smt2_string` but for what is not for a model."""
    z3_options.check_script(text)
    return z3.parse_smt2_string(text, *arguments, **keywords)


def _with_checked(tactic, *arguments, **keywords):
    """`With` but for what is not for a model."""
    z3_options.check_all(arguments, keywords)
    return _with(tactic, *arguments, **keywords)


def _solver_for_logic(logic, ctx=None, logFile=None):
    """A solver for all theories: one for a logic that leaves out a theory in use answers wrong."""
    if str(logic) == "HORN":
        solver = _solver_for("HORN")
        _run.solvers.append(solver)
        return solver
    return z3.Solver()


def _flat(constraints):
    for each in constraints:
        if isinstance(each, (list, tuple, set, z3.AstVector)):
            yield from _flat(each)
        else:
            yield each


def _caller():
    """The item and line that called us, past our own frames and Z3's."""
    frame = sys._getframe(2)
    while frame:
        place = program.place_of(frame.f_code.co_filename, frame.f_lineno)
        if place:
            return place
        frame = frame.f_back
    return None


# ---- Bare Boolean expressions: `x > 5` as a statement of its own.


class _Bare(ast.NodeTransformer):
    """Hands the value of each expression statement of the module to us; functions stay as they are."""

    def __init__(self, item):
        self._item = item

    def visit_FunctionDef(self, node):
        return node

    visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = visit_FunctionDef

    def generic_visit(self, node):
        # Statements hold statements; what expressions hold may be very deep, and is left alone.
        return node if isinstance(node, ast.expr) else super().generic_visit(node)

    def visit_Expr(self, node):
        if isinstance(node.value, ast.Constant) and not isinstance(node.value.value, bool):
            return node
        computed = not isinstance(node.value, (ast.Call, ast.Await))
        arguments = [node.value, *(ast.Constant(value) for value in (self._item, node.lineno, computed))]
        call = ast.Call(ast.Name("__bare__", ast.Load()), arguments, [])
        return ast.fix_missing_locations(ast.copy_location(ast.Expr(ast.copy_location(call, node)), node))


def _mark_bare(tree, item):
    return _Bare(item).visit(tree)


def _take_bare(value, item, line, computed):
    parts = list(_flat([value]))
    asserted = computed or any(isinstance(each, z3.BoolRef) for each in parts)
    for each in parts:
        if isinstance(each, z3.BoolRef) or (asserted and isinstance(each, bool)):
            _run.bare.append((each, (item, line)))


# ---- The answer.


def export_solution(solver=None, variables=None, objective=None, **others):
    """Decides what a solver holds, now, and makes this the answer of `solve_model`.

    `variables` are values by name: expressions, or lists and dictionaries of them.
    """
    if isinstance(solver, dict) and variables is None:
        solver, variables = others.pop("model", None), solver
    if type(solver) not in (z3.Solver, z3.Optimize):
        raise Refused(
            f"export_solution got {_kind(solver)} where it takes a Solver or an Optimize; nothing is decided without one.",
            [
                "call export_solution(solver=s, variables={'x': x}) with the solver that holds the constraints",
                "or leave export_solution out: the one Solver of the model is then checked",
            ],
        )
    if variables is not None and not isinstance(variables, dict):
        raise Refused(
            f"variables of export_solution is {_kind(variables)}, not a dictionary of values by name.",
            ["write variables={'x': x, 'y': y}"],
        )
    if others:
        _run.warn(f"export_solution does not know: {', '.join(others)}. It takes solver, variables, objective.")
    _run.exports += 1
    _run.answer = _decide(solver, variables, objective)
    return None


def _kind(value):
    return "nothing" if value is None else f"a value of type {type(value).__name__}"


def _conclude(own):
    """The two automatic ways: the one solver of the program, or its bare Boolean expressions."""
    found = {id(value): (name, value) for name, value in own.items() if isinstance(value, (z3.Solver, z3.Optimize))}
    at_top = list(found.values())
    created = at_top or [(None, each) for each in _run.solvers]
    if len(created) > 1:
        names = ", ".join(name for name, _ in at_top) or f"{len(created)} inside of functions"
        raise Refused(
            f"The model has {len(created)} solvers ({names}) and no call of export_solution was reached, so it is open which one is meant.",
            [
                "end every path of the program with export_solution(solver=…, variables={…})",
                "or keep one Solver in the whole model",
            ],
        )
    if created:
        return _decide_only(created[0][1], own)
    if not _run.bare:
        raise Refused(
            "The model has nothing to solve: no Solver, no Optimize, no call of export_solution, and no Boolean expression as a statement of its own.",
            [
                "write constraints as items, for instance: x > 5",
                "or s = Solver(), s.add(x > 5), export_solution(solver=s, variables={'x': x})",
            ],
        )
    solver = _plain_solver()
    for expression, place in _run.bare:
        expression = expression if isinstance(expression, z3.BoolRef) else z3.BoolVal(expression)
        _run.origins.setdefault(expression.get_id(), (place, expression))
        _solver_assert(solver, expression)
    return _decide(solver, None, None, own)


def _decide_only(solver, own):
    if _run.bare and len(solver.assertions()) == 0:
        item, line = _run.bare[0][1]
        raise Refused(
            f"The solver holds no constraint, but {len(_run.bare)} Boolean expressions stand in the model by themselves (the first: item {item}, line {line}).",
            ["add them: s.add(x > 5)", "or leave the Solver out: then they are asserted by themselves"],
        )
    if _run.bare:
        item, line = _run.bare[0][1]
        _run.warn(
            f"{len(_run.bare)} Boolean expressions stand by themselves and are not part of the solver (the first: item {item}, line {line}); add them with s.add(…) if they should hold."
        )
    return _decide(solver, None, None, own)


def _plain_solver():
    solver = z3.Solver.__new__(z3.Solver)
    _solver_init(solver)
    return solver


def _decide(solver, variables, objective, own=None):
    optimising = isinstance(solver, z3.Optimize)
    left_ms = max(1, int((_run.left() - RESERVE_SECONDS) * 1000))
    own_ms = _run.limits_ms.get(id(solver))
    (_optimize_set if optimising else _solver_set)(solver, "timeout", min(left_ms, own_ms or left_ms))
    verdict = (_optimize_check if optimising else _solver_check)(solver)
    answer = {
        "status": str(verdict),
        "model": None,
        "objective_value": None,
        "optimal": None,
        "statistics": _statistics(solver),
    }
    if verdict == z3.unknown:
        return {**answer, **_open(solver, own_ms is None or left_ms <= own_ms)}
    if verdict == z3.unsat:
        return {**answer, **_conflict(solver)}
    model = solver.model()
    wrong = _contradicted(solver, model)
    if wrong is not None:
        reason = f"Z3 answered sat, but its model does not satisfy {wrong}; nothing is decided"
        return {**answer, "status": "unknown", "reason": reason}
    answer["model"] = _shown(model, variables, own)
    if objective is not None:
        answer["objective_value"] = values.plain(objective, lambda value: _value(model, value))
    if optimising and len(solver.objectives()) > 0:
        answer |= _optimum(solver, model)
    return answer


def _statistics(solver):
    try:
        return {str(key): value for key, value in solver.statistics()}
    except z3.Z3Exception:
        return {}


def _open(solver, ours):
    reason = solver.reason_unknown()
    if reason in ("timeout", "canceled"):
        return {"status": "timeout" if ours else "unknown", "reason": "timeout"}
    if "memory" in reason:
        return {"reason": "memory limit"}
    return {"reason": reason or "incomplete"}


def _contradicted(solver, model):
    """The first assertion that the model makes false; what can't be evaluated is Z3's word."""
    for assertion in solver.assertions():
        if _run.left() < RESERVE_SECONDS:
            _run.warn("The time ran out before the model was checked against every assertion.")
            return None
        if z3.is_false(model.eval(assertion, model_completion=True)):
            place = _run.origins.get(assertion.get_id())
            return f"item {place[0][0]}, line {place[0][1]}" if place else assertion.sexpr()[:200]
    return None


def _conflict(solver):
    """Which constraints can't hold together: by the program's own names, or by their place in the items."""
    named = [str(each) for each in solver.unsat_core()] if _tracks(solver) else []
    if named:
        places = [_run.tracked[name] for name in named if name in _run.tracked]
        return {"unsat_core": named, "unsat_items": _lines(places)}
    seconds = min(EXPLAIN_SECONDS_MAX, _run.left() - 2 * RESERVE_SECONDS)
    core = z3_core.conflict(solver.assertions(), seconds, _plain_solver, _solver_check, _solver_set)
    places = [_run.origins[each.get_id()][0] for each in core if each.get_id() in _run.origins]
    return {"unsat_items": _lines(places)} if places else {}


def _tracks(solver):
    try:
        return len(solver.unsat_core()) > 0
    except z3.Z3Exception:
        return False


def _lines(places):
    found = []
    for item, line in sorted(set(places)):
        lines = _run.items[item].splitlines()
        found.append({"item": item, "line": line, "text": lines[line - 1].strip() if line <= len(lines) else ""})
    return found


def _optimum(solver, model):
    """The values of the objectives, and whether they were proved best."""
    bounds = [_bounds(solver, index) for index in range(len(solver.objectives()))]
    shown = [_bound_json(low) if low.eq(high) else {"lower": _bound_json(low), "upper": _bound_json(high)} for low, high in bounds]
    finite = all(low.eq(high) and _is_number(low) for low, high in bounds)
    priority = _run.priorities.get(id(solver), "lex")
    if not finite:
        _run.warn("An objective has no best value: it is unbounded, or approached and never reached (epsilon). The model is one of ever better ones.")
    if priority != "lex" and len(bounds) > 1:
        _run.warn(f"With priority {priority} the values below do not all belong to the one model that is shown.")
    return {
        "objective_value": shown[0] if len(shown) == 1 else shown,
        "optimal": finite and (priority == "lex" or len(bounds) == 1),
    }


def _bounds(solver, index):
    objective = z3.OptimizeObjective(solver, index, False)
    return objective.lower(), objective.upper()


def _is_number(value):
    return z3.is_int_value(value) or z3.is_rational_value(value) or z3.is_bv_value(value)


def _bound_json(value):
    return z3_values.to_json(value) if _is_number(value) or z3.is_algebraic_value(value) else str(value)


def _shown(model, variables, own):
    if variables is not None:
        return values.plain(variables, lambda value: _value(model, value))
    shown = {}
    for declaration in model.decls():
        name = declaration.name()
        if "!" not in name:
            shown[name] = _interpretation(model, declaration)
    for value in _constants(own or {}):
        name = value.decl().name()
        if name not in shown:
            shown[name] = _value(model, value)
    return dict(sorted(shown.items()))


def _constants(own):
    """The constants that the program keeps in its variables: the model may leave free ones out."""
    for value in own.values():
        for each in _flat(value.values() if isinstance(value, dict) else [value]):
            if isinstance(each, z3.ExprRef) and z3.is_const(each) and each.decl().kind() == z3.Z3_OP_UNINTERPRETED:
                yield each


def _interpretation(model, declaration):
    found = model[declaration]
    if isinstance(found, z3.FuncInterp):
        return z3_values.function(found)
    return _value(model, declaration())


def _value(model, value):
    """A value of the program under the model, as JSON."""
    if isinstance(value, z3.FuncDeclRef):
        if value.arity() > 0:
            found = model[value]
            return z3_values.function(found) if isinstance(found, z3.FuncInterp) else str(value)
        value = value()
    if isinstance(value, z3.ExprRef):
        return z3_values.to_json(_evaluated(model, value))
    if isinstance(value, z3.OptimizeObjective):
        return _bound_json(value.value())
    if isinstance(value, (z3.AstVector, types.GeneratorType)):
        return [values.plain(each, lambda other: _value(model, other)) for each in value]
    return str(value)


def _evaluated(model, value):
    result = model.eval(value, model_completion=True)
    if z3.is_as_array(result):
        found = model[z3.get_as_array_func(result)]
        return _spelled(value.sort(), found) if isinstance(found, z3.FuncInterp) else result
    return result


def _spelled(sort, interpretation):
    """An array that Z3 gives as a function, as the stores that make it."""
    rest = interpretation.else_value()
    if rest is None or interpretation.arity() != 1:
        return z3.Const("?", sort)
    array = z3.K(sort.domain(), rest)
    for i in range(interpretation.num_entries()):
        entry = interpretation.entry(i)
        array = z3.Store(array, entry.arg_value(0), entry.value())
    return array
