"""Paths are shortened, and stray from their course by no more than what nobody sees."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from autostatistician.report.svg import page_svg

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 99 50"><defs/><g id="g"><path d="{}" style="fill: none"/></g>'
    "</svg>"
)


def _path(points: np.ndarray) -> np.ndarray:
    """The vertices that are left of a path."""
    d = "M " + " L ".join(f"{x:.6f} {y:.6f}" for x, y in points)
    (path,) = ElementTree.fromstring(page_svg(SVG.format(d))).iter("path")
    numbers = [float(number) for number in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", path.attrib["d"])]
    return np.cumsum(np.array(numbers).reshape(-1, 2), axis=0)


@given(arrays(np.float64, (12,), elements=st.floats(0.0, 40.0)))
def test_a_shortened_path_stays_near_its_vertices(y: np.ndarray) -> None:
    x = np.linspace(0.0, 90.0, 12)
    kept = _path(np.column_stack([x, y]))
    assert np.abs(np.interp(x, kept[:, 0], kept[:, 1]) - y).max() < 0.2 * 45.0 / 8.0  # 0.2 px across a steep line
    assert kept[0] == pytest.approx([x[0], y[0]], abs=0.051)
    assert kept[-1] == pytest.approx([x[-1], y[-1]], abs=0.051 * len(kept))


def test_a_straight_line_needs_two_vertices() -> None:
    x = np.linspace(0.0, 90.0, 30)
    assert len(_path(np.column_stack([x, 0.5 * x]))) == 2


def test_alone_it_has_a_title_and_inside_of_a_page_none() -> None:
    source = SVG.format("M 0 0 L 1 1")
    assert "<title>what it shows</title>" in page_svg(source, "what it shows")
    assert 'role="img"' in page_svg(source, "what it shows")
    assert 'aria-hidden="true"' in page_svg(source)
    assert "<title" not in page_svg(source)
