"""Figures of reports on series: layers of points, lines and bands, and a sentence for those who cannot see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.claims.claim import LEVEL_CHANGES, Claim, told
from autostatistician.claims.kinds import Kind
from autostatistician.describe.axis.lengths import axis_title
from autostatistician.describe.axis.places import instants, place, place_of_change, stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.document.document import Band, Figure, Line, Marker, Panel, Points
from autostatistician.describe.document.series.cycle_pictures import ALIKE, DataBesidePart, turn_panel
from autostatistician.describe.facts.curves import SeriesCurves
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.findings import SeriesFindings, SeriesPart
from autostatistician.describe.facts.part import ChangeSteepness, CombinedCycles, Periodicity
from autostatistician.describe.words.amounts import added, drawn, drawn_level, one_added
from autostatistician.describe.words.column_values import usual_text
from autostatistician.forms import Curve
from autostatistician.i18n.messages import message, say, say_as, say_count
from autostatistician.i18n.numbers import capital, count

__all__ = ["course_figure", "end_of_data", "forecast_figure", "overview_figure", "part_figure"]

Layer = Points | Line | Band | Marker

RECENT_HORIZONS = 3  # the forecast figure shows this many times the horizon of past data, at least
LEAST_RECENT = 30  # data
MOST_CYCLES, LAST_CYCLES = 60, 12  # of a part with more cycles than those only the last few are drawn
LEAST_POINTS = 5  # points of the grid in every cycle
EXACTLY_ALIKE = 1e-4  # of the spread of the data: values that differ by less are one in a picture
_COURSE = message("most plausible course")
_SAMPLE = message("other courses that the data allow")
SHOWN_SAMPLES = 2  # drawn beside a band


def overview_figure(
    curves: SeriesCurves,
    units: Units,
    trend: bool = True,
    happened: Sequence[Claim] = (),
    *,
    caption: str = "",
    columns: str = "",
) -> Figure:
    """The data with the fitted model and its forecast; without lines where there is no ``trend`` to draw.

    LevelChange changes and changes of scatter among the facts that are told on what ``happened`` are marked by name.
    ``caption`` says what is drawn, where that is not the data with a model of time alone but one with ``columns``.
    """
    inside, ahead = curves.observation.until(units.last), _ahead(curves)
    layers: list[Layer] = [_band(inside, units, say("95% range of single values"), "observation")]
    if trend:
        layers.append(_line(inside, units, say_as("in a picture", "model"), "mean"))
    if ahead.x.size > 1:
        layers.append(_band(ahead, units, say("95% range of the forecast"), "forecast"))
        layers += (
            [*_courses_ahead(curves, units), _line(ahead, units, say_as("in a picture", "forecast"), "forecast")]
            if trend
            else []
        )
    marks = _happened(happened, units)
    layers += [_data(curves, units), *_set_aside(curves, units), end_of_data(units), *marks]
    told = {"target": units.target, "first": stamp(units.first, units), "last": stamp(units.last, units)}
    told["fitted"] = _fitted(columns, trend=trend)
    alt = say("The values of '{target}' as points from {first} to {last}, {fitted}.", **told)
    captions: list[str] = [caption or say(_OF_DATA[trend])]
    if ahead.x.size > 1:
        alt = say(
            "The values of '{target}' as points from {first} to {last}, {fitted}, and the forecast beyond the end of "
            "the data as {band}.",
            **told, band=_widens(ahead),
        )  # fmt: skip
        captions.append(say("The forecast begins where the data end."))
    return Figure("fig-overview", " ".join(captions), alt, (_panel("", units, layers),))


def course_figure(findings: SeriesFindings, units: Units) -> Figure:
    """The data with the model over time alone; the words of columns beside it say with which values of these."""
    caption = ""
    if findings.covariates is not None and findings.covariates.told:
        caption = say(_LESS_COLUMNS[not findings.pure], it=units.it, usual=usual_text(findings.covariates.told))
    return overview_figure(findings.curves, units, not findings.pure, findings.claims, caption=caption)


# By whether there is a model to draw.
_LESS_COLUMNS = {
    True: message(
        "{it} {usual}: the data less what columns add (points), the model (line) and its 95% range for single values."
    ),
    False: message("{it} {usual}: the data less what columns add (points), and the 95% range of single values."),
}
_OF_DATA = {
    True: message("The data (points), the model (line) and its 95% range for single values."),
    False: message("The data (points) and the 95% range of single values."),
}


def _fitted(columns: str, *, trend: bool) -> str:
    """What is drawn through the data."""
    if not trend:
        return say("the range of random scatter as a band")
    if columns:
        return say("the fitted model with {columns} as a line through them with a band", columns=columns)
    return say("the fitted model as a line through them with a band")


def part_figure(part: SeriesPart, data: SeriesCurves, units: Units, rest: NDArray[np.float64]) -> Figure:
    """Two panels: the part alone, and the sum of all parts up to it with the data.

    A cycle that is drawn once has the data beside it less the other parts: with the ``rest`` (n,) of the model.
    """
    number, noise, curves = part.number, part.is_noise, part.curves
    places = [fact.location for fact in part.facts if isinstance(fact, ChangeSteepness) and not fact.told]
    changes = [Marker(_where(at, units), say("change: {place}", place=place_of_change(at, units))) for at in places]
    flat = not (noise or changes) and bool(np.ptp(curves.alone.mean) < EXACTLY_ALIKE * units.spread)
    start = _last_cycles(curves.alone, part.facts, units)
    alone, label = _in_per_cent(curves.alone, units), _label(_PART_LABELS, units)
    seen = DataBesidePart(data.x, drawn(part.mean + rest, units))
    turn = turn_panel(alone, part.facts, units, label, seen)
    is_cut = start is not None and not turn
    panels = (
        turn
        or _panel(
            say("This part alone, the last {n} cycles", n=count(LAST_CYCLES)) if is_cut else say("This part alone"),
            units,
            [*_alone(part, alone, data, start, units), *changes, end_of_data(units)],
            label,
        ),
        _together(part, data, units),
    )
    so_far, what = _sum_of(number), _what(noise=noise, turn=bool(turn), cut=is_cut)
    caption: str = (
        say("{sum}, and the data.", sum=capital(so_far))
        if flat
        else say("{what}; {sum} with the data.", what=what, sum=so_far)
    )
    alt = say(
        _OF_PARTS[bool(turn), noise],
        number=number, reach=_reach(part.mean, units), sum=so_far,
    )  # fmt: skip
    return Figure(f"fig-{part.id}", caption, alt, panels[1:] if flat else panels)


# By whether one turn of a cycle is drawn, and whether the part is noise.
_OF_PARTS = {
    (True, False): message(
        "Part {number} in one turn of its cycle as a line with a band, {reach} at the data; {sum} as a line with a "
        "band, over the data as points."
    ),
    (False, True): message(
        "Part {number} alone as points in a band, {reach} at the data; {sum} as a line with a band, over the data as "
        "points."
    ),
    (False, False): message(
        "Part {number} alone as a line with a band, {reach} at the data; {sum} as a line with a band, over the data as "
        "points."
    ),
}


def _what(*, noise: bool, turn: bool, cut: bool) -> str:
    """What the picture of a part shows of it."""
    if turn:
        return say("What this part adds in one turn of its cycle")
    if noise:
        return say("What the rest of the model leaves of each value")
    if cut:
        return say("What this part adds, the last {n} cycles", n=count(LAST_CYCLES))
    return say("What this part adds")


def _sum_of(number: int) -> str:
    """The parts up to one, as a noun."""
    if number == 1:
        return say("this part")
    return say("the sum of parts 1 and 2") if number == 2 else say("the sum of parts 1 to {last}", last=number)


def _together(part: SeriesPart, data: SeriesCurves, units: Units) -> Panel:
    """The sum of all parts up to this one, with the data."""
    title = say("Parts 1 and 2 together") if part.number == 2 else say("Parts 1 to {last} together", last=part.number)
    title = say("This part and the data") if part.number == 1 else title
    total = _posterior(
        _as_level(part.curves.cumulative, units), units, role="observation" if part.is_noise else "signal"
    )
    return _panel(title, units, [*total, _data(data, units, data.offset), end_of_data(units)])


def _reach(values: NDArray[np.float64], units: Units) -> str:
    """Between what some values lie; of such that no eye can tell apart, at which one."""
    size, gap = float(np.abs(values).max()), float(np.ptp(values))
    if gap < EXACTLY_ALIKE * units.spread or gap < ALIKE * min(size, units.spread):
        middle = 0.0 if size < ALIKE * units.spread else float(np.median(values))
        return say_as("of a curve", "at {value}", value=one_added(middle, units))
    low, high = added(float(values.min()), float(values.max()), units)
    return say("between {low} and {high}", low=low, high=high)


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


def _alone(part: SeriesPart, alone: Curve, data: SeriesCurves, start: float | None, units: Units) -> tuple[Layer, ...]:
    """A part with its band, and a few draws that show how it might run within it.

    Noise has a value only where there is a datum: points in a band instead of a line.
    """
    if not part.is_noise:
        curve = _from(alone, start)
        band, line = _posterior(curve, units)
        kept = slice(len(alone.x) - len(curve.x), None)
        draws = [drawn(draw[kept], units) for draw in part.curves.samples[:SHOWN_SAMPLES]]
        return band, *(Line(instants(units.axis, curve.x), draw, say(_SAMPLE), "sample") for draw in draws), line
    sizes = np.abs(part.mean)
    there = sizes > 1e-4 * sizes.max()  # where a part does not apply it has nothing to show
    points = Points(instants(units.axis, data.x[there]), drawn(part.mean[there], units), say_as("in a picture", "data"))
    return _band(alone, units, say("95% range of single values"), "observation"), points


def forecast_figure(curves: SeriesCurves, units: Units, trend: bool = True) -> Figure:
    """The last part of the data with the model, and the forecast that joins it."""
    steps = curves.forecast
    start = curves.x[-min(curves.x.size, max(RECENT_HORIZONS * steps.x.size, LEAST_RECENT))]
    keep = curves.x >= start
    inside, ahead = curves.observation.until(units.last), _ahead(curves)
    past = _from(inside, float(start))
    layers: list[Layer] = [_band(ahead, units, say("95% range of the forecast"), "forecast")]
    if trend:
        layers += [_line(past, units, say_as("in a picture", "model"), "mean"), *_courses_ahead(curves, units)]
        layers += [_line(ahead, units, say_as("in a picture", "forecast"), "forecast")]
    layers += [
        Points(instants(units.axis, curves.x[keep]), curves.y[keep], say_as("in a picture", "data")),
        end_of_data(units),
    ]
    alt = say_count(
        int(keep.sum()),
        "The last {n} values of '{target}' as points, then the forecast from {first} to {last} as {band}.",
        "The last {n} values of '{target}' as points, then the forecast from {first} to {last} as {band}.",
        n=int(keep.sum()),
        target=units.target,
        first=stamp(steps.x[0], units),
        last=stamp(steps.x[-1], units),
        band=_widens(ahead),
    )
    caption = (
        say("The end of the data (points), the model (line), and the forecast with its 95% range.")
        if trend
        else say("The end of the data (points), and the 95% range of new values.")
    )
    return Figure("fig-forecast", caption, alt, (_panel("", units, layers),))


# --- scales ---------------------------------------------------------------------------------------------


def _in_per_cent(curve: Curve, units: Units) -> Curve:
    mean, lower, upper = (drawn(each, units) for each in (curve.mean, curve.lower, curve.upper))
    return replace(curve, mean=mean, lower=lower, upper=upper)


def _as_level(curve: Curve, units: Units) -> Curve:
    mean, lower, upper = (drawn_level(each, units) for each in (curve.mean, curve.lower, curve.upper))
    return replace(curve, mean=mean, lower=lower, upper=upper)


_PART_LABELS = (
    message("part of '{target}'"), message("part of '{target}', in %"),
    message("part of '{target}', all else as usual, in %"),
)  # fmt: skip


def _label(labels: tuple[str, str, str], units: Units) -> str:
    """The vertical axis: of values, of their logarithm or of the logarithm of their odds."""
    return say(labels[2 if units.is_odds else 1 if units.is_log else 0], target=units.target)


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
        Line(there, draw[ahead], say("possible courses, without scatter"), "sample")
        for draw in curves.samples[:SHOWN_SAMPLES]
    ]


def _ahead(curves: SeriesCurves) -> Curve:
    """The forecast from step to step (between the steps there will be no values), from the end of the model on."""
    end, steps = curves.observation.until(float(curves.x[-1])), curves.forecast
    names = ("x", "mean", "sd", "lower", "upper")
    return Curve(*(np.concatenate([getattr(end, name)[-1:], getattr(steps, name)]) for name in names))


def _posterior(curve: Curve, units: Units, label: str = "", role: str = "signal") -> tuple[Layer, ...]:
    text = say("95% band") if role == "signal" else say("95% range of single values")
    return _band(curve, units, text, role), _line(curve, units, label or say(_COURSE), "mean")


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
    return [Points(instants(units.axis, places), values, say_as("values", "set aside"), names, "aside")]


def _data(curves: SeriesCurves, units: Units, offset: float = 0.0) -> Points:
    return Points(instants(units.axis, curves.x), curves.y - offset, say_as("in a picture", "data"))


def _happened(claims: Sequence[Claim], units: Units) -> list[Marker]:
    """Where something happened, with a word for it: sudden changes, their ends, changes of scatter with a date."""
    marks = []
    for claim in told(claims, *LEVEL_CHANGES, Kind.SCATTER):
        up = claim.number.is_up
        if claim.kind is not Kind.SCATTER:
            marks.append((claim.at[1], _RISE if up else _FALL))
            marks += [(until, _BACK) for until in claim.at[2:]]
        elif claim.form in ("at", "stretch"):
            what = _MORE_SCATTER if up else _LESS_SCATTER
            marks += [(at, what) for at, what in zip(claim.at, (what, _BACK), strict=False) if at not in dict(marks)]
    return [Marker(_where(at, units), say(what, place=place(at, units))) for at, what in sorted(marks)]


_RISE, _FALL, _BACK = message("rise: {place}"), message("fall: {place}"), message("back: {place}")
_MORE_SCATTER, _LESS_SCATTER = message("more scatter: {place}"), message("less scatter: {place}")


def end_of_data(units: Units) -> Marker:
    """Where the data end."""
    return Marker(_where(units.last, units), say("end of the data"))


def _where(position: float, units: Units) -> float | str:
    """A position for a marker: a number or an ISO 8601 time."""
    if not units.axis.is_calendar:
        return position
    return str(np.asarray(instants(units.axis, np.array([position])))[0])


def _widens(curve: Curve) -> str:
    if curve.sd.size < 2 or curve.sd[-1] < 1.1 * curve.sd[0]:
        return say("a band of nearly constant width")
    return say("a band that widens")
