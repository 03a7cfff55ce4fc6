"""The recursion over blocks against one dense matrix and finite differences."""

import numpy as np
import pytest
from tests.gp.numeric import drawn

from autostatistician.gp.engines.lag_space import LagSpace
from autostatistician.gp.engines.semiseparable import recursion as of_runs
from autostatistician.gp.engines.semiseparable.objective import SemiseparableObjective
from autostatistician.gp.engines.semiseparable.recursion import (
    BlockMatrices,
    backward,
    backward_in_runs,
    forward,
    forward_in_runs,
    runs_of,
)
from autostatistician.kernels.text import parse_kernel

B_RUNS, M_RUNS, COUNT = 7, 5, 33
NEEDS = [(3, np.arange(B_RUNS) < 3), (1, np.ones(B_RUNS, bool)), (4, (np.arange(B_RUNS) > 1) & (np.arange(B_RUNS) < 5))]


def _blocks_of_runs() -> BlockMatrices:
    rng = np.random.default_rng(3)
    U, V = rng.normal(size=(2, B_RUNS, M_RUNS, 8)) * 0.4
    for columns, (_, need) in zip((slice(0, 3), slice(3, 4), slice(4, 8)), NEEDS, strict=True):
        U[~need, :, columns] = V[~need, :, columns] = 0.0
    root, y = rng.normal(size=(B_RUNS, M_RUNS, M_RUNS)), rng.normal(size=(B_RUNS, M_RUNS))
    K = root @ root.transpose(0, 2, 1) + 8.0 * np.eye(M_RUNS)
    U[-1, -2:] = V[-1, -2:] = y[-1, -2:] = K[-1, -2:] = K[-1, :, -2:] = 0.0  # places that only fill
    K[-1, [-1, -2], [-1, -2]] = 1.0
    return BlockMatrices.of(K, U, V, rng.uniform(0.3, 1.0, (B_RUNS, 8)), y)


@pytest.mark.parametrize("worth", [0.0, 0.8, 1.0])
def test_runs_know_what_all_columns_know(worth: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_runs, "WORTH", worth)
    blocks, runs = _blocks_of_runs(), runs_of(NEEDS, B_RUNS)
    assert len(runs) == {0.0: 1, 0.8: 4, 1.0: 4}[worth]
    whole, some = forward(blocks, COUNT), forward_in_runs(blocks, runs, COUNT)
    assert whole is not None
    assert some is not None
    assert some.nll == pytest.approx(whole.nll, rel=1e-12)
    expected, found = backward(blocks, whole), backward_in_runs(blocks, some)
    np.testing.assert_allclose(found.K, expected.K, atol=1e-12)
    np.testing.assert_allclose(found.y, expected.y, atol=1e-12)
    for rows, columns in ((slice(0, 3), slice(0, 3)), (slice(0, B_RUNS), slice(3, 4)), (slice(2, 5), slice(4, 8))):
        for name in ("U", "V", "phi"):
            own, other = getattr(found, name), getattr(expected, name)
            np.testing.assert_allclose(own[rows][..., columns], other[rows][..., columns], atol=1e-12)


def test_runs_go_on_from_blocks_before() -> None:
    blocks = _blocks_of_runs()
    layout = 4
    first, second = (BlockMatrices(*(one[part] for one in (blocks.K, blocks.U, blocks.V, blocks.phi)))
                     for part in (slice(0, layout), slice(layout, B_RUNS)))  # fmt: skip
    whole, begun = forward_in_runs(blocks, runs_of(NEEDS, B_RUNS), COUNT), forward(first, layout * M_RUNS)
    assert whole is not None
    assert begun is not None
    rest = forward_in_runs(second, runs_of([(k, need[layout:]) for k, need in NEEDS], B_RUNS - layout),
        COUNT - layout * M_RUNS,
                           start=begun.known[-1])  # fmt: skip
    assert rest is not None
    assert begun.nll + rest.nll - 0.5 * begun.known[-1, -1, -1] == pytest.approx(whole.nll, rel=1e-12)
    np.testing.assert_allclose(rest.end, whole.end, atol=1e-12)
    by_rest = backward_in_runs(second, rest)
    expected = backward_in_runs(blocks, whole)
    np.testing.assert_allclose(by_rest.V, expected.V[layout:], atol=1e-12)
    np.testing.assert_allclose(
        backward(first, begun, by_rest.before).V[2:, :, 3], expected.V[2:layout, :, 3], atol=1e-12
    )


@pytest.mark.parametrize("at_once", [10**9, 40_000])
def test_a_change_is_that_of_one_matrix(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = parse_kernel(
        "CP(SE(lengthscale=30, sd=2) * Per(lengthscale=2, period=8, sd=1), CW(Matern12(lengthscale=9, sd=1), "
        "SE(lengthscale=5, sd=1); location=150, steepness=4, width=40); location=90, steepness=3) + WN(sd=0.5)"
    )
    problem = drawn(kernel, np.arange(480.0))
    expected, by = LagSpace().objective(kernel.expr, problem).value_and_gradient(kernel.values)
    objective = SemiseparableObjective(kernel.expr, problem, 12, at_once=at_once)
    counts: list[int] = []
    real = of_runs.forward
    monkeypatch.setattr(of_runs, "forward", lambda *a, **k: counts.append(a[0].columns) or real(*a, **k))
    value, gradient = objective.value_and_gradient(kernel.values)
    assert value == pytest.approx(expected, abs=0.02)
    np.testing.assert_allclose(gradient, by, atol=0.02 * np.abs(by).max())
    assert min(counts) < 0.3 * max(counts)
