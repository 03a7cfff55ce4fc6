"""Kernels of layers that are any expression of the language, and where fits of kernels begin.

What the bound of doubly stochastic inference (Salimbeni and Deisenroth 2017) asks of a kernel are covariances and
variances at places that are draws, and how these change with its parameters and with the places. Every expression of
numbers has them, so no mean over uncertain places has to be known in closed form. For the squared exponential of all
columns `ARDKernel` does the same with fewer steps.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.covariance import (
    covariance,
    prior_variance,
    slopes_by_points,
    variance_slopes_by_points,
)
from autostatistician.gp.parameters import FreeParameters, measure
from autostatistician.kernels.covariance import DenseCovariance
from autostatistician.kernels.expr import Expr, Leaf, Product
from autostatistician.kernels.kernel import Kernel, parameters, rescaled
from autostatistician.kernels.leaf_row import Role
from autostatistician.models.deep.variational.whitened import JITTER, ARDKernel, LayerKernel, SlopesOfCovariances

__all__ = ["ExpressionKernel", "LayerForm", "beginnings", "form_of"]

Array = NDArray[np.float64]

SCALES = (2.0, 0.5, 0.15)  # lengthscales of standardised columns that are tried first, times the root of their number
LEAST = 1e-9  # on the diagonal of k(Z, Z), where a variance may be zero


@dataclass(frozen=True)
class LayerForm:
    """An expression, without parameters and without noise, on the columns of the inputs of a layer."""

    expr: Expr
    columns: tuple[str, ...]


def form_of(expr: Expr, columns: tuple[str, ...]) -> LayerForm | None:
    """The form of an expression; None for the squared exponential of all columns, which is quicker as it is.

    >>> form_of(Leaf("SE", "x"), ("x",)), form_of(Leaf("RQ", "x"), ("x",))
    (None, LayerForm(expr=Leaf(symbol='RQ', column='x'), columns=('x',)))
    """
    leaves = expr.factors if isinstance(expr, Product) else (expr,)
    names = sorted(str(leaf.column) for leaf in leaves if isinstance(leaf, Leaf) and leaf.symbol == "SE")
    return None if len(names) == len(leaves) and names == sorted(columns) else LayerForm(expr, columns)


@dataclass(frozen=True, eq=False)
class ExpressionKernel:
    """An expression with its parameters, in the coordinates of fits."""

    form: LayerForm
    free: FreeParameters
    matrix: DenseCovariance
    values: tuple[float, ...]

    @property
    def kernel(self) -> Kernel:
        """The expression with its parameters."""
        return Kernel(self.form.expr, self.values)

    @property
    def parameters(self) -> Array:
        """The coordinates (p,) of the free parameters."""
        return self.free.coordinates(self.values)

    @property
    def limits(self) -> tuple[Array, Array]:
        """Their lowest and highest values."""
        return self.free.low, self.free.high

    def with_parameters(self, parameters: Array) -> ExpressionKernel:
        """The same with other parameters."""
        return replace(self, values=self.free.values(parameters, self.values))

    def resized(self, log_variance: float, X: Array) -> ExpressionKernel:
        """The same with a variance whose mean over rows (n, D) has that logarithm, as near as the limits allow."""
        now = float(self.prior(X).mean())
        if not now > 0.0:
            return self
        sized = rescaled(self.kernel, y_scale=float(np.exp(0.5 * log_variance) / np.sqrt(now)))
        return replace(self, values=self.free.inside(sized.values))

    def __call__(self, Z: Array, H: Array) -> Array:
        """Covariances (M, P) of places (M, D) and (P, D)."""
        return covariance(self.kernel, Z, H, self.form.columns)

    def own(self, Z: Array) -> Array:
        """Covariances (M, M) of places with each other, with the jitter."""
        among = covariance(self.kernel, Z, None, self.form.columns)
        among[np.diag_indices_from(among)] *= 1.0 + JITTER
        among[np.diag_indices_from(among)] += LEAST
        return among

    def prior(self, H: Array) -> Array:
        """Variances (P,) at places (P, D)."""
        return prior_variance(self.kernel, H, self.form.columns)

    def prior_slopes(self, H: Array, weights: Array) -> tuple[Array, Array]:
        """See `LayerKernel`."""
        nothing = np.zeros((len(H), 0))
        by_values = self.matrix.cross_gradient(self.values, H, H[:0], nothing, weights)
        by_places = variance_slopes_by_points(self.kernel, H, weights, self.form.columns)
        return self.free.by_coordinates(by_values, self.values), by_places

    def slopes(
        self, Z: Array, H: Array, covariances: tuple[Array, Array], weights: tuple[Array, Array]
    ) -> SlopesOfCovariances:
        """See `LayerKernel`."""
        of_K, of_own = weights[0], weights[1].copy()
        of_own[np.diag_indices_from(of_own)] *= 1.0 + JITTER
        by_values = self.matrix.cross_gradient(self.values, Z, H, of_K, np.zeros(len(Z)))
        by_values = by_values + self.matrix.gradient(self.values, Z, of_own)
        kernel, columns = self.kernel, self.form.columns
        by_Z, by_H = slopes_by_points(kernel, Z, H, of_K, columns)
        one, other = slopes_by_points(kernel, Z, Z, of_own, columns)
        return SlopesOfCovariances(self.free.by_coordinates(by_values, self.values), by_Z + one + other, by_H)


def beginnings(form: LayerForm | None, X: Array, y: Array) -> list[LayerKernel]:
    """Kernels of a form from which fits to standardised rows (n, D) and observations (n,) begin."""
    columns = X.shape[1]
    lengths = [scale * float(np.sqrt(columns)) for scale in SCALES]
    if form is None:
        return [ARDKernel(0.0, np.full(columns, np.log(length))) for length in lengths]
    free = FreeParameters.of(form.expr, measure(X, y, form.columns))
    matrix, begun = DenseCovariance(form.expr, form.columns), list[LayerKernel]()
    for length in lengths:
        values = [
            length if parameter.role is Role.LENGTH and parameter.name == "lengthscale" else usual
            for parameter, usual in zip(parameters(form.expr), free.usual, strict=True)
        ]
        begun.append(ExpressionKernel(form, free, matrix, free.inside(values)).resized(0.0, X))
    return begun
