"""What two calls with equal arguments are known to do in the same way: functions and methods of Python."""

from __future__ import annotations

from collections.abc import Mapping

# Builtins that depend only on their arguments, and whose results show no addresses. What is printed is not compared.
BUILTINS = frozenset(
    (
        "abs all any ascii bin bool bytearray bytes chr complex dict divmod float format frozenset hex int isinstance "
        "issubclass len list max min next oct ord pow print range repr round set slice sorted str sum tuple"
    ).split()
)

# Functions whose results are used up by iteration: they may only be given to something that iterates at once.
ITERATORS = frozenset("enumerate filter iter map reversed zip".split())

# What iterates over its first argument, over all but the first, or over all, before it returns or is used up itself.
CONSUME_FIRST = frozenset("all any bytes dict enumerate frozenset iter list next reversed set sorted sum tuple".split())

CONSUME_FIRST |= frozenset(
    "accumulate combinations combinations_with_replacement cycle islice pairwise permutations".split()
)

CONSUME_REST = frozenset("dropwhile filter filterfalse map starmap takewhile".split())

CONSUME_ALL = frozenset("chain compress product zip zip_longest".split())

CONSUMERS = CONSUME_FIRST | CONSUME_REST | CONSUME_ALL | {"max", "min"}

CONSUMING_METHODS = frozenset("extend join union update".split())

# Attributes of data that are not methods.
FIELDS = frozenset("denominator imag numerator pattern real string".split())

# Methods of data that depend on nothing but the object and the arguments, and return no iterators.
METHODS = frozenset(
    (
        "append clear copy count extend index insert pop remove reverse sort "
        "fromkeys get items keys popitem setdefault update values "
        "add difference difference_update discard intersection intersection_update isdisjoint issubset issuperset "
        "symmetric_difference symmetric_difference_update union "
        "capitalize casefold center decode encode endswith expandtabs find format hex isalnum isalpha isascii isdecimal "
        "isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip maketrans "
        "partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines "
        "startswith strip swapcase title translate upper zfill "
        "as_integer_ratio bit_count bit_length conjugate is_integer to_bytes limit_denominator "
        "appendleft extendleft popleft rotate most_common subtract total move_to_end "
        "end findall fullmatch group groupdict groups match search span start sub subn"
    ).split()
)

# Methods that make or change sets, and those whose results are hashed by their addresses or by a secret of the process.
SET_METHODS = frozenset(
    (
        "add difference difference_update intersection intersection_update symmetric_difference "
        "symmetric_difference_update union update"
    ).split()
)

BY_ADDRESS = frozenset("fullmatch match search to_bytes values".split())

MODULES: Mapping[str, frozenset[str] | None] = {
    "bisect": None,
    "collections": frozenset("Counter OrderedDict defaultdict deque".split()),
    "copy": frozenset("copy deepcopy".split()),
    "fractions": frozenset(["Fraction"]),
    "functools": frozenset(["reduce"]),
    "heapq": frozenset("heapify heappop heappush heappushpop heapreplace nlargest nsmallest".split()),
    "itertools": frozenset(
        "accumulate chain combinations combinations_with_replacement compress count cycle dropwhile filterfalse islice "
        "pairwise permutations product repeat starmap takewhile zip_longest".split()
    ),
    "math": None,
    "operator": frozenset(
        "add and_ contains floordiv getitem gt itemgetter le lt mod mul neg or_ sub truediv xor".split()
    ),
    "re": frozenset("compile escape findall fullmatch match search split sub subn".split()),
    "string": frozenset(
        "ascii_letters ascii_lowercase ascii_uppercase capwords digits hexdigits octdigits punctuation whitespace".split()
    ),
    "unicodedata": None,
}

TYPING = frozenset("__future__ collections collections.abc typing typing_extensions".split())

GENERIC = frozenset("dict frozenset list set tuple type".split())

PLAIN_TYPES = GENERIC | frozenset("bool bytes complex float int object str".split())


def consumes(name: str, i: int, count: int) -> bool:
    """Whether what is called by this name iterates over an argument before it returns or is used up itself."""
    if name in ("max", "min"):
        return count == 1
    is_first = i == 0 and name in CONSUME_FIRST
    return is_first or (i > 0 and name in CONSUME_REST) or name in CONSUME_ALL or name in CONSUMING_METHODS
