"""What a model may import and name: one list for the check of an item and for the run."""

# Modules of the standard library, each with the public names that are kept back. What is kept back
# reaches attributes by text, evaluates text, or waits on the machine.
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
    "json": ("load", "dump"),
    "math": (),
    "numbers": (),
    "operator": ("attrgetter", "methodcaller"),
    "pprint": ("PrettyPrinter",),
    "random": ("SystemRandom",),
    "re": (),
    "statistics": (),
    "string": ("Formatter", "Template"),
    "textwrap": (),
    "time": (),
    "typing": (
        *("get_type_hints", "evaluate_forward_ref", "ForwardRef", "get_origin", "get_args", "get_overloads"),
        *("no_type_check", "no_type_check_decorator", "dataclass_transform", "runtime_checkable", "TypedDict"),
    ),
}

# Modules of the standard library that a language goes without.
WITHOUT = {"symbolic": ("time",)}

# More modules for code under test, each with the names of it that compute and keep no state. What is not
# listed makes classes or functions of its arguments, reads files, or changes what the process shares.
COMPUTING = {
    "array": ("array", "typecodes"),
    "base64": (
        *(
            "b64encode",
            "b64decode",
            "standard_b64encode",
            "standard_b64decode",
            "urlsafe_b64encode",
            "urlsafe_b64decode",
        ),
        *("b32encode", "b32decode", "b32hexencode", "b32hexdecode", "b16encode", "b16decode", "a85encode", "a85decode"),
        *("b85encode", "b85decode", "encodebytes", "decodebytes"),
    ),
    "binascii": (
        "hexlify",
        "unhexlify",
        "a2b_hex",
        "b2a_hex",
        "a2b_base64",
        "b2a_base64",
        "crc32",
        "crc_hqx",
        "Error",
        "Incomplete",
    ),
    "calendar": (
        *(
            "isleap",
            "leapdays",
            "weekday",
            "monthrange",
            "monthcalendar",
            "timegm",
            "month_name",
            "month_abbr",
            "day_name",
            "day_abbr",
        ),
        *("Calendar", "IllegalMonthError", "IllegalWeekdayError"),
        *("MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"),
    ),
    "colorsys": ("rgb_to_hsv", "hsv_to_rgb", "rgb_to_hls", "hls_to_rgb", "rgb_to_yiq", "yiq_to_rgb"),
    "contextlib": ("contextmanager", "closing", "suppress", "nullcontext", "ExitStack", "AbstractContextManager"),
    "difflib": (
        *(
            "SequenceMatcher",
            "Differ",
            "Match",
            "get_close_matches",
            "ndiff",
            "unified_diff",
            "context_diff",
            "restore",
        ),
        *("IS_LINE_JUNK", "IS_CHARACTER_JUNK"),
    ),
    "graphlib": ("TopologicalSorter", "CycleError"),
    "hashlib": (
        *("new", "md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3_224", "sha3_256", "sha3_384", "sha3_512"),
        *("blake2b", "blake2s", "shake_128", "shake_256"),
    ),
    "html": ("escape", "unescape"),
    "ipaddress": (
        *(
            "ip_address",
            "ip_network",
            "ip_interface",
            "IPv4Address",
            "IPv4Network",
            "IPv4Interface",
            "IPv6Address",
            "IPv6Network",
        ),
        *("IPv6Interface", "AddressValueError", "NetmaskValueError", "collapse_addresses", "summarize_address_range"),
        *("v4_int_to_packed", "v6_int_to_packed", "get_mixed_type_key"),
    ),
    "keyword": ("iskeyword", "issoftkeyword", "kwlist", "softkwlist"),
    "struct": ("pack", "unpack", "pack_into", "unpack_from", "iter_unpack", "calcsize", "Struct", "error"),
    "types": (
        "SimpleNamespace",
        "MappingProxyType",
        "NoneType",
        "EllipsisType",
        "NotImplementedType",
        "GeneratorType",
        "UnionType",
    ),
    "unicodedata": (
        *(
            "normalize",
            "is_normalized",
            "name",
            "lookup",
            "category",
            "bidirectional",
            "combining",
            "decomposition",
            "mirrored",
        ),
        *("east_asian_width", "decimal", "digit", "numeric", "unidata_version"),
    ),
}

