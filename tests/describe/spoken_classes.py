"""Golden sentences on classes beside the golden pages: what no page says, made from facts alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tests.decompose.table import classes, several
from tests.describe.words.test_chances import FORESIGHT, HIGH, LOW, OVER_TIME, RISE, SCALE
from tests.describe.words.test_several_classes import AHEAD, BEST, SHARES, SURPRISE, TAKEN

from autostatistician.describe.document.classes.page import class_page
from autostatistician.describe.facts.classes import Calibration, Persistence
from autostatistician.describe.observe.table.findings import class_findings, scale_for
from autostatistician.describe.tell import document, result, statements
from autostatistician.describe.words import several_classes as words
from autostatistician.describe.words.answers.chances import at_time_text
from autostatistician.describe.words.answers.questions import none_text
from autostatistician.describe.words.chances import (
    ahead_text,
    calibration_text,
    chance_course_text,
    persistence_text,
)
from autostatistician.forms import CourseKind, TurnAt


def class_lines() -> Iterator[str]:
    """All of them, each after the name of what it is about."""
    for name, texts in (("several classes", _several()), ("classes over time", _over_time()), ("cut", _cut())):
        yield f"# {name}"
        yield from texts


def _cut() -> Iterator[str]:
    """A search that was cut before it had tried any column."""
    found = class_findings(classes.nothing())
    untried = replace(found, columns=tuple(replace(column, untried=True) for column in found.columns))
    yield class_page(untried, scale_for(classes.nothing())).abstract()


def _several() -> Iterator[str]:
    top = (TurnAt(40.0, (38.0, 42.0), True),)
    middle = (replace(LOW, at=20.0), replace(HIGH, at=40.0), replace(LOW, at=60.0))
    for changes in (
        {}, {"chances": (replace(HIGH, at=30.0), replace(LOW, at=50.0))}, {"kind": CourseKind.UNCLEAR},
        {"levels": ("man", "woman"), "places": (0.0, 1.0), "chances": (replace(LOW, at=0.0), replace(HIGH, at=1.0))},
        {"period": 12.0}, {"turns": top * 5}, {"kind": CourseKind.TURNING, "turns": top, "chances": middle},
        {
            "kind": CourseKind.TURNING, "turns": top,
            "chances": (replace(HIGH, at=20.0), replace(LOW, at=40.0), replace(HIGH, at=60.0)),
        },
    ):  # fmt: skip
        yield words.likelier_text([(SHARES, replace(RISE, **changes))], SCALE)  # type: ignore[arg-type]
    both = replace(SHARES, columns=("age", "fare"))
    yield words.likelier_text([(both, RISE, BEST)], SCALE)
    yield words.likelier_text([(both, RISE, replace(BEST, ranks=(0.1, 0.9), levels=((), ())))], SCALE)
    yield words.likelier_text([(both, RISE)], SCALE)
    yield words.confused_text([])
    yield words.confused_text([TAKEN, replace(TAKEN, number=1.0)])
    yield words.surprises_of_several_text([SURPRISE])
    yield words.surprises_of_several_text([])
    yield words.foresight_of_several_text(FORESIGHT, "colour", "red")
    yield from (told.text for told in statements(several.found()))
    yield str(result(several.found())["expression"])
    yield document(replace(several.found(), name="data")).title


def _over_time() -> Iterator[str]:
    yield ahead_text(AHEAD, OVER_TIME)
    yield ahead_text(replace(AHEAD, lowest=AHEAD.first, highest=AHEAD.first), OVER_TIME)
    yield ahead_text(replace(AHEAD, steps=1), OVER_TIME)
    yield ahead_text(replace(AHEAD, lowest=replace(AHEAD.lowest, span=(0.001, 0.999))), OVER_TIME)
    yield persistence_text(STAYS, OVER_TIME)
    unlike = Calibration(id="c", number=0.0, unit="1", evidence="e", bins=(), bins_p=0.001)
    yield calibration_text(unlike, OVER_TIME)
    yield words.surprises_of_several_text([replace(SURPRISE, number=0.0499)])
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
        if fact.period is not None:
            yield f"{chance_course_text(fact, OVER_TIME)}."


STAYS = Persistence(
    id="p", number=0.7, unit="share", evidence="e", stays=56, after=80, comes=24, after_other=169, runs=49,
    runs_expected=109.8,
)  # fmt: skip
TOP = TurnAt(2015.0, (2014.0, 2016.0), True)
