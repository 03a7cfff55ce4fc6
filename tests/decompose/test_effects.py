"""Effects of columns: known functions are found again, and uncertainty is that of the difference."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.data.dataset import Dataset
from autostatistician.decompose.effects import Effects, effects
from autostatistician.inference.posterior import condition
from autostatistician.language.kernel import Kernel, leaf

COLUMNS = ("a", "b", "c", "d")


def _model() -> Kernel:
    def bump(column: str, sd: float = 1.0) -> Kernel:
        return leaf("SE", column, lengthscale=1.5, sd=sd)

    return bump("a") + bump("b") * bump("c") + leaf("WN", sd=0.1)


def _dataset(n: int = 120) -> Dataset:
    X = np.random.default_rng(0).uniform(-2.0, 2.0, (n, 4))
    noise = np.random.default_rng(1).normal(0.0, 0.1, n)
    return Dataset(X, np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + noise, COLUMNS, "y", None)


@pytest.fixture(scope="module")
def found() -> Effects:
    return effects(_model(), _dataset())


def test_parts_are_gathered_by_their_columns_the_largest_first(found: Effects) -> None:
    assert [effect.columns for effect in found.effects] == [("b", "c"), ("a",)]
    assert found.unused == ("d",)
    assert found.relevance["d"] == 0.0
    assert found.relevance["b"] == found.relevance["c"] > found.relevance["a"] > 0.1


def test_a_curve_is_the_function_less_its_mean_over_the_data(found: Effects) -> None:
    drawn = found.effects[1].drawn
    assert drawn is not None
    truth = np.sin(drawn.axes[0]) - np.sin(_dataset().X[:, 0]).mean()
    inside = np.abs(drawn.axes[0]) < 1.8
    assert np.abs(drawn.mean - truth)[inside].max() < 0.15
    assert np.all(np.abs(drawn.mean - truth) < 4.0 * drawn.sd)


def test_a_surface_has_its_first_column_along_the_rows(found: Effects) -> None:
    drawn = found.effects[0].drawn
    assert drawn is not None
    X = _dataset().X
    truth = np.outer(drawn.axes[0], drawn.axes[1]) - (X[:, 1] * X[:, 2]).mean()
    assert np.abs(drawn.mean - truth).mean() < 0.15
    assert drawn.sd.shape == truth.shape


def test_the_uncertainty_is_that_of_the_difference_from_the_mean(found: Effects) -> None:
    dataset = _dataset()
    part = leaf("SE", "a", lengthscale=1.5, sd=1.0)
    mean, cov = condition(_model(), dataset).component(part)
    centre = np.eye(dataset.n) - 1.0 / dataset.n
    np.testing.assert_allclose(found.effects[1].mean, centre @ mean, atol=1e-8)
    np.testing.assert_allclose(found.effects[1].sd ** 2, np.diag(centre @ cov @ centre), atol=1e-8)


def test_partial_residuals_scatter_about_the_effect_by_the_noise(found: Effects) -> None:
    for effect in found.effects:
        assert np.std(effect.residuals - effect.mean) == pytest.approx(0.1, rel=0.4)
