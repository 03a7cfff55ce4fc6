"""Covariance matrices: entries, factors, slopes and weights of changes."""

from autostatistician.gp.covariance.factor import (
    RELATIVE_JITTERS,
    Factor,
    NotPositiveDefinite,
    factorise,
    mirrored,
    triangles,
)
from autostatistician.gp.covariance.matrices import (
    covariance,
    prior_variance,
    signal_and_noise,
    slopes_by_points,
    variance_slopes_by_points,
    whitener,
)

__all__ = [
    "RELATIVE_JITTERS",
    "Factor",
    "NotPositiveDefinite",
    "covariance",
    "factorise",
    "mirrored",
    "prior_variance",
    "signal_and_noise",
    "slopes_by_points",
    "triangles",
    "variance_slopes_by_points",
    "whitener",
]
