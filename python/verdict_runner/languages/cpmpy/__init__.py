# Must be imported before the engine, since it keeps numpy from starting threads.
import verdict_runner.languages.cp  # noqa: F401
