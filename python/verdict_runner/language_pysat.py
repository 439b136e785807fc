"""The language `pysat`: items are PySAT's Python; what was found goes out by `export_solution`."""

import functools
import os
import time

import pysat
import pysat.solvers
from pysat.card import CardEnc
from pysat.formula import CNF, WCNF
from pysat.examples import fm, hitman, lbx, lsu, mcsls, musx, optux, rc2

from . import facade, program, pysat_helpers, values
from .refusal import Refused

# Literals looked at, in all, to check models against the clauses that they should satisfy.
REPLAYED_LITERALS_MAX = 5_000_000
# Literals kept of the clauses of one solver; a solver with more is not checked.
KEPT_LITERALS_MAX = 3_000_000

SOLVERS = tuple(
    value
    for value in vars(pysat.solvers).values()
    if isinstance(value, type) and value.__module__ == "pysat.solvers" and "solve" in vars(value)
)
MAXSAT = (rc2.RC2, rc2.RC2Stratified, fm.FM, lsu.LSU, lsu.LSUPlus)
SUBSETS = (musx.MUSX, optux.OptUx)
OTHERS = (lbx.LBX, mcsls.MCSls, hitman.Hitman)
ENGINES = frozenset((*SOLVERS, *MAXSAT, *SUBSETS, *OTHERS))
ENCODINGS = "atmost atleast equals leq geq".split()
try:
    from pysat.pb import PBEnc

    PB_ENCODERS = (PBEnc,)
except (ImportError, AssertionError):
    PB_ENCODERS = ()  # Its own needs are not installed; PySAT asserts that.
CONTROL_KEYS = frozenset("satisfiable status objective objective_value cost optimal values message".split())


def versions():
    return {"pysat": pysat.__version__}


def warm():
    """Begins to note down what engines answer; jobs are forked afterwards."""
    _listen()


def rehearse():
    """Nothing to do ahead: a SAT solver starts in no time."""


def modules():
    """The modules of this language that we write, by name."""
    return {"mcp_solver": {}, "mcp_solver.pysat": _helpers()}


def _helpers():
    return {
        "export_solution": export_solution,
        "at_most_k": pysat_helpers.at_most_k,
        "at_least_k": pysat_helpers.at_least_k,
        "exactly_k": pysat_helpers.exactly_k,
        "enumerate_models": enumerate_models,
        "count_models": count_models,
    }


class _Run:
    """What is known of the one program that this process runs."""

    def __init__(self, job):
        self.until = job["until"]
        self.depth = 0
        # What the outermost calls of engines answered: True, False, or None for undecided.
        self.verdicts = []
        # Whether each False of them was about more than the clauses: assumptions were given.
        self.assumed = []
        self.optima = []
        self.replayed = 0
        self.wrong = None
        self.answer = None
        self.exports = 0
        # Whether the program has made encodings with variables of their own.
        self.encoded = False
        # Whether clauses were added after the answer.
        self.late = False
        self.warnings = []
        self.statistics = {}

    def note(self, verdict, assumed=False):
        self.verdicts.append(verdict)
        if verdict is False:
            self.assumed.append(assumed)

    def warn(self, text):
        if text not in self.warnings:
            self.warnings.append(text)


_run = None


def solve(job, known):
    """Runs the items of a model and gives what was decided."""
    global _run
    _run = _Run(job)
    program.run(job["items"], _helpers(), known, "pysat")
    if _run.answer is None:
        raise Refused(
            "The program ended without export_solution, so there is nothing to report."
            if _run.verdicts
            else "The program ended without a call of a solver and of export_solution.",
            [
                "call export_solution({'satisfiable': True, 'x': …}) on the path where solve() is true",
                "and export_solution({'satisfiable': False}) on the other",
            ],
        )
    if _run.late:
        _run.warn("Clauses were added after export_solution, so the answer leaves them out; move the solving and export_solution to the end.")
    if _run.exports > 1:
        _run.warn(f"export_solution was called {_run.exports} times: this is the answer of the last call.")
    return {**_run.answer, "statistics": _run.statistics, "warnings": _run.warnings}


# ---- What the engines answer is noted down, so that a claim of the program can be held against it.


