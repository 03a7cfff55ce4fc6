"""The verdict: what it names under each head, and that it never claims more than the facts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.decompose.series.series import decomposed
from tests.describe.checks import ERRORS, FINE, alarm, trial
from tests.describe.function_cases import COURSE, SEASON

from autostatistician.data.dataset import Dataset
from autostatistician.decompose.records.series import Checks, Decomposition, Fitted
from autostatistician.describe.document.series.verdict import series_verdict
from autostatistician.describe.document.verdict import verdict_section
from autostatistician.describe.observe.series.checks import spanned_changes
from autostatistician.describe.observe.series.findings import series_findings
from autostatistician.describe.observe.series.parts import units_for
from autostatistician.describe.words.claims import Statement
from autostatistician.language.kernel import Kernel, leaf

KERNEL = leaf("SE", sd=2.0, lengthscale=9.0) + leaf("WN", sd=0.3)
SAID = (
    Statement("A yearly cycle", 1.0, in_best=True),
    Statement("A change in 1974", 0.3, in_best=True),
    Statement("A wandering level", 0.99, in_best=False),
)


@pytest.fixture(scope="module")
def plain() -> Decomposition:
    x = np.arange(40.0)
    data = Dataset(x[:, None], np.sin(x / 6.0), ("x",), "y", None)
    fitted = Fitted(KERNEL, 1.0, 2.0, 3, 1.0, 10)
    found = decomposed(KERNEL, data, fitted=fitted, horizon=5)
    return replace(found, alternatives=((KERNEL, 0.4), (KERNEL, 0.2)))


def told(found: Decomposition, said: tuple[Statement, ...] = SAID) -> tuple[str, str, str]:
    made = series_verdict(series_findings(found), said, units_for(found))
    return " ".join(made.rely), " ".join(made.doubt), " ".join(made.next)


def test_what_holds_is_to_be_relied_on(plain: Decomposition) -> None:
    checked = replace(plain, checks=Checks((FINE,), ERRORS), calibration=trial(0.95))
    rely, doubt, after = told(replace(checked, function=replace(COURSE, scatter=None, seasons=())))
    assert "both show: that it ended higher than it began and the sudden change at 'x' = 1954." in rely
    assert "cycle" not in rely  # which only the models say
    assert "95% of the values lay in 95% ranges" in rely
    assert "The model: no check of it against the data found anything unusual." in rely
    assert "not by most of the models that fit: a change in 1974" in doubt
    assert after == "Find out what happened at 'x' = 1954.1: the data show that something did, but not what."
    assert "Come back with new data" in told(replace(checked, function=replace(COURSE, scatter=None, sudden=())))[2]


def test_forecasts_that_were_worse_than_repeating_a_value_are_nothing_to_rely_on(plain: Decomposition) -> None:
    better, worse = (replace(plain, calibration=replace(trial(1.0), naive=naive)) for naive in (4.0, 2.5))
    rely, doubt, _ = told(better)
    assert "95% ranges" in rely
    assert "repeating" not in doubt
    rely, doubt, _ = told(worse)
    assert "95% ranges" not in rely
    assert (
        "The forecast: in a test on later data such forecasts missed by 3 on average, where repeating the last value "
        "would have missed by 2.5."
    ) in doubt


def test_a_cycle_that_may_be_none_is_nothing_to_rely_on(plain: Decomposition) -> None:
    for period, sure in ((11.0, False), (9.0, True)):  # of 40 rows
        course = replace(COURSE, seasons=(replace(SEASON, period=period),))
        rely, _, _ = told(replace(plain, function=course))
        assert ("pattern" in rely) is sure
        assert "that it ended higher than it began" in rely


def test_where_nothing_comes_next_no_forecast_is_named(plain: Decomposition) -> None:
    curve = replace(plain.forecast, **{name: getattr(plain.forecast, name)[:0] for name in ("x", "mean", "sd")})
    rely, doubt, after = told(replace(plain, forecast=curve))
    assert "forecast" not in rely + doubt + after
    assert "they will tell whether the model holds" in after


def test_what_failed_is_to_be_doubted(plain: Decomposition) -> None:
    alarms = Checks((alarm("periodogram", place=4.0), alarm("distribution"), alarm("course")), ERRORS)
    rely, doubt, after = told(replace(plain, checks=alarms, calibration=trial(0.5)))
    assert "ranges" not in rely
    assert "no check" not in rely
    assert "only 50% of later values lay in 95% ranges" in doubt
    assert "The model: some checks of it failed" in doubt
    assert "what repeats every 4 units of 'x'" in after
    assert "stand out" in after
    assert "wider ranges" in after
    assert "what changed along the way" in after
    assert "along the way" not in told(replace(plain, checks=alarms, function=COURSE))[2]  # it is told what did


def test_ranges_that_held_too_little_by_chance_are_neither(plain: Decomposition) -> None:
    rely, doubt, _ = told(replace(plain, calibration=trial(0.8, worth=4.0)))
    assert "ranges" not in rely
    assert "in a test 80% of later values lay in 95% ranges; that may be chance" in doubt


def test_without_a_test_the_ranges_are_neither_praised_nor_blamed(plain: Decomposition) -> None:
    rely, doubt, _ = told(replace(plain, calibration=None))
    assert "ranges" not in rely
    assert "too few data to test them" in doubt


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
