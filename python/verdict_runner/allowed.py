"""What a model may import and name: one list for the check of an item and for the run."""

# Modules of the standard library, each with the public names that are kept back. What is kept back
# reaches attributes by text, evaluates text, or waits on the machine.
STANDARD = {
    "__future__": (),
    "abc": (),
    "bisect": (),
    "cmath": (),
    "collections": (),
    "collections.abc": (),
    "copy": (),
    "dataclasses": ("make_dataclass",),
    "datetime": (),
    "decimal": (),
    "enum": (),
    "fractions": (),
    "functools": ("singledispatch", "singledispatchmethod", "update_wrapper", "wraps"),
    "heapq": (),
    "itertools": (),
    "json": ("load", "dump"),
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
    "typing": ("get_type_hints", "ForwardRef"),
}

# Modules of each language besides the standard ones. Those of mcp_solver are ours: the transcripts
# of the MCP-Solver paper import them.
LANGUAGE = {
    "z3": ("z3", "mcp_solver", "mcp_solver.z3"),
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
        "mcp_solver.pysat",
    ),
}

# Names that are there without an import.
PRESENT = {
    "z3": ("export_solution",),
    "pysat": ("export_solution", "exactly_k", "at_most_k", "at_least_k", "enumerate_models", "count_models"),
}

BUILTINS = (
    "abs all any ascii bin bool bytearray bytes callable chr classmethod complex dict dir divmod enumerate filter "
    "float format frozenset globals hash hex id int isinstance issubclass iter len list locals map max min next "
    "object oct ord pow print property range repr reversed round set slice sorted staticmethod str sum super tuple "
    "zip NotImplemented Ellipsis"
).split()

# Builtins of ours that do the harmless part of what the real ones do.
GUARDED = ("getattr", "hasattr", "setattr", "delattr", "type", "vars", "exit", "quit")

# Builtins that a model has no use for, with what to do instead.
REFUSED = {
    "eval": "write the expression itself",
    "exec": "write the statements themselves, as items",
    "compile": "write the statements themselves, as items",
    "open": "write the data into an item, for instance as a list",
    "input": "write the data into an item",
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

# Attributes by which a program reaches frames, code, other programs' variables, or files.
REFUSED_ATTRIBUTES = frozenset(
    "gi_frame gi_code gi_yieldfrom cr_frame cr_code cr_origin ag_frame ag_code f_back f_builtins f_code f_globals "
    "f_locals tb_frame tb_next func_globals func_code co_code mro from_file to_file from_fp to_fp to_dimacs_file "
    "open_log".split()
)


def modules(language):
    """Every module that a model of this language may import."""
    return (*STANDARD, *LANGUAGE[language])


def attribute_refused(name):
    """Whether a model must not reach an attribute of this name."""
    if name in REFUSED_ATTRIBUTES:
        return True
    return name.startswith("__") and name.endswith("__") and name not in HARMLESS_DUNDERS
