"""What the columns of a table do: effects of single columns and of several together, with their uncertainty.

The parts of a model are gathered by the columns that they hold. An effect is measured as the difference from its own
mean over the data, because the level of an additive part says nothing by itself; its uncertainty is that of the
difference (Duvenaud 2014, section 2.4.5, for the posterior of a part). An effect of several columns is shown along
one or two of them as its mean over the data in the others (the partial dependence of Friedman 2001).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import comb

import numpy as np
from numpy.typing import NDArray

from autostatistician._io.rows import evenly_spaced
from autostatistician.decompose.records.classes import Chances
from autostatistician.decompose.records.table import Along, Contrast, CurveShape, EffectGrid, Interaction, TableEffect
from autostatistician.decompose.table.averaged_chances import BACKGROUND_ROWS, AveragedChances
from autostatistician.decompose.table.centred import CentredEffect, has_few, only_column, places_of, well_seen
from autostatistician.decompose.table.interactions import interaction, strongest_pair
from autostatistician.decompose.table.least_squares import AlikeRows
from autostatistician.decompose.table.plain_regressions import MOST_ROWS, products_p
from autostatistician.decompose.table.segmented_regression import hinge_of_curve
from autostatistician.decompose.turning_points import DETAIL_SHARE, contrast, is_sure, turning_points
from autostatistician.decompose.uncertainty import CURVES_DRAWN, ConditionedModel, ParameterDraws
from autostatistician.forms import BAND_SDS, CourseKind, TurnAt
from autostatistician.gp.likelihoods import Bernoulli
from autostatistician.gp.posterior import Posterior, draw
from autostatistician.kernels.expr import Expr, Leaf, Product
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.leaf_row import LeafKind
from autostatistician.kernels.leaves import is_leaf_of, nodes_of
from autostatistician.kernels.traits import columns_of, is_noise

__all__ = ["effect_at", "effects"]


Array = NDArray[np.float64]

STRAIGHT_SHARE = 0.05  # of the size of a curve: no eye sees that a line is nowhere further off

PLACED_SHARE = 0.5  # of the range of the column: a turn counts only where its place is known better than this


CURVE_POINTS = 100  # of an effect of one column

AVERAGED_CURVE_POINTS = 40  # of an effect that is averaged over other columns

POINTS_PER_CYCLE = 16

MOST_CURVE_POINTS = 600

SURFACE_SIDE_POINTS = 26

AVERAGED_SURFACE_SIDE_POINTS = 16  # as many as rows of the data that each of them is averaged over


MOST_DRAWN_ROWS = 400  # rows of the data at which an effect is drawn


def effects(
    uncertainty: ParameterDraws,
    rng: np.random.Generator,
    believed: AveragedChances | None = None,
    levels: Mapping[str, tuple[str, ...]] | None = None,
    wider: Mapping[str, float] | None = None,
    alike: AlikeRows | None = None,
) -> tuple[TableEffect, ...]:
    """The effects of the columns under a conditioned model, the largest first.

    Every effect has as its columns those of some parts of the model; parts without any (constants) have no effect.
    Chances of classes are those by all models that are ``believed``, or by draws of the parameters of this one. Where
    rows are ``alike``, what is left open about a column is ``wider`` by a factor.
    """
    posterior = uncertainty.fit.posterior
    if believed is None and isinstance(posterior.problem.likelihood, Bernoulli):
        believed = AveragedChances.of_draws(uncertainty)
    residuals = posterior.left
    groups = {columns: indices for columns, indices in _groups(uncertainty.fit).items() if columns}
    widths, every = wider or {}, []
    for (columns, indices), stream in zip(groups.items(), rng.spawn(len(groups)), strict=True):
        width = max(widths.get(name, 1.0) for name in columns)
        known = (residuals, stream, believed, levels or {}, width, alike)
        every.append(_effect(_Group(uncertainty, columns, tuple(indices), *known)))
    return tuple(sorted(every, key=lambda effect: (-effect.share, effect.columns)))


def effect_at(uncertainty: ParameterDraws, effect: TableEffect, points: Array) -> tuple[Array, Array]:
    """Mean and standard deviation (m,) of an effect at points (m, d)."""
    indices = _groups(uncertainty.fit)[_columns(effect.kernels[0], uncertainty.fit.posterior)]
    return _centred(uncertainty, indices, wider=effect.wider).at(points)


def _centred(
    uncertainty: ParameterDraws, indices: Sequence[int], believed: AveragedChances | None = None, wider: float = 1.0
) -> CentredEffect:
    """The posterior of the sum of some parts."""
    others = [_of_member(member, indices) for member in uncertainty.others]
    return _of_member(uncertainty.fit, indices, others, believed, wider)


def _of_member(
    member: ConditionedModel,
    indices: Sequence[int],
    others: Sequence[CentredEffect] = (),
    believed: AveragedChances | None = None,
    wider: float = 1.0,
) -> CentredEffect:
    parts = [member.parts[index] for index in indices]
    return CentredEffect(member.posterior, parts, others, believed, wider)


@dataclass(frozen=True, eq=False)
class _Group:
    """The parts of a model that hold the same columns, with all that their effect is computed from."""

    uncertainty: ParameterDraws
    columns: tuple[str, ...]
    indices: tuple[int, ...]  # of the parts
    residuals: Array  # (n,) what the whole model leaves of the target
    rng: np.random.Generator
    believed: AveragedChances | None
    levels: Mapping[str, tuple[str, ...]]  # names of categories, by column
    wider: float
    alike: AlikeRows | None

    @property
    def posterior(self) -> Posterior:
        """That under the fit."""
        return self.uncertainty.fit.posterior

    @property
    def parts(self) -> tuple[Kernel, ...]:
        """Those under the fit."""
        return tuple(self.uncertainty.fit.parts[index] for index in self.indices)

    def centred(self) -> CentredEffect:
        """The posterior of the sum of the parts."""
        return _centred(self.uncertainty, self.indices, self.believed, self.wider)


def _groups(model: ConditionedModel) -> dict[tuple[str, ...], list[int]]:
    """The indices of the parts that are not noise, by their columns."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for index, part in enumerate(model.parts):
        if not is_noise(part):
            groups.setdefault(_columns(part, model.posterior), []).append(index)
    return groups


