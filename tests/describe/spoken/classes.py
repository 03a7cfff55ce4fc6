"""Golden sentences: chances of two classes and of several, in tables and over time."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from autostatistician.data.load import load
from autostatistician.data.times.axes import Axis
from autostatistician.describe.axis.units import Scale, Units, units_of
from autostatistician.describe.claims.claim import Claim, plain_numbers
from autostatistician.describe.claims.kinds import Kind
from autostatistician.describe.claims.quantity import Measure, Quantity
from autostatistician.describe.facts.classes import (
    Calibration,
    ChanceAhead,
    ChanceAt,
    ChanceCourse,
    ChanceDependence,
    Foresight,
)
from autostatistician.describe.facts.effect import EffectShare
from autostatistician.describe.facts.fact import SHARE
from autostatistician.describe.facts.several_classes import LikeliestAt
from autostatistician.describe.words import several_classes as words
from autostatistician.describe.words.answers.questions import at_time_text, none_text
from autostatistician.describe.words.chances import (
    ahead_text,
    calibration_text,
    chance_course_text,
    foresight_text,
    nothing_text,
    odds_text,
    persistence_text,
    ranking_text,
    surprises_text,
)
from autostatistician.describe.words.effects import course_text, dependence_text
from autostatistician.describe.words.several_classes import confused_text, foresight_of_several_text, likelier_text
from autostatistician.forms import CourseKind, TurnAt

SCALE = Scale(target="survived", event="yes", other="no")
OVER_TIME = replace(
    units_of(Axis("month", "year", "month", 1 / 12), np.arange(2010.0, 2020.0, 1 / 12), np.ones(120), "rain"),
    event="yes", other="no",
)  # fmt: skip
LOW, HIGH = ChanceAt(30.0, 0.12, (0.08, 0.17)), ChanceAt(50.0, 0.4, (0.31, 0.5))
RISE = ChanceCourse(
    id="c", number=0.3, unit=SHARE, evidence="e", interval=(0.2, 0.4), column="age", kind=CourseKind.RISING, change=0.3,
    change_interval=(0.2, 0.4), low=20.0, high=60.0, lowest=20.0, highest=60.0, turns=(), legs=(), flat_from=None,
    flat_until=None, bend=0, open_from=None, open_until=None, period=None, averaged=False, places=(), levels=(),
    among_others=True, chances=(LOW, HIGH),
)  # fmt: skip
FORESIGHT = Foresight(
    id="f", number=-0.5, unit="nat", evidence="e", rows=200, came=50, of_share=-0.56, gain=0.06,
    gain_interval=(0.02, 0.1), wrong=0.2, wrong_of_share=0.25,
)  # fmt: skip


def tell_courses() -> Iterator[str]:
    for fact in (
        RISE,
        replace(RISE, chances=(replace(HIGH, at=30.0), replace(LOW, at=50.0)), among_others=False, flat_from=45.0),
        replace(
            RISE,
            column="sex",
            levels=("man", "woman"),
            places=(0.0, 1.0),
            chances=(replace(LOW, at=0.0), replace(HIGH, at=1.0)),
        ),
        replace(
            RISE,
            kind=CourseKind.TURNING,
            turns=(TurnAt(40.0, (38.0, 42.0), True),),
            chances=(LOW, replace(HIGH, at=40.0), ChanceAt(60.0, 0.2, (0.1, 0.3))),
        ),
        replace(RISE, kind=CourseKind.UNCLEAR),
        replace(RISE, period=12.0, among_others=False),
    ):
        yield course_text(fact, SCALE)


def tell_a_course_over_time_names_dates() -> Iterator[str]:
    days = np.datetime64("2022-01-01") + np.arange(365)
    axis = load({"day": days, "rain": np.arange(365.0)}, target="rain").axis
    assert axis is not None
    first, start, end, last = axis.read(days[[0, 31, 212, 364]])
    units = Units(axis, first, last, 1.0, 1.0, target="rain", event="yes", other="no")
    fact = replace(
        RISE,
        column="day",
        low=first,
        high=last,
        among_others=False,
        chances=(replace(LOW, at=start), replace(HIGH, at=end)),
    )
    yield course_text(fact, units)


def tell_two_columns_together() -> Iterator[str]:
    fact = ChanceDependence(
        id="d",
        number=1.0,
        unit="latent",
        evidence="e",
        interval=(0.5, 1.5),
        along="left",
        by="right",
        along_places=(-1.0, 1.0),
        by_places=(-0.5, 0.5),
        first=-1.0,
        first_interval=(-1.5, -0.5),
        last=1.0,
        last_interval=(0.5, 1.5),
        share=0.9,
        share_interval=(0.8, 1.0),
        others=False,
        corners=(
            ChanceAt(-1.0, 0.9, (0.8, 0.95)),
            ChanceAt(-1.0, 0.1, (0.05, 0.2)),
            ChanceAt(1.0, 0.15, (0.1, 0.2)),
            ChanceAt(1.0, 0.85, (0.7, 0.9)),
        ),
    )
    yield dependence_text(fact, SCALE)


def tell_odds() -> Iterator[str]:
    yield odds_text(LOW, LOW)
    yield odds_text(replace(LOW, chance=1e-06), HIGH)
    yield odds_text(replace(LOW, chance=0.0), HIGH)


def tell_how_well() -> Iterator[str]:
    yield foresight_text(FORESIGHT, SCALE)
    yield foresight_text(replace(FORESIGHT, gain_interval=(-0.02, 0.1)), SCALE)
    yield foresight_text(replace(FORESIGHT, gain=0.0), SCALE)
    ranking = Claim(id="r", kind=Kind.RANKING, number=Quantity(0.78, 0.68, 0.86, Measure.SHARE))
    yield ranking_text(ranking, SCALE)
    yield nothing_text(SCALE, FORESIGHT)
    yield nothing_text(SCALE, FORESIGHT, is_open=True)


def tell_calibration() -> Iterator[str]:
    for z in (0.3, 3.0, -3.0):
        yield calibration_text(Calibration(id="c", number=z, unit="1", evidence="e", bins=(), bins_p=0.5), SCALE)


def tell_surprises() -> Iterator[str]:
    yield surprises_text(())
    yield surprises_text((surprise(0.012, 17, "yes", 1.6), surprise(0.03, 3, "no", 1.6)))


SHARES = EffectShare(id="s", number=0.4, unit=SHARE, evidence="e", columns=("age",))
BEST = LikeliestAt(
    id="b", number=0.8, unit=SHARE, evidence="e", columns=("age", "kind"), places=(33.0, 1.0), ranks=(0.5, 0.5),
    lows=(20.0, 0.0), highs=(60.0, 1.0), levels=((), ("a", "b")),
)  # fmt: skip


def taken(number: float, likeliest: str, rows: float) -> Claim:
    """Rows of a class that are taken for another."""
    return Claim(
        id="t", kind=Kind.TAKEN, number=Quantity.plain(number, Measure.COUNT), more=plain_numbers(rows=rows),
        named={"came": "a", "likeliest": likeliest},
    )  # fmt: skip


def surprise(number: float, row: int, came: str, expected: float) -> Claim:
    """A row whose class had a small chance."""
    return Claim(
        id="s", kind=Kind.SURPRISE, at=(row,), number=Quantity.plain(number, Measure.SHARE), named={"came": came},
        more=plain_numbers(expected=expected),
    )  # fmt: skip


TAKEN, SURPRISE = taken(3.0, "b", 50), surprise(0.03, 7, "a", 0.4)
FIRST, LAST = ChanceAt(2020.0, 0.3, (0.2, 0.4)), ChanceAt(2021.0, 0.6, (0.4, 0.8))
AHEAD = ChanceAhead(
    id="a", number=0.45, unit=SHARE, evidence="e", steps=13, first=FIRST, last=LAST, lowest=FIRST, highest=LAST
)


def tell_a_class_is_likelier_where_its_course_is_highest() -> Iterator[str]:
    for changes in (
        {},
        {"chances": (replace(HIGH, at=30.0), replace(LOW, at=50.0))},
        {"kind": CourseKind.TURNING, "chances": (replace(LOW, at=20.0), replace(HIGH, at=40.0), LOW)},
        {"kind": CourseKind.TURNING, "chances": (replace(HIGH, at=20.0), replace(LOW, at=40.0), HIGH)},
    ):
        fact = replace(RISE, **changes)
        yield likelier_text([(SHARES, fact)], SCALE)


def tell_of_two_columns_the_place_of_both_is_told() -> Iterator[str]:
    both = replace(SHARES, columns=("age", "kind"))
    yield likelier_text([(both, BEST)], SCALE)
    yield likelier_text([], SCALE)


def tell_a_cycle_of_the_calendar_has_its_month() -> Iterator[str]:
    fact = replace(RISE, column="month", period=1.0, chances=(replace(LOW, at=2012.0), replace(HIGH, at=2012.5)))
    yield likelier_text([(SHARES, fact)], OVER_TIME)


def tell_what_comes_is_told_where_it_is_lowest_and_highest() -> Iterator[str]:
    yield ahead_text(AHEAD, OVER_TIME)


def tell_mistakes_are_named() -> Iterator[str]:
    yield confused_text([TAKEN, taken(1.0, "c", 50), taken(1.0, "b", 1)])
    yield surprises_text([SURPRISE])
    yield foresight_of_several_text(FORESIGHT, "colour", "red")


def tell_over_time() -> Iterator[str]:
    yield ahead_text(AHEAD, OVER_TIME)
    yield ahead_text(replace(AHEAD, lowest=AHEAD.first, highest=AHEAD.first), OVER_TIME)
    yield ahead_text(replace(AHEAD, steps=1), OVER_TIME)
    yield ahead_text(replace(AHEAD, lowest=replace(AHEAD.lowest, span=(0.001, 0.999))), OVER_TIME)
    yield persistence_text(STAYS, OVER_TIME)
    unlike = Calibration(id="c", number=0.0, unit="1", evidence="e", bins=(), bins_p=0.001)
    yield calibration_text(unlike, OVER_TIME)
    yield surprises_text([surprise(0.0499, 7, "a", 0.4)])
    yield at_time_text(2021.0, (0.4, 0.3, 0.5), OVER_TIME)
    yield none_text("trend", OVER_TIME)
    course = replace(RISE, column="month", low=2010.0, high=2020.0, among_others=False)
    late, early = replace(HIGH, at=2018.5), replace(LOW, at=2012.0)
    for changes in (
        {"chances": (early, late)}, {"chances": (replace(early, chance=0.6), late)}, {"turns": (TOP,) * 5},
        {"period": 1.0, "chances": (early, late)}, {"period": 3.3, "chances": (early, late)},
        {"kind": CourseKind.TURNING, "turns": (TOP,), "chances": (early, replace(late, at=2015.0), early)},
        {"kind": CourseKind.TURNING, "turns": (TOP,), "chances": (late, replace(early, at=2015.0), late)},
    ):  # fmt: skip
        fact = replace(course, **changes)  # type: ignore[arg-type]
        yield words.likelier_text([(SHARES, fact)], OVER_TIME)
        if fact.period is not None or fact.chances[0].chance > fact.chances[-1].chance:
            yield f"{chance_course_text(fact, OVER_TIME)}."


STAYS = Claim(
    id="p", kind=Kind.PERSISTENCE, number=Quantity.plain(0.7, Measure.SHARE),
    more=plain_numbers(stays=56, after=80, comes=24, after_other=169, runs=49, runs_expected=109.8),
)  # fmt: skip
TOP = TurnAt(2015.0, (2014.0, 2016.0), True)
