"""Guesses the types of unannotated parameters from what the code says about them.

A guess only decides which values are tried. Results based on a guess hold for the guessed types, and are reported
together with them.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import inspect
import re
from collections.abc import Iterable, Iterator

from verdict_runner.symbolic.code.annotations import members_of, shown
from verdict_runner.symbolic.code.mentions import FunctionNode

# The types that are tried if nothing is known.
ANYTHING = ("int", "str", "list[int]", "None")
# What can be iterated over: with items that can't be hashed, too, and what can be read only once.
ITERABLE = ("list[int]", "str", "list[list[int]]", "Iterator[int]")
FUNCTION = ("Callable",)
# The types that the names of parameters suggest, if nothing else does.
NAMES = {
    **dict.fromkeys("func function fn f pred predicate callback visit".split(), FUNCTION),
    **dict.fromkeys("iterable iterator it iterables iterators items seq sequence seqs src xs".split(), ITERABLE),
}
# Functions of Python that call their first argument, that iterate over all of their arguments, and that make numbers.
CALLING = frozenset("map filter starmap reduce takewhile dropwhile filterfalse accumulate".split())
ITERATING = frozenset(
    "iter list tuple set frozenset sorted enumerate zip reversed sum any all tee chain cycle islice compress deque Counter "
    "from_iterable zip_longest product permutations combinations".split()
)
COUNTING = frozenset("int float round".split())
OF_DEFAULTS = {bool: "bool", int: "int", float: "float", str: "str", bytes: "bytes", type(None): "None"}
# Words for types that occur in docstrings.
WORDS = {
    **dict.fromkeys(("int", "integer", "ints", "integers"), "int"),
    **dict.fromkeys(("str", "string", "strings", "text", "unicode"), "str"),
    **dict.fromkeys(("bool", "boolean"), "bool"),
    **dict.fromkeys(("float", "number", "numeric"), "float"),
    **dict.fromkeys(("bytes", "bytestring"), "bytes"),
    **dict.fromkeys(("list", "sequence", "iterable", "seq"), "list[int]"),
    **dict.fromkeys(("dict", "mapping", "dictionary"), "dict[str, int]"),
    **dict.fromkeys(("tuple",), "tuple[int, ...]"),
    **dict.fromkeys(("set",), "set[int]"),
    **dict.fromkeys(("none",), "None"),
}
# Methods that only one of the common types has.
METHODS = {
    **dict.fromkeys(
        "lower upper strip lstrip rstrip startswith endswith encode splitlines title capitalize casefold isdigit format "
        "isalpha isupper islower partition rpartition zfill ljust rjust replace split rsplit swapcase isspace".split(),
        "str",
    ),
    **dict.fromkeys("append extend insert sort reverse".split(), "list[int]"),
    **dict.fromkeys("items keys values setdefault".split(), "dict[str, int]"),
    **dict.fromkeys("bit_length".split(), "int"),
    **dict.fromkeys("start stop step".split(), "slice"),
    **dict.fromkeys("decode hex".split(), "bytes"),
}
# The types of the arguments of some builtin functions.
BUILTINS = {
    **dict.fromkeys(("range", "chr", "abs", "divmod", "bin", "hex"), ("int",)),
    "len": ("list[int]", "str"),
    "ord": ("str",),
}
# The maximum number of examples that are read in a docstring.
EXAMPLES_MAX = 20
NUMERIC = (ast.Sub, ast.Div, ast.FloorDiv, ast.Pow, ast.LShift, ast.RShift)


def types_of(parameters: Iterable[tuple[FunctionNode, str]], module: ast.Module | None = None) -> str:
    """Guesses one parameter's types, as an annotation, from all functions that have it (under any name).

    The calls in the module, if it is given, count as well.
    """
    suggested = dict.fromkeys(kind for node, name in parameters for kind in _suggested(node, name, module))
    return " | ".join([*suggested] if {*suggested} - {"None"} else dict.fromkeys((*suggested, *ANYTHING)))


def choices(parameter: inspect.Parameter, is_guess: bool) -> list[str]:
    """Returns the types that a proof can assume for a parameter: all that are tried, then each guess alone.

    None is no guess of its own: a function accepts it beside other types, or not at all.
    """
    members = members_of(parameter.annotation)
    whole = " | ".join(map(shown, members))
    if not is_guess:
        return [whole]
    or_none = " | None" if parameter.default is None else ""
    alone = [f"{shown(each)}{or_none}" for each in members if each is not type(None)]
    return [*dict.fromkeys([whole, *alone])]


def _suggested(node: FunctionNode, name: str, module: ast.Module | None) -> Iterator[str]:
    """Yields the types that a parameter seems to have."""
    # Of `*args`, the code mostly uses the whole tuple, which says little about the items.
    is_whole = node.args.vararg is not None and node.args.vararg.arg == name
    stated = [*_by_docstring(node, name), *_by_calls(node, name, module)]
    found = [*stated, *(() if is_whole else _by_use(node, name))]
    yield from found or NAMES.get(name, ())
    yield from _by_default(node, name)


def _by_calls(node: FunctionNode, name: str, module: ast.Module | None) -> Iterator[str]:
    """Yields the types of literals that calls pass, in the module or in the docstring's examples."""
    places = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
    for tree in [*([module] if module else []), *_examples(node)]:
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == node.name:
                given = {**dict(zip(places, call.args)), **{each.arg: each.value for each in call.keywords}}
                if name in given and not any(isinstance(each, ast.Starred) for each in call.args):
                    yield from _of_literal(given[name])


