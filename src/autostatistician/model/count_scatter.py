"""What chance adds to counts about their rate: the scatter of a fitted model, and bands of single values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri
from scipy.stats import beta

from autostatistician.data.dataset import as_counted, in_order
from autostatistician.data.transform import Transform
from autostatistician.decompose.records.series import CountScatter, ZerosApart
from autostatistician.decompose.records.table import LeaveOneOut
from autostatistician.decompose.series.order import Counted
from autostatistician.decompose.table.left_out import checks_of_errors, scored
from autostatistician.forms import Curve
from autostatistician.inference.likelihoods.hurdle import Hurdle
from autostatistician.inference.likelihoods.negative_binomial import NegativeBinomial
from autostatistician.inference.likelihoods.poisson import POISSON
from autostatistician.inference.likelihoods.sited import Sited
from autostatistician.inference.predictive import ENDS_OF_95, Predictive
from autostatistician.model.fitted import Model

__all__ = ["count_errors", "counted_by", "counts_left_out", "scatter_of", "with_chance"]

Array = NDArray[np.float64]

LOG, ODDS = Transform("log"), Transform("logit", 0.5)
MOST_OF_SOME = (0.1, 0.9)  # quantiles between which most counts above zero lie
LEAST_SEEN = 0.05  # of the variance of chance: scatter that adds less cannot be seen beside it
LEAST = 1e-12  # probability on either side of a count: errors stay finite


def scatter_of(model: Model) -> CountScatter:
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
    return CountScatter(times, targets, (), law.name, name, seen, model.choice.gain, apart, own)


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
    mean, variance, _ = posterior.leave_one_out()
    made = law.predictive(mean[None], np.sqrt(np.maximum(variance - noise, LEAST))[None], np.ones(1))
    y, rng = model.dataset.y, np.random.default_rng(model.settings.seed)
    errors = _placed(made, y, 1.0, rng.random(len(y)))
    lower, upper = made.quantiles(ENDS_OF_95).T
    return scored(y, (made.mean, lower, upper), errors, checks_of_errors(posterior, mean, errors, rng))


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
