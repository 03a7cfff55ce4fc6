"""From a decomposition to facts: nothing here is a word, and nothing beyond here computes.

Directions are judged with their uncertainty: a slope counts as rising or falling only when it is more
than two posterior standard deviations away from zero.
"""

from __future__ import annotations

from dataclasses import replace
from math import atanh, inf, isfinite, sqrt
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records import Component, Decomposition
from autostatistician.describe.anatomy import (
    SINUSOID_FROM,
    Anatomy,
    Gate,
    anatomy,
    noise_sd,
    openness,
    smooth_length,
    spans,
    within_period,
)
from autostatistician.describe.course import certain_sign, course, cycle_phase
from autostatistician.describe.facts import (
    ActiveInterval,
    Amplitude,
    AmplitudeChange,
    ChangeSteepness,
    CombinedCycles,
    ConstantLevel,
    CrossValidatedError,
    Extrapolation,
    Fact,
    Head,
    LinearTrend,
    MultiscaleVariation,
    NoiseLevel,
    Periodicity,
    PolynomialTrend,
    RapidVariation,
    SmoothVariation,
    Trend,
    VarianceExplained,
    Wandering,
)
from autostatistician.describe.presence import presence
from autostatistician.describe.units import Units, units_of

__all__ = ["BAND", "component_facts", "component_id", "on_scale", "units_for"]

Vector = NDArray[np.float64]
Span = tuple[float, float]
AnyFact = TypeVar("AnyFact", bound=Fact)

BAND = 1.96  # standard deviations either side: 95 %
SLOW, RAPID = 0.5, 0.005  # shares of the data's span (Lloyd et al. 2014)
UPPER_QUARTILE = 0.6745  # of the standard normal: below this many periods, cycles hardly repeat (Lloyd et al. 2014)
AT_EDGE = (
    0.02  # a linear factor that vanishes this close (share of the span) to an end of the data simply grows from there
)
TENTHS = 2 * atanh(0.8)  # a sigmoid 0.5 + 0.5 tanh(z) goes from 10 % to 90 % over this length of z


def component_id(component: Component, decomposition: Decomposition) -> str:
    """The stable name of a component: "part-1" for the first of the decomposition."""
    return f"part-{_index(component, decomposition) + 1}"


def _index(component: Component, decomposition: Decomposition) -> int:
    return next(i for i, other in enumerate(decomposition.components) if other is component)


def component_facts(component: Component, decomposition: Decomposition) -> tuple[Fact, ...]:
    """All facts about one component: what it is first, then how big, how it changes, where it applies, its gains."""
    part = anatomy(component.kernel)
    name = component_id(component, decomposition)
    units = units_for(decomposition)
    where = _acting(part, component, decomposition.x)
    head = _head(name, part, component, units, where)
    found = (
        head,
        *_trend(name, head, part, component),
        *(course(name, head, component) if isinstance(head, PolynomialTrend) or not part.of("Lin") else ()),
        *cycle_phase(name, head, component, where, decomposition.x, units),
        *_amplitude(name, head, component, where),
        *_amplitude_change(name, head, part, units),
        *_interval(name, part, units),
        *_gains(name, component, decomposition),
        *presence(name, component.kernel, decomposition.alternatives, units),
        _extrapolation(name, part, units),
    )
    return on_scale(found, decomposition)


def units_for(decomposition: Decomposition) -> Units:
    """The units of a decomposition; where the logarithm is modelled, with the typical level."""
    d = decomposition
    return units_of(d.axis, d.x, d.y if d.level is None else d.modelled, d.target, d.level)


def on_scale(facts: tuple[AnyFact, ...], decomposition: Decomposition) -> tuple[AnyFact, ...]:
    """The facts with the unit of the scale that their numbers are on."""
    if decomposition.level is None:
        return facts
    return tuple(replace(fact, unit=fact.unit.replace("target", "log target")) for fact in facts)


def _acting(part: Anatomy, component: Component, x: Vector) -> NDArray[np.bool_]:
    """Which data the component acts on; all of them when it acts on none."""
    mask = np.zeros(x.shape, dtype=bool)
    for low, high in spans(part.gates):
        mask |= (x >= low) & (x <= high)
    if component.active is not None:
        inner = mask & (x >= component.active[0]) & (x <= component.active[1])
        mask = inner if inner.any() else mask
    return mask if mask.any() else np.ones(x.shape, dtype=bool)


# --- what the component is ------------------------------------------------------------------------------


