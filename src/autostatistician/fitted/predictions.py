"""Predictions of a finished search: of its best model or averaged over several, in the units of the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from autostatistician._io.threads import one_thread
from autostatistician.data.covariates import Covariates
from autostatistician.data.dataset import Kind
from autostatistician.data.exposures import SizesOfRows
from autostatistician.data.moments import check_steps
from autostatistician.data.outliers import Outlier
from autostatistician.data.target_limits import (
    UNLIMITED,
    Limits,
    levels_off_below,
    may_be_unsigned,
    may_have_limits,
    natural_limits,
    nearest_top,
)
from autostatistician.data.times.axes import Axis
from autostatistician.data.times.calendar_days import CalendarDay
from autostatistician.data.times.periods import hold
from autostatistician.data.transform import Transform, variances_on
from autostatistician.decompose.records.classes import Chances
from autostatistician.errors import InputError
from autostatistician.fitted.covariate_effects import added_by_columns, spread_of
from autostatistician.fitted.ensemble import Ensemble, ensemble
from autostatistician.fitted.model import Model
from autostatistician.fitted.settings import default_horizon
from autostatistician.fitted.transform_averaging import share_of_other
from autostatistician.forms import Curve
from autostatistician.gp.count_likelihoods import Sited
from autostatistician.gp.likelihoods import GAUSSIAN, Bernoulli
from autostatistician.gp.predictive import ENDS_OF_95, Averaged, Predictive, certain

__all__ = ["Options", "Predictor", "axis_of_series", "predicted_curve"]


Array = NDArray[np.float64]
Moments = tuple[Array, Array]  # mean, and standard deviations or covariance

# What was before the end of the data may not go on: learned by `benchmarks/learn_ahead.py`.
BREAKS, ROWS_BEFORE = 12.0, 40.0  # their chance is so many among the rows and these

WIDER = 3.0  # standard deviations after a break, of those of the models

BY_CHANCE = 0.05  # that no value lies below zero where it could: with less, it is a limit
BY_CHANCE_AT_TOP = 0.01  # the same of one and a hundred, below which values end more often for no reason


@dataclass(frozen=True)
class Options:
    """All that predictions of a model hang on besides the model; the same options give the same predictions.

    They ``average`` over models and their parameters (`fitted.ensemble`), or are those of the best model with its best
    parameters. No value lies beyond the ``limits`` (`data.target_limits.checked_limits`); "auto": as the data respect
    them.
    """

    average: bool = True
    limits: str | Limits | None = "auto"
    breaks: bool = True  # observations outside a series may follow a break; of an average
    columns: bool = True  # with what the columns beside a series add, as they were or are planned; else at their usual


@dataclass(frozen=True)
class Predictor:
    """The predictions of a model under some options; what takes long is kept by the model.

    Columns beside a series go on in one of several equally probable ``courses``; without any, as planned with the data,
    else as a season before.
    """

    model: Model
    options: Options = Options()
    courses: tuple[Covariates, ...] = ()
    sizes: SizesOfRows | None = None  # exposures or totals with those that are planned; else those of the data
    unsure: Array | None = None  # variances that gaps of the rows to predict add, on the scale of the model
    lasts: bool | None = None  # whether values set aside at the end begin a new level; None: with its probability

    @property
    def limits(self) -> Limits:
        """The limits of observations: those that were asked for, or those that the data respect by their kind."""
        asked = self.options.limits
        if isinstance(asked, tuple):
            return asked
        return UNLIMITED if asked is None else self.model.once("natural limits", self._natural_limits)

    @property
    def structures(self) -> int:
        """How many different expressions the predictions average over."""
        if not self.options.average:
            return 1
        other = self.model.on_other_scale
        count = len({str(kernel.expr) for kernel in ensemble(self.model).kernels})
        return count if other is None else count + replace(self, model=other).structures

    def unsure_by(self, variances: Array | None) -> Predictor:
        """The same for rows with gaps that add variances (m,) to their targets; of counts and classes they add none."""
        law = self.model.problem.likelihood
        if variances is None or not variances.any() or isinstance(law, Sited) or law.is_latent:
            return self
        return replace(self, unsure=variances_on(self.model.transform, self.model.dataset, variances))

    def of_rows(self, rows: slice) -> Predictor:
        """The same for some of the rows to predict."""
        return self if self.unsure is None else replace(self, unsure=self.unsure[rows])

    def law_at(self, x: Array) -> Sited | None:
        """How counts come about at positions (m,) of a series; None of what are none."""
        law = self.model.likelihood
        return law.at(self.known_sizes, x) if isinstance(law, Sited) else None

    @property
    def known_sizes(self) -> SizesOfRows | None:
        """Exposures or totals, with those that are planned; None where counts have none."""
        return self.model.dataset.sizes if self.sizes is None else self.sizes

    def predictive(self, X: Array, *, signal: bool = False) -> Predictive | Averaged:
        """The distributions of new observations, or of the ``signal`` without noise, at rows (m, d) of the model.

        Of a model of classes always of the function behind them (see `probability`). Outside the data those of both
        scales are averaged where the search compared them.
        """
        made: Predictive | Averaged = self._on_own_scale(X, signal=signal)
        if (other := self.on_other_scale(X)) is not None:
            made = Averaged(made, other._on_own_scale(X, signal=signal), self.share_of_other(X))
        axis, constant = self.model.dataset.axis, self._are_constant(X, signal=signal)
        if axis is None or not constant.any():
            return made
        return Averaged(made, certain(axis.calendar.value, len(X)), constant.astype(np.float64))

    def _are_constant(self, X: Array, *, signal: bool) -> NDArray[np.bool_]:
        """Which rows (m,) are observations at places of the calendar that always have one number."""
        axis = self.model.dataset.axis
        return np.zeros(len(X), dtype=np.bool_) if signal or axis is None else axis.are_constant(X[:, 0])

    def on_other_scale(self, X: Array) -> Predictor | None:
        """The same on the scale that was not chosen; None where it has no share at rows (m, d)."""
        other = self.model.on_other_scale
        return None if other is None or not self.share_of_other(X).any() else replace(self, model=other)

    def share_of_other(self, X: Array) -> Array:
        """The weight of the scale that was not chosen at rows (m, d): outside the data, of an average."""
        if self.model.other is None or not self.options.average:
            return np.zeros(len(X))
        return np.where(outside(self.model, X), share_of_other(self.model.choice), 0.0)

    def _may_break(self, X: Array, *, signal: bool) -> NDArray[np.bool_]:
        """Which rows (m,) are observations that may follow a break."""
        allowed = self.options.average and self.options.breaks and not signal
        return may_break(self.model, X) if allowed else np.zeros(len(X), dtype=np.bool_)

    def _on_own_scale(self, X: Array, *, signal: bool) -> Predictive:
        signal = signal or self.model.problem.likelihood.is_latent
        with one_thread():
            means, sds, weights = self._members(X, signal)
            shift, variance = self._shift(X)
            sds = np.sqrt(np.minimum(sds, self._widest) ** 2 + variance)
            means, sds, weights = self._with_new_level(X, means + shift, sds, weights)
        return self.of_members(X, (means, sds), weights, signal=signal)

    def of_members(self, X: Array, moments: tuple[Array, Array], weights: Array, *, signal: bool = False) -> Predictive:
        """The distributions at rows (m, d) of a mixture of k members with these moments (k, m) on the model's scale."""
        (means, sds), limits = moments, UNLIMITED if signal else self.limits
        breaks = self._may_break(X, signal=signal)
        if breaks.any():
            chance, transform = chance_of_break(self.model.dataset.n), self.model.transform
            means, sds, weights = with_breaks(moments, weights, breaks, transform, chance=chance, widest=self._widest)
        offset = self.model.modelled.offset
        likelihood = self.model.problem.likelihood
        if isinstance(likelihood, Sited):  # of the signal, the rate itself
            likelihood = GAUSSIAN.mapped(likelihood.transform) if signal else likelihood.at(self.known_sizes, X[:, 0])
        return likelihood.predictive(means, sds, weights, offset, limits)

    def probability(self, X: Array) -> Array:
        """The probability (m,) of the second class at rows (m, d) of a model of classes."""
        latent = self._on_own_scale(X, signal=True)
        pairs = zip(latent.means, latent.sds, strict=True)
        return np.asarray(latent.weights @ np.array([self._classes.averaged(mean, sd**2) for mean, sd in pairs]))

    def probability_quantiles(self, X: Array, levels: Sequence[float]) -> Array:
        """Levels of it (m, number of levels) as far as the data leave it open: those of the function, as chances."""
        return self._classes.math.probability(self._on_own_scale(X, signal=True).quantiles(levels))

    def chances(self, X: Array) -> Chances:
        """The chances of the second class at rows (m, d) with the ranges that hold them with 95 %."""
        chance, (lower, upper) = self.probability(X), self.probability_quantiles(X, ENDS_OF_95).T
        return Chances(np.clip(chance, lower, upper), lower, upper)  # of a skew distribution the mean may lie beyond

    @property
    def _classes(self) -> Bernoulli:
        likelihood = self.model.problem.likelihood
        assert isinstance(likelihood, Bernoulli)
        return likelihood

    def joint(self, X: Array, single: Predictive | Averaged | None = None, *, signal: bool = False) -> Moments:
        """Mean (m,) and covariance (m, m) of the same in the units of the data; ``single``: what `predictive` gave."""
        with one_thread():
            mean, cov = self.averaged.joint(X, self.model.transform, self._no_wider, signal=signal)
        mean, cov = self._new_level_jointly(X, *self._added_jointly(X, mean, cov))
        constant = self._are_constant(X, signal=signal)
        cov = cov * np.multiply.outer(~constant, ~constant)
        own = (signal or (self.limits == UNLIMITED and self.model.counted is None)) and not constant.any()
        if own and not self.share_of_other(X).any() and not self._may_break(X, signal=signal).any():
            return mean + self.model.modelled.offset, cov
        single = single or self.predictive(X, signal=signal)  # the moments of each value, averaged and limited
        if self.model.counted is not None and not signal:  # chance is of each value alone
            return single.mean, cov + np.diag(np.maximum(single.std**2 - cov.diagonal(), 0.0))
        scales = single.std / np.sqrt(np.maximum(cov.diagonal(), 1e-300))
        return single.mean, cov * np.multiply.outer(scales, scales)

    def ahead(self, steps: int | None = None) -> tuple[Array, Predictive | Averaged]:
        """The next positions (m,) on the axis of a series, a usual number by default, and the observations there."""
        axis = axis_of_series(self.model)
        steps = default_horizon(self.model.dataset, self.model.kernel) if steps is None else check_steps(steps)
        future = axis.future(self.model.last, steps)
        return future, self.predictive(future[:, None])

    def _members(self, X: Array, signal: bool) -> tuple[Array, Array, Array]:
        """Means and standard deviations (k, m) of the models that are averaged, and their weights (k,)."""
        several = self.averaged
        return *(several.signal(X) if signal else several.observations(X)), several.weights

    def jointly(self, several: Ensemble, X: Array) -> tuple[list[tuple[Array, Array]], Array]:
        """Mean (m,) and covariance (m, m) of new observations by each member, and the weights of these.

        They are those behind `predictive` on the scale of the model, before anything breaks.
        """
        shift, variance, deviations = self._added(X)
        more = np.diag(variance) + spread_of(deviations)
        limited = [self._no_wider(*each) for each in several.moments_jointly(X, signal=False)]
        moments, weights = [(mean + shift, cov + more) for mean, cov in limited], several.weights
        size, lasting = self._new_level, self._lasting
        if size != 0.0:
            moments += [(mean + size * self._beyond(X), cov) for mean, cov in moments]
            weights = np.concatenate([(1.0 - lasting) * weights, lasting * weights])
        return moments, weights

    @property
    def averaged(self) -> Ensemble:
        """The models that are averaged: without an average the best one alone."""
        return ensemble(self.model) if self.options.average else Ensemble((self.model.posterior,), np.ones(1))

    @property
    def _new_level(self) -> float:
        """By how much the values set aside at the end of the data lie off, on the scale of the model; 0 without any."""
        ending = self.model.screening.ending
        return self.model.once(("new level", self.options), self._measured_level) if ending else 0.0

    @property
    def _lasting(self) -> float:
        """The probability of that level: as it was found, or one of the two cases for certain."""
        return self.model.screening.lasting if self.lasts is None else float(self.lasts)

    def _measured_level(self) -> float:
        return float(np.mean(self._deviations(self.model.screening.ending)[0]))

    def _deviations(self, rows: Sequence[Outlier]) -> tuple[Array, Array]:
        """By how much values lie off what is predicted there, on the scale of the model, and the variances of that."""
        values = self.model.scaled(np.array([outlier.y for outlier in rows]))
        means, sds, weights = self._members(np.array([[outlier.x] for outlier in rows]), signal=False)
        return values - weights @ means, weights @ sds**2

    def _on_days(self, X: Array) -> tuple[Array, Array]:
        """What days that the calendar brings again add to means and variances at rows (m, d)."""
        effects = self.model.once(("day effects", self.options), self._measured_days)
        return at_positions(effects, self.model.dataset.axis, X[:, 0])

    def added(self, X: Array) -> Array:
        """What days of the calendar and columns beside a series add to means (m,) at rows (m, d)."""
        return self._added(X)[0]

    def _shift(self, X: Array) -> tuple[Array, Array]:
        """What days of the calendar and columns beside a series add to means and variances at rows (m, d)."""
        shift, variance, deviations = self._added(X)
        return shift, variance + np.mean(deviations**2, axis=0)

    def _added(self, X: Array) -> tuple[Array, Array, Array]:
        """What days and columns add on average, the variances that days add, what draws (s, m) of columns deviate.

        Gaps add to the variances.
        """
        shift, variance = self._on_days(X)
        variance = variance if self.unsure is None else variance + self.unsure
        if self.model.effects is None or not self.options.columns:
            return shift, variance, np.zeros((1, len(X)))
        mean, deviations = added_by_columns(self.model, X[:, 0], self.courses)
        return shift + mean, variance, deviations

    def _measured_days(self) -> list[DayEffect]:
        days = self.model.screening.returning
        return [measured(day, *self._deviations(rows)) for day, rows in days.items()]

    def _added_jointly(self, X: Array, mean: Array, cov: Array) -> tuple[Array, Array]:
        """Mean (m,) and covariance (m, m), in the units of the data, with what days and columns add."""
        shift, variance, deviations = self._added(X)
        more = np.diag(variance) + spread_of(deviations)
        return self.model.transform.moved_jointly(mean, cov, shift, more)

    def _beyond(self, X: Array) -> Array:
        """Which rows (m,) lie after the data, where a new level may hold."""
        return np.asarray(X[:, 0] > self.model.dataset.X[:, 0].max(), dtype=np.float64)

    def _with_new_level(self, X: Array, means: Array, sds: Array, weights: Array) -> tuple[Array, Array, Array]:
        """The models, and each once more on the level of the values that end the data, if it should last."""
        size, lasting = self._new_level, self._lasting
        if size == 0.0:
            return means, sds, weights
        higher = means + size * self._beyond(X)
        both = np.concatenate([(1.0 - lasting) * weights, lasting * weights])
        return np.concatenate([means, higher]), np.concatenate([sds, sds]), both

    def _new_level_jointly(self, X: Array, mean: Array, cov: Array) -> tuple[Array, Array]:
        """Mean (m,) and covariance (m, m), in the units of the data, with the chance of the new level."""
        size, lasting = self._new_level, self._lasting
        if size == 0.0:
            return mean, cov
        beyond = self._beyond(X)
        higher, moved = self.model.transform.moved_jointly(mean, cov, size * beyond, np.zeros_like(cov))
        apart = higher - mean
        within = (1.0 - lasting) * cov + lasting * moved
        between = lasting * (1.0 - lasting) * np.multiply.outer(apart, apart)
        return mean + lasting * apart, within + between

    def _natural_limits(self) -> Limits:
        """Natural limits of the values, those that were set aside among them; of a logarithm zero is one already.

        Where the kind of the values speaks for none, zero is one where the model would have some below it: all
        predictions of one value from the others together leave that none is there a chance below `BY_CHANCE`. So are
        one or a hundred, just below which a series ends or levels off (`data.target_limits`).
        """
        model, data = self.model, self.model.dataset
        if data.sizes is not None:
            return (0.0, 1.0) if data.sizes.is_total else (0.0, np.inf)
        if model.transform.is_odds:
            return 0.0, model.transform.top
        every = np.concatenate([model.observed, [outlier.y for outlier in model.screening.aside]])
        low, high = natural_limits(every, data.target)
        top = nearest_top(every) if may_be_unsigned(every, data.target) and model.counted is None else None
        if top is not None and high > top and data.kind is Kind.SERIES and self._stops_at(top):
            return 0.0, top
        below_zero = low < 0.0 and not model.transform.is_mapped and may_have_limits(every, data.target)
        return (0.0 if below_zero and self._kept_by_chance(0.0, -1.0) < BY_CHANCE else low), high

    def _stops_at(self, top: float) -> bool:
        """Whether a series levels off at a top that no value passes, or that so few values reach by no chance."""
        data = self.model.dataset
        if levels_off_below(data.x, self.model.observed, top):
            return True
        return not self.model.transform.is_mapped and self._kept_by_chance(top, 1.0) < BY_CHANCE_AT_TOP

    def _kept_by_chance(self, limit: float, side: float) -> float:
        """The chance that none of the data lies beyond a limit, above (1) or below (-1), by predictions of each."""
        with one_thread():
            mean, variance, _ = self.model.posterior.leave_one_out()
        inside = side * (limit - mean - self.model.modelled.offset) / np.sqrt(variance)
        return float(np.exp(np.sum(log_ndtr(inside))))

    @property
    def _widest(self) -> float:
        """The largest standard deviation of a prediction: on a logarithmic scale, half the range of all logarithms.

        Beyond, the mean of a lognormal distribution is that of events that nobody has seen, soon more than can be
        written as a number.
        """
        if not self.model.transform.is_mapped:
            return np.inf
        logarithms = self.model.transform.forward(self.model.dataset.y + self.model.dataset.offset)
        widest = 0.5 * float(np.ptp(logarithms))
        if self.model.counted is not None:  # zero says not how low the logarithm of a rate is
            widest = max(widest, self.model.once("widest rate", self._widest_rate))
        return widest or np.inf

    def _widest_rate(self) -> float:
        """The largest standard deviation of the logarithm of a rate among the rows of the data."""
        posterior = self.model.posterior
        with one_thread():
            variance = posterior.signal()[1] ** 2 + posterior.noise_variance(posterior.X)
        return float(np.sqrt(variance.max()))

    def _no_wider(self, mean: Array, cov: Array) -> tuple[Array, Array]:
        """Moments (m,), (m, m) of which no standard deviation is above the largest."""
        shrunk = np.minimum(1.0, self._widest / np.sqrt(np.maximum(cov.diagonal(), 1e-300)))
        return mean, cov * np.multiply.outer(shrunk, shrunk)


