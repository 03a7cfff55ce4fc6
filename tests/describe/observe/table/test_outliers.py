"""Rows of tables that stand out are named in the verdict and in the record."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.decompose.table.tables import dataset, decomposition, model

from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.describe.observe.table.outliers import far_off
from autostatistician.describe.tell import document, result
from autostatistician.describe.words.outliers import far_off_text

SPOILT = 17


@pytest.fixture(scope="module")
def spoilt() -> TableDecomposition:
    data = dataset(60)
    y = data.y.copy()
    y[SPOILT] += 0.5 * np.std(y)
    return decomposition(model(), replace(data, y=y))


def test_a_row_far_off_is_named_with_what_was_expected(spoilt: TableDecomposition) -> None:
    (fact,) = far_off(spoilt.left_out, spoilt)
    assert fact.position == SPOILT + 1
    assert fact.number == pytest.approx(spoilt.y[SPOILT])
    assert not fact.aside
    text = far_off_text((fact,))
    assert text.startswith("By their numbers in the table, row 18 (")
    told = [item for section in document(spoilt).sections for inner in section.sections for block in inner.blocks
            for item in getattr(block, "items", ())]  # fmt: skip
    assert text in told
    assert "StandingOut" in str(result(spoilt)["facts"])


def test_other_tables_name_none() -> None:
    found = decomposition(model(), dataset(60))
    assert far_off(found.left_out, found) == ()
    assert far_off_text(()) == ""


def test_a_row_has_its_number_in_the_table_where_others_were_left_out(spoilt: TableDecomposition) -> None:
    assert spoilt.left_out is not None
    numbered = replace(spoilt, rows=tuple(range(3, len(spoilt.y) + 3)))
    assert far_off(spoilt.left_out, numbered)[0].position == far_off(spoilt.left_out, spoilt)[0].position + 2.0
