"""Criteria for comparing fitted expressions; lower is better for all of them."""

from __future__ import annotations

from collections.abc import Callable
from math import log

from autostatistician.language.count import effective_parameters
from autostatistician.language.expr import Expr

__all__ = ["CRITERIA", "aic", "bic"]


def bic(nll: float, expr: Expr, n: int) -> float:
    """Bayesian information criterion, ``2 nll + p log n`` (Schwarz 1978), with the effective parameter count.

    >>> from autostatistician.language.expr import Leaf
    >>> round(bic(10.0, Leaf("SE"), 100), 3)
    29.21
    """
    return 2.0 * nll + effective_parameters(expr) * log(n)


def aic(nll: float, expr: Expr, n: int) -> float:
    """Akaike's information criterion, ``2 nll + 2 p``; ``n`` is not used.

    >>> from autostatistician.language.expr import Leaf
    >>> aic(10.0, Leaf("SE"), 100)
    24.0
    """
    return 2.0 * nll + 2.0 * effective_parameters(expr)


CRITERIA: dict[str, Callable[[float, Expr, int], float]] = {"bic": bic, "aic": aic}
