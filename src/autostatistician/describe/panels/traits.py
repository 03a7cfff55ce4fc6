"""What of a series is compared with the others of its panel: a few numbers and words from its record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite, log1p

import numpy as np
from numpy.typing import NDArray

from autostatistician.panel.records import DONE, PanelClaim, SeriesRecord

__all__ = ["MEASURES", "Measured", "SeriesTraits", "places", "traits_of"]

SUDDEN = ("step", "event", "recent")
FEWEST_ERRORS = 5  # of forecasts of single rows, by which the last one is judged
FEWEST_BEFORE = 2  # values with which a forecast is compared
ROUNDED = 0.05  # of a season: months are of several lengths
DAYS = {  # of the cycles of the calendar
    "yearly": 365.25, "half-yearly": 182.6, "quarterly": 91.3, "monthly": 30.44, "weekly": 7.0, "daily": 1.0,
    "half-daily": 0.5, "hourly": 1.0 / 24.0,
}  # fmt: skip
SDS_OF_MAD = 1.4826  # standard deviations of normal errors in one median of their sizes


@dataclass(frozen=True)
class Measured:
    """A number with its range; the same three times where none is known."""

    number: float
    low: float
    high: float


@dataclass(frozen=True)
class SeriesTraits:
    """What is compared of one series; None is what its record does not say.

    ``measures`` are by name: "growth" (of the logarithm, per year), "season" (share of the variation), "noise" (as a
    share of the level), "ahead" (the mean of the forecast against the level of late, as a logarithm), "error" (the last
    error of a forecast one row ahead, in standard deviations).
    """

    name: str
    done: bool
    reason: str = ""
    notes: tuple[str, ...] = ()
    rows: int = 0
    first: str = ""
    stop: str = ""
    step: str = ""
    way: str = ""  # of the course, as in the claims
    late: str = ""  # what it does at the end: "rises" or "falls"; "" where that is not told
    turned: str = ""  # since when, where it did otherwise before
    stop_ahead: str = ""  # the last time of the forecast
    change: float | None = None  # of the course, as a share
    rise: float | None = None  # of the course, in units of the data
    growth: float | None = None  # per year, as a share
    seasons: tuple[str, ...] = ()
    swing: float | None = None  # of the strongest season, as a share of the level
    part: float = 0.0  # of the variation that all seasons have
    top: str = ""  # of the strongest
    borrowed: bool = False  # whether that is one of the other series
    unknown: tuple[str, ...] = ()  # seasons of the others that it may follow or not
    sudden: tuple[PanelClaim, ...] = ()
    endings: tuple[PanelClaim, ...] = ()
    last: float | None = None
    ahead: float | None = None  # change of the forecast against the level of late, as a share
    noise: float | None = None  # as a share of the level
    measures: tuple[tuple[str, Measured], ...] = ()


MEASURES = ("growth", "ahead", "season", "noise", "error")


def traits_of(record: SeriesRecord) -> SeriesTraits:
    """The traits of a series.

    >>> record = SeriesRecord("a", ("a",), DONE, claims=(PanelClaim("growth", 0.1, 0.05, 0.15),))
    >>> traits_of(record).growth
    0.1
    """
    if record.status != DONE:
        return SeriesTraits(record.name, False, record.reason, record.notes, record.rows)
    course, growth, noise = (_first(record.claims, kind) for kind in ("course", "growth", "noise"))
    seasons = sorted(_all(record.claims, ("season",)), key=lambda claim: -(claim.part or 0.0))
    unknown = _all(record.claims, ("open",))
    ahead = _ahead(record, [*seasons, *unknown])
    measures = {
        "growth": _growth(growth),
        "season": _plain(seasons[0].part if seasons else None),
        "noise": None if noise is None or noise.share is None else _scaled(noise),
        "ahead": _plain(None if ahead is None else log1p(ahead)),
        "error": _plain(_last_error(record, noise)),
    }
    return SeriesTraits(
        record.name, True, "", record.notes, record.rows, record.first, record.last, record.step,
        course.name if course is not None else "", *_late(record, ahead),
        record.forecast.times[-1] if record.forecast is not None and record.forecast.times else "",
        course.share if course is not None else None,
        course.number if course is not None else None, growth.number if growth is not None else None,
        tuple(dict.fromkeys(claim.name or f"{claim.period:g}-unit" for claim in seasons)),
        seasons[0].share if seasons else None, min(1.0, sum(claim.part or 0.0 for claim in seasons)),
        seasons[0].top if seasons else "", bool(seasons) and seasons[0].shared,
        tuple(claim.name for claim in unknown), _all(record.claims, SUDDEN), _all(record.claims, ("ending",)),
        record.level, ahead, noise.share if noise is not None else None,
        tuple((name, value) for name, value in measures.items() if value is not None),
    )  # fmt: skip


def _late(record: SeriesRecord, ahead: float | None = None) -> tuple[str, str]:
    """Whether a series rises or falls at the end, and since when; a turn that is told goes before the whole course.

    A course that is not that of the forecast has come to an end at a time that nobody knows.

    >>> turn = PanelClaim("turn", -2.0, -3.0, -1.0, "1979", "1992")
    >>> _late(SeriesRecord("a", ("a",), DONE, last="1992", claims=(turn,)))
    ('falls', '1979')
    """
    course, turns = _first(record.claims, "course"), _all(record.claims, ("turn",))
    if turns and turns[-1].stop == record.last:
        return "rises" if turns[-1].number > 0.0 else "falls", turns[-1].start
    if course is None or course.name not in ("rises", "falls"):
        return "", ""
    ended = ahead is not None and ahead * (1.0 if course.name == "rises" else -1.0) < 0.0
    return ("", "") if ended else (course.name, "")


def _first(claims: Iterable[PanelClaim], kind: str) -> PanelClaim | None:
    return next((claim for claim in claims if claim.kind == kind), None)


def _all(claims: Iterable[PanelClaim], kinds: tuple[str, ...]) -> tuple[PanelClaim, ...]:
    return tuple(claim for claim in claims if claim.kind in kinds)


def _plain(number: float | None) -> Measured | None:
    return None if number is None or not isfinite(number) else Measured(number, number, number)


def _growth(claim: PanelClaim | None) -> Measured | None:
    if claim is None or claim.low <= -1.0:
        return None
    return Measured(log1p(claim.number), log1p(claim.low), log1p(claim.high))


def _scaled(noise: PanelClaim) -> Measured | None:
    """The share of the level that single values scatter by, with its range, as logarithms: it differs by factors."""
    if not (noise.share and noise.number > 0.0 and noise.low > 0.0):
        return None
    shares = [noise.share * end / noise.number for end in (noise.number, noise.low, noise.high)]
    return Measured(*(float(np.log(share)) for share in shares))


def _ahead(record: SeriesRecord, seasons: Sequence[PanelClaim]) -> float | None:
    """By which share the mean of the forecast lies above the level of late; None of levels that are not above zero.

    Of a series with seasons it is compared with the same part of the season (or of the longest one) before.
    """
    if record.forecast is None or not record.forecast.mean or record.level is None:
        return None
    mean, level = np.array(record.forecast.mean), record.level
    if seasons:
        season = max(seasons, key=lambda claim: claim.period or 0.0)
        times, ahead = places(record.times), places(record.forecast.times)
        length = DAYS.get(season.name) if "-" in record.last else season.period
        if times is None or ahead is None or not length:
            return None
        gap = ahead[0] - times[-1]
        whole = int((ahead[-1] - ahead[0] + gap) / length + ROUNDED)
        mean = mean[ahead - ahead[0] < whole * length - ROUNDED * length] if whole else mean
        back = ahead[: len(mean)] - max(whole, 1) * length
        before = (times > back[0] - 0.5 * gap) & (times < back[-1] + 0.5 * gap)
        if before.sum() < FEWEST_BEFORE:
            return None
        level = float(np.array(record.values)[before].mean())
    share = float(mean.mean()) / level - 1.0 if min(float(mean.mean()), level) > 0.0 else None
    return share if share is not None and isfinite(share) else None


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


def _last_error(record: SeriesRecord, noise: PanelClaim | None) -> float | None:
    """The last error in standard deviations of those before it, which are no less than those of single values."""
    if len(record.errors) < FEWEST_ERRORS or noise is None:
        return None
    sd = max(SDS_OF_MAD * float(np.median(np.abs(record.errors[:-1]))), noise.number)
    return record.errors[-1] / sd if sd > 0.0 else None
