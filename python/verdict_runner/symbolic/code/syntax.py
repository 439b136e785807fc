"""Writes a text's syntax tree as JSON, parsed by the Python that would run the text, without running it.

Only the nodes in `FIELDS` are written. Every other node becomes `Other` with its name and position, so that a reader
can report what is not supported, and where.
"""

from __future__ import annotations

import ast
import itertools
import re
import struct
import sys
import warnings
from collections.abc import Mapping, Sequence, Set
from typing import Any

from verdict_runner.protocol.messages import Broken, Json, SyntaxTree
from verdict_runner.symbolic.code import alike, nested, renaming, source, targets
from verdict_runner.symbolic.code.mentions import arguments_of, whole
from verdict_runner.symbolic.code.same import pair
from verdict_runner.symbolic.contracts import called, pep316

FIELDS = {
    ast.Module: ("body",),
    ast.FunctionDef: ("name", "args", "body", "decorator_list", "returns"),
    ast.ClassDef: ("name", "bases", "keywords", "body", "decorator_list"),
    ast.Return: ("value",),
    ast.Assign: ("targets", "value"),
    ast.AugAssign: ("target", "op", "value"),
    ast.AnnAssign: ("target", "annotation", "value"),
    ast.For: ("target", "iter", "body", "orelse"),
    ast.While: ("test", "body", "orelse"),
    ast.If: ("test", "body", "orelse"),
    ast.Raise: ("exc", "cause"),
    ast.Try: ("body", "handlers", "orelse", "finalbody"),
    ast.Assert: ("test", "msg"),
    ast.Import: ("names",),
    ast.ImportFrom: ("module", "names", "level"),
    ast.Expr: ("value",),
    ast.Pass: (),
    ast.Break: (),
    ast.Continue: (),
    ast.BoolOp: ("op", "values"),
    ast.BinOp: ("left", "op", "right"),
    ast.UnaryOp: ("op", "operand"),
    ast.Lambda: ("args", "body"),
    ast.IfExp: ("test", "body", "orelse"),
    ast.Compare: ("left", "ops", "comparators"),
    ast.Call: ("func", "args", "keywords"),
    ast.JoinedStr: ("values",),
    ast.FormattedValue: ("value", "conversion", "format_spec"),
    ast.Attribute: ("value", "attr"),
    ast.Subscript: ("value", "slice"),
    ast.Name: ("id",),
    ast.List: ("elts",),
    ast.Tuple: ("elts",),
    ast.Set: ("elts",),
    ast.Dict: ("keys", "values"),
    ast.SetComp: ("elt", "generators"),
    ast.DictComp: ("key", "value", "generators"),
    ast.Slice: ("lower", "upper", "step"),
    ast.ListComp: ("elt", "generators"),
    ast.GeneratorExp: ("elt", "generators"),
}
PLACE = {"line": "lineno", "column": "col_offset", "end_line": "end_lineno", "end_column": "end_col_offset"}
# Fields that are not written. A target's position shows whether it is read or written; `simple` is handled separately.
MEANINGLESS = ("ctx", "type_comment", "kind", "simple")
# Nodes without a position of their own.
PARTS = {
    ast.ExceptHandler: ("type", "name", "body"),
    ast.comprehension: ("target", "iter", "ifs", "is_async"),
    ast.keyword: ("arg", "value"),
    ast.alias: ("name", "asname"),
}

# Functions of `re` whose first argument is a pattern.
PATTERN_TAKERS = frozenset(("compile", "match", "search", "fullmatch", "sub", "split", "findall"))

PATTERN_MAX = 500
# The maximum number of nodes of an expression of integer literals that is computed.
COMPUTED_MAX = 40

# Matches text that icontract recognises as the beginning of a decorator or as the line after it.
BEGINNING = re.compile(r"\s*(@[A-Za-z_]|def |class |async\s+def)")


