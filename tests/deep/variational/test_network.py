"""The bound of a deep process: its gradient, its limits, its draws."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.deep.variational.hidden import Hidden
from autostatistician.deep.variational.last import Last, collapsed, posterior
from autostatistician.deep.variational.network import Network, bound, draws, posterior_of, predictions
from autostatistician.deep.variational.whitened import ARDKernel

RNG = np.random.default_rng(3)
X, Y = RNG.normal(size=(7, 3)), RNG.normal(size=7)


def _hidden(inputs: int, width: int, count: int = 4) -> Hidden:
    diagonal = np.exp(RNG.normal(size=(width, 1, count)))
    root = np.tril(0.3 * RNG.normal(size=(width, count, count)), -1) + diagonal * np.eye(count)
    kernel = ARDKernel(-1.0, 0.3 * RNG.normal(size=inputs))
    return Hidden(kernel, RNG.normal(size=(count, inputs)), RNG.normal(size=(count, width)), root)


def _last(inputs: int) -> Last:
    return Last(ARDKernel(0.2, 0.3 * RNG.normal(size=inputs)), RNG.normal(size=(4, inputs)), -1.0)


@pytest.mark.parametrize("widths", [(), (2,), (2, 4)])
def test_the_gradient_is_that_of_differences(widths: tuple[int, ...]) -> None:
    sizes = (3, *widths)
    hidden = tuple(map(_hidden, sizes, widths))
    maps = tuple(RNG.normal(size=shape) for shape in zip(sizes, widths, strict=False))
    network, noise = Network(hidden, maps, _last(sizes[-1])), draws(RNG, 3, 7, widths)
    at = network.parameters
    assert network.with_parameters(at).parameters == pytest.approx(at)
    value, slope = bound(network, X, Y, noise)

    def moved(step: np.ndarray) -> float:
        return bound(network.with_parameters(at + step), X, Y, noise)[0]

    steps = 1e-5 * np.eye(len(at))
    assert np.isfinite(value)
    assert slope == pytest.approx([(moved(step) - moved(-step)) / 2e-5 for step in steps], rel=1e-5, abs=1e-5)


def test_a_layer_that_adds_next_to_nothing_is_not_there() -> None:
    count = 4
    quiet = Hidden(ARDKernel(-30.0, np.zeros(3)), X[:count], np.zeros((count, 3)), np.tile(np.eye(count), (3, 1, 1)))
    network, noise = Network((quiet,), (np.eye(3),), _last(3)), draws(RNG, 5, 7, [3])
    assert bound(network, X, Y, noise)[0] == pytest.approx(collapsed(network.last, X, Y)[0], abs=1e-4)
    mean, variance = predictions(network, posterior_of(network, X, Y, noise), X, noise)
    same_mean, same_variance = posterior(network.last, X, Y).at(X)
    assert mean.shape == variance.shape == (5, 7)
    assert mean == pytest.approx(np.tile(same_mean, (5, 1)), abs=1e-4)
    assert variance == pytest.approx(np.tile(same_variance, (5, 1)), abs=1e-4)


def test_limits_are_of_kernels_and_noise_alone() -> None:
    low, high = Network((_hidden(3, 2),), (np.eye(3, 2),), _last(2)).limits
    assert np.isfinite(low).sum() == np.isfinite(high).sum() == (1 + 3) + (1 + 2) + 1
    assert np.isfinite(low[[0, -1]]).all()


def test_draws_of_a_row_are_spread_over_the_distribution() -> None:
    (found,) = draws(np.random.default_rng(0), 10, 50, [2])
    assert found.shape == (10, 50, 2)
    assert np.sum(found > 0.0, axis=0).tolist() == [[5, 5]] * 50
    assert np.sqrt(np.mean(found.mean(axis=0) ** 2)) < 0.5 * np.sqrt(0.1)  # of independent ones: the root of a tenth
    assert found.std() == pytest.approx(1.0, abs=0.05)
