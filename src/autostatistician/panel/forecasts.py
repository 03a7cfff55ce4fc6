"""The forecasts of all series as one long table: a row for each step of each series, in a frame or a file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from autostatistician._io.files import written_whole
from autostatistician._io.rows import csv_text
from autostatistician.errors import InputError, check_installed
from autostatistician.panel.records import SeriesRecord

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["check_model_name", "forecast_frame", "write_forecasts"]

AT_ONCE = 1000  # series whose rows are in memory together
TAKEN = ("unique_id", "ds", "y", "cutoff")  # names of columns, by which evaluations know them
SUFFIXES = (".csv", ".parquet")
DATE = re.compile(r"\d{4}-\d\d-\d\d(T|$)")


def forecast_frame(records: Iterable[SeriesRecord], ids: Sequence[str] = (), model: str = "") -> pd.DataFrame:
    """The columns ``unique_id, ds, mean, lo-80, hi-80, ...``, with ``ds`` as dates where the data have dates.

    Parameters
    ----------
    records : iterable of SeriesRecord
        Those without a forecast have no rows.
    ids : sequence of str
        Names for columns of the single ids, behind ``unique_id``; without any there are none.
    model : str
        For columns as `utilsforecast.evaluation.evaluate` takes them, which are those of many models in one table:
        ``unique_id``, ``ds``, ``model``, ``model-lo-80``, ``model-hi-80``.

    Examples
    --------
    >>> from autostatistician.panel.records import DONE, PanelForecast
    >>> told = PanelForecast(("2024-01-01", "2024-02-01"), (1.0, 2.0), (80,), ((0.5, 1.0),), ((1.5, 3.0),))
    >>> forecast_frame([SeriesRecord("north/1", ("north", "1"), DONE, forecast=told)], ["region", "store"])
      unique_id region store         ds  mean  lo-80  hi-80
    0   north/1  north     1 2024-01-01   1.0    0.5    1.5
    1   north/1  north     1 2024-02-01   2.0    1.0    3.0
    """
    frame = _texts(records, ids, model)
    times = frame["ds"].astype(str)
    return frame.assign(ds=_read_times(times, _are_dates(times)) if len(frame) else times)


def write_forecasts(
    records: Iterable[SeriesRecord], path: str | Path, ids: Sequence[str] = (), model: str = ""
) -> Path:
    """Write the same to a file, .csv or .parquet, some series after the other; it is whole or not there.

    In a CSV file, text that a spreadsheet would take for a formula begins with an apostrophe.

    Raises
    ------
    InputError
        When the file has another ending or cannot be written, pyarrow is missing, or some series have dates and others
        numbers, which no column of a Parquet file can hold.
    """
    path, batches = Path(path), _batches(records, ids, model)
    if path.suffix.lower() not in SUFFIXES:
        raise InputError.of(f"a file that ends in {' or '.join(SUFFIXES)}", f"'{path.name}'", "change the ending")
    if path.suffix.lower() == ".parquet":
        check_installed("pyarrow", "Parquet files", "write a CSV file")
    with written_whole(path) as file:
        (_write_parquet if path.suffix.lower() == ".parquet" else _write_csv)(file, batches)
    return path


def check_model_name(model: str) -> None:
    """Raise an `InputError` for a name that other columns of forecasts, or of the data beside them, have.

    >>> check_model_name("ds")
    Traceback (most recent call last):
    autostatistician.errors.InputError: expected a name for the model; found 'ds', that of another column; ...
    """
    if model in TAKEN or "-lo-" in model or "-hi-" in model:
        raise InputError.of("a name for the model", f"{model!r}, that of another column", "choose another name")


def _batches(records: Iterable[SeriesRecord], ids: Sequence[str], model: str) -> Iterator[pd.DataFrame]:
    """Tables of some series each; one without rows where no series has a forecast."""
    forecast_records, some = (record for record in records if record.forecast is not None), False
    while several := list(islice(forecast_records, AT_ONCE)):
        some = True
        yield _texts(several, ids, model)
    if not some:
        yield _texts([], ids, model)


def _texts(records: Iterable[SeriesRecord], ids: Sequence[str], model: str) -> pd.DataFrame:
    """The table with times as text."""
    import pandas as pd

    check_model_name(model)
    forecasts = [(record, record.forecast) for record in records if record.forecast is not None]
    # the id of a series as its table has it, where it has one alone
    names = [record.ids[0] if len(record.ids) == 1 and record.ids[0] else record.name for record, _ in forecasts]
    columns: dict[str, list[Any]] = {
        "unique_id": [name for name, (_, forecast) in zip(names, forecasts, strict=True) for _ in forecast.times]
    }
    for place, column in enumerate(ids):
        columns[str(column)] = [record.ids[place] for record, forecast in forecasts for _ in forecast.times]
    columns["ds"] = [time for _, forecast in forecasts for time in forecast.times]
    columns[model or "mean"] = [value for _, forecast in forecasts for value in forecast.mean]
    for place, level in enumerate(forecasts[0][1].levels if forecasts else ()):
        start = f"{model}-" if model else ""
        columns[f"{start}lo-{level}"] = [value for _, forecast in forecasts for value in forecast.low[place]]
        columns[f"{start}hi-{level}"] = [value for _, forecast in forecasts for value in forecast.high[place]]
    return pd.DataFrame(columns)


def _are_dates(times: pd.Series[str]) -> bool:
    """Whether all times are dates; not where some are and others are not."""
    return all(map(DATE.match, times))


def _read_times(times: pd.Series[str], dates: bool) -> pd.Series[Any]:
    """Texts as dates, or as numbers where all are such."""
    import pandas as pd

    if dates:
        return pd.to_datetime(times, format="ISO8601").astype("datetime64[us]")
    numbers = pd.to_numeric(times, errors="coerce")
    return times if numbers.isna().any() else numbers


def _write_csv(file: BinaryIO, batches: Iterator[pd.DataFrame]) -> None:
    for number, batch in enumerate(batches):
        file.write(csv_text(batch, header=number == 0).encode())


def _write_parquet(file: BinaryIO, batches: Iterator[pd.DataFrame]) -> None:
    from pyarrow import Table
    from pyarrow.parquet import ParquetWriter

    first = next(batches)
    dates = _are_dates(first["ds"])

    def table(batch: pd.DataFrame) -> Table:
        return Table.from_pandas(batch.assign(ds=_times_of_parquet(batch["ds"], dates)), preserve_index=False)

    with ParquetWriter(file, table(first).schema) as writer:
        for batch in chain([first], batches):
            writer.write_table(table(batch).cast(writer.schema))


def _times_of_parquet(times: pd.Series[str], dates: bool) -> pd.Series[Any]:
    """A column of one type, that of the first series."""
    read = _read_times(times, dates and _are_dates(times))
    if read.dtype.kind not in ("M" if dates else "if"):
        found = "dates of some, numbers of others"
        raise InputError.of("times of one kind for a Parquet file", found, "write a CSV file")
    return read if dates else read.astype("float64")
