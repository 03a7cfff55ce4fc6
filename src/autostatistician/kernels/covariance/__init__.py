"""Covariances of an expression at its parameters: matrices, variances, and their derivatives."""

from autostatistician.kernels.covariance.matrix import (
    CrossCovariance,
    DenseCovariance,
    Variances,
    covariances,
    derivatives,
    variances,
)
from autostatistician.kernels.covariance.nodes import change_weights, weights_and_slopes

__all__ = [
    "CrossCovariance",
    "DenseCovariance",
    "Variances",
    "change_weights",
    "covariances",
    "derivatives",
    "variances",
    "weights_and_slopes",
]
