"""Golden sentences: chances of two classes and of several, in tables and over time."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from tests.describe.effect_cases import TOGETHER, TOP, but

from autostatistician.claims.claim import Claim, chance_at, plain_numbers
from autostatistician.claims.kinds import Kind
from autostatistician.claims.quantity import Measure, Quantity
from autostatistician.data.load import load
from autostatistician.data.times.axes import Axis
from autostatistician.describe.axis.units import Scale, Units, units_of
from autostatistician.describe.words.answers.questions import at_time_text, none_text
from autostatistician.describe.words.chances import (
    ahead_text,
    calibration_text,
    chance_course_text,
    foresight_text,
    nothing_text,
    ranking_text,
    surprises_text,
)
from autostatistician.describe.words.effects import course_text, dependence_text
from autostatistician.describe.words.several_classes import confused_text, foresight_of_several_text
from autostatistician.forms import CourseKind

SCALE = Scale(target="survived", event="yes", other="no")
OVER_TIME = replace(
    units_of(Axis("month", "year", "month", 1 / 12), np.arange(2010.0, 2020.0, 1 / 12), np.ones(120), "rain"),
    event="yes", other="no",
)  # fmt: skip


def low(at: float = 30.0) -> Claim:
    """A low chance."""
    return chance_at(at, 0.12, (0.08, 0.17))


def high(at: float = 50.0) -> Claim:
    """A high chance."""
    return chance_at(at, 0.4, (0.31, 0.5))


def foreseen(gain: tuple[float, float, float] = (0.06, 0.02, 0.1), **more: float) -> Claim:
    """How well classes are foreseen."""
    known = {"rows": 200, "came": 50, "of_share": -0.56, "wrong": 0.2, "wrong_of_share": 0.25, "share": 0.25}
    return Claim(
        id="f", kind=Kind.FORESEEN, number=Quantity.plain(-0.5, Measure.NUMBER),
        more={**plain_numbers(**(known | more)), "gain": Quantity(*gain, Measure.NUMBER)},
    )  # fmt: skip


def calibration(number: float, bins_p: float = 0.5) -> Claim:
    """Whether chances are what they say."""
    number_of = Quantity.plain(number, Measure.NUMBER)
    return Claim(id="c", kind=Kind.CALIBRATION, number=number_of, more=plain_numbers(bins_p=bins_p))


RISE = Claim(
    id="c", kind=Kind.COURSE, number=Quantity(0.3, 0.2, 0.4, Measure.SHARE), columns=("age",), form=CourseKind.RISING,
    more=plain_numbers(low=20.0, high=60.0, lowest=20.0, highest=60.0, bend=0),
    parts=(low(), high()),
)  # fmt: skip


def tell_courses() -> Iterator[str]:
    for fact in (
        RISE,
        but(RISE, parts=(high(30.0), low(50.0)), flat_from=45.0),
        but(RISE, columns=("sex",), levels=("man", "woman"), at=(0.0, 1.0), parts=(low(0.0), high(1.0))),
        but(RISE, at=(0.0, 1.0, 2.0), parts=(low(0.0), high(1.0), chance_at(2.0, 0.4, (0.3, 0.5)))),
        but(RISE, form=CourseKind.TURNING, parts=(TOP, low(), high(40.0), chance_at(60.0, 0.2, (0.1, 0.3)))),
        but(RISE, form=CourseKind.UNCLEAR),
        but(RISE, period=12.0),
    ):
        yield course_text(fact, SCALE)


def tell_a_course_over_time_names_dates() -> Iterator[str]:
    days = np.datetime64("2022-01-01") + np.arange(365)
    axis = load({"day": days, "rain": np.arange(365.0)}, target="rain").axis
    assert axis is not None
    first, start, end, last = axis.read(days[[0, 31, 212, 364]])
    units = Units(axis, first, last, 1.0, 1.0, target="rain", event="yes", other="no")
    yield course_text(but(RISE, columns=("day",), low=first, high=last, parts=(low(start), high(end))), units)


def tell_two_columns_together() -> Iterator[str]:
    corners = ((-1.0, 0.9, (0.8, 0.95)), (-1.0, 0.1, (0.05, 0.2)), (1.0, 0.15, (0.1, 0.2)), (1.0, 0.85, (0.7, 0.9)))
    claim = but(
        TOGETHER, columns=("left", "right"), at=(-1.0, 1.0, -0.5, 0.5), parts=[chance_at(*at) for at in corners]
    )
    yield dependence_text(claim, SCALE)


def tell_how_well() -> Iterator[str]:
    for gain in ((0.06, 0.02, 0.1), (0.06, -0.02, 0.1), (0.0, 0.02, 0.1)):
        yield foresight_text(foreseen(gain), SCALE)
    ranking = Claim(id="r", kind=Kind.RANKING, number=Quantity(0.78, 0.68, 0.86, Measure.SHARE))
    yield ranking_text(ranking, SCALE)
    yield nothing_text(SCALE, foreseen())
    yield nothing_text(SCALE, foreseen(), is_open=True)


def tell_calibration() -> Iterator[str]:
    for z in (0.3, 3.0, -3.0):
        yield calibration_text(calibration(z), SCALE)


def tell_surprises() -> Iterator[str]:
    yield surprises_text(())
    yield surprises_text((surprise(0.012, 17, "yes", 1.6), surprise(0.03, 3, "no", 1.6)))


def taken(number: float, likeliest: str, rows: float) -> Claim:
    """Rows of a class that are taken for another."""
    return Claim(
        id="t", kind=Kind.TAKEN, number=Quantity.plain(number, Measure.COUNT), more=plain_numbers(rows=rows),
        named={"came": "a", "likeliest": likeliest},
    )  # fmt: skip


def surprise(number: float, row: int, came: str, expected: float) -> Claim:
    """A row whose class had a small chance."""
    return Claim(
        id="s", kind=Kind.SURPRISE, number=Quantity.plain(number, Measure.SHARE), named={"came": came},
        more=plain_numbers(row=row, expected=expected),
    )  # fmt: skip


TAKEN, SURPRISE = taken(3.0, "b", 50), surprise(0.03, 7, "a", 0.4)
FIRST, LAST = chance_at(2020.0, 0.3, (0.2, 0.4)), chance_at(2021.0, 0.6, (0.4, 0.8))


def ahead(lowest: Claim = FIRST, highest: Claim = LAST, steps: int = 13) -> Claim:
    """The chances of what comes."""
    ends = {"first": FIRST, "last": LAST, "lowest": lowest, "highest": highest}
    return Claim(
        id="a", kind=Kind.CHANCE, number=Quantity.plain(0.45, Measure.SHARE), more=plain_numbers(steps=steps),
        parts=tuple(replace(at, form=form) for form, at in ends.items()),
    )  # fmt: skip


def tell_what_comes_is_told_where_it_is_lowest_and_highest() -> Iterator[str]:
    yield ahead_text(ahead(), OVER_TIME)


def tell_mistakes_are_named() -> Iterator[str]:
    yield confused_text([TAKEN, taken(1.0, "c", 50), taken(1.0, "b", 1)])
    yield surprises_text([SURPRISE])
    yield foresight_of_several_text(foreseen(), "colour", "red")


def tell_over_time() -> Iterator[str]:
    vague = chance_at(2020.0, 0.3, (0.001, 0.999))
    for claim in (ahead(), ahead(highest=FIRST), ahead(steps=1), ahead(lowest=vague)):
        yield ahead_text(claim, OVER_TIME)
    yield calibration_text(calibration(0.0, bins_p=0.001), OVER_TIME)
    yield surprises_text([surprise(0.0499, 7, "a", 0.4)])
    yield at_time_text(2021.0, (0.4, 0.3, 0.5), OVER_TIME)
    yield none_text("trend", OVER_TIME)
    course = but(RISE, columns=("month",), low=2010.0, high=2020.0)
    late, early, turning = high(2018.5), low(2012.0), {"form": CourseKind.TURNING}
    for changes in (
        {"parts": (early, late)}, {"parts": (chance_at(2012.0, 0.6, (0.08, 0.17)), late)}, {"parts": (TOP,) * 5},
        {"period": 1.0, "parts": (early, late)}, {"period": 3.3, "parts": (early, late)},
        {**turning, "parts": (TOP, early, high(2015.0), early)}, {**turning, "parts": (TOP, late, low(2015.0), late)},
    ):  # fmt: skip
        claim = but(course, **changes)  # type: ignore[arg-type]
        first, *_, last = claim.of(Kind.CHANCE)
        if "period" in claim.more or first.value > last.value:
            yield f"{chance_course_text(claim, OVER_TIME)}."
