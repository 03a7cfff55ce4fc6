"""Additive kernels for classes: the gradient by differences, the constant, and what is found."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.additive.base import base_of
from autostatistician.additive.classes import fit_classes, negative_log_evidence
from autostatistician.additive.kernel import Layout
from autostatistician.inference.likelihoods.bernoulli import Bernoulli

RNG = np.random.default_rng(0)
X = RNG.standard_normal((40, 3))
Y = np.where(X[:, 0] + np.sin(2.0 * X[:, 1]) + 0.3 * RNG.standard_normal(40) > 0.0, 1.0, -1.0)
BASES = (base_of("SE"),) * 3


@pytest.mark.parametrize("how", ["ep", "laplace"])
@pytest.mark.parametrize("layout", [Layout(BASES, (0, 1, 2)), Layout(BASES, (0, 1, 2, 3), tied=True)])
def test_the_gradient_is_that_of_differences(layout: Layout, how: str) -> None:
    u = RNG.normal(0.0, 0.5, layout.size - 1)
    misfit = negative_log_evidence(layout, X, Y, Bernoulli(), how)
    _, gradient = misfit(u)
    for place, step in enumerate(1e-4 * np.eye(len(u))):
        assert gradient[place] == pytest.approx((misfit(u + step)[0] - misfit(u - step)[0]) / 2e-4, abs=2e-5)


def test_what_was_put_in_is_found() -> None:
    layout = Layout(BASES, (0, 1, 2))
    fitted = fit_classes(layout, X, Y, Bernoulli(), "ep", 2, np.random.default_rng(0))
    mean, sd = fitted.moments(X)
    assert (np.sign(mean) == Y).mean() > 0.85
    assert (sd > 0.0).all()
    assert fitted.kernel.noise_variance == 0.0
    assert fitted.log_evidence == pytest.approx(-fitted.nll)
    lengths = fitted.kernel.u[:3]
    assert lengths[2] > lengths[1]  # the third column does not matter
    assert not fitted.is_flat
