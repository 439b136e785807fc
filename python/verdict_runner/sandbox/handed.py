"""Provides `data` and `open` for a program: the call's data, also under the names of the files from which it came.

No file is read here: the server has read the files, and the program receives their values as text again.
"""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from collections.abc import Callable, Mapping

from verdict_runner.refusal import Refused


def noting(data: Mapping[str, object], read: set[str]) -> dict[str, object]:
    """Returns the data as a dict that adds each name that the program reads to `read`.

    Python copies, unpacks and merges a dict that has its own `__iter__` by calling these methods.
    """

    # The names are in the methods' closure, not in an attribute, which a program could read.
    class Data(dict[str, object]):
        def __getitem__(self, name: str) -> object:
            read.add(name)
            return super().__getitem__(name)

        def __contains__(self, name: object) -> bool:
            read.update([name] if isinstance(name, str) else ())
            return super().__contains__(name)

        def get(self, name: str, default: object = None) -> object:
            read.add(name)
            return super().get(name, default)

        def pop(self, name: str, *default: object) -> object:
            read.add(name)
            return super().pop(name, *default)

        def copy(self) -> dict[str, object]:
            return Data(dict.items(self))

    def reading_all(method: Callable[[dict[str, object]], object]) -> Callable[[dict[str, object]], object]:
        def read_all(own: dict[str, object]) -> object:
            read.update(dict.keys(own))
            return method(own)

        return read_all

    def merged(own: dict[str, object], other: object) -> object:
        return Data([*dict.items(own), *dict.items(other)]) if isinstance(other, dict) else NotImplemented

    def merged_into(own: dict[str, object], other: object) -> object:
        return Data([*dict.items(other), *dict.items(own)]) if isinstance(other, dict) else NotImplemented

    for name, operator in (("__or__", merged), ("__ror__", merged_into)):
        setattr(Data, name, operator)
    for method in (dict.__iter__, dict.__reversed__, dict.keys, dict.values, dict.items):
        setattr(Data, method.__name__, reading_all(method))
    Data.__name__ = Data.__qualname__ = dict.__name__
    return Data(data)


def opener(data: Mapping[str, object]) -> Callable[..., io.StringIO]:
    """Creates the `open` function of a program with this data."""

    def open_handed(file: object, mode: object = "r", *_: object, **__: object) -> io.StringIO:
        path, wanted = str.__str__(str(file)), str.__str__(str(mode))
        if set(wanted) - set("rtU"):
            raise Refused(
                f"A program can't write files, and can read them only as text: open({path!r}, {wanted!r}).",
                ["print or export what you want to show", "open a data file with mode 'r'"],
            )
        name = name_of(path)
        if name not in data:
            raise Refused(
                f"There is no file {path!r} for this program.",
                [
                    f"pass it in the call: data_files: [{json.dumps(path)}]",
                    *([f"or use the data of this call: data['{each}']" for each in [*data][:1]]),
                ],
            )
        return io.StringIO(_text(data[name], path))

    return open_handed


def name_of(path: str) -> str:
    """Returns the name of data that came from a file; equivalent to `nameOf` in `data/files.ts`."""
    last = re.split(r"[\\/]", path)[-1]
    stem = unicodedata.normalize("NFKD", last.rpartition(".")[0] or last)
    plain = "".join(each for each in stem if not unicodedata.combining(each))
    name = re.sub(r"[^A-Za-z0-9_]+", "_", plain).strip("_") or "table"
    return f"t_{name}" if name[0].isdigit() else name


def _text(value: object, path: str) -> str:
    if isinstance(value, str):
        return value
    is_table = isinstance(value, list) and all(isinstance(row, dict) for row in value)
    if not is_table or path.lower().endswith(".json"):
        return json.dumps(value)
    assert isinstance(value, list)
    text = io.StringIO()
    rows = csv.DictWriter(text, list(value[0]) if value else [])
    rows.writeheader()
    rows.writerows(value)
    return text.getvalue()
