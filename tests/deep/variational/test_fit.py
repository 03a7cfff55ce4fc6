"""Fits of deep processes: better than the shallow one where it fails, and the same again for the same seed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from autostatistician.deep.variational.fit import Fit, Settings, fit
from autostatistician.deep.variational.network import bound

RNG = np.random.default_rng(5)
X = np.sort(RNG.uniform(-1.7, 1.7, 60))[:, None]
Y = np.sign(X[:, 0]) + 0.1 * RNG.normal(size=60)
SETTINGS = Settings(inducing=15, steps=200, restarts=2)


def _fit(settings: Settings) -> Fit:
    return fit(X, Y, settings, np.random.default_rng(0))


@pytest.fixture(scope="module")
def two() -> Fit:
    return _fit(SETTINGS)


def test_two_layers_explain_a_step_better_than_one(two: Fit) -> None:
    one = _fit(replace(SETTINGS, layers=1))
    assert len(one.trace) == 0
    assert two.bound > one.bound + 15.0
    assert len(two.trace) == 200
    assert two.trace[-20:].mean() == pytest.approx(two.bound, abs=5.0)
    assert two.trace[0] < two.bound


def test_the_same_seed_gives_the_same_numbers(two: Fit) -> None:
    assert np.array_equal(_fit(SETTINGS).network.numbers, two.network.numbers)


def test_the_best_of_all_starts_is_kept(two: Fit) -> None:
    assert two.bound >= _fit(replace(SETTINGS, restarts=1)).bound - 3.0  # the same start, other draws to compare


def test_of_one_layer_the_bound_is_that_of_the_network() -> None:
    one = _fit(replace(SETTINGS, layers=1))
    assert one.bound == bound(one.network, X, Y, [])[0]


def test_layers_may_be_narrower_or_wider_than_the_rows() -> None:
    wide = np.column_stack([X[:, 0], np.cos(X[:, 0]), RNG.normal(size=60)])
    for width in (1, 4):
        found = fit(wide, Y, replace(SETTINGS, width=width, steps=20, restarts=2), np.random.default_rng(0))
        assert [one.shape for one in found.network.linear] == [(3, width)]
        assert np.isfinite(found.bound)