def _columns(part: Kernel, posterior: Posterior) -> tuple[str, ...]:
    return tuple(sorted(columns_of(part.expr, only_column(posterior.columns))))


def _effect(group: _Group) -> TableEffect:
    centred = group.centred()
    mean, sd = centred.at(group.posterior.X)
    along = tuple(_along(centred, group, name) for name in group.columns)
    pair = strongest_pair(centred) if len(group.columns) > 1 else None
    share, span = _share(centred, group)
    return TableEffect(
        columns=group.columns, kernels=group.parts, mean=mean, sd=sd, share=share, share_span=span,
        residuals=mean + group.residuals, beyond=_beyond(mean, along), along=along,
        surface=None if pair is None else _surface(centred, pair, _coded(group.parts)),
        interaction=None if pair is None else _interaction(centred, pair, group, mean),
        period=_period(group.parts), wider=group.wider,
    )  # fmt: skip


def _interaction(centred: CentredEffect, pair: tuple[str, str], group: _Group, mean: Array) -> Interaction:
    """How two columns act together, with its plain witness: of numbers in what all other effects leave."""
    posterior, coded = group.posterior, _coded(group.parts)
    y = posterior.y if posterior.problem.likelihood.is_latent else mean + group.residuals
    first, second = (posterior.X[:, centred.index(name)] for name in pair)
    if group.alike is not None:
        first, second, y = (each[evenly_spaced(len(y), MOST_ROWS)] for each in (first, second, y))
    p = products_p(first, second, y, (pair[0] in coded, pair[1] in coded), group.alike)
    looks = comb(len(posterior.columns), 2)
    found = interaction(centred, *pair, group.rng, coded)
    return replace(found, plain_p=None if p is None else min(1.0, looks * p))


def _coded(parts: Sequence[Kernel]) -> frozenset[str | None]:
    """The columns that hold codes of categories."""
    leaves = [leaf for part in parts for leaf in _leaves(part)]
    return frozenset(leaf.expr.column for leaf in leaves if is_leaf_of(leaf.expr, LeafKind.CATEGORIES))


def _share(centred: CentredEffect, group: _Group) -> tuple[float, tuple[float, float]]:
    """The expected share of the variance, and the range that holds it with 95 %, from draws of the effect."""
    X = group.posterior.X[evenly_spaced(len(group.posterior.X), MOST_DRAWN_ROWS)]
    mean, cov = centred.joint(X)
    cov = cov / centred.wider**2  # how much it explains here is as open as the fit says
    sample = draw(mean, cov, group.rng, scale=centred.scale, count=CURVES_DRAWN)
    low, high = np.quantile(sample.var(axis=1) / (group.posterior.spread or 1.0), (0.025, 0.975)).tolist()
    expected = float(mean.var()) + float(cov.diagonal().mean()) - float(cov.mean())
    return max(expected, 0.0) / (group.posterior.spread or 1.0), (low, high)


def _beyond(mean: Array, along: Sequence[Along]) -> float:
    """The share of the variance of an effect that no weighted sum of the curves along its columns explains."""
    if len(along) < 2 or float(np.var(mean)) == 0.0:
        return 0.0
    curves = np.column_stack([np.ones_like(mean), *(np.interp(curve.at, curve.x, curve.mean) for curve in along)])
    fitted, *_ = np.linalg.lstsq(curves, mean, rcond=None)
    return float(np.var(mean - curves @ fitted) / np.var(mean))


