"""Views of a latent Gaussian process: what a function looks like through maps of its inputs.

With ``g`` drawn from a kernel k0, the function ``f(x) = sum_i c_i(x) g(m_i(x))`` has the covariance
``k(x, x') = sum_ij c_i(x) k0(m_i(x), m_j(x')) c_j(x')``. Sums over the orbit of a group, projections onto a part of
the space, multiplication by a known function and changes of the inputs are all of this kind (Duvenaud 2014, sections
2.5.1 and 2.7; Ginsbourger et al. 2012). The product over the orbit is the one that is not; see `OrbitProduct`.

A view is any function of rows ``X`` (n, d) that returns what it `Viewed`; the classes here are such functions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.errors import InputError
from autostatistician.gp.covariance import ColumnNames, covariance, signal_and_noise
from autostatistician.kernels.expr import Leaf, Product
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.leaves import LEAVES
from autostatistician.models.symmetry.elements import Group

__all__ = [
    "Chain", "Inputs", "Multiplier", "OrbitProduct", "OrbitSum", "Projection", "Viewed", "View",
    "folded", "seen_covariance", "seen_terms", "spread", "view_covariance",
]  # fmt: skip

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Viewed:
    """Where a view looks from n rows: at g points each, with weights."""

    points: Array  # (g, n, d')
    weights: Array  # (g, n)
    multiplies: bool = False  # geometric means of the pairs of points instead of sums

    @property
    def stacked(self) -> Array:
        """All points below each other (g n, d'): those of the first map, those of the second, and so on."""
        return self.points.reshape(-1, self.points.shape[2])


View = Callable[[Array], Viewed]


@dataclass(frozen=True, eq=False)
class OrbitSum:
    """``f(x) = sum_i s_i g(g_i x) / sqrt(G)`` over the G elements of a group with their signs.

    Divided so that far from fixed points of the group, where the terms are independent, the variance is that of ``g``;
    where an element leaves x as it is, it is larger (the published sum has G times these covariances).
    """

    group: Group

    def __call__(self, X: Array) -> Viewed:
        """The orbit of every row."""
        weights = self.group.signs / np.sqrt(len(self.group))
        return Viewed(self.group.orbit(_matching(X, self.group)), np.repeat(weights[:, None], len(X), axis=1))


@dataclass(frozen=True, eq=False)
class Projection:
    """``f(x) = s(x) g(p(x))``, where p(x) is the one point of the orbit of x that comes first in alphabetical order.

    The first column decides, then the second, and so on: the exchange of two columns gives (min, max). The function has
    a seam where the choice changes. With signs, f is zero where an element that turns f over leaves x as it is.
    """

    group: Group

    def __call__(self, X: Array) -> Viewed:
        """The first point of the orbit of every row."""
        orbit = self.group.orbit(_matching(X, self.group))
        first = _is_first(orbit)
        chosen = np.take_along_axis(orbit, first.argmax(axis=0)[None, :, None], axis=0)
        signs = self.group.signs[:, None] * first
        return Viewed(chosen, (signs.sum(axis=0) / first.sum(axis=0))[None])


@dataclass(frozen=True, eq=False)
class OrbitProduct:
    """The geometric mean of ``k0(g x, g' x')`` over all pairs of elements of a group.

    A kernel for every k0 that is positive and stays a kernel when raised to any power above zero: products of SE, RQ,
    Matern12, Matern32, Deep, C and Cat, and sums of such terms, each multiplied by itself; others are refused. (The
    published product is a power of it.) The variance falls with the distance from points that the group leaves as they
    are.
    """

    group: Group

    def __call__(self, X: Array) -> Viewed:
        """The orbit of every row."""
        if self.group.odd:
            raise InputError.of("a group without signs for a product", "one with signs", "use the sum over the orbit")
        return Viewed(self.group.orbit(_matching(X, self.group)), np.ones((len(self.group), len(X))), multiplies=True)


@dataclass(frozen=True, eq=False)
class Multiplier:
    """``f(x) = a(x) g(x)`` for a known function a from rows (n, d) to numbers (n,)."""

    a: Callable[[Array], Array]

    def __call__(self, X: Array) -> Viewed:
        """The rows themselves, weighted."""
        values = np.asarray(self.a(X.copy()), dtype=np.float64)
        if values.shape != (len(X),) or not np.isfinite(values).all():
            found = f"an array of shape {values.shape}" if values.shape != (len(X),) else "some that are not finite"
            raise InputError.of(f"a multiplier that returns {len(X)} numbers for as many rows", found, "correct it")
        return Viewed(X[None], values[None])


@dataclass(frozen=True, eq=False)
class Inputs:
    """``f(x) = g(change(x))`` for a known function from rows (n, d) to rows (n, d')."""

    change: Callable[[Array], Array]

    def __call__(self, X: Array) -> Viewed:
        """The changed rows."""
        changed = np.asarray(self.change(X.copy()), dtype=np.float64)
        if changed.ndim != 2 or len(changed) != len(X) or not np.isfinite(changed).all():
            expected = f"a change of inputs that returns {len(X)} rows of finite numbers for as many rows"
            raise InputError.of(expected, f"an array of shape {changed.shape}", "correct it")
        return Viewed(changed[None], np.ones((1, len(X))))


@dataclass(frozen=True, eq=False)
class Chain:
    """Views one after the other: the first looks at what the second shows, and so on to the latent function.

    ``Chain(Multiplier(a), OrbitSum(group))`` is a known function times a symmetric one.
    """

    views: tuple[View, ...]

    def __init__(self, *views: View) -> None:
        object.__setattr__(self, "views", views)

    def __call__(self, X: Array) -> Viewed:
        """The points of the last view with the weights of all."""
        viewed = Viewed(X[None], np.ones((1, len(X))))
        for view in self.views:
            viewed = _after(viewed, view(viewed.stacked))
        return viewed


def _after(outer: Viewed, inner: Viewed) -> Viewed:
    """What is seen through an inner view from the points of an outer one."""
    if (outer.multiplies or inner.multiplies) and len(outer.points) > 1 < len(inner.points):
        raise InputError.of("a product over an orbit as the only group", "another group as well", "multiply the groups")
    count, n = outer.weights.shape
    points = inner.points.reshape(len(inner.points) * count, n, inner.points.shape[2])
    weights = inner.weights.reshape(len(inner.points), count, n) * outer.weights
    return Viewed(points, weights.reshape(len(points), n), outer.multiplies or inner.multiplies)


def folded(K: Array, left: Viewed, right: Viewed) -> Array:
    """The covariance (n, m) of the view from the latent covariance (g n, h m) of all points."""
    blocks = K.reshape(*left.weights.shape, *right.weights.shape)
    if not left.multiplies:
        return np.asarray(np.einsum("in,injm,jm->nm", left.weights, blocks, right.weights, optimize=True))
    with np.errstate(divide="ignore"):  # the logarithm of what has vanished
        mean = np.log(blocks).mean(axis=(0, 2))
    return np.asarray(left.weights[0][:, None] * np.exp(mean) * right.weights[0])


def spread(by_view: Array, K: Array, viewed: Viewed) -> Array:
    """The adjoint of `folded`: from derivatives (n, n) by its result to those (g n, g n) by the latent covariance."""
    weights = viewed.weights
    if not viewed.multiplies:
        by_points = np.einsum("in,nm,jm->injm", weights, by_view, weights)
        return np.asarray(by_points.reshape(K.shape))
    blocks = K.reshape(*weights.shape, *weights.shape)
    share = by_view * folded(K, viewed, viewed) / len(weights) ** 2
    by_points = np.divide(share[None, :, None, :], blocks, out=np.zeros_like(blocks), where=blocks > 0.0)
    return np.asarray(by_points.reshape(K.shape))


def view_covariance(
    kernel: Kernel, view: View, X: Array, X2: Array | None = None, columns: ColumnNames = ("x",)
) -> Array:
    """The matrix of covariances of a view of a kernel, between the rows of ``X`` and those of ``X2``.

    White noise is not looked at through the view: without ``X2`` the noise of each row is added to the diagonal, with
    ``X2`` there is none, as in `covariance`.

    Parameters
    ----------
    kernel : Kernel
        The latent kernel, with parameters, on the columns that the view shows.
    view : View
        `OrbitSum`, `Projection`, `OrbitProduct`, `Multiplier`, `Inputs`, a `Chain` of them, or a function to `Viewed`.
    X, X2 : array (n, d) and (m, d)
        Inputs; (n,) is taken as one column.
    columns : tuple of str or None
        Which column of the latent inputs a leaf means.

    Returns
    -------
    array (n, n) or (n, m)

    Examples
    --------
    >>> from autostatistician.kernels.text import parse_kernel
    >>> from autostatistician.models.symmetry.elements import reflection
    >>> even = OrbitSum(reflection(1))
    >>> x = np.array([[0.0], [1.0], [-1.0]])
    >>> view_covariance(parse_kernel("SE(lengthscale=1, sd=1)"), even, x, x).round(3).tolist()
    [[2.0, 1.213, 1.213], [1.213, 1.135, 1.135], [1.213, 1.135, 1.135]]
    """
    X = X[:, None] if X.ndim == 1 else X
    signal, noise = signal_and_noise(kernel)
    left = view(X)
    right = left if X2 is None else view(X2[:, None] if X2.ndim == 1 else X2)
    covariances = np.zeros((len(X), right.weights.shape[1]))
    if signal is not None:
        covariances += seen_covariance(signal, left, right, columns)
    if noise is not None and X2 is None:
        covariances += covariance(noise, X, None, columns)
    return covariances


def seen_covariance(signal: Kernel, left: Viewed, right: Viewed, columns: ColumnNames = ("x",)) -> Array:
    """The covariance (n, m) of a view of a kernel without noise, from what is seen."""
    return np.asarray(sum(_looked_at(term, left, right, columns) for term in seen_terms(signal, left)))


def _looked_at(signal: Kernel, left: Viewed, right: Viewed, columns: ColumnNames) -> Array:
    """The same as `folded` of the latent covariance, which is made one image of the rows at a time."""
    count, other, n, m = len(left.points), len(right.points), left.weights.shape[1], right.weights.shape[1]
    total = np.zeros((n, m))
    for points, weights in zip(left.points, left.weights, strict=True):
        blocks = covariance(signal, points, right.stacked, columns).reshape(n, other, m)
        if left.multiplies:
            with np.errstate(divide="ignore"):  # the logarithm of what has vanished
                total += np.log(blocks).sum(axis=1) / (count * other)
        else:
            blocks *= right.weights
            total += weights[:, None] * blocks.sum(axis=1)
    return left.weights[0][:, None] * np.exp(total) * right.weights[0] if left.multiplies else total


def seen_terms(signal: Kernel, viewed: Viewed) -> tuple[Kernel, ...]:
    """The parts of a kernel that are looked at by themselves: the terms of a sum, where pairs are multiplied.

    Raises
    ------
    InputError
        When pairs are multiplied, and a term is none of which all powers above zero are kernels.
    """
    if not viewed.multiplies:
        return (signal,)
    terms = signal.terms
    for term in terms:
        factors = term.expr.factors if isinstance(term.expr, Product) else (term.expr,)
        if not all(isinstance(factor, Leaf) and LEAVES[factor.symbol].divisible for factor in factors):
            divisible = ", ".join(symbol for symbol, row in LEAVES.items() if row.divisible)
            expected = f"products of {divisible} for the product over an orbit"
            raise InputError.of(expected, f"the term {term}", "use the sum over the orbit, or another kernel")
    return terms


def _matching(X: Array, group: Group) -> Array:
    if X.shape[1] != group.columns:
        expected = f"rows of {group.columns} columns, as the group has"
        raise InputError.of(expected, f"{X.shape[1]}", "make a group for all columns of the table")
    return X


def _is_first(orbit: Array) -> NDArray[np.bool_]:
    """Which points of the orbits (g, n, d) are the first of theirs (g, n), up to rounding."""
    size = np.abs(orbit).max(axis=(0, 2), initial=1e-300)
    # Rounded on a scale that is the same for all points of an orbit, so that each of them chooses the same first one.
    rounded = np.rint(orbit / 2.0 ** np.ceil(np.log2(size))[None, :, None] * 1e9)
    first = np.ones(orbit.shape[:2], dtype=bool)
    for column in range(orbit.shape[2]):
        values = np.where(first, rounded[:, :, column], np.inf)
        first &= values == values.min(axis=0)
    return first
