"""A found structure given the data agrees with its kernel seen through its view."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.symmetry import view_covariance
from autostatistician.symmetry.claims import Claim, Kind
from autostatistician.symmetry.finding import FoundSymmetries, fitted
from autostatistician.symmetry.found import InvariantPrior, found_function, level
from autostatistician.symmetry.invariant import Rows
from autostatistician.symmetry.structure import structured

RNG = np.random.default_rng(0)
X = np.column_stack([RNG.uniform(-2.0, 2.0, 30), RNG.integers(0, 2, 30), RNG.uniform(-2.0, 2.0, 30)])
Y = 5.0 + 3.0 * (np.sin(X[:, 0]) - np.sin(X[:, 2])) * (1.0 + X[:, 1])
NUMBERS, COLUMNS = (0, 2), ("a", "kind", "b")


@pytest.mark.parametrize("claim", [Claim(Kind.EXCHANGE, (0, 1), odd=True), Claim(Kind.COMMON_SHIFT, (0, 1))])
def test_prior_and_posterior(claim: Claim) -> None:
    structure = structured((claim,), 2)
    assert structure is not None
    target = (float(Y.mean()), float(Y.std()))
    group = fitted(structure, Rows(X[:, [0, 2]], X[:, [1]]), (Y - target[0]) / target[1])
    assert group is not None
    found = FoundSymmetries((group,), (claim,), target)
    function, fit = found_function(found, X, Y, COLUMNS, NUMBERS, RNG)
    signal = fit.latent.signal
    assert signal is not None
    K = InvariantPrior(function).matrix(signal, X)
    seen = view_covariance(signal, function, X, None, function.shown)
    assert pytest.approx(seen + target[1] ** 2, rel=1e-6) == K  # the double sum over the group, and the level
    assert InvariantPrior(function).variance(signal, X) == pytest.approx(K.diagonal())
    if claim.odd:
        mean = fit.posterior.project(signal, X).mean + function.centre
        turned = fit.posterior.project(signal, X[:, [2, 1, 0]]).mean + function.centre
        about, doubt = level(function, fit.posterior)
        assert mean == pytest.approx(Y, abs=0.1)
        assert about == pytest.approx(0.5 * (mean + turned))
        assert abs(about - 5.0) < 3.0 * doubt + 0.05
