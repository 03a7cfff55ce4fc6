"""Rows of an event are no single outliers, however many of these there are besides."""

import numpy as np

from autostatistician.search.preprocessing.events import together


def test_the_edge_of_a_closure_belongs_to_it_beside_single_days_that_are_closed() -> None:
    """Single closed days move as far as a closure does: its last two days were called outliers."""
    days = np.arange(300)
    visits = (
        330.0 + np.tile([-24.0, -45.0, -40.0, -17.0, 23.0, 106.0], 50) + np.random.default_rng(0).normal(0, 22, 300)
    )
    closure, holidays = (days >= 140) & (days < 152), [20, 60, 63, 90, 125, 175, 200, 230, 231, 260]
    visits[closure] = 0.0
    visits[holidays] = 0.0
    out = np.isin(days, [150, 151, *holidays])
    assert (together(visits, out) == closure).all()
