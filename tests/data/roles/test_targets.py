"""Which column is modelled when none is named."""

from collections.abc import Callable
from io import BytesIO

import numpy as np
import pandas as pd
import pytest

from autostatistician.data.columns import DataColumn
from autostatistician.data.load import load
from autostatistician.data.roles.profiles import Profile
from autostatistician.data.roles.targets import is_wanted, ranked_targets
from autostatistician.errors import InputError

N = 48
Column = Callable[[np.random.Generator], object]


def _dates(rule: str) -> Column:
    return lambda rng: pd.date_range("2021-01-01", periods=N, freq=rule).astype(str)


def _amounts(level: float, decimals: int = 0) -> Column:
    return lambda rng: np.round(level * (1.0 + 0.2 * np.sin(np.arange(N) / 3.0) + 0.1 * rng.normal(size=N)), decimals)


def _flags(rng: np.random.Generator) -> object:
    return (rng.random(N) < 0.2).astype(int)


def _list(*values: float) -> Column:
    """Values that hold for long, one after the other."""
    return lambda rng: np.repeat(values, -(-N // len(values)))[:N]


def _counter(first: int, most: int = 1) -> Column:
    return lambda rng: first + np.cumsum(rng.integers(1, most + 1, N))


def _cycle(length: int) -> Column:
    return lambda rng: np.arange(N) % length + 1


def _any(*values: object) -> Column:
    return lambda rng: rng.choice(np.array(values, dtype=object), N)


DAY, WEEK, MONTH, HOUR = (_dates(rule) for rule in ("D", "W", "MS", "h"))

TABLES: dict[str, tuple[str, dict[str, Column]]] = {
    "shop": ("Units sold", {"Date": DAY, "Units sold": _amounts(120), "Price": _list(2.5, 3.0), "Promo": _flags}),
    "shop with prices first": ("Absatz", {"Datum": DAY, "Preis": _list(2.5, 2.9, 2.7), "Aktion": _flags,
                                          "Absatz": _amounts(80)}),
    "invoices": ("amount", {"invoice_no": _counter(70012, 9), "date": DAY, "customer": _any(*range(800, 900)),
                            "amount": _amounts(55, 2)}),
    "department store": ("Weekly_Sales", {"Date": WEEK, "Holiday_Flag": _flags, "Temperature": _amounts(60, 1),
                                          "Fuel_Price": _amounts(3, 3), "Weekly_Sales": _amounts(16e4, 2)}),
    "shop and its plan": ("Umsatz", {"Monat": MONTH, "Umsatz Plan": _list(100, 110, 120, 130), "Umsatz": _amounts(1e5),
                                     "Vorjahr": _amounts(9e4)}),
    "energy": ("load_mw", {"timestamp": HOUR, "slot": _cycle(24), "temperature": _amounts(8, 1), "wind": _amounts(5, 1),
                           "load_mw": _amounts(420, 1)}),
    "tariffs": ("Stromverbrauch", {"Zeit": HOUR, "Tarif": _list(0.3, 0.2, 0.3, 0.2), "Außentemperatur": _amounts(9, 1),
                                   "Stromverbrauch": _amounts(3, 2)}),
    "solar plant": ("Ertrag kWh", {"Tag": DAY, "Wechselrichter Nr": _any(1, 2, 3), "Globalstrahlung": _amounts(200),
                                   "Ertrag kWh": _amounts(30, 1)}),
    "clinic": ("admissions", {"week": WEEK, "holiday": _flags, "beds_capacity": _list(120, 130),
                              "admissions": _amounts(75)}),
    "web traffic": ("sessions", {"day": DAY, "campaign": _flags, "ad_spend": _amounts(300, 2), "bounce": _amounts(1, 3),
                                 "sessions": _amounts(2500)}),
    "factory": ("Ausschuss", {"Datum": DAY, "Schicht": _cycle(3), "Chargennummer": _counter(4000),
                              "Ausschuss": _amounts(14)}),
    "weather": ("temp_max", {"date": DAY, "temp_max": _amounts(18, 1), "temp_min": _amounts(9, 1),
                             "precipitation": _amounts(2, 1)}),
    "school": ("Fehltage", {"Woche": WEEK, "Klassennummer": _cycle(4), "Ferien": _flags, "Fehltage": _amounts(11)}),
    "library": ("loans", {"month": MONTH, "loans": _amounts(900), "open_days": _any(24, 25, 26), "staff": _list(5, 6)}),
    "bus line": ("ridership", {"date": DAY, "record": _counter(1), "fare": _list(2.4, 2.6), "rain_mm": _amounts(3, 1),
                               "ridership": _amounts(4100)}),
    "shares": ("Close", {"Date": DAY, "Open": _amounts(50, 2), "High": _amounts(52, 2), "Low": _amounts(48, 2),
                         "Close": _amounts(50, 2), "Volume": _amounts(1e6)}),
    "survey": ("satisfaction", {"respondent_id": _any(*range(900)), "satisfaction": _any(1, 2, 3, 4, 5),
                                "age": _amounts(40), "income": _amounts(3e4)}),
    "houses": ("price", {"price": _amounts(3e5), "area": _amounts(110), "rooms": _any(2, 3), "zip": _any(801, 802)}),
    "Wohnungen": ("Miete", {"Miete": _amounts(900), "Fläche": _amounts(70), "Zimmer": _any(2, 3), "PLZ": _any(11, 12)}),
    "concrete": ("strength", {"cement": _amounts(280, 1), "water": _amounts(180, 1), "age": _any(7, 28, 90),
                              "strength": _amounts(35, 2)}),
    "hotel": ("Auslastung", {"Monat": MONTH, "Zimmerpreis": _list(80, 95, 80, 95), "Auslastung": _amounts(0.7, 3)}),
    "call centre": ("calls", {"date": DAY, "forecast": _amounts(300), "agents": _any(10, 11), "calls": _amounts(310)}),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_the_column_that_a_person_would_ask_about_is_modelled(name: str) -> None:
    target, columns = TABLES[name]
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({column: make(rng) for column, make in columns.items()})
    data = load(BytesIO(frame.to_csv(index=False).encode()))
    assert data.target == target
    assert "could be modelled instead" in data.choice  # what else could be modelled


CELLS = {"numbers": ("3", "1", "2", "5"), "classes": ("a", "b", "a", "b"), "yes": ("0", "1", "0", "0")}


def _profiles(**columns: str) -> list[Profile]:
    return [Profile(DataColumn(name, CELLS[kind])) for name, kind in columns.items()]


def _ranked(series: bool, **columns: str) -> list[str]:
    return [one.column.name for one in ranked_targets(_profiles(**columns), series=series)]


def test_names_come_before_places_and_clear_names_before_others() -> None:
    columns = {"a": "numbers", "price": "numbers", "target": "numbers", "unit_sales": "numbers", "b": "numbers"}
    assert _ranked(False, **columns)[:3] == ["target", "unit_sales", "price"]
    assert _ranked(True, **columns)[:3] == ["target", "unit_sales", "a"]


def test_without_names_it_is_the_first_of_a_series_and_the_last_of_a_table() -> None:
    assert _ranked(True, a="numbers", b="numbers", c="numbers") == ["a", "b", "c"]
    assert _ranked(False, a="numbers", b="numbers", c="numbers") == ["c", "b", "a"]


def test_answers_of_yes_and_no_come_last_in_a_series_alone() -> None:
    assert _ranked(True, a="yes", b="numbers") == ["b", "a"]
    assert _ranked(False, a="numbers", b="yes") == ["b", "a"]


def test_nobody_asks_about_places_and_the_calendar_when_there_is_something_else() -> None:
    assert _ranked(False, a="numbers", lat="numbers", month="numbers") == ["a"]
    assert _ranked(False, lat="numbers", lon="numbers") == ["lon", "lat"]


def test_nobody_asks_about_the_square_of_another_column() -> None:
    rng = np.random.default_rng(0)
    age, wage = rng.integers(18, 65, N).astype(float), rng.gamma(9.0, size=N)
    columns = {"wage": wage, "educ": rng.integers(8, 18, N), "age": age, "agesq": age**2, "scaled": age**2 / 100.0}
    profiles = [Profile(DataColumn(name, np.asarray(values, dtype=np.float64))) for name, values in columns.items()]
    assert ranked_targets(profiles, series=False)[0].name == "educ"
    assert ranked_targets(profiles[2:], series=False)[0].name in columns  # nothing else is there
    assert ranked_targets(profiles, series=True)[0].name == "wage"


def test_nobody_asks_about_what_is_mostly_empty_when_there_is_something_else() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=60), "b": rng.normal(size=60), "relapse": rng.normal(size=60)})
    frame.loc[20:, "relapse"] = np.nan
    assert load(frame).target == "b"
    assert load(frame.assign(relapse=rng.normal(size=60))).target == "relapse"
    data = load(frame, target="relapse")
    assert data.n == 20
    assert "Only 20 of 60 rows are used: the others have no value of 'relapse'" in str(data.choice)
    assert "Only" not in str(load(frame.fillna(0.5).assign(relapse=frame["b"] ** 2)).choice)


