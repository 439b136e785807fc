"""Describes why a program is rejected: what is wrong, where, and what to do."""

from __future__ import annotations

from collections.abc import Sequence


class Refused(Exception):
    """Raised for a program that can't be answered; `steps` describe how to correct it.

    `error_type` is the error type, such as "SandboxViolation", in answers of tools that analyse Python code.
    """

    def __init__(
        self,
        message: str,
        steps: Sequence[str],
        code: str = "input_rejected",
        error_type: str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.steps = steps
        self.code = code
        self.error_type = error_type
        self.line = line
        self.column = column
