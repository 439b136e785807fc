from collections.abc import Sequence

class AnalysisOptions: ...

class AnalysisOptionSet:
    def __init__(
        self,
        analysis_kind: Sequence[object] | None = None,
        per_condition_timeout: float | None = None,
        per_path_timeout: float | None = None,
        max_uninteresting_iterations: int | None = None,
    ) -> None: ...

class _Defaults(AnalysisOptions):
    def overlay(self, overrides: AnalysisOptionSet) -> AnalysisOptions: ...

DEFAULT_OPTIONS: _Defaults
