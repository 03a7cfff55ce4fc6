"""Which series of a panel differ from the others by more than the largest of so many would by chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log10

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t

from autostatistician.describe.axis.cycles import phase_text
from autostatistician.describe.claims.claim import Claim
from autostatistician.describe.claims.kinds import Kind
from autostatistician.describe.claims.quantity import Quantity
from autostatistician.describe.facts.kinds import Phase
from autostatistician.describe.panels.changes import SharedChange, stretch_of
from autostatistician.describe.panels.traits import MEASURES, SeriesTraits

__all__ = ["Bulk", "Reason", "Surprise", "bulks", "surprises"]

FEWEST = 10  # series of which one can be the only one
FEWEST_MEASURED = 20  # with a number: of fewer nobody knows how far they spread
SURE = 0.01  # p-value, corrected for all series that have the trait
HEAVINESS = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0, 30.0)  # degrees of freedom
INNER, OUTER = 0.75, 0.95  # quantiles that the tails are judged by
LEAST_PART = 1e-9  # of the outer quantile: an inner one of zero is as good as this
MANY = 200  # series, from which those quantiles say how heavy the tails are
USUAL_HEAVINESS = 4.0  # of fewer
DOUBT = 2.5  # standard errors, roughly, by which tails are taken for heavier than they look
RARE = 0.03  # share of the series from which something is no longer rare
MOST = 0.8  # share of the others, from which the lack of something is
AT_ONE_TIME = 0.6  # share of the seasons that are highest at one time, so that others are unusual
MONTHS = tuple(phase_text(Phase.MONTH, (month,)) for month in range(1, 13))
HOURS = tuple(phase_text(Phase.HOUR, (hour,)) for hour in range(24))
MOST_STRENGTH = 12.0
URGENT = 6.0  # of what happened at the end of the data: it asks to be looked at now


@dataclass(frozen=True)
class Bulk:
    """How a trait is distributed: median, the quarters around it, and the scale and heaviness of either tail."""

    middle: float
    low: float
    high: float
    tails: tuple[tuple[float, float], tuple[float, float]]  # below and above: scale, degrees of freedom
    series: int

    def p_value(self, value: Quantity) -> float:
        """Of so extreme a value, by the end of its range that lies nearer to the middle."""
        side = int(value.value > self.middle)
        distance = value.low - self.middle if side else self.middle - value.high
        scale, freedom = self.tails[side]
        if distance <= 0.0:
            return 1.0
        return float(t.sf(distance / scale, freedom)) if scale > 0.0 else 1.0


@dataclass(frozen=True)
class Reason:
    """Why a series is surprising: ``kind`` is a measure, or "ending", "recent", "step", "lacks", "rare", "top".

    ``number`` is its own value, ``low`` and ``high`` are those of the middle half of the others; ``what`` names a
    season, a time of the year; ``when`` is a date, ``others`` how many others are the same.
    """

    kind: str
    strength: float
    number: float | None = None
    low: float | None = None
    high: float | None = None
    what: str = ""
    when: str = ""
    others: int = 0


@dataclass(frozen=True)
class Surprise:
    """A series with its reasons, the strongest first."""

    name: str
    reasons: tuple[Reason, ...]
    step: str = ""

    @property
    def strength(self) -> float:
        """How surprising it is: by its strongest reason, a little more for each other one."""
        first, *others = [reason.strength for reason in self.reasons]
        return first + 0.1 * sum(others)


def bulks(every: Sequence[SeriesTraits]) -> dict[str, Bulk]:
    """The distributions of all measures that enough series have."""
    values: dict[str, list[float]] = {}
    for traits in every:
        for name, measured in traits.measures:
            values.setdefault(name, []).append(measured.value)
    return {name: _bulk(np.array(values[name])) for name in MEASURES if len(values.get(name, [])) >= FEWEST_MEASURED}


def _bulk(values: NDArray[np.float64]) -> Bulk:
    low, middle, high = np.quantile(values, [1.0 - INNER, 0.5, INNER]).tolist()
    return Bulk(middle, low, high, (_tail(middle - values), _tail(values - middle)), len(values))


def _tail(distances: NDArray[np.float64]) -> tuple[float, float]:
    """Scale and degrees of freedom of a t distribution with the quantiles of one tail.

    >>> scale, freedom = _tail(t.ppf((np.arange(10000) + 0.5) / 10000, 3.0))
    >>> abs(scale - 1.0) < 0.05, freedom
    (True, 2.5)
    """
    inner, outer = np.quantile(distances, [INNER, OUTER])
    if len(distances) < MANY and inner > 0.0:
        return float(inner / t.ppf(INNER, USUAL_HEAVINESS)), USUAL_HEAVINESS
    ratio = outer / max(inner, LEAST_PART * outer) * (1.0 + DOUBT / np.sqrt(len(distances))) if outer > 0.0 else 1.0
    ratios = t.ppf(OUTER, HEAVINESS) / t.ppf(INNER, HEAVINESS)
    freedom = max(np.array(HEAVINESS)[ratios >= ratio].tolist(), default=HEAVINESS[0])
    # where most series share one value, the outer quantile alone says how far they spread
    return max(float(inner / t.ppf(INNER, freedom)), float(outer / t.ppf(OUTER, freedom))), freedom


def surprises(every: Sequence[SeriesTraits], changes: Sequence[SharedChange]) -> tuple[Surprise, ...]:
    """The series that stand out, the most surprising first."""
    done = [traits for traits in every if traits.done]
    reasons: dict[str, list[Reason]] = {traits.name: [] for traits in done}
    for source in (_by_measures(done), _by_events(done, changes), _by_seasons(done), _by_tops(done)):
        for name, reason in source:
            reasons[name].append(reason)
    found = [
        Surprise(traits.name, tuple(sorted(reasons[traits.name], key=lambda one: -one.strength)), traits.step)
        for traits in done
        if reasons[traits.name]
    ]
    return tuple(sorted(found, key=lambda surprise: -surprise.strength))


def _by_measures(done: Sequence[SeriesTraits]) -> Iterator[tuple[str, Reason]]:
    known = bulks(done)
    for traits in done:
        for kind, measured in traits.measures:
            if kind not in known:
                continue
            bulk = known[kind]
            p = bulk.series * bulk.p_value(measured)
            if p < SURE:
                strength = min(MOST_STRENGTH, -log10(max(p, 1e-300)))
                yield traits.name, Reason(kind, strength, measured.value, bulk.low, bulk.high)


def _by_events(done: Sequence[SeriesTraits], changes: Sequence[SharedChange]) -> Iterator[tuple[str, Reason]]:
    """What happened to a series at the end of its data, and lasting changes where hardly any series has its own."""
    shared = {change.stretch for change in changes}
    own = {
        traits.name: [claim for claim in traits.sudden if stretch_of(claim.written[0], traits.step) not in shared]
        for traits in done
    }
    steps = {
        name: [claim for claim in claims if claim.kind is Kind.STEP and claim.form != "recent"]
        for name, claims in own.items()
    }
    stepped = sum(bool(claims) for claims in steps.values())
    is_rare = len(done) >= FEWEST and stepped <= max(1.0, RARE * len(done))
    for traits in done:
        urgent = [("ending", claim) for claim in traits.endings]
        urgent += [("recent", claim) for claim in own[traits.name] if claim.form == "recent"]
        for kind, claim in urgent:
            yield traits.name, _of_event(kind, URGENT, claim)
        if is_rare and steps[traits.name]:
            largest = max(steps[traits.name], key=lambda claim: abs(claim.number.value))
            yield traits.name, _of_event("step", _rarity(stepped, len(done)), largest, stepped - 1)


def _of_event(kind: str, strength: float, claim: Claim, others: int = 0) -> Reason:
    """What happened to a series as a reason."""
    what = "up" if claim.number.is_up else "down"
    return Reason(kind, strength, claim.get("share"), what=what, when=claim.written[0], others=others)


def _rarity(count: int, of: int) -> float:
    return log10(of / max(count, 1))


def _by_seasons(done: Sequence[SeriesTraits]) -> Iterator[tuple[str, Reason]]:
    """Cycles that hardly any other series has, or nearly all others have."""
    if len(done) < FEWEST:
        return
    counts = Counter(name for traits in done for name in traits.seasons)
    rows = np.median([traits.rows for traits in done])
    for traits in done:
        for name, count in counts.items():
            if name in traits.seasons and count <= max(1.0, RARE * len(done)):
                yield traits.name, Reason("rare", _rarity(count, len(done)), what=name, others=count - 1)
            without = len(done) - count
            is_rare = count >= MOST * len(done) and without <= max(1.0, RARE * len(done))
            if is_rare and name not in (*traits.seasons, *traits.unknown) and traits.rows >= 0.5 * rows:
                yield traits.name, Reason("lacks", _rarity(without, len(done)), what=name, others=count)


def _by_tops(done: Sequence[SeriesTraits]) -> Iterator[tuple[str, Reason]]:
    """Seasons that are highest at another time than those of the others."""
    tops = Counter(traits.top for traits in done if traits.top)
    total = tops.total()
    if total < FEWEST:
        return
    usual, count = tops.most_common(1)[0]
    for traits in done:
        is_rare = count >= AT_ONE_TIME * total and tops[traits.top] <= max(1.0, RARE * total)
        if traits.top and is_rare and not _are_neighbours(traits.top, usual):
            strength = _rarity(tops[traits.top], total)
            yield traits.name, Reason("top", strength, what=traits.top, when=usual, others=tops[traits.top] - 1)


def _are_neighbours(first: str, second: str) -> bool:
    """Whether two times are months or hours that follow one another: which is the higher is often a matter of chance.

    >>> _are_neighbours("in December", "in January"), _are_neighbours("in May", "in July"), _are_neighbours("a", "b")
    (True, False, False)
    """
    for cycle in (MONTHS, HOURS):
        if first in cycle and second in cycle:
            return (cycle.index(first) - cycle.index(second)) % len(cycle) in (1, len(cycle) - 1)
    return False
