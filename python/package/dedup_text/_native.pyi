from collections.abc import Callable, Iterable, Sequence
from typing import Any

__version__: str

class Table:
    """Rows in columns, for whatever reads Arrow's C stream."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def __len__(self) -> int: ...
    @property
    def column_names(self) -> list[str]: ...

class Part:
    """A step of a corpus in parts, on one thread."""

    def __new__(cls, counts: bytes | None, settings: dict[str, Any]) -> Part: ...
    def count(self, records: Iterable[tuple[str, str]], slots: int) -> bytes: ...
    @staticmethod
    def merge(counts: Iterable[bytes]) -> bytes: ...
    def keys(self, records: Sequence[tuple[str, str]]) -> list[str]: ...
    def judge(self, pairs: Sequence[tuple[tuple[str, str], tuple[str, str]]]) -> list[str]: ...

def judge(
    left: object, right: object, explain: bool, settings: dict[str, Any]
) -> tuple[str, list[tuple[str, str]]]: ...
def near_duplicates(
    table: object,
    asked: dict[str, Any],
    progress: Callable[[str, int, int], object] | None,
    settings: dict[str, Any],
) -> tuple[Table, tuple[int, bool]]: ...
def deduplicate(
    table: object,
    keep: str,
    asked: dict[str, Any],
    progress: Callable[[str, int, int], object] | None,
    settings: dict[str, Any],
) -> tuple[Table, tuple[int, bool]]: ...
