"""Fits of deep processes: better than the shallow one where it fails, and the same again for the same seed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from autostatistician.deep.variational import fit as fit_module
from autostatistician.deep.variational.fit import DeepFit, DeepSettings, ascend, fit, weights_of
from autostatistician.deep.variational.network import bound

RNG = np.random.default_rng(5)
X = np.sort(RNG.uniform(-1.7, 1.7, 60))[:, None]
Y = np.sign(X[:, 0]) + 0.1 * RNG.normal(size=60)
SETTINGS = DeepSettings(inducing=15, steps=300, restarts=3)


def _fit(settings: DeepSettings) -> DeepFit:
    """The best of them."""
    return fit(X, Y, settings, np.random.default_rng(0))[0]


@pytest.fixture(scope="module")
def two() -> DeepFit:
    return _fit(SETTINGS)


@pytest.mark.slow
def test_two_layers_explain_a_step_better_than_one(two: DeepFit) -> None:
    one = _fit(replace(SETTINGS, layers=1))
    assert len(one.trace) == 0
    assert two.bound > one.bound + 15.0
    assert len(two.trace) == 300
    assert two.trace[-20:].mean() == pytest.approx(two.bound, abs=5.0)
    assert two.trace[0] < two.bound


@pytest.mark.slow
def test_the_same_seed_gives_the_same_numbers(two: DeepFit) -> None:
    assert np.array_equal(_fit(SETTINGS).network.parameters, two.network.parameters)


def test_the_best_comes_first_and_counts_most() -> None:
    found = fit(X, Y, replace(SETTINGS, steps=20, restarts=4), np.random.default_rng(0))
    bounds = [one.bound for one in found]
    assert bounds == sorted(bounds, reverse=True)
    assert len(set(bounds)) == 4
    weights = weights_of(bounds)
    assert weights.sum() == pytest.approx(1.0)
    assert np.all(np.diff(weights) < 0.0)
    assert np.log(weights[0] / weights[1]) == pytest.approx((bounds[0] - bounds[1]) / 10.0)


def test_a_step_too_far_is_taken_back(two: DeepFit, monkeypatch: pytest.MonkeyPatch) -> None:
    values = iter([1.0, 2.0, np.nan])
    monkeypatch.setattr(fit_module, "bound", lambda network, *_: (next(values), np.ones_like(network.parameters)))
    network, trace = ascend(two.network, X, Y, SETTINGS, np.random.default_rng(0))
    assert trace.tolist() == [1.0, 2.0]
    moved = network.parameters - two.network.parameters
    assert np.abs(moved).max() == pytest.approx(SETTINGS.rate, rel=1e-6)  # one step, not two


def test_of_one_layer_the_bound_is_that_of_the_network() -> None:
    one = _fit(replace(SETTINGS, layers=1))
    assert one.bound == bound(one.network, X, Y, [])[0]


@pytest.mark.slow
def test_layers_may_be_narrower_or_wider_than_the_rows() -> None:
    wide = np.column_stack([X[:, 0], np.cos(X[:, 0]), RNG.normal(size=60)])
    for width in (1, 4):
        found = fit(wide, Y, replace(SETTINGS, width=width, steps=20, restarts=3), np.random.default_rng(0))[-1]
        assert [one.shape for one in found.network.linear] == [(3, width)]
        assert np.isfinite(found.bound)
