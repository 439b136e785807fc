from deal import _state as _state
from deal import introspection as introspection

class ContractError(AssertionError):
    source: str
    origin: object
