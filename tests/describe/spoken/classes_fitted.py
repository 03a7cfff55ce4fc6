"""Golden sentences: pages and verdicts on classes, from models that are fitted."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from tests.decompose.table import classes, several
from tests.decompose.table.classes import decomposition
from tests.decompose.table.several import found_over_time
from tests.describe.effect_cases import but, changed, with_columns
from tests.describe.factory import every_section
from tests.describe.spoken.classes import SCALE, SURPRISE, TAKEN, calibration, foreseen, surprise, taken

from autostatistician.describe.document.classes.page import careful_with_classes, class_page
from autostatistician.describe.document.document import Document
from autostatistician.describe.facts.findings import ClassFindings
from autostatistician.describe.facts.kinds import SearchCut
from autostatistician.describe.observe.table.findings import class_findings, scale_for
from autostatistician.describe.tell import document, result, statements
from autostatistician.describe.words import several_classes as words
from autostatistician.describe.words.chances import surprises_text


def tell_cut() -> Iterator[str]:
    """A search that was cut before it had tried any column."""
    found = class_findings(classes.nothing())
    untried = with_columns(found, [changed(column, "untried") for column in found.columns])
    yield class_page(untried, scale_for(classes.nothing())).lead


def tell_several() -> Iterator[str]:
    yield words.confused_text([])
    yield words.confused_text([TAKEN, taken(1.0, "b", 50)])
    yield surprises_text([SURPRISE])
    yield surprises_text([])
    yield words.foresight_of_several_text(foreseen(), "colour", "red")
    yield from (told.text for told in statements(several.found()))
    yield str(result(several.found())["expression"])
    yield document(replace(several.found(), name="data")).title


@cache
def made_found() -> ClassFindings:
    return class_findings(decomposition())


def _careful(found: ClassFindings) -> str:
    return " ".join(careful_with_classes(found, scale_for(decomposition())))


def tell_no_gain_is_no_ground() -> Iterator[str]:
    found = made_found()
    unsure = replace(found, foresight=but(found.foresight, gain=-0.1))
    yield _careful(unsure)


def tell_few_rows_of_a_class_extreme_chances_and_surprises() -> Iterator[str]:
    found = made_found()
    bad = replace(
        found,
        foresight=but(found.foresight, came=12),
        calibration=calibration(4.0),
        surprises=tuple(surprise(0.01, row, SCALE.event, 0.5) for row in range(1, 6)),
        search=replace(found.search, cut=SearchCut.BUDGET),
    )
    yield _careful(bad)


def tell_what_comes_is_on_the_page_of_a_series() -> Iterator[str]:
    ids = [section.id for section in every_section(document(found_over_time()))]
    yield from ids[-3:]
    yield " | ".join(document(found_over_time()).warnings)


@cache
def made_page() -> Document:
    return document(decomposition())


def tell_the_report_begins_with_what_matters() -> Iterator[str]:
    made = made_page()
    yield from [one.id for one in every_section(made)]
    yield made.abstract
    yield made.subtitle
