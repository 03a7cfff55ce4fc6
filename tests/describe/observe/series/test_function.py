"""What is told of a function needs both witnesses."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.describe.factory import airline
from tests.describe.function_cases import COURSE, EVENT, SCATTER, SEASON, UNITS, seen

from autostatistician.decompose.records.function import Estimate, FunctionCourse
from autostatistician.describe.facts.function import FunctionFact, NoiseThroughout
from autostatistician.describe.observe.series.function import function_facts


def facts(course: FunctionCourse) -> dict[str, FunctionFact]:
    return {fact.id: fact for fact in function_facts(replace(airline(), function=course), UNITS)}


def test_what_both_witnesses_say_is_told() -> None:
    known = facts(COURSE)
    told = {name for name, fact in known.items() if fact.told}
    assert told == {"function/rise", "function/slope", "function/season-1", "function/change-1", "function/scatter"}
    assert known["function/scatter"].number == pytest.approx(4.0, abs=0.01)


@pytest.mark.parametrize(
    ("name", "course"),
    [
        ("rise", replace(COURSE, rise_witness=seen(0.0, agrees=False))),
        ("rise", replace(COURSE, rise=Estimate(350.0, -5.0, 700.0, 0.96))),
        ("rise", replace(COURSE, noise_in_data=1000.0)),
        ("slope", replace(COURSE, noise_in_data=1000.0)),
        ("season-1", replace(COURSE, seasons=(replace(SEASON, witness=seen(1.0, agrees=False)),))),
        ("season-1", replace(COURSE, seasons=(replace(SEASON, modelled=0.6),))),
        ("change-1", replace(COURSE, sudden=(replace(EVENT, probability=0.5),))),
        ("change-1", replace(COURSE, sudden=(replace(EVENT, witness=seen(1.0, agrees=False)),))),
        ("scatter", replace(COURSE, scatter=replace(SCATTER, ratio=Estimate(0.0, -0.1, 0.1, 0.5)))),
    ],
)
def test_what_one_of_them_does_not_say_is_not(name: str, course: FunctionCourse) -> None:
    assert not facts(course)[f"function/{name}"].told


def test_noise_is_the_same_throughout_only_where_thirds_are_alike() -> None:
    steady = replace(COURSE, scatter=None, steadiness=0.4)
    assert not facts(COURSE)["function/noise"].told
    noise = facts(steady)["function/noise"]
    assert isinstance(noise, NoiseThroughout)
    assert noise.told


def test_a_share_is_told_where_it_means_something() -> None:
    assert facts(COURSE)["function/change-1"].share == pytest.approx(-0.5)  # type: ignore[attr-defined]
    deep = replace(COURSE, sudden=(replace(EVENT, level=100.0),))
    assert facts(deep)["function/change-1"].share is None  # type: ignore[attr-defined]


def test_without_a_course_there_are_no_facts() -> None:
    assert function_facts(replace(airline(), function=None), UNITS) == ()
