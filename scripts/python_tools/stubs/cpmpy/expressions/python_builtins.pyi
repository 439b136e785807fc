from typing import Any

sum: Any
