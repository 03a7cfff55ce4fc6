"""The numbers of maps whose shape is learned, and the choice among all maps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import optimize, stats

from autostatistician.data.dataset import Dataset
from autostatistician.data.times.axes import Axis
from autostatistician.data.transform import Transform, warped
from autostatistician.errors import InputError
from autostatistician.language.kernel import leaf
from autostatistician.language.languages import LANGUAGES
from autostatistician.search.before import chosen_likelihood
from autostatistician.search.before.shapes import learned_shape
from autostatistician.search.before.transforms import chosen_transform
from autostatistician.search.constants import MARGIN_FOR_SHAPE
from autostatistician.search.run import Settings

X = np.arange(100.0)
RNG = np.random.default_rng(3)
WAVES = np.sin(2.0 * np.pi * X / 25.0) + 0.4 * RNG.standard_normal(100)
BY_EVIDENCE, BY_BIC = (Settings(criterion=name, transform="learned", n_jobs=1) for name in ("evidence", "bic"))
EXTENDED = LANGUAGES["extended"].with_priors
CURVE = leaf("C", sd=10.0) + leaf("SE", sd=5.0, lengthscale=10.0) + leaf("WN", sd=2.0)


def _data(y: np.ndarray) -> Dataset:
    return Dataset(X[: len(y), None], y, ("x",), "y", Axis("x", "", "", 1.0))


def _numbers(transform: Transform) -> tuple[float, ...]:
    assert transform.warp is not None
    return transform.warp.numbers


@pytest.mark.parametrize("power", [-0.5, 0.5])
def test_a_power_is_recovered(power: float) -> None:
    y = (1.0 + 0.35 * power * WAVES) ** (1.0 / power)
    shape = learned_shape("box-cox", _data(10.0 * y), CURVE)
    assert _numbers(shape.transform)[0] == pytest.approx(power, abs=0.3)


def test_of_white_noise_skew_and_tail_are_the_likeliest_but_for_their_prior() -> None:
    z = np.random.default_rng(0).standard_normal(300)
    y = np.sinh((np.arcsinh(z) + 0.5) / np.exp(-0.3))

    def loss(numbers: np.ndarray) -> float:
        transform = warped("sinh-arcsinh", y, tuple(numbers))
        return float(150.0 * np.log(np.var(transform.forward(y))) - transform.log_jacobian(y))

    data = Dataset(np.arange(300.0)[:, None], y, ("x",), "y", Axis("x", "", "", 1.0))
    shape = learned_shape("sinh-arcsinh", data, leaf("C", sd=10.0) + leaf("WN", sd=3.0))
    likeliest = optimize.minimize(loss, [0.0, 0.0], method="Nelder-Mead").x
    assert _numbers(shape.transform) == pytest.approx(likeliest, abs=0.1)


def test_of_white_noise_the_power_is_that_of_scipy_but_for_its_prior() -> None:
    """The prior weighs as much as one of several thousand rows."""
    y = np.random.default_rng(0).lognormal(2.0, 0.4, 300)
    x = np.arange(300.0)
    data = Dataset(x[:, None], y, ("x",), "y", Axis("x", "", "", 1.0))
    shape = learned_shape("box-cox", data, leaf("C", sd=10.0) + leaf("WN", sd=3.0))
    assert _numbers(shape.transform)[0] == pytest.approx(stats.boxcox_normmax(y, method="mle"), abs=0.05)


def test_the_volume_is_that_of_the_integral_over_powers() -> None:
    """Laplace's approximation beside a sum over a grid, of white noise about a known mean."""
    y = np.random.default_rng(0).lognormal(2.0, 0.4, 60)
    shape = learned_shape("box-cox", _data(y), leaf("C", sd=1e3) + leaf("WN", sd=3.0))
    grid = np.linspace(-1.5, 2.5, 401)
    logs = np.array([stats.boxcox_llf(power, y) for power in grid])
    prior = stats.norm(0.5, 0.75).pdf(grid)
    integral = np.log(np.trapezoid(np.exp(logs - logs.max()) * prior, grid))
    assert shape.log_volume == pytest.approx(integral, abs=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("settings", [BY_EVIDENCE, BY_BIC], ids=["evidence", "bic"])
def test_a_shape_is_taken_where_data_ask_for_it(settings: Settings) -> None:
    skewed = chosen_transform(_data(np.sinh(1.5 * np.arcsinh(WAVES) + 1.0)), settings, EXTENDED)
    assert skewed.transform.name == "sinh-arcsinh"
    assert skewed.runner_up == Transform()
    assert skewed.gain is not None
    assert skewed.gain > 0.0
    plain = chosen_transform(_data(50.0 + WAVES), settings, EXTENDED)
    assert plain.transform == Transform()


@pytest.mark.slow
def test_of_a_logarithm_no_shape_is_taken() -> None:
    assert chosen_transform(_data(np.exp(3.0 + 0.5 * WAVES)), BY_EVIDENCE, EXTENDED).transform.name == "log"


@pytest.mark.slow
def test_counts_are_still_counts() -> None:
    y = np.random.default_rng(1).poisson(np.exp(1.0 + 0.5 * np.sin(X / 8.0))).astype(float)
    choice, usual = (
        chosen_likelihood(_data(y), Settings(criterion="evidence", transform=name, n_jobs=1), EXTENDED)
        for name in ("learned", "auto")
    )
    assert choice == usual
    assert choice.likelihood.name == "poisson"


def test_a_language_without_maps_has_none() -> None:
    y = np.sinh(1.5 * np.arcsinh(WAVES) + 1.0)
    assert chosen_transform(_data(y), BY_BIC, LANGUAGES["full"]).transform == Transform()


def _table(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows of two columns, and a function of both with normal noise."""
    rng = np.random.default_rng(seed)
    rows = rng.uniform(size=(80, 2))
    return rows, np.sin(4.0 * rows[:, 0]) + rows[:, 1] + 0.1 * rng.standard_normal(80)


@pytest.mark.parametrize("power", [0.5, -1.0])
def test_of_a_table_the_power_is_found(power: float) -> None:
    rows, function = _table(2)
    table = Dataset(rows, (2.0 + function) ** (1.0 / power), ("a", "b"), "y", None)
    choice = chosen_transform(table, BY_BIC, EXTENDED)
    assert choice.transform.name == "box-cox"
    assert _numbers(choice.transform)[0] == pytest.approx(power, abs=0.4)
    assert choice.gain is not None
    assert choice.gain > MARGIN_FOR_SHAPE


def test_of_a_table_maps_without_a_shape_are_found() -> None:
    for seed in (3, 6):  # of both a logarithm of 10 + function is a little more probable than none
        rows, function = _table(seed)
        plain, logged = (Dataset(rows, y, ("a", "b"), "y", None) for y in (10.0 + function, np.exp(function)))
        assert chosen_transform(plain, BY_BIC, EXTENDED).transform == Transform()
        assert chosen_transform(logged, BY_BIC, EXTENDED).transform.name == "log"
        assert chosen_transform(logged, replace(BY_BIC, transform="auto"), EXTENDED).transform == Transform()


def test_counts_of_a_table_are_told_from_a_power_of_normal_values() -> None:
    """Both are whole numbers that scatter the more the higher they are; by chance alone, or by more."""
    rows, function = _table(2)
    rate = np.exp(0.5 + function)
    counts = np.random.default_rng(0).poisson(rate).astype(float)
    rounded = np.round((2.0 + 1.5 * function + 0.4 * np.random.default_rng(0).standard_normal(80)) ** 3)
    laws = [
        type(chosen_likelihood(Dataset(rows, y, ("a", "b"), "y", None), BY_BIC, EXTENDED).likelihood).__name__
        for y in (counts, rounded)
    ]
    assert laws == ["Poisson", "Gaussian"]


def test_a_shape_that_was_asked_for_is_learned_of_a_table_too() -> None:
    rows, function = _table(2)
    table = Dataset(rows, (5.0 + function) ** 2, ("a", "b"), "y", None)
    choice = chosen_transform(table, Settings(transform="box-cox", criterion="bic"), LANGUAGES["extended"])
    assert choice.gain is None
    assert 0.0 < _numbers(choice.transform)[0] < 1.0
    with pytest.raises(InputError, match="above zero for transform 'box-cox'"):
        chosen_transform(_data(WAVES), Settings(transform="box-cox", criterion="bic"), LANGUAGES["extended"])
