"""Geometries: which points are a grid, and the two linear maps against plain loops."""

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.gp.engines.geometry import (
    MAX_CELLS_PER_DATUM,
    Gaps,
    Geometry,
    Grid,
    Indexed,
    Pairs,
    Recurring,
    cells_in_order,
    geometry_of,
)
from autostatistician.gp.engines.lag_space import Tiled, assemble

Matrix = NDArray[np.float64]
RNG = np.random.default_rng(3)
POINTS: dict[str, tuple[type, Matrix]] = {
    "grid": (Grid, np.arange(7.0)[:, None] / 12.0 + 1949.0),
    "gaps": (Gaps, np.array([0.0, 1.0, 4.0, 5.0, 9.0])[:, None]),
    "unsorted": (Gaps, np.array([3.0, 1.0, 4.0, 0.0, 2.0])[:, None]),
    "descending": (Gaps, np.arange(6.0)[::-1, None]),
    "repeated": (Gaps, np.array([2.0, 0.0, 2.0, 3.0, 0.0, 2.0])[:, None]),
    "scattered": (Pairs, RNG.normal(size=(6, 1))),
    "scattered and repeated": (Pairs, np.array([0.1, 2.7, 0.1, 3.3, 2.7])[:, None]),
    "rounded": (
        Recurring,
        np.round(RNG.uniform(1949.0, 1950.0, (60, 1)), 2) + 2e-6**0.5 * (np.arange(60) % 2)[:, None],
    ),
    "two columns": (Pairs, RNG.normal(size=(6, 2))),
    "one place": (Pairs, np.ones((4, 1))),
    "two points": (Pairs, np.array([[1.0], [2.0]])),
    "one point": (Pairs, np.array([[1.0]])),
}
CASES = sorted(POINTS)


def _geometry(case: str) -> tuple[Geometry, Matrix]:
    kind, X = POINTS[case]
    found = geometry_of(X)
    assert type(found) is kind
    return found, X


def _expanded(geometry: Geometry, values: Matrix) -> Matrix:
    out = np.zeros((geometry.n, geometry.n))
    if isinstance(geometry, Indexed):
        assemble(geometry, [Tiled.of(geometry, values, None)], out)
    else:
        geometry.expand(values, out)
    return out


@pytest.mark.parametrize("case", CASES)
def test_expanded_lags_are_the_distances(case: str) -> None:
    geometry, X = _geometry(case)
    for column in range(X.shape[1]):
        lags = geometry.lags(column)
        assert lags.shape == (geometry.size,)
        assert lags[0] == 0.0
        expected = np.abs(np.subtract.outer(X[:, column], X[:, column]))
        np.testing.assert_allclose(_expanded(geometry, lags), np.triu(expected), atol=1e-9)


def test_lags_of_every_column_are_its_own_and_kept() -> None:
    X = np.array([[0.0, 5.0], [1.0, 5.0], [3.0, 9.0]])
    pairs = Pairs(X)
    assert pairs.lags(0).tolist() == [0.0, 1.0, 3.0, 2.0]
    assert pairs.lags(1).tolist() == [0.0, 0.0, 4.0, 4.0]
    assert pairs.lags(0) is pairs.lags(0)


def test_decimal_years_of_months_are_a_grid() -> None:
    months = 1949.0 + np.arange(144) / 12.0
    assert isinstance(geometry_of(months[:, None]), Grid)
    assert isinstance(geometry_of(np.round(months, 7)[:, None]), Grid)
    assert isinstance(geometry_of(np.delete(months, [3, 70])[:, None]), Gaps)


def test_month_starts_by_the_day_of_the_year_are_no_grid() -> None:
    starts = np.cumsum([0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30]) / 365.0
    years = np.concatenate([1990.0 + k + starts for k in range(5)])
    assert isinstance(geometry_of(years[:, None]), Recurring)


@pytest.mark.parametrize(("scale", "shift"), [(1e-9, 0.0), (1e9, 0.0), (1.0, 1e6), (3e-3, -2.0)])
def test_units_do_not_matter(scale: float, shift: float) -> None:
    for case in ("grid", "gaps", "unsorted", "repeated"):
        kind, X = POINTS[case]
        x = (X - X.min()) * scale + shift
        assert type(geometry_of(x)) is kind


@pytest.mark.parametrize(("error", "kind"), [(1e-8, Grid), (1e-4, Pairs)])
def test_rounding_is_forgiven_and_scatter_is_not(error: float, kind: type) -> None:
    x = np.arange(50.0) + error * np.random.default_rng(0).uniform(-1.0, 1.0, 50)
    assert type(geometry_of(x[:, None])) is kind


def test_the_step_of_a_grid_is_taken_from_all_its_gaps() -> None:
    x = np.round(np.arange(1000) / 12.0, 8)
    found = geometry_of(x[:, None])
    assert isinstance(found, Grid)
    assert found.lags(0)[-1] == pytest.approx(999 / 12.0, rel=1e-12)


def test_a_nearly_empty_grid_is_treated_as_scattered() -> None:
    def kind(last: int) -> type:
        return type(geometry_of(np.array([0.0, 1.0, float(last)])[:, None]))

    assert kind(3 * MAX_CELLS_PER_DATUM) is Gaps
    assert kind(3 * MAX_CELLS_PER_DATUM + 1) is Pairs


def test_lags_that_come_again_are_found_in_any_unit() -> None:
    """Two hourly grids beside each other, rounded to six decimals of a year, as in the internet series."""
    hours = np.unique(np.random.default_rng(1).integers(0, 1650, 300))
    years = np.round(2004.88887 + (hours + 0.37 * (hours > 900)) / 8760.0, 6)
    for scale, shift in ((1.0, 0.0), (3e7, -2e3), (1e-6, 5.0)):
        found = geometry_of(((years - years[0]) * scale + shift)[:, None])
        assert isinstance(found, Recurring)
        assert found.size < 0.12 * len(hours) ** 2
        assert np.all(np.diff(found.lags(0)) > 0.0)


@pytest.mark.parametrize(("error", "kind"), [(0.0, Recurring), (1e-12, Recurring), (1e-7, Pairs)])
def test_only_lags_that_rounding_sets_apart_are_one(error: float, kind: type) -> None:
    rng = np.random.default_rng(0)
    x = np.round(rng.uniform(0.0, 1.0, 150), 3) + 0.0004 * (np.arange(150) % 2) + error * rng.uniform(-1.0, 1.0, 150)
    assert type(geometry_of(x[:, None])) is kind


def test_a_chain_of_lags_each_near_the_next_is_scatter() -> None:
    x = np.append(np.cumsum(np.random.default_rng(0).uniform(1e-10, 9e-10, 200)), [0.1234, 0.56789, 1.0])
    assert isinstance(geometry_of(x[:, None]), Pairs)


def test_cells_in_order() -> None:
    x = np.arange(1000.0) / 12.0 + 1950.0
    found = cells_in_order(np.delete(x, [0, 500]))
    assert found is not None
    assert found[1] == pytest.approx(1.0 / 12.0)
    np.testing.assert_array_equal(found[0], np.delete(np.arange(1000), [0, 500])[:] - 1)
    for other in (x[::-1], x[:2], np.full(5, np.nan), np.repeat(x, 2), np.append(x, x[-1] + 2.0**-0.5)):
        assert cells_in_order(other) is None
