"""The small tables of the tutorial, of the README and of the how-tos: made up, each from a seed of its own.

What is in them is known, so that a reader can see whether a report finds it: the docstring of each function says it.

Usage: python docs/tutorial/make_files.py [--check]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

__all__ = ["FILES", "main", "text"]

FOLDER = Path(__file__).resolve().parent / "files"
MONTHS = 48
AHEAD = 12
NEW = 3
HOURS = 28 * 24


def _months(count: int, start: str = "2021-01") -> pd.Index:
    return pd.Index(pd.period_range(start, periods=count, freq="M").astype(str), name="month")


def _all_sales() -> pd.DataFrame:
    """Revenue that rises by 4 a month, with a yearly cycle of +-30, 25 more in a month with a promotion, 3 less for
    each unit of price, and a noise of 8.
    """
    rng, n = np.random.default_rng(1), MONTHS + AHEAD
    t = np.arange(n)
    price = 20.0 + np.round(np.cumsum(rng.normal(0.0, 0.4, n)), 1)
    promo = (rng.random(n) < 0.3).astype(int)
    mean = 400.0 + 4.0 * t + 30.0 * np.sin(2.0 * np.pi * t / 12.0) + 25.0 * promo - 3.0 * (price - 20.0)
    revenue = np.round(mean + rng.normal(0.0, 8.0, n), 1)
    return pd.DataFrame({"month": _months(n), "revenue": revenue, "price": price, "promo": promo})


def sales() -> pd.DataFrame:
    """Four years of months."""
    return _all_sales().iloc[:MONTHS]


def plan() -> pd.DataFrame:
    """Price and promotions of the year after them."""
    return _all_sales().iloc[MONTHS:].drop(columns="revenue")


def new_sales() -> pd.DataFrame:
    """The first months of that year, as they came."""
    return _all_sales().iloc[MONTHS : MONTHS + NEW]


def houses() -> pd.DataFrame:
    """Prices (thousands) of houses: 2 for each square metre, 1 less for each year up to 40 years of age and none after
    these, 60 more in the centre; the number of rooms adds nothing beyond the size; a noise of 15.
    """
    rng, n = np.random.default_rng(2), 60
    size = rng.integers(50, 200, n)
    age = rng.integers(0, 80, n)
    district = rng.choice(["centre", "east", "west"], n)
    rooms = np.maximum(1, np.round(size / 30.0 + rng.normal(0.0, 0.8, n))).astype(int)
    price = 100.0 + 2.0 * size - np.minimum(age, 40) + 60.0 * (district == "centre") + rng.normal(0.0, 15.0, n)
    columns = {"size": size, "rooms": rooms, "age": age, "district": district, "price": np.round(price)}
    return pd.DataFrame(columns)


def people() -> pd.DataFrame:
    """Who survived: the log-odds fall by 0.08 a year of age and are 2 higher for women; the fare does nothing."""
    rng, n = np.random.default_rng(3), 100
    age, sex = rng.integers(18, 80, n), rng.choice(["man", "woman"], n)
    odds = 0.08 * (45.0 - age) + 2.0 * (sex == "woman") - 1.0
    survived = np.where(rng.random(n) < 1.0 / (1.0 + np.exp(-odds)), "yes", "no")
    return pd.DataFrame({"age": age, "sex": sex, "fare": np.round(rng.gamma(2.0, 15.0, n), 2), "survived": survived})


def flowers() -> pd.DataFrame:
    """Three kinds of 15 flowers, one far from the others, two that touch; the kind is not a column."""
    rng = np.random.default_rng(4)
    centres = np.repeat([[1.5, 0.3, 5.0], [4.3, 1.3, 5.9], [5.6, 2.0, 6.6]], 15, axis=0)
    rows = np.round(centres + rng.normal(0.0, [0.25, 0.12, 0.35], centres.shape), 2)
    return pd.DataFrame(rows, columns=["petal_length", "petal_width", "sepal_length"])


def stores() -> pd.DataFrame:
    """Monthly sales of tea and bread in two stores, three years each: a common yearly cycle of 10 %, tea in the north
    rises by 1 % a month, bread in the south falls as fast, and the other two stay as they are; a noise of 4 %.
    """
    rng, n = np.random.default_rng(5), 36
    growth = {("north", "tea"): 0.01, ("north", "bread"): 0.0, ("south", "tea"): 0.0, ("south", "bread"): -0.01}
    t = np.arange(n)
    return pd.concat(
        pd.DataFrame(
            {
                "store": store,
                "item": item,
                "month": _months(n, "2022-01"),
                "sales": np.round(
                    100.0 * np.exp(rate * t + 0.1 * np.sin(2.0 * np.pi * t / 12.0) + rng.normal(0.0, 0.04, n)), 1
                ),
            }
        )
        for (store, item), rate in growth.items()
    )


def _shop(store: str) -> pd.DataFrame:
    rows = stores()
    chosen = rows[(rows["store"] == store) & (rows["item"] == "tea")]
    return chosen[["month", "sales"]]


def _all_accidents() -> pd.DataFrame:
    """Four accidents for every thousand cars, of which there are 2 % more every month."""
    rng, n = np.random.default_rng(6), 36 + AHEAD
    cars = np.round(2000.0 * 1.02 ** np.arange(n)).astype(int)
    return pd.DataFrame({"month": _months(n, "2022-01"), "accidents": rng.poisson(0.004 * cars), "cars": cars})


def accidents() -> pd.DataFrame:
    """Three years of months."""
    return _all_accidents().iloc[:-AHEAD]


def cars_plan() -> pd.DataFrame:
    """How many cars there will be."""
    return _all_accidents().iloc[-AHEAD:].drop(columns="accidents")


def load() -> pd.DataFrame:
    """Four weeks of hourly electricity demand (MW): a daily cycle of +-120, 80 less at weekends, a noise of 15."""
    rng, hours = np.random.default_rng(7), pd.date_range("2024-03-04", periods=HOURS, freq="h")
    daily = 120.0 * np.sin(2.0 * np.pi * (hours.hour.to_numpy() - 9.0) / 24.0)
    demand = 900.0 + daily - 80.0 * (hours.day_of_week.to_numpy() >= 5) + rng.normal(0.0, 15.0, HOURS)
    return pd.DataFrame({"time": hours.strftime("%Y-%m-%d %H:%M"), "demand": np.round(demand).astype(int)})


FILES: dict[str, Callable[[], pd.DataFrame]] = {
    "sales.csv": sales,
    "plan.csv": plan,
    "new-sales.csv": new_sales,
    "houses.csv": houses,
    "people.csv": people,
    "flowers.csv": flowers,
    "stores.csv": stores,
    "shops/north.csv": lambda: _shop("north"),
    "shops/south.csv": lambda: _shop("south"),
    "accidents.csv": accidents,
    "cars-plan.csv": cars_plan,
    "load.csv": load,
}


def text(name: str) -> str:
    """The text of a file of the tutorial."""
    return FILES[name]().to_csv(index=False, lineterminator="\n")


def main(arguments: list[str] | None = None) -> int:
    """Write the files, or say which are not as they would be written."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 where a file differs")
    check = parser.parse_args(arguments).check
    differ = 0
    for name in FILES:
        path = FOLDER / name
        if check:
            differ += not path.exists() or path.read_text(encoding="utf-8") != text(name)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text(name), encoding="utf-8", newline="\n")
    return int(differ > 0)


if __name__ == "__main__":
    raise SystemExit(main())
