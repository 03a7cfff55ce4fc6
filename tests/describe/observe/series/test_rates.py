"""The whole scatter of the rates of counts."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.describe.observe.series.rates import rate_scatter


@pytest.mark.parametrize(("sd", "dispersion"), [(0.5, 0.0), (0.0, 0.3), (0.25, 0.3), (0.1, 1.0)])
def test_scatter_is_that_of_draws(sd: float, dispersion: float) -> None:
    rng = np.random.default_rng(0)
    logs = sd * rng.standard_normal(200_000)
    if dispersion:
        logs += np.log(rng.gamma(1.0 / dispersion, dispersion, 200_000))
    assert rate_scatter(sd, dispersion) == pytest.approx(np.quantile(logs, (0.025, 0.975)), abs=0.03)
