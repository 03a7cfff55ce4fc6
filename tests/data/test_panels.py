"""Many series in one table: told apart, and each read as its rows alone would be."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.there import there

from autostatistician.data.load import load
from autostatistician.data.panels import FolderTable, panel_of, tables, wide_panel_of
from autostatistician.errors import InputError


@pytest.fixture
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _table(path: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text("month,sales\n2024-01,1\n2024-02,3\n2024-03,2\n", encoding="utf-8")


@pytest.mark.usefixtures("_in_an_empty_folder")
def test_tables_are_chosen_by_ending_or_pattern() -> None:
    for name in ("a.csv", "b.TSV", "c.csv.gz", "notes.md", ".hidden.csv", "d.parquet", "sub/e.csv", "out/f.csv"):
        _table(f"in/{name}")
    folder, output = Path("in"), Path("in/out")
    assert [path.name for path in tables(folder, output)] == ["a.csv", "b.TSV", "c.csv.gz", "d.parquet"]
    assert [path.name for path in tables(folder, output, "**/*.csv")] == ["a.csv", "e.csv"]
    assert [path.name for path in tables(folder, pattern="*/*.csv")] == ["f.csv", "e.csv"]
    for wrong in ("*.xlsx", "", "/tmp/*", "a**b/**c"):
        if wrong:
            with pytest.raises(InputError, match=r"pattern|tables in"):
                tables(folder, output, wrong)
    with pytest.raises(InputError, match="another folder for the output"):
        tables(folder, Path("in/../in"))
    with pytest.raises(InputError, match="a folder of tables"):
        tables(Path("none"), output)


@pytest.mark.usefixtures("_in_an_empty_folder")
def test_each_file_is_a_series_with_a_name_of_its_own() -> None:
    for name in ("north.csv", "south.csv", "south.tsv", "sub/north.csv"):
        _table(f"in/{name}")
    table = FolderTable(Path("in"), tables(Path("in"), pattern="**/*.[ct]sv"), {"target": "sales"})
    names = [table.name(index) for index in range(len(table))]
    assert names == ["north", "south.csv", "south.tsv", "sub/north"]
    assert table.keys == tuple((name,) for name in names)
    assert table.dataset(0).y.tolist() == [1.0, 3.0, 2.0]
    Path("in/north.csv").write_text("nothing here", encoding="utf-8")
    with pytest.raises(InputError):
        table.dataset(0)


@pytest.mark.usefixtures("_in_an_empty_folder")
@pytest.mark.skipif(os.name == "nt", reason="names of files are text there")
def test_names_that_are_no_text_are_escaped() -> None:
    _table("in/a.csv")
    names = [b"in/b\xffd.csv", b"in/new\nline.csv"]
    try:
        for name in names:
            Path(os.fsdecode(name)).write_bytes(Path("in/a.csv").read_bytes())
    except OSError:
        pytest.skip("this disk wants text")
    table = FolderTable(Path("in"), tables(Path("in")))
    assert [key for (key,) in table.keys] == ["a", "b%DCFFd", "new%0Aline"]
    assert [table.dataset(index).n for index in range(3)] == [3, 3, 3]


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
    table = there(panel_of(data))
    assert table.ids == ("shop",)
    assert len(table) == 2
    for index, (shop,) in enumerate(table.keys):
        alone = load(data, where={"shop": shop})
        assert np.array_equal(table.dataset(index).X, alone.X)
        assert np.array_equal(table.dataset(index).y, alone.y)
        assert table.dataset(index).axis == alone.axis
        assert table.dataset(index).where == alone.where == {"shop": shop}


def test_names_of_columns_that_say_it_all_are_recognised() -> None:
    long = frame().rename(columns={"shop": "unique_id", "day": "ds", "sales": "y"}).assign(price=1.5)
    table = there(panel_of(long.assign(price=np.arange(len(long)) % 7)))
    assert table.ids == ("unique_id",)
    assert table.dataset(0).target == "y"


def test_dates_mean_the_same_in_every_series(tmp_path: Path) -> None:
    days = [f"{day:02d}/{month:02d}/2024" for month in (1, 2) for day in (3, 4, 25)]
    rows = [f"{shop},{day},{place}" for shop in "AB" for place, day in enumerate(days[: 6 if shop == "A" else 2] * 1)]
    rows += [f"B,{day},{place + 5}" for place, day in enumerate(days[3:5])]
    (tmp_path / "days.csv").write_text("\n".join(["shop,day,sales", *rows]))
    table = there(panel_of(tmp_path / "days.csv", ids=["shop"]))
    axis = there(table.dataset(1).axis)
    written = [str(value)[:10] for value in axis.written(table.dataset(1).x)]
    assert written == ["2024-01-03", "2024-01-04", "2024-02-03", "2024-02-04"]


def test_names_are_unique_whatever_ids_hold() -> None:
    keys = ("a/b", "a%2Fb", 'q"', "line\nbreak", " ")
    table = there(panel_of(frame(keys), ids=["shop"]))
    names = [table.name(index) for index in range(len(table))]
    assert len(set(names)) == len(keys)


def test_a_series_that_cannot_be_modelled_says_why() -> None:
    long = pd.concat([frame(("A", "B")), frame(("short",), n=2)])
    table = there(panel_of(long, ids=["shop"]))
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


@pytest.mark.parametrize(("columns", "wanted"), [("day A", "column of times, and one"), ("A B", "of dates")])
def test_a_table_without_times_or_series_is_refused(columns: str, wanted: str) -> None:
    wide = frame(n=8).pivot_table(index="day", columns="shop", values="sales").reset_index()
    with pytest.raises(InputError, match=wanted):
        wide_panel_of(wide[columns.split()])


@pytest.mark.parametrize(
    ("keys", "texts"),
    [
        ((1234567, 1234568), ("1234567", "1234568")),
        ((1, 2.5), ("1", "2.5")),
        ((10**15 + 1, 10**15), ("1000000000000001", "1000000000000000")),
        (("007", "7"), ("007", "7")),
        ((True, False), ("True", "False")),
        (("NA", "none"), ("NA", "none")),
    ],
)
def test_ids_keep_all_that_tells_them_apart(keys: tuple[Any, ...], texts: tuple[str, ...]) -> None:
    table = there(panel_of(frame(keys).sort_index(kind="stable"), ids=["shop"]))
    assert {key for (key,) in table.keys} == set(texts)
    assert sorted(table.dataset(index).n for index in range(2)) == [8, 9]


@pytest.mark.parametrize("none", [None, "", " ", float("nan")])
def test_rows_without_an_id_are_no_series_and_the_others_are(none: object) -> None:
    long = frame(("A", "B"))
    long.loc[long["shop"] == "A", "shop"] = none
    table = there(panel_of(long, ids=["shop"]))
    assert {key for (key,) in table.keys} == {"", "B"}
    with pytest.raises(InputError, match="an id in every row of column 'shop'; found 8 rows without one"):
        table.dataset(table.keys.index(("",)))
    assert table.dataset(table.keys.index(("B",))).n == 9


def test_numbers_as_ids_may_be_missing() -> None:
    table = there(panel_of(frame((1.0, np.nan)), ids=["shop"]))
    assert set(table.keys) == {("1",), ("",)}


def test_names_stand_on_one_line() -> None:
    table = there(panel_of(frame(("a\nb", "a%0Ab", "c\x1b[0m")), ids=["shop"]))
    names = {table.name(index) for index in range(3)}
    assert names == {"a%0Ab", "a%250Ab", "c%1B[0m"}


def test_many_ids_of_one_row_each_are_each_told_why() -> None:
    count = 5000
    data = {"id": [f"s{k}" for k in range(count)], "day": np.arange(count), "sales": np.arange(count) % 5}
    table = there(panel_of(data, ids=["id"]))
    assert len(table) == count
    with pytest.raises(InputError, match="at least 3 rows"):
        table.dataset(count - 1)


def test_doubled_dates_steps_of_all_kinds_and_constants_are_series_of_their_own() -> None:
    months = pd.date_range("2020-01-01", periods=8, freq="MS")
    parts = {
        "twice": ([*months[:7], months[0]], np.arange(8.0)),
        "days": (list(pd.date_range("2024-02-01", periods=8)), np.arange(8.0)),
        "quarters": (list(pd.date_range("2020-01-01", periods=8, freq="QS")), np.arange(8.0)),
        "constant": (list(months), np.full(8, 5.0)),
        "months": (list(months), np.arange(8.0)),
    }
    long = pd.concat([pd.DataFrame({"id": key, "t": t, "y": y}) for key, (t, y) in parts.items()])
    table = there(panel_of(long, ids=["id"], time="t", target="y"))
    data = {table.name(index): table.dataset(index) for index in range(len(table))}
    steps = {name: one.axis.frequency for name, one in data.items() if one.axis is not None}
    assert steps == {"twice": "month", "days": "day", "quarters": "quarter", "constant": "month", "months": "month"}
    assert any("repeats a date" in warning for warning in data["twice"].warnings)
    assert data["constant"].n == 8


def test_time_and_target_are_those_of_all_series() -> None:
    """A series that never sells anything is one of sales all the same."""
    long = frame(("A", "B", "C")).assign(price=np.linspace(1.0, 2.0, 27).round(3))
    long.loc[long["shop"] == "C", "sales"] = 0.0
    table = there(panel_of(long[["shop", "day", "sales", "price"]]))
    data = [table.dataset(index) for index in range(3)]
    assert [one.target for one in data] == ["sales"] * 3
    assert data[table.keys.index(("C",))].y.tolist() == [0.0] * 10
    assert "Column 'sales' is modelled in every series." in data[0].warnings
    named = there(panel_of(long, ids=["shop"], target="price"))
    assert named.dataset(0).target == "price"
    assert not any("every series" in warning for warning in named.dataset(0).warnings)


def test_times_in_two_columns_are_put_together_in_every_series() -> None:
    grid = [(shop, year, month) for shop in "AB" for year in (2020, 2021) for month in range(1, 13)]
    long = pd.DataFrame(grid, columns=["shop", "year", "month"]).assign(sales=np.arange(48.0) % 11)
    table = there(panel_of(long, ids=["shop"]))
    axis = there(table.dataset(1).axis)
    assert axis.frequency == "month"
    assert table.dataset(1).target == "sales"
