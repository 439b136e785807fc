"""The profile of checkers, functions that list the rules an answer violates. Nothing here imports an engine."""

from __future__ import annotations

import ast

from verdict_runner.languages.profile import LanguageProfile
from verdict_runner.protocol.messages import Fault

NAME = "violations"
STEPS = (
    "write def violations(values, data): and yield a string for each violated rule: which rule, where, and by how much",
    "values has the answer's values by name; data has the call's data, or is an empty dict",
)


def _fault_in(tree: ast.Module) -> Fault | None:
    """Returns a fault if the checker's function is missing or can't be called with the values and the data."""
    made = [each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name == NAME]
    if not made:
        return Fault("input_rejected", f"The checker has no function {NAME}.", STEPS, 1, 1)
    function, given = made[-1], made[-1].args
    names = [*given.posonlyargs, *given.args]
    needs = len(names) - len(given.defaults)
    left_out = [each for each, default in zip(given.kwonlyargs, given.kw_defaults) if default is None]
    if needs > 2 or (len(names) < 2 and given.vararg is None) or left_out:
        shown = ast.unparse(given)
        return Fault(
            "input_rejected",
            f"{NAME}({shown}) can't be called with two arguments: the values and the data.",
            STEPS,
            function.lineno,
            function.col_offset + 1,
        )
    return None


PROFILE = LanguageProfile(
    id="checker",
    programs={"checker": "verdict_runner.checker.language"},
    without=("argparse", "time", "os", "os.path", "pandas", "sys", "uuid"),
    author="a checker",
    instead="use the values and the data that the function is called with",
    instead_of_modules={
        "numpy": "write plain Python: lists, sum, max",
        "pandas": "data has a table as a list of dicts",
    },
    fault_in=_fault_in,
)
