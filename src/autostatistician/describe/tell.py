"""Decompositions and clusters in words: the one door to sentences, documents and records."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar
from weakref import WeakKeyDictionary

from autostatistician.decompose.records.clusters import ClustersFound
from autostatistician.decompose.records.series import Decomposition
from autostatistician.decompose.records.table import SeveralClasses, TableDecomposition
from autostatistician.describe.answers import Answer, answered
from autostatistician.describe.document.classes.page import class_page
from autostatistician.describe.document.classes.several import (
    SeveralPage,
    several_document,
    several_record,
    several_sentences,
    several_statements,
)
from autostatistician.describe.document.clusters.page import cluster_document, cluster_record, cluster_sentences
from autostatistician.describe.document.document import Document, Page, document_of, result_of, sentences_of
from autostatistician.describe.document.series.page import series_page
from autostatistician.describe.document.table.page import table_page
from autostatistician.describe.facts.clusters import ClusterFindings
from autostatistician.describe.facts.findings import PartFindings
from autostatistician.describe.observe.clusters.findings import cluster_findings
from autostatistician.describe.observe.series.findings import series_findings
from autostatistician.describe.observe.series.parts import units_for
from autostatistician.describe.observe.table.findings import class_findings, scale_for, table_findings
from autostatistician.describe.observe.table.several_classes import several_findings
from autostatistician.describe.words.claims import Statement
from autostatistician.describe.words.parts import part_name
from autostatistician.forms import json_format
from autostatistician.i18n.messages import language

__all__ = ["Decomposed", "Described", "answer", "document", "part_names", "parts", "result", "sentences", "statements"]

Decomposed = Decomposition | TableDecomposition
Described = Decomposed | SeveralClasses | ClustersFound
Model = TypeVar("Model")
Told = TypeVar("Told")

# What is told of a model, by the language in which it is told.
_PAGES: WeakKeyDictionary[Decomposed, dict[str, Page]] = WeakKeyDictionary()
_CLUSTERS: WeakKeyDictionary[ClustersFound, dict[str, ClusterFindings]] = WeakKeyDictionary()
_SEVERAL: WeakKeyDictionary[SeveralClasses, dict[str, SeveralPage]] = WeakKeyDictionary()


def _once(cache: WeakKeyDictionary[Model, dict[str, Told]], make: Callable[[Model], Told], model: Model) -> Told:
    """What is told of a model, made once in each language for as long as there is the model."""
    told = cache.setdefault(model, {})
    if language() not in told:
        told[language()] = make(model)
    return told[language()]


def _several(model: SeveralClasses) -> SeveralPage:
    """What is told of several classes."""
    return _once(_SEVERAL, _several_made, model)


def _several_made(model: SeveralClasses) -> SeveralPage:
    findings = several_findings(model)
    pages = zip(findings.each, model.each, strict=True)
    return SeveralPage(findings, tuple(class_page(each, scale_for(record)) for each, record in pages))


def _clusters(clusters: ClustersFound) -> ClusterFindings:
    """What is told of clusters."""
    return _once(_CLUSTERS, cluster_findings, clusters)


def _page(model: Decomposed) -> Page:
    """What is told of a series, of a table or of classes."""
    return _once(_PAGES, _page_made, model)


def _page_made(model: Decomposed) -> Page:
    """The one place that asks whether a model is of a series, of a table or of classes."""
    if isinstance(model, TableDecomposition) and model.classes:
        return class_page(class_findings(model), scale_for(model))
    if isinstance(model, TableDecomposition):
        return table_page(table_findings(model), scale_for(model))
    return series_page(series_findings(model), units_for(model))


def sentences(model: Described) -> tuple[str, ...]:
    """How the table was read, where that was chosen; one short sentence per part, and what else must be said."""
    if isinstance(model, ClustersFound):
        return cluster_sentences(_clusters(model))
    if isinstance(model, SeveralClasses):
        return several_sentences(_several(model))
    return sentences_of(_page(model))


def parts(model: Decomposed) -> tuple[tuple[PartFindings, str], ...]:
    """The additive parts of a model, each with its sentence."""
    page = _page(model)
    return tuple(zip(page.findings.parts, page.part_sentences(), strict=True))


def part_names(model: Decomposition) -> tuple[str, ...]:
    """What each part of a series is, without an article: "yearly cycle", "straight line"."""
    units = units_for(model)
    return tuple(part_name(part.facts, units) for part in series_findings(model).parts)


def document(model: Described) -> Document:
    """The whole report, in the language of the moment."""
    return replace(_document(model), language=language())


def _document(model: Described) -> Document:
    if isinstance(model, ClustersFound):
        return cluster_document(_clusters(model))
    if isinstance(model, SeveralClasses):
        return several_document(_several(model))
    return document_of(_page(model))


def answer(model: Decomposed | SeveralClasses, question: str, within: tuple[float, float] | None = None) -> Answer:
    """The answer of a model to one of a few questions; an `InputError` for another, or one that it cannot answer.

    ``within`` is the stretch of the axis that is asked about, of events.
    """
    page = _several(model) if isinstance(model, SeveralClasses) else _page(model)
    return answered(page, question, within)


def result(model: Described) -> dict[str, object]:
    """The JSON object of the command line."""
    if isinstance(model, ClustersFound):
        return cluster_record(_clusters(model))
    if isinstance(model, SeveralClasses):
        seconds = sum(each.fitted.seconds for each in model.each)
        return {"format": json_format("search"), **several_record(_several(model)), "seconds": seconds}
    return result_of(_page(model))


def statements(model: Described) -> tuple[Statement, ...]:
    """What the models that the search visited say, and how probable each statement is; others have no such models."""
    if isinstance(model, SeveralClasses):
        return several_statements(_several(model))
    return () if isinstance(model, ClustersFound) else _page(model).statements
