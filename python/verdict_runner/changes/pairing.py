"""Both versions of a function in one module, each with what its own version of the module gives it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

from verdict_runner.changes import functions, renaming
from verdict_runner.changes.assuming import assume
from verdict_runner.changes.bundle import bundled
from verdict_runner.changes.files import Files, Missing
from verdict_runner.changes.functions import Found
from verdict_runner.changes.messages import Apart, Pair, PairRequest, Version, Wanted
from verdict_runner.changes.plain import RARE
from verdict_runner.changes.reading import parsed, refuse_imports, without_documentation
from verdict_runner.changes.sharing import IMPORTS, Side, by_text, is_future, shared
from verdict_runner.changes.unfit import Unfit
from verdict_runner.symbolic.code import reach, targets
from verdict_runner.symbolic.code.mentions import FUNCTIONS, FunctionNode, arguments_of
from verdict_runner.symbolic.code.targets import root

SUFFIX = "_base"
# As much as the tools take.
TEXT_BYTES_MAX = 64 * 1024
# Attributes that say how a function is called.
NAMES_OF_FUNCTIONS = ("__name__", "__qualname__", "__code__")
# Modules of the repository that are named.
SHOWN_MAX = 5
SAME = Apart("both versions are the same code, with all that it uses", same_code=True)
IDENTIFIER = re.compile(r"[^\W\d]\w*")


def answer(request: PairRequest) -> Pair | Apart | Wanted:
    """One module with both functions, or with the one that there is. `Apart` says why that is not possible, or that both
    are the same code; `Wanted` names files that have to be read first.
    """
    files = {side: Files(each) for side, each in (("base", request.base), ("head", request.head)) if each is not None}
    try:
        if request.base is None:
            return _alone(request.head, files["head"])
        return _pair(request.base, request.head, files)
    except Missing:
        wanted = {side: [*each.wanted] for side, each in files.items()}
        return Wanted(wanted.get("base", []), wanted["head"])
    except Unfit as unfit:
        return Apart(unfit.why)
    except renaming.Failed as failed:
        return Apart(f"the two versions use one name for different things, and it could not be replaced ({failed})")
    except SyntaxError as error:
        return Apart(f"a version is not Python: {error.msg} (line {error.lineno or 1})")
    except (RecursionError, MemoryError, ValueError, OverflowError) as error:
        return Apart(f"Python's parser can't read a version: {str(error) or type(error).__name__}")


def _pair(base: Version, head: Version, files: Mapping[str, Files]) -> Pair | Apart:
    versions = {"base": base, "head": head}
    trees = {side: functions.with_full_names(parsed(each.text)) for side, each in versions.items()}
    names = {side: functions.full_name(each.name) for side, each in versions.items()}
    if len({"." in name for name in names.values()}) > 1:
        raise Unfit("it is a method in one version, and a function in the other")
    own = {side: each.own_modules for side, each in versions.items()}
    found = [_function_of(tree, names[side]) for side, tree in trees.items()]
    parts, taken, notes = _with_own_modules(versions, trees, names, files)
    notes += [f"Taken along, of each version: {', '.join(taken[:SHOWN_MAX])}."] if taken else []
    notes += (
        ["It is defined in a block of its module: compared is what this Python takes."]
        if not all(each.plain for each in found)
        else []
    )
    return _Pairing(parts, names, own, notes).made()


def _with_own_modules(
    versions: Mapping[str, Version],
    trees: Mapping[str, ast.Module],
    names: Mapping[str, str],
    files: Mapping[str, Files],
) -> tuple[dict[str, Sequence[ast.stmt]], Sequence[str], list[str]]:
    """The statements of each version, with those of other modules of the repository; the paths of those, and notes. The files
    that both versions miss are asked for at once.
    """
    parts: dict[str, Sequence[ast.stmt]] = {}
    taken: dict[str, None] = {}
    notes: dict[str, None] = {}
    missing: Missing | None = None
    for side, tree in trees.items():
        try:
            parts[side], paths, more = bundled(tree, versions[side].path, root(names[side]), files[side])
            taken.update(dict.fromkeys(paths))
            notes.update(dict.fromkeys(more))
        except Missing as error:
            missing = error
    if missing is not None:
        raise missing
    return parts, [*taken], [*notes]


def _alone(version: Version, files: Files) -> Pair:
    """One function with what it needs; the text as it is, where that will do: its lines are those of the file."""
    tree, name = parsed(version.text), version.name
    _function_of(tree, name)
    statements, taken, notes = bundled(tree, version.path, root(name), files)
    statements_needed = reach.split(ast.Module([*statements], []), [root(name)])[0]
    refuse_imports(statements_needed, version.own_modules)
    is_as_written = not taken and not notes and not any(each in version.text for each in RARE)
    short = len(version.text.encode(errors="surrogatepass")) <= TEXT_BYTES_MAX
    code = version.text if is_as_written and short else ast.unparse(ast.Module(statements_needed, []))
    return Pair(code.removeprefix("\ufeff"), name, name, notes)


class _Pairing:
    """Two versions of a function on their way into one module."""

    def __init__(
        self,
        parts: Mapping[str, Sequence[ast.stmt]],
        names: Mapping[str, str],
        own_modules: Mapping[str, Sequence[str]],
        notes: list[str],
    ) -> None:
        self._notes = notes
        self._names = names
        self._own_modules = own_modules
        self._sides = {
            side: Side(reach.split(ast.Module([*each], []), [root(names[side])])[0])
            for side, each in without_documentation(parts).items()
        }
        self._old, self._new = self._sides["base"], self._sides["head"]
        self._shared = shared(self._old, self._new)
        # What the older version has of its own.
        self._own = [each for each in self._old.statements if not self._is_common(self._old, each)]
        # Names that occur in a version, or that were made.
        self._taken = {
            name
            for side in self._sides.values()
            for node in side.statements
            for name in IDENTIFIER.findall(ast.unparse(node))
        }

    def made(self) -> Pair | Apart:
        # All statements are equal, or all that the function reaches is, and nothing can change it from outside.
        if self._names["base"] == self._names["head"]:
            if list(self._old.dumps.values()) == list(self._new.dumps.values()):
                return SAME
        self._refuse()
        if self._names["base"] == self._names["head"] and root(self._names["head"]) in self._shared:
            return SAME
        names = self._new_names()
        copies = renaming.renamed(self._own, names)
        self._refuse_texts(copies, {*names})
        futures = [each for side in self._sides.values() for each in side.statements if is_future(each)]
        rest = [each for each in self._new.statements if not is_future(each)]
        old_root, _, method = self._names["base"].partition(".")
        first = ".".join(filter(None, [names.get(old_root, old_root), method]))
        trees = ast.Module([*rest, *copies], []), ast.Module(rest, [])
        function_names = first, self._names["head"]
        nodes = [_function_of(tree, name).last for tree, name in zip(trees, function_names)]
        self._borrow(*nodes)
        bound = {*self._old.binders, *self._new.binders}
        assumed = assume(nodes, bound)
        if method:
            makers = [
                targets.definition(tree, f"{name.rpartition('.')[0]}.__init__")
                for tree, name in zip(trees, function_names)
            ]
            assumed = {**assume([*dict.fromkeys(each for each in makers if each)], bound), **assumed}
        module = ast.Module([*futures[:1], *self._union(), *rest, *self._with_own_names(copies)], [])
        return Pair(ast.unparse(ast.fix_missing_locations(module)), *function_names, self._notes, assumed)

    def _with_own_names(self, copies: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
        """The older version's own statements, in which a class has its own name, by which its objects are shown. The name
        of the module then means the newer version's class again.
        """
        for own, copied in zip(self._own, copies):
            if not isinstance(own, ast.ClassDef) or not isinstance(copied, ast.ClassDef) or own.name == copied.name:
                yield copied
                continue
            name, new_name = own.name, copied.name
            copied.name = name
            kept = _fresh(f"{name}_head", self._taken) if name in self._new.binders else None
            if kept:
                yield _assign(kept, name)
            yield copied
            yield _assign(new_name, name)
            yield _assign(name, kept) if kept else ast.Delete([ast.Name(name, ast.Del())])

    def _union(self) -> list[ast.stmt]:
        """Imports of the older version of names that mean the same in both."""
        known = {*self._new.dumps.values()}
        return [
            each
            for each in self._old.statements
            if isinstance(each, IMPORTS)
            and self._is_common(self._old, each)
            and not is_future(each)
            and self._old.dumps[each] not in known
        ]

    def _is_common(self, side: Side, node: ast.stmt) -> bool:
        """Whether one copy of a statement of one version serves both."""
        if is_future(node):
            return True
        bound = side.bound(node)
        if bound:
            return bound <= self._shared
        other = self._old if side is self._new else self._new
        named = side.names_of(node) & (self._old.binders.keys() | self._new.binders.keys())
        return bool(named) and named <= self._shared and side.dumps[node] in {*other.dumps.values()}

    # ---- What can't be in one module.

    def _refuse(self) -> None:
        text = by_text(self._sides)
        if text is not None:
            raise Unfit(f"it reaches variables by their names as texts, or asks about its module ({text})")
        for name in sorted(self._old.binders.keys() & self._new.binders.keys() - self._shared):
            makers = [each for side in (self._old, self._new) for each in side.binders[name] if side.makes_class(name)]
            if any(isinstance(each, (ast.If, ast.Try)) for each in makers):
                raise Unfit(f"the class {name}, which it uses, changed too, and a block of its module defines it")
        for name, side in self._sides.items():
            refuse_imports(side.statements, self._own_modules[name])
            for node in side.statements:
                if "*" in side.bound(node) and not side.bound(node) <= self._shared:
                    raise Unfit(f"nobody can say which names this brings: `{_shown(node)}`")
        self._refuse_effects()

    def _refuse_effects(self) -> None:
        """A statement of the module that can change what both versions use must be the same in both, and run after the same
        statements: one copy of it serves both, and runs before all that the older version has of its own.
        """
        orders: list[list[str]] = []
        for side in self._sides.values():
            changing = {*side.changing(self._shared)}
            order: list[str] = []
            is_mixed = False
            for node in side.statements:
                is_common = self._is_common(side, node)
                if node in changing and (is_mixed or not is_common):
                    raise Unfit(f"a statement of its module can change what both versions use: `{_shown(node)}`")
                if node in changing or side.runs(node):
                    is_mixed |= side is self._old and not is_common
                    order += [side.dumps[node]] if is_common else []
            orders.append(order if changing else [])
        if orders[0] != orders[1]:
            raise Unfit("statements of its module that can change what both versions use run in another order")

    # ---- Other names for what the older version has of its own.

    def _new_names(self) -> dict[str, str]:
        own = {name for each in self._own for name in self._old.bound(each)}
        used = {name for each in self._new.statements for name in self._new.names_of(each)}
        clash = own & (used | self._new.binders.keys())
        self._refuse_capture()
        return {name: _fresh(f"{name}{SUFFIX}", self._taken) for name in sorted(clash)}

    def _refuse_capture(self) -> None:
        """A name that the older version takes from Python must not be one that the newer version defines."""
        used = {name for each in self._own for name in self._old.names_of(each)}
        captured = sorted(used & (self._new.binders.keys() - self._old.binders.keys()))
        if captured:
            raise Unfit(f"{captured[0]}, which the older version does not define, is defined in the newer one")

    def _refuse_texts(self, copies: Sequence[ast.stmt], clash: set[str]) -> None:
        """Texts that are read as code, or that say how a function is called, can't be renamed."""
        for node in copies if clash else ():
            for each in ast.walk(node):
                if isinstance(each, ast.Attribute) and each.attr in NAMES_OF_FUNCTIONS and not _asks_type(each.value):
                    raise Unfit(f"it uses the name of a function or class (`{ast.unparse(each)}`)")
                if clash & {*_names_in_texts(each)}:
                    raise Unfit("an annotation or a docstring names, as a text, something that changed")

    # ---- Annotations that only one version has.

    def _borrow(self, old: FunctionNode, new: FunctionNode) -> None:
        """Type hints change nothing in a plain function: a parameter without one takes that of the other version."""
        annotated: dict[str, dict[str, ast.arg]] = {
            side: {each.arg: each for each in arguments_of(node)} for side, node in (("base", old), ("head", new))
        }
        borrowed = []
        for name in annotated["base"].keys() & annotated["head"].keys():
            one, other = annotated["base"][name], annotated["head"][name]
            if (one.annotation is None) != (other.annotation is None):
                one.annotation = other.annotation = one.annotation or other.annotation
                borrowed.append(name)
        renames = [
            f"{one.arg} is now {other.arg}"
            for one, other in zip(_by_place(old), _by_place(new))
            if one.arg != other.arg
        ]
        if renames:
            self._notes.append(
                f"Calls that name a parameter were not compared where its name changed: {', '.join(renames)}."
            )
        if borrowed:
            names = ", ".join(sorted(borrowed))
            self._notes.append(f"Only one version annotates {names}: its types are used for both.")


