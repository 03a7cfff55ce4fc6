"""An estimator says why a series changed."""

from __future__ import annotations

import numpy as np
import pytest
from tests.promoted import fitted

from autostatistician import AutomaticStatistician
from autostatistician.errors import InputError


def test_a_change_is_told_with_columns_and_closes() -> None:
    change = fitted().explain(at="2025-01", against="2024-01")
    assert (len(change.at), len(change.against)) == (4, 5)
    assert change.scale == "none"
    assert change.difference == pytest.approx(change.values[0] - change.values[1])
    assert sum(part.mean for part in change.parts) == pytest.approx(change.difference)
    assert [part.kind for part in change.parts] == ["part", "column", "column", "chance"]
    assert str(change).startswith("'sales': January 2025 (")
    assert all(part.lower <= part.mean <= part.upper for part in change.parts)
    assert len(change.sentences) == 5


def test_a_series_without_columns_on_a_logarithmic_scale() -> None:
    x = np.arange(30.0)
    y = np.exp(0.1 * x + 0.02 * np.random.default_rng(1).normal(size=30))
    model = AutomaticStatistician(language="linear", max_depth=1, n_restarts=2, n_jobs=1, criterion="evidence")
    model.set_params(target_options=None).fit(x[:, None], y)
    change = model.explain(at=20, against=10)
    assert sum(part.mean for part in change.parts) == pytest.approx(change.difference)
    ratio = y[20] / y[10]
    assert change.difference == pytest.approx(np.log(ratio) if change.scale == "log" else y[20] - y[10])


def test_times_that_are_not_there_are_named() -> None:
    with pytest.raises(InputError, match="the nearest row is 2024-01-01"):
        fitted().explain(at="2023-05-01", against="2024-01-01")
