"""`python -I verdict_smt cvc5|bitwuzla`: runs a solver from a wheel as a program that reads SMT-LIB from stdin.

It answers command by command on stdout, as `z3 -in` does. After an error, it runs no further commands, since later
answers would belong to a different script.
"""

from __future__ import annotations

import os
import re
import sys
from importlib.metadata import version

if __package__ in (None, ""):
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    __package__ = "verdict_smt"

from verdict_smt.commands import Command, commands  # noqa: E402
from verdict_smt.solver import Refused, Solver  # noqa: E402

# Commands that query information; if one fails, this does not change the script's meaning.
_harmless = re.compile(r"get-")


def open_solver(name: str) -> Solver:
    if name == "cvc5":
        from verdict_smt.with_cvc5 import Cvc5

        return Cvc5()
    from verdict_smt.with_bitwuzla import Bitwuzla

    return Bitwuzla()


def main(name: str) -> None:
    solver = open_solver(name)
    answer_version = f'(:version "{version(name)}")\n'
    failed = False
    for command in commands(0):
        if command.head == "echo":
            say(f"{echoed(command.text)}\n")
        elif re.fullmatch(r"\(\s*get-info\s+:version\s*\)", command.text):
            say(answer_version)
        elif not failed:
            try:
                say(solver.run(command))
            except Refused as refused:
                say(error(command, refused))
                failed = not _harmless.match(command.head)


def echoed(command: str) -> str:
    """Returns the text that `(echo "…")` prints, without its quotes, as in Z3."""
    return command[command.index('"') + 1 : command.rindex('"')].replace('""', '"') if '"' in command else ""


def error(command: Command, refused: Refused) -> str:
    words = refused.words.replace('"', "'").strip()
    return f'(error "{command.place(refused.offset)}: {words}")\n'


def say(text: str) -> None:
    data = text.encode()
    while data:
        data = data[os.write(1, data) :]


main(sys.argv[1])
