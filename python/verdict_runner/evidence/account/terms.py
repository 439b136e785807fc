"""The cost of each summand of an objective at the values found.

The costs are shown only if they add up to the objective.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from verdict_runner.evidence.account.stated import Stated, words
from verdict_runner.evidence.finite.meaning import Meaning, Node
from verdict_runner.protocol import values as json_values
from verdict_runner.protocol.messages import Json

# The maximum number of summands shown, largest first, and the maximum length of their names.
TERMS_MAX, CHARS_MAX = 10, 100
# The maximum number of summands examined in nested sums.
SUMMANDS_MAX = 20_000


def terms(stated: Stated, until: float) -> list[dict[str, Json]]:
    """Lists the non-zero summands, largest first; empty if the objective is not a sum.

    Raises `OutOfTime` and `Unknown`.
    """
    if stated.objective is None or not stated.values:
        return []
    meaning = Meaning(stated.values, until)
    objective = _defined(stated)
    summands = [*_summands(objective, 1)]
    if len(summands) < 2:
        return []
    known = [(weight, node, _value(node, meaning, stated)) for weight, node in summands]
    total, own = sum(weight * value for weight, _, value in known), _value(stated.objective, meaning, stated)
    if total != own or meaning.undefined_outside() is not True:
        return []
    shown = sorted((each for each in known if each[0] * each[2]), key=lambda each: -abs(each[0] * each[2]))
    listed = [_shown(*each, stated) for each in shown[:TERMS_MAX]]
    rest = sum(weight * value for weight, _, value in shown[TERMS_MAX:])
    more: list[dict[str, Json]] = [{"term": f"{len(shown) - TERMS_MAX} more", "cost": _number(rest, stated)}]
    return [*listed, *(more if len(shown) > TERMS_MAX else [])]


def _value(node: Node, meaning: Meaning, stated: Stated) -> Any:  # noqa: ANN401
    """The value of a node; sums may be over fractions."""
    if not isinstance(node, list):
        return node
    if node[0] == "v":
        return stated.values[node[1]]
    if node[0] == "linear":
        return sum(weight * _value(each, meaning, stated) for weight, each in zip(*node[1:3])) + sum(node[3:])
    return meaning.number(node)


def _shown(weight: Any, node: Node, value: Any, stated: Stated) -> dict[str, Json]:  # noqa: ANN401
    name = words(node, stated.shown.names) or "an expression without a name"
    cost = _number(weight * value, stated)
    factor = {} if node == 1 else {"weight": _number(weight, stated), "value": json_values.decimal(Fraction(value))}
    return {"term": "constant" if node == 1 else name[:CHARS_MAX], **factor, "cost": cost}


def _number(number: Any, stated: Stated) -> Json:  # noqa: ANN401
    return json_values.decimal(Fraction(number) / stated.scale)


def _defined(stated: Stated) -> Node:
    """The objective, or its defining sum if it is a single variable that an equation defines as a sum."""
    objective = stated.objective
    while isinstance(objective, list) and objective[0] == "linear" and objective[1] == [1] and not any(objective[3:]):
        (objective,) = objective[2]
    if not isinstance(objective, list) or objective[0] != "v":
        return objective
    sums = (_solved_for(objective, each) for each in stated.constraints)
    return next((each for each in sums if each is not None), objective)


def _solved_for(variable: Node, node: Node) -> Node | None:
    """The sum that a constraint equates with a variable."""
    if not isinstance(node, list):
        return None
    if node[0] == "==" and variable in node[1:]:
        return next(
            (each for each in node[1:] if each != variable and isinstance(each, list) and each[0] in ("sum", "linear")),
            None,
        )
    if node[0] != "in" or len({*map(str, node[2])}) != 1 or not isinstance(node[1], list) or node[1][0] != "linear":
        return None
    _, weights, parts, *offset = node[1]
    own = [weight for weight, part in zip(weights, parts) if part == variable]
    if own not in ([1], [-1]):
        return None
    others = [(-own[0] * weight, part) for weight, part in zip(weights, parts) if part != variable]
    constant = own[0] * (node[2][0] - sum(offset))
    return ["linear", [weight for weight, _ in others], [part for _, part in others], constant]


def _summands(node: Node, weight: Any) -> Iterator[tuple[Any, Node]]:  # noqa: ANN401
    """Yields weights and nodes that add up to the node; a constant is yielded as the node 1 with a weight."""
    waiting: list[tuple[Any, Node]] = [(weight, node)]
    for _ in range(SUMMANDS_MAX):
        if not waiting:
            return
        factor, each = waiting.pop()
        if not isinstance(each, list):
            if each:
                yield factor * each, 1
        elif each[0] == "sum":
            waiting += [(factor, part) for part in each[1]]
        elif each[0] == "linear":
            waiting += [
                *((factor * own, part) for own, part in zip(each[1], each[2])),
                *((factor, part) for part in each[3:]),
            ]
        elif each[0] == "neg":
            waiting.append((-factor, each[1]))
        elif each[0] == "mul" and len(each[1]) == 2 and any(not isinstance(part, list) for part in each[1]):
            constant, part = sorted(each[1], key=lambda part: isinstance(part, list))
            waiting.append((factor * constant, part))
        elif each[0] == "if" and each[3] == 0 and not isinstance(each[2], list):
            yield factor * each[2], each[1]
        elif each[0] == "if" and each[2] == 0 and not isinstance(each[3], list):
            yield factor * each[3], ["not", each[1]]
        else:
            yield factor, each
    yield from waiting
