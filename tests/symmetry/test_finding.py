"""Symmetries that are found, those that are not, and what was said of them beforehand."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.errors import InputError
from autostatistician.symmetry import finding
from autostatistician.symmetry.claims import Claim, Kind
from autostatistician.symmetry.finding import find, refined
from autostatistician.symmetry.invariant import Rows

SWAP = Claim(Kind.EXCHANGE, (0, 1))


def _rows(n: int, d: int = 2) -> np.ndarray:
    return np.random.default_rng(5).uniform(-2.0, 2.0, (n, d))


def test_an_exchange_is_found_and_its_turned_form_is_not() -> None:
    X = _rows(30)
    y = np.exp(-((X[:, 0] - X[:, 1]) ** 2)) + 0.3 * (X[:, 0] + X[:, 1]) ** 2 + np.exp(0.5 * X).sum(axis=1)
    found = find(X, y, rng=np.random.default_rng(0))
    assert found.probability(SWAP) > 0.95
    assert found.probability(Claim(Kind.EXCHANGE, (0, 1), odd=True)) < 0.01
    assert found.best.structure.holds(SWAP)
    assert found.weights.sum() == pytest.approx(1.0)
    assert found.probability(SWAP) + found.probability() <= 1.0 + 1e-9


def test_a_function_without_symmetries() -> None:
    X = _rows(30)
    y = np.exp(0.7 * X[:, 1]) + np.sin(2.0 * X[:, 0] + 0.3) * X[:, 1] + 0.2 * (X[:, 0] + 1.0) ** 3
    found = find(X, y, rng=np.random.default_rng(0))
    assert found.best.structure.claims == ()
    assert found.probability() > 0.9


def test_more_rows_than_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "MOST_ROWS", 30)
    X = _rows(60, 1)
    y = np.exp(-2.0 * (X[:, 0] - 0.3) ** 2)
    rng = np.random.default_rng(0)
    found = find(X, y, rng=rng)
    better = refined(found.best, Rows(X, np.zeros((60, 0))), (y - found.target[0]) / found.target[1], rng)
    centre = found.best.model.names.index(("centre", (0,)))
    at = [group.u[centre] * group.model.scale[0] + group.model.shift[0] for group in (found.best, better)]
    assert found.probability(Claim(Kind.MIRROR, (0,))) > 0.9
    assert at == pytest.approx([0.3, 0.3], abs=1e-2)
    assert abs(at[1] - 0.3) < abs(at[0] - 0.3)


def test_too_many_columns() -> None:
    with pytest.raises(InputError, match="at most 12 columns"):
        find(_rows(5, 13), np.arange(5.0), rng=np.random.default_rng(0))
