"""Criteria of model choice."""

from __future__ import annotations

from math import log

import pytest

from autostatistician.inference.criteria import CRITERIA, aic, bic
from autostatistician.language.text import parse


def test_formulas() -> None:
    expr = parse("SE * Per + Lin + WN")  # 4 + 2 + 1 parameters that matter
    assert bic(534.5, expr, 144) == pytest.approx(2 * 534.5 + 7 * log(144))
    assert aic(534.5, expr, 144) == pytest.approx(2 * 534.5 + 14)


def test_criteria_by_name() -> None:
    assert (CRITERIA["bic"], CRITERIA["aic"]) == (bic, aic)


def test_more_parameters_cost_more_the_more_data_there_are() -> None:
    small, large = parse("SE + WN"), parse("SE + WN + Per")
    assert bic(10.0, large, 100) - bic(10.0, small, 100) == pytest.approx(3 * log(100))
    assert bic(10.0, large, 1000) - bic(10.0, small, 1000) == pytest.approx(3 * log(1000))
    assert aic(10.0, large, 100) == aic(10.0, large, 1000)


def test_redundant_scales_are_not_charged_for() -> None:
    assert bic(10.0, parse("SE * Lin"), 50) == bic(10.0, parse("SE + C"), 50)
