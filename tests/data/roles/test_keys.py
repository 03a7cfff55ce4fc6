"""Long tables: their keys are named, no things are mixed, and the rows of one of them can be chosen."""

from io import StringIO

import numpy as np
import pandas as pd
import pytest

from autostatistician.data.columns import DataColumn, DataTable
from autostatistician.data.load import load
from autostatistician.data.roles.keys import table_where
from autostatistician.data.roles.profiles import Profile
from autostatistician.data.roles.time_column import Timing, timing
from autostatistician.errors import InputError


def _profile(name: str, *cells: str) -> Profile:
    return Profile(DataColumn(name, cells))


COUNT = ("1", "2", "3", "4")


@pytest.mark.parametrize(
    ("profile", "names"),
    [
        (_profile("", *COUNT), True),
        (_profile("Unnamed: 0", "0", "1", "2"), True),
        (_profile("customer_id", "17", "4", "99"), True),
        (_profile("id", "17", "17", "99"), False),
        (_profile("id", "1.5", "2", "3"), False),
        (_profile("age", *COUNT), False),
    ],
)
def test_counts_and_names_of_rows(profile: Profile, names: bool) -> None:
    assert profile.names_rows is names
    assert profile.explains is not names


def test_words_of_a_name_are_split_as_people_join_them() -> None:
    assert _profile("UnitPrice (USD)", "1").words == ("unit", "price", "usd")
    assert _profile(" Day_of-week ", "1").words == ("day", "of", "week")
    assert _profile(" Year ", "1").name == "year"


def test_categories_that_name_every_row_are_no_classes() -> None:
    assert _profile("shop", *"ABAB").is_class
    assert not _profile("shop", *"ABCD").is_class
    assert _profile("shop", *"ABCD").column.is_category
    assert not _profile("shop", "", "n/a").is_class


@pytest.mark.parametrize(
    ("cells", "monotone", "paced"),
    [
        (COUNT, True, True),
        (COUNT[::-1], True, True),
        (("1", "2", "4"), True, True),
        (("1", "2", "9"), True, False),
        (("1", "1", "2"), False, False),
    ],
)
def test_order(cells: tuple[str, ...], monotone: bool, paced: bool) -> None:
    assert (_profile("x", *cells).is_monotone, _profile("x", *cells).is_paced) == (monotone, paced)


def test_a_cycle_starts_again_and_has_a_name_of_the_calendar() -> None:
    week = ("Mo", "Tu", "We")
    assert _profile("weekday", *week * 4).is_cycle
    assert _profile("day of week", *week * 4).is_cycle
    assert not _profile("colour", *week * 4).is_cycle
    assert not _profile("weekday", *week).is_cycle
    assert not _profile("weekday", *sorted(week * 4)).is_cycle


def test_what_varies() -> None:
    assert [_profile("x", *cells).varies for cells in (("1", "1"), ("1", "2"), ("a", "a"), ("a", "b"))] == [
        False, True, False, True,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "times"), [("created_at", True), ("Jahr", True), ("step", True), ("LAT", False), ("y", False)]
)
def test_names_of_times(name: str, times: bool) -> None:
    assert _profile(name, "1", "2").has_time_name == times


def test_dates_are_no_numbers_and_empty_columns_nothing() -> None:
    dates = _profile("x", "2020-01-01", "2020-01-02")
    assert dates.times is not None
    assert not dates.is_number
    empty = Profile(DataColumn("x", np.full(3, np.nan)))
    assert (empty.is_empty, empty.is_number, empty.times, empty.finite.size) == (True, False, None, 0)


N = 24
WHEN = tuple(f"{2000 + k // 12}-{k % 12 + 1:02d}" for k in range(N))
DRAWN = np.random.default_rng(0)
VALUES = tuple(f"{value:.3f}" for value in DRAWN.normal(size=N))
OTHERS = tuple(f"{value:.3f}" for value in DRAWN.normal(size=N))
SHUFFLED = tuple(WHEN[k] for k in DRAWN.permutation(N))

DAYS = tuple(
    str(np.datetime64("2001-01-01") + np.timedelta64(k, "D"))
    for k in np.sort(DRAWN.choice(9000, N, replace=False))[DRAWN.permutation(N)]
)


