"""Inspects code before any analysis: its functions, contracts, branches and errors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from verdict_runner.protocol.runner import Modules
from verdict_runner.refusal import Refused
from verdict_runner.sandbox import program
from verdict_runner.symbolic.code import instrument, source, subject, versions, whole
from verdict_runner.symbolic.code.function import Function
from verdict_runner.symbolic.contracts.contracts import Contract
from verdict_runner.symbolic.find import confined
from verdict_runner.symbolic.inputs import misleading
from verdict_runner.symbolic.messages import (
    Branches,
    Inspected,
    ReadBranches,
    ReadContract,
    ReadFunction,
    ReadParameter,
    Request,
)
from verdict_runner.symbolic.run.bounded import TooLong, bounded
from verdict_runner.symbolic.run.questions import QUESTIONS, Question

# The maximum processor time for the module level of code under test, which defines names and computes little.
LOADING_SECONDS = 2
# The maximum number of missing names shown.
NAMES_MAX = 10
GENERATORS = "A generator is compared by the list of all its items, and by the exception that ends it."
FRESH = "Only freshly constructed objects were tried ({}), not states that only other methods reach."
# The maximum number of statements listed as left out.
LABELS_MAX = 6


def ready(
    code: str, modules: Modules, request: Request, sites: instrument.Sites | None = None, is_checked: bool = True
) -> Callable[[], Question]:
    """Returns a function that asks the question about a freshly loaded module each time it is called.

    Raises `Refused`. Without `is_checked`, docstrings of called functions have no effect, as in Python itself.
    """

    def ask() -> Question:
        try:
            with bounded(LOADING_SECONDS):
                return QUESTIONS[request.task_of](loaded(prepared, modules), request)
        except TooLong:
            raise Refused(
                f"The module level runs for more than {LOADING_SECONDS} seconds.",
                ["keep loops and computations inside functions", "send only the function and what it calls"],
                error_type="TimeoutError",
            ) from None

    prepared = prepared_of(code, request, sites, is_checked)
    return ask


def prepared_of(
    code: str, request: Request, sites: instrument.Sites | None, is_checked: bool = True
) -> list[subject.Prepared]:
    """Prepares a question's module, or both of its versions, the older one first; raises `Refused`."""
    checked = checked_by(request) if is_checked else None
    if request.base is None:
        return [subject.Prepared(code, roots_of(request), sites, checked)]
    older, newer = ([each] for each in request.functions)
    return [
        subject.Prepared(request.base, older, sites, newer=code),
        subject.Prepared(code, newer, sites),
    ]


def loaded(prepared: Sequence[subject.Prepared], modules: Modules, contracts: bool = True) -> list[subject.Subject]:
    """Runs the module, or both versions, the newer one first; raises `Refused`, also if one changes the other."""
    if len(prepared) == 1:
        return [each.load(modules, contracts) for each in prepared]
    before = versions.Shared(modules)
    subjects: list[subject.Subject] = []
    for each in reversed(prepared):
        subjects.insert(0, each.load(modules, contracts))
        before.check()
    return subjects


def texts_of(code: str, request: Request) -> list[tuple[str, list[str]]]:
    """Returns a question's texts in the form in which they are read, each with the names from which it starts."""
    if request.base is None:
        return [(code, roots_of(request))]
    older, newer = request.functions
    return [(source.below(code, request.base), [older]), (code, [newer])]


def roots_of(request: Request) -> list[str]:
    """Returns the names from which a question starts: the functions' names, and an exception's name."""
    return [*request.functions, *request.exception.split(".")[:1]]


def checked_by(request: Request) -> str | None:
    """Returns the function whose contract is in question."""
    return request.functions[0] if request.task_of == "check" else None


