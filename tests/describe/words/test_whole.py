"""Paragraphs on a model as a whole, word for word, from facts alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.describe import factory
from tests.describe.checks import FINE, alarm, checked
from tests.describe.factory import MONTHLY, MONTHS, PLAIN, units_on

from autostatistician.describe.facts.fact import SHARE
from autostatistician.describe.facts.kinds import SearchCut
from autostatistician.describe.facts.part import ConstantLevel, CrossValidatedError, VarianceExplained
from autostatistician.describe.facts.whole import (
    BaselineError,
    Composition,
    SignalShare,
    UsefulParts,
    VarianceReached,
)
from autostatistician.describe.observe.series.findings import series_findings
from autostatistician.describe.words.whole import coverage, error_text, explained_text, gain_text, nothing_found

UNITS = units_on(MONTHLY, MONTHS)
PARTS = Composition(id="model/parts", number=4, unit="1", evidence="e", noise=1)
SIGNAL = SignalShare(id="model/signal", number=0.998, unit=SHARE, evidence="e")
REACHED = VarianceReached(id="model/reached-2", number=0.985, unit=SHARE, evidence="e", parts=2)


def test_coverage() -> None:
    assert coverage(144, UNITS) == "144 monthly values of 'sales' from January 1949 to December 1960"
    assert coverage(1, units_on(PLAIN, MONTHS)).startswith("1 value of 'sales' for 'depth' from 1949 to")


def test_milestones_are_named_unless_the_last_is_all() -> None:
    start = "The first two parts explain 98.5% of the variation in the data"
    assert explained_text((PARTS, SIGNAL, REACHED)) == f"{start}; all parts other than noise explain 99.8%."
    assert explained_text((PARTS, SIGNAL, replace(REACHED, parts=3))).endswith(
        "explain 98.5% of the variation in the data."
    )
    whole = "Together, the parts other than noise explain 99.8% of the variation in the data."
    assert explained_text((PARTS, SIGNAL)) == whole


def _gain(number: float, before: float, after: float, reduction: float = 0.2) -> tuple[object, ...]:
    return (
        VarianceExplained(id="v", number=number, unit=SHARE, evidence="e", before=before, after=after, noise=False,
                          gain=after - before, first=before == 0.0),
        CrossValidatedError(id="e", number=4.0, unit="target", evidence="e", before=5.0, reduction=reduction),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("facts", "number", "start"),
    [
        (_gain(0.854, 0.0, 0.854), 1, "By itself this part explains 85.4% of the variation in the data."),
        (_gain(0.0, 0.0, 0.0), 1, "By itself this part explains none of the variation in the data"),
        (
            _gain(0.9, 0.8, 0.98), 2,
            "As the second part it explains 90% of the variation that the earlier parts leave; the share that is "
            "explained rises from 80% to 98%. Adding it lowers the average error for held-out values by 20%, from 5 to "
            "4.",
        ),
        (_gain(-0.1, 0.8, 0.78), 3, "As the third part it makes the fit to the values at hand a little worse; the "),
    ],
)  # fmt: skip
def test_what_a_part_adds(facts: tuple[object, ...], number: int, start: str) -> None:
    assert gain_text(facts, number, UNITS).startswith(start)  # type: ignore[arg-type]


def test_a_part_that_gains_nothing_is_an_artefact() -> None:
    assert "artefact" in gain_text(_gain(0.0005, 0.8, 0.8001, 0.0005), 2, UNITS)  # type: ignore[arg-type]
    assert "artefact" not in gain_text(_gain(0.002, 0.8, 0.8004, 0.0005), 2, UNITS)  # type: ignore[arg-type]


def test_a_level_is_no_artefact_and_nobody_expects_it_to_lower_an_error() -> None:
    level = ConstantLevel(id="part-2/level", number=5.0, unit="target", interval=(4.0, 6.0), evidence="e")
    assert "artefact" not in gain_text((*_gain(0.0005, 0.8, 0.8001, 0.0005), level), 2, UNITS)  # type: ignore[arg-type]
    parts = Composition(id="model/parts", number=3, unit="1", evidence="e", noise=1)
    base = BaselineError(id="model/baseline", number=8.0, unit="target", evidence="e")
    useful = UsefulParts(id="model/useful", number=1, unit="1", evidence="e", error=4.0)
    assert "No later part" in error_text((parts, base, useful), UNITS)
    assert "No later part" not in error_text((parts, base, replace(useful, levels=1)), UNITS)


def test_nothing_found_says_what_that_is_worth() -> None:
    noise = series_findings(factory.noise_only())
    assert nothing_found(noise).endswith("is here most likely chance.")
    alarmed = replace(noise, checks=checked(FINE, alarm("periodogram", place=2.0)))
    assert "there is probably a pattern that the report leaves out" in nothing_found(alarmed)
    cut = replace(noise, search=replace(noise.search, cut=SearchCut.BUDGET))
    assert nothing_found(cut).startswith("No structure was looked for")
    late = replace(cut, search=replace(cut.search, path=(("WN", 2.0), ("SE + WN", 1.0))))
    assert nothing_found(late).endswith("there may be one that it did not come to.")