def _listen():
    for kind in SOLVERS:
        kind.add_clause = _logging_clause(kind.add_clause)
        kind.solve = _solving(kind.solve)
        kind.solve_limited = _solving(kind.solve_limited)
        kind.get_model = _modelling(kind.get_model)
        kind.enum_models = _enumerating(kind.enum_models)
    for encoder in (CardEnc, *PB_ENCODERS):
        for name in ENCODINGS:
            if name in vars(encoder):
                setattr(encoder, name, classmethod(_encoding(vars(encoder)[name].__func__)))
    for kind in (*MAXSAT, *SUBSETS, *OTHERS):
        kind.__init__ = _taking_formula(_quietly(kind.__init__))
        if "enumerate" in vars(kind):
            kind.enumerate = _streaming(kind.enumerate)
    lsu.LSU.__init__ = _unweighted(lsu.LSU.__init__)
    for kind in (CNF, WCNF):
        kind.append = _appending(kind.append)
        kind.extend = _appending(kind.extend)
    for kind in MAXSAT:
        name = "solve" if issubclass(kind, lsu.LSU) else "compute"
        if name in vars(kind):
            setattr(kind, name, _optimising(getattr(kind, name)))
    for kind in SUBSETS:
        kind.compute = _reducing(kind.compute)
    for kind in (lbx.LBX, mcsls.MCSls):
        kind.compute = _finding(kind.compute)
    hitman.Hitman.get = _finding(hitman.Hitman.get)
    pysat.solvers.tempfile = _MemoryFiles


def _genuine(engine):
    """Methods can be called on anything: an object of the program's own must not answer for an engine."""
    if type(engine) not in ENGINES:
        raise TypeError(f"this method is of an engine of PySAT, and not for a {type(engine).__name__}")


def _quietly(method):
    """A call inside of which the engines' own calls of solvers are nobody's verdict."""

    @functools.wraps(method)
    def quiet(self, *arguments, **keywords):
        _genuine(self)
        _run.depth += 1
        try:
            return method(self, *arguments, **keywords)
        finally:
            _run.depth -= 1

    return quiet


def _encoding(encode):
    """An encoding whose own variables are marked: programs forget to keep them apart, and then answers are wrong."""

    @functools.wraps(encode)
    def encoded(cls, lits, *arguments, **keywords):
        lits = list(lits)
        _run.depth += 1
        try:
            formula = encode(cls, lits, *arguments, **keywords)
        finally:
            _run.depth -= 1
        if _run.depth == 0:
            _run.encoded = True
            stated = [*lits, *(keywords.get("conditionals") or [])]
            formula.clauses = pysat_helpers.marked(formula.clauses, stated, type("Encoding", (pysat_helpers.Aux,), {"__slots__": ()}))
        return formula

    return encoded


def _taking_formula(init):
    @functools.wraps(init)
    def checked(self, formula=None, *arguments, **keywords):
        if isinstance(formula, WCNF):
            pysat_helpers.check_clash([*formula.hard, *formula.soft])
            _check_weights(formula)
        elif isinstance(formula, CNF):
            pysat_helpers.check_clash(formula.clauses)
        self._verdict_formula = formula
        return init(self, *([] if formula is None else [formula]), *arguments, **keywords)

    return checked


def _check_weights(formula):
    wrong = next((weight for weight in formula.wght if not weight > 0), None)
    if wrong is not None:
        raise Refused(
            f"The weight {wrong} of a soft clause is not positive, and the engines take no other.",
            ["instead of a negative weight for a literal, give its negation the positive weight", "leave soft clauses of weight 0 out"],
        )


def _unweighted(init):
    @functools.wraps(init)
    def checked(self, formula, *arguments, **keywords):
        if any(weight != 1 for weight in formula.wght):
            raise Refused("LSU counts soft clauses and reads no weights, so its cost would be wrong.", ["use RC2 or RC2Stratified for weighted formulas"])
        return init(self, formula, *arguments, **keywords)

    return checked


def _appending(append):
    @functools.wraps(append)
    def appended(self, *arguments, **keywords):
        if _run.depth == 0 and _run.answer is not None:
            _run.late = True
        return append(self, *arguments, **keywords)

    return appended


def _streaming(method):
    """Solutions one after the other: that there are no more is no verdict; that there is none is one."""

    @functools.wraps(method)
    def streamed(self, *arguments, **keywords):
        _genuine(self)
        stream, found = method(self, *arguments, **keywords), 0
        while True:
            _run.depth += 1
            try:
                each = next(stream, _END)
            finally:
                _run.depth -= 1
            if each is _END:
                break
            found += 1
            if _run.depth == 0 and found == 1:
                # A set of clauses that can't hold together is found in what is unsat.
                _run.note(not isinstance(self, SUBSETS))
                if isinstance(self, MAXSAT):
                    _note_optimum(self)
            yield _trimmed_for(self, each)
        if not found and _run.depth == 0 and isinstance(self, (*SOLVERS, *MAXSAT)):
            _run.note(False, _assumptions_of(arguments, keywords))

    return streamed


