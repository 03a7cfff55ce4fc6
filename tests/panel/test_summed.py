"""The sums of a panel's series, as a table of series."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from tests.panel.made import MONTH, data_of

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.data.panels import PanelTable, panel_of
from autostatistician.errors import InputError
from autostatistician.panel.records import DONE, FAILED, PanelForecast, SeriesRecord
from autostatistician.panel.summed import levels_of, summed_table

KEYS = (("north", "1"), ("north", "2"), ("south", "1"), ("south", "3"))
LEVELS: list[list[str]] = [[], ["region"], ["store"]]


@dataclass
class Stores:
    """Stores in regions."""

    keys: Sequence[tuple[str, ...]] = KEYS
    data: dict[int, Dataset] = field(default_factory=dict)
    ids: tuple[str, ...] = ("region", "store")

    def __len__(self) -> int:
        return len(self.keys)

    def name(self, index: int) -> str:
        return "/".join(self.keys[index])

    def dataset(self, index: int) -> Dataset:
        return self.data.get(index, data_of(index))


def records_of(table: Stores, **changes: SeriesRecord) -> list[SeriesRecord]:
    """Records of series that all end in December 2001."""
    told = PanelForecast(("2002-01-01",), (1.0,), (80,), ((0.5,),), ((1.5,),))
    usual = SeriesRecord("", (), DONE, rows=24, last="2001-12-01", step="month", forecast=told)
    return [
        replace(changes.get(f"of_{index}", usual), name=table.name(index), ids=tuple(table.keys[index]))
        for index in range(len(table))
    ]


def test_each_level_has_its_sums() -> None:
    table = Stores()
    summed = summed_table(table, records_of(table), LEVELS)
    assert [summed.name(index) for index in range(len(summed))] == [
        "total", "north", "south", "store=1", "store=2", "store=3"
    ]  # fmt: skip
    assert summed.keys[:4] == (("", ""), ("north", ""), ("south", ""), ("", "1"))
    assert summed.members == ((0, 1, 2, 3), (0, 1), (2, 3), (0, 2), (1,), (3,))
    assert summed.left_out == {}
    total = sum(data_of(index).y for index in range(4))
    assert np.allclose(summed.dataset(0).y, total)
    assert np.allclose(summed.dataset(3).y, data_of(0).y + data_of(2).y)
    assert summed.dataset(0).warnings == ("The sum of 4 series at the 24 times that they share.",)
    assert summed.dataset(0).axis == MONTH


def test_names_of_sums_are_those_of_no_series() -> None:
    table = Stores((("total",), ("total (sum)",)), ids=("store",))
    summed = summed_table(table, records_of(table), [[]])
    assert summed.name(0) == "total (sum) (sum)"


def test_a_sum_has_the_times_at_which_all_have_values() -> None:
    late = replace(data_of(1), X=data_of(1).X[5:], y=data_of(1).y[5:])
    holed = np.delete(np.arange(24), [10, 12])
    table = Stores(data={1: late, 2: replace(data_of(2), X=data_of(2).X[holed], y=data_of(2).y[holed], offset=100.0)})
    total = summed_table(table, records_of(table), [[]]).dataset(0)
    shared = [row for row in range(5, 24) if row not in (10, 12)]
    assert np.allclose(total.x, data_of(0).x[shared])
    assert np.allclose(total.y, sum(data_of(index).y for index in range(4))[shared] + 100.0)


def test_series_of_other_times_are_left_out_and_named() -> None:
    table = Stores((*KEYS, ("west", "1"), ("west", "2"), ("west", "3"), ("west", "4")))
    usual = records_of(table)[0]
    told = usual.forecast
    assert told is not None
    summed = summed_table(
        table,
        records_of(
            table,
            of_1=SeriesRecord("", (), FAILED, "constant"),
            of_3=replace(usual, last="2001-11-01", forecast=replace(told, times=("2001-12-01",))),
            of_5=replace(usual, step="quarter"),
            of_6=replace(usual, rows=11),
        ),
        [["region"]],
    )
    assert summed.kept == (0, 2, 4, 7)
    assert summed.members == ((0,), (1,), (2, 3))
    assert summed.left_out == {
        "no forecast": ("north/2",), "other times": ("south/3", "west/2"), "too few rows": ("west/3",)
    }  # fmt: skip


def test_without_a_forecast_there_are_no_sums() -> None:
    table = Stores()
    failed = SeriesRecord("", (), FAILED, "constant")
    summed = summed_table(table, records_of(table, of_0=failed, of_1=failed, of_2=failed, of_3=failed), [[]])
    assert (len(summed), summed.kept) == (0, ())


def test_too_few_shared_times_are_said() -> None:
    x, y = np.arange(4.0), np.ones(4)
    table = Stores(data={0: from_arrays(x, y), 1: from_arrays(x + 2.0, y)})
    summed = summed_table(table, records_of(table), [["region"]])
    with pytest.raises(InputError, match="three times that all series of a sum share; found 2"):
        summed.dataset(0)


@pytest.mark.parametrize(
    ("levels", "said"), [([["shop"]], "found 'shop'"), ([["store", "region"]], "the series themselves")]
)
def test_levels_that_are_none_are_refused(levels: list[list[str]], said: str) -> None:
    with pytest.raises(InputError, match=said):
        levels_of(levels, Stores())


def shops() -> PanelTable:
    """Three shops, of which two are in one region; the days are the same for all."""
    rows = {"shop": ["a", "b", "c"] * 24, "month": np.repeat(np.arange(24), 3), "region": ["n", "s", "n"] * 24}
    table = panel_of({**rows, "sold": np.arange(72.0)}, ids=["shop"], target="sold")
    assert table is not None
    return table


def test_a_column_that_says_one_thing_of_each_series_makes_sums() -> None:
    table = shops()
    records = [replace(record, name=f"{i}") for i, record in enumerate(records_of(Stores(KEYS[:3])))]
    summed = summed_table(table, records, [["region"], []])
    assert (summed.ids, summed.members) == (("shop", "region"), ((0, 2), (1,), (0, 1, 2)))
    assert [summed.name(index) for index in range(3)] == ["region=n", "region=s", "total"]
    with pytest.raises(InputError, match="hold one value for each series"):
        levels_of([["month"]], table)
    with pytest.raises(InputError, match="nowhere"):
        levels_of([["nowhere"]], table)
