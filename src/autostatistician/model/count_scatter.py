"""What chance adds to counts about their rate: the scatter of a fitted model, and bands of single values."""

from __future__ import annotations

import numpy as np

from autostatistician.data.transform import Transform
from autostatistician.decompose.records.series import CountScatter
from autostatistician.forms import Curve
from autostatistician.inference.predictive import ENDS_OF_95, CountPredictive
from autostatistician.model.fitted import Model

__all__ = ["scatter_of", "with_chance"]

LOG = Transform("log")


def scatter_of(model: Model) -> CountScatter:
    """How much the counts of a model scatter about their rate: that of white noise, and of chance, over chance."""
    posterior = model.posterior
    noise = posterior.noise_variance(posterior.X)  # that of the logarithm of the rate
    rate, sd = model.transform.moments(posterior.signal()[0], np.sqrt(noise))
    return CountScatter(1.0 + float(np.sum(sd**2) / np.sum(rate)), posterior.y - model.transform.shift)


def with_chance(rates: Curve, limits: tuple[float, float]) -> Curve:
    """Rates along an axis, lognormal at each place, as the counts that scatter about them.

    >>> certain = Curve(np.zeros(1), np.array([4.0]), np.array([1e-6]), np.zeros(1), np.zeros(1))
    >>> counts = with_chance(certain, (0.0, np.inf))
    >>> counts.sd.round(3).tolist(), counts.lower.tolist(), counts.upper.tolist()
    ([2.0], [1.0], [8.0])
    """
    variance = np.log1p((rates.sd / rates.mean) ** 2)
    means = np.log(rates.mean) - 0.5 * variance
    made = CountPredictive(means[None], np.sqrt(variance)[None], np.ones(1), LOG, 0.0, *limits)
    lower, upper = made.quantiles(ENDS_OF_95).T
    return Curve(rates.x, made.mean, made.std, lower, upper)
