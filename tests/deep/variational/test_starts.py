"""Where fits of deep processes begin."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.deep.variational.hidden import moments
from autostatistician.deep.variational.last import posterior
from autostatistician.deep.variational.network import Network, bound, draws, posterior_of, predictions
from autostatistician.deep.variational.starts import LayerStart, deepened, linear_map, shallow, spread_points
from autostatistician.deep.variational.whitened import ARDKernel

RNG = np.random.default_rng(4)
X = np.linspace(-1.7, 1.7, 30)[:, None]
Y = np.sign(X[:, 0]) + 0.1 * RNG.normal(size=30)


def test_inducing_points_are_rows_or_the_centres_of_clusters() -> None:
    assert spread_points(np.concatenate([X[:4], X[:4]]), 5, 0).tolist() == X[:4].tolist()
    found = spread_points(X, 5, 0)
    assert found.shape == (5, 1)
    assert np.diff(np.sort(found[:, 0])).min() > 0.4


def test_a_narrow_map_keeps_the_widest_directions() -> None:
    wide = np.column_stack([RNG.normal(size=50), 5.0 * RNG.normal(size=50), 0.1 * RNG.normal(size=50)])
    found = linear_map(wide, 2)
    assert found.T @ found == pytest.approx(np.eye(2))
    assert np.abs(found[[1, 0], [0, 1]]).min() > 0.9
    assert linear_map(wide[:2], 3).tolist() == np.eye(3).tolist()


def test_the_shallow_process_is_the_top_of_a_hill() -> None:
    Z = spread_points(X, 10, 0)
    found = shallow(X, Y, Z)
    assert np.abs(bound(found, X, Y, [])[1][[0, 1, -1]]).max() < 0.5  # kernel and noise
    other = found.last._replace(kernel=ARDKernel(0.0, np.log([2.0])), Z=Z)
    assert bound(found, X, Y, [])[0] > bound(Network((), (), other), X, Y, [])[0] + 1.0


def test_near_the_identity_a_deep_process_predicts_what_the_shallow_one_does() -> None:
    known = shallow(X, Y, spread_points(X, 10, 0))
    network = deepened([known, known, known], [np.eye(1)] * 2, X[::2], LayerStart(-4.0))
    noise = draws(RNG, 50, 30, [1, 1])
    mean, _ = predictions(network, posterior_of(network, X, Y, noise), X, noise)
    same, _ = posterior(known.last, X, Y).at(X)
    assert np.sqrt(np.mean((mean.mean(axis=0) - same) ** 2)) < 0.25
    assert len(network.hidden) == 2


def test_a_bent_layer_follows_the_data() -> None:
    known = shallow(X, Y, spread_points(X, 10, 0))
    last = posterior(known.last, X, Y)
    network = deepened([known, known], [np.eye(1, 2)], X[::3], LayerStart(-4.0, last))
    layer, follows = network.hidden[0], np.tile(last.at(X[::3])[0][:, None], (1, 2))
    assert moments(layer, network.linear[0], X[::3]).mean - X[::3] @ np.eye(1, 2) == pytest.approx(follows, abs=1e-4)
    at_points = moments(layer, network.linear[0], known.last.Z).mean
    assert at_points == pytest.approx(network.last.Z, abs=0.1)
