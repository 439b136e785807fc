"""Reads contracts in docstrings.

Supports `pre:`, `post:`, `post[x]:` and `raises:` from PEP 316, and the usual ways to document exceptions.
"""

from __future__ import annotations

import ast
import builtins
import copy
import re
import types
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from verdict_runner.refusal import Refused
from verdict_runner.sandbox import safety
from verdict_runner.symbolic.code.mentions import binding
from verdict_runner.symbolic.contracts.asserts import evaluator, placed
from verdict_runner.symbolic.contracts.contracts import Call, Condition, Contract
from verdict_runner.symbolic.contracts.same import same
from verdict_runner.symbolic.profile import PROFILE

if TYPE_CHECKING:
    from verdict_runner.symbolic.code.function import Function
    from verdict_runner.symbolic.code.mentions import FunctionNode

# A condition: its kind, its expression (None if it is not one), its line, and its text.
Stated: TypeAlias = "tuple[str, ast.expr | None, int, str]"
# Lines of text with their numbers.
Lines: TypeAlias = "Sequence[tuple[int, str]]"

# A colon or an at sign before the word marks a field, as in Sphinx and Epydoc.
LINE = re.compile(r"(?P<indent>\s*)[:@]?(?P<what>pre|post|raises)\s*(\[(?P<changes>[^\]]*)\])?\s*:(?P<rest>.*)")
# Patterns for Sphinx's `:raises ValueError: when`, and for the sections in Google's and NumPy's style.
SPHINX = re.compile(r"\s*[:@](?:raises?|except|exception)\s+([\w., ]+?)\s*:")
GOOGLE = re.compile(r"(\s*)Raises:\s*$")
NUMPY = re.compile(r"(\s*)Raises\s*$")
DASHES = re.compile(r"\s*-{3,}\s*$")
# Matches names of exceptions at the beginning of a line, with their markup.
ENTRY = re.compile(r"\s*(?::\w+:)?`{0,2}([\w.]+(?:`{0,2}\s*(?:,|\bor\b)\s*`{0,2}[\w.]+)*)`{0,2}\s*(?::|--|$)")
NAMES = re.compile(r"[\w.]+")
# The names for the result and for the arguments before the call, in conditions and in the functions that evaluate them.
# No code can contain these names.
RESULT, OLD = "<result>", "<old>"
RENAMED = {"__return__": RESULT, "_": RESULT, "__old__": OLD}


def read(function: Function, contract: Contract) -> None:
    lines, prose = _lines(function.node), []
    for what, changes, rest, line in _sections(lines):
        if what == "raises":
            _declare(function, contract, re.split(r"[\s,]+", rest.strip()))
        elif _expression(rest) is None:
            prose.append((what, line))
        else:
            _add(function, contract, what, changes, rest, line)
    _declare(function, contract, _documented(lines))
    _tell_prose(contract, prose)


def conditions(node: FunctionNode) -> Iterator[Stated]:
    """Yields the conditions in a function's docstring as (kind, expression or None, line, text), without prose."""
    for what, changes, text, line in _sections(_lines(node)):
        expression = _expression(text)
        if what != "raises" and expression is not None:
            yield what, None if changes is not None else placed(expression.body, line), line, text


def _lines(node: FunctionNode) -> list[tuple[int, str]]:
    text = ast.get_docstring(node, clean=False)
    if text is None:
        return []
    # The first line follows the quotes, so its indentation is that of the quotes.
    first, *rest = text.splitlines() or [""]
    return [*enumerate([" " * node.body[0].col_offset + first.lstrip(), *rest], node.body[0].lineno)]


def _expression(text: str) -> ast.Expression | None:
    try:
        return ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _tell_prose(contract: Contract, prose: Sequence[tuple[str, int]]) -> None:
    """Adds one note for all texts that are in the place of a condition but are not conditions.

    A postcondition that can't be parsed counts as an obligation that could not be read.
    """
    if not prose:
        return
    words = " and ".join(dict.fromkeys(f"`{what}:`" for what, _ in prose))
    lines = ", ".join(str(line) for _, line in prose)
    note = f"The text after {words} in the docstring (line {lines}) is prose, not a Python expression: it was ignored."
    (contract.notes if any(what == "post" for what, _ in prose) else contract.remarks).append(note)


