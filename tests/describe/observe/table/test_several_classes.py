"""From the record of several classes to facts."""

from __future__ import annotations

import numpy as np
from tests.decompose.table.several import dataset, found

from autostatistician.describe.observe.table.several_classes import several_findings


def test_facts_count_what_the_record_holds() -> None:
    findings, out = several_findings(found()), found().foreseen
    assert findings.counts == tuple(np.bincount(dataset().y.astype(int)))
    assert findings.usual == "green"
    assert sum(pair.number for pair in findings.confused) == round(out.wrong * dataset().n)
    assert [pair.number for pair in findings.confused] == sorted((p.number for p in findings.confused), reverse=True)
    assert findings.foresight.number == out.log_score
    assert findings.foresight.share == max(findings.counts) / dataset().n


def test_where_two_columns_make_a_class_likeliest_is_a_row_of_the_data() -> None:
    (at,) = (fact for facts in several_findings(found()).likeliest[1].values() for fact in facts)
    data = dataset()
    rows = [data.X[:, data.columns.index(name)] for name in at.columns]
    (row,) = np.flatnonzero((rows[0] == at.places[0]) & (rows[1] == at.places[1]))
    assert data.y[row] == 1.0
    assert 0.8 < at.number < 1.0
    assert abs(at.places[at.columns.index("size")] - 5.0) < 1.0
