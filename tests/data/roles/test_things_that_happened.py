"""Rows that stand for what happened at random, or for things, are no series in time; irregular series are."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from tests.data.tables import csv_of, said

from autostatistician.data.dataset import Dataset
from autostatistician.data.load import load
from autostatistician.errors import InputError

N = 150
RNG = np.random.default_rng(7)
Columns = dict[str, Sequence[object]]


def _moments(gaps: np.ndarray) -> list[str]:
    """Moments on the clock with these gaps between them, in hours."""
    times = np.datetime64("2024-03-01T08:13:27", "s") + (3600 * np.cumsum(gaps)).astype("m8[s]")
    return [str(time).replace("T", " ") for time in times]


def _at_random(n: int = N) -> list[str]:
    return _moments(RNG.exponential(9.0, n))


def _one_of(*cells: object) -> list[object]:
    return RNG.choice(np.array(cells, dtype=object), N).tolist()


def _amounts(n: int = N) -> list[float]:
    return RNG.gamma(1.5, 20.0, n).round(2).tolist()


def _walk(n: int = N) -> list[float]:
    return (50 + np.cumsum(RNG.normal(size=n))).round(2).tolist()


# --- payments, sales ------------------------------------------------------------------------------------------------

PAYMENTS: dict[str, Columns] = {
    "payments of a card": {
        "Type": _one_of("card", "transfer"), "Started Date": _at_random(), "Description": _one_of("A", "B", "C"),
        "Amount": _amounts(), "State": _one_of("done", "pending"), "Balance": _walk(),
    },
    "a till": {"Zeitpunkt": _at_random(), "Artikel": _one_of("Brot", "Brezel"), "Betrag": _amounts()},
    "a shop": {"created_at": _at_random(), "pays": _one_of("FR", "BE"), "montant": _amounts(), "port": _amounts()},
    "a cafe": {"fecha": _at_random(), "producto": _one_of("solo", "doble"), "importe": _amounts()},
    "receipts": {"data": _at_random(), "kwota": _amounts()},
    "parcels": {"scanned": _at_random(), "depot": _one_of("N", "S"), "quantity": RNG.integers(1, 40, N).tolist()},
}  # fmt: skip


@pytest.mark.parametrize("columns", PAYMENTS.values(), ids=PAYMENTS)
def test_amounts_at_random_moments_are_to_be_added_up(columns: Columns) -> None:
    with pytest.raises(InputError, match="--every day --by sum"):
        load(csv_of(columns))
    assert len(load(csv_of(columns), every="day", by="sum").y) < N


def test_payments_are_a_table_or_a_series_where_that_is_asked() -> None:
    columns = PAYMENTS["payments of a card"]
    assert load(csv_of(columns), inputs=["*"], target="Amount").axis is None
    assert len(load(csv_of(columns), target="Balance").y) == N  # it goes on from row to row


def test_numbers_of_receipts_are_no_times_beside_days_that_repeat() -> None:
    days = np.repeat(np.arange("2024-04-01", "2024-05-01", dtype="M8[D]"), N // 30).astype(str).tolist()
    columns = {"Data": days, "Cupom": range(48210, 48210 + N), "Produto": _one_of("a", "b"), "Valor": _amounts()}
    with pytest.raises(InputError, match="--every day --by sum"):
        load(csv_of(columns))


# --- answers --------------------------------------------------------------------------------------------------------

SURVEYS: dict[str, Columns] = {
    "a hotel": {
        "StartDate": _at_random(), "Q1": _one_of("agree", "disagree"), "Q2": _one_of(1, 2, 3, 4, 5),
        "NPS": RNG.integers(0, 11, N).tolist(),
    },
    "a gym": {
        "Marca temporal": _moments(RNG.uniform(3.5, 4.5, N)), "edad": _one_of("18-24", "25-34", "35+"),
        "pareja": _one_of("si", "no"), "nota": RNG.integers(0, 11, N).tolist(),
    },
    "at work": {
        "submitdate": _moments(np.tile([1, 1, 1, 1, 1, 19], N // 6)), "stress": _one_of("A1", "A2", "A3"),
        "leiding": _one_of("Y", "N"), "uren": RNG.normal(45, 4, N).round(1).tolist(),
    },
    "calls": {
        "Uhrzeit des Anrufs": _at_random(), "Dauer": RNG.gamma(2.0, 100.0, N).round().tolist(),
        "Grund": _one_of("Rechnung", "Technik"), "Zufriedenheit": _one_of(1, 2, 3, 4, 5),
    },
    "visits": {
        "timestamp": _at_random(), "device": _one_of("phone", "desktop"), "pages": RNG.poisson(4, N).tolist(),
        "seconds": RNG.gamma(1.0, 200.0, N).round().tolist(),
    },
}  # fmt: skip


@pytest.mark.parametrize("columns", SURVEYS.values(), ids=SURVEYS)
def test_a_row_a_person_is_a_table(columns: Columns) -> None:
    data = load(csv_of({"lang": ["en"] * N, **columns, "done": [1] * N}))
    assert data.axis is None
    assert said(data, "it could be read as a series over")
    assert load(csv_of({**columns, "done": [1] * N}), target=list(columns)[-1]).axis is None


# --- series over irregular times ------------------------------------------------------------------------------------

DAYS = np.datetime64("2019-01-01") + np.cumsum(RNG.integers(2, 60, N))
SEASON = (10 + 5 * np.sin(np.arange(N) / 5) + RNG.normal(size=N)).round(2).tolist()
SERIES: dict[str, Columns] = {
    "now and then": {"date": DAYS.astype(str), "nitrate": _amounts(), "ph": _amounts(), "lab": _one_of("A", "B")},
    "a jittered sensor": {"time": _moments(1 + RNG.uniform(-0.1, 0.1, N)), "temp": SEASON, "hum": _walk()},
    "jitter and noise": {"time": _moments(1 + RNG.uniform(-0.1, 0.1, N)), "a": RNG.normal(size=N), "b": _amounts()},
    "random moments": {"time": _at_random(), "level": SEASON, "flow": _walk(), "state": _one_of("on", "off")},
    "a value alone": {"time": _at_random(), "glucose": RNG.normal(6, 1, N).round(1)},
    "few visits": {"visit": _at_random(12), "crp": _amounts(12), "hb": _amounts(12), "iron": _amounts(12)},
    "every hour": {"hour": _moments(np.ones(N)), "amount": _amounts(), "kind": _one_of("a", "b"), "n": _amounts()},
    "hours of work": {"time": _moments(np.tile([1] * 9 + [15], N // 10)), "open": _walk(), "volume": _amounts()},
    "amounts of days": {"day": np.arange("2021-01-01", "2021-05-31", dtype="M8[D]").astype(str), "amount": _amounts()},
}


@pytest.mark.parametrize("columns", SERIES.values(), ids=SERIES)
def test_irregular_series_stay_series(columns: Columns) -> None:
    data = load(csv_of({name: list(cells) for name, cells in columns.items()}))
    assert data.axis is not None
    assert len(data.y) == len(next(iter(columns.values())))


# --- numbers that count or name the rows ----------------------------------------------------------------------------

COUNTERS: dict[str, Callable[[], Sequence[object]]] = {
    "ID ogłoszenia": lambda: range(5510000, 5510000 + 11 * N, 11),
    "Cupom": lambda: range(48210, 48210 + N),
    "Nr zamówienia": lambda: range(900 + N, 900, -1),
    "offer": lambda: np.cumsum(RNG.integers(3, 6, N)).tolist(),
    "Belegnummer": lambda: range(1, N + 1),
    "lot": lambda: range(0, 10 * N, 10),
}


def _flats(counter: str) -> Dataset:
    columns = {counter: COUNTERS[counter](), "Dzielnica": _one_of("Wola", "Praga"), "Powierzchnia": _amounts()}
    return load(csv_of({**columns, "Pokoje": _one_of(1, 2, 3), "Cena": _amounts()}))


@pytest.mark.parametrize("counter", COUNTERS)
def test_numbers_that_name_rows_are_no_times(counter: str) -> None:
    data = _flats(counter)
    assert (data.axis, data.target) == (None, "Cena")


def test_named_ids_are_no_inputs_either() -> None:
    assert _flats("ID ogłoszenia").columns == ("Dzielnica", "Powierzchnia", "Pokoje")


def test_even_steps_along_which_rows_are_alike_are_an_axis() -> None:
    columns = {"depth": range(0, 5 * N, 5), "density": SEASON, "porosity": _walk()}
    assert load(csv_of(columns), target="density").columns == ("depth",)


# --- keys -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("time", ["first_registration", "Erstzulassung", "date", "built", "bouwjaar"])
def test_things_with_a_month_each_are_no_panel(time: str) -> None:
    months = np.datetime64("2010-01") + RNG.integers(0, 170, N)
    columns = {
        "model": _one_of("Golf", "Astra", "Focus", "Octavia"), time: months.astype(str).tolist(),
        "power": _one_of(*(f"{kw} kW" for kw in (55, 66, 81, 85, 96, 110, 135))), "fuel": _one_of("petrol", "diesel"),
        "km": RNG.integers(10**4, 2 * 10**5, N).tolist(), "price": RNG.integers(2000, 30000, N).tolist(),
    }  # fmt: skip
    data = load(csv_of(columns))
    assert (data.axis, data.target) == (None, "price")


@pytest.mark.parametrize("keep", [1.0, 0.5, 0.25])
def test_panels_with_gaps_are_panels_in_any_order(keep: float) -> None:
    rows = [(f"2020-{m:02d}-{d:02d}", shop, m * d) for m in range(1, 13) for d in (1, 8, 15, 22) for shop in "ABCDEFGH"]
    kept = [rows[k] for k in RNG.permutation(len(rows))[: int(keep * len(rows))]]
    with pytest.raises(InputError, match="--where shop="):
        load(csv_of(dict(zip(("day", "shop", "sales"), zip(*kept, strict=True), strict=True))))
