"""Locates the profiles of the Python-based modelling languages, of code under analysis and of checkers.

A profile is imported only when it is requested, and imports no engine.
"""

import importlib

from verdict_runner.languages.profile import LanguageProfile

# Each language is a folder in this package that contains `profile.py` and the modules that the profile names.
LANGUAGES = ("z3", "pysat", "cpmpy", "ortools")
# The profile that specifies what code under analysis may do; it does not describe a modelling language.
ANALYSIS = "verdict_runner.symbolic.profile"
# The profile of answer checkers, for any language.
CHECKER = "verdict_runner.checker.profile"


def profiles() -> dict[str, LanguageProfile]:
    """Returns the profiles of all modelling languages and of checkers."""
    models = {language: _profile_in(f"{__name__}.{language}.profile") for language in LANGUAGES}
    return {**models, "checker": _profile_in(CHECKER)}


def profile_of_program(program: str) -> LanguageProfile:
    """Returns the profile that runs in a process with this name; raises `KeyError` if there is none."""
    for profile in (*profiles().values(), _profile_in(ANALYSIS)):
        if program in profile.programs:
            return profile
    raise KeyError(program)


def _profile_in(place: str) -> LanguageProfile:
    return importlib.import_module(place).PROFILE
