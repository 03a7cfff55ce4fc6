"""Functions of functions: priors of compositions, and what they and deep kernels amount to."""

from autostatistician.deep.compositions import composition as composition

__all__ = ["composition"]
