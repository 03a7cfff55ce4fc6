"""From a decomposition to facts: nothing here is a word, and nothing beyond here computes.

Directions, bends and growth are judged with their uncertainty: each has a probability, by which it is told without
reserve, as probable, or not at all.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf, isfinite
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records.function import SAME_PERIOD, FunctionCourse, LevelChange
from autostatistician.decompose.records.series import Component, Decomposition
from autostatistician.describe.axis.units import Units, units_of
from autostatistician.describe.facts.fact import SHARE, Fact
from autostatistician.describe.facts.judgement import LIKELY, SURE, scale_is_open
from autostatistician.describe.facts.kinds import Growth
from autostatistician.describe.facts.part import (
    ActiveInterval,
    Amplitude,
    AmplitudeChange,
    ChangeSteepness,
    ConstantLevel,
    CrossValidatedError,
    DampedTrend,
    Extrapolation,
    Head,
    LinearTrend,
    NoiseLevel,
    Periodicity,
    PolynomialTrend,
    SmoothVariation,
    Trend,
    VarianceExplained,
    Wandering,
)
from autostatistician.describe.observe.series.anatomy import Anatomy, ComponentView, component_view, spans
from autostatistician.describe.observe.series.heads import head_fact, reach, shown_spans, sign_of, slope_band
from autostatistician.forms import BAND_SDS
from autostatistician.kernels.leaf_row import LeafKind

__all__ = ["component_facts", "component_id", "on_scale", "units_for"]


OVERALL = 0.3  # share of its size that a part goes one way, from which that is its direction

MOST_BACK = 0.25  # of its size: what goes against its direction by more must not be hidden by it

Vector = NDArray[np.float64]

Span = tuple[float, float]

AnyFact = TypeVar("AnyFact", bound=Fact)

AT_EDGE = 0.02  # of the span: a linear factor that vanishes this close to an end of the data just grows from there

AGAINST = 0.8  # of the swings of a third of the data: those of another must not be smaller and said to be larger

NEARBY = 1 / 6  # of the span: what is near to the place where swings are smallest

FEWEST_ROWS, FEWEST_NEARBY = 24, 4  # of a part, and of a stretch of it, that tell how large its swings are


def component_id(component: Component, decomposition: Decomposition) -> str:
    """The stable name of a component: "part-1" for the first of the decomposition."""
    return f"part-{_index(component, decomposition) + 1}"


def _index(component: Component, decomposition: Decomposition) -> int:
    return next(i for i, other in enumerate(decomposition.components) if other is component)


def component_facts(
    component: Component, decomposition: Decomposition, happened: tuple[LevelChange, ...] = ()
) -> tuple[Fact, ...]:
    """All facts about one component: what it is first, then how big, how it changes, where it applies, its gains.

    Its changes are told by what ``happened`` there, if anything did.
    """
    units, name = units_for(decomposition), component_id(component, decomposition)
    of = component_view(name, component, decomposition.x, units, happened)
    head = _as_drawn(head_fact(of), decomposition.function)
    facts = (
        head,
        *(trend(name, head, of) if shown_spans(spans(of.part.gates), units) else ()),
        *_amplitude(head, of),
        *_amplitude_change(head, of),
        *_interval(of, decomposition.x),
        *_gains(name, component),
        _extrapolation(name, of.part, units),
    )
    return on_scale(facts, decomposition)


def _as_drawn(head: Head, course: FunctionCourse | None) -> Head:
    """A cycle with whether its shape stays as it is by draws of the function and by the data, where these show it."""
    if not isinstance(head, Periodicity) or head.drift is None or course is None:
        return head
    seasons = [season for season in course.seasons if abs(season.period - head.number) <= SAME_PERIOD * head.number]
    return replace(head, steady=all(season.changing < LIKELY for season in seasons)) if seasons else head


def units_for(decomposition: Decomposition) -> Units:
    """The units of a decomposition; where the logarithm is modelled, with the typical level."""
    d = decomposition
    units = units_of(d.axis, d.x, d.y if d.level is None else d.modelled, d.target, d.level)
    units = replace(units, is_curve=d.is_curve)
    if d.transform.is_odds:
        units = replace(units, top=d.transform.top)
    if d.counts is not None:
        floor = max(d.noise_floor, d.counts.seen)
        return replace(
            units, noise_floor=floor, counts=True, law=d.counts.law, dispersion=d.counts.dispersion,
            sizes=d.counts.sizes,
        )  # fmt: skip
    return replace(units, noise_floor=d.noise_floor, open_scale=scale_is_open(d.scale_probability))


def on_scale(facts: tuple[AnyFact, ...], decomposition: Decomposition) -> tuple[AnyFact, ...]:
    """The facts with the unit of the scale that their numbers are on."""
    if decomposition.level is None:
        return facts
    return tuple(replace(fact, unit=fact.unit.replace("target", "log target")) for fact in facts)


# --- how big --------------------------------------------------------------------------------------------


def _amplitude(head: Head, of: ComponentView) -> tuple[Amplitude, ...]:
    untold = any(seen is False for gate in of.part.steps for _, seen in zip(gate.edges, gate.seen, strict=False))
    if isinstance(head, NoiseLevel) or (isinstance(head, ConstantLevel) and not (head.stepped and untold)):
        return ()
    mean, joint = of.component.mean[of.where], of.component.joint
    low, high = float(mean.min()), float(mean.max())
    half = None if joint is None else BAND_SDS * joint.size_sd
    return (
        Amplitude(
            id=f"{of.name}/amplitude", number=high - low, unit="target",
            interval=None if half is None else (max(high - low - half, 0.0), high - low + half),
            evidence="posterior of the part where its mean is highest and lowest among the data where it applies",
            low=low, high=high, first=float(mean[0]), last=float(mean[-1]), is_level=of.part.has_level,
        ),
    )  # fmt: skip


def _amplitude_change(head: Head, of: ComponentView) -> tuple[AmplitudeChange, ...]:
    places = [numbers["location"] for numbers in of.part.of(LeafKind.LINE)]
    if not places or isinstance(head, LinearTrend | PolynomialTrend):
        return ()
    low, high = reach(of.part, of.units)
    margin = AT_EDGE * (high - low)
    kind = _kind_of_change(of.part, of.units)
    noise = isinstance(head, NoiseLevel)
    if not noise and not _borne_out(kind, places, of.x[of.where], of.component.mean[of.where]):
        return ()
    ratio = _ratio(of.part, of.units)
    if isinstance(head, NoiseLevel):
        ratio = head.last / head.first if head.first > 0.0 else inf
    return (
        AmplitudeChange(
            id=f"{of.name}/amplitude-change", number=ratio, unit="1",
            interval=None if noise else of.interval(lambda part: _ratio(part, of.units)),
            evidence="where the fitted linear factors vanish; range and probability from draws of the numbers",
            probability=of.share(lambda part: _kind_of_change(part, of.units) == kind), kind=kind, degree=len(places),
            places=tuple(sorted({place for place in places if low + margin < place < high - margin})),
        ),
    )  # fmt: skip


def _borne_out(kind: Growth, places: list[float], x: Vector, mean: Vector) -> bool:
    """Whether the curve of a part does not contradict what its linear factors say of its swings.

    They say what is likely before the data; what the other factors became may outweigh it.
    """
    if len(x) < FEWEST_ROWS:
        return True
    sizes = np.sqrt([np.mean(third**2) for third in np.array_split(mean, 3)])
    match kind:
        case Growth.GROWS:
            return bool(sizes[2] > AGAINST * sizes[0])
        case Growth.SHRINKS:
            return bool(sizes[0] > AGAINST * sizes[2])
        case Growth.AWAY:
            reach = NEARBY * (x[-1] - x[0])
            stretches = (abs(x - places[0]) <= reach, x < places[0] - reach, x > places[0] + reach)
            if min(map(np.count_nonzero, stretches)) < FEWEST_NEARBY:
                return True
            near, before, after = (float(np.sqrt(np.mean(mean[rows] ** 2))) for rows in stretches)
            return near < before and near < after
        case _:
            return True


def _kind_of_change(part: Anatomy, units: Units) -> Growth:
    places = [numbers["location"] for numbers in part.of(LeafKind.LINE)]
    low, high = reach(part, units)
    margin = AT_EDGE * (high - low)
    if max(places) <= low + margin:
        return Growth.GROWS
    if min(places) >= high - margin:
        return Growth.SHRINKS
    return Growth.AWAY if len(places) == 1 else Growth.POLYNOMIAL


def _ratio(part: Anatomy, units: Units) -> float:
    """The size at the end of the data where the part applies, divided by that at their start."""
    places = [numbers["location"] for numbers in part.of(LeafKind.LINE)]
    start, end = (float(np.prod([abs(at - place) for place in places])) for at in reach(part, units))
    return end / start if start > 0 else inf


# --- where ----------------------------------------------------------------------------------------------


def _interval(of: ComponentView, x: Vector) -> tuple[Fact, ...]:
    if of.part.steps:
        return _steps(of, x)
    if not of.part.gates:
        return ()
    shown = shown_spans(spans(of.part.gates), of.units)
    active = ActiveInterval(
        id=f"{of.name}/interval", number=len(shown), unit="1", evidence="fitted locations of the changes", shown=shown,
    )  # fmt: skip
    bounds = {bound for span in shown for bound in span if isfinite(bound)}
    edges = [
        (edge, i, j) for i, gate in enumerate(of.part.gates) for j, edge in enumerate(gate.edges) if edge in bounds
    ]
    return (active, *(_change(of, x, number, i, j) for number, (_, i, j) in enumerate(sorted(edges), 1)))


def _steps(of: ComponentView, x: Vector) -> tuple[ChangeSteepness, ...]:
    """The changes of a level, each once, by its place: one may be there for what was before and for what came after."""
    places = {
        edge: (i, j)
        for i, gate in enumerate(of.part.steps)
        for j, edge in enumerate(gate.edges)
        if of.units.first < edge < of.units.last
    }
    changes = (_change(of, x, number, *places[edge]) for number, edge in enumerate(sorted(places), 1))
    return tuple(replace(change, rises=_rises(of.component.mean, x > change.location)) for change in changes)


def _rises(mean: Vector, after: NDArray[np.bool_]) -> bool:
    """Whether a level (n,) is higher in the rows after a change than in those before it, near it."""
    near = mean.size // 10 + 1
    return bool(np.median(mean[after][:near]) > np.median(mean[~after][-near:]))


def _change(of: ComponentView, x: Vector, number: int, index: int, side: int) -> ChangeSteepness:
    gate = of.part.switches[index]
    abrupt = gate.duration <= of.units.gap
    told = gate.seen[side]
    lies = None if told else of.interval(lambda part: part.switches[index].edges[side])
    return ChangeSteepness(
        id=f"{of.name}/change-{number}", number=gate.duration, unit="axis",
        evidence="fitted steepness, 10 % to 90 %; ranges from draws of the numbers",
        interval=None if told else of.interval(lambda part: part.switches[index].duration),
        location=gate.edges[side], abrupt=abrupt,
        location_interval=lies if lies is None or not abrupt else _between_data(lies, x), told=told,
    )  # fmt: skip


def _between_data(lies: Span, x: Vector) -> Span:
    """A range with all of the gaps between data at its ends: where in a gap an abrupt change lies, no data tell.

    >>> _between_data((1.4, 2.2), np.arange(5.0)), _between_data((-0.5, 2.0), np.arange(5.0))
    ((1.0, 3.0), (-0.5, 2.0))
    """
    before, after = x[x <= lies[0]], x[x >= lies[1]]
    return float(before.max(initial=min(lies[0], x[0]))), float(after.min(initial=max(lies[1], x[-1])))


# --- what it gains --------------------------------------------------------------------------------------


def _gains(name: str, component: Component) -> tuple[Fact, ...]:
    explained = VarianceExplained(
        id=f"{name}/variance", number=component.residual_r2, unit=SHARE,
        evidence="variance of the residual before and after", after=component.r2,
    )  # fmt: skip
    evidence = "ten-fold cross-validation with fixed parameters"
    return explained, CrossValidatedError(id=f"{name}/error", number=component.mae, unit="target", evidence=evidence)


def _extrapolation(name: str, part: Anatomy, units: Units) -> Extrapolation:
    true = spans(part.gates)
    at_end = [span for span in true if span[0] < units.last <= span[1]]
    later = [span for span in true if span[0] >= units.last]
    current = at_end or later
    end = current[0][1] if current else max((high for _, high in true), default=-inf)
    return Extrapolation(
        id=f"{name}/extrapolation", number=end, unit="axis", evidence="fitted kernel beyond the data",
        ended=not current, begins=-inf if at_end or not later else later[0][0],
    )  # fmt: skip


# --- Facts about the course of a part: where it heads ---------------------------------------------------------------


def trend(name: str, head: Head, of: ComponentView) -> tuple[Trend, ...]:
    """Where a curve heads that does not repeat, and is no line; nothing for other parts."""
    if not isinstance(head, SmoothVariation | Wandering | DampedTrend | PolynomialTrend):
        return ()
    component, x, mean = of.component, of.x[of.where], of.component.mean[of.where]
    number, band = slope_band(component)
    sign, sure, joint = int(np.sign(number)), sign_of(component), component.joint
    always = 0.0 if joint is None else joint.rising if sign > 0 else joint.falling
    steady = sign != 0 and (always >= SURE or (always >= LIKELY and sure < SURE))
    return (
        Trend(
            id=f"{name}/trend", number=number, unit="target per axis", interval=band,
            evidence="joint posterior at the data where the part applies", probability=always if steady else sure,
            direction=sign if sure >= LIKELY and (steady or _goes_one_way(sign * mean)) else 0, steady=steady,
            highest_at=float(x[mean.argmax()]), lowest_at=float(x[mean.argmin()]),
        ),
    )  # fmt: skip


def _goes_one_way(way: Vector) -> bool:
    """Whether a curve rises on the whole, from end to end and from third to third, and nowhere falls by much.

    >>> _goes_one_way(np.array([0.0, 2.0, 1.5, 4.0])), _goes_one_way(np.array([0.0, 4.0, 1.0, 3.0]))
    (True, False)
    """
    third, size = max(len(way) // 3, 1), float(np.ptp(way))
    gained = min(way[-1] - way[0], way[-third:].mean() - way[:third].mean())
    back = (np.maximum.accumulate(way) - way).max()
    return bool(gained >= OVERALL * size and back <= MOST_BACK * size)
