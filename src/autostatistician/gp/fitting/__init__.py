"""Fits of parameters: quasi-Newton steps from one start or several, to what is most likely or most probable."""

from autostatistician.gp.fitting.descent import lowest, wandered
from autostatistician.gp.fitting.multistart import TableData, best_fit
from autostatistician.gp.fitting.optimise import Fit, Outcome, fit, units_of
from autostatistician.gp.fitting.probable import Numbers, held_numbers, most_probable, weak_numbers
from autostatistician.gp.fitting.shared import SharedFit, fit_shared

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
