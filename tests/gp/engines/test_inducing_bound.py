"""The bound: what it is by its definition, and that its derivatives are its own."""

from dataclasses import replace
from math import inf

import numpy as np
import pytest
from hypothesis import given
from numpy.typing import NDArray
from tests.gp.numeric import differences, numbered
from tests.strategies import kernels

from autostatistician.gp.engines import inducing_bound
from autostatistician.gp.engines.exact import Blocks
from autostatistician.gp.engines.inducing import InducingObjective
from autostatistician.gp.engines.inducing_bound import FEWEST, Collapsed, collapsed, inducing_rows
from autostatistician.gp.problem import Problem
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.kernels.text import parse, parse_kernel

RNG_MIXED = np.random.default_rng(8)
N_MIXED = 50
X = np.column_stack([RNG_MIXED.uniform(0.2, 3.0, (N_MIXED, 2)), RNG_MIXED.integers(0, 3, N_MIXED)])
PROBLEM_MIXED = Problem(X, RNG_MIXED.normal(size=N_MIXED), ("a", "b", "c"))
SYMBOLS = ("SE", "RQ", "Matern32", "Per", "Lin", "C", "WN")


def _check_slopes(objective: InducingObjective, values: tuple[float, ...]) -> None:
    value, slopes = objective.value_and_gradient(values)
    assert objective.value(values) == pytest.approx(value, rel=1e-9)
    expected = differences(objective.value, Kernel(objective.expr, values))
    assert slopes == pytest.approx(expected, rel=1e-3, abs=1e-3 * (1.0 + float(np.abs(slopes).max())))


@pytest.mark.slow
@given(kernels(columns=("a", "b"), symbols=SYMBOLS, max_leaves=4))
def test_random_expressions(kernel: Kernel) -> None:
    whole = kernel + leaf("WN", sd=0.5)
    exact = Blocks().objective(whole.expr, PROBLEM_MIXED).value(whole.values)
    few = InducingObjective(whole.expr, PROBLEM_MIXED, 8)
    assert few.value(whole.values) >= exact - 1e-6 * abs(exact)
    assert few.points is not None
    assert len(few.points) <= 8
    _check_slopes(few, whole.values)
    every = InducingObjective(whole.expr, PROBLEM_MIXED, N_MIXED, points=PROBLEM_MIXED.X).value(whole.values)
    scale = float(np.max(np.abs(Blocks().objective(whole.expr, PROBLEM_MIXED).covariance(whole.values))))
    # the jitter of the inducing points is 1e-8 of their variance, and counts beside the noise
    assert every == pytest.approx(exact, rel=1e-6, abs=1e-4 + 1e-6 * scale * N_MIXED / 0.25)


@pytest.mark.parametrize(
    "text", ["Cat3r2[c] * SE[a] + WN", "Cat3r2[c] * WN + SE[b]", "CP[a](SE[b] + WN, Lin[a]) + WN", "Wiener[a] + WN"]
)
def test_categories_changes_walks_and_noise_of_a_profile(text: str) -> None:
    expr, values = parse(text), numbered(text, 0.3).values
    is_walk = text.startswith("Wiener")
    values = (values[0], 0.0, values[2]) if is_walk else values
    exact = Blocks().objective(expr, PROBLEM_MIXED).value(values)
    every = InducingObjective(expr, PROBLEM_MIXED, N_MIXED, points=None if is_walk else PROBLEM_MIXED.X)
    assert every.value(values) == pytest.approx(exact, abs=1e-3)
    if not is_walk:
        _check_slopes(InducingObjective(expr, PROBLEM_MIXED, 12), values)


@pytest.mark.parametrize("text", ["SE[a] + WN", "SE[a] * Lin[b] + C"])
def test_rows_with_noise_of_their_own(text: str) -> None:
    expr, values = parse(text), numbered(text, 0.4).values
    problem = replace(PROBLEM_MIXED, noise=RNG_MIXED.gamma(2.0, 0.3, N_MIXED) + 0.05)
    exact = Blocks().objective(expr, problem).value(values)
    assert InducingObjective(expr, problem, N_MIXED, points=X).value(values) == pytest.approx(exact, abs=1e-3)
    assert InducingObjective(expr, problem, 8).value(values) >= exact
    _check_slopes(InducingObjective(expr, problem, 8), values)


def test_without_noise_there_is_no_bound() -> None:
    objective = InducingObjective(parse("SE[a] + WN"), PROBLEM_MIXED, 10)
    assert objective.value((1.0, 1.0, 0.0)) == inf
    value, slopes = objective.value_and_gradient((1.0, inf, 1.0))
    assert value == inf
    assert not slopes.any()


