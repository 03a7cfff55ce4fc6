"""Fits of parameters: quasi-Newton steps from one start or several, to what is most likely or most probable."""

from autostatistician.inference.fitting.descent import lowest, wandered
from autostatistician.inference.fitting.multistart import Table, best_fit
from autostatistician.inference.fitting.optimise import Fit, Outcome, fit, units_of
from autostatistician.inference.fitting.probable import Numbers, held_numbers, most_probable, weak_numbers
from autostatistician.inference.fitting.shared import SharedFit, fit_shared

__all__ = [
    "Fit",
    "SharedFit",
    "Numbers",
    "Outcome",
    "Table",
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
