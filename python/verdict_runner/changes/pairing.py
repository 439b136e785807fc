"""Pairs both versions of a function, each with what it uses from its own version of the module."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping, Sequence, Set

from verdict_runner.changes import functions, live
from verdict_runner.changes.assuming import assume
from verdict_runner.changes.bundle import bundled
from verdict_runner.changes.files import Files, Missing
from verdict_runner.changes.functions import Found
from verdict_runner.changes.live import Use
from verdict_runner.changes.messages import Apart, Pair, PairRequest, Version, Wanted
from verdict_runner.changes.plain import RARE
from verdict_runner.changes.reading import parsed, refuse_imports, without_documentation
from verdict_runner.changes.unfit import Unfit
from verdict_runner.symbolic.code import reach, targets
from verdict_runner.symbolic.code.mentions import FunctionNode, arguments_of, binding
from verdict_runner.symbolic.code.renaming import Ambiguous
from verdict_runner.symbolic.code.targets import root

# The maximum size of a text that the tools accept.
TEXT_BYTES_MAX = 64 * 1024
# The maximum number of the repository's modules that a note lists.
SHOWN_MAX = 5
SAME = Apart("Both versions have the same code, including everything that a call can run.", same_code=True)


def answer(request: PairRequest) -> Pair | Apart | Wanted:
    """Returns the module of each version, or of the only version.

    `Apart` says why this is not possible, or that both have the same code; `Wanted` lists files that have to be read
    first.
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
    except Ambiguous as ambiguous:
        return Apart(f"two modules of the repository use the name {ambiguous.name}, and it could not be replaced")
    except SyntaxError as error:
        return Apart(f"a version is not Python: {error.msg} (line {error.lineno or 1})")
    except (RecursionError, MemoryError, ValueError, OverflowError) as error:
        return Apart(f"Python's parser can't read a version: {str(error) or type(error).__name__}")


def _pair(base: Version, head: Version, files: Mapping[str, Files]) -> Pair | Apart:
    versions = {"base": base, "head": head}
    trees = {side: parsed(each.text) for side, each in versions.items()}
    names = {side: each.name for side, each in versions.items()}
    if len({"." in name for name in names.values()}) > 1:
        raise Unfit("it is a method in one version, and a function in the other")
    found = [_function_of(trees[side], name) for side, name in names.items()]
    parts, taken, notes, origins = _with_own_modules(versions, names, files)
    notes += [f"Included from each version: {', '.join(taken[:SHOWN_MAX])}."] if taken else []
    notes += (
        ["It is defined inside a block of its module: the definition that this Python version uses is compared."]
        if not all(each.plain for each in found)
        else []
    )
    modules = {
        side: ast.Module([each for each in reached if not isinstance(each, ast.Pass)], [])
        for side, statements in without_documentation(parts).items()
        for reached in [reach.split(ast.Module([*statements], []), [root(names[side])])[0]]
    }
    texts = {side: [each.text, *filter(None, each.files.values())] for side, each in versions.items()}
    reached = [live.reached_of(each, texts[side]) for side, each in modules.items()]
    whole = [live.module_of(each.text) for each in versions.values()]
    is_moved = names["base"] != names["head"]
    difference = None if is_moved else live.difference(reached, whole, names["head"])
    if difference is None and not is_moved:
        return SAME
    for side, module in modules.items():
        refuse_imports(module.body, versions[side].own_modules)
    nodes = {side: _function_of(module, names[side]).last for side, module in modules.items()}
    known = set.intersection(*({name for node in each.body for name in binding(node)} for each in modules.values()))
    notes += _borrow(nodes["base"], nodes["head"], known | {*dir(builtins)})
    assumed = _assumed(modules, names, nodes)
    code = {side: ast.unparse(ast.fix_missing_locations(module)) for side, module in modules.items()}
    uses = difference and difference.uses
    placed = uses and [_placed(each, origins) for each in uses]
    return Pair(code["head"], code["base"], names["base"], names["head"], notes, assumed, placed)


def _placed(use: Use, origins: Mapping[str, tuple[str, str]]) -> Use:
    """A function with its module's path, by its name there."""
    name, *rest = use.name.split(".")
    path, own = origins.get(name, ("", name))
    return Use(".".join([own, *rest]), use.by_value, path)


