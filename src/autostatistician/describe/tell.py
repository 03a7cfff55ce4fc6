"""Decompositions of either kind, of series and of tables, in words: the one door to sentences, documents, records."""

from __future__ import annotations

from autostatistician.decompose.records.series import Decomposition
from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.describe.document import effects as table_narrative
from autostatistician.describe.document import series as narrative
from autostatistician.describe.document.document import Document
from autostatistician.describe.facts.claim import Statement
from autostatistician.describe.observe.claims import statements as series_statements
from autostatistician.describe.observe.effect_claims import table_statements
from autostatistician.describe.observe.parts import units_for

__all__ = ["document", "result", "sentences", "statements"]

Found = Decomposition | TableDecomposition


def sentences(found: Found) -> tuple[str, ...]:
    """How the table was read, where that was chosen; one short sentence per part, and what else must be said."""
    choice = (found.choice,) if found.choice else ()
    if isinstance(found, TableDecomposition):
        return (*choice, *table_narrative.table_sentences(found))
    return (*choice, *narrative.sentences(found))


def document(found: Found) -> Document:
    """The whole report."""
    if isinstance(found, TableDecomposition):
        return table_narrative.table_document(found)
    return narrative.document(found)


def result(found: Found) -> dict[str, object]:
    """The JSON object of the command line."""
    if isinstance(found, TableDecomposition):
        return table_narrative.table_result(found)
    return narrative.result(found)


def statements(found: Found) -> tuple[Statement, ...]:
    """What the models that the search visited say, and how probable each statement is."""
    if isinstance(found, TableDecomposition):
        return table_statements(found.alternatives)
    return series_statements(found.alternatives, units_for(found))
