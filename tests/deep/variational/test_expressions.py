"""Layers whose kernel is any expression: gradients beside differences, one layer beside the exact process."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from autostatistician.deep.variational.expressions import ExpressionKernel, LayerForm, beginnings
from autostatistician.deep.variational.hidden import Hidden
from autostatistician.deep.variational.last import Last, collapsed, posterior
from autostatistician.deep.variational.network import Network, bends_of, bound, draws, posterior_of
from autostatistician.deep.variational.starts import LayerStart, deepened, shallow
from autostatistician.deep.variational.whitened import ARDKernel
from autostatistician.inference.covariance import covariance
from autostatistician.language.text import parse

RNG = np.random.default_rng(7)
X, Y = RNG.normal(size=(7, 2)), RNG.normal(size=7)
NAMES = ("a", "b")
SUM = LayerForm(parse("RQ[a] * SE[b] + Lin[a] + CP[b](SE[a], C)"), NAMES)
SMOOTH = LayerForm(parse("SE[a] * SE[b]"), NAMES)


def _kernel(form: LayerForm) -> ExpressionKernel:
    kernel = beginnings(form, X, Y)[1]
    assert isinstance(kernel, ExpressionKernel)
    return kernel


def _hidden(form: LayerForm, count: int = 4) -> Hidden:
    root = np.tril(0.3 * RNG.normal(size=(2, count, count)), -1) + np.eye(count)
    return Hidden(_kernel(form).resized(-1.0, X), RNG.normal(size=(count, 2)), RNG.normal(size=(count, 2)), root)


def test_the_gradient_is_that_of_differences() -> None:
    last = Last(_kernel(SUM), RNG.normal(size=(4, 2)), -1.0)
    network, noise = Network((_hidden(SUM),), (np.eye(2),), last), draws(RNG, 3, 7, [2])
    at = network.parameters
    assert network.with_parameters(at).parameters == pytest.approx(at)
    value, slope = bound(network, X, Y, noise)

    def moved(step: np.ndarray) -> float:
        return bound(network.with_parameters(at + step), X, Y, noise)[0]

    some = np.unique([*range(12), *RNG.integers(len(at), size=20), len(at) - 1])  # the kernel of a layer comes first
    steps, slope = 1e-5 * np.eye(len(at))[some], slope[some]
    assert np.isfinite(value)
    assert slope == pytest.approx([(moved(step) - moved(-step)) / 2e-5 for step in steps], rel=1e-4, abs=1e-5)


def test_the_squared_exponential_is_the_same_either_way() -> None:
    kernel = _kernel(SMOOTH)
    lengths = np.array([kernel.values[0], kernel.values[2]])
    same = ARDKernel(2.0 * np.log(kernel.values[1] * kernel.values[3]), np.log(lengths))
    Z = RNG.normal(size=(4, 2))
    for one, other in ((kernel(Z, X), same(Z, X)), (kernel.prior(X), same.prior(X)), (kernel.own(Z), same.own(Z))):
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-8)
    here, there = (collapsed(Last(each, Z, -1.0), X, Y) for each in (kernel, same))
    assert here[0] == pytest.approx(there[0], abs=1e-5)
    np.testing.assert_allclose(here[1].inner.H, there[1].inner.H, atol=1e-4)


def test_one_layer_with_all_rows_is_the_exact_process() -> None:
    last = Last(_kernel(SUM), X, np.log(0.2))
    K = covariance(last.kernel.kernel, X, None, NAMES)
    exact = multivariate_normal(np.zeros(7), K + 0.2 * np.eye(7))
    assert collapsed(last, X, Y)[0] == pytest.approx(exact.logpdf(Y), abs=1e-3)
    gain = np.linalg.solve(K + 0.2 * np.eye(7), covariance(last.kernel.kernel, X, X[:3] + 0.1, NAMES)).T
    assert posterior(last, X, Y).at(X[:3] + 0.1)[0] == pytest.approx(gain @ Y, abs=1e-4)


def test_the_size_is_that_asked_for_and_numbers_stay_within_limits() -> None:
    kernel = _kernel(SUM).resized(-2.0, X)
    assert kernel.prior(X).mean() == pytest.approx(np.exp(-2.0), rel=1e-6)
    low, high = kernel.limits
    assert np.all((low <= kernel.parameters) & (kernel.parameters <= high))


def test_a_layer_that_bends_is_told_from_one_that_does_not() -> None:
    x = np.linspace(-1.7, 1.7, 30)[:, None]
    y = np.sign(x[:, 0])
    one = shallow(x, y, x[::2])
    known = posterior_of(one, x, y, [])
    straight = deepened([one, one], [np.eye(1)], x[::2], LayerStart(-12.0))
    bent = deepened([one, one], [np.eye(1)], x[::2], LayerStart(-4.0, known))
    shares = [
        bends_of(network, posterior_of(network, x, y, draws(np.random.default_rng(0), 5, 30, [1])), x)[0]
        for network in (straight, bent)
    ]
    assert shares[0] < 1e-6
    assert shares[1] > 0.01
