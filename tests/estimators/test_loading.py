"""Saved models of either kind, by one door."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from autostatistician import AutomaticStatistician, AutomaticStatisticianClassifier
from autostatistician.estimators.loading import load_estimator

X = np.arange(20.0)[:, None]


@pytest.mark.slow
def test_both_kinds_come_back_as_what_they_were(tmp_path: Path) -> None:
    for face, y in ((AutomaticStatistician, X[:, 0]), (AutomaticStatisticianClassifier, X[:, 0] % 3 > 1)):
        made = face(language="linear", max_depth=0, n_jobs=1).fit(X, y)
        made.save(tmp_path / "m.json")
        twin = load_estimator(tmp_path / "m.json")
        assert isinstance(twin, face)
        assert twin.get_params() == made.get_params()
        np.testing.assert_array_equal(twin.predict(X), made.predict(X))
