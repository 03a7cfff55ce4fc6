"""The report as plain data: sections, paragraphs, tables and figures, before any rendering."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from autostatistician.wording.messages import ENGLISH

__all__ = [
    "Band", "Block", "Bullets", "Document", "Figure", "Line", "Marker", "Panel", "Paragraph", "Points", "Section",
    "Table",
]  # fmt: skip

# Positions on the horizontal axis: float64 numbers or datetime64 times.
Positions = NDArray[np.float64] | NDArray[np.datetime64]


@dataclass(frozen=True, eq=False)
class Points:
    """Single observations. ``names``, where there are any, are written beside the points, one for each.

    Those of the ``role`` "aside", which the model was made without, have a mark of their own.
    """

    x: Positions
    y: NDArray[np.float64]
    label: str
    names: tuple[str, ...] = ()
    role: str = ""


@dataclass(frozen=True, eq=False)
class Line:
    """A curve. ``role`` picks the style: "mean", "earlier", "sample" or "forecast"."""

    x: Positions
    y: NDArray[np.float64]
    label: str
    role: str = "mean"


@dataclass(frozen=True, eq=False)
class Band:
    """A range around a curve. ``role`` picks the style: "signal", "observation" or "forecast"."""

    x: Positions
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    label: str
    role: str = "signal"


@dataclass(frozen=True)
class Marker:
    """A vertical line at a position (the end of the data, a change). ``x``: a number or an ISO 8601 time."""

    x: float | str
    label: str


@dataclass(frozen=True, eq=False)
class Panel:
    """One set of axes: layers drawn in order.

    ``x_ticks`` names places on the horizontal axis (else round numbers or dates stand there). With ``logarithmic`` the
    vertical axis is one of equal ratios; everything on it must be above zero. With ``counts`` it is named at whole
    numbers alone.
    """

    title: str
    x_label: str
    y_label: str
    layers: tuple[Points | Line | Band | Marker, ...]
    x_ticks: tuple[tuple[float, str], ...] = field(default=(), kw_only=True)
    logarithmic: bool = field(default=False, kw_only=True)
    counts: bool = field(default=False, kw_only=True)


@dataclass(frozen=True, eq=False)
class Figure:
    """One or more panels side by side, with a caption and the text for those who cannot see it."""

    id: str
    caption: str
    alt: str
    panels: tuple[Panel, ...]


@dataclass(frozen=True)
class Paragraph:
    """Sentences, with the ids of the facts they state (provenance)."""

    text: str
    facts: tuple[str, ...] = ()
    emphasis: bool = False  # set apart, as the lead of the report or a warning to the reader


@dataclass(frozen=True)
class Bullets:
    """A list of short statements; ``links`` holds for each the id of a section it leads to ("" for none)."""

    items: tuple[str, ...]
    links: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    """A small table of texts (numbers are already rounded for people)."""

    id: str
    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: tuple[bool, ...]  # per column: right-aligned
    notes: str = ""


Block = Paragraph | Bullets | Table | Figure


@dataclass(frozen=True)
class Section:
    """A titled part of the document.

    ``folded`` sections may be shown collapsed (details for those who want them). An ``opening`` section belongs to the
    first screen, right under the key picture; its inner sections stand side by side where there is room.
    """

    id: str
    title: str
    blocks: tuple[Block, ...]
    sections: tuple[Section, ...] = ()
    folded: bool = False
    opening: bool = False


@dataclass(frozen=True)
class Document:
    """A whole report: title, one-paragraph abstract, sections, the warnings, and the machine-readable record.

    Its texts are in one ``language``, in which it is rendered.
    """

    title: str
    subtitle: str
    abstract: str
    sections: tuple[Section, ...]
    warnings: tuple[str, ...] = ()
    record: dict[str, object] = field(default_factory=dict)  # JSON-ready: the object `--json` prints
    citations: tuple[str, ...] = ()
    choice: str = ""  # how the table was read, where that had to be chosen: said before all else
    language: str = ENGLISH
