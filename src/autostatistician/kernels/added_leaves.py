"""Leaves of one's own: a covariance by the lag becomes a row of the table, which search, words and files then know."""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.errors import InputError
from autostatistician.i18n.messages import message
from autostatistician.kernels.expr import Leaf
from autostatistician.kernels.lag_functions import Derivatives, LagFunction
from autostatistician.kernels.leaf_row import Decay, LeafKind, LeafParameter, LeafRow
from autostatistician.kernels.leaves import LEAVES

__all__ = ["register_leaf"]

Array = NDArray[np.float64]
Covariance = Callable[..., Array]

KINDS = {"smooth": LeafKind.SMOOTH, "wandering": LeafKind.WANDERING, "cyclic": LeafKind.CYCLIC}
STEP = 1e-5  # of differences, in units of a parameter
NEAR = 1e-3  # a lag at which it is seen how a correlation begins to fall
LAGS = np.linspace(0.0, 6.0, 40)  # at which a covariance must be one
_added: dict[str, Covariance] = {}


def register_leaf(
    symbol: str,
    covariance: Covariance,
    parameters: tuple[str, ...] = ("lengthscale", "sd"),
    *,
    kind: str = "smooth",
    noun: str = message("a pattern of its own kind"),
    name: str = "",
) -> LeafRow:
    """Add a leaf to the language: expressions may have it, a `Language` may search for it, models with it are saved.

    Parameters
    ----------
    symbol : str
        As it is written: letters, the first one large.
    covariance : callable
        ``covariance(lag, *parameters)`` of lags of any shape and sign; a covariance for all positive parameters.
        Derivatives are differences of it.
    parameters : tuple of str
        Their names; "lengthscale" (or "period" of a cyclic leaf) and "sd" are among them, all others are shapes
        without a unit.
    kind : {"smooth", "wandering", "cyclic"}
        What functions it stands for, from which the words for a part follow: curves, levels that wander (no slope
        where the correlation has a kink at lag zero), or what repeats.
    noun, name : str
        What the leaf is and its name in the literature, where a report explains its kernels. The sentences about a part
        follow from what its function does.

    Raises
    ------
    InputError
        When the symbol is taken, a parameter lacks, or the function is no covariance.

    Examples
    --------
    >>> from autostatistician.kernels import parse_kernel
    >>> row = register_leaf("Cauchy", lambda lag, lengthscale, sd: sd**2 / (1.0 + (lag / lengthscale) ** 2))
    >>> parse_kernel("Cauchy(lengthscale=2, sd=3) + WN(sd=1)").parts[0](0.0, 2.0)
    4.5
    >>> del LEAVES["Cauchy"], _added["Cauchy"]
    """
    known = _added.get(symbol)
    if known is not None and getattr(known, "__code__", None) == getattr(covariance, "__code__", 0):
        return LEAVES[symbol]  # the same once more, as when a cell of a notebook runs again
    if symbol in LEAVES or not (symbol.isalpha() and symbol[0].isupper()):
        raise InputError.of("letters that are no leaf yet, the first one large", repr(symbol), "choose others")
    needed = KINDS[kind].parameters if kind in KINDS else ()
    if not needed or not set(parameters) >= set(needed) or parameters[0] != needed[0]:
        wanted = f"a kind among {', '.join(KINDS)} whose parameters are there"
        raise InputError.of(
            wanted, f"{kind!r} with {', '.join(parameters)}", "name lengthscale (or period) first, and sd"
        )
    values = [1.0] * len(parameters)
    _check_covariance(np.asarray(covariance(np.subtract.outer(LAGS, LAGS), *values)), symbol)
    function = LagFunction(covariance, partial(_derivatives, covariance), partial(_slope, covariance))
    decay = None if kind == "cyclic" else _decay(covariance, values)
    row = LeafRow(name or symbol, noun, KINDS[kind], tuple(map(_parameter, parameters)), function, decay)
    _set(symbol, row, covariance)
    return row


def _set(symbol: str, row: LeafRow, covariance: Covariance) -> None:
    LEAVES[symbol], _added[symbol] = row, covariance


def _parameter(name: str) -> LeafParameter:
    """As the leaf has it that has a parameter of this name, else a shape about one."""
    models = {"lengthscale": "SE", "sd": "SE", "period": "Cos"}
    if name in models:
        return LEAVES[models[name]].parameter(name)
    shape = LEAVES["RQ"].parameter("alpha")
    return LeafParameter(name, shape.role, name, shape.lowest, shape.highest, shape.start)


def _check_covariance(matrix: Array, symbol: str) -> None:
    """Raise an `InputError` where a matrix (n, n) at unlike places is none of covariances."""
    found = ""
    if matrix.shape != (len(LAGS), len(LAGS)) or not np.isfinite(matrix).all():
        found = "other than finite numbers in the shape of the lags"
    elif not np.allclose(matrix, matrix.T) or np.linalg.eigvalsh(matrix)[0] < -1e-8 * matrix[0, 0]:
        found = "one that is not symmetric or has variances below zero"
    if found:
        raise InputError.of(f"a covariance for {symbol}", found, "correct the function")


def _derivatives(covariance: Covariance, lag: Array, *values: float) -> Derivatives:
    """The covariances, and their derivatives by the logarithm of each parameter."""

    def at(index: int, step: float) -> Array:
        moved = [value * np.exp(step) if place == index else value for place, value in enumerate(values)]
        return np.asarray(covariance(lag, *moved))

    slopes = tuple(np.asarray((at(k, STEP) - at(k, -STEP)) / (2.0 * STEP)) for k in range(len(values)))
    return np.asarray(covariance(lag, *values)), slopes


def _slope(covariance: Covariance, lag: Array, *values: float) -> Array:
    """The derivative by the lag; at a kink the mean of both sides."""
    step = STEP * values[0]
    return np.asarray((covariance(lag + step, *values) - covariance(lag - step, *values)) / (2.0 * step))


def _decay(covariance: Covariance, values: list[float]) -> Decay:
    """How the correlation begins to fall: with the lag, or with its square."""
    whole, near, far = (float(covariance(np.array(lag), *values)) for lag in (0.0, NEAR, 2.0 * NEAR))
    fall = 1.0 - near / whole
    power = 2 if 1.0 - far / whole > 3.0 * fall else 1
    return Decay(fall / NEAR**power, power)


def _carried(leaf: Leaf) -> tuple[Any, ...]:
    """A leaf as a worker gets it: one of one's own brings its row along."""
    if leaf.symbol not in _added:
        return Leaf, (leaf.symbol, leaf.column)
    return _restored, (leaf.symbol, leaf.column, LEAVES[leaf.symbol], _added[leaf.symbol])


def _restored(symbol: str, column: str | None, row: LeafRow, covariance: Covariance) -> Leaf:
    if symbol not in LEAVES:
        _set(symbol, row, covariance)
    return Leaf(symbol, column)


copyreg.pickle(Leaf, _carried)
