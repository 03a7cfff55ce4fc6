"""Widths of bands: those of the posterior where the numbers are held, and of mixtures where they are open."""

from __future__ import annotations

import numpy as np
import pytest
from tests.decompose.series.series import LEVEL, MODEL, NOISE, SMOOTH, TREND, X, Y

from autostatistician.decompose.doubt import Doubt, Member, numbers_held
from autostatistician.decompose.series.bands import (
    FEWEST_MEMBERS,
    MOST_MEMBERS,
    bands,
    thinned_for_bands,
    zero_projection,
)
from autostatistician.decompose.series.parts import Part, part_of
from autostatistician.inference.engines.choice import condition
from autostatistician.inference.posterior.posterior import Posterior
from autostatistician.inference.posterior.projection import Projection, total
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import Kernel, leaf

GRID = np.linspace(-1.0, 12.0, 9)
SIGNAL = (SMOOTH, TREND, LEVEL)


def _doubt(*posteriors: Posterior) -> Doubt:
    """Under models with the same three parts of signal, and noise, in that order."""
    members = [Member(one, _parts(one.kernel)) for one in posteriors]
    return Doubt(members[0], tuple(members[1:]), (None,) * 4)


def _parts(kernel: Kernel) -> tuple[Kernel, ...]:
    return tuple(sorted(kernel.parts, key=lambda part: ["SE", "Lin", "C", "WN"].index(str(part))))


def _told(posterior: Posterior) -> list[Part]:
    return [part_of(kernel, posterior, (), (), GRID[:, None]) for kernel in _parts(posterior.kernel)]


@pytest.fixture(scope="module")
def fit() -> Posterior:
    return condition(MODEL, Problem(X, Y))


@pytest.fixture(scope="module")
def stiff() -> Posterior:
    """The same parts with other numbers, given the same data."""
    other = leaf("SE", lengthscale=0.6, sd=0.8) + leaf("Lin", sd=1.0, location=-1.0) + LEVEL + leaf("WN", sd=0.3)
    return condition(other, Problem(X, Y))


def test_with_the_numbers_held_they_are_those_of_sums_of_parts(fit: Posterior) -> None:
    found = bands(_told(fit), _doubt(fit), GRID)
    for index, part in enumerate(SIGNAL):
        np.testing.assert_allclose(found.at_data[index], fit.project(part).sd, atol=1e-9)
        np.testing.assert_allclose(found.own[index], fit.project(part, GRID[:, None]).sd, atol=1e-9)
        until = fit.project(Kernel.sum(SIGNAL[: index + 1]), GRID[:, None])
        np.testing.assert_allclose(found.cumulative[index] ** 2, until.variance, atol=1e-9)
    assert len(found.remaining) == len(SIGNAL)
    after = fit.project(Kernel.sum((*SIGNAL[1:], NOISE)), GRID[:, None])
    np.testing.assert_allclose(found.remaining[0] ** 2, after.variance, atol=1e-9)
    np.testing.assert_allclose(found.signal, fit.signal(GRID[:, None])[1], atol=1e-7)
    np.testing.assert_allclose(found.noise, 0.2)


def test_other_numbers_give_the_variance_of_their_mixture_about_the_fit(fit: Posterior, stiff: Posterior) -> None:
    found = bands(_told(fit), _doubt(fit, fit, stiff), GRID)
    for index, kernel in enumerate(SIGNAL):
        own = fit.project(kernel, GRID[:, None])
        other = stiff.project(_parts(stiff.kernel)[index], GRID[:, None])
        mixture = 0.5 * (own.variance + other.variance + (other.mean - own.mean) ** 2)
        np.testing.assert_allclose(found.own[index] ** 2, mixture, atol=1e-9)
    np.testing.assert_allclose(found.noise, np.sqrt(0.5 * (0.2**2 + 0.3**2)))


def test_noise_alone_leaves_no_signal() -> None:
    noise = condition(NOISE, Problem(X, Y))
    found = bands([part_of(NOISE, noise, (), (), GRID[:, None])], numbers_held(noise), GRID)
    assert not found.signal.any()
    assert found.remaining == ()


@pytest.mark.parametrize(("rows", "count"), [(41, MOST_MEMBERS), (400, MOST_MEMBERS // 2), (4000, FEWEST_MEMBERS)])
def test_of_many_rows_few_other_models_are_asked(rows: int, count: int) -> None:
    x = np.arange(float(rows))
    doubt = numbers_held(condition(leaf("WN", sd=1.0), Problem(x, np.sin(x))))
    assert len(thinned_for_bands(Doubt(doubt.fit, (doubt.fit,) * 60, doubt.numbers)).others) == count


def test_zero_adds_nothing(fit: Posterior) -> None:
    one: Projection = fit.project(SMOOTH, GRID[:, None])
    both = total([one, zero_projection(one)])
    np.testing.assert_array_equal(both.mean, one.mean)
    np.testing.assert_array_equal(both.covariance(), one.covariance())
