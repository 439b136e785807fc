"""The modelling languages whose items are Python, and code under analysis: where their profiles are.

A profile is imported when it is requested, and imports no engine.
"""

import importlib

from verdict_runner.languages.profile import LanguageProfile

# A folder of this package each, with `profile.py` and the module that the profile names.
LANGUAGES = ("z3", "pysat", "cpmpy", "ortools")
# Not a modelling language; its profile says what code under analysis is allowed to do.
ANALYSIS = "verdict_runner.symbolic.profile"
# The profile of what checks answers, in any language.
CHECKER = "verdict_runner.checker.profile"


def profiles() -> dict[str, LanguageProfile]:
    """The profile of each modelling language, and that of checkers."""
    models = {language: _profile_in(f"{__name__}.{language}.profile") for language in LANGUAGES}
    return {**models, "checker": _profile_in(CHECKER)}


def profile_of_program(program: str) -> LanguageProfile:
    """The profile that has a process of this name; raises `KeyError` if there is none."""
    for profile in (*profiles().values(), _profile_in(ANALYSIS)):
        if program in profile.programs:
            return profile
    raise KeyError(program)


def _profile_in(place: str) -> LanguageProfile:
    return importlib.import_module(place).PROFILE
