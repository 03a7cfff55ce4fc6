"""Reference models: what data suggest is among them."""

from __future__ import annotations

import numpy as np

from autostatistician.data.dataset import from_arrays
from autostatistician.language.expr import Expr
from autostatistician.language.text import parse
from autostatistician.search.before.references import references
from autostatistician.search.starting.standardisation import standard

X = np.arange(80.0)
NOISE = np.random.default_rng(3).normal(size=80)


def _expressions(y: np.ndarray) -> set[Expr]:
    _, problem, scales = standard(from_arrays(X, y))
    return {kernel.expr for kernel in references(problem.X[:, 0], problem.y, scales)}


def test_noise_has_smooth_and_quick_changes_and_noise_that_grows() -> None:
    found = _expressions(NOISE)
    assert {parse(text) for text in ("C + SE + WN", "C + SE + RQ + WN", "C + SE + WN * Lin")} <= found
    assert parse("C + SE + CP(WN, WN)") not in found


def test_cycles_and_sizes_of_noise_that_change_are_among_them() -> None:
    assert parse("C + SE + SE * Per + WN") in _expressions(5.0 * np.sin(2.0 * np.pi * X / 10.0) + NOISE)
    assert parse("C + SE + CP(WN, WN)") in _expressions(np.where(X < 40.0, 1.0, 9.0) * NOISE)
