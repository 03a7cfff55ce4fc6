"""Fits of deep processes: better than the shallow one where it fails, and the same again for the same seed."""

from dataclasses import replace

import numpy as np
import pytest

from autostatistician.models.deep import fit as fit_module
from autostatistician.models.deep.fit import (
    DeepFit,
    DeepSettings,
    LayerStart,
    ascend,
    deepened,
    fit,
    linear_map,
    shallow,
    spread_points,
    weights_of,
)
from autostatistician.models.deep.layers import ARDKernel, moments, posterior
from autostatistician.models.deep.network import Network, bound, draws, posterior_of, predictions

RNG_STEP = np.random.default_rng(4)
X_STEP = np.linspace(-1.7, 1.7, 30)[:, None]
Y_STEP = np.sign(X_STEP[:, 0]) + 0.1 * RNG_STEP.normal(size=30)


def test_inducing_points_are_rows_or_the_centres_of_clusters() -> None:
    assert spread_points(np.concatenate([X_STEP[:4], X_STEP[:4]]), 5, 0).tolist() == X_STEP[:4].tolist()
    found = spread_points(X_STEP, 5, 0)
    assert found.shape == (5, 1)
    assert np.diff(np.sort(found[:, 0])).min() > 0.4


def test_a_narrow_map_keeps_the_widest_directions() -> None:
    wide = RNG_STEP.normal(size=(50, 3)) * [1.0, 5.0, 0.1]
    found = linear_map(wide, 2)
    assert found.T @ found == pytest.approx(np.eye(2))
    assert np.abs(found[[1, 0], [0, 1]]).min() > 0.9
    assert linear_map(wide[:2], 3).tolist() == np.eye(3).tolist()


def test_the_shallow_process_is_the_top_of_a_hill() -> None:
    Z = spread_points(X_STEP, 10, 0)
    found = shallow(X_STEP, Y_STEP, Z)
    assert np.abs(bound(found, X_STEP, Y_STEP, [])[1][[0, 1, -1]]).max() < 0.5  # kernel and noise
    other = found.last._replace(kernel=ARDKernel(0.0, np.log([2.0])), Z=Z)
    assert bound(found, X_STEP, Y_STEP, [])[0] > bound(Network((), (), other), X_STEP, Y_STEP, [])[0] + 1.0


def test_near_the_identity_a_deep_process_predicts_what_the_shallow_one_does() -> None:
    known = shallow(X_STEP, Y_STEP, spread_points(X_STEP, 10, 0))
    network = deepened([known, known, known], [np.eye(1)] * 2, X_STEP[::2], LayerStart(-4.0))
    noise = draws(RNG_STEP, 50, 30, [1, 1])
    mean, _ = predictions(network, posterior_of(network, X_STEP, Y_STEP, noise), X_STEP, noise)
    same, _ = posterior(known.last, X_STEP, Y_STEP).at(X_STEP)
    assert np.sqrt(np.mean((mean.mean(axis=0) - same) ** 2)) < 0.25
    assert len(network.hidden) == 2


def test_a_bent_layer_follows_the_data() -> None:
    known = shallow(X_STEP, Y_STEP, spread_points(X_STEP, 10, 0))
    last = posterior(known.last, X_STEP, Y_STEP)
    network = deepened([known, known], [np.eye(1, 2)], X_STEP[::3], LayerStart(-4.0, last))
    layer, follows = network.hidden[0], np.tile(last.at(X_STEP[::3])[0][:, None], (1, 2))
    bent = moments(layer, network.linear[0], X_STEP[::3]).mean - X_STEP[::3] @ np.eye(1, 2)
    assert bent == pytest.approx(follows, abs=1e-4)
    at_points = moments(layer, network.linear[0], known.last.Z).mean
    assert at_points == pytest.approx(network.last.Z, abs=0.1)


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


@pytest.fixture(scope="module")
def one() -> DeepFit:
    return _fit(replace(SETTINGS, layers=1))


@pytest.mark.slow
def test_two_layers_explain_a_step_better_than_one(one: DeepFit, two: DeepFit) -> None:
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


@pytest.mark.slow
def test_a_step_too_far_is_taken_back(two: DeepFit, monkeypatch: pytest.MonkeyPatch) -> None:
    values = iter([1.0, 2.0, np.nan])
    monkeypatch.setattr(fit_module, "bound", lambda network, *_: (next(values), np.ones_like(network.parameters)))
    network, trace = ascend(two.network, X, Y, SETTINGS, np.random.default_rng(0))
    assert trace.tolist() == [1.0, 2.0]
    moved = network.parameters - two.network.parameters
    assert np.abs(moved).max() == pytest.approx(SETTINGS.rate, rel=1e-6)  # one step, not two


def test_of_one_layer_the_bound_is_that_of_the_network(one: DeepFit) -> None:
    assert one.bound == bound(one.network, X, Y, [])[0]


@pytest.mark.slow
def test_layers_may_be_narrower_or_wider_than_the_rows() -> None:
    wide = np.column_stack([X[:, 0], np.cos(X[:, 0]), RNG.normal(size=60)])
    for width in (1, 4):
        found = fit(wide, Y, replace(SETTINGS, width=width, steps=20, restarts=3), np.random.default_rng(0))[-1]
        assert [one.shape for one in found.network.linear] == [(3, width)]
        assert np.isfinite(found.bound)
