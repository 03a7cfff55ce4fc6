"""The free parameters of a kernel: their bounds, priors, coordinates and starting values."""

from autostatistician.gp.parameters.bounds import balanced, with_levels
from autostatistician.gp.parameters.free import FreeParameters, admissible, starts
from autostatistician.gp.parameters.priors import JointPrior, ParameterPrior, ParameterPriors, zeros_beside_levels
from autostatistician.gp.parameters.scales import (
    SURE_CYCLES,
    ColumnScale,
    LearnedPriors,
    Scales,
    latent,
    learned_priors,
    learned_table_priors,
    measure,
    standard_scales,
)

__all__ = [
    "SURE_CYCLES",
    "ColumnScale",
    "FreeParameters",
    "LearnedPriors",
    "ParameterPrior",
    "ParameterPriors",
    "Scales",
    "JointPrior",
    "admissible",
    "balanced",
    "latent",
    "learned_priors",
    "learned_table_priors",
    "measure",
    "standard_scales",
    "starts",
    "with_levels",
    "zeros_beside_levels",
]
