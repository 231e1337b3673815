"""Finds near-duplicate and copied texts: the Python interface of `dedup`.

    >>> import dedup_text
    >>> left = "A copper kettle, a wooden spoon, two tin cups and a blue jug stood on the shelf"
    >>> found = dedup_text.judge(left, left.replace("shelf", "bench"))
    >>> found.verdict
    'near-duplicate'

A `str` is a text, and an `os.PathLike` the path of a file: HTML, Word, PDF, or any other format that the program reads.
Keyword arguments have the names of the flags of the program. Limits are numbers, or `"off"` for no limit; flags that are
on or off are True or False.
"""

from __future__ import annotations

import sys
import warnings
from operator import index
from typing import TYPE_CHECKING, Any

from dedup_text import _native, _program
from dedup_text._judgement import Judgement, Passage, Place
from dedup_text._native import Table, __version__

if TYPE_CHECKING:
    import os
    from collections.abc import Hashable, Iterable, Sequence
    from pathlib import Path

    from typing_extensions import Unpack

    from dedup_text._types import ArrowStream, Dataset, Limits, Progress

__all__ = [
    "Judgement",
    "Part",
    "Passage",
    "Place",
    "Table",
    "__version__",
    "clusters",
    "deduplicate",
    "judge",
    "near_duplicates",
    "passages",
    "program",
]


def judge(
    left: str | os.PathLike[str],
    right: str | os.PathLike[str],
    /,
    *,
    explain: bool = False,
    **limits: Unpack[Limits],
) -> Judgement:
    """Judge whether two texts are near-duplicates.

    The result is that of `dedup LEFT RIGHT --format json`; with `explain`, it includes the output of each stage. Texts
    given as `str` are named left and right in it. An interrupt ends the call; the comparison of large texts then
    continues in the background, and its result is discarded.

    >>> judge("A copper kettle", "A brass lamp").verdict
    'different'
    """
    if not isinstance(explain, bool):
        raise _type_error("explain", explain, "True or False")
    json, written = _native.judge(left, right, explain, {**limits})
    return Judgement(json, written)


def program() -> Path:
    """Return the path of the program in this package.

    Raises `FileNotFoundError` if the program is not installed with the package.
    """
    return _program.path()


def passages(
    left: str | os.PathLike[str],
    right: str | os.PathLike[str],
    /,
    **limits: Unpack[Limits],
) -> list[Passage]:
    """Return the passages that both texts share, in the order of the left text; an empty list if there are none.

    >>> sentence = "The keeper counted the lamps twice before the harbour was dark and nobody asked why."
    >>> [found] = passages(f"{sentence} It rained.", f"We know this. {sentence}")
    >>> found.kind, found.words
    ('exact', 15)
    """
    found = Judgement(*_native.judge(left, right, False, {**limits})).passages
    if found is None:
        msg = "passages=False, expected True: the passages are the result"
        raise ValueError(msg)
    return found


def near_duplicates(
    table: ArrowStream | Dataset,
    /,
    text: str = "text",
    id: str | None = None,
    *,
    level: str = "near-duplicate",
    max_pairs: int | None = 1_000_000,
    threads: int | None = None,
    memory: int | None = None,
    progress: Progress | None = None,
    **limits: Unpack[Limits],
) -> Table:
    """Return the pairs of texts of a table that are `level` or closer: the pairs that `dedup corpus` finds.

    The table is any object with Arrow's stream interface (pyarrow, Polars, DuckDB, pandas 2.2), or a Hugging Face
    dataset. `id` is the column with the names of the texts; by default the column `id`, or the row number from 0 if
    there is none. With `id="off"`, texts are named by row number, and several rows may have the same id; otherwise a
    repeated id is a `ValueError`. `text` and `id` may name a field of a struct, such as `meta.body`.

    The columns of the result are a and b (ids, of their type in the table, or of the values of a dictionary), verdict,
    hamming, jaccard, shared and union (numbers of distinct shingles), containment_a, containment_b, and, if passages are
    searched for, coverage_a and coverage_b: the sums of same_a and changed_a, and of same_b and changed_b. Passages are
    searched for by default if `level` is partial or excerpt.
    `pyarrow.table(pairs)` and `polars.DataFrame(pairs)` read the result. Rows are sorted by a and then by b, by the bytes
    of the ids.

    Texts that are too short to be compared are in no pair; a warning counts them. Another warning says if pairs that
    share only reworded sentences were not looked for, since too many may. If there are more than `max_pairs`
    pairs, a `ValueError` is raised; `deduplicate` has no such limit. With `memory`, data that exceeds this number of
    bytes is written to a temporary file. `progress` is called with the stage, the amount of work done, and the total
    amount (0 if it is not known), at most ten times a second and, if these have changed since, at the end.
    """
    _check_progress(progress)
    _check_whole_or_none("max_pairs", max_pairs, 0, _GREATEST)
    asked = {**_asked(table, text, id, level, threads, memory), "max_pairs": max_pairs}
    pairs, left = _native.near_duplicates(_stream(table), asked, progress, {**limits})
    _warn_of(*left)
    return pairs


