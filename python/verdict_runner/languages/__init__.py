"""The modelling languages whose items are Python, code under analysis, and where to find their profiles.

A profile is imported when it is requested, and imports no engine.
"""

import importlib

from verdict_runner.languages.profile import LanguageProfile

# Each is a folder of this package, with `profile.py` and the module named by the profile.
LANGUAGES = ("z3", "pysat", "cpmpy", "ortools")
# Not a modelling language; its profile specifies what code under analysis may do.
ANALYSIS = "verdict_runner.symbolic.profile"
# The profile of answer checkers, for any language.
CHECKER = "verdict_runner.checker.profile"


def profiles() -> dict[str, LanguageProfile]:
    """The profile of each modelling language, and that of checkers."""
    models = {language: _profile_in(f"{__name__}.{language}.profile") for language in LANGUAGES}
    return {**models, "checker": _profile_in(CHECKER)}


def profile_of_program(program: str) -> LanguageProfile:
    """The profile that runs in a process of this name; raises `KeyError` if there is none."""
    for profile in (*profiles().values(), _profile_in(ANALYSIS)):
        if program in profile.programs:
            return profile
    raise KeyError(program)


def _profile_in(place: str) -> LanguageProfile:
    return importlib.import_module(place).PROFILE
