"""The page on a deep process."""

from __future__ import annotations

import json

from tests.describe.deep_cases import CASES
from tests.describe.sentences import check_document

from autostatistician.describe.document.deep import deep_document, deep_record
from autostatistician.describe.document.document import Figure, Points
from autostatistician.describe.observe.deep import deep_findings


def test_rows_are_drawn_where_there_is_one_column() -> None:
    for name, panels, has_rows in (("deep", 1, True), ("deep as told", 6, False)):
        made = deep_document(deep_findings(CASES[name]))
        check_document(made)
        figure = made.sections[0].blocks[0]
        assert isinstance(figure, Figure)
        assert len(figure.panels) == panels
        assert any(isinstance(layer, Points) for layer in figure.panels[0].layers) == has_rows


def test_the_record_is_json() -> None:
    record = json.loads(json.dumps(deep_record(deep_findings(CASES["deep"]))))
    assert (record["layers"], record["kernels"]) == (2, ["SE", "SE + Lin"])
    assert {fact["fact"] for fact in record["facts"]} == {"LayerCount", "LayerBend", "ColumnMove", "Foreseen"}
