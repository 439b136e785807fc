"""The profile of code under analysis: functions, not models."""

import contextlib
import types
from collections.abc import Mapping
from importlib.util import find_spec

from verdict_runner.languages.profile import LanguageProfile
from verdict_runner.sandbox import allowed, bases, classes, guards

# Further standard library modules, each with the names that compute without keeping state. Unlisted names create
# classes or functions from their arguments, read files, or change state that the process shares.
CHOSEN = {
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
    "gettext": ("NullTranslations",),
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
    "sys": ("byteorder", "float_info", "hexversion", "int_info", "maxsize", "maxunicode", "version_info"),
    "threading": ("local",),
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

# Why other modules are rejected, if the reason is not access to the machine.
REASONS = {
    "sys": "it accesses the interpreter that runs the code; remove whatever sets its limits, such as the recursion depth",
    "locale": "it changes how the whole process formats numbers and strings; take the value to be formatted as a parameter",
    "traceback": "it shows the files and frames of the process that runs the code; ask the exception itself, as in str(error)",
    "warnings": "it changes how the whole process handles warnings; remove the call, since it computes nothing",
    "inspect": "it accesses the frames and the source of the process that runs the code",
    "logging": "it writes to files and streams; remove the call, since it computes nothing",
    **dict.fromkeys(
        ("doctest", "unittest", "timeit", "cProfile", "trace"),
        "it runs tests or measurements; ask about the function itself",
    ),
    **dict.fromkeys(("secrets", "uuid"), "it gives a different result each time; take the value as a parameter"),
    **dict.fromkeys(("time", "sched"), "it returns the time or waits; take the value as a parameter"),
    **dict.fromkeys(
        ("threading", "queue", "asyncio", "concurrent", "multiprocessing"),
        "concurrent code can behave differently each time",
    ),
    **dict.fromkeys(("gc", "weakref"), "it depends on when memory is freed"),
    "array": "CPython's arrays can be made to read and write any memory of the process",
    **dict.fromkeys(("pickle", "marshal", "shelve", "copyreg"), "it runs what it reads"),
}

# Packages for contracts and types, with their withheld names, which disable contracts, run tests, or reach attributes
# by strings.
CONTRACTS = {
    "deal": (
        *("Scheme", "TestCase", "activate", "autodoc", "cases", "disable", "enable", "inherit", "introspection"),
        *("module_load", "reset"),
    ),
    "icontract": ("DBCMeta", "aRepr"),
    "typing_extensions": (
        *allowed.STANDARD["typing"],
        *("CapsuleType", "Format", "Sentinel", "get_annotations", "get_original_bases", "get_protocol_members"),
        *("is_protocol", "type_repr"),
    ),
}


def _complete(known: Mapping[str, types.ModuleType]) -> None:
    """Makes contract packages modify only the tested code's classes, and decorators copy only its functions."""
    vars(known["types"])["SimpleNamespace"] = classes.SimpleNamespace
    vars(known["contextlib"])["contextmanager"] = lambda func: contextlib.contextmanager(guards.plain(func))
    if "typing_extensions" in known:
        extensions = known["typing_extensions"]
        bases.allow(extensions.Protocol, *types.resolve_bases((extensions.NamedTuple, extensions.TypedDict)))
        vars(extensions)["TypedDict"] = classes.typed_dict
    if "icontract" in known:
        bases.allow(known["icontract"].DBC)
        vars(known["icontract"])["invariant"] = classes.invariant_of_own_class(known["icontract"].invariant)
    if "deal" in known:
        vars(known["deal"])["inv"] = classes.own_class_decorators(known["deal"].inv)


PROFILE = LanguageProfile(
    id="symbolic",
    programs={
        "explore": f"verdict_runner.symbolic.find.{'explore' if find_spec('crosshair') else 'unexplored'}",
        "replay": "verdict_runner.symbolic.run.replay",
    },
    own_modules=tuple(CONTRACTS),
    without=("argparse", "time", "csv", "io", "os", "os.path", "pandas", "sys", "uuid"),
    chosen=CHOSEN,
    kept_back=CONTRACTS,
    complete=_complete,
    changeable=("decimal", "_thread"),
    is_exact=True,
    # The code is imported as a module, so the body of `if __name__ == "__main__"` does not run.
    module="module_under_test",
    # CrossHair's own engine.
    engines=("z3",),
    hidden_modules=("z3.z3types",),
    hidden_classes=(("z3.z3", "Context"),),
    author="code under test",
    instead_of_modules={"array": "write a list of numbers"},
    instead="take data as a parameter instead of reading it from a file, the network, the clock or the environment",
    reasons=REASONS,
)