def _function_of(tree: ast.Module, name: str) -> Found:
    function = functions.found_in(tree).get(name)
    if function is None:
        raise Unfit(f"there is no function {name}")
    if not function.plain and len(function.nodes) > 1:
        raise Unfit("it has more than one definition inside of an `if`, a `try` or another block of its module")
    return function


def _by_place(node: FunctionNode) -> list[ast.arg]:
    """The parameters that a call can give by place and by name."""
    return [*node.args.posonlyargs, *node.args.args]


def _assign(name: str, value: str) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], ast.Name(value, ast.Load()))


def _fresh(name: str, taken: set[str]) -> str:
    """A name that is nowhere in both versions."""
    fresh, number = name, 2
    while fresh in taken:
        fresh, number = f"{name}{number}", number + 1
    taken.add(fresh)
    return fresh


def _asks_type(node: ast.expr) -> bool:
    """Whether it is the class of a value, whose name stays what it is."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "type"


def _names_in_texts(node: ast.AST) -> list[str]:
    """Names in quoted annotations, and in docstrings that state conditions."""
    texts: list[str] = []
    for each in (getattr(node, "annotation", None), getattr(node, "returns", None)):
        if isinstance(each, ast.AST):
            texts += [
                part.value for part in ast.walk(each) if isinstance(part, ast.Constant) and isinstance(part.value, str)
            ]
    names = [name for text in texts for name in IDENTIFIER.findall(text)]
    if isinstance(node, FUNCTIONS):
        text = ast.get_docstring(node, clean=False) or ""
        own = {each.arg for each in arguments_of(node)}
        stated = IDENTIFIER.findall(text) if functions.STATED.search(text) else []
        names += [name for name in stated if name not in own]
    return names


def _shown(node: ast.stmt) -> str:
    return ast.unparse(node).splitlines()[0][:80]
