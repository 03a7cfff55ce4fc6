"""The bound: what it is by its definition, and that its derivatives are its own."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import multivariate_normal

from autostatistician.inference.engines.inducing import bound
from autostatistician.inference.engines.inducing.bound import RELATIVE_JITTER, Collapsed, collapsed

Array = NDArray[np.float64]

RNG = np.random.default_rng(6)
N, M = 30, 7
ROOT = RNG.normal(size=(M + N, 40))
WHOLE = ROOT @ ROOT.T / 20.0  # covariances of inducing points and rows
POINTS, CROSS, SIGNAL = WHOLE[:M, :M], WHOLE[M:, :M], WHOLE[M:, M:].diagonal()
NOISE, Y = RNG.uniform(0.5, 2.0, N), RNG.normal(size=N)


def _bound(points: Array = POINTS, cross: Array = CROSS, signal: Array = SIGNAL, noise: Array = NOISE) -> Collapsed:
    return collapsed(points, lambda some: cross[some].copy(), Y, signal, noise)


def test_it_is_the_density_less_half_the_trace() -> None:
    jittered = POINTS + RELATIVE_JITTER * POINTS.diagonal().mean() * np.eye(M)
    Q = CROSS @ np.linalg.solve(jittered, CROSS.T)
    density = multivariate_normal(np.zeros(N), Q + np.diag(NOISE)).logpdf(Y)
    expected = density - 0.5 * np.sum((SIGNAL - Q.diagonal()) / NOISE)
    assert _bound().value == pytest.approx(expected, rel=1e-9)
    np.testing.assert_allclose(_bound().unexplained, SIGNAL - Q.diagonal(), rtol=1e-6)


def test_it_is_below_the_evidence() -> None:
    evidence = multivariate_normal(np.zeros(N), WHOLE[M:, M:] + np.diag(NOISE)).logpdf(Y)
    assert _bound().value < evidence


@pytest.mark.parametrize("chunks", [4_000_000, 20])
def test_derivatives(monkeypatch: pytest.MonkeyPatch, chunks: int) -> None:
    monkeypatch.setattr(bound, "CELLS_PER_CHUNK", chunks)
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


def test_the_sum_over_even_noise() -> None:
    known = _bound(noise=np.full(N, 0.7))
    assert known.by_noise(even=True).sum() == pytest.approx(known.by_noise(even=False).sum(), rel=1e-9)


def test_without_room_rows_are_made_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [weights for _, weights in _bound().by_cross()]
    monkeypatch.setattr(bound, "MOST_KEPT_CELLS", 10)
    known = _bound()
    assert known.kept is None
    np.testing.assert_allclose(np.vstack([one for _, one in known.by_cross()]), np.vstack(expected), rtol=1e-9)
