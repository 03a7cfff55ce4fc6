"""What a component is: the fact that gives the noun, from its leaves, with the 95 % ranges of its numbers."""

from __future__ import annotations

from math import hypot, inf, isfinite, sqrt
from statistics import NormalDist

import numpy as np
from scipy.special import ndtri
from scipy.stats import gamma

from autostatistician.decompose.records.series import Component
from autostatistician.describe.axis.cycles import calendar_cycle
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.judgement import LIKELY
from autostatistician.describe.facts.kinds import Pace
from autostatistician.describe.facts.part import (
    CombinedCycles,
    ConstantLevel,
    DampedTrend,
    Head,
    LinearTrend,
    NoiseLevel,
    Periodicity,
    PolynomialTrend,
    SmoothVariation,
    Wandering,
)
from autostatistician.describe.observe.series.anatomy import (
    ENDS_OF_95,
    ROUNDING,
    SINUSOID_FROM,
    Anatomy,
    ComponentView,
    noise_sd,
    smooth_length,
    spans,
    within_period,
)
from autostatistician.forms import BAND_SDS
from autostatistician.kernels.leaf_row import LeafKind

__all__ = ["head_fact", "reach", "shown_spans", "sign_of", "slope_band"]


PLACES = 500  # of each distribution, evenly spaced by probability


Span = tuple[float, float]

SLOW_SHARE, RAPID_SHARE = 0.5, 0.005  # of the data's span (Lloyd et al. 2014)

UPPER_QUARTILE = 0.6745  # of the standard normal: below this many periods, cycles hardly repeat (Lloyd et al. 2014)

LASTING_SHARE = 1 / 3  # of the data's span: a slope that lasts longer is not seen to level off

FAINT = 3.0  # a rough factor whose memory is this many times that of a smooth one only roughens it a little

EQUAL = 0.1  # of the spread of the data: levels closer than that look the same

ANOTHER = 1.5  # times a period: a draw as far off is of another cycle

NEARLY = 0.03  # of a cycle of the calendar

SLIP = 0.05  # turns that a cycle may have gained or lost over the data without that being seen

STEPS_REMEMBERED = 2.0  # a slope that is forgotten sooner makes a level that wanders

_LENGTH = "fitted lengthscale; range from draws of the numbers"


def head_fact(of: ComponentView) -> Head:
    """The fact that gives the noun: noise before cycles before smooth functions before polynomials before constants."""
    part = of.part
    if part.of(LeafKind.NOISE):
        return _noise(of)
    if part.of(LeafKind.CYCLIC):
        return _cycles(of)
    if part.walks or (part.of(LeafKind.WANDERING) and not _faint(part)):
        return _wandering(of)
    if part.of(LeafKind.SMOOTH, LeafKind.WANDERING):
        return _smooth(of)
    if part.of(LeafKind.UNBOUNDED):
        return _walking(of) if _memory_of_slope(part) < STEPS_REMEMBERED * of.units.gap else _damped(of)
    if lines := part.of(LeafKind.LINE):
        return _linear(of) if len(lines) == 1 else _polynomial(of, len(lines))
    return _constant(of)


def _faint(part: Anatomy) -> bool:
    """Whether smooth factors decide on the course, the memory of the rough ones being much longer."""
    smooth = [numbers["lengthscale"] for numbers in part.of(LeafKind.SMOOTH)]
    rough = [numbers["lengthscale"] for numbers in part.of(LeafKind.WANDERING)]
    return bool(smooth) and min(rough) >= FAINT * min(smooth)


def _constant(of: ComponentView) -> ConstantLevel:
    edges = [edge for gate in of.part.steps for edge in gate.edges if of.units.first < edge < of.units.last]
    stepped = bool(edges) and bool(np.ptp(of.component.mean) > EQUAL * of.units.spread)
    rows = of.x > max(edges) if stepped else of.where
    level, sd = float(np.median(of.component.mean[rows])), float(np.median(of.component.sd[rows]))
    band = (level - BAND_SDS * sd, level + BAND_SDS * sd)
    return ConstantLevel(
        id=f"{of.name}/level", number=level, unit="target", interval=band, evidence="posterior of the part",
        stepped=stepped, beside=any(any(gate.seen) for gate in of.part.gates),
    )  # fmt: skip


