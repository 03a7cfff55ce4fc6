"""What pictures of a table are drawn from: its effects and its predictions as plain arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records.classes import Chances
from autostatistician.decompose.records.table import Along, Effect, LeaveOneOut, TableDecomposition
from autostatistician.describe.facts.curves import ColumnCurve, EffectCurves, LeftOut, Slices, Surface
from autostatistician.describe.observe.table.effects import levels_of
from autostatistician.forms import BAND_SDS

__all__ = ["effect_curves", "left_out_curves"]

Array = NDArray[np.float64]


def effect_curves(effect: Effect, d: TableDecomposition) -> EffectCurves:
    """An effect along each of its columns, and over the two that change each other most."""
    along = tuple(_along(course, levels_of(d, course.column), d.y) for course in effect.along)
    return EffectCurves(along, _surface(effect, d), _slices(effect, d))


def _limits(mean: Array, sd: Array) -> tuple[Array, Array]:
    return mean - BAND_SDS * sd, mean + BAND_SDS * sd


def _in_per_cent(chances: Chances) -> tuple[Array, Array, Array]:
    return 100.0 * chances.mean, 100.0 * chances.lower, 100.0 * chances.upper


def _along(along: Along, levels: tuple[str, ...], y: Array) -> ColumnCurve:
    if along.chances is not None:  # with the rows of the class at the top, and the others at the bottom
        curve, rows = _in_per_cent(along.chances), np.where(y > 0.0, 100.0, 0.0)
        return ColumnCurve(along.column, levels, along.few, along.x, *curve, along.at, rows)
    lower, upper = _limits(along.mean, along.sd)
    return ColumnCurve(along.column, levels, along.few, along.x, along.mean, lower, upper, along.at, along.residuals)


def _surface(effect: Effect, d: TableDecomposition) -> Surface | None:
    surface, places = effect.surface, {along.column: along.at for along in effect.along}
    if surface is None:
        return None
    first, second = surface.columns
    levels, at = (levels_of(d, first), levels_of(d, second)), (places[first], places[second])
    if surface.chances is not None:
        return Surface(surface.columns, levels, surface.axes, *_in_per_cent(surface.chances), at)
    return Surface(surface.columns, levels, surface.axes, surface.mean, *_limits(surface.mean, surface.sd), at)


def _slices(effect: Effect, d: TableDecomposition) -> Slices | None:
    interaction = effect.interaction
    if interaction is None:
        return None
    cuts = tuple(
        (place, mean, *_limits(mean, sd)) for place, mean, sd in (interaction.slices[0], interaction.slices[-1])
    )
    if interaction.chances:
        places = zip(
            (interaction.slices[0][0], interaction.slices[-1][0]),
            (interaction.chances[0], interaction.chances[-1]),
            strict=True,
        )
        cuts = tuple((place, *_in_per_cent(course)) for place, course in places)
    return Slices(interaction.along, interaction.by, levels_of(d, interaction.by), interaction.few, interaction.x, cuts)


def left_out_curves(y: Array, out: LeaveOneOut) -> LeftOut:
    """Every value predicted from all others."""
    return LeftOut(y, out.predicted, out.lower, out.upper, out.errors, out.levels, out.held)
