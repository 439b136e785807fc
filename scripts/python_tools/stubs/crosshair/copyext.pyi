import enum
from typing import TypeVar

_T = TypeVar("_T")

class CopyMode(enum.Enum):
    REGULAR = 0

def deepcopyext(obj: _T, mode: CopyMode, memo: dict[int, object]) -> _T: ...
