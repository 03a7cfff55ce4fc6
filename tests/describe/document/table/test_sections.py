"""The verdict on the model of a table: never more than its facts say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.describe.spoken.tables import made_found, verdict_told

from autostatistician.data.transform import power_of
from autostatistician.describe.axis.units import Scale
from autostatistician.describe.facts.effect import ErrorCheck
from autostatistician.describe.facts.findings import TableFindings
from autostatistician.describe.observe.search import shape_facts
from autostatistician.forms import CheckKind


@pytest.fixture(scope="module")
def found() -> TableFindings:
    return made_found()


ALARM = ErrorCheck(
    id="c", number=0.001, unit="1", evidence="e", kind=CheckKind.SPREAD, adjusted=0.01, side=1, column=None
)


@pytest.mark.slow
def test_columns_of_nearly_every_model_are_to_be_relied_on(found: TableFindings) -> None:
    rely, _, after = verdict_told(found)
    assert "matter: nearly every model that fits the data uses them." in rely
    assert "no check of its errors found anything" in rely
    assert "Leave out 'd'" in after


def test_ranges_are_not_relied_on_where_errors_are_spread_otherwise(found: TableFindings) -> None:
    alarm = ErrorCheck(id="c", number=0.001, unit="1", evidence="e", kind=CheckKind.DISTRIBUTION, adjusted=0.01, side=0,
                       column=None)  # fmt: skip
    held = replace(found.ranges, number=0.95, too_narrow=False, too_wide=False)
    for checks, relied in (((), True), ((alarm,), False)):
        assert ("ranges of predictions" in verdict_told(replace(found, checks=checks, ranges=held))[0]) is relied


@pytest.mark.parametrize(("level", "positive", "asked"), [(None, True, True), (5.0, True, False), (None, False, False)])
def test_the_logarithm_is_asked_for_where_it_can_help(
    found: TableFindings, level: float | None, positive: bool, asked: bool
) -> None:
    y = np.abs(found.left_out.y) + (1.0 if positive else -1.0)
    alarmed = replace(found, checks=(ALARM,), left_out=replace(found.left_out, y=y))
    rely, _, after = verdict_told(alarmed, Scale(target="y", level=level))
    assert ("transform 'log'" in after) is asked
    assert "no check" not in rely
    (shape,) = shape_facts(power_of(y + 2.0, 0.4), y + 2.0)
    assert "transform 'log'" not in verdict_told(replace(alarmed, shape=shape), Scale(target="y", level=level))[2]
