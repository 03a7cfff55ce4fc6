"""Of one expression on one data set: evidence with its gradient, fits, posteriors, criteria, draws."""

from autostatistician.inference.engines.choice import condition
from autostatistician.inference.fitting import fit
from autostatistician.inference.parameters import Scales
from autostatistician.inference.problem import Problem

__all__ = ["Problem", "Scales", "condition", "fit"]
