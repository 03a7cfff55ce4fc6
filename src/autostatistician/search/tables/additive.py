"""Sums over the columns of classes by features: which columns act, and what would act beside a model.

A line and a curve in each column are a handful of features, so a sum over all columns is fitted in the time of a few
least squares, however many rows there are. Backward elimination from all columns gives sums from which a search
begins, and a score test of features beside the function of a model gives the terms that it lacks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from autostatistician.gp import Problem
from autostatistician.gp.likelihoods import Bernoulli

__all__ = ["FeatureBlock", "Objection", "BlockSum", "blocks_of", "eliminated", "objections"]

Array = NDArray[np.float64]

FEATURES, CENTRES = 6, 20  # of a curve at most
LEAST_FEATURE = 1e-3  # of the size of a curve
MOST_ROWS = 5000  # that are looked at
LEVEL_SD, USUAL_VARIANCE = 2.0, 0.3  # of the level, and of all columns together at first
POOLED = 2.0  # features of the usual size that each block has beside its own
STEPS, ROUNDS, ENOUGH = 20, 30, 0.03
FARTHEST = 4.0  # that a step of Newton's method moves the function
SIZES = (0.02, 0.1, 0.5, 2.0)  # variances of what may be added


@dataclass(frozen=True, eq=False)
class FeatureBlock:
    """Features (n, m) of a column whose covariance is that of a line (one), a curve or categories of size one."""

    column: str
    is_line: bool
    features: Array


@dataclass(frozen=True, eq=False)
class BlockSum:
    """Blocks with the variance of each."""

    blocks: tuple[FeatureBlock, ...]
    variances: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Objection:
    """A term that a model lacks, of one column or two, its best variance, and what the log evidence gains by it."""

    columns: tuple[str, ...]
    is_line: bool
    variance: float
    gain: float
    ratio: float  # of likelihoods, as a deviance, by the line alone


def blocks_of(problem: Problem, categories: Collection[str]) -> dict[str, tuple[FeatureBlock, ...]]:
    """The blocks of every column that varies: a line and a curve, or categories."""
    made: dict[str, tuple[FeatureBlock, ...]] = {}
    for name, x in zip(problem.columns, problem.X.T, strict=True):
        if np.ptp(x) > 0.0:
            made[name] = (
                (FeatureBlock(name, False, _groups(x)),) if name in categories else tuple(_line_and_curve(name, x))
            )
    return made


def _groups(x: Array) -> Array:
    groups = (x[:, None] == np.unique(x)).astype(np.float64)
    return np.asarray(groups - groups.mean(axis=0))


def _line_and_curve(name: str, x: Array) -> Iterator[FeatureBlock]:
    """The curve is a squared exponential as long as the column's standard deviation, without its line."""
    z = (x - x.mean()) / x.std()
    yield FeatureBlock(name, True, z[:, None])
    values = np.unique(z)
    if len(values) > 2:
        centres = values if len(values) <= CENTRES else np.unique(np.quantile(z, np.linspace(0.0, 1.0, CENTRES)))
        sizes, axes = np.linalg.eigh(_squared_exponential(centres, centres) + 1e-8 * np.eye(len(centres)))
        features = _squared_exponential(z, centres) @ (axes / np.sqrt(sizes))
        line = np.column_stack([np.ones(len(z)), z])
        rest = features - line @ np.linalg.lstsq(line, features, rcond=None)[0]
        left, singular, _ = np.linalg.svd(rest, full_matrices=False)
        kept = singular[:FEATURES] > LEAST_FEATURE * np.sqrt(len(z))
        yield FeatureBlock(name, False, left[:, :FEATURES][:, kept] * singular[:FEATURES][kept])


def _squared_exponential(x: Array, centres: Array) -> Array:
    return np.asarray(np.exp(-0.5 * np.subtract.outer(x, centres) ** 2))


# --- Backward elimination ------------------------------------------------------------------------------------------


