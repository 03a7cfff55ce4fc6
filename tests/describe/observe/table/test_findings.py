"""The findings of a table hold all that its records say."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.decompose.table.tables import dataset, decomposition, model

from autostatistician.data.transform import Transform
from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.describe.observe.table.findings import scale_for, table_findings


@pytest.fixture(scope="module")
def d() -> TableDecomposition:
    return decomposition(model(), dataset(60))


def test_columns_that_act_together_are_partners(d: TableDecomposition) -> None:
    found = table_findings(d)
    partners = {fact.column: fact.partners for fact in found.columns}
    assert partners == {"a": (), "b": ("c",), "c": ("b",), "d": ()}
    assert found.n == 60
    assert [one.name for one in found.inputs] == ["a", "b", "c", "d"]


def test_numbers_are_those_of_the_whole_kernel(d: TableDecomposition) -> None:
    assert tuple(one.value for one in table_findings(d).search.numbers) == d.fitted.kernel.values


def test_the_scale_is_that_of_the_transform(d: TableDecomposition) -> None:
    assert not scale_for(d).is_log
    assert scale_for(replace(d, transform=Transform("log", 7.0))).level == 7.0
