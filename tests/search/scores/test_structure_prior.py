"""The prior of structures: orders of terms do not matter, more costs more."""

from __future__ import annotations

from math import exp

import pytest

from autostatistician.language.text import parse
from autostatistician.search.scores.structure_prior import learned_structures


@pytest.mark.parametrize("season", [False, True])
def test_shares_add_up_to_one(season: bool) -> None:
    prior = learned_structures(season)
    for table in (prior.counts, prior.shapes, prior.factors):
        assert sum(table.values()) == pytest.approx(1.0, abs=0.02)


def test_a_level_and_noise_cost_nothing_beside_the_count_of_terms() -> None:
    prior = learned_structures(False)
    assert prior.log_probability(parse("C + WN")) > prior.log_probability(parse("WN"))
    assert exp(prior.log_probability(parse("C + WN"))) == pytest.approx(prior.counts["0"])


def test_products_and_changes_cost_more_than_their_parts() -> None:
    prior = learned_structures(False)
    simple, product, change = (
        prior.log_probability(parse(f"C + {t} + WN")) for t in ("Lin", "Lin * SE", "CP(Lin, Lin)")
    )
    assert simple > product > prior.log_probability(parse("C + Lin * Lin * Lin * SE + WN"))
    assert simple > change > prior.log_probability(parse("C + CP(Lin, CP(Lin, SE)) + WN"))


def test_ever_more_terms_cost_ever_more() -> None:
    prior = learned_structures(True)
    heights = [prior.log_probability(parse(" + ".join(["SE"] * count + ["WN"]))) for count in range(5, 9)]
    assert heights == sorted(heights, reverse=True)


SPELLINGS = ("C + WN + CP(WN, C)", "WN + CP(C + WN, C)", "CP(C + WN, C + WN)", "C + WN + CP(C + WN, C + WN)")


def test_spellings_of_one_function_have_one_probability() -> None:
    prior = learned_structures(False)
    heights = [prior.log_probability(parse(text)) for text in SPELLINGS]
    assert heights == pytest.approx([heights[0]] * len(SPELLINGS))


def test_another_noise_beside_another_level_costs_more() -> None:
    prior = learned_structures(False)
    step, both = (prior.log_probability(parse(text)) for text in ("WN + CP(C, C)", "CP(C + WN, C + WN)"))
    assert both < step
