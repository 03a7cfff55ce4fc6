"""How several classes are foreseen together."""

from __future__ import annotations

import numpy as np
import pytest
from tests.decompose.table.several import dataset, found

from autostatistician.decompose.table.several_classes import foreseen_together, shared_out


def test_chances_are_those_of_each_class_shared_out() -> None:
    out, each = found().foreseen, found().each
    raw = np.column_stack([record.foreseen.chance for record in each if record.foreseen is not None])
    np.testing.assert_allclose(out.chance.sum(axis=1), 1.0)
    np.testing.assert_allclose(out.chance, raw / raw.sum(axis=1, keepdims=True))
    assert out.taken.sum() == dataset().n
    assert out.wrong == pytest.approx(1.0 - out.taken.trace() / dataset().n)
    assert out.log_score > out.log_score_of_share


def test_scores_are_those_of_plain_sums() -> None:
    came = np.array([0, 0, 1, 2])
    raw = np.array([[0.5, 0.25, 0.25], [0.2, 0.6, 0.2], [0.1, 0.8, 0.1], [0.96, 0.02, 0.02]])
    out = foreseen_together(came, 2.0 * raw)
    assert out.log_score == pytest.approx(np.log([0.5, 0.2, 0.8, 0.02]).mean())
    assert out.log_score_of_share == pytest.approx(np.log(np.array([2, 2, 1, 1]) / 6.0).mean())
    assert (out.wrong, out.wrong_of_share) == (0.5, 0.5)
    assert out.surprising == (3,)
    assert out.surprises_expected == pytest.approx(0.04)
    np.testing.assert_allclose(shared_out(3.0 * raw), raw)