def _timing(**columns: tuple[str, ...]) -> Timing:
    return timing([Profile(DataColumn(name, cells)) for name, cells in columns.items()])


def _name(found: Timing) -> str | None:
    return None if found.column is None else found.column.name


def test_dates_that_order_the_rows_or_fill_a_grid_are_the_times() -> None:
    assert _name(_timing(a=VALUES, when=WHEN, b=OTHERS)) == "when"
    assert _name(_timing(a=VALUES, when=SHUFFLED, b=OTHERS)) == "when"


def test_dates_in_no_order_are_no_times_where_other_columns_explain() -> None:
    found = _timing(a=VALUES, born=DAYS, b=OTHERS)
    assert (_name(found), [column.name for column in found.passed_over]) == (None, ["born"])
    assert _name(_timing(born=DAYS, a=VALUES)) == "born"


def test_of_several_dates_the_one_with_a_name_of_times_is_taken_and_the_others_said() -> None:
    found = _timing(born=WHEN, date=WHEN[::-1], y=VALUES)
    assert _name(found) == "date"
    assert found.notes == ("Column 'date' is taken as the time axis; other columns of dates are left out: 'born'.",)
    assert {column.name for column in found.used} == {"born", "date"}


@pytest.mark.parametrize(
    ("columns", "name"),
    [
        ({"year": tuple(str(1990 + k) for k in range(N)), "y": VALUES}, "year"),
        ({"k": tuple(map(str, range(N))), "y": VALUES}, "k"),
        ({"id": tuple(map(str, range(N))), "y": VALUES}, None),
        ({"y": VALUES, "z": OTHERS}, None),
    ],
)
def test_numbers_are_times_by_their_name_or_because_they_rise(
    columns: dict[str, tuple[str, ...]], name: str | None
) -> None:
    assert _name(_timing(**columns)) == name


def test_a_cycle_of_the_calendar_says_that_the_rows_are_in_order() -> None:
    found = _timing(weekday=("Mo", "Tu", "We", "Th") * 6, y=VALUES)
    assert (found.column, found.ordered) == (None, True)
    assert "starts again and again" in found.notes[0]


def test_times_that_cannot_be_read_are_named_with_the_cell() -> None:
    found = _timing(date=("1 of May", *("n/a",) * 3, *(f"day {k}" for k in range(N - 4))), y=VALUES)
    assert found.ordered
    assert "column 'date' cannot be read as times (such as '1 of May' in row 1)" in found.notes[0]


def test_the_target_is_never_the_time() -> None:
    columns = [Profile(DataColumn("year", tuple(str(1990 + k) for k in range(N)))), Profile(DataColumn("y", VALUES))]
    assert timing(columns, columns[0].column).column is None


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


@pytest.mark.parametrize("seed", range(4))
def test_what_tells_single_rows_apart_is_no_key(seed: int) -> None:
    rng = np.random.default_rng(seed)
    students = {"Year": rng.integers(1, 6, 90), "major": rng.choice(list("abcdefghijklmnopqrst"), 90)}
    students |= {
        "weight": rng.integers(2, 30, 90),
        "ratio": rng.normal(size=90).round(3),
        "units": rng.integers(10, 19, 90),
    }
    assert load(pd.DataFrame(students)).target == "units"


def test_what_is_no_key_is_none() -> None:
    """Two measurements a day, of which nothing says whose they are; corrections; settings of an experiment."""
    twice = _frame(day=np.repeat(MONTHS, 2), level=RNG.normal(size=48).round(2))
    assert load(_csv(twice), time="day").n == 48
    with pytest.raises(
        InputError, match=r"48 rows at 24 different times, and no column of keys; .*--every day --by sum"
    ):
        load(_csv(twice))
    corrected = pd.concat([STORES[:24], STORES[24:26].assign(store="A")])
    assert load(_csv(corrected)).n == 26
    factors = _frame(catalyst=[*"AAABBB"], time=[1, 2, 3] * 2, value=RNG.normal(size=6).round(2))
    assert load(_csv(factors)).columns == ("catalyst", "time")


def test_missing_cells_are_no_value() -> None:
    columns = [DataColumn("k", ("a", None, "a", "")), DataColumn("v", ("1", "2", "3", "4"))]
    assert table_where(DataTable(tuple(columns)), {"k": "a"}).columns[0].values == ("1", "3")
