"""What the pages on tables of numbers and of classes share: what acts, the table of columns, how it was found."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from autostatistician.claims.claim import Claim, first
from autostatistician.claims.kinds import FEW, SEVERAL, Form, Kind
from autostatistician.describe.axis.units import Scale
from autostatistician.describe.document.document import Block, Figure, FirstScreen, Paragraph, Section, record_of
from autostatistician.describe.document.record import stored
from autostatistician.describe.document.search import search_section
from autostatistician.describe.document.table.pictures import curve_figure, joint_figures, key_figure
from autostatistician.describe.document.table.tables import columns_table, numbers_table
from autostatistician.describe.document.verdict import beside_the_parts, sureness_section
from autostatistician.describe.facts.fact import Fact, Span
from autostatistician.describe.facts.findings import ColumnFindings, EffectFindings, TableFindings
from autostatistician.describe.facts.judgement import (
    ALARM,
    KNOWN,
    acting_together,
    clear_courses,
    effect_of,
    leans,
    manner_of,
    pair_of,
)
from autostatistician.describe.facts.kinds import Manner
from autostatistician.describe.words.answers.questions import verdict_texts
from autostatistician.describe.words.claims import Statement, Told, statements
from autostatistician.describe.words.effects import (
    beside_pair_texts,
    beside_text,
    by_itself_text,
    effect_text,
    effect_texts,
)
from autostatistician.describe.words.search import fit_text
from autostatistician.describe.words.table_fit import (
    column_text,
    copy_text,
    from_exact_text,
    most_share,
    no_columns_text,
    one_of_text,
)
from autostatistician.forms import INDICATOR
from autostatistician.i18n.messages import say, sentence
from autostatistician.i18n.names import quoted
from autostatistician.i18n.numbers import capital, count, fixed, joined

__all__ = [
    "SURE_FORMS",
    "ColumnPage",
    "TableStory",
    "ToldEffect",
    "found_section",
    "listed_columns",
    "rest_texts",
    "story_of",
]


_MOST_SHOWN = 8  # columns by name, and effects with a picture of their own
SURE_FORMS = (Form.MATTERS, Form.EITHER)


@dataclass(frozen=True)
class ToldEffect:
    """One effect that surely acts, with its words, what matters most first."""

    effect: EffectFindings
    sentences: tuple[str, ...]

    @property
    def figures(self) -> Iterator[str]:
        """The kinds of pictures that it has."""
        if manner_of(self.effect.claims) in (Manner.PAIR, Manner.MORE, Manner.VAGUE, Manner.OPEN):
            yield "joint"
        if clear_courses(self.effect.claims) or len(self.effect.columns) == 1:
            yield "curve"


@dataclass(frozen=True)
class TableStory:
    """All that the sections are made from; the effects that surely act, first those with a clear course."""

    findings: ColumnFindings
    scale: Scale
    effects: tuple[ToldEffect, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is told of the effects."""
        return tuple(text for effect in self.effects for text in effect.sentences)

    def named(self, *forms: Form) -> list[str]:
        """The columns of which so much is told."""
        return [claim.columns[0] for claim in self.findings.columns if claim.form in forms]

    @cached_property
    def hints(self) -> tuple[str, ...]:
        """What is told of single columns without an effect: near copies, and those that may act."""
        said = {name for told in self.effects for name in told.effect.columns}
        texts = []
        for claim in self.findings.columns:
            if claim.form == Form.EITHER and not said & {*_copies(claim)}:
                texts.append(f"{one_of_text(claim, self.scale)}.")
                said |= {*_copies(claim)}
        sure = {*self.named(*SURE_FORMS)}
        missed = {
            tuple(sorted((*claim.columns, other)))
            for claim in self.findings.columns
            for other in claim.others["missed"]
            if {*claim.columns, other} <= sure
        }
        texts += [
            sentence("column.missed", columns=joined(list(map(self.scale.column, pair)))) for pair in sorted(missed)
        ]
        texts += [beside_text(claim, self.scale, len(self.findings.columns)) for claim in self.beside]
        others = [claim for claim in self.findings.columns if claim.form in (Form.MAY, Form.LITTLE)]
        texts += [copy_text(claim) for claim in others if claim.of(Kind.COPY)][:FEW]
        return tuple(texts)

    @property
    def unsaid(self) -> tuple[str, ...]:
        """The same with the columns that are open, and those that add nothing."""
        others = [claim for claim in self.findings.columns if claim.form in (Form.MAY, Form.LITTLE)]
        others = [claim for claim in others if claim not in self.beside and not claim.of(Kind.COPY)]
        unsure, idle = ([claim for claim in others if claim.form == form] for form in (Form.MAY, Form.LITTLE))
        return (*self.hints, *rest_texts(unsure), *rest_texts([] if self.findings.search.cut else idle))

    @cached_property
    def beside(self) -> list[Claim]:
        """Columns that act, or may, by the rows alone, though no effect shows them."""
        every, said = self.findings.columns, {name for told in self.effects for name in told.effect.columns}
        said |= {name for claim in every if claim.form == Form.EITHER for name in _copies(claim)}
        acting = [claim for claim in every if claim.form == Form.MATTERS and claim.columns[0] not in said]
        may = [claim for claim in every if claim.form == Form.MAY and not claim.of(Kind.COPY) and leans(claim)]
        seen = [claim for claim in may if claim.of(Kind.COURSE) or claim["p_single"] < ALARM]
        return acting + sorted(seen, key=lambda claim: (-(claim.probability or 0.0), claim["p_single"]))[:FEW]


