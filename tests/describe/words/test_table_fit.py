"""How well a model of a table fits, and which columns matter, in words."""

from __future__ import annotations

from dataclasses import replace

from tests.describe.effect_cases import BASE, LEGS, TOP

from autostatistician.describe.document.record import fact_json
from autostatistician.describe.facts.effect import (
    ErrorCheck,
)
from autostatistician.describe.words.table_fit import (
    check_text,
)
from autostatistician.forms import CheckKind, CourseKind


def test_checks_and_records() -> None:
    check = ErrorCheck(
        id="c", number=0.001, unit="1", evidence="e", kind=CheckKind.PATTERN, adjusted=0.01, side=1, column="age"
    )
    assert check_text(check) == "A pattern along 'age' is left in the errors: the model has not used all it tells"
    assert "errors are larger" in check_text(replace(check, kind=CheckKind.SPREAD, column=None))
    assert "outliers" in check_text(replace(check, kind=CheckKind.DISTRIBUTION, column=None))
    record = fact_json(replace(BASE, kind=CourseKind.TURNING, turns=(TOP,), legs=LEGS))
    assert record["fact"] == "Course"
    assert record["turns"] == [{"at": 90.0, "span": [81.0, 104.0], "top": True}]
    assert record["legs"] == [{"number": 30.0, "interval": [26.0, 34.0]}, {"number": -9.0, "interval": [-16.0, -2.0]}]
