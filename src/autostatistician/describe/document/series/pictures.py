"""Figures of reports on series: layers of points, lines and bands, and a sentence for those who cannot see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.describe.axis.lengths import axis_title
from autostatistician.describe.axis.places import instants, place, stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.document.document import Band, Figure, Line, Marker, Panel, Points
from autostatistician.describe.document.series.cycle_pictures import DataBesidePart, turn_panel
from autostatistician.describe.facts.curves import SeriesCurves
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.findings import SeriesPart
from autostatistician.describe.facts.function import FunctionFact, ScatterStep, SuddenChange
from autostatistician.describe.facts.part import ChangeSteepness, CombinedCycles, Periodicity
from autostatistician.describe.words.amounts import added, drawn, drawn_level, one_added
from autostatistician.forms import Curve
from autostatistician.wording.numbers import capital, count

__all__ = ["end_of_data", "forecast_figure", "overview_figure", "part_figure", "residual_figure"]

Layer = Points | Line | Band | Marker

RECENT_HORIZONS = 3  # the forecast figure shows this many times the horizon of past data, at least
LEAST_RECENT = 30  # data
MOST_CYCLES, LAST_CYCLES = 60, 12  # of a part with more cycles than those only the last few are drawn
LEAST_POINTS = 5  # points of the grid in every cycle
EXACTLY_ALIKE = 1e-6  # of the spread of the data: values that differ by less are one
ALIKE = 0.02  # of their size, and of the spread of the data: no eye sees a difference
_COURSE = "most plausible course"
_SAMPLE = "other courses that the data allow"
SHOWN_SAMPLES = 2  # drawn beside a band


def overview_figure(
    curves: SeriesCurves,
    units: Units,
    trend: bool = True,
    happened: Sequence[FunctionFact] = (),
    *,
    data: str = "The data (points) and",
    model: str = "the model",
) -> Figure:
    """The data with the fitted model and its forecast; without lines where there is no ``trend`` to draw.

    Sudden changes and changes of scatter among the facts that are told on what ``happened`` are marked by name. The
    caption begins with ``data`` and calls the line ``model``.
    """
    inside, ahead = curves.observation.until(units.last), _ahead(curves)
    layers: list[Layer] = [_band(inside, units, "95% range of single values", "observation")]
    if trend:
        layers.append(_line(inside, units, "model", "mean"))
    if ahead.x.size > 1:
        layers.append(_band(ahead, units, "95% range of the forecast", "forecast"))
        layers += [*_courses_ahead(curves, units), _line(ahead, units, "forecast", "forecast")] if trend else []
    marks = _happened(happened, units)
    layers += [_data(curves, units), *_set_aside(curves, units), end_of_data(units), *marks]
    line = f"the fitted{model.removeprefix('the')} as a line through them with a band"
    fitted = line if trend else "the range of random scatter as a band"
    alt = (
        f"The values of '{units.target}' as points from {stamp(units.first, units)} to {stamp(units.last, units)}, "
        f"{fitted}"
    )
    alt += f", and the forecast beyond the end of the data as a band {_widens(ahead)}." if ahead.x.size > 1 else "."
    around = f"{model} (line) with the range around it that" if trend else "the range that"
    caption = f"{data} {around} holds a single value with a chance of 95%."
    if ahead.x.size > 1:
        caption += f" The forecast is to the right of the {'last ' if marks else ''}dashed line."
    return Figure("fig-overview", caption, alt, (_panel("", units, layers),))


def part_figure(part: SeriesPart, data: SeriesCurves, units: Units, rest: NDArray[np.float64]) -> Figure:
    """Two panels: the part alone, and the sum of all parts up to it with the data.

    A cycle that is drawn once has the data beside it less the other parts: with the ``rest`` (n,) of the model.
    """
    number, noise, curves = part.number, part.is_noise, part.curves
    changes = [_change(fact, units) for fact in part.facts if isinstance(fact, ChangeSteepness)]
    flat = not (noise or changes) and bool(np.ptp(curves.alone.mean) < EXACTLY_ALIKE * units.spread)
    start = _last_cycles(curves.alone, part.facts, units)
    alone, label = _in_per_cent(curves.alone, units), _part_label("part of", units)
    seen = DataBesidePart(data.x, drawn(part.mean + rest, units))
    turn = turn_panel(alone, part.facts, units, label, seen)
    cut = "" if start is None or turn else f", the last {count(LAST_CYCLES)} cycles"
    panels = (
        turn
        or _panel(
            f"This part alone{cut}",
            units,
            [*_alone(part, alone, data, start, units), *changes, end_of_data(units)],
            label,
        ),
        _together(part, data, units),
    )
    so_far = "this part" if number == 1 else f"the sum of {_up_to(number)}"
    what = "what the rest of the model leaves of each value" if noise else "what this part adds"
    what = "what this part adds in one turn of its cycle" if turn else what
    band = " The bands hold the true course with a chance of 95%." if number == 1 and not noise else ""
    caption = (
        f"{capital(so_far)}, and the data.{band}" if flat else f"{capital(what)}{cut}; {so_far} with the data.{band}"
    )
    where = "in one turn of its cycle" if turn else "alone"
    alt = f"Part {number} {where} {_drawn(part, units)}; {so_far} as a line with a band, over the data as points."
    return Figure(f"fig-{part.id}", caption, alt, panels[1:] if flat else panels)


def _together(part: SeriesPart, data: SeriesCurves, units: Units) -> Panel:
    """The sum of all parts up to this one, with the data."""
    title = "This part and the data" if part.number == 1 else f"{capital(_up_to(part.number))} together"
    total = _posterior(
        _as_level(part.curves.cumulative, units), units, role="observation" if part.is_noise else "signal"
    )
    return _panel(title, units, [*total, _data(data, units, data.offset), end_of_data(units)])


def _up_to(number: int) -> str:
    return f"parts 1 {'and' if number == 2 else 'to'} {number}"


def _drawn(part: SeriesPart, units: Units) -> str:
    """How the picture of a part looks."""
    return (
        f"{'as points in a band' if part.is_noise else 'as a line with a band'}, {_reach(part.mean, units)} at the data"
    )


def _reach(values: NDArray[np.float64], units: Units) -> str:
    """Between what some values lie; of such that no eye can tell apart, at which one."""
    size, gap = float(np.abs(values).max()), float(np.ptp(values))
    if gap < EXACTLY_ALIKE * units.spread or gap < ALIKE * min(size, units.spread):
        middle = 0.0 if size < EXACTLY_ALIKE * units.spread else float(np.median(values))
        return f"at {one_added(middle, units)}"
    low, high = added(float(values.min()), float(values.max()), units)
    return f"between {low} and {high}"


def _last_cycles(curve: Curve, facts: tuple[Fact, ...], units: Units) -> float | None:
    """Where the last few cycles begin, of a part that has too many to be drawn; None where it has not."""
    periods = [fact.number for fact in facts if isinstance(fact, Periodicity)]
    periods += [cycle.number for fact in facts if isinstance(fact, CombinedCycles) for cycle in fact.cycles]
    shortest = min(periods, default=units.span)
    start = units.last - LAST_CYCLES * shortest
    seen = int(np.sum((curve.x >= start) & (curve.x <= units.last)))
    return start if units.span > MOST_CYCLES * shortest and seen >= LEAST_POINTS * LAST_CYCLES else None


def _from(curve: Curve, start: float | None) -> Curve:
    return curve if start is None else curve.cut(slice(int(np.searchsorted(curve.x, start)), None))


def _change(fact: ChangeSteepness, units: Units) -> Marker:
    return Marker(_where(fact.location, units), f"change: {place(fact.location, units)}")


def _alone(part: SeriesPart, alone: Curve, data: SeriesCurves, start: float | None, units: Units) -> tuple[Layer, ...]:
    """A part with its band, and a few draws that show how it might run within it.

    Noise has a value only where there is a datum: points in a band instead of a line.
    """
    if not part.is_noise:
        curve = _from(alone, start)
        band, line = _posterior(curve, units)
        kept = slice(len(alone.x) - len(curve.x), None)
        draws = [drawn(draw[kept], units) for draw in part.curves.samples[:SHOWN_SAMPLES]]
        return band, *(Line(instants(units.axis, curve.x), draw, _SAMPLE, "sample") for draw in draws), line
    sizes = np.abs(part.mean)
    there = sizes > 1e-4 * sizes.max()  # where a part does not apply it has nothing to show
    points = Points(instants(units.axis, data.x[there]), drawn(part.mean[there], units), "data")
    return _band(alone, units, "95% range of single values", "observation"), points


def residual_figure(part: SeriesPart, data: SeriesCurves, units: Units) -> Figure | None:
    """What the parts so far leave over, with the sum of the later parts; None after the last part."""
    residuals, remaining = part.curves.left, part.curves.remaining
    if remaining is None:
        return None
    label = "data less the parts so far, in per cent" if units.is_log else "data minus the parts so far"
    label = "data without the parts so far, in per cent" if units.is_odds else label
    points = Points(instants(units.axis, data.x), drawn(residuals, units), label)
    rest = _in_per_cent(remaining, units)
    layers: list[Layer] = [*_posterior(rest, units, "sum of the later parts"), points, end_of_data(units)]
    earlier = "part 1" if part.number == 1 else f"the first {count(part.number)} parts"
    alt = (
        f"What remains of the data after {earlier} as points {_reach(residuals, units)}, "
        "with the sum of the later parts as a line with a band."
    )
    caption = "What the parts so far leave over (points), and what the later parts make of it (line and 95% band)."
    return Figure(f"fig-{part.id}-rest", caption, alt, (_panel("", units, layers, _part_label("rest of", units)),))


def forecast_figure(curves: SeriesCurves, units: Units, trend: bool = True) -> Figure:
    """The last part of the data with the model, and the forecast that joins it."""
    steps = curves.forecast
    start = curves.x[-min(curves.x.size, max(RECENT_HORIZONS * steps.x.size, LEAST_RECENT))]
    keep = curves.x >= start
    inside, ahead = curves.observation.until(units.last), _ahead(curves)
    past = _from(inside, float(start))
    layers: list[Layer] = [_band(ahead, units, "95% range of the forecast", "forecast")]
    if trend:
        layers += [_line(past, units, "model", "mean"), *_courses_ahead(curves, units)]
        layers += [_line(ahead, units, "forecast", "forecast")]
    layers += [Points(instants(units.axis, curves.x[keep]), curves.y[keep], "data"), end_of_data(units)]
    alt = (
        f"The last {int(keep.sum())} values of '{units.target}' as points, then the forecast from "
        f"{stamp(steps.x[0], units)} to {stamp(steps.x[-1], units)} as a band {_widens(steps)}."
    )
    caption = (
        "The end of the data (points), the model (line), and the forecast with the range that holds a new value with a "
        "chance of 95%."
    )
    if not trend:
        caption = "The end of the data (points), and the range that holds a new value with a chance of 95%."
    return Figure("fig-forecast", caption, alt, (_panel("", units, layers),))


# --- scales ---------------------------------------------------------------------------------------------


def _in_per_cent(curve: Curve, units: Units) -> Curve:
    mean, lower, upper = (drawn(each, units) for each in (curve.mean, curve.lower, curve.upper))
    return replace(curve, mean=mean, lower=lower, upper=upper)


def _as_level(curve: Curve, units: Units) -> Curve:
    mean, lower, upper = (drawn_level(each, units) for each in (curve.mean, curve.lower, curve.upper))
    return replace(curve, mean=mean, lower=lower, upper=upper)


def _part_label(what: str, units: Units) -> str:
    if units.is_odds:
        return f"{what} '{units.target}', all else as usual, in %"
    return f"{what} '{units.target}'{', in %' if units.is_log else ''}"


# --- layers ---------------------------------------------------------------------------------------------


def _panel(title: str, units: Units, layers: list[Layer], y_label: str = "") -> Panel:
    """A panel along the axis of the data; values of the target (no ``y_label``) as ratios where these are modelled."""
    ratios = not y_label and units.is_log and not units.is_odds and all(_above_zero(layer) for layer in layers)
    return Panel(title, axis_title(units), y_label or units.target, tuple(layers), logarithmic=ratios)


def _above_zero(layer: Layer) -> bool:
    match layer:
        case Band(lower=lower):
            return bool((lower > 0.0).all())
        case Points(y=y) | Line(y=y):
            return bool((y > 0.0).all())
        case Marker():
            return True


def _courses_ahead(curves: SeriesCurves, units: Units) -> list[Layer]:
    """Draws of the signal from the end of the data on; none where there is no forecast."""
    x = curves.observation.x
    ahead = x >= curves.x[-1]
    if ahead.sum() < 2:
        return []
    there = instants(units.axis, x[ahead])
    return [
        Line(there, draw[ahead], "possible courses, without scatter", "sample")
        for draw in curves.samples[:SHOWN_SAMPLES]
    ]


def _ahead(curves: SeriesCurves) -> Curve:
    """The forecast from step to step (between the steps there will be no values), from the end of the model on."""
    end, steps = curves.observation.until(float(curves.x[-1])), curves.forecast
    names = ("x", "mean", "sd", "lower", "upper")
    return Curve(*(np.concatenate([getattr(end, name)[-1:], getattr(steps, name)]) for name in names))


def _posterior(curve: Curve, units: Units, label: str = _COURSE, role: str = "signal") -> tuple[Layer, ...]:
    text = "95% band" if role == "signal" else "95% range of single values"
    return _band(curve, units, text, role), _line(curve, units, label, "mean")


def _band(curve: Curve, units: Units, label: str, role: str) -> Band:
    return Band(instants(units.axis, curve.x), curve.lower, curve.upper, label, role)


def _line(curve: Curve, units: Units, label: str, role: str) -> Line:
    return Line(instants(units.axis, curve.x), curve.mean, label, role)


def _set_aside(curves: SeriesCurves, units: Units) -> list[Layer]:
    """The values that the model was made without."""
    if not curves.aside:
        return []
    places, values = (np.array(each) for each in zip(*curves.aside, strict=True))
    names = tuple(stamp(x, units) for x, _ in curves.aside)
    return [Points(instants(units.axis, places), values, "set aside", names, "aside")]


def _data(curves: SeriesCurves, units: Units, offset: float = 0.0) -> Points:
    return Points(instants(units.axis, curves.x), curves.y - offset, "data")


def _happened(facts: Sequence[FunctionFact], units: Units) -> list[Marker]:
    """Where something happened, with a word for it: sudden changes, their ends, changes of scatter with a date."""
    marks = []
    for fact in filter(lambda fact: fact.told, facts):
        match fact:
            case SuddenChange(at=at, until=until):
                marks.append((at, "fall" if fact.number < 0.0 else "rise"))
                marks += [] if until is None else [(until, "back")]
            case ScatterStep(at=at, between=None):
                marks.append((at, "more scatter" if fact.number > 1.0 else "less scatter"))
    return [Marker(_where(at, units), f"{what}: {place(at, units)}") for at, what in sorted(marks)]


def end_of_data(units: Units) -> Marker:
    """Where the data end."""
    return Marker(_where(units.last, units), "end of the data")


def _where(position: float, units: Units) -> float | str:
    """A position for a marker: a number or an ISO 8601 time."""
    if not units.axis.is_calendar:
        return position
    return str(np.asarray(instants(units.axis, np.array([position])))[0])


def _widens(curve: Curve) -> str:
    if curve.sd.size < 2 or curve.sd[-1] < 1.1 * curve.sd[0]:
        return "of nearly constant width"
    return "that widens"
