"""The season that other series have in common, word for word."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.describe.covariate_cases import PROMO, SEASON, around, findings, said

from autostatistician.describe.words.column_values import compared_text
from autostatistician.describe.words.covariates import course_told


def test_what_follows_and_what_runs_against_it() -> None:
    follows = "'sales' follows the yearly cycle of the other series, which adds 112"
    assert said(SEASON).startswith(follows)
    assert said(SEASON).endswith("from its lowest to its highest point.")
    against = said(replace(SEASON, size=around(-112.0, 20.0)))
    assert against.startswith("'sales' runs against the yearly cycle of the other series, which takes off 112")


@pytest.mark.parametrize("name", ["the weekly cycle of the other series", "the daily cycle of the other series"])
def test_each_cycle_has_its_name(name: str) -> None:
    other = said(replace(SEASON, name=name.removeprefix("the ")))
    assert other.startswith(f"'sales' follows {name}, which adds 112")


def test_its_size_is_that_of_the_whole_swing() -> None:
    half = replace(SEASON, step=0.5, size=around(56.0, 10.0))
    assert said(half) == said(SEASON)


def test_the_course_is_told_without_it() -> None:
    both = findings(SEASON, PROMO)
    assert course_told(both) == ("The course in time is told without the yearly cycle of the other series or 'promo'.")
    assert compared_text(both.columns[0].effect) == "from its lowest to its highest point"


def test_what_is_open_names_it() -> None:
    text = said(replace(SEASON, probability=0.6))
    assert text.startswith("It is open whether the yearly cycle of the other series matters for 'sales'")
