"""Runs the items of a model as one module, with only the builtins and imports that models need."""

from __future__ import annotations

import _strptime  # noqa: F401
import ast
import builtins
import contextlib
import importlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import CO_OPTIMIZED
from types import CodeType, FrameType, MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar

from verdict_runner import cases, taken
from verdict_runner.refusal import Refused
from verdict_runner.sandbox import allowed, classes, guards, handed, safety, stand_ins, tables

if TYPE_CHECKING:
    from verdict_runner.languages.profile import LanguageProfile
    from verdict_runner.languages.record import Record

_Tree = TypeVar("_Tree", ast.Module, ast.Expression)

# Python 3.12 and newer convert long numbers with this module.
with contextlib.suppress(ImportError):
    importlib.import_module("_pylong")
# Modules that `strptime`, `strftime` and long numbers import and then look up among the loaded modules; a program gets
# nothing of them.
IMPORTED_BY_PYTHON = ("_strptime", "time", "_pylong")
# The maximum depth of a tree; CPython parses source nested up to three times as deeply as its recursion limit of 1,000.
TREE_DEPTH_MAX = 3_500
# The recursion limit for rewriting a tree; a tree visitor recurses three times per level.
REWRITING_DEPTH_MAX = 12_000


class Place(NamedTuple):
    """A line of a program.

    A constraint also has a case: the values of the enclosing loop variables, or the constraint's own name.
    """

    item: int
    line: int
    case: str = ""


class ItemError(Exception):
    """An exception that ended a program, with its position in the items and the outcome of the last solve before it.

    `given` holds the values given to the program by name: its `data`, and a checker's `values`.
    """

    def __init__(
        self, error: BaseException, where: tuple[int, int], given: Mapping[str, object] = MappingProxyType({})
    ) -> None:
        super().__init__()
        self.error = error
        self.where = where
        self.given = given
        self.last_verdict: str | None = None


def filename(item: int) -> str:
    return f"<item {item}>"


# The file name of code under test, which is a single text.
CODE = "<code>"


def place_of(name: str, line: int) -> tuple[int, int] | None:
    """Returns the item and line for a code object's file name and line; None for Verdict's own code."""
    if name == CODE:
        return 0, line
    return (int(name[6:-1]), line) if name.startswith("<item ") else None


def is_asked_by_program(frame: FrameType) -> bool:
    """Whether a frame runs a line of the program itself and not of a library."""
    while frame.f_code.co_filename == guards.__file__:
        frame = frame.f_back or frame
    return place_of(frame.f_code.co_filename, 0) is not None


def caller() -> Place | None:
    """Returns the item and line of the program's innermost running call; None if only library code is running."""
    frame = sys._getframe(1)
    while frame:
        place = place_of(frame.f_code.co_filename, frame.f_lineno)
        if place:
            return Place(*place)
        frame = frame.f_back
    return None


def stating(is_new: bool = True) -> Place | None:
    """Returns the item, line and case of a call that states a constraint; if `is_new`, also counts the constraint."""
    place = caller()
    if place is not None and is_new:
        taken.count(filename(place.item), place.line)
    return place and place._replace(case=cases.case_of(sys._getframe(1)))


def run(
    items: Sequence[str],
    names: Mapping[str, object],
    modules: Mapping[str, ModuleType],
    profile: LanguageProfile,
    record: Record,
    rewrite: Callable[[ast.Module, int], ast.Module] = lambda tree, item: tree,
    hidden: Mapping[str, object] = MappingProxyType({}),
) -> dict[str, Any]:
    """Runs the items in order in one namespace, and returns it; raises `ItemError` unless the answer is complete.

    `names` are available from the start, and `modules` can be imported. `rewrite(tree, item)` can change an item's
    syntax tree before it is compiled. The new tree can call the functions in `hidden`, whose names no item can use.
    """
    read = set[str]()
    data = None if record.data is None else handed.noting(record.data, read)
    tables.use(data)
    if data is not None:
        names = {**names, "data": data, "open": handed.opener(data)}
    namespace = fresh_namespace(names, modules, hidden)
    taken.begin()
    for index, text in enumerate(items):
        try:
            tree = ast.parse(text, filename(index))
            _refuse(safety.findings(tree, profile, namespace))
            cases.note(tree, filename(index))
            taken.note(tree, filename(index))
            exec(compiled(tree, filename(index), lambda tree, index=index: rewrite(tree, index)), namespace)
        except SystemExit as finished:
            item, line = place_in(finished, index)
            code = vars(SystemExit)["code"].__get__(finished)
            if type(code) is str:
                print(code)
            if not (item == index == len(items) - 1 and _is_last(line, ast.parse(text).body)):
                record.warn(f"exit() in item {item}, line {line} ended the program: the code after it did not run.")
            break
        except BaseException as error:
            stopped = ItemError(error, place_in(error, index), {"data": record.data})
            if not record.stands(stopped):
                raise stopped from None
            break
    # Verdict itself looks through the program's variables afterwards.
    record.read = frozenset(read)
    record.ran()
    return namespace


def _is_last(line: int | None, body: Sequence[ast.stmt]) -> bool:
    """Whether a line is in the statement after which a module's code ends."""
    last = body[-1]
    if isinstance(last, ast.If):
        return _is_last(line, last.orelse or last.body)
    return isinstance(last, (ast.Expr, ast.Raise)) and last.lineno <= (line or 0) <= (last.end_lineno or 0)


