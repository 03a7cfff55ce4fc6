"""Additive kernels on many rows by inducing points."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from autostatistician import AdditiveGPRegressor
from autostatistician.additive.base import base_of
from autostatistician.additive.evidence import negative_log_evidence
from autostatistician.additive.kernel import Layout
from autostatistician.additive.many_rows import negative_bound
from autostatistician.inference.engines.inducing.conditioned import ConditionedByPoints

RNG = np.random.default_rng(0)
X = RNG.normal(size=(25, 3))
Y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * RNG.normal(size=25)


@pytest.mark.parametrize(
    "layout",
    [
        Layout((base_of("SE"),) * 3, (1, 2, 3)),
        Layout((base_of("SE", orthogonal=True),) * 3, (0, 1, 2)),
        Layout((base_of("RQ"),) * 3, (1, 2), stretched=True),
    ],
)
def test_the_bound_is_the_evidence_of_all_rows_and_has_its_gradient(layout: Layout) -> None:
    u = np.random.default_rng(2).normal(0.0, 0.3, layout.size)
    exact, slopes = negative_log_evidence(layout, u, X, Y)
    whole, by = negative_bound(layout, u, X, Y, X)
    assert whole == pytest.approx(exact, abs=1e-4)
    np.testing.assert_allclose(by, slopes, atol=1e-3)
    value, gradient = negative_bound(layout, u, X, Y, X[:5])
    assert value > exact
    found = approx_fprime(u, lambda v: negative_bound(layout, v, X, Y, X[:5])[0], 1e-6)
    assert gradient == pytest.approx(found, rel=2e-3, abs=2e-3 * float(np.abs(gradient).max()))


@pytest.mark.slow
def test_a_table_of_many_rows_and_its_effects() -> None:
    rng = np.random.default_rng(1)
    inputs = rng.uniform(-2.0, 2.0, (2500, 3))
    truth = np.sin(2.0 * inputs[:, 0]) + inputs[:, 1]
    model = AdditiveGPRegressor(max_order=2, n_restarts=1).fit(inputs, truth + 0.2 * rng.normal(size=2500))
    assert isinstance(model.fitted_.posterior, ConditionedByPoints)
    mean, sd = model.predict(inputs[:200], return_std=True)
    assert float(np.sqrt(np.mean((mean - truth[:200]) ** 2))) < 0.03
    assert sd.mean() == pytest.approx(0.2, rel=0.05)
    shares = dict(zip(model.relevance_["column"], model.relevance_["share"], strict=True))
    assert min(shares["column 0"], shares["column 1"]) > 20.0
    assert shares["column 2"] < 1.0
    effect, spread = model.effect(0, inputs[:50])
    known = np.sin(2.0 * inputs[:50, 0])
    assert np.abs((effect - effect.mean()) - (known - known.mean())).max() < 0.06
    assert (spread < 0.05).all()
    assert pickle.loads(pickle.dumps(model)).predict(inputs[:3]) == pytest.approx(mean[:3])
