"""Exposures and totals of counts that are to come, as users give them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.beside import columns_beside
from autostatistician.data.covariates import Covariates
from autostatistician.data.later import named_columns, read_plan
from autostatistician.data.sizes import MOST, Sizes
from autostatistician.data.steps import check_steps
from autostatistician.describe.words.answers.plans import assumed_size_text
from autostatistician.model.courses import AUTO, LAST_YEAR
from autostatistician.model.horizon import default_horizon
from autostatistician.model.predictions import Predictor

__all__ = ["planned_sizes", "with_sizes_of"]

Array = NDArray[np.float64]


def planned_sizes(
    predictor: Predictor, sizes: Sizes, steps: int | None, future: Any
) -> tuple[Predictor, Array, tuple[str, ...]]:
    """The predictor with the sizes of a plan, the positions (m,) of its forecast, and what must be said of it.

    Without a plan those of the last row are taken; without ``steps`` the forecast goes as far as a plan.

    Raises
    ------
    InputError
        When a plan has no such column, or lacks a size, or has one that is none.
    """
    data, last = predictor.model.dataset, predictor.model.last
    assert data.axis is not None
    plan = None
    if future is not None and not (isinstance(future, str) and future in (AUTO, LAST_YEAR)):
        others = () if data.covariates is None else [column.name for column in data.covariates.table]
        plan = read_plan(future, _anything(sizes, last), data.axis, last, others)
        sizes = sizes.joined(plan.columns, where="row of the plan")
        if steps is None:
            steps = max(round((float(plan.columns.x.max()) - last) / (data.axis.step or data.axis.gap)), 1)
    steps = default_horizon(data, predictor.model.kernel) if steps is None else check_steps(steps)
    x = data.axis.future(last, steps)
    notes = () if plan is None else plan.notes
    if sizes.missing(x).any():
        notes = (*notes, assumed_size_text(sizes.name, float(sizes.at(x[sizes.missing(x)])[0] * sizes.per)))
    return replace(predictor, sizes=sizes), x, notes


def _anything(sizes: Sizes, last: float) -> Covariates:
    """The column as if it had held all sizes there are: of a new one nothing is to be said."""
    ends = replace(sizes.columns.table[0], values=np.array([0.0, MOST]))
    return Covariates(np.array([last - 1.0, last]), (ends,))


def with_sizes_of(predictor: Predictor, sizes: Sizes, X: Any, x: Array) -> Predictor:
    """The predictor with the sizes that stand beside the times (m,) in a frame of rows to predict."""
    given = named_columns(X)
    if all(column.name != sizes.name for column in given):
        return predictor
    return replace(predictor, sizes=sizes.joined(columns_beside(sizes.columns, given, x), where="row"))
