"""One protocol for the report on a model, be it of a series or of a table, and what is made of it."""

from __future__ import annotations

from typing import Protocol

from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.document.document import Document, Section
from autostatistician.describe.document.record import fact_json, stored
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.findings import Findings
from autostatistician.describe.facts.judgement import MAJORITY
from autostatistician.describe.words.claims import Statement
from autostatistician.describe.words.method import citations
from autostatistician.forms import SEARCH_FORMAT
from autostatistician.wording.messages import say
from autostatistician.wording.names import clean_name

__all__ = ["Page", "document_of", "record_of", "result_of", "sentences_of"]

_NAMELESS = "data"  # the name of data sets that were given none


class Page(Protocol):
    """What is told of a model of either kind."""

    @property
    def findings(self) -> Findings:
        """All that is known of it."""

    @property
    def scale(self) -> Scale:
        """What its amounts are told on."""

    @property
    def statements(self) -> tuple[Statement, ...]:
        """What the models that the search visited say."""

    @property
    def facts(self) -> tuple[Fact, ...]:
        """All facts, as records list them."""

    def sentences(self) -> tuple[str, ...]:
        """One short sentence per part, and what else must be said."""

    def part_sentences(self) -> tuple[str, ...]:
        """One sentence for each part of the model, also of those too small for the report."""

    def subtitle(self) -> str:
        """What the data are."""

    def abstract(self) -> str:
        """The report in a few sentences."""

    def sections(self) -> tuple[Section, ...]:
        """The report itself, in the order of reading."""

    def part_records(self) -> dict[str, object]:
        """The parts, as plain values."""

    def fit_records(self) -> dict[str, object]:
        """How well the model fits, as plain values."""


def sentences_of(page: Page) -> tuple[str, ...]:
    """How the table was read, where that was chosen; one short sentence per part, and what else must be said."""
    choice = page.findings.choice
    return (*((choice,) if choice else ()), *page.sentences())


def document_of(page: Page) -> Document:
    """The whole report.

    Texts, tables and figures depend on the data and the model alone, never on how long the search took.
    """
    findings, name = page.findings, clean_name(page.findings.name)
    return Document(
        title=say("Automatic report on {name}", name=name if name != _NAMELESS else page.scale.it),
        subtitle=page.subtitle(),
        abstract=page.abstract(),
        sections=page.sections(),
        warnings=tuple(warning for warning in findings.warnings if warning != findings.choice),
        choice=findings.choice,
        record=record_of(page),
        citations=citations(findings.search),
    )


def result_of(page: Page) -> dict[str, object]:
    """The JSON object of the command line: the record of the report with the seconds that the search took."""
    return {"format": SEARCH_FORMAT, **record_of(page), "seconds": page.findings.search.seconds}


def record_of(page: Page) -> dict[str, object]:
    """Everything stated, for machines. Seconds are left out: the same data and seed give the same bytes."""
    findings, search = page.findings, page.findings.search
    return {
        "expression": search.expression,
        **page.part_records(),
        "nll": stored(search.nll),
        "bic": stored(search.bic),
        "n_parameters": search.n_parameters,
        "n": findings.n,
        "evaluations": search.evaluations,
        **page.fit_records(),
        "warnings": list(findings.warnings),
        "transform": findings.transform,
        "search": {"complete": not search.cut, "cut": search.cut.value or None, "levels": search.levels},
        "statements": [
            {"text": statement.text, "probability": stored(statement.probability), "in_best": statement.in_best}
            for statement in page.statements
            if statement.probability >= MAJORITY
        ],
        "facts": [fact_json(fact) for fact in page.facts],
    }