# Why others are refused, where it is not that they reach the machine.
REASONS = {
    "sys": "it reaches the interpreter that runs the code; leave out what sets its limits, such as the depth of recursion",
    "locale": "it changes how the whole process writes numbers and texts; take what is to be written as a parameter",
    "traceback": "it tells of the files and frames of the process that runs the code; ask the exception itself, as in str(error)",
    "warnings": "it changes what the whole process does with warnings; leave the call out, since it computes nothing",
    "inspect": "it reaches the frames and the source of the process that runs the code",
    "logging": "it writes to files and streams; leave the call out, since it computes nothing",
    **dict.fromkeys(
        ("doctest", "unittest", "timeit", "cProfile", "trace"),
        "it runs tests or measures; ask about the function itself",
    ),
    **dict.fromkeys(("secrets", "uuid"), "it gives something else each time; take the value as a parameter"),
    **dict.fromkeys(("time", "sched"), "it tells or waits for the time; take the value as a parameter"),
    **dict.fromkeys(
        ("threading", "queue", "asyncio", "concurrent", "multiprocessing"),
        "what runs side by side does something else each time",
    ),
    **dict.fromkeys(("gc", "weakref"), "it depends on when memory is freed"),
    **dict.fromkeys(("pickle", "marshal", "shelve", "copyreg"), "it runs what it reads"),
}

# Packages for contracts and types, with what is kept back: what switches contracts off, runs tests, or
# reaches attributes by text.
CONTRACTS = {
    "deal": (
        *("Scheme", "TestCase", "activate", "autodoc", "cases", "disable", "enable", "inherit", "introspection"),
        *("module_load", "reset"),
    ),
    "icontract": ("DBCMeta", "aRepr"),
    "typing_extensions": (
        *STANDARD["typing"],
        *("CapsuleType", "Format", "Sentinel", "get_annotations", "get_original_bases", "get_protocol_members"),
        *("is_protocol", "type_repr"),
    ),
}

# Modules of each language besides the standard ones. Those of mcp_solver and the templates are ours: models
# that were written for the original mcp-solver import them.
LANGUAGE = {
    "symbolic": (*CONTRACTS, *COMPUTING),
    "z3": (
        "z3",
        "mcp_solver",
        "mcp_solver.helpers",
        "mcp_solver.helpers.z3",
        "mcp_solver.z3",
        "mcp_solver.z3.solution",
        "mcp_solver.z3.templates",
        "mcp_solver.z3.templates.function_templates",
        "mcp_solver.z3.templates.subset_templates",
        "mcp_solver.z3.templates.z3_templates",
        "function_templates",
        "subset_templates",
        "z3_templates",
    ),
    "pysat": (
        "pysat",
        "pysat.allies",
        "pysat.card",
        "pysat.examples",
        "pysat.examples.fm",
        "pysat.examples.hitman",
        "pysat.examples.lbx",
        "pysat.examples.lsu",
        "pysat.examples.mcsls",
        "pysat.examples.musx",
        "pysat.examples.optux",
        "pysat.examples.rc2",
        "pysat.formula",
        "pysat.integer",
        "pysat.pb",
        "pysat.process",
        "pysat.solvers",
        "mcp_solver",
        "mcp_solver.helpers",
        "mcp_solver.helpers.maxsat",
        "mcp_solver.helpers.pysat",
        "mcp_solver.maxsat",
        "mcp_solver.maxsat.constraints",
        "mcp_solver.maxsat.solution",
        "mcp_solver.maxsat.templates",
        "mcp_solver.maxsat.templates.cardinality_constraints",
        "mcp_solver.pysat",
        "mcp_solver.pysat.constraints",
        "mcp_solver.pysat.error_handling",
        "mcp_solver.pysat.solution",
        "mcp_solver.pysat.templates",
        "mcp_solver.pysat.templates.basic_templates",
        "mcp_solver.pysat.templates.cardinality_templates",
        "mcp_solver.pysat.templates.mapping",
        "mcp_solver.solution",
    ),
}

# Whom a language refuses things, in words; most are for models.
WHOM = {"symbolic": "code under test"}
INSTEAD = {
    "symbolic": "take data as a parameter instead of reading it from a file, the network, the clock or the environment"
}

# What engines are made of: no class of a model may stand for one.
ENGINES = ("z3", "pysat", "ctypes", "_ctypes")

# What does the work of a name that a module keeps back.
INSTEAD_OF = {"TypedDict": "make it a dataclass, or annotate with dict, such as dict[str, int]"}

# Those that would do no harm, and that no values can be made for.
UNKNOWN = ("TypedDict",)

# Names that are there without an import.
PRESENT = {
    "z3": tuple(
        "export_solution array_is_sorted all_distinct array_contains exactly_k at_most_k at_least_k function_is_injective "
        "function_is_surjective smallest_subset_with_property constraint_satisfaction_template optimization_template "
        "array_template quantifier_template demo_template z3_templates subset_templates function_templates".split()
    ),
    "pysat": tuple(
        "export_solution exactly_k at_most_k at_least_k at_most_one exactly_one mutually_exclusive implies if_then_else "
        "VariableMap enumerate_models count_models CNF WCNF Cadical153 Glucose3 CardEnc EncType RC2 "
        "collections itertools json math random re time".split()
    ),
}