_END = object()


def _assumptions_of(arguments, keywords):
    return bool((arguments[0] if arguments else keywords.get("assumptions")) or ())


def _trimmed_for(engine, found):
    if isinstance(engine, SOLVERS) and not isinstance(engine, pysat.solvers.Solver):
        return _trimmed(found, _log_of(engine).top())
    return _trimmed(found) if isinstance(engine, MAXSAT) and isinstance(found, list) else found


def _replay_hard(engine, model):
    """Checks the model of a MaxSAT engine against the hard clauses that it was given."""
    formula = vars(engine).get("_verdict_formula")
    if isinstance(formula, WCNF) and model is not None:
        log = _Log()
        log.clauses, log.solved = formula.hard, len(formula.hard)
        log.literals = sum(map(len, formula.hard))
        _replay(log, model)


def _note_optimum(engine):
    """The cost of the first solution that an engine finds is the best one; those after it are others."""
    first = not vars(engine).get("_verdict_solved", False)
    engine._verdict_solved = True
    if first and not getattr(engine, "interrupted", False):
        _run.optima.append(engine.cost)
        _run.statistics = {"cost": engine.cost}


class _Log:
    """The clauses of one solver, as they were given."""

    def __init__(self):
        self.clauses = []
        self.literals = 0
        self.whole = True
        self.solved = 0
        self.owners = pysat_helpers.Owners()
        # The largest variable of the program itself, and whether there are some of encodings.
        self.largest = 0
        self.helped = False

    def add(self, clause):
        """Keeps a clause; constraints of other kinds are not kept, and not replayed."""
        self.literals += len(clause)
        self._number(clause)
        if self.literals > KEPT_LITERALS_MAX:
            self.whole, self.clauses = False, []
        if self.whole:
            self.clauses.append(clause)

    def _number(self, clause):
        try:
            largest = max(map(abs, clause), default=0)
        except TypeError:
            raise pysat_helpers.no_literal(next(each for each in clause if not isinstance(each, int))) from None
        if largest >= pysat_helpers.HELPER_VARIABLES_FROM and pysat_helpers.numbers.used:
            own = [abs(each) for each in clause if not isinstance(each, pysat_helpers.Helper)]
            self.helped = self.helped or len(own) < len(clause)
            largest = max(own, default=0)
        self.largest = max(self.largest, largest)
        if self.helped and self.largest >= pysat_helpers.HELPER_VARIABLES_FROM:
            raise pysat_helpers.clash(self.largest)

    def check_owners(self):
        """What is blocked or assumed after a first answer may name variables of encodings."""
        self.owners.take(self.clauses[self.solved :], of_program=self.solved == 0)

    def top(self):
        """The largest variable that a model is shown with."""
        return self.largest if self.helped else pysat_helpers.HELPER_VARIABLES_FROM


def _log_of(solver):
    log = vars(solver).get("_verdict_log")
    if log is None:
        log = solver._verdict_log = _Log()
    return log


def _logging_clause(add_clause):
    @functools.wraps(add_clause)
    def logged(self, clause, *arguments, **keywords):
        if _run.depth == 0 and not isinstance(self, pysat.solvers.Solver):
            clause = list(clause)
            _log_of(self).add(tuple(clause))
            _run.late = _run.late or _run.answer is not None
        return add_clause(self, clause, *arguments, **keywords)

    return logged


def _solving(method):
    @functools.wraps(method)
    def noted(self, *arguments, **keywords):
        _genuine(self)
        if _run.encoded and not isinstance(self, pysat.solvers.Solver):
            _log_of(self).check_owners()
        _run.depth += 1
        try:
            verdict = method(self, *arguments, **keywords)
        finally:
            _run.depth -= 1
        if not isinstance(self, pysat.solvers.Solver):
            log = _log_of(self)
            log.solved = len(log.clauses)
        if _run.depth == 0:
            _run.note(verdict, _assumptions_of(arguments, keywords))
            _note_statistics(self)
        return verdict

    return noted


def _note_statistics(solver):
    try:
        found = solver.accum_stats()
    except (NotImplementedError, AttributeError):
        return
    if isinstance(found, dict):
        _run.statistics = {str(key): value for key, value in found.items()}


def _modelling(get_model):
    @functools.wraps(get_model)
    def checked(self):
        _genuine(self)
        model = get_model(self)
        if model is None or _run.depth > 0 or isinstance(self, pysat.solvers.Solver):
            return model
        log = _log_of(self)
        _replay(log, model)
        return _trimmed(model, log.top())

    return checked