def rest_texts(claims: Sequence[Claim]) -> list[str]:
    """What is told of columns that are open, or add next to nothing, at once; nothing of none."""
    if not claims:
        return []
    names = listed_columns([claim.columns[0] for claim in claims])
    known, form = all(claim.number.high < 1.0 for claim in claims), claims[0].form
    return [sentence("columns.rest", form=form, n=len(claims), known=known, columns=names, most=most_share(claims))]


def _copies(claim: Claim) -> tuple[str, ...]:
    """A column with its near copies."""
    return (*claim.columns, *claim.others.get("instead", ()))


def story_of(findings: ColumnFindings, scale: Scale) -> TableStory:
    """The effects of a table in words, each column with the near copies that the data do not tell from it."""
    alike = [(claim, copy) for claim in findings.columns if claim.form == Form.EITHER for copy in claim.of(Kind.COPY)]
    scale = replace(scale, copies=tuple((claim.columns[0], copy.columns[0], copy.value) for claim, copy in alike))
    known = {claim.columns[0]: claim for claim in findings.columns if claim.form in SURE_FORMS}
    every: list[tuple[bool, float, ToldEffect]] = []
    copies: set[str] = set()
    for effect in findings.effects:
        columns = [known[name] for name in effect.columns if name in known]
        if not columns or copies.issuperset(effect.columns):
            continue
        copies |= {name for claim in columns for name in claim.others.get("instead", ())}
        effect = replace(effect, claims=tuple(_sure_claims(effect.claims, known, scale)))
        is_vague = first(effect.claims, Kind.COURSE) is not None and not clear_courses(effect.claims)
        line = line_text(columns[0], scale, len(findings.columns)) if is_vague and len(effect.columns) == 1 else ""
        texts, beside = effect_texts(effect.claims, scale), beside_pair_texts(effect.claims, scale)
        main = max(columns, key=lambda claim: claim.value)
        texts = (*texts, *beside) if main.columns[0] in pair_of(effect.claims) else (*beside, *texts)
        every.append((is_vague, -main.value, ToldEffect(effect, (line,) if line else texts)))
    every.sort(key=lambda entry: entry[:2])
    return TableStory(findings, scale, tuple(effect for _, _, effect in every))


def line_text(claim: Claim, scale: Scale, of: int) -> str:
    """Which way a column acts whose course in the model is not clear, by a line beside the others, or by itself."""
    if claim.of(Kind.COURSE):
        return beside_text(claim, scale, of)
    return by_itself_text(claim, scale) if "goes along" in claim.marks and "categories" not in claim.marks else ""


def _sure_claims(claims: Sequence[Claim], sure: Container[str], scale: Scale) -> Iterator[Claim]:
    """Without the courses of columns that are open, and averages over another one that turns an effect round."""
    pair = () if scale.is_class else pair_of(claims)
    together = first(claims, Kind.TOGETHER)
    least = 0.5 * abs(together.value) if pair and together is not None else 0.0
    for claim in claims:
        turned = claim.columns[0] in pair and abs(claim.value) < least
        if claim.kind is not Kind.COURSE or (claim.columns[0] in sure and not turned):
            yield claim


