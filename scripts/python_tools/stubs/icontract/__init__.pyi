from icontract import _recompute as _recompute
from icontract import _represent as _represent

class ViolationError(AssertionError): ...
