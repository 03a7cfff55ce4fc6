"""What an event did to a series: its rows since then beside what rows before, and the columns, say would have been.

The rows after the event are forecast from those before it with the columns as they were, as in Brodersen et al. 2015
(Annals of Applied Statistics 9). The same is done for earlier dates, at which nothing is known to have happened: how
often these look as much like an event is a test without any assumption on the errors (Abadie et al. 2010).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from autostatistician.data.dataset import Dataset, of_rows
from autostatistician.data.outliers import NO_SCREENING
from autostatistician.errors import InputError
from autostatistician.fitted.covariate_effects import effects_anew
from autostatistician.fitted.fitting import fit_model
from autostatistician.fitted.model import Model
from autostatistician.fitted.predictions import Options, Predictor
from autostatistician.gp.predictive import ENDS_OF_95
from autostatistician.regressors.effects import Clock
from autostatistician.search.run import Settings
from autostatistician.search.state import Watched

__all__ = ["EffectSize", "Impact", "impact_of"]

Array = NDArray[np.float64]

FEWEST_BEFORE = 12  # rows to learn from
MOST_AFTER = 2000  # rows, whose covariances one matrix holds
PLACEBOS, OF_MANY_ROWS = 20, 6  # earlier dates that are tried
MANY_ROWS = 1000
LEAST_LEARNED = 0.5  # share of the rows before the event, that a placebo learns from at least
LONGEST_PLACEBO = 0.25  # share of them that it forecasts at most
HALF_OF_RANGE = 1.959964  # standard deviations
RARE = 0.05


class EffectSize(NamedTuple):
    """A number with its range of 95 %."""

    mean: float
    lower: float
    upper: float

    @classmethod
    def of(cls, mean: float, sd: float, size: float = 1.0) -> EffectSize:
        """That of a sum, in units of some ``size``.

        >>> EffectSize.of(10.0, 0.0, 5.0)
        EffectSize(mean=2.0, lower=2.0, upper=2.0)
        """
        ends = sorted((mean + side * HALF_OF_RANGE * sd) / size for side in (-1.0, 1.0))
        return cls(mean / size, *ends)


@dataclass(frozen=True, eq=False)
class Impact:
    """An event at position ``since``: values (m,) after it, and what is expected there without it.

    ``placebos`` are, of earlier dates, the sizes of what looks like an event, in standard deviations; ``size`` is that
    of the event over as many rows.
    """

    model: Model  # of the rows before
    since: float
    x: Array
    values: Array
    mean: Array
    lower: Array
    upper: Array
    average: EffectSize
    total: EffectSize
    share: EffectSize | None  # of what was expected; None where that is not above zero
    p_value: float  # of the total, by the model
    size: float
    placebos: Array

    @property
    def placebo_p(self) -> float:
        """The probability of a date like that of the event, were it one like the earlier dates."""
        return float((1 + np.sum(np.abs(self.placebos) >= abs(self.size))) / (1 + len(self.placebos)))

    @property
    def tested(self) -> bool:
        """Whether there are dates enough that an event could stand out from them."""
        return 1.0 / (1 + len(self.placebos)) <= RARE

    @property
    def is_event(self) -> bool:
        """Whether chance hardly gives as much, by the range and by the earlier dates."""
        return self.p_value < RARE and (not self.tested or self.placebo_p <= RARE)


def impact_of(
    dataset: Dataset,
    since: float,
    language: str,
    settings: Settings,
    options: Options,
    callback: Callable[[Watched], None] | None = None,
) -> Impact:
    """The effect of an event at a position of a series.

    Raises
    ------
    InputError
        When there are too few rows before it, or none after it.
    """
    after = dataset.x >= since
    if np.sum(~after) < FEWEST_BEFORE or not after.any() or np.sum(after) > MOST_AFTER:
        counts = f"{int(np.sum(~after))} and {int(np.sum(after))}"
        wanted = f"at least {FEWEST_BEFORE} rows before the event and 1 to {MOST_AFTER} after it"
        raise InputError.of(wanted, counts, "give another date")
    model = fit_model(_rows(dataset, ~after), language, settings, callback)
    x, values = dataset.x[after], dataset.y[after] + dataset.offset
    predictor = Predictor(model, replace(options, breaks=False))  # whether there was one is the question
    mean, cov = predictor.joint(x[:, None])
    lower, upper = predictor.predictive(x[:, None]).quantiles(ENDS_OF_95).T
    total, sd, expected = float(np.sum(values - mean)), float(np.sqrt(cov.sum())), float(mean.sum())
    horizon = max(1, min(len(x), int(LONGEST_PLACEBO * model.dataset.n)))
    sizes = _placebos(model, horizon)
    size = _size(model, x[:horizon], values[:horizon])
    share = EffectSize.of(total, sd, expected) if mean.min() > 0.0 else None
    return Impact(
        model, since, x, values, mean, lower, upper, EffectSize.of(total, sd, float(len(x))), EffectSize.of(total, sd),
        share, 2.0 * float(norm.sf(abs(total) / sd)), size, sizes,
    )  # fmt: skip


def _rows(dataset: Dataset, kept: NDArray[np.bool_]) -> Dataset:
    return of_rows(dataset, kept)


def _placebos(model: Model, horizon: int) -> Array:
    """Sizes (k,) of what looks like an event at earlier dates, each learned from the rows before it."""
    n, x, values = model.dataset.n, model.dataset.x, model.observed
    most = OF_MANY_ROWS if n > MANY_ROWS else PLACEBOS
    first = max(int(LEAST_LEARNED * n), FEWEST_BEFORE)
    if n - horizon < first:
        return np.zeros(0)
    dates = np.unique(np.linspace(first, n - horizon, most).round().astype(np.intp))
    sizes = [_size(_before(model, date), x[date : date + horizon], values[date : date + horizon]) for date in dates]
    return np.array(sizes)


def _before(model: Model, row: int) -> Model:
    """The model given its rows before one of them: its expression and parameters stay, effects are estimated anew."""
    data = _rows(model.dataset, np.arange(model.dataset.n) < row)
    search = replace(model.search, frontier=(model.search.best,))
    earlier = replace(model, dataset=data, search=search, screening=NO_SCREENING, other=None)
    if model.effects is None:
        return earlier
    return effects_anew(earlier, model.effects, Clock.of(data), refit=False)


def _size(model: Model, x: Array, values: Array) -> float:
    """How far values (m,) lie from what a model expects on average, in standard deviations of that."""
    mean, cov = Predictor(model, Options(average=False, limits=None)).joint(x[:, None])
    return float(np.sum(values - mean) / np.sqrt(cov.sum()))
