"""What the functions take, for readers and type checkers; nothing here is imported at run time."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, Literal, Protocol, TypedDict

Text = str | os.PathLike[str]
Off = Literal["off"]


class Limits(TypedDict, total=False):
    """How texts are compared; None is the default of each."""

    min: int | None
    """Smallest n-gram, in words [1]"""
    max: int | None
    """Greatest n-gram, in words [3]"""
    hamming: int | Off | None
    """Most bits that differ of near-duplicates [3]"""
    jaccard: float | Off | None
    """Least Jaccard index of near-duplicates [0.5]"""
    partial_jaccard: float | Off | None
    """Least Jaccard index of a partial pair [0.12, or `jaccard` where that is lower]"""
    coverage: float | Off | None
    """Least coverage, of either text, of a partial pair [0.2]"""
    containment: float | Off | None
    """Least containment, either way, of a partial pair ["off"]"""
    lang: str | Sequence[str | None] | None
    """Language of the texts, or of left and right, by ISO 639; "none" for no language [detected]"""
    stopwords: bool | os.PathLike[str] | None
    """Whether stop words are dropped, or the file of a list [True]"""
    stem: bool | None
    """Whether words are stemmed [True]"""
    ignore: str | Iterable[str] | None
    """What does not count: quotes, bibliography, marked, short, short=WORDS"""
    template: Text | Iterable[Text] | None
    """What everyone was given, and does not count"""
    min_match: int | None
    """Words of a passage, in a row [12]"""
    passages: bool | None
    """Whether passages are looked for [True]"""


class ArrowStream(Protocol):
    """A table with Arrow's stream interface."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class Dataset(Protocol):
    """A dataset of Hugging Face."""

    def with_format(self, type: str) -> Any: ...


class Progress(Protocol):
    """What is told how far a run is."""

    def __call__(self, stage: str, done: int, total: int, /) -> object: ...
