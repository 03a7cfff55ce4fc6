"""All that a page on a table tells of a column agrees."""

from dataclasses import replace

import numpy as np
import pytest
from tests.decompose.table import classes
from tests.decompose.table.tables import dataset, decomposition, model
from tests.describe.agreement import disagreements

from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.describe.tell import document, statements


def _weaker() -> TableDecomposition:
    """One whose models share their weight."""
    known = model()
    return replace(decomposition(known, dataset(60)), alternatives=((known, 0.6), (known.parts[0], 0.4)))


@pytest.mark.parametrize(
    "found",
    [
        decomposition(model(), dataset()), decomposition(model(), dataset(40)), _weaker(), classes.decomposition(),
        classes.nothing(),
    ],
    ids=["table", "few rows", "several models", "classes", "nothing"],
)  # fmt: skip
def test_pages_agree_with_themselves(found: TableDecomposition) -> None:
    assert [*disagreements(document(found), statements(found))] == []


def test_a_page_that_contradicts_itself_is_seen() -> None:
    told = document(decomposition(model(), dataset(60)))
    denied = replace(told, points=(*told.points, "'a' has next to no effect."))
    turned = replace(told, points=(*told.points, "'y' falls with 'a', by 2."))
    doubted = [{**column, "probability": float(np.float64(0.2))} for column in told.record["columns"]]  # type: ignore[attr-defined]
    for page, fault in (
        (denied, "a acts, but"), (turned, "a: falls in words"),
        (replace(told, record=told.record | {"columns": doubted}), "a: 0.2 in the list, 1.0 as a fact"),
    ):  # fmt: skip
        assert any(text.startswith(fault) for text in disagreements(page))
