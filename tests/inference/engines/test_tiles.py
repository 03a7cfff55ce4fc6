"""Terms over a table of lags, tile by tile, against whole matrices."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.inference.engines import tiles
from autostatistician.inference.engines.choice import objective_of
from autostatistician.inference.engines.geometry import Gaps, Indexed, Pairs, Recurring, geometry_of
from autostatistician.inference.engines.tiles import Tiled
from autostatistician.inference.engines.workspace import workspace_of
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import Kernel, leaf

Matrix = NDArray[np.float64]

RNG = np.random.default_rng(5)
N = 300
PLACES: dict[str, tuple[type, Matrix]] = {
    "gaps, out of order, repeated": (Gaps, RNG.integers(0, 900, N) / 7.0),
    "two grids": (Recurring, np.append(np.arange(150.0), np.arange(100.0, 250.0) + 0.5**0.5)),
    "one tile": (Gaps, np.array([0.0, 1.0, 1.0, 4.0])),
}
NOISE = leaf("WN", sd=0.4)
LINE, FIRST, SECOND = (
    leaf("Lin", sd=0.8, location=0.3),
    leaf("Matern32", lengthscale=0.2, sd=1.1),
    leaf("Per", lengthscale=0.9, period=0.21, sd=0.7),
)
KERNELS = (
    FIRST + NOISE,
    LINE + NOISE,
    leaf("C", sd=0.6) + LINE * LINE * FIRST + SECOND + NOISE,
    LINE * FIRST + SECOND * LINE * leaf("Lin", sd=0.5, location=-1.0) + LINE * NOISE + NOISE,
)


def _table(case: str) -> Indexed:
    kind, x = PLACES[case]
    found = geometry_of(x[:, None])
    assert type(found) is kind
    assert isinstance(found, Indexed)
    assert (len(found.tiles) > 1) is (len(x) == N)
    return found


def _terms(table: Indexed) -> list[Tiled]:
    profiles = (None, RNG.normal(size=table.n), RNG.normal(size=table.n))
    return [Tiled.of(table, RNG.normal(size=table.size), profile) for profile in profiles]


def _whole(table: Indexed, term: Tiled, with_profile: bool = True) -> Matrix:
    upper = np.empty((table.n, table.n))
    table.expand(term.source[: table.size], upper)
    whole = upper + np.triu(upper, 1).T
    if with_profile and term.profile is not None:
        whole *= np.multiply.outer(term.profile, term.profile)
    return whole


@pytest.mark.parametrize("case", sorted(PLACES))
@pytest.mark.parametrize("count", [0, 1, 3])
def test_the_matrix_is_the_sum_of_its_terms(case: str, count: int) -> None:
    table = _table(case)
    terms = _terms(table)[::-1][:count]
    found = np.zeros((table.n, table.n))
    tiles.assemble(table, terms, found)
    expected = sum((_whole(table, term) for term in terms), np.zeros_like(found))
    np.testing.assert_allclose(found, np.triu(expected), rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("case", sorted(PLACES))
def test_derivatives_are_traces(case: str) -> None:
    table, terms = _table(case), _terms(_table(case))
    alpha, root = RNG.normal(size=table.n), RNG.normal(size=(table.n, table.n))
    inverse = root @ root.T
    tiles.derive(table, terms, np.triu(inverse), alpha)
    A = inverse - np.outer(alpha, alpha)
    for term in terms:
        shown = A * _whole(table, term, with_profile=False)
        direction = RNG.normal(size=table.size)
        change = Tiled.of(table, direction, term.profile)
        expected = 0.5 * float((A * _whole(table, change)).sum())
        assert direction @ term.sums[: table.size] == pytest.approx(expected, rel=1e-10, abs=1e-9 * np.abs(A).max())
        if term.profile is not None:
            assert term.by_profile is not None
            np.testing.assert_allclose(term.by_profile, shown @ term.profile, rtol=1e-9, atol=1e-9 * np.abs(A).max())


@pytest.mark.parametrize("case", ["gaps, out of order, repeated", "two grids"])
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_the_likelihood_is_that_by_pairs(case: str, kernel: Kernel) -> None:
    table, x = _table(case), PLACES[case][1]
    X = (x / np.ptp(x))[:, None]
    y = np.sin(9.0 * X[:, 0]) + 0.3 * np.random.default_rng(0).normal(size=len(x))
    by_table, by_pairs = Problem(X, y, ("x",)), Problem(X, y, ("x",))
    assert type(workspace_of(by_table).geometry) is type(table)
    vars(workspace_of(by_pairs))["geometry"] = Pairs(X)
    value, gradient = objective_of(kernel.expr, by_table).value_and_gradient(kernel.values)
    other, expected = objective_of(kernel.expr, by_pairs).value_and_gradient(kernel.values)
    assert value == pytest.approx(other, rel=1e-8)
    np.testing.assert_allclose(gradient, expected, rtol=1e-8, atol=1e-8 * np.abs(expected).max())
    assert not np.tril(workspace_of(by_table).triangle.matrix, -1).any()