def _head(name: str, part: Anatomy, component: Component, units: Units, where: NDArray[np.bool_]) -> Head:
    """The fact that gives the noun: noise before cycles before smooth functions before polynomials before constants."""
    if part.of("WN"):
        return _noise(name, part, units)
    if part.of("Per", "Cos"):
        return _cycles(name, part, units)
    if part.of("Matern12", "Matern32"):
        return _wandering(name, part, units)
    if part.of("SE", "RQ"):
        return _smooth(name, part, units)
    if lines := part.of("Lin"):
        return _linear(name, component) if len(lines) == 1 else _polynomial(name, len(lines))
    level, sd = float(np.median(component.mean[where])), float(np.median(component.sd[where]))
    band = (level - BAND * sd, level + BAND * sd)
    return ConstantLevel(
        id=f"{name}/level", number=level, unit="target", interval=band, evidence="posterior of the part"
    )


def _noise(name: str, part: Anatomy, units: Units) -> NoiseLevel:
    low, high = _reach(part, units)
    levels = np.array([noise_sd(part, position) for position in np.linspace(low, high, 101)])
    number = float(sqrt(np.mean(levels**2)))
    evidence = "fitted standard deviation of the white noise"
    return NoiseLevel(
        id=f"{name}/noise",
        number=number,
        unit="target",
        evidence=evidence,
        first=float(levels[0]),
        last=float(levels[-1]),
    )


def _reach(part: Anatomy, units: Units) -> Span:
    """First and last position of the data at which the component's gates are open."""
    found = _shown(spans(part.gates), units)
    low = max(found[0][0], units.first) if found else units.first
    high = min(found[-1][1], units.last) if found else units.last
    return low, high


def _smooth(name: str, part: Anatomy, units: Units) -> SmoothVariation | RapidVariation | MultiscaleVariation:
    length = smooth_length(part)
    assert length is not None
    evidence = "fitted lengthscale"
    if part.of("RQ"):
        return MultiscaleVariation(id=f"{name}/variation", number=length, unit="axis", evidence=evidence)
    if length < RAPID * units.span:
        return RapidVariation(id=f"{name}/variation", number=length, unit="axis", evidence=evidence)
    slow = length > SLOW * units.span
    return SmoothVariation(id=f"{name}/variation", number=length, unit="axis", evidence=evidence, slow=slow)


def _wandering(name: str, part: Anatomy, units: Units) -> Wandering:
    length = smooth_length(part)
    assert length is not None
    rough = bool(part.of("Matern12"))
    evidence = "fitted lengthscale"
    free = length > units.span
    return Wandering(id=f"{name}/wandering", number=length, unit="axis", evidence=evidence, rough=rough, free=free)


def _cycles(name: str, part: Anatomy, units: Units) -> Periodicity | CombinedCycles:
    drift, several = smooth_length(part), bool(part.of("RQ"))
    leaves = sorted(part.of("Per", "Cos"), key=lambda numbers: -numbers["period"])
    cycles = tuple(
        _cycle(f"{name}/cycle" + (f"-{i + 1}" if len(leaves) > 1 else ""), numbers, drift, several, units)
        for i, numbers in enumerate(leaves)
    )
    if len(cycles) == 1:
        return cycles[0]
    return CombinedCycles(id=f"{name}/cycles", number=len(cycles), unit="1", evidence="fitted periods", cycles=cycles)


def _cycle(name: str, numbers: dict[str, float], drift: float | None, several: bool, units: Units) -> Periodicity:
    period, relative = numbers["period"], numbers.get("lengthscale", inf)
    exactness = "exact" if drift is None else "loose" if drift < UPPER_QUARTILE * period else "approximate"
    resolution = 0.5 * period**2 / units.span if units.span > 0 else period
    return Periodicity(
        id=name,
        number=period,
        unit="axis",
        interval=(period - resolution, period + resolution),
        evidence="fitted period",
        exactness=exactness,
        drift=drift,
        steady=drift is not None and drift > SLOW * units.span,
        several_scales=several,
        detail=None if relative > SINUSOID_FROM else within_period(numbers),
    )


def _linear(name: str, component: Component) -> LinearTrend:
    number, band, direction = _slope(component)
    return LinearTrend(
        id=f"{name}/line",
        number=number,
        unit="target per axis",
        interval=band,
        evidence="posterior slope",
        direction=direction,
    )


def _polynomial(name: str, degree: int) -> PolynomialTrend:
    return PolynomialTrend(id=f"{name}/polynomial", number=degree, unit="1", evidence="number of linear factors")


def _slope(component: Component) -> tuple[float, Span, int]:
    """Slope of the posterior mean, its 95 % range, and its sign where that is certain."""
    slope = component.slope if isfinite(component.slope) else 0.0
    sd = component.slope_sd if isfinite(component.slope_sd) else inf
    return slope, (slope - BAND * sd, slope + BAND * sd), certain_sign(slope, sd)


# --- how big, and where ---------------------------------------------------------------------------------


