"""The abstract names the parts in full, or counts their kinds where that is too long."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from tests.describe import factory
from tests.describe.factory import MONTHLY, MONTHS, component, decomposition
from tests.describe.function_cases import COURSE

from autostatistician.decompose.records.series import Decomposition
from autostatistician.describe.document.series.abstract import abstract_text
from autostatistician.describe.document.series.story import story_of
from autostatistician.describe.observe.series.findings import series_findings
from autostatistician.describe.observe.series.parts import units_for
from autostatistician.language.kernel import Kernel, leaf

WN = leaf("WN", sd=3.0)


def _abstract(d: Decomposition) -> str:
    return abstract_text(story_of(series_findings(d), units_for(d)))


def _of(*kernels: Kernel) -> str:
    parts = tuple(component(kernel, MONTHS) for kernel in kernels)
    return _abstract(decomposition(parts, MONTHS, np.sin(MONTHS), MONTHLY))


def test_two_parts_are_joined_by_and() -> None:
    told = _of(leaf("Per", lengthscale=1.0, period=1.0, sd=5.0), WN)
    assert "is the sum of two parts: a yearly cycle that repeats exactly and random noise" in told


def test_many_parts_are_counted_by_kind_with_their_changes() -> None:
    rough = leaf("Matern32", lengthscale=0.5, sd=5.0) * leaf("Per", lengthscale=1.0, period=1.0, sd=5.0)
    changed = Kernel.change_point(leaf("SE", lengthscale=0.4, sd=1.0), leaf("0"), 1955.4, 4.0)
    told = _of(rough, rough, rough, changed, leaf("Lin", sd=1.0, location=1900.0), WN)
    assert "; and random noise" in told
    assert "three " in told
    assert "Parts begin or end around May 1955" in told


def test_the_forecast_closes_it() -> None:
    assert _abstract(factory.airline()).count("If the model holds, the forecast of 'passengers'") == 1


def test_that_a_search_was_cut_is_said_once_before_all_else() -> None:
    found = replace(factory.airline(), function=COURSE)
    whole = _abstract(found)
    assert whole.startswith("In February 1954 ")
    lead = "The search was cut short; what follows is of the best model so far. "
    assert _abstract(replace(found, cut="budget")) == lead + whole


def test_nothing_found_is_said_instead_of_parts() -> None:
    told = _abstract(factory.noise_only())
    assert told.startswith("No structure was found: ")
    assert "the sum of" not in told


def test_a_series_chosen_from_a_table_says_that_other_columns_may_explain_it() -> None:
    noise = decomposition((component(WN, MONTHS),), MONTHS, component(WN, MONTHS).mean, MONTHLY)
    assert "along the time" not in _abstract(noise)
    assert "the columns that were not used may explain these values" in _abstract(replace(noise, choice="Read so."))
