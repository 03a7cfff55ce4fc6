"""What a forecast would be with other values of the columns beside a series: the difference, with its range."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.predictive import ENDS_OF_95, Averaged, Predictive
from autostatistician.model.beside import draws_of_columns
from autostatistician.model.predictions import Predictor

__all__ = ["Amounts", "WhatIf", "what_if"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Amounts:
    """Means with ranges of 95 %: (m,) each, or single numbers."""

    mean: Array
    lower: Array
    upper: Array

    @classmethod
    def of_draws(cls, draws: Array, mean: Array | None = None) -> Amounts:
        """Those of draws (s, m) or (s,), about a ``mean`` that is known better.

        >>> Amounts.of_draws(np.linspace(0.0, 2.0, 201)).lower.round(3).tolist()
        0.05
        """
        lower, upper = np.quantile(draws, ENDS_OF_95, axis=0)
        return cls(np.asarray(draws.mean(axis=0) if mean is None else mean), lower, upper)


@dataclass(frozen=True, eq=False)
class WhatIf:
    """Two forecasts at positions ``x`` (m,), and how far the second lies above the first, in the units of the data."""

    x: Array
    first: Predictive | Averaged
    second: Predictive | Averaged
    difference: Amounts  # at each position
    average: Amounts
    total: Amounts
    share: Amounts  # of the total of the first forecast; no numbers where some of it is not above zero


def what_if(first: Predictor, second: Predictor, x: Array) -> WhatIf:
    """The difference of two forecasts of one model whose columns go on in other ways.

    Only what the columns add differs, so the range is that of their effects. Of a model of the logarithm the effects
    are factors of the first forecast.
    """
    model, (before, after) = first.model, (each.predictive(x[:, None]) for each in (first, second))
    draws = np.zeros((1, len(x)))
    if model.effects is not None:
        draws = draws_of_columns(model, x, second.courses) - draws_of_columns(model, x, first.courses)
    if model.transform.is_mapped:
        draws = model.transform.moved(before.mean, draws) - before.mean
    level = float(np.sum(before.mean)) if np.all(before.mean > 0.0) else np.nan
    mean, totals = after.mean - before.mean if model.transform.is_mapped else draws.mean(axis=0), draws.sum(axis=1)
    average, total, share = (Amounts.of_draws(totals / of, mean.sum() / of) for of in (len(x), 1.0, level))
    return WhatIf(x, before, after, Amounts.of_draws(draws, mean), average, total, share)