def _examples(node: FunctionNode) -> Iterator[ast.Module]:
    for line in re.findall(r"(?m)^\s*>>> (.*)$", ast.get_docstring(node) or "")[:EXAMPLES_MAX]:
        with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            yield ast.parse(line)


def _of_literal(value: ast.expr) -> Iterator[str]:
    """Yields a literal's type; a container's item type is that of its first item."""
    if isinstance(value, ast.UnaryOp):
        yield from _of_literal(value.operand)
    elif isinstance(value, ast.Constant):
        yield from filter(None, [OF_DEFAULTS.get(type(value.value))])
    elif isinstance(value, ast.Dict) and value.keys and value.keys[0]:
        for key in _of_literal(value.keys[0]):
            yield from (f"dict[{key}, {each}]" for each in _of_literal(value.values[0]))
    elif isinstance(value, ast.Tuple) and value.elts:
        items = [each for one in value.elts for each in _of_literal(one)]
        yield from [f"tuple[{', '.join(items)}]"] if len(items) == len(value.elts) else []
    elif isinstance(value, (ast.List, ast.Set)) and value.elts:
        kind = "list" if isinstance(value, ast.List) else "set"
        yield from (f"{kind}[{each}]" for each in _of_literal(value.elts[0]))


def _by_default(node: FunctionNode, name: str) -> Iterator[str]:
    placed = [*node.args.posonlyargs, *node.args.args]
    defaults = [*zip(placed[len(placed) - len(node.args.defaults) :], node.args.defaults)]
    defaults += [(one, default) for one, default in zip(node.args.kwonlyargs, node.args.kw_defaults) if default]
    for one, default in defaults:
        if one.arg == name and isinstance(default, ast.Constant):
            yield from filter(None, [OF_DEFAULTS.get(type(default.value))])
        elif one.arg == name and isinstance(default, (ast.Name, ast.Lambda)):
            yield from (
                FUNCTION if isinstance(default, ast.Lambda) or callable(getattr(builtins, default.id, None)) else ()
            )


def _by_docstring(node: FunctionNode, name: str) -> Iterator[str]:
    text = ast.get_docstring(node) or ""
    own = re.escape(name)
    forms = (
        rf":type\s+{own}\s*:([^\n]*)",
        rf":param\s+(\w+)\s+{own}\s*:",
        rf"(?m)^\s*{own}\s*\(([^)\n]*)\)\s*:",
        rf"(?m)^\s*{own}\s+:\s*([^\n]*)$",
    )
    for form in forms:
        for match in re.finditer(form, text):
            yield from (WORDS[word] for word in re.findall(r"\w+", match[1].lower()) if word in WORDS)


def _by_use(node: FunctionNode, name: str) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Attribute) and _is(each.value, name) and each.attr in METHODS:
            yield METHODS[each.attr]
        elif isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id == "isinstance":
            if len(each.args) == 2 and _is(each.args[0], name):
                named = [part.id for part in ast.walk(each.args[1]) if isinstance(part, ast.Name)]
                yield from (WORDS[word] for word in named if word in WORDS)
                yield from (("slice",) if "slice" in named else ())
        elif isinstance(each, ast.BinOp) and (isinstance(each.op, NUMERIC) or _has_number(each)):
            yield from ["int"] if name in _terms(each) else []
        elif isinstance(each, ast.AugAssign) and _is(each.target, name) and isinstance(each.op, (*NUMERIC, ast.Mod)):
            yield "int"
        elif isinstance(each, ast.Compare):
            operands = [each.left, *each.comparators]
            constants = [part.value for part in operands if isinstance(part, ast.Constant)]
            if any(_is(part, name) for part in operands):
                yield from (OF_DEFAULTS[type(value)] for value in constants if type(value) in (int, float, str))
        elif isinstance(each, (ast.For, ast.comprehension)) and _is(each.iter, name):
            yield from ITERABLE
        elif isinstance(each, ast.Call):
            yield from _by_call(each, name)
        elif isinstance(each, ast.Subscript) and isinstance(each.value, ast.Subscript) and _is(each.value.value, name):
            yield "list[list[int]]"
        elif isinstance(each, ast.Subscript) and _is(each.value, name):
            is_key = isinstance(each.slice, ast.Constant) and isinstance(each.slice.value, str)
            yield from ["dict[str, int]"] if is_key else ["list[int]", "str"]


def _by_call(node: ast.Call, name: str) -> Iterator[str]:
    """Yields the types of a parameter that is called, or passed to a function of Python."""
    if _is(node.func, name) or any(each.arg == "key" and _is(each.value, name) for each in node.keywords):
        yield from FUNCTION
    called = getattr(node.func, "attr", getattr(node.func, "id", ""))
    first, *others = node.args or [node.func]
    if called in CALLING:
        yield from FUNCTION if _is(first, name) else ()
        yield from ITERABLE if any(_is(each, name) for each in others) else ()
    elif any(_is(each, name) for each in node.args):
        yield from ITERABLE if called in ITERATING else ("float", "int", "str") if called in COUNTING else ()
        yield from BUILTINS.get(called, ()) if isinstance(node.func, ast.Name) else ()
    elif any(isinstance(each, ast.Starred) and _is(each.value, name) for each in node.args):
        yield "list[list[int]]"


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _has_number(node: ast.BinOp) -> bool:
    """Whether an operand is a number."""
    return any(isinstance(each, ast.Constant) and type(each.value) in (int, float) for each in (node.left, node.right))


def _terms(node: ast.expr) -> Iterator[str]:
    """Yields the names that an arithmetic expression combines."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.BinOp):
            waiting += (each.left, each.right)
        elif isinstance(each, ast.UnaryOp):
            waiting.append(each.operand)
        elif isinstance(each, ast.Name):
            yield each.id
