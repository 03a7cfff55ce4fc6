"""What a search says of itself: how far it went, and how probable its best model is."""

from __future__ import annotations

from dataclasses import replace

from tests.describe import factory

from autostatistician.describe.observe.search import search_of


def test_levels_are_counted_from_the_first_expression() -> None:
    search = search_of(factory.airline(), ())
    assert search.levels == len(search.path) - 1 == 2
    assert replace(search, path=()).levels == 0


def test_the_weight_is_that_of_the_best_and_all_where_there_is_no_other() -> None:
    search = search_of(factory.airline(), ())
    assert search.weight == 1.0
    assert replace(search, models=(("SE", 0.6), ("Lin", 0.4))).weight == 0.6


def test_a_simpler_model_is_nearly_as_likely_up_to_odds_of_five() -> None:
    search = search_of(factory.airline(), ())
    weights = ((0.1, 0.5), (0.05, 0.5))
    assert [replace(search, models=(("C", told), ("SE", most))).nearly_likeliest for told, most in weights] == [
        True, False,
    ]  # fmt: skip
