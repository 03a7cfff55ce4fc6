"""Facts to a description: a few sentences on how a part runs within the data, and what it does beyond them."""

from __future__ import annotations

from math import inf, isfinite

from autostatistician.describe.axis.lengths import about, length
from autostatistician.describe.axis.places import around_place, place, place_of_change
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.kinds import Growth, Pace
from autostatistician.describe.facts.part import (
    AmplitudeChange,
    ChangeSteepness,
    CombinedCycles,
    ConstantLevel,
    DampedTrend,
    Extrapolation,
    Head,
    LinearTrend,
    NoiseLevel,
    Periodicity,
    PolynomialTrend,
    SmoothVariation,
    Wandering,
)
from autostatistician.describe.words.amounts import around, around_rates, one_added, slope, within, zero
from autostatistician.describe.words.parts import (
    changes_shape,
    doubtful,
    every,
    find,
    head_of,
    levelling,
    line_way,
    seen_text,
    size_clause,
    unseen,
)
from autostatistician.describe.words.ranges import is_sure, period_range, place_range, ratio_text
from autostatistician.forms import BAND_SDS
from autostatistician.i18n.messages import sentence
from autostatistician.i18n.numbers import capital, count

__all__ = ["description", "extrapolation"]

_NOTED = 1.1  # a ratio of sizes from which it is said


def description(facts: tuple[Fact, ...], units: Units, told_changes: frozenset[float] = frozenset()) -> str:
    """A few sentences on one part; changes at places that are ``told_changes`` are not described again."""
    head = head_of(facts)
    changes = [fact for fact in facts if isinstance(fact, ChangeSteepness)]
    changes = [change for change in changes if not change.told and change.location not in told_changes]
    is_level = isinstance(head, ConstantLevel) and not head.stepped
    is_told = is_level or isinstance(head, LinearTrend) or (isinstance(head, NoiseLevel) and not _differs(facts))
    size = "" if is_told else size_clause(facts, units)
    sentences = (
        _what(head, facts, units),
        f"{capital(size)}." if size else "",
        _growth(facts),
        *(_change(change, units) for change in changes),
    )
    return " ".join(filter(None, sentences))


def _what(head: Head, facts: tuple[Fact, ...], units: Units) -> str:
    match head:
        case NoiseLevel():
            return "" if _differs(facts) else _noise(head, units, unseen=unseen(facts))
        case ConstantLevel(stepped=stepped):
            return "" if stepped else sentence("description.level")
        case SmoothVariation(number=scale):
            pace = "slow" if head.pace is Pace.SLOW and scale > units.span else "usual"
            return sentence("description.smooth", pace=pace, about=about(scale, units))
        case Wandering(rough=rough, free=free, number=scale):
            over = "" if free else about(scale, units)
            return sentence("description.wandering", free=free, rough=rough, about=over)
        case DampedTrend():
            return sentence("description.damped", about=about(head.number, units))
        case LinearTrend():
            return _line(head, units)
        case PolynomialTrend(number=degree):
            return sentence("description.polynomial", degree=int(degree))
        case Periodicity():
            return _cycle(head, units)
        case CombinedCycles():
            return sentence("description.product")


def _behind(span: str) -> str:
    """A range in brackets after a space; "" for none."""
    return " " + sentence("description.range", range=span) if span else ""


def _differs(facts: tuple[Fact, ...]) -> bool:
    """Whether noise is not of one size."""
    return find(facts, AmplitudeChange) is not None and not unseen(facts)


def _noise(head: NoiseLevel, units: Units, *, unseen: bool) -> str:
    nearly_all = BAND_SDS * head.number
    if unseen:
        return sentence("description.noise", noise="unseen")
    if not head.visible:
        return sentence("description.noise", noise="small", within=within(nearly_all, units))
    if units.counts:
        close = around(nearly_all, units) if head.rates is None else around_rates(head.rates)
        return sentence("description.noise", noise="counts", around=close)
    return sentence("description.noise", noise="values", target=units.target, around=around(nearly_all, units))


def _line(head: LinearTrend, units: Units) -> str:
    way = line_way(head)
    by = slope(head.number, head.interval, units, -1 if way == "down" else 1)
    text = sentence("description.line", direction=way, slope=by)
    if way == "open" or not units.is_odds:
        return text
    return f"{text} {sentence('description.near', typical=one_added(0.0, units))}"


def _cycle(head: Periodicity, units: Units) -> str:
    often = f"{every(head, units)}{_behind(period_range(head.number, head.interval, units))}"
    if doubtful(head, units):
        return sentence("description.cycle", cycle="doubtful", every=often, times=seen_text(head))
    kind = "exact" if head.drift is None else "drifting" if changes_shape(head) else "steady"
    repeats = sentence("description.cycle", cycle=kind, every=often)
    return " ".join(filter(None, [repeats, _inside(head, units)]))


