"""Covariance matrices: entries, factors, slopes and weights of changes."""

from autostatistician.gp.covariance.changes import change_weights, weights_and_slopes
from autostatistician.gp.covariance.factor import (
    RELATIVE_JITTERS,
    Factor,
    NotPositiveDefinite,
    factorise,
    mirrored,
    triangles,
)
from autostatistician.gp.covariance.lowrank import between, by_parameters
from autostatistician.gp.covariance.matrices import covariance, prior_variance, signal_and_noise, whitener
from autostatistician.gp.covariance.slopes import slopes_by_points, variance_slopes_by_points
from autostatistician.gp.covariance.variances import Variances, variances

__all__ = [
    "RELATIVE_JITTERS",
    "Factor",
    "NotPositiveDefinite",
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
