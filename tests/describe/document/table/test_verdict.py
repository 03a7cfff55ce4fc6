"""The verdict on the model of a table: never more than its facts say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.decompose.table.tables import dataset, decomposition, model

from autostatistician.data.transform import power_of
from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.document.table.verdict import table_verdict
from autostatistician.describe.facts.effect import ErrorCheck
from autostatistician.describe.facts.findings import TableFindings
from autostatistician.describe.facts.kinds import SearchCut
from autostatistician.describe.observe.scale import shape_facts
from autostatistician.describe.observe.table.findings import table_findings
from autostatistician.forms import CheckKind

SCALE = Scale(target="y")
ALARM = ErrorCheck(
    id="c", number=0.001, unit="1", evidence="e", kind=CheckKind.SPREAD, adjusted=0.01, side=1, column=None
)


@pytest.fixture(scope="module")
def found() -> TableFindings:
    known = table_findings(decomposition(model(), dataset(60)))
    return replace(
        known, checks=(), columns=tuple(replace(one, probability=1.0 if one.used else 0.0) for one in known.columns)
    )


def _told(found: TableFindings, scale: Scale = SCALE) -> tuple[str, str, str]:
    verdict = table_verdict(found, scale)
    return " ".join(verdict.rely), " ".join(verdict.doubt), " ".join(verdict.next)


@pytest.mark.slow
def test_columns_of_nearly_every_model_are_to_be_relied_on(found: TableFindings) -> None:
    rely, _, after = _told(found)
    assert "matter: nearly every model that fits the data uses them." in rely
    assert "no check of its errors found anything" in rely
    assert "Leave out 'd'" in after


def test_a_column_that_goes_with_a_target_of_no_model_is_not_to_be_left_out(found: TableFindings) -> None:
    columns = tuple(replace(one, used=False, scatter=False, left=False, probability=0.0) for one in found.columns)
    seen = (replace(columns[0], seen_alone=True), *columns[1:])
    name = f"'{columns[0].column}'"
    assert name in _told(replace(found, columns=columns))[2]
    assert name not in _told(replace(found, columns=seen))[2]


def test_of_columns_that_stand_for_each_other_the_data_do_not_tell_which_matters(found: TableFindings) -> None:
    used = next(one for one in found.columns if one.used)
    columns = tuple(replace(one, probability=0.6, instead=("d",)) if one is used else one for one in found.columns)
    rely, doubt, _ = _told(replace(found, columns=columns))
    assert f"Which of '{used.column}' and 'd' matters: models with one or the other fit the data" in doubt
    assert f"'{used.column}'" not in rely


def test_ranges_are_not_relied_on_where_errors_are_spread_otherwise(found: TableFindings) -> None:
    alarm = ErrorCheck(id="c", number=0.001, unit="1", evidence="e", kind=CheckKind.DISTRIBUTION, adjusted=0.01, side=0,
                       column=None)  # fmt: skip
    held = replace(found.ranges, number=0.95, too_narrow=False, too_wide=False)
    for checks, relied in (((), True), ((alarm,), False)):
        assert ("ranges of predictions" in _told(replace(found, checks=checks, ranges=held))[0]) is relied


def test_a_column_that_parts_the_target_may_be_made_from_it(found: TableFindings) -> None:
    used = next(one for one in found.columns if one.used)
    columns = tuple(replace(one, parts=one is used) for one in found.columns)
    assert f"What is said of '{used.column}': its values part those of 'y'" in _told(replace(found, columns=columns))[1]
    assert "made from" not in _told(found)[1]


def test_a_search_that_was_cut_says_nothing_of_nearly_every_model(found: TableFindings) -> None:
    rely, doubt, after = _told(replace(found, search=replace(found.search, cut=SearchCut.BUDGET)))
    assert "nearly every model" not in rely
    assert "cut short by its time budget" in doubt
    assert "larger time budget" in after


def test_ranges_are_praised_or_blamed_by_what_they_held(found: TableFindings) -> None:
    fine, narrow = (
        replace(found, ranges=replace(found.ranges, number=0.8, too_narrow=is_narrow, too_wide=False))
        for is_narrow in (False, True)
    )
    assert "80% of the values left out lay in 95% ranges" in _told(fine)[0]
    rely, doubt, after = _told(narrow)
    assert "ranges of predictions" not in rely
    assert "only 80% of the values left out" in doubt
    assert "wider ranges" in after


@pytest.mark.parametrize(("level", "positive", "asked"), [(None, True, True), (5.0, True, False), (None, False, False)])
def test_the_logarithm_is_asked_for_where_it_can_help(
    found: TableFindings, level: float | None, positive: bool, asked: bool
) -> None:
    y = np.abs(found.left_out.y) + (1.0 if positive else -1.0)
    alarmed = replace(found, checks=(ALARM,), left_out=replace(found.left_out, y=y))
    rely, _, after = _told(alarmed, Scale(target="y", level=level))
    assert ("transform 'log'" in after) is asked
    assert "no check" not in rely
    (shape,) = shape_facts(power_of(y + 2.0, 0.4), y + 2.0)
    assert "transform 'log'" not in _told(replace(alarmed, shape=shape), Scale(target="y", level=level))[2]


def test_few_rows_and_optimistic_fits_are_doubted(found: TableFindings) -> None:
    fit = replace(found.fit, number=0.95, left_out=0.79)
    assert "part of it is chance" in _told(replace(found, fit=fit))[1]
    assert "part of it is chance" not in _told(replace(found, fit=replace(fit, left_out=0.81)))[1]
    assert "few rows for so many columns" in _told(replace(found, n=39))[1]
    assert "few rows for so many columns" not in _told(replace(found, n=40))[1]
