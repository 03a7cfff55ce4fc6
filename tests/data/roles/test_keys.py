"""Long tables: their keys are named, no things are mixed, and the rows of one of them can be chosen."""

from __future__ import annotations

from io import StringIO

import numpy as np
import pandas as pd
import pytest

from autostatistician.data.columns import DataColumn, DataTable
from autostatistician.data.load import load
from autostatistician.data.roles.keys import table_where
from autostatistician.errors import InputError

MONTHS = [f"{year}-{month:02}" for year in (2020, 2021) for month in range(1, 13)]
RNG = np.random.default_rng(3)


def _frame(**columns: object) -> pd.DataFrame:
    return pd.DataFrame(columns)


def _csv(frame: pd.DataFrame) -> StringIO:
    return StringIO(frame.to_csv(index=False))


STORES = _frame(store=["A"] * 24 + ["B"] * 24, month=MONTHS * 2, sales=RNG.integers(10, 99, 48))
ITEMS = _frame(date=np.repeat(MONTHS, 4), store=[*"AABB"] * 24, item=[*"pqpq"] * 24, qty=RNG.integers(1, 9, 96))
NUMBERED = _frame(month=np.repeat(MONTHS, 3), store=[1, 2, 3] * 24, sales=RNG.integers(10, 99, 72))
COUNTRIES = _frame(
    country=np.repeat(["Chad", "Peru"], 20), code=np.repeat(["TCD", "PER"], 20), year=[*range(2000, 2020)] * 2,
    gdp=RNG.normal(50, 5, 40).round(2), people=RNG.normal(60, 1, 40).round(1),
)  # fmt: skip
WEEKS = _frame(shop=np.repeat(["x", "y"], 30), week=[*range(1, 31)] * 2, sales=RNG.integers(10, 99, 60))
MELTED = _frame(date=MONTHS * 2, variable=["warm"] * 24 + ["wet"] * 24, value=RNG.normal(size=48).round(2))
GAPS = STORES.drop(index=[3, 4, 30, 31, 32])


@pytest.mark.parametrize(
    ("frame", "keys", "option"),
    [
        (STORES, "'store' looks like a key ('A', 'B')", "--where store=A "),
        (GAPS, "'store' looks like a key ('A', 'B')", "--where store=A "),
        (STORES.sample(frac=1.0, random_state=1), "'store' looks like a key", "--where store="),
        (ITEMS, "'store' and 'item' look like keys ('A', 'B'; 'p', 'q')", "--where store=A --where item=p "),
        (NUMBERED, "'store' looks like a key ('1', '2', '3')", "--where store=1 "),
        (COUNTRIES, "'country' looks like a key", "--where country=Chad "),
        (WEEKS, "'shop' looks like a key", "--where shop=x "),
        (MELTED, "'variable' looks like a key", "--where variable=warm "),
    ],
)
@pytest.mark.parametrize("named", [False, True])
def test_things_under_each_other_are_never_mixed(frame: pd.DataFrame, keys: str, option: str, named: bool) -> None:
    target = str(frame.columns[-1]) if named else None
    for data in (_csv(frame), frame):
        with pytest.raises(InputError) as refused:
            load(data, target=target)
        assert keys in str(refused.value)
        assert option in str(refused.value)
        assert "model all with 'autostatistician panel --id" in str(refused.value)


def test_the_rows_of_one_thing_are_a_series() -> None:
    data = load(_csv(STORES), where={"store": "B"})
    assert (data.columns, data.target, data.n) == (("month",), "sales", 24)
    assert data.y.tolist() == STORES["sales"][24:].tolist()
    assert "Only the 24 rows of 48 where 'store' is 'B' are used." in data.warnings
    both = load(_csv(ITEMS), where={"store": "A", "item": "q"})
    assert both.y.tolist() == ITEMS["qty"][1::4].tolist()
    assert load(COUNTRIES, where={"country": "Peru"}, target="gdp").y.tolist() == COUNTRIES["gdp"][20:].tolist()


@pytest.mark.parametrize("value", [2, 2.0, "2", " 2 ", "2.0"])
def test_numbers_are_found_however_they_are_written(value: object) -> None:
    for data in (_csv(NUMBERED), NUMBERED):
        assert load(data, where={"store": value}).y.tolist() == NUMBERED["sales"][1::3].tolist()


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ({"stor": "A"}, "a column 'stor' for the rows to choose; .*did you mean 'store'"),
        ({"store": "C"}, "rows with 'C' in column 'store'; found only 'A', 'B'"),
        ({"store": "A", "sales": "-5"}, "rows with '-5' in column 'sales'"),
    ],
)
def test_what_is_not_there_is_said(where: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        load(_csv(STORES), where=where)


def test_what_is_no_key_is_none() -> None:
    """Two measurements a day, of which nothing says whose they are; corrections; settings of an experiment."""
    twice = _frame(day=np.repeat(MONTHS, 2), level=RNG.normal(size=48).round(2))
    assert load(_csv(twice)).n == 48
    corrected = pd.concat([STORES[:24], STORES[24:26].assign(store="A")])
    assert load(_csv(corrected)).n == 26
    factors = _frame(catalyst=[*"AAABBB"], time=[1, 2, 3] * 2, value=RNG.normal(size=6).round(2))
    assert load(_csv(factors)).columns == ("catalyst", "time")


def test_missing_cells_are_no_value() -> None:
    columns = [DataColumn("k", ("a", None, "a", "")), DataColumn("v", ("1", "2", "3", "4"))]
    assert table_where(DataTable(tuple(columns)), {"k": "a"}).columns[0].values == ("1", "3")
