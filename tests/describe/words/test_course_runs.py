"""Rises and falls one after the other, with the stretches in which they stand still."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.describe.function_cases import UNITS

from autostatistician.describe.facts.function import RunOfCourse, Still
from autostatistician.describe.words.course_runs import hardly, one_by_one, sure_tail


def run(
    start: float, stop: float, first: float, last: float, still: Still | None = None, place: int = 1
) -> RunOfCourse:
    return RunOfCourse(
        id="", number=last - first, unit="target", interval=None, evidence="", probability=1.0, told=True, start=start,
        stop=stop, first=first, last=last, start_interval=(start, start), place=place, of=2, still=still,
    )  # fmt: skip


UP = run(1949.0, 1952.0, 100.0, 300.0)


@pytest.mark.parametrize(
    ("runs", "text"),
    [
        ([UP, run(1952.0, 1960.0, 300.0, 100.0, Still(1952.0, 1957.0, 300.0, 296.0), 2)],
         "rose from about 100 to 300 until January 1952, then stayed near there until about January 1957, "
         "then fell to 100"),
        ([UP, run(1952.0, 1960.0, 300.0, 100.0, Still(1952.0, 1957.0, 300.0, 270.0), 2)],
         "rose from about 100 to 300 until January 1952, then fell only to 270 until about January 1957, "
         "then fell to 100"),
        ([UP, run(1952.0, 1960.0, 300.0, 100.0, Still(1954.0, 1957.0, 200.0, 240.0), 2)],
         "rose from about 100 to 300 until January 1952, then fell to 200 until about January 1954, then rose to 240 "
         "until about January 1957, then fell to 100"),
        ([UP, run(1952.0, 1960.0, 300.0, 100.0, Still(1955.0, 1959.9, 105.0, 101.0), 2)],
         "rose from about 100 to 300 until January 1952, then fell to 105 until about January 1955, and has stayed "
         "near there since"),
        ([run(1949.0, 1952.0, 100.0, 300.0, Still(1949.0, 1951.0, 100.0, 101.0)), run(1952.0, 1960.0, 300.0, 90.0)],
         "stayed near 100 until about January 1951, then rose to 300 until January 1952, then fell to 90"),
        ([run(1952.0, 1960.0, 300.0, 90.0, place=2)], "fell from about 300 (January 1952) to 90"),
    ],
)  # fmt: skip
def test_what_happened_when(runs: list[RunOfCourse], text: str) -> None:
    assert one_by_one(runs, UNITS) == text


def test_no_more_than_five_pieces_are_told() -> None:
    still = Still(1954.0, 1957.0, 200.0, 200.0)
    small = run(1949.0, 1952.0, 100.0, 130.0, Still(1950.0, 1951.0, 110.0, 111.0))
    text = one_by_one([small, run(1952.0, 1960.0, 130.0, 400.0, still, 2)], UNITS)
    assert text.startswith("rose from about 100 to 130 until January 1952, then")
    assert "stayed near there until about January 1957" in text


def test_only_what_is_sure_up_to_the_end_is_told() -> None:
    doubtful = run(1949.0, 1952.0, 100.0, 300.0)
    doubtful = RunOfCourse(**{**doubtful.__dict__, "told": False})
    assert sure_tail([UP, doubtful, UP]) == [UP]
    assert sure_tail([UP, doubtful]) == []


def test_a_standstill_in_few_words() -> None:
    assert hardly(Still(1950.0, 1951.0, 1.0, 1.0), UNITS) == ", but hardly from January 1950 to January 1951"
    assert hardly(None, UNITS) == ""


def test_one_that_stood_still_to_the_end() -> None:
    still = run(1952.0, 1960.0, 300.0, 100.0, Still(1952.0, 1960.0, 300.0, 296.0))
    assert one_by_one([replace(still, last=296.0)], UNITS) == "has stayed near 300 since"
