"""Predictive distributions of observations, in the units of the data."""

from autostatistician.gp.predictive.counts import CountPredictive
from autostatistician.gp.predictive.predictive import ENDS_OF_95, Averaged, Predictive, certain

__all__ = ["ENDS_OF_95", "Averaged", "CountPredictive", "Predictive", "certain"]
