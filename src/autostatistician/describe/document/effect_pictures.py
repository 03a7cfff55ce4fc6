"""Figures of reports on tables, as data: effect curves, surfaces with slices, relevance, predicted and observed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records.series import BAND
from autostatistician.decompose.records.table import (
    Along,
    Effect,
    Interaction,
    LeaveOneOut,
    Surface,
    TableDecomposition,
)
from autostatistician.describe.document.check_pictures import quantile_panel
from autostatistician.describe.document.document import Band, Figure, Line, Panel, Points
from autostatistician.describe.document.panels import BarPanel, HeatPanel, Ranges
from autostatistician.describe.facts.effect import ColumnRelevance
from autostatistician.describe.words.effects import Scale
from autostatistician.wording.names import clean_name, quoted
from autostatistician.wording.numbers import amount, fixed, joined, percent

__all__ = ["curve_figure", "errors_figure", "joint_figures", "overview_figure"]

Array = NDArray[np.float64]

MOST_POINTS = 400  # of a scatter: more show no more
MOST_DOTS = 250  # of a heat map
MOST_BARS = 20
WIDE = 0.5  # of the size of a surface: where the range is wider, a line says so
_MOST = 300.0
_BAND = "95% band"


def overview_figure(d: TableDecomposition, columns: Sequence[ColumnRelevance], scale: Scale) -> Figure:
    """How much hangs on each column, and how well every value is predicted from all others."""
    shown = [fact for fact in columns if fact.used][:MOST_BARS]
    spans = [fact.interval or (fact.number, fact.number) for fact in shown]
    bars = BarPanel(
        "What matters", f"share of the variation in {scale.it}, %", "", (),
        names=tuple(clean_name(fact.column, 24) for fact in shown), values=np.array([fact.number for fact in shown]),
        lower=np.array([low for low, _ in spans]), upper=np.array([high for _, high in spans]),
    )  # fmt: skip
    panels = ((bars,) if shown else ()) + (_predicted(d.left_out, d.y, scale),)
    first = "How much of the variation hangs on each column, with the range that holds it with 95%; each "
    caption = (
        f"{first if shown else 'Each '}value against its prediction from all the others: on the line they agree, and "
        "strokes are the 95% ranges of the predictions."
    )
    told = joined([f"{quoted(fact.column)} {percent(fact.number)}" for fact in shown[:5]])
    alt = f"Bars of shares: {told}. " if shown else ""
    alt += f"Points of observed against predicted values along the diagonal; {percent(d.left_out.r2)} is explained."
    return Figure("fig-overview", caption + _thinned(len(d.y)), alt, panels)


def _predicted(out: LeaveOneOut, y: Array, scale: Scale) -> Panel:
    rows = _some(len(y), MOST_POINTS)
    x = out.predicted[rows]
    order = np.argsort(x, kind="stable")
    ends = np.array([min(x.min(), y[rows].min()), max(x.max(), y[rows].max())])
    layers = (
        Ranges(x[order], out.lower[rows][order], out.upper[rows][order], "95% range of a prediction", "observation"),
        Line(ends, ends, "prediction and value agree", "mean"),
        Points(x[order], y[rows][order], "values"),
    )
    return Panel("Predicted from all others", f"predicted {scale.it}", f"observed {scale.it}", layers)


def _some(n: int, most: int) -> NDArray[np.intp]:
    return np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(np.intp))


def _thinned(n: int) -> str:
    return f" Of {n:,} values {MOST_POINTS:,}, evenly chosen, are drawn." if n > MOST_POINTS else ""


# --- effects ----------------------------------------------------------------------------------------------------------


def curve_figure(name: str, effect: Effect, d: TableDecomposition, scale: Scale) -> Figure:
    """The effect along each of its columns, with its band and partial residuals."""
    panels = tuple(_curve(one, d, scale, averaged=len(effect.columns) > 1) for one in effect.along)
    averaged = " averaged over the data in the other columns" if len(effect.columns) > 1 else ""
    caption = (
        f"The effect on {scale.it}{averaged}, as the difference from its mean over the data: line and 95% band. "
        "Points: what is left of each value when all other effects are taken away (partial residuals)."
    )
    columns = joined([quoted(one.column) for one in effect.along])
    reach = [f"between {amount(float(one.mean.min()))} and {amount(float(one.mean.max()))}" for one in effect.along]
    alt = f"Curves with bands along {columns}, {joined(reach)}, with points around them."
    return Figure(f"fig-{name}", caption + _thinned(len(d.y)), alt, panels)


def _curve(along: Along, d: TableDecomposition, scale: Scale, *, averaged: bool) -> Panel:
    levels = next((column.levels for column in d.columns if column.name == along.column), ())
    lower, upper = (_linear(along.mean + side * BAND * along.sd, scale) for side in (-1.0, 1.0))
    mean = _linear(along.mean, scale)
    if levels:
        names = tuple(clean_name(levels[min(max(round(place), 0), len(levels) - 1)], 24) for place in along.x)
        return BarPanel(quoted(along.column), _effect_label(scale), "", (), names, mean, lower, upper)
    rows = _some(len(along.at), MOST_POINTS)
    residuals = Points(along.at[rows], _linear(along.residuals[rows], scale), "partial residuals")
    title = quoted(along.column) if averaged else ""
    few = along.few
    band = (Ranges if few else Band)(along.x, lower, upper, "95% range" if few else _BAND, "signal")
    layers = (residuals, band, Line(along.x, mean, "effect", "mean"))
    return Panel(title, along.column, _effect_label(scale), layers)


def _effect_label(scale: Scale) -> str:
    return f"effect on {scale.it}{', %' if scale.is_log else ''}"


def _linear(values: Array, scale: Scale) -> Array:
    """Differences of logarithms in per cent; others as they are."""
    return 100.0 * np.expm1(np.minimum(values, _MOST)) if scale.is_log else values


def joint_figures(name: str, effect: Effect, d: TableDecomposition, scale: Scale) -> tuple[Figure, ...]:
    """The surface of an effect of two columns (or of the two along which it differs most), with two slices."""
    if effect.surface is None or effect.interaction is None:
        return ()
    panels = (_heat(effect.surface, d, effect, scale), _slices(effect.interaction, d, scale))
    others = ", averaged over the data in its other columns" if len(effect.columns) > 2 else ""
    wide = panels[0].wide
    doubt = "" if wide is None else f" Dashed: where its 95% range reaches a width of {amount(wide, 2)}."
    caption = (
        f"The joint effect on {scale.it}{others}, as the difference from its mean over the data (dots: places of the "
        f"data), and two cuts through it with 95% bands.{doubt}"
    )
    first, second = (quoted(column) for column in effect.surface.columns)
    low, high = float(effect.surface.mean.min()), float(effect.surface.mean.max())
    alt = f"A heat map over {first} and {second} between {amount(low)} and {amount(high)}, and two cuts along {first}."
    return (Figure(f"fig-{name}-joint", caption, alt, panels),)


def _heat(surface: Surface, d: TableDecomposition, effect: Effect, scale: Scale) -> HeatPanel:
    values = _linear(surface.mean, scale)
    ends = [_linear(surface.mean + side * BAND * surface.sd, scale) for side in (-1.0, 1.0)]
    width = ends[1] - ends[0]
    wide = _round(WIDE * float(np.ptp(values)))
    places = {one.column: one.at for one in effect.along}
    rows = _some(len(d.y), MOST_DOTS)
    levels = {column.name: column.levels for column in d.columns}
    names = [_names(levels.get(column, ()), axis) for column, axis in zip(surface.columns, surface.axes, strict=True)]
    return HeatPanel(
        f"Effect on {scale.it}", surface.columns[0], surface.columns[1], (), surface.axes[0], surface.axes[1],
        tuple(values), tuple(width), wide if width.min() < wide < width.max() else None, "%" if scale.is_log else "",
        places[surface.columns[0]][rows], places[surface.columns[1]][rows], *names,
    )  # fmt: skip


def _names(levels: tuple[str, ...], axis: Array) -> tuple[str, ...]:
    return tuple(clean_name(levels[min(max(round(place), 0), len(levels) - 1)], 24) for place in axis) if levels else ()


def _round(value: float) -> float:
    return float(f"{value:.1g}")


def _slices(found: Interaction, d: TableDecomposition, scale: Scale) -> Panel:
    """The effect along one column where the other is low and where it is high."""
    levels = {column.name: column.levels for column in d.columns}
    cuts = [found.slices[0], found.slices[-1]]
    layers: list[Points | Line | Band] = []
    kind = Ranges if found.few else Band
    for (place, mean, sd), line, band in zip(cuts, ("mean", "forecast"), ("signal", "forecast"), strict=False):
        lower, upper = (_linear(mean + side * BAND * sd, scale) for side in (-1.0, 1.0))
        names = _names(levels.get(found.by, ()), np.array([place]))
        at = f"where {quoted(found.by)} is {names[0] if names else amount(place)}"
        layers += [
            kind(found.x, lower, upper, "", band),
            Line(found.x, _linear(mean, scale), at, line),
        ]
    return Panel(f"Along {quoted(found.along)}", found.along, _effect_label(scale), tuple(layers))


# --- errors -----------------------------------------------------------------------------------------------------------


def errors_figure(out: LeaveOneOut) -> Figure:
    """The errors in order against those expected, and the share of values in ranges of each width."""
    held = joined([f"{fixed(100.0 * share, 0)}%" for share in out.held])
    levels = joined([f"{fixed(100.0 * level, 0)}%" for level in out.levels])
    caption = (
        "The errors of predicting each value from all others, in order, against those expected, on the line they "
        "agree; the share of values in ranges of each width."
    )
    alt = f"Points of ordered errors along a diagonal; ranges of {levels} hold {held} of the values."
    return Figure("fig-errors", caption, alt, (quantile_panel(out.errors), _held(out)))


def _held(out: LeaveOneOut) -> Panel:
    x, n = 100.0 * np.array([0.0, *out.levels, 1.0]), len(out.errors)
    found = 100.0 * np.array([0.0, *out.held, 1.0])
    half = BAND * np.sqrt(x * (100.0 - x) / n)
    layers = (
        Ranges(x, x - half, np.minimum(x + half, 100.0), "95% range of chance", "signal"),
        Line(x, x, "as expected", "mean"),
        Points(x[1:-1], found[1:-1], "found"),
    )
    return Panel("Ranges of predictions", "level of the range, %", "values inside, %", layers)
