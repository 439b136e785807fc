from typing import TextIO

from cpmpy import Model

def load_rcpsp(instance: TextIO) -> Model: ...
