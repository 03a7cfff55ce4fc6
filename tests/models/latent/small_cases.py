"""Small cases that the tests of the latent room share."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.stats import multivariate_normal

from autostatistician.gp.covariance import covariance
from autostatistician.kernels.text import parse_kernel
from autostatistician.models.latent.map_estimate import Outputs
from autostatistician.models.latent.mapping import LatentParameters

Array = NDArray[np.float64]
RNG = np.random.default_rng(0)
GAPS = RNG.normal(size=(9, 3))
GAPS[2, 1] = GAPS[5, 0] = np.nan
OUTPUTS = Outputs.of(GAPS)
PLACES = RNG.normal(size=(9, 2))
KERNELS = ["SE[z1] * SE[z2] + WN", "SE[z1] + WN", "Lin[z1] + Per[z1] * SE[z2] + C + WN", "CP[z1](Matern32[z2], C) + WN"]


def numbers_of(text: str) -> LatentParameters:
    """The numbers of a kernel on two coordinates."""
    return LatentParameters(parse_kernel(text), ("z1", "z2"))


def slopes(function: Callable[[Array], float], u: Array) -> Array:
    """The derivatives (p,) of a function by central differences."""
    steps = 1e-5 * np.eye(len(u))
    return np.array([(function(u + step) - function(u - step)) / 2e-5 for step in steps])


def log_density_of_outputs(parameters: LatentParameters, Z: Array) -> float:
    """Of every column of the outputs at its own rows, by one matrix."""
    K = covariance(parameters.kernel(parameters.start).kernel, Z, None, ("z1", "z2"))
    seen = ((np.isfinite(y), y) for y in OUTPUTS.Y.T)
    return float(sum(multivariate_normal(cov=K[np.ix_(rows, rows)]).logpdf(y[rows]) for rows, y in seen))
