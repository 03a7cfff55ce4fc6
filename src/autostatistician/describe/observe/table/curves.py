"""What pictures of a table are drawn from: its effects and its predictions as plain arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records.series import BAND_SDS
from autostatistician.decompose.records.table import Along, Effect, LeaveOneOut, TableDecomposition
from autostatistician.describe.facts.curves import ColumnCurve, EffectCurves, LeftOut, Slices, Surface
from autostatistician.describe.observe.table.effects import levels_of

__all__ = ["effect_curves", "left_out_curves"]

Array = NDArray[np.float64]


def effect_curves(effect: Effect, d: TableDecomposition) -> EffectCurves:
    """An effect along each of its columns, and over the two that change each other most."""
    along = tuple(_along(one, levels_of(d, one.column)) for one in effect.along)
    return EffectCurves(along, _surface(effect, d), _slices(effect, d))


def _limits(mean: Array, sd: Array) -> tuple[Array, Array]:
    return mean - BAND_SDS * sd, mean + BAND_SDS * sd


def _along(one: Along, levels: tuple[str, ...]) -> ColumnCurve:
    lower, upper = _limits(one.mean, one.sd)
    return ColumnCurve(one.column, levels, one.few, one.x, one.mean, lower, upper, one.at, one.residuals)


def _surface(effect: Effect, d: TableDecomposition) -> Surface | None:
    surface, places = effect.surface, {one.column: one.at for one in effect.along}
    if surface is None:
        return None
    first, second = surface.columns
    levels, at = (levels_of(d, first), levels_of(d, second)), (places[first], places[second])
    return Surface(surface.columns, levels, surface.axes, surface.mean, *_limits(surface.mean, surface.sd), at)


def _slices(effect: Effect, d: TableDecomposition) -> Slices | None:
    found = effect.interaction
    if found is None:
        return None
    cuts = tuple((place, mean, *_limits(mean, sd)) for place, mean, sd in (found.slices[0], found.slices[-1]))
    return Slices(found.along, found.by, levels_of(d, found.by), found.few, found.x, cuts)


def left_out_curves(y: Array, out: LeaveOneOut) -> LeftOut:
    """Every value predicted from all others."""
    return LeftOut(y, out.predicted, out.lower, out.upper, out.errors, out.levels, out.held)
