"""An estimator says what an event did, without being fitted."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from autostatistician import AutomaticStatistician
from autostatistician.errors import InputError

MONTHS = pd.date_range("2019-01-01", periods=60, freq="MS")
Y = 50.0 + 0.2 * np.arange(60.0) + np.random.default_rng(1).standard_normal(60)
MODEL = AutomaticStatistician(language="linear", max_depth=1, n_restarts=2, n_jobs=1)


def test_the_effect_with_its_rows_and_sentences() -> None:
    table = pd.DataFrame({"month": MONTHS, "sales": Y + 6.0 * (MONTHS >= "2023-01-01")})
    effect = MODEL.impact(table, "sales", since="2023")
    assert len(effect.rows) == 12
    assert effect.average[0] == pytest.approx(6.0, abs=1.5)
    assert effect.average[1] < effect.average[0] < effect.average[2]
    assert effect.total[0] == pytest.approx(effect.rows["effect"].sum())
    assert effect.is_event
    assert str(effect).startswith("Since January 2023 (12 rows) 'sales' is ")
    assert (effect.rows["effect_lower"] < effect.rows["effect"]).all()
    assert not hasattr(MODEL, "model_")


def test_what_has_no_before_and_after_is_refused() -> None:
    with pytest.raises(InputError, match="a series of numbers in time"):
        MODEL.impact(np.random.default_rng(0).normal(size=(30, 2)), Y[:30], since=3)
    with pytest.raises(InputError, match="before the event"):
        MODEL.impact(pd.DataFrame({"month": MONTHS, "sales": Y}), "sales", since="2019-03-01")
