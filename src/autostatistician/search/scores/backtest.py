"""How the models that a search visited would have forecast the later part of the data (a rolling origin).

Every model is refitted to the rows before an origin and forecasts the stretch behind it (Tashman 2000); of very many
rows its parameters are held. The structure itself was found on all rows, the forecast ones among them: errors are
somewhat smaller than those of true forecasts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, softmax

from autostatistician.data.dataset import Dataset, of_rows
from autostatistician.data.transform import Transform
from autostatistician.inference import Problem, condition, fit
from autostatistician.inference.fitting import Outcome
from autostatistician.inference.likelihoods.base import Likelihood
from autostatistician.inference.likelihoods.gaussian import GAUSSIAN
from autostatistician.inference.likelihoods.sited import Sited
from autostatistician.inference.parameters import LearnedPriors
from autostatistician.inference.predictive import CountPredictive, Predictive
from autostatistician.language.kernel import Kernel
from autostatistician.search.starting.standardisation import standard
from autostatistician.threads import one_thread

__all__ = [
    "ORIGINS",
    "Backtest",
    "Stretch",
    "backtest",
    "evidence_of",
    "nearest_values",
    "origins",
    "refit",
    "refits",
    "seasonal_naive",
    "stacked",
    "widening",
]

Array = NDArray[np.float64]

ORIGINS = (0.8, 0.9)  # of the span of the data
STEPS_OF_REFIT = 30  # it starts at the parameters for all rows
STEPS_TIMES_ROWS = 150_000  # of a refit at most: the more rows there are, the less some of them move the parameters
MOST_ROWS_REFITTED = 20_000  # of data; the parameters of more, which the rows before know as well, are held
FEWEST_ROWS_BEFORE, FEWEST_ROWS_AHEAD = 20, 2  # before an origin and behind it
SHARE_IN_BANDS = 0.95  # of observations, that bands are to hold
PRIOR_OBSERVATIONS = 20.0  # that the model before is worth: among so many one lies outside of its band
LEAST_ABOVE = 1e-15  # of a count: larger ones are no further off
SMALLEST_PROBABILITY = 1e-300  # instead of the zero probability of values far away


@dataclass(frozen=True, eq=False)
class Stretch:
    """A stretch of m rows as k models forecast it from the rows before."""

    origin: float  # the last position that the models saw
    rows: NDArray[np.intp]  # (m,) in the data set
    y: Array  # (m,) in the units of the data, offset included
    forecasts: Predictive  # (k, m), equally weighted

    def by(self, weights: Array) -> Predictive:
        """The forecast of the models by these weights (k,)."""
        return replace(self.forecasts, weights=weights)

    def alone(self, index: int) -> Predictive:
        """The forecast of one model."""
        row = slice(index, index + 1)
        means, sds = self.forecasts.means[row], self.forecasts.sds[row]
        return replace(self.forecasts, means=means, sds=sds, weights=np.ones(1))

    def errors(self, weights: Array) -> Array:
        """Standardised errors (m,): normal with variance one where the forecast is true to its uncertainty."""
        forecast = self.by(weights)
        if isinstance(forecast, CountPredictive):
            middle = forecast.midpoint(self.y)
            return np.asarray(ndtri(np.clip(middle, SMALLEST_PROBABILITY, 1.0 - LEAST_ABOVE)))
        below = forecast.cdf(self.y)
        mirrored = replace(
            forecast, means=-forecast.means, transform=Transform()
        )  # the other tail, without cancellation
        above = mirrored.cdf(-forecast.transform.forward(self.y - forecast.offset) + forecast.offset)
        lower, upper = ndtri(np.maximum(below, SMALLEST_PROBABILITY)), -ndtri(np.maximum(above, SMALLEST_PROBABILITY))
        return np.where(below < 0.5, lower, upper)


@dataclass(frozen=True, eq=False)
class Backtest:
    """The stretches and the kernels that forecast them, by their index in what `backtest` was given."""

    models: tuple[int, ...]
    stretches: tuple[Stretch, ...]

    def weights(self, prior: Array) -> Array:
        """Weights (k,) by the forecasts, held near ``prior`` (k,) while these say little (see `stacked`)."""
        if not self.stretches:
            return prior
        densities = [
            np.array([stretch.alone(index).log_density(stretch.y) for index in range(len(prior))])
            for stretch in self.stretches
        ]
        counts = [
            np.full(len(stretch.y), evidence_of(stretch.errors(prior)) / len(stretch.y)) for stretch in self.stretches
        ]
        return stacked(np.hstack(densities), np.concatenate(counts), prior)

    def widening(self, weights: Array) -> float:
        """The factor for the bands of the models by these weights (k,) (see `widening`)."""
        return widening([stretch.errors(weights) for stretch in self.stretches])


def backtest(
    kernels: Sequence[Kernel],
    dataset: Dataset,
    transform: Transform,
    steps: int = STEPS_OF_REFIT,
    priors: LearnedPriors | None = None,
    law: Likelihood = GAUSSIAN,
) -> Backtest:
    """Refit kernels to the rows before each of `ORIGINS` and forecast the rows from there to the next.

    A stretch is left out where too few rows lie before or behind its origin, and a model that cannot be refitted.

    Parameters
    ----------
    kernels : sequence of Kernel
        With their parameters for all rows, in the units of the model.
    dataset : Dataset
        The data with one input on the scale of the model (see `modelled`).
    transform : Transform
        From the data to that scale.
    steps : int
        Quasi-Newton steps of a refit; of many rows fewer, of very many none.
    priors : LearnedPriors, optional
        What was known of the parameters before the data, as in the fits of the search.
    law : Likelihood
        How the data come about; of counts pseudo-targets are data.
    """
    steps = steps if refits(dataset.n) else 0
    forecasts: list[tuple[float, NDArray[np.intp], list[tuple[Array, Array] | None]]] = []
    with one_thread():
        for cut, until in origins(dataset.x):
            before, ahead = dataset.x <= cut, np.flatnonzero((dataset.x > cut) & (dataset.x <= until))
            before_cut = of_rows(dataset, before)
            forecasts.append(
                (cut, ahead, [_forecast(kernel, before_cut, dataset.X[ahead], steps, priors) for kernel in kernels])
            )
    usable = tuple(i for i in range(len(kernels)) if all(moments[i] is not None for _, _, moments in forecasts))
    if not usable:
        return Backtest((), ())
    chosen = [(cut, ahead, [moments[i] for i in usable]) for cut, ahead, moments in forecasts]
    return Backtest(
        usable,
        tuple(_stretch(*origin, dataset, transform, law) for origin in chosen),
    )


def origins(x: Array) -> list[tuple[float, float]]:
    """The ends of the data that tests of a series know, each with the last position that is forecast from there.

    >>> origins(np.arange(101.0)), origins(np.arange(20.0))
    ([(80.0, 90.0), (90.0, 100.0)], [])
    """
    low, high = float(x.min()), float(x.max())
    cuts = [low + share * (high - low) for share in ORIGINS]
    return [
        (cut, until)
        for cut, until in zip(cuts, [*cuts[1:], high], strict=True)
        if np.sum(x <= cut) >= FEWEST_ROWS_BEFORE and np.sum((x > cut) & (x <= until)) >= FEWEST_ROWS_AHEAD
    ]


def seasonal_naive(series: tuple[Array, Array], ahead: Array, season: float | None) -> Array:
    """The forecast that every other has to beat: the value of one season before, or the last one without a season.

    Parameters
    ----------
    known : (x, y)
        Positions (n,), ascending, and values (n,) of the rows before.
    ahead : array (m,)
        Positions that are forecast. More than one season ahead the last known season is repeated.
    season : float, optional
        Its length on the axis of the positions; where no value lies exactly one before, the nearest does.

    Examples
    --------
    >>> x = np.arange(6.0)
    >>> seasonal_naive((x, np.array([5.0, 1.0, 3.0, 6.0, 2.0, 4.0])), np.array([6.0, 7.0, 9.0]), 3.0).tolist()
    [6.0, 2.0, 6.0]
    >>> seasonal_naive((x, x), np.array([6.0, 7.0]), None).tolist()
    [5.0, 5.0]
    """
    x, y = series
    if season is None or x[-1] - x[0] < season:
        return np.full(len(ahead), y[-1])
    return nearest_values(series, ahead - np.ceil((ahead - x[-1]) / season - 1e-6) * season)


def nearest_values(series: tuple[Array, Array], before: Array) -> Array:
    """The values nearest to positions (m,) within a series."""
    x, y = series
    places = np.clip(np.searchsorted(x, before), 1, len(x) - 1)
    return np.asarray(y[places - (before - x[places - 1] < x[places] - before)])


def refits(n: int) -> bool:
    """Whether of so many rows parameters are refitted to those before an origin.

    >>> refits(2000), refits(100_000)
    (True, False)
    """
    return n <= MOST_ROWS_REFITTED


def _forecast(
    kernel: Kernel, before: Dataset, ahead: Array, steps: int, priors: LearnedPriors | None
) -> tuple[Array, Array] | None:
    """Mean and standard deviation (m,) of new observations; None where the model cannot be refitted."""
    refitted = refit(kernel, before, priors, steps) if steps else kernel
    return None if refitted is None else condition(refitted, Problem.of(before)).observations(ahead)


def refit(kernel: Kernel, before: Dataset, priors: LearnedPriors | None, steps: int) -> Kernel | None:
    """The kernel with its parameters fitted to some rows, of very many as it is; None where that fails."""
    if not refits(before.n):
        return kernel
    maps, problem, scales = standard(before, priors=priors)
    refitted = fit(maps.to_standard(kernel), problem, scales, min(steps, max(STEPS_TIMES_ROWS // before.n, 1)))
    return None if refitted.outcome is Outcome.FAILED else maps.to_data(refitted.kernel)


def _stretch(
    cut: float,
    rows: NDArray[np.intp],
    moments: list[tuple[Array, Array] | None],
    data: Dataset,
    transform: Transform,
    law: Likelihood,
) -> Stretch:
    means, sds = (np.array([moment[which] for moment in moments if moment is not None]) for which in (0, 1))
    weights = np.full(len(moments), 1.0 / max(len(moments), 1))
    law = law.about(of_rows(data, rows)) if isinstance(law, Sited) else law
    made = law.mapped(transform).predictive(means, sds, weights, data.offset)
    return Stretch(cut, rows, observed(data, transform)[rows], made)


def observed(data: Dataset, transform: Transform) -> Array:
    """Values (n,) that data on the scale of a model stand for."""
    if data.counts is None:
        return transform.back(data.y) + data.offset
    return data.counts if data.sizes is None else data.counts / data.sizes.at(data.x)


def evidence_of(errors: Array) -> float:
    """How many independent errors a stretch of them is worth: one miss of a level is many errors, but one event.

    With the lag-one autocorrelation r about zero, ``n (1 - r) / (1 + r)``, from 1 to n (Bartlett 1935).

    >>> evidence_of(np.array([2.0, 2.0, 2.0, 2.0, 2.0])), evidence_of(np.array([1.0, -1.0, 1.0, -1.0]))
    (1.0, 4.0)
    """
    size, n = float(errors @ errors), len(errors)
    together = float(errors[1:] @ errors[:-1]) * n / (max(n - 1, 1) * size) if size else 0.0
    together = min(max(together, 0.0), 1.0)
    return max(1.0, n * (1.0 - together) / (1.0 + together))


def widening(errors: Sequence[Array]) -> float:
    """The factor by which bands are to be widened, from standardised errors of several stretches; at least 1.

    It would have made 95 % bands hold 95 % of the errors; its logarithm is shrunk towards zero as if there were
    twenty more observations for which the bands were right.

    >>> widening([]), round(widening([np.array([4.0, -4.0] * 40)]), 3)
    (1.0, 1.769)
    """
    if not errors:
        return 1.0
    worth = [evidence_of(each) for each in errors]
    shares = np.concatenate([np.full(len(each), w / len(each)) for each, w in zip(errors, worth, strict=True)])
    sizes = np.abs(np.concatenate(errors))
    order = np.argsort(sizes, kind="stable")
    reached = np.cumsum(shares[order]) / shares.sum()
    needed = float(sizes[order][np.searchsorted(reached, SHARE_IN_BANDS - 1e-9)])
    factor = max(needed / NormalDist().inv_cdf(0.5 + 0.5 * SHARE_IN_BANDS), 1.0)
    return float(np.exp(sum(worth) / (sum(worth) + PRIOR_OBSERVATIONS) * log(factor)))


def stacked(densities: Array, counts: Array, prior: Array) -> Array:
    """Weights of models by how they forecast: stacking of predictive distributions (Yao et al. 2018), held back.

    They maximise ``sum(counts * log(weights @ exp(densities))) + 20 prior @ log(weights)``: twenty observations speak
    for the weights before. The function is concave; the iteration is expectation maximisation.

    Parameters
    ----------
    densities : array (k, m)
        Log density of every observation by each model.
    counts : array (m,)
        How many independent observations each is worth.
    prior : array (k,)
        Weights before, adding up to one.

    Examples
    --------
    >>> stacked(np.array([[0.0], [-100.0]]), np.array([20.0]), np.array([0.5, 0.5])).round(6).tolist()
    [0.75, 0.25]
    """
    weights = prior
    for _ in range(1000):
        shares = softmax(densities + np.log(np.maximum(weights, SMALLEST_PROBABILITY))[:, None], axis=0)
        better = PRIOR_OBSERVATIONS * prior + shares @ counts
        better /= better.sum()
        if np.abs(better - weights).max() < 1e-9:
            break
        weights = better
    return np.asarray(better)
