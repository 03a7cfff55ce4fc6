"""Sums of the steps ahead: over whole periods of the calendar, and over as many as make the next year, week or day."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician._io.seeds import generator
from autostatistician.data.times.axes import Axis
from autostatistician.decompose.records.series import Decomposition, SumAhead
from autostatistician.errors import InputError, check_choice
from autostatistician.fitted.predictions import Predictor
from autostatistician.gp.posterior.projection import with_marginals
from autostatistician.gp.predictive import ENDS_OF_95

__all__ = ["PERIODS", "PeriodSums", "steps_to_sum", "sum_ahead", "sums_by"]

Array = NDArray[np.float64]
Dates = NDArray[np.datetime64]

# Steps that make a whole, the longest first: a year, a quarter of one, four weeks, a week, a day.
WHOLES = {"month": (12,), "quarter": (4,), "week": (52, 13), "day": (28, 7), "business day": (20, 5), "hour": (24,)}
PERIODS = {"year": 366, "quarter": 92, "month": 31, "week": 7}  # of the calendar, with their most days
MOST_STEPS = 1000  # whose covariances by all models are in memory at once
DRAWS = 4000
SCORES = np.linspace(-4.0, 4.0, 49)  # normal ones of the quantiles that these are read off


@dataclass(frozen=True, eq=False)
class PeriodSums:
    """Sums over k whole periods of the calendar, which begin at ``starts`` (k,), by ``draws`` (k, count) of them all.

    Their rows lie from ``first`` to ``last`` (k,) on the axis of the model; ``known`` (k,) of them are among the data.
    """

    starts: Dates
    first: Array
    last: Array
    known: NDArray[np.intp]
    draws: Array

    def beyond(self, number: float) -> tuple[Array, Array]:
        """The probabilities (k,) that sums are less and more than a number."""
        return np.mean(self.draws < number, axis=1), np.mean(self.draws > number, axis=1)


def sums_by(predictor: Predictor, period: str, x: Array) -> PeriodSums:
    """The sums of the next steps at ``x`` (m,) by the periods of which all steps are known or are among them.

    Raises
    ------
    InputError
        When the series has no such steps, its values do not add up, or there is no whole period among the steps.
    """
    model, axis = predictor.model, _calendar(predictor, period)
    data = model.with_aside
    following = axis.future(model.last, x.size + 1)[-1:]
    ahead, after = _starts(axis, x, period), _starts(axis, following, period)[0]
    current = _starts(axis, data.x, period) == ahead[0]
    constant, foretold = axis.are_constant(x), np.zeros(0) if data.constant is None else data.constant
    of_foretold = _starts(axis, foretold, period)
    drawn, rows = _drawn(predictor, x[: _few(x.size)]), []
    for start in np.unique(ahead):
        inside = ahead == start
        known = current & (start == ahead[0])
        places = np.concatenate([data.x[known], x[inside & ~constant]])
        begins = _starts(axis, axis.future(places[0], -1), period)[0] != start
        whole = axis.grid(places[0], places[-1]).size == places.size
        if begins and whole and start != after:
            total = float(np.sum(data.y[known] + data.offset)) + drawn[inside].sum(axis=0)
            total += axis.calendar.value * np.count_nonzero(of_foretold == start)
            rows.append((start, places[0], places[-1], int(known.sum()), total))
    if not rows:
        expected = f"steps that reach to the end of a whole {period}"
        raise InputError.of(expected, str(x.size), "ask for more steps")
    starts, first, last, numbers, totals = (np.array(each) for each in zip(*rows, strict=True))
    return PeriodSums(starts, first, last, numbers, totals)


def steps_to_sum(predictor: Predictor, period: str) -> int:
    """The steps to the end of the next whole period of the calendar.

    Raises
    ------
    InputError
        When the series has no steps that make up such periods, or its values do not add up.
    """
    axis, last = _calendar(predictor, period), predictor.model.last
    step = np.array([last, last + (axis.step or axis.gap)])
    days = np.diff(axis.times(step).astype("M8[s]")).astype(float) / 86_400.0
    starts = _starts(axis, axis.future(last, int(2 * PERIODS[period] / days[0]) + 2), period)
    return _few(int(np.sum(starts <= np.unique(starts)[1])))


def _few(steps: int) -> int:
    if steps > MOST_STEPS:
        remedy = "ask for fewer steps, or sums over shorter periods"
        raise InputError.of(f"at most {MOST_STEPS} steps for sums", str(steps), remedy)
    return steps


def sum_ahead(predictor: Predictor, record: Decomposition) -> SumAhead | None:
    """The sum of the next steps; None where they make no whole, or the steps before have rows without a value."""
    ahead, axis = record.forecast.x, record.axis
    steps = next((n for n in WHOLES.get(axis.frequency, ()) if n <= min(ahead.size, record.x.size)), 0)
    if not steps or round((ahead[steps - 1] - record.x[-steps]) / (axis.step or axis.gap)) != 2 * steps - 1:
        return None
    sums, before = _drawn(predictor, ahead[:steps]).sum(axis=0), float(record.y[-steps:].sum())
    lower, upper = np.quantile(sums, ENDS_OF_95).tolist()
    return SumAhead(steps, float(np.median(sums)), (lower, upper), before, float(np.mean(sums < before)))


def _drawn(predictor: Predictor, x: Array) -> Array:
    """Joint draws (m, count) of the values at positions (m,)."""
    each = predictor.predictive(x[:, None])
    _, cov = predictor.joint(x[:, None], each)
    whole, rng = predictor.law_at(x) is not None, generator(predictor.model.settings.seed)
    return with_marginals(each, cov, DRAWS, rng, whole=whole, scores=SCORES)


def _calendar(predictor: Predictor, period: str) -> Axis:
    """The axis of a series whose steps make up periods of the calendar."""
    check_choice("sum_by", period, tuple(PERIODS))
    model = predictor.model
    axis = model.dataset.axis
    if axis is None or not axis.is_calendar or axis.step is None or model.dataset.classes:
        raise InputError.of(f"a series in even steps of the calendar, to sum by {period}", "another", "leave it out")
    if model.transform.is_odds or model.dataset.sizes is not None:
        raise InputError.of("values that add up", "shares or rates", "leave the sums out")
    some = _starts(axis, axis.future(model.last, 12), period)
    if np.unique(some).size == some.size:
        raise InputError.of(f"steps that are shorter than a {period}", "no shorter ones", "sum by longer periods")
    return axis


def _starts(axis: Axis, x: Array, period: str) -> Dates:
    """The first days (m,) of the periods of the calendar in which positions (m,) lie.

    >>> month = Axis("month", "year", "month", 1 / 12)
    >>> _starts(month, np.array([2026 + 4 / 12]), "quarter").astype(str).tolist()
    ['2026-04-01']
    >>> _starts(Axis("day", "day", "day", 1.0, "2026-01-01"), np.array([0.0, 4.0]), "week").astype(str).tolist()
    ['2025-12-29', '2026-01-05']
    """
    times = np.asarray(axis.times(x))
    match period:
        case "week":  # which begin on Mondays; day 0 was a Thursday
            days = times.astype("M8[D]").astype(np.int64)
            return np.asarray(((days + 3) // 7 * 7 - 3).astype("M8[D]"))
        case "quarter":
            return np.asarray((times.astype("M8[M]").astype(np.int64) // 3 * 3).astype("M8[M]").astype("M8[D]"))
    return np.asarray(times.astype("M8[M]" if period == "month" else "M8[Y]").astype("M8[D]"))
