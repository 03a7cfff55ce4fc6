"""A backtest of the forecast that is printed, with all that predictions are made of, from rolling origins.

Of few rows the model is searched anew at each origin; of more its best structures are refitted to the rows before it
(Tashman 2000), which were found on all rows: errors are then somewhat smaller than those of true forecasts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from autostatistician._io.threads import one_thread
from autostatistician.data.dataset import Dataset, of_rows
from autostatistician.data.moments import check_steps
from autostatistician.data.transform import Transform
from autostatistician.errors import InputError
from autostatistician.fitted.counts import pseudo_targets
from autostatistician.fitted.covariate_effects import effects_anew
from autostatistician.fitted.ensemble import MANY_ROWS, MOST_STRUCTURES
from autostatistician.fitted.fitting import fit_model
from autostatistician.fitted.model import Model
from autostatistician.fitted.predictions import Predictor
from autostatistician.fitted.rescoring import rescored
from autostatistician.fitted.settings import default_horizon
from autostatistician.fitted.transform_averaging import OtherTransform
from autostatistician.gp import Problem, condition, fit
from autostatistician.gp.count_likelihoods import Sited
from autostatistician.gp.fitting import Outcome
from autostatistician.gp.parameters import LearnedPriors
from autostatistician.gp.predictive import Averaged, Predictive, predictive
from autostatistician.kernels.kernel import Kernel
from autostatistician.regressors.effects import Clock
from autostatistician.search.starting.standardisation import standard
from autostatistician.search.state import Candidate, SearchResult

__all__ = [
    "Split", "naive_differences", "origins", "refits", "rolling", "season_of", "seasonal_naive", "simple_forecasts",
    "splits_at",
]  # fmt: skip

Array = NDArray[np.float64]

MOST_ROWS_SEARCHED = 50  # before an origin: a search of them takes two seconds of a processor
FEWEST_ROWS_BEFORE = 12
USUAL_SPLITS = 5
ORIGINS = (0.8, 0.9)  # of the span of the data
FEWEST_ROWS_KNOWN, FEWEST_ROWS_AHEAD = 20, 2  # before one of these and behind it
REFIT_STEPS, REFIT_STEPS_OF_MANY_ROWS = 30, 12  # they start at the parameters for all rows
STEPS_TIMES_ROWS = 150_000  # of a refit at most: the more rows there are, the less some of them move the parameters
MOST_ROWS_REFITTED = 20_000  # of data; the parameters of more, which the rows before know as well, are held
LEAST = 1e-15  # probability on either side of a value: errors stay finite


@dataclass(frozen=True, eq=False)
class Split:
    """The rows (m,) after an origin, as they came and as they were forecast from those ``known`` by then."""

    origin: float
    known: tuple[Array, Array]  # positions and values (n,)
    x: Array
    y: Array
    forecast: Predictive | Averaged
    searched: bool  # whether the structure, too, was found on the rows before

    @property
    def errors(self) -> Array:
        """Standardised errors (m,): normal with variance one where the forecast is true to its uncertainty."""
        return np.asarray(ndtri(np.clip(self.forecast.midpoint(self.y), LEAST, 1.0 - LEAST)))


def rolling(
    predictor: Predictor, horizon: int | None = None, step: int | None = None, n_splits: int | None = None
) -> list[Split]:
    """Forecasts of ``horizon`` rows from ``n_splits`` origins ``step`` rows apart, the last as late as can be.

    Raises
    ------
    InputError
        When the model is none of a series of numbers in order, or has too few rows.
    """
    model = predictor.model
    if not model.dataset.is_ordered or model.dataset.axis is None or model.dataset.classes:
        kind = "classes" if model.dataset.classes else "a model of rows without an order"
        raise InputError.of("a model of a series of numbers, for a backtest", kind, "name a column of times")
    data = model.with_aside
    places = np.unique(data.x)
    spare = len(places) - FEWEST_ROWS_BEFORE
    usual = min(default_horizon(model.dataset, model.kernel), max(spare // 2, 1))
    horizon = usual if horizon is None else check_steps(horizon)
    step = horizon if step is None else check_steps(step)
    most = (spare - horizon) // step + 1
    count = max(min(USUAL_SPLITS, most), 1) if n_splits is None else check_steps(n_splits)
    if count > most:
        needed = FEWEST_ROWS_BEFORE + horizon + (count - 1) * step
        expected = f"at least {needed} rows for {count} times {horizon} rows ahead, {step} apart"
        raise InputError.of(expected, str(len(places)), "ask for fewer splits, or a shorter horizon")
    last = len(places) - horizon - 1
    cuts = [last - step * back for back in range(count)][::-1]
    return splits_at(predictor, data, [(places[cut], places[cut + horizon]) for cut in cuts], search=True)


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
        if np.sum(x <= cut) >= FEWEST_ROWS_KNOWN and np.sum((x > cut) & (x <= until)) >= FEWEST_ROWS_AHEAD
    ]


@one_thread()
def splits_at(
    predictor: Predictor, data: Dataset, stretches: Iterable[tuple[float, float]], *, search: bool = False
) -> list[Split]:
    """The forecasts of stretches of the data as observed, each from its origin to its last position.

    Columns beside the series are as they were. Without a ``search`` structures are refitted however few rows there are.
    """
    model, made = predictor.model, []
    y = data.y + data.offset
    for origin, until in stretches:
        before, ahead = data.x <= origin, (data.x > origin) & (data.x <= until)
        searched = search and np.count_nonzero(before) <= MOST_ROWS_SEARCHED
        if searched:
            earlier = fit_model(of_rows(data, before), model.language, model.settings)
        else:
            earlier = refitted(model, model.dataset.x <= origin)
        forecast = replace(predictor, model=earlier, courses=()).predictive(data.X[ahead])
        made.append(Split(origin, (data.x[before], y[before]), data.x[ahead], y[ahead], forecast, bool(searched)))
    return made


def refitted(model: Model, rows: NDArray[np.bool_]) -> Model:
    """The model of some of its rows: its structures stay, their parameters and weights are those of these rows."""
    data = of_rows(model.dataset, rows)
    most, steps = refits_of(model.dataset.n)
    first = [candidate for candidate, _ in model.structures[:most]]
    outliers = tuple(row for row in model.screening.rows if row.x <= data.x.max() and not row.ending)
    earlier = replace(
        model, dataset=data, search=_found(model, first), screening=replace(model.screening, rows=outliers), other=None
    )
    if model.effects is not None:
        earlier = effects_anew(earlier, model.effects, Clock.of(data), refit=False)
        earlier = replace(earlier, search=_found(earlier, [candidate for candidate, _ in earlier.structures]))
    kernels = [
        refit(candidate.kernel, earlier.modelled, earlier.priors, steps) or candidate.kernel
        for candidate, _ in earlier.structures
    ]
    problems, jacobians, law = [earlier.problem] * len(kernels), None, earlier.likelihood
    if isinstance(law, Sited):
        targets = [pseudo_targets(earlier.dataset, law.mapped(earlier.transform), kernel) for kernel in kernels]
        problems, jacobians = [Problem.of(each.data) for each in targets], [each.log_ratio for each in targets]
    posteriors = (condition(kernel, problem) for kernel, problem in zip(kernels, problems, strict=True))
    weighed = sorted(rescored(earlier, earlier, posteriors, jacobians), key=Candidate.rank)
    other = model.on_other_scale
    return replace(
        earlier, search=_found(earlier, weighed),
        other=None if other is None else OtherTransform(other.transform, refitted(other, rows).search),
    )  # fmt: skip


def refits_of(rows: int) -> tuple[int, int]:
    """How many structures are refitted to some of so many rows, and in how many steps.

    >>> refits_of(400), refits_of(401)
    ((8, 30), (4, 12))
    """
    return (MOST_STRUCTURES // 2, REFIT_STEPS_OF_MANY_ROWS) if rows > MANY_ROWS else (MOST_STRUCTURES, REFIT_STEPS)


def refits(n: int) -> bool:
    """Whether of so many rows parameters are refitted to those before an origin.

    >>> refits(2000), refits(100_000)
    (True, False)
    """
    return n <= MOST_ROWS_REFITTED


def refit(kernel: Kernel, before: Dataset, priors: LearnedPriors | None, steps: int) -> Kernel | None:
    """The kernel with its parameters fitted to some rows, of very many as it is; None where that fails."""
    if not refits(before.n):
        return kernel
    maps, problem, scales = standard(before, priors=priors)
    refitted = fit(maps.to_standard(kernel), problem, scales, min(steps, max(STEPS_TIMES_ROWS // before.n, 1)))
    return None if refitted.outcome is Outcome.FAILED else maps.to_data(refitted.kernel)


def _found(model: Model, candidates: Sequence[Candidate]) -> SearchResult:
    return replace(model.search, best=candidates[0], frontier=tuple(candidates))


# --- The simple forecasts that every other has to beat --------------------------------------------------------------


def season_of(model: Model) -> float | None:
    """The shortest season of the calendar that has several steps; None without one."""
    axis = model.dataset.axis
    step = float(np.median(np.diff(np.unique(model.dataset.x))))
    return min((period for period in (axis.natural_periods if axis else ()) if period > 1.5 * step), default=None)


def seasonal_naive(series: tuple[Array, Array], ahead: Array, season: float | None) -> Array:
    """The forecast that every other has to beat: the value of one season before, or the last one without a season.

    Parameters
    ----------
    series : (x, y)
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