def fresh_namespace(
    names: Mapping[str, object],
    modules: Mapping[str, ModuleType],
    hidden: Mapping[str, object] = MappingProxyType({}),
    namespace: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Returns the initial variables of a program, in a new dictionary or in the given one."""
    namespace = {} if namespace is None else namespace
    namespace.update(names, __name__=guards.MODULE)
    namespace["__builtins__"] = {**restricted_builtins(modules, namespace), **guards.GUARDS, **hidden}
    return namespace


@contextlib.contextmanager
def recursion_up_to(depth: int) -> Iterator[None]:
    """Raises the recursion limit, so that Verdict's code can walk trees as deep as the source allows."""
    limit = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(depth)
        yield
    finally:
        sys.setrecursionlimit(limit)


def compiled(tree: _Tree, name: str, rewrite: Callable[[_Tree], _Tree] = lambda tree: tree) -> CodeType:
    """Compiles the rewritten and guarded tree, which can be as deep as the source from which it was parsed."""
    with recursion_up_to(REWRITING_DEPTH_MAX):
        tree = guards.rewrite(rewrite(tree))
    with recursion_up_to(TREE_DEPTH_MAX):
        return compile(tree, name, "eval" if isinstance(tree, ast.Expression) else "exec", dont_inherit=True)


def place_in(error: BaseException, index: int) -> tuple[int, int]:
    """Returns the innermost line of the items through which the error passed."""
    # If a program's exception class is asked for its position, it could return anything, or never return.
    if (
        type(error) in (SyntaxError, IndentationError, TabError)
        and isinstance(error, SyntaxError)
        and error.filename == filename(index)
    ):
        return index, error.lineno or 1
    where, trace = (index, 1), error.__traceback__
    while trace:
        where = place_of(trace.tb_frame.f_code.co_filename, trace.tb_lineno) or where
        trace = trace.tb_next
    return where


def _refuse(findings: Sequence[safety.Finding]) -> None:
    """Rejects findings again: items were already checked on arrival, but nothing unchecked must slip through here."""
    for each in findings[:1]:
        raise Refused(each.message, each.steps, each.code)


def restricted_builtins(modules: Mapping[str, ModuleType], namespace: dict[str, Any]) -> dict[str, Any]:
    """Returns a program's builtins, which can compute but not access the outside."""
    variables = guards.names_of(namespace)
    names = {name: getattr(builtins, name) for name in allowed.BUILTINS}
    for name, value in vars(builtins).items():
        if isinstance(value, type) and issubclass(value, BaseException):
            names[name] = value
    names.update(
        {
            "None": None,
            "True": True,
            "False": False,
            "__build_class__": classes.build_class,
            "__import__": _importer(modules),
            "type": guards.Kind,
        }
    )
    for name, value in {
        "getattr": guards.read,
        "hasattr": guards.has,
        "setattr": guards.write,
        "delattr": guards.delete,
        "globals": lambda: variables,
        "locals": _locals,
        "vars": _vars,
        "dir": _dir,
        **dict.fromkeys(("exit", "quit"), stand_ins.leave),
    }.items():
        names[name] = guards.stand_in(getattr(builtins, name, value), value)
    return names


def _importer(modules: Mapping[str, ModuleType]) -> Callable[..., ModuleType]:
    def import_module(
        name: str, globals: object = None, locals: object = None, fromlist: object = (), level: int = 0
    ) -> ModuleType:
        # Python's own functions pass a list, which no import statement does.
        if name in IMPORTED_BY_PYTHON and isinstance(fromlist, list):
            return ModuleType(name)
        if level or name not in modules:
            raise guards.stopped(
                ImportError, f"the module {name or 'of a relative import'} can't be imported by a model"
            )
        if not fromlist:
            return modules[name.partition(".")[0]]
        module = modules[name]
        # If a module lacks a name, CPython looks it up among the loaded modules, which are the real ones.
        for each in filter(None, map(_plain_name, fromlist if isinstance(fromlist, (list, tuple)) else ())):
            if not hasattr(module, each):
                raise ImportError(f"cannot import name {each!r} from {name!r}", name=name)
        return module

    return import_module


def _plain_name(name: object) -> str | None:
    """Returns an imported name as a plain string; None for the star."""
    return None if name == "*" else str(name)


def _locals() -> dict[str, Any]:
    """Returns a copy of the local variables; writing to it has no effect on them."""
    # The caller can be a library, for example if the function is a dictionary's default factory.
    frame = sys._getframe(2)
    variables = frame.f_locals if place_of(frame.f_code.co_filename, 0) else {}
    if not frame.f_code.co_flags & CO_OPTIMIZED:
        guards.unlike("what locals() contains outside functions")
    return {name: value for name, value in variables.items() if not allowed.is_dunder(name)}


def _dir(*values: object) -> list[str]:
    """Replaces `dir`, which shows what a module or a class of Verdict's own lacks."""
    if not values:
        guards.unlike("what dir() lists without an argument")
        return sorted(sys._getframe(2).f_locals)
    if type(values[0]) is ModuleType or {id(values[0]), id(type(values[0]))} & guards.replaced:
        guards.unlike("the names in what Verdict replaces")
    return dir(*values)


def _vars(*arguments: object) -> NoReturn:
    raise guards.stopped(TypeError, "the builtin vars() is not available to a model; name the variables that you want")