def _inside(fact: Periodicity, units: Units) -> str:
    """How a cycle runs within itself."""
    if fact.waves > 1:
        return sentence("description.inside", inside="waves", number=count(fact.waves))
    if fact.detail is None or fact.detail > 0.5 * fact.number:
        return sentence("description.inside", inside="wave")
    if fact.detail < units.gap:
        return ""
    return sentence("description.inside", inside="detail", length=length(fact.detail, units))


def _growth(facts: tuple[Fact, ...]) -> str:
    """How many times as large a part is at the end of the data as at their start, where that is known."""
    fact = find(facts, AmplitudeChange)
    if fact is None or fact.interval is None or unseen(facts) or not is_sure(fact.probability):
        return ""
    if fact.interval[0] <= 1.0 <= fact.interval[1] or 1.0 / _NOTED < fact.number < _NOTED or fact.interval[1] == inf:
        return ""
    times = ratio_text(fact.number, fact.interval)
    return sentence("description.growth", times=times)


_STEPS = {None: "open", True: "up", False: "down"}


def _change(change: ChangeSteepness, units: Units) -> str:
    """How long a change takes, and where it lies."""
    span = change.location_interval
    between = place_range(span, units) if span is not None and span[0] <= change.location <= span[1] else ""
    return sentence(
        "description.change", change="abrupt" if change.abrupt else "gradual", way=_STEPS[change.rises],
        place=around_place(place_of_change(change.location, units)), length=length(change.number, units),
        lies=" " + sentence("description.place", between=between) if between else "",
    )  # fmt: skip


# --- beyond the data --------------------------------------------------------------------------------------------------


def extrapolation(facts: tuple[Fact, ...], units: Units) -> str:
    """What the model assumes of a part beyond the data, in one to three sentences."""
    head, bounds = head_of(facts), find(facts, Extrapolation)
    if bounds is not None and bounds.ended:
        return sentence("extrapolation.bounds", bound="ended")
    if bounds is not None and isfinite(bounds.begins):
        return sentence("extrapolation.bounds", bound="begins", when=around_place(place(bounds.begins, units)))
    ends = bounds is not None and isfinite(bounds.number)
    sentences = (
        _goes_on(head, units),
        sentence("extrapolation.guess", times=seen_text(head))
        if isinstance(head, Periodicity) and doubtful(head, units) else "",
        _size_goes_on(find(facts, AmplitudeChange)),
        sentence("extrapolation.bounds", bound="ends", when=around_place(place(bounds.number, units)))
        if ends and bounds is not None else "",
    )  # fmt: skip
    return " ".join(filter(None, sentences))


def _goes_on(head: Head, units: Units) -> str:
    match head:
        case NoiseLevel():
            return sentence("extrapolation.goes_on", kind="noise")
        case ConstantLevel():
            return sentence("extrapolation.goes_on", kind="level")
        case LinearTrend():
            return sentence("extrapolation.goes_on", kind="uncertain line" if line_way(head) == "open" else "line")
        case PolynomialTrend():
            return sentence("extrapolation.goes_on", kind="polynomial")
        case Periodicity():
            return _cycle_goes_on(head, units)
        case CombinedCycles(cycles=cycles):
            return _cycle_goes_on(cycles[0], units)
        case _:
            return _curve_goes_on(head, units)


def _curve_goes_on(head: SmoothVariation | Wandering | DampedTrend, units: Units) -> str:
    match head:
        case SmoothVariation(number=scale):
            return sentence("extrapolation.goes_on", kind="smooth", length=length(scale, units), zero=zero(units))
        case Wandering(free=True, rough=True):
            return sentence("extrapolation.goes_on", kind="free level")
        case Wandering(free=True) | DampedTrend(lasting=True):
            return sentence("extrapolation.goes_on", kind="free slope")
        case Wandering(number=scale):
            return sentence("extrapolation.goes_on", kind="wandering", time=about(scale, units))
        case DampedTrend():
            return sentence("extrapolation.goes_on", kind="damped", time=levelling(head, units))


def _cycle_goes_on(head: Periodicity, units: Units) -> str:
    if head.drift is None:
        return sentence("extrapolation.goes_on", kind="exact cycle")
    if head.steady:
        return sentence("extrapolation.goes_on", kind="steady cycle")
    return sentence("extrapolation.goes_on", kind="cycle", every=every(head, units), time=about(head.drift, units))


def _size_goes_on(change: AmplitudeChange | None) -> str:
    if change is None or not is_sure(change.probability):
        return ""
    sizes = {Growth.GROWS: "grows", Growth.AWAY: "grows", Growth.SHRINKS: "shrinks"}
    return sentence("extrapolation.size", size=sizes[change.kind]) if change.kind in sizes else ""