def test_points_stay_where_they_are() -> None:
    objective = InducingObjective(parse("SE[a] + WN"), PROBLEM_MIXED, 10)
    objective.value((0.3, 1.0, 0.1))
    first = objective.points
    objective.value((0.01, 1.0, 0.01))
    assert objective.points is first


def test_points_are_chosen_anew_where_that_says_more() -> None:
    rng = np.random.default_rng(11)
    inputs = rng.uniform(0.0, 1.0, (400, 2))
    problem = Problem(inputs, np.sin(30.0 * inputs[:, 0]) + 0.1 * rng.normal(size=400), ("a", "b"))
    objective = InducingObjective(parse("SE[a] + WN"), problem, 200)
    objective.value((5.0, 1.0, 1.0))  # nearly a constant
    sharp = (0.02, 1.0, 0.1)
    new = objective.renewed(sharp)
    assert new is not None
    assert new.value(sharp) < objective.value(sharp) - 10.0
    assert new.renewed(sharp) is None


RNG_WIDE = np.random.default_rng(7)
PROBLEM = Problem(RNG_WIDE.uniform(0.0, 1.0, (6000, 3)), RNG_WIDE.normal(size=6000), ("a", "b", "c"))


def test_more_points_for_less_noise_and_none_that_says_nothing() -> None:
    counts = []
    for noise in (1.0, 0.01):
        kernel = parse_kernel(f"SE[a](lengthscale=0.3, sd=1) * SE[b](lengthscale=0.3, sd=1) + WN(sd={noise})")
        counts.append(len(inducing_rows(kernel, PROBLEM, 200)))
    assert FEWEST <= counts[0] < counts[1] <= 200
    line = parse_kernel("Lin[a](sd=1, location=0.5) + C(sd=1) + WN(sd=0.1)")
    assert len(inducing_rows(line, PROBLEM, 200)) == 2


def test_the_same_rows_for_the_same_data_each_once() -> None:
    kernel = parse_kernel("SE[a](lengthscale=0.1, sd=1) + WN(sd=0.1)")
    rows = inducing_rows(kernel, PROBLEM, 100)
    assert len(set(rows.tolist())) == len(rows)
    np.testing.assert_array_equal(rows, inducing_rows(kernel, PROBLEM, 100))
    # along the column that matters no two are neighbours, along the others they are as they come
    assert np.diff(np.sort(PROBLEM.X[rows, 0])).min() > 1e-4


Array = NDArray[np.float64]
RNG = np.random.default_rng(6)
N, M = 30, 7
ROOT = RNG.normal(size=(M + N, 40))
WHOLE = ROOT @ ROOT.T / 20.0  # covariances of inducing points and rows
POINTS, CROSS, SIGNAL = WHOLE[:M, :M], WHOLE[M:, :M], WHOLE[M:, M:].diagonal()
NOISE, Y = RNG.uniform(0.5, 2.0, N), RNG.normal(size=N)


def _bound(points: Array = POINTS, cross: Array = CROSS, signal: Array = SIGNAL, noise: Array = NOISE) -> Collapsed:
    return collapsed(points, lambda some: cross[some].copy(), Y, signal, noise)


@pytest.mark.parametrize("chunks", [4_000_000, 20])
def test_derivatives(monkeypatch: pytest.MonkeyPatch, chunks: int) -> None:
    monkeypatch.setattr(inducing_bound, "CELLS_PER_CHUNK", chunks)
    known = _bound()
    by_cross = np.vstack([weights for _, weights in known.by_cross()])
    steps = {
        "points": (RNG.normal(size=(M, M)), known.by_points()),
        "cross": (RNG.normal(size=(N, M)), by_cross),
        "signal": (RNG.normal(size=N), known.by_signal()),
        "noise": (RNG.normal(size=N), known.by_noise(even=False)),
    }
    start = {"points": POINTS, "cross": CROSS, "signal": SIGNAL, "noise": NOISE}
    for name, (step, slopes) in steps.items():
        step = step + step.T if name == "points" else step
        there, back = (_bound(**{name: start[name] + sign * 1e-6 * step}).value for sign in (1.0, -1.0))
        assert float(np.sum(step * slopes)) == pytest.approx((there - back) / 2e-6, rel=1e-5), name


def test_without_room_rows_are_made_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [weights for _, weights in _bound().by_cross()]
    monkeypatch.setattr(inducing_bound, "MOST_KEPT_CELLS", 10)
    known = _bound()
    assert known.kept is None
    np.testing.assert_allclose(np.vstack([one for _, one in known.by_cross()]), np.vstack(expected), rtol=1e-9)
