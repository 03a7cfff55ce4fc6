"""What exact engines share: whole covariances, posteriors, and the number of rows that they can bear."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.errors import InputError
from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.engines.exact import MOST_ROWS, ExactEngine, check_rows
from autostatistician.inference.engines.lag_space import LagSpace
from autostatistician.inference.engines.several_columns import Blocks
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import Kernel, leaf

RNG = np.random.default_rng(0)
SMOOTH, LINE, NOISE = leaf("SE", sd=1.1, lengthscale=0.4), leaf("Lin", sd=0.7, location=0.2), leaf("WN", sd=0.3)
KERNELS = [SMOOTH + NOISE, SMOOTH * LINE + NOISE, Kernel.change_point(SMOOTH, LINE, 0.5, 4.0) + NOISE]
PLACES = {
    "grid": np.linspace(0.0, 1.0, 40),
    "scattered": RNG.uniform(size=40),
    "repeated": np.repeat(np.linspace(0, 1, 20), 2),
}


@pytest.mark.parametrize("engine", [LagSpace(), Blocks()], ids=lambda one: one.name)
@pytest.mark.parametrize("case", PLACES)
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_both_triangles_are_those_of_the_kernel(engine: ExactEngine, case: str, kernel: Kernel) -> None:
    problem = Problem(PLACES[case], np.sin(9.0 * PLACES[case]))
    found = engine.objective(kernel.expr, problem).covariance(kernel.values)
    np.testing.assert_allclose(found, covariance(kernel, problem.X), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("engine", [LagSpace(), Blocks()], ids=lambda one: one.name)
def test_the_evidence_of_a_posterior_is_the_value_of_the_objective(engine: ExactEngine) -> None:
    problem = Problem(PLACES["scattered"], np.sin(9.0 * PLACES["scattered"]))
    for kernel in KERNELS:
        value = engine.objective(kernel.expr, problem).value(kernel.values)
        assert -engine.condition(kernel, problem).log_evidence == pytest.approx(value, rel=1e-10)


def test_more_rows_than_a_matrix_holds_are_refused() -> None:
    check_rows(MOST_ROWS)
    with pytest.raises(InputError, match="at most 5000 rows; found 5001; give a random sample of the rows"):
        check_rows(MOST_ROWS + 1)
    large = Problem(np.arange(MOST_ROWS + 1.0), np.ones(MOST_ROWS + 1))
    assert LagSpace().cost(NOISE.expr, large) is None
    assert Blocks().cost(NOISE.expr, large) is None