def _assumed(
    modules: Mapping[str, ast.Module], names: Mapping[str, str], nodes: Mapping[str, FunctionNode]
) -> dict[str, str]:
    """Writes guessed types into both versions, including the constructors of a method's class; returns them."""
    bound = {name for module in modules.values() for node in module.body for name in binding(node)}
    makers = [
        targets.definition(module, f"{targets.owner_of(names[side])}.__init__")
        for side, module in modules.items()
        if "." in names[side]
    ]
    of_makers = assume([*dict.fromkeys(each for each in makers if each)], bound) if makers else {}
    return {**of_makers, **assume([*nodes.values()], bound)}


def _borrow(old: FunctionNode, new: FunctionNode, known: Set[str]) -> list[str]:
    """Copies a type hint that only one version has to the other: hints don't affect plain functions. Returns notes.

    A hint with names that are not `known` in both versions is left out of both.
    """
    one_side, other_side = ({each.arg: each for each in arguments_of(node)} for node in (old, new))
    borrowed: list[str] = []
    for name in one_side.keys() & other_side.keys():
        one, other = one_side[name], other_side[name]
        if (one.annotation is None) != (other.annotation is None):
            hint = one.annotation or other.annotation
            is_known = all(each.id in known for each in ast.walk(hint or one) if isinstance(each, ast.Name))
            one.annotation = other.annotation = hint if is_known else None
            borrowed += [name] if is_known else []
    pairs = [(one.arg, other.arg) for one, other in zip(_by_place(old), _by_place(new)) if one.arg != other.arg]
    renames = ", ".join(f"{one} is now {other}" for one, other in pairs)
    notes = (
        [
            f"Calls that pass these parameters by keyword can differ, which counts only if nothing else decides: {renames}."
        ]
        if pairs
        else []
    )
    if borrowed:
        notes.append(f"Only one version annotates {', '.join(sorted(borrowed))}: its types are used for both.")
    return notes


def _with_own_modules(
    versions: Mapping[str, Version],
    names: Mapping[str, str],
    files: Mapping[str, Files],
) -> tuple[dict[str, Sequence[ast.stmt]], Sequence[str], list[str], Mapping[str, tuple[str, str]]]:
    """Returns each version's statements, with those of other repository modules, these modules' paths, notes, and the
    origins of the newer version's definitions.

    Files missing in either version are requested together.
    """
    parts: dict[str, Sequence[ast.stmt]] = {}
    taken: dict[str, None] = {}
    notes: dict[str, None] = {}
    origins: Mapping[str, tuple[str, str]] = {}
    missing: Missing | None = None
    for side, version in versions.items():
        try:
            parts[side], paths, more, origins = bundled(version.text, version.path, root(names[side]), files[side])
            taken.update(dict.fromkeys(paths))
            notes.update(dict.fromkeys(more))
        except Missing as error:
            missing = error
    if missing is not None:
        raise missing
    return parts, [*taken], [*notes], origins


def _alone(version: Version, files: Files) -> Pair:
    """A single function with what it needs.

    The text is left as it is if possible, so that line numbers match the file.
    """
    tree, name = parsed(version.text), version.name
    _function_of(tree, name)
    statements, taken, notes, _ = bundled(version.text, version.path, root(name), files)
    statements_needed = reach.split(ast.Module([*statements], []), [root(name)])[0]
    refuse_imports(statements_needed, version.own_modules)
    is_as_written = not taken and not notes and not any(each in version.text for each in RARE)
    short = len(version.text.encode(errors="surrogatepass")) <= TEXT_BYTES_MAX
    code = version.text if is_as_written and short else ast.unparse(ast.Module(statements_needed, []))
    return Pair(code.removeprefix("\ufeff"), None, name, name, notes)


def _function_of(tree: ast.Module, name: str) -> Found:
    function = functions.found_in(tree).get(name)
    if function is None:
        raise Unfit(f"there is no function {name}")
    if not function.plain and len(function.nodes) > 1:
        raise Unfit("it has more than one definition inside an `if`, a `try` or another block of its module")
    return function


def _by_place(node: FunctionNode) -> list[ast.arg]:
    """The parameters that a call can pass by position."""
    return [*node.args.posonlyargs, *node.args.args]