def _along(centred: CentredEffect, group: _Group, column: str) -> Along:
    X, index = group.posterior.X, centred.index(column)
    alone = len(group.columns) == 1
    levels = tuple(group.levels.get(column, ()))
    count = _points(group.parts, column, float(np.ptp(X[:, index]))) if alone else AVERAGED_CURVE_POINTS
    x = places_of(X[:, index], count, coded=bool(levels))
    asked = (index,), (x,), 1 if alone else BACKGROUND_ROWS
    mean, cov = centred.joint(centred.points(*asked))
    sd, believed = np.sqrt(np.maximum(cov.diagonal(), 0.0)), group.believed
    chances = centred.chances(*asked[:2])
    curves = (mean, cov) if believed is None else believed.joint_chances(*asked[:2], group.rng)
    seen = np.full(len(x), True) if levels else well_seen(x, X[:, index])
    shape = curve_shape(x[seen], curves[0][seen], curves[1][np.ix_(seen, seen)], group.rng)
    shape = _flat_to_the_ends(shape, x, curves[0], seen)
    curve = np.interp(X[:, index], x, mean)
    of_class = chances is not None
    residuals = np.where(group.posterior.problem.y > 0.0, 100.0, 0.0) if of_class else curve + group.residuals
    return Along(
        column, bool(levels) or has_few(X[:, index]), x, x[seen], mean, sd, shape, X[:, index], residuals, chances,
        levels,
    )  # fmt: skip


def _points(parts: Sequence[Kernel], column: str, reach: float) -> int:
    """Points of a curve: enough to show its shortest cycle."""
    periods = [leaf.named()["period"] for part in parts for leaf in _leaves(part) if _repeats(leaf, column)]
    needed = int(POINTS_PER_CYCLE * reach / min(periods)) if periods else 0
    return min(max(CURVE_POINTS, needed), MOST_CURVE_POINTS)


def _surface(centred: CentredEffect, pair: tuple[str, str], coded: Collection[str | None]) -> EffectGrid:
    X, alone = centred.posterior.X, len(centred.columns) == 2
    columns = (centred.index(pair[0]), centred.index(pair[1]))
    side = SURFACE_SIDE_POINTS if alone else AVERAGED_SURFACE_SIDE_POINTS
    first, second = (
        places_of(X[:, column], side, coded=name in coded) for name, column in zip(pair, columns, strict=True)
    )
    axes = (first, second)
    asked = columns, axes, 1 if alone else AVERAGED_SURFACE_SIDE_POINTS
    (mean, sd), chances = centred.at(centred.points(*asked)), centred.chances(*asked[:2])
    shape = (len(axes[0]), len(axes[1]))
    if chances is not None:
        chances = Chances(*(values.reshape(shape) for values in (chances.mean, chances.lower, chances.upper)))
    return EffectGrid(pair, axes, mean.reshape(shape), sd.reshape(shape), chances)


def _leaves(kernel: Kernel) -> list[Kernel]:
    return [kernel] if isinstance(kernel.expr, Leaf) else [leaf for part in kernel.parts for leaf in _leaves(part)]


def _repeats(leaf: Kernel, column: str) -> bool:
    return is_leaf_of(leaf.expr, LeafKind.CYCLIC) and leaf.expr.column in (column, None)


def _period(parts: Sequence[Kernel]) -> float | None:
    """The period of an effect of one column that repeats exactly."""
    if len(parts) != 1 or not _only_repeats(parts[0].expr):
        return None
    periods = [leaf.named()["period"] for leaf in _leaves(parts[0]) if "period" in leaf.named()]
    return periods[0] if len(periods) == 1 else None


def _only_repeats(expr: Expr) -> bool:
    repeats = LeafKind.CYCLIC, LeafKind.CONSTANT
    return all(isinstance(node, Product) or is_leaf_of(node, *repeats) for node in nodes_of(expr))


# --- The shape of a curve as far as its posterior is sure of it -----------------------------------------------------


