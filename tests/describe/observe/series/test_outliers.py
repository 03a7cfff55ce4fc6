"""Values that stand out, as facts."""

from __future__ import annotations

from dataclasses import replace

from tests.describe import factory

from autostatistician.data.outliers import Outlier, Screening
from autostatistician.describe.facts.whole import HeavyTails, ReturningDay, StandingOut
from autostatistician.describe.observe.series.outliers import outlier_facts

D = factory.airline()


def test_every_value_is_one_fact() -> None:
    rows = (
        Outlier(1955.0, 146.0, 50.2, chance=0.97),
        Outlier(1957.0, 90.0, 50.0, chance=1.0),
        Outlier(1960.0, 5.0, 51.0, aside=False),
    )
    facts = outlier_facts(replace(D, screening=Screening(rows, 57.0)))
    assert [(one.position, one.number, one.expected, one.aside) for one in facts if isinstance(one, StandingOut)] == [
        (1955.0, 146.0, 50.2, True), (1957.0, 90.0, 50.0, True), (1960.0, 5.0, 51.0, False),
    ]  # fmt: skip
    assert [one.chance for one in facts if isinstance(one, StandingOut)] == [0.97, 0.9999, None]
    assert {one.gain for one in facts if isinstance(one, StandingOut)} == {57.0}


def test_many_are_one_fact() -> None:
    (fact,) = outlier_facts(replace(D, screening=Screening(heavy=7)))
    assert isinstance(fact, HeavyTails)
    assert fact.number == 7


def test_none_is_none() -> None:
    assert outlier_facts(D) == ()


def test_a_day_that_comes_back_is_one_fact() -> None:
    rows = tuple(
        Outlier(x, y, 100.0, returns="date 12 25 0") for x, y in ((358.0, 19.0), (723.0, 21.0), (1088.0, 20.0))
    )
    (fact,) = outlier_facts(replace(D, screening=Screening(rows)))
    assert isinstance(fact, ReturningDay)
    assert (fact.day, fact.number, fact.level, fact.times, fact.since) == (
        "25 December each year",
        -80.0,
        20.0,
        3,
        358.0,
    )
