# Imported before the engine: it keeps numpy from starting threads.
import verdict_runner.languages.cp  # noqa: F401
