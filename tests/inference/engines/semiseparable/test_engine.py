"""What the engine for one column costs, and whom it asks."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.engines.inducing import close
from autostatistician.inference.engines.lag_space import LagSpace
from autostatistician.inference.engines.semiseparable import engine, objective
from autostatistician.inference.engines.semiseparable.engine import Semiseparable
from autostatistician.inference.problem import Problem
from autostatistician.language.text import parse, parse_kernel


def test_cost_grows_with_rows_and_columns() -> None:
    one = Semiseparable()

    def cost(text: str, n: int) -> float:
        found = one.cost(parse(text), Problem(np.arange(float(n)), np.zeros(n)))
        assert found is not None
        return found

    assert 9.0 < cost("SE + WN", 100_000) / cost("SE + WN", 10_000) < 10.0
    assert cost("SE * Per + WN", 1000) > cost("SE + WN", 1000)
    assert one.cost(parse("Cat + WN"), Problem(np.zeros(9), np.zeros(9))) is None
    assert one.cost(parse("SE[a] + WN"), Problem(np.zeros((9, 2)), np.zeros(9), ("a", "b"))) is None


def test_where_terms_lose_digits_a_smooth_function_stands_on_few_of_many_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.sort(np.random.default_rng(5).uniform(0.0, 600.0, 560))
    problem = Problem(x, np.sin(x / 70.0) + 3e-5 * np.random.default_rng(6).normal(size=560))
    kernel = parse_kernel("SE(lengthscale=100, sd=1) + WN(sd=3e-5)")
    exact = LagSpace().condition(kernel, problem)
    for module in (engine, objective):
        monkeypatch.setattr(module, "MOST_ROWS", 100)
    found, at = Semiseparable().condition(kernel, problem), np.array([[-3.0], [200.0], [620.0]])
    assert found.keeps_digits
    assert found.log_evidence == pytest.approx(exact.log_evidence, abs=0.05)
    for ours, theirs in zip(found.signal(at), exact.signal(at), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=0.02, atol=1e-6)
    later = found.without(np.arange(9))
    assert later.log_evidence == pytest.approx(exact.without(np.arange(9)).log_evidence, abs=0.05)
    monkeypatch.setattr(close, "MOST_POINTS", 100)
    rough = parse_kernel("SE(lengthscale=100, sd=1) + Matern12(lengthscale=9, sd=1) + WN(sd=1e-5)")
    assert not Semiseparable().condition(rough, problem).keeps_digits
