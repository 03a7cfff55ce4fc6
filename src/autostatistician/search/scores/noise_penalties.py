"""What noise costs whose size changes: for its shape, for vanishing where few rows show it, and beside heavy tails.

Where a likelihood has no noise in its expressions, nothing.
"""

from __future__ import annotations

from math import log

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp, softmax
from scipy.stats import norm
from scipy.stats import t as student

from autostatistician.gp import Problem, condition
from autostatistician.gp.covariance import NotPositiveDefinite
from autostatistician.gp.likelihoods import fitted_to
from autostatistician.kernels.expr import Expr
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.traits import has_changes, has_uneven_noise, noise_shapes
from autostatistician.search.constants import CHOICE_OF_SHAPES, PENALTY_OF_UNSEEN

__all__ = [
    "excess", "gain_of_heavy_tails", "gain_of_outliers", "shape_penalty", "tails_penalty", "usual_errors",
    "without_largest",
]  # fmt: skip

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

ROWS_PER_SIZE = 10  # that carry a size of the noise: from these it is known to a fifth
# Times the noise floor: where nine rows of ten have less noise, its shape is one of rounding errors.
UNSEEN_FLOORS = 3.0
DEGREES_OF_FREEDOM = (2.0, 3.0, 4.0, 6.0, 10.0, 20.0)  # of Student's t, that heavy tails are tried with
NEARLY_NORMAL, USUALLY = 200.0, 0.85  # degrees of freedom, and how often errors have so many
ROUNDS_OF_SCALE = 30  # of fixed-point iteration for the scale of Student's t


def shape_penalty(expr: Expr) -> float:
    """What is added to the BIC of an expression: ``2 log`` of the shapes that each of its noise is the best of.

    >>> from autostatistician.kernels.text import parse
    >>> [round(shape_penalty(parse(text)), 1) for text in ("Lin + WN", "Lin + Lin * WN")]
    [0.0, 4.6]
    """
    return 2.0 * noise_shapes(expr) * log(CHOICE_OF_SHAPES)


def tails_penalty(expr: Expr, tails: float) -> float:
    """What changes and noise of several sizes owe, in deviance, to noise with heavy ``tails`` (nats) of one size.

    >>> from autostatistician.kernels.text import parse
    >>> [tails_penalty(parse(text), 12.0) for text in ("Lin + WN", "CP(C, C) + WN", "C + CP(WN, WN)")]
    [0.0, 24.0, 24.0]
    """
    return 2.0 * tails if has_changes(expr) or has_uneven_noise(expr) else 0.0


def excess(kernel: Kernel, problem: Problem, floor: float) -> float:
    """What a kernel owes, in deviance, to noise that is smaller at a few rows than rows can show.

    Noise that vanishes at one row lets the likelihood grow without end there. The smallest sizes are judged as if
    they were that of the `ROWS_PER_SIZE`-th row, and at least the noise ``floor``. Noise near to that floor is hardly
    seen: a shape of it pays more than it can gain.
    """
    if problem.likelihood.halves(kernel)[1] is None or not noise_shapes(kernel.expr):
        return 0.0
    try:
        before = condition(kernel, problem)
        sizes = before.noise_variance()
        if np.sqrt(np.quantile(sizes, 0.9)) <= UNSEEN_FLOORS * floor:
            return 2.0 * PENALTY_OF_UNSEEN * problem.n
        least = max(float(np.sort(sizes)[min(ROWS_PER_SIZE, len(sizes)) - 1]), floor**2)
        after = before.noisier(np.maximum(least - sizes, 0.0))
    except NotPositiveDefinite:
        return 0.0
    return max(2.0 * (before.log_evidence - after.log_evidence), 0.0)