def syntax(
    text: str,
    roots: Sequence[str] | None = None,
    contract_of: str | None = None,
    older: tuple[str, str] | None = None,
    compared: Sequence[str] | None = None,
    assumed: Sequence[Mapping[str, str]] = (),
) -> SyntaxTree | Broken:
    """Parses a text and returns its tree.

    With `roots`, the tree contains only the statements that functions with these names reach. The function
    `contract_of` gets the conditions in its docstring, and the functions that it calls get their conditions as asserts.
    If an older version and one of its functions are given, the tree contains both versions. Names of definitions that
    differ in the older version end with `alike.OLDER`. `compared` are two functions that may be the same code. `assumed`
    has types that replace annotations, by parameter, for each of these functions, or for the first of `roots`.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = source.parsed(text, "code")
            compile(source.dedented(text), "code", "exec", dont_inherit=True)
        tree = tree if roots is None else source.reached(tree, roots)
        if older is not None:
            below = source.below(text, older[0])
            tree = alike.together(source.reached(source.parsed(below, "code"), older[1:]), tree, older[1])
            text = source.both(text, below)
        conditions: dict[ast.AST, list[pep316.Stated]] = {}
        if contract_of is not None:
            target = targets.definition(tree, contract_of)
            if target is not None:
                conditions[target] = [*pep316.conditions(target)]
            called.enforce(tree, contract_of, and_own=False)
        same = compared is not None and pair.same(tree, *compared)
        # Code is compared as it was written.
        _annotate(tree, compared or roots or (), assumed)
        nested.lift(tree)
        written = _Writer(_unclear(tree, re.split(r"\r\n?|\n", text)), conditions).node(tree)
        return SyntaxTree(written, sys.version_info[:3], source.dedented(text), _patterns(tree), same)
    except renaming.Ambiguous as apart:
        return Broken(f"both versions define {apart.name}, or one uses it with a different meaning", apart.line, 1)
    except SyntaxError as error:
        return Broken(error.msg or "invalid syntax", error.lineno or 1, error.offset or 1)
    except (RecursionError, MemoryError):
        return Broken("nested too deeply for Python", 1, 1)
    except (ValueError, OverflowError) as error:
        return Broken(str(error), 1, 1)


def _annotate(tree: ast.Module, functions: Sequence[str], assumed: Sequence[Mapping[str, str]]) -> None:
    """Writes assumed types into the definitions of these functions."""
    for function, types in zip(functions, assumed):
        node = targets.definition(tree, function)
        for each in arguments_of(node) if node else ():
            if each.arg in types:
                each.annotation = ast.parse(types[each.arg], mode="eval").body
                for part in ast.walk(each.annotation):
                    ast.copy_location(part, each)


def _patterns(tree: ast.AST) -> list[tuple[str, int]]:
    """Returns the literals that are passed as patterns and that Python compiles as such, each with its groups."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args]
    named = [(getattr(each.func, "attr", getattr(each.func, "id", "")), each.args[0]) for each in calls]
    texts = {
        first.value
        for name, first in named
        if name in PATTERN_TAKERS and isinstance(first, ast.Constant) and isinstance(first.value, str)
    }
    groups = [(text, _groups_in(text)) for text in sorted(texts) if len(text) <= PATTERN_MAX]
    return [(text, count) for text, count in groups if count is not None]