@dataclass(frozen=True)
class ColumnPage:
    """What pages on tables of numbers and of classes have in common."""

    findings: ColumnFindings
    scale: Scale
    story: TableStory

    @property
    def effect_facts(self) -> tuple[Claim, ...]:
        """The claims on the columns, and on the effects that are told."""
        of_effects = (claim for told in self.story.effects for claim in told.effect.claims)
        return (*self.findings.columns, *of_effects)

    @property
    def statements(self) -> tuple[Statement, ...]:
        """What models say of columns, as far as it is known at all."""
        return statements([claim for claim in self.findings.claims if (claim.probability or 0.0) >= KNOWN])

    @property
    def questions(self) -> tuple[str, ...]:
        """Those that it can answer."""
        return ("what", "columns", "sure")

    @property
    def facts(self) -> tuple[Fact | Claim, ...]:
        """All facts."""
        raise NotImplementedError

    def about(self, question: str, within: Span | None = None) -> Sequence[Told]:
        """Statements, or all facts; nothing of a table is asked for ``within`` a stretch."""
        return self.statements if question == "sure" else self.facts

    def said(self, question: str, facts: Sequence[Told]) -> Sequence[str]:
        """The sentences that answer a question."""
        match question:
            case "what":
                return (self.lead, *self.alike)
            case "sure":
                return verdict_texts((), self.careful(), self.statements)
        return self.sentences()

    def sentence(self, claim: Claim) -> str:
        """No claim has one of its own."""
        return ""

    def parts(self) -> tuple[tuple[EffectFindings, str], ...]:
        """The effects, also those too small for the report, each with a sentence."""
        return tuple((effect, effect_text(effect.claims, self.scale)) for effect in self.findings.parts)

    def inputs_text(self) -> str:
        """How many columns there are, and their names, but for those that say where others have no value."""
        names = [column.name for column in self.findings.inputs if column.levels != INDICATOR]
        return sentence("table.columns", n=len(names), names=listed_columns(names))

    def nothing_text(self) -> str:
        """That no column acts."""
        return no_columns_text(self.findings.columns, self.scale, together=self.findings.seen_together)

    def well_texts(self) -> tuple[str, ...]:
        """How well the target is foreseen."""
        raise NotImplementedError

    def careful(self) -> tuple[str, ...]:
        """What to be careful with."""
        raise NotImplementedError

    def checks(self) -> tuple[Block, ...]:
        """What the checks say, for those who want to know."""
        raise NotImplementedError

    @property
    def lead(self) -> str:
        """What matters most, with its amount."""
        texts = [*self.story.sentences[:1]] or list(self.story.unsaid[:1])
        return texts[0] if texts and self._sure else self.nothing_text()

    @property
    def alike(self) -> tuple[str, ...]:
        """That amounts are beside those of the other columns."""
        return (sentence("effect.alike"),) if len(self.story.effects) > 1 else ()

    @property
    def _sure(self) -> bool:
        return bool(self.story.named(*SURE_FORMS))

    def more_texts(self) -> tuple[str, ...]:
        """What else acts, what does not, and how well the target is foreseen."""
        story = self.story
        others = [*story.sentences[1:SEVERAL]]
        more = len(story.sentences) - SEVERAL
        others += [sentence("table.more_effects", n=more, number=capital(count(more)))] if more > 0 else []
        said = self.lead
        return (*others, *(text for text in story.unsaid if text not in said), *self.well_texts())

    def sentences(self) -> tuple[str, ...]:
        """One short sentence per effect, on the scatter, and on the columns that do not matter."""
        effects = self.story.sentences
        nothing = () if effects or self._sure else (self.nothing_text(),)
        return (*nothing, *effects, *self.story.unsaid, *self.well_texts())

    def first(self) -> FirstScreen:
        """What matters most, its picture, what else acts, and what to be careful with."""
        key = key_figure([told.effect for told in self.story.effects], self.scale)
        return FirstScreen(self.lead, key, (*self.more_texts(), *self.alike), self.careful())

    def sections(self) -> tuple[Section, ...]:
        """The columns with what each does, and the pictures of effects that the first screen does not show whole."""
        findings = self.findings
        told = [told.effect for told in self.story.effects]
        table = columns_table(findings.columns, findings.inputs, told, self.scale)
        return (Section("columns", say("Columns"), (table, *self._figures())),)

    def _figures(self) -> Iterator[Figure]:
        """The pictures of the effects that the key picture does not show whole."""
        for told in self.story.effects[:_MOST_SHOWN]:
            kinds = [*told.figures]
            if "joint" in kinds:
                yield from joint_figures(told.effect, self.scale)
            elif len(told.effect.columns) > 1 or told in self.story.effects[3:]:
                yield curve_figure(told.effect, self.scale)

    def found(self) -> tuple[Section, ...]:
        """How sure the model is, its checks and numbers, and how it was found."""
        return (
            *_sureness(self.story),
            Section("checks", say("Model checks"), self.checks()),
            found_section(self.story),
            Section("method", say("How the method works"), tuple(Paragraph(say(text)) for text in self.method())),
        )

    def method(self) -> tuple[str, ...]:
        """The method in paragraphs, in English."""
        raise NotImplementedError

    def record(self) -> dict[str, object]:
        """Everything stated, for machines."""
        parts = {
            "target": self.scale.target,
            **self.class_records(),
            "inputs": [column.name for column in self.findings.inputs],
            "components": [_effect_record(effect) for effect in self.story.effects],
            "columns": [_column_record(claim, self.scale) for claim in self.findings.columns],
        }
        fit = self.fit_records()
        return record_of(self.findings, self.facts, self.statements, self.scale, parts=parts, fit=fit)

    def class_records(self) -> dict[str, object]:
        """The classes, where there are some."""
        return {}

    def fit_records(self) -> dict[str, object]:
        """How well the model fits."""
        raise NotImplementedError


