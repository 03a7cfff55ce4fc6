"""The page on classes: what moves their chances, how well they are foreseen, which rows surprise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from autostatistician.claims.claim import Claim
from autostatistician.claims.kinds import Form, Kind
from autostatistician.describe.axis.lengths import axis_title
from autostatistician.describe.axis.units import Scale, Units, is_over_time
from autostatistician.describe.document.document import Band, Block, Figure, Line, Panel, Paragraph, Points, Section
from autostatistician.describe.document.panels import Ranges
from autostatistician.describe.document.record import stored
from autostatistician.describe.document.table.pictures import positions
from autostatistician.describe.document.table.sections import ColumnPage, ToldEffect, story_of
from autostatistician.describe.document.table.verdict import ROWS_PER_COLUMN, code_texts, made_texts, order_text
from autostatistician.describe.facts.fact import Fact, Span
from autostatistician.describe.facts.findings import ClassFindings
from autostatistician.describe.facts.judgement import is_likely
from autostatistician.describe.words.chances import (
    ahead_text,
    calibrated,
    calibration_text,
    foresight_text,
    nothing_text,
    ranking_text,
    surprises_text,
)
from autostatistician.describe.words.claims import Told
from autostatistician.describe.words.method import METHOD_OF_CLASSES, READING_OF_CLASSES
from autostatistician.describe.words.search import cut_text
from autostatistician.i18n.messages import say, sentence
from autostatistician.i18n.names import quoted
from autostatistician.i18n.numbers import capital, fixed, in_percent, pair

__all__ = ["OVER_TIME", "ClassPage", "careful_with_classes", "class_page"]


OVER_TIME = ("trend", "seasons")

WHOLE = np.array([0.0, 100.0])


@dataclass(frozen=True)
class ClassPage(ColumnPage):
    """What is told of classes (a `Page`)."""

    findings: ClassFindings

    @property
    def facts(self) -> tuple[Fact | Claim, ...]:
        """All facts: on how well classes are foreseen, each column, each effect, and rows that surprise."""
        findings = self.findings
        ahead = () if findings.ahead is None else (findings.ahead,)
        well = (findings.foresight, findings.ranking, findings.calibration)
        return (*well, *self.effect_facts, *ahead, *findings.surprises)

    @property
    def questions(self) -> tuple[str, ...]:
        """Over time there are those on trend and seasons, too."""
        return (*super().questions, *(OVER_TIME if isinstance(self.scale, Units) else ()))

    def about(self, question: str, within: Span | None = None) -> Sequence[Told]:
        """Of trend and seasons the facts on the effects that are so."""
        if question not in OVER_TIME:
            return super().about(question)
        return [claim for told in self._over_time(question) for claim in told.effect.claims]

    def said(self, question: str, facts: Sequence[Told]) -> Sequence[str]:
        """The sentences that answer a question."""
        if question not in OVER_TIME:
            return super().said(question, facts)
        return [text for told in self._over_time(question) for text in told.sentences]

    def _over_time(self, question: str) -> list[ToldEffect]:
        """The effects that repeat, or those that do not."""
        return [told for told in self.story.effects if _repeats(told.effect.claims) is (question == "seasons")]

    @property
    def is_over_time(self) -> bool:
        """Whether time is the only column, so that of columns which matter there is nothing to say."""
        return is_over_time(self.scale)

    def well_texts(self) -> tuple[str, ...]:
        """What comes, and how well classes are foreseen."""
        if not self.story.effects:  # of rows that are all alike nothing can be foreseen
            return ()
        return (*self.ahead_sentences(), self._how_well[0].text)

    @property
    def _how_well(self) -> tuple[Paragraph, Paragraph]:
        """The share of errors, and how rows are put in order, which comes first where fewer errors are not the point.

        Of a rare class the chance is seldom above one half, however well rows are told apart.
        """
        foresight, ranking = self.findings.foresight, self.findings.ranking
        errors = Paragraph(foresight_text(foresight, self.scale), (foresight.id,))
        order = Paragraph(ranking_text(ranking, self.scale), (ranking.id,))
        return (errors, order) if foresight["wrong"] < foresight["wrong_of_share"] else (order, errors)

    def nothing_text(self) -> str:
        """That no column tells anything, or that none was tried."""
        if self.findings.seen_together or any("untried" in claim.marks for claim in self.findings.columns):
            return super().nothing_text()
        is_open = any(claim.form == Form.MAY and is_likely(claim) for claim in self.findings.columns)
        return nothing_text(self.scale, self.findings.foresight, is_open=is_open)

    def subtitle(self) -> str:
        """What the data are."""
        came, target = fixed(self.findings.foresight["came"], 0), quoted(self.scale.target)
        return sentence(
            "table.classes", n=fixed(self.findings.n, 0), target=target, came=came, event=quoted(self.scale.event),
            columns=self.inputs_text(),
        )  # fmt: skip

    def sections(self) -> tuple[Section, ...]:
        """What comes after the data, and the columns where there are others than time."""
        figure = ahead_figure(self.findings, self.scale) if isinstance(self.scale, Units) else None
        drawn = figure is not None and self.ahead_sentences() and self.story.effects
        ahead = (Section("ahead", say("Forecast"), (figure,)),) if figure and drawn else ()
        return (*ahead, *(() if self.is_over_time else super().sections()))

    def ahead_sentences(self) -> tuple[str, ...]:
        """What comes after the data in a sentence."""
        if self.findings.ahead is None or not isinstance(self.scale, Units):
            return ()
        return (ahead_text(self.findings.ahead, self.scale),)

    def careful(self) -> tuple[str, ...]:
        """What to be careful with."""
        return careful_with_classes(self.findings, self.scale)

    def checks(self) -> tuple[Block, ...]:
        """How well rows are put in order, whether chances are what they say, which rows surprise."""
        findings, scale, careful = self.findings, self.scale, self.careful()
        calibration = Paragraph(calibration_text(findings.calibration, scale), (findings.calibration.id,))
        surprises = Paragraph(surprises_text(findings.surprises), tuple(fact.id for fact in findings.surprises))
        blocks = (self._how_well[1], calibration, foresight_figure(findings, scale), surprises)
        return tuple(block for block in blocks if not isinstance(block, Paragraph) or block.text not in careful)

    def method(self) -> tuple[str, ...]:
        """The method in paragraphs."""
        return (*METHOD_OF_CLASSES, READING_OF_CLASSES)

    def class_records(self) -> dict[str, object]:
        """The classes."""
        return {"classes": [self.scale.other, self.scale.event]}

    def fit_records(self) -> dict[str, object]:
        """How well classes are foreseen from all other rows."""
        out = self.findings.foresight
        return {
            "log_score": stored(out.value),
            "log_score_of_share": stored(out["of_share"]),
            "wrong": stored(out["wrong"]),
            "wrong_of_share": stored(out["wrong_of_share"]),
            "area": stored(self.findings.ranking.number.value),
        }


def _repeats(claims: Sequence[Claim]) -> bool:
    return any(claim.kind is Kind.COURSE and "period" in claim.more for claim in claims)


def class_page(findings: ClassFindings, scale: Scale) -> ClassPage:
    """The page on what is known of classes."""
    story = story_of(findings, scale)
    return ClassPage(findings, story.scale, story)


# --- Figures of reports on classes: chances beside what came, and how well rows are put in order --------------------


def _calibration(claim: Claim, scale: Scale) -> Panel:
    rows = [(like["given"], like.value, *like.number.interval) for like in claim.parts]
    chances, shares, low, high = (100.0 * np.array(each) for each in zip(*rows, strict=True))
    layers = (
        Ranges(chances, low, high, sentence("picture.share_range"), "observation"),
        Line(WHOLE, WHOLE, sentence("picture.chances_agree"), "mean"),
        Points(chances, shares, sentence("picture.like_chances")),
    )
    return Panel(sentence("picture.are_chances"), _chance_of(scale), sentence("picture.came"), layers)


def _chance_of(scale: Scale) -> str:
    return sentence("picture.axis", of="chance", event=quoted(scale.event))


def ahead_figure(findings: ClassFindings, scale: Units) -> Figure | None:
    """The chance over the data, where time is all that it hangs on, and after them; None where none is told."""
    curve = findings.ahead_curve
    if curve is None:
        return None
    layers: list[Points | Line | Band] = []
    if len(findings.effects) == 1:
        (along, *_) = findings.effects[0].record.along
        x, (mean, lower, upper) = positions(along.x, scale), along.shown
        layers += [
            Points(positions(along.at, scale), along.residuals, sentence("picture.points", chances=True)),
            Band(x, lower, upper, sentence("picture.range", few=False), "signal"),
            Line(x, mean, sentence("picture.line", chances=True), "mean"),
        ]
    ahead = positions(curve.x, scale)
    layers += [
        Band(ahead, curve.lower, curve.upper, sentence("picture.after_band"), "forecast"),
        Line(ahead, curve.mean, sentence("picture.after_line"), "forecast"),
    ]
    low, high = map(in_percent, pair(float(curve.mean.min()), float(curve.mean.max())))
    caption, alt = (
        sentence("picture.after", chance=capital(scale.it)),
        sentence("picture.after_curve", low=low, high=high),
    )
    return Figure("fig-ahead", caption, alt, (Panel("", axis_title(scale), _chance_of(scale), tuple(layers)),))


def foresight_figure(findings: ClassFindings, scale: Scale) -> Figure:
    """Whether chances are what they say, and the ROC curve."""
    (false_alarms, hits), ranking = findings.roc, findings.ranking
    caption = sentence("picture.foresight", event=quoted(scale.event), other=quoted(scale.other))
    layers = (
        Line(100.0 * false_alarms, 100.0 * hits, sentence("picture.threshold"), "mean"),
        Line(WHOLE, WHOLE, sentence("picture.guessing"), "earlier"),
    )
    x_label, y_label = (sentence("picture.above_it", name=quoted(name)) for name in (scale.other, scale.event))
    alt = sentence("picture.roc", area=fixed(ranking.number.value, 3))
    panels = (_calibration(findings.calibration, scale), Panel("", x_label, y_label, layers))
    return Figure("fig-roc", caption, alt, panels)


# --- What to be careful with ------------------------------------------------------------------------------------------


def careful_with_classes(findings: ClassFindings, scale: Scale) -> tuple[str, ...]:
    """Judge from foreseeing every row from all others."""
    items, out = [cut_text(findings.search)], findings.foresight
    if findings.effects and out.more["gain"].low <= 0.0:
        items.append(sentence("careful.chances"))
    if calibrated(findings.calibration) != "right":
        items.append(calibration_text(findings.calibration, scale))
    if _are_many(findings):
        items.append(surprises_text(findings.surprises))
    rarer, rows = _rarer(out, scale)
    if rows < ROWS_PER_COLUMN * len(findings.columns):
        items.append(sentence("careful.rare", n=rows, event=quoted(rarer)))
    items += [*made_texts(findings.columns, scale), *code_texts(findings, scale), order_text(findings)]
    return tuple(filter(None, [*items, sentence("careful.causes")]))


def _are_many(findings: ClassFindings) -> bool:
    """Whether more rows surprise than would by accident: twice as many, and two more."""
    surprises = findings.surprises
    return bool(surprises) and len(surprises) > 2.0 * surprises[0]["expected"] + 2.0


def _rarer(out: Claim, scale: Scale) -> tuple[str, int]:
    """The class of fewer rows, and how many it has."""
    rows, came = round(out["rows"]), round(out["came"])
    return (scale.event, came) if 2 * came <= rows else (scale.other, rows - came)
