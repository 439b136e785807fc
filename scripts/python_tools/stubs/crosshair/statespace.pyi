import enum
from typing import TypeVar

_T = TypeVar("_T")

class VerificationStatus(enum.Enum):
    REFUTED = 0
    UNKNOWN = 1
    CONFIRMED = 2

class CallAnalysis:
    verification_status: VerificationStatus | None

class NodeLike:
    def is_exhausted(self) -> bool: ...
    def get_result(self) -> CallAnalysis: ...

class ModelValueNode(NodeLike): ...

class RootNode(NodeLike):
    child: NodeLike
    iteration: int

class StateSpace:
    choices_made: list[NodeLike]
    status_cap: VerificationStatus | None
    def extra(self, typ: type[_T]) -> _T: ...
    def smt_fork(self, expr: object = None, desc: str | None = None) -> bool: ...
    def detach_path(self) -> None: ...
    def checkpoint(self) -> None: ...

def context_statespace() -> StateSpace: ...
