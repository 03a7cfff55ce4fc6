"""Several classes by a model of each against the rest: chances that sum to one, their ranges, what all say together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.dataset import Dataset
from autostatistician.decompose.records.classes import Chances, ClassForecast
from autostatistician.decompose.records.table import SeveralClasses, TableDecomposition
from autostatistician.decompose.table.leave_one_out_classes import shared_out, together
from autostatistician.fitted.explanation import explain, steps_ahead
from autostatistician.fitted.predictions import Predictor
from autostatistician.gp.likelihoods import Bernoulli
from autostatistician.gp.predictive import ENDS_OF_95, Predictive

__all__ = ["EachAgainstRest"]

Array = NDArray[np.float64]

DRAWS = 2000  # of the functions of all classes, for the ranges of their chances
MOST_DRAWN = 10_000_000  # numbers at once


@dataclass(frozen=True, eq=False)
class EachAgainstRest:
    """The predictions of each class against the rest, in the order of the classes, and the data of all."""

    predictors: tuple[Predictor, ...]
    dataset: Dataset

    def chances(self, X: Array) -> Array:
        """The chance (m, classes) of each class at rows (m, d)."""
        return shared_out(np.column_stack([predictor.probability(X) for predictor in self.predictors]))

    def ranges(self, X: Array, levels: Sequence[float]) -> Array:
        """Quantiles (levels, m, classes) of the same chances, as far as the data leave them open, by draws."""
        rows = max(MOST_DRAWN // (DRAWS * len(self.predictors)), 1)
        parts = [self._ranges(X[start : start + rows], levels) for start in range(0, len(X), rows)]
        return np.concatenate(parts, axis=1)

    def _ranges(self, X: Array, levels: Sequence[float]) -> Array:
        rng = np.random.default_rng(self.predictors[0].model.settings.seed)
        drawn = [_drawn(predictor, X, rng) for predictor in self.predictors]
        return np.quantile(shared_out(np.stack(drawn, axis=-1)), levels, axis=0)

    def explained(self, horizon: int | None = None) -> SeveralClasses:
        """Everything that a report says, from the records of each class, and ``horizon`` steps ahead of a series."""
        found = [explain(predictor, horizon) for predictor in self.predictors]
        records = tuple(record for record in found if isinstance(record, TableDecomposition))
        x = steps_ahead(self.predictors[0].model, horizon)
        if x.size:
            pairs = zip(records, self.told(x[:, None]), strict=True)
            records = tuple(replace(record, ahead=ClassForecast(x, chances)) for record, chances in pairs)
        return together(self.dataset, records)

    def told(self, X: Array) -> list[Chances]:
        """The chances of each class at rows (m, d) with the ranges that hold them with 95 %."""
        if len(self.predictors) == 1:  # of two classes
            return [self.predictors[0].chances(X)]
        chances, (lower, upper) = self.chances(X), self.ranges(X, ENDS_OF_95)
        return [Chances(np.clip(*each), *each[1:]) for each in zip(chances.T, lower.T, upper.T, strict=True)]

    def ahead(self, steps: int | None) -> Array:
        """The next positions (m,) on the axis of a series."""
        return self.predictors[0].ahead(steps)[0]


def _drawn(predictor: Predictor, X: Array, rng: np.random.Generator) -> Array:
    """Draws (draws, m) of the chance of a class against the rest at rows (m, d)."""
    function = predictor.predictive(X, signal=True)
    likelihood = predictor.model.problem.likelihood
    assert isinstance(function, Predictive) and isinstance(likelihood, Bernoulli)
    member = rng.choice(len(function.weights), size=DRAWS, p=function.weights / function.weights.sum())
    values = function.means[member] + function.sds[member] * rng.standard_normal((DRAWS, 1))
    return np.maximum(likelihood.math.probability(values), np.finfo(np.float64).tiny)
