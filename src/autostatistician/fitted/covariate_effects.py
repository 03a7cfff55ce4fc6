"""What columns beside a series explain of it: estimated with a plain time structure first, with the model's at last.

Effects and time structure compete for the same variation: effects are drawn given the covariance of the time
structure (`regressors.estimates`), so a column gets none of what a trend or a season explains as well, but for the
range of its effect. The search then sees the series without the effects.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autostatistician._io.threads import one_thread
from autostatistician.data.covariates import Covariates
from autostatistician.data.dataset import Dataset, Kind, at_usual, counted, of_rows
from autostatistician.data.exposures import LogOffsets
from autostatistician.data.outliers import Outlier, Screening
from autostatistician.data.transform import Transform, modelled
from autostatistician.fitted.counts import fitted_law, pseudo_targets, sited_counts
from autostatistician.fitted.model import Model
from autostatistician.fitted.rescoring import rescored, with_weighed
from autostatistician.gp import Problem, Scales, condition, fit
from autostatistician.gp.count_approximations import pseudo_data
from autostatistician.gp.count_likelihoods import Sited
from autostatistician.gp.posterior import Posterior
from autostatistician.gp.problem import Basis
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.regressors.effects import Clock
from autostatistician.regressors.estimates import CovariateEffects, estimated, prepared
from autostatistician.regressors.forecasts import likely_courses
from autostatistician.search.preprocessing import Choice
from autostatistician.search.run import Settings
from autostatistician.search.starting.standardisation import standard

__all__ = [
    "added_by_columns", "draws_of_columns", "effects_anew", "first_effects", "first_effects_of_counts",
    "fitted_beside", "followed_by_time", "may_have_effects", "over_courses", "spread_of", "time_structure",
    "with_columns", "with_effects",
]  # fmt: skip


Array = NDArray[np.float64]

ROUNDS = 2  # of effects given the time structure, and the time structure given the effects

FIRST_STEPS, LATER_STEPS = 40, 15

FAR, MOST_FAR = 5.0, 0.05  # standard deviations of a prediction; share of the rows

MOST_CYCLES = 2  # of the calendar in the plain time structure

MOST_ROWS_OF_FIT = 5000  # of the plain time structure: the last ones

MOST_ROWS_OF_JOINT = 20_000  # of more rows, what effects leave open is nothing beside the noise

MOST_ROWS_OF_BASIS = 1000  # of which one matrix is quick

FEWEST_ROWS = 8  # with fewer, columns are left alone

ROUNDS_OF_COUNTS = 3  # of pseudo-targets, time structure and effects


def first_effects(
    dataset: Dataset, transform: Transform, settings: Settings
) -> tuple[Dataset, CovariateEffects | None]:
    """The series without the effects of its columns, given a plain time structure, and these effects.

    None where there is nothing to estimate: a table, a curve, or too few rows.
    """
    columns = dataset.covariates
    if columns is None or not may_have_effects(dataset):
        return replace(dataset, covariates=None), None
    clock = Clock.of(dataset)
    candidates = prepared(columns, clock, dataset.x)
    scaled = modelled(dataset, transform)
    effects: CovariateEffects | None = None
    kernel: Kernel | None = None
    near = np.ones(dataset.n, dtype=bool)
    with one_thread():
        for _ in range(ROUNDS):
            if kernel is not None and effects is not None:
                near = _near(kernel, replace(scaled, y=scaled.y - effects.mean_added(dataset.x)))
            part = of_rows(scaled, near)
            kernel = time_structure(part, kernel, effects)
            posterior, size = condition(kernel, Problem.of(part)), float(np.std(part.y))
            effects = estimated(candidates.only(near), posterior, part.y, size, settings.seed)
    assert effects is not None
    return _moved(dataset, transform, -effects.mean_added(dataset.x)), effects


def may_have_effects(dataset: Dataset) -> bool:
    """Whether data are a series long enough to estimate what columns beside it add."""
    return dataset.kind is Kind.SERIES and dataset.n >= FEWEST_ROWS and dataset.is_ordered


def _near(kernel: Kernel, adjusted: Dataset) -> NDArray[np.bool_]:
    """The rows (n,) that do not lie far from what all others say: one gross error would bend the effects of columns.

    Where many do, the noise has heavy tails, and all rows count.
    """
    posterior = condition(kernel, Problem.of(adjusted))
    mean, variance, _ = posterior.leave_one_out()
    near = np.abs(adjusted.y - mean) <= FAR * np.sqrt(variance)
    return near if np.mean(~near) <= MOST_FAR else np.ones_like(near)


def with_effects(model: Model, first: CovariateEffects, clock: Clock | None = None, *, refit: bool = True) -> Model:
    """The model with the effects estimated anew, given its own time structure, and its scores of the data without them.

    The parameters of all models with a weight are fitted once more with the effects integrated out, unless they shall
    be kept (``refit``). Time is as the ``first`` effects have it, or by another clock.
    """
    dataset, transform = model.dataset, model.transform
    x = dataset.x
    added = first.mean_added(x)
    y = model.modelled.y + added
    candidates = prepared(first.columns, clock or first.clock, x)
    with one_thread():
        kernels = [candidate.kernel for candidate, _ in model.structures]
        if refit:
            kernels = [fitted_beside(kernel, model, y, first) for kernel in kernels]
        posterior = condition(kernels[0], replace(model.problem, y=y))
        effects = estimated(candidates, posterior, y, float(np.std(y)), model.settings.seed)
        observed = with_columns(model.screening, first, transform)
        adjusted = replace(
            model, dataset=_moved(dataset, transform, added - effects.mean_added(x)), effects=effects,
            screening=with_columns(observed, effects, transform, times=-1.0),
        )  # fmt: skip
        weighed = rescored(model, adjusted, (condition(kernel, adjusted.problem) for kernel in kernels))
    return with_weighed(model, adjusted, weighed)


def fitted_beside(kernel: Kernel, model: Model, y: Array, effects: CovariateEffects) -> Kernel:
    """A kernel fitted to the series with its columns (n,), likely effects integrated out; of few rows only."""
    basis = _basis(effects, model.dataset.x)
    if basis is None or len(y) > MOST_ROWS_OF_BASIS:
        return kernel
    maps, problem, scales = standard(model.modelled, priors=model.priors)
    beside = replace(problem, y=maps.targets(y), basis=basis)
    return maps.to_data(fit(maps.to_standard(kernel), beside, scales, LATER_STEPS).kernel)


def added_by_columns(model: Model, x: Array, courses: Sequence[Covariates] = ()) -> tuple[Array, Array]:
    """What the columns add at positions (m,): its mean, and what draws (s, m) of the effects deviate from it.

    If an effect is larger than its mean, the time structure was smaller where the column was in use, and is so in what
    comes of it: deviations are those of the column and of the time structure together.
    """
    effects = model.effects
    assert effects is not None
    added = draws_of_columns(model, x, courses)
    if model.dataset.n > MOST_ROWS_OF_JOINT:
        return added.mean(axis=0), added - added.mean(axis=0)
    followed = followed_by_time(model, lambda posterior: posterior.signal(x[:, None])[0])
    mean = added.mean(axis=0)
    return mean, added - mean - effects.deviations @ followed.T


def spread_of(deviations: Array) -> Array:
    """The covariance (m, m) of draws, from what these (s, m) deviate from their mean."""
    return np.asarray(deviations.T @ deviations / len(deviations))


def draws_of_columns(model: Model, x: Array, courses: Sequence[Covariates] = ()) -> Array:
    """What the columns add at positions (m,), draws (s, m).

    Of several equally probable ``courses`` of the columns each draw of the effects has one; without any they go on as
    planned, else as their own past would best have foreseen.
    """
    effects = model.effects
    assert effects is not None
    every = courses or likely_courses(effects.columns, x, effects.clock, model.settings.seed)
    return over_courses(every, lambda columns: effects.added(x, columns))


def over_courses(courses: Sequence[Covariates], read: Callable[[Covariates], Array]) -> Array:
    """Draws (s, m) that are read with equally probable courses of the columns, each draw with one of these."""
    first, *others = courses
    drawn = read(first)
    for turn, columns in enumerate(others, 1):
        drawn[turn :: len(courses)] = read(columns)[turn :: len(courses)]
    return drawn


def followed_by_time(model: Model, read: Callable[[Posterior], Array]) -> Array:
    """What is read (m,) off the time structure, were the targets each of the features of the effects: (m, P)."""
    effects = model.effects
    assert effects is not None
    at_rows = model.once("features at the rows", lambda: effects.matrix(model.problem.X[:, 0]))
    made = []
    for feature in at_rows.T:
        made.append(read(condition(model.kernel, replace(model.problem, y=np.ascontiguousarray(feature)))))
    return np.column_stack(made) if made else np.zeros((len(read(model.posterior)), 0))


def time_structure(
    scaled: Dataset, start: Kernel | None, effects: CovariateEffects | None, *, noisy: bool = True
) -> Kernel:
    """A level, a wandering trend, what is rough, and cycles of the calendar, fitted to the series.

    Where there are effects already, those that more probably are than not are integrated out, so that the time
    structure is neither made small by what columns seem to explain nor large by it; of many rows they are subtracted.
    It is not ``noisy`` where noise stands elsewhere.
    """
    if scaled.n > MOST_ROWS_OF_FIT:
        scaled = of_rows(scaled, np.arange(scaled.n)[-MOST_ROWS_OF_FIT:])
    adjusted = scaled if effects is None else replace(scaled, y=scaled.y - effects.mean_added(scaled.x))
    maps, problem, scales = standard(adjusted)
    kernel = _plain(scales, noisy=noisy) if start is None else maps.to_standard(start)
    if effects is not None and problem.n <= MOST_ROWS_OF_BASIS:
        problem = replace(problem, y=maps.targets(scaled.y), basis=_basis(effects, scaled.x))
    fitted = fit(kernel, problem, scales, FIRST_STEPS if start is None else LATER_STEPS)
    return maps.to_data(fitted.kernel)


def _basis(effects: CovariateEffects, x: Array) -> Basis | None:
    """The features of likely effects; their coefficients are left to the data."""
    matrix = _likely_features(effects, x)
    return None if matrix is None else Basis(matrix, np.ones(matrix.shape[1]))


def _likely_features(effects: CovariateEffects, x: Array) -> Array | None:
    """The features (m, P) of the most probable effect of each column that acts; None where none does."""
    likely = []
    for name in effects.acting:
        places = [index for index, effect in enumerate(effects.effects) if effect.column == name]
        likely.append(max(places, key=lambda index: effects.shapes[index]))
    if not likely:
        return None
    every = effects.matrix(x)
    return np.column_stack([every[:, effects.places[index]] for index in likely])


def _plain(scales: Scales, *, noisy: bool) -> Kernel:
    """The plain time structure with its starting values, in standard units."""
    size = max(scales.y_sd, 1e-3)
    kernel = leaf("C", sd=max(abs(scales.y_mean), size)) + leaf("SE", sd=size, lengthscale=0.3)
    column = scales.only
    periods = [period for period in column.natural_periods if column.shortest_period <= period <= 0.5]
    for period in periods[:MOST_CYCLES]:
        cycle = leaf("Per", sd=1.0, lengthscale=1.0, period=period)
        kernel = kernel + leaf("SE", sd=0.3 * size, lengthscale=1.0) * cycle
    kernel = kernel + leaf("RQ", sd=0.3 * size, lengthscale=0.03, alpha=1.0)
    return kernel + leaf("WN", sd=0.4 * size) if noisy else kernel


def _moved(dataset: Dataset, transform: Transform, by: Array) -> Dataset:
    """The series with values that lie so much higher (n,) on the scale of the model."""
    offset = dataset.offset if transform.is_mapped else 0.0  # of data far from zero it would cost digits
    return replace(dataset, y=transform.moved(dataset.y + offset, by) - offset)


# --- Outliers of a series that was screened without what columns beside it add, as they were observed ---------------


def with_columns(
    screening: Screening, effects: CovariateEffects, transform: Transform, *, times: float = 1.0
) -> Screening:
    """The same outliers with what the columns add to them and to what was expected there; with ``times`` -1 without."""

    def moved(rows: tuple[Outlier, ...]) -> tuple[Outlier, ...]:
        if not rows:
            return rows
        added = times * effects.mean_added(np.array([row.x for row in rows]))[:, None]
        values = np.array([(row.y, row.expected) for row in rows])
        movable = (values > 0.0) | (not transform.is_mapped)
        values = np.where(movable, transform.moved(values, added), values)
        return tuple(replace(row, y=y, expected=usual) for row, (y, usual) in zip(rows, values.tolist(), strict=True))

    return replace(screening, rows=moved(screening.rows), far=moved(screening.far))


# --- What columns beside counts add to the logarithm of their rate, or to that of the odds of their share -----------


def first_effects_of_counts(
    dataset: Dataset, choice: Choice, settings: Settings
) -> tuple[Dataset, CovariateEffects | None]:
    """Counts as they would be without the effects of their columns, given a plain time structure, and these effects.

    ``choice`` is that of the series alone. None where there is nothing to estimate.
    """
    columns = dataset.covariates
    if columns is None or not may_have_effects(dataset):
        return replace(dataset, covariates=None), None
    clock = Clock.of(dataset)
    candidates, law, sites = prepared(columns, clock, dataset.x), choice.likelihood, choice.sites
    assert isinstance(law, Sited) and sites is not None
    law, data, added = law.mapped(choice.transform), dataset, np.zeros(dataset.n)
    kernel: Kernel | None = None
    effects: CovariateEffects | None = None
    with one_thread():
        for _ in range(ROUNDS_OF_COUNTS):
            total = sites.values + added
            seen = replace(pseudo_data(counted(data), sites), y=total)
            kernel = time_structure(seen, kernel, effects, noisy=not law.scatters)
            posterior, size = condition(kernel, Problem.of(seen)), _size(total, sites.variances)
            effects = estimated(candidates, posterior, total, size, settings.seed)
            added = effects.mean_added(dataset.x)
            data = at_usual(dataset, LogOffsets.of_rows(dataset.x, added))
            law = fitted_law(data, law, kernel)
            sites = sited_counts(kernel, counted(data), law).sites
    return data, effects


def _size(values: Array, variances: Array) -> float:
    """About the standard deviation of nearly normal observations (n,), those that say more counting more."""
    weights = 1.0 / (variances + np.median(variances))
    mean = np.average(values, weights=weights)
    return float(np.sqrt(np.average((values - mean) ** 2, weights=weights))) or 1.0


def effects_anew(model: Model, first: CovariateEffects, clock: Clock | None = None, *, refit: bool = True) -> Model:
    """The model, of counts or not, with the effects of its columns estimated anew."""
    if model.counted is None:
        return with_effects(model, first, clock, refit=refit)
    assert isinstance(model.likelihood, Sited)
    dataset, law, seen = model.dataset, model.likelihood.mapped(model.transform), model.counted.data
    x = dataset.x
    added = first.mean_added(x)
    total = seen.y + added
    candidates = prepared(first.columns, clock or first.clock, x)
    with one_thread():
        kernels = [candidate.kernel for candidate, _ in model.structures]
        if refit:
            kernels = [fitted_beside(kernel, model, total, first) for kernel in kernels]
        posterior = condition(kernels[0], Problem.of(replace(seen, y=total)))
        assert seen.noise is not None
        effects = estimated(candidates, posterior, total, _size(total, seen.noise), model.settings.seed)
        data = at_usual(dataset, LogOffsets.of_rows(x, effects.mean_added(x)))
        law = fitted_law(data, law, kernels[0])
        observed = with_columns(model.screening, first, model.transform)
        screening = with_columns(observed, effects, model.transform, times=-1.0)
        adjusted = replace(model, dataset=data, effects=effects, screening=screening, likelihood=law.alone())
        targets = [pseudo_targets(data, law, kernel) for kernel in kernels]
        posteriors = (condition(kernel, Problem.of(each.data)) for kernel, each in zip(kernels, targets, strict=True))
        weighed = rescored(model, adjusted, posteriors, [each.log_ratio for each in targets])
    return with_weighed(model, adjusted, weighed)
