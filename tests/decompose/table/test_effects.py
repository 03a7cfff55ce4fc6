"""Effects of columns: known functions are found again, and uncertainty is that of the difference."""

from __future__ import annotations

import numpy as np
import pytest
from tests.decompose.table.tables import COLUMNS, bump, dataset, posterior

from autostatistician.decompose.doubt import numbers_held
from autostatistician.decompose.records.table import Effect
from autostatistician.decompose.table.centred import Centred, has_few, places_of
from autostatistician.decompose.table.effects import effects
from autostatistician.inference.averages import Means
from autostatistician.inference.engines.choice import condition
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import Kernel, leaf


@pytest.fixture(scope="module")
def found() -> tuple[Effect, ...]:
    return effects(numbers_held(posterior()), np.random.default_rng(0))


def test_parts_are_gathered_by_their_columns_the_largest_first(found: tuple[Effect, ...]) -> None:
    assert [effect.columns for effect in found] == [("b", "c"), ("a",)]
    assert found[0].share > found[1].share > 0.1
    for effect in found:
        assert effect.share_span[0] < effect.share < effect.share_span[1]


def test_a_curve_is_the_function_less_its_mean_over_the_data(found: tuple[Effect, ...]) -> None:
    (along,) = found[1].along
    truth = np.sin(along.x) - np.sin(dataset().X[:, 0]).mean()
    inside = np.abs(along.x) < 1.8
    assert np.abs(along.mean - truth)[inside].max() < 0.15
    assert np.all(np.abs(along.mean - truth) < 4.0 * along.sd)


def test_a_surface_has_its_first_column_along_the_rows(found: tuple[Effect, ...]) -> None:
    surface = found[0].surface
    assert surface is not None
    places = [COLUMNS.index(name) for name in surface.columns]
    X = dataset().X
    truth = np.outer(*surface.axes) - (X[:, 1] * X[:, 2]).mean()
    assert sorted(places) == [1, 2]
    assert np.abs(surface.mean - truth).mean() < 0.15
    assert surface.sd.shape == truth.shape


def test_an_interaction_is_told_by_what_a_step_does_at_two_places(found: tuple[Effect, ...]) -> None:
    told = found[0].interaction
    assert told is not None
    step, (low, high) = told.along_places[1] - told.along_places[0], told.by_places
    assert told.first.number == pytest.approx(step * low, abs=0.2)
    assert told.last.number == pytest.approx(step * high, abs=0.2)
    assert told.difference.number == pytest.approx(told.last.number - told.first.number)
    assert told.difference.number > 4.0 * told.difference.sd
    assert told.share > 0.9
    assert found[0].beyond > 0.8
    assert found[1].interaction is None


def test_an_effect_of_several_columns_is_averaged_over_the_others() -> None:
    X = np.random.default_rng(2).uniform(-2.0, 2.0, (80, 2))
    kernel = bump("a", 2.0) * bump("b") + leaf("WN", sd=0.05)
    y = np.sin(X[:, 0]) * (1.0 + 0.0 * X[:, 1])
    (effect,) = effects(numbers_held(condition(kernel, Problem(X, y, ("a", "b")))), np.random.default_rng(0))
    by_column = {along.column: along for along in effect.along}
    assert np.abs(by_column["a"].mean - (np.sin(by_column["a"].x) - y.mean())).max() < 0.2
    assert np.ptp(by_column["b"].mean) < 0.2
    assert effect.beyond < 0.05


def test_the_uncertainty_is_that_of_the_difference_from_the_mean(found: tuple[Effect, ...]) -> None:
    n = dataset().n
    known = posterior().project(bump("a"))
    mean, cov = known.mean, known.covariance()
    centre = np.eye(n) - 1.0 / n
    np.testing.assert_allclose(found[1].mean, centre @ mean, atol=1e-8)
    np.testing.assert_allclose(found[1].sd ** 2, np.diag(centre @ cov @ centre), atol=1e-8)


def test_means_over_rows_are_those_of_the_joint_posterior() -> None:
    held = posterior(40)
    centred = Centred(held, (bump("b") * bump("c"),))
    points = centred.points((1,), (np.array([-1.0, 0.5]),), 5)
    assert points.shape == (2, 5, 4)
    flat_mean, flat_cov = centred.joint(points.reshape(-1, 4))
    weights = np.kron(np.eye(2), np.full((1, 5), 0.2))
    mean, cov = centred.joint(points)
    np.testing.assert_allclose(mean, weights @ flat_mean, atol=1e-9)
    np.testing.assert_allclose(cov, weights @ flat_cov @ weights.T, atol=1e-9)
    np.testing.assert_allclose(centred.at(points)[1] ** 2, cov.diagonal(), atol=1e-9)


def test_means_over_rows_are_those_of_all_their_points_whatever_the_parts_hold() -> None:
    """A product is averaged factor by factor where that is the same, and that it is the same is what is tested."""
    at_b, bent = leaf("SE", "b", sd=1.0, lengthscale=1.5), leaf("SE", "b", sd=0.5, lengthscale=0.7)
    product = leaf("Lin", "a", sd=0.8, location=0.3) * at_b * leaf("SE", "c", sd=1.2, lengthscale=0.9)
    change = Kernel.change_point(at_b, bent, location=0.1, steepness=3.0, column="c")
    for parts, apart in (((product, bent), True), ((product, change), False)):
        kernel = Kernel.sum((*parts, leaf("WN", sd=0.2)))
        model = condition(kernel, Problem(dataset().X, dataset().y, COLUMNS))
        centred = Centred(model, parts)
        points = centred.points((0, 1), (np.linspace(-1.0, 1.0, 4), np.array([-0.5, 0.8])), 5)
        assert (Means(points, COLUMNS)._apart(centred.part) is not None) == apart
        flat = Centred(model, parts).joint(points.reshape(-1, 4))
        means = np.kron(np.eye(8), np.full(5, 0.2))
        mean, cov = means @ flat[0], means @ flat[1] @ means.T
        for found, expected in zip(centred.joint(points), (mean, cov), strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-11)
        for found, expected in zip(centred.at(points), (mean, np.sqrt(cov.diagonal())), strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-9)


def test_partial_residuals_scatter_about_the_effect_by_the_noise(found: tuple[Effect, ...]) -> None:
    for effect in found:
        assert np.std(effect.residuals - effect.mean) == pytest.approx(0.1, rel=0.4)
        for along in effect.along:
            assert len(along.at) == len(along.residuals) == dataset().n


def test_a_column_with_few_values_is_shown_at_them_alone() -> None:
    values = np.array([3.0, 1.0, 3.0, 7.0])
    assert has_few(values)
    assert places_of(values, 50).tolist() == [1.0, 3.0, 7.0]
    assert not has_few(np.arange(20.0))


def test_a_cycle_is_drawn_finely_enough_and_known_by_its_period() -> None:
    X = np.linspace(0.0, 60.0, 90)[:, None]
    kernel = leaf("Per", "a", period=1.5, lengthscale=1.0, sd=1.0) + leaf("WN", sd=0.1)
    (effect,) = effects(
        numbers_held(condition(kernel, Problem(X, np.sin(2 * np.pi * X[:, 0] / 1.5), ("a",)))), np.random.default_rng(0)
    )
    assert effect.period == 1.5
    assert len(effect.along[0].x) == 600


def test_the_same_seed_gives_the_same_ranges() -> None:
    one, other = (effects(numbers_held(posterior(30)), np.random.default_rng(3)) for _ in range(2))
    assert [effect.share_span for effect in one] == [effect.share_span for effect in other]
