"""Random surfaces of a given topology: coordinates that are draws from priors with the right symmetries.

A function that is periodic in an input glues two sides of the square of inputs together, one that does not change when
its inputs are exchanged folds it along the diagonal (Duvenaud 2014, section 2.8). The surfaces may cut themselves.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import i0e

from autostatistician._io.seeds import generator
from autostatistician.errors import InputError
from autostatistician.gp.posterior import draw
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.models.symmetry.elements import swap
from autostatistician.models.symmetry.views import Chain, Inputs, OrbitSum, View, view_covariance

__all__ = ["MANIFOLDS", "manifold"]

Array = NDArray[np.float64]

# Squares of the lengthscales of the cycles, in the published parametrisation (relative to the period).
MANIFOLDS = {"plane": 0.0, "cylinder": 10.0, "torus": 1000.0, "mobius": 50.0, "sphere": 50.0}
MOST_POINTS = 5000


def manifold(kind: str, points: int = 40, *, inputs: int = 2, dimensions: int = 3, random_state: Any = 0) -> Array:
    """A random surface: the images of a grid under smooth functions with the symmetries of its kind.

    Parameters
    ----------
    kind : str
        "plane", "cylinder" (the second input goes round), "torus" (every input goes round), "mobius" (the first input
        goes round along the strip, the second from its edge to its middle, where a full turn has come back half way) or
        "sphere" (the first input goes from pole to pole, the second round).
    points : int
        Along every input.
    inputs : int
        Of the torus, whose dimension it is; 2 for the others.
    dimensions : int
        Of the space around it.
    random_state : int, RandomState or None
        The same surface for the same number.

    Returns
    -------
    array (points, ..., points, dimensions)
        Where an input goes round, the last points are the first again.

    Raises
    ------
    InputError
        When there is no such kind, or the grid is too fine for one matrix.

    Examples
    --------
    >>> ring = manifold("torus", 6)
    >>> ring.shape, bool(np.allclose(ring[0], ring[-1])), bool(np.allclose(ring[:, 0], ring[:, -1]))
    ((6, 6, 3), True, True)
    """
    if kind not in MANIFOLDS:
        raise InputError.of(f"one of {', '.join(MANIFOLDS)}", repr(kind), "choose one of them")
    if inputs < 1 or (kind != "torus" and inputs != 2) or points**inputs > MOST_POINTS:
        found = f"{points} along {inputs} inputs of a {kind}"
        raise InputError.of(f"at most {MOST_POINTS} points, of 2 inputs but for a torus", found, "use fewer points")
    X = _grid(kind, points, inputs)
    names = tuple(f"x{index + 1}" for index in range(inputs))
    if kind == "sphere":  # no group of shifts and mirrors makes one, but an embedding does
        names = ("a", "b", "c")
        kernel = Kernel.product(tuple(leaf("SE", name, lengthscale=sqrt(MANIFOLDS[kind]), sd=1.0) for name in names))
        K = view_covariance(kernel, Inputs(_on_the_ball), X, None, names)
    else:
        view: View = OrbitSum(swap(2)) if kind == "mobius" else Chain()
        K = view_covariance(_kernel(kind, names), view, X, None, names)
    rng = generator(random_state)
    drawn = draw(np.zeros(len(X)), K, rng, count=dimensions, independent=True)
    return drawn.T.reshape(*(points,) * inputs, dimensions)


def _grid(kind: str, points: int, inputs: int) -> Array:
    side = np.linspace(0.0, 1.0, points)
    X = np.stack(np.meshgrid(*[side] * inputs, indexing="ij"), axis=-1).reshape(-1, inputs)
    if kind == "mobius":  # along the diagonal, which is the edge, and away from it
        X[:, 1] = X[:, 0] + 0.5 * X[:, 1]
    return X


def _kernel(kind: str, names: tuple[str, ...]) -> Kernel:
    cycles = {"plane": (), "cylinder": names[1:]}.get(kind, names)
    square = MANIFOLDS[kind]
    return Kernel.product(tuple(_cycle(name, square) if name in cycles else _line(name) for name in names))


def _on_the_ball(X: Array) -> Array:
    """Where rows of the way from pole to pole (0 to 1) and of the turn (0 to 1) lie on a ball of radius one."""
    down, turn = np.pi * X[:, 0], 2.0 * np.pi * X[:, 1]
    return np.column_stack([np.sin(down) * np.cos(turn), np.sin(down) * np.sin(turn), np.cos(down)])


def _line(column: str) -> Kernel:
    return leaf("SE", column, lengthscale=0.8, sd=1.0)


def _cycle(column: str, square: float) -> Kernel:
    """The periodic kernel of MacKay (1998) with period one, ``exp(-2 sin^2(pi lag) / square)``: ours and its mean."""
    mean = float(i0e(1.0 / square))
    return leaf("C", sd=sqrt(mean)) + leaf("Per", column, lengthscale=sqrt(square), period=1.0, sd=sqrt(1.0 - mean))