def axis_of_series(model: Model) -> Axis:
    """The axis of a series, on which others follow its rows; an `InputError` for a table, whose rows have no order."""
    if model.dataset.axis is None:
        remedy = "use predict, the command or the method, which takes the rows"
        raise InputError.of("a series, for a forecast", "a model of a table", remedy)
    return model.dataset.axis


def predicted_curve(x: Array, made: Predictive | Averaged, *, expected: bool = False) -> Curve:
    """Predictions at positions (m,) with ranges of 95 %, and their medians unless the mean is ``expected``.

    It is of counts: the median of what is mostly zero is zero, however many come in all. But where two cases far apart
    are weighed, the mean is expected in neither, and the median lies with the likelier one.
    """
    lower, median, upper = made.quantiles((ENDS_OF_95[0], 0.5, ENDS_OF_95[1])).T
    return Curve(x, made.mean, made.std, lower, upper, None if expected else median)


# --- By how much values lie off on days that the calendar brings again, and what forecasts make of it ---------------


@dataclass(frozen=True, slots=True)
class DayEffect:
    """What is added on a day, on the scale of the model: the mean, and the variance it adds to that of an observation.

    The variance holds what the mean is not known by, and how much more the values differ than the noise makes them.
    """

    day: CalendarDay
    size: float
    variance: float


