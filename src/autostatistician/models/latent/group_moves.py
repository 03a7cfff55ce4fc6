"""Moves of whole groups in the latent space, which Hamiltonian paths make only over many sweeps.

A group far from the others can be turned, mirrored, moved or stretched, and a line can be bent, with next to no change
of the functions. Each proposal is undone by one that is as probable, so the rule of Metropolis and Hastings holds with
the factor by which volumes grow alone.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

__all__ = ["Proposal", "bent", "mirrored", "moved", "proposals", "resized", "turned"]

Array = NDArray[np.float64]
Labels = NDArray[np.intp]
Proposal = Callable[[Array, Labels, np.random.Generator], tuple[Array, float]]

OTHERS = 0.3  # the probability that a further group goes with the one that is moved
SMALLEST, LARGEST = 0.05, 3.0  # widths of steps, drawn evenly by their logarithm
STRETCHED = 0.3  # of that width, where it is the logarithm of a size


def turned(X: Array, labels: Labels, rng: np.random.Generator) -> tuple[Array, float]:
    """Some groups turned about a row, in a plane drawn at random: where all are then, and the log growth of volumes."""
    which, pivot = _groups(labels, rng), X[rng.integers(len(X))]
    u, v = _plane(X.shape[1], rng)
    angle = _width(rng) * rng.standard_normal()
    away = X[which] - pivot
    along, across = away @ u, away @ v
    change = np.outer(along * (np.cos(angle) - 1.0) - across * np.sin(angle), u)
    change += np.outer(along * np.sin(angle) + across * (np.cos(angle) - 1.0), v)
    return _changed(X, which, change), 0.0


def mirrored(X: Array, labels: Labels, rng: np.random.Generator) -> tuple[Array, float]:
    """Some groups mirrored at a plane through a row."""
    which, pivot = _groups(labels, rng), X[rng.integers(len(X))]
    u = _direction(X.shape[1], rng)
    return _changed(X, which, -2.0 * np.outer((X[which] - pivot) @ u, u)), 0.0


def moved(X: Array, labels: Labels, rng: np.random.Generator) -> tuple[Array, float]:
    """Some groups moved."""
    which = _groups(labels, rng)
    step = _width(rng) * rng.standard_normal(X.shape[1])
    return _changed(X, which, np.broadcast_to(step, (which.sum(), X.shape[1]))), 0.0


def resized(X: Array, labels: Labels, rng: np.random.Generator) -> tuple[Array, float]:
    """Some groups stretched along a direction, about a row; one of their own rows does not move."""
    which, pivot = _groups(labels, rng), int(rng.integers(len(X)))
    u, growth = _direction(X.shape[1], rng), STRETCHED * _width(rng) * rng.standard_normal()
    change = np.outer((X[which] - X[pivot]) @ u, np.expm1(growth) * u)
    return _changed(X, which, change), float(which.sum() - which[pivot]) * growth


def bent(X: Array, labels: Labels, rng: np.random.Generator) -> tuple[Array, float]:
    """All rows on one side of a row sheared, along that side: a line is bent there."""
    u, v = _plane(X.shape[1], rng)
    beyond = np.maximum((X - X[rng.integers(len(X))]) @ u, 0.0)
    return X + np.outer(_width(rng) * rng.standard_normal() * beyond, v), 0.0


def proposals(dimensions: int) -> tuple[Proposal, ...]:
    """All of them that a space of so many coordinates has room for.

    >>> len(proposals(1)), len(proposals(2))
    (3, 5)
    """
    return (mirrored, moved, resized, *((turned, bent) if dimensions > 1 else ()))


def _groups(labels: Labels, rng: np.random.Generator) -> NDArray[np.bool_]:
    """The rows (N,) of a group drawn at random, at times with others."""
    count = int(labels.max()) + 1
    chosen = rng.random(count) < OTHERS
    chosen[rng.integers(count)] = True
    return np.asarray(chosen[labels])


def _width(rng: np.random.Generator) -> float:
    return float(np.exp(rng.uniform(np.log(SMALLEST), np.log(LARGEST))))


def _direction(dimensions: int, rng: np.random.Generator) -> Array:
    u = rng.standard_normal(dimensions)
    return np.asarray(u / np.linalg.norm(u))


def _plane(dimensions: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Two directions at right angles."""
    u, v = _direction(dimensions, rng), rng.standard_normal(dimensions)
    v = v - (v @ u) * u
    return u, v / np.linalg.norm(v)


def _changed(X: Array, which: NDArray[np.bool_], change: Array) -> Array:
    place = X.copy()
    place[which] += change
    return place
