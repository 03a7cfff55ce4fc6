"""Functions of functions: priors of compositions, and what they and deep kernels amount to."""

from autostatistician.deep.compositions import composition as composition
from autostatistician.deep.dropout import order_weights as order_weights
from autostatistician.deep.kernels import arc_cosine as arc_cosine
from autostatistician.deep.kernels import deep_covariance as deep_covariance
from autostatistician.deep.kernels import of_features as of_features
from autostatistician.deep.slopes import jacobians as jacobians
from autostatistician.deep.slopes import log_slope_moments as log_slope_moments
from autostatistician.deep.slopes import spectra as spectra

__all__ = [
    "arc_cosine",
    "composition",
    "deep_covariance",
    "jacobians",
    "log_slope_moments",
    "of_features",
    "order_weights",
    "spectra",
]
