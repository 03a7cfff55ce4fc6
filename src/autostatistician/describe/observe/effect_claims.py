"""How sure the statements on columns are: the weight of all models that make them."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.facts.claim import LEAST, Statement
from autostatistician.language.kernel import Kernel
from autostatistician.language.rewrite import components
from autostatistician.language.traits import columns_of, is_noise
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import joined

__all__ = ["MATTERS", "TOGETHER", "table_statements"]

MATTERS, TOGETHER = "matters", "act together"


def table_statements(models: Sequence[tuple[Kernel, float]]) -> tuple[Statement, ...]:
    """Which columns weighted models (the best first) use, alone, together and for the scatter.

    >>> from autostatistician.language.kernel import leaf
    >>> one = leaf("SE", "age", lengthscale=1.0, sd=1.0) + leaf("WN", sd=1.0)
    >>> [(told.text, told.probability) for told in table_statements([(one, 1.0)])]
    [("'age' matters", 1.0)]
    """
    weights: dict[str, float] = {}
    best: set[str] = set()
    for index, (kernel, weight) in enumerate(models):
        said = _said(kernel)
        best = said if index == 0 else best
        for text in said:
            weights[text] = weights.get(text, 0.0) + weight
    found = [Statement(text, min(weight, 1.0), text in best) for text, weight in weights.items() if weight >= LEAST]
    return tuple(sorted(found, key=lambda one: (not one.in_best, -one.probability, one.text)))


def _said(kernel: Kernel) -> set[str]:
    found = set()
    for part in components(kernel):
        columns = sorted(columns_of(part.expr))
        names = [quoted(name) for name in columns]
        if is_noise(part.expr):
            found |= {f"The scatter changes with {name}" for name in names}
            continue
        found |= {f"{name} {MATTERS}" for name in names}
        if len(names) == 2:  # of more, a product does not tell which of them do
            found.add(f"{joined(names)} {TOGETHER}")
    return found
