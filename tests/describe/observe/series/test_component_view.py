"""A component laid out: the data it acts on, and the ranges of its numbers."""

from __future__ import annotations

import numpy as np
import pytest
from tests.describe.factory import MONTHLY, MONTHS, ZERO, component, units_on

from autostatistician.describe.observe.series.component_view import ComponentView, component_view
from autostatistician.language.kernel import Kernel, leaf

LEVEL = leaf("C", sd=5.0)


def _view(kernel: Kernel, **changes: object) -> ComponentView:
    return component_view("part-1", component(kernel, MONTHS, **changes), MONTHS, units_on(MONTHLY, MONTHS))  # type: ignore[arg-type]


def test_it_acts_where_its_gates_are_open() -> None:
    view = _view(Kernel.change_point(LEVEL, ZERO, 1955.0, 40.0))
    assert (view.where == (MONTHS <= 1955.0)).all()


def test_between_two_rows_the_nearest_stands_for_it() -> None:
    place = MONTHS[30] + 0.4 / 12
    view = _view(Kernel.change_window(ZERO, LEVEL, place, 100.0, 0.2 / 12))
    assert np.flatnonzero(view.where).tolist() == [30]


def test_outside_of_the_data_all_rows_stand_for_it() -> None:
    assert _view(Kernel.change_point(ZERO, LEVEL, 1999.0, 40.0)).where.all()


def test_ranges_are_the_quantiles_of_the_draws() -> None:
    draws = np.exp(np.random.default_rng(0).normal(size=(400, 1)))
    view = _view(LEVEL, numbers=draws)
    assert view.interval(lambda part: part.leaves[0].named()["sd"]) == pytest.approx(np.quantile(draws, (0.025, 0.975)))
    assert view.share(lambda part: part.leaves[0].named()["sd"] > 1.0) == pytest.approx(np.mean(draws > 1.0))
    assert view.interval(lambda part: 3.0) is None  # the data leave nothing open


def test_without_draws_nothing_is_known_of_doubt() -> None:
    view = _view(LEVEL)
    assert view.interval(lambda part: 1.0) is None
    assert view.share(lambda part: True) is None
