"""Texts that do not depend on the data: the method, how to read the pictures, what the symbols mean, sources."""

from __future__ import annotations

from collections.abc import Iterator

from autostatistician.language.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum
from autostatistician.language.kernel import operands
from autostatistician.language.leaf_row import LeafKind
from autostatistician.language.leaves import LEAVES

__all__ = ["CITATIONS", "METHOD", "bands_text", "legend"]

METHOD = (
    "The model was not chosen by a person. The search starts from simple models and changes the best one "
    "again and again: it adds a part, multiplies a part by another, replaces one, lets a part begin or end at"
    " some point, or drops one. For every candidate the numbers inside it are fitted to the data, and the "
    "candidate with the best balance of fit and simplicity is kept (the one with the "
    "lowest BIC, a score that charges for every number).",
    "Each candidate is a Gaussian process: instead of one curve it describes all curves of a certain kind "
    "(smooth, repeating, straight, ...) and how plausible each of them is once the data are known. Because "
    "the chosen model is a sum, the data can be divided among its parts, and each part can be shown and "
    "described by itself.",
    "The statements of this report hold if the model is right. The search may have missed a better model.",
)

_BANDS = (
    "How to read the pictures: a line is the most plausible course, and the band around it holds the true "
    "course with a chance of 95% at every position. Bands of single parts are about the underlying course; ranges of "
    "single values and of the forecast include the noise as well, so they are wider. The dashed line marks the end of "
    "the data. {} the doubt about the choice of the model."
)


def bands_text(*, averaged: bool) -> str:
    """How to read the pictures, and which bands hold the doubt about the model: where forecasts are averaged, theirs.

    >>> bands_text(averaged=True)[-80:]
    'Only the range of the forecast includes the doubt about the choice of the model.'
    """
    return _BANDS.format("Only the range of the forecast includes" if averaged else "No band includes")


CITATIONS = (
    "D. Duvenaud, J. R. Lloyd, R. Grosse, J. B. Tenenbaum and Z. Ghahramani (2013). Structure Discovery in "
    "Nonparametric Regression through Compositional Kernel Search. Proceedings of the 30th International "
    "Conference on Machine Learning.",
    "J. R. Lloyd, D. Duvenaud, R. Grosse, J. B. Tenenbaum and Z. Ghahramani (2014). Automatic Construction "
    "and Natural-Language Description of Nonparametric Regression Models. Proceedings of the 28th AAAI "
    "Conference on Artificial Intelligence.",
    "D. Duvenaud (2014). Automatic Model Construction with Gaussian Processes. PhD thesis, University of Cambridge.",
)

_OPERATORS = {
    "CP": "CP(a, b): a before a change point and b after it.",
    "CW": "CW(a, b): a outside of a window and b inside it.",
    "+": '"+" adds parts up.',
    "*": '"*" multiplies: the product has the properties of all its factors.',
}


def legend(expr: Expr) -> tuple[str, ...]:
    """What the symbols of an expression mean, only those that it uses.

    >>> legend(Leaf("C") + Leaf("WN"))
    ('C: a constant (constant kernel).', 'WN: random noise (white noise kernel).', '"+" adds parts up.')
    """
    used = set(_symbols(expr))
    rows = {symbol: row for symbol, row in LEAVES.items() if symbol in used and row.kind is not LeafKind.ZERO}
    leaves = [f"{symbol}: {row.noun} ({row.name})." for symbol, row in rows.items()]
    return (*leaves, *(text for symbol, text in _OPERATORS.items() if symbol in used))


def _symbols(expr: Expr) -> Iterator[str]:
    match expr:
        case Leaf(symbol=symbol):
            yield symbol
        case Sum():
            yield "+"
        case Product():
            yield "*"
        case ChangePoint():
            yield "CP"
        case ChangeWindow():
            yield "CW"
    for part in operands(expr):
        yield from _symbols(part)
