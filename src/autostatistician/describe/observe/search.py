"""How a model was found: the records of a search as words and pictures need them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autostatistician.decompose.records.series import Decomposition
from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.describe.facts.kinds import Quantity, SearchCut
from autostatistician.describe.facts.search import FittedNumber, SearchFindings, TriedModel
from autostatistician.language.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum
from autostatistician.language.format import format_expr
from autostatistician.language.kernel import Kernel, operands, parameters
from autostatistician.language.leaf_row import LeafKind, Role
from autostatistician.language.leaves import LEAVES

__all__ = ["search_of"]

_QUANTITIES = {
    Role.LENGTH: Quantity.LENGTH, Role.LOCATION: Quantity.PLACE, Role.SLOPE: Quantity.SLOPE, Role.RATE: Quantity.RATE,
    Role.SD: Quantity.SIZE, Role.DIFFUSION: Quantity.DIFFUSION,
}  # fmt: skip


def search_of(d: Decomposition | TableDecomposition, parts: Sequence[Kernel]) -> SearchFindings:
    """The way to a model, and its numbers part by part."""
    expr = d.fitted.kernel.expr
    used = frozenset(_symbols(expr))
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
        quantity = _QUANTITIES.get(parameter.role, Quantity.OTHER)
        row = LEAVES[symbol].parameter(parameter.name) if symbol in LEAVES else None
        if row is None or not row.held:
            meaning = "" if row is None else row.meaning
            yield FittedNumber(part, where, symbol, parameter.name, meaning, quantity, value)


def _symbols(expr: Expr) -> Iterator[str]:
    yield _symbol(expr)
    for operand in operands(expr):
        yield from _symbols(operand)


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