def _noise(of: ComponentView) -> NoiseLevel:
    number = _root_mean_square(_noise_levels(of.part, of.units))
    mean, sd = of.component.mean[of.where], of.component.sd[of.where]
    rows, third = np.hypot(mean, sd), max(mean.size // 3, 1)
    # Of exact data the fitted noise ends where rounding hides it; what the model leaves of them shows that.
    seen = min(number, _root_mean_square(mean.tolist())) if mean.size else number
    return NoiseLevel(
        id=f"{of.name}/noise", number=number, unit="target",
        interval=of.interval(lambda part: _root_mean_square(_noise_levels(part, of.units))),
        evidence="fitted standard deviation of the white noise; range from draws of the numbers; thirds: posterior",
        first=_root_mean_square(rows[:third].tolist()), last=_root_mean_square(rows[-third:].tolist()),
        visible=of.units.shows_noise(seen),
        rates=rate_scatter(number, of.units.dispersion) if of.units.counts and not of.units.is_odds else None,
    )  # fmt: skip


def _noise_levels(part: Anatomy, units: Units) -> list[float]:
    """The standard deviation along the data where the gates are open."""
    places = np.linspace(*reach(part, units), 41 if part.of(LeafKind.LINE, LeafKind.UNBOUNDED) else 2)
    levels: list[float] = np.broadcast_to(noise_sd(part, places), places.shape).tolist()
    return levels


def _root_mean_square(levels: list[float]) -> float:
    return sqrt(sum(level**2 for level in levels) / len(levels))


def reach(part: Anatomy, units: Units) -> Span:
    """First and last position of the data at which the component's gates are open."""
    shown = shown_spans(spans(part.gates), units)
    low = max(shown[0][0], units.first) if shown else units.first
    high = min(shown[-1][1], units.last) if shown else units.last
    return low, high


def shown_spans(true: tuple[Span, ...], units: Units) -> tuple[Span, ...]:
    """Spans cut to the data: an end at or beyond the data's is open, spans outside of them are dropped."""
    cut = [(low, high) for low, high in true if low < units.last and high > units.first]
    return tuple((low if low > units.first else -inf, high if high < units.last else inf) for low, high in cut)


def _length(part: Anatomy) -> float:
    length = smooth_length(part)
    assert length is not None
    return length


def _smooth(of: ComponentView) -> SmoothVariation:
    number = _length(of.part)
    slow, rapid = number > SLOW_SHARE * of.units.span, number < RAPID_SHARE * of.units.span
    return SmoothVariation(
        id=f"{of.name}/variation", number=number, unit="axis", evidence=_LENGTH, interval=of.interval(_length),
        pace=Pace.SLOW if slow else Pace.RAPID if rapid else Pace.USUAL, several_scales=of.part.several_scales,
    )  # fmt: skip


def _wandering(of: ComponentView) -> Wandering:
    length = smooth_length(of.part)
    if length is None:  # nothing but what wanders off
        return _walking(of)
    return Wandering(
        id=f"{of.name}/wandering", number=length, unit="axis", interval=of.interval(_length), evidence=_LENGTH,
        rough=of.part.rough, free=length > of.units.span,
    )  # fmt: skip


def _walking(of: ComponentView) -> Wandering:
    """A level that wanders off, or one whose slope is forgotten from row to row, which looks the same."""
    evidence = "a level without memory of where it was"
    rough = of.part.rough or bool(of.part.of(LeafKind.UNBOUNDED))
    return Wandering(id=f"{of.name}/wandering", number=inf, unit="axis", evidence=evidence, rough=rough, free=True)


def _damped(of: ComponentView) -> DampedTrend:
    number = _memory_of_slope(of.part)
    return DampedTrend(
        id=f"{of.name}/damped", number=number, unit="axis", interval=of.interval(_memory_of_slope),
        evidence="fitted time constant of the slope; range from draws of the numbers",
        lasting=number > LASTING_SHARE * of.units.span,
    )  # fmt: skip


def _memory_of_slope(part: Anatomy) -> float:
    """The time constant of the slope, of several factors the shortest."""
    return min(numbers["lengthscale"] for numbers in part.of(LeafKind.UNBOUNDED))


# --- cycles ---------------------------------------------------------------------------------------------


def _cycles(of: ComponentView) -> Head:
    """The cycles of a part; one that is forgotten before it is over is a curve."""
    leaves, length = of.part.of(LeafKind.CYCLIC), smooth_length(of.part)
    if len(leaves) == 1 and length is not None and length < UPPER_QUARTILE * leaves[0]["period"]:
        return _smooth(of)
    order = sorted(range(len(leaves)), key=lambda index: -leaves[index]["period"])
    cycles = tuple(
        _cycle(of, index, f"{of.name}/cycle" + (f"-{place}" if len(leaves) > 1 else ""))
        for place, index in enumerate(order, 1)
    )
    if len(cycles) == 1:
        return cycles[0]
    name = f"{of.name}/cycles"
    return CombinedCycles(id=name, number=len(cycles), unit="1", evidence="fitted periods", cycles=cycles)


def _cycle(of: ComponentView, index: int, name: str) -> Periodicity:
    numbers, length, span = of.part.of(LeafKind.CYCLIC)[index], smooth_length(of.part), of.units.span
    # What has wandered off since the data began has changed as much in any of their halves as there is of it.
    drift = span if length is None and of.part.of(LeafKind.UNBOUNDED) else length
    relative = numbers.get("lengthscale", inf)
    period, waves = calendar_cycle(numbers["period"], of.units)
    first, last = reach(of.part, of.units)
    interval = _range(period, _drawn(of, index, waves, period), span)
    period = _natural(period, interval, of.units)
    return Periodicity(
        id=name, number=period, unit="axis", interval=(min(interval[0], period), max(interval[1], period)),
        evidence="fitted period; range from draws of it and a slip over the data, without draws what these resolve",
        drift=drift, steady=drift is not None and drift > SLOW_SHARE * span,
        detail=None if waves == 1 and relative > SINUSOID_FROM else within_period(numbers),
        seen=max(last - first + of.units.gap, 0.0) / period, waves=waves,
    )  # fmt: skip


def _drawn(of: ComponentView, index: int, waves: int, period: float) -> Span | None:
    """The 95 % range of the draws of a period that are of this very cycle and not of a shorter or a longer one."""
    drawn = np.array([waves * part.of(LeafKind.CYCLIC)[index]["period"] for part in of.draws])
    near = drawn[(drawn < ANOTHER * period) & (period < ANOTHER * drawn)]
    if near.size == 0 or float(np.ptp(near)) <= ROUNDING * period:
        return None
    low, high = np.quantile(near, (0.025, 0.975)).tolist()
    return low, high


def _natural(period: float, interval: Span, units: Units) -> float:
    """The cycle of the calendar that a period is nearly, where its range at twice its width holds it; else itself."""
    low, high = interval
    low, high = 1.5 * low - 0.5 * high, 1.5 * high - 0.5 * low
    near = (
        natural
        for natural in units.axis.natural_periods
        if abs(natural - period) <= NEARLY * natural and low <= natural <= high
    )
    return next(near, period)


def _range(period: float, drawn: Span | None, span: float) -> Span:
    """The range of a period: that of its draws and, independent of it, a small slip over the data.

    The draws take for granted that the pattern repeats exactly, in white noise. Without draws: the periods that differ
    from this one by less than a turn over the data.
    """
    turn = period**2 / span if span > 0 else 2.0 * period
    if drawn is None:
        return period - 0.5 * turn, period + 0.5 * turn
    low, high = drawn
    return period - hypot(max(period - low, 0.0), SLIP * turn), period + hypot(max(high - period, 0.0), SLIP * turn)


# --- lines ----------------------------------------------------------------------------------------------


def _linear(of: ComponentView) -> LinearTrend:
    number, band = slope_band(of.component)
    probability = sign_of(of.component)
    return LinearTrend(
        id=f"{of.name}/line", number=number, unit="target per axis", interval=band, evidence="posterior slope",
        probability=probability, direction=int(np.sign(number)) if probability >= LIKELY else 0,
    )  # fmt: skip


def _polynomial(of: ComponentView, degree: int) -> PolynomialTrend:
    evidence = "number of linear factors"
    return PolynomialTrend(id=f"{of.name}/polynomial", number=degree, unit="1", evidence=evidence)


def slope_band(component: Component) -> tuple[float, Span]:
    """The slope of the posterior mean between the first and the last active datum, and its 95 % range."""
    slope = component.slope if isfinite(component.slope) else 0.0
    sd = component.slope_sd if isfinite(component.slope_sd) else inf
    return slope, (slope - BAND_SDS * sd, slope + BAND_SDS * sd)


def sign_of(component: Component) -> float:
    """The posterior probability that this slope has the sign of its mean; 0.5 where that is unknown or zero."""
    slope, sd = component.slope, component.slope_sd
    if not isfinite(slope) or not isfinite(sd) or slope == 0.0:
        return 0.5
    return NormalDist().cdf(abs(slope) / sd) if sd > 0.0 else 1.0


# --- How far the rate of counts scatters in all ---------------------------------------------------------------------


def rate_scatter(sd: float, dispersion: float) -> tuple[float, float]:
    """Between which logarithms 95 % of a rate lie about what the model expects of it.

    It is multiplied by a lognormal variable, whose logarithm has the standard deviation ``sd``, and by a gamma one of
    mean one and variance ``dispersion``, which makes counts negative binomial.

    >>> [round(end, 2) for end in rate_scatter(0.5, 0.0)], [round(end, 2) for end in rate_scatter(0.0, 1.0)]
    ([-0.98, 0.98], [-3.68, 1.31])
    """
    levels = (np.arange(PLACES) + 0.5) / PLACES
    logs = sd * ndtri(levels)
    if dispersion > 0.0:
        law = np.log(np.maximum(gamma(1.0 / dispersion, scale=dispersion).ppf(levels), np.finfo(np.float64).tiny))
        logs = (logs[:, None] + law).ravel()
    elif sd > 0.0:
        return sd * float(ndtri(ENDS_OF_95[0])), sd * float(ndtri(ENDS_OF_95[1]))
    low, high = np.quantile(logs, ENDS_OF_95)
    return float(low), float(high)
