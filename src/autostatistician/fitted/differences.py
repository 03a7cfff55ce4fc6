"""Why a series is higher at one time than at another: the difference as a sum of what its parts and columns give.

Means are those of the fit. Variances about them hold what the data leave open about the parameters (`averaged_parts`);
the parts of the time structure are jointly normal given these and the effects of columns, whose draws they follow
(`fitted.covariate_effects`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from autostatistician._io.threads import one_thread
from autostatistician.data.transform import Transform
from autostatistician.errors import InputError
from autostatistician.fitted.averaged_parts import AveragedParts, averaged_parts
from autostatistician.fitted.covariate_effects import (
    added_by_columns,
    draws_of_columns,
    followed_by_time,
    over_courses,
    spread_of,
)
from autostatistician.fitted.ensemble import ensemble
from autostatistician.fitted.model import Model
from autostatistician.fitted.predictions import Predictor
from autostatistician.gp.posterior import Posterior
from autostatistician.gp.predictive import ENDS_OF_95, Averaged, Predictive
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.traits import is_noise
from autostatistician.regressors.forecasts import likely_courses

__all__ = ["Amounts", "Difference", "Share", "difference", "what_if"]


Array = NDArray[np.float64]

Flags = NDArray[np.bool_]

MOST_PLACES = 2000  # of both times together, whose covariances one matrix holds

NEAR = 1e-3  # of a step, within which a row is at a position

NOTHING = 1e-9  # of the spread of the series: what a part adds by rounding


@dataclass(frozen=True)
class Share:
    """What one part adds to a difference, on the scale of the model, with its standard deviation.

    Its ``kind`` is "part" (of the time structure; ``index`` says which), "column" (``name``), or "chance".
    """

    kind: str
    mean: float
    sd: float
    name: str = ""
    index: int = -1


@dataclass(frozen=True)
class Difference:
    """A difference on the scale of the model; the ``shares`` add up to it, the last of them is left to chance.

    Where that is the scale of a power, it is the difference of the data, of which every share has its part.
    The ``values`` of both times are those of the data where these have some (``seen``), else what is expected.
    """

    total: float
    shares: tuple[Share, ...]
    values: tuple[float, float]
    seen: tuple[bool, bool]


def difference(model: Model, parts: Sequence[Kernel], at: Array, against: Array) -> Difference:
    """How much higher the series is on average at positions (m,) than at others (k,), part by part of its kernel.

    Raises
    ------
    InputError
        When there are no positions, or too many.
    """
    sizes = len(at), len(against)
    if not all(sizes) or sum(sizes) > MOST_PLACES:
        amount = f"{sum(sizes)}" if all(sizes) else "none"
        raise InputError.of(f"two times with 1 to {MOST_PLACES} rows", amount, "name shorter times, within the data")
    x, weights = np.concatenate([at, against]), np.repeat([1.0 / sizes[0], -1.0 / sizes[1]], sizes)
    with one_thread():
        believed = averaged_parts(model, ensemble(model), parts)
        expected, (middle, cov) = model.posterior.signal(x[:, None])[0], believed.signal(x[:, None])
        cov = cov + np.outer(middle - expected, middle - expected)
        noise = model.posterior.noise_variance(x[:, None])
        added = np.zeros(len(x))
        if model.effects is not None:
            added, deviations = added_by_columns(model, x)
            expected, cov = expected + added, cov + spread_of(deviations)
        shares = (*_parts(model, believed, x, weights), *_columns(model, x, weights))
    values, seen = _values(model, x, expected, added)
    on_seen = weights * seen
    variance = float(on_seen @ cov @ on_seen + np.sum(noise[~seen] * weights[~seen] ** 2))
    total = float(weights @ values)
    rest = Share("chance", total - sum(share.mean for share in shares), float(np.sqrt(max(variance, 0.0))))
    first = weights > 0.0
    means = float(values[first].mean()), float(values[~first].mean())
    found = Difference(total, (*shares, rest), means, (bool(seen[first].all()), bool(seen[~first].all())))
    return _of_data(found, model.transform) if model.transform.is_power else found


def _of_data(found: Difference, transform: Transform) -> Difference:
    """The same with amounts that add up to the difference of the data."""
    data = transform.back(np.array(found.values))
    turn = float((data[0] - data[1]) / found.total if found.total else np.exp(-transform.log_slope(data[:1]))[0])
    shares = tuple(replace(share, mean=turn * share.mean, sd=turn * share.sd) for share in found.shares)
    return replace(found, total=turn * found.total, shares=shares)


def _parts(model: Model, believed: AveragedParts, x: Array, weights: Array) -> list[Share]:
    """What the parts of the time structure add, without those that add nothing."""
    signal = [(index, part) for index, part in enumerate(believed.parts) if not is_noise(part)]

    def sums(posterior: Posterior) -> Array:
        return np.array([weights @ posterior.project(part, x[:, None]).mean for _, part in signal])

    means, variances = sums(model.posterior), np.zeros(len(signal))
    for place, (index, _) in enumerate(signal):
        middle, cov = believed.moments(index, x[:, None])
        variances[place] = max(float(weights @ cov @ weights), 0.0) + (float(weights @ middle) - means[place]) ** 2
    if model.effects is not None:
        followed = followed_by_time(model, sums)
        variances += np.var(model.effects.deviations @ followed.T, axis=0)
    least = NOTHING * float(np.std(model.problem.y))
    return [
        Share("part", float(mean), float(sd), index=index)
        for (index, _), mean, sd in zip(signal, means, np.sqrt(variances), strict=True)
        if abs(mean) > least or sd > least
    ]


def _columns(model: Model, x: Array, weights: Array) -> list[Share]:
    """What the columns add, the largest first, without those that add nothing."""
    effects = model.effects
    if effects is None:
        return []
    courses, shares = likely_courses(effects.columns, x, effects.clock, model.settings.seed), []
    for name in dict.fromkeys(effect.column for effect in effects.effects):
        draws = over_courses(courses, partial(effects.added_by, name, x)) @ weights
        if np.any(draws != 0.0):
            shares.append(Share("column", float(draws.mean()), float(draws.std()), name))
    return sorted(shares, key=lambda share: -abs(share.mean))


def _values(model: Model, x: Array, expected: Array, added: Array) -> tuple[Array, Flags]:
    """The values (m,) of the data on the scale of the model, what is expected where there are none, and where some are.

    A value that was set aside is one of the data.
    """
    near = NEAR * (model.dataset.axis.gap if model.dataset.axis is not None else 1.0)
    rows, values, seen = model.problem.X[:, 0], expected.copy(), np.zeros(len(x), dtype=bool)
    for place, position in enumerate(x):
        low, high = np.searchsorted(rows, [position - near, position + near])
        here = list(model.problem.y[low:high])
        if not here:
            aside = [outlier.y for outlier in model.screening.aside if abs(outlier.x - position) <= near]
            shifted = np.array(aside) - model.modelled.offset
            can_be = np.all(shifted > 0.0) or not model.transform.is_mapped
            here = list(model.transform.forward(shifted)) if can_be else []
        if here:
            values[place], seen[place] = float(np.mean(here)) + added[place], True
    return values, seen


# --- What a forecast would be with other values of the columns beside a series --------------------------------------


@dataclass(frozen=True, eq=False)
class Amounts:
    """Means with ranges of 95 %: (m,) each, or single numbers."""

    mean: Array
    lower: Array
    upper: Array

    @classmethod
    def of_draws(cls, draws: Array, mean: Array | None = None) -> Amounts:
        """Those of draws (s, m) or (s,), about a ``mean`` that is known better.

        >>> Amounts.of_draws(np.linspace(0.0, 2.0, 201)).lower.round(3).tolist()
        0.05
        """
        lower, upper = np.quantile(draws, ENDS_OF_95, axis=0)
        return cls(np.asarray(draws.mean(axis=0) if mean is None else mean), lower, upper)


@dataclass(frozen=True, eq=False)
class WhatIf:
    """Two forecasts at positions ``x`` (m,), and how far the second lies above the first, in the units of the data."""

    x: Array
    first: Predictive | Averaged
    second: Predictive | Averaged
    difference: Amounts  # at each position
    average: Amounts
    total: Amounts
    share: Amounts  # of the total of the first forecast; no numbers where some of it is not above zero


def what_if(first: Predictor, second: Predictor, x: Array) -> WhatIf:
    """The difference of two forecasts of one model whose columns go on in other ways.

    Only what the columns add differs, so the range is that of their effects. Of a model of the logarithm the effects
    are factors of the first forecast.
    """
    model, (before, after) = first.model, (each.predictive(x[:, None]) for each in (first, second))
    draws = np.zeros((1, len(x)))
    if model.effects is not None:
        draws = draws_of_columns(model, x, second.courses) - draws_of_columns(model, x, first.courses)
    if model.transform.is_mapped:
        draws = model.transform.moved(before.mean, draws) - before.mean
    level = float(np.sum(before.mean)) if np.all(before.mean > 0.0) else np.nan
    mean, totals = after.mean - before.mean if model.transform.is_mapped else draws.mean(axis=0), draws.sum(axis=1)
    average, total, share = (Amounts.of_draws(totals / of, mean.sum() / of) for of in (len(x), 1.0, level))
    return WhatIf(x, before, after, Amounts.of_draws(draws, mean), average, total, share)
