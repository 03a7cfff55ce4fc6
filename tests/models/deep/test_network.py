"""The bound of a deep process: its gradient, its limits, its draws."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from autostatistician.gp.covariance import covariance
from autostatistician.kernels.text import parse
from autostatistician.models.deep.fit import ExpressionKernel, LayerForm, LayerStart, beginnings, deepened, shallow
from autostatistician.models.deep.layers import ARDKernel, Hidden, Last, collapsed, posterior
from autostatistician.models.deep.network import Network, bends_of, bound, draws, posterior_of, predictions

DRAWN = np.random.default_rng(7)
ROWS, TARGETS = DRAWN.normal(size=(7, 2)), DRAWN.normal(size=7)
NAMES = ("a", "b")
SUM = LayerForm(parse("RQ[a] * SE[b] + Lin[a] + CP[b](SE[a], C)"), NAMES)
SMOOTH = LayerForm(parse("SE[a] * SE[b]"), NAMES)


def _kernel(form: LayerForm) -> ExpressionKernel:
    kernel = beginnings(form, ROWS, TARGETS)[1]
    assert isinstance(kernel, ExpressionKernel)
    return kernel


def _by_expression(form: LayerForm, count: int = 4) -> Hidden:
    root = np.tril(0.3 * DRAWN.normal(size=(2, count, count)), -1) + np.eye(count)
    places, mean = DRAWN.normal(size=(2, count, 2))
    return Hidden(_kernel(form).resized(-1.0, ROWS), places, mean, root)


def test_the_squared_exponential_is_the_same_either_way() -> None:
    kernel = _kernel(SMOOTH)
    lengths = np.array([kernel.values[0], kernel.values[2]])
    same = ARDKernel(2.0 * np.log(kernel.values[1] * kernel.values[3]), np.log(lengths))
    Z = DRAWN.normal(size=(4, 2))
    for one, other in (
        (kernel(Z, ROWS), same(Z, ROWS)),
        (kernel.prior(ROWS), same.prior(ROWS)),
        (kernel.own(Z), same.own(Z)),
    ):
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-8)
    here, there = (collapsed(Last(each, Z, -1.0), ROWS, TARGETS) for each in (kernel, same))
    assert here[0] == pytest.approx(there[0], abs=1e-5)
    np.testing.assert_allclose(here[1].inner.H, there[1].inner.H, atol=1e-4)


def test_one_layer_with_all_rows_is_the_exact_process() -> None:
    last = Last(_kernel(SUM), ROWS, np.log(0.2))
    K = covariance(last.kernel.kernel, ROWS, None, NAMES)
    exact = multivariate_normal(np.zeros(7), K + 0.2 * np.eye(7))
    assert collapsed(last, ROWS, TARGETS)[0] == pytest.approx(exact.logpdf(TARGETS), abs=1e-3)
    new = ROWS[:3] + 0.1
    gain = np.linalg.solve(K + 0.2 * np.eye(7), covariance(last.kernel.kernel, ROWS, new, NAMES)).T
    assert posterior(last, ROWS, TARGETS).at(new)[0] == pytest.approx(gain @ TARGETS, abs=1e-4)


def test_the_size_is_that_asked_for_and_numbers_stay_within_limits() -> None:
    kernel = _kernel(SUM).resized(-2.0, ROWS)
    assert kernel.prior(ROWS).mean() == pytest.approx(np.exp(-2.0), rel=1e-6)
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


WHITE = np.random.default_rng(0)
Z, H = WHITE.normal(size=(4, 2)), WHITE.normal(size=(6, 2))


RNG = np.random.default_rng(3)
X, Y = RNG.normal(size=(7, 3)), RNG.normal(size=7)


def _hidden(inputs: int, width: int, count: int = 4) -> Hidden:
    diagonal = np.exp(RNG.normal(size=(width, 1, count)))
    root = np.tril(0.3 * RNG.normal(size=(width, count, count)), -1) + diagonal * np.eye(count)
    kernel = ARDKernel(-1.0, 0.3 * RNG.normal(size=inputs))
    return Hidden(kernel, RNG.normal(size=(count, inputs)), RNG.normal(size=(count, width)), root)


def _last(inputs: int) -> Last:
    return Last(ARDKernel(0.2, 0.3 * RNG.normal(size=inputs)), RNG.normal(size=(4, inputs)), -1.0)


def _check_gradient(network: Network, X: np.ndarray, y: np.ndarray, noise: list[np.ndarray], rel: float) -> None:
    at = network.parameters
    assert network.with_parameters(at).parameters == pytest.approx(at)
    value, slope = bound(network, X, y, noise)

    def moved(step: np.ndarray) -> float:
        return bound(network.with_parameters(at + step), X, y, noise)[0]

    assert np.isfinite(value)
    expected = [(moved(step) - moved(-step)) / 2e-5 for step in 1e-5 * np.eye(len(at))]
    assert slope == pytest.approx(expected, rel=rel, abs=1e-5)


@pytest.mark.parametrize("widths", [(), (2,), (2, 4)])
def test_the_gradient_is_that_of_differences(widths: tuple[int, ...]) -> None:
    sizes = (3, *widths)
    hidden = tuple(map(_hidden, sizes, widths))
    maps = tuple(RNG.normal(size=shape) for shape in zip(sizes, widths, strict=False))
    network = Network(hidden, maps, _last(sizes[-1]))
    _check_gradient(network, X, Y, draws(RNG, 3, 7, widths), 1e-5)


@pytest.mark.slow
def test_the_gradient_by_expressions_is_that_of_differences() -> None:
    last = Last(_kernel(SUM), DRAWN.normal(size=(4, 2)), -1.0)
    network = Network((_by_expression(SUM),), (np.eye(2),), last)
    _check_gradient(network, ROWS, TARGETS, draws(DRAWN, 3, 7, [2]), 1e-4)


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
