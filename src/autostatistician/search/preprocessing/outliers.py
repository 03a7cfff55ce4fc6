"""Values that stand out from a series whatever its structure: found before the search, and set aside.

A few reference models are fitted without the rows that they miss most. A value is an outlier where the prediction from
all others misses it by more than the largest of n errors would with tails as heavy as those of the other errors
(Bonferroni's correction; Barnett and Lewis 1994, chapter 7), where no step at its place explains about as much, and
where the same does not come back in other cycles. Where many values are far off, of all sizes, the noise has heavy
tails, and nothing is set aside; a single one cannot show that. Rows of an event (`search.preprocessing.events`) are
neither: the others are judged without them. Values that come back on a day of the calendar are set aside, too, and
forecasts bring them again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import log

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit, softmax
from scipy.stats import nbinom, norm

from autostatistician.data.dataset import Dataset, of_rows
from autostatistician.data.outliers import Outlier, Screening, are_counts
from autostatistician.data.target_limits import natural_limits
from autostatistician.data.times.calendar_days import CalendarDay
from autostatistician.data.times.occurring import runs
from autostatistician.data.transform import transform_of
from autostatistician.gp.likelihoods import fitted_to
from autostatistician.search.preprocessing.events import together
from autostatistician.search.preprocessing.reference_errors import (
    Models,
    ReferenceErrors,
    reference_errors,
    usual_for_phase,
)
from autostatistician.search.preprocessing.returning import log_density_together, may_return, returning
from autostatistician.search.racing.workers import each
from autostatistician.search.scores.noise_penalties import (
    gain_of_heavy_tails,
    gain_of_outliers,
    usual_errors,
    without_largest,
)

__all__ = ["LARGE", "screened"]


Array = NDArray[np.float64]

Flags = NDArray[np.bool_]

# The probability that one, two or three odd rows at the end of a series without any such before begin a new level.
LASTING = (0.419, 0.538, 0.693)

EVENTS_BEFORE = 1.0  # what counts as much as one event that went back, or lasted

UNLIKE = 0.15  # of the size of a new level: about so much its rows differ beside noise

LEAST_MEAN = 0.1

LEAST_DISPERSION = 1e-6  # with which the negative binomial is the Poisson distribution

FEWEST_ROWS = 20  # fewer do not tell an outlier from the structure

FEWEST_DISTINCT_VALUES = 8  # different ones: of fewer, each is a state

MOST_ROWS = 300  # of one piece; longer series are looked at piece by piece

MOST_PIECES = 10  # longer series are left as they are

CHANCE_OF_FALSE_ALARM = 0.03  # of calling any value of a series with Gaussian noise an outlier

MOST_OUTLIERS = 0.1  # share of the rows

ODDS_AGAINST_SCALE = 20.0  # from which a scale has no say

LEAST_RATIO = 2.0  # of positive values, largest over smallest: below, a logarithm is a straight line

LARGE = 2.5  # standard deviations of errors that come together at a change

MOST_LOOKS = 3  # for days of the calendar, each from what the rows on none of those before suggest

LONGEST_RUN, LONGEST_MIXED_RUN = 2, 3  # neighbours to one side, and to both: more are an event


def screened(dataset: Dataset, n_jobs: int | None = 1) -> tuple[Dataset, Screening]:
    """A series without its outliers, and what was found; tables and very short series stay as they are.

    Pieces of long series are judged by as many workers.

    Examples
    --------
    >>> x = np.arange(40.0)
    >>> y = np.random.default_rng(1).normal(size=40) + 9.0 * (x == 20)
    >>> kept, found = screened(Dataset(x[:, None], y, ("x",), "y", None))
    >>> kept.n, [one.x for one in found.aside]
    (39, [20.0])
    """
    pieces = -(-dataset.n // MOST_ROWS)
    if len(dataset.columns) != 1 or dataset.levels or dataset.n < FEWEST_ROWS or pieces > MOST_PIECES:
        return dataset, Screening()
    order = np.argsort(dataset.x, kind="stable")
    series = of_rows(dataset, order)
    if np.unique(series.x).size < FEWEST_ROWS or np.unique(series.y).size < FEWEST_DISTINCT_VALUES:
        return dataset, Screening()
    kept = np.zeros(0, dtype=np.intp)
    judgement, back = _first_look(series, pieces, n_jobs)
    for _ in range(MOST_LOOKS):
        before, (days, back) = back, _days(series, judgement)
        event = together(series.y, judgement.out & ~back) & ~back
        settled = bool((back == before).all())
        if event.any() or not settled:
            kept, order, series = np.append(kept, order[event]), order[~event], of_rows(series, ~event)
            back, days = back[~event], [(day, rows[~event]) for day, rows in days]
            judgement = _known(series, pieces, n_jobs, back, judgement.models)
        if settled:
            break
    rows = _on_days(series, judgement, days)
    series, order, judgement = of_rows(series, ~back), order[~back], judgement.of(~back)
    screening, aside = _found(series, judgement)
    keep = np.sort(np.concatenate([order[~aside], kept]))
    screening = replace(screening, rows=tuple(sorted((*screening.rows, *rows), key=lambda outlier: outlier.x)))
    return (of_rows(dataset, keep) if screening.aside else dataset), screening


def _first_look(series: Dataset, pieces: int, n_jobs: int | None) -> tuple[ReferenceErrors, Flags]:
    """A series judged without the rows (n,) that the calendar brings, and these.

    Those that may be so are seen only where all of them are apart. That weeks or months are off each year competes with
    all that a yearly pattern makes of them.
    """
    apart = may_return(series.axis, series.x, series.y)
    if not apart.any():
        return _known(series, pieces, n_jobs, apart), apart
    first = _known(series, pieces, n_jobs, apart)
    days, back = _days(series, first)
    judgement = _known(series, pieces, n_jobs, back, first.models)
    if back.any() and series.axis is not None and not series.axis.has_days:
        none = np.zeros_like(back)
        plain = _known(series, pieces, n_jobs, none)
        if _log_probability(judgement, days) < _log_probability(plain, []):
            return plain, none
    return judgement, back


def _log_probability(judgement: ReferenceErrors, days: list[tuple[CalendarDay, Flags]]) -> float:
    """That of all rows, those of some days off together."""
    errors, total = judgement.errors, float(judgement.density.sum())
    for _, rows in days:
        total += log_density_together(errors[rows], len(rows)) - float(norm.logpdf(errors[rows]).sum())
    return total


def _known(
    series: Dataset, pieces: int, n_jobs: int | None, apart: Flags, models: tuple[Models, ...] = ()
) -> ReferenceErrors:
    """The errors of the rows of a series on the scale that describes them best, from those that are not ``apart``."""
    scales = _scales(series)
    parts = [part for scale in scales for part in _parts(scale, series, pieces, apart)]
    if len(models) != len(parts):  # none, or without the rows of an event a series has one scale less
        models = ((),) * len(parts)
    parts_and_models = [(*part, known) for part, known in zip(parts, models, strict=True)]
    judgements = each(_reference_errors, parts_and_models, n_jobs if pieces > 1 else 1)
    by_scale = [judgements[start : start + pieces] for start in range(0, len(judgements), pieces)]
    return _best([_on(*both, series) for both in zip(scales, by_scale, strict=True)], apart)


def _days(series: Dataset, judgement: ReferenceErrors) -> tuple[list[tuple[CalendarDay, Flags]], Flags]:
    """The days of the calendar on which values are off each time with their rows (n,), and the rows of all of them."""
    may_be = may_return(series.axis, series.x, series.y)
    days = returning(series.axis, series.x, judgement.errors, judgement.out, may_be)
    return days, np.logical_or.reduce([np.zeros(series.n, dtype=bool), *(rows for _, rows in days)])


def _on_days(series: Dataset, judgement: ReferenceErrors, days: list[tuple[CalendarDay, Flags]]) -> list[Outlier]:
    """The rows that days of the calendar bring again, as outliers."""
    values, expected = series.y + series.offset, judgement.expected + series.offset
    return [
        Outlier(float(series.x[i]), float(values[i]), float(expected[i]), returns=day.to_text())
        for day, rows in days
        for i in np.flatnonzero(rows)
    ]


@dataclass(frozen=True)
class _Scale:
    """A scale on which values are judged: the map to it, the map back, and the logarithm of its slope."""

    forward: Callable[[Array], Array]
    back: Callable[[Array], Array]
    log_slope: Callable[[Array], Array]


_PLAIN = _Scale(lambda y: y, lambda t: t, np.zeros_like)

_LOG = _Scale(np.log, np.exp, lambda y: -np.log(y))


def _root(y: Array) -> _Scale:
    """Roots of positive values and zeros, from a little below zero: so counts have even noise (Anscombe 1948)."""
    below = 0.375 * float(y[y > 0.0].min())
    return _Scale(
        lambda y: np.sqrt(y + below),
        lambda t: np.maximum(np.square(t) - below, 0.0),
        lambda y: -0.5 * np.log(4.0 * (y + below)),
    )


def _odds(y: Array) -> _Scale:
    """The logarithm of the odds of shares: near none and all, values scatter less and skewed."""
    odds = transform_of("logit", y)
    return _Scale(odds.forward, odds.back, odds.log_slope)


def _scales(series: Dataset) -> list[_Scale]:
    """That of the values, of the odds of shares, and of logarithms or roots of others where it makes a difference.

    These have logarithms or roots where none is below zero.
    """
    y = series.y
    low, high = natural_limits(y, series.target)
    if np.isfinite([low, high]).all() and y.min() > low and y.max() < high and not series.offset:
        return [_PLAIN, _odds(y)]
    if y.min() < 0.0 or series.offset or y.max() < LEAST_RATIO * y.min():
        return [_PLAIN]
    return [_PLAIN, _LOG if y.min() > 0.0 else _root(y)]


def _parts(scale: _Scale, series: Dataset, pieces: int, apart: Flags) -> list[tuple[Dataset, float, Flags]]:
    """The pieces of a series on a scale, and the chance of a false alarm in each of their rows."""
    t, chance = scale.forward(series.y), CHANCE_OF_FALSE_ALARM / series.n
    split = np.array_split(np.arange(series.n), pieces)
    return [(replace(series, X=series.X[rows], y=t[rows]), chance, apart[rows]) for rows in split]


def _reference_errors(part: tuple[Dataset, float, Flags, Models]) -> ReferenceErrors:
    return reference_errors(*part)


def _on(scale: _Scale, pieces: list[ReferenceErrors], series: Dataset) -> ReferenceErrors:
    """The pieces of a series on a scale as one; expected values and densities are of the values."""
    return ReferenceErrors(
        errors=np.concatenate([piece.errors for piece in pieces]),
        expected=scale.back(np.concatenate([piece.expected for piece in pieces])),
        out=np.concatenate([piece.out for piece in pieces]),
        steps=np.concatenate([piece.steps for piece in pieces]),
        density=np.concatenate([piece.density for piece in pieces]) + scale.log_slope(series.y),
        gain=sum(piece.gain for piece in pieces),
        models=tuple(models for piece in pieces for models in piece.models),
    )


def _best(scales: list[ReferenceErrors], apart: Flags) -> ReferenceErrors:
    """The scale on which all rows but those ``apart``, some of them outliers, are described best.

    Where another one is nearly as probable, only rows that stand out on it as well are out: on the logarithm of values
    whose noise has one size, ordinary ones lie far off where the values are high.
    """
    densities = [float(scale.density[~apart].sum()) for scale in scales]
    best, least = max(densities), max(densities) - log(ODDS_AGAINST_SCALE)
    near = [scale.out for scale, density in zip(scales, densities, strict=True) if density > least]
    models = tuple(models for scale in scales for models in scale.models)
    return replace(scales[densities.index(best)], out=np.logical_and.reduce(near), models=models)


def _found(series: Dataset, judgement: ReferenceErrors) -> tuple[Screening, Flags]:
    """What stands out, and which rows (n,) are set aside."""
    out = judgement.out.copy()
    values, expected = series.y + series.offset, judgement.expected + series.offset
    if series.added is not None or are_counts(values):
        out &= ~possible_counts(values, expected, ~judgement.out, CHANCE_OF_FALSE_ALARM / series.n)
    if out.any() and series.axis is not None:
        out &= ~usual_for_phase(series.x, values, values - expected, tuple(series.axis.natural_periods))
    aside = np.zeros(series.n, dtype=bool)
    ending = _ending(out)
    plain = ~judgement.steps
    if out.any() and _are_heavy(judgement.errors[plain], out[plain]):
        large = np.abs(judgement.errors) > LARGE
        change = large & (np.convolve(large, [1, 0, 1], mode="same") > 0)  # as at the ends of an event
        tails = gain_of_heavy_tails(judgement.errors[plain & ~change])
        furthest = sorted(np.flatnonzero(out), key=lambda row: -abs(judgement.errors[row]))
        far = tuple(Outlier(float(series.x[i]), float(values[i]), float(expected[i]), aside=False) for i in furthest)
        return Screening(heavy=len(far), tails=max(tails, 0.0), far=far), aside
    log_usual, exceeded = usual_errors(judgement.errors, judgement.errors[~judgement.out])
    out &= series.n * exceeded <= CHANCE_OF_FALSE_ALARM  # such as the others would have by chance, with their tails
    ending &= out
    at_steps = out & judgement.steps
    out &= plain & ~ending
    pairs = []
    for first, last in runs(out):
        one_side = abs(int(np.sign(judgement.errors[first : last + 1]).sum())) == last - first + 1
        out[first : last + 1] = last - first < (LONGEST_RUN if one_side else LONGEST_MIXED_RUN)
        aside[first : last + 1] = out[first] and last < series.n - 1
        pairs += [(first, last)] if aside[first] and one_side and last > first else []
    singles = int(aside.sum()) - sum(last - first + 1 for first, last in pairs)
    end = ended(judgement.errors, ending, singles, len(runs(at_steps)))
    chances = fitted_to(judgement.errors, judgement.out).chances(judgement.errors, log_usual)
    if end is not None:
        out, aside = out | ending, aside | ending
        ending[: end.first] = False
        chances[end.first :] = 1.0 - end.lasting
    rows = [
        Outlier(
            float(series.x[i]), float(values[i]), float(expected[i]), bool(aside[i]), bool(ending[i]),
            chance=float(chances[i]),
        )
        for i in np.flatnonzero(out)
    ]  # fmt: skip
    lasting = 0.0 if end is None else end.lasting
    return Screening(tuple(rows), judgement.gain if aside.any() else 0.0, lasting=lasting), aside


def _are_heavy(errors: Array, out: Flags) -> bool:
    """Whether errors (n,) are noise with heavy tails more probably than normal ones with a few outliers, those ``out``.

    One deviation cannot show that those of all sizes are common: also all but the largest must have heavy tails.

    >>> errors = np.append(np.random.default_rng(2).normal(size=60), 9.0)
    >>> heavy = np.random.default_rng(5).standard_t(2.0, size=60)
    >>> [_are_heavy(some, np.abs(some) > 4.0) for some in (errors, heavy)]
    [False, True]
    """
    if gain_of_heavy_tails(without_largest(errors)) <= 0.0:
        return False
    return not (0.0 < out.mean() <= MOST_OUTLIERS and gain_of_outliers(errors, out) > 0.0)


def _ending(out: Flags) -> Flags:
    """The few rows at the very end that stand out; more of them are a change that has come.

    >>> _ending(np.array([False, True, False, True, True])).tolist(), _ending(np.ones(4, dtype=bool)).any()
    ([False, False, False, True, True], np.False_)
    """
    ending = np.zeros_like(out)
    first, last = runs(out)[-1] if out.any() else (0, -1)
    if last == len(out) - 1 and last - first < len(LASTING):
        ending[first:] = True
    return ending


# --- Counts that are large now and then, as their distribution has it -----------------------------------------------


def possible_counts(y: Array, expected: Array, usual: Flags, chance: float) -> Flags:
    """Which counts (n,) are such as the negative binomial about what is expected gives with more than a chance.

    Its dispersion is that of the ``usual`` rows by moments: their variance is mu + dispersion mu^2 (Cameron and Trivedi
    2013, section 3.3).

    >>> y = np.array([0.0, 1.0, 2.0, 1.0, 0.0, 2.0, 5.0, 50.0])
    >>> possible_counts(y, np.ones(8), y < 5.0, 1e-3).tolist()
    [True, True, True, True, True, True, True, False]
    """
    mean = np.maximum(expected, LEAST_MEAN)
    squares = ((y - mean) ** 2 - mean)[usual]
    dispersion = max(float(squares.sum() / np.sum(mean[usual] ** 2)), LEAST_DISPERSION)
    given = nbinom(1.0 / dispersion, 1.0 / (1.0 + dispersion * mean))
    return np.asarray(2.0 * np.minimum(given.sf(y - 1.0), given.cdf(y)) > chance)


# --- The last rows of a series where they stand out -----------------------------------------------------------------


@dataclass(frozen=True)
class Ending:
    """The rows from ``first`` on may be on a new level, with the probability ``lasting``; else they are outliers."""

    first: int
    lasting: float


def ended(errors: Array, out: Flags, singles: int, steps: int) -> Ending | None:
    """The end of a series by errors (n,) in standard deviations, ``out`` being those further off than chance has it.

    Before the end, so many ``singles`` were outliers and so many ``steps`` lasted. None where the last row is as usual,
    and where more rows are odd than can be told from a change that has come.

    Examples
    --------
    >>> errors, out = np.random.default_rng(0).normal(size=40), np.zeros(40, dtype=bool)
    >>> errors[-1], out[-1] = 9.0, True
    >>> [round(ended(errors, out, *before).lasting, 2) for before in ((0, 0), (5, 0), (0, 2))]
    [0.42, 0.11, 0.68]
    >>> errors[-2], out[-2] = -8.0, True
    >>> ended(errors, out, 0, 0).first
    39
    """
    first, last = runs(out)[-1] if out.any() else (0, -1)
    count = last - first + 1
    if last != len(out) - 1 or count > len(LASTING):
        return None
    large = fitted_to(errors, out)
    single = log(fitted_to(errors[:first], out[:first]).share)
    sizes = errors[first:]
    each = single + norm.logpdf(sizes, scale=large.times * large.scale)
    lasts = log((steps + EVENTS_BEFORE) / EVENTS_BEFORE)
    step = single + logit(LASTING[0]) + lasts - log((singles + EVENTS_BEFORE) / EVENTS_BEFORE)

    def shared(of: Array) -> float:
        """The log density of sizes about one level."""
        middle, k = float(of.mean()), len(of)
        variance = large.scale**2 + (UNLIKE * middle) ** 2
        apart = -0.5 * float(np.sum((of - middle) ** 2)) / variance - 0.5 * (k - 1) * log(2.0 * np.pi * variance)
        return float(norm.logpdf(middle, scale=large.times * large.scale)) + apart - 0.5 * log(k)

    levels = [float(each[:k].sum()) + step + shared(sizes[k:]) for k in range(count)]
    odds = logit(LASTING[count - 1]) + lasts
    back = [float(each.sum())] + ([step - odds + shared(sizes)] if count > 1 else [])  # each by itself, or together
    probable = softmax([*levels, *back])
    start = int(np.argmax(probable[:count]))
    return Ending(first + start, float(probable[start]))
