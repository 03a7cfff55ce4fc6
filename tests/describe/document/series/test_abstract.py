"""The abstract names the parts in full, or counts their kinds where that is too long."""

from __future__ import annotations

from dataclasses import replace

from tests.describe import factory
from tests.describe.function_cases import COURSE
from tests.describe.spoken.pages import _abstract


def test_the_forecast_closes_it() -> None:
    assert _abstract(factory.airline()).count("If the model holds, the forecast of 'passengers'") == 1


def test_that_a_search_was_cut_is_said_once_before_all_else() -> None:
    found = replace(factory.airline(), function=COURSE)
    whole = _abstract(found)
    assert whole.startswith("In February 1954 ")
    lead = "The search was cut short; what follows is of the best model so far. "
    assert _abstract(replace(found, cut="budget")) == lead + whole
