"""A finished search as one value: the data, the model with its numbers, the way it was found.

`fit_model` makes it, `decomposition` takes it apart, `saved` keeps it. The estimator and the command line are faces of
these functions.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from math import ceil, log
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from autostatistician.data.checks import has_two_values
from autostatistician.data.dataset import Dataset, Kind
from autostatistician.data.outliers import NO_SCREENING, Screening, noted
from autostatistician.data.transform import Transform, modelled
from autostatistician.decompose.records.series import Calibration, Decomposition, Fitted, Tried
from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.decompose.series.checks import check
from autostatistician.decompose.series.components import decompose, parts_at
from autostatistician.decompose.table.effects_of_columns import decompose_table, effects_at
from autostatistician.inference.criteria import bic
from autostatistician.inference.posterior import condition_arrays
from autostatistician.language.count import effective_parameters
from autostatistician.language.grammar import LANGUAGES, Language, sums
from autostatistician.language.kernel import Kernel, parameters
from autostatistician.model.settings import check_settings, check_steps, plain
from autostatistician.search.backtest import backtest, evidence_of
from autostatistician.search.outliers import screened
from autostatistician.search.run import Settings, search
from autostatistician.search.state import SearchResult, StepInfo, Watched
from autostatistician.search.transforms import Choice, chosen_transform
from autostatistician.search.weights import weighted

__all__ = [
    "Model",
    "decomposition",
    "default_horizon",
    "fit_model",
    "parts_elsewhere",
    "table_decomposition",
]

Array = NDArray[np.float64]

SWITCHES = 4  # of a series with two values: with no more, they are steps that can be told
LEVELS = (0.5, 0.8, 0.95)  # of the ranges that are tested
Step = TypeVar("Step", bound=StepInfo)

# How far people look ahead on a calendar, in steps; never more than a quarter of what was seen.
USUAL_HORIZON = {"month": 24, "quarter": 8, "week": 26, "day": 60, "business day": 60, "hour": 72}


@dataclass(frozen=True, eq=False)
class Model:
    """What `fit_model` returns.

    Numbers of kernels are in the units of ``modelled``: those of the data, or of their logarithm. Likelihoods and
    criteria are always those of the data themselves, so that models of both kinds compare.
    """

    dataset: Dataset
    language: str
    settings: Settings
    search: SearchResult
    choice: Choice = field(default_factory=lambda: Choice(Transform()))
    screening: Screening = NO_SCREENING  # the outliers that are not among the data

    @property
    def transform(self) -> Transform:
        """The map from the data to the scale of the model."""
        return self.choice.transform

    @cached_property
    def modelled(self) -> Dataset:
        """The data on the scale of the model."""
        return modelled(self.dataset, self.transform)

    @property
    def charge(self) -> float:
        """What BIC charges for the numbers of the map."""
        return self.transform.parameters * log(self.dataset.n)

    @property
    def kernel(self) -> Kernel:
        """The best model with its numbers."""
        return self.search.best.kernel

    def __repr__(self) -> str:
        best = self.search.best
        return f"Model({self.dataset.name!r}: {best.kernel}, nll={best.nll:.2f}, n={len(self.dataset.y)})"


def fit_model(
    dataset: Dataset,
    language: str,
    settings: Settings,
    callback: Callable[[Watched], None] | None = None,
    checkpoint: str | Path | None = None,
) -> Model:
    """Search for the model of a data set; with a ``checkpoint``, go on from that file and keep every level there.

    Raises
    ------
    InputError
        When the language, the criterion or the transform is unknown, another setting is out of its range, the
        logarithm of data is asked for that are not all positive, or the checkpoint is of another search.
    """
    check_settings(language, settings)
    settings = Settings(**{name: plain(value) for name, value in asdict(settings).items()})
    began = time.perf_counter()
    screening = NO_SCREENING
    if settings.outliers == "auto":
        dataset, screening = screened(dataset)
        dataset = noted(dataset, screening)
    grammar = _grammar(language, dataset)
    choice = chosen_transform(dataset, settings.transform, grammar.transforms, settings.seed)
    spent = time.perf_counter() - began
    left = None if settings.time_budget is None else max(settings.time_budget - spent, 1e-3)
    told = None if callback is None else _told_of_data(callback, dataset, choice.transform)
    usable = replace(settings, time_budget=left)
    found = search(modelled(dataset, choice.transform), grammar, usable, told, checkpoint)
    return Model(dataset, language, settings, _of_data(found, dataset, choice.transform), choice, screening)


def _grammar(language: str, dataset: Dataset) -> Language:
    """The language of the search; for a series of yes and no its sums alone.

    The variance of such values follows from their mean: where one of them comes many times in a row, noise seems to
    end, so products and windows would tell of noise that changes where only the chance of a value does, if anything.
    """
    known = LANGUAGES[language]
    if dataset.kind is Kind.TABLE or not has_two_values(dataset.y) or np.count_nonzero(np.diff(dataset.y)) <= SWITCHES:
        return known
    return sums(known)


# --- likelihoods of the data from those of their logarithm ------------------------------------------------------


def _told_of_data(
    callback: Callable[[Watched], None], dataset: Dataset, transform: Transform
) -> Callable[[Watched], None]:
    return lambda step: callback(replace(_step_of_data(step, dataset, transform), transform=transform))


def _of_data(found: SearchResult, dataset: Dataset, transform: Transform) -> SearchResult:
    """The result with the likelihoods and criteria of the data; the Jacobian of the map is the difference."""
    if not transform.is_log:
        return found
    misfit, charge = _added(dataset, transform)
    frontier = tuple(
        replace(one, nll=one.nll + misfit, score=one.score + 2.0 * misfit + charge) for one in found.frontier
    )
    trace = tuple(_step_of_data(step, dataset, transform) for step in found.trace)
    return replace(found, best=frontier[0], frontier=frontier, trace=trace)


def _step_of_data(step: Step, dataset: Dataset, transform: Transform) -> Step:
    misfit, charge = _added(dataset, transform)
    return replace(step, nll=step.nll + misfit, bic=step.bic + 2.0 * misfit + charge)


def _added(dataset: Dataset, transform: Transform) -> tuple[float, float]:
    """What a map adds to the negative log likelihood, and its charge in BIC."""
    return -transform.log_jacobian(dataset.y + dataset.offset), transform.parameters * log(dataset.n)


def fitted_numbers(model: Model) -> Fitted:
    """The likelihood, criterion and cost of the best model, on the raw data."""
    best, n = model.search.best, len(model.dataset.y)
    return Fitted(
        best.kernel,
        best.nll,
        bic(best.nll, best.kernel.expr, n) + model.charge,
        effective_parameters(best.kernel.expr) + model.transform.parameters,
        model.search.seconds,
        model.search.evaluations,
    )


def decomposition(model: Model, horizon: int | None = None, *, checked: bool = True) -> Decomposition:
    """The best model taken apart, with a forecast of ``horizon`` steps (by default a usual one; 0 for none).

    A curve, whose rows come in no order, has no next rows: no forecast unless steps are asked for, and no test of one.
    Unless it shall not be ``checked``, it is compared with the data, forecasts of their later part are tested, and
    facts get the ranges that the data leave to the numbers of the model.

    Raises
    ------
    InputError
        When the model has several inputs, or the horizon is not a whole number of steps.
    """
    path = tuple((step.expression, step.bic, step.seconds) for step in model.search.trace)
    usual = default_horizon(model.dataset, model.kernel) if model.dataset.is_ordered else 0
    steps = usual if horizon is None else check_steps(horizon, 0)
    with threadpool_limits(limits=1):  # the same numbers, and the same draws, on any machine
        found = decompose(
            model.kernel,
            model.modelled,
            fitted=fitted_numbers(model),
            path=path,
            horizon=steps,
            seed=model.settings.seed,
            transform=model.transform,
            intervals=checked,
        )
    alternatives = tuple((one.kernel, weight) for one, weight in weighted(model.search.frontier))
    found = replace(
        found,
        transform_gain=model.choice.gain,
        alternatives=alternatives,
        cut=model.search.cut,
        screening=model.screening,
    )
    return _checked(model, found) if checked else found


def table_decomposition(model: Model) -> TableDecomposition:
    """The best model of a table taken apart, and checked by leaving values out."""
    found = decompose_table(
        model.kernel,
        model.modelled,
        fitted=fitted_numbers(model),
        path=tuple((step.expression, step.bic, step.seconds) for step in model.search.trace),
        alternatives=tuple((one.kernel, weight) for one, weight in weighted(model.search.frontier)),
        seed=model.settings.seed,
        transform=model.transform,
    )
    return replace(
        found, tried=_tried(model), proposed=_proposed(model), criterion=model.settings.criterion, cut=model.search.cut
    )


def parts_elsewhere(
    model: Model, found: Decomposition | TableDecomposition, points: Array
) -> list[tuple[Array, Array]]:
    """Mean and standard deviation (m,) at points (m, d) of every part that was found, with the same doubt as there."""
    kernel, data, seed = model.kernel, model.modelled, model.settings.seed
    with threadpool_limits(limits=1):
        if isinstance(found, TableDecomposition):
            return effects_at(found.effects, kernel, data, points, seed=seed)
        return parts_at([part.kernel for part in found.components], kernel, data, points, seed=seed)


def _tried(model: Model) -> tuple[Tried, ...]:
    """What the search has fitted, the best first."""
    pairs = zip(model.search.frontier, model.search.parents, strict=True)
    return tuple(Tried(one.level, str(one.kernel), one.score, parent) for one, parent in pairs)


def _proposed(model: Model) -> tuple[int, ...]:
    """How many expressions every level of the search has tried."""
    return tuple(step.candidates for step in model.search.trace)


def _checked(model: Model, found: Decomposition) -> Decomposition:
    data = model.modelled
    rows = np.argsort(data.X[:, 0], kind="stable")
    with threadpool_limits(limits=1):  # the same numbers on any machine
        posterior = condition_arrays(model.kernel, data.X[rows], data.y[rows], data.columns)
        parts = tuple(one.kernel for one in found.components)
        checks = check(posterior, parts, model.settings.seed, found.noise_floor)
    found = replace(found, tried=_tried(model), proposed=_proposed(model), criterion=model.settings.criterion)
    return replace(found, checks=checks, calibration=_calibration(model))


def _calibration(model: Model) -> Calibration | None:
    """How the ranges of the best model held on the later rows, with numbers refitted to the rows before."""
    if not model.dataset.is_ordered:
        return None
    test = backtest([model.kernel], model.modelled, model.transform)
    if not test.stretches:
        return None
    below = np.concatenate([one.by(np.ones(1)).cdf(one.y) for one in test.stretches])
    missed = np.concatenate([np.abs(one.by(np.ones(1)).mean - one.y) for one in test.stretches])
    worth = sum(evidence_of(one.errors(np.ones(1))) for one in test.stretches)
    inside = tuple(float(np.mean(np.abs(2.0 * below - 1.0) <= level)) for level in LEVELS)
    origins = tuple(one.origin for one in test.stretches)
    return Calibration(origins, len(below), float(worth), LEVELS, inside, float(missed.mean()))


def default_horizon(dataset: Dataset, kernel: Kernel | None = None) -> int:
    """Steps that a reader of such a series would want to see: by its calendar, else a tenth of its length.

    With the ``kernel`` of its model at least one whole turn of every cycle that the data show twice.
    """
    axis = dataset.axis
    n = len(dataset.y)
    if axis is None:
        return 0
    span = float(np.ptp(dataset.X[:, 0]))
    cells = n if axis.step is None else max(n, round(span / axis.step))
    usual = USUAL_HORIZON.get(axis.frequency, ceil(0.1 * cells))
    step = axis.step or axis.gap
    known = () if kernel is None else zip(parameters(kernel.expr), kernel.values, strict=True)
    periods = [value for parameter, value in known if parameter.name == "period" and 2.0 * value <= span + step]
    return max(1, min(usual, ceil(0.25 * cells)), *(ceil(period / step - 0.05) for period in periods))
