"""Matrix and derivatives of terms over a table of lags (`Indexed`), some rows at a time.

Where every pair has its own place in a table, matrices cost more in memory traffic than in arithmetic. So the terms
``diag(a) T(v) diag(a)`` of an expression (see `profiles`) are added up tile by tile, and all their derivatives are
taken from a tile of ``A = K^-1 - alpha alpha'`` while it is in the processor's cache. Nothing but the matrix itself
is as large as the matrix.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.engines.geometry import Indexed, Tile, halved_diagonal

__all__ = ["Tiled", "assemble", "derive"]

Vector = NDArray[np.float64]


@dataclass(slots=True)
class Tiled:
    """One term: values per lag with zeros behind them, the profile (n,) or None for 1, and what is summed up."""

    source: Vector
    profile: Vector | None
    sums: Vector  # the derivative by the source
    by_profile: Vector | None

    @classmethod
    def of(cls, geometry: Indexed, values: Vector, profile: Vector | None) -> Tiled:
        """A term whose derivatives are still zero."""
        source = geometry.padded(values)
        return cls(source, profile, np.zeros_like(source), None if profile is None else np.zeros_like(profile))


def assemble(geometry: Indexed, terms: list[Tiled], matrix: Vector) -> None:
    """Write the sum of the terms into the upper triangle of ``matrix`` (n, n); below it stay the zeros it has."""
    for tile in geometry.tiles:
        total, part, _ = _work(geometry, tile)
        if not terms:
            total[...] = 0.0
        for index, term in enumerate(terms):
            place = part if index else total
            np.take(term.source, tile.index, out=place, mode="clip")
            if term.profile is not None:
                place *= term.profile[tile.columns]
                place *= term.profile[tile.rows, None]
            if index:
                total += part
        matrix[tile.rows, tile.columns] = total


def derive(geometry: Indexed, terms: list[Tiled], inverse: Vector, alpha: Vector) -> None:
    """Sum up ``tr(A dK) / 2`` by values per lag and by profiles, ``A = K^-1 - alpha alpha'``.

    ``inverse`` (n, n) holds the upper triangle of K^-1 and ``alpha`` (n,) its product with the targets.
    """
    for tile in geometry.tiles:
        weight, part, product = _work(geometry, tile)
        np.multiply(-alpha[tile.rows, None], alpha[tile.columns], out=weight)
        weight += inverse[tile.rows, tile.columns]
        halved_diagonal(weight)
        for term in terms:
            if term.profile is None or term.by_profile is None:
                _add_sums(term, tile, weight)
                continue
            left, right = term.profile[tile.rows], term.profile[tile.columns]
            np.take(term.source, tile.index, out=part, mode="clip")
            np.multiply(part, weight, out=product)
            term.by_profile[tile.rows] += product @ right
            term.by_profile[tile.columns] += left @ product
            np.multiply(weight, right, out=part)
            part *= left[:, None]
            _add_sums(term, tile, part)


def _add_sums(term: Tiled, tile: Tile, weight: Vector) -> None:
    term.sums += np.bincount(tile.index.reshape(-1), weights=weight.reshape(-1), minlength=len(term.sums))


def _work(geometry: Indexed, tile: Tile) -> tuple[Vector, Vector, Vector]:
    first, second, third = (work[: tile.index.size].reshape(tile.index.shape) for work in geometry.work)
    return first, second, third
