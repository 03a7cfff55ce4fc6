"""The season that other series have in common, word for word."""

from __future__ import annotations

from dataclasses import replace

from tests.describe.covariate_cases import SEASON, around, said


def test_its_size_is_that_of_the_whole_swing() -> None:
    half = replace(SEASON, step=0.5, size=around(56.0, 10.0))
    assert said(half) == said(SEASON)
