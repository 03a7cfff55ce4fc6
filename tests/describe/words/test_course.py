"""Where a function went, word for word."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from tests.describe.function_cases import COURSE, EVENT, ROOF, STEP, UNITS, facts, it, seen, sure

from autostatistician.decompose.records.function import Estimate, FunctionCourse, Standstill
from autostatistician.describe.words.course import course_text, way_of
from autostatistician.describe.words.events import ask_text, happened_text

WAYS = {
    "rises": "rose from|rose steadily|rose by|stayed|rose slowly", "falls": "fell from|fell steadily",
    "turns": r"up and down|, then|\(about", "level": "no lasting|no clear", "open": "may have|open|probably",
}  # fmt: skip


PAUSE = Standstill(1952.0, 1954.0, 200.0, 201.0)


@pytest.mark.parametrize(
    ("course", "sentence"),
    [
        (replace(COURSE, sudden=(EVENT, replace(STEP, at=1958.0))),
         "Apart from that it rose steadily, by about 29 per year."),
        (replace(COURSE, rise=Estimate(-90.0, -200.0, 30.0, 0.7), sudden=()),
         "it may have risen or fallen: it begins near 120 and ends near 470."),
        (replace(COURSE, rise=Estimate(-90.0, -200.0, 30.0, 0.7), bounds=(100.0, 300.0), wander=0.6, sudden=()),
         "it goes up and down between about 100 and 300; whether it ends higher or lower than it began is open."),
        (replace(COURSE, stretches=(replace(ROOF[0], witness=seen(0.0, agrees=False)), ROOF[1]), sudden=(),
                 rise=Estimate(90.0, -30.0, 200.0, 0.87)),
         "it fell from about 300 (about January 1956) to 250; it probably ends higher than it began, at about 470 "
         "after 120 (with a probability of 87%)."),
        (replace(COURSE, rise_witness=seen(-40.0, agrees=False)),
         "Otherwise it may have risen or fallen: it begins near 120 and ends near 470."),
        (COURSE, "Otherwise it rose from about 120 to 470, steadily, by about 29 per year."),
        (replace(COURSE, slope=sure(45.0)),
         "Otherwise it rose from about 120 to 470, by about 29 per year on average and 45 per year of late."),
        (replace(COURSE, slope=sure(35.0)), "Otherwise it rose from about 120 to 470, steadily, by about 29 per year."),
        (replace(COURSE, bends=True), "Otherwise it rose from about 120 to 470, by about 29 per year on average."),
        (replace(COURSE, paces=(10.0, 30.0, 50.0)), "Otherwise it rose from about 120 to 470, faster and faster."),
        (replace(COURSE, paces=(50.0, 30.0, 10.0)), "Otherwise it rose from about 120 to 470, more and more slowly."),
        (replace(COURSE, paces=(10.0, 80.0, 12.0)),
         "Otherwise it rose from about 120 to 470, slowly at first, then faster, and slowly again of late."),
        (replace(COURSE, wander=0.3), "Otherwise it rose from about 120 to 470."),
        (replace(COURSE, wander=0.3, slope=Estimate(0.5, -1.0, 2.0, 0.7)),
         "Otherwise it rose from about 120 to 470, and has hardly moved of late."),
        (replace(COURSE, wander=0.3, slope=sure(-20.0)),
         "Otherwise it rose from about 120 to 470, but of late it falls by about 20 per year."),
        (replace(COURSE, sudden=(STEP,), wander=0.4, pace=sure(2.0, 0.5)),
         "Apart from that it shows no clear rise or fall."),
        (replace(COURSE, sudden=(STEP,), wander=0.4, stretches=ROOF),
         "Apart from that it rose by 200 until about January 1956, then fell by 50."),
        (replace(COURSE, sudden=(STEP,), wander=0.4), "On the whole it rose from about 120 to 470."),
        (replace(COURSE, sudden=(STEP,)), "Apart from that it rose steadily, by about 29 per year."),
        (replace(COURSE, sudden=(STEP,), paces=(29.0, 12.0, 29.4)),
         "Apart from that it rose by about 29 per year on average."),
        (replace(COURSE, sudden=(STEP,), pace=Estimate(1.0, -1.0, 2.0, 0.8)),
         "Apart from that it shows no clear rise or fall."),
        (replace(COURSE, stretches=ROOF),
         "Otherwise it rose from about 100 to 300 until about January 1956, then fell to 250."),
        (replace(COURSE, rise=Estimate(3.0, -5.0, 9.0, 0.8)),
         "Otherwise it shows no lasting rise or fall: it ends near where it began, at about 295."),
        (replace(COURSE, rise=Estimate(4.0, -2.0, 9.0, 0.87)),
         "Otherwise it probably rose, from about 120 to 470 (with a probability of 87%)."),
        (replace(COURSE, rise=Estimate(4.0, -2.0, 9.0, 0.87), bounds=(100.0, 300.0), wander=0.6),
         "Otherwise it goes up and down between about 100 and 300; it probably ends higher than it began, at about 470 "
         "after 120 (with a probability of 87%)."),
        (replace(COURSE, still=PAUSE),
         "Otherwise it rose from about 120 to 470, by about 29 per year on average, but hardly from January 1952 to "
         "January 1954."),
        (replace(COURSE, still=PAUSE, wander=0.3, paces=(40.0, 5.0, 40.0)),
         "Otherwise it rose from about 120 to 470, but hardly from January 1952 to January 1954."),
        (replace(COURSE, still=PAUSE, wander=0.3, paces=(10.0, 30.0, 50.0)),
         "Otherwise it rose from about 120 to 470, faster and faster, but hardly from January 1952 to January 1954."),
        (replace(COURSE, still=replace(PAUSE, stop=1956.0), wander=0.3, paces=(40.0, 5.0, 40.0)),
         "Otherwise it rose from about 120 to 200 until about January 1952, then stayed near there until about January "
         "1956, then rose to 470."),
        (replace(COURSE, wander=0.9, bounds=(0.0, 900.0)),
         "Otherwise it goes up and down between about 0 and 900; "
         "it ends higher than it began, at about 470 after 120."),
        (replace(COURSE, stretches=ROOF * 2),
         "Otherwise it went up and down between about 118 and 475, with three clear turns, and "
         "downwards since about January 1956; "
         "it ends higher than it began, at about 470 after 120."),
        (replace(COURSE, stretches=(*ROOF, ROOF[0], replace(ROOF[1], still=Standstill(1956.0, 1959.0, 300.0, 299.0)))),
         "Otherwise it went up and down between about 118 and 475, with three clear turns; at last it stayed near 300 "
         "until about January 1959, then fell to 250; it ends higher than it began, at about 470 after 120."),
    ],
)  # fmt: skip
def test_courses(course: FunctionCourse, sentence: str) -> None:
    told = facts(replace(course, seasons=()))
    assert it(course_text(told, UNITS)) == sentence
    way = way_of(told)
    assert way is not None
    assert re.search(WAYS[way], sentence)


def test_nothing_is_said_of_too_few_rows() -> None:
    assert (course_text((), UNITS), happened_text((), UNITS), ask_text((), UNITS)) == ("", "", "")
    assert way_of(()) is None
