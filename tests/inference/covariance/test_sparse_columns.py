"""Columns by way of some rows: against the whole matrix, with derivatives by differences."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from autostatistician.inference.covariance.sparse_columns import SparseColumns

RNG = np.random.default_rng(0)
ROOT = RNG.normal(size=(3, 3))
U, C, Y = ROOT @ ROOT.T + np.eye(3), RNG.normal(size=(3, 6)), RNG.normal(size=(6, 2))
VARIANCES, LEAST = np.full(6, 9.0), 0.5


def level(U: np.ndarray, C: np.ndarray, variances: np.ndarray) -> float:
    return SparseColumns.of(U, C, variances, LEAST, Y).log_evidence


def test_the_evidence_is_that_of_the_whole_matrix() -> None:
    Q = C.T @ np.linalg.solve(U, C)
    whole = multivariate_normal(np.zeros(6), Q + np.diag(VARIANCES - np.diag(Q)))
    assert level(U, C, VARIANCES) == pytest.approx(sum(whole.logpdf(column) for column in Y.T))


def test_the_adjoints_are_those_of_differences() -> None:
    places = [U, C, VARIANCES]
    for which, slope in enumerate(SparseColumns.of(U, C, VARIANCES, LEAST, Y).adjoints()):
        for cell in np.ndindex(slope.shape):
            step = np.zeros_like(slope)
            step[cell] += 1e-5
            if which == 0:  # as if its cells were independent: both halves are changed
                step = 0.5 * (step + step.T)
            ahead, back = (level(*(at + s * step * (k == which) if k == which else at for k, at in enumerate(places)))
                           for s in (1.0, -1.0))  # fmt: skip
            assert slope[cell] == pytest.approx((ahead - back) / 2e-5, rel=1e-5, abs=1e-6)
