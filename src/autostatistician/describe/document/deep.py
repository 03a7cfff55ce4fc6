"""The page on a deep process: what was learned, how many layers and how sure, the curves, what was foreseen."""

from __future__ import annotations

from autostatistician.describe.document.document import (
    Band,
    Block,
    Bullets,
    Document,
    Figure,
    Line,
    Panel,
    Paragraph,
    Points,
    Section,
    Table,
)
from autostatistician.describe.document.record import fact_json, stored
from autostatistician.describe.facts.deep import ColumnCourse, DeepFindings
from autostatistician.describe.words.deep import (
    bend_text,
    count_text,
    doubt_text,
    foreseen_text,
    method_texts,
    move_text,
)
from autostatistician.wording.messages import message, say, say_count
from autostatistician.wording.names import clean_name, quoted
from autostatistician.wording.numbers import fixed, joined

__all__ = ["deep_document", "deep_record", "deep_sentences"]

CITATIONS = (
    "Damianou and Lawrence (2013). Deep Gaussian processes. Artificial Intelligence and Statistics.",
    "Salimbeni and Deisenroth (2017). Doubly stochastic variational inference for deep Gaussian processes. Advances in "
    "Neural Information Processing Systems.",
)
MOST_CURVES = 6


def deep_sentences(findings: DeepFindings) -> tuple[str, ...]:
    """How many layers and how sure, how far they bend, the columns, what rows left out say."""
    about_layers = filter(None, (count_text(findings.count), doubt_text(findings.count)))
    return (*about_layers, *_brief_texts(findings))


def _brief_texts(findings: DeepFindings) -> tuple[str, ...]:
    """What the page tells below its abstract, which has the number of layers."""
    alone = len(findings.columns) == 1
    moves = (move_text(move, alone=alone) for move in findings.moves[:MOST_CURVES])
    foreseen = (foreseen_text(findings.foreseen),) if findings.foreseen else ()
    return (*map(bend_text, findings.bends), *moves, *foreseen)


def deep_document(findings: DeepFindings) -> Document:
    """The whole report."""
    return Document(
        title=say("A function of functions for {name}", name=clean_name(findings.name)),
        subtitle=_subtitle(findings),
        abstract=count_text(findings.count),
        sections=(_brief(findings), _layers(findings), _method()),
        warnings=findings.warnings,
        record=deep_record(findings),
        citations=CITATIONS,
    )


def _subtitle(findings: DeepFindings) -> str:
    names, more = [quoted(name) for name in findings.columns[:MOST_CURVES]], len(findings.columns) - MOST_CURVES
    names += [say("{n} more", n=fixed(more, 0))] if more > 0 else []
    told = {"n": fixed(findings.n, 0), "columns": len(findings.columns), "names": joined(names)}
    return say_count(
        len(findings.columns), "{n} rows by {columns} column: {names}", "{n} rows by {columns} columns: {names}", **told
    )


def deep_record(findings: DeepFindings) -> dict[str, object]:
    """Everything stated, for machines."""
    facts = [findings.count, *findings.bends, *findings.moves, *([findings.foreseen] if findings.foreseen else [])]
    return {
        "n": findings.n,
        "columns": list(findings.columns),
        "layers": int(findings.count.number),
        "kernels": list(findings.forms),
        "noise": stored(findings.noise),
        "sentences": list(deep_sentences(findings)),
        "warnings": list(findings.warnings),
        "facts": [fact_json(fact) for fact in facts],
    }


def _brief(findings: DeepFindings) -> Section:
    facts = (findings.count.id, *(move.id for move in findings.moves))
    told = Bullets(_brief_texts(findings))
    blocks: tuple[Block, ...] = (_curves(findings), told, Paragraph(say(RANGES), facts))
    return Section("brief", say("In brief"), blocks)


RANGES = message("Ranges are those of single new values, noise included.")


def _curves(findings: DeepFindings) -> Figure:
    shown = findings.courses[:MOST_CURVES]
    names = joined([quoted(each.column) for each in shown])
    caption = (
        say("The prediction along {columns}, with its 95% range.", columns=names)
        if len(findings.columns) == 1
        else say(
            "The prediction along {columns}, with its 95% range. All other columns are at their medians.", columns=names
        )
    )
    alt = say_count(len(shown), "{n} curve with a shaded range.", "{n} curves with a shaded range.", n=len(shown))
    return Figure("fig-curves", caption, alt, tuple(_panel(each, findings.name) for each in shown))


def _panel(course: ColumnCourse, target: str) -> Panel:
    band = Band(course.x, course.low, course.high, say("95% range"), "observation")
    line = Line(course.x, course.mean, say("prediction"))
    points = () if course.rows is None else (Points(*course.rows, say("data")),)
    name = clean_name(course.column)
    return Panel(name, name, clean_name(target), (*points, band, line))


def _layers(findings: DeepFindings) -> Section:
    rows = [
        (f"{layers}", fixed(bound, 1), say("kept") if layers == findings.count.number else "")
        for layers, bound in findings.count.tried
    ]
    told = Table(
        "tab-layers",
        say("Numbers of layers that were tried, with their bounds on the log density of the standardised target."),
        (say("layers"), say("bound"), ""), tuple(rows), (True, True, False),
    )  # fmt: skip
    kernels = Table(
        "tab-kernels", say("The kernel of every layer."), (say("layer"), say("kernel")),
        tuple((f"{place}", form) for place, form in enumerate(findings.forms, start=1)), (True, False),
    )  # fmt: skip
    tried = (told, Paragraph(doubt_text(findings.count))) if len(rows) > 1 else ()
    return Section("layers", say("The layers"), (*tried, kernels))


def _method() -> Section:
    return Section("method", say("How the method works"), tuple(map(Paragraph, method_texts())), folded=True)
