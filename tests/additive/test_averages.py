"""Effects as places: against averages by brute force, and against each other."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from autostatistician.additive.averages import STANDING_ROWS, Averages, Combinations, SubsetEffect, standing
from autostatistician.additive.base import base_of
from autostatistician.additive.evidence import given
from autostatistician.additive.kernel import AdditiveKernel, Layout

RNG = np.random.default_rng(0)
X = RNG.normal(size=(5, 3))
Y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2]
AT = RNG.normal(size=(4, 3))
LAYOUTS = [
    Layout((base_of("SE"),) * 3, (1, 2, 3)),
    Layout((base_of("RQ"), base_of("Lin"), base_of("SE")), (1, 3), stretched=True),
    Layout((base_of("SE", orthogonal=True),) * 3, (0, 1, 2)),
]
SETS = [(0,), (2,), (0, 1), (1, 2), (0, 1, 2)]


@pytest.fixture(scope="module", params=LAYOUTS, ids=["free", "stretched", "orthogonal"])
def kernel(request: pytest.FixtureRequest) -> AdditiveKernel:
    layout: Layout = request.param
    return AdditiveKernel(layout, np.random.default_rng(1).normal(0.0, 0.3, layout.size))


def _by_hand(columns: tuple[int, ...], row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points and weights whose weighted sum is an effect: every column outside averaged, inside less its average."""
    points, weights = [], []
    for places in product(*[[*range(5), 5] if column in columns else range(5) for column in range(3)]):
        points.append([row[column] if place == 5 else X[place, column] for column, place in enumerate(places)])
        inside = [1.0 if places[column] == 5 else -0.2 for column in columns]
        weights.append(np.prod(inside) * 0.2 ** (3 - len(columns)))
    return np.array(points), np.array(weights)


@pytest.mark.parametrize("columns", SETS, ids=str)
def test_effects_are_weighted_sums_of_values(kernel: AdditiveKernel, columns: tuple[int, ...]) -> None:
    found = SubsetEffect(Averages(kernel, X), columns, AT).covariances(given(kernel, X, Y).posterior.prior, None, X)
    points, weights = zip(*(_by_hand(columns, row) for row in AT), strict=True)
    for index in range(len(AT)):
        np.testing.assert_allclose(found.cross[index], weights[index] @ kernel.covariance(points[index], X), atol=1e-10)
        for other in range(len(AT)):
            expected = weights[index] @ kernel.covariance(points[index], points[other]) @ weights[other]
            assert found.matrix()[index, other] == pytest.approx(expected, abs=1e-10)
    np.testing.assert_allclose(found.variance, found.matrix().diagonal(), atol=1e-12)


@pytest.mark.parametrize("columns", [(0,), (2,), (0, 1), (1, 2)], ids=str)
def test_means_at_all_combinations_are_those_of_the_effect(kernel: AdditiveKernel, columns: tuple[int, ...]) -> None:
    posterior, averages = given(kernel, X, Y).posterior, Averages(kernel, X)
    found = posterior.project(None, Combinations(averages, columns))
    rows = np.zeros((5 ** len(columns), 3))
    for index, places in enumerate(product(range(5), repeat=len(columns))):
        rows[index, list(columns)] = [X[place, column] for place, column in zip(places, columns, strict=True)]
    expected = posterior.project(None, SubsetEffect(averages, columns, rows)).mean
    np.testing.assert_allclose(found.mean.ravel(), expected, atol=1e-10)
    with pytest.raises(NotImplementedError):
        _ = found.sd


def test_a_few_hundred_rows_stand_for_all() -> None:
    many = np.arange(3.0 * STANDING_ROWS)[:, None]
    assert standing(many).shape == (STANDING_ROWS, 1)
    assert (standing(many)[0], standing(many)[-1]) == (many[0], many[-1])
    assert standing(X) is X
