"""What the engine for one column costs."""

from __future__ import annotations

import numpy as np

from autostatistician.inference.engines.semiseparable.engine import Semiseparable
from autostatistician.inference.problem import Problem
from autostatistician.language.text import parse


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
