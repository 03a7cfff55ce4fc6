"""The page on classes: what moves their chances, how well they are foreseen, which rows surprise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autostatistician.describe.axis.lengths import axis_title
from autostatistician.describe.axis.units import Scale, Units, is_over_time
from autostatistician.describe.document.document import (
    Band,
    Block,
    Bullets,
    Figure,
    FirstScreen,
    Line,
    Panel,
    Paragraph,
    Points,
    Section,
)
from autostatistician.describe.document.panels import Ranges
from autostatistician.describe.document.record import stored
from autostatistician.describe.document.table.pictures import bars_of, positions
from autostatistician.describe.document.table.sections import (
    ColumnPage,
    columns_section,
    effects_section,
    found_section,
    main_columns_text,
    story_of,
    sureness_sections,
)
from autostatistician.describe.document.table.verdict import CAUSES, WIDE_BANDS, relied_text
from autostatistician.describe.document.verdict import Verdict, first_screen, without_picture
from autostatistician.describe.facts.classes import Calibration, Foresight, Ranking, Roc
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.findings import ClassFindings
from autostatistician.describe.facts.judgement import CLEARLY_OFF, MAJORITY, RELIABLE, hardly_matters, is_open
from autostatistician.describe.words.chances import (
    LITTLE_OFTEN,
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
from autostatistician.describe.words.search import cut_text, search_longer
from autostatistician.describe.words.table_fit import column_text, untried_text
from autostatistician.wording.messages import say, say_as, say_count
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import capital, fixed, in_percent, joined, pair, percent

__all__ = ["ClassPage", "class_page", "class_verdict", "relied_columns_text"]


MOST_NAMED = 4  # columns

ROWS_PER_COLUMN = 10  # of the rarer class (Peduzzi et al. 1996); with fewer, effects are little known

WHOLE = np.array([0.0, 100.0])


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

    def first(self) -> FirstScreen:
        """What the class hangs on, in a sentence and a picture, and what to make of it."""
        return first_screen(self.abstract(), self._brief(), class_verdict(self.findings, self.scale))

    def sections(self) -> tuple[Section, ...]:
        """What matters, the effects, the columns, and how sure all that is."""
        story = self.story
        return (
            without_picture(self._brief()),
            *effects_section(story),
            *(self.ahead_section() if story.effects else ()),
            *([] if self.is_over_time else [columns_section(story)]),
            *sureness_sections(story),
        )

    def found(self) -> tuple[Section, ...]:
        """How well classes are foreseen, and how all that came about."""
        return (
            *([self._foresight()] if self.story.effects else []),
            found_section(self.story),
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


# --- Figures of reports on classes: chances beside what came, and how well rows are put in order --------------------


def overview_of_classes(findings: ClassFindings, scale: Scale) -> Figure:
    """How much hangs on each column, and whether chances are what they say."""
    # Over time all hangs on the only column.
    bars, lead, shares_text = ((), "", "") if is_over_time(scale) else bars_of(findings, scale)
    caption = say(
        "The share of {event} among rows of like chances, each foreseen from all other rows: on the line chances are "
        "what they say, and strokes are 95% ranges of the shares in the long run.",
        event=quoted(scale.event),
    )
    if lead:
        caption = say(
            "{bars}; the share of {event} among rows of like chances, each foreseen from all other rows: on the line "
            "chances are what they say, and strokes are 95% ranges of the shares in the long run.",
            bars=lead, event=quoted(scale.event),
        )  # fmt: skip
    shares = [
        say("{share} where the chance is {chance}", share=percent(rows.share), chance=percent(rows.chance))
        for rows in findings.calibration.bins
    ]
    along = say("Points of shares against chances along the diagonal: {shares}.", shares=joined(shares))
    alt = " ".join(filter(None, (shares_text, along)))
    return Figure("fig-overview", caption, alt, (*bars, _calibration(findings.calibration, scale)))


def _calibration(fact: Calibration, scale: Scale) -> Panel:
    chances, shares = (100.0 * np.array(each) for each in zip(*((b.chance, b.share) for b in fact.bins), strict=True))
    low, high = (100.0 * np.array(each) for each in zip(*(rows.span for rows in fact.bins), strict=True))
    layers = (
        Ranges(chances, low, high, say("95% range of a share"), "observation"),
        Line(WHOLE, WHOLE, say("chance and share agree"), "mean"),
        Points(chances, shares, say("rows of like chances")),
    )
    x_label = say("chance of {event}, %", event=quoted(scale.event))
    return Panel(say("Are chances what they say?"), x_label, say("share that came, %"), layers)


def ahead_figure(findings: ClassFindings, scale: Units) -> Figure | None:
    """The chance over the data, where time is all that it hangs on, and after them; None where none is told."""
    curve = findings.ahead_curve
    if curve is None:
        return None
    layers: list[Points | Line | Band] = []
    if len(findings.effects) == 1:
        (along, *_) = findings.effects[0].curves.along
        x = positions(along.x, scale)
        layers += [
            Points(positions(along.at, scale), along.residuals, say("rows")),
            Band(x, along.lower, along.upper, say("95% band"), "signal"),
            Line(x, along.mean, say_as("in a picture", "chance"), "mean"),
        ]
    ahead = positions(curve.x, scale)
    layers += [
        Band(ahead, curve.lower, curve.upper, say("95% band of what comes"), "forecast"),
        Line(ahead, curve.mean, say("what comes"), "forecast"),
    ]
    caption = say("{chance} after the data, with 95% ranges of the chance itself.", chance=capital(scale.it))
    low, high = map(in_percent, pair(float(curve.mean.min()), float(curve.mean.max())))
    alt = say("A curve with a band after the data, between {low} and {high}.", low=low, high=high)
    panel = Panel("", axis_title(scale), say("chance of {event}, %", event=quoted(scale.event)), tuple(layers))
    return Figure("fig-ahead", caption, alt, (panel,))


def foresight_figure(roc: Roc, ranking: Ranking, scale: Scale) -> Figure:
    """The ROC curve."""
    low, high = ranking.interval or (ranking.number, ranking.number)
    area = say(
        "{number} (95% range: {low} to {high})",
        number=fixed(ranking.number, 3), low=fixed(low, 3), high=fixed(high, 3),
    )  # fmt: skip
    caption = say(
        "The share of the rows of {event} that lie above a chance, against the share of the rows of {other} that do, "
        "for every such chance (the ROC curve, each row foreseen from others). The area below is {area}; on the dashed "
        "line it is {half}, as guessing has it.",
        event=quoted(scale.event), other=quoted(scale.other), area=area, half=fixed(0.5, 1),
    )  # fmt: skip
    layers = (
        Line(100.0 * roc.false_alarms, 100.0 * roc.hits, say("every threshold"), "mean"),
        Line(WHOLE, WHOLE, say("guessing"), "earlier"),
    )
    x_label, y_label = (say("{name} above it, %", name=quoted(name)) for name in (scale.other, scale.event))
    alt = say("A curve above the diagonal with an area of {area} below it.", area=area)
    return Figure("fig-roc", caption, alt, (Panel("", x_label, y_label, layers),))


# --- What can be relied on in a model of classes, what cannot, and what to try next ---------------------------------


def class_verdict(findings: ClassFindings, scale: Scale) -> Verdict:
    """Judge from foreseeing every row from all others, and from the probabilities of the columns."""
    return Verdict(tuple(_rely(findings, scale)), tuple(_doubt(findings, scale)), tuple(_next(findings, scale)))


def relied_columns_text(findings: ClassFindings) -> str:
    """Which columns matter for sure; "" where none does, or the search was cut short."""
    sure = [
        column
        for column in findings.columns
        if column.used and not hardly_matters(column) and column.probability >= RELIABLE
    ]
    if not sure or findings.search.cut:
        return ""
    return relied_text([fact.column for fact in sure])


def _rely(findings: ClassFindings, scale: Scale) -> list[str]:
    out, ranking = findings.foresight, findings.ranking
    stay = "" if findings.persistence is None else persistence_text(findings.persistence, scale)
    items = list(filter(None, [stay or relied_columns_text(findings)]))
    if findings.effects and out.gain_interval[0] > 0.0:
        text = say(
            "Chances for rows like those at hand: {wrong} of the rows were taken for the wrong class when foreseen "
            "from all others, where the share of the classes alone gives {of_share}; {right} of all pairs of both "
            "classes are in the right order.",
            wrong=percent(out.wrong), of_share=percent(out.wrong_of_share), right=percent(ranking.number),
        )  # fmt: skip
        items.append(text)
    if _holds(findings) and findings.effects:
        items.append(calibration_text(findings.calibration, scale))
    return items


def _doubt(findings: ClassFindings, scale: Scale) -> list[str]:
    items, out = [cut_text(findings.search)], findings.foresight
    if findings.effects and out.gain_interval[0] <= 0.0:
        items.append(
            say("The chances: foreseen from all others, rows do not clearly come out better than by their share.")
        )
    if not _holds(findings):
        items.append(calibration_text(findings.calibration, scale))
    if _are_many(findings):
        items.append(surprises_text(findings.surprises, scale))
    if findings.search.weight < MAJORITY:
        items.append(say("The exact form of the model: others fit the data about as well."))
    rarer, rows = _rarer(out, scale)
    if rows < ROWS_PER_COLUMN * len(findings.columns):
        items.append(
            say_count(
                rows,
                "Effects of single columns: there are only {n} rows of {event}.",
                "Effects of single columns: there are only {n} rows of {event}.",
                n=rows,
                event=quoted(rarer),
            )
        )
    items.append(say(CAUSES))
    return [item for item in items if item]


def _next(findings: ClassFindings, scale: Scale) -> list[str]:
    items = [search_longer(findings.search)] if findings.search.cut else []
    if _are_many(findings):
        items.append(say("Look at the rows whose class surprises: correct mistakes in them."))
    rarer, rows = _rarer(findings.foresight, scale)
    if rows < ROWS_PER_COLUMN * len(findings.columns):
        items.append(say("Collect more rows of {event}: they tell most.", event=quoted(rarer)))
    idle = [column for column in findings.columns if not column.used and not is_open(column)]
    if idle and findings.effects and not items:
        names = joined([quoted(column.column) for column in idle[:MOST_NAMED]])
        text = say("Leave out {columns} when new rows are collected: nothing was found to hang on them.", columns=names)
        items.append(text)
    if not findings.effects and not any(fact.untried for fact in findings.columns):
        target = quoted(scale.target)
        items.append(say("Look for other columns that may tell about {target}: those at hand do not.", target=target))
    return items or [say(WIDE_BANDS)]


def _holds(findings: ClassFindings) -> bool:
    """Whether chances are what they say, as far as both tests can see."""
    fact = findings.calibration
    return abs(fact.number) <= CLEARLY_OFF and fact.bins_p >= LITTLE_OFTEN


def _are_many(findings: ClassFindings) -> bool:
    """Whether more rows surprise than would by accident: twice as many, and two more."""
    surprises = findings.surprises
    return bool(surprises) and len(surprises) > 2.0 * surprises[0].expected + 2.0


def _rarer(out: Foresight, scale: Scale) -> tuple[str, int]:
    """The class of fewer rows, and how many it has."""
    return (scale.event, out.came) if 2 * out.came <= out.rows else (scale.other, out.rows - out.came)
