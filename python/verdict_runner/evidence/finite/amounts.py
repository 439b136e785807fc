"""Relaxes a form's comparisons by amounts, each of which is an additional variable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from verdict_runner.evidence.finite.constraints.relations import RELATIONS
from verdict_runner.evidence.finite.form import Form
from verdict_runner.evidence.finite.meaning import LOGIC, Node


def given(form: Form, constraints: Sequence[Node], group: Sequence[int], number: int) -> Mapping[int, Node] | None:
    """Relaxes a group's constraints by this amount; None if one of them is not a comparison of numbers."""
    amount: Node = ["v", len(form.domains) + number]
    apart = {index: _apart(form, constraints[index], amount) for index in group}
    return None if None in apart.values() else apart


def _apart(form: Form, node: Node, amount: Node) -> Node | None:
    if not isinstance(node, list):
        return None
    name, *parts = node
    if name == "in" and len(parts[1]) == 2:
        number, (low, high) = parts
        return ["and", [["<=", low, ["sum", [number, amount]]], ["<=", number, ["sum", [amount, high]]]]]
    if name not in ("<", "<=", "==") or any(_is_truth(form, each) for each in parts):
        return None
    one, other = parts
    if name == "==":
        return ["<=", ["abs", ["sum", [one, ["neg", other]]]], amount]
    return [name, one, ["sum", [other, amount]]]


def _is_truth(form: Form, node: Node) -> bool:
    """Whether one side of a comparison is a truth value, which can't be relaxed by an amount."""
    if not isinstance(node, list):
        return False
    if node[0] == "v":
        return list(form.domains[node[1]]) == [0, 1]
    return node[0] in LOGIC or node[0] in RELATIONS
