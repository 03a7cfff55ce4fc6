"""Effects of columns: known functions are found again, and uncertainty is that of the difference."""

from __future__ import annotations

import numpy as np
import pytest
from tests.decompose.table.tables import COLUMNS, bump, dataset, posterior

from autostatistician.decompose.records.table import Effect
from autostatistician.decompose.table.effects import effects
from autostatistician.decompose.uncertainty import fixed_parameters
from autostatistician.inference.engines.choice import condition
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import leaf


@pytest.fixture(scope="module")
def found() -> tuple[Effect, ...]:
    return effects(fixed_parameters(posterior()), np.random.default_rng(0))


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


def test_effects_of_several_columns_alone_have_an_interaction(found: tuple[Effect, ...]) -> None:
    assert found[0].interaction is not None
    assert {found[0].interaction.along, found[0].interaction.by} == {"b", "c"}
    assert found[0].beyond > 0.8
    assert found[1].interaction is None


def test_an_effect_of_several_columns_is_averaged_over_the_others() -> None:
    X = np.random.default_rng(2).uniform(-2.0, 2.0, (80, 2))
    kernel = bump("a", 2.0) * bump("b") + leaf("WN", sd=0.05)
    y = np.sin(X[:, 0]) * (1.0 + 0.0 * X[:, 1])
    (effect,) = effects(fixed_parameters(condition(kernel, Problem(X, y, ("a", "b")))), np.random.default_rng(0))
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


def test_partial_residuals_scatter_about_the_effect_by_the_noise(found: tuple[Effect, ...]) -> None:
    for effect in found:
        assert np.std(effect.residuals - effect.mean) == pytest.approx(0.1, rel=0.4)
        for along in effect.along:
            assert len(along.at) == len(along.residuals) == dataset().n


def test_a_cycle_is_drawn_finely_enough_and_known_by_its_period() -> None:
    X = np.linspace(0.0, 60.0, 90)[:, None]
    kernel = leaf("Per", "a", period=1.5, lengthscale=1.0, sd=1.0) + leaf("WN", sd=0.1)
    (effect,) = effects(
        fixed_parameters(condition(kernel, Problem(X, np.sin(2 * np.pi * X[:, 0] / 1.5), ("a",)))),
        np.random.default_rng(0),
    )
    assert effect.period == 1.5
    assert len(effect.along[0].x) == 600


def test_the_same_seed_gives_the_same_ranges() -> None:
    one, other = (effects(fixed_parameters(posterior(30)), np.random.default_rng(3)) for _ in range(2))
    assert [effect.share_span for effect in one] == [effect.share_span for effect in other]
