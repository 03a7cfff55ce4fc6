"""Change of units: what happens to the parameters of a kernel when inputs or outputs are measured differently."""

from __future__ import annotations

from collections.abc import Collection
from math import sqrt

from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Leaf, Product, Sum
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.leaf_row import Role
from autostatistician.kernels.leaves import own_parameters

__all__ = ["rescaled"]


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
    """As `scaled`, but the order of operands is kept: every value stays at its index."""
    match kernel.expr:
        case Leaf() as leaf:
            pairs = zip(own_parameters(leaf), kernel.own, strict=True)
            return Kernel(leaf, tuple(v * factor if role in _OF_OUTPUT else v for (_, role), v in pairs))
        case Product():
            return kernel.rebuilt((_output_scaled(kernel.parts[0], factor), *kernel.parts[1:]))
        case Sum() | ChangePoint() | ChangeWindow():
            return kernel.rebuilt(tuple(_output_scaled(part, factor) for part in kernel.parts))
