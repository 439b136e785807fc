"""Checks a model in the state that it would have after a change, without running it.

It checks the syntax with CPython's own compiler, safety, rebound dictionaries or variables, unbound names, and calls
that a solution requires. The first fault ends the check; all other findings are warnings.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re
import warnings
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from verdict_runner.languages import compared, files, rebindings
from verdict_runner.languages.bindings import Summary, summarise
from verdict_runner.languages.profile import LanguageProfile
from verdict_runner.protocol.messages import CheckAnswer, Fault
from verdict_runner.refusal import Refused
from verdict_runner.sandbox import allowed, safety

WARNINGS_MAX = 5
# The cache limit, enough for several of the largest models; facts about an item take about ten times its source's size.
SEEN_CHARS_MAX = 8_000_000


def check(profile: LanguageProfile, items: Sequence[str], has_data: bool = False) -> CheckAnswer:
    """Returns the first fault in the items, or warnings for their author; `has_data` lets the program open its data."""
    try:
        file = files.format_in(items, profile.files)
        if file is not None:
            return CheckAnswer(warnings=getattr(files.read(file, items[0]), "notes", ()))
    except Refused as fault:
        return CheckAnswer(Fault(fault.code, fault.message, fault.steps, fault.line or 1, fault.column or 1))
    looks = []
    builtins_bound = frozenset(["open"] if has_data else [])
    for index, text in enumerate(items):
        look = _seen.look(profile, text, builtins_bound)
        if look.fault:
            return CheckAnswer(_in_characters(replace(look.fault, item=index), text))
        looks.append(look)
        builtins_bound |= look.summary.bound & allowed.REFUSED.keys()
    slips = list(_slips(looks))
    for slip in slips:
        if slip.is_fault:
            fault = Fault("input_rejected", slip.message, slip.steps, slip.line, slip.column + 1, slip.item)
            return CheckAnswer(_in_characters(fault, items[slip.item]))
    warnings = [
        *(f"item {slip.item}, line {slip.line}: {slip.message}" for slip in slips),
        *(f"item {index}, {text}" for index, look in enumerate(looks) for text in look.warnings),
        *_unbound(profile, looks, has_data),
        *_calls(profile, looks),
    ]
    return CheckAnswer(warnings=warnings[:WARNINGS_MAX])


class _Look:
    """The facts about one item."""

    def __init__(self, fault: Fault | None = None, summary: Summary | None = None, warned: Iterable[str] = ()) -> None:
        self.fault = fault
        # The summary is empty if the item has a fault.
        self.summary = summary or Summary()
        self.warnings = list(warned)


class _Seen:
    """A cache of the most recently examined items, limited by their total number of characters."""

    def __init__(self) -> None:
        self._looks: OrderedDict[tuple[str, str, frozenset[str]], _Look] = OrderedDict()
        self._chars = 0

    def look(self, profile: LanguageProfile, text: str, bound: frozenset[str]) -> _Look:
        key = (profile.id, text, bound)
        if key in self._looks:
            self._looks.move_to_end(key)
            return self._looks[key]
        look = self._looks[key] = _look(profile, text, bound)
        self._chars += len(text)
        while self._chars > SEEN_CHARS_MAX:
            (_, oldest, _), _ = self._looks.popitem(last=False)
            self._chars -= len(oldest)
        return look


def _look(profile: LanguageProfile, text: str, bound: frozenset[str]) -> _Look:
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            tree = ast.parse(text, "item")
            compile(text, "item", "exec", dont_inherit=True)
        unsafe, summary = safety.findings(tree, profile, bound), summarise(tree)
    except SyntaxError as error:
        return _Look(_syntax(error, text, profile))
    except (RecursionError, MemoryError):
        steps = [profile.instead_of_nesting, "split it into several items or statements"]
        return _Look(Fault("syntax_error", "The item is nested too deeply for Python.", steps, 1, 1))
    except (ValueError, OverflowError) as error:
        return _Look(
            Fault(
                "syntax_error",
                f"Python can't read the item: {error}.",
                ["write plain text without null characters"],
                1,
                1,
            )
        )
    if unsafe:
        first = unsafe[0]
        return _Look(Fault(first.code, first.message, first.steps, first.line, first.column + 1))
    lost = compared.fault_in(tree) or profile.fault_in(tree)
    if lost:
        return _Look(lost)
    warned = [f"line {each.lineno}: {each.message}" for each in caught if issubclass(each.category, SyntaxWarning)]
    return _Look(summary=summary, warned=dict.fromkeys(warned))


def _in_characters(fault: Fault, text: str) -> Fault:
    """Converts a fault's column from bytes, as in syntax trees, to characters, as people and models count."""
    lines = text.splitlines()
    if fault.code == "syntax_error" or fault.line > len(lines):
        return fault
    before = lines[fault.line - 1].encode()[: fault.column - 1]
    return replace(fault, column=len(before.decode(errors="ignore")) + 1)


