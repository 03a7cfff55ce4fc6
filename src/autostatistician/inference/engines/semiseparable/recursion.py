"""The evidence of blocks that know each other through R columns, and its derivatives, by one pass there and one back.

Below its diagonal the covariance is ``K_ij = sum_r U_ir V_jr exp(-c_r (t_i - t_j))``; within a block it is given as it
is. ``X`` and ``g`` carry what all blocks before know about the next one: the variance that they explain and the mean,
as coefficients of its columns U. The cost is n (m^2 + m R + R^2), the largest matrices are m x m, m x R and R x R.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, pi

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

__all__ = ["Adjoints", "Blocks", "Pass", "backward", "forward"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Blocks:
    """B blocks of m places, in order; places that only fill the last block have K = 1 on the diagonal and else zeros.

    ``K`` (B, m, m) is the covariance within the blocks, noise included. ``U`` and ``V`` (B, m, R) are the columns, each
    damped from the start of its block and to the start of the next; ``phi`` (B, R) is how much is left of a column from
    the start of a block to that of the next. ``y`` (B, m) are the observations.
    """

    K: Array
    U: Array
    V: Array
    phi: Array
    y: Array


@dataclass(frozen=True, slots=True)
class Pass:
    """What the way there has found: for every block the factor of S, what it took over, and what it passed on."""

    nll: float  # of the observations, with the 2 pi of as many as are counted
    L: Array  # (B, m, m), lower; S = L L' is the covariance of a block given all before it
    a: Array  # (B, m): S^-1 r
    A: Array  # (B, m, R): S^-1 C'
    X: Array  # (B, R, R): the variance of its columns that blocks before explain
    g: Array  # (B, R): their mean


@dataclass(frozen=True, slots=True)
class Adjoints:
    """Derivatives of the negative log evidence by what `Blocks` holds; that by K is symmetric, that by y is K^-1 y."""

    K: Array
    U: Array
    V: Array
    phi: Array
    y: Array


def forward(blocks: Blocks, count: int) -> Pass | None:
    """The negative log evidence of ``count`` observations; None where a block is not positive definite.

    >>> one = Blocks(np.full((2, 1, 1), 2.0), np.ones((2, 1, 1)), np.ones((2, 1, 1)), np.ones((2, 1)), np.ones((2, 1)))
    >>> found = forward(one, 2)
    >>> round(found.nll, 6), round(float(found.L[1, 0, 0] ** 2), 6)  # of [[2, 1], [1, 2]]; 2 - 1 / 2
    (2.720517, 1.5)
    """
    B, m, R = blocks.U.shape
    found = Pass(0.0, np.zeros((B, m, m)), np.empty((B, m)), np.empty((B, m, R)), np.empty((B, R, R)), np.empty((B, R)))
    X, g, twice = np.zeros((R, R)), np.zeros(R), 0.0
    for b in range(B):
        U, phi = blocks.U[b], blocks.phi[b]
        found.X[b], found.g[b] = X, g
        known = U @ X
        L, failed = lapack.dpotrf(blocks.K[b] - known @ U.T, lower=1, clean=1)
        if failed or not np.isfinite(L[-1, -1]):
            return None
        r = blocks.y[b] - U @ g
        C = np.asfortranarray(blocks.V[b] - known * phi)  # (m, R): C'
        half, _ = lapack.dtrtrs(L, np.column_stack([C, r]), lower=1)
        W, z = half[:, :R], half[:, R]
        both, _ = lapack.dtrtrs(L, half, lower=1, trans=1)
        found.L[b], found.A[b], found.a[b] = L, both[:, :R], both[:, R]
        twice += 2.0 * float(np.log(np.diagonal(L)).sum()) + float(z @ z)
        g = phi * g + W.T @ z
        X = phi[:, None] * X * phi + W.T @ W
    return Pass(0.5 * twice + 0.5 * count * log(2.0 * pi), found.L, found.a, found.A, found.X, found.g)


def backward(blocks: Blocks, found: Pass) -> Adjoints:
    """The derivatives, from the last block to the first.

    What a block passes on depends on what it took over through ``T = diag(phi) - C S^-1 U`` alone, which shrinks: the
    way back in its terms is stable, where differences of the single derivatives lose all digits for little noise.
    """
    B, _, R = blocks.U.shape
    by = Adjoints(*(np.empty_like(one) for one in (blocks.K, blocks.U, blocks.V, blocks.phi, blocks.y)))
    by_X, by_g = np.zeros((R, R)), np.zeros(R)  # of what the block passed on
    for b in range(B - 1, -1, -1):
        U, X, g, A, a = blocks.U[b], found.X[b], found.g[b], found.A[b], found.a[b]
        inverse = _inverse(found.L[b])
        T = np.diag(blocks.phi[b]) - A.T @ U
        AX, SU, XT = A @ by_X, inverse @ U, by_X @ T
        t, v, w = A @ by_g, a @ U, by_g @ T
        r = a + t
        by.y[b] = r
        by.K[b] = 0.5 * (inverse - np.outer(r, r) + np.outer(t, t)) - AX @ A.T
        by.V[b] = np.outer(a, by_g) + 2.0 * AX
        by.U[b] = -np.outer(r, g) - (2.0 * (A @ XT) + SU + np.outer(a, w) - np.outer(r, v)) @ X
        by.phi[b] = by_g * (g - X @ v) + 2.0 * np.einsum("ij,ji->i", XT, X)
        by_X = T.T @ XT - 0.5 * (U.T @ SU) + 0.5 * np.outer(v - w, v - w) - 0.5 * np.outer(w, w)
        by_X = 0.5 * (by_X + by_X.T)
        by_g = w - v
    return by


def _inverse(L: Array) -> Array:
    """Of ``L L'``, both triangles."""
    lower, _ = lapack.dpotri(L, lower=1)
    lower = np.tril(lower)
    return np.asarray(lower + np.tril(lower, -1).T)
