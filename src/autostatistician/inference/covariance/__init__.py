"""Covariance matrices: entries, factors, slopes and weights of changes."""

from autostatistician.inference.covariance.changes import change_weight
from autostatistician.inference.covariance.factor import RELATIVE_JITTERS, Factor, NotPositiveDefinite, factorise
from autostatistician.inference.covariance.lowrank import between, by_numbers
from autostatistician.inference.covariance.matrices import (
    change_weights,
    column_index,
    covariance,
    prior_variance,
    signal_and_noise,
)
from autostatistician.inference.covariance.slopes import covariance_slope
from autostatistician.inference.covariance.triangles import triangles

__all__ = [
    "Factor",
    "NotPositiveDefinite",
    "RELATIVE_JITTERS",
    "between",
    "by_numbers",
    "change_weight",
    "change_weights",
    "column_index",
    "covariance",
    "covariance_slope",
    "factorise",
    "prior_variance",
    "signal_and_noise",
    "triangles",
]
