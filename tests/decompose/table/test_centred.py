"""Sums of parts less their mean over the data: against the joint posterior, with and without other numbers."""

from __future__ import annotations

import numpy as np
from tests.decompose.table.tables import COLUMNS, bump, dataset, model, posterior

from autostatistician.decompose.table.centred import Centred, has_few, places_of
from autostatistician.inference.engines.choice import condition
from autostatistician.inference.posterior.averages import Means
from autostatistician.inference.posterior.posterior import Posterior
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import Kernel, leaf


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


def test_a_column_with_few_values_is_shown_at_them_alone() -> None:
    values = np.array([3.0, 1.0, 3.0, 7.0])
    assert has_few(values)
    assert places_of(values, 50).tolist() == [1.0, 3.0, 7.0]
    assert not has_few(np.arange(20.0))


def _with_sds(scale: float) -> Posterior:
    """The model with one size changed, given the same data."""
    data, kernel = dataset(40), bump("a", scale) + bump("b") * bump("c") + leaf("WN", sd=0.1)
    return condition(kernel, Problem.of(data))


def test_it_has_no_mean_over_the_data() -> None:
    centred = Centred(posterior(40), (bump("b") * bump("c"),))
    mean, cov = centred.joint(dataset(40).X)
    assert abs(mean.mean()) < 1e-10
    np.testing.assert_allclose(cov.mean(axis=0), 0.0, atol=1e-10)


def test_a_constant_beside_a_part_changes_nothing() -> None:
    points, part = dataset(40).X[:5], bump("a")
    alone = Centred(posterior(40), (part,)).at(points)
    kernel = Kernel.sum((model(), leaf("C", sd=1e-9)))
    beside = Centred(condition(kernel, Problem.of(dataset(40))), (part, leaf("C", sd=1e-9))).at(points)
    np.testing.assert_allclose(beside, alone, atol=1e-7)


def test_with_other_numbers_the_variance_is_that_of_their_mixture_about_the_mean() -> None:
    points = dataset(40).X[:6]
    every = [Centred(_with_sds(scale), (bump("a", scale),)) for scale in (1.0, 0.7, 1.8)]
    mean, cov = Centred(_with_sds(1.0), (bump("a", 1.0),), every[1:]).joint(points)
    own, *others = [one.joint(points) for one in every]
    expected = np.mean([of + np.outer(at - own[0], at - own[0]) for at, of in others], axis=0)
    np.testing.assert_allclose(mean, own[0])
    np.testing.assert_allclose(cov, expected, atol=1e-12)
    sd = Centred(_with_sds(1.0), (bump("a", 1.0),), every[1:]).at(points)[1]
    np.testing.assert_allclose(sd**2, cov.diagonal(), atol=1e-9)


def test_blocks_of_points_are_one_answer() -> None:
    centred = Centred(posterior(40), (bump("a"),))
    points = np.tile(dataset(40).X, (120, 1))  # more than are asked at a time
    mean, sd = centred.at(points)
    once = centred.at(dataset(40).X)
    np.testing.assert_allclose(mean, np.tile(once[0], 120), atol=1e-12)
    np.testing.assert_allclose(sd, np.tile(once[1], 120), atol=1e-9)
