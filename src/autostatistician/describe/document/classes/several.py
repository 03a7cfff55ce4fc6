"""The page on several classes: what moves the chance of each, how well all are foreseen, and the pages on each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from autostatistician.claims.claim import Claim
from autostatistician.claims.kinds import FEW, SEVERAL, Form
from autostatistician.describe.axis.units import Scale
from autostatistician.describe.document.classes.page import OVER_TIME, ClassPage, class_page
from autostatistician.describe.document.document import (
    Block,
    Bullets,
    Figure,
    FirstScreen,
    Paragraph,
    Section,
    Table,
    result_of,
    sentences_of,
)
from autostatistician.describe.document.record import fact_json, stored
from autostatistician.describe.document.table.pictures import key_figure
from autostatistician.describe.document.table.sections import SURE_FORMS, found_section, listed_columns
from autostatistician.describe.facts.fact import Span
from autostatistician.describe.facts.findings import PartFindings, SeveralFindings
from autostatistician.describe.facts.judgement import ALARM
from autostatistician.describe.words.answers.questions import none_text, verdict_texts
from autostatistician.describe.words.chances import surprises_text
from autostatistician.describe.words.claims import Statement, Told
from autostatistician.describe.words.method import METHOD_OF_CLASSES, READING_OF_CLASSES
from autostatistician.describe.words.several_classes import (
    confused_text,
    foresight_of_several_text,
    no_class_text,
    nothing_of_several_text,
)
from autostatistician.describe.words.table_fit import most_share
from autostatistician.i18n.messages import say, sentence
from autostatistician.i18n.names import clean_name, quoted
from autostatistician.i18n.numbers import fixed, joined

__all__ = ["SeveralPage", "several_page"]

OF_WHOLE = ("format", "seconds", "warnings")  # what a record says of all classes together
MOST_PANELS = 4  # classes in the key picture
MOST_IN_TABLE = 12  # classes


@dataclass(frozen=True)
class SeveralPage:
    """What is told of several classes, and the page on each against the rest."""

    findings: SeveralFindings
    pages: tuple[ClassPage, ...]

    @property
    def leads(self) -> tuple[str, ...]:
        """What moves the chance of each class most, and by how much."""
        return tuple(page.lead for page in self.pages)

    @property
    def is_told(self) -> bool:
        """Whether anything was found that tells a class from the rest, as the best of all columns and classes."""
        columns = [claim for page in self.pages for claim in page.findings.columns]
        acting = [claim for claim in columns if claim.form in SURE_FORMS]
        of = len(columns) // len(self.pages)
        p = min((min(of * claim["p"], claim["p_beside_all"]) for claim in acting), default=1.0)
        return len(self.pages) * p < ALARM

    @property
    def ahead(self) -> tuple[str, ...]:
        """What comes of each class after the data of a series."""
        return tuple(text for page in self.pages if self.is_told for text in page.ahead_sentences())

    @property
    def foresight(self) -> str:
        """How well all are foreseen; that nothing was found where no class has an effect."""
        if not self.is_told:
            every = [page for page in self.pages if len(self.pages) * page.findings.together_p < ALARM]
            unclear = [page.nothing_text() for page in every]
            if unclear:
                return " ".join(unclear)
            return nothing_of_several_text(self.findings.foresight, self.findings.target, self.findings.usual)
        return foresight_of_several_text(self.findings.foresight, self.findings.target, self.findings.usual)

    @property
    def scale(self) -> Scale:
        """What the first class is told on."""
        return self.pages[0].scale

    @property
    def questions(self) -> tuple[str, ...]:
        """Those that the page on each class can answer."""
        return self.pages[0].questions

    def about(self, question: str, within: Span | None = None) -> Sequence[Told]:
        """Statements, facts on the effects over time of each class, or how well all are foreseen."""
        if question == "sure":
            return self.statements
        if question in OVER_TIME:
            return [fact for page in self.pages for fact in page.about(question)]
        return self.findings.foresight, *self.findings.confused

    def said(self, question: str, facts: Sequence[Told]) -> Sequence[str]:
        """The sentences that answer a question."""
        match question:
            case "what":
                return *self._abstract, self.foresight
            case "columns":
                return self.sentences()
            case "sure":
                return verdict_texts((), self.careful(), self.statements)
        each = (page.said(question, facts) or [none_text(question, page.scale)] for page in self.pages)
        return [text for texts in each for text in texts]

    def sentence(self, claim: Claim) -> str:
        """No claim has one of its own."""
        return ""

    @property
    def idle(self) -> str:
        """The columns of which it is not clear that they tell anything of any class."""
        idle: dict[str, list[Claim]] = {}
        for page in self.pages:
            told = page.story.beside
            for claim in page.findings.columns:
                if claim.form in (Form.MAY, Form.LITTLE) and claim not in told:
                    idle.setdefault(claim.columns[0], []).append(claim)
        of_all = {name: claims for name, claims in idle.items() if len(claims) == len(self.pages)}
        every = [claim for claims in of_all.values() for claim in claims]
        return (
            no_class_text([*of_all], most_share(every)) if 0 < len(of_all) < len(self.pages[0].findings.columns) else ""
        )

    @property
    def statements(self) -> tuple[Statement, ...]:
        """What the models of all classes say, each with the name of its class before it."""
        names = zip(self.findings.classes, self.pages, strict=True)
        every = ((quoted(name), told) for name, each in names for told in each.statements)
        return tuple(replace(told, text=_of(name, told.text)) for name, told in every)

    @property
    def _abstract(self) -> tuple[str, ...]:
        """What moves the chance of each class; how well all are foreseen where nothing does."""
        return self.leads[:MOST_PANELS] if self.is_told else (self.foresight,)

    @property
    def _points(self) -> tuple[str, ...]:
        """What is told of all classes together."""
        if not self.is_told:
            return ()
        confused = confused_text(self.findings.confused)
        return tuple(filter(None, (self.idle, *self.ahead, self.foresight, confused)))

    def sentences(self) -> tuple[str, ...]:
        """What moves the chance of each class; how well all are foreseen."""
        if not self.is_told:
            return (self.foresight,)
        texts = [text for each in self.pages for text in (each.lead, *_more_texts(1, each))]
        return tuple(filter(None, (*texts, *self._points)))

    def subtitle(self) -> str:
        """How many rows there are, and how many of each class."""
        counts = [
            sentence("table.rows_of", n=fixed(number, 0), name=quoted(name))
            for name, number in zip(self.findings.classes, self.findings.counts, strict=True)
        ]
        first, target = self.pages[0], quoted(self.findings.target)
        return sentence(
            "table.several", n=fixed(first.findings.n, 0), target=target, counts=joined(counts),
            columns=first.inputs_text(),
        )  # fmt: skip

    def first(self) -> FirstScreen:
        """What moves the chance of the most frequent class, then those of the others."""
        told, counts = list(self._abstract), self.findings.counts
        headline = told.pop(counts.index(max(counts[:MOST_PANELS])) if self.is_told else 0)
        alike = next((each.alike for each in self.pages if self.is_told and each.alike), ())
        return FirstScreen(headline, _overview(self), (*told, *self._points, *alike), self.careful())

    def careful(self) -> tuple[str, ...]:
        """What holds for all classes once, what holds for some with their names."""
        return _shared(self.findings.classes, [each.careful() for each in self.pages])

    def sections(self) -> tuple[Section, ...]:
        """What else is told of each class, and what comes."""
        numbered = enumerate(self.pages if self.is_told else (), 1)
        return (*(_of_class(number, each) for number, each in numbered if _more_texts(number, each)), *_ahead(self))

    def found(self) -> tuple[Section, ...]:
        """How well rows are foreseen, and the columns and the search of each class."""
        method = (*map(say, METHOD_OF_CLASSES), sentence("classes.method"), say(READING_OF_CLASSES))
        return (
            _foreseen(self.findings),
            *(_found_of_class(number, each) for number, each in enumerate(self.pages, 1)),
            Section("method", say("How the method works"), tuple(map(Paragraph, method))),
        )

    def parts(self) -> tuple[tuple[PartFindings, str], ...]:
        """None: those of each class are on the page of that."""
        return ()

    def record(self) -> dict[str, object]:
        """Everything stated, for machines; under ``each`` the record of every class against the rest."""
        return _record(self)


def _of(name: str, text: str) -> str:
    """What is said of some classes alone, after their names."""
    return sentence("table.of", name=name, text=text)


def _record(page: SeveralPage) -> dict[str, object]:
    findings, out, searches = page.findings, page.findings.foresight, page.findings.searches
    each = {}
    for name, one in zip(findings.classes, page.pages, strict=True):
        each[name] = {key: value for key, value in result_of(one).items() if key not in OF_WHOLE}
    ahead = (
        replace(each.ahead, id=f"class-{number}/{each.ahead.id}")
        for number, each in enumerate(findings.each, 1)
        if each.ahead is not None
    )
    claims = (out, *findings.confused, *ahead, *findings.surprises)
    return {
        "expression": "; ".join(
            f"{name}: {search.expression}" for name, search in zip(findings.classes, searches, strict=True)
        ),
        "target": findings.target,
        "classes": list(findings.classes),
        "inputs": [column.name for column in findings.each[0].inputs],
        "n": findings.each[0].n,
        "nll": stored(sum(search.nll for search in searches)),
        "bic": stored(sum(search.bic for search in searches)),
        "n_parameters": sum(search.n_parameters for search in searches),
        "evaluations": sum(search.evaluations for search in searches),
        "log_score": stored(out.value),
        "log_score_of_share": stored(out["of_share"]),
        "wrong": stored(out["wrong"]),
        "wrong_of_share": stored(out["wrong_of_share"]),
        "sentences": list(sentences_of(page)),
        "warnings": list(findings.warnings),
        "search": {"complete": not any(search.cut for search in searches)},
        "facts": [fact_json(claim) for claim in claims],
        "each": each,
    }


def several_page(findings: SeveralFindings, scales: Sequence[Scale]) -> SeveralPage:
    """The page on what is known of several classes, each told on a scale of its own."""
    return SeveralPage(findings, tuple(map(class_page, findings.each, scales)))


# --- the sections -----------------------------------------------------------------------------------------------------


def _more_texts(number: int, page: ClassPage) -> tuple[str, ...]:
    """What is told of a class beside what stands at the top of the page."""
    first = 1 if number <= MOST_PANELS else 0
    return (*page.story.sentences[first:FEW], *page.story.hints)


def _overview(page: SeveralPage) -> Figure | None:
    """The largest effect on each class side by side."""
    shown = [(name, each) for name, each in zip(page.findings.classes, page.pages, strict=True) if each.story.effects]
    shown = shown[:MOST_PANELS]
    if not shown:
        return None
    first = [(name, key_figure([each.story.effects[0].effect], each.scale)) for name, each in shown]
    panels = [replace(figure.panels[0], title=quoted(name)) for name, figure in first if figure is not None]
    names = joined([quoted(name) for name, _ in shown])
    caption, alt = sentence("picture.each_class", names=names), sentence("picture.panels", names=names)
    return Figure("fig-overview", caption, alt, tuple(panels))


def _of_class(number: int, page: ClassPage) -> Section:
    """What the page on a class against the rest says of its effects."""
    title = sentence("table.tells", name=quoted(page.scale.event))
    return Section(f"class-{number}", title, (Bullets(_more_texts(number, page)),))


def _found_of_class(number: int, page: ClassPage) -> Section:
    """The columns of a class against the rest, and how its model was found."""
    columns = [section for section in page.sections() if section.id == "columns"]
    inner = tuple(_prefixed(section, f"class-{number}") for section in (*columns, found_section(page.story)))
    return Section(f"class-{number}-how", quoted(page.scale.event), (), inner)


def _prefixed(section: Section, prefix: str) -> Section:
    """The section with names that are no other's."""
    return replace(
        section,
        id=f"{prefix}-{section.id}",
        blocks=tuple(_with_prefix(block, prefix) for block in section.blocks),
        sections=tuple(_prefixed(inner, prefix) for inner in section.sections),
    )


