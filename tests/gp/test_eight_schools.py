"""Rows with known errors of measurement: the eight schools, whose posterior is published."""

import numpy as np
import pytest

from autostatistician.estimators.gp import GPRegressor
from autostatistician.gp import Problem, condition
from autostatistician.kernels.kernel import leaf

# Rubin 1981; Gelman et al., Bayesian Data Analysis, 3rd edition, table 5.2: effects of coaching and their errors.
EFFECTS = np.array([28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0])
ERRORS = np.array([15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0])


def posterior(
    taus: np.ndarray, log_prior: np.ndarray, sd_of_mean: float
) -> tuple[float, float, np.ndarray, np.ndarray]:
    """Means of the common effect and of the spread of schools, and moments of the effects of schools."""
    problem = Problem(np.arange(8.0), EFFECTS, noise=ERRORS**2)
    weights, means, schools, variances = [], [], [], []
    for tau, log_weight in zip(taus, log_prior, strict=True):
        kernel = leaf("C", sd=sd_of_mean) + leaf("WN", sd=tau)
        found = condition(kernel, problem)
        of_all = found.project(kernel)
        weights.append(found.log_evidence + log_weight)
        means.append(found.project(kernel.parts[0]).mean[0])
        schools.append(of_all.mean)
        variances.append(of_all.sd**2)
    share = np.exp(np.array(weights) - max(weights))
    share /= share.sum()
    mean = share @ np.array(schools)
    spread = np.sqrt(share @ (np.array(variances) + (np.array(schools) - mean) ** 2))
    return float(share @ means), float(share @ taus), mean, spread


def test_eight_schools_are_those_that_are_published() -> None:
    taus = np.linspace(0.01, 60.0, 1500)
    # posteriordb, "eight_schools-eight_schools_noncentered": mu ~ normal(0, 5), tau ~ half-Cauchy(0, 5).
    mu, tau, schools, _ = posterior(taus, -np.log1p((taus / 5.0) ** 2), 5.0)
    assert mu == pytest.approx(4.4, abs=0.15)
    assert tau == pytest.approx(3.6, abs=0.2)
    assert schools == pytest.approx([6.2, 4.9, 3.9, 4.8, 3.6, 4.0, 6.3, 4.9], abs=0.3)


def test_effects_of_schools_lie_within_the_ranges_of_the_book() -> None:
    taus = np.linspace(0.01, 60.0, 1500)
    mu, _, schools, spread = posterior(taus, np.zeros_like(taus), 1000.0)  # flat: Gelman et al., table 5.3
    assert mu == pytest.approx(8.0, abs=0.5)
    assert schools == pytest.approx([11.0, 8.0, 6.5, 7.5, 5.0, 6.0, 10.5, 8.5], abs=1.0)
    assert spread == pytest.approx([8.25, 6.5, 7.75, 6.75, 6.25, 6.75, 7.0, 8.0], abs=1.2)


def test_a_regressor_takes_errors_by_row_and_predicts_without_them() -> None:
    X = np.zeros((8, 1))
    model = GPRegressor("C(sd=5) + WN(sd=3.6)", n_restarts=0).fit(X, EFFECTS, error=ERRORS)
    mean, sd = model.predict([[0.0]], return_std=True)
    precision = 1.0 / 25.0 + np.sum(1.0 / (ERRORS**2 + 3.6**2))
    assert mean[0] == pytest.approx(np.sum(EFFECTS / (ERRORS**2 + 3.6**2)) / precision)
    assert sd[0] == pytest.approx(np.sqrt(1.0 / precision + 3.6**2))
