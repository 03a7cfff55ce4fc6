"""The figures of the page of results: what they show (plain data), and how it is drawn."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import as_file, files
from io import StringIO
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np

from autostatistician.report.palette import LIGHT
from common import DEFAULT_LANGUAGE
from measures import PRINTED, SeriesScore, Variant, by_variant, series_scores, standardised
from rows import SERIES, Tables, variants

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CLIP = 3.5  # where figure 3.6 of the thesis ends; what lies beyond is named
WIDTH = 780.0  # px


# Data ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Box:
    """The standardised RMSE of one method over the series. ``kind`` is "ours", "original" or "peer"."""

    label: str
    kind: str
    quartiles: tuple[float, float, float]
    whiskers: tuple[float, float]  # the furthest values within 1.5 interquartile ranges of the box
    inside: tuple[float, ...]  # beyond the whiskers, up to the clip
    outside: tuple[tuple[str, float], ...]  # beyond the clip: the series and the value


def box_plot(tables: Tables) -> list[Box]:
    """The boxes of ours, of the nine printed methods and of the peers, each group by its medians.

    A variant without results on all series has no box: boxes over different series do not compare.
    """
    ours, peers = _ours(tables), _peers(tables)
    values = standardised(tables.known["extrapolation"], ours | peers)
    kinds = dict.fromkeys(ours, "ours") | dict.fromkeys(PRINTED, "original") | dict.fromkeys(peers, "peer")
    boxes = [_box(label, kinds[label], values[label]) for label in kinds if len(values.get(label, ())) == SERIES]
    order = ("ours", "original", "peer")
    return sorted(boxes, key=lambda box: (order.index(box.kind), box.quartiles[1]))


def _ours(tables: Tables) -> dict[str, dict[str, SeriesScore]]:
    return {
        f"{variant}, {axis}": tables.scores("extrapolation", axis, variant)
        for axis in ("raw", "calendar")
        for variant in variants(tables)
    }


def _peers(tables: Tables) -> dict[str, dict[str, SeriesScore]]:
    known = tables.known["extrapolation"]
    return {str(variant): series_scores(rows, known) for variant, rows in by_variant(tables.peers).items()}


def _box(label: str, kind: str, by_series: dict[str, float]) -> Box:
    values = np.array(list(by_series.values()))
    low, middle, high = (float(value) for value in np.quantile(values, (0.25, 0.5, 0.75)))
    reach = 1.5 * (high - low)
    within = values[(values >= low - reach) & (values <= high + reach)]
    ends = (float(within.min()), float(within.max()))
    return Box(
        label,
        kind,
        (low, middle, high),
        ends,
        tuple(sorted(float(value) for value in values if not ends[0] <= value <= ends[1] and value <= CLIP)),
        tuple((series, value) for series, value in by_series.items() if value > CLIP),
    )


@dataclass(frozen=True)
class Curve:
    """The mean squared error of the rest of a series after its first part, by the per cent of that part."""

    label: str
    percent: tuple[int, ...]
    mse: tuple[float, ...]


def curves(tables: Tables, series: str = "01-airline", axis: str = "raw") -> list[Curve]:
    """One curve per language and settings, mean of the seeds; that of the default language comes first."""
    own = [row for row in tables.learning_curve if (row["series"], row["axis"]) == (series, axis)]
    found = sorted(by_variant(own, "language").items(), key=lambda item: item[0] != Variant(DEFAULT_LANGUAGE))
    return [_curve(variant, rows) for variant, rows in found]


def _curve(variant: Variant, rows: Sequence[dict[str, Any]]) -> Curve:
    found: dict[int, list[float]] = defaultdict(list)
    for row in rows:
        found[int(row["percent"])].append(float(row["mse"]))
    percent = tuple(sorted(found))
    return Curve(str(variant), percent, tuple(fmean(found[p]) for p in percent))


@dataclass(frozen=True)
class Line:
    """How the seconds of something grow with its rows."""

    label: str
    rows: tuple[int, ...]
    seconds: tuple[float, ...]


# Pixels ----------------------------------------------------------------------------------------------------

KINDS = {"ours": LIGHT["mean"], "original": LIGHT["axis"], "peer": LIGHT["forecast"]}
LINES = ("-", "--", ":", "-.")


def draw_boxes(boxes: Sequence[Box], path: Path) -> None:
    """Horizontal boxes, one row each; values beyond the clip are arrows with a number and a name."""
    with page_of(WIDTH, 60.0 + 26.0 * len(boxes), path) as figure:
        axes = axes_in(figure, left=230.0, right=250.0, top=8.0, bottom=42.0)
        axes.set_xlim(0.0, CLIP)
        axes.set_ylim(len(boxes) - 0.5, -0.5)
        axes.axvline(1.0, color=LIGHT["muted"], linewidth=1.0, dashes=(4.0, 3.0))
        axes.set_xlabel(f"RMSE / the smallest of the nine published methods, {SERIES} series", color=LIGHT["muted"])
        axes.set_yticks(range(len(boxes)), [box.label for box in boxes])
        for row, box in enumerate(boxes):
            _draw_box(axes, row, box)


def _draw_box(axes: Axes, row: int, box: Box) -> None:
    low, middle, high = (min(value, CLIP) for value in box.quartiles)
    colour = KINDS[box.kind]
    axes.plot([min(end, CLIP) for end in box.whiskers], [row, row], color=colour, linewidth=1.2)
    axes.barh(row, high - low, left=low, height=0.6, color=colour, alpha=0.35, linewidth=0.0)
    axes.plot([middle, middle], [row - 0.3, row + 0.3], color=colour, linewidth=2.2)
    axes.plot(box.inside, [row] * len(box.inside), "o", markersize=3.0, color=colour)
    beyond = sorted(box.outside, key=lambda one: one[1])
    said = ", ".join(f"{series[:2]}: {value:.{0 if value >= 10.0 else 1}f}" for series, value in beyond)
    if said:
        axes.text(CLIP * 1.02, row, f"▸ {said}", va="center", size=10.0, color=LIGHT["muted"], clip_on=False)


def draw_curves(found: Sequence[Curve], path: Path) -> None:
    """Lines on a logarithmic scale, named in a legend beside them; the first one stands out."""
    with page_of(WIDTH, 380.0, path) as figure:
        axes = axes_in(figure, left=90.0, right=170.0, top=14.0, bottom=46.0)
        axes.set_yscale("log")
        for k, curve in enumerate(found):
            axes.plot(curve.percent, curve.mse, label=curve.label, **_look(k))
        axes.margins(0.03, 0.05)
        axes.yaxis.set_major_formatter("{x:g}")
        axes.set_xlabel("per cent of the series that the model has seen", color=LIGHT["muted"])
        axes.set_ylabel("mean squared error of the rest", color=LIGHT["muted"])
        axes.legend(loc="center left", bbox_to_anchor=(1.02, 0.5))


def draw_growth(panels: Mapping[str, Sequence[Line]], path: Path) -> None:
    """Panels beside each other, both scales logarithmic; one legend, the first line of it stands out."""
    labels = list(dict.fromkeys(line.label for lines in panels.values() for line in lines))
    wide, legend = 270.0, 170.0  # px
    width = wide * len(panels) + legend
    with page_of(width, 380.0, path) as figure:
        for k, (title, lines) in enumerate(panels.items()):
            left = 60.0 + k * wide
            axes = axes_in(figure, left=left, right=width - left - wide + 60.0, top=30.0, bottom=46.0)
            axes.set_xscale("log")
            axes.set_yscale("log")
            for line in lines:
                axes.plot(line.rows, line.seconds, label=line.label, **_look(labels.index(line.label)))
            axes.set_title(title, size=12.0, color=LIGHT["ink"])
            axes.set_xlabel("rows", color=LIGHT["muted"])
            axes.margins(0.05)
            axes.xaxis.set_major_formatter("{x:,.0f}")
            axes.yaxis.set_major_formatter("{x:g}")
        figure.axes[0].set_ylabel("seconds of the processor", color=LIGHT["muted"])
        known = {
            label: line
            for axes in figure.axes
            for line, label in zip(*axes.get_legend_handles_labels(), strict=True)
        }  # fmt: skip
        figure.legend([known[label] for label in labels], labels, loc="center right")


def _look(place: int) -> dict[str, Any]:
    """How the lines of a legend look, by their places."""
    palette = [LIGHT[name] for name in ("mean", "forecast", "sample-1", "sample-2", "sample-3")]
    return {
        "marker": "o", "markersize": 3.0, "zorder": 4.0 if place == 0 else 3.0,
        "color": palette[place % len(palette)], "linestyle": LINES[place // len(palette) % len(LINES)],
        "linewidth": 2.4 if place == 0 else 1.2,
    }  # fmt: skip


@contextmanager
def page_of(width: float, height: float, path: Path) -> Iterator[Figure]:
    """A figure in the style of the reports, written as the same SVG every time."""
    import matplotlib.style
    from matplotlib.figure import Figure

    sheet = as_file(files("autostatistician.report") / "autostatistician.mplstyle")
    with sheet as style, matplotlib.style.context(["default", style]):
        figure = Figure(figsize=(width / 72, height / 72), dpi=72, facecolor=LIGHT["paper"])
        yield figure
        text = StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (line.rstrip() for line in text.getvalue().splitlines())
    path.write_text(
        re.sub(r'(?<=\d)pt"', '"', "\n".join(lines), count=2) + "\n", encoding="utf-8"
    )  # a point is a pixel


def axes_in(figure: Figure, *, left: float, right: float, top: float, bottom: float) -> Axes:
    """Axes with margins in pixels."""
    width, height = figure.get_size_inches() * 72
    place = (left / width, bottom / height, (width - left - right) / width, (height - top - bottom) / height)
    axes = figure.add_axes(place)
    axes.grid(axis="both", color=LIGHT["grid"])
    axes.spines["bottom"].set_color(LIGHT["axis"])
    axes.tick_params(labelcolor=LIGHT["ink"], color=LIGHT["axis"], labelsize=11)
    return axes
