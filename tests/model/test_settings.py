"""Settings out of their range are refused in one line."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from autostatistician.data.dataset import from_arrays
from autostatistician.errors import InputError
from autostatistician.model.fitting import fit_model
from autostatistician.search.run import Settings

QUICK = Settings(max_depth=1, restarts=2, n_jobs=1)
X = np.arange(30.0)


BAD: list[tuple[str, Settings, str]] = [
    ("ful", QUICK, "did you mean 'full'"),
    ("", QUICK, "a language among"),
    ("full", replace(QUICK, criterion="BIC"), "did you mean 'bic'"),
    ("full", replace(QUICK, max_depth=-1), "max_depth as a whole number from 0; found -1"),
    ("full", replace(QUICK, max_depth=1.5), "max_depth .*; found 1.5"),  # type: ignore[arg-type]
    ("full", replace(QUICK, restarts=0), "n_restarts as a whole number from 1; found 0"),
    ("full", replace(QUICK, n_jobs=0), "n_jobs"),
    ("full", replace(QUICK, n_jobs="two"), "n_jobs .*found 'two'"),  # type: ignore[arg-type]
    ("full", replace(QUICK, time_budget=-1.0), "time_budget as seconds above 0"),
    ("full", replace(QUICK, time_budget=float("nan")), "time_budget"),
    ("full", replace(QUICK, time_budget="1 h"), "time_budget"),  # type: ignore[arg-type]
    ("full", replace(QUICK, seed=-1), "seed"),
]


@pytest.mark.parametrize(("language", "settings", "message"), BAD)
def test_settings_out_of_range_are_said_in_one_line(language: str, settings: Settings, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        fit_model(from_arrays(X, X), language, settings)
    assert "\n" not in str(caught.value)
