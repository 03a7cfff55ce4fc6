"""The probability of each part: the weight of the models that have such a part."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from tests.describe import factory

from autostatistician.describe.document.document import Bullets, Table
from autostatistician.describe.observe.series.parts import units_for
from autostatistician.describe.observe.series.presence import presence
from autostatistician.describe.tell import document
from autostatistician.language.kernel import Kernel, leaf
from autostatistician.report.render import to_markdown

UNITS = units_for(factory.airline())
WN, LEVEL = leaf("WN", sd=1.0), leaf("C", sd=1.0)
YEARLY = leaf("Per", lengthscale=1.0, period=1.0, sd=1.0)
LINE = leaf("Lin", sd=1.0, location=1900.0)


def _weight(part: Kernel, *models: tuple[Kernel, float]) -> float:
    (found,) = presence("part-1", part, models, UNITS)
    return 100.0 * found.number


def test_a_part_has_the_weight_of_the_models_that_have_such_a_part() -> None:
    nearly = leaf("Per", lengthscale=2.0, period=1.01, sd=3.0)
    models = ((YEARLY + WN, 0.6), (nearly * LINE + LEVEL + WN, 0.3), (LEVEL + WN, 0.1))
    assert _weight(YEARLY, *models) == pytest.approx(60.0)  # the other one grows, so it does not repeat exactly
    assert _weight(YEARLY * LINE, *models) == pytest.approx(30.0)
    assert _weight(LEVEL, *models) == pytest.approx(40.0)
    assert _weight(WN, *models) == pytest.approx(100.0)


def test_all_that_a_part_shows_must_be_in_one_part() -> None:
    late = Kernel.change_point(factory.ZERO, YEARLY, 1955.0, 4.0)
    apart = YEARLY + Kernel.change_point(LEVEL, leaf("0"), 1955.0, 4.0)
    assert _weight(late, (late + WN, 0.7), (apart + WN, 0.3)) == pytest.approx(70.0)


def test_the_side_of_a_change_counts_and_not_what_makes_it() -> None:
    late = Kernel.change_point(factory.ZERO, YEARLY, 1953.0, 4.0)
    early = Kernel.change_point(YEARLY, factory.ZERO, 1953.0, 4.0)
    models = ((late + WN, 0.5), (early + WN, 0.3), (YEARLY + WN, 0.2))
    assert [_weight(part, *models) for part in (late, early, YEARLY)] == pytest.approx([50.0, 30.0, 20.0])
    window = Kernel.change_window(factory.ZERO, YEARLY, 1954.0, 4.0, 2.0)
    nested = Kernel.change_point(late, factory.ZERO, 1955.0, 4.0)
    assert _weight(window, (window + WN, 0.5), (nested + WN, 0.4), (late + WN, 0.1)) == pytest.approx(90.0)


def test_a_single_model_has_no_probability_to_tell() -> None:
    assert presence("part-1", YEARLY, ((YEARLY + WN, 1.0),), UNITS) == ()


def test_the_report_shows_it_in_the_table_of_parts() -> None:
    found = factory.airline()
    best = found.fitted.kernel
    told = document(replace(found, alternatives=((best, 0.75), (best + YEARLY, 0.15), (LINE + WN, 0.1))))
    (parts,) = (one for one in told.sections if one.id == "parts")
    (table,) = (block for block in parts.blocks if isinstance(block, Table))
    assert [row[-1] for row in table.rows] == ["–", "100%", "90%", "90%", "90%"]
    assert not re.search(r"P = \d", to_markdown(told))
    assert "part-2/presence" in str(told.record["facts"])


def test_what_a_part_carries_is_not_told_with_another_number_in_a_table() -> None:
    found = factory.airline()
    best = found.fitted.kernel
    whole = document(replace(found, alternatives=((best, 0.979), (best + YEARLY, 0.021))))
    (section,) = (one for one in whole.sections if one.id == "sureness")
    assert not [block for block in section.blocks if isinstance(block, Table)]


def test_what_most_models_are_against_is_open_and_has_no_number() -> None:
    found = factory.airline()
    best = found.fitted.kernel
    told = document(replace(found, alternatives=((best, 0.248), *((LINE + WN, 0.188),) * 4)))
    (bullets,) = (block for block in told.sections[0].blocks if isinstance(block, Bullets))
    assert sum("(open: most of the other models do without it)" in item for item in bullets.items) == 3
    text = to_markdown(told)
    (parts,) = (one for one in told.sections if one.id == "parts")
    assert "24.8%" not in str(parts)
    assert "open" in [row[-1] for block in parts.blocks if isinstance(block, Table) for row in block.rows]
    assert "has half of the probability; this report describes the likeliest" in text
