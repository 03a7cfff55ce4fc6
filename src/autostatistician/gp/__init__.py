"""Of one expression on one data set: evidence with its gradient, fits, posteriors, criteria, draws."""

from autostatistician.gp.engines.choice import condition
from autostatistician.gp.fitting import fit
from autostatistician.gp.parameters import Scales
from autostatistician.gp.problem import Problem

__all__ = ["Problem", "Scales", "condition", "fit"]
