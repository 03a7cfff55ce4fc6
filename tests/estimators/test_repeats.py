"""An estimator says what of a series repeats."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import pytest

from autostatistician import AutomaticStatistician, TargetOptions, split_by_period
from autostatistician.errors import InputError

MONTHS = np.arange(60.0)
DATES = pd.date_range("2019-01-01", periods=60, freq="MS")
SALES = 100.0 + 0.2 * MONTHS + 8.0 * np.sin(2 * np.pi * MONTHS / 12) + np.random.default_rng(0).normal(size=60)


@cache
def _fitted(log: bool = False) -> AutomaticStatistician:
    options = TargetOptions(transform="log" if log else "none")
    model = AutomaticStatistician(language="se", max_depth=1, n_jobs=1, target_options=options)
    sales = np.exp(0.05 * SALES) if log else SALES
    return model.fit(pd.DataFrame({"month": DATES, "sales": sales}), "sales")


def test_a_year_that_the_model_has_no_cycle_for_is_found() -> None:
    parts = _fitted().repeats(period="year")
    truth = 32.0 / (32.0 + 0.04 * 60**2 / 12)
    assert parts.lower - 0.05 < truth < parts.upper + 0.05
    assert parts.lower > 2.0 * parts.expected
    assert parts.curves["time"].tolist() == DATES.tolist()
    whole = parts.curves["cycle"] + parts.curves["rest"]
    np.testing.assert_allclose(whole, _fitted().predict_signal(pd.DataFrame({"month": DATES})), atol=0.5)
    np.testing.assert_allclose(parts.curves["cycle"][12:], parts.curves["cycle"][:-12], atol=1e-8)
    assert _fitted().repeats(period=1.0).share == parts.share  # the axis of months is in years


def test_it_is_the_split_of_the_model_with_wider_bands() -> None:
    model = _fitted().model_
    found, held = _fitted().repeats(period="year"), split_by_period(model.kernel, model.problem.X, model.problem.y, 1.0)
    np.testing.assert_allclose(found.curves["cycle"], held.cycle.mean, atol=1e-9)
    assert found.expected == held.expected
    wide, narrow = found.curves["cycle_upper"] - found.curves["cycle"], held.cycle.upper - held.cycle.mean
    assert wide.mean() > 1.005 * narrow.mean()


def test_of_a_part_by_its_number() -> None:
    first = _fitted().repeats(period="year", part=1)
    assert first.share == _fitted().repeats(period="year").share  # the only one that is no noise
    with pytest.raises(InputError, match="no noise"):
        _fitted().repeats(period="year", part=2)
    with pytest.raises(InputError, match="a part from 1 to 2"):
        _fitted().repeats(period="year", part=3)


@pytest.mark.slow
def test_on_a_logarithmic_scale_about_the_typical_level() -> None:
    parts = _fitted(log=True).repeats(period="year")
    assert parts.scale == "log"
    assert parts.curves["rest"].mean() == pytest.approx(0.0, abs=0.2)


def test_what_has_no_period_says_so() -> None:
    with pytest.raises(InputError, match="one of year, quarter"):
        _fitted().repeats(period="fortnight")
    with pytest.raises(InputError, match="a period from"):
        _fitted().repeats(period=4.0)
    table = AutomaticStatistician(language="linear", max_depth=1, n_restarts=2, n_jobs=1)
    table.fit(np.random.default_rng(0).normal(size=(30, 2)), np.arange(30.0))
    with pytest.raises(InputError, match="a series of numbers"):
        table.repeats(period=1.0)
