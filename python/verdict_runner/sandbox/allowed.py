"""Lists the modules and names available to a program, both for checking it and for running it."""

from __future__ import annotations

# Standard library modules, each with its withheld public names, which reach attributes by strings, evaluate text, or
# wait for the machine.
STANDARD = {
    "__future__": (),
    "abc": ("ABCMeta", "update_abstractmethods", "get_cache_token"),
    "bisect": (),
    "cmath": (),
    "collections": ("UserString",),
    "collections.abc": (),
    "copy": (),
    "dataclasses": ("make_dataclass",),
    "datetime": (),
    "decimal": (),
    "enum": (
        *("EnumMeta", "EnumType", "EnumDict", "global_enum", "global_enum_repr", "global_flag_repr", "global_str"),
        *("pickle_by_enum_name", "pickle_by_global_name", "verify"),
    ),
    "fractions": (),
    "functools": ("singledispatch", "singledispatchmethod", "update_wrapper"),
    "heapq": (),
    "itertools": (),
    "json": ("dump",),
    "math": (),
    "numbers": (),
    "operator": ("attrgetter", "methodcaller"),
    "pprint": (),
    "random": ("SystemRandom",),
    "re": (),
    "statistics": (),
    "string": ("Formatter", "Template"),
    "textwrap": (),
    "time": (),
    "typing": (
        *("get_type_hints", "evaluate_forward_ref", "ForwardRef", "get_origin", "get_args", "get_overloads"),
        *("no_type_check", "no_type_check_decorator", "dataclass_transform", "runtime_checkable"),
    ),
}

# Further standard library modules, each with its visible names. `stand_ins.py` defines some of the values.
CHOSEN = {
    "argparse": (
        *("ArgumentParser", "BooleanOptionalAction", "ArgumentDefaultsHelpFormatter", "RawDescriptionHelpFormatter"),
        "RawTextHelpFormatter",
    ),
    "csv": (
        *("reader", "writer", "DictReader", "DictWriter", "Error"),
        *("QUOTE_ALL", "QUOTE_MINIMAL", "QUOTE_NONNUMERIC", "QUOTE_NONE"),
    ),
    "io": ("StringIO",),
    # Verdict provides all of these names in `tables.py`.
    "pandas": ("DataFrame", "Series", "read_csv", "read_excel", "isna", "isnull", "notna", "notnull"),
    "os": ("cpu_count", "linesep", "sep"),
    "os.path": ("basename", "dirname", "join", "splitext"),
    "struct": ("calcsize", "error", "iter_unpack", "pack", "unpack", "unpack_from"),
    "sys": (
        *("argv", "byteorder", "exit", "float_info", "getrecursionlimit", "maxsize", "path", "setrecursionlimit"),
        *("stderr", "stdin", "stdout", "version", "version_info"),
    ),
    "uuid": ("NAMESPACE_DNS", "NAMESPACE_URL", "UUID", "uuid4", "uuid5"),
}

WHY_WITHHELD = "it is withheld, since it can access or change more than the program's own values"

BUILTINS = (
    "abs all any ascii bin bool bytearray bytes callable chr classmethod complex dict divmod enumerate filter "
    "float format frozenset hash hex id int isinstance issubclass iter len list map max min next "
    "object oct ord pow print property range repr reversed round set slice sorted staticmethod str sum super tuple "
    "zip NotImplemented Ellipsis"
).split()

# Builtins replaced by Verdict's versions, which do only the harmless part of what the originals do.
GUARDED = ("getattr", "hasattr", "setattr", "delattr", "type", "vars", "dir", "globals", "locals", "exit", "quit")

# Builtins that a model does not need, with what to write instead.
REFUSED = {
    "eval": "write the expression itself",
    "exec": "write the statements themselves",
    "compile": "write the statements themselves",
    "open": "pass the file in data_files: the program then gets it as data['name'], and open() reads it",
    "input": "put the data into the code",
    "__import__": "use an import statement",
    "breakpoint": "print what you want to see",
    "help": "read the guide of this language",
    "memoryview": "use a list",
    "__builtins__": "use the builtin's own name",
    "__loader__": "leave it out",
    "__spec__": "leave it out",
}

# Double-underscore attributes that a program's class can call or read.
HARMLESS_DUNDERS = frozenset(
    "__args__ __init__ __version__ __name__ __doc__ __len__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ __repr__ __str__ __add__ "
    "__sub__ __mul__ __and__ __or__ __xor__ __invert__ __neg__ __contains__ __iter__ __next__ __getitem__ "
    "__setitem__ __call__ __enter__ __exit__ __post_init__".split()
)

# Double-underscore names that items can define, mostly methods. The list omits names with which a class controls how it
# is created, copied, compared with other classes or destroyed.
NAMEABLE = HARMLESS_DUNDERS - {"__args__"} | frozenset(
    "__radd__ __rsub__ __rmul__ __rand__ __ror__ __rxor__ __iadd__ __isub__ __imul__ __iand__ __ior__ __ixor__ "
    "__truediv__ __rtruediv__ __floordiv__ __rfloordiv__ __mod__ __rmod__ __divmod__ __pow__ __rpow__ __matmul__ "
    "__lshift__ __rshift__ __rlshift__ __rrshift__ __itruediv__ __ifloordiv__ __imod__ __ilshift__ __irshift__ "
    "__pos__ __abs__ __bool__ __int__ __float__ __complex__ __index__ __round__ __floor__ __ceil__ __trunc__ "
    "__format__ __bytes__ __reversed__ __missing__ __delitem__ __length_hint__ __copy__ __deepcopy__ __slots__ "
    "__getattr__ __all__ __author__ __version__".split()
)

# Attributes through which a program could reach frames, code, other programs' variables, memory, or files.
REFUSED_ATTRIBUTES = frozenset(
    "gi_frame gi_code gi_yieldfrom cr_frame cr_code cr_origin cr_await ag_frame ag_code ag_await f_back f_builtins "
    "f_code f_globals f_locals f_trace tb_frame tb_next func_globals func_code co_code mro from_address from_buffer "
    "from_buffer_copy from_param in_dll errcheck restype argtypes from_file to_file parse_file from_fp to_fp "
    "to_dimacs_file open_log ctypes tofile _new_member_ evaluate_bound evaluate_constraints evaluate_default evaluate_value".split()
)

# String methods whose fields can name attributes.
FORMATTING = ("format", "format_map")

# Public attributes of named tuples and enumerations whose names start with an underscore.
PUBLIC_ALL_THE_SAME = frozenset("_asdict _replace _fields _make _field_defaults _value_ _name_".split())


def is_of_original(module: str) -> bool:
    """Whether a module exists for models written for the original mcp-solver."""
    return module.startswith("mcp_solver") or module.endswith("_templates")


def is_dunder(name: str) -> bool:
    return len(name) > 4 and name.startswith("__") and name.endswith("__")


def is_private(name: str) -> bool:
    """Whether an attribute is private to the code that created the object."""
    return name.startswith("_") and not is_dunder(name) and name not in PUBLIC_ALL_THE_SAME


def attribute_refused(name: str) -> bool:
    """Whether a model must not reach an attribute with this name."""
    return name in REFUSED_ATTRIBUTES or (is_dunder(name) and name not in HARMLESS_DUNDERS)
