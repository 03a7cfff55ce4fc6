"""Fewer points for the same picture: thinning of long layers, and paths without the vertices that nobody can see."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from autostatistician.describe.document.document import Band, Figure, Line, Marker, Panel, Points
from autostatistician.i18n.messages import say
from autostatistician.i18n.numbers import fixed

__all__ = ["MOST_POINTS", "drawing_note", "envelope", "simplified", "swept", "thinned", "turns"]

MOST_POINTS = 2000

Layer = Points | Line | Band | Marker


def envelope(y: NDArray[np.float64], most: int = MOST_POINTS) -> NDArray[np.intp]:
    """Indices of the first, lowest, highest and last value of each of ``most / 4`` runs of consecutive values.

    Neither the outline nor an outlier is lost (Jugel et al. 2014, "M4").

    >>> envelope(np.array([0.0, 5.0, -1.0, 2.0, 3.0, 0.0]), most=4).tolist()
    [0, 1, 2, 5]
    """
    if len(y) <= most:
        return np.arange(len(y))
    edges = np.linspace(0, len(y), most // 4 + 1).astype(np.intp)
    low, high = np.where(np.isfinite(y), y, np.inf), np.where(np.isfinite(y), y, -np.inf)
    picked = [
        (start, start + int(np.argmin(low[start:stop])), start + int(np.argmax(high[start:stop])), stop - 1)
        for start, stop in pairwise(edges.tolist())
    ]
    return np.unique(np.array(picked, dtype=np.intp))


def swept(
    x: NDArray[np.float64], lower: NDArray[np.float64], upper: NDArray[np.float64], steps: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Position, lowest and highest value of a curve, or of a band, in each of ``steps`` stretches of equal width.

    >>> x = np.arange(6.0)
    >>> [part.tolist() for part in swept(x, x % 2, x % 2 + 1.0, 2)]
    [[0.0, 1.0, 4.0, 5.0], [0.0, 0.0, 0.0, 0.0], [2.0, 2.0, 2.0, 2.0]]
    """
    finite = np.isfinite(x) & np.isfinite(lower) & np.isfinite(upper)
    x, lower, upper = x[finite], lower[finite], upper[finite]
    edges = np.searchsorted(x, np.linspace(x[0], x[-1], steps + 1)[1:-1], side="right")
    starts = np.unique([0, *edges[edges < len(x)]])
    stops = np.minimum([*starts[1:], len(x)], len(x))
    middles = [float(0.5 * (x[a] + x[b - 1])) for a, b in zip(starts, stops, strict=True)]
    low, high = np.minimum.reduceat(lower, starts), np.maximum.reduceat(upper, starts)
    return np.array([x[0], *middles, x[-1]]), np.pad(low, 1, mode="edge"), np.pad(high, 1, mode="edge")


def heights(layer: Layer) -> list[NDArray[np.float64]]:
    """What a layer shows along the vertical axis: one curve, the two ends of a band, of a marker nothing."""
    if isinstance(layer, Marker):
        return []
    return [layer.lower, layer.upper] if isinstance(layer, Band) else [layer.y]


def turns(y: NDArray[np.float64]) -> int:
    """How often a curve goes from rising to falling or back.

    >>> turns(np.array([0.0, 1.0, 0.0, 2.0, 3.0]))
    2
    """
    moves = np.sign(np.diff(y))
    return int(np.sum(moves[1:] * moves[:-1] < 0))


def _scatter(y: NDArray[np.float64]) -> NDArray[np.intp]:
    """Indices of evenly spaced values, which keep the density, with the extremes of every stretch."""
    if len(y) <= MOST_POINTS:
        return np.arange(len(y))
    evenly = np.linspace(0, len(y) - 1, MOST_POINTS * 3 // 4).astype(np.intp)
    return np.union1d(evenly, envelope(y, MOST_POINTS // 4))


def _thinned_layer(layer: Layer) -> Layer:
    match layer:
        case Points(x, y):
            order = np.argsort(x, kind="stable")
            keep = order[_scatter(y[order])]
            return replace(layer, x=x[keep], y=y[keep])
        case Line(x, y):
            keep = envelope(y)
            return replace(layer, x=x[keep], y=y[keep])
        case Band(x, lower, upper):
            keep = np.union1d(envelope(lower, MOST_POINTS // 2), envelope(upper, MOST_POINTS // 2))
            return replace(layer, x=x[keep], lower=lower[keep], upper=upper[keep])
        case Marker():
            return layer


def thinned(panel: Panel) -> Panel:
    """The panel with no layer of more than ``MOST_POINTS`` points."""
    return replace(panel, layers=tuple(_thinned_layer(layer) for layer in panel.layers))


def drawing_note(figure: Figure) -> str:
    """What the caption has to say about how observations and lines are drawn ("" where all are, as they are)."""
    layers = [layer for panel in figure.panels for layer in panel.layers]
    most = max((len(layer.y) for layer in layers if isinstance(layer, Points)), default=0)
    notes = []
    if most > MOST_POINTS:
        notes.append(
            say(
                "Of {all} observations at most {drawn} are drawn: evenly spaced ones, and the lowest and the highest "
                "of every stretch.",
                all=fixed(most, 0),
                drawn=fixed(MOST_POINTS, 0),
            )
        )
    pixels = 720 if len(figure.panels) == 1 else 330  # about as wide are axes on a wide page
    if any(turns(layer.y) > pixels for layer in layers if isinstance(layer, Line)):
        notes.append(say("Where the line swings too fast to be drawn, it is the area that it fills."))
    return " ".join(notes)


def simplified(points: NDArray[np.float64], tolerance: float) -> NDArray[np.float64]:
    """Leave out vertices of a path (n, 2) that lie within ``tolerance`` of the rest (Douglas and Peucker 1973).

    >>> simplified(np.array([[0.0, 0.0], [1.0, 0.01], [2.0, 0.0], [3.0, 4.0]]), 0.1).tolist()
    [[0.0, 0.0], [2.0, 0.0], [3.0, 4.0]]
    """
    keep = np.zeros(len(points), dtype=bool)
    keep[[0, -1]] = True
    stack = [(0, len(points) - 1)]
    while stack:
        first, last = stack.pop()
        if last - first < 2:
            continue
        distance = _distances(points[first : last + 1])
        worst = first + int(np.argmax(distance))
        if distance[worst - first] > tolerance:
            keep[worst] = True
            stack += [(first, worst), (worst, last)]
    return points[keep]


def _distances(run: NDArray[np.float64]) -> NDArray[np.float64]:
    """Distance of each vertex from the segment between the first and the last."""
    along, away = run[-1] - run[0], run - run[0]
    square = float(along @ along)
    share = np.clip(away @ along / square, 0.0, 1.0) if square else np.zeros(len(run))
    return np.asarray(np.hypot(*(away - share[:, None] * along).T))
