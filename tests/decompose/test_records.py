"""Records of decompositions: what they refuse and what follows from their fields."""

from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from tests.decompose.series.series import X, Y, toy
from tests.decompose.table.classes import decomposition
from tests.decompose.table.several import dataset
from tests.decompose.table.several import found as found_of_several_classes
from tests.decompose.table.tables import dataset as dataset_of_table
from tests.decompose.table.tables import decomposition as decomposition_of_table
from tests.decompose.table.tables import model
from tests.describe.cluster_cases import found
from tests.describe.covariate_cases import PRICE, PROMO, beside

from autostatistician.data.transform import Transform
from autostatistician.decompose.records.function import FunctionDraws
from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.kernels.kernel import leaf
from autostatistician.kernels.rewrite import components
from autostatistician.kernels.traits import is_noise


@pytest.mark.slow
def test_the_chance_of_what_came_and_its_share() -> None:
    out = decomposition().foreseen
    assert out is not None
    np.testing.assert_allclose(out.given, np.where(out.came, out.chance, 1.0 - out.chance))
    assert out.log_score == np.log(out.given).mean()
    assert out.share == out.came.mean()
    assert decomposition().left_out is None


def test_it_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        found().sweeps = 7  # type: ignore[misc]
    assert len(found().labels) == len(found().rows) == len(found().numbers)


def test_a_record_holds_columns_and_the_series_with_them() -> None:
    record = beside(PROMO, PRICE)
    assert [effect.name for effect in record.effects] == ["promo", "price"]
    assert record.y.shape == record.fit.x.shape
    assert record.effects[0].added.x.size == record.y.size + record.forecast.x.size


def test_a_record_does_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        PROMO.lag = 2  # type: ignore[misc]


def test_draws_are_all_at_the_same_places() -> None:
    x = np.arange(3.0)
    FunctionDraws(x, np.zeros((5, 3)), np.ones((5, 3)), x, x)
    with pytest.raises(AssertionError, match="same places"):
        FunctionDraws(x, np.zeros((5, 4)), np.ones((5, 3)), x, x)


def test_kernels_are_one_to_a_part_in_its_order() -> None:
    assert toy().kernels == tuple((part.kernel,) for part in toy().components)


def test_the_modelled_data_are_what_the_parts_add_up_to() -> None:
    np.testing.assert_allclose(toy().modelled, sum(part.mean for part in toy().components), atol=1e-8)
    np.testing.assert_allclose(replace(toy(), y=Y + 100.0, offset=100.0).modelled, Y)
    assert toy().level is None


def test_logarithms_are_about_the_typical_level() -> None:
    grown = replace(toy(), y=20.0 * np.exp(X), transform=Transform("log", 20.0))
    assert grown.level == pytest.approx(20.0)
    np.testing.assert_allclose(grown.modelled, X, atol=1e-9)


@pytest.mark.slow
def test_what_was_given_is_the_chance_of_what_came() -> None:
    out = found_of_several_classes().foreseen
    rows = range(dataset().n)
    np.testing.assert_array_equal(out.given, [out.chance[row, out.came[row]] for row in rows])
    assert found_of_several_classes().classes == dataset().classes


@pytest.fixture(scope="module")
def record() -> TableDecomposition:
    return decomposition_of_table(model(), dataset_of_table(30))


def test_columns_are_unused_where_no_effect_holds_them(record: TableDecomposition) -> None:
    held = {name for effect in record.effects for name in effect.columns}
    assert [column.name for column in record.columns if not column.used] == ["d"]
    assert held == {column.name for column in record.columns} - {"d"}


def test_kernels_of_all_effects_are_the_parts_but_noise(record: TableDecomposition) -> None:
    parts = [part for part in components(model()) if not is_noise(part)]
    assert sorted((part for effect in record.effects for part in effect.kernels), key=str) == sorted(parts, key=str)


def test_noise_alone_uses_no_column() -> None:
    record = decomposition_of_table(leaf("WN", sd=1.0), dataset_of_table(30))
    assert [column.name for column in record.columns if not column.used] == list(dataset_of_table(30).columns)
    assert record.effects == ()
