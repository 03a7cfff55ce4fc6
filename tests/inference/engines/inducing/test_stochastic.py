"""The bound at any belief: that of all rows after one whole step, unbiased from some rows, with true derivatives."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.inference.engines.inducing.bound import Collapsed, collapsed, root_of_points, scaled_rows
from autostatistician.inference.engines.inducing.stochastic import Belief, SomeRows, vague

Array = NDArray[np.float64]

RNG = np.random.default_rng(6)
N, M = 30, 7
ROOT = RNG.normal(size=(M + N, 40))
WHOLE = ROOT @ ROOT.T / 20.0  # covariances of inducing points and rows
POINTS, CROSS, SIGNAL = WHOLE[:M, :M], WHOLE[M:, :M], WHOLE[M:, M:].diagonal()
NOISE, Y = RNG.uniform(0.5, 2.0, N), RNG.normal(size=N)
EVERY = np.arange(N)
BELIEF = Belief(np.eye(M) + ROOT[:M] @ ROOT[:M].T, RNG.normal(size=M))


def _rows(
    rows: NDArray[np.intp] = EVERY,
    points: Array = POINTS,
    cross: Array = CROSS,
    signal: Array = SIGNAL,
    noise: Array = NOISE,
) -> SomeRows:
    lower, d = root_of_points(points), noise[rows]
    return SomeRows(Y[rows], signal[rows], d, lower, scaled_rows(cross[rows].copy(), lower, d), N / len(rows))


@pytest.fixture(scope="module")
def best() -> Collapsed:
    return collapsed(POINTS, lambda some: CROSS[some].copy(), Y, SIGNAL, NOISE)


def test_one_whole_step_with_all_rows_is_the_collapsed_bound(best: Collapsed) -> None:
    after = _rows().moved(BELIEF, 1.0)
    np.testing.assert_allclose(after.mean, best.beta, atol=1e-9)
    np.testing.assert_allclose(after.covariance, best.inner.inverse(), atol=1e-9)
    assert _rows().value(after) == pytest.approx(best.value, rel=1e-9)
    by_cross, by_points = _rows().by_cross_and_points(after)
    np.testing.assert_allclose(by_cross, np.vstack([one for _, one in best.by_cross()]), atol=1e-8)
    step = RNG.normal(size=(M, M))
    assert np.sum((step + step.T) * by_points) == pytest.approx(np.sum((step + step.T) * best.by_points()), rel=1e-7)
    np.testing.assert_allclose(_rows().by_noise(after), best.by_noise(even=False), rtol=1e-7)


def test_any_other_belief_is_below_it_and_steps_go_up(best: Collapsed) -> None:
    belief, before = vague(M), _rows().value(vague(M))
    for _ in range(5):
        belief = _rows().moved(belief, 0.3)
        now = _rows().value(belief)
        assert before < now < best.value
        before = now


def test_estimates_are_right_on_average() -> None:
    parts = [_rows(np.sort(rows)) for rows in np.random.default_rng(1).permutation(N).reshape(5, 6)]
    assert np.mean([one.value(BELIEF) for one in parts]) == pytest.approx(_rows().value(BELIEF), rel=1e-10)
    by_points = np.mean([one.by_cross_and_points(BELIEF)[1] for one in parts], axis=0)
    np.testing.assert_allclose(by_points, _rows().by_cross_and_points(BELIEF)[1], atol=1e-9)
    wanted = np.mean([one.moved(BELIEF, 1.0).precision for one in parts], axis=0)
    np.testing.assert_allclose(wanted, _rows().moved(BELIEF, 1.0).precision, atol=1e-10)


def test_derivatives() -> None:
    some = np.arange(0, N, 3)
    known = _rows(some)
    by_cross, by_points = known.by_cross_and_points(BELIEF)
    steps = {
        "points": (RNG.normal(size=(M, M)), by_points),
        "cross": (RNG.normal(size=(N, M)), by_cross),
        "signal": (RNG.normal(size=N), known.by_signal()),
        "noise": (RNG.normal(size=N), known.by_noise(BELIEF)),
    }
    start = {"points": POINTS, "cross": CROSS, "signal": SIGNAL, "noise": NOISE}
    for name, (step, slopes) in steps.items():
        step = step + step.T if name == "points" else step
        there, back = (_rows(some, **{name: start[name] + sign * 1e-6 * step}).value(BELIEF) for sign in (1.0, -1.0))
        expected = step if name == "points" else step[some]
        assert float(np.sum(expected * slopes)) == pytest.approx((there - back) / 2e-6, rel=1e-5), name
