"""Figures of reports on tables, as data: effect curves, surfaces with slices, relevance, predicted and observed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.describe.axis.places import instants
from autostatistician.describe.axis.units import Scale, Units
from autostatistician.describe.document.document import Band, Figure, Line, Panel, Points, Positions
from autostatistician.describe.document.panels import BarPanel, HeatPanel, Ranges, held_panel, quantile_panel
from autostatistician.describe.facts.classes import ChanceCourse
from autostatistician.describe.facts.curves import ColumnCurve, LeftOut, Slices, Surface
from autostatistician.describe.facts.findings import EffectFindings, TableFindings
from autostatistician.describe.words.amounts import drawn
from autostatistician.rows import evenly_spaced
from autostatistician.wording.messages import message, say, say_as, say_count
from autostatistician.wording.names import clean_name, quoted
from autostatistician.wording.numbers import amount, capital, fixed, in_percent, joined, pair, rounded_percent

__all__ = ["curve_figure", "errors_figure", "joint_figures", "key_figure", "positions"]

Array = NDArray[np.float64]

MOST_POINTS = 400  # of a scatter: more show no more
MOST_DOTS = 250  # of a heat map
MOST_PANELS = 3  # effects in the key picture
LONGEST_NAME = 24  # letters
WIDE_RANGE = 0.5  # of the size of a surface: where the range is wider, a line says so


def key_figure(effects: Sequence[EffectFindings], scale: Scale) -> Figure | None:
    """The effects that matter most side by side; None without any."""
    shown = effects[:MOST_PANELS]
    if not shown:
        return None
    panels = tuple(_key_panel(effect, scale) for effect in shown)
    every = [quoted(name) for effect in shown for name in effect.columns]
    names = joined(every)
    caption = (
        say("{chance} by {columns}, all else as on average, with 95% ranges.", chance=capital(scale.it), columns=names)
        if scale.is_class
        else say_count(
            len(every),
            "What {columns} adds to {target}, from its mean: lines with 95% ranges, and rows with all other effects "
            "taken away.",
            "What {columns} add to {target}, from its mean: lines with 95% ranges, and rows with all other effects "
            "taken away.",
            columns=names, target=scale.it,
        )
    )  # fmt: skip
    reach = joined([_reach(along, scale) for effect in shown for along in effect.curves.along])
    alt = say("Curves with bands along {columns}, {reach}, with points around them.", columns=names, reach=reach)
    return Figure("fig-overview", _thinned(caption, len(shown[0].mean)), alt, panels)


def _key_panel(effect: EffectFindings, scale: Scale) -> Panel:
    if len(effect.columns) > 1 and effect.curves.slices is not None:
        return _slices(effect.curves.slices, scale)
    return replace(_curve(effect.curves.along[0], scale, averaged=False), title=quoted(effect.columns[0]))


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


def errors_figure(findings: TableFindings, scale: Scale) -> Figure:
    """Each value against its prediction, the errors in order, and the share of values in ranges of each width."""
    out = findings.left_out
    held = joined([rounded_percent(share) for share in out.held])
    levels = joined([rounded_percent(level) for level in out.levels])
    caption = say(
        "Each value against its prediction from all others, with 95% ranges; the errors in order against those "
        "expected; the share of values in ranges of each width. On the lines they agree."
    )
    alt = say(
        "Points of ordered errors along a diagonal; ranges of {levels} hold {held} of the values.",
        levels=levels, held=held,
    )  # fmt: skip
    ranges = held_panel(say("Ranges of predictions"), out.levels, out.held, len(out.errors))
    panels = (_predicted(out, scale), quantile_panel(out.errors), ranges)
    return Figure("fig-errors", _thinned(caption, len(out.y)), alt, panels)
