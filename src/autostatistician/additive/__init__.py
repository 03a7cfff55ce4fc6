"""Additive Gaussian processes: sums over all subsets of the columns, order by order (Duvenaud et al. 2011)."""

from autostatistician.moved import moved

__getattr__ = moved(__name__, {"AdditiveGPRegressor": "autostatistician"})