_seen = _Seen()

# Typographic operators, with their Python equivalents.
TYPOGRAPHY = {
    "≤": "<=", "≥": ">=", "≠": "!=", "↑": "^", "⊕": "^", "×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "—": "-", "“": '"', "”": '"', "„": '"',
    "‘": "'", "’": "'", "…": "...", "\u00a0": "a plain space", "∈": "in", "λ": "lambda", "∞": "float('inf')",
}  # fmt: skip


WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*[,.:;]?")
INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad"


def _foreign(shown: str, foreign: Mapping[str, str]) -> list[str]:
    """Suggests a correction for the first operator on a line that comes from another language."""
    plain = shown.replace("!=", "")
    sign = next((sign for sign in foreign if sign in plain), None)
    return [] if sign is None else [f"write {foreign[sign]} instead of {sign}"]


def _unreadable(shown: str) -> list[str]:
    """Suggests a correction for invisible characters and for escaped line breaks."""
    hidden = next((each for each in shown if each in INVISIBLE), None)
    if hidden is not None:
        return [f"delete the invisible character U+{ord(hidden):04X}"]
    return ["send real line breaks instead of a backslash and an n"] if "\\n" in shown else []


def _is_sentence(line: str) -> bool:
    """Whether a line that is not valid Python starts with four plain words, like a sentence about the code."""
    words = line.split()[:4]
    return len(words) == 4 and all(map(WORD.fullmatch, words)) and not keyword.iskeyword(words[0])


def _syntax(error: SyntaxError, text: str, profile: LanguageProfile) -> Fault:
    line = error.lineno or 1
    column = max(0, (error.offset or 1) - 1)
    message = error.msg or "invalid syntax"
    lines = text.splitlines()
    shown = lines[line - 1].strip()[:80] if 0 < line <= len(lines) else ""
    steps = [*_unreadable(shown), *(_foreign(shown, profile.foreign) if "syntax" in message else [])]
    for sign, plain in {**TYPOGRAPHY, **profile.signs}.items():
        if sign in shown and ("character" in message or "syntax" in message):
            steps.append(f"write {plain} instead of {sign}")
    if shown.startswith(("%", "//")):
        steps.append("a comment begins with # in Python")
    if text.lstrip().startswith("<think>") or _is_sentence(shown):
        steps.append("send the code alone, without the sentences around it; a comment begins with #")
    if isinstance(error, IndentationError) and text[:1] in " \t":
        steps.append("start the item in the first column")
    if "never closed" in message:
        steps.append("close the bracket that opens there")
    if "expected an indented block" in message:
        steps.append("indent the lines that belong to this block")
    if (
        "EOF" in message
        or ("never closed" in message or "expected an indented block" in message)
        and line == len(lines)
    ):
        steps.append(
            "an item must contain complete statements: send all lines of a statement or definition in one item"
        )
    steps = [*steps[:2], "correct this line and send the item again"]
    message = f"{message[:1].upper()}{message[1:]}{f', in `{shown}`' if shown else ''}."
    return Fault("syntax_error", message, steps, line, column + 1)


def _slips(looks: Sequence[_Look]) -> Iterator[rebindings.Slip]:
    """Finds names that are rebound although the first value is still meant, in the module and in each function."""
    summaries = [look.summary for look in looks]
    scalar_functions = set().union(*(each.scalar_functions for each in summaries)) if summaries else set()
    yield from rebindings.slips(
        [(index, each.module_bindings) for index, each in enumerate(summaries)], scalar_functions
    )
    for index, each in enumerate(summaries):
        for function in each.function_bindings:
            yield from rebindings.slips([(index, function)], scalar_functions)


def _unbound(profile: LanguageProfile, looks: Sequence[_Look], has_data: bool) -> Iterator[str]:
    """Reports names that are used although no item, import or builtin binds them."""
    bound = {
        *allowed.BUILTINS,
        *allowed.GUARDED,
        *profile.present,
        "None",
        "True",
        "False",
        "__name__",
        "__doc__",
        "data",
        *(["open"] if has_data else []),
    }
    bound.update(
        name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
    )
    for look in looks:
        if any(module not in profile.starred for module in look.summary.star_imports):
            return
        bound |= look.summary.bound
    for index, look in enumerate(looks):
        for name, line in look.summary.used.items():
            if name not in bound and not (profile.constants and name.startswith(profile.constants)):
                yield f"item {index}, line {line}: no item defines {name} so far{f'; add `import {name}`' if name in profile.modules else ''}."


def _calls(profile: LanguageProfile, looks: Sequence[_Look]) -> Iterator[str]:
    """Reports missing calls that a solution requires: a solver without an export, or an export without a solver."""
    return profile.missed(set().union(*(look.summary.calls for look in looks)) if looks else set())
