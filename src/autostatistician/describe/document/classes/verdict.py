"""What can be relied on in a model of classes, what cannot, and what to try next."""

from __future__ import annotations

from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.document.table.verdict import CAUSES, WIDE_BANDS, relied_text
from autostatistician.describe.document.verdict import Verdict
from autostatistician.describe.facts.classes import Foresight
from autostatistician.describe.facts.findings import ClassFindings
from autostatistician.describe.facts.judgement import CLEARLY_OFF, MAJORITY, RELIABLE, hardly_matters, is_open
from autostatistician.describe.words.chances import LITTLE_OFTEN, calibration_text, persistence_text, surprises_text
from autostatistician.describe.words.search import cut_text, search_longer
from autostatistician.wording.messages import say, say_count
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import joined, percent

__all__ = ["class_verdict", "relied_columns_text"]

MOST_NAMED = 4  # columns
ROWS_PER_COLUMN = 10  # of the rarer class (Peduzzi et al. 1996); with fewer, effects are little known


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