def _sections(lines: Lines) -> Iterator[tuple[str, str | None, str, int]]:
    """Yields (kind, changes, text, line) for each condition, on its keyword's line or indented below it."""
    open_section = None
    for number, line in lines:
        match = LINE.fullmatch(line)
        if match:
            open_section = match if not match["rest"].strip() else None
            if not open_section:
                yield match["what"], match["changes"], match["rest"].strip(), number
        elif open_section and line.strip() and len(line) - len(line.lstrip()) > len(open_section["indent"]):
            yield open_section["what"], open_section["changes"], line.strip(), number
        else:
            open_section = None


def _documented(lines: Lines) -> Iterator[str]:
    """Yields the names of exceptions that the text declares."""
    # The minimum and maximum indentation of a section's entries.
    least = most = None
    texts = [line for _, line in lines]
    for line, following in zip(texts, [*texts[1:], ""]):
        depth = len(line) - len(line.lstrip())
        sphinx = SPHINX.match(line)
        if sphinx:
            yield from NAMES.findall(sphinx[1])
        elif GOOGLE.fullmatch(line):
            least, most = depth + 1, None
        elif NUMPY.fullmatch(line) and DASHES.fullmatch(following):
            least = most = depth
        elif least is not None and line.strip() and not DASHES.fullmatch(line):
            if depth < least or DASHES.fullmatch(following):
                least = None
            elif (entry := ENTRY.match(line)) and (most is None or depth == most):
                # All entries have the same indentation; lines that are indented further describe them.
                most = depth
                yield from (name for name in NAMES.findall(entry[1]) if name != "or")


def _declare(function: Function, contract: Contract, names: Iterable[str]) -> None:
    for name in names:
        value = function.subject.named(name)
        if isinstance(value, type) and issubclass(value, BaseException) and value not in contract.documented:
            contract.documented.append(value)
            contract.add("PEP 316")


def _add(function: Function, contract: Contract, what: str, changes: str | None, text: str, line: int) -> None:
    tree = _expression(text)
    if tree is None:
        return
    renamed = placed(_Renamed().visit(copy.deepcopy(tree)), line)
    for each in safety.findings(renamed, PROFILE, function.signature.parameters)[:1]:
        raise Refused(each.message, each.steps, each.code, "SandboxViolation", line)
    unknown = _unknown(function, renamed)
    refused = {*unknown} & {name for each in function.subject.whole.body for name in binding(each)}
    if refused:
        message = f"`{text[:80]}` names {', '.join(sorted(refused))}, which is not available to {PROFILE.author}."
        steps = ["state the condition without this name"]
        raise Refused(message, steps, "forbidden", "SandboxViolation", line)
    if unknown:
        note = f"Line {line}: `{text[:80]}` was ignored: the code defines no {' and no '.join(unknown)}. Write it as one Python expression."
        (contract.remarks if what == "pre" else contract.notes).append(note)
        return
    contract.add("PEP 316")
    names = [*function.signature.parameters, RESULT, OLD]
    test = evaluator(renamed.body, names, function.subject, line)
    condition = Condition(
        "PEP 316",
        ast.unparse(tree)[:200],
        line,
        lambda call: test(**call.arguments, **{RESULT: call.result, OLD: call.old.get(OLD)}),
        expression=tree.body,
    )
    if what == "pre":
        contract.preconditions.append(condition)
        return
    contract.postconditions.append(condition)
    if OLD in _names(renamed) or changes is not None:
        contract.memories.append(_remember)
    if changes is not None:
        contract.postconditions += _unchanged(function, [each.strip() for each in changes.split(",")], line)


def _remember(call: Call) -> None:
    if OLD not in call.old:
        call.old[OLD] = types.SimpleNamespace(**copy.deepcopy(call.arguments))


def _unchanged(function: Function, changes: Sequence[str], line: int) -> Iterator[Condition]:
    """Yields the conditions of `post[x]`, which means that only x may be changed in place."""
    for name in function.signature.parameters:
        if name not in changes:
            yield Condition(
                "PEP 316",
                f"{name} == __old__.{name}",
                line,
                lambda call, name=name: same(call.arguments[name], getattr(call.old[OLD], name)),
            )


class _Renamed(ast.NodeTransformer):
    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.copy_location(ast.Name(RENAMED.get(node.id, node.id), node.ctx), node)


def _names(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _unknown(function: Function, tree: ast.AST) -> list[str]:
    """Returns names that neither the function, nor the module, nor Python defines."""
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)} | {RESULT, OLD}
    known = bound | set(function.signature.parameters) | set(function.subject.namespace)
    return [each for each in sorted(_names(tree)) if each not in known and not hasattr(builtins, each)]