def measured(day: CalendarDay, deviations: Array, variances: Array) -> DayEffect:
    """The effect that explains ``deviations`` (k,) from observations that were predicted with ``variances`` (k,).

    >>> effect = measured(CalendarDay("date", 12, 25), np.array([-79.0, -81.0]), np.array([4.0, 4.0]))
    >>> effect.size, effect.variance
    (-80.0, 2.0)
    """
    k, noise = len(deviations), float(np.mean(variances))
    between = max(float(np.var(deviations, ddof=1)) - noise, 0.0) if k > 1 else 0.0
    return DayEffect(day, float(np.mean(deviations)), between + (between + noise) / k)


def at_positions(effects: Sequence[DayEffect], axis: Axis | None, x: Array) -> tuple[Array, Array]:
    """What is added to the mean and to the variance of observations at positions (m,)."""
    shift, variance = np.zeros(len(x)), np.zeros(len(x))
    if axis is not None and effects:
        for effect in effects:
            rows = hold(axis, effect.day, x)
            shift[rows] += effect.size
            variance[rows] += effect.variance
    return shift, variance


# --- Forecasts that allow for a break after the data: a mixture of scales about what the models expect --------------


def outside(model: Model, X: Array) -> NDArray[np.bool_]:
    """Which rows (m, 1) lie before a series or after it (m,)."""
    x = model.dataset.X[:, 0]
    return np.asarray((X[:, 0] < x.min()) | (X[:, 0] > x.max()))