def curve_shape(x: Array, mean: Array, cov: Array, rng: np.random.Generator) -> CurveShape:
    """The shape of a curve with posterior ``mean`` (m,) and ``cov`` (m, m) at ascending inputs ``x`` (m,).

    >>> x = np.linspace(0.0, 1.0, 11)
    >>> curve_shape(x, 2.0 * x, 1e-6 * np.eye(11), np.random.default_rng(0)).kind
    <CourseKind.STRAIGHT: 'straight'>
    """
    low, high = int(mean.argmin()), int(mean.argmax())
    whole, size = contrast(mean, cov, 0, len(x) - 1), contrast(mean, cov, low, high)
    sizes = (whole, size, float(x[low]), float(x[high]))
    stops = turning_points(mean, cov, size.number)
    if not is_sure(size, size.number):
        return CurveShape(CourseKind.UNCLEAR, *sizes)
    if len(stops) > 2:
        return _turning(x, mean, cov, stops, sizes, rng)
    if len(x) > 2 and is_sure(whole, size.number) and _is_straight(x, mean, cov, size.number):
        return CurveShape(CourseKind.STRAIGHT, *sizes)
    kind = CourseKind.RISING if high > low else CourseKind.FALLING
    return CurveShape(kind, *sizes, hinge=hinge_of_curve(x, mean, cov, rng.spawn(1)[0]))


def _turning(
    x: Array,
    mean: Array,
    cov: Array,
    stops: list[int],
    sizes: tuple[Contrast, Contrast, float, float],
    rng: np.random.Generator,
) -> CurveShape:
    """A curve that turns; where the place of its only turn is not known, the larger of its two legs and no more."""
    turns = _turns(x, mean, cov, stops, rng)
    legs = tuple(contrast(mean, cov, *leg) for leg in pairwise(stops))
    if len(turns) > 1 or _is_placed(turns[0], x):
        return CurveShape(CourseKind.TURNING, *sizes, turns=turns, legs=legs)
    turn = turns[0]
    if abs(legs[0].number) >= abs(legs[-1].number):
        return CurveShape(CourseKind.RISING if turn.top else CourseKind.FALLING, *sizes, open_from=turn.at)
    return CurveShape(CourseKind.FALLING if turn.top else CourseKind.RISING, *sizes, open_until=turn.at)


def _is_placed(turn: TurnAt, x: Array) -> bool:
    """Whether the range of a turn is neither half of the column nor reaches an end of it."""
    low, high = turn.span
    reach = float(np.ptp(x))
    return high - low < PLACED_SHARE * reach and low > x[0] and high < x[-1]


def _turns(x: Array, mean: Array, cov: Array, stops: list[int], rng: np.random.Generator) -> tuple[TurnAt, ...]:
    """The inner stops, each with where draws of the curve have their extreme between its neighbours."""
    curves = draw(mean, cov, rng, scale=float(cov.diagonal().max()) or 1.0, count=CURVES_DRAWN)
    turns = []
    for before, stop, after in zip(stops, stops[1:], stops[2:], strict=False):
        top = bool(mean[stop] > mean[before])
        near = curves[:, before : after + 1]
        extremes = x[before + (near.argmax(axis=1) if top else near.argmin(axis=1))]
        first, last = np.quantile(extremes, (0.025, 0.975), method="nearest").tolist()
        turns.append(TurnAt(float(x[stop]), (first, last), top))
    return tuple(turns)


def _is_straight(x: Array, mean: Array, cov: Array, size: float) -> bool:
    """Whether the distances from the best line are too small to see, or within what the posterior leaves open."""
    basis = np.column_stack([np.ones_like(x), (x - x.mean()) / np.ptp(x)])
    off_the_line = np.eye(len(x)) - basis @ np.linalg.pinv(basis)
    distances = off_the_line @ mean
    if np.abs(distances).max() < STRAIGHT_SHARE * size:
        return True
    sd = np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", off_the_line, cov, off_the_line), 0.0))
    return bool(np.all(np.abs(distances) < BAND_SDS * sd))


def _flat_to_the_ends(shape: CurveShape, x: Array, mean: Array, seen: NDArray[np.bool_]) -> CurveShape:
    """Without what is flat only where rows are ``seen`` (m,): a curve that moves on beyond them just turns there.

    >>> from autostatistician.decompose.records.table import Hinge
    >>> x, mean, whole = np.arange(5.0), np.array([0.0, 2.0, 3.0, 3.0, 1.0]), Contrast(3.0, 0.1)
    >>> flat = Hinge(2.0, (1.0, 2.0), whole, Contrast(0.0, 0.1), -1, True)
    >>> shape = CurveShape(CourseKind.RISING, whole, whole, 0.0, 2.0, hinge=flat)
    >>> [_flat_to_the_ends(shape, x, mean, x < last).hinge.flat for last in (4.0, 5.0)]
    [False, True]
    """
    hinge, ends = shape.hinge, x[seen][[0, -1]]
    if hinge is None or not hinge.flat:
        return shape
    beyond, end = (x < ends[0], ends[0]) if hinge.bend > 0 else (x > ends[1], ends[1])
    moved = np.abs(mean[beyond] - mean[x == end]).max(initial=0.0)
    return replace(shape, hinge=replace(hinge, flat=False)) if moved > DETAIL_SHARE * abs(shape.size.number) else shape
