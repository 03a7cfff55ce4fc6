"""Queries of databases and files, and files too large to be read that are added up by periods."""

import sqlite3
from contextlib import closing
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest

from autostatistician.cli.main import main
from autostatistician.data import sources
from autostatistician.data.files import queries, read
from autostatistician.data.load import load
from autostatistician.data.row_limits import ReadLimits
from autostatistician.errors import InputError

MONTHS = pd.date_range("2020-01-01", periods=30, freq="MS")
TABLE = pd.DataFrame({"month": MONTHS.strftime("%Y-%m-%d"), "sales": np.arange(30.0) + 5.0 * (np.arange(30) % 3)})
DAYS = pd.date_range("2024-01-01", periods=20, freq="D").repeat(6)
SOLD = pd.DataFrame({"sold_at": DAYS, "amount": np.arange(120.0) % 7.0, "shop": np.arange(120) % 2})


@pytest.fixture(params=["orders.sqlite", "orders.duckdb"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path: Path = tmp_path / request.param
    if path.suffix == ".sqlite":
        with closing(sqlite3.connect(path)) as connection:
            TABLE.to_sql("orders", connection, index=False)
            connection.commit()
    else:
        with duckdb.connect(str(path)) as connection:
            connection.register("given", TABLE)
            connection.execute("create table orders as select cast(month as date) as month, sales from given")
    return path


def test_the_rows_of_a_query_are_the_table(database: Path) -> None:
    before = database.read_bytes()
    data = load(database, sql="select month, sales from orders where sales > 3 -- few")
    assert (data.target, data.name, data.axis and data.axis.frequency) == ("sales", "orders", "month")
    assert data.y.tolist() == TABLE.sales[TABLE.sales > 3].tolist()
    assert database.read_bytes() == before


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("drop table orders", "a query that begins with select"),
        ("select price from orders", "that it fails: .*price"),
        ("select * from orders where sales < 0", "a table without rows"),
        ("select 1; copy (select 1) to 'written.csv'; select 1", "that it fails: .*(several statements|syntax)"),
        ("with a as (select 1) insert into orders values ('2030-01-01', 1)", "that it fails"),
    ],
)
def test_a_query_that_gives_nothing_says_why(
    database: Path, monkeypatch: pytest.MonkeyPatch, sql: str, found: str
) -> None:
    monkeypatch.chdir(database.parent)
    before = database.read_bytes()
    with pytest.raises(InputError, match=found):
        load(database, sql=sql)
    assert database.read_bytes() == before
    assert list(database.parent.iterdir()) == [database]


def test_more_rows_than_are_read_are_refused(database: Path) -> None:
    with pytest.raises(InputError, match="at most 10 rows"):
        queries.queried(database, "select * from orders", ReadLimits(rows=10))


def test_a_database_without_a_query_is_asked_for_one(database: Path) -> None:
    with pytest.raises(InputError, match="found a database; say which rows by --sql"):
        load(database)


@pytest.mark.parametrize(("place", "found"), [("none.csv", "nothing at"), ("oracle://host/base", "postgresql://")])
def test_a_place_that_cannot_be_asked_says_so(place: str, found: str) -> None:
    with pytest.raises(InputError, match=found):
        load(place, sql="select 1")


@pytest.mark.parametrize("name", ["it's.csv", "sales.parquet"])
def test_files_are_asked_as_data(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    TABLE.to_csv(path, index=False) if path.suffix == ".csv" else TABLE.to_parquet(path)
    data = load(path, sql="select month, 2 * sales as twice from data")
    np.testing.assert_array_equal(data.y, 2.0 * TABLE.sales)


def test_the_command_asks_a_database_too(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["report", str(database), "--sql", "select * from orders", "--plan", "--json"]
    assert main(asked) == 0
    assert '"target": "sales"' in capsys.readouterr().out


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("by", ["sum", "mean", "count"])
@pytest.mark.parametrize("where", [None, {"shop": "1"}])
def test_a_large_file_is_added_up_as_a_small_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, by: str, where: dict[str, str] | None
) -> None:
    path = tmp_path / f"sold{suffix}"
    SOLD.to_csv(path, index=False) if suffix == ".csv" else SOLD.to_parquet(path)
    small = load(path, every="day", by=by, time="sold_at", target="amount", where=where)
    monkeypatch.setattr(sources, "read_cells", lambda data: read.read_cells(data, ReadLimits(rows=100)))
    with pytest.raises(InputError, match="at most 100 rows"):
        load(path)
    large = load(path, every="day", by=by, time="sold_at", target="amount", where=where)
    np.testing.assert_allclose(large.y, small.y, rtol=1e-12)
    np.testing.assert_array_equal(large.x, small.x)


def test_an_exposure_is_not_added_up_on_the_way() -> None:
    with pytest.raises(InputError, match="both"):
        load(SOLD, exposure="shop", every="day", by="sum")


def test_a_password_is_not_repeated() -> None:
    assert queries._host("postgresql://me:secret@host/base") == "host/base"