def deduplicate(
    table: ArrowStream | Dataset,
    /,
    text: str = "text",
    id: str | None = None,
    *,
    keep: str = "first",
    level: str = "near-duplicate",
    threads: int | None = None,
    memory: int | None = None,
    progress: Progress | None = None,
    **limits: Unpack[Limits],
) -> Table:
    """Return the rows of a table without duplicates, in their order, like `dedup corpus --keep KEEP --output`.

    Each removed row is in a pair with a row that is kept. `keep` is the row to prefer: `first`, `longest`,
    `newest:FIELD` or `field:FIELD`, as in the program; a column in which no row has a value to compare is a
    ValueError. All other arguments are those of [`near_duplicates`].
    """
    _check_progress(progress)
    if not isinstance(keep, str):
        raise _type_error("keep", keep, "a str")
    asked = _asked(table, text, id, level, threads, memory)
    kept, left = _native.deduplicate(_stream(table), keep, asked, progress, {**limits})
    _warn_of(*left)
    return kept


def clusters(
    pairs: Iterable[tuple[Hashable, Hashable] | dict[str, Any]],
    texts: Iterable[Hashable] = (),
    *,
    keep_by: str = "linked",
) -> list[list[Any]]:
    """Return the texts of pairs that were found before in groups, each with the text to keep first.

    A pair is a tuple of two names, or a dict with the names as `a` and `b`: a row of `near_duplicates`, or a record that
    `Part.judge` or `dedup corpus --format jsonl` writes. All pairs link their texts, whatever their verdict. `texts` are
    names of texts, those to prefer first, which may be in no pair; texts that only the pairs name come after them.

    With `keep_by="linked"`, the groups are the clusters: a chain of pairs connects the texts of each. With
    `keep_by="direct"`, each text is in a pair with the first of its group, and no two of these are a pair. Either keeps
    what `dedup corpus --keep-by` keeps. Groups, and the texts in them, are in the order of preference.

    >>> pairs = [("a", "b"), {"a": "b", "b": "c"}]
    >>> clusters(pairs)
    [['a', 'b', 'c']]
    >>> [group[0] for group in clusters(pairs, ["d", "a", "b", "c"], keep_by="direct")]
    ['d', 'a', 'c']
    """
    if keep_by not in ("direct", "linked"):
        msg = f"keep_by={keep_by!r}, expected direct or linked"
        raise ValueError(msg)
    numbers: dict[Hashable, int] = {}

    def number(name: Hashable) -> int:
        return numbers.setdefault(name, len(numbers))

    for name in texts:
        number(name)
    numbered = [(number(a), number(b)) for a, b in map(_names, pairs)]
    groups: dict[int, list[Any]] = {}
    for name, kept in zip(numbers, _native.kept(numbered, len(numbers), keep_by == "linked"), strict=True):
        groups.setdefault(kept, []).append(name)
    return list(groups.values())


def _names(pair: Any) -> tuple[Hashable, Hashable]:
    if isinstance(pair, dict):
        a, b = (it["path"] if isinstance(it, dict) else it for it in (pair["a"], pair["b"]))
        return a, b
    if not isinstance(pair, tuple) or len(pair) != 2:
        raise _type_error("pair", pair, "a tuple of two names, or a dict with a and b")
    return pair


class Part:
    """The steps of the comparison of a corpus, for engines that process it in parts.

    A record is the id and the text of a document. `counts` are the counts of all texts, made with the same limits:
    `keys` needs them, and `judge` uses them for texts whose language is in doubt. docs/scale.md
    describes the lines; integrations/spark joins them. Each call uses one thread.

    >>> records = [("a", "A copper kettle, a wooden spoon"), ("b", "a copper kettle and a wooden spoon")]
    >>> counts = Part.merge([Part().count([record]) for record in records])
    >>> [line[:21] for line in Part(counts).keys(records)]
    ['{"id":"a","size":14,"', '{"id":"b","size":17,"']
    """

    def __init__(self, counts: bytes | None = None, **limits: Unpack[Limits]) -> None:
        if not isinstance(counts, bytes | None):
            raise _type_error("counts", counts, "bytes or None")
        self._part = _native.Part(counts, {**limits})

    def count(self, records: Iterable[tuple[str, str]], slots: int = 26) -> bytes:
        """Return the counts of the shingles of texts, with 2 to the power of `slots` slots."""
        _check_whole("slots", slots, 16, 32, "an int")
        return self._part.count(records, slots)

    @staticmethod
    def merge(counts: Iterable[bytes]) -> bytes:
        """Return the sum of one or more counts."""
        return _native.Part.merge(counts)

    def keys(self, records: Sequence[tuple[str, str]]) -> list[str]:
        """Return the join keys of each text, as one line of JSON."""
        return self._part.keys(records)

    def judge(self, pairs: Sequence[tuple[tuple[str, str], tuple[str, str]]]) -> list[str]:
        """Return the record of each pair of texts, as one line of JSON."""
        return self._part.judge(pairs)


