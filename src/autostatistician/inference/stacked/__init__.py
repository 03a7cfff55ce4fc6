"""Stacks: one expression at many parameters on one series of few rows, evaluated together."""

from autostatistician.inference.stacked.evidence import stacked_differences
from autostatistician.inference.stacked.lags import is_stackable
from autostatistician.inference.stacked.objective import StackedObjective

__all__ = ["StackedObjective", "is_stackable", "stacked_differences"]