def _replay(log, model):
    """Checks a model against the clauses that were there when the solver answered."""
    if not log.whole or _run.replayed + log.literals > REPLAYED_LITERALS_MAX:
        return
    _run.replayed += log.literals
    size = len(model)
    if size == 0 or abs(model[-1]) != size:
        return  # Not the list of all variables in order, which solvers give.
    for clause in log.clauses[: log.solved]:
        # A variable that the solver left out may have either value.
        if not any(abs(each) > size or model[abs(each) - 1] == each for each in clause):
            _run.wrong = f"the solver's model does not satisfy the clause {list(clause)}"
            return


def _trimmed(model, top=pysat_helpers.HELPER_VARIABLES_FROM - 1):
    """A model without the variables of the encodings, and without those between them and the program's."""
    if not pysat_helpers.numbers.used:
        return model
    if len(model) > top and abs(model[top - 1]) == top:
        return model[:top]
    return [each for each in model if abs(each) <= top]


def _enumerating(enum_models):
    streamed = _streaming(enum_models)

    @functools.wraps(enum_models)
    def told(self, *arguments, **keywords):
        if pysat_helpers.numbers.used:
            _run.warn(
                "enum_models tells models apart by the helper variables of encodings too, so one solution may come several times: use enumerate_models(formula, variables=[…])."
            )
        return streamed(self, *arguments, **keywords)

    return told


def _optimising(method):
    @functools.wraps(method)
    def noted(self, *arguments, **keywords):
        _genuine(self)
        _run.depth += 1
        try:
            found = method(self, *arguments, **keywords)
        finally:
            _run.depth -= 1
        if _run.depth == 0:
            exists = found is not None and found is not False
            _run.note(None if getattr(self, "interrupted", False) else exists)
            if exists:
                _replay_hard(self, found if isinstance(found, list) else self.model)
                _note_optimum(self)
        return _trimmed(found) if isinstance(found, list) else found

    return noted


def _reducing(method):
    @functools.wraps(method)
    def noted(self, *arguments, **keywords):
        _genuine(self)
        _run.depth += 1
        try:
            subset = method(self, *arguments, **keywords)
        finally:
            _run.depth -= 1
        if _run.depth == 0:
            # A set of clauses that can't hold together was found, or there is none.
            _run.note(subset is None)
        return subset

    return noted


def _finding(method):
    """A correction or hitting set that exists shows that the hard constraints can hold; none shows nothing."""
    quiet = _quietly(method)

    @functools.wraps(method)
    def noted(self, *arguments, **keywords):
        found = quiet(self, *arguments, **keywords)
        if _run.depth == 0 and found is not None:
            _run.note(True)
        return found

    return noted


class _MemoryFiles:
    """Stands for `tempfile` in PySAT: a proof is written to memory, since nothing else can be written."""

    @staticmethod
    def TemporaryFile():
        if not hasattr(os, "memfd_create"):
            raise Refused("Proofs can be written on Linux only.", ["leave with_proof out"])
        return os.fdopen(os.memfd_create("proof"), "w+b")


# ---- Enumeration and counting.


def enumerate_models(formula, variables=None, limit=pysat_helpers.ENUMERATION_LIMIT):
    """Models of a CNF over the variables (all of the program's, without those of encodings), each once."""
    found, whole = _all_models(formula, variables, limit)
    if not whole:
        _run.warn(f"enumerate_models stopped at its limit of {limit}: there are more models.")
    return found


def count_models(formula, variables=None, limit=pysat_helpers.COUNT_LIMIT, method="exact"):
    """The number of models of a CNF over the variables; exact, or refused when there are more than `limit`."""
    if method not in ("exact", "approximate"):
        raise Refused(f"count_models knows no method {method!r}.", ["leave method out, for an exact count", "or write method='approximate'"])
    if method == "approximate":
        return _approximate_count(formula, variables)
    found, whole = _all_models(formula, variables, limit)
    if not whole:
        raise Refused(
            f"There are more than {limit} models; they were counted one by one and the count was not finished.",
            [
                "raise limit=… and timeout_ms",
                "count over fewer variables with variables=[…]",
                "or count_models(…, method='approximate'), where the package pyapproxmc is installed",
            ],
        )
    return len(found)


def _all_models(formula, variables, limit):
    _run.depth += 1
    try:
        found, whole = pysat_helpers.models(formula, variables, limit)
    finally:
        _run.depth -= 1
    _run.note(bool(found))
    return found, whole


