"""How the effect of one column changes with another, with its uncertainty."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records.table import END_QUANTILES, Contrast, Interaction, Span
from autostatistician.decompose.table.averaged_chances import DRAWN_BACKGROUND_ROWS
from autostatistician.decompose.table.centred import CentredEffect, has_few, places_of
from autostatistician.decompose.uncertainty import CURVES_DRAWN
from autostatistician.forms import BAND_SDS
from autostatistician.gp.posterior import draw

__all__ = ["interaction", "strongest_pair"]

Array = NDArray[np.float64]

QUANTILES_PER_SIDE = 7  # of each column: variances are over all pairs of them
SLICE_PLACES = 32
LEAST_SHARED = 0.25  # of what lies between low and high in all rows


def interaction(
    centred: CentredEffect, along: str, by: str, rng: np.random.Generator, coded: Collection[str | None] = ()
) -> Interaction:
    """The effect of `along` where `by` is low and where it is high, and how much of both is no sum of two effects.

    Of columns of categories, which are ``coded``, those stand for low and high whose effects differ most. Other columns
    that the effect holds are averaged over.
    """
    columns = (centred.index(along), centred.index(by))
    values = [centred.posterior.X[:, column] for column in columns]
    background = 1 if len(centred.columns) == 2 else DRAWN_BACKGROUND_ROWS
    x = places_of(values[0], SLICE_PLACES, coded=along in coded)
    named = [name in coded and has_few(column) for name, column in zip((along, by), values, strict=True)]
    pairs = [
        [*combinations(np.unique(column).tolist(), 2)] if of_names else [_ends(column)]
        for column, of_names in zip(values, named, strict=True)
    ]
    ends = _most_apart(centred, columns, pairs, background)
    if named[0]:
        shared = ends[0] if {*product(*ends)} <= {*zip(*values, strict=True)} else None
    else:
        shared = _shared_ends(values[0], values[1], ends[1])
    ends[0] = ends[0] if shared is None else shared
    cuts = np.array(ends[1])
    mean, sd = centred.at(centred.points(columns, (x, cuts), background))
    slices = zip(cuts.tolist(), mean.reshape(len(x), -1).T, sd.reshape(len(x), -1).T, strict=True)
    others = _reached(values[0], values[1], ends) if named == [False, True] else []
    corners = centred.joint(centred.points(columns, (np.array(ends[0]), np.array([*cuts, *others])), background))
    at = np.eye(len(cuts) + len(others))
    first, last, *elsewhere = [_weighed(*corners, [*-place, *place]) for place in at]
    share, span = _share(centred, columns, background, rng)
    return Interaction(
        along=along, by=by, along_places=ends[0], by_places=ends[1],
        first=first, last=last, difference=_weighed(*corners, [*(at[0] - at[1]), *(at[1] - at[0])]),
        share=share, share_span=span, few=along in coded or has_few(values[0]), x=x, slices=tuple(slices),
        chances=tuple(filter(None, (centred.chances(columns, (x, cuts[[k]])) for k in range(len(cuts))))),
        corners=centred.chances(columns, (np.array(ends[0]), cuts)), beyond=shared is None,
        elsewhere=tuple(zip(others, elsewhere, strict=True)),
    )  # fmt: skip


def _reached(values: Array, codes: Array, ends: Sequence[Span]) -> list[float]:
    """The categories that do not stand for low and high, and whose rows reach both places of the column (n,).

    Of others, what the column does there would be guessed from what it does elsewhere.

    >>> codes = np.repeat([0.0, 1.0, 2.0, 3.0], 9)
    >>> _reached(np.where(codes == 2.0, 0.5, 0.1) * np.arange(36.0) % 9.0, codes, [(0.5, 0.8), (0.0, 1.0)])
    [2.0]
    """
    rows = [(code, values[codes == code]) for code in np.unique(codes).tolist() if code not in ends[1]]
    return [code for code, seen in rows if seen.min() <= ends[0][0] and seen.max() >= ends[0][1]]


def _most_apart(
    centred: CentredEffect, columns: tuple[int, int], pairs: Sequence[Sequence[Span]], background: int
) -> list[Span]:
    """Of pairs of places of both columns the two between which the effect of one surely changes most with the other."""
    if len(pairs[0]) == len(pairs[1]) == 1:
        return [pairs[0][0], pairs[1][0]]
    axes = [np.unique(some) for some in pairs]
    mean, cov = centred.joint(centred.points(columns, (axes[0], axes[1]), background))
    steps = [
        np.array([1.0 * (axis == high) - (axis == low) for low, high in some])
        for axis, some in zip(axes, pairs, strict=True)
    ]
    shape = (len(axes[0]), len(axes[1]))
    numbers = steps[0] @ mean.reshape(shape) @ steps[1].T
    along = np.einsum("pi,ijkl,pk->pjl", steps[0], cov.reshape(*shape, *shape), steps[0], optimize=True)
    variances = np.einsum("qj,pjl,ql->pq", steps[1], along, steps[1], optimize=True)
    surely = np.abs(numbers) - BAND_SDS * np.sqrt(np.maximum(variances, 0.0))
    first, second = divmod(int(np.argmax(surely)), surely.shape[1])
    return [pairs[0][first], pairs[1][second]]


def strongest_pair(centred: CentredEffect) -> tuple[str, str] | None:
    """The two columns of an effect whose effects change with each other most, the one with more values first.

    None where fewer than two of its columns vary.
    """
    X = centred.posterior.X
    counts = {name: len(np.unique(X[:, centred.index(name)])) for name in centred.columns}
    several = sorted((name for name in centred.columns if counts[name] > 1), key=lambda name: -counts[name])
    if len(several) < 2:
        return None
    pairs = list(combinations(several, 2))
    return pairs[0] if len(pairs) == 1 else max(pairs, key=lambda pair: _pair_variance(centred, pair))


def _pair_variance(centred: CentredEffect, pair: tuple[str, str]) -> float:
    """The variance over quantiles of both columns that is no sum of two effects."""
    columns = (centred.index(pair[0]), centred.index(pair[1]))
    axes = _quantiles(centred, columns)
    mean, _ = centred.at(centred.points(columns, axes, DRAWN_BACKGROUND_ROWS))
    table = mean.reshape(1, len(axes[0]), len(axes[1]))
    return float(_beyond_a_sum(table)[0] * table.var())


def _quantiles(centred: CentredEffect, columns: tuple[int, int]) -> list[Array]:
    ranks = (np.arange(QUANTILES_PER_SIDE) + 0.5) / QUANTILES_PER_SIDE
    return [np.unique(np.quantile(centred.posterior.X[:, column], ranks, method="nearest")) for column in columns]


def _ends(values: Array) -> Span:
    """What stands for low and high: values of the data, the extremes where the quantiles are one."""
    low, high = np.quantile(values, END_QUANTILES, method="nearest").tolist()
    return (low, high) if low < high else (float(values.min()), float(values.max()))


def _shared_ends(values: Array, others: Array, ends: tuple[float, float]) -> Span | None:
    """What stands for low and high of a column where the other is low and where it is high; None if no rows are near.

    >>> x = np.arange(90.0)
    >>> _shared_ends(x % 10.0, x, (9.0, 80.0)), _shared_ends(x, x, (9.0, 80.0))
    ((1.0, 8.0), None)
    """
    few, third = has_few(others), np.quantile(others, [1.0 / 3.0, 2.0 / 3.0])
    near = (others == ends[0], others == ends[1]) if few else (others <= third[0], others >= third[1])
    lows, highs = zip(*(_ends(values[rows]) for rows in near), strict=True)
    low, high = max(lows), min(highs)
    enough = LEAST_SHARED * np.subtract(*_ends(values)[::-1])
    return (low, high) if high > low and high - low >= enough else None


def _weighed(mean: Array, cov: Array, weights: list[float]) -> Contrast:
    w = np.array(weights)
    return Contrast(float(w @ mean), float(np.sqrt(max(w @ cov @ w, 0.0))))


def _share(
    centred: CentredEffect, columns: tuple[int, int], background: int, rng: np.random.Generator
) -> tuple[float, tuple[float, float]]:
    """The share of the variance over quantiles of both columns that is left when the means of each are taken out.

    Its median and the range that holds it with 95 %, from draws.
    """
    axes = _quantiles(centred, columns)
    mean, cov = centred.joint(centred.points(columns, axes, background))
    sample = draw(mean, cov, rng, scale=centred.scale, count=CURVES_DRAWN)
    shape = (-1, len(axes[0]), len(axes[1]))
    low, middle, high = np.quantile(_beyond_a_sum(sample.reshape(shape)), (0.025, 0.5, 0.975)).tolist()
    return middle, (low, high)


def _beyond_a_sum(tables: Array) -> Array:
    """Of each table (k, i, j), the share of its variance that is no sum of rows and columns.

    >>> rows, columns = np.meshgrid([-1.0, 1.0], [-1.0, 1.0])
    >>> _beyond_a_sum(np.array([rows + columns, rows * columns])).round(3).tolist()
    [0.0, 1.0]
    """
    rest = tables - tables.mean(axis=1, keepdims=True) - tables.mean(axis=2, keepdims=True)
    rest += tables.mean(axis=(1, 2), keepdims=True)
    total = tables.var(axis=(1, 2))
    return np.asarray(rest.var(axis=(1, 2)) / np.where(total > 0.0, total, 1.0))
