"""Golden sentences on stretches far off all the rest and on courses that nobody can foresee."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tests.describe.covariate_cases import INCOME, PROMO, findings
from tests.describe.factory import airline
from tests.describe.function_cases import COURSE, LEVEL_VALUES, SPELL, STEP, UNITS, sure
from tests.describe.words.test_outliers import ONE

from autostatistician.decompose.records.function import Sudden
from autostatistician.describe.document.series.outliers import outlier_section
from autostatistician.describe.facts.function import FunctionFact, SuddenChange
from autostatistician.describe.observe.series.function import function_facts
from autostatistician.describe.words import course, events, function
from autostatistician.describe.words.claims import moved_text
from autostatistician.forms import FarOff

__all__ = ["spoken_spells"]

ABOVE = replace(SPELL, size=sure(150.0), spell=FarOff(1958.5, 1958.25, 460.0, 310.0, 500.0, 1e-12))


def spoken_spells() -> Iterator[str]:
    """Every sentence on them."""
    for changes in ((SPELL,), (ABOVE,), (SPELL, ABOVE)):
        facts = _claims(*changes)
        yield events.far_off_text(facts, UNITS)
        for text in (function.claim_text, function.relied_text):
            yield "; ".join(filter(None, (text(fact, UNITS) for fact in facts if isinstance(fact, SuddenChange))))
    near = [replace(ONE, position=position, number=20.0, expected=300.0) for position in (1954.95, 1955.5)]
    for asides in (near[:1], near):
        (section,) = outlier_section(asides, UNITS, _claims(SPELL))
        yield section.blocks[-1].text  # type: ignore[union-attr]
    yield course.walk_text()
    beside = findings(PROMO, INCOME)
    yield course.observed_text(_claims(), beside, UNITS)
    yield from (moved_text(grows=grows) for grows in (True, False))
    change = next(fact for fact in _claims(STEP) if isinstance(fact, SuddenChange))
    yield function.claim_text(replace(change, interval=None), UNITS)


def _claims(*changes: Sudden) -> tuple[FunctionFact, ...]:
    made = replace(COURSE, seasons=(), sudden=changes, scatter=None)
    return function_facts(replace(airline(), function=made, y=LEVEL_VALUES), UNITS)
