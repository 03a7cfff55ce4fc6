"""Products of sums as sums of products."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.engines.profiles import compiled, evaluate
from autostatistician.inference.engines.semiseparable.layout import laid_out
from autostatistician.inference.engines.semiseparable.products import distributed, merged, numbered, smooth_factors
from autostatistician.language.kernel import size
from autostatistician.language.text import parse


@pytest.mark.parametrize(
    "text", ["Lin * (C + CP(Lin, Wiener)) + Lin", "Wiener + IOU * CW(Lin * Per, Wiener)", "SE * Per"]
)
def test_factors_are_numbered_as_profiles_number_them(text: str) -> None:
    expr = parse(text)
    where = laid_out(np.arange(5.0))
    values = tuple(1.0 + index for index in range(size(expr)))
    state = evaluate(compiled(expr), values, where.x[:, None], where, ("x",), [], with_gradient=False)
    numbers = numbered(expr)
    assert set(numbers.values()) <= set(range(len(state.factors)))
    for start, number in numbers.items():
        if np.allclose(np.diff(state.factors[number]), 1.0):  # a line: x - location
            assert state.factors[number][0] == -values[start + 1]


def test_squared_exponentials_become_one() -> None:
    both, one = distributed(parse("Per * SE * (SE + C)"), 0)
    assert len(smooth_factors(both)) == 2
    assert [part.starts for part in merged(both)] == [(0,), (3, 5)]
    assert merged(one) == one
