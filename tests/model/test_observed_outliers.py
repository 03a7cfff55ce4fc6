"""Outliers beside columns are told as they were observed."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from autostatistician.covariates.effects import Clock, ColumnScale, Effect
from autostatistician.covariates.fitted import CovariateEffects
from autostatistician.data.covariates import Covariate, Covariates
from autostatistician.data.load import load
from autostatistician.data.outliers import Outlier, Screening
from autostatistician.data.transform import Transform, transform_of
from autostatistician.model.explanation import decomposition
from autostatistician.model.fitting import fit_model
from autostatistician.model.observed_outliers import with_columns
from autostatistician.search.run import Settings

PROMO = Covariate("promo", np.array([0.0, 1.0, 0.0, 0.0]))
EFFECTS = CovariateEffects(
    Covariates(np.arange(4.0), (PROMO,)), Clock(0.0, 3.0, 1.0, 0.0), (ColumnScale.of(PROMO),), (Effect("promo"),),
    np.full((5, 1), 0.5), {"promo": 1.0}, (1.0,),
)  # fmt: skip
SCREENING = Screening((Outlier(1.0, 150.0, 100.0), Outlier(2.0, 9.0, 1.0)), 9.0, far=(Outlier(1.0, -1.0, 2.0),))


def test_values_and_what_was_expected_move_together() -> None:
    moved = with_columns(SCREENING, EFFECTS, Transform())
    assert [(row.y, row.expected) for row in moved.rows] == [(150.5, 100.5), (9.0, 1.0)]
    assert with_columns(moved, EFFECTS, Transform(), times=-1.0) == SCREENING
    assert with_columns(Screening(), EFFECTS, Transform()) == Screening()


def test_on_logarithms_they_move_by_a_factor() -> None:
    moved = with_columns(SCREENING, EFFECTS, transform_of("log", np.array([100.0, 200.0])))
    assert moved.rows[0].y == pytest.approx(150.0 * np.exp(0.5))
    assert moved.far[0].y == -1.0


@pytest.mark.slow
def test_a_report_tells_what_the_table_held() -> None:
    rng = np.random.default_rng(4)
    n = 60
    price = (5.0 + rng.normal(size=n)).round(2)
    sales = (50.0 - 6.0 * (price - 5.0) + rng.normal(size=n)).round(1)
    sales[31] = 171.3
    frame = pd.DataFrame({"month": pd.date_range("2019-01-01", periods=n, freq="MS"), "sales": sales, "price": price})
    settings = Settings(max_depth=1, n_jobs=1, transform="none")
    model = fit_model(load(frame, target="sales"), "extended", settings)
    (outlier,) = decomposition(model, 0, checked=False).screening.rows
    assert outlier.y == pytest.approx(171.3)
    assert outlier.expected == pytest.approx(50.0 - 6.0 * (price[31] - 5.0), abs=2.0)
    assert any("'sales' is 171.3 where about" in warning for warning in model.dataset.warnings)
