"""The function behind a series, over all models of its search."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.data.dataset import from_arrays
from autostatistician.model.fitted import Model
from autostatistician.model.fitting import fit_model
from autostatistician.model.function import change_of, function_of
from autostatistician.search.run import Settings


def test_growth_is_told_in_the_units_of_the_data(by_evidence: Model) -> None:
    course = function_of(by_evidence)
    assert course is not None
    assert 100.0 < course.first.height.number < 115.0
    assert 380.0 < course.last.height.number < 440.0
    assert course.rise.probability == 1.0
    assert course.rise_witness.agrees
    assert function_of(by_evidence) is course


@pytest.mark.long
@pytest.mark.slow
def test_a_long_series_is_asked_at_some_of_its_places() -> None:
    x = np.arange(1200.0)
    y = 0.01 * x + 3.0 * np.cos(2.0 * np.pi * x / 24.0) + np.random.default_rng(0).normal(size=1200)
    settings = Settings(max_depth=1, restarts=1, n_jobs=1, criterion="bic")
    model = fit_model(from_arrays(x, y), "linear", settings)
    course = function_of(model)
    assert course is not None
    assert 9.0 < course.rise.number < 13.0
    change = change_of(model, np.array([101.0]), np.array([1101.0]))
    assert change.low < 10.0 < change.high
    assert change.high - change.low < 1.0
