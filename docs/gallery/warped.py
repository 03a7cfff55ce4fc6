"""What the figures of chapter 7 share: sets of points with known clusters, draws from the prior, clouds of points."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from autostatistician.models.latent.partition import Groups, NormalWishart
from autostatistician.models.latent.warp import Warp
from look import COLOURS, MUTED, Array

__all__ = ["CLUSTERS", "circles", "cloud", "curves", "pinwheel", "prior_draw", "semicircles", "warped"]

Labels = NDArray[np.intp]

CLUSTERS = (*COLOURS, "#7a7a7a", "#a05195", "#2f9e8f", "#c9a227", "#5b3f8f")


def curves(n: int = 50) -> tuple[Array, Labels]:
    """Two arms of a spiral, n points each, without noise."""
    t = np.linspace(0.0, 1.2 * np.pi, n)
    arm = np.column_stack([t * np.cos(t), t * np.sin(t)])
    return np.concatenate([arm, [-1.0, 1.0] - arm]), np.repeat([0, 1], n)


def semicircles(n: int = 50) -> tuple[Array, Labels]:
    """Three half circles that reach into each other."""
    t = np.linspace(0.0, np.pi, n)
    sign = [(-1.0) ** (i + 1) for i in range(1, 4)]
    arcs = [[i + np.cos(t) + i / 2.0 - 3.0, s * np.sin(t) - 0.1 * s] for i, s in enumerate(sign, start=1)]
    return np.concatenate([np.column_stack(arc) for arc in arcs]), np.repeat([0, 1, 2], n)


def circles(n: int = 50) -> tuple[Array, Labels]:
    """A small circle within a large one."""
    t = np.linspace(0.0, 2.0 * np.pi, n, endpoint=False)
    ring = np.column_stack([np.cos(t), np.sin(t)])
    return np.concatenate([0.25 * ring, 2.25 * ring]), np.repeat([0, 1], n)


def pinwheel(rng: np.random.Generator, n: int = 30, arms: int = 5) -> tuple[Array, Labels]:
    """Arms that are bent the more the farther out they are."""
    labels = np.repeat(np.arange(arms), n)
    along, across = 1.0 + 0.3 * rng.standard_normal(arms * n), 0.05 * rng.standard_normal(arms * n)
    angle = 2.0 * np.pi * labels / arms + 0.25 * np.exp(along)
    turned = [along * np.cos(angle) - across * np.sin(angle), along * np.sin(angle) + across * np.cos(angle)]
    return np.column_stack(turned), labels


def prior_draw(
    rng: np.random.Generator, n: int, prior: NormalWishart, numbers: Sequence[float], concentration: float = 1.0
) -> tuple[Array, Array, Labels]:
    """Latent coordinates (n, 2), what is seen of them (n, 2), and clusters (n,): size, lengthscale, noise as given."""
    X, labels = np.zeros((n, 2)), np.zeros(n, dtype=np.intp)
    for k in range(n):
        weights = np.append(np.bincount(labels[:k]), concentration)
        labels[k] = rng.choice(len(weights), p=weights / weights.sum())
        groups = Groups.of(prior, X[:k], labels[:k], room=1)
        X[k] = groups.draw(labels[k : k + 1], rng)[0]
    return X, warped(X, numbers, rng), labels


def warped(X: Array, numbers: Sequence[float], rng: np.random.Generator) -> Array:
    """What is seen (n, 2) of latent points (n, d) by a warp drawn at size, lengthscale and noise as given."""
    columns = Warp.at(X, np.log(numbers), np.zeros((len(X), 2))).columns
    return np.asarray(np.tril(columns.factor.packed) @ rng.standard_normal(columns.Y.shape))


def cloud(axes: Axes, points: Array, labels: Labels, title: str = "", size: float = 9.0) -> None:
    """Points in the colours of their clusters, without scales."""
    axes.scatter(*points.T, s=size, c=[CLUSTERS[k % len(CLUSTERS)] for k in labels], lw=0)
    axes.margins(0.06)
    axes.set_xticks([])
    axes.set_yticks([])
    for spine in axes.spines.values():
        spine.set_color(MUTED)
        spine.set_linewidth(0.5)
    axes.set_title(title, fontsize=9)
