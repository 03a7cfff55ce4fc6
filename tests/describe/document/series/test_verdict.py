"""The verdict: what it names under each head, and that it never claims more than the facts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.describe.checks import trial
from tests.describe.function_cases import COURSE, SEASON
from tests.describe.spoken.pages import made_plain, told

from autostatistician.decompose.records.series import Decomposition
from autostatistician.describe.document.series.verdict import series_verdict
from autostatistician.describe.document.verdict import verdict_section
from autostatistician.describe.observe.series.checks import spanned_changes
from autostatistician.describe.observe.series.findings import series_findings
from autostatistician.describe.observe.series.parts import units_for
from autostatistician.language.kernel import Kernel, leaf


@pytest.fixture(scope="module")
def plain() -> Decomposition:
    return made_plain()


def test_a_cycle_that_may_be_none_is_nothing_to_rely_on(plain: Decomposition) -> None:
    for period, sure in ((11.0, False), (9.0, True)):  # of 40 rows
        course = replace(COURSE, seasons=(replace(SEASON, period=period),))
        rely, _, _ = told(replace(plain, function=course))
        assert ("pattern" in rely) is sure
        assert "that it ended higher than it began" in rely


def test_the_section_leaves_empty_heads_out(plain: Decomposition) -> None:
    made = series_verdict(series_findings(replace(plain, checks=None)), (), units_for(plain))
    section = verdict_section(made)
    titles = [one.title for one in section.sections]
    assert section.opening
    assert "Rely on" not in titles
    assert "Try next" in titles


def test_a_change_within_or_shortly_before_the_test_is_named(plain: Decomposition) -> None:
    test = replace(trial(0.5), origins=(20.0, 30.0))
    for place, named in ((25.0, True), (12.0, True), (5.0, False), (50.0, False)):
        changed = Kernel.change_point(leaf("C", sd=1.0), leaf("0"), place, 2.0)
        parts = (replace(plain.components[0], kernel=changed, numbers=None), *plain.components[1:])
        found = replace(plain, components=parts, calibration=test)
        assert spanned_changes(found) == ((place,) if named else ())
        _, doubt, after = told(found)
        assert ("the test spans the change around 'x' =" in doubt) is named
        assert ("more data since the change around 'x' =" in after) is named
