"""The profile of `cpmpy`: constraint programming with CPMpy. Nothing here imports the engine."""

from collections.abc import Callable, Iterator, Mapping, Set
from types import ModuleType

from verdict_runner.languages.profile import LanguageProfile
from verdict_runner.sandbox import stand_ins, tables

MODULES = (
    "cpmpy",
    "cpmpy.exceptions",
    "cpmpy.expressions",
    "cpmpy.expressions.globalconstraints",
    "cpmpy.expressions.globalfunctions",
    "cpmpy.expressions.utils",
    "cpmpy.expressions.variables",
    "cpmpy.solvers",
    "cpmpy.solvers.solver_interface",
    "cpmpy.transformations",
    "cpmpy.transformations.get_variables",
)

# The parts of numpy that a model needs for its data; none of them read files or memory.
NUMPY = tuple(
    """
    abs absolute add all allclose any append arange argmax argmin argsort argwhere array array_equal asarray bincount
    bool_ ceil clip column_stack concatenate copy count_nonzero cumsum diag diag_indices diff divide dot exp eye
    flatnonzero flip fliplr flipud floor floor_divide full full_like gcd genfromtxt hstack hypot iinfo indices inf
    int32 int64 integer invert isclose isin isnan ix_ kron lcm linspace loadtxt log logical_and logical_not logical_or
    matmul max maximum mean median meshgrid min minimum mod multiply nan ndenumerate ndindex negative newaxis nonzero
    ones ones_like outer power prod ravel remainder repeat reshape roll rot90 round sign sort split sqrt square
    squeeze stack std subtract sum swapaxes tile trace transpose tri tril tril_indices triu triu_indices union1d
    unique unravel_index var vectorize vstack where zeros zeros_like
    """.split()
)

# The random functions in `numpy.random`, and the methods of its generators.
DRAWING = tuple("seed rand randint randn random integers choice permutation shuffle uniform normal poisson".split())
GENERATORS = ("default_rng", "RandomState")

# Names available without an import.
PRESENT = frozenset(("cp", "np", "export_solution"))

# Operators from other languages, with their equivalents in this language.
FOREIGN = {
    "<=>": "p == q",
    "<->": "p == q",
    "=>": "p.implies(q), or >= for 'at least'",
    "->": "p.implies(q)",
    "&&": "p & q",
    "||": "p | q",
    "/\\": "p & q",
    "\\/": "p | q",
    "!": "~p",
}
SIGNS = {"∧": "p & q", "∨": "p | q", "¬": "~p", "→": "p.implies(q)", "⇒": "p.implies(q)"}

ONE_OF = "p | q, or cp.any([p, q, …])"
# Names from other libraries, with their equivalents in this language.
METHODS = {
    **dict.fromkeys(
        ("IntVar", "IntVariable", "Int", "NewIntVar", "new_int_var", "Var", "VarArray"), "x = cp.intvar(0, 9, name='x')"
    ),
    **dict.fromkeys(("BoolVar", "BoolVariable", "Bool", "NewBoolVar", "new_bool_var"), "b = cp.boolvar(name='b')"),
    **dict.fromkeys(("implies", "Implies", "imply", "If", "IfThen"), "p.implies(q) for `if p then q`"),
    **dict.fromkeys(("Or", "or_", "AnyOf", "Exists", "exists"), ONE_OF),
    **dict.fromkeys(("And", "and_", "AllOf", "ForAll", "forall"), "p & q, or cp.all([p, q, …])"),
    **dict.fromkeys(("Not", "not_"), "~p"),
    **dict.fromkeys(("AllDistinct", "all_distinct", "Distinct", "distinct"), "cp.AllDifferent(…)"),
    **dict.fromkeys(
        ("cpm_element", "element", "ElementConstraint"), "cp.cpm_array(values)[x], or cp.Element(values, x)"
    ),
    **dict.fromkeys(("allowedAssignments", "AllowedAssignments", "table"), "cp.Table([x, y], rows)"),
    **dict.fromkeys(("isin", "is_in", "InSet", "member"), "cp.InDomain(x, values)"),
    **dict.fromkeys(("GlobalCardinality", "gcc"), "cp.GlobalCardinalityCount(xs, values, counts)"),
    **dict.fromkeys(
        ("enumerate", "solve_all", "enumerate_solutions"), "m.solveAll(display=[x, y]), or send max_solutions"
    ),
}
NOT_OFFERED = {"DirectConstraint": "write the constraint with CPMpy's own, or the model in the language ortools"}
LOOKUPS = (
    "an expression can't be a list index: write cp.cpm_array(values)[x], or cp.Element(values, x)",
    "for a pair as the key: cp.cpm_array(rows)[x, y] with the rows as a list of lists",
)


def _missed(calls: Set[str]) -> Iterator[str]:
    if "export_solution" in calls and not calls & {"solve", "solveAll"}:
        yield "export_solution is called, but solve() is not: call m.solve() first."


def _drawing(make: Callable[[int | None], object]) -> Callable[[int | None], ModuleType]:
    """Creates random number generators without the attributes that expose their memory."""

    def generator(seed: int | None = None) -> ModuleType:
        made = make(None if seed is None else int(seed))
        draws = {name: getattr(made, name) for name in DRAWING if hasattr(made, name)}
        return stand_ins.namespace("numpy.random.Generator", draws)

    return generator


def _reading(array: Callable[..., object], squeeze: Callable[..., object], skipped: str) -> Callable[..., object]:
    """Creates a reader for files passed as data. Their text has already been parsed, so `delimiter` has no effect."""

    def reader(file: object, dtype: object = float, delimiter: object = None, **options: object) -> object:
        others = {*options} - {skipped, "encoding", "comments"}
        if others:
            tables.missing(f"The option {min(others)} of numpy's readers")
        count = options.get(skipped, 0)
        rows = tables.numbers_in(file, count if isinstance(count, int) else 0)
        return squeeze(array(rows, dtype=dtype))

    return reader


def _complete(known: Mapping[str, ModuleType]) -> None:
    names = vars(known["numpy.random"])
    names.update({name: _drawing(names[name]) for name in GENERATORS})
    numpy = vars(known["numpy"])
    numpy["loadtxt"] = _reading(numpy["array"], numpy["squeeze"], "skiprows")
    numpy["genfromtxt"] = _reading(numpy["array"], numpy["squeeze"], "skip_header")


PROFILE = LanguageProfile(
    id="cpmpy",
    programs={"cpmpy": "verdict_runner.languages.cpmpy.language"},
    files=("jsplib", "psplib"),
    own_modules=MODULES,
    chosen={"numpy": NUMPY, "numpy.random": (*DRAWING, *GENERATORS)},
    # `DirectConstraint` calls solver methods by name, and `NDVarArray` creates objects from numeric addresses.
    kept_back=dict.fromkeys(MODULES, ("DirectConstraint", "NDVarArray")),
    hidden_classes=(("numpy", "ndarray"),),
    only_its_own=("cpmpy",),
    complete=_complete,
    present=PRESENT,
    # Programs can change CP-SAT's parameters and a model's list of constraints.
    changeable=("decimal", "cpmpy.model", "ortools.sat.python.cp_model_helper"),
    foreign=FOREIGN,
    signs=SIGNS,
    methods=METHODS,
    not_offered=NOT_OFFERED,
    lookups=LOOKUPS,
    missed=_missed,
)
