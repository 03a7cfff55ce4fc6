"""Models taken apart: all parts under each other, or one of them with the words of its report.

Parts of a logarithm multiply: each is drawn as per cent of what the others give, and sums of them in units of the data.
"""

from __future__ import annotations

from collections.abc import Callable
from textwrap import fill

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from autostatistician.decompose.records.series import Decomposition
from autostatistician.describe.document.document import Paragraph
from autostatistician.describe.tell import document, sentences
from autostatistician.forms import Curve
from look import COLOURS, INK, Array
from searched import decomposed

__all__ = ["alone", "band", "decomposition", "extract", "part_with", "series", "symbols", "together", "told"]


def symbols(text: str) -> str:
    """An expression as the sources write it."""
    return text.replace(" * ", " × ")


def band(axes: Axes, curve: Curve, x: Array, y: Array | None = None) -> None:
    """A course with its 95 % band and, where there are any, the data; a dashed line where these end."""
    axes.fill_between(curve.x, curve.lower, curve.upper, color=COLOURS[0], alpha=0.2, linewidth=0)
    axes.plot(curve.x, curve.mean, color=COLOURS[0], linewidth=1.1)
    if y is not None:
        axes.plot(x, y, "o", color=INK, markersize=1.6)
    axes.axvline(x[-1], color=INK, linewidth=0.7, dashes=(4, 3))
    axes.set_xlim(x[0], curve.x[-1])
    axes.margins(y=0.04)
    axes.ticklabel_format(axis="y", useOffset=False)


def mapped(curve: Curve, back: Callable[[Array], Array]) -> Curve:
    """A course on another scale."""
    return Curve(curve.x, *(back(values) for values in (curve.mean, curve.sd, curve.lower, curve.upper)))


def alone(record: Decomposition, values: Array) -> Array:
    """What a part adds, in units of the data; in per cent where the model is of a logarithm."""
    return 100.0 * np.expm1(values) if record.transform.is_log else values


def together(record: Decomposition, values: Array) -> Array:
    """A sum of parts in units of the data."""
    return record.transform.unshifted.back(values) + record.offset


def part_of(axes: Axes, record: Decomposition, place: int) -> None:
    """A part by itself."""
    part = record.components[place]
    if part.is_noise:
        axes.vlines(record.x, 0.0, alone(record, part.mean), color=COLOURS[0], linewidth=0.8)
        axes.axhline(0.0, color=INK, linewidth=0.5)
    band(axes, mapped(part.curve, lambda values: alone(record, values)), record.x)
    if record.transform.is_log:
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:+g}%".replace("-", "−") if value else "0")


def decomposition(name: str, height: float = 1.25) -> Figure:
    """The whole model of a search with the data, and each of its parts below."""
    record = decomposed(name)
    figure = Figure(figsize=(8.0, height * (len(record.components) + 1.5)))
    rows = len(record.components) + 1
    first, *others = figure.subplots(rows, 1, sharex=True, height_ratios=[1.5] + [1.0] * (rows - 1))
    band(first, record.observation, record.x, record.y)
    first.set_title(f"{symbols(str(record.fitted.kernel))}: {record.target}", loc="left", fontsize=10)
    for place, (axes, part) in enumerate(zip(others, record.components, strict=True)):
        part_of(axes, record, place)
        axes.set_title(symbols(str(part.kernel)), loc="left", fontsize=10)
    return figure


def part_with(name: str, *leaves: str) -> int:
    """The place from 0 of the first part of a model that has all these leaves."""
    parts = [str(part.kernel) for part in decomposed(name).components]
    return next(place for place, text in enumerate(parts) if all(leaf in text for leaf in leaves))


def extract(name: str, place: int) -> Figure:
    """What the report says of a part; the part by itself, and the sum of the parts so far with the data."""
    record = decomposed(name)
    part = record.components[place]
    section = next(section for section in document(record).found if section.id == "parts").sections[place]
    told = next(block.text for block in section.blocks if isinstance(block, Paragraph))
    text = fill(f"{section.title}. {told}", 118)
    lines = text.count("\n") + 1
    figure = Figure(figsize=(9.0, 2.6 + 0.2 * lines))
    figure.suptitle(text, x=0.01, ha="left", fontsize=10, color=INK)
    left, right = figure.subplots(1, 2)
    part_of(left, record, place)
    left.set_title(symbols(str(part.kernel)))
    band(right, mapped(part.cumulative, lambda values: together(record, values)), record.x, record.y)
    right.set_title("the first part" if not place else f"the first {place + 1} parts together")
    return figure


def series(name: str) -> Figure:
    """The data of a search."""
    record = decomposed(name)
    figure = Figure(figsize=(9.0, 3.0))
    axes = figure.subplots()
    axes.plot(record.x, record.y, "-", color=COLOURS[0], linewidth=0.8)
    axes.plot(record.x, record.y, "o", color=INK, markersize=1.8)
    axes.margins(x=0.01, y=0.04)
    axes.set_ylabel(record.target)
    return figure


def told(name: str, most: int | None = None) -> Figure:
    """The sentences of the report on the parts, as a list."""
    every = sentences(decomposed(name))[:most]
    text = "\n".join(fill(sentence, 118, initial_indent="•  ", subsequent_indent="    ") for sentence in every)
    figure = Figure(figsize=(9.0, 0.3 + 0.24 * (text.count("\n") + 1)))
    figure.set_layout_engine("none")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.text(0.01, 0.5, text, ha="left", va="center", fontsize=10, linespacing=1.6)
    axes.set_axis_off()
    return figure
