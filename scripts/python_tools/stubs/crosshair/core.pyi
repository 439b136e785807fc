from collections.abc import Callable
from inspect import BoundArguments, Signature
from traceback import StackSummary
from typing import TypeVar

from crosshair.options import AnalysisOptions
from crosshair.statespace import RootNode, StateSpace

_T = TypeVar("_T")

class ExceptionFilter:
    ignore: bool
    user_exc: tuple[BaseException, StackSummary] | None
    def __enter__(self) -> ExceptionFilter: ...
    def __exit__(self, *_: object) -> bool: ...

class SymbolicFactory:
    space: StateSpace
    varname: str

def deep_realize(value: _T, memo: dict[int, object] | None = None) -> _T: ...
def deepcopyext(obj: _T, mode: object, memo: dict[int, object]) -> _T: ...
def explore_paths(
    fn: Callable[[BoundArguments], object],
    sig: Signature,
    options: AnalysisOptions,
    search_root: RootNode,
    on_path_complete: Callable[
        [StateSpace, BoundArguments, BoundArguments, object, BaseException | None, StackSummary | None], bool
    ],
    on_nondeterminism: Callable[[], None] | None = None,
) -> None: ...
def register_type(typ: object, creator: Callable[..., object]) -> None: ...
def suspected_proxy_intolerance_exception(exc_value: object) -> bool: ...
