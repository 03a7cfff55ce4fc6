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
    foreseen_text,
    method_texts,
    move_text,
    weight_text,
)
from autostatistician.wording.messages import message, say, say_count
from autostatistician.wording.names import clean_name, quoted
from autostatistician.wording.numbers import fixed, joined, percent

__all__ = ["deep_document", "deep_record", "deep_sentences"]

CITATIONS = (
    "Damianou and Lawrence (2013). Deep Gaussian processes. Artificial Intelligence and Statistics.",
    "Salimbeni and Deisenroth (2017). Doubly stochastic variational inference for deep Gaussian processes. Advances in "
    "Neural Information Processing Systems.",
)
MOST_CURVES = 6


def deep_sentences(findings: DeepFindings) -> tuple[str, ...]:
    """How many layers and how sure, how far they bend, the columns, what rows left out say."""
    alone = len(findings.columns) == 1
    told = [count_text(findings.count), weight_text(findings.count), *map(bend_text, findings.bends)]
    told += [move_text(move, alone=alone) for move in findings.moves[:MOST_CURVES]]
    told += [foreseen_text(findings.foreseen)] if findings.foreseen else []
    return tuple(filter(None, told))


def deep_document(findings: DeepFindings) -> Document:
    """The whole report."""
    return Document(
        title=say("A function of functions for {name}", name=clean_name(findings.name)),
        subtitle=_subtitle(findings),
        abstract=count_text(findings.count),
        sections=(_brief(findings), _layers(findings), _method(findings)),
        warnings=findings.warnings,
        record=deep_record(findings),
        citations=CITATIONS,
    )


def _subtitle(findings: DeepFindings) -> str:
    names = joined([quoted(name) for name in findings.columns[:MOST_CURVES]])
    names = f"{names}, ..." if len(findings.columns) > MOST_CURVES else names
    told = {"n": fixed(findings.n, 0), "columns": len(findings.columns), "names": names}
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
    blocks: tuple[Block, ...] = (_curves(findings), Bullets(deep_sentences(findings)), Paragraph(say(RANGES), facts))
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
        (f"{layers}", fixed(bound, 1), percent(weight), say("kept") if layers == findings.count.number else "")
        for layers, bound, weight in findings.count.tried
    ]
    told = Table(
        "tab-layers",
        say("Numbers of layers that were tried, with their bounds on the log density of the standard target."),
        (say("layers"), say("bound"), say("weight"), ""), tuple(rows), (True, True, True, False),
    )  # fmt: skip
    kernels = Table(
        "tab-kernels", say("The kernel of every layer."), (say("layer"), say("kernel")),
        tuple((f"{place}", form) for place, form in enumerate(findings.forms, start=1)), (True, False),
    )  # fmt: skip
    texts = [Paragraph(text) for text in (weight_text(findings.count), *map(bend_text, findings.bends)) if text]
    return Section("layers", say("The layers"), (told, *texts, kernels))


def _method(findings: DeepFindings) -> Section:
    return Section("method", say("How the method works"), tuple(map(Paragraph, method_texts())), folded=True)
