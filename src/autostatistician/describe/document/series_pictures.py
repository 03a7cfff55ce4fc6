"""Figures as data: layers of points, lines and bands with labels, and a sentence for those who cannot see them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records.series import Component, Curve, Decomposition
from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.describe.axis import Units, axis_title, instants, place, stamp
from autostatistician.describe.document.cycle_pictures import turn_panel
from autostatistician.describe.document.document import Band, Figure, Line, Marker, Panel, Points
from autostatistician.describe.facts.part import ChangeSteepness, CombinedCycles, Fact, Periodicity
from autostatistician.describe.words.amounts import added
from autostatistician.wording.numbers import amount, capital, count

__all__ = ["component_figure", "forecast_figure", "overview_figure", "path_figure", "residual_figure"]

Vector = NDArray[np.float64]
Layer = Points | Line | Band | Marker

RECENT = 3  # the forecast figure shows this many times the horizon of past data, at least
LEAST_RECENT = 30
MOST_CYCLES, CYCLES = 60, 12  # of a part with more cycles than those only so many are drawn
LEAST_SEEN = 5  # points of the grid in every cycle
MOST = 300.0  # exponents beyond are drawn as those
_COURSE = "most plausible course"
_SAMPLE = "other courses that the data allow"
SAMPLES = 2  # drawn beside a band


def overview_figure(decomposition: Decomposition, units: Units, trend: bool = True) -> Figure:
    """The data with the fitted model and its forecast; without lines where there is no ``trend`` to draw."""
    inside, ahead = _before(decomposition.observation, units.last), _ahead(decomposition)
    layers: list[Layer] = [_band(inside, units, "95% range of single values", "observation")]
    if trend:
        layers.append(_line(inside, units, "model", "mean"))
    if ahead.x.size > 1:
        layers.append(_band(ahead, units, "95% range of the forecast", "forecast"))
        layers += [*_courses_ahead(decomposition, units), _line(ahead, units, "forecast", "forecast")] if trend else []
    layers += [_data(decomposition, units), *_set_aside(decomposition, units), _end(units)]
    fitted = "the fitted model as a line through them with a band" if trend else "the range of random scatter as a band"
    alt = (
        f"The values of '{units.target}' as points from {stamp(units.first, units)} to {stamp(units.last, units)}, "
        f"{fitted}"
    )
    alt += f", and the forecast beyond the end of the data as a band {_widens(ahead)}." if ahead.x.size > 1 else "."
    model = "the model (line) with the range around it that" if trend else "the range that"
    caption = f"The data (points) and {model} holds a single value with a chance of 95%."
    caption += " The forecast is to the right of the dashed line." if ahead.x.size > 1 else ""
    return Figure("fig-overview", caption, alt, (_panel("", units, layers),))


def path_figure(decomposition: Decomposition | TableDecomposition) -> Figure:
    """The criterion of the best model after every level of the search."""
    scores = np.array([score for _, score, _ in decomposition.path])
    levels = np.arange(len(scores), dtype=np.float64)
    layers = (Line(levels, scores, "best so far", "mean"), Points(levels, scores, "level"))
    caption = "The BIC of the best model after every level of the search; lower is better."
    alt = (
        f"A line that falls from {amount(float(scores[0]))} to {amount(float(scores[-1]))} in {len(scores) - 1} levels."
    )
    return Figure("fig-path", caption, alt, (Panel("", "level", "BIC", layers),))


def component_figure(
    name: str, number: int, component: Component, decomposition: Decomposition, facts: tuple[Fact, ...], units: Units
) -> Figure:
    """Two panels: the part alone, and the sum of all parts up to it with the data."""
    changes = [_change(fact, units) for fact in facts if isinstance(fact, ChangeSteepness)]
    noise = component.is_noise
    flat = not (noise or changes) and bool(np.ptp(component.curve.mean) < 1e-6 * units.spread)
    start = _last_cycles(component.curve, facts, units)
    curve = _from(_in_per_cent(component.curve, units), start)
    label = _part_label("part of", units)
    turn = turn_panel(component, _in_per_cent(component.curve, units), facts, units, label)
    alone = _scatter(component, decomposition, units) if noise else _alone(component, curve, units)
    total = _posterior(_as_level(component.cumulative, units), units, role="observation" if noise else "signal")
    data = _data(decomposition, units, decomposition.offset)
    both = "This part and the data" if number == 1 else f"{capital(_up_to(number))} together"
    cut = "" if start is None or turn else f", the last {count(CYCLES)} cycles"
    panels = (
        turn or _panel(f"This part alone{cut}", units, [*alone, *changes, _end(units)], label),
        _panel(both, units, [*total, data, _end(units)]),
    )
    so_far = "this part" if number == 1 else f"the sum of {_up_to(number)}"
    what = "what the rest of the model leaves of each value" if noise else "what this part adds"
    what = "what this part adds in one turn of its cycle" if turn else what
    band = " The bands hold the true course with a chance of 95%." if number == 1 and not noise else ""
    caption = (
        f"{capital(so_far)}, and the data.{band}" if flat else f"{capital(what)}{cut}; {so_far} with the data.{band}"
    )
    seen = "in one turn of its cycle" if turn else "alone"
    alt = f"Part {number} {seen} {_drawn(component, units)}; {so_far} as a line with a band, over the data as points."
    return Figure(f"fig-{name}", caption, alt, panels[1:] if flat else panels)


def _up_to(number: int) -> str:
    return f"parts 1 {'and' if number == 2 else 'to'} {number}"


def _drawn(component: Component, units: Units) -> str:
    """How the picture of a part looks."""
    low, high = added(float(component.mean.min()), float(component.mean.max()), units)
    flat = np.ptp(component.mean) < 1e-6 * units.spread
    same = amount(float(component.mean[0])) if units.level is None else low
    reach = f"at {same}" if flat else f"between {low} and {high}"
    return f"{'as points in a band' if component.is_noise else 'as a line with a band'}, {reach} at the data"


def _last_cycles(curve: Curve, facts: tuple[Fact, ...], units: Units) -> float | None:
    """Where the last few cycles begin, of a part that has too many to be drawn; None where it has not."""
    periods = [one.number for one in facts if isinstance(one, Periodicity)]
    periods += [one.number for fact in facts if isinstance(fact, CombinedCycles) for one in fact.cycles]
    shortest = min(periods, default=units.span)
    start = units.last - CYCLES * shortest
    seen = int(np.sum((curve.x >= start) & (curve.x <= units.last)))
    return start if units.span > MOST_CYCLES * shortest and seen >= LEAST_SEEN * CYCLES else None


def _from(curve: Curve, start: float | None) -> Curve:
    return curve if start is None else _cut(curve, slice(int(np.searchsorted(curve.x, start)), None))


def _change(fact: ChangeSteepness, units: Units) -> Marker:
    return Marker(_where(fact.location, units), f"change: {place(fact.location, units)}")


def _scatter(component: Component, decomposition: Decomposition, units: Units) -> tuple[Layer, ...]:
    """Noise has a value only where there is a datum: points in a band instead of a line."""
    sizes = np.abs(component.mean)
    there = sizes > 1e-4 * sizes.max()  # where a part does not apply it has nothing to show
    points = Points(instants(units.axis, decomposition.x[there]), _per_cents(component.mean[there], units), "data")
    return _band(_in_per_cent(component.curve, units), units, "95% range of single values", "observation"), points


def residual_figure(name: str, number: int, decomposition: Decomposition, units: Units) -> Figure | None:
    """What the parts so far leave over, with the sum of the later parts; None after the last part."""
    component = decomposition.components[number - 1]
    if component.remaining is None:
        return None
    explained = np.sum([part.mean for part in decomposition.components[:number]], axis=0)
    left = np.asarray(decomposition.modelled - explained, dtype=np.float64)
    label = "data minus the parts so far" if units.level is None else "data less the parts so far, in per cent"
    points = Points(instants(units.axis, decomposition.x), _per_cents(left, units), label)
    rest = _in_per_cent(component.remaining, units)
    layers: list[Layer] = [*_posterior(rest, units, "sum of the later parts"), points, _end(units)]
    low, high = added(float(left.min()), float(left.max()), units)
    earlier = "part 1" if number == 1 else f"the first {count(number)} parts"
    alt = (
        f"What remains of the data after {earlier} as points between {low} and {high}, "
        "with the sum of the later parts as a line with a band."
    )
    caption = "What the parts so far leave over (points), and what the later parts make of it (line and 95% band)."
    return Figure(f"fig-{name}-rest", caption, alt, (_panel("", units, layers, _part_label("rest of", units)),))


def forecast_figure(decomposition: Decomposition, units: Units, trend: bool = True) -> Figure:
    """The last part of the data with the model, and the forecast that joins it."""
    steps = decomposition.forecast
    start = decomposition.x[-min(decomposition.x.size, max(RECENT * steps.x.size, LEAST_RECENT))]
    keep = decomposition.x >= start
    inside, ahead = _before(decomposition.observation, units.last), _ahead(decomposition)
    past = _cut(inside, slice(int(np.searchsorted(inside.x, start)), None))
    layers: list[Layer] = [_band(ahead, units, "95% range of the forecast", "forecast")]
    if trend:
        layers += [_line(past, units, "model", "mean"), *_courses_ahead(decomposition, units)]
        layers += [_line(ahead, units, "forecast", "forecast")]
    layers += [Points(instants(units.axis, decomposition.x[keep]), decomposition.y[keep], "data"), _end(units)]
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


def _per_cents(values: Vector, units: Units) -> Vector:
    """Parts of a logarithm in per cent; others as they are."""
    return values if units.level is None else 100.0 * np.expm1(np.minimum(values, MOST))


def _in_per_cent(curve: Curve, units: Units) -> Curve:
    if units.level is None:
        return curve
    lower, upper = (_per_cents(limit, units) for limit in curve.limits)
    return Curve(curve.x, _per_cents(curve.mean, units), curve.sd, lower, upper)


def _as_level(curve: Curve, units: Units) -> Curve:
    """Sums of parts in the units of the data: the median and the limits of a lognormal distribution."""
    if units.level is None:
        return curve
    values = [units.level * np.exp(np.minimum(each, MOST)) for each in (curve.mean, *curve.limits)]
    return Curve(curve.x, values[0], curve.sd, *values[1:])


def _part_label(what: str, units: Units) -> str:
    return f"{what} '{units.target}'" if units.level is None else f"{what} '{units.target}', in %"


# --- layers ---------------------------------------------------------------------------------------------


def _panel(title: str, units: Units, layers: list[Layer], y_label: str = "") -> Panel:
    """A panel along the axis of the data; values of the target (no ``y_label``) as ratios where these are modelled."""
    ratios = not y_label and units.level is not None and all(_above_zero(layer) for layer in layers)
    return Panel(title, axis_title(units), y_label or units.target, tuple(layers), logarithmic=ratios)


def _above_zero(layer: Layer) -> bool:
    match layer:
        case Band(lower=lower):
            return bool((lower > 0.0).all())
        case Points(y=y) | Line(y=y):
            return bool((y > 0.0).all())
        case Marker():
            return True


def _alone(component: Component, curve: Curve, units: Units) -> tuple[Layer, ...]:
    """A part with its band, and a few draws that show how it might run within it."""
    band, line = _posterior(curve, units)
    kept = np.isin(component.curve.x, curve.x)
    draws = [_per_cents(draw[kept], units) for draw in component.samples[:SAMPLES]]
    return band, *(Line(instants(units.axis, curve.x), draw, _SAMPLE, "sample") for draw in draws), line


def _courses_ahead(decomposition: Decomposition, units: Units) -> list[Layer]:
    """Draws of the signal from the end of the data on; none where there is no forecast."""
    x = decomposition.signal.x
    ahead = x >= decomposition.x[-1]
    if ahead.sum() < 2:
        return []
    there = instants(units.axis, x[ahead])
    return [
        Line(there, draw[ahead], "possible courses, without scatter", "sample")
        for draw in decomposition.samples[:SAMPLES]
    ]


def _before(curve: Curve, last: float) -> Curve:
    """A curve up to the end of the data."""
    return _cut(curve, slice(0, int(np.searchsorted(curve.x, last, side="right"))))


def _ahead(decomposition: Decomposition) -> Curve:
    """The forecast from step to step (between the steps there will be no values), from the end of the model on."""
    end, steps = _before(decomposition.observation, float(decomposition.x[-1])), decomposition.forecast
    pairs = ((end.x, steps.x), (end.mean, steps.mean), (end.sd, steps.sd), *zip(end.limits, steps.limits, strict=True))
    return Curve(*(np.concatenate([known[-1:], later]) for known, later in pairs))


def _cut(curve: Curve, piece: slice) -> Curve:
    return Curve(curve.x[piece], curve.mean[piece], curve.sd[piece], *(limit[piece] for limit in curve.limits))


def _posterior(curve: Curve, units: Units, label: str = _COURSE, role: str = "signal") -> tuple[Layer, ...]:
    text = "95% band" if role == "signal" else "95% range of single values"
    return _band(curve, units, text, role), _line(curve, units, label, "mean")


def _band(curve: Curve, units: Units, label: str, role: str) -> Band:
    return Band(instants(units.axis, curve.x), *curve.limits, label, role)


def _line(curve: Curve, units: Units, label: str, role: str) -> Line:
    return Line(instants(units.axis, curve.x), curve.mean, label, role)


def _set_aside(decomposition: Decomposition, units: Units) -> list[Layer]:
    """The values that the model was made without."""
    aside = decomposition.screening.aside
    places, values = np.array([one.x for one in aside]), np.array([one.y for one in aside])
    names = tuple(stamp(one.x, units) for one in aside)
    return [Points(instants(units.axis, places), values, "set aside", names)] if aside else []


def _data(decomposition: Decomposition, units: Units, offset: float = 0.0) -> Points:
    return Points(instants(units.axis, decomposition.x), decomposition.y - offset, "data")


def _end(units: Units) -> Marker:
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
