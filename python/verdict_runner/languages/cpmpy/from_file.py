"""A model from an instance of JSPLIB or PSPLIB, by the readers of CPMpy."""

from __future__ import annotations

import io

from cpmpy.tools.io.jsplib import load_jsplib
from cpmpy.tools.io.rcpsp import load_rcpsp

from verdict_runner.languages import files
from verdict_runner.refusal import Refused

READERS = {"jsplib": load_jsplib, "psplib": load_rcpsp}


def build(name: str, text: str) -> None:
    """Makes the model of the run from a file of this format; raises `Refused`."""
    readable = files.read(name, text)
    try:
        READERS[name](io.StringIO(readable))
    except (ValueError, AssertionError, KeyError, IndexError) as error:
        raise Refused(
            f"CPMpy's reader refuses this file ({type(error).__name__}: {str(error)[:200]}).",
            ["compare the file with one of the library", "or write the model in CPMpy"],
        ) from error
