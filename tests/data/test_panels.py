"""Many series in one table: told apart, and each read as its rows alone would be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from autostatistician.data.load import load
from autostatistician.data.panels import panel_of, wide_panel_of
from autostatistician.errors import InputError


def frame(keys: tuple[Any, ...] = ("A", "B"), n: int = 8, **columns: Any) -> pd.DataFrame:
    """Series under each other, their rows mixed."""
    rng = np.random.default_rng(0)
    parts = [
        pd.DataFrame({"shop": key, "day": pd.date_range("2024-01-01", periods=n + place), **columns})
        for place, key in enumerate(keys)
    ]
    long = pd.concat(parts)
    return long.assign(sales=rng.normal(size=len(long)).round(3)).sample(frac=1.0, random_state=1)


@pytest.mark.parametrize("kind", ["frame", "file"])
def test_each_series_is_that_of_its_rows_alone(kind: str, tmp_path: Path) -> None:
    data: Any = frame()
    if kind == "file":
        data.to_csv(tmp_path / "sales.csv", index=False)
        data = tmp_path / "sales.csv"
    table = panel_of(data)
    assert table is not None
    assert table.ids == ("shop",)
    assert len(table) == 2
    for index, (shop,) in enumerate(table.keys):
        alone = load(data, where={"shop": shop})
        assert np.array_equal(table.dataset(index).X, alone.X)
        assert np.array_equal(table.dataset(index).y, alone.y)
        assert table.dataset(index).axis == alone.axis


def test_names_of_columns_that_say_it_all_are_recognised() -> None:
    long = frame().rename(columns={"shop": "unique_id", "day": "ds", "sales": "y"}).assign(price=1.5)
    table = panel_of(long.assign(price=np.arange(len(long)) % 7))
    assert table is not None
    assert table.ids == ("unique_id",)
    assert table.dataset(0).target == "y"


def test_dates_mean_the_same_in_every_series(tmp_path: Path) -> None:
    days = [f"{day:02d}/{month:02d}/2024" for month in (1, 2) for day in (3, 4, 25)]
    rows = [f"{shop},{day},{place}" for shop in "AB" for place, day in enumerate(days[: 6 if shop == "A" else 2] * 1)]
    rows += [f"B,{day},{place + 5}" for place, day in enumerate(days[3:5])]
    (tmp_path / "days.csv").write_text("\n".join(["shop,day,sales", *rows]))
    table = panel_of(tmp_path / "days.csv", ids=["shop"])
    assert table is not None
    axis = table.dataset(1).axis
    assert axis is not None
    written = [str(value)[:10] for value in axis.written(table.dataset(1).x)]
    assert written == ["2024-01-03", "2024-01-04", "2024-02-03", "2024-02-04"]


def test_names_are_unique_whatever_ids_hold() -> None:
    keys = ("a/b", "a%2Fb", 'q"', "line\nbreak", " ")
    table = panel_of(frame(keys), ids=["shop"])
    assert table is not None
    names = [table.name(index) for index in range(len(table))]
    assert len(set(names)) == len(keys)


def test_a_series_that_cannot_be_modelled_says_why() -> None:
    long = pd.concat([frame(("A", "B")), frame(("short",), n=2)])
    table = panel_of(long, ids=["shop"])
    assert table is not None
    index = table.keys.index(("short",))
    with pytest.raises(InputError, match="at least 3 rows"):
        table.dataset(index)
    assert table.dataset(1 - index if index < 2 else 0).n >= 8


@pytest.mark.parametrize(
    ("ids", "message"),
    [(["store"], "store"), (["shop", "shop"], "different columns"), (["shop", "day", "sales"], "different columns")],
)
def test_ids_that_cannot_be_are_refused(ids: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        panel_of(frame(), ids=ids)


def test_one_series_is_no_panel() -> None:
    assert panel_of(frame(("A",)).drop(columns="shop")) is None


def test_a_wide_table_has_a_series_for_each_column() -> None:
    wide = frame(n=8).pivot_table(index="day", columns="shop", values="sales").reset_index()
    table = wide_panel_of(wide)
    assert table.keys == (("A",), ("B",))
    assert table.dataset(0).n == 8  # the last cell of A is empty
    assert table.dataset(1).target == "B"


@pytest.mark.parametrize("columns", [["day", "A"], ["A", "B"]])
def test_a_table_without_times_or_series_is_refused(columns: list[str]) -> None:
    wide = frame(n=8).pivot_table(index="day", columns="shop", values="sales").reset_index()
    with pytest.raises(InputError, match="column of times"):
        wide_panel_of(wide[columns])
