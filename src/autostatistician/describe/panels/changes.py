"""Sudden changes of many series that fall together in time, and more of them than chance would have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import binom

from autostatistician.claims.claim import Claim
from autostatistician.claims.kinds import LIMITS
from autostatistician.describe.panels.members import Member

__all__ = ["CommonChange", "changes_together", "stretch_of"]


@dataclass(frozen=True)
class CommonChange:
    """Series that changed suddenly in a ``stretch`` of time, where ``expected`` would have by the rate elsewhere."""

    stretch: str  # as in the data, to the month (day, hour)
    claims: dict[str, Claim]  # by the names of the series
    expected: float
    p: float  # corrected for the number of stretches
    step: str = ""

    @property
    def up(self) -> int:
        """How many of them rose."""
        return sum(claim.number.is_up for claim in self.claims.values())

    @property
    def share(self) -> float | None:
        """The median change as a share, where all went one way and it is known of all."""
        shares = [share for claim in self.claims.values() if (share := claim.get("share")) is not None]
        return float(np.median(shares)) if len(shares) == len(self.claims) and self.up in (0, len(shares)) else None


def stretch_of(when: str, step: str) -> str:
    """The stretch of time that a date lies in: a month, of hours and minutes a day; numbers stand for themselves.

    >>> stretch_of("2024-03-17", "day"), stretch_of("2024-03-17T05:00", "hour"), stretch_of("1987", "year")
    ('2024-03', '2024-03-17', '1987')
    """
    if "T" in when:
        return when.split("T")[0]
    return when[:7] if step != "year" and when.count("-") == 2 and not when.startswith("-") else when


def changes_together(done: Sequence[Member]) -> tuple[CommonChange, ...]:
    """The stretches in which so many series changed, by name and number, the least probable first.

    The rate of changes elsewhere is that of all other stretches, and half a change more; those that are found no
    longer count.
    """
    seen: dict[str, dict[str, Claim]] = {}
    for member in done:
        for claim in member.sudden:
            seen.setdefault(stretch_of(claim.written[0], member.record.step), {}).setdefault(member.name, claim)
    if not seen:
        return ()
    lengths = [_stretches(member) for member in done]
    spans = Counter(_span(member) for member in done)
    at_risk = {
        stretch: max(len(those), sum(n for span, n in spans.items() if _within(stretch, *span)))
        for stretch, those in seen.items()
    }
    found: list[CommonChange] = []
    elsewhere, changes = float(sum(lengths)), sum(map(len, seen.values()))
    for stretch, those in sorted(seen.items(), key=lambda pair: -len(pair[1])):
        elsewhere, changes = elsewhere - at_risk[stretch], changes - len(those)
        rate = min(1.0, (changes + 0.5) / max(elsewhere, 1.0))
        p = min(1.0, float(binom.sf(len(those) - 1, at_risk[stretch], rate)) * max(*lengths, len(seen)))
        if len(those) < LIMITS["fewest together"] or p >= LIMITS["by chance"]:
            break
        named = dict(sorted(those.items()))
        found.append(CommonChange(stretch, named, at_risk[stretch] * rate, p, done[0].record.step))
    return tuple(sorted(found, key=lambda change: (change.p, -len(change.claims))))


def _span(member: Member) -> tuple[str, str]:
    """The stretches in which a series begins and ends."""
    record = member.record
    return stretch_of(record.first, record.step), stretch_of(record.last, record.step)


def _stretches(member: Member) -> int:
    """How many stretches of time a series has rows in."""
    (first, last), rows = _span(member), max(1, member.record.rows)
    if first.count("-") == 0:
        return rows
    try:
        length = int((np.datetime64(last) - np.datetime64(first)).astype(np.int64)) + 1
    except ValueError:
        return rows
    return max(1, min(rows, length))


def _within(stretch: str, first: str, last: str) -> bool:
    """Whether a series that begins and ends so has rows before and after a stretch."""
    try:
        return float(first) <= float(stretch) <= float(last)
    except ValueError:
        return first <= stretch <= last
