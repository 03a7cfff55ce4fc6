"""What of a series is compared with the others of its panel: a few numbers and words from its record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite, log, log1p

import numpy as np
from numpy.typing import NDArray

from autostatistician.describe.claims.claim import SUDDEN, Claim, first
from autostatistician.describe.claims.kinds import Kind
from autostatistician.describe.claims.quantity import Measure, Quantity
from autostatistician.panel.records import DONE, SeriesRecord

__all__ = ["MEASURES", "SeriesTraits", "places", "traits_of"]

FEWEST_ERRORS = 5  # of forecasts of single rows, by which the last one is judged
FEWEST_BEFORE = 2  # values with which a forecast is compared
ROUNDED = 0.05  # of a season: months are of several lengths
DAYS = {  # of the cycles of the calendar
    "yearly": 365.25, "half-yearly": 182.6, "quarterly": 91.3, "monthly": 30.44, "weekly": 7.0, "daily": 1.0,
    "half-daily": 0.5, "hourly": 1.0 / 24.0,
}  # fmt: skip
SDS_OF_MAD = 1.4826  # standard deviations of normal errors in one median of their sizes


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
    sudden: tuple[Claim, ...] = ()
    endings: tuple[Claim, ...] = ()
    last: float | None = None
    ahead: float | None = None  # change of the forecast against the level of late, as a share
    noise: float | None = None  # as a share of the level
    measures: tuple[tuple[str, Quantity], ...] = ()


MEASURES = ("growth", "ahead", "season", "noise", "error")


def traits_of(record: SeriesRecord) -> SeriesTraits:
    """The traits of a series.

    >>> from autostatistician.panel.records import claim_of
    >>> record = SeriesRecord("a", ("a",), DONE, claims=(claim_of("growth", 0.1, 0.05, 0.15),))
    >>> traits_of(record).growth
    0.1
    """
    if record.status != DONE:
        return SeriesTraits(record.name, False, record.reason, record.notes, record.rows)
    course, growth, noise = (first(record.claims, kind) for kind in (Kind.RISE, Kind.GROWTH, Kind.NOISE))
    seasons = sorted(_all(record.claims, Kind.SEASON), key=lambda claim: -(claim.get("part") or 0.0))
    unknown = _all(record.claims, Kind.OPEN)
    ahead = _ahead(record, [*seasons, *unknown])
    measures = {
        "growth": _growth(growth),
        "season": _plain(seasons[0].get("part") if seasons else None),
        "noise": None if noise is None else _scaled(noise),
        "ahead": _plain(None if ahead is None else log1p(ahead)),
        "error": _plain(_last_error(record, noise)),
    }
    return SeriesTraits(
        record.name, True, "", record.notes, record.rows, record.first, record.last, record.step,
        course.named["name"] if course is not None else "", *_late(record, ahead),
        record.forecast.times[-1] if record.forecast is not None and record.forecast.times else "",
        course.get("share") if course is not None else None,
        course.number.value if course is not None else None, growth.number.value if growth is not None else None,
        tuple(dict.fromkeys(claim.named.get("name") or f"{claim['period']:g}-unit" for claim in seasons)),
        seasons[0].get("share") if seasons else None, min(1.0, sum(claim.get("part") or 0.0 for claim in seasons)),
        seasons[0].named.get("top", "") if seasons else "", bool(seasons) and seasons[0].form == "shared",
        tuple(claim.named["name"] for claim in unknown), _all(record.claims, *SUDDEN), _all(record.claims, Kind.ENDING),
        record.level, ahead, noise.get("share") if noise is not None else None,
        tuple((name, value) for name, value in measures.items() if value is not None),
    )  # fmt: skip


def _late(record: SeriesRecord, ahead: float | None = None) -> tuple[str, str]:
    """Whether a series rises or falls at the end, and since when; a turn that is told goes before the whole course.

    A course that is not that of the forecast has come to an end at a time that nobody knows.

    >>> from autostatistician.panel.records import claim_of
    >>> turn = claim_of("turn", -2.0, -3.0, -1.0, "1979", "1992")
    >>> _late(SeriesRecord("a", ("a",), DONE, last="1992", claims=(turn,)))
    ('falls', '1979')
    """
    course, turns = first(record.claims, Kind.RISE), _all(record.claims, Kind.RUN)
    if turns and turns[-1].written[1] == record.last:
        return "rises" if turns[-1].number.is_up else "falls", turns[-1].written[0]
    if course is None or course.named["name"] not in ("rises", "falls"):
        return "", ""
    ended = ahead is not None and ahead * (1.0 if course.named["name"] == "rises" else -1.0) < 0.0
    return ("", "") if ended else (course.named["name"], "")


def _all(claims: Iterable[Claim], *kinds: Kind) -> tuple[Claim, ...]:
    return tuple(claim for claim in claims if claim.kind in kinds)


def _plain(number: float | None) -> Quantity | None:
    return None if number is None or not isfinite(number) else Quantity.plain(number, Measure.DIFFERENCE)


def _growth(claim: Claim | None) -> Quantity | None:
    if claim is None or claim.number.low <= -1.0:
        return None
    return claim.number.map(log1p)


def _scaled(noise: Claim) -> Quantity | None:
    """The share of the level that single values scatter by, with its range, as logarithms: it differs by factors."""
    share, number = noise.get("share"), noise.number
    return None if not share or number.low <= 0.0 else number.map(lambda end: log(share * end / number.value))


def _ahead(record: SeriesRecord, seasons: Sequence[Claim]) -> float | None:
    """By which share the mean of the forecast lies above the level of late; None of levels that are not above zero.

    Of a series with seasons it is compared with the same part of the season (or of the longest one) before.
    """
    if record.forecast is None or not record.forecast.mean or record.level is None:
        return None
    mean, level = np.array(record.forecast.mean), record.level
    if seasons:
        season = max(seasons, key=lambda claim: claim.get("period") or 0.0)
        times, ahead = places(record.times), places(record.forecast.times)
        length = DAYS.get(season.named.get("name", "")) if "-" in record.last else season.get("period")
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


def _last_error(record: SeriesRecord, noise: Claim | None) -> float | None:
    """The last error in standard deviations of those before it, which are no less than those of single values."""
    if len(record.errors) < FEWEST_ERRORS or noise is None:
        return None
    sd = max(SDS_OF_MAD * float(np.median(np.abs(record.errors[:-1]))), noise.number.value)
    return record.errors[-1] / sd if sd > 0.0 else None
