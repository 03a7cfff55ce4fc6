"""Predictive distributions of observations, in the units of the data."""

from autostatistician.inference.predictive.averaged import Averaged
from autostatistician.inference.predictive.counts import CountPredictive
from autostatistician.inference.predictive.predictive import ENDS_OF_95, Predictive

__all__ = ["ENDS_OF_95", "Averaged", "CountPredictive", "Predictive"]
