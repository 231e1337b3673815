"""The result of a comparison."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import Any

# The largest number of passages shown in a notebook; the others are counted.
MAX_SHOWN = 20


@dataclass(frozen=True)
class Place:
    """The place of a passage in a text."""

    text: str = field(repr=False)
    """The text of the passage."""
    line: tuple[int, int]
    """The first and the last line, from 1."""
    column: tuple[int, int]
    """The column of the first character and the column after the last one, in code points from 1."""
    byte: tuple[int, int]
    """Its byte range: in the file if that is plain text, otherwise in the extracted text."""
    word: tuple[int, int]
    """Its range of words, from 0."""
    page: tuple[int, int] | None = None
    """The first and the last page or slide, from 1; None if the text has none."""


@dataclass(frozen=True)
class Passage:
    """A passage that both texts share."""

    id: int
    """Its number, from 1 in the order of the left text."""
    words: int
    """The number of aligned words."""
    changed_words: int
    """The number of words of its longer side that are not aligned."""
    kind: str
    """exact, edited or reworded."""
    left: Place
    """Its place in the left text."""
    right: Place
    """Its place in the right text."""
    fingerprint: str
    """A hash of its words, in hexadecimal digits."""
    left_repeats: tuple[Place, ...] = ()
    """The places where the left text repeats it, or a part of it."""
    right_repeats: tuple[Place, ...] = ()
    """The places where the right text repeats it, or a part of it."""


class Judgement:
    """The verdict on two texts, and the figures behind it.

    Its attributes are the fields of the program's JSON: `verdict`, `decided_by`, `limits`, `measures`, `meaning`, `matches`,
    `coverage`, `short`, `a`, `b`, `parameters`, `warnings`. A judgement does not change: each access to a field returns
    its own copy of a list or dict. In a notebook it shows the passages side by side.
    """

    def __init__(self, json: str, written: list[tuple[str, str]]) -> None:
        self._json = json
        self._written = written

    def to_json(self) -> str:
        """Return the JSON of the program, byte for byte, without the final line feed."""
        return self._json

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of the JSON."""
        record: dict[str, Any] = json.loads(self._json)
        return record

    @cached_property
    def _record(self) -> dict[str, Any]:
        return self.to_dict()

    def __getattr__(self, name: str) -> Any:
        """Return a copy of a field of the JSON; None for an optional field that is absent."""
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self._record:
            return deepcopy(self._record[name])
        if name in ("accepted", "accepted_by", "later", "earlier", "matches", "coverage", "short"):
            return None
        raise AttributeError(f"a judgement has no field {name}, expected one of {', '.join(self._record)}")

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse to change a field: equality and the hash are those of the JSON."""
        if not name.startswith("_"):
            raise AttributeError(f"{name} cannot be set: a judgement does not change")
        super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._record]

    @property
    def passages(self) -> list[Passage] | None:
        """The passages that both texts share, in the order of the left one; None if they were not searched for."""
        return None if self._passages is None else [*self._passages]

    @cached_property
    def _passages(self) -> list[Passage] | None:
        matches = self._record.get("matches")
        if matches is None:
            return None
        return [
            Passage(
                id=found["id"],
                words=found["words"],
                changed_words=found["changed_words"],
                kind=found["kind"],
                left=_place(found["a"], written[0]),
                right=_place(found["b"], written[1]),
                fingerprint=found["fingerprint"],
                left_repeats=tuple(_place(place, written[0]) for place in found.get("repeats_a", ())),
                right_repeats=tuple(_place(place, written[1]) for place in found.get("repeats_b", ())),
            )
            for found, written in zip(matches, self._written)
        ]

    def __repr__(self) -> str:
        figures = [f"{name}={self.measures[name]}" for name in ("hamming", "jaccard")]
        if self.passages is not None:
            figures.append(_counted(len(self.passages), "passage"))
        return f"<Judgement {self.verdict}: {', '.join(figures)}>"

    def __eq__(self, other: object) -> bool:
        return self._json == other._json if isinstance(other, Judgement) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._json)

    def __reduce__(self) -> tuple[Any, ...]:
        return Judgement, (self._json, self._written)

    def _repr_html_(self) -> str:
        return shown(self)


def _place(record: dict[str, Any], text: str) -> Place:
    pairs = {name: tuple(record[name]) for name in ("line", "column", "byte", "word", "page") if name in record}
    return Place(text=text, **pairs)


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _percent(words: int, total: int) -> str:
    """Format a share in per cent, truncated, so that 100 % means all."""
    percent = words * 100 // total
    return "under 1 %" if words and not percent else f"{percent} %"


def shown(judgement: Judgement) -> str:
    """Return a judgement as HTML for a notebook: a sentence, then the longest passages side by side."""
    names = [escape(side["path"]) for side in (judgement.a, judgement.b)]
    lines = [f"<p><b>{escape(judgement.verdict.upper())}</b>: {_sentence(judgement, names)}</p>"]
    passages = judgement.passages or []
    longest = sorted(passages, key=lambda found: (-found.words, found.id))[:MAX_SHOWN]
    if longest:
        head = "".join(f'<th scope="col" style="text-align:left">{name}</th>' for name in names)
        rows = "".join(_row(found) for found in sorted(longest, key=lambda found: found.id))
        lines.append(
            f'<table style="table-layout:fixed;width:100%"><thead><tr><th scope="col" style="width:7em">Passage</th>'
            f"{head}</tr></thead><tbody>{rows}</tbody></table>"
        )
    if more := len(passages) - len(longest):
        lines.append(f"<p>{_counted(more, 'shorter passage')} more.</p>")
    if short := _short(judgement):
        apart = f"{_counted(short['passages'], 'passage')} of fewer than {short['below']:,} words"
        lines.append(f"<p>{apart} not shown ({_counted(short['words'], 'word')}; ignore=\"short\").</p>")
    measures = judgement.measures
    figures = [] if measures["hamming"] is None else [f"Hamming {measures['hamming']}"]
    if measures["jaccard"] is not None:
        digits = measures["shared"] * 10_000 // measures["union"]  # truncated, as the program does
        figures.append(f"Jaccard {digits // 10_000}.{digits % 10_000:04}")
    lines.append(f'<p style="opacity:.7">{", ".join(figures)}</p>')
    return f"<div>{''.join(lines)}</div>"


def _sentence(judgement: Judgement, names: list[str]) -> str:
    coverage, passages = judgement.coverage, judgement.passages
    if passages is None:
        return "passages were not searched for."
    if not passages:
        short = _short(judgement)
        return f"no shared passage of {_counted(short['below'], 'word')} or more." if short else "no shared passage found."
    parts = [f"{_share(coverage, side)} of {name}" for side, name in zip("ab", names)]
    return f"{_counted(len(passages), 'shared passage')}: {parts[0]} and {parts[1]}."


def _share(coverage: dict[str, Any], side: str) -> str:
    """Format the share of a text: `60 %`, or `60 % and 38 % with changes`."""
    if not coverage[f"words_{side}"]:
        return "0 %"
    total = round(coverage[f"words_{side}"] / coverage[f"share_{side}"])
    same, changed = (round(coverage[f"{part}_{side}"] * total) for part in ("same", "changed"))
    return _percent(same, total) + (f" and {_percent(changed, total)} with changes" if changed else "")


def _short(judgement: Judgement) -> dict[str, Any] | None:
    """Return the count of passages that are set apart as too short; None if there are none."""
    short: dict[str, Any] | None = judgement.short
    return short if short and short["passages"] else None


def _row(found: Passage) -> str:
    changed = {"exact": "word for word", "edited": f"{found.changed_words:,} changed", "reworded": "reworded"}
    cells = "".join(
        f'<td style="text-align:left;vertical-align:top;white-space:pre-wrap;overflow-wrap:anywhere">'
        f'<small style="opacity:.7">{_position(place)}</small><br>{escape(place.text)}</td>'
        for place in (found.left, found.right)
    )
    return (
        f'<tr><th scope="row" style="vertical-align:top;text-align:left">{found.id}<br><small>'
        f"{_counted(found.words, 'word')}, {changed[found.kind]}</small></th>{cells}</tr>"
    )


def _position(place: Place) -> str:
    name, (first, last) = ("page", place.page) if place.page else ("line", place.line)
    return f"{name} {first:,}" if first == last else f"{name}s {first:,} to {last:,}"