def _approximate_count(formula, variables):
    try:
        from pysat.allies.approxmc import Counter
        import pyapproxmc  # noqa: F401
    except ImportError:
        raise Refused(
            "Approximate counting needs the package pyapproxmc, which is not installed.",
            ["count exactly with count_models(formula, limit=…)"],
        ) from None
    clauses = pysat_helpers.clauses_of(formula)
    chosen = sorted({abs(each) for each in variables}) if variables is not None else pysat_helpers.variables_of(clauses)
    with Counter(clauses) as counter:
        count = counter.count(projection=chosen)
    _run.note(count > 0)
    _run.warn("The count is approximate (ApproxMC, within a factor of 1.8 with a probability of 80 %).")
    return count


# ---- The answer.


def export_solution(data=None, variables=None, objective=None, solver=None, **others):
    """Makes what the program found the answer of `solve_model`.

    `data` is a dictionary with `satisfiable` and any values; or a solver, whose model is read with
    `variables`, a dictionary of names and variable numbers.
    """
    data = solver if data is None and solver is not None else data
    if isinstance(data, SOLVERS):
        data = _read(data, variables)
    elif data is None and others:
        data, others = others, {}
    if not isinstance(data, dict):
        raise Refused(
            f"export_solution takes a dictionary, and got a value of type {type(data).__name__}.",
            ["write export_solution({'satisfiable': True, 'x': …})", "or export_solution(solver, variables={'x': 1})"],
        )
    data = {**data, **others, **({} if objective is None else {"objective": objective})}
    _run.exports += 1
    _run.answer, _run.late = _answer(data), False


def _read(solver, variables):
    verdict = solver.solve()
    if not verdict:
        return {"satisfiable": verdict}
    true = set(solver.get_model())
    names = variables or {str(each): each for each in sorted(abs(each) for each in true)}
    return {"satisfiable": True, "values": _truths(names, true)}


def _truths(variables, true):
    """The truth values of variables, in whatever lists and dictionaries they stand."""
    if isinstance(variables, dict):
        return {name: _truths(each, true) for name, each in variables.items()}
    if isinstance(variables, (list, tuple)):
        return [_truths(each, true) for each in variables]
    return variables in true


def _answer(data):
    shown = {key: value for key, value in data.items() if key not in CONTROL_KEYS}
    inner = data.get("values")
    if isinstance(inner, dict):
        shown = {**inner, **shown}
    elif inner is not None:
        shown["values"] = inner
    status, reason = _status(data)
    answer = {
        "status": status,
        "model": values.plain(shown, str) if shown else None,
        "objective_value": None,
        "optimal": None,
    }
    if reason:
        answer["reason"] = reason
    core = data.get("unsat_core", data.get("core"))
    if status == "unsat" and isinstance(core, (list, tuple, set)):
        answer["unsat_core"] = [str(each) for each in core]
    return {**answer, **_objective(data)} if status == "sat" else answer


CLAIMS = {"sat": True, "satisfiable": True, "unsat": False, "unsatisfiable": False}


def _status(data):
    """The program's claim, where an engine's answer bears it out."""
    claim = data.get("satisfiable", CLAIMS.get(str(data.get("status")).lower()))
    if not _run.verdicts:
        return "unknown", "the program called no solver, so nothing was decided by one"
    if _run.wrong:
        return "unknown", _run.wrong
    last = _run.verdicts[-1]
    if claim is None and "satisfiable" not in data:
        claim = _only_verdict(last)
    if claim is None or (not claim and last is None):
        return "unknown", "the solver was stopped before it decided (solve_limited gave None)"
    if bool(claim) not in _run.verdicts:
        said = "satisfiable" if claim else "unsatisfiable"
        return "unknown", f"the program says {said}, but no solver that it called answered so"
    if not claim and all(_run.assumed):
        _run.warn("This is unsat under the assumptions that solve() was given; without them the clauses may be satisfiable.")
    return ("sat" if claim else "unsat"), None


def _only_verdict(last):
    """What the engines answered, for a program that does not say which of several answers it means."""
    if True in _run.verdicts and False in _run.verdicts:
        raise Refused(
            "Solvers answered both sat and unsat in this program, and export_solution does not say which one it reports.",
            ["say it: export_solution({'satisfiable': True, …})", "or export_solution({'satisfiable': False})"],
        )
    return last


def _objective(data):
    given = next((data[key] for key in ("objective_value", "objective", "cost") if data.get(key) is not None), None)
    if given is None and _run.optima:
        given = _run.optima[-1]
    if given is None:
        return {}
    # A number of the program's own kind could equal anything.
    proved = type(given) in (int, float) and given in _run.optima
    if _run.optima and not proved:
        _run.warn(f"The objective {given} is the program's own value; the least cost that the engine found is {_run.optima[-1]}.")
    return {"objective_value": values.plain(given, str), "optimal": True if proved else None}