def naive_differences(known: tuple[Array, Array], season: float | None) -> Array:
    """By how much values lie above those a season before, or the last ones, within what was known.

    >>> naive_differences((np.arange(4.0), np.array([1.0, 2.0, 4.0, 8.0])), 2.0).tolist()
    [3.0, 6.0]
    """
    x, y = known
    if season is None or x[-1] - x[0] < season:
        return np.diff(y)
    later = x - x[0] >= season * (1.0 - 1e-6)
    return np.asarray(y[later] - nearest_values(known, x[later] - season))


def simple_forecasts(split: Split, season: float | None, gap: float) -> dict[str, Predictive]:
    """A seasonal naive forecast and a random walk with drift, with normal ranges by their errors within what was known.

    Their variances grow with the seasons, or steps of ``gap``, ahead (Hyndman and Athanasopoulos 2021, chapter 5).
    """
    x, y = split.known
    spread = float(np.sqrt(np.mean(naive_differences(split.known, season) ** 2)))
    ahead, steps = split.x - x[-1], max((x[-1] - x[0]) / gap, 1.0)
    turns, h = np.ceil(ahead / (season or gap) - 1e-6), ahead / gap
    drift = (y[-1] - y[0]) / steps
    walk = float(np.std(np.diff(y) - drift * np.diff(x) / gap))
    naive = seasonal_naive(split.known, split.x, season)
    return {
        "seasonal naive": predictive(naive, _some(spread * np.sqrt(turns)), Transform()),
        "random walk with drift": predictive(
            y[-1] + drift * h, _some(walk * np.sqrt(h * (1.0 + h / steps))), Transform()
        ),
    }


def _some(sds: Array) -> Array:
    """Standard deviations that are above zero: a series may be constant."""
    return np.maximum(sds, np.finfo(np.float64).tiny ** 0.5)
