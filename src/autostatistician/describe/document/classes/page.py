"""The page on classes: what moves their chances, how well they are foreseen, which rows surprise."""

from __future__ import annotations

from dataclasses import dataclass

from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.axis.units import Units, is_over_time
from autostatistician.describe.document.classes.pictures import ahead_figure, foresight_figure, overview_of_classes
from autostatistician.describe.document.classes.verdict import class_verdict
from autostatistician.describe.document.document import Block, Bullets, Paragraph, Section
from autostatistician.describe.document.record import stored
from autostatistician.describe.document.table.sections import (
    ColumnPage,
    columns_section,
    effects_section,
    found_section,
    main_columns_text,
    sureness_sections,
)
from autostatistician.describe.document.table.story import story_of
from autostatistician.describe.document.verdict import verdict_section
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.findings import ClassFindings
from autostatistician.describe.words.chances import (
    ahead_text,
    calibration_text,
    foresight_text,
    nothing_text,
    persistence_text,
    ranking_text,
    surprises_text,
)
from autostatistician.describe.words.claims import statements
from autostatistician.describe.words.method import METHOD_OF_CLASSES, READING_OF_CLASSES
from autostatistician.describe.words.table_fit import column_text, untried_text
from autostatistician.wording.messages import say, say_count
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import fixed, percent

__all__ = ["ClassPage", "class_page"]


