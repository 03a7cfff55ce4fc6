"""Sudden changes of many series that fall together in time, and more of them than chance would have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import binom

from autostatistician.describe.claims.claim import Claim
from autostatistician.describe.panels.traits import SeriesTraits

__all__ = ["SharedChange", "shared_changes", "stretch_of"]

FEWEST = 3  # series that change together
SURE = 0.01  # p-value, corrected for the number of stretches
PRIOR = 0.5  # changes that are added to those seen elsewhere


@dataclass(frozen=True)
class SharedChange:
    """``series`` changed suddenly within a ``stretch`` of time, where ``expected`` would have by the rate elsewhere."""

    stretch: str  # as in the data, to the month (day, hour)
    names: tuple[str, ...]
    up: int
    down: int
    expected: float
    p: float  # corrected for the number of stretches
    share: float | None  # median change as a share, of those in the direction of most
    step: str = ""

    @property
    def series(self) -> int:
        """How many changed."""
        return len(self.names)


def stretch_of(when: str, step: str) -> str:
    """The stretch of time that a date lies in: a month, of hours and minutes a day; numbers stand for themselves.

    >>> stretch_of("2024-03-17", "day"), stretch_of("2024-03-17T05:00", "hour"), stretch_of("1987", "year")
    ('2024-03', '2024-03-17', '1987')
    """
    if "T" in when:
        return when.split("T")[0]
    return when[:7] if step != "year" and when.count("-") == 2 and not when.startswith("-") else when


def shared_changes(every: Sequence[SeriesTraits]) -> tuple[SharedChange, ...]:
    """The stretches in which so many series changed, by name and number, the least probable first.

    The rate of changes elsewhere is that of all other stretches; those that are found no longer count.
    """
    seen: dict[str, list[tuple[SeriesTraits, Claim]]] = {}
    for traits in every:
        for claim in traits.sudden:
            seen.setdefault(stretch_of(claim.written[0], traits.step), []).append((traits, claim))
    if not seen:
        return ()
    lengths = [_stretches(traits) for traits in every]
    spans = Counter(tuple(stretch_of(end, traits.step) for end in (traits.first, traits.stop)) for traits in every)
    at_risk = {stretch: _at_risk(stretch, spans, len(_names(pairs))) for stretch, pairs in seen.items()}
    counts = Counter({stretch: len(_names(pairs)) for stretch, pairs in seen.items()})
    found: list[SharedChange] = []
    elsewhere, changes = float(sum(lengths)), counts.total()
    for stretch, count in counts.most_common():
        elsewhere, changes = elsewhere - at_risk[stretch], changes - count
        rate = min(1.0, (changes + PRIOR) / max(elsewhere, 1.0))
        p = min(1.0, float(binom.sf(count - 1, at_risk[stretch], rate)) * max(*lengths, len(seen)))
        if count < FEWEST or p >= SURE:
            break
        found.append(_shared(stretch, seen[stretch], at_risk[stretch] * rate, p))
    return tuple(sorted(found, key=lambda change: (change.p, -change.series)))


def _names(pairs: list[tuple[SeriesTraits, Claim]]) -> set[str]:
    return {traits.name for traits, _ in pairs}


def _stretches(traits: SeriesTraits) -> int:
    """How many stretches of time a series has rows in."""
    first, last = (stretch_of(end, traits.step) for end in (traits.first, traits.stop))
    if first.count("-") == 0:
        return max(traits.rows, 1)
    try:
        length = int((np.datetime64(last) - np.datetime64(first)).astype(np.int64)) + 1
    except ValueError:
        return max(traits.rows, 1)
    return max(1, min(traits.rows, length))


def _at_risk(stretch: str, spans: Counter[tuple[str, ...]], least: int) -> int:
    """How many series have rows before and after a stretch; no fewer than changed then."""
    return max(least, sum(number for (first, last), number in spans.items() if _within(stretch, first, last)))


def _within(stretch: str, first: str, last: str) -> bool:
    try:
        return float(first) <= float(stretch) <= float(last)
    except ValueError:
        return first <= stretch <= last


def _shared(stretch: str, pairs: list[tuple[SeriesTraits, Claim]], expected: float, p: float) -> SharedChange:
    first = {traits.name: claim for traits, claim in reversed(pairs)}
    up = sum(claim.number.is_up for claim in first.values())
    most = [claim for claim in first.values() if (claim.number.is_up) == (up > len(first) / 2)]
    shares = [share for claim in most if (share := claim.get("share")) is not None]
    share = float(np.median(shares)) if shares and len(shares) == len(most) else None
    return SharedChange(stretch, tuple(sorted(first)), up, len(first) - up, expected, p, share, pairs[0][0].step)
