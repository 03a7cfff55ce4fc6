"""A fitted model of a table taken apart: its effects, the relevance of columns, noise, and errors of leaving out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from autostatistician._io.rows import evenly_spaced
from autostatistician._io.threads import one_thread
from autostatistician.data.dataset import Dataset
from autostatistician.data.transform import Transform
from autostatistician.decompose.records.classes import Foreseen
from autostatistician.decompose.records.series import NO_TRANSFORM, Fitted
from autostatistician.decompose.records.table import (
    ByPoints,
    ColumnRecord,
    Noise,
    Plain,
    Scatter,
    TableDecomposition,
    TableEffect,
)
from autostatistician.decompose.table.averaged_chances import AveragedChances
from autostatistician.decompose.table.centred import only_column
from autostatistician.decompose.table.effects import effect_at, effects
from autostatistician.decompose.table.leave_one_out import leave_one_out, left_out_groups
from autostatistician.decompose.table.leave_one_out_classes import leave_one_out_of_classes
from autostatistician.decompose.table.plain_regressions import MOST_ROWS, PlainTable
from autostatistician.decompose.uncertainty import MOST_MEMBERS, ParameterDraws, uncertainty_of
from autostatistician.gp.posterior import Posterior
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.rewrite import components
from autostatistician.kernels.traits import columns_of, is_noise

__all__ = ["decompose_table", "effects_at"]


Array = NDArray[np.float64]

FEWER_MEMBERS = 20  # where every member takes steps of its own

NOISE_BACKGROUND_ROWS = 100  # rows of the data over which noise is averaged


def decompose_table(
    posterior: Posterior,
    dataset: Dataset,
    *,
    fitted: Fitted,
    alternatives: tuple[tuple[Kernel, float], ...] = (),
    believed: AveragedChances | None = None,
    seed: int = 0,
    transform: Transform = NO_TRANSFORM,
) -> TableDecomposition:
    """Everything that a report says and shows about a fitted model of a table, as plain values.

    The data are on the scale of the model, to which ``transform`` leads; ``alternatives`` are the models of the search
    with their weights, the best first. Chances of classes are by all that are ``believed``, where these are given.
    """
    streams = _streams(seed)
    with one_thread():
        uncertainty = _uncertainty(posterior, streams)
        signal, spread = posterior.signal()[0], posterior.spread
        left_out, classes = None, posterior.problem.likelihood.is_latent
        foreseen = leave_one_out_of_classes(posterior) if classes else None
        used = _used(posterior.kernel, posterior, noise=False)
        if not classes:
            left_out = leave_one_out(posterior, transform, dataset.offset, streams[2])
            y = transform.back(posterior.y)
            found = left_out_groups(posterior, y, lambda mean, _: transform.back(mean))
            left_out = replace(left_out, groups=found)
        groups = None if left_out is None or left_out.groups is None else left_out.groups.column
        plain = PlainTable(dataset, used, _pairs(posterior), *_left(posterior, foreseen), groups)
        said = plain.columns()
        wider = {name: one.wider for name, one in said.items() if one is not None}
        alike = None if plain.alike is None or not plain.alike.lag else (plain.alike.lag, plain.alike.correlation)
        return TableDecomposition(
            name=dataset.name,
            target=dataset.target,
            y=transform.back(posterior.problem.y) + dataset.offset,
            columns=_columns(posterior, plain, said, alternatives),
            effects=effects(uncertainty, streams[1], believed, dataset.levels, wider, plain.alike),
            noise=_noise(posterior),
            fitted=fitted,
            signal_r2=_explained(posterior, signal) if spread > 0.0 else 0.0,
            left_out=left_out,
            path=(),
            warnings=dataset.warnings,
            transform=transform,
            alternatives=alternatives,
            choice=dataset.choice,
            classes=dataset.classes,
            foreseen=foreseen,
            axis=dataset.axis,
            by_points=_by_points(posterior),
            together_p=plain.together_p(),
            alike=alike,
            rows=dataset.rows,
        )


def _left(posterior: Posterior, foreseen: Foreseen | None) -> tuple[Array, Array]:
    """What the model leaves of every row (n,) in units of its noise, and how many of these are in one of the model.

    Of classes, by the chance that a row was given, as in the score test of a logit.
    """
    if foreseen is not None:
        sds = np.sqrt(foreseen.chance * (1.0 - foreseen.chance))
        return (foreseen.came - foreseen.chance) / sds, sds
    variances = posterior.noise_variance()
    weights = np.sqrt(variances.mean() / variances) if variances.min() > 0.0 else np.ones(len(variances))
    return posterior.left * weights, weights


def _by_points(posterior: Posterior) -> ByPoints | None:
    """How far from exact a posterior by inducing points is, on some rows."""
    if posterior.points is None:
        return None
    rows = evenly_spaced(len(posterior.y), MOST_ROWS)
    return ByPoints(len(posterior.points), len(rows), posterior.gap(rows))


def _explained(posterior: Posterior, signal: Array) -> float:
    """The share of the spread that the signal (n,) explains."""
    if posterior.problem.likelihood.is_latent:
        return float(signal.var()) / posterior.spread
    return 1.0 - float(posterior.left.var()) / posterior.spread


def effects_at(
    told: Sequence[TableEffect], posterior: Posterior, points: Array, *, seed: int
) -> list[tuple[Array, Array]]:
    """Mean and standard deviation (m,) of effects at points (m, d), with the uncertainty that `decompose_table` has."""
    uncertainty = _uncertainty(posterior, _streams(seed))
    return [effect_at(uncertainty, effect, points) for effect in told]


def _streams(seed: int) -> list[np.random.Generator]:
    """Of the draws for columns, for effects, for values left out, and of the parameters."""
    return np.random.default_rng(seed).spawn(4)


def _uncertainty(posterior: Posterior, streams: Sequence[np.random.Generator]) -> ParameterDraws:
    most = FEWER_MEMBERS if posterior.problem.likelihood.is_latent else MOST_MEMBERS
    return uncertainty_of(posterior, streams[3], most=most)


def _columns(
    posterior: Posterior,
    plain: PlainTable,
    witnesses: Mapping[str, Plain | None],
    models: Sequence[tuple[Kernel, float]],
) -> tuple[ColumnRecord, ...]:
    """What is known about every input, from the fitted model and from the models of the search with their weights."""
    dataset, in_noise = plain.dataset, _used(posterior.kernel, posterior, noise=True)
    columns = []
    for (name, said), values in zip(witnesses.items(), dataset.X.T, strict=True):
        weights = [weight for kernel, weight in models if name in _used(kernel, posterior, noise=False)]
        columns.append(
            ColumnRecord(
                name=name, low=float(values.min()), high=float(values.max()), distinct=len(np.unique(values)),
                used=name in plain.used, scatter=name in in_noise, levels=tuple(dataset.levels.get(name, ())),
                probability=min(sum(weights), 1.0) if models else float(name in plain.used), plain=said,
            )
        )  # fmt: skip
    return tuple(columns)


def _pairs(posterior: Posterior) -> set[tuple[str, str]]:
    """The pairs of columns in the parts of a model that are not noise."""
    only = only_column(posterior.columns)
    together = (sorted(columns_of(part.expr, only)) for part in components(posterior.kernel) if not is_noise(part))
    return {pair for names in together for pair in combinations(names, 2)}


def _used(kernel: Kernel, posterior: Posterior, *, noise: bool) -> frozenset[str]:
    """The columns of the parts that are noise, or of those that are not."""
    only = only_column(posterior.columns)
    return frozenset().union(*(columns_of(part.expr, only) for part in components(kernel) if is_noise(part) is noise))


def _noise(posterior: Posterior) -> Noise | None:
    """The noise, none of a model without; each residual over the root of one less its leverage, which has its size."""
    if posterior.halves[1] is None:
        return None
    sd = float(np.sqrt(posterior.noise_variance(posterior.X).mean()))  # of new rows, which have none by themselves
    names = [name for name in posterior.columns if name in _used(posterior.kernel, posterior, noise=True)]
    squares = np.abs(posterior.left * (posterior.y - posterior.leave_one_out()[0]))
    held = float(np.sqrt(np.quantile(squares, 0.95, method="median_unbiased")))
    return Noise(sd, tuple(_scatter(posterior, name) for name in names if name is not None), held)


def _scatter(posterior: Posterior, name: str) -> Scatter:
    """The noise where a column is low and where it is high, averaged over the data in the others."""
    index = posterior.columns.index(name)
    values = posterior.X[:, index]
    sds = []
    for value in (values.min(), values.max()):
        points = posterior.X[evenly_spaced(len(values), NOISE_BACKGROUND_ROWS)].copy()
        points[:, index] = value
        sds.append(float(np.sqrt(posterior.noise_variance(points).mean())))
    return Scatter(name, (float(values.min()), float(values.max())), (sds[0], sds[1]))
