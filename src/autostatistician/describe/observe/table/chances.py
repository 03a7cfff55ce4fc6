"""From the records of a model of classes to claims on chances."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.claims.claim import Claim, chance_at, extremes, plain_numbers
from autostatistician.claims.kinds import LIMITS, Kind
from autostatistician.claims.quantity import Measure, Quantity
from autostatistician.decompose.records.classes import Chances, ClassForecast, Foreseen, LeaveOneOutClasses
from autostatistician.decompose.records.table import END_QUANTILES, Along, ForeseenOfSeveral, Interaction
from autostatistician.forms import BAND_SDS, CourseKind, Curve

__all__ = [
    "ahead_claim", "ahead_curve", "calibration_claim", "corner_chances", "foresight_claim",
    "ranking_claim", "surprise_claims", "told_chances",
]  # fmt: skip


def told_chances(along: Along, chances: Chances, came: NDArray[np.bool_]) -> tuple[Claim, ...]:
    """The chances that are told of a course: at all of few values, else near both ends of the data and at turns.

    Those of which nothing is known are left out.
    """
    places = along.told.tolist() if along.few else _places(along)
    at = [np.interp(places, along.x, each).tolist() for each in (chances.mean, chances.lower, chances.upper)]
    return tuple(
        chance_at(place, mean, (low, high), rate=float(came[along.at == place].mean()) if along.few else None)
        for place, mean, low, high in zip(places, *at, strict=True)
        if high - low <= LIMITS["any_chance"]
    )


def _places(along: Along) -> list[float]:
    """Near both ends of the data or of what changes, at the very ends where the course turns before, at every turn."""
    turns = [turn.at for turn in along.shape.turns] if along.shape.kind is CourseKind.TURNING else []
    low, high = np.quantile(along.at, END_QUANTILES, method="nearest").tolist()
    first, last = float(along.told[0]), float(along.told[-1])
    if low == high:
        low, high = first, last
    if turns:
        low, high = low if low < turns[0] else first, high if high > turns[-1] else last
    hinge = along.shape.hinge
    if hinge is not None and hinge.flat:
        low, high = (max(low, hinge.at), high) if hinge.bend > 0 else (low, min(high, hinge.at))
    return sorted({low, *turns, high})


def corner_chances(interaction: Interaction, corners: Chances) -> tuple[Claim, ...]:
    """The chances where both columns are low or high."""
    return _chances([at for at in interaction.along_places for _ in interaction.by_places], corners)


def _chances(places: Iterable[float], chances: Chances) -> tuple[Claim, ...]:
    each = zip(places, chances.mean, chances.lower, chances.upper, strict=True)
    return tuple(chance_at(at, float(mean), (float(low), float(high))) for at, mean, low, high in each)


def ahead_claim(ahead: ClassForecast) -> Claim:
    """The chances at the steps after the data."""
    places = _chances(ahead.x.tolist(), ahead.chances)
    ends = zip(("first", "last", "lowest", "highest"), (places[0], places[-1], *extremes(places)), strict=True)
    return Claim(
        id="model/ahead", kind=Kind.CHANCE, number=Quantity.plain(float(ahead.chances.mean.mean()), Measure.SHARE),
        more=plain_numbers(steps=len(places)), parts=tuple(replace(at, form=form) for form, at in ends),
    )  # fmt: skip


def ahead_curve(ahead: ClassForecast) -> Curve:
    """The same in per cent, as it is drawn."""
    mean, lower, upper = (100.0 * each for each in (ahead.chances.mean, ahead.chances.lower, ahead.chances.upper))
    return Curve(ahead.x, mean, (upper - lower) / (2.0 * BAND_SDS), lower, upper)


def foresight_claim(out: LeaveOneOutClasses, came: int) -> Claim:
    """How well classes are foreseen, of which one ``came`` so often."""
    gain, reach, rows = out.log_score - out.log_score_of_share, BAND_SDS * out.log_score_gain_sd, len(out.chance)
    shares = {"wrong": out.wrong, "wrong_of_share": out.wrong_of_share, "share": came / rows}
    return Claim(
        id="model/foresight", kind=Kind.FORESEEN, number=Quantity.plain(out.log_score, Measure.NUMBER),
        more={
            **plain_numbers(rows=rows, came=came, of_share=out.log_score_of_share),
            "gain": Quantity(gain, gain - reach, gain + reach, Measure.NUMBER),
            **{name: Quantity.plain(share, Measure.SHARE) for name, share in shares.items()},
        },
    )  # fmt: skip


def ranking_claim(out: Foreseen) -> Claim:
    """The area under the ROC curve."""
    return Claim(id="model/ranking", kind=Kind.RANKING, number=Quantity(out.area, *out.area_span, Measure.SHARE))


def calibration_claim(out: Foreseen) -> Claim:
    """Whether chances are what they say."""
    return Claim(
        id="model/calibration", kind=Kind.CALIBRATION, number=Quantity.plain(out.calibration, Measure.NUMBER),
        more=plain_numbers(bins_p=out.bins_p),
        parts=tuple(
            Claim(
                id="", kind=Kind.CHANCE, number=Quantity(like.share, *like.span, Measure.SHARE),
                more={"given": Quantity.plain(like.chance, Measure.SHARE), **plain_numbers(rows=like.rows)},
            )
            for like in out.bins
        ),
    )  # fmt: skip


def surprise_claims(
    out: Foreseen | ForeseenOfSeveral, names: Sequence[str], number_of: Callable[[int], int]
) -> tuple[Claim, ...]:
    """Rows whose class had been given a small chance, the smallest first."""
    return tuple(
        Claim(
            id=f"surprise/{number_of(row)}", kind=Kind.SURPRISE,
            number=Quantity.plain(float(out.given[row]), Measure.SHARE), named={"came": names[int(out.came[row])]},
            more=plain_numbers(row=number_of(row), expected=out.surprises_expected),
        )
        for row in out.surprising
    )  # fmt: skip
