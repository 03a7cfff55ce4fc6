"""Functions of functions: priors of compositions, and deep Gaussian processes."""

from autostatistician.models.deep.compositions import composition as composition

__all__ = ["composition"]
