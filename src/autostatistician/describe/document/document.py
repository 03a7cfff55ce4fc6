"""The report as plain data: sections, paragraphs, tables and figures, before any rendering."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from autostatistician.claims.claim import Claim
from autostatistician.describe.axis.units import Scale
from autostatistician.describe.document.record import fact_json, stored
from autostatistician.describe.facts.fact import Fact, Span
from autostatistician.describe.facts.findings import Findings, PartFindings, WholeFindings
from autostatistician.describe.facts.judgement import MAJORITY
from autostatistician.describe.words.claims import Statement, Told
from autostatistician.describe.words.method import citations
from autostatistician.forms import Format, json_format
from autostatistician.i18n.messages import ENGLISH, say
from autostatistician.i18n.names import clean_name, quoted

__all__ = [
    "LONGEST_CELL", "LONGEST_NAME", "MOST_BARS", "QuestionPage", "Band", "Block", "Bullets", "Document", "Figure",
    "FirstScreen", "Line", "Marker", "Page", "Panel", "Paragraph", "Points", "Section", "Table", "document_of",
    "reading_order", "record_of", "result_of", "sentences_of",
]  # fmt: skip


# Positions on the horizontal axis: float64 numbers or datetime64 times.
Positions = NDArray[np.float64] | NDArray[np.datetime64]

LONGEST_NAME, LONGEST_CELL = 24, 40  # letters of a name in a picture, and in a table
MOST_BARS = 20

_NAMELESS = "data"  # the name of data sets that were given none


@dataclass(frozen=True, eq=False)
class Points:
    """Single observations. ``names``, where there are any, are written beside the points, one for each.

    Those of the ``role`` "aside", which the model was made without, have a mark of their own.
    """

    x: Positions
    y: NDArray[np.float64]
    label: str
    names: tuple[str, ...] = ()
    role: str = ""


@dataclass(frozen=True, eq=False)
class Line:
    """A curve. ``role`` picks the style: "mean", "earlier", "sample" or "forecast"."""

    x: Positions
    y: NDArray[np.float64]
    label: str
    role: str = "mean"


@dataclass(frozen=True, eq=False)
class Band:
    """A range around a curve. ``role`` picks the style: "signal", "observation" or "forecast"."""

    x: Positions
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    label: str
    role: str = "signal"


@dataclass(frozen=True)
class Marker:
    """A vertical line at a position (the end of the data, a change). ``x``: a number or an ISO 8601 time."""

    x: float | str
    label: str


@dataclass(frozen=True, eq=False)
class Panel:
    """One set of axes: layers drawn in order.

    ``x_ticks`` names places on the horizontal axis (else round numbers or dates stand there). With ``logarithmic`` the
    vertical axis is one of equal ratios; everything on it must be above zero. With ``counts`` it is named at whole
    numbers alone.
    """

    title: str
    x_label: str
    y_label: str
    layers: tuple[Points | Line | Band | Marker, ...]
    x_ticks: tuple[tuple[float, str], ...] = field(default=(), kw_only=True)
    logarithmic: bool = field(default=False, kw_only=True)
    counts: bool = field(default=False, kw_only=True)


@dataclass(frozen=True, eq=False)
class Figure:
    """One or more panels side by side, with a caption and the text for those who cannot see it."""

    id: str
    caption: str
    alt: str
    panels: tuple[Panel, ...]


@dataclass(frozen=True)
class Paragraph:
    """Sentences, with the ids of the facts they state (provenance)."""

    text: str
    facts: tuple[str, ...] = ()
    emphasis: bool = False  # set apart, as the lead of the report or a warning to the reader


@dataclass(frozen=True)
class Bullets:
    """A list of short statements; ``links`` holds for each the id of a section it leads to ("" for none)."""

    items: tuple[str, ...]
    links: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    """A small table of texts (numbers are already rounded for people), without columns that no row has a text for.

    >>> Table("a", "", ("time", "chance"), (("1638", ""), ("1642", "")), (False, True)).header
    ('time',)
    """

    id: str
    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: tuple[bool, ...]  # per column: right-aligned
    notes: str = ""

    def __post_init__(self) -> None:
        kept = [any(cells) for cells in zip(*self.rows, strict=True)] or [True] * len(self.header)
        for name, cells in (("header", self.header), ("numeric", self.numeric)):
            object.__setattr__(self, name, tuple(compress(cells, kept)))
        object.__setattr__(self, "rows", tuple(tuple(compress(row, kept)) for row in self.rows))


Block = Paragraph | Bullets | Table | Figure


@dataclass(frozen=True)
class Section:
    """A titled part of the document; ``folded`` ones may be shown collapsed (details for those who want them)."""

    id: str
    title: str
    blocks: tuple[Block, ...]
    sections: tuple[Section, ...] = ()
    folded: bool = False


@dataclass(frozen=True, eq=False)
class FirstScreen:
    """What everybody reads: one sentence on what matters most, a picture, short ``points``, and what to mind.

    The points say what it is, what happened or what acts, and what comes, each with its amounts. A page says nothing
    else that they say already.
    """

    headline: str
    picture: Figure | None = None
    points: tuple[str, ...] = ()
    careful: tuple[str, ...] = ()


@dataclass(frozen=True)
class Document:
    """A whole report: the first screen, sections, how it was ``found``, and the machine-readable record.

    The headline is its ``abstract``. The sections say what acts, what comes and how sure that is; those of ``found``
    stand behind a single link, after which come warnings and sources. Its texts are in one ``language``, in which it is
    rendered.
    """

    title: str
    subtitle: str
    abstract: str
    sections: tuple[Section, ...]
    warnings: tuple[str, ...] = ()
    record: dict[str, object] = field(default_factory=dict)  # JSON-ready: the object `--json` prints
    citations: tuple[str, ...] = ()
    choice: str = ""  # how the table was read, where that had to be chosen: said before all else
    language: str = ENGLISH
    picture: Figure | None = None
    points: tuple[str, ...] = ()
    careful: tuple[str, ...] = ()
    found: tuple[Section, ...] = ()


def reading_order(document: Document) -> tuple[Section, ...]:
    """Every section below the first screen's points: what to mind, the report itself, and how it was found, folded.

    >>> made = Document("t", "", "", (Section("s", "S", ()),), ("a note",), careful=("a doubt",))
    >>> [section.id for section in reading_order(made)], reading_order(made)[-1].sections[0].title
    (['careful', 's', 'found'], 'Please note')
    """
    mind = Section("careful", say("What to be careful with"), (Bullets(document.careful),))
    notes = Section("page-notes", say("Please note"), (Bullets(document.warnings),))
    sources = Section("page-sources", say("Sources"), (Bullets(document.citations),))
    ends = [*([notes] if document.warnings else []), *([sources] if document.citations else [])]
    found = Section("found", say("How this was found"), (), (*document.found, *ends), folded=True)
    return (*([mind] if document.careful else []), *document.sections, *([found] if found.sections else []))


# --- One protocol for the report on a series, a table or classes, and what is made of it ----------------------------


class QuestionPage(Protocol):
    """A page that answers questions: what it can be asked, and what its answers are made from."""

    @property
    def scale(self) -> Scale:
        """What its amounts are told on."""

    @property
    def questions(self) -> tuple[str, ...]:
        """Those that it can answer."""

    def about(self, question: str, within: Span | None = None) -> Sequence[Told]:
        """The facts, claims or statements that a question asks for, of what happened those ``within`` a stretch."""

    def said(self, question: str, facts: Sequence[Told]) -> Sequence[str]:
        """The sentences that answer a question with some of these."""

    def sentence(self, claim: Claim) -> str:
        """A claim in a sentence of its own; "" of those that have none."""


class Page(QuestionPage, Protocol):
    """What is told of a series, a table, or classes."""

    @property
    def findings(self) -> WholeFindings:
        """What is known of the data set and how its models were found."""

    @property
    def statements(self) -> tuple[Statement, ...]:
        """What the models that the search visited say."""

    def sentences(self) -> tuple[str, ...]:
        """One short sentence per part, and what else must be said."""

    def subtitle(self) -> str:
        """What the data are."""

    def first(self) -> FirstScreen:
        """What everybody reads."""

    def sections(self) -> tuple[Section, ...]:
        """What acts, what comes and how sure that is, in the order of reading."""

    def found(self) -> tuple[Section, ...]:
        """The model, its parts, checks and numbers, and how it was found, for those who want to know."""

    def parts(self) -> tuple[tuple[PartFindings, str], ...]:
        """The additive parts of its model, also those too small for the report, each with a sentence."""

    def record(self) -> dict[str, object]:
        """Everything stated, for machines. Seconds are left out: the same data and seed give the same bytes."""


def sentences_of(page: Page) -> tuple[str, ...]:
    """How the table was read, where that was chosen; one short sentence per part, and what else must be said."""
    choice = page.findings.choice
    return (*((choice,) if choice else ()), *page.sentences())


def document_of(page: Page) -> Document:
    """The whole report.

    Texts, tables and figures depend on the data and the model alone, never on how long the search took.
    """
    findings, name, first = page.findings, clean_name(page.findings.name), page.first()
    target = quoted(page.scale.target) if page.scale.is_class else page.scale.it
    return Document(
        title=say("Automatic report on {name}", name=name if name != _NAMELESS else target),
        subtitle=page.subtitle(),
        abstract=first.headline,
        picture=first.picture,
        points=first.points,
        careful=first.careful,
        sections=page.sections(),
        found=page.found(),
        warnings=tuple(warning for warning in findings.warnings if warning != findings.choice),
        choice=findings.choice,
        record=page.record(),
        citations=tuple(dict.fromkeys(text for search in findings.searches for text in citations(search))),
    )


def result_of(page: Page) -> dict[str, object]:
    """The JSON object of the command line: the record of the report with the seconds that the search took."""
    seconds = sum(search.seconds for search in page.findings.searches)
    return {"format": json_format(Format.SEARCH), **page.record(), "seconds": seconds}


def record_of(
    findings: Findings, facts: Sequence[Fact | Claim], statements: Sequence[Statement], scale: Scale, *,
    parts: Mapping[str, object], fit: Mapping[str, object],
) -> dict[str, object]:  # fmt: skip
    """Everything stated on one model, for machines, with its ``parts`` and how well they ``fit``."""
    search = findings.search
    return {
        "expression": search.expression,
        **parts,
        "nll": stored(search.nll),
        "bic": stored(search.bic),
        "n_parameters": search.n_parameters,
        "n": findings.n,
        "evaluations": search.evaluations,
        **fit,
        "warnings": list(findings.warnings),
        "transform": findings.transform,
        "search": {"complete": not search.cut, "cut": search.cut.value or None, "levels": search.levels},
        "statements": [
            {"text": statement.text, "probability": stored(statement.probability), "in_best": statement.in_best}
            for statement in statements
            if statement.probability >= MAJORITY
        ],
        "facts": [fact_json(fact, scale) for fact in facts],
    }
