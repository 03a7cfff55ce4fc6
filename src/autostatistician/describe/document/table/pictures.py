"""Figures of reports on tables, as data: effect curves, surfaces with slices, relevance, predicted and observed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from autostatistician.describe.axis.places import instants
from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.axis.units import Units
from autostatistician.describe.document.document import Band, Figure, Line, Panel, Points, Positions
from autostatistician.describe.document.error_pictures import held_panel, quantile_panel
from autostatistician.describe.document.panels import BarPanel, HeatPanel, Ranges
from autostatistician.describe.facts.classes import ChanceCourse
from autostatistician.describe.facts.curves import ColumnCurve, LeftOut, Slices, Surface
from autostatistician.describe.facts.effect import ColumnRelevance
from autostatistician.describe.facts.findings import ColumnFindings, EffectFindings, TableFindings
from autostatistician.describe.words.amounts import drawn
from autostatistician.wording.names import clean_name, quoted
from autostatistician.wording.numbers import amount, capital, fixed, joined, percent

__all__ = ["bars_of", "curve_figure", "errors_figure", "joint_figures", "overview_figure", "positions"]

Array = NDArray[np.float64]

MOST_POINTS = 400  # of a scatter: more show no more
MOST_DOTS = 250  # of a heat map
MOST_BARS = 20
LONGEST_NAME = 24  # letters
WIDE_RANGE = 0.5  # of the size of a surface: where the range is wider, a line says so


def bars_of(findings: ColumnFindings, scale: Scale) -> tuple[tuple[BarPanel, ...], str, str]:
    """The bars of the columns that are used, none where there are none; what they are, and what they say."""
    shown = [fact for fact in findings.columns if fact.used][:MOST_BARS]
    if not shown:
        return (), "", ""
    shares_text = joined([f"{quoted(fact.column)} {percent(fact.number)}" for fact in shown[:5]])
    what = "what decides on a class" if scale.is_class else "the variation"
    lead = f"How much of {what} depends on each column, with the range that holds it with 95%; "
    return (_bars(shown, scale),), lead, f"Bars of shares: {shares_text}. "


def overview_figure(findings: TableFindings, scale: Scale) -> Figure:
    """How much depends on each column, and how well every value is predicted from all others."""
    bars, lead, shares_text = bars_of(findings, scale)
    out = findings.left_out
    caption = (
        f"{lead}{'each' if lead else 'Each'} value against its prediction from all the others: on the line they agree, "
        "and strokes are the 95% ranges of the predictions."
    )
    alt = f"{shares_text}Points of observed against predicted values along the diagonal; "
    alt += f"{percent(findings.fit.left_out)} is explained."
    return Figure("fig-overview", caption + _thinned(len(out.y)), alt, (*bars, _predicted(out, scale)))


def _bars(shown: Sequence[ColumnRelevance], scale: Scale) -> BarPanel:
    """The shares of the columns in per cent, with their ranges."""
    values = np.array([fact.number for fact in shown])
    spans = np.array([fact.interval or (fact.number, fact.number) for fact in shown])
    return BarPanel(
        "What matters", f"share of {scale.varying}, %", "", (),
        names=tuple(clean_name(fact.column, LONGEST_NAME) for fact in shown), values=100.0 * values,
        lower=100.0 * spans[:, 0], upper=100.0 * spans[:, 1],
    )  # fmt: skip


def _predicted(out: LeftOut, scale: Scale) -> Panel:
    rows = _some(len(out.y), MOST_POINTS)
    x, y = out.predicted[rows], out.y[rows]
    order = np.argsort(x, kind="stable")
    ends = np.array([min(x.min(), y.min()), max(x.max(), y.max())])
    layers = (
        Ranges(x[order], out.lower[rows][order], out.upper[rows][order], "95% range of a prediction", "observation"),
        Line(ends, ends, "prediction and value agree", "mean"),
        Points(x[order], y[order], "values"),
    )
    return Panel("Predicted from all others", f"predicted {scale.it}", f"observed {scale.it}", layers)


def _some(n: int, most: int) -> NDArray[np.intp]:
    return np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(np.intp))


def _thinned(n: int) -> str:
    return f" Of {n:,} values {MOST_POINTS:,}, evenly chosen, are drawn." if n > MOST_POINTS else ""


# --- effects ----------------------------------------------------------------------------------------------------------


def curve_figure(effect: EffectFindings, scale: Scale) -> Figure:
    """The effect along each of its columns, with its band and partial residuals."""
    along = effect.curves.along
    panels = tuple(_curve(along_column, scale, averaged=len(along) > 1) for along_column in along)
    averaged = " averaged over the data in the other columns" if len(along) > 1 else ""
    caption = (
        _caption_of_chances(effect, scale, averaged)
        if scale.is_class
        else (
            f"The effect on {scale.it}{averaged}, as the difference from its mean over the data: line and 95% band. "
            "Points: what is left of each value when all other effects are taken away (partial residuals)."
        )
    )
    columns, unit = joined([quoted(along_column.column) for along_column in along]), "%" if scale.is_class else ""
    ends = [(amount(float(along_column.mean.min())), amount(float(along_column.mean.max()))) for along_column in along]
    reach = [f"between {low}{unit} and {high}{unit}" for low, high in ends]
    alt = f"Curves with bands along {columns}, {joined(reach)}, with points around them."
    return Figure(f"fig-{effect.id}", caption + _thinned(len(effect.mean)), alt, panels)


def _caption_of_chances(effect: EffectFindings, scale: Scale, averaged: str) -> str:
    among = any(isinstance(fact, ChanceCourse) and fact.among_others for fact in effect.facts)
    where = ", where all other effects are as on average over the data" if among else ""
    text = f"{capital(scale.it)}{averaged}{where}, with 95% ranges."
    if all(curve.levels for curve in effect.curves.along):
        return text
    rows = f"{quoted(scale.event)} at 100% and {quoted(scale.other)} at 0%"
    return f"{text} Points: rows of the data, {rows}, whatever else they are."


def _curve(along: ColumnCurve, scale: Scale, *, averaged: bool) -> Panel:
    mean, lower, upper = (drawn(each, scale) for each in (along.mean, along.lower, along.upper))
    if along.levels:
        return BarPanel(
            quoted(along.column), _effect_label(scale), "", (), _names(along.levels, along.x), mean, lower, upper
        )
    rows = _some(len(along.at), MOST_POINTS)
    label = "rows" if scale.is_class else "partial residuals"
    residuals = Points(positions(along.at[rows], scale), drawn(along.residuals[rows], scale), label)
    title = quoted(along.column) if averaged else ""
    label = "95% range" if along.few else "95% band"
    x = positions(along.x, scale)
    band = (Ranges if along.few else Band)(x, lower, upper, label, "signal")
    layers = (residuals, band, Line(x, mean, "chance" if scale.is_class else "effect", "mean"))
    return Panel(title, along.column, _effect_label(scale), layers)


def positions(x: Array, scale: Scale) -> Positions:
    """Places along a column as they are drawn: dates where it is a calendar."""
    return instants(scale.axis, x) if isinstance(scale, Units) else x


def _effect_label(scale: Scale) -> str:
    if scale.is_class:
        return f"chance of {quoted(scale.event)}, %"
    return f"effect on {scale.it}{', %' if scale.is_log else ''}"


def joint_figures(effect: EffectFindings, scale: Scale) -> tuple[Figure, ...]:
    """The surface of an effect of two columns (or of the two along which it differs most), with two slices."""
    surface, slices = effect.curves.surface, effect.curves.slices
    if surface is None or slices is None:
        return ()
    panels = (_heat(surface, scale), _slices(slices, scale))
    others = ", averaged over the data in its other columns" if len(effect.columns) > 2 else ""
    wide = panels[0].wide
    doubt = "" if wide is None else f" Dashed: where its 95% range reaches a width of {amount(wide, 2)}."
    what = f"The joint effect on {scale.it}{others}, as the difference from its mean over the data"
    if scale.is_class:
        what = f"{capital(scale.it)}{others}, where all other effects are as on average over the data"
    caption = f"{what} (dots: places of the data), and two cuts through it with 95% bands.{doubt}"
    first, second = (quoted(column) for column in surface.columns)
    low, high = float(surface.mean.min()), float(surface.mean.max())
    alt = f"A heat map over {first} and {second} between {amount(low)} and {amount(high)}, and two cuts along {first}."
    return (Figure(f"fig-{effect.id}-joint", caption, alt, panels),)


def _heat(surface: Surface, scale: Scale) -> HeatPanel:
    values = drawn(surface.mean, scale)
    width = drawn(surface.upper, scale) - drawn(surface.lower, scale)
    wide = _round(WIDE_RANGE * float(np.ptp(values)))
    first, second = surface.at
    rows = _some(len(first), MOST_DOTS)
    names = [_names(levels, axis) for levels, axis in zip(surface.levels, surface.axes, strict=True)]
    title = capital(scale.it) if scale.is_class else f"Effect on {scale.it}"
    return HeatPanel(
        title, *surface.columns, (), *surface.axes, tuple(values), tuple(width),
        wide if width.min() < wide < width.max() else None, "%" if scale.is_log or scale.is_class else "",
        first[rows], second[rows],
        *names,
    )  # fmt: skip


def _names(levels: tuple[str, ...], axis: Array) -> tuple[str, ...]:
    """The names of the categories at some places; none of a column of numbers."""
    if not levels:
        return ()
    return tuple(clean_name(levels[min(max(round(place), 0), len(levels) - 1)], LONGEST_NAME) for place in axis)


def _round(value: float) -> float:
    return float(f"{value:.1g}")


def _slices(slices: Slices, scale: Scale) -> Panel:
    """The effect along one column where the other is low and where it is high."""
    layers: list[Points | Line | Band] = []
    kind = Ranges if slices.few else Band
    for cut, line, band in zip(slices.cuts, ("mean", "forecast"), ("signal", "forecast"), strict=True):
        mean, lower, upper = (drawn(each, scale) for each in cut[1:])
        names = _names(slices.by_levels, np.array([cut[0]]))
        at = f"where {quoted(slices.by)} is {names[0] if names else amount(cut[0])}"
        layers += [kind(slices.x, lower, upper, "", band), Line(slices.x, mean, at, line)]
    return Panel(f"Along {quoted(slices.along)}", slices.along, _effect_label(scale), tuple(layers))


# --- errors -----------------------------------------------------------------------------------------------------------


def errors_figure(out: LeftOut) -> Figure:
    """The errors in order against those expected, and the share of values in ranges of each width."""
    held = joined([f"{fixed(100.0 * share, 0)}%" for share in out.held])
    levels = joined([f"{fixed(100.0 * level, 0)}%" for level in out.levels])
    caption = (
        "The errors of predicting each value from all others, in order, against those expected, on the line they "
        "agree; the share of values in ranges of each width."
    )
    alt = f"Points of ordered errors along a diagonal; ranges of {levels} hold {held} of the values."
    ranges = held_panel("Ranges of predictions", out.levels, out.held, len(out.errors))
    return Figure("fig-errors", caption, alt, (quantile_panel(out.errors), ranges))
