"""Records of a table: what they derive from what they hold."""

from __future__ import annotations

import pytest
from tests.decompose.table.tables import dataset, decomposition, model

from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.language.kernel import leaf
from autostatistician.language.rewrite import components
from autostatistician.language.traits import is_noise


@pytest.fixture(scope="module")
def record() -> TableDecomposition:
    return decomposition(model(), dataset(30))


def test_columns_are_unused_where_no_effect_holds_them(record: TableDecomposition) -> None:
    held = {name for effect in record.effects for name in effect.columns}
    assert [column.name for column in record.columns if not column.used] == ["d"]
    assert held == {column.name for column in record.columns} - {"d"}


def test_kernels_of_all_effects_are_the_parts_but_noise(record: TableDecomposition) -> None:
    assert record.kernels == tuple(effect.kernels for effect in record.effects)
    parts = [part for part in components(model()) if not is_noise(part)]
    assert sorted((part for group in record.kernels for part in group), key=str) == sorted(parts, key=str)


def test_noise_alone_uses_no_column() -> None:
    record = decomposition(leaf("WN", sd=1.0), dataset(30))
    assert [column.name for column in record.columns if not column.used] == list(dataset(30).columns)
    assert record.kernels == ()
