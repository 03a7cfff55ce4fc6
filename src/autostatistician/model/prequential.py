"""New observations predicted one after the other, each given those before it (prequential, Dawid 1984).

Each has the distribution that a forecast prints: the mixture over structures, parameters, scales and breaks. Members
that the observations before speak against lose their weight. By their probability integral transform (Rosenblatt
1952), errors are independent and standard normal under the model, with all that is open about its parameters.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, softmax

from autostatistician.inference.likelihoods.sited import Sited
from autostatistician.inference.posterior import given_before
from autostatistician.inference.predictive import ENDS_OF_95
from autostatistician.model.predictions import Predictor
from autostatistician.threads import one_thread

__all__ = ["Prequential", "predicted_in_turn"]

Array = NDArray[np.float64]

ROWS_AT_ONCE = 1000  # whose joint predictions are one matrix each
LEAST_PROBABILITY = 1e-300  # an error of 37 standard deviations
LEAST_LOG_DENSITY = -1e6  # of what is impossible, so that weights stay numbers
STEPS, LONGEST_STEP = 20, 2.0  # of Newton's method for the function at a count


@dataclass(frozen=True, eq=False)
class Prequential:
    """How likely values less and more than each new one were (m,), given those before it."""

    below: Array
    above: Array

    @property
    def errors(self) -> Array:
        """Standardised errors (m,): normal scores of the chances, that of the value itself shared by both sides."""
        equal = 0.5 * np.maximum(1.0 - self.below - self.above, 0.0)
        low, high = (np.maximum(side + equal, LEAST_PROBABILITY) for side in (self.below, self.above))
        return np.where(low < high, ndtri(np.minimum(low, 0.5)), -ndtri(np.minimum(high, 0.5)))

    @property
    def inside(self) -> NDArray[np.bool_]:
        """Which values (m,) lie within their ranges of 95 %."""
        return np.asarray((self.below < ENDS_OF_95[1]) & (self.above < ENDS_OF_95[1]))


def predicted_in_turn(predictor: Predictor, X: Array, y: Array) -> Prequential:
    """Each of some new values (m,) at rows (m, d), in the units of the data, given those before it."""
    other, share = predictor.on_other_scale(X), predictor.share_of_other(X)
    with one_thread():
        parts = [_by_members(predictor, X, y, 1.0 - share)]
        if other is not None:
            parts.append(_by_members(other, X, y, share))
    prior, densities, below, above = (np.concatenate(each) for each in zip(*parts, strict=True))
    before = np.cumsum(densities, axis=1) - densities
    weights = softmax(prior + before, axis=0)
    return Prequential(np.sum(weights * below, axis=0), np.sum(weights * above, axis=0))


def _by_members(predictor: Predictor, X: Array, y: Array, share: Array) -> tuple[Array, Array, Array, Array]:
    """By each member (k, m): the log weight beforehand, the log density, and the chances of less and of more."""
    several, parts = predictor.averaged, []
    for start in range(0, len(y), ROWS_AT_ONCE):
        some = slice(start, start + ROWS_AT_ONCE)
        moments, weights = predictor.jointly(several, X[some])
        each = [predictor.of_members(X[some], _in_turn(predictor, X[some], y[some], *of_one), np.ones(1))
                for of_one in moments]  # fmt: skip
        densities = np.maximum([one.log_density(y[some]) for one in each], LEAST_LOG_DENSITY)
        with np.errstate(divide="ignore"):
            prior = np.log(np.outer(weights, share[some]))
        below, above = np.swapaxes([one.beyond(y[some]) for one in each], 0, 1)
        parts.append((prior, densities, below, above))
        if start + ROWS_AT_ONCE < len(y) and predictor.model.counted is None:
            several = several.given(X[some], _on_scale(predictor, y[some]) - predictor.added(X[some]))
    joined = [np.concatenate(each, axis=1) for each in zip(*parts, strict=True)]
    return joined[0], joined[1], joined[2], joined[3]


def _in_turn(predictor: Predictor, X: Array, y: Array, mean: Array, cov: Array) -> tuple[Array, Array]:
    """Moments (1, m) of each new observation given those before it, from those of all together by one member."""
    values, noise = _on_scale(predictor, y), np.zeros(len(y))
    likelihood = predictor.model.problem.likelihood
    if isinstance(likelihood, Sited):
        law = likelihood.at(predictor.known_sizes, X[:, 0])
        values, noise = _sites(law, y * law.row_sizes, mean, cov.diagonal())
    means, sds = given_before(values, mean, cov + np.diag(noise))
    return means[None], np.sqrt(np.maximum(sds**2 - noise, 0.0))[None]


def _on_scale(predictor: Predictor, y: Array) -> Array:
    """Values (m,) on the scale of the model; what it cannot have, which has no density, lies anywhere."""
    transform, values = predictor.model.transform, y - predictor.model.modelled.offset
    if predictor.model.counted is not None:
        return values
    possible = transform.possible(values)
    return transform.forward(np.where(possible, values, 0.5 * transform.top))


def _sites(law: Sited, counts: Array, mean: Array, variance: Array) -> tuple[Array, Array]:
    """Normal observations (m,) of a function that stand for counts, and their variances, about its most likely values.

    Each is that of a count by itself, given the moments (m,) of the function before.
    """
    f = mean.copy()
    for _ in range(STEPS):
        first, second, _ = law.derivatives(counts, f)
        step = (first - (f - mean) / variance) / (1.0 / variance - second)
        f += np.clip(step, -LONGEST_STEP, LONGEST_STEP)
    sites = law.normal_sites(counts, f)
    return sites.values, sites.variances
