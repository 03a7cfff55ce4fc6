"""What is asked of a deep process, checked: the kernel of every layer, how many layers there may be."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from math import isnan

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.inputs import InputColumns
from autostatistician.deep.variational.expressions import LayerForm, form_of
from autostatistician.deep.variational.fit import DeepFit, DeepSettings, fit, shallows_of, weights_of
from autostatistician.errors import InputError
from autostatistician.estimators.kernels import on_columns
from autostatistician.language.expr import Expr
from autostatistician.language.format import format_expr
from autostatistician.language.traits import is_noise

__all__ = ["AUTO", "Depth", "KernelOfLayers", "best_depth", "choice", "forms_of"]

Array = NDArray[np.float64]
KernelOfLayers = str | Expr | Sequence[str | Expr]

AUTO = "auto"
ENOUGH = 3.0  # how much higher the bound of a deeper process must be: estimates of bounds and fits differ by as much


@dataclass(frozen=True, eq=False)
class Depth:
    """What was found with some number of layers; ``weight`` is its share of the belief as far as bounds say."""

    layers: int
    fits: list[DeepFit]
    weight: float

    @property
    def bound(self) -> float:
        """The highest bound."""
        return self.fits[0].bound


def forms_of(
    kernel: KernelOfLayers, layers: int, columns: tuple[str, ...], width: int | None
) -> tuple[LayerForm | None, ...]:
    """The form of every layer; hidden layers have the columns of the table, or with a width of their own h1, h2, ...

    Raises
    ------
    InputError
        When there are not as many kernels as layers, one has white noise or parameters, or acts on another column.

    Examples
    --------
    >>> forms_of(["SE", "SE + Lin"], 2, ("x",), None)[0] is None
    True
    """
    each = [kernel] * layers if isinstance(kernel, str | Expr) else list(kernel)
    if len(each) != layers:
        raise InputError.of(f"a kernel for each of {layers} layers", f"{len(each)}", "give one for all, or as many")
    hidden = columns if width is None else tuple(f"h{place + 1}" for place in range(width))
    return tuple(_form(expr, columns if place == 0 else hidden) for place, expr in enumerate(each))


def _form(kernel: str | Expr, columns: tuple[str, ...]) -> LayerForm | None:
    read = on_columns(kernel, InputColumns(columns, {}))
    shown = format_expr(read.expr)
    if is_noise(read):
        remedy = "leave WN out: the last layer has noise of its own"
        raise InputError.of("kernels of layers without noise", f"white noise in {shown}", remedy)
    if not all(map(isnan, read.values)):
        raise InputError.of("kernels of layers without numbers", f"some in {kernel}", "leave them out: they are fitted")
    return form_of(read.expr, columns)


def best_depth(
    X: Array, y: Array, settings: Sequence[DeepSettings], rng: np.random.Generator
) -> tuple[Depth, tuple[Depth, ...]]:
    """Fits of every number of layers, with the same draws; the shallowest whose bound is nearly the highest, and all.

    Settings differ by their number of layers alone, the most last, and the shallow processes of fewer are among its.
    How far a bound lies below its evidence is not known, and the deeper the process is the farther, as a rule: a deeper
    one that is chosen has earned it, and one that is not may still be as good.
    """
    shallows = shallows_of(X, y, settings[-1], deepcopy(rng))
    found = [fit(X, y, each, deepcopy(rng), shallows[: each.layers]) for each in settings]
    weights = weights_of([fits[0].bound for fits in found])
    depths = tuple(
        Depth(each.layers, fits, float(weight)) for each, fits, weight in zip(settings, found, weights, strict=True)
    )
    return depths[choice([depth.bound for depth in depths])], depths


def choice(bounds: Sequence[float]) -> int:
    """The place of the first bound that is nearly the highest.

    >>> choice([-20.0, 4.0, 6.0])
    1
    """
    return next(place for place, bound in enumerate(bounds) if bound >= max(bounds) - ENOUGH)
