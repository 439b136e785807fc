"""Contracts in documentation: `pre:`, `post:`, `post[x]:` and `raises:` of PEP 316, and the usual ways to name exceptions."""

import ast
import builtins
import copy
import re
import types

from .. import safety
from ..refusal import Refused
from .asserts import evaluator
from .contracts import Condition
from .same import same

LINE = re.compile(r"(?P<indent>\s*)(?P<what>pre|post|raises)\s*(\[(?P<changes>[^\]]*)\])?\s*:(?P<rest>.*)")
# `:raises ValueError: when`, and the section that Google's style has.
SPHINX = re.compile(r"\s*:raises?\s+([\w.]+)\s*:")
SECTION = re.compile(r"(\s*)Raises:\s*$")
ENTRY = re.compile(r"(\s+)([\w.]+)\s*(:|$)")
# How conditions name what a call gave, what it was given, and by which names their evaluators do: no code has these.
RESULT, OLD = "<result>", "<old>"
RENAMED = {"__return__": RESULT, "_": RESULT, "__old__": OLD}


def read(function, contract):
    node = function.node.body[0]
    text = ast.get_docstring(function.node, clean=False)
    if text is None:
        return
    lines = list(enumerate(text.splitlines(), node.lineno))
    for what, changes, rest, line in _sections(lines):
        if what == "raises":
            _declare(function, contract, re.split(r"[\s,]+", rest.strip()))
        else:
            _add(function, contract, what, changes, rest, line)
    _declare(function, contract, _documented(lines))


def _sections(lines):
    """(what, changes, text, line) of each condition: on the line of its keyword, or on deeper ones below."""
    open_section = None
    for number, line in lines:
        found = LINE.fullmatch(line)
        if found:
            open_section = found if not found["rest"].strip() else None
            if not open_section:
                yield found["what"], found["changes"], found["rest"].strip(), number
        elif open_section and line.strip() and len(line) - len(line.lstrip()) > len(open_section["indent"]):
            yield open_section["what"], open_section["changes"], line.strip(), number
        else:
            open_section = None


def _documented(lines):
    """Names of exceptions that the text declares."""
    depth = None
    for _, line in lines:
        sphinx, section = SPHINX.match(line), SECTION.fullmatch(line)
        if sphinx:
            yield sphinx[1]
        if section:
            depth = len(section[1])
        elif depth is not None and line.strip():
            entry = ENTRY.match(line)
            if len(line) - len(line.lstrip()) <= depth:
                depth = None
            elif entry:
                yield entry[2]


def _declare(function, contract, names):
    for name in names:
        value = function.subject.named(name)
        if isinstance(value, type) and issubclass(value, BaseException) and value not in contract.documented:
            contract.documented.append(value)
            contract.add("PEP 316")


def _add(function, contract, what, changes, text, line):
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError:
        contract.notes.append(f"Line {line}: `{text[:80]}` is no expression of Python, so this condition was left out.")
        return
    renamed = _Renamed().visit(copy.deepcopy(tree))
    for each in safety.findings(renamed, "symbolic")[:1]:
        raise Refused(each.message, each.steps, each.code, "SandboxViolation", line)
    unknown = _unknown(function, renamed)
    if unknown:
        contract.notes.append(f"Line {line}: `{text[:80]}` names {', '.join(unknown)}, which nothing defines, so this condition was left out.")
        return
    contract.add("PEP 316")
    names = [*function.signature.parameters, RESULT, OLD]
    test = evaluator(renamed.body, names, function.subject, line)
    condition = Condition("PEP 316", ast.unparse(tree)[:200], line, lambda call: test(**call.arguments, **{RESULT: call.result, OLD: call.old.get(OLD)}), source=ast.unparse(tree))
    if what == "pre":
        contract.preconditions.append(condition)
        return
    contract.postconditions.append(condition)
    if OLD in _names(renamed) or changes is not None:
        contract.memories.append(_remember)
    if changes is not None:
        contract.postconditions += _unchanged(function, [each.strip() for each in changes.split(",")], line)


def _remember(call):
    if OLD not in call.old:
        call.old[OLD] = types.SimpleNamespace(**copy.deepcopy(call.arguments))


def _unchanged(function, changes, line):
    """`post[x]` says that nothing but x is changed in place."""
    for name in function.signature.parameters:
        if name not in changes:
            yield Condition("PEP 316", f"{name} == __old__.{name}", line, lambda call, name=name: same(call.arguments[name], getattr(call.old[OLD], name)))


class _Renamed(ast.NodeTransformer):
    def visit_Name(self, node):
        return ast.Name(RENAMED.get(node.id, node.id), node.ctx)


def _names(tree):
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _unknown(function, tree):
    """Names that neither the function, nor the module, nor Python defines."""
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)} | {RESULT, OLD}
    known = bound | set(function.signature.parameters) | set(function.subject.namespace)
    return [each for each in sorted(_names(tree)) if each not in known and not hasattr(builtins, each)]
