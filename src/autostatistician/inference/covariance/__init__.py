"""Covariance matrices: entries, factors, slopes and weights of changes."""

from autostatistician.inference.covariance.changes import change_weights, weights_and_slopes
from autostatistician.inference.covariance.factor import (
    RELATIVE_JITTERS,
    Factor,
    NotPositiveDefinite,
    factorise,
    mirrored,
    triangles,
)
from autostatistician.inference.covariance.lowrank import between, by_parameters
from autostatistician.inference.covariance.matrices import covariance, prior_variance, signal_and_noise, whitener
from autostatistician.inference.covariance.slopes import slopes_by_points, variance_slopes_by_points
from autostatistician.inference.covariance.variances import Variances, variances

__all__ = [
    "Factor",
    "NotPositiveDefinite",
    "RELATIVE_JITTERS",
    "Variances",
    "between",
    "by_parameters",
    "change_weights",
    "covariance",
    "factorise",
    "mirrored",
    "prior_variance",
    "signal_and_noise",
    "slopes_by_points",
    "triangles",
    "variance_slopes_by_points",
    "variances",
    "weights_and_slopes",
    "whitener",
]