def test_classes_are_asked_about_by_name_or_as_the_last_of_a_table() -> None:
    def ranked(*, classes: bool = True, series: bool = False, **columns: str) -> list[str]:
        return [one.column.name for one in ranked_targets(_profiles(**columns), series=series, classes=classes)]

    assert ranked(a="numbers", b="numbers", kind="classes") == ["kind", "b", "a"]
    assert ranked(a="numbers", b="numbers", kind="classes", series=True) == ["a", "b"]
    assert ranked(a="numbers", b="numbers", kind="classes", classes=False) == ["b", "a"]
    assert ranked(kind="classes", a="numbers", b="numbers") == ["b", "a"]
    assert ranked(outcome="classes", a="numbers", b="numbers", c="classes") == ["outcome", "b", "a"]
    assert ranked(a="numbers", sales="numbers", kind="classes") == ["sales", "a"]
    assert ranked(a="numbers", b="numbers", sex="classes") == ["b", "a"]


def test_names_say_what_is_wanted() -> None:
    outcome, a = _profiles(outcome="classes", a="numbers")
    assert (is_wanted(outcome), is_wanted(a)) == (True, False)
    price, statement = (Profile(DataColumn(name, CELLS["numbers"])) for name in ("Sale price", "Prices are fair"))
    assert (is_wanted(price), is_wanted(statement)) == (True, False)


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ((), "besides the time axis; found none"),
        ((DataColumn("a", ("", "n/a")),), "only missing values in column 'a'"),
        ((DataColumn("a", ("x", "y", "z")),), "found 'x' in row 1 of column 'a'; name the column to model"),
        ((DataColumn("a", CELLS["numbers"]), DataColumn("y", ("x1", "y1", "3", "z1"))), "'x1' in row 1 of column 'y'"),
        ((DataColumn("year", ("1990", "1991", "1993")),), "only 'year', whose name and order are those of times"),
    ],
)
def test_what_cannot_be_modelled_is_said(columns: tuple[DataColumn, ...], words: str) -> None:
    with pytest.raises(InputError, match=words):
        ranked_targets([Profile(column) for column in columns], series=False)


def test_treatments_and_groups_are_no_targets() -> None:
    effects = {"size": [3.1, 2.0, 4.5, 3.3, 2.2, 4.4], "treat": [*"aabbab"]}
    assert load(pd.DataFrame(effects | {"tree": [*"uvwuvw"]}), task="auto").target == "tree"
    assert load(pd.DataFrame({"tree": [*"uvwuvw"]} | effects), task="auto").target == "size"
    asked = {"rownames": range(1, 7), "result": [*"nnynyy"], "group": [*"ababab"]}
    assert load(pd.DataFrame(asked), task="auto").target == "result"
