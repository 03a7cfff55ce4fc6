"""Curves of effects, with the limits and the names that pictures need."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.decompose.table.tables import dataset, decomposition, model

from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.describe.observe.table.curves import effect_curves, left_out_curves


@pytest.fixture(scope="module")
def d() -> TableDecomposition:
    return decomposition(model(), dataset(60))


def test_limits_are_those_of_a_normal_distribution(d: TableDecomposition) -> None:
    for effect in d.effects:
        curves = effect_curves(effect, d)
        for record, curve in zip(effect.along, curves.along, strict=True):
            np.testing.assert_allclose(curve.upper - curve.lower, 2 * 1.96 * record.sd)
            np.testing.assert_array_equal(curve.residuals, record.residuals)


def test_only_joint_effects_have_a_surface_and_slices_at_its_ends(d: TableDecomposition) -> None:
    for effect in d.effects:
        curves = effect_curves(effect, d)
        assert (curves.surface is None) == (curves.slices is None) == (len(effect.columns) == 1)
        if curves.slices is not None and effect.interaction is not None:
            assert [cut[0] for cut in curves.slices.cuts] == [effect.interaction.slices[i][0] for i in (0, -1)]


def test_categories_bring_their_names(d: TableDecomposition) -> None:
    columns = tuple(replace(column, levels=("x", "y")) if column.name == "b" else column for column in d.columns)
    (joint,) = [one for one in d.effects if len(one.columns) == 2]
    surface = effect_curves(joint, replace(d, columns=columns)).surface
    assert surface is not None
    assert dict(zip(surface.columns, surface.levels, strict=True))["b"] == ("x", "y")


def test_predictions_are_those_of_leaving_out(d: TableDecomposition) -> None:
    curves = left_out_curves(d.y, d.left_out)
    np.testing.assert_array_equal(curves.predicted, d.left_out.predicted)
    assert curves.held == d.left_out.held
