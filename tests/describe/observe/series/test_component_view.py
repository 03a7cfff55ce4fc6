"""A component laid out: the data it acts on, and the ranges of its numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.describe.factory import MONTHLY, MONTHS, ZERO, component, units_on

from autostatistician.describe.facts.function import SecondWitness, SuddenChange
from autostatistician.describe.facts.part import ConstantLevel
from autostatistician.describe.observe.series.component_view import ComponentView, component_view
from autostatistician.describe.observe.series.heads import head_fact
from autostatistician.language.kernel import Kernel, leaf

LEVEL = leaf("C", sd=5.0)
OUTAGE = SuddenChange(
    id="s", number=-260.0, unit="target", interval=(-270.0, -250.0), evidence="e", told=True,
    witness=SecondWitness("difference", -260.0, (-280.0, -240.0), True), before=MONTHS[39], at=MONTHS[40],
    until=MONTHS[60], level=300.0, after=40.0, share=-0.87, rows=20, later=84,
)  # fmt: skip


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


@pytest.mark.parametrize("sd", [1.0, 80.0])
def test_an_outage_has_the_dates_and_the_level_that_the_data_show(sd: float) -> None:
    """The model knows its edges to a row or two, and its level only as far as no other part takes it up."""
    place, width = MONTHS[49], 22.0 / 12
    kernel = Kernel.change_window(LEVEL, ZERO, place, 20.0, width) + Kernel.change_window(
        ZERO, LEVEL, place, 20.0, width
    )
    rows = np.arange(len(MONTHS))
    part = replace(
        component(kernel, MONTHS, np.where((rows > 38) & (rows < 61), 86.0, 301.0)), sd=np.full(rows.size, sd)
    )
    units = units_on(MONTHLY, MONTHS)
    view = component_view("part-1", part, MONTHS, units, (OUTAGE,))
    head = head_fact(view)
    assert isinstance(head, ConstantLevel)
    assert [edge for stretch in head.levels for edge in stretch.span][1:-1] == pytest.approx(
        [MONTHS[39] + 0.5 / 12] * 2 + [MONTHS[59] + 0.5 / 12] * 2
    )
    assert [round(stretch.value) for stretch in head.levels] == [301, 40 if sd > 50.0 else 86, 301]


def test_a_change_far_from_what_happened_stays_where_it_is() -> None:
    part = component(Kernel.change_point(LEVEL, ZERO, MONTHS[80], 40.0), MONTHS)
    view = component_view("part-1", part, MONTHS, units_on(MONTHLY, MONTHS), (OUTAGE,))
    assert view.part.gates[0].location == MONTHS[80]
    assert not view.part.gates[0].seen
