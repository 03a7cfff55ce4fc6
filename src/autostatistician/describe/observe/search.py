"""How a model was found: the records of a search as words and pictures need them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.claims.claim import Claim, plain_numbers, weighed
from autostatistician.claims.kinds import Kind
from autostatistician.claims.quantity import Measure, Quantity
from autostatistician.data.transform import Transform
from autostatistician.decompose.records.series import Check, Decomposition
from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.describe.facts.judgement import KNOWN
from autostatistician.describe.facts.kinds import SearchCut
from autostatistician.describe.facts.search import FittedNumber, SearchFindings, TriedModel
from autostatistician.describe.facts.whole import ShapedScale
from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum, format_expr
from autostatistician.kernels.kernel import Kernel, parameters
from autostatistician.kernels.leaf_row import LeafKind, Role
from autostatistician.kernels.leaves import LEAVES, nodes_of

__all__ = ["ENDS", "check_claim", "outlier_claim", "search_of", "shape_facts", "weighed_claims"]


ENDS = (0.05, 0.95)  # of the data, at which sizes are compared

_QUANTITIES = {
    Role.LENGTH: Measure.SPAN, Role.LOCATION: Measure.PLACE, Role.SLOPE: Measure.SLOPE, Role.RATE: Measure.RATE,
    Role.SD: Measure.DIFFERENCE, Role.DIFFUSION: Measure.DIFFUSION,
}  # fmt: skip


def search_of(d: Decomposition | TableDecomposition, parts: Sequence[Kernel]) -> SearchFindings:
    """The way to a model, and its numbers part by part."""
    expr = d.fitted.kernel.expr
    used = frozenset(map(_symbol, nodes_of(expr)))
    rows = {symbol: row for symbol, row in LEAVES.items() if symbol in used and row.kind is not LeafKind.ZERO}
    return SearchFindings(
        expression=format_expr(expr), leaves=tuple((symbol, row.noun, row.name) for symbol, row in rows.items()),
        operators=used - LEAVES.keys(), n_parameters=d.fitted.n_parameters, nll=d.fitted.nll, bic=d.fitted.bic,
        evaluations=d.fitted.evaluations, seconds=d.fitted.seconds, criterion=d.criterion,
        by_evidence=d.criterion == "evidence" and isinstance(d, Decomposition), cut=SearchCut(d.cut),
        path=tuple((expression, score) for expression, score, _ in d.path),
        tried=tuple(TriedModel(model.level, model.expression, model.score, model.parent) for model in d.tried),
        proposed=d.proposed, stages=d.stages,
        models=tuple((format_expr(kernel.expr), weight) for kernel, weight in d.alternatives),
        numbers=tuple(number for part, kernel in enumerate(parts, 1) for number in _numbers(part, kernel)),
    )  # fmt: skip


def _numbers(part: int, kernel: Kernel) -> Iterator[FittedNumber]:
    for parameter, value in zip(parameters(kernel.expr), kernel.values, strict=True):
        where, symbol = format_expr(parameter.node), _symbol(parameter.node)
        quantity = _QUANTITIES.get(parameter.role, Measure.NUMBER)
        row = LEAVES[symbol].parameter(parameter.name) if symbol in LEAVES else None
        if row is None or not row.held:
            meaning = "" if row is None else row.meaning
            yield FittedNumber(part, where, symbol, parameter.name, meaning, quantity, value)


def _symbol(expr: Expr) -> str:
    """What an expression is written with at its top.

    >>> _symbol(Leaf("SE", "age")), _symbol(Leaf("C") + Leaf("WN"))
    ('SE', '+')
    """
    match expr:
        case Leaf(symbol=symbol):
            return symbol
        case Sum():
            return "+"
        case Product():
            return "*"
        case ChangePoint(symbol=symbol) | ChangeWindow(symbol=symbol):
            return symbol


# --- What weighted models claim together: the weight of all models that make a claim --------------------------------


def weighed_claims(
    models: Sequence[tuple[Kernel, float]],
    claims_of: Callable[[Kernel], Iterable[Claim]],
    same: Callable[[Claim, Claim], bool],
) -> tuple[Claim, ...]:
    """Every claim with the weight of the models that make it, in the order in which they come up.

    Parameters
    ----------
    models : sequence of (Kernel, weight)
        The best first; the weights add up to one.
    claims_of : callable
        What one model claims.
    same : callable
        Whether a claim counts as another that came up before.
    """
    distinct: list[Claim] = []
    weights: list[float] = []
    best = 0  # how many of them the first model makes
    for place, (kernel, weight) in enumerate(models):
        for index in {_index(claim, distinct, weights, same) for claim in claims_of(kernel)}:
            weights[index] += weight
        best = len(distinct) if place == 0 else best
    every = enumerate(zip(distinct, weights, strict=True))
    return tuple(
        weighed(claim, min(weight, 1.0), in_best=index < best) for index, (claim, weight) in every if weight >= KNOWN
    )


def _index(claim: Claim, claims: list[Claim], weights: list[float], same: Callable[[Claim, Claim], bool]) -> int:
    """The place of a claim in the list, which grows where it is new."""
    for index, other in enumerate(claims):
        if same(claim, other):
            return index
    claims.append(claim)
    weights.append(0.0)
    return len(claims) - 1


# --- The scale of a power that was learned, as a fact ---------------------------------------------------------------


def shape_facts(transform: Transform, y: NDArray[np.float64]) -> tuple[ShapedScale, ...]:
    """What a learned scale makes of amounts where data ``y`` (n,) in their own units are low and high; of no other."""
    if not transform.is_power:
        return ()
    ends = np.quantile(y, ENDS)
    low, high = ends.tolist()
    low_times, high_times = np.exp(-transform.log_slope(ends)).tolist()
    return (
        ShapedScale(
            id="model/scale", number=transform.scale, unit="target", evidence="the evidence of models on such scales",
            probability=None, power=transform.power, low=low, low_times=low_times,
            high=high, high_times=high_times,
        ),
    )  # fmt: skip


def outlier_claim(rank: int, at: float, value: float, expected: float, others: int) -> Claim:
    """That a value stands out at a place, or in a row, from so many others."""
    levels = {"value": Quantity.plain(value, Measure.LEVEL), "expected": Quantity.plain(expected, Measure.LEVEL)}
    return Claim(
        id=f"outliers/{rank}", kind=Kind.OUTLIER, at=(at,), more=levels | plain_numbers(values=others),
        number=Quantity.plain(value - expected, Measure.DIFFERENCE),
    )  # fmt: skip


def check_claim(name: str, check: Check, **more: Any) -> Claim:
    """What a check of a model found."""
    return Claim(
        id=name, kind=Kind.CHECK, form=check.kind, number=Quantity.plain(check.p, Measure.NUMBER),
        more=plain_numbers(adjusted=check.adjusted, side=check.side), **more,
    )  # fmt: skip
