"""The search as facts: nothing of kernels is left but texts and numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.describe import factory

from autostatistician.describe.facts.kinds import Quantity, SearchCut
from autostatistician.describe.observe.search import search_of
from autostatistician.language.kernel import Kernel, leaf


def test_every_number_has_its_part_its_place_and_its_meaning() -> None:
    d = factory.solar()
    numbers = search_of(d, [part.kernel for part in d.components]).numbers
    assert [one.value for one in numbers] == [value for part in d.components for value in part.kernel.values]
    assert {one.part for one in numbers} == set(range(1, len(d.components) + 1))
    of_window = {one.name: one.quantity for one in numbers if one.symbol == "CW"}
    assert of_window == {"location": Quantity.PLACE, "steepness": Quantity.RATE, "width": Quantity.LENGTH}
    assert all(one.meaning for one in numbers if one.symbol != "CW")


def test_symbols_are_those_of_the_expression() -> None:
    kernel = Kernel.change_point(leaf("SE", lengthscale=1.0, sd=1.0), leaf("0"), 5.0, 1.0) + leaf("WN", sd=1.0)
    d = factory.airline()
    search = search_of(replace(d, fitted=replace(d.fitted, kernel=kernel)), ())
    assert [symbol for symbol, _, _ in search.leaves] == ["SE", "WN"]  # the empty side is no leaf to be explained
    assert search.operators == {"CP", "+"}


@pytest.mark.parametrize("cut", list(SearchCut))
def test_what_cut_a_search_is_known(cut: SearchCut) -> None:
    assert search_of(replace(factory.airline(), cut=cut.value), ()).cut is cut


def test_what_rows_hold_is_no_fitted_number() -> None:
    walk = leaf("Wiener", sd=2.0, location=1949.0)
    (number,) = search_of(factory.airline(), [walk]).numbers
    assert (number.name, number.meaning, number.quantity) == ("sd", "size of the steps", Quantity.DIFFUSION)
