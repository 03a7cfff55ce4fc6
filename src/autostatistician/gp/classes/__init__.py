"""Approximations for likelihoods that are not Gaussian."""

from autostatistician.gp.classes.approximations import (
    APPROXIMATIONS,
    SeparableWarning,
    expectation_propagation,
    is_flat,
    laplace,
    warn_of_separable,
)
from autostatistician.gp.classes.sites import Root, SiteApproximation, conditioned_on_sites, rooted
from autostatistician.gp.classes.slice_sampling import SamplerChain, Target, moments_given, sampled

__all__ = [
    "APPROXIMATIONS",
    "SamplerChain",
    "Root",
    "SeparableWarning",
    "SiteApproximation",
    "Target",
    "conditioned_on_sites",
    "expectation_propagation",
    "is_flat",
    "laplace",
    "moments_given",
    "rooted",
    "sampled",
    "warn_of_separable",
]
