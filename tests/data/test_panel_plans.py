"""Plans for the columns of many series: by their ids, or for all."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.there import there

from autostatistician.data.panel_plans import PlannedTable, planned_panel
from autostatistician.data.panels import PanelTable, panel_of, wide_panel_of
from autostatistician.errors import InputError

DAYS = pd.date_range("2024-01-01", periods=20)
AHEAD = pd.date_range("2024-01-21", periods=2)


@pytest.fixture
def shops() -> PanelTable:
    """Four series of two ids, with a price each."""
    rng = np.random.default_rng(0)
    parts = [
        pd.DataFrame({"region": region, "shop": shop, "day": DAYS, "price": rng.integers(3, 9, 20), "sales": 9.5})
        for region in ("north", "south")
        for shop in (1, 2)
    ]
    long = pd.concat(parts)
    table = there(panel_of(long.assign(sales=rng.normal(size=len(long))), ids=["region", "shop"], target="sales"))
    return table


def _prices(planned: PlannedTable) -> list[list[float]]:
    """What the price of each series is said to be on the two days to come; -1 where nobody says it."""
    found = []
    for index in range(len(planned)):
        data = planned.dataset(index)
        x = there(data.axis).future(float(data.x.max()), 2)
        found.append(np.nan_to_num(there(data.covariates).of("price", x), nan=-1.0).tolist())
    return found


@pytest.mark.parametrize(
    ("ids", "prices"),
    [
        ({}, [[7.0, 8.0]] * 4),
        ({"region": "south"}, [[-1.0, -1.0]] * 2 + [[7.0, 8.0]] * 2),
        ({"shop": 2, "region": "north"}, [[-1.0, -1.0], [7.0, 8.0], [-1.0, -1.0], [-1.0, -1.0]]),
    ],
)
def test_a_plan_is_for_the_series_whose_ids_it_has(shops: PanelTable, ids: dict[str, Any], prices: list[Any]) -> None:
    planned = planned_panel(shops, pd.DataFrame({**ids, "day": AHEAD, "price": [7, 8]}))
    assert (planned.ids, planned.keys, len(planned), planned.name(1)) == (shops.ids, shops.keys, 4, "north/2")
    assert _prices(planned) == prices
    said = [any("no rows of this series" in note for note in planned.dataset(index).warnings) for index in range(4)]
    assert said == [price == [-1.0, -1.0] for price in prices]


def test_a_plan_that_does_not_fit_is_a_warning(shops: PanelTable) -> None:
    past = planned_panel(shops, pd.DataFrame({"day": DAYS, "price": 7}))
    assert past.dataset(0).warnings[-1].startswith("The plan is not used: expected rows of the plan after 2024-01-20")
    assert np.array_equal(past.dataset(0).y, shops.dataset(0).y)
    wide = wide_panel_of(pd.DataFrame({"day": DAYS, "a": np.arange(20.0) % 7, "b": np.arange(20.0) % 5}))
    planned = planned_panel(wide, pd.DataFrame({"day": AHEAD, "price": 7}))
    assert planned.dataset(0).warnings[-1] == "The plan is not used: no columns explain this series."


def test_a_plan_is_a_table_with_rows(shops: PanelTable) -> None:
    with pytest.raises(InputError, match="a plan with names of columns, and rows"):
        planned_panel(shops, pd.DataFrame({"day": [], "price": []}))
