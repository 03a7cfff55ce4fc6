"""The search by evidence: where it begins, what it finds on few rows, that it is the same again."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from autostatistician.data.dataset import from_arrays
from autostatistician.data.load import load
from autostatistician.inference.parameters.learned import learned_priors
from autostatistician.language.kernel import parameters, unset
from autostatistician.language.languages import LANGUAGES
from autostatistician.language.text import parse
from autostatistician.language.traits import has_structure
from autostatistician.model.fitting import fit_model
from autostatistician.search.series.evidence import EvidenceStrategy, has_twins, sums
from autostatistician.search.settings import Settings
from autostatistician.search.starting.standardisation import standard

EXTENDED = LANGUAGES["extended"].with_priors
SETTINGS = Settings(criterion="evidence", n_jobs=1)


def test_the_sums_have_no_cycle_where_no_calendar_names_one() -> None:
    plain, seasonal = list(sums(EXTENDED, ("",))), list(sums(EXTENDED))
    assert len(set(plain)) == len(plain)
    assert set(plain) < set(seasonal)
    assert not any("Per" in str(unset(expr)) for expr in plain)
    assert parse("C + WN") in plain


def test_a_search_begins_with_the_cycle_that_stands_out_of_the_data() -> None:
    places, rng = np.arange(80.0), np.random.default_rng(3)
    values = 5.0 * np.sin(2.0 * np.pi * places / 7.3) + 0.3 * rng.normal(size=80)
    _, problem, scales = standard(from_arrays(places, values), priors=learned_priors())
    begun = EvidenceStrategy(EXTENDED, problem, scales).complete_kernels()
    periods = {value for one in begun for value, number in zip(one.values, parameters(one.expr), strict=True)
               if number.name == "period"}  # fmt: skip
    assert [round(79.0 * period, 1) for period in periods] == [7.3]
    few = EvidenceStrategy(EXTENDED, problem.rows(np.arange(30)), scales).complete_kernels()
    assert not any("Per" in str(unset(one.expr)) for one in few)


def test_a_search_that_knows_of_two_cycles_begins_with_both() -> None:
    places = np.arange(300.0)
    _, problem, scales = standard(from_arrays(places, np.sin(places)), priors=learned_priors())
    begun = EvidenceStrategy(EXTENDED, problem, scales, (0.1, 0.02)).complete_kernels()
    periods = [
        tuple(value for one, value in zip(parameters(kernel.expr), kernel.values, strict=True) if one.name == "period")
        for kernel in begun
    ]
    assert {frozenset(one) for one in periods} == {frozenset(), *map(frozenset, ([0.1], [0.02], [0.1, 0.02]))}
    mixed = [found for kernel, found in zip(begun, periods, strict=True) if str(unset(kernel.expr)).count("Per") == 2]
    assert {(0.1, 0.02), (0.02, 0.1)} <= set(mixed)  # either may be the one that wanders off
    assert len({(one.expr, one.values) for one in begun}) == len(begun)


def test_sums_use_only_leaves_of_the_language() -> None:
    assert {str(unset(expr)) for expr in sums(LANGUAGES["changepoint"])} == {"WN", "SE + WN"}


@pytest.mark.parametrize(("text", "twins"), [("C + Wiener + Wiener", True), ("SE + SE + WN", False)])
def test_twins_are_equal_terms_of_one_number(text: str, twins: bool) -> None:
    assert has_twins(parse(text)) is twins


def _yearly(values: np.ndarray) -> pd.DataFrame:
    dates = pd.date_range("1980-01-01", periods=len(values), freq="YS")
    return pd.DataFrame({"date": dates, "value": values})


@pytest.mark.slow
def test_noise_is_told_as_noise() -> None:
    rng = np.random.default_rng(8)
    told = [
        has_structure(fit_model(load(_yearly(10.0 + rng.normal(size=24))), "extended", SETTINGS).kernel.expr)
        for _ in range(6)
    ]
    assert sum(told) <= 1


def test_a_line_of_fifteen_rows_is_a_line_or_a_trend() -> None:
    rng = np.random.default_rng(2)
    model = fit_model(load(_yearly(5.0 + 2.0 * np.arange(15.0) + 0.5 * rng.normal(size=15))), "extended", SETTINGS)
    assert {"Lin", "IOU"} & set(str(model.kernel).replace("+", " ").split())


def test_the_same_series_gives_the_same_model() -> None:
    values = np.cumsum(np.random.default_rng(4).normal(size=18)) + 30.0
    first, second = (fit_model(load(_yearly(values)), "extended", SETTINGS) for _ in range(2))
    assert first.kernel == second.kernel
    assert first.search.frontier == second.search.frontier


def test_ten_rows_have_the_parts_of_sums_and_a_step_alone() -> None:
    y = np.tile([0.0, 3.0, 1.0, -2.0], 3)[:10] + 0.05 * np.random.default_rng(0).normal(size=10)
    found = fit_model(from_arrays(np.arange(10.0), y), "extended", replace(SETTINGS, max_depth=3)).search.frontier
    known = {"C", "Lin", "SE", "WN", "Wiener", "IOU", "Matern12", "CP"}
    assert all(set(re.findall(r"\w+", str(one.kernel))) <= known for one in found)
    assert not any("*" in str(one.kernel) for one in found)
