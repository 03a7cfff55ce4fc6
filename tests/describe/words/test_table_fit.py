"""How well a model of a table fits, and which columns matter, in words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.describe.words.effect_cases import BASE, COLUMN, LEGS, SCALE, TOP

from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.document.record import fact_json
from autostatistician.describe.facts.effect import (
    ErrorCheck,
    Explained,
    NoiseSize,
    RangesHeld,
)
from autostatistician.describe.facts.fact import SHARE
from autostatistician.describe.words.table_fit import (
    check_text,
    column_text,
    explained_text,
    no_columns_text,
    noise_text,
    ranges_text,
)
from autostatistician.forms import CheckKind, CourseKind


def test_what_depends_on_a_column_by_itself_and_with_others() -> None:
    assert column_text(replace(COLUMN, partners=("water",)), SCALE) == (
        "'age' matters: 40% of the variation in 'strength' depends on it (95% range: 35% to 46%), by itself and "
        "together with 'water'."
    )


def test_scatter_that_is_alike_upwards_and_downwards_is_told_so() -> None:
    noise = NoiseSize(
        id="noise", number=0.01, unit="strength", evidence="e", changes=(("age", (1.0, 365.0), (0.2, 0.0004)),)
    )
    told = noise_text(noise, Scale(target="strength", level=1.0))
    assert told.endswith("lies between 32% below and 48% above where 'age' is 1 and ±0.078% where it is 365.")
    first = replace(noise, changes=(("age", (1.0, 365.0), (0.0004, 0.0004)),))
    told = noise_text(first, Scale(target="strength", level=1.0))
    assert told.endswith("lies within ±0.078% where 'age' is 1 and ±0.078% where it is 365.")


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({}, "'age' matters: 40% of the variation in 'strength' depends on it (95% range: 35% to 46%), by itself."),
        (
            {"partners": ("water", "sand"), "alone": False, "scatter": True},
            "'age' matters: 40% of the variation in 'strength' depends on it (95% range: 35% to 46%), together with "
            "'water' and 'sand'; the scatter changes with it, too.",
        ),
        (
            {"number": 0.021, "interval": (0.014, 0.026)},
            "'age' matters little: 2.1% of the variation in 'strength' depends on it (95% range: 1.4% to 2.6%), by "
            "itself.",
        ),
        ({"used": False, "probability": 0.01}, "'age' adds nothing beyond the rest: the model does without it."),
        (
            {"used": False, "probability": 0.4},
            "It is open whether 'age' matters: this model does without it, others that fit do not.",
        ),
        (
            {"probability": 0.4},
            "It is open whether 'age' matters: by this model, 40% of the variation in 'strength' depends on it (95% "
            "range: 35% to 46%), by itself, but most others do without it.",
        ),
        (
            {"probability": 0.8},
            "It is open whether 'age' matters: by this model, 40% of the variation in 'strength' depends on it (95% "
            "range: 35% to 46%), by itself, but others that fit do without it.",
        ),
        (
            {"used": False, "left": True, "probability": 0.0},
            "The model does without 'age'; but the errors still go with it, so a better model might use it.",
        ),
        (
            {"used": False, "cut": True, "probability": 0.0},
            "The best model so far does without 'age', which does not rule it out.",
        ),
        (
            {"used": False, "cut": True, "left": True, "probability": 0.0, "correlation": 0.2, "correlation_p": 1e-9},
            "The best model so far does without 'age', though by itself it goes with the target (a rank correlation "
            "of 0.20); but the errors still go with it, so a better model might use it.",
        ),
        (
            {"number": 0.003, "interval": (0.001, 0.006), "left": True},
            "By this model, at most 0.6% of the variation in 'strength' depends on 'age'; but the errors still go with "
            "it, so a better model might make more of it.",
        ),
        (
            {"used": False, "scatter": True},
            "'age' matters only for the scatter of 'strength', not for its level.",
        ),
        (
            {"number": 0.003, "interval": (0.001, 0.006)},
            "'age' adds next to nothing beyond the rest: at most 0.6% of the variation in 'strength' depends on it.",
        ),
        (
            {"number": 1e-9, "interval": (0.0, 1e-8)},
            "'age' adds next to nothing beyond the rest: less than 0.1% of the variation in 'strength' depends on it.",
        ),
    ],
)
def test_columns(changed: dict[str, object], sentence: str) -> None:
    assert column_text(replace(COLUMN, **changed), SCALE) == sentence  # type: ignore[arg-type]


def test_scatter() -> None:
    noise = NoiseSize(id="noise", number=4.0, unit="strength", evidence="e", changes=())
    assert noise_text(noise, SCALE) == "Random scatter: 95% of the values lie within ±7.8 of what the columns give."
    grows = replace(noise, changes=(("age", (1.0, 365.0), (1.0, 5.0)),))
    told = "Random scatter that changes with 'age': 95% of it lies within ±2 where 'age' is 1 and ±9.8 where it is 365."
    assert noise_text(grows, SCALE) == told
    assert noise_text(
        replace(noise, changes=(("age", (1.0, 365.0), (0.2, 0.5)),)), Scale(target="strength", level=1.0)
    ) == (
        "Random scatter that changes with 'age': 95% of it lies between 32% below and 48% above where 'age' is 1 and "
        "between 62% below and 170% above where it is 365."
    )
    assert noise_text(replace(noise, number=0.05), Scale(target="strength", level=1.0)) == (
        "Random scatter: 95% of the values lie between 9.3% below and 10% above what the columns give."
    )
    assert noise_text(replace(noise, number=0.0), SCALE) == "The model has no scatter: it goes through every value."


def test_how_well_it_fits() -> None:
    fit = Explained(id="f", number=0.973, unit=SHARE, evidence="e", left_out=0.921, error=3.36, rmse=4.4,
                    error_of_mean=13.34)  # fmt: skip
    assert explained_text(fit, SCALE) == (
        "The columns together explain 97.3% of the variation in 'strength'. When each value is predicted from all the "
        "others, 92.1% is explained; the prediction misses by 3.36 on average, where the mean of the others would miss "
        "by 13.34."
    )
    held = RangesHeld(id="h", number=0.88, unit=SHARE, evidence="e", rows=500, too_narrow=True, too_wide=False)
    start = "Of 500 values, each predicted from all the others, 88% lay in their 95% ranges"
    assert ranges_text(held) == f"{start}: the ranges are too narrow."
    assert ranges_text(replace(held, too_narrow=False)) == f"{start}, as they should."


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


def test_a_column_that_goes_along_is_not_told_as_nothing() -> None:
    idle = replace(COLUMN, used=False, probability=0.01)
    assert column_text(idle, SCALE).endswith("adds nothing beyond the rest: the model does without it.")
    along = replace(idle, correlation=-0.81, correlation_p=1e-6)
    assert column_text(along, SCALE).endswith(
        "though by itself it goes with the target (a rank correlation of \u22120.81)."
    )
    assert column_text(replace(along, seen_alone=True), SCALE) == (
        "It is open whether 'age' matters: no model with it is clearly more probable than none, but by itself it goes "
        "with the target (a rank correlation of \u22120.81)."
    )
    assert no_columns_text([idle], SCALE).startswith("Nothing was found")
    assert no_columns_text([idle, along], SCALE) == (
        "It is open whether a column tells anything about 'strength': no model with one is clearly more probable than "
        "none, but 'age' by itself goes with it (a rank correlation of \u22120.81)."
    )


def test_categories_have_no_rank_correlation() -> None:
    seen = replace(COLUMN, used=False, seen_alone=True, correlation=0.45, correlation_p=0.001)
    assert "(a rank correlation of 0.45)" in column_text(seen, SCALE)
    told = column_text(replace(seen, categories=True), SCALE)
    assert "(20% of the variation of its ranks is between the categories)" in told


def test_a_small_share_of_what_chance_makes_is_much_where_columns_explain_little() -> None:
    small = replace(COLUMN, number=0.04, interval=(0.03, 0.05))
    assert "matters little: " in column_text(small, SCALE)
    assert " matters: " in column_text(replace(small, of_explained=0.5), SCALE)
