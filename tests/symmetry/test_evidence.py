"""The marginal likelihood of a view of a kernel, and its gradient."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import approx_fprime

from autostatistician import SymmetricGPRegressor
from autostatistician.errors import InputError
from autostatistician.language.kernel import parameters
from autostatistician.language.text import parse_kernel
from autostatistician.symmetry import (
    reflection,
    rotations,
    swap,
    view_covariance,
)
from autostatistician.symmetry.evidence import Latent, ViewEvidence, given

Array = NDArray[np.float64]
RNG = np.random.default_rng(0)
X = RNG.uniform(-2.0, 2.0, (20, 2))
Y = np.sin(X[:, 0]) * np.sin(X[:, 1]) + 0.1 * RNG.normal(size=20)


def _bowl(rows: Array) -> Array:
    return np.asarray(1.0 + (rows**2).sum(axis=1))


CASES: dict[str, dict[str, object]] = {
    "swap": {"group": swap(2)},
    "odd swap": {"group": swap(2, odd=True)},
    "turns": {"group": rotations(2, 3)},
    "projection": {"group": rotations(2, 2), "construction": "projection"},
    "product": {"group": swap(2), "construction": "product"},
    "multiplied": {"group": reflection(2, odd=True), "multiplier": _bowl},
}


@pytest.mark.parametrize(
    "text",
    [
        "C(sd=0.5) + SE[x1](lengthscale=1, sd=2) * SE[x2](lengthscale=2, sd=0.8) + WN(sd=0.3)",
        "Per[x1](lengthscale=1, period=1.5, sd=1) + Lin[x2](sd=0.5, location=0.3) * RQ[x1](lengthscale=1, sd=1, "
        "alpha=2) + WN(sd=0.3) + WN(sd=0.2) * Lin[x1](sd=1, location=0.1)",
        "CP[x1](SE[x2](lengthscale=1, sd=1), C(sd=1); location=0.1, steepness=2) + WN(sd=0.3)",
        "WN(sd=0.5)",
        "Matern32[x1](lengthscale=1, sd=1) * Matern12[x2](lengthscale=2, sd=1)",
    ],
)
@pytest.mark.parametrize("case", CASES)
def test_gradient_of_the_evidence(text: str, case: str) -> None:
    latent, model = Latent.of(parse_kernel(text)), SymmetricGPRegressor(**CASES[case])  # type: ignore[arg-type]
    try:
        evidence = ViewEvidence(latent, model._view()(X), X, Y, ("x1", "x2"))
    except InputError:
        assert case == "product"
        return
    values = np.array(latent.kernel.values)
    positive = np.array([parameter.role.positive for parameter in parameters(latent.kernel.expr)])

    def at(u: Array) -> float:
        return evidence(tuple(np.where(positive, np.exp(u), u)))[0]

    start = np.where(positive, np.log(np.where(positive, values, 1.0)), values)
    found = evidence(latent.kernel.values)[1]
    assert found == pytest.approx(approx_fprime(start, at, 1e-6), rel=2e-4, abs=2e-4)


def test_the_evidence_is_that_of_the_matrix() -> None:
    kernel = parse_kernel("SE[x1](lengthscale=1, sd=2) * SE[x2](lengthscale=2, sd=0.8) + WN(sd=0.3)")
    view = SymmetricGPRegressor(group=swap(2))._view()
    K = view_covariance(kernel, view, X, None, ("x1", "x2"))
    expected = 0.5 * Y @ np.linalg.solve(K, Y) + 0.5 * np.linalg.slogdet(K)[1] + 10.0 * np.log(2.0 * np.pi)
    latent = Latent.of(kernel)
    assert ViewEvidence(latent, view(X), X, Y, ("x1", "x2"))(kernel.values)[0] == pytest.approx(expected)
    assert -given(latent, view, X, Y, ("x1", "x2")).posterior.log_evidence == pytest.approx(expected)


def test_learned_priors_keep_few_rows_from_being_explained_without_noise() -> None:
    few, noise = X[:8], np.random.default_rng(1).normal(size=8)
    probable, likely = (SymmetricGPRegressor(group=swap(2), learned_priors=on).fit(few, noise) for on in (True, False))
    assert probable.log_evidence_ < likely.log_evidence_
    sds = [model.fitted_.latent.noise.values[0] for model in (probable, likely)]
    assert sds[1] < 0.1 < sds[0]
