"""One sentence on a part with its size, for a list."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.describe.factory import MONTHS, observed
from tests.describe.words.test_nouns import UP, WIENER, WN, C, damped, lin, per, since

from autostatistician.describe.facts.part import Amplitude
from autostatistician.describe.words.description import description
from autostatistician.describe.words.extents import size_text
from autostatistician.describe.words.nouns import head_of, summary
from autostatistician.describe.words.statement import statement
from autostatistician.language.kernel import Kernel

SIZES = {
    "random noise": (WN, "; 95% of it lies within ±5.9."),
    "a line": (lin(1940.0), "; it rises by 8.39 per year."),
    "a cycle": (per(1.0), "; it adds between −10 and 10"),
}


@pytest.mark.parametrize("name", SIZES)
def test_the_summary_comes_with_its_size(name: str) -> None:
    kernel, size = SIZES[name]
    facts, units = observed(kernel, mean=UP if name == "a line" else None)
    told = statement(facts, units)
    assert told.startswith(summary(facts, units).removesuffix("."))
    assert size in told


def test_what_wanders_off_from_a_level_is_told_as_a_level() -> None:
    turning = 300.0 + 40.0 * np.sin(np.linspace(0.0, 6.0, 144))
    for kernel in (WIENER + C, damped(3.0) + C):
        facts, units = observed(kernel, mean=turning)
        assert statement(facts, units).endswith("; it lies between 260 and 340.")
        assert size_text(head_of(facts), facts, units).endswith(" it lies between 260 and 340.")
    facts, units = observed(WIENER, mean=turning)
    assert statement(facts, units).endswith("; it adds between 260 and 340.")


def test_a_level_and_a_line_are_one_sentence() -> None:
    facts, units = observed(lin(1940.0) + C, mean=UP + 300.0)
    assert statement(facts, units) == "A linearly increasing trend; it rises from 300 to 400, by 8.39 per year."
    facts, units = observed(lin(1940.0) * lin(1950.0) + C, mean=UP + 300.0)
    assert statement(facts, units).endswith("it lies between 300 and 400.")
    level = 300.0 + 0.01 * np.sin(np.linspace(0.0, 6.0, 144))
    facts, units = observed(lin(1940.0) + C, mean=level)
    assert "; it lies at about 300, and its slope is " in statement(facts, units)


def test_a_level_that_steps_is_told_level_by_level() -> None:
    kernel = C + since(C, 1955.04, 400.0)
    facts, units = observed(kernel, mean=np.where(MONTHS < 1955.04, 200.0, 300.0))
    told = "level of 200 until January 1955 and 300 from February 1955 onwards"
    assert statement(facts, units) == f"A {told}."
    assert description(facts, units).startswith("This part is a level that changes: 200")
    assert "; the change is abrupt" in description(facts, units)
    facts, units = observed(kernel, mean=np.where(MONTHS < 1955.04, 200.0, 200.1))
    assert statement(facts, units).startswith("A constant level of 200")


@pytest.mark.parametrize("kernel", [since(C, 1999.0), since(per(1.0), 1999.0)])
def test_what_no_datum_shows_has_no_size(kernel: Kernel) -> None:
    facts, units = observed(kernel)
    assert statement(facts, units) == summary(facts, units)


def test_a_line_that_falls_from_a_level_and_one_that_ends_where_it_began() -> None:
    facts, units = observed(lin(1940.0), mean=UP[::-1])
    head = head_of(facts)
    size = Amplitude(
        id="size", number=100.0, unit="target", evidence="", low=300.0, high=400.0, first=400.0, last=300.0,
        is_level=True,
    )  # fmt: skip
    assert statement((head, size), units) == "A linearly decreasing trend; it falls from 400 to 300, by 8.39 per year."
    assert statement((head, size), replace(units, level=50.0)).startswith("An exponentially decreasing trend; ")
    assert statement((head, size), replace(units, open_scale=True)).startswith("A decreasing trend; it falls from 400")
    facts, units = observed(damped(3.0), mean=UP)
    same = replace(size, low=0.0, high=0.1, first=0.1, last=0.1, is_level=False)
    facts = tuple(same if isinstance(fact, Amplitude) else fact for fact in facts)
    assert statement(facts, replace(units, level=50.0)).endswith("; by itself it begins and ends near 55.")