# The largest number that the native module accepts.
_GREATEST = 2**64 - 1


def _stream(table: Any) -> Any:
    """Return a table with a stream. The stream of a Hugging Face dataset would ignore its selection."""
    datasets: Any = sys.modules.get("datasets")
    if datasets is not None:
        if isinstance(table, datasets.IterableDataset):
            hint = "datasets.Dataset.from_generator(lambda: iter(table)) makes one"
            msg = f"table is of type {type(table).__name__}, expected a Dataset, which is not streamed: {hint}"
            raise TypeError(msg)
        if isinstance(table, datasets.DatasetDict):
            msg = f"table is of type DatasetDict, expected one of its datasets: {', '.join(map(repr, table))}"
            raise TypeError(msg)
    is_dataset = hasattr(table, "with_format") and not hasattr(table, "__arrow_c_stream__")
    if is_dataset:
        return table.with_format("arrow")[:]
    polars = sys.modules.get("polars")
    if polars is not None and isinstance(table, polars.DataFrame):
        typed = {name: _typed(polars, name, of) for name, of in table.schema.items()}
        return table.cast({name: of for name, of in typed.items() if of != table.schema[name]})
    return table


def _typed(polars: Any, name: str, of: Any) -> Any:
    """Return the type of a Polars column, with strings in place of the type of nulls.

    A column of nulls has a buffer in the stream that Arrow does not expect.
    """
    if isinstance(of, polars.List):
        return polars.List(_typed(polars, name, of.inner))
    if isinstance(of, polars.Array):
        return polars.Array(_typed(polars, name, of.inner), of.size)
    if isinstance(of, polars.Struct):
        return polars.Struct({field.name: _typed(polars, name, field.dtype) for field in of.fields})
    if str(of) in ("Int128", "UInt128", "Object"):  # not every version of Polars has them
        msg = f"the column {name} has the type {of}, expected a type of Arrow"
        raise TypeError(msg)
    return polars.String() if of == polars.Null else of


def _asked(
    table: Any, text: str, id: str | None, level: str, threads: int | None, memory: int | None
) -> dict[str, Any]:
    for name, value in (("text", text), ("level", level)):
        if not isinstance(value, str):
            raise _type_error(name, value, "a str")
    if not isinstance(id, str | None):
        raise _type_error("id", id, "a str or None")
    f"{text}{id}{level}".encode()  # a surrogate is an exception, as in a text
    _check_whole_or_none("threads", threads, 1, 256)
    _check_whole_or_none("memory", memory, 0, _GREATEST)
    # len() would run the query of a DuckDB relation again.
    rows = getattr(table, "num_rows", getattr(table, "height", None))
    rows = rows if isinstance(rows, int) else None
    return {"text": text, "id": id, "level": level, "threads": threads, "memory": memory, "rows": rows, "max_pairs": None}


def _check_whole_or_none(name: str, value: int | None, least: int, most: int) -> None:
    if value is not None:
        _check_whole(name, value, least, most, "an int or None")


def _check_whole(name: str, value: int, least: int, most: int, expected: str) -> None:
    if isinstance(value, bool):
        raise _type_error(name, value, expected)
    try:
        number = index(value)
    except TypeError:
        raise _type_error(name, value, expected) from None
    if not least <= number <= most:
        msg = f"{name}={value}, expected a whole number from {least} to {most}"
        raise ValueError(msg)


def _check_progress(progress: object) -> None:
    if progress is not None and not callable(progress):
        raise _type_error("progress", progress, "a function or None")


def _type_error(name: str, value: object, expected: str) -> TypeError:
    return TypeError(f"{name}={value!r}, expected {expected}")


def _warn_of(short: int, skips_reworded: bool) -> None:
    if short:
        texts = "1 text is" if short == 1 else f"{short} texts are"
        warnings.warn(f"{texts} too short to be compared", stacklevel=3)
    if skips_reworded:
        warnings.warn("too many texts: pairs that share only reworded sentences were not looked for", stacklevel=3)
