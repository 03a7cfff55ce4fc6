"""A series of a panel as its page asks for it: by the claims of its record, and its forecast against what was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from autostatistician.claims.claim import LEVEL_CHANGES, Claim, first
from autostatistician.claims.kinds import Kind
from autostatistician.claims.quantity import Measure, Quantity
from autostatistician.describe.axis.cycles import NAMED
from autostatistician.describe.axis.units import DAY
from autostatistician.panel.records import DONE, SeriesRecord

__all__ = ["Member", "places"]

ROUNDED = 0.05  # of a season: months are of several lengths
DAYS = {name: seconds / DAY for seconds, name in NAMED}  # of the cycles of the calendar


@dataclass(frozen=True)
class Member:
    """A series of a panel by its record.

    >>> from autostatistician.panel.records import claim_of
    >>> claims = claim_of("rise", 2.0, 1.0, 3.0, share=0.2, name="rises"), claim_of("season", 1.0, 1.0, 1.0, period=7.0)
    >>> member = Member(SeriesRecord("a", ("a",), DONE, claims=claims))
    >>> member.way, member.seasons, member.share(Kind.RISE)
    ('rises', ('7-unit',), 0.2)
    """

    record: SeriesRecord

    @property
    def name(self) -> str:
        """As in the data; its ids with a slash between them."""
        return self.record.name

    @property
    def done(self) -> bool:
        """Whether it has a model."""
        return self.record.status == DONE

    def all(self, *kinds: Kind) -> tuple[Claim, ...]:
        """Its claims of some kinds."""
        return tuple(claim for claim in self.record.claims if claim.kind in kinds)

    def claim(self, kind: Kind) -> Claim | None:
        """Its first claim of a kind."""
        return first(self.record.claims, kind)

    def share(self, kind: Kind) -> float | None:
        """The size of a claim as a share of the level, where that is known."""
        claim = self.claim(kind)
        return None if claim is None else claim.get("share")

    @cached_property
    def cycles(self) -> tuple[Claim, ...]:
        """Its seasons, the strongest first."""
        return tuple(sorted(self.all(Kind.SEASON), key=lambda claim: -(claim.get("part") or 0.0)))

    @cached_property
    def seasons(self) -> tuple[str, ...]:
        """What they are called."""
        return tuple(dict.fromkeys(claim.named.get("name") or f"{claim['period']:g}-unit" for claim in self.cycles))

    @property
    def way(self) -> str:
        """What its course does with the sudden changes that last; "" where that is not known."""
        course = self.claim(Kind.RISE)
        way = "" if course is None else course.named.get("name", "")
        if course is None or not self.lasting or way == "turns":
            return way
        return "open" if not course.number.is_clear else "rises" if course.number.is_up else "falls"

    @property
    def top(self) -> str:
        """When its strongest season is highest."""
        return self.cycles[0].named.get("top", "") if self.cycles else ""

    @property
    def lasting(self) -> tuple[Claim, ...]:
        """Its sudden changes that last."""
        return tuple(claim for claim in self.all(Kind.STEP) if claim.form != "recent")

    @property
    def sudden(self) -> tuple[Claim, ...]:
        """All its sudden changes."""
        return self.all(*LEVEL_CHANGES)

    @property
    def growth(self) -> float | None:
        """Per year, as a share."""
        growth = self.claim(Kind.GROWTH)
        return None if growth is None else growth.number.value

    @cached_property
    def ahead(self) -> Claim | None:
        """By which share the mean of its forecast lies above the level of late; None where that is not above zero.

        Of a series with seasons it is compared with the same part of the season (or of the longest one) before.
        """
        forecast, level = self.record.forecast, self.record.level
        if forecast is None or not forecast.mean or level is None:
            return None
        mean, seasons = np.array(forecast.mean), [*self.cycles, *self.all(Kind.OPEN)]
        if seasons:
            compared = self._season_before(mean, max(seasons, key=lambda claim: claim.get("period") or 0.0))
            if compared is None:
                return None
            mean, level = compared
        ahead = float(mean.mean())
        share = ahead / level - 1.0 if min(ahead, level) > 0.0 else float("nan")
        if not isfinite(share):
            return None
        number = Quantity.plain(share, Measure.SHARE)
        return Claim(id="ahead", kind=Kind.AHEAD, form="season" if seasons else "level", number=number)

    def _season_before(self, mean: NDArray[np.float64], season: Claim) -> tuple[NDArray[np.float64], float] | None:
        """The part of a forecast that is compared, and the mean of the values a whole number of seasons before it."""
        record = self.record
        assert record.forecast is not None
        times, ahead = places(record.times), places(record.forecast.times)
        length = DAYS.get(season.named.get("name", "")) if "-" in record.last else season.get("period")
        if times is None or ahead is None or not length:
            return None
        gap = ahead[0] - times[-1]
        whole = int((ahead[-1] - ahead[0] + gap) / length + ROUNDED)
        mean = mean[ahead - ahead[0] < whole * length - ROUNDED * length] if whole else mean
        back = ahead[: len(mean)] - max(whole, 1) * length
        before = (times > back[0] - 0.5 * gap) & (times < back[-1] + 0.5 * gap)
        return (mean, float(np.array(record.values)[before].mean())) if before.any() else None


def places(times: Sequence[str]) -> NDArray[np.float64] | None:
    """Dates in days, numbers as they are; None where there is neither.

    >>> places(("2024-01-01", "2024-01-03")).tolist(), places(("1.5", "2")).tolist(), places(("?",))
    ([19723.0, 19725.0], [1.5, 2.0], None)
    """
    try:
        if all("-" in time[1:] for time in times):
            return np.array(times, dtype="M8[s]").astype(np.float64) / 86400.0
        return np.array(times, dtype=np.float64)
    except ValueError:
        return None
