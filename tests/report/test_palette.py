"""Colours are told apart, on light paper and on dark, and text can be read (WCAG 2.2)."""

from __future__ import annotations

import pytest

from autostatistician.report.palette import BAND_OPACITY, DARK, DARK_OPACITY, LIGHT, with_variables


def _luminance(colour: str) -> float:
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("table", [LIGHT, DARK], ids=["light", "dark"])
def test_text_and_lines_stand_out_from_the_paper(table: dict[str, str]) -> None:
    for name, least in (("ink", 7.0), ("muted", 4.5), ("accent", 4.5), ("mean", 3.0), ("forecast", 3.0), ("data", 3.0)):
        assert _contrast(table[name], table["paper"]) >= least, name


def test_every_colour_can_be_replaced_by_its_own_variable() -> None:
    assert LIGHT.keys() == DARK.keys()
    assert BAND_OPACITY.keys() == DARK_OPACITY.keys()
    assert len(set(LIGHT.values())) == len(LIGHT)
    assert len(set(BAND_OPACITY.values())) == len(BAND_OPACITY)


def test_only_our_colours_are_replaced() -> None:
    assert with_variables("fill: #123456; stroke: #ffffff") == "fill: #123456; stroke: var(--paper, #ffffff)"
    assert with_variables("opacity: 0.3") == "opacity: 0.3"
