"""Fits of parameters: quasi-Newton steps from one start or several, to what is most likely or most probable."""

from autostatistician.gp.fitting.optimise import Fit, Outcome, TableData, best_fit, fit, lowest, units_of, wandered
from autostatistician.gp.fitting.probable import (
    Numbers,
    SharedFit,
    fit_shared,
    held_numbers,
    most_probable,
    weak_numbers,
)

__all__ = [
    "Fit",
    "Numbers",
    "Outcome",
    "SharedFit",
    "TableData",
    "best_fit",
    "fit",
    "fit_shared",
    "held_numbers",
    "lowest",
    "most_probable",
    "units_of",
    "wandered",
    "weak_numbers",
]