@dataclass(frozen=True)
class ClassPage(ColumnPage):
    """What is told of classes (a `Page`)."""

    findings: ClassFindings

    @property
    def facts(self) -> tuple[Fact, ...]:
        """All facts: on how well classes are foreseen, each column, each effect, and rows that surprise."""
        findings = self.findings
        of_effects = (fact for effect in findings.effects for fact in effect.facts)
        return (
            findings.foresight,
            findings.ranking,
            findings.calibration,
            *findings.columns,
            *of_effects,
            *([findings.persistence] if findings.persistence is not None else []),
            *([findings.ahead] if findings.ahead is not None else []),
            *findings.surprises,
        )

    def sentences(self) -> tuple[str, ...]:
        """One short sentence per effect, on the columns that do not matter, and how well classes are foreseen."""
        if not self.story.effects:  # of rows that are all alike nothing can be foreseen
            return (self._nothing(),)
        effects = tuple(effect.sentence for effect in self.story.effects)
        return (
            *self.stay_sentences(),
            *effects,
            *self.ahead_sentences(),
            *self._idle(),
            foresight_text(self.findings.foresight, self.scale),
        )

    @property
    def is_over_time(self) -> bool:
        """Whether time is the only column, so that of columns which matter there is nothing to say."""
        return is_over_time(self.scale)

    def stay_sentences(self) -> tuple[str, ...]:
        """That the class stays, where it clearly does."""
        fact = self.findings.persistence
        return () if fact is None else (persistence_text(fact, self.scale),)

    def _idle(self) -> tuple[str, ...]:
        """The columns that do not matter, where others do."""
        return tuple(column_text(fact, self.scale) for fact in self.story.idle) if self.story.effects else ()

    def subtitle(self) -> str:
        """What the data are."""
        n = self.findings.n
        return say_count(
            n,
            "{n} rows of {target}, {came} of them {event}, with {columns}",
            "{n} rows of {target}, {came} of them {event}, with {columns}",
            n=fixed(n, 0),
            target=quoted(self.scale.target),
            came=fixed(self.findings.foresight.came, 0),
            event=quoted(self.scale.event),
            columns=self.inputs_text(),
        )

    def abstract(self) -> str:
        """What the class hangs on, and how well that foresees it."""
        out = self.findings.foresight
        if not self.story.effects:
            return self._nothing()
        what = " ".join(self.stay_sentences()) or main_columns_text(self.story)
        foreseen = say(
            "Foreseen from all other rows, {wrong} are taken for the wrong class, where the share of the classes alone "
            "gives {of_share}.",
            wrong=percent(out.wrong), of_share=percent(out.wrong_of_share),
        )  # fmt: skip
        return f"{what} {foreseen}"

    def sections(self) -> tuple[Section, ...]:
        """What matters, what to make of it, the effects, the columns, how well all that foresees, how it came about."""
        story = self.story
        return (
            self._brief(),
            verdict_section(class_verdict(self.findings, self.scale)),
            *effects_section(story),
            *(self.ahead_section() if story.effects else ()),
            *([] if self.is_over_time else [columns_section(story)]),
            *sureness_sections(story),
            *([self._foresight()] if story.effects else []),
            found_section(story),
            Section(
                "method",
                say("How the method works"),
                tuple(Paragraph(say(text)) for text in (*METHOD_OF_CLASSES, READING_OF_CLASSES)),
            ),
        )

    def _nothing(self) -> str:
        """That no column tells anything, or that none was tried."""
        if any(fact.untried for fact in self.findings.columns):
            return untried_text(self.scale)
        return nothing_text(self.scale, self.findings.foresight)

    def _brief(self) -> Section:
        findings, story, scale = self.findings, self.story, self.scale
        sentences = tuple(told_effect.sentence for told_effect in story.effects) or (self._nothing(),)
        idle, ahead = self._idle(), self.ahead_sentences() if story.effects else ()
        stays = self.stay_sentences() if story.effects else ()
        links = tuple(told_effect.effect.id for told_effect in story.effects) or ("",)
        share = say(
            "{event} came in {share} of the rows. Chances are told where all other effects are as on average over the "
            "data, and ranges hold the truth with a chance of 95%, if the model holds. Odds are the chance of a class "
            "divided by that of the other.",
            event=quoted(scale.event), share=percent(findings.foresight.share),
        )  # fmt: skip
        foreseen = Paragraph(foresight_text(findings.foresight, scale), (findings.foresight.id,), emphasis=True)
        well = [foreseen] if story.effects else []
        blocks: list[Block] = [
            overview_of_classes(findings, scale),
            *well,
            Bullets(
                (*stays, *sentences, *ahead, *idle),
                (*[""] * len(stays), *links, *["ahead"] * len(ahead), *["columns"] * len(idle)),
            ),
            Paragraph(share, tuple(fact.id for told_effect in story.effects for fact in told_effect.effect.facts)),
        ]
        return Section("brief", say("In brief"), tuple(blocks))

    def ahead_section(self) -> tuple[Section, ...]:
        """What comes after the data; none where they have no order in time."""
        figure = ahead_figure(self.findings, self.scale) if isinstance(self.scale, Units) else None
        if figure is None or not self.ahead_sentences():
            return ()
        assert self.findings.ahead is not None
        blocks = (Paragraph(" ".join(self.ahead_sentences()), (self.findings.ahead.id,)), figure)
        return (Section("ahead", say("What comes next"), blocks),)

    def ahead_sentences(self) -> tuple[str, ...]:
        """What comes after the data in a sentence."""
        if self.findings.ahead is None or not isinstance(self.scale, Units):
            return ()
        return (ahead_text(self.findings.ahead, self.scale),)

    def _foresight(self) -> Section:
        findings, scale = self.findings, self.scale
        surprises = surprises_text(findings.surprises, scale) or say(
            "No row was of a class that had a chance of less than 5%."
        )
        blocks: list[Block] = [
            Paragraph(ranking_text(findings.ranking, scale), (findings.ranking.id,)),
            Paragraph(calibration_text(findings.calibration, scale), (findings.calibration.id,)),
            foresight_figure(findings.roc, findings.ranking, scale),
            Paragraph(surprises, tuple(fact.id for fact in findings.surprises)),
        ]
        return Section("checks", say("How well are rows foreseen?"), tuple(blocks))

    def part_records(self) -> dict[str, object]:
        """The target, its classes, the inputs, the effects and the columns, as plain values."""
        target, *others = super().part_records().items()
        return dict([target, ("classes", [self.scale.other, self.scale.event]), *others])

    def fit_records(self) -> dict[str, object]:
        """How well classes are foreseen from all other rows."""
        out = self.findings.foresight
        return {
            "log_score": stored(out.number),
            "log_score_of_share": stored(out.of_share),
            "wrong": stored(out.wrong),
            "wrong_of_share": stored(out.wrong_of_share),
            "area": stored(self.findings.ranking.number),
        }


def class_page(findings: ClassFindings, scale: Scale) -> ClassPage:
    """The page on what is known of classes."""
    return ClassPage(findings, scale, story_of(findings, scale), statements(findings.claims))