def eliminated(problem: Problem, blocks: Mapping[str, Sequence[FeatureBlock]], odds: Sequence[float]) -> list[BlockSum]:
    """What is left of all blocks when those go, one after another, that lack some log odds of being there."""
    rows = _some(problem.n)
    y, likelihood, found = problem.y[rows], _latent(problem), list[BlockSum]()
    left = [FeatureBlock(one.column, one.is_line, one.features[rows]) for pair in blocks.values() for one in pair]
    for least in sorted(odds):
        while left:
            fitted = _ModeFit.to(left, y, likelihood)
            spare = [place for place, log_odds in enumerate(fitted.log_odds) if log_odds < least]
            if not spare:
                found.append(BlockSum(tuple(left), tuple(fitted.variances[1:])))
                break
            worst = sorted(spare, key=fitted.log_odds.__getitem__)[: 1 + len(spare) // 4]
            left = [one for place, one in enumerate(left) if place not in worst]
    return list({tuple(map(id, one.blocks)): one for one in found}.values())


def _some(n: int) -> NDArray[np.intp]:
    return np.arange(n) if n <= MOST_ROWS else np.sort(np.random.default_rng(0).choice(n, MOST_ROWS, replace=False))


def _latent(problem: Problem) -> Bernoulli:
    assert isinstance(problem.likelihood, Bernoulli)
    return problem.likelihood


@dataclass(frozen=True, eq=False)
class _ModeFit:
    """Weights of the features of a level and some blocks about their mode, with the variance of each block."""

    variances: Array  # of the level and of each block
    log_odds: list[float]  # of each block, to be there

    @classmethod
    def to(cls, blocks: Sequence[FeatureBlock], y: Array, likelihood: Bernoulli) -> _ModeFit:
        """By evidence, variances by MacKay's rule; they share what is usual of lines, and of curves."""
        sizes = [1, *(one.features.shape[1] for one in blocks)]
        owner = np.repeat(np.arange(len(sizes)), sizes)
        features = np.hstack([np.ones((len(y), 1)), *(one.features for one in blocks)])
        kinds = np.array([0, *(2 - one.is_line for one in blocks)])
        variances = np.where(kinds == 0, LEVEL_SD**2, USUAL_VARIANCE / max(len(blocks), 1))
        weights = np.zeros(len(owner))
        for _ in range(ROUNDS):
            weights, covariance = _mode(features, y, likelihood, weights, 1.0 / variances[owner])
            known = np.bincount(owner, 1.0 - covariance.diagonal() / variances[owner])
            squares, before = np.bincount(owner, weights**2), variances
            variances = before.copy()
            for kind in (1, 2):
                alike = kinds == kind
                usual = squares[alike].sum() / max(float(known[alike].sum()), 1e-3)
                variances[alike] = (squares[alike] + POOLED * usual) / (known[alike] + POOLED)
            variances = np.maximum(variances, 1e-8)
            if np.abs(np.log(variances / before)).max() < ENOUGH:
                break
        places = [np.flatnonzero(owner == block) for block in range(1, len(sizes))]
        each = zip(places, before[1:], strict=True)
        return cls(before, [_log_odds(weights[at], covariance[np.ix_(at, at)], size) for at, size in each])


def _mode(features: Array, y: Array, likelihood: Bernoulli, weights: Array, precision: Array) -> tuple[Array, Array]:
    """The mode of the weights (p,) from some on, and their covariance (p, p) there."""
    for _ in range(STEPS):
        first, second, _ = likelihood.derivatives(y, features @ weights)
        curvature = (features.T * np.maximum(-second, 1e-9)) @ features
        curvature[np.diag_indices_from(curvature)] += precision
        factor = cho_factor(curvature)
        step = cho_solve(factor, features.T @ first - precision * weights)
        moved = float(np.abs(features @ step).max())
        weights = weights + step * min(1.0, FARTHEST / max(moved, 1e-12))
        if moved < ENOUGH:
            break
    return weights, cho_solve(factor, np.eye(len(weights)))


def _log_odds(weights: Array, covariance: Array, variance: float) -> float:
    """Of a block to be there: prior over posterior density of no weights at all (Dickey 1971)."""
    _, logdet = np.linalg.slogdet(covariance / variance)
    return 0.5 * float(weights @ np.linalg.solve(covariance, weights) + logdet)


# --- What a model lacks --------------------------------------------------------------------------------------------


def objections(
    problem: Problem,
    blocks: Mapping[str, Sequence[FeatureBlock]],
    used: Collection[str],
    function: Array,
    paired: int = 0,
) -> list[Objection]:
    """Terms beside a model of the columns ``used`` with a function (n,): of one column each, and of two, best first.

    Pairs are of the columns used and of so many others that are objected to the most.
    """
    first, second, _ = _latent(problem).derivatives(problem.y, function)
    root = np.sqrt(np.maximum(-second, 1e-9))
    beside = [np.ones((problem.n, 1)), *(one.features for name in used if name in blocks for one in blocks[name])]
    axes, triangle = np.linalg.qr(np.hstack(beside) * root[:, None])
    axes = axes[:, np.abs(triangle.diagonal()) > 1e-6 * np.abs(triangle).max()]

    def told(features: Array) -> tuple[Array, Array]:
        scaled = features * root[:, None]
        scaled = scaled - axes @ (axes.T @ scaled)
        curvatures, turned = np.linalg.eigh(scaled.T @ scaled)
        return turned.T @ (scaled.T @ (first / root)), np.maximum(curvatures, 0.0)

    singles = [
        _objection((name,), is_line, told(np.hstack([one.features for one in pair if one.is_line or not is_line])))
        for name, pair in blocks.items()
        for is_line in ((True, False) if len(pair) > 1 else (pair[0].is_line,))
    ]
    singles.sort(key=lambda one: -one.gain)
    free = dict.fromkeys(name for one in singles for name in one.columns if name not in used)
    several = [name for name in blocks if name in used] + list(free)[:paired]
    pairs = [
        _objection(pair, False, told(_products(*(_few(blocks[name]) for name in pair))))
        for pair in combinations(several if paired else (), 2)
    ]
    return sorted([*singles, *pairs], key=lambda one: -one.gain)


def _few(pair: Sequence[FeatureBlock]) -> Array:
    return np.hstack([one.features for one in pair])[:, :3]


def _products(left: Array, right: Array) -> Array:
    return np.asarray((left[:, :, None] * right[:, None, :]).reshape(len(left), -1))


def _objection(columns: tuple[str, ...], is_line: bool, told: tuple[Array, Array]) -> Objection:
    slopes, curvatures = told
    gains = [
        0.5 * float(np.sum(size * slopes**2 / (1.0 + size * curvatures) - np.log1p(size * curvatures)))
        for size in SIZES
    ]
    best = int(np.argmax(gains))
    seen = curvatures > 1e-9 * max(float(curvatures.max(initial=0.0)), 1e-12)
    ratio = float(np.sum(slopes[seen] ** 2 / curvatures[seen])) if is_line and seen.any() else 0.0
    return Objection(columns, is_line, SIZES[best], gains[best], ratio)
