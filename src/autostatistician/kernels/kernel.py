"""A kernel: an expression together with its parameters, kept side by side and never mixed.

``values`` holds the parameters of the expression in preorder (a node's own parameters, then those of its operands from
left to right). A value of NaN means "not chosen yet": the search fills it.

Change of units: what happens to the parameters of a kernel when inputs or outputs are measured differently.

Rows that kernels are asked about: arrays or frames, whose columns the leaves name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.errors import InputError
from autostatistician.i18n.names import did_you_mean
from autostatistician.kernels.covariance import covariances, derivatives, variances
from autostatistician.kernels.expr import (
    ChangePoint,
    ChangeWindow,
    Expr,
    Leaf,
    Product,
    Sum,
    expr_of,
    format_expr,
    product_of,
    sum_of,
)
from autostatistician.kernels.leaf_row import Role
from autostatistician.kernels.leaves import (
    LEAVES,
    Parameter,
    Placed,
    operands,
    own_parameters,
    parameter_names,
    parameters,
    placed,
    size,
)

__all__ = [
    "Kernel", "Parameter", "Placed", "as_kernel", "columns_of", "leaf", "open_names", "operands", "parameter_names",
    "parameters", "placed", "rescaled", "rows_of", "size", "unset",
]  # fmt: skip


Array = NDArray[np.float64]


def rows_of(X: Any) -> Array:
    """Rows (n, d) of finite numbers; an array (n,) is one column."""
    try:
        rows = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError) as error:
        remedy = "give categories as the numbers 0, 1, ... of their levels in order"
        raise InputError.of("rows of finite numbers", str(error), remedy) from error
    rows = rows[:, None] if rows.ndim == 1 else rows
    if rows.ndim != 2 or not np.isfinite(rows).all():
        found = f"an array of shape {rows.shape} with {np.sum(~np.isfinite(rows))} cells that are none"
        raise InputError.of("rows of finite numbers", found, "clean them")
    return rows


def columns_of(X: Any, count: int) -> tuple[str, ...]:
    """The names of the latent columns: those of the frame, unless a view changes how many there are."""
    if hasattr(X, "columns") and len(X.columns) == count:
        return tuple(str(name) for name in X.columns)
    return ("x",) if count == 1 else tuple(f"x{index + 1}" for index in range(count))


def open_names(kernel: Kernel) -> set[str]:
    """The names of the parameters that are not chosen yet.

    >>> sorted(open_names(leaf("SE") + leaf("WN", sd=0.1)))
    ['lengthscale', 'sd']
    """
    every = zip(parameters(kernel.expr), kernel.values, strict=True)
    return {parameter.name for parameter, value in every if isnan(value)}


@dataclass(frozen=True, slots=True)
class Kernel:
    """An expression with its parameters.

    Parameters
    ----------
    expr : Expr
        The structure.
    values : tuple of float
        One natural-unit value per entry of ``parameters(expr)``.

    Raises
    ------
    ValueError
        When the number of values does not fit the expression.

    Examples
    --------
    >>> k = leaf("SE", lengthscale=2.0, sd=1.0) + leaf("WN", sd=0.1)
    >>> k.values
    (2.0, 1.0, 0.1)
    """

    expr: Expr
    values: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.values) != size(self.expr):
            raise ValueError(f"expected {size(self.expr)} values for this expression; found {len(self.values)}")

    def __add__(self, other: Kernel) -> Kernel:
        if not isinstance(other, Kernel):
            return NotImplemented
        return Kernel.sum((self, other))

    def __mul__(self, other: Kernel) -> Kernel:
        if not isinstance(other, Kernel):
            return NotImplemented
        return Kernel.product((self, other))

    def __str__(self) -> str:
        return format_expr(self.expr)

    @property
    def terms(self) -> tuple[Kernel, ...]:
        """The operands of a sum with their parameters; a kernel that is none is the only one.

        >>> [str(term) for k in (leaf("SE") + leaf("WN"), leaf("SE")) for term in k.terms]
        ['SE', 'WN', 'SE']
        """
        return self.parts if isinstance(self.expr, Sum) else (self,)

    @property
    def periods(self) -> list[tuple[str | None, float]]:
        """The column and the value of every period.

        >>> (leaf("Per", "x", period=7.0) + leaf("SE") + leaf("Cos", "x", period=2.0)).periods
        [('x', 7.0), ('x', 2.0)]
        """
        every = zip(parameters(self.expr), self.values, strict=True)
        return [(one.column, value) for one, value in every if one.name == "period"]

    @property
    def own(self) -> tuple[float, ...]:
        """The values of the root node alone."""
        return self.values[: len(own_parameters(self.expr))]

    @property
    def parts(self) -> tuple[Kernel, ...]:
        """The operands of the root node, each with its parameters."""
        return tuple([Kernel(part, self.values[at : at + size(part)]) for part, at in placed(self.expr)])

    def named(self) -> dict[str, float]:
        """The values of the root node by name.

        >>> leaf("WN", sd=0.5).named()
        {'sd': 0.5}
        """
        return dict(zip((name for name, _ in own_parameters(self.expr)), self.own, strict=True))

    def rebuilt(self, parts: tuple[Kernel, ...]) -> Kernel:
        """The same root node with its own parameters over other operands (sums and products flatten)."""
        match self.expr:
            case Leaf():
                return self
            case Sum():
                return Kernel.sum(parts)
            case Product():
                return Kernel.product(parts)
            case ChangePoint() | ChangeWindow() as change:
                return Kernel.change(change, self.own, parts)

    @staticmethod
    def sum(kernels: tuple[Kernel, ...]) -> Kernel:
        """The sum of one or more kernels, flattened."""
        return _joined(sum_of(tuple(k.expr for k in kernels)), (), kernels)

    @staticmethod
    def product(kernels: tuple[Kernel, ...]) -> Kernel:
        """The product of one or more kernels, flattened."""
        return _joined(product_of(tuple(k.expr for k in kernels)), (), kernels)

    @staticmethod
    def change(like: ChangePoint | ChangeWindow, own: tuple[float, ...], parts: Sequence[Kernel]) -> Kernel:
        """A change of the kind and on the column of another, with its own values, over two operands."""
        first, second = parts
        return _joined(type(like)(first.expr, second.expr, like.column), own, (first, second))

    @staticmethod
    def change_point(
        before: Kernel, after: Kernel, location: float, steepness: float, column: str | None = None
    ) -> Kernel:
        """A change point: ``before`` below ``location``, ``after`` above it (see `ChangePoint`)."""
        return _joined(ChangePoint(before.expr, after.expr, column), (location, steepness), (before, after))

    @staticmethod
    def change_window(
        outside: Kernel, inside: Kernel, location: float, steepness: float, width: float, column: str | None = None
    ) -> Kernel:
        """A change window: ``inside`` within ``width`` around ``location`` (see `ChangeWindow`)."""
        return _joined(ChangeWindow(outside.expr, inside.expr, column), (location, steepness, width), (outside, inside))

    @property
    def parameters(self) -> dict[str, float]:
        """All values by the names of their parameters.

        >>> (leaf("SE", lengthscale=2.0, sd=1.0) + leaf("WN", sd=0.1)).parameters
        {'SE.lengthscale': 2.0, 'SE.sd': 1.0, 'WN.sd': 0.1}
        """
        return dict(zip(parameter_names(self.expr), self.values, strict=True))

    def with_parameters(self, values: Mapping[str, float]) -> Kernel:
        """The same structure with some values changed, by the names of their parameters.

        Raises
        ------
        InputError
            When there is no parameter of a name.

        Examples
        --------
        >>> (leaf("SE", lengthscale=2.0, sd=1.0) + leaf("WN", sd=0.1)).with_parameters({"WN.sd": 0.5}).values
        (2.0, 1.0, 0.5)
        """
        known = self.parameters
        if unknown := [name for name in values if name not in known]:
            raise InputError.of(f"parameters among {', '.join(known)}", repr(unknown[0]), "name one of these")
        return Kernel(self.expr, tuple(float(value) for value in (known | dict(values)).values()))

    def __call__(self, X: Any, Z: Any = None) -> Any:
        """The covariance of two numbers, or the matrix of those between rows, as `matrix` has it.

        >>> leaf("Lin", sd=2.0, location=1.0)(2.0, 4.0)
        12.0
        """
        if np.ndim(X) or np.ndim(Z):
            return self.matrix(X, Z)
        return float(self.matrix([X], None if Z is None else [Z])[0, 0])

    def matrix(self, X: Any, Z: Any = None) -> Array:
        """The covariances (n, m) between rows: arrays (n,) or (n, d), or frames whose columns the leaves name.

        Without ``Z`` those of the observations at ``X`` with themselves, white noise on the diagonal; with it there is
        none, as the rows are other observations.

        Raises
        ------
        InputError
            When parameters are open, or a leaf names a column that is not there.
        """
        rows, columns = self._asked(X)
        return covariances(self.expr, self.values, rows, None if Z is None else rows_of(Z), columns)

    def diag(self, X: Any) -> Array:
        """The variances (n,) at rows, white noise included."""
        return variances(self.expr, self.values, *self._asked(X)).every

    def gradient(self, X: Any, Z: Any = None) -> dict[str, Array]:
        """The derivatives (n, m) of `matrix` by each parameter as it is, by the names of `parameters`."""
        rows, columns = self._asked(X)
        slopes = derivatives(self.expr, self.values, rows, None if Z is None else rows_of(Z), columns)
        return dict(zip(self.parameters, slopes, strict=True))

    def _asked(self, X: Any) -> tuple[Array, tuple[str, ...]]:
        """Rows (n, d) and the names of their columns; an `InputError` says when parameters are open."""
        if names := open_names(self):
            found = f"{self} without {', '.join(sorted(names))}"
            raise InputError.of("a number for each parameter of the kernel", found, "give those that are missing")
        rows = rows_of(X)
        return rows, columns_of(X, rows.shape[1])

    def mapped(self, change: Callable[[Parameter, float], float]) -> Kernel:
        """The same structure with every value replaced by ``change(parameter, value)``."""
        pairs = zip(parameters(self.expr), self.values, strict=True)
        return Kernel(self.expr, tuple(change(parameter, value) for parameter, value in pairs))


def _joined(expr: Expr, values: tuple[float, ...], parts: tuple[Kernel, ...]) -> Kernel:
    return Kernel(expr, values + tuple(value for part in parts for value in part.values))


def leaf(symbol: str, column: str | None = None, **values: float) -> Kernel:
    """A leaf with its parameters by name; those left out are NaN, "not chosen yet".

    >>> leaf("Per", period=1.0).named()
    {'lengthscale': nan, 'period': 1.0, 'sd': nan}
    """
    if symbol not in LEAVES:
        raise InputError.of("the symbol of a leaf", repr(symbol), did_you_mean(symbol, LEAVES))
    expr = Leaf(symbol, column)
    names = [name for name, _ in own_parameters(expr)]
    if unknown := sorted(set(values) - set(names)):
        raise ValueError(f"expected the parameters {names} for {symbol}; found {unknown}; correct the names")
    return Kernel(expr, tuple(float(values.get(name, nan)) for name in names))


def as_kernel(given: Kernel | Expr) -> Kernel:
    """The kernel that is given, or an expression with every value open; an `InputError` for anything else."""
    return given if isinstance(given, Kernel) else unset(expr_of(given))


def unset(expr: Expr) -> Kernel:
    """The expression with every value left open (NaN)."""
    return Kernel(expr, (nan,) * size(expr))


_OF_OUTPUT = (Role.SD, Role.SLOPE, Role.DIFFUSION, Role.WEIGHT)


def rescaled(
    kernel: Kernel,
    x_scale: float = 1.0,
    x_shift: float = 0.0,
    y_scale: float = 1.0,
    columns: Collection[str | None] | None = None,
) -> Kernel:
    """The same prior in other units.

    Law: with ``x' = x_scale * x + x_shift`` on the columns, ``k'(x', z') = y_scale ** 2 * k(x, z)``. A negative
    ``x_scale`` turns the axis round: the operands of a change point change places. Nothing is sorted anew.

    Parameters
    ----------
    kernel : Kernel
        Open parameters (NaN) stay open.
    x_scale, x_shift : float
        The new input in terms of the old; ``x_scale`` is not zero.
    y_scale : float
        The new output in terms of the old; positive.
    columns : collection of column names, optional
        Which inputs change; all by default.

    Examples
    --------
    >>> from autostatistician.kernels.kernel import leaf
    >>> rescaled(leaf("Lin", sd=3.0, location=1.0), x_scale=2.0, x_shift=10.0, y_scale=4.0).named()
    {'sd': 6.0, 'location': 12.0}
    """
    if x_scale == 0 or not y_scale > 0:
        raise ValueError(f"expected x_scale != 0 and y_scale > 0; found {x_scale} and {y_scale}")
    return _output_scaled(_input_scaled(kernel, x_scale, x_shift, columns), y_scale)


def _input_scaled(kernel: Kernel, scale: float, shift: float, columns: Collection[str | None] | None) -> Kernel:
    parts = tuple(_input_scaled(part, scale, shift, columns) for part in kernel.parts)
    if isinstance(kernel.expr, Sum | Product):
        return kernel.rebuilt(parts)
    if columns is not None and kernel.expr.column not in columns:
        return kernel.rebuilt(parts)
    pairs = zip(own_parameters(kernel.expr), kernel.own, strict=True)
    converted = tuple(_converted(value, role, scale, shift) for (_, role), value in pairs)
    if isinstance(kernel.expr, ChangePoint) and scale < 0:
        parts = parts[::-1]
    if isinstance(kernel.expr, Leaf):
        return Kernel(kernel.expr, converted)
    return Kernel.change(kernel.expr, converted, parts)


def _converted(value: float, role: Role, scale: float, shift: float) -> float:
    match role:
        case Role.SD | Role.SHAPE | Role.WEIGHT:
            return value
        case Role.LENGTH:
            return value * abs(scale)
        case Role.SLOPE | Role.RATE:
            return value / abs(scale)
        case Role.DIFFUSION:
            return value / sqrt(abs(scale))
        case Role.LOCATION:
            return value * scale + shift


def _output_scaled(kernel: Kernel, factor: float) -> Kernel:
    """As `tree.scaled_node`, but the order of operands is kept: every value stays at its index."""
    match kernel.expr:
        case Leaf() as leaf:
            pairs = zip(own_parameters(leaf), kernel.own, strict=True)
            return Kernel(leaf, tuple(v * factor if role in _OF_OUTPUT else v for (_, role), v in pairs))
        case Product():
            return kernel.rebuilt((_output_scaled(kernel.parts[0], factor), *kernel.parts[1:]))
        case Sum() | ChangePoint() | ChangeWindow():
            return kernel.rebuilt(tuple(_output_scaled(part, factor) for part in kernel.parts))