def _effect_record(worded: ToldEffect) -> dict[str, object]:
    """An effect as plain values."""
    claims = worded.effect.claims
    return {
        "expression": worded.effect.expression,
        "columns": list(worded.effect.columns),
        "sentence": " ".join(worded.sentences),
        "share": stored(effect_of(claims).value),
        "manner": manner_of(claims).value,
        "together": list(acting_together(claims)),
    }


def _column_record(claim: Claim, scale: Scale) -> dict[str, object]:
    """What is known of a column as plain values."""
    return {
        "name": claim.columns[0],
        "told": claim.form,
        "sentence": column_text(claim, scale),
        "relevance": stored(claim.number.value),
        "probability": stored(claim.probability or 0.0),
    }


def listed_columns(names: list[str]) -> str:
    """The names of columns, at most eight of them."""
    shown = [quoted(name) for name in names[:_MOST_SHOWN]]
    more = len(names) - len(shown)
    return joined([*shown, more_text(more)] if more else shown)


def more_text(more: int) -> str:
    """How many columns a list does not name."""
    return sentence("table.more", n=more, number=count(more))


def _sureness(story: TableStory) -> tuple[Section, ...]:
    """How sure the statements are; none where a single model has all of the weight."""
    open_pairs = {
        frozenset(told.effect.columns)
        for told in story.effects
        if manner_of(told.effect.claims) in (Manner.SUM, Manner.OPEN)
    }

    def covered(claim: Claim) -> bool:
        """Of what is told to be a sum or open it is not said that it acts together."""
        return claim.kind is Kind.TOGETHER and frozenset(claim.columns) in open_pairs

    others = [claim for claim in story.findings.claims if claim.kind is not Kind.MATTERS]  # which are told of
    return sureness_section(story.findings.search, statements(beside_the_parts(others, covered)))


def found_section(story: TableStory) -> Section:
    """How the model was found, and its numbers."""
    search = story.findings.search
    text: str = sentence(
        "table.found", n=search.n_parameters, expression=search.expression, number=count(search.n_parameters),
        rows=fixed(story.findings.n, 0), fit=fit_text(search),
    )  # fmt: skip
    if isinstance(story.findings, TableFindings) and (fact := story.findings.from_exact) is not None:
        text = f"{text} {from_exact_text(fact, story.findings.n)}"
    return search_section(search, text, numbers_table(search.numbers), sentence("table.first_level"), by_chance=True)
