"""Fits of one expression to a table, in the units of the table."""

from math import nan

import numpy as np
import pytest

from autostatistician.errors import InputError
from autostatistician.gp.engines.choice import objective_of
from autostatistician.gp.fitting import TableData, best_fit
from autostatistician.gp.problem import Basis, Problem
from autostatistician.kernels.kernel import Kernel, leaf, unset
from autostatistician.kernels.text import parse, parse_kernel

RNG = np.random.default_rng(5)
X = np.sort(RNG.uniform(0.0, 10.0, (40, 1)), axis=0)
Y = np.sin(X[:, 0]) + 0.1 * RNG.normal(size=40)
SMOOTH = unset(parse("SE + WN"))


def _fitted(kernel: Kernel, table: TableData, restarts: int = 2) -> Kernel:
    return best_fit(kernel, table, restarts, np.random.default_rng(0))


def _nll(kernel: Kernel, table: TableData) -> float:
    return objective_of(kernel.expr, Problem(table.X, table.y, table.columns)).value(kernel.values)


def test_the_fit_is_a_top_of_the_likelihood_near_the_truth() -> None:
    table = TableData(X, Y, ("x",))
    found = _fitted(SMOOTH, table)
    assert 1.0 < found.values[0] < 4.0
    assert 0.07 < found.values[2] < 0.14
    for index in range(3):
        for factor in (0.97, 1.03):
            moved = tuple(value * (factor if at == index else 1.0) for at, value in enumerate(found.values))
            assert _nll(Kernel(found.expr, moved), table) > _nll(found, table)


@pytest.mark.parametrize(("by", "shift", "unit"), [(365.0, 1900.0, 1e6), (1e-4, -1.0, 1e-5)])
def test_units_of_the_table_change_the_numbers_alone(by: float, shift: float, unit: float) -> None:
    here = _fitted(SMOOTH, TableData(X, Y, ("x",)))
    there = _fitted(SMOOTH, TableData(by * X + shift, unit * Y, ("x",)))
    np.testing.assert_allclose(there.values, np.array(here.values) * [by, unit, unit], rtol=1e-4)


def test_numbers_that_are_known_are_where_the_first_start_begins() -> None:
    """A period of which the search of numbers would not hear otherwise."""
    x = np.linspace(0.0, 10.0, 60)[:, None]
    table = TableData(x, np.sin(2.0 * np.pi * x[:, 0] / 0.83) + 0.05 * RNG.normal(size=60), ("x",))
    found = _fitted(leaf("Cos", period=0.85) + leaf("WN"), table, restarts=1)
    assert found.parts[0].named()["period"] == pytest.approx(0.83, rel=1e-2)


def test_without_restarts_a_kernel_stays_and_must_be_whole() -> None:
    table = TableData(X, Y, ("x",))
    whole = parse_kernel("SE(lengthscale=1, sd=1) + WN(sd=0.1)")
    assert best_fit(whole, table, 0, np.random.default_rng(0)) == whole
    with pytest.raises(InputError, match="restarts above 0"):
        best_fit(leaf("SE", lengthscale=nan, sd=1.0), table, 0, np.random.default_rng(0))


def test_codes_of_categories_are_no_lengths() -> None:
    """The noise of every category is found, whatever the numbers of their codes."""
    codes = np.repeat([0.0, 1.0], 40)
    y = np.where(codes == 0.0, 0.1, 2.0) * RNG.normal(size=80)
    found = _fitted(unset(parse("Cat2r0[g] * WN")), TableData(codes[:, None], y, ("g",), codes=("g",)))
    sizes = found.parts[0].named()
    noise = found.parts[1].named()["sd"]
    if "sd1" not in sizes:
        sizes, noise = found.parts[1].named(), found.parts[0].named()["sd"]
    assert sizes["sd1"] * noise == pytest.approx(0.1, rel=0.3)
    assert sizes["sd2"] * noise == pytest.approx(2.0, rel=0.3)


def test_known_functions_take_their_part() -> None:
    """A level that may be anything, a million say, leaves the numbers of the wave as they are."""
    level = Basis(np.ones((40, 1)), np.zeros(1))
    plain = _fitted(SMOOTH, TableData(X, Y, ("x",), basis=level))
    raised = _fitted(SMOOTH, TableData(X, Y + 1e6, ("x",), basis=level))
    np.testing.assert_allclose(raised.values, plain.values, rtol=1e-3)


def test_walks_along_a_column_begin_where_it_does() -> None:
    x = np.random.default_rng(2).uniform(3.0, 9.0, (20, 2))
    table = TableData(x, np.cumsum(np.ones(20)), ("a", "b"))
    kernel = unset(parse("Wiener[a] + SE[b] + WN"))
    found = _fitted(kernel, table)
    assert found.parts[0].named()["location"] == pytest.approx(x[:, 0].min())


@pytest.mark.slow
def test_a_table_of_many_rows_is_fitted_in_the_time_of_a_few() -> None:
    rng = np.random.default_rng(6)
    inputs = rng.uniform(0.0, 4.0, (2500, 3))
    target = np.sin(3.0 * inputs[:, 0]) + inputs[:, 1] + 0.2 * rng.normal(size=2500)
    start = unset(parse("SE[a] * SE[c] + Lin[b] + WN"))
    found = best_fit(start, TableData(inputs, target, ("a", "b", "c")), 1, np.random.default_rng(0))
    short, long, noise = found.values[0], found.values[2], found.values[-1]
    assert noise == pytest.approx(0.2, rel=0.1)
    assert 0.2 < short < 1.5
    assert long > 4.0  # along the third column nothing changes


@pytest.mark.parametrize(
    "text",
    [
        "Cos(period=14, sd=1) + WN(sd=0.1)",  # longer than the data
        "Per(lengthscale=1, period=14, sd=1) + WN(sd=0.1)",
        "Per(lengthscale=0.05, period=0.6, sd=1) + WN(sd=0.1)",  # sharper than they can show
        "SE(lengthscale=2, sd=1) + WN(sd=1e-7)",  # noise below the usual floor
    ],
)
def test_no_fit_ends_below_the_start_that_was_given(text: str) -> None:
    x = np.linspace(0.0, 10.0, 50)[:, None]
    exact = np.cos(2.0 * np.pi * x[:, 0] / 0.6) + 0.5 if "0.6" in text else np.sin(2.0 * np.pi * x[:, 0] / 14.0)
    table = TableData(x, exact + 0.01 * RNG.normal(size=50), ("x",))
    given = parse_kernel(text)
    assert _nll(_fitted(given, table, 1), table) <= _nll(given, table)
