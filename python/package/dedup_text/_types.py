"""The types of arguments, for readers and type checkers. This module is not imported at run time."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, Literal, Protocol, TypedDict

Text = str | os.PathLike[str]
Off = Literal["off"]


class Limits(TypedDict, total=False):
    """How texts are compared; None means the default."""

    min: int | None
    """Smallest n-gram, in words [1]"""
    max: int | None
    """Largest n-gram, in words [3]"""
    hamming: int | Off | None
    """Maximum Hamming distance of near-duplicates, in bits [3]"""
    jaccard: float | Off | None
    """Minimum Jaccard index of near-duplicates [0.5]"""
    partial_jaccard: float | Off | None
    """Minimum Jaccard index of a partial pair [0.12, or `jaccard` if that is lower]"""
    coverage: float | Off | None
    """Minimum coverage of either text in a partial pair [0.2]"""
    containment: float | Off | None
    """Minimum containment of either text in a partial pair ["off"]"""
    lang: str | Sequence[str | None] | None
    """Language of the texts, or of left and right, as an ISO 639 code; "none" for no language [detected]"""
    stopwords: bool | os.PathLike[str] | None
    """Whether stop words are removed, or the path of a list [True]"""
    stem: bool | None
    """Whether words are stemmed [True]"""
    ignore: str | Iterable[str] | None
    """Parts to leave out: quotes, bibliography, marked, short, short=WORDS"""
    template: Text | Iterable[Text] | None
    """Text that everyone was given, such as an assignment sheet; it is left out"""
    min_match: int | None
    """Minimum number of words of a passage [12]"""
    passages: bool | None
    """Whether to search for passages [True]"""


class ArrowStream(Protocol):
    """A table with Arrow's stream interface."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class Dataset(Protocol):
    """A Hugging Face dataset."""

    def with_format(self, type: str) -> Any: ...


class Progress(Protocol):
    """A callback for progress."""

    def __call__(self, stage: str, done: int, total: int, /) -> object: ...
