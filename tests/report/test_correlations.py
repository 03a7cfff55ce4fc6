"""Squares of correlations: one for every pair, the right way up, with the names of their inputs at the edges."""

from __future__ import annotations

import numpy as np

from autostatistician.report.correlations import figure_correlations

X, DATES = np.linspace(0.0, 4.0, 5), np.arange("2001-01", "2001-04", dtype="M8[M]").astype("M8[D]")
BLOCKS = [[np.eye(5), np.full((5, 3), 0.2)], [np.full((3, 5), -0.4), np.eye(3)]]
FIGURE = figure_correlations(["trend", "cycle"], [("depth", X), ("date", DATES)], BLOCKS)
SQUARES = FIGURE.axes[:4]


def test_every_pair_has_its_square() -> None:
    for axes, block in zip(SQUARES, [block for row in BLOCKS for block in row], strict=True):
        (image,) = axes.get_images()
        np.testing.assert_array_equal(np.asarray(image.get_array()), block)
        assert image.get_clim() == (-0.5, 1.0)


def test_only_the_edges_are_labelled() -> None:
    assert [axes.get_xlabel() != "" for axes in SQUARES] == [False, False, True, True]
    assert [axes.get_ylabel() != "" for axes in SQUARES] == [True, False, True, False]


def test_one_part_alone_is_one_square() -> None:
    figure = figure_correlations(["trend"], [("depth", X)], [[np.eye(5)]])
    assert len(figure.axes) == 2  # the square and the scale of colours
