"""The prior of structures: orders of terms do not matter, more costs more."""

from math import exp

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.gp.engines.choice import prior_covariances
from autostatistician.gp.problem import Problem
from autostatistician.kernels.expr import Expr
from autostatistician.kernels.kernel import parameters, unset
from autostatistician.kernels.rewrite import canonical
from autostatistician.kernels.text import parse
from autostatistician.search.scores.structure_prior import Season, is_change, learned_structures, one_spelling, summands

X = np.arange(40.0)
BOTH = "CP(C + WN, C + WN)"


def _spelled(text: str) -> str:
    return str(unset(one_spelling(parse(text))))


@pytest.mark.parametrize(
    ("text", "spelling"),
    [
        ("C + WN + CP(WN, C)", BOTH),
        ("WN + CP(C + WN, C)", BOTH),
        ("C + CP(C + WN, WN)", BOTH),
        ("C + WN + CP(C + WN, C + WN)", BOTH),
        ("C + WN + CP(C, C)", "WN + CP(C, C)"),
        ("C + WN + CW(WN, Lin)", "C + CW(WN, Lin + WN)"),
        ("C + WN + CP(C, CP(C, C))", "WN + CP(C, CP(C, C))"),
    ],
)
def test_what_stands_beside_a_change_that_has_it_moves_to_both_sides(text: str, spelling: str) -> None:
    assert _spelled(text) == str(unset(canonical(unset(parse(spelling))).expr))


@pytest.mark.parametrize("text", ["Lin + C + WN", "WN + CP(C, C)", "C + WN + CP(Lin, SE)", "SE * Lin + WN"])
def test_what_no_change_has_stays_where_it_is(text: str) -> None:
    assert _spelled(text) == text


@pytest.mark.parametrize("text", ["C + WN + CP(WN, C)", "C + Lin + WN + CW(C, WN)", "WN + CP(C, CP(C + WN, Lin))"])
def test_a_spelling_is_its_own(text: str) -> None:
    told = one_spelling(parse(text))
    assert one_spelling(told) == told


def _covariance(expr: Expr, *values: float) -> NDArray[np.float64]:
    return prior_covariances(expr, Problem(X, np.zeros(len(X))), [values])[0]


def test_the_spelling_has_the_covariance_of_what_is_spelled() -> None:
    expr, sudden = parse("WN + CP(WN, C)"), (20.5, 200.0)
    told = one_spelling(expr)
    assert [each.name for each in parameters(told)] == ["location", "steepness", "sd", "sd", "sd"]
    levels = ("C", "WN") if str(unset(told)) == "CP(WN, C + WN)" else ("WN", "C")
    sds = {"C": 3.0, "WN": 1.5}
    within = _covariance(told, *sudden, 1.5 * np.sqrt(2.0), *(sds[symbol] for symbol in levels))
    np.testing.assert_allclose(within, _covariance(expr, 1.5, *sudden, 1.5, 3.0), atol=1e-6)


def test_changes_and_summands() -> None:
    changes = [is_change(parse(text)) for text in ("CP(C, C)", "CW(C, Lin)", "C + CP(C, C)", "Lin")]
    assert changes == [True, True, False, False]
    assert summands(parse("Lin")) == (parse("Lin"),)
    assert set(summands(parse("Lin + WN"))) == {parse("Lin"), parse("WN")}


@pytest.mark.parametrize("season", Season)
def test_shares_add_up_to_one(season: Season) -> None:
    prior = learned_structures(season)
    for table in (prior.counts, prior.shapes, prior.factors):
        assert sum(table.values()) == pytest.approx(1.0, abs=0.02)


def test_within_a_year_curves_that_return_are_not_less_likely_by_far_than_those_that_wander_off() -> None:
    odds = {}
    for season in (Season.YEAR, Season.WITHIN_YEAR):
        shapes = learned_structures(season).shapes
        odds[season] = shapes["Matern32"] / shapes["IOU"]
    assert odds[Season.YEAR] < 0.1 < 0.5 < odds[Season.WITHIN_YEAR]


def test_a_level_and_noise_cost_nothing_beside_the_count_of_terms() -> None:
    prior = learned_structures(Season.NONE)
    assert prior.log_probability(parse("C + WN")) > prior.log_probability(parse("WN"))
    assert exp(prior.log_probability(parse("C + WN"))) == pytest.approx(prior.counts["0"])


def test_products_and_changes_cost_more_than_their_parts() -> None:
    prior = learned_structures(Season.NONE)
    terms = ("Lin", "Lin * SE", "CP(Lin, Lin)")
    simple, product, change = (prior.log_probability(parse(f"C + {term} + WN")) for term in terms)
    assert simple > product > prior.log_probability(parse("C + Lin * Lin * Lin * SE + WN"))
    assert simple > change > prior.log_probability(parse("C + CP(Lin, CP(Lin, SE)) + WN"))


def test_ever_more_terms_cost_ever_more() -> None:
    prior = learned_structures(Season.YEAR)
    heights = [prior.log_probability(parse(" + ".join(["SE"] * count + ["WN"]))) for count in range(5, 9)]
    assert heights == sorted(heights, reverse=True)


SPELLINGS = ("C + WN + CP(WN, C)", "WN + CP(C + WN, C)", "CP(C + WN, C + WN)", "C + WN + CP(C + WN, C + WN)")


def test_spellings_of_one_function_have_one_probability() -> None:
    prior = learned_structures(Season.NONE)
    heights = [prior.log_probability(parse(text)) for text in SPELLINGS]
    assert heights == pytest.approx([heights[0]] * len(SPELLINGS))


def test_another_noise_beside_another_level_costs_more() -> None:
    prior = learned_structures(Season.NONE)
    step, both = (prior.log_probability(parse(text)) for text in ("WN + CP(C, C)", "CP(C + WN, C + WN)"))
    assert both < step