def _with_prefix(block: Block, prefix: str) -> Block:
    match block:
        case Figure() | Table():
            return replace(block, id=f"{prefix}-{block.id}")
        case Paragraph():
            return replace(block, facts=tuple(f"{prefix}/{fact}" for fact in block.facts))
        case Bullets():
            return replace(block, links=tuple(link and f"{prefix}-{link}" for link in block.links))
    return block


def _ahead(page: SeveralPage) -> tuple[Section, ...]:
    """What comes after the data, class by class; none where they have no order in time."""
    every = [(number, section) for number, each in enumerate(page.pages, 1) for section in each.sections()]
    ahead = [(number, block) for number, section in every if section.id == "ahead" for block in section.blocks]
    blocks = tuple(_with_prefix(block, f"class-{number}") for number, block in ahead)
    return (Section("ahead", say("Forecast"), blocks),) if blocks else ()


def _foreseen(findings: SeveralFindings) -> Section:
    surprises = surprises_text(findings.surprises)
    table = (_taken_table(findings),) if len(findings.classes) <= MOST_IN_TABLE else ()
    blocks = (*table, Paragraph(surprises, tuple(fact.id for fact in findings.surprises)))
    return Section("checks", sentence("table.foreseen"), blocks)


def _taken_table(findings: SeveralFindings) -> Table:
    names = tuple(map(clean_name, findings.classes))
    rows = tuple((name, *map(str, counts)) for name, counts in zip(names, findings.taken, strict=True))
    caption = sentence("table.taken")
    return Table("table-taken", caption, (sentence("table.came"), *names), rows, (False, *[True] * len(names)))


def _shared(names: Sequence[str], items: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Sentences on classes, each once: those on some after the names of these, those on all without.

    >>> _shared(["a", "b"], [["This.", "That."], ["That."]])
    ("'a': This.", 'That.')
    """
    told: list[str] = []
    single = 0
    for text in dict.fromkeys(text for each in items for text in each):
        of = [name for name, each in zip(names, items, strict=True) if text in each]
        if len(of) == len(names):
            told.append(text)
        elif single < SEVERAL:
            single += 1
            told.append(_of(listed_columns(of), text))
    return tuple(told)
