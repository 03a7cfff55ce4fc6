"""Structures around one expression: several outputs that share strength, explicit basis functions, mean functions."""

from autostatistician.structure.outputs import MultiOutputGPRegressor as MultiOutputGPRegressor
from autostatistician.structure.semiparametric import SemiParametricGPRegressor as SemiParametricGPRegressor
from autostatistician.structure.stacking import stacked as stacked

__all__ = ["MultiOutputGPRegressor", "SemiParametricGPRegressor", "stacked"]
