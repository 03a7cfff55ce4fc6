"""The waves of an expression against the terms over the lags."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.engines.profiles import compiled, evaluate
from autostatistician.inference.engines.semiseparable.accuracies import Wanted
from autostatistician.inference.engines.semiseparable.between import between
from autostatistician.inference.engines.semiseparable.layout import laid_out
from autostatistician.language.kernel import parameters
from autostatistician.language.text import parse

X = np.arange(30.0)


@pytest.mark.parametrize(
    "text",
    ["SE + WN", "Lin * Per * C + RQ", "CP(Wiener, CW(SE, Lin + WN))", "(Wiener + Lin) * (Matern32 + Cos) + IOU * Lin"],
)
def test_every_term_has_the_same_profile_and_values(text: str) -> None:
    expr = parse(text)
    values = tuple(1.0 + 0.1 * index for index in range(len(parameters(expr))))
    where = laid_out(X, 30)
    state = evaluate(compiled(expr), values, X[:, None], where, ("x",), [], with_gradient=False)
    found = between(expr, values, X, Wanted.alike(1e-8, X))
    assert set(found.terms) == set(state.terms)
    for key, slot in state.terms.items():
        expected = slot.v[1:] if isinstance(slot.v, np.ndarray) else np.full(29, slot.v)
        np.testing.assert_allclose(found.terms[key].at(where.distinct[1:]), expected, rtol=1e-6, atol=1e-6)
