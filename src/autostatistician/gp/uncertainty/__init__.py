"""What the data leave open about the parameters of a fitted model, and what is left when they are integrated out."""

from autostatistician.gp.uncertainty.evidence import MOST_ROWS, log_evidence, refined_log_evidence, refitted_deviance
from autostatistician.gp.uncertainty.sampling import draws, normal_draws, walk, weighted_functionals

__all__ = [
    "MOST_ROWS",
    "draws",
    "log_evidence",
    "normal_draws",
    "refined_log_evidence",
    "refitted_deviance",
    "walk",
    "weighted_functionals",
]
