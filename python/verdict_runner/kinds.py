"""What a program's names and expressions can have of its own solutions, and what is allowed with that."""

from __future__ import annotations

import enum
from collections.abc import Sequence

from verdict_runner import taken

# ---- What is allowed with values of solutions.

# Methods that return a solution, and several solutions.
READING = frozenset("model get_model variable_values compute".split())
LISTING = frozenset("enum_models enumerate".split())
SOURCES = taken.SOURCES | frozenset("eval evaluate values Values argvals argval BooleanValues FloatValue".split())
# Methods of what a solution assigns a value to.
DECLARING = frozenset("decls arity name sort reverse".split())
# Functions whose result has the items of their argument, shows its value, or is a formula; and what shows text.
KEEPING = frozenset(
    "list tuple sorted reversed iter copy deepcopy array islice enumerate zip map dict items keys values".split()
)
SCALARS = frozenset(
    "int float str abs round sum repr format print bool pow divmod chr ord hex bin floor ceil sqrt prod Fraction dumps isinstance "
    "type is_true is_false simplify as_long as_fraction as_decimal as_string as_signed_long numerator_as_long item "
    "denominator_as_long numerator denominator timedelta strftime set frozenset join split strip rstrip lstrip upper lower title "
    "capitalize replace ljust rjust center zfill get tolist total_seconds obj id".split()
)
OUTPUT = frozenset("print pprint display write writelines info debug export_solution".split())
# Those that compute one of their arguments' items.
PICKING = frozenset(("min", "max", "next"))
ALLOWED = KEEPING | SCALARS | OUTPUT | PICKING | {"len"}
FORMULAS = frozenset(
    "And Or Not Implies Xor Distinct Sum If AtMost AtLeast PbEq PbLe PbGe IntVal RealVal BoolVal BitVecVal substitute".split()
)
QUESTIONS = frozenset("And Or Not Implies Xor Distinct".split())
MODULE_FORMULAS = FORMULAS | frozenset("any all sum max min abs".split())
# Beginnings of methods that state a constraint or an aim.
STATING = (
    "add",
    "block",
    "Add",
    "append_formula",
    "assert_",
    "only_enforce",
    "OnlyEnforce",
    "minimize",
    "maximize",
    "Minimize",
    "Maximize",
)
EXTENDING = frozenset(("extend", "update"))
ADDING = EXTENDING | frozenset("append add appendleft insert put push send".split())
COLLECTIONS = frozenset("list set dict deque defaultdict Counter OrderedDict field".split())
HEAPS = frozenset(("heappush", "insort"))
ENDING = frozenset(("exit", "quit", "_exit"))
# With these a value is compared to read a truth value.
TRUTHS = (0, 1, 0.5, "True", "False")
# Numbers that every value is better than, and whether lower values are.
UNLIMITED = {"float('inf')": True, "math.inf": True, "float('-inf')": False, "-float('inf')": False, "-math.inf": False}
PLAIN_DECORATORS = frozenset(
    ("staticmethod", "classmethod", "property", "dataclass", "contextmanager", "cache", "lru_cache")
)
# Methods that Python calls in other ways than by their names, and which ask nothing.
SHOWN = frozenset("__init__ __post_init__ __str__ __repr__ __format__ __iter__ __enter__ __exit__".split())


class Kind(enum.Enum):
    """What a name or an expression can have of a solution."""

    PLAIN = enum.auto()
    # The values of one solution; their number, as well as whether there are any, does not depend on them.
    WHOLE = enum.auto()
    VALUE = enum.auto()
    # Whole solutions, and values of several solutions, as many as were found.
    WHOLES = enum.auto()
    VALUES = enum.auto()
    # What is made of several solutions.
    MIXED = enum.auto()
    # A formula, or a question, about a value: it can only be stated.
    FORMULA = enum.auto()


PLAIN, WHOLE, VALUE, WHOLES, VALUES, MIXED, FORMULA = Kind
SEVERAL = frozenset((WHOLES, VALUES))


def joined(*kinds: Kind) -> Kind:
    """The kind of what can have any of these kinds, or is made of all."""
    several = {*kinds} - {PLAIN}
    if len(several) < 2:
        return next(iter(several), PLAIN)
    if FORMULA in several:
        return FORMULA
    return VALUE if several == {WHOLE, VALUE} else VALUES if several == SEVERAL else MIXED


def scalar(kind: Kind) -> Kind:
    """The kind of what is computed from a value."""
    return VALUE if kind is WHOLE else MIXED if kind in SEVERAL else kind


def item(kind: Kind) -> Kind:
    return WHOLE if kind is WHOLES else scalar(kind)


def added(kind: Kind, is_all: bool, is_open: bool, is_fresh: bool) -> Kind:
    """The kind of a collection by what is added to it; with `is_open`, the number of its items depends on values."""
    if kind is FORMULA:
        return kind
    if is_open or kind is MIXED or (kind in SEVERAL and not is_all):
        return VALUE if is_fresh and kind not in (*SEVERAL, MIXED) else MIXED
    if kind is PLAIN or (is_all and kind in SEVERAL):
        return kind
    return WHOLE if is_fresh else WHOLES if kind is WHOLE else VALUES


def display(parts: Sequence[Kind], is_open: bool) -> Kind:
    """The kind of a list, tuple, set or table; with `is_open`, the number of its items depends on values."""
    kind = joined(*parts)
    if kind in (WHOLE, VALUE):
        return VALUE if is_open else WHOLE
    return MIXED if kind in SEVERAL else kind


def computed(name: str, kind: Kind) -> Kind:
    """The kind of what a function with this name returns, which is not the program's."""
    if kind is FORMULA or name in KEEPING:
        return kind
    if name in OUTPUT or (name == "len" and kind in (WHOLE, *SEVERAL)):
        return PLAIN
    return item(kind) if name in PICKING else scalar(kind)
