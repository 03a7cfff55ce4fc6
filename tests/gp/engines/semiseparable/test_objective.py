"""The misfit whose cost grows with n against the one of one matrix.

What stands within blocks and between them, together, is the covariance.
"""

from math import inf
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.gp.numeric import FOURTH_ORDER, begun_at, differences, drawn, numbered
from tests.strategies import kernels

from autostatistician.gp.engines.lag_space import LagSpace
from autostatistician.gp.engines.profiles import compiled, evaluate
from autostatistician.gp.engines.semiseparable import objective as module
from autostatistician.gp.engines.semiseparable.exponentials import Wanted, can_write, expected_columns, wanted
from autostatistician.gp.engines.semiseparable.layout import laid_out
from autostatistician.gp.engines.semiseparable.objective import SemiseparableObjective
from autostatistician.gp.problem import Problem
from autostatistician.kernels.expr import Leaf
from autostatistician.kernels.kernel import Kernel, leaf, parameters
from autostatistician.kernels.lag_functions import StateSpace
from autostatistician.kernels.leaves import LEAVES
from autostatistician.kernels.text import parse, parse_kernel

Array = NDArray[np.float64]
N = 120
RNG = np.random.default_rng(9)
COMPARED = {
    "grid": np.arange(N) / 8.0 - 3.0,
    "gaps, not in order": RNG.choice(300, N, replace=False) / 20.0 - 3.0,
    "repeated": np.repeat(RNG.uniform(-3.0, 12.0, N // 2), 2),
    "scattered": RNG.uniform(-3.0, 12.0, N),
}
SYMBOLS = tuple(symbol for symbol in LEAVES if symbol not in ("Cat", "0"))


def _by_one_matrix(kernel: Kernel, problem: Problem) -> tuple[float, Array]:
    return LagSpace().objective(kernel.expr, problem).value_and_gradient(kernel.values)


@pytest.mark.slow
@given(kernels(symbols=SYMBOLS, max_leaves=4), st.sampled_from(sorted(COMPARED)), st.sampled_from([0.03, 0.3, 1.0]))
def test_the_evidence_is_that_of_one_matrix(kernel: Kernel, case: str, noise: float) -> None:
    x = COMPARED[case]
    whole = begun_at(kernel + leaf("WN", sd=noise), x.min())
    values, problem = whole.values, drawn(whole, x)
    objective = SemiseparableObjective(whole.expr, problem, block=16)
    exact, by_exact = _by_one_matrix(whole, problem)
    with patch.object(module, "COLUMNS_PER_ROW", 0.5):  # else few of so few rows are enough for waves
        assume(objective.at(values) is not None)
        value, by = objective.value_and_gradient(values)
        assert value == pytest.approx(exact, abs=0.05)
        assert objective.value(values) == pytest.approx(value, abs=1e-6)
    assert by.shape == by_exact.shape


@pytest.mark.parametrize("case", sorted(COMPARED))
@pytest.mark.parametrize(
    "text",
    [
        "C + Lin + Matern12",
        "Matern32 * Cos + IOU",
        "CP(Wiener, Lin)",
        "CW(Matern12, Wiener * Lin)",
        "CP(0, Wiener) + CW(Matern12, 0)",
        "C * WN + Wiener",
    ],
)
def test_what_is_a_sum_of_waves_is_exact_with_its_gradient(text: str, case: str) -> None:
    x = COMPARED[case]
    kernel = begun_at(numbered(parse(text) + Leaf("WN")), x.min())
    problem = drawn(kernel, x)
    exact, by_exact = _by_one_matrix(kernel, problem)
    value, by = SemiseparableObjective(kernel.expr, problem, block=16).value_and_gradient(kernel.values)
    assert value == pytest.approx(exact, abs=1e-8)
    np.testing.assert_allclose(by, by_exact, atol=1e-6)


@pytest.mark.parametrize("text", ["SE * Per + RQ", "CP(SE, Per * Lin) + Deep2", "SE * WN + Deep * Lin"])
def test_the_gradient_is_that_of_the_value(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Orders that change are steps of the value.
    monkeypatch.setattr(module, "wanted", lambda _, where, n, least_noise: Wanted.alike(1e-6, where.x))
    kernel = numbered(parse(text) + Leaf("WN"))
    objective = SemiseparableObjective(kernel.expr, drawn(kernel, COMPARED["scattered"]), block=16)
    _, by = objective.value_and_gradient(kernel.values)
    expected = differences(objective.value, kernel, 1e-4, FOURTH_ORDER)
    assert by == pytest.approx(expected, rel=1e-6, abs=1e-3 + 1e-5 * np.abs(by).max())


@pytest.mark.parametrize("case", sorted(COMPARED))
def test_a_few_blocks_at_a_time_are_all_of_them(case: str) -> None:
    expr, x = parse("Per * (SE + Wiener) + CP(Wiener, Lin * RQ) + Lin * WN + WN"), COMPARED[case]
    values, problem = begun_at(numbered(expr), x.min()).values, Problem(x, np.sin(x))
    whole, some = (SemiseparableObjective(expr, problem, 16, at_once=count) for count in (10**9, 40_000))
    (value, by), (again, by_some) = (one.value_and_gradient(values) for one in (whole, some))
    assert not some.layout.has_lags
    assert again == pytest.approx(value, abs=1e-6)
    assert some.value(values) == pytest.approx(value, abs=1e-6)
    np.testing.assert_allclose(by_some, by, atol=1e-5 * np.abs(by).max())


def test_months_with_little_noise() -> None:
    x = np.arange(300.0) / 12.0
    for text in (
        "SE(lengthscale=20, sd=1) + WN(sd=0.01)",
        "RQ(lengthscale=5, sd=1, alpha=0.7) + Per(lengthscale=0.7, period=1, sd=1) + WN(sd=0.1)",
    ):
        kernel = parse_kernel(text)
        problem = drawn(kernel, x)
        objective = SemiseparableObjective(kernel.expr, problem)
        assert objective.at(kernel.values) is not None
        exact = LagSpace().objective(kernel.expr, problem).value(kernel.values)
        assert objective.value(kernel.values) == pytest.approx(exact, abs=0.05)


def test_without_noise_one_matrix_takes_over() -> None:
    x = np.arange(100.0)
    problem, expr = Problem(x, np.sin(x)), parse("SE + WN")
    objective = SemiseparableObjective(expr, problem)
    assert objective.at((9.0, 1.0, 1e-9)) is None
    assert objective.value((9.0, 1.0, 1e-9)) == LagSpace().objective(expr, problem).value((9.0, 1.0, 1e-9))
    assert objective.value((9.0, inf, 1.0)) == inf


def test_a_gradient_that_is_not_finite_asks_for_more_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Problem(np.arange(200.0) ** 1.01, np.sin(np.arange(200.0)))
    monkeypatch.setattr(module, "MOST_ROWS", 100)  # one matrix is none of the others
    monkeypatch.setattr(SemiseparableObjective, "_by_another", lambda self, values, with_gradient: None)
    objective, expr = SemiseparableObjective(parse("SE + WN"), problem), parse("SE + WN")
    found, values, own = [], (9.0, 1.0, 0.3), SemiseparableObjective._gradient

    def broken(self: SemiseparableObjective, values: tuple[float, ...], there: Any) -> tuple[Array, float]:
        found.append(there.level)
        gradient, trace_error = own(self, values, there)
        return (gradient, trace_error) if len(found) == 3 else (np.nan * gradient, np.nan)

    monkeypatch.setattr(SemiseparableObjective, "_gradient", broken)
    value, by = objective.value_and_gradient(values)
    assert found == [0.0, 0.0, 1e-10]
    exact, by_exact = LagSpace().objective(expr, problem).value_and_gradient(values)
    assert value == pytest.approx(exact, abs=0.05)
    np.testing.assert_allclose(by, by_exact, atol=0.05)


@pytest.mark.parametrize("lengthscale", [1e-100, 1e-12, 1e12, 1e100])
def test_extreme_numbers_have_a_value(lengthscale: float) -> None:
    problem = Problem(np.arange(200.0), np.sin(np.arange(200.0)))
    for text in ("SE + WN", "Matern32 * Per + WN", "RQ + WN"):
        objective = SemiseparableObjective(parse(text), problem)
        values = (lengthscale, *[1.0] * (len(parameters(parse(text))) - 1))
        value, by = objective.value_and_gradient(values)
        expected = LagSpace().objective(parse(text), problem).value(values)
        assert value == pytest.approx(expected, abs=0.05)
        assert np.isfinite(by).all()


def test_columns_are_those_of_another_recursion() -> None:
    driver = pytest.importorskip("celerite2").driver
    kernel = parse_kernel(
        "Matern12(lengthscale=2, sd=1) * Cos(period=3, sd=1) + Matern32(lengthscale=4, sd=1) * Lin(sd=0.2, location=-5)"
        " + CP(C(sd=1), Matern12(lengthscale=5, sd=2); location=4, steepness=1) + WN(sd=0.4)"
    )
    x = np.sort(COMPARED["scattered"])
    problem = drawn(kernel, x)
    objective = SemiseparableObjective(kernel.expr, problem, block=16)
    at = objective.at(kernel.values)
    assert at is not None
    where, blocks = objective.layout, at.blocks
    rate = -np.log(blocks.phi[0, :-1]) / where.steps[0]
    U, V = (
        (one[..., :-1] * np.exp(rate * lengths.lengths[..., None])).reshape(-1, len(rate))[: problem.n]
        for one, lengths in ((blocks.U, where.since), (blocks.V, where.until))
    )
    diagonal = np.ascontiguousarray(np.einsum("bii->bi", blocks.K).ravel()[: problem.n])
    d, W = driver.factor(x, rate, diagonal, U, V, np.empty_like(diagonal), np.empty_like(V))
    z = driver.solve_lower(x, rate, U, W, problem.y[:, None].copy(), np.empty((problem.n, 1)))[:, 0]
    expected = 0.5 * float((z**2 / d + np.log(2.0 * np.pi * d)).sum())
    assert objective.value(kernel.values) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("power", [1.0, 1.001])
@pytest.mark.parametrize("noise", [1e-3, 3e-4, 3e-5])
def test_with_little_noise_an_engine_that_keeps_digits_is_asked(noise: float, power: float) -> None:
    x, kernel = np.arange(1500.0) ** power, parse_kernel(f"SE(lengthscale=100, sd=1) + WN(sd={noise})")
    problem = Problem(x, np.sin(x / 70.0) + noise * np.random.default_rng(3).normal(size=len(x)))
    exact, by_exact = _by_one_matrix(kernel, problem)
    value, by = SemiseparableObjective(kernel.expr, problem).value_and_gradient(kernel.values)
    assert value == pytest.approx(exact, abs=0.05)
    np.testing.assert_allclose(by, by_exact, rtol=0.02, atol=0.05)


def test_of_more_rows_than_one_matrix_holds_too(monkeypatch: pytest.MonkeyPatch) -> None:
    x, kernel = np.arange(1500.0), parse_kernel("SE(lengthscale=100, sd=1) + WN(sd=1e-4)")
    problem = Problem(x, np.sin(x / 70.0) + 1e-4 * np.random.default_rng(3).normal(size=len(x)))
    exact, by_exact = _by_one_matrix(kernel, problem)
    monkeypatch.setattr(module, "MOST_ROWS", 1000)
    objective = SemiseparableObjective(kernel.expr, problem)
    assert objective.value(kernel.values) == pytest.approx(exact, abs=0.01)
    value, by = objective.value_and_gradient(kernel.values)
    assert value == pytest.approx(exact, abs=0.01)
    np.testing.assert_allclose(by, by_exact, rtol=1e-3, atol=1e-3)
    assert "dense" not in vars(objective)


@pytest.mark.parametrize("noise", [1e-3, 1e-4, 3e-5])
def test_of_more_scattered_rows_than_one_matrix_holds_a_smooth_function_keeps_its_digits(
    noise: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = np.sort(np.random.default_rng(5).uniform(0.0, 600.0, 560))
    kernel = parse_kernel(f"SE(lengthscale=100, sd=1) + WN(sd={noise})")
    problem = drawn(kernel, x)
    exact, by_exact = _by_one_matrix(kernel, problem)
    monkeypatch.setattr(module, "MOST_ROWS", 100)
    objective = SemiseparableObjective(kernel.expr, problem)
    assert objective.value(kernel.values) == pytest.approx(exact, abs=0.02)
    value, by = objective.value_and_gradient(kernel.values)
    assert value == pytest.approx(exact, abs=0.02)
    np.testing.assert_allclose(by, by_exact, rtol=1e-2, atol=0.05)
    assert objective.is_sure
    assert "dense" not in vars(objective)


def test_what_no_engine_can_keep_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.arange(560.0) ** 1.001
    monkeypatch.setattr(module, "MOST_ROWS", 100)
    objective = SemiseparableObjective(parse("SE + WN"), Problem(x, np.sin(x / 70.0)))
    for values, expected in (((100.0, 1.0, 1e-7), False), ((100.0, 1.0, 1e-2), True)):
        objective.value(values)
        assert objective.is_sure is expected
        objective.value_and_gradient(values)
        assert objective.is_sure is expected


def test_the_trace_tells_when_a_gradient_has_lost_its_digits() -> None:
    x = np.arange(1500.0)
    problem, expr = Problem(x, np.sin(x / 70.0)), parse("SE + WN")
    objective, errors = SemiseparableObjective(expr, problem), []
    for noise in (0.1, 1e-3):
        values = (100.0, 1.0, noise)
        there = next(objective._found(values, with_gradient=True))
        assert isinstance(there, module._There)
        errors.append(objective._gradient(values, there)[1])
    assert errors[0] < 1e-9
    assert errors[1] > module.MOST_OFF_TRACE


def _wanted(text: str, values: tuple[float, ...], n: int = 50) -> Wanted:
    where = laid_out(np.arange(float(n)))
    return wanted(evaluate(compiled(parse(text)), values, where.x[:, None], where, ("x",), []), where)


def _se() -> StateSpace:
    form = LEAVES["SE"].state_space
    assert form is not None
    return form


def test_less_noise_more_rows_and_more_signal_want_more() -> None:
    usual, _ = _wanted("SE + WN", (3.0, 1.0, 0.1)).accuracy(_se(), (20.0, 1.0), 1.0, 1.0)
    for noise, power, n, times in ((0.05, 1.0, 50, 0.25), (0.1, 4.0, 50, 0.25), (0.1, 1.0, 100, 0.5)):
        found, _ = _wanted("SE + WN", (3.0, 1.0, noise), n).accuracy(_se(), (20.0, 1.0), 2.0, 0.5 * power)
        assert np.isclose(found.error, usual.error * times)


def test_noise_that_stops_wants_more_than_there_is() -> None:
    found = _wanted("CP(WN, SE)", (25.0, 100.0, 1.0, 3.0, 1.0))
    assert not found.accuracy(_se(), (20.0, 1.0), 1.0, 1.0)[1]
    assert found.accuracy(_se(), (20.0, 1.0), 1.0, found.x < 24.0)[1]  # times nothing where there is no noise


def test_columns_of_sums_and_products() -> None:
    assert expected_columns(parse("CP(SE * Lin, Per) + WN")) == 7 + 14
    assert expected_columns(parse("(C + SE) * SE")) == 7 + 7  # the product of both is one again
    assert not can_write(parse("CP(SE, Cat)"))
