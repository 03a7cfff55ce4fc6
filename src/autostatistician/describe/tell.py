"""Decompositions of either kind, of series and of tables, in words: the one door to sentences, documents, records."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from autostatistician.decompose.records.clusters import ClustersFound
from autostatistician.decompose.records.series import Decomposition
from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.describe.document.classes.page import class_page
from autostatistician.describe.document.clusters.page import cluster_document, cluster_record, cluster_sentences
from autostatistician.describe.document.document import Document
from autostatistician.describe.document.page import Page, document_of, result_of, sentences_of
from autostatistician.describe.document.series.page import series_page
from autostatistician.describe.document.table.page import table_page
from autostatistician.describe.facts.findings import PartFindings
from autostatistician.describe.observe.clusters.findings import cluster_findings
from autostatistician.describe.observe.series.findings import series_findings
from autostatistician.describe.observe.series.parts import units_for
from autostatistician.describe.observe.table.findings import class_findings, scale_for, table_findings
from autostatistician.describe.words.claims import Statement

__all__ = ["Described", "clusters", "document", "parts", "result", "sentences", "statements"]

Described = Decomposition | TableDecomposition


_PAGES: WeakKeyDictionary[Described, Page] = WeakKeyDictionary()


def _page(model: Described) -> Page:
    """What is told of a model, made once for as long as there is the model."""
    if model not in _PAGES:
        _PAGES[model] = _made(model)
    return _PAGES[model]


def _made(model: Described) -> Page:
    """The one place that asks whether a model is of a series, of a table or of classes."""
    if isinstance(model, TableDecomposition) and model.classes:
        return class_page(class_findings(model), scale_for(model))
    if isinstance(model, TableDecomposition):
        return table_page(table_findings(model), scale_for(model))
    return series_page(series_findings(model), units_for(model))


def sentences(model: Described) -> tuple[str, ...]:
    """How the table was read, where that was chosen; one short sentence per part, and what else must be said."""
    return sentences_of(_page(model))


def parts(model: Described) -> tuple[tuple[PartFindings, str], ...]:
    """The additive parts of a model, each with its sentence."""
    page = _page(model)
    return tuple(zip(page.findings.parts, page.part_sentences(), strict=True))


def document(model: Described) -> Document:
    """The whole report."""
    return document_of(_page(model))


def result(model: Described) -> dict[str, object]:
    """The JSON object of the command line."""
    return result_of(_page(model))


def statements(model: Described) -> tuple[Statement, ...]:
    """What the models that the search visited say, and how probable each statement is."""
    return _page(model).statements


def clusters(partition: ClustersFound) -> tuple[Document, dict[str, object], tuple[str, ...]]:
    """The whole report on clusters, its JSON object, and its sentences."""
    findings = cluster_findings(partition)
    return cluster_document(findings), cluster_record(findings), cluster_sentences(findings)
