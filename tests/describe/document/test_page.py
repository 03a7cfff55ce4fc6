"""The protocol of a page holds for both kinds, and what is made of it is alike."""

from __future__ import annotations

import pytest
from tests.decompose.table.tables import dataset, model
from tests.decompose.table.tables import decomposition as table
from tests.describe import factory

from autostatistician.describe.document.page import Page, document_of, record_of, sentences_of
from autostatistician.describe.document.series.page import series_page
from autostatistician.describe.document.table.page import table_page
from autostatistician.describe.observe.series.findings import series_findings
from autostatistician.describe.observe.series.parts import units_for
from autostatistician.describe.observe.table.findings import scale_for, table_findings

AIRLINE, TABLE = factory.airline(), table(model(), dataset(60))
SERIES: Page = series_page(series_findings(AIRLINE), units_for(AIRLINE))
OF_TABLE: Page = table_page(table_findings(TABLE), scale_for(TABLE))
SHARED = {
    "expression", "components", "nll", "bic", "n_parameters", "n", "evaluations", "warnings", "transform", "search",
    "statements", "facts",
}  # fmt: skip


@pytest.mark.parametrize("page", [SERIES, OF_TABLE])
def test_records_of_both_kinds_share_their_names(page: Page) -> None:
    record = record_of(page)
    assert set(record) >= SHARED
    assert len(record["facts"]) == len(page.facts)  # type: ignore[arg-type]


def test_only_tables_have_columns() -> None:
    assert set(record_of(OF_TABLE)) - set(record_of(SERIES)) == {"target", "inputs", "columns", "r2", "r2_left_out"}


@pytest.mark.parametrize("page", [SERIES, OF_TABLE])
def test_pages_begin_and_end_alike(page: Page) -> None:
    names = [section.id for section in document_of(page).sections]
    assert names[0] == "brief"
    assert names[-2:] == ["search", "method"]
    assert len(names) == len(set(names))


def test_data_sets_without_a_name_are_called_by_their_target() -> None:
    assert document_of(SERIES).title == "Automatic report on airline"
    assert document_of(OF_TABLE).title in ("Automatic report on 'y'", "Automatic report on y")
    assert sentences_of(SERIES) == SERIES.sentences()
