"""The joint density of outputs and coordinates: its value, its gradient, and what it finds."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm
from tests.latent.small_cases import KERNELS, OUTPUTS, PLACES, numbers_of, slopes

from autostatistician.inference.covariance.matrices import covariance
from autostatistician.latent.maximised import JointMisfit, maximise
from autostatistician.latent.outputs import Outputs


def test_the_value_is_the_log_density_of_every_column_at_its_own_rows() -> None:
    parameters = numbers_of(KERNELS[0])
    misfit = JointMisfit(OUTPUTS, parameters)
    u = np.concatenate([PLACES.ravel(), parameters.start])
    Z = (PLACES - PLACES.mean(axis=0)) / PLACES.std(axis=0)
    K = covariance(parameters.kernel(parameters.start).kernel, Z, None, ("z1", "z2"))
    expected = norm.logpdf(Z).sum()
    for y in OUTPUTS.Y.T:
        rows = np.isfinite(y)
        expected += multivariate_normal(cov=K[np.ix_(rows, rows)]).logpdf(y[rows])
    assert -misfit(u)[0] == pytest.approx(expected)


@pytest.mark.parametrize("text", KERNELS)
def test_gradient(text: str) -> None:
    parameters = numbers_of(text)
    misfit = JointMisfit(OUTPUTS, parameters)
    u = np.concatenate([PLACES.ravel(), parameters.start + 0.1])
    expected = slopes(lambda at: misfit(at)[0], u)
    np.testing.assert_allclose(misfit(u)[1], expected, atol=1e-4, rtol=1e-4)


def test_units_of_the_coordinates_are_no_unknowns() -> None:
    parameters = numbers_of(KERNELS[0])
    misfit = JointMisfit(OUTPUTS, parameters)
    one, other = (np.concatenate([at.ravel(), parameters.start]) for at in (PLACES, 3.0 * PLACES + 1.0))
    assert misfit(one)[0] == pytest.approx(misfit(other)[0])


def test_an_arc_is_straightened() -> None:
    t = np.linspace(-2.0, 2.0, 25)
    outputs = Outputs.of(np.column_stack([np.sin(t), np.cos(t), t]))
    start = np.column_stack([t, 0.1 * np.random.default_rng(0).normal(size=25)])
    value, Z, mapping, evaluations = maximise(outputs, numbers_of("SE[z1] + WN"), start, 100)
    assert evaluations > 1
    assert abs(np.corrcoef(Z[:, 0], t)[0, 1]) > 0.999
    np.testing.assert_allclose(Z.std(axis=0), 1.0)
    np.testing.assert_allclose(mapping.moments(Z)[0], outputs.Y, atol=0.1)
    assert np.isfinite(value)