def _trend(name: str, head: Head, part: Anatomy, component: Component) -> tuple[Trend, ...]:
    if not isinstance(head, SmoothVariation | RapidVariation | MultiscaleVariation) or part.of("Lin"):
        return ()
    number, band, direction = _slope(component)
    steady = direction != 0 and component.monotonic == direction
    evidence = "posterior at the first and the last datum where the part applies"
    return (
        Trend(
            id=f"{name}/trend",
            number=number,
            unit="target per axis",
            interval=band,
            evidence=evidence,
            direction=direction,
            steady=steady,
        ),
    )


def _amplitude(name: str, head: Head, component: Component, where: NDArray[np.bool_]) -> tuple[Amplitude, ...]:
    if isinstance(head, NoiseLevel | ConstantLevel):
        return ()
    mean = component.mean[where]
    low, high = float(mean.min()), float(mean.max())
    evidence = "posterior mean at the data where the part applies"
    return (
        Amplitude(
            id=f"{name}/amplitude",
            number=high - low,
            unit="target",
            interval=(low, high),
            evidence=evidence,
            low=low,
            high=high,
            first=float(mean[0]),
            last=float(mean[-1]),
        ),
    )


def _amplitude_change(name: str, head: Head, part: Anatomy, units: Units) -> tuple[AmplitudeChange, ...]:
    places = [numbers["location"] for numbers in part.of("Lin")]
    if not places or isinstance(head, LinearTrend | PolynomialTrend):
        return ()
    low, high = _reach(part, units)
    margin = AT_EDGE * (high - low)
    if max(places) <= low + margin:
        kind = "grows"
    elif min(places) >= high - margin:
        kind = "shrinks"
    else:
        kind = "away" if len(places) == 1 else "polynomial"
    start, end = (float(np.prod([abs(position - place) for place in places])) for position in (low, high))
    return (
        AmplitudeChange(
            id=f"{name}/amplitude-change",
            number=end / start if start > 0 else inf,
            unit="1",
            evidence="where the fitted linear factors vanish",
            kind=kind,
            degree=len(places),
            location=places[0] if len(places) == 1 else None,
            places=tuple(sorted({place for place in places if low + margin < place < high - margin})),
        ),
    )


def _shown(true: tuple[Span, ...], units: Units) -> tuple[Span, ...]:
    """Spans cut to the data: an end at or beyond the data's is open, spans outside of them are dropped."""
    cut = [(low, high) for low, high in true if low < units.last and high > units.first]
    return tuple((low if low > units.first else -inf, high if high < units.last else inf) for low, high in cut)


def _interval(name: str, part: Anatomy, units: Units) -> tuple[Fact, ...]:
    if not part.gates:
        return ()
    true = spans(part.gates)
    shown = _shown(true, units)
    found = ActiveInterval(
        id=f"{name}/interval",
        number=len(shown),
        unit="1",
        evidence="fitted locations of the changes",
        spans=true,
        shown=shown,
    )
    bounds = {bound for span in shown for bound in span if isfinite(bound)}
    changes = [(edge, gate) for gate in part.gates for edge in gate.edges if edge in bounds]
    changes.sort(key=lambda change: change[0])
    return (found, *(_change(f"{name}/change-{i + 1}", edge, gate, units) for i, (edge, gate) in enumerate(changes)))


def _change(name: str, edge: float, gate: Gate, units: Units) -> ChangeSteepness:
    duration = TENTHS / gate.steepness
    return ChangeSteepness(
        id=name,
        number=duration,
        unit="axis",
        evidence="fitted steepness, from 10 % to 90 %",
        interval=None,
        location=edge,
        abrupt=duration <= units.gap,
        openness=openness(gate),
        inside=gate.side == "inside",
    )


# --- what it gains --------------------------------------------------------------------------------------


def _gains(name: str, component: Component, decomposition: Decomposition) -> tuple[Fact, ...]:
    index = _index(component, decomposition)
    earlier = decomposition.components[index - 1] if index else None
    before, error = (earlier.r2, earlier.mae) if earlier else (0.0, decomposition.mae_baseline)
    explained = VarianceExplained(
        id=f"{name}/variance",
        number=component.residual_r2,
        unit="%",
        evidence="variance of the residual before and after",
        before=before,
        after=component.r2,
        noise=component.is_noise,
    )
    validated = CrossValidatedError(
        id=f"{name}/error",
        number=component.mae,
        unit="target",
        evidence="ten-fold cross-validation with fixed parameters",
        before=error,
        reduction=component.mae_reduction,
    )
    return explained, validated


def _extrapolation(name: str, part: Anatomy, units: Units) -> Extrapolation:
    true = spans(part.gates)
    at_end = [span for span in true if span[0] < units.last <= span[1]]
    later = [span for span in true if span[0] >= units.last]
    current = at_end or later
    end = current[0][1] if current else max((high for _, high in true), default=-inf)
    return Extrapolation(
        id=f"{name}/extrapolation",
        number=end,
        unit="axis",
        evidence="fitted kernel beyond the data",
        ended=not current,
        begins=-inf if at_end or not later else later[0][0],
    )
