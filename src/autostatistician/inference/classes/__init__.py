"""Approximations for likelihoods that are not Gaussian."""

from autostatistician.inference.classes.expectation import expectation_propagation
from autostatistician.inference.classes.laplace import laplace
from autostatistician.inference.classes.separable import (
    APPROXIMATIONS,
    FLAT,
    LARGER,
    SeparableWarning,
    is_flat,
    warn_of_separable,
)
from autostatistician.inference.classes.several_classes import SeveralClasses, laplace_of_several
from autostatistician.inference.classes.sites import Approximation, conditioned_on_sites

__all__ = [
    "APPROXIMATIONS",
    "Approximation",
    "FLAT",
    "LARGER",
    "SeparableWarning",
    "SeveralClasses",
    "conditioned_on_sites",
    "expectation_propagation",
    "is_flat",
    "laplace",
    "laplace_of_several",
    "warn_of_separable",
]
