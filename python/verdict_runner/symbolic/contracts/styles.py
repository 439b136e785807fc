"""Reads a function's contract in any supported style."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verdict_runner.symbolic.contracts import asserts, decorators, pep316
from verdict_runner.symbolic.contracts.contracts import Contract

if TYPE_CHECKING:
    from verdict_runner.symbolic.code.function import Function


def read(function: Function) -> Contract:
    """Reads a function's contract; raises `Refused` for a condition that can't be evaluated."""
    contract = Contract()
    for style in (decorators, pep316, asserts):
        style.read(function, contract)
    if function.keeping:
        contract.add("types")
    return contract
