"""What is told of a model with limits of detection: the limits as values, and errors of predicting what they say.

A value that is only known to lie beyond its limit has an error drawn evenly between the chances of what it may be (Dunn
and Smyth 1996), so all errors together are standard normal by the model.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr, ndtri_exp

from autostatistician.data.dataset import Dataset, in_order
from autostatistician.data.transform import modelled
from autostatistician.decompose.records.table import LeaveOneOut
from autostatistician.decompose.table.leave_one_out import checks_of_errors, scored
from autostatistician.fitted.model import Model
from autostatistician.gp.posterior import Posterior

__all__ = ["limits_in_turn", "limits_left_out"]

Array = NDArray[np.float64]

REACH = 1.959964  # standard deviations of a range of 95 %
LEAST = 1e-12  # part of a variance


def limits_in_turn(model: Model) -> Array:
    """Standardised errors (n,) of predicting every value of a series from all before it."""
    posterior = model.posterior
    sds = posterior.innovation_sd
    means = posterior.y - posterior.innovations() * sds
    return _errors(model, in_order(model.dataset), posterior, means, sds**2)[0]


def limits_left_out(model: Model) -> LeaveOneOut:
    """Every value of a table predicted from all others; on the right side of a limit nothing is missed."""
    posterior, data, transform = model.posterior, model.dataset, model.transform
    mean, variance, _ = posterior.leave_one_out()
    errors, sd = _errors(model, data, posterior, mean, variance)
    predicted, lower, upper = (transform.back(mean + side * REACH * sd) + data.offset for side in (0.0, -1.0, 1.0))
    assert data.censored is not None
    y = data.y + data.offset
    y = np.where((predicted - y) * data.censored > 0.0, predicted, y)
    rng = np.random.default_rng(model.settings.seed)
    return scored(y, (predicted, lower, upper), errors, checks_of_errors(posterior, mean, errors, rng))


def _errors(model: Model, data: Dataset, posterior: Posterior, mean: Array, variance: Array) -> tuple[Array, Array]:
    """Standardised errors (n,), of limits those of a draw beyond; and the spreads of what is measured."""
    on_scale = modelled(replace(data, censored=None), model.transform)
    sides, own = data.censored, posterior.problem.noise
    assert sides is not None
    assert own is not None
    assert on_scale.noise is not None
    sd = np.sqrt(np.maximum(variance - own, LEAST * variance) + on_scale.noise)
    beyond = sides != 0.0
    errors = (posterior.y - mean) / sd
    share = np.random.default_rng(model.settings.seed).random(len(sides))
    z = sides * (mean - on_scale.y) / sd
    drawn = -sides * ndtri_exp(np.log(share) + log_ndtr(z))
    return np.where(beyond, drawn, errors), sd
