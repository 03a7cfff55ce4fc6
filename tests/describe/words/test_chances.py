"""Chances in words: golden sentences from facts alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from autostatistician.data.load import load
from autostatistician.data.times.axes import Axis
from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.axis.units import Units, units_of
from autostatistician.describe.facts.classes import (
    Calibration,
    ChanceAt,
    ChanceCourse,
    ChanceDependence,
    Foresight,
    Ranking,
    SurprisingRow,
)
from autostatistician.describe.facts.fact import SHARE
from autostatistician.describe.words.chances import (
    calibration_text,
    foresight_text,
    nothing_text,
    odds_text,
    ranking_text,
    surprises_text,
)
from autostatistician.describe.words.effects import course_text, dependence_text
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


@pytest.mark.parametrize(
    ("fact", "sentence"),
    [
        (
            RISE,
            "Between 30 and 50 of 'age' the chance of 'survived' = 'yes' rises from 12% (95% range: 8% to 17%) to 40% "
            "(31% to 50%), other things as they are; the odds are multiplied by 4.9.",
        ),
        (
            replace(RISE, chances=(replace(HIGH, at=30.0), replace(LOW, at=50.0)), among_others=False, flat_from=45.0),
            "Between 30 and 50 of 'age' the chance of 'survived' = 'yes' falls from 40% (95% range: 31% to 50%) to 12% "
            "(8% to 17%); the odds are divided by 4.9; beyond about 45 it hardly changes.",
        ),
        (
            replace(RISE, column="sex", levels=("man", "woman"), places=(0.0, 1.0),
                    chances=(replace(LOW, at=0.0), replace(HIGH, at=1.0))),
            "The chance of 'survived' = 'yes' is 40% (95% range: 31% to 50%) where 'sex' is 'woman' and 12% (8% to "
            "17%) where it is 'man', other things as they are.",
        ),
        (
            replace(RISE, kind=CourseKind.TURNING, turns=(TurnAt(40.0, (38.0, 42.0), True),),
                    chances=(LOW, replace(HIGH, at=40.0), ChanceAt(60.0, 0.2, (0.1, 0.3)))),
            "Along 'age' the chance of 'survived' = 'yes' rises from 12% (95% range: 8% to 17%) at 30 to 40% (31% to "
            "50%) at about 40 and falls to 20% (10% to 30%) at 60, other things as they are.",
        ),
        (replace(RISE, kind=CourseKind.UNCLEAR), "'age' has no effect that is clear."),
        (
            replace(RISE, period=12.0, among_others=False),
            "The chance of 'survived' = 'yes' repeats along 'age' every 12, between 12% (95% range: 8% to 17%) and 40% "
            "(31% to 50%).",
        ),
    ],
)  # fmt: skip
def test_courses(fact: ChanceCourse, sentence: str) -> None:
    assert course_text(fact, SCALE) == sentence


def test_a_course_over_time_names_dates() -> None:
    days = np.datetime64("2022-01-01") + np.arange(365)
    axis = load({"day": days, "rain": np.arange(365.0)}, target="rain").axis
    assert axis is not None
    first, start, end, last = axis.read(days[[0, 31, 212, 364]])
    units = Units(axis, first, last, 1.0, 1.0, target="rain", event="yes", other="no")
    fact = replace(RISE, column="day", low=first, high=last, among_others=False,
                   chances=(replace(LOW, at=start), replace(HIGH, at=end)))  # fmt: skip
    text = course_text(fact, units)
    assert text.startswith("From 1 February 2022 to 1 August 2022 the chance of 'rain' = 'yes' rises from 12%")


def test_two_columns_together() -> None:
    fact = ChanceDependence(
        id="d", number=1.0, unit="latent", evidence="e", interval=(0.5, 1.5), along="left", by="right",
        along_places=(-1.0, 1.0), by_places=(-0.5, 0.5), first=-1.0, first_interval=(-1.5, -0.5), last=1.0,
        last_interval=(0.5, 1.5), share=0.9, share_interval=(0.8, 1.0), others=False,
        corners=(ChanceAt(-1.0, 0.9, (0.8, 0.95)), ChanceAt(-1.0, 0.1, (0.05, 0.2)), ChanceAt(1.0, 0.15, (0.1, 0.2)),
                 ChanceAt(1.0, 0.85, (0.7, 0.9))),
    )  # fmt: skip
    assert dependence_text(fact, SCALE) == (
        "'left' and 'right' act together: with 'left' at 1 instead of −1, the chance of 'survived' = 'yes' falls from "
        "90% (95% range: 80% to 95%) to 15% (10% to 20%) where 'right' is −0.5, and rises from 10% (5% to 20%) to 85% "
        "(70% to 90%) where it is 0.5."
    )


def test_odds() -> None:
    assert odds_text(LOW, LOW) == "the odds stay as they are"
    assert odds_text(replace(LOW, chance=1e-6), HIGH) == "the odds are multiplied by more than 1,000"
    assert odds_text(replace(LOW, chance=0.0), HIGH) == "the odds are multiplied by more than 1,000"


def test_how_well() -> None:
    assert foresight_text(FORESIGHT, SCALE) == (
        "When each row is foreseen from all the others, 20% are taken for the wrong class, where always saying 'no' "
        "would be wrong in 25%. What came had been given a chance of 60.7% on (geometric) average, where the share of "
        "the class alone gives 57.1%: a log score of −0.500 beside −0.560, a gain that is clear."
    )
    assert "may be accident" in foresight_text(replace(FORESIGHT, gain_interval=(-0.02, 0.1)), SCALE)
    assert foresight_text(replace(FORESIGHT, gain=0.0), SCALE) == (
        "When each row is foreseen from all the others, 20% are taken for the wrong class, where always saying 'no' "
        "would be wrong in 25%. What came had been given a chance of 60.7% on (geometric) average, where the share of "
        "the class alone gives 57.1%: a log score of −0.500 beside −0.560."
    )
    ranking = Ranking(id="r", number=0.78, unit=SHARE, evidence="e", interval=(0.68, 0.86))
    assert ranking_text(ranking, SCALE).startswith(
        "Of two rows, one 'yes' and one 'no', the former has the higher chance in 78% of all pairs (95% range: 68% to"
    )
    assert nothing_text(SCALE, FORESIGHT) == (
        "Nothing was found: no column tells anything about the chance of 'survived' = 'yes' that is clear of accident. "
        "It came in 25% of the rows, and nothing better than that share can be said of any."
    )


@pytest.mark.parametrize(("z", "words"), [(0.3, "are what they say"), (3.0, "too near to"), (-3.0, "too cautious")])
def test_calibration(z: float, words: str) -> None:
    assert words in calibration_text(Calibration(id="c", number=z, unit="1", evidence="e", bins=(), bins_p=0.5), SCALE)


def test_surprises() -> None:
    one = SurprisingRow(id="s", number=0.012, unit=SHARE, evidence="e", row=17, came=True, expected=1.6)
    assert surprises_text((), SCALE) == ""
    assert surprises_text((one, replace(one, row=3, came=False, number=0.03)), SCALE) == (
        "Two rows were of a class that had been given a chance of less than 5%: row 17 ('yes', 1.2%) and row 3 ('no', "
        "3%). By accident about 2 would be expected. Rows have their numbers in the table, from 1."
    )
