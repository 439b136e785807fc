"""Writes pytest tests that show a finding and pass once the code is corrected. The tests do not need Verdict."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from verdict_runner.symbolic.code.function import Arguments, Function
from verdict_runner.symbolic.code.subject import MODULE
from verdict_runner.symbolic.code.targets import root
from verdict_runner.symbolic.contracts.contracts import Condition
from verdict_runner.symbolic.run import shown

if TYPE_CHECKING:
    from verdict_runner.symbolic.run.violations import Violation

HEAD = f"# Save the code under test as {MODULE}.py beside this file, then run pytest."
OLDER_HEAD = (
    f"# Save both versions of the module as {MODULE}.py and {MODULE}_base.py beside this file, then run pytest."
)
# The strict comparison of two functions, as source code for tests.
HELPERS = """
def outcome(function, *args, **kwargs):
    items = []
    try:
        value = function(*args, **kwargs)
        if hasattr(value, "__next__"):
            items.extend(value)
            value = None
        ended = ("value", value)
    except Exception as error:
        ended = ("exception", type(error))
    return [*ended, items, *args, *kwargs.values()]


def same(a, b):
    if type(a) is not type(b):
        return False
    if isinstance(a, (float, complex)) or type(a).__module__ == "decimal":
        return repr(a) == repr(b)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if hasattr(a, "__next__"):
        return same(outcome(list, a)[:2], outcome(list, b)[:2])
    if hasattr(a, "__dict__") and not isinstance(a, type):
        return same(vars(a), vars(b))
    return a == b
"""


def of_violation(function: Function, arguments: Arguments, violation: Violation, happened: str) -> str:
    """Writes a test that fails as long as this call breaks the contract."""
    source = shown.Source()
    condition = violation.condition
    if violation.kind == "return_type" and function.keeping:
        name = _free("result", arguments)
        body = [
            f"{name} = {source.call(function, arguments)}",
            f"assert {_renamed(function.keeping.text, {'value': name})}",
        ]
        for each in function.keeping.names.values():
            source.name_of(each)
    elif condition is not None and condition.style == "PEP 316":
        body = _asserting(function, arguments, condition, source)
    else:
        body = [_run(function, arguments, source)]
    return _written([function], source, body, happened)


def of_exception(function: Function, arguments: Arguments, happened: str) -> str:
    """Writes a test that fails as long as this call raises."""
    source = shown.Source()
    return _written([function], source, [_run(function, arguments, source)], happened)


def _run(function: Function, arguments: Arguments, source: shown.Source) -> str:
    call = source.call(function, arguments)
    return f"list({call})" if function.is_generator else call


def of_difference(functions: Sequence[Function], arguments: Sequence[Arguments], happened: str) -> str:
    """Writes a test that fails as long as two functions differ on these arguments."""
    source = shown.Source()
    texts = [f"outcome({each})" for each in both(source.passed, functions, arguments)]
    body = [f"assert same({texts[0]}, {texts[1]})"]
    return _written(functions, source, body, happened, HELPERS)


def both(
    write: Callable[[Function, Arguments], str], functions: Sequence[Function], arguments: Sequence[Arguments]
) -> list[str]:
    """Writes the calls of two functions; if both get the same arguments, the names are those of the first one's parameters."""
    texts = [*map(write, functions, arguments)]
    if arguments[0] is arguments[1]:
        texts[1] = texts[0].replace(functions[0].shown, functions[1].shown, 1)
    return texts


def _asserting(function: Function, arguments: Arguments, condition: Condition, source: shown.Source) -> list[str]:
    """Writes the call, and its postcondition as an assert; the names in the postcondition are assigned first."""
    name = _free("result", arguments)
    texts = source.arguments(function, arguments)
    lines = [f"{each} = {_one_text(text)}" for each, text in texts.items()]
    tree = _Ours(name, {each: _one_text(text) for each, text in texts.items()}).visit(
        ast.parse(condition.text, mode="eval")
    )
    test = ast.unparse(ast.fix_missing_locations(tree))
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    source.imports.setdefault(None, set()).update(
        used & function.subject.namespace.keys() - {name, *texts, "__builtins__"}
    )
    return [*lines, f"{name} = {source.by_variables(function, texts)}", f"assert {test}"]


def _one_text(text: object) -> str:
    """Writes a parameter's value as one expression."""
    if isinstance(text, list):
        return f"({', '.join(text)}{',' if len(text) == 1 else ''})"
    if isinstance(text, dict):
        return f"{{{', '.join(f'{key!r}: {one}' for key, one in text.items())}}}"
    return f"{text}"


class _Ours(ast.NodeTransformer):
    """Converts PEP 316's names to the names in a test."""

    def __init__(self, result: str, texts: Mapping[str, str]) -> None:
        self._result = result
        # The arguments as expressions.
        self._texts = texts

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self._result) if node.id in ("_", "__return__") else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.value, ast.Name) and node.value.id == "__old__" and node.attr in self._texts:
            return ast.parse(self._texts[node.attr], mode="eval").body
        self.generic_visit(node)
        return node


def _renamed(text: str, names: Mapping[str, str]) -> str:
    return re.sub(r"\b(" + "|".join(names) + r")\b", lambda match: names[match[1]], text)


def _free(name: str, taken: Collection[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _written(
    functions: Sequence[Function], source: shown.Source, body: Sequence[str], happened: str, helpers: str = ""
) -> str:
    older = sorted({(root(each.name), root(each.shown)) for each in functions if each.subject.is_older})
    own = {root(each.name) for each in functions if not each.subject.is_older}
    own = sorted({*own, *source.imports.pop(None, ())})
    name = f"test_{'_and_'.join(each.shown.replace('.', '_') for each in functions)}"
    lines = [OLDER_HEAD, *(f"from {MODULE}_base import {one} as {other}" for one, other in older)] if older else [HEAD]
    for module in sorted(module for module in source.imports if module is not None):
        names = sorted(source.imports[module])
        lines.append(f"from {module} import {', '.join(names)}" if names else f"import {module}")
    lines += [f"from {MODULE} import {', '.join(own)}", *helpers.splitlines()]
    text = " ".join(happened.split())[:300]
    return (
        "\n".join([*lines, "", "", f"def {name}():", f"    # Found: {text}", *(f"    {line}" for line in body)]) + "\n"
    )
