"""Which expressions are tried on so many rows."""

from __future__ import annotations

import pytest

from autostatistician.language.showable import showable
from autostatistician.language.text import parse


@pytest.mark.parametrize("text", ["Per + WN", "SE * Lin + WN", "Matern12 + WN", "CP(SE, C) + WN", "CW(C, C) + WN"])
def test_under_twenty_rows_only_simple_parts_and_one_step_are_tried(text: str) -> None:
    assert not showable(parse(text), 19, series=True)
    assert showable(parse(text), 20, series=True)


def test_one_step_is_simple_and_two_are_not() -> None:
    assert showable(parse("Lin + CP(C, C) + WN"), 12, series=True)
    assert not showable(parse("CP(C, C) + CP(C, C) + WN"), 12, series=True)
    assert not showable(parse("CP(C, CP(C, C)) + WN"), 12, series=True)


@pytest.mark.parametrize("text", ["Lin + Lin * WN", "CP(WN, WN)", "CP(SE + WN, Lin + WN)"])
def test_sizes_of_noise_need_fifty_rows(text: str) -> None:
    assert not showable(parse(text), 49, series=True)
    assert showable(parse(text), 50, series=True)


def test_tables_of_few_rows_have_products_but_no_cycles() -> None:
    assert showable(parse("SE[a] * SE[b] + WN"), 12, series=False)
    assert not showable(parse("SE[a] * Per[b] + WN"), 12, series=False)


def test_what_wanders_off_or_levels_off_is_for_few_rows() -> None:
    assert showable(parse("C + Wiener + IOU + WN"), 8, series=True)