def may_break(model: Model, X: Array) -> NDArray[np.bool_]:
    """Which observations at rows (m, d) of a model may follow a break (m,): those outside a series of numbers."""
    is_series = model.dataset.kind is Kind.SERIES and not model.problem.likelihood.is_latent
    if not is_series or model.counted is not None:  # what counts do beyond their own spread was not learned
        return np.zeros(len(X), dtype=np.bool_)
    return outside(model, X)


def chance_of_break(rows: int) -> float:
    """The chance that a series of so many rows does not go on as its models expect: the longer it did, the less.

    >>> chance_of_break(20), round(chance_of_break(360), 4)
    (0.2, 0.03)
    """
    return BREAKS / (ROWS_BEFORE + rows)


def with_breaks(
    moments: tuple[Array, Array],
    weights: Array,
    rows: NDArray[np.bool_],
    transform: Transform,
    *,
    chance: float,
    widest: float = np.inf,
) -> tuple[Array, Array, Array]:
    """Members without a break and with one: means and standard deviations (2k, m), and weights (2k,).

    Parameters
    ----------
    moments : arrays (k, m)
        Means and standard deviations of the members, on the scale of the model.
    weights : array (k,)
        Of the members.
    rows : array (m,)
        What may follow a break; the others stay as they are.
    transform : Transform
        The map of the target: means in the units of the data stay where that is the logarithm, medians elsewhere.
    chance : float
        Of a break.
    widest : float
        No standard deviation gets wider by a break than this.

    Examples
    --------
    >>> moments, rows = (np.zeros((1, 2)), np.ones((1, 2))), np.array([False, True])
    >>> means, sds, weights = with_breaks(moments, np.ones(1), rows, Transform(), chance=0.1)
    >>> means.tolist(), sds.tolist(), weights.tolist()
    ([[0.0, 0.0], [0.0, 0.0]], [[1.0, 1.0], [1.0, 3.0]], [0.9, 0.1])
    """
    means, sds = moments
    wider = np.where(rows, np.maximum(np.minimum(WIDER * sds, widest), sds), sds)
    level = means - 0.5 * (wider**2 - sds**2) if transform.is_log else means  # of lognormal distributions
    shares = np.concatenate([(1.0 - chance) * weights, chance * weights])
    return np.concatenate([means, level]), np.concatenate([sds, wider]), shares