def gain_of_heavy_tails(errors: Array) -> float:
    """By how many nats Student's t explains errors (m,) better than a Gaussian, less what its further parameter costs.

    The scale of t is that of highest likelihood (Lange, Little and Taylor 1989, section 3).

    >>> rng = np.random.default_rng(0)
    >>> [round(gain_of_heavy_tails(errors), 1) for errors in (rng.normal(size=130), rng.standard_t(2.0, size=130))]
    [-3.4, 42.2]
    """
    return _of_heavy_tails(errors, errors) - _of_gaussian(errors)


def gain_of_outliers(errors: Array, out: Flags) -> float:
    """How many nats errors (m,) are more probable as normal ones with outliers, those ``out``, than with heavy tails.

    Heavy tails have errors of all sizes, to both sides; outliers leave few between them and the others. Their size and
    side are known by these alone, so they cost less than a number of all errors. A single one cannot show how heavy
    tails are: all others tell that, and whether one as large may be expected.

    >>> rng = np.random.default_rng(0)
    >>> heavy, spoilt = rng.standard_t(2.0, size=130), rng.normal(size=130) - 9.0 * (np.arange(130) % 26 == 3)
    >>> [round(gain_of_outliers(errors, np.abs(errors) > 4.0), 1) for errors in (heavy, spoilt)]
    [-4.3, 10.2]
    """
    found = fitted_to(errors, out)
    costs = 0.5 * log(len(errors)) + log(max(1.0, found.share * len(errors)))
    shown = errors if np.count_nonzero(out) > 1 else without_largest(errors)
    return float(found.log_density(errors).sum()) - costs - _of_heavy_tails(errors, shown)


def _of_gaussian(errors: Array) -> float:
    return float(norm.logpdf(errors, scale=np.sqrt(np.mean(errors**2))).sum())


def without_largest(errors: Array) -> Array:
    """All errors (m - 1,) but the one furthest from zero."""
    return np.delete(errors, np.argmax(np.abs(errors)))


def _of_heavy_tails(errors: Array, shown: Array) -> float:
    """The log likelihood of errors (m,) under the Student's t of those ``shown`` (k,), less what its shape costs."""
    tried = [(nu, _scale_of(shown, nu)) for nu in DEGREES_OF_FREEDOM]
    nu, scale = max(tried, key=lambda numbers: float(student.logpdf(shown, numbers[0], scale=numbers[1]).sum()))
    return float(student.logpdf(errors, nu, scale=scale).sum()) - 0.5 * log(len(errors))


def usual_errors(errors: Array, shown: Array) -> tuple[Array, Array]:
    """The log densities of errors (m,) such as those ``shown`` (k,), and how often one is as far from zero.

    Student's t is averaged over its degrees of freedom by their probability, before the data 85 in 100 for nearly
    normal errors: how heavy tails are is hardly known from errors none of which is far off (Gelman et al. 2013,
    section 17.2).

    >>> normal, heavy = np.random.default_rng(0).normal(size=100), np.random.default_rng(0).standard_t(4.0, size=100)
    >>> [float(usual_errors(np.array([5.0]), shown)[1][0].round(5)) for shown in (normal, heavy)]
    [1e-05, 0.00165]
    """
    degrees = np.array([*DEGREES_OF_FREEDOM, NEARLY_NORMAL])
    before = np.where(degrees < NEARLY_NORMAL, (1.0 - USUALLY) / len(DEGREES_OF_FREEDOM), USUALLY)
    scales = np.array([_scale_of(shown, nu) for nu in degrees])
    laws = student(degrees[:, None], scale=scales[:, None])
    weights = softmax(laws.logpdf(shown).sum(axis=1) + np.log(before))
    return logsumexp(laws.logpdf(errors), axis=0, b=weights[:, None]), weights @ (2.0 * laws.sf(np.abs(errors)))


def _scale_of(errors: Array, nu: float) -> float:
    """The scale of Student's t of highest likelihood."""
    square = float(np.mean(errors**2))
    for _ in range(ROUNDS_OF_SCALE):
        square = float(np.mean((nu + 1.0) / (nu + errors**2 / square) * errors**2))
    return float(np.sqrt(square))
