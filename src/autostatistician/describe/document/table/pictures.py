"""Figures of reports on tables, as data: effect curves, surfaces with slices, relevance, predicted and observed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from autostatistician.describe.axis.places import instants
from autostatistician.describe.axis.units import Scale, Units
from autostatistician.describe.document.document import Band, Figure, Line, Panel, Points, Positions
from autostatistician.describe.document.panels import BarPanel, HeatPanel, Ranges, held_panel, quantile_panel
from autostatistician.describe.facts.classes import ChanceCourse
from autostatistician.describe.facts.curves import ColumnCurve, LeftOut, Slices, Surface
from autostatistician.describe.facts.effect import ColumnRelevance
from autostatistician.describe.facts.findings import ColumnFindings, EffectFindings, TableFindings
from autostatistician.describe.words.amounts import drawn
from autostatistician.rows import evenly_spaced
from autostatistician.wording.messages import message, say, say_as
from autostatistician.wording.names import clean_name, quoted
from autostatistician.wording.numbers import amount, capital, fixed, in_percent, joined, pair, percent, rounded_percent

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
    lead = (
        say("How much of what decides on a class depends on each column, with the range that holds it with 95%")
        if scale.is_class
        else say("How much of the variation depends on each column, with the range that holds it with 95%")
    )
    return (_bars(shown, scale),), lead, say("Bars of shares: {shares}.", shares=shares_text)


def overview_figure(findings: TableFindings, scale: Scale) -> Figure:
    """How much depends on each column, and how well every value is predicted from all others."""
    bars, lead, shares_text = bars_of(findings, scale)
    out = findings.left_out
    caption: str = say(
        "Each value against its prediction from all the others: on the line they agree, and strokes are the 95% ranges "
        "of the predictions."
    )
    if lead:
        caption = say(
            "{bars}; each value against its prediction from all the others: on the line they agree, and strokes are "
            "the 95% ranges of the predictions.",
            bars=lead,
        )
    alt: str = say(
        "Points of observed against predicted values along the diagonal; {share} is explained.",
        share=percent(findings.fit.left_out),
    )
    alt = " ".join(filter(None, (shares_text, alt)))
    return Figure("fig-overview", _thinned(caption, len(out.y)), alt, (*bars, _predicted(out, scale)))


def _bars(shown: Sequence[ColumnRelevance], scale: Scale) -> BarPanel:
    """The shares of the columns in per cent, with their ranges."""
    values = np.array([fact.number for fact in shown])
    spans = np.array([fact.interval or (fact.number, fact.number) for fact in shown])
    share = (
        say("share of what decides on {target}, %", target=quoted(scale.target))
        if scale.is_class
        else say("share of the variation in {target}, %", target=scale.it)
    )
    return BarPanel(
        say("What matters"), share, "", (),
        names=tuple(clean_name(fact.column, LONGEST_NAME) for fact in shown), values=100.0 * values,
        lower=100.0 * spans[:, 0], upper=100.0 * spans[:, 1],
    )  # fmt: skip


def _predicted(out: LeftOut, scale: Scale) -> Panel:
    rows = evenly_spaced(len(out.y), MOST_POINTS)
    x, y = out.predicted[rows], out.y[rows]
    order = np.argsort(x, kind="stable")
    lower, upper = out.lower[rows][order], out.upper[rows][order]
    ends = np.array([min(x.min(), y.min()), max(x.max(), y.max())])
    layers = (
        Ranges(x[order], lower, upper, say("95% range of a prediction"), "observation"),
        Line(ends, ends, say("prediction and value agree"), "mean"),
        Points(x[order], y[order], say("values")),
    )
    x_label, y_label = say("predicted {target}", target=scale.it), say("observed {target}", target=scale.it)
    return Panel(say("Predicted from all others"), x_label, y_label, layers)


def _thinned(caption: str, n: int) -> str:
    """A caption, and where not all points are drawn, how many are."""
    if n <= MOST_POINTS:
        return caption
    drawn_points = say("Of {n} values {most}, evenly chosen, are drawn.", n=fixed(n, 0), most=fixed(MOST_POINTS, 0))
    return f"{caption} {drawn_points}"


# --- effects ----------------------------------------------------------------------------------------------------------


def curve_figure(effect: EffectFindings, scale: Scale) -> Figure:
    """The effect along each of its columns, with its band and partial residuals."""
    along = effect.curves.along
    panels = tuple(_curve(along_column, scale, averaged=len(along) > 1) for along_column in along)
    caption = (
        _caption_of_chances(effect, scale, averaged=len(along) > 1)
        if scale.is_class
        else say(_AVERAGED if len(along) > 1 else _ALONE, target=scale.it)
    )
    columns = joined([quoted(along_column.column) for along_column in along])
    reach = joined([_reach(along_column, scale) for along_column in along])
    alt = say("Curves with bands along {columns}, {reach}, with points around them.", columns=columns, reach=reach)
    return Figure(f"fig-{effect.id}", _thinned(caption, len(effect.mean)), alt, panels)


_ALONE = message(
    "The effect on {target}, as the difference from its mean over the data: line and 95% band. Points: what is left of "
    "each value when all other effects are taken away (partial residuals)."
)
_AVERAGED = message(
    "The effect on {target} averaged over the data in the other columns, as the difference from its mean over the "
    "data: line and 95% band. Points: what is left of each value when all other effects are taken away (partial "
    "residuals)."
)


def _reach(along: ColumnCurve, scale: Scale) -> str:
    low, high = pair(float(along.mean.min()), float(along.mean.max()))
    if scale.is_class:
        low, high = in_percent(low), in_percent(high)
    return say("between {low} and {high}", low=low, high=high)


# By whether a chance is averaged over other columns, and told where other effects are as on average.
_CHANCES = {
    (False, False): message("{chance}, with 95% ranges."),
    (False, True): message("{chance}, where all other effects are as on average over the data, with 95% ranges."),
    (True, False): message("{chance} averaged over the data in the other columns, with 95% ranges."),
    (True, True): message(
        "{chance} averaged over the data in the other columns, where all other effects are as on average over the "
        "data, with 95% ranges."
    ),
}


def _caption_of_chances(effect: EffectFindings, scale: Scale, *, averaged: bool) -> str:
    among = any(isinstance(fact, ChanceCourse) and fact.among_others for fact in effect.facts)
    text = say(_CHANCES[averaged, among], chance=capital(scale.it))
    if all(curve.levels for curve in effect.curves.along):
        return text
    rows = say(
        "Points: rows of the data, {event} at 100% and {other} at 0%, whatever else they are.",
        event=quoted(scale.event), other=quoted(scale.other),
    )  # fmt: skip
    return f"{text} {rows}"


def _curve(along: ColumnCurve, scale: Scale, *, averaged: bool) -> Panel:
    mean, lower, upper = (drawn(each, scale) for each in (along.mean, along.lower, along.upper))
    if along.levels:
        return BarPanel(
            quoted(along.column), _effect_label(scale), "", (), _names(along.levels, along.x), mean, lower, upper
        )
    rows = evenly_spaced(len(along.at), MOST_POINTS)
    label = say("rows") if scale.is_class else say("partial residuals")
    residuals = Points(positions(along.at[rows], scale), drawn(along.residuals[rows], scale), label)
    title = quoted(along.column) if averaged else ""
    label = say("95% range") if along.few else say("95% band")
    x = positions(along.x, scale)
    band = (Ranges if along.few else Band)(x, lower, upper, label, "signal")
    line = say_as("in a picture", "chance") if scale.is_class else say_as("in a picture", "effect")
    layers = (residuals, band, Line(x, mean, line, "mean"))
    return Panel(title, along.column, _effect_label(scale), layers)


def positions(x: Array, scale: Scale) -> Positions:
    """Places along a column as they are drawn: dates where it is a calendar."""
    return instants(scale.axis, x) if isinstance(scale, Units) else x


def _effect_label(scale: Scale) -> str:
    if scale.is_class:
        return say("chance of {event}, %", event=quoted(scale.event))
    if scale.is_log:
        return say("effect on {target}, %", target=scale.it)
    return say("effect on {target}", target=scale.it)


def joint_figures(effect: EffectFindings, scale: Scale) -> tuple[Figure, ...]:
    """The surface of an effect of two columns (or of the two along which it differs most), with two slices."""
    surface, slices = effect.curves.surface, effect.curves.slices
    if surface is None or slices is None:
        return ()
    panels = (_heat(surface, scale), _slices(slices, scale))
    wide, many = panels[0].wide, len(effect.columns) > 2
    caption: str = say(_SURFACES[scale.is_class, many], it=capital(scale.it) if scale.is_class else scale.it)
    if wide is not None:
        doubt = say("Dashed: where its 95% range reaches a width of {width}.", width=amount(wide, 2))
        caption = f"{caption} {doubt}"
    first, second = (quoted(column) for column in surface.columns)
    low, high = pair(float(surface.mean.min()), float(surface.mean.max()))
    alt = say(
        "A heat map over {first} and {second} between {low} and {high}, and two cuts along {first}.",
        first=first, second=second, low=low, high=high,
    )  # fmt: skip
    return (Figure(f"fig-{effect.id}-joint", caption, alt, panels),)


# By whether chances of a class are told, and whether the effect has more columns than two.
_SURFACES = {
    (False, False): message(
        "The joint effect on {it}, as the difference from its mean over the data (dots: places of the data), and two "
        "cuts through it with 95% bands."
    ),
    (False, True): message(
        "The joint effect on {it}, averaged over the data in its other columns, as the difference from its mean over "
        "the data (dots: places of the data), and two cuts through it with 95% bands."
    ),
    (True, False): message(
        "{it}, where all other effects are as on average over the data (dots: places of the data), and two cuts "
        "through it with 95% bands."
    ),
    (True, True): message(
        "{it}, averaged over the data in its other columns, where all other effects are as on average over the data "
        "(dots: places of the data), and two cuts through it with 95% bands."
    ),
}


def _heat(surface: Surface, scale: Scale) -> HeatPanel:
    values = drawn(surface.mean, scale)
    width = drawn(surface.upper, scale) - drawn(surface.lower, scale)
    wide = _round(WIDE_RANGE * float(np.ptp(values)))
    first, second = surface.at
    rows = evenly_spaced(len(first), MOST_DOTS)
    names = [_names(levels, axis) for levels, axis in zip(surface.levels, surface.axes, strict=True)]
    title = capital(scale.it) if scale.is_class else say("Effect on {target}", target=scale.it)
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
    apart = abs(slices.cuts[0][0] - slices.cuts[-1][0])
    for cut, line, band in zip(slices.cuts, ("mean", "forecast"), ("signal", "forecast"), strict=True):
        mean, lower, upper = (drawn(each, scale) for each in cut[1:])
        names = _names(slices.by_levels, np.array([cut[0]]))
        at = say(
            "where {column} is {value}",
            column=quoted(slices.by),
            value=names[0] if names else amount(cut[0], spread=apart),
        )
        layers += [kind(slices.x, lower, upper, "", band), Line(slices.x, mean, at, line)]
    return Panel(say("Along {column}", column=quoted(slices.along)), slices.along, _effect_label(scale), tuple(layers))


# --- errors -----------------------------------------------------------------------------------------------------------


def errors_figure(out: LeftOut) -> Figure:
    """The errors in order against those expected, and the share of values in ranges of each width."""
    held = joined([rounded_percent(share) for share in out.held])
    levels = joined([rounded_percent(level) for level in out.levels])
    caption = say(
        "The errors of predicting each value from all others, in order, against those expected, on the line they "
        "agree; the share of values in ranges of each width."
    )
    alt = say(
        "Points of ordered errors along a diagonal; ranges of {levels} hold {held} of the values.",
        levels=levels, held=held,
    )  # fmt: skip
    ranges = held_panel(say("Ranges of predictions"), out.levels, out.held, len(out.errors))
    return Figure("fig-errors", caption, alt, (quantile_panel(out.errors), ranges))