def _groups_in(pattern: str) -> int | None:
    """Returns how many groups a pattern has; None if it is not valid without flags."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return re.compile(pattern).groups
    except (re.error, Warning, RecursionError, OverflowError, ValueError):
        return None


def _unclear(tree: ast.AST, lines: Sequence[str]) -> set[ast.expr]:
    """Returns the decorators whose text icontract would misread when it reads the text to report a violation."""
    unclear = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef) or not node.decorator_list:
            continue
        begins = [each.lineno for each in (*node.decorator_list, node)]
        if begins != [line for line in range(begins[0], node.lineno + 1) if BEGINNING.match(lines[line - 1])]:
            unclear.update(node.decorator_list)
    return unclear


class _Writer:
    """Writes the nodes of one tree."""

    def __init__(self, unclear: Set[ast.AST], conditions: Mapping[ast.AST, Sequence[pep316.Stated]]) -> None:
        self._unclear = unclear
        # The conditions that were read from the functions' docstrings.
        self._conditions = conditions

    def node(self, node: ast.AST) -> dict[str, Json]:
        place = {name: getattr(node, attribute, 0) for name, attribute in PLACE.items()}
        if node in self._unclear:
            return {
                "is": "Other",
                **place,
                "construct": "a decorator in this layout (begin it on a separate line, without a space after `@`)",
            }
        if type(node) is ast.Constant:
            return {"is": "Constant", **place, **_constant(node.value)}
        if (value := _computed(node)) is not None:
            return {"is": "Constant", **place, **_constant(value)}
        fields = FIELDS.get(type(node))
        if isinstance(node, ast.Dict) and None in node.keys:
            return {"is": "Other", **place, "construct": "dict displays with `**`"}
        if fields is None:
            return {"is": "Other", **place, "construct": type(node).__name__}
        more = [name for name in node._fields if name not in fields and name not in MEANINGLESS and getattr(node, name)]
        if more:
            return {"is": "Other", **place, "construct": f"{type(node).__name__} with {more[0]}"}
        if type(node) is ast.AnnAssign and type(node.target) is ast.Name and not node.simple:
            # A name in parentheses is not a local variable of the function.
            return {"is": "Other", **place, "construct": "annotated assignments to a name in parentheses"}
        return {
            "is": type(node).__name__,
            **place,
            **self._documented(self._conditions.get(node, ())),
            **{name: self._field(getattr(node, name)) for name in fields},
        }

    def _documented(self, conditions: Sequence[pep316.Stated]) -> dict[str, Json]:
        """Writes a docstring's conditions; `post[…]` conditions have no expression."""
        if not conditions:
            return {}
        return {"documented": [self._stated(*each) for each in conditions]}

    def _stated(self, what: str, condition: ast.expr | None, line: int, text: str) -> dict[str, Json]:
        """Writes a condition with its text, to which the columns of its nodes refer."""
        if condition is None:
            unknown = {"is": "Other", **dict.fromkeys(PLACE, 0), "construct": "`post[…]:` conditions in a docstring"}
            return {"is": what, "condition": {**unknown, "line": line}, "text": text, "line": line}
        written = ast.parse(text, mode="eval").body
        for node in ast.walk(written):
            if isinstance(node, ast.expr):
                node.lineno = node.end_lineno = line
        return {"is": what, "condition": self.node(written), "text": text, "line": line}

    def _field(self, value: Any) -> Json:  # noqa: ANN401 - whatever a field of a node holds
        if isinstance(value, list):
            return [self._field(each) for each in value]
        if isinstance(value, ast.arguments):
            return self._parameters(value)
        if isinstance(value, (ast.operator, ast.unaryop, ast.boolop, ast.cmpop)):
            return type(value).__name__
        if type(value) in PARTS:
            place = {"line": getattr(value, "lineno", 0)}
            return {**place, **{name: self._field(getattr(value, name)) for name in PARTS[type(value)]}}
        return self.node(value) if isinstance(value, ast.AST) else value

    def _parameters(self, arguments: ast.arguments) -> dict[str, Json]:
        """Writes positional parameters with their defaults; `more` lists the other kinds of parameters."""
        plain = [*arguments.posonlyargs, *arguments.args]
        defaults = [None] * (len(plain) - len(arguments.defaults)) + arguments.defaults
        more = arguments.vararg or arguments.kwarg or (arguments.kwonlyargs or [None])[0]
        return {
            "parameters": [
                {
                    "name": each.arg,
                    "annotation": self._field(each.annotation),
                    "default": self._field(default),
                    "line": each.lineno,
                }
                for each, default in zip(plain, defaults)
            ],
            "named": [each.arg for each in arguments.args],
            "more": more.arg if more else None,
        }


def _computed(node: ast.AST) -> int | None:
    """Computes an expression of integer literals, such as `10**9 + 7`."""
    if not isinstance(node, ast.BinOp):
        return None
    nodes = [*itertools.islice(ast.walk(node), COMPUTED_MAX + 1)]
    parts = [each for each in nodes if not isinstance(each, (ast.BinOp, ast.operator))]
    is_known = len(nodes) <= COMPUTED_MAX and all(
        isinstance(each, ast.Constant) and type(each.value) is int for each in parts
    )
    return whole(node) if is_known else None


def _constant(value: object) -> dict[str, Json]:
    """Writes integers as text and floats as their bits, since JSON can represent neither exactly."""
    if isinstance(value, bool):
        return {"type": "bool", "value": str(value)}
    if isinstance(value, int):
        return {"type": "int", "value": hex(value)}
    if isinstance(value, float):
        return {"type": "float", "value": struct.pack(">d", value).hex()}
    if isinstance(value, str):
        # Two surrogates are two characters in Python but one character for a reader of the JSON.
        if any("\ud800" <= character <= "\udfff" for character in value):
            return {"type": "other", "value": "str with surrogates"}
        return {"type": "str", "value": value}
    if value is None:
        return {"type": "none", "value": ""}
    return {"type": "other", "value": type(value).__name__}
