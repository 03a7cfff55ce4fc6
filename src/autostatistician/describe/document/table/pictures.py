"""Figures of reports on tables, as data: effect curves, surfaces with slices, relevance, predicted and observed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autostatistician._io.rows import evenly_spaced
from autostatistician.claims.kinds import FEW, LIMITS
from autostatistician.decompose.records.table import Along, EffectGrid, Interaction, TableEffect
from autostatistician.describe.axis.places import instants
from autostatistician.describe.axis.units import Scale, Units
from autostatistician.describe.document.document import LONGEST_NAME, Band, Figure, Line, Panel, Points, Positions
from autostatistician.describe.document.panels import BarPanel, HeatPanel, Ranges, held_panel, quantile_panel
from autostatistician.describe.facts.findings import EffectFindings, TableFindings
from autostatistician.describe.words.amounts import drawn
from autostatistician.i18n.messages import sentence
from autostatistician.i18n.names import clean_name, quoted
from autostatistician.i18n.numbers import amount, capital, fixed, in_percent, joined, pair, rounded_percent

__all__ = ["curve_figure", "errors_figure", "joint_figures", "key_figure", "positions"]

Array = NDArray[np.float64]

MOST_POINTS = 400  # of a scatter: more show no more


def key_figure(effects: Sequence[EffectFindings], scale: Scale) -> Figure | None:
    """The effects that matter most side by side; None without any."""
    shown = effects[:FEW]
    if not shown:
        return None
    panels = tuple(_key_panel(effect, scale) for effect in shown)
    every = [*dict.fromkeys(quoted(name) for effect in shown for name in _drawn_columns(effect))]
    names, rows = joined(every), any(isinstance(layer, Points) for panel in panels for layer in panel.layers)
    caption = sentence(
        "picture.key", n=len(every), chance=capital(scale.it), columns=names, target=scale.it, rows=rows,
        chances=scale.is_class,
    )  # fmt: skip
    alt = _curves_alt([along for effect in shown for along in effect.record.along], names, scale)
    return Figure("fig-overview", _thinned(caption, len(shown[0].mean) if rows else 0), alt, panels)


def _drawn_columns(effect: EffectFindings) -> tuple[str, ...]:
    """The columns of an effect that its panel shows."""
    slices = effect.record.interaction
    return effect.columns[:1] if len(effect.columns) == 1 or slices is None else (slices.along, slices.by)


def _key_panel(effect: EffectFindings, scale: Scale) -> Panel:
    if len(effect.columns) > 1 and effect.record.interaction is not None:
        return _slices(effect.record, effect.record.interaction, scale)
    return replace(_curve(effect.record.along[0], scale, averaged=False), title=quoted(effect.columns[0]))


def _predicted(findings: TableFindings, scale: Scale) -> Panel:
    out, rows = findings.left_out, evenly_spaced(findings.n, MOST_POINTS)
    x, y = out.predicted[rows], findings.y[rows]
    order = np.argsort(x, kind="stable")
    lower, upper = out.lower[rows][order], out.upper[rows][order]
    ends = np.array([min(x.min(), y.min()), max(x.max(), y.max())])
    layers = (
        Ranges(x[order], lower, upper, sentence("picture.predicted_range"), "observation"),
        Line(ends, ends, sentence("picture.agree"), "mean"),
        Points(x[order], y[order], sentence("picture.values")),
    )
    x_label, y_label = sentence("picture.predicted", it=scale.it), sentence("picture.observed", it=scale.it)
    return Panel(sentence("picture.left_out"), x_label, y_label, layers)


def _thinned(caption: str, n: int) -> str:
    """A caption, and where not all points are drawn, how many are."""
    if n <= MOST_POINTS:
        return caption
    return sentence("picture.drawn", caption=caption, n=fixed(n, 0), most=fixed(MOST_POINTS, 0))


# --- effects ----------------------------------------------------------------------------------------------------------


def curve_figure(effect: EffectFindings, scale: Scale) -> Figure:
    """The effect along each of its columns, with its band and partial residuals."""
    along, averaged = effect.record.along, len(effect.record.along) > 1
    panels = tuple(_curve(along_column, scale, averaged=averaged) for along_column in along)
    it = capital(scale.it) if scale.is_class else scale.it
    caption: str = sentence("picture.effect", it=it, averaged=averaged, chances=scale.is_class)
    if scale.is_class:
        levels = all(curve.levels for curve in along)
        event, other = quoted(scale.event), quoted(scale.other)
        caption = sentence("picture.rows", levels=levels, text=caption, event=event, other=other)
    alt = _curves_alt(along, joined([quoted(along_column.column) for along_column in along]), scale)
    return Figure(f"fig-{effect.id}", _thinned(caption, len(effect.mean)), alt, panels)


def _curves_alt(curves: Sequence[Along], names: str, scale: Scale) -> str:
    return sentence("picture.curves", columns=names, reach=joined([_reach(curve, scale) for curve in curves]))


def _reach(along: Along, scale: Scale) -> str:
    mean, _, _ = along.shown
    low, high = pair(float(mean.min()), float(mean.max()))
    if scale.is_class:
        low, high = in_percent(low), in_percent(high)
    return sentence("picture.between", low=low, high=high)


def _curve(along: Along, scale: Scale, *, averaged: bool) -> Panel:
    mean, lower, upper = (drawn(each, scale) for each in along.shown)
    if along.levels:
        return BarPanel(
            quoted(along.column), _effect_label(scale), "", (), _names(along.levels, along.x), mean, lower, upper
        )
    rows = evenly_spaced(len(along.at), MOST_POINTS)
    points, line = sentence("picture.points", chances=scale.is_class), sentence("picture.line", chances=scale.is_class)
    residuals = Points(positions(along.at[rows], scale), drawn(along.residuals[rows], scale), points)
    title = quoted(along.column) if averaged else ""
    x = positions(along.x, scale)
    band = (Ranges if along.few else Band)(x, lower, upper, sentence("picture.range", few=along.few), "signal")
    layers = (residuals, band, Line(x, mean, line, "mean"))
    return Panel(title, along.column, _effect_label(scale), layers)


def positions(x: Array, scale: Scale) -> Positions:
    """Places along a column as they are drawn: dates where it is a calendar."""
    return instants(scale.axis, x) if isinstance(scale, Units) else x


def _effect_label(scale: Scale) -> str:
    of = "chance" if scale.is_class else "log" if scale.is_log else "effect"
    return sentence("picture.axis", of=of, event=quoted(scale.event), it=scale.it)


def joint_figures(effect: EffectFindings, scale: Scale) -> tuple[Figure, ...]:
    """The surface of an effect of two columns (or of the two along which it differs most), with two slices."""
    record, surface = effect.record, effect.record.surface
    if surface is None or record.interaction is None:
        return ()
    panels = (_heat(record, surface, scale), _slices(record, record.interaction, scale))
    wide, many = panels[0].wide, len(effect.columns) > 2
    it, (first, second) = capital(scale.it) if scale.is_class else scale.it, map(quoted, surface.columns)
    columns = joined([first, second])
    caption: str = sentence("picture.surface", it=it, columns=columns, many=many, chances=scale.is_class)
    if wide is not None:
        caption = sentence("picture.dashed", caption=caption, width=amount(wide, 2))
    mean, _, _ = surface.shown
    low, high = pair(float(mean.min()), float(mean.max()))
    alt = sentence("picture.heat_map", first=first, second=second, low=low, high=high)
    return (Figure(f"fig-{effect.id}-joint", caption, alt, panels),)


def _heat(effect: TableEffect, surface: EffectGrid, scale: Scale) -> HeatPanel:
    values, lower, upper = (drawn(each, scale) for each in surface.shown)
    width, sides = upper - lower, [effect.by_column[column] for column in surface.columns]
    wide = _round(LIMITS["wide_range"] * float(np.ptp(values)))
    first, second = (side.at for side in sides)
    rows = evenly_spaced(len(first), MOST_POINTS)
    names = [_names(side.levels, axis) for side, axis in zip(sides, surface.axes, strict=True)]
    it = capital(scale.it) if scale.is_class else scale.it
    title = sentence("picture.title", it=it, chances=scale.is_class)
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


def _slices(effect: TableEffect, slices: Interaction, scale: Scale) -> Panel:
    """The effect along one column where the other is low and where it is high."""
    layers: list[Points | Line | Band] = []
    kind = Ranges if slices.few else Band
    apart = abs(slices.cuts[0][0] - slices.cuts[-1][0])
    for (place, shown), line, band in zip(slices.cuts, ("mean", "forecast"), ("signal", "forecast"), strict=True):
        mean, lower, upper = (drawn(each, scale) for each in shown)
        names = _names(effect.by_column[slices.by].levels, np.array([place]))
        value = names[0] if names else amount(place, spread=apart)
        at = sentence("picture.where", column=quoted(slices.by), value=value)
        layers += [kind(slices.x, lower, upper, "", band), Line(slices.x, mean, at, line)]
    names = _names(effect.by_column[slices.along].levels, slices.x)
    return Panel(
        sentence("picture.along", column=quoted(slices.along)), slices.along, _effect_label(scale), tuple(layers),
        x_ticks=tuple(zip(slices.x.tolist(), names, strict=False)),
    )  # fmt: skip


# --- errors -----------------------------------------------------------------------------------------------------------


def errors_figure(findings: TableFindings, scale: Scale) -> Figure:
    """Each value against its prediction, the errors in order, and the share of values in ranges of each width."""
    out = findings.left_out
    held = joined([rounded_percent(share) for share in out.held])
    levels = joined([rounded_percent(level) for level in out.levels])
    alt = sentence("picture.held", levels=levels, held=held)
    ranges = held_panel(sentence("picture.ranges"), out.levels, out.held, len(out.errors))
    panels = (_predicted(findings, scale), quantile_panel(out.errors), ranges)
    return Figure("fig-errors", _thinned(sentence("picture.errors"), findings.n), alt, panels)