def inspect(code: str, modules: Modules, request: Request, say: Callable[[object], bool]) -> Inspected:
    """Returns a question's functions as they were read; raises `Refused`.

    Facts that the text alone shows are reported before the code runs.
    """
    _say_branches(code, request, say)
    question = ready(code, modules, request)()
    functions = question.functions
    missing = [
        name
        for each in question.subjects
        for name in source.undefined(each.tree, {*each.namespace, *each.namespace["__builtins__"]})
    ]
    missing = [*dict.fromkeys(missing)]
    notes = [f"not defined in the code: {', '.join(missing[:NAMES_MAX])}; send what it calls, too"] if missing else []
    for each in question.subjects:
        notes += _left_out(each.left_out, request.functions)
    if any(each.is_generator for each in functions):
        notes.append(GENERATORS)
    notes += [_guessed(each) for each in functions if each.guesses]
    made = [
        *dict.fromkeys(kind.__name__ for each in functions for maker in each.makers.values() for kind in maker.kinds)
    ]
    notes += [FRESH.format(", ".join(made))] if made else []
    for each in question.subjects:
        notes += each.called.notes
    notes += [note for each in functions for note in [*each.contract.notes, *each.contract.remarks]]
    if request.task_of == "check":
        notes += _allowed(functions[0].contract)
    elif all(each.contract.preconditions for each in functions):
        conditions = dict.fromkeys(one.text for each in functions for one in each.contract.preconditions)
        notes.append(f"Inputs excluded by the preconditions were not considered: {', '.join(conditions)}.")
    notes += question.notes
    inputs = None if question.against else question.inputs()
    inspected = Inspected(
        [_function(each) for each in functions],
        [*dict.fromkeys(question.hazards)],
        [*dict.fromkeys(notes)],
        None if inputs is None else len(inputs),
        made,
        question.assumptions(),
        question.is_by_place,
    )
    # Code that runs from here on can't influence the report.
    say(inspected.data())
    unrun = [line for text, roots in texts_of(code, request) for line in whole.load(text, modules, roots)]
    return replace(inspected, notes=[*inspected.notes, *_unrun(unrun)])


def _left_out(labels: Sequence[str], names: Sequence[str]) -> list[str]:
    """Describes the statements that were not run, for a reader who misses them."""
    if not labels:
        return []
    more = f", and {len(labels) - LABELS_MAX} more" if len(labels) > LABELS_MAX else ""
    return [f"Left out, because {' and '.join(names)} can't reach it: {', '.join(labels[:LABELS_MAX])}{more}."]


def _guessed(function: Function) -> str:
    return (
        f"Only for inputs of guessed types, since {function.name} does not annotate them: "
        f"{', '.join(function.guesses)}. Annotate these parameters."
    )


def _unrun(lines: Sequence[int]) -> list[str]:
    """Describes the lines that were not checked for exceptions."""
    if not lines:
        return []
    more = f" and {len(lines) - LABELS_MAX} more" if len(lines) > LABELS_MAX else ""
    return [
        "Not run here (not allowed, in need of something not allowed, or too slow): line "
        f"{', '.join(map(str, lines[:LABELS_MAX]))}{more}. "
        "Whether the module raises an exception there when it is loaded is not known."
    ]


def _allowed(contract: Contract) -> list[str]:
    """Describes the exceptions that are not violations, because the docstring documents them."""
    names = ", ".join(each.__name__ for each in contract.documented)
    return (
        [f"Exceptions that the docstring declares are not violations: {names}."]
        if names and not contract.allowed
        else []
    )


def _function(function: Function) -> ReadFunction:
    parameters = [ReadParameter(each) for each in function.signature.parameters]
    return ReadFunction(function.name, parameters, function.returns, _contract(function.contract))


def _contract(contract: Contract) -> ReadContract:
    declared = [*contract.documented, *(one for group in contract.allowed for one in group)]
    preconditions = [each.text for each in contract.preconditions]
    postconditions = [*(each.text for each in contract.postconditions), *(text for text, _ in contract.asserted)]
    raises = [*dict.fromkeys(each.__name__ for each in declared)]
    return ReadContract(contract.styles, preconditions, postconditions, raises)


def _say_branches(code: str, request: Request, say: Callable[[object], bool]) -> None:
    """Reports the sites of all functions, and the complexity of the first.

    The sites are sent before the module runs, since the module could send false ones.
    """
    try:
        with program.recursion_up_to(program.REWRITING_DEPTH_MAX):
            branches = _branches(code, request)
            can_mislead = any(
                misleading.can_mislead(tree) or confined.against(tree)
                for text, roots in texts_of(code, request)
                for tree in [source.reached(source.parsed(text, program.CODE), roots)]
            )
        say(ReadBranches(branches, can_mislead).data())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # Loading the module reports the error.
        return


def _branches(code: str, request: Request) -> Branches:
    sites, first = instrument.Sites(request.functions), instrument.Sites(request.functions[:1])
    for text, _ in texts_of(code, request):
        for each in (sites, first):
            each.rewrite(source.parsed(text, program.CODE))
    return replace(sites.report(), cyclomatic_complexity=first.report().cyclomatic_complexity)
