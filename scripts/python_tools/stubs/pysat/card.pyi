from collections.abc import Iterable

from pysat.formula import CNFPlus

class EncType:
    seqcounter: int

class CardEnc:
    @classmethod
    def atmost(cls, lits: Iterable[int], bound: int = 1, top_id: int | None = None, vpool: object = None, encoding: int = 1) -> CNFPlus: ...
