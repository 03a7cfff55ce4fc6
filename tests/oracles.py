"""A slow, plain covariance: a double loop over points, one function per leaf straight from its formula.

It shares no code with the library and is what the fast covariances and all rewriting are tested against.
"""

from collections.abc import Callable, Sequence
from math import cos, exp, expm1, log1p, pi, sqrt, tanh

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import i0e

from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Leaf, Product, Sum
from autostatistician.kernels.kernel import Kernel

__all__ = ["covariance"]

Matrix = NDArray[np.float64]
Point = dict[str | None, float]


def covariance(
    kernel: Kernel,
    x: Sequence[float] | Matrix,
    x2: Sequence[float] | Matrix | None = None,
    columns: Sequence[str | None] = (None,),
) -> Matrix:
    """The covariance matrix at points ``x`` (n,) or (n, d), or between ``x`` and ``x2``.

    White noise is shared by points of equal index where ``x2`` is None, else by points of equal coordinates.
    """
    first = _points(x, columns)
    second = first if x2 is None else _points(x2, columns)
    rows = [
        [_k(kernel, p, q, i == j if x2 is None else p == q) for j, q in enumerate(second)] for i, p in enumerate(first)
    ]
    return np.array(rows).reshape(len(first), len(second))


def _points(x: Sequence[float] | Matrix, columns: Sequence[str | None]) -> list[Point]:
    rows = np.asarray(x, dtype=float).reshape(-1, len(columns))
    return [dict(zip(columns, map(float, row), strict=True)) for row in rows]


def _k(kernel: Kernel, p: Point, q: Point, same: bool) -> float:
    expr, own = kernel.expr, kernel.own
    if isinstance(expr, Leaf):
        at, to = p.get(expr.column, 0.0), q.get(expr.column, 0.0)
        return FORMULAS[expr.symbol](at, to, same, *own)
    values = [_k(part, p, q, same) for part in kernel.parts]
    match expr:
        case Sum():
            return sum(values)
        case Product():
            return float(np.prod(values))
        case ChangePoint(column=column):
            a, b = _before(p[column], *own), _before(q[column], *own)
            return a * values[0] * b + (1 - a) * values[1] * (1 - b)
        case ChangeWindow(column=column):
            a, b = _within(p[column], *own), _within(q[column], *own)
            return (1 - a) * values[0] * (1 - b) + a * values[1] * b


def _before(x: float, location: float, steepness: float) -> float:
    return 1 - (0.5 + 0.5 * tanh(steepness * (x - location)))


def _within(x: float, location: float, steepness: float, width: float) -> float:
    rise = 0.5 + 0.5 * tanh(steepness * (x - (location - width / 2)))
    fall = 0.5 + 0.5 * tanh(-steepness * (x - (location + width / 2)))
    return rise * fall


def _se(x: float, z: float, same: bool, lengthscale: float, sd: float) -> float:
    return sd**2 * exp(-((x - z) ** 2) / (2 * lengthscale**2))


def _cat(x: float, z: float, same: bool, contrast: float, sd: float) -> float:
    return sd**2 * (1.0 if x == z else 1 / (1 + contrast))


def _rq(x: float, z: float, same: bool, lengthscale: float, sd: float, alpha: float) -> float:
    return float(sd**2 * (1 + (x - z) ** 2 / (2 * alpha * lengthscale**2)) ** -alpha)


def _deep_2(x: float, z: float, same: bool, lengthscale: float, sd: float) -> float:
    u = (x - z) ** 2 / (2 * lengthscale**2)
    return sd**2 * exp(exp(-u) - 1 - u)


def _deep_3(x: float, z: float, same: bool, lengthscale: float, sd: float) -> float:
    u = (x - z) ** 2 / (2 * lengthscale**2)
    return sd**2 * exp(exp(exp(-u) - 1 - u) - 1 - u)


def _endless(x: float, z: float, same: bool, lengthscale: float, sd: float) -> float:
    u = min((x - z) ** 2 / (2 * lengthscale**2), 30.0)  # beyond, it is below rounding
    gap = brentq(lambda gap: -gap - log1p(-gap) - u, 0.0, 1.0 - 1e-15, xtol=1e-15) if u else 0.0
    return float(sd**2 * (1.0 - gap))


def _per(x: float, z: float, same: bool, lengthscale: float, period: float, sd: float) -> float:
    inverse = 1 / lengthscale**2
    mean = float(i0e(inverse))
    return sd**2 * (exp((cos(2 * pi * (x - z) / period) - 1) * inverse) - mean) / (1 - mean)


def _matern12(x: float, z: float, same: bool, lengthscale: float, sd: float) -> float:
    return sd**2 * exp(-abs(x - z) / lengthscale)


def _matern32(x: float, z: float, same: bool, lengthscale: float, sd: float) -> float:
    distance = sqrt(3) * abs(x - z) / lengthscale
    return sd**2 * (1 + distance) * exp(-distance)


def _cos(x: float, z: float, same: bool, period: float, sd: float) -> float:
    return sd**2 * cos(2 * pi * (x - z) / period)


def _lin(x: float, z: float, same: bool, sd: float, location: float) -> float:
    return sd**2 * (x - location) * (z - location)


def _wiener(x: float, z: float, same: bool, sd: float, location: float) -> float:
    near = min(abs(x - location), abs(z - location))
    return sd**2 * near if (x - location) * (z - location) > 0 else 0.0


def _iou(x: float, z: float, same: bool, lengthscale: float, sd: float, location: float) -> float:
    """The double integral of the covariance of the slope, ``sd^2 exp(-|u - v| / lengthscale)``, from the location."""
    s, t = sorted(((x - location) / lengthscale, (z - location) / lengthscale), key=abs)
    if s * t < 0:
        return -((sd * lengthscale) ** 2) * expm1(-abs(s)) * expm1(-abs(t))
    s, t = abs(s), abs(t)
    return (sd * lengthscale) ** 2 * (2 * s + expm1(-s) + expm1(-t) - expm1(s - t))


def _constant(x: float, z: float, same: bool, sd: float) -> float:
    return sd**2


def _noise(x: float, z: float, same: bool, sd: float) -> float:
    return sd**2 if same else 0.0


def _zero(x: float, z: float, same: bool) -> float:
    return 0.0


FORMULAS: dict[str, Callable[..., float]] = {
    "SE": _se, "RQ": _rq, "Matern12": _matern12, "Matern32": _matern32,
    "Deep2": _deep_2, "Deep3": _deep_3, "Deep": _endless, "Per": _per, "Cos": _cos, "Cat": _cat,
    "Wiener": _wiener, "IOU": _iou, "Lin": _lin, "C": _constant, "WN": _noise, "0": _zero,
}  # fmt: skip
