"""Outliers of a series that was screened without what columns beside it add, as they were observed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from autostatistician.covariates.fitted import CovariateEffects
from autostatistician.data.outliers import Outlier, Screening
from autostatistician.data.transform import Transform

__all__ = ["with_columns"]


def with_columns(
    screening: Screening, effects: CovariateEffects, transform: Transform, *, times: float = 1.0
) -> Screening:
    """The same outliers with what the columns add to them and to what was expected there; with ``times`` -1 without."""

    def moved(rows: tuple[Outlier, ...]) -> tuple[Outlier, ...]:
        if not rows:
            return rows
        added = times * effects.mean_added(np.array([row.x for row in rows]))[:, None]
        values = np.array([(row.y, row.expected) for row in rows])
        movable = (values > 0.0) | (not transform.is_positive)
        values = np.where(movable, transform.moved(values, added), values)
        return tuple(replace(row, y=y, expected=usual) for row, (y, usual) in zip(rows, values.tolist(), strict=True))

    return replace(screening, rows=moved(screening.rows), far=moved(screening.far))
