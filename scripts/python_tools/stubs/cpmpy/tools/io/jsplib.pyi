from typing import TextIO

from cpmpy import Model

def load_jsplib(instance: TextIO) -> Model: ...
