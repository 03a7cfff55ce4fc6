"""Tables that a query makes of a database, or of a file that is larger than what is read, through DuckDB.

Everything is opened for reading alone. SQLite comes with Python; DuckDB is an extra.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from autostatistician.data.columns import DataTable
from autostatistician.data.files.foreign import database_of
from autostatistician.data.files.read import is_address, opened, table_of_frame
from autostatistician.data.row_limits import READ_LIMITS, ReadLimits, too_many_rows
from autostatistician.errors import InputError, check_installed
from autostatistician.i18n.messages import note

if TYPE_CHECKING:
    import duckdb
    import pandas as pd

__all__ = ["queried", "summed_by_period"]

SERVERS = {"postgresql": "postgres", "postgres": "postgres"}  # as DuckDB calls what is at an address
MEMORY = "1GB"  # of a query; what is more goes to the disk


def queried(place: str | Path, sql: str, limits: ReadLimits = READ_LIMITS) -> DataTable:
    """The rows of a query: of a database in a file (SQLite, DuckDB) or at an address (postgresql://), or of
    a file of CSV or Parquet, which the query calls ``data``.

    Raises
    ------
    InputError
        When there is no such place, the query is none that reads, it fails, or gives too many rows.
    """
    text = sql.strip().rstrip(";")
    if not re.match(r"(?is)^(select|with|from|table|values)\b", text):
        raise InputError.of(note("a query that begins with select"), repr(sql), note("correct it"))
    kind = _database(place)
    if kind == "SQLite":
        frame = _of_sqlite(Path(place), text, limits)
    else:
        with _connected(place, kind) as connection:
            if len(connection.extract_statements(text)) != 1:  # a later one may write
                raise _failed("several statements")
            frame = connection.sql(text).limit(limits.rows + 1).df()
    if len(frame) > limits.rows:
        raise too_many_rows(note("more of them"), limits.rows)
    if not len(frame):
        raise InputError.of(note("a table with rows"), note("a table without rows"), note("correct the query"))
    return table_of_frame(frame, Path(place).stem or "data")


def summed_by_period(
    place: str | Path, every: str, time: str, value: str | None, where: Mapping[str, object] | None = None
) -> pd.DataFrame:
    """Of a file of any size the rows of each period and the sum of a column in them (where one is named)

    Rows without a time or a finite value do not count, nor do those in which other columns are not as ``where`` says.

    Raises
    ------
    InputError
        When the file cannot be read, or its column of times holds none as DuckDB reads them.
    """
    amount = "1.0" if value is None else f"cast({_name(value)} as double)"
    wanted = [f"cast({_name(name)} as varchar) = {_text(value)}" for name, value in (where or {}).items()]
    rows = f"select cast({_name(time)} as timestamp) as moment, {amount} as amount from data"
    rows = f"{rows} where {' and '.join(wanted)}" if wanted else rows
    sums = f"select date_trunc('{every}', moment) as start, count(*) as rows, sum(amount) as total from ({rows})"
    grouped = f"{sums} where moment is not null and isfinite(amount) group by 1 order by 1"
    with _connected(place, _database(place)) as connection:
        frame: pd.DataFrame = connection.sql(grouped).df()
    return frame


def _database(place: str | Path) -> str:
    """Of which kind the database in a file is; "" of another file, and of an address."""
    if is_address(place):
        return ""
    with opened(place) as file:
        start = file.read(16)
    return database_of(start)


def _of_sqlite(path: Path, sql: str, limits: ReadLimits) -> pd.DataFrame:
    import pandas as pd

    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            return pd.read_sql_query(f"select * from ({sql}\n) limit {limits.rows + 1}", connection)
    except (sqlite3.Error, pd.errors.DatabaseError) as error:
        raise _failed(str(error.__cause__ or error)) from None


@contextmanager
def _connected(place: str | Path, kind: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to DuckDB in which a place can be read; of which ``kind`` its database is, `_database` says."""
    check_installed("duckdb", "queries of such data")
    import duckdb

    is_database = kind == "DuckDB"
    try:
        with duckdb.connect(str(place) if is_database else ":memory:", read_only=is_database) as connection:
            connection.execute(f"set memory_limit = '{MEMORY}'; set timezone = 'UTC'")
            if is_address(place):
                connection.execute(f"attach {_text(place)} as outside (type {_server(str(place))}, read_only)")
                connection.execute("use outside")
            elif not is_database:
                connection.execute(f"create view data as from {_text(place)}")
            yield connection
    except duckdb.Error as error:
        raise _failed(str(error).splitlines()[0].replace(str(place), _host(place))) from None


def _host(place: str | Path) -> str:
    """A place without the password that an address may hold."""
    return str(place).rsplit("@", 1)[-1]


def _server(address: str) -> str:
    kind = address.split("://")[0]
    if kind not in SERVERS:
        expected = note("an address of {kinds}", kinds=", ".join(f"{name}://" for name in SERVERS))
        raise InputError.of(expected, repr(address), note("give the path of a file"))
    return SERVERS[kind]


def _failed(why: str) -> InputError:
    found = note("that it fails: {why}", why=why)
    return InputError.of(note("a query that can be answered"), found, note("correct it"))


def _text(value: object) -> str:
    """A literal of SQL."""
    return "'" + str(value).replace("'", "''") + "'"


def _name(value: str) -> str:
    """A name of SQL."""
    return '"' + value.replace('"', '""') + '"'
