"""Quantiles and densities follow from the predictive distribution of an estimator."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

from autostatistician.data.transform import Transform
from autostatistician.errors import InputError
from autostatistician.estimators.distributions import ByDistribution
from autostatistician.inference.predictive.predictive import Predictive


class Normal(ByDistribution):
    """A standard normal distribution about every value."""

    def predictive(self, X: Any) -> Predictive:
        return Predictive(np.asarray(X, dtype=float)[None], np.ones((1, len(X))), np.ones(1), Transform())


def test_quantiles_and_densities_are_those_of_the_distribution() -> None:
    x = [0.0, 5.0]
    quantiles = Normal().predict_quantiles(x, levels=(0.1, 0.5))
    np.testing.assert_allclose(quantiles, [norm.ppf([0.1, 0.5]), norm.ppf([0.1, 0.5], loc=5.0)])
    np.testing.assert_allclose(Normal().log_density(x, [1.0, 5.0]), norm.logpdf([1.0, 0.0]))


def test_levels_are_checked_before_the_work() -> None:
    with pytest.raises(InputError, match="levels between 0 and 1"):
        Normal().predict_quantiles([0.0], levels=(0.0,))
