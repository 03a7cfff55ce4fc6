"""Whether data look as the model says: posterior predictive checks, with a correction for their number.

The whole model is checked by its standardised errors of predicting each value from those before it. Under the model
they are independent standard normal, exactly, whatever the kernel; so their distribution, autocorrelation, periodogram
and course over time can be compared with simulations. A part is checked by draws from its posterior, which look like
draws from its prior where the model is right (Lloyd et al. 2014, supplement).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr
from scipy.stats import false_discovery_control

from autostatistician.decompose.records import Check, Checks
from autostatistician.inference.covariance import covariance
from autostatistician.inference.posterior import Conditioned, draw
from autostatistician.language.expr import Expr, Leaf
from autostatistician.language.kernel import Kernel, operands

__all__ = ["FEWEST_ROWS", "check", "course_distance", "innovations"]

Array = NDArray[np.float64]

FEWEST_ROWS = 20  # fewer show nothing
SIMULATIONS = 999  # of the errors under the model
COURSES = 199  # of the costlier comparison of courses
DRAWS = 200  # of every part, from its prior and from its posterior
MOST_ROWS = 400  # of a part, and of a course
MOST_LAGS = 60
TIME_WIDTH = 0.15  # of the data: errors closer than this are compared with each other in a course


def check(posterior: Conditioned, parts: tuple[Kernel, ...], seed: int) -> Checks | None:
    """All checks of a model and its parts; None where there are too few rows.

    Parameters
    ----------
    posterior : Conditioned
        The model given its data, rows in ascending order of the input.
    parts : tuple of Kernel
        Its additive parts; those without a shape of their own (constants, polynomials, noise) are not checked.
    seed : int
        Of the simulations.
    """
    if len(posterior.y) < FEWEST_ROWS:
        return None
    streams = np.random.default_rng(seed).spawn(len(parts) + 1)
    errors, x = innovations(posterior), posterior.X[:, 0]
    found = _whole(errors, float(np.median(np.diff(x))), streams[0])
    for number, (part, rng) in enumerate(zip(parts, streams[1:], strict=True), start=1):
        if _has_shape(part.expr):
            found += _part(posterior, part, number, rng)
    adjusted = false_discovery_control([one.p for one in found], method="by")
    every = tuple(replace(one, adjusted=float(p)) for one, p in zip(found, adjusted, strict=True))
    return Checks(every, errors)


def innovations(posterior: Conditioned) -> Array:
    """Standardised errors (n,) of predicting each value from all before it.

    >>> from autostatistician.inference.posterior import condition_arrays
    >>> from autostatistician.language.kernel import leaf
    >>> noise = condition_arrays(leaf("WN", sd=2.0), np.arange(3.0)[:, None], np.array([2.0, -4.0, 1.0]))
    >>> innovations(noise).tolist()
    [1.0, -2.0, 0.5]
    """
    return posterior.factor.half_solve(posterior.y)


# --- the whole model -------------------------------------------------------------------------------------------------


def _whole(errors: Array, gap: float, rng: np.random.Generator) -> list[Check]:
    null = rng.standard_normal((SIMULATIONS, len(errors)))
    distribution, alike, waves = (how(np.vstack([errors, null])) for how in (_anderson, _autocorrelation, _spectrum))
    lag, frequency = int(np.abs(alike[0]).argmax()) + 1, int(waves[0].argmax()) + 1
    heavy = 1 if float(np.mean(errors**4)) > 3.0 * max(float(np.mean(errors**2)), 1.0) ** 2 else -1
    heavy = heavy if float(np.std(errors)) < 1.1 else 1
    return [
        _compared("distribution", distribution, side=heavy),
        _compared("autocorrelation", np.abs(alike).max(axis=1), place=float(lag), side=int(np.sign(alike[0, lag - 1]))),
        _compared("periodogram", waves.max(axis=1), place=gap * len(errors) / frequency, side=1),
        _compared("course", _courses(errors, null[:COURSES]), side=_drift(errors)),
    ]


def _compared(kind: str, statistics: Array, *, place: float | None = None, side: int = 0) -> Check:
    """The first statistic against the others, which are simulated."""
    p = (1 + int(np.sum(statistics[1:] >= statistics[0]))) / len(statistics)
    return Check(0, kind, float(statistics[0]), p, p, place, side)


def _anderson(samples: Array) -> Array:
    """The statistic of Anderson and Darling (1952) against the standard normal, per row."""
    ordered, n = np.sort(samples, axis=1), samples.shape[1]
    weights = (2.0 * np.arange(1, n + 1) - 1.0) / n
    return np.asarray(-n - (weights * (log_ndtr(ordered) + log_ndtr(-ordered[:, ::-1]))).sum(axis=1))


def _autocorrelation(samples: Array) -> Array:
    """Autocorrelations at the lags from 1 on, per row."""
    n = samples.shape[1]
    power = np.abs(np.fft.rfft(samples, 2 * n, axis=1)) ** 2
    products = np.fft.irfft(power, axis=1)[:, : min(n // 4, MOST_LAGS) + 1]
    return np.asarray(products[:, 1:] / np.maximum(products[:, :1], 1e-300))


def _spectrum(samples: Array) -> Array:
    """The periodogram relative to its mean, per row, without frequency zero (Fisher 1929)."""
    power = np.abs(np.fft.rfft(samples, axis=1))[:, 1:] ** 2
    return np.asarray(power / np.maximum(power.mean(axis=1, keepdims=True), 1e-300))


def _courses(errors: Array, null: Array) -> Array:
    rows = _evenly(len(errors), MOST_ROWS // 2)
    return np.array([course_distance(sample[rows]) for sample in (errors, *null)])


def course_distance(errors: Array) -> float:
    """Squared maximum mean discrepancy between (time, error) and the same times with standard normal errors.

    Gaussian kernels on both; the expectations under the normal distribution are in closed form (Gretton et al. 2012).
    """
    times = np.linspace(0.0, 1.0, len(errors))
    near = np.exp(-0.5 * (np.subtract.outer(times, times) / TIME_WIDTH) ** 2)
    like = np.exp(-0.5 * np.subtract.outer(errors, errors) ** 2)
    expected = np.sqrt(0.5) * np.exp(-0.25 * errors**2)
    return float(np.mean(near * (like - expected[:, None] - expected + 3.0**-0.5)))


def _drift(errors: Array) -> int:
    """Whether errors grow (+1) or shrink (-1) from the first half of the data to the second."""
    first, second = np.array_split(errors, 2)
    return 1 if float(np.std(second)) >= float(np.std(first)) else -1


# --- a part -----------------------------------------------------------------------------------------------------------


def _has_shape(expr: Expr) -> bool:
    """Whether draws of a part differ in more than size and slope, and are no noise."""
    leaves = set(_leaves(expr))
    return "WN" not in leaves and bool(leaves - {"C", "Lin", "0"})


def _leaves(expr: Expr) -> list[str]:
    if isinstance(expr, Leaf):
        return [expr.symbol]
    return [symbol for part in operands(expr) for symbol in _leaves(part)]


def _part(posterior: Conditioned, part: Kernel, number: int, rng: np.random.Generator) -> list[Check]:
    rows = _evenly(len(posterior.y), MOST_ROWS)
    X = posterior.X[rows]
    K = covariance(part, X, None, posterior.columns)
    scale, gap = float(K.diagonal().max()), float(np.median(np.diff(X[:, 0])))
    if scale <= 0.0:
        return []
    mean, cov = posterior.component(part, X)
    after = draw(mean, cov, rng, scale=scale, count=DRAWS)
    before = draw(np.zeros(len(rows)), K, rng, scale=scale, count=DRAWS)
    waves = (_spectrum(after), _spectrum(before))
    loudest = float(np.median(waves[0].argmax(axis=1) + 1))
    return [
        _typical(number, "distribution", np.abs(after).max(axis=1), np.abs(before).max(axis=1)),
        _typical(number, "autocorrelation", _autocorrelation(after).min(axis=1), _autocorrelation(before).min(axis=1)),
        _typical(number, "periodogram", waves[0].max(axis=1), waves[1].max(axis=1), gap * len(rows) / loudest),
    ]


def _typical(number: int, kind: str, after: Array, before: Array, place: float | None = None) -> Check:
    """How typical of the prior the draws from the posterior are.

    For every single draw the place among those of the prior is uniform where the model is right; twice the mean of
    such p-values is one again (Ruschendorf 1982), and both sides count.
    """
    below = float(np.mean(before[None, :] < after[:, None]))
    p = min(4.0 * min(below, 1.0 - below), 1.0)
    return Check(number, kind, float(np.median(after)), max(p, 1.0 / DRAWS), p, place, 1 if below > 0.5 else -1)


def _evenly(n: int, most: int) -> NDArray[np.intp]:
    return np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(np.intp))