BUILTINS = (
    "abs all any ascii bin bool bytearray bytes callable chr classmethod complex dict dir divmod enumerate filter "
    "float format frozenset hash hex id int isinstance issubclass iter len list map max min next "
    "object oct ord pow print property range repr reversed round set slice sorted staticmethod str sum super tuple "
    "zip NotImplemented Ellipsis"
).split()

# Builtins of ours that do the harmless part of what the real ones do.
GUARDED = ("getattr", "hasattr", "setattr", "delattr", "type", "vars", "globals", "locals", "exit", "quit")

# Builtins that a model has no use for, with what to do instead.
REFUSED = {
    "eval": "write the expression itself",
    "exec": "write the statements themselves",
    "compile": "write the statements themselves",
    "open": "write the data into the code, for instance as a list, or take it as a parameter",
    "input": "write the data into the code, or take it as a parameter",
    "__import__": "use an import statement",
    "breakpoint": "print what you want to see",
    "help": "read the guide of this language",
    "memoryview": "use a list",
    "__builtins__": "name the builtin itself",
    "__loader__": "leave it out",
    "__spec__": "leave it out",
}

# Double-underscore attributes that a class of a model may call or read.
HARMLESS_DUNDERS = frozenset(
    "__init__ __name__ __doc__ __len__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ __repr__ __str__ __add__ "
    "__sub__ __mul__ __and__ __or__ __xor__ __invert__ __neg__ __contains__ __iter__ __next__ __getitem__ "
    "__setitem__ __call__ __enter__ __exit__ __post_init__".split()
)

# Double-underscore names that items may give to what they define, most of all methods. Not among them
# are those by which a class decides how it is made, copied, compared with other classes or destroyed.
NAMEABLE = HARMLESS_DUNDERS | frozenset(
    "__radd__ __rsub__ __rmul__ __rand__ __ror__ __rxor__ __iadd__ __isub__ __imul__ __iand__ __ior__ __ixor__ "
    "__truediv__ __rtruediv__ __floordiv__ __rfloordiv__ __mod__ __rmod__ __divmod__ __pow__ __rpow__ __matmul__ "
    "__lshift__ __rshift__ __rlshift__ __rrshift__ __itruediv__ __ifloordiv__ __imod__ __ilshift__ __irshift__ "
    "__pos__ __abs__ __bool__ __int__ __float__ __complex__ __index__ __round__ __floor__ __ceil__ __trunc__ "
    "__format__ __bytes__ __reversed__ __missing__ __delitem__ __length_hint__ __copy__ __deepcopy__ __slots__ "
    "__getattr__ __all__ __author__ __version__".split()
)

# Attributes by which a program reaches frames, code, other programs' variables, memory, or files.
REFUSED_ATTRIBUTES = frozenset(
    "gi_frame gi_code gi_yieldfrom cr_frame cr_code cr_origin cr_await ag_frame ag_code ag_await f_back f_builtins "
    "f_code f_globals f_locals f_trace tb_frame tb_next func_globals func_code co_code mro from_address from_buffer "
    "from_buffer_copy from_param in_dll errcheck restype argtypes from_file to_file parse_file from_fp to_fp "
    "to_dimacs_file open_log _new_member_ evaluate_bound evaluate_constraints evaluate_default evaluate_value".split()
)

# Methods of text whose fields can name attributes.
FORMATTING = ("format", "format_map")

# Attributes with an underscore that are meant for everybody: those of named tuples and enumerations.
PUBLIC_ALL_THE_SAME = frozenset("_asdict _replace _fields _make _field_defaults _value_ _name_".split())


def modules(language):
    """Every module that a model of this language may import."""
    return (*(name for name in STANDARD if name not in WITHOUT.get(language, ())), *LANGUAGE[language])


def is_of_original(module):
    """Whether it is there for models that were written for the original mcp-solver."""
    return module.startswith("mcp_solver") or module.endswith("_templates")


def withheld(module):
    """Names of a module that look public and are kept back."""
    return STANDARD.get(module, CONTRACTS.get(module, ()))


def is_withheld(module, name):
    """Whether a module keeps a name back, by naming it or by not choosing it."""
    return name in withheld(module) or (module in COMPUTING and name != "*" and name not in COMPUTING[module])


def of_engine(kind):
    """Whether a class is an engine's, or of the bridge to one."""
    module = type.__getattribute__(kind, "__module__")
    return isinstance(module, str) and module.partition(".")[0] in ENGINES


def is_dunder(name):
    return len(name) > 4 and name.startswith("__") and name.endswith("__")


def is_private(name):
    """Whether an attribute belongs to whoever made the object."""
    return name.startswith("_") and not is_dunder(name) and name not in PUBLIC_ALL_THE_SAME


def attribute_refused(name):
    """Whether a model must not reach an attribute of this name."""
    return name in REFUSED_ATTRIBUTES or (is_dunder(name) and name not in HARMLESS_DUNDERS)
