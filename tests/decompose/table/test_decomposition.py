"""A table taken apart: relevance of columns, noise that depends on them, and what is not used."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.decompose.table.tables import bump, dataset, decomposition, model

from autostatistician.data.dataset import Dataset
from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.language.kernel import leaf


@pytest.fixture(scope="module")
def found() -> TableDecomposition:
    return decomposition(model(), dataset())


def test_relevance_is_the_total_index_of_sobol(found: TableDecomposition) -> None:
    # of sin(a) + b c with all columns uniform on (-2, 2)
    sine = 0.5 - np.sin(4.0) / 8.0
    product = (4.0 / 3.0) ** 2
    spread = float(dataset().y.var())
    truth = {"a": sine / spread, "b": product / spread, "c": product / spread, "d": 0.0}
    for column in found.columns:
        assert column.relevance == pytest.approx(truth[column.name], rel=0.25)
        assert column.relevance_span[0] <= column.relevance <= column.relevance_span[1]


def test_columns_that_the_model_does_not_hold_are_not_used(found: TableDecomposition) -> None:
    assert [column.name for column in found.columns if not column.used] == ["d"]
    assert [column.used for column in found.columns] == [True, True, True, False]
    assert [column.probability for column in found.columns] == [1.0, 0.96, 0.96, 0.0]


def test_noise_has_a_size_and_may_depend_on_columns(found: TableDecomposition) -> None:
    assert found.noise is not None
    assert found.noise.sd == pytest.approx(0.1)
    assert found.noise.scatters == ()
    growing = bump("a") + leaf("Lin", "b", sd=0.1, location=-3.0) * leaf("WN", sd=1.0)
    noise = decomposition(growing, dataset(40)).noise
    assert noise is not None
    (scatter,) = noise.scatters
    b = dataset(40).X[:, 1]
    assert scatter.column == "b"
    assert scatter.sds == pytest.approx((0.1 * (b.min() + 3.0), 0.1 * (b.max() + 3.0)))


def test_a_model_of_noise_alone_has_no_effects() -> None:
    found = decomposition(leaf("WN", sd=1.0), dataset(30))
    assert found.effects == ()
    assert found.signal_r2 == pytest.approx(0.0, abs=1e-9)
    assert not any(column.used for column in found.columns)


def test_categories_and_a_single_column_are_tables_too() -> None:
    codes = np.tile([0.0, 1.0, 2.0], 12)
    y = np.array([1.0, 5.0, 2.0])[codes.astype(int)] + 0.01 * np.sin(np.arange(36.0))
    data = Dataset(codes[:, None], y, ("kind",), "y", None, levels={"kind": ("x", "y", "z")})
    kernel = leaf("Cat", "kind", contrast=1.0, sd=3.0) + leaf("WN", sd=0.05)
    found = decomposition(kernel, data)
    (effect,) = found.effects
    assert effect.columns == ("kind",)
    assert effect.along[0].few
    np.testing.assert_allclose(np.diff(effect.along[0].mean), [4.0, -3.0], atol=0.1)
    assert found.columns[0].levels == ("x", "y", "z")


def test_the_same_table_and_seed_give_the_same_numbers() -> None:
    one, other = (decomposition(model(), replace(dataset(30), name=name)) for name in ("one", "other"))
    assert one.columns == other.columns
    assert [told.check for told in one.left_out.checks] == [told.check for told in other.left_out.checks]


@pytest.mark.slow
def test_a_model_of_many_rows_stands_on_some_of_them() -> None:
    data = dataset(2500)
    inducing = decomposition(model(), data)
    few = inducing.by_points
    assert few is not None
    assert few.rows == 1000
    assert 50 <= few.points <= 600
    assert 0.0 <= few.gap < 0.5
    assert {effect.columns for effect in inducing.effects} == {("a",), ("b", "c")}
    (curve,) = (effect.along[0] for effect in inducing.effects if effect.columns == ("a",))
    truth = np.sin(curve.x) - np.sin(data.X[:, 0]).mean()
    np.testing.assert_allclose(curve.mean, truth, atol=0.05)
    assert (curve.sd < 0.05).all()
    out = inducing.left_out
    assert out is not None
    assert out.held[-1] == pytest.approx(0.95, abs=0.02)
    assert decomposition(model(), dataset(60)).by_points is None
