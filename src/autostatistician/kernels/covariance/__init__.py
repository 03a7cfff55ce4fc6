"""Covariances of an expression at its parameters: matrices, variances, and their derivatives."""

from autostatistician.kernels.covariance.changes import change_weights, weights_and_slopes
from autostatistician.kernels.covariance.elementwise import Variances, derivatives, variances
from autostatistician.kernels.covariance.matrix import CrossCovariance, DenseCovariance, covariances

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
