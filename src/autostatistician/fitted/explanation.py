"""A finished search explained: the one place where the record that words and pictures are made from is filled.

All of it asks the one posterior of the model, so a report factorises the covariance of the data once.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri
from scipy.stats import beta

from autostatistician._io.serial_correlation import effective_sample_size
from autostatistician._io.threads import one_thread
from autostatistician.data.dataset import Kind, as_counted, in_order
from autostatistician.data.moments import check_steps
from autostatistician.data.outliers import Screening
from autostatistician.data.transform import Transform
from autostatistician.decompose.records.classes import ClassForecast
from autostatistician.decompose.records.series import (
    Checks,
    CountDispersion,
    Decomposition,
    Fitted,
    HeldRanges,
    Tried,
    ZerosApart,
)
from autostatistician.decompose.records.table import LeaveOneOut, TableDecomposition
from autostatistician.decompose.series.checks import check
from autostatistician.decompose.series.component_order import Counted
from autostatistician.decompose.series.decomposition import decompose, parts_at
from autostatistician.decompose.table.averaged_chances import AveragedChances
from autostatistician.decompose.table.decomposition import decompose_table, effects_at
from autostatistician.decompose.table.leave_one_out import checks_of_errors, left_out_groups, scored
from autostatistician.errors import InputError
from autostatistician.fitted.backtest import origins, refits, season_of, seasonal_naive, splits_at
from autostatistician.fitted.censored_record import limits_in_turn, limits_left_out
from autostatistician.fitted.covariate_effects import with_columns
from autostatistician.fitted.covariate_record import columns_beside
from autostatistician.fitted.ensemble import ensemble
from autostatistician.fitted.forecast_sums import sum_ahead
from autostatistician.fitted.function import function_of
from autostatistician.fitted.model import Model
from autostatistician.fitted.predictions import Predictor, predicted_curve
from autostatistician.fitted.settings import default_horizon
from autostatistician.forms import Curve
from autostatistician.gp.count_likelihoods import POISSON, Hurdle, NegativeBinomial, Sited
from autostatistician.gp.criteria import bic
from autostatistician.gp.predictive import ENDS_OF_95, Predictive
from autostatistician.kernels.traits import effective_parameters
from autostatistician.search.preprocessing.outliers import LARGE
from autostatistician.search.scores.noise_penalties import gain_of_heavy_tails, without_largest
from autostatistician.search.state import StepInfo

__all__ = ["decomposition", "explain", "parts_elsewhere", "steps_ahead", "table_decomposition"]


Array = NDArray[np.float64]

LOG, ODDS = Transform("log"), Transform("logit", 0.5)

MOST_OF_SOME = (0.1, 0.9)  # quantiles between which most counts above zero lie

LEAST_SEEN = 0.05  # of the variance of chance: scatter that adds less cannot be seen beside it

LEAST = 1e-12  # probability on either side of a count: errors stay finite

LEAST_TAILS = 3.0  # nats by which heavy tails explain errors better, odds of twenty to one: less is chance

MOST_ROWS_OF_BELIEVED = 1000  # of more the model that is told alone says what chances are: data leave little open

TESTED_LEVELS = (0.5, 0.8, 0.95)  # of the ranges of forecasts


@one_thread()
def explain(predictor: Predictor, horizon: int | None = None) -> Decomposition | TableDecomposition:
    """Everything a report says about a model and shows of its predictions, made once for the same question.

    A series comes with the forecast of ``predictor``, and no range goes beyond its limits.

    Parameters
    ----------
    predictor : Predictor
        The model, and how it predicts.
    horizon : int, optional
        Steps of the forecast of a series; a usual number by default, 0 for none.

    Raises
    ------
    InputError
        When the horizon is not a whole number of steps, or the model is one of a table.
    """
    model = predictor.model
    if horizon is not None and model.dataset.kind is Kind.TABLE:
        asked = f"a horizon of {horizon} for a table"
        raise InputError.of("a horizon for a series alone", asked, "leave it out: a table has no order to go on in")

    def made() -> Decomposition | TableDecomposition:
        if model.dataset.kind is Kind.TABLE or model.dataset.classes:
            x = steps_ahead(model, horizon)
            ahead = ClassForecast(x, predictor.chances(x[:, None])) if x.size else None
            return replace(table_decomposition(model), ahead=ahead)
        at_usual = replace(predictor, options=replace(predictor.options, columns=False))
        record = _with_forecast(decomposition(model, horizon), at_usual)
        calibration = model.once(("calibration", predictor.options), lambda: _calibration(predictor))
        return replace(record, covariates=columns_beside(predictor, record), calibration=calibration)

    return model.once(("explanation", predictor.options, predictor.courses, horizon), made)


def steps_ahead(model: Model, horizon: int | None = None) -> Array:
    """The next positions (m,) of a model of classes over time; none of a table, or along numbers unless asked for."""
    axis = model.dataset.axis
    if axis is None or (horizon is None and not (model.dataset.is_ordered and axis.is_calendar)):
        return np.array([])
    steps = default_horizon(model.dataset, model.kernel) if horizon is None else check_steps(horizon, 0)
    return axis.future(model.last, steps) if steps else np.array([])


def decomposition(model: Model, horizon: int | None = None, *, checked: bool = True) -> Decomposition:
    """The best model taken apart, with its own forecast of ``horizon`` steps (by default a usual one; 0 for none).

    A curve, whose rows come in no order, has no next rows: no forecast unless steps are asked for, and no test of one.
    Unless it shall not be ``checked``, it is compared with the data, and facts get the ranges that the data leave to
    the parameters of the model.
    """
    usual = default_horizon(model.dataset, model.kernel) if model.dataset.is_ordered else 0
    with one_thread():
        record = decompose(
            model.posterior,
            model.modelled,
            fitted=fitted_numbers(model),
            horizon=usual if horizon is None else check_steps(horizon, 0),
            last=model.last,
            seed=model.settings.seed,
            transform=model.transform,
            intervals=checked,
            priors=model.priors,
            counted=None if model.counted is None else counted_by(model),
        )
        parts = tuple(component.kernel for component in record.components)
        errors = errors_of_no_normal(model) if checked else None
        checks = check(model.posterior, parts, model.settings.seed, record.noise_floor, errors) if checked else None
    if model.counted is not None:
        record = replace(record, y=in_order(model.dataset).y, counts=scatter_of(model))
    elif model.censored is not None:  # the limits themselves
        record = replace(record, y=in_order(model.dataset).y + model.dataset.offset)
    return replace(
        record,
        transform_gain=model.choice.gain,
        scale_probability=model.scale_probability,
        screening=_observed(model, checks),
        checks=checks,
        function=function_of(model) if checked else None,
        is_curve=model.dataset.is_curve,
        **_of_the_search(model, whole=checked),
    )


def _observed(model: Model, checks: Checks | None) -> Screening:
    """The outliers as they were observed; no heavy tails that the errors of the model itself do not have.

    They are judged before the search, which may find that the large deviations are an event or a step. Where hardly
    any other errors are large, or all are to one side, as on holidays, they are values of their own, which are kept.
    """
    seen = model.screening if model.effects is None else with_columns(model.screening, model.effects, model.transform)
    if not seen.heavy or checks is None:
        return seen
    tails, far = gain_of_heavy_tails(without_largest(checks.errors)), np.array([row.x for row in seen.far])
    x, one_side = np.sort(model.dataset.x), len({row.y > row.expected for row in seen.far}) == 1
    if tails <= 0.0 or len(x) != len(checks.errors):
        return seen if tails > 0.0 else replace(seen, heavy=0, far=())
    if tails >= LEAST_TAILS and not (one_side and gain_of_heavy_tails(checks.errors[~np.isin(x, far)]) <= 0.0):
        return seen
    large = x[np.abs(checks.errors) > LARGE]
    kept = sorted((row for row in seen.far if row.x in large), key=lambda row: row.x)
    return replace(seen, heavy=0, far=(), rows=(*seen.rows, *kept))


def table_decomposition(model: Model) -> TableDecomposition:
    """The best model of a table taken apart, and checked by leaving values out."""
    # Of counts the rows alone are asked by roots, which scatter evenly; pseudo-targets have other ranks.
    of_the_search = _of_the_search(model, whole=True)
    record = decompose_table(
        model.posterior,
        model.modelled if model.counted is None else replace(model.dataset, y=np.sqrt(model.dataset.y)),
        fitted=fitted_numbers(model),
        alternatives=of_the_search["alternatives"],
        believed=_believed(model),
        seed=model.settings.seed,
        transform=model.transform,
    )
    if model.counted is not None:
        with one_thread():
            left_out, counts = counts_left_out(model), scatter_of(model)
        record = replace(record, y=model.dataset.y, left_out=left_out, counts=counts)
    elif model.censored is not None:
        with one_thread():
            left_out = limits_left_out(model)
        record = replace(record, y=model.dataset.y + model.dataset.offset, left_out=left_out)
    return replace(record, **of_the_search)


def _believed(model: Model) -> AveragedChances | None:
    """All models over which predictions of classes average; None of numbers, and where one matrix takes long."""
    if not model.problem.likelihood.is_latent or model.dataset.n > MOST_ROWS_OF_BELIEVED:
        return None
    several = ensemble(model)
    return AveragedChances(several.members, several.weights)


def fitted_numbers(model: Model) -> Fitted:
    """The likelihood, criterion and cost of the best model, on the raw data."""
    best, n = model.search.best, len(model.dataset.y)
    return Fitted(
        best.kernel,
        best.nll,
        bic(best.nll, best.kernel.expr, n) + model.penalty,
        effective_parameters(best.kernel.expr) + model.transform.parameters,
        model.search.seconds,
        model.search.evaluations,
    )


def parts_elsewhere(
    model: Model, record: Decomposition | TableDecomposition, points: Array
) -> list[tuple[Array, Array]]:
    """Mean and standard deviation (m,) at points (m, d) of every part of a record, with the same uncertainty."""
    posterior, seed = model.posterior, model.settings.seed
    with one_thread():
        if isinstance(record, TableDecomposition):
            return effects_at(record.effects, posterior, points, seed=seed)
        return parts_at(record.kernels, posterior, model.modelled, points, seed=seed, priors=model.priors)


def _with_forecast(record: Decomposition, predictor: Predictor) -> Decomposition:
    """The same with the forecast of a predictor, and no curve or range beyond its limits."""
    low, high = predictor.limits
    whole = record.observation
    mean, lower, upper = (np.clip(curve, low, high) for curve in (whole.mean, whole.lower, whole.upper))
    observation = replace(whole, mean=mean, lower=lower, upper=upper)
    samples = np.clip(record.samples, low, high)
    if record.counts is not None:
        law = predictor.law_at(record.observation.x)
        assert law is not None
        observation = with_chance(record.observation, (low, high), law)
    limited = replace(record, observation=observation, samples=samples, limits=(low, high))
    if not record.forecast.x.size:
        return limited
    ahead = predictor.predictive(record.forecast.x[:, None])
    expected = record.counts is not None and not predictor.model.screening.ending
    forecast = predicted_curve(record.forecast.x, ahead, expected=expected)
    limited = replace(limited, samples=np.clip(_about_forecast(record, predictor), low, high))
    if limited.counts is not None:
        ends = np.exp(ahead.log_density(np.zeros(record.forecast.x.size)))[[0, -1][: record.forecast.x.size]]
        limited = replace(limited, counts=replace(limited.counts, none=tuple(map(float, ends))))
    two_ways = _two_ways(record.forecast.x, predictor)
    limited = replace(limited, sum_ahead=None if two_ways else sum_ahead(predictor, record))
    return replace(limited, forecast=forecast, averaged=predictor.structures, two_ways=two_ways)


def _two_ways(x: Array, predictor: Predictor) -> tuple[Array, Array] | None:
    """The forecast at positions (m,) if values set aside at the end of the data are past, and if they last."""
    if not predictor.model.screening.ending:
        return None
    cases = (replace(predictor, lasts=lasts).predictive(x[:, None]) for lasts in (False, True))
    back, lasting = (predicted_curve(x, case).middle for case in cases)
    return back, lasting


def _about_forecast(record: Decomposition, predictor: Predictor) -> Array:
    """The possible courses (count, grid), those after the data about the forecast.

    They are draws of the model that is told; the forecast averages over others, and over the growth of the past.
    """
    model, x = predictor.model, record.signal.x
    after, offset, forward = x > record.x[-1], model.modelled.offset, model.transform.forward
    if not after.any():
        return record.samples
    ahead, told = predictor.predictive(x[after, None], signal=True).mean - offset, record.signal.mean[after] - offset
    if model.transform.is_mapped:
        ahead = np.maximum(ahead, np.finfo(np.float64).tiny)  # that of the other scale may lie below zero
    samples = record.samples.copy()
    moved = forward(samples[:, after] - offset) + forward(ahead) - forward(told)
    samples[:, after] = model.transform.back(moved) + offset
    return samples


def _of_the_search(model: Model, *, whole: bool) -> dict[str, Any]:
    """What both records hold of the way to the model; unless it is ``whole``, without all that was tried."""
    search = model.search
    steps = {step.level: step for step in search.trace}  # of every level the one on the most rows
    rows = {step.rows or model.dataset.n: None for step in search.trace}
    facts = {
        "path": tuple((step.expression, _reported_score(step, model), step.seconds) for step in steps.values()),
        "stages": tuple(rows),
        "alternatives": tuple((candidate.kernel, weight) for candidate, weight in model.structures),
        "cut": search.cut,
    }
    if not whole:
        return facts
    proposed = tuple({step.level: step.candidates for step in reversed(search.trace)}.values())[::-1]
    known = {"proposed": proposed, "criterion": model.settings.criterion}
    return facts | {"tried": _tried(model)} | known


def _reported_score(step: StepInfo, model: Model) -> float | None:
    """What is reported of a level: BIC, unless the search went by evidence; None where it had few rows."""
    if step.rows is not None:
        return None
    return step.score if model.settings.criterion == "evidence" else step.bic


def _tried(model: Model) -> tuple[Tried, ...]:
    """What the search has fitted, the best first."""
    pairs = zip(model.search.frontier, model.search.parents, strict=True)
    return tuple(Tried(candidate.level, str(candidate.kernel), candidate.score, parent) for candidate, parent in pairs)


def _calibration(predictor: Predictor) -> HeldRanges | None:
    """How ranges of the forecast held on the later rows, with all that it averages refitted to few earlier ones."""
    model = predictor.model
    if not model.dataset.is_ordered:
        return None
    splits = splits_at(predictor, model.as_observed, origins(model.dataset.x))
    if not splits:
        return None
    below = np.concatenate([split.forecast.midpoint(split.y) for split in splits])
    inside = tuple(float(np.mean(np.abs(2.0 * below - 1.0) <= level)) for level in TESTED_LEVELS)
    worth, refitted = sum(effective_sample_size(split.errors) for split in splits), refits(model.dataset.n)
    seasons = dict.fromkeys((None, season_of(model)))
    error, *simple = (
        _average(np.concatenate(misses), of_counts=model.counted is not None)
        for misses in (
            [split.forecast.mean - split.y for split in splits],
            *([seasonal_naive(split.known, split.x, season) - split.y for split in splits] for season in seasons),
        )
    )
    naive, season = min(zip(simple, seasons, strict=True), key=lambda each: each[0])
    ends = tuple(split.origin for split in splits)
    return HeldRanges(ends, len(below), float(worth), TESTED_LEVELS, inside, error, refitted, naive, season)


def _average(misses: Array, *, of_counts: bool) -> float:
    """The size of misses (m,): of counts the root mean square, by which no forecast does better than their mean.

    By the mean absolute miss, zero is the best forecast of counts that are mostly zero.
    """
    return float(np.sqrt(np.mean(misses**2)) if of_counts else np.abs(misses).mean())


# --- What chance adds to counts about their rate --------------------------------------------------------------------


def scatter_of(model: Model) -> CountDispersion:
    """How much the counts of a model scatter about their rate: all of them, over what chance alone gives."""
    posterior = model.posterior
    noise = posterior.noise_variance(posterior.X)  # that of the logarithm of the rate
    added = model.dataset.added
    signal = posterior.signal()[0] + (0.0 if added is None else added.at(posterior.X[:, 0]))
    rate, sd = model.transform.moments(signal, np.sqrt(noise))
    law = model.likelihood
    assert isinstance(law, Sited)
    own = law.dispersion if isinstance(law, NegativeBinomial) else 0.0
    sizes = model.dataset.sizes
    exposed = np.ones(len(rate)) if sizes is None else sizes.at(posterior.X[:, 0])
    beyond = np.sum(exposed**2 * (sd**2 + own * (rate**2 + sd**2)))
    chance = exposed * rate * (1.0 - rate if model.transform.is_odds else 1.0)
    times, name = 1.0 + float(beyond / np.sum(chance)), "" if sizes is None else sizes.name
    slope = rate * (1.0 - rate) if model.transform.is_odds else rate  # by the function
    seen = float(np.sqrt(np.log1p(LEAST_SEEN * np.sum(chance) / np.sum((exposed * slope) ** 2))))
    targets, apart = posterior.y - model.transform.shift, _zeros_apart(model.dataset.y, law)
    return CountDispersion(times, targets, (), law.name, name, seen, model.choice.gain, apart, own)


def counted_by(model: Model) -> Counted | None:
    """The counts of a model of a series in order, and what it expects at values of its function; None of shares."""
    if model.transform.is_odds:
        return None
    posterior, transform = model.posterior, model.transform
    sds, law = np.sqrt(posterior.noise_variance(posterior.X)), model.likelihood.mapped(transform)
    assert isinstance(law, Sited)

    def expected(f: Array, rows: NDArray[np.intp]) -> Array:
        return law.predictive((f + transform.shift)[None], sds[rows][None], np.ones(1)).mean

    return Counted(in_order(model.dataset).y, expected)


def _zeros_apart(y: Array, law: Sited) -> ZerosApart | None:
    """What zeros and other counts (n,) of a series are, where the law sets the zeros apart."""
    if not isinstance(law, Hurdle):
        return None
    zeros = np.count_nonzero(y == 0.0)
    low, high = (float(np.quantile(y[y > 0.0], level, method="nearest")) for level in MOST_OF_SOME)
    lower, upper = (float(beta.ppf(level, zeros + 0.5, len(y) - zeros + 0.5)) for level in ENDS_OF_95)  # Jeffreys
    return ZerosApart(law.none, lower, upper, low, high)


def errors_of_no_normal(model: Model) -> Array | None:
    """Standardised errors (n,) of a series whose values are counts, or some limits of detection; else None."""
    if model.counted is not None:
        return count_errors(model)
    return None if model.censored is None else limits_in_turn(model)


def count_errors(model: Model) -> Array:
    """Standardised errors (n,) of predicting each count from all before it: independent standard normal by the model.

    Each is drawn evenly between the chance of less than the count and that of no more (Dunn and Smyth 1996), always by
    the same draws. What all rows say of the function stands in the pseudo-targets, but moves them little.
    """
    posterior, noise = model.posterior, model.problem.noise
    assert noise is not None
    means = posterior.y - posterior.innovations() * posterior.innovation_sd
    sds = np.sqrt(np.maximum(posterior.innovation_sd**2 - noise, 0.0))
    law, data = model.problem.likelihood, in_order(model.dataset)
    assert isinstance(law, Sited)
    made = law.about(data).predictive(means[None], sds[None], np.ones(1))
    one = 1.0 if data.sizes is None else 1.0 / data.sizes.at(data.x)
    y, share = as_counted(data), np.random.default_rng(model.settings.seed).random(data.n)
    return _placed(made, y, one, share)


def _placed(made: Predictive, y: Array, one: Array | float, share: Array) -> Array:
    """Standardised errors of counts (n,), each so far from the chance of one count less to that of no more."""
    inside = share * np.exp(made.log_density(y))
    return np.asarray(ndtri(np.clip(made.cdf(y - one) + inside, LEAST, 1.0 - LEAST)))


def counts_left_out(model: Model) -> LeaveOneOut:
    """Every count of a table predicted from all others, with the numbers of the whole fit.

    What is said of the function by a row's own pseudo-target is taken off; errors are those of `count_errors`.
    """
    posterior, noise, law = model.posterior, model.problem.noise, model.problem.likelihood
    assert noise is not None
    assert isinstance(law, Sited)

    def predicted(mean: Array, variance: Array) -> Predictive:
        return law.predictive(mean[None], np.sqrt(np.maximum(variance - noise, LEAST))[None], np.ones(1))

    mean, variance, _ = posterior.leave_one_out()
    made = predicted(mean, variance)
    y, rng = model.dataset.y, np.random.default_rng(model.settings.seed)
    errors = _placed(made, y, 1.0, rng.random(len(y)))
    lower, upper = made.quantiles(ENDS_OF_95).T
    out = scored(y, (made.mean, lower, upper), errors, checks_of_errors(posterior, mean, errors, rng))
    return replace(out, groups=left_out_groups(posterior, y, lambda *moments: predicted(*moments).mean))


def with_chance(rates: Curve, limits: tuple[float, float], law: Sited = POISSON) -> Curve:
    """Rates along an axis, lognormal at each place, as the counts that scatter about them; chances as shares.

    >>> certain = Curve(np.zeros(1), np.array([4.0]), np.array([1e-6]), np.zeros(1), np.zeros(1))
    >>> counts = with_chance(certain, (0.0, np.inf))
    >>> counts.sd.round(3).tolist(), counts.lower.tolist(), counts.upper.tolist()
    ([2.0], [1.0], [8.0])
    """
    if law.mapped_by_odds:
        chance = np.clip(rates.mean, LEAST, 1.0 - LEAST)
        means, variance, scale = ODDS.forward(chance), (rates.sd / (chance * (1.0 - chance))) ** 2, ODDS
    else:
        variance = np.log1p((rates.sd / rates.mean) ** 2)
        means, scale = np.log(rates.mean) - 0.5 * variance, LOG
    made = law.mapped(scale).predictive(means[None], np.sqrt(variance)[None], np.ones(1), 0.0, limits)
    lower, upper = made.quantiles(ENDS_OF_95).T
    return Curve(rates.x, made.mean, made.std, lower, upper)
