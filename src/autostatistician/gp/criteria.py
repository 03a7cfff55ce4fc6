"""Criteria for comparing fitted expressions; lower is better for all of them.

All are on the scale of a deviance (twice a negative log density of the data), so that differences mean the same
whichever criterion is used: a change of the units of the target adds the same number to every score.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import log

from autostatistician.gp.evidence import log_evidence, refined_log_evidence, refitted_deviance
from autostatistician.gp.parameters import Scales
from autostatistician.gp.problem import Problem
from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Leaf
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.leaves import nodes_of
from autostatistician.kernels.traits import effective_parameters

__all__ = ["CRITERIA", "Criterion", "aic", "bic", "evidence", "laplace", "loo"]

CHARGE_PER_CHOICE = 2.0 * log(10.0)  # per leaf and change, in `loo` alone


@dataclass(frozen=True, slots=True)
class Criterion:
    """A way to score fitted expressions.

    ``cheap(nll, expr, n)`` needs the likelihood alone and ranks many candidates; ``exact``, where there is one, also
    looks at the data with ``(kernel, nll, problem, scales)`` and judges the few that remain.
    """

    name: str
    sentence: str
    cheap: Callable[[float, Expr, int], float]
    exact: Callable[[Kernel, float, Problem, Scales], float] | None = None
    has_priors: bool = False  # whether parameters are fitted with their priors, and structures have one

    def score(self, kernel: Kernel, nll: float, problem: Problem, scales: Scales) -> float:
        """The criterion of a fitted kernel, exactly; problem and scales in the units of the kernel."""
        if self.exact is None:
            return self.cheap(nll, kernel.expr, problem.n)
        return self.exact(kernel, nll, problem, scales)


def bic(nll: float, expr: Expr, n: int) -> float:
    """Bayesian information criterion, ``2 nll + p log n`` (Schwarz 1978), with the effective parameter count.

    >>> from autostatistician.kernels.expr import Leaf
    >>> round(bic(10.0, Leaf("SE"), 100), 3)
    29.21
    """
    return 2.0 * nll + effective_parameters(expr) * log(n)


def aic(nll: float, expr: Expr, n: int) -> float:
    """Akaike's information criterion, ``2 nll + 2 p``; ``n`` is not used.

    >>> from autostatistician.kernels.expr import Leaf
    >>> aic(10.0, Leaf("SE"), 100)
    24.0
    """
    return 2.0 * nll + 2.0 * effective_parameters(expr)


def laplace(kernel: Kernel, nll: float, problem: Problem, scales: Scales) -> float:
    """Minus twice the log evidence with the parameters integrated out (see `evidence.log_evidence`)."""
    return -2.0 * log_evidence(kernel, nll, problem, scales)


def evidence(kernel: Kernel, nll: float, problem: Problem, scales: Scales) -> float:
    """Minus twice the log evidence under learned priors (see `evidence.refined_log_evidence`)."""
    return -2.0 * refined_log_evidence(kernel, nll, problem, scales)


def loo(kernel: Kernel, nll: float, problem: Problem, scales: Scales) -> float:
    """Minus twice the leave-one-out log predictive density, parameters refitted (see `refitted_deviance`).

    Left-out observations do not see that the structure was chosen with their help, among many: in a search the best
    of them gains by chance alone. So every leaf and every change costs as much as a choice among ten.
    """
    return refitted_deviance(kernel, problem, scales) + CHARGE_PER_CHOICE * _choices(kernel.expr)


def _aic_and_choices(nll: float, expr: Expr, n: int) -> float:
    """What `loo` is about: leaving one out and AIC choose alike when observations are many (Stone 1977)."""
    return aic(nll, expr, n) + CHARGE_PER_CHOICE * _choices(expr)


def _choices(expr: Expr) -> int:
    """The leaves and changes of an expression."""
    return sum(isinstance(node, Leaf | ChangePoint | ChangeWindow) for node in nodes_of(expr))


CRITERIA: dict[str, Criterion] = {
    one.name: one
    for one in (
        Criterion("bic", "The Bayesian information criterion: the misfit and a charge of log n per number.", bic),
        Criterion("aic", "Akaike's information criterion: the misfit and a charge of two per number.", aic),
        Criterion("laplace", "The evidence, with the numbers integrated out around their optimum.", bic, laplace),
        Criterion(
            "evidence",
            "The evidence, with the numbers integrated out under priors learned from other series.",
            bic,
            evidence,
            has_priors=True,
        ),
        Criterion("loo", "How well each observation is predicted from all the others.", _aic_and_choices, loo),
    )
}
