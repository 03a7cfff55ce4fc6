"""Stacks: one expression at many parameters, and for many series of one shape, evaluated and fitted together."""

from autostatistician.inference.stacked.evidence import stacked_differences
from autostatistician.inference.stacked.fits import stacked_fits
from autostatistician.inference.stacked.lags import is_stackable, shape_of
from autostatistician.inference.stacked.objective import StackedObjective

__all__ = ["StackedObjective", "is_stackable", "shape_of", "stacked_differences", "stacked_fits"]
