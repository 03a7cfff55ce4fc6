"""Predictive distributions of observations, in the units of the data."""

from autostatistician.inference.predictive.averaged import Averaged
from autostatistician.inference.predictive.predictive import Predictive

__all__ = ["Averaged", "Predictive"]
