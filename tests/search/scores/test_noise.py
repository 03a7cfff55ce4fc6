"""What is tried on few rows, and what noise of changing size must bring to be believed."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician import AutomaticStatistician
from autostatistician.data.dataset import from_arrays
from autostatistician.inference.engines.choice import objective_of
from autostatistician.inference.parameters.scales import measure
from autostatistician.inference.problem import Problem
from autostatistician.language.expr import Expr, Leaf
from autostatistician.language.kernel import Kernel, leaf, operands
from autostatistician.language.languages import LANGUAGES
from autostatistician.language.text import parse
from autostatistician.language.traits import has_changes, has_uneven_noise, noise_shapes
from autostatistician.search.run import Settings, search
from autostatistician.search.scores.noise import (
    excess,
    gain_of_heavy_tails,
    gain_of_outliers,
    shape_penalty,
    tails_penalty,
)

X = np.arange(60.0)
NOISE = np.random.default_rng(3).normal(size=60)
POINTS = Problem(X[:, None], NOISE, ("x",))


def _leaves(expr: Expr) -> set[str]:
    return {expr.symbol} if isinstance(expr, Leaf) else set().union(*map(_leaves, operands(expr)))


def _owed(kernel: Kernel, floor: float = 1e-6) -> float:
    return excess(kernel, POINTS, floor)


# Noise of changing size


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 2])
def test_a_random_walk_of_24_rows_has_noise_of_one_size(seed: int) -> None:
    y = np.cumsum(np.random.default_rng(24_000 + seed).normal(size=24))
    found = search(from_arrays(X[:24], y), LANGUAGES["extended"], Settings(max_depth=2, restarts=4, n_jobs=1))
    assert [one for one in found.frontier if noise_shapes(one.kernel.expr)] == []


@pytest.mark.slow
def test_noise_that_grows_tenfold_over_a_hundred_rows_is_found() -> None:
    x = np.arange(100.0)
    y = 5.0 + np.linspace(0.3, 3.0, 100) * np.random.default_rng(5).normal(size=100)
    found = search(from_arrays(x, y), LANGUAGES["interpretable"], Settings(max_depth=2, restarts=4, n_jobs=1))
    assert noise_shapes(found.best.kernel.expr)


def _growing(zero: float) -> Kernel:
    return leaf("WN", sd=1.0) * leaf("Lin", sd=1.0 / 30.0, location=zero)


@pytest.mark.parametrize("row", [0.0, 30.0])
def test_noise_that_vanishes_at_a_row_gains_nothing_by_coming_closer(row: float) -> None:
    """The likelihood grows without end; what is owed for it grows along."""
    points = Problem(X[:, None], NOISE * np.abs(X - row) / 30.0, ("x",))
    kernels = [_growing(row - distance) for distance in (1e-3, 1e-6)]
    misfits = [2.0 * objective_of(one.expr, points).value(one.values) for one in kernels]
    scores = [misfit + excess(one, points, 0.0) for misfit, one in zip(misfits, kernels, strict=True)]
    assert misfits[1] < misfits[0] - 10.0
    assert scores[1] == pytest.approx(scores[0], abs=0.1)


def test_noise_of_one_size_owes_nothing_nor_does_one_that_many_rows_carry() -> None:
    assert _owed(leaf("WN", sd=0.01)) == 0.0
    step = Kernel.change_point(leaf("WN", sd=0.5), leaf("WN", sd=1.0), location=29.5, steepness=100.0)
    assert _owed(step) == pytest.approx(0.0, abs=1e-6)


def test_a_stretch_of_three_quiet_rows_owes_what_it_gains() -> None:
    quiet = np.where(np.abs(X - 30.0) < 2.0, 1e-3, 1.0) * NOISE
    points = Problem(X[:, None], quiet, ("x",))
    window = Kernel.change_window(leaf("WN", sd=1.0), leaf("WN", sd=1e-3), location=30.0, steepness=100.0, width=3.0)
    misfit, plain = (2.0 * objective_of(one.expr, points).value(one.values) for one in (window, leaf("WN", sd=1.0)))
    assert misfit < plain - 30.0
    assert misfit + excess(window, points, 0.0) > plain - 1.0


SHAPES = {
    "Lin": leaf("Lin", sd=0.01, location=-1.0),
    "Wiener": leaf("Wiener", sd=0.1, location=-1.0),
    "IOU": leaf("IOU", lengthscale=1.0, sd=0.1, location=-1.0),
}


@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_shapes_of_the_noise_below_what_the_digits_show_gain_nothing(shape: str) -> None:
    exact = Problem(X[:, None], 3.0 + 2.0 * X, ("x",))
    floor = measure(exact.X, exact.y, ("x",)).noise_floor
    line = leaf("C", sd=10.0) + leaf("Lin", sd=2.0, location=0.0)
    plain, shaped = line + leaf("WN", sd=floor), line + leaf("WN", sd=floor) * SHAPES[shape]
    misfits = [2.0 * objective_of(one.expr, exact).value(one.values) for one in (plain, shaped)]
    assert misfits[1] < misfits[0] - 10.0
    assert excess(shaped, exact, floor) == pytest.approx(20.0 * exact.n)  # more than a prior of so little noise takes


@pytest.mark.slow
def test_exact_data_are_told_without_a_shape_of_the_noise() -> None:
    exact = from_arrays(X, 3.0 + 2.0 * X)
    found = search(exact, LANGUAGES["interpretable"], Settings(criterion="evidence", max_depth=3, n_jobs=1))
    assert found.best.kernel.expr == parse("Lin + C + WN")


@pytest.mark.slow
@pytest.mark.parametrize("power", [1, 2, 3])
def test_exact_powers_of_the_time_have_smooth_models(power: int) -> None:
    x = np.arange(40.0)
    found = search(from_arrays(x, x**power), LANGUAGES["extended"].with_priors, Settings(max_depth=2, n_jobs=1))
    assert not has_uneven_noise(found.best.kernel.expr)


def test_each_shape_of_the_noise_is_charged_as_one_of_many() -> None:
    assert shape_penalty(parse("Lin + WN")) == 0.0
    assert shape_penalty(parse("Lin + Lin * WN")) == pytest.approx(2.0 * np.log(10.0))


# Heavy tails


def test_student_noise_gains_by_heavy_tails_and_gaussian_noise_does_not() -> None:
    rng = np.random.default_rng(8)
    assert gain_of_heavy_tails(7.0 * rng.normal(size=200)) < 0.0
    assert gain_of_heavy_tails(7.0 * rng.standard_t(2.0, size=200)) > 20.0


def test_only_what_a_few_large_values_could_feign_owes_to_heavy_tails() -> None:
    texts = ("C + WN", "SE + Per + WN", "SE * Lin + WN", "CP(C, C) + WN", "C + WN + IOU * WN", "C + CP(WN, C + WN)")
    assert [tails_penalty(parse(text), 3.0) for text in texts] == [0.0, 0.0, 0.0, 6.0, 6.0, 6.0]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 4])
def test_independent_noise_with_heavy_tails_is_no_change_of_noise_and_no_logarithm(seed: int) -> None:
    y = 50.0 + 3.0 * np.random.default_rng(seed).standard_t(2.0, size=130)
    model = AutomaticStatistician(n_jobs=1).fit(np.arange(130.0)[:, None], y)
    assert model.model_.screening.tails > 10.0
    assert model.transform_.name == "none"
    assert not has_uneven_noise(model.kernel_.expr)
    assert not has_changes(model.kernel_.expr)


def test_one_error_far_off_shows_no_heavy_tails_beside_errors_a_little_heavy_by_chance() -> None:
    errors = np.append(np.random.default_rng(3).normal(size=60), 24.0)
    assert gain_of_heavy_tails(errors[:-1]) > 0.0
    assert gain_of_outliers(errors, errors > 4.0) > 0.0
