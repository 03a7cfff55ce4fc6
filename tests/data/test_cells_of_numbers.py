"""Cells that are numbers with something around them: groups of thousands, intervals, lengths of time, or words."""

import numpy as np
import pandas as pd
import pytest

from autostatistician.data.categories import input_matrix
from autostatistician.data.columns import DataColumn
from autostatistician.data.covariates import Covariate, Covariates, columns_beside
from autostatistician.data.load import load
from autostatistician.data.measurements import read_table
from autostatistician.data.numbers import parse_numbers
from autostatistician.errors import InputError

NUMBERS = np.round(250.0 + 40.0 * np.sin(np.arange(30)) + np.arange(30) % 7, 1)


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (("512 MB", "1.5 GB", "80 MB"), [512.0, 1536.0, 80.0]),
        (("2 mb", "512 kb", "3 mb"), [2.0, 0.5, 3.0]),
        (("2kg", "500g", "1,5kg"), [2.0, 0.5, 1.5]),
        (("3 mm", "2 cm", "8 mm", "n/a"), [3.0, 20.0, 8.0, np.nan]),
        (("1.5 kW", "2 MW", "0.5 kW"), [1.5, 2000.0, 0.5]),
        (("61.1 Lac", "1.54 Cr"), [6.11e6, 1.54e7]),
    ],
)
def test_units_of_one_quantity_are_read_in_that_of_most_cells(cells: tuple[str, ...], numbers: list[float]) -> None:
    np.testing.assert_allclose(parse_numbers(cells).values, numbers)


@pytest.mark.parametrize(
    "cells", [("2 kg", "5 lb", "1 kg"), ("1,500 g", "2 kg", "3 kg"), ("5 m", "3 min"), ("5M", "3MM")]
)
def test_units_of_several_quantities_and_unclear_commas_stay_as_they_are(cells: tuple[str, ...]) -> None:
    assert parse_numbers(cells).bad


@pytest.mark.parametrize(
    "cells", [("p1", "p2", "p3"), ("P10", "P20", "P31"), ("2:1", "0:3", "1:1"), ("52 : 48", "1 : 2")]
)
def test_names_and_scores_are_no_lengths_of_time(cells: tuple[str, ...]) -> None:
    column = DataColumn("pair", cells)
    assert column.as_lengths() is column


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (("00:48:43", "00:21:57", "01:03:52"), [2923.0, 1317.0, 3832.0]),
        (("5:26", "5:37", "5:18"), [326.0, 337.0, 318.0]),
        (("4:19.44", "4:22.77", "4:26.15"), [259.44, 262.77, 266.15]),
        (("1h 05m", "2h", "45m"), [65.0, 120.0, 45.0]),
    ],
)
def test_lengths_of_time_beside_a_target_are_numbers(cells: tuple[str, ...], numbers: list[float]) -> None:
    times, sold = pd.date_range("2020-01-06", periods=30).astype(str), np.round(NUMBERS).tolist()
    table = {"day": times, "pace": 10 * cells, "distance": sold}
    for options in (
        {"target": "distance"},
        {"inputs": ["pace"], "target": "distance"},
        {"time": "day", "target": "distance"},
    ):
        data = load(pd.DataFrame(table), **options)
        read = data.X[:, 0] if data.covariates is None else data.covariates.of("pace", data.x)
        assert sorted(set(read.tolist())) == sorted(numbers)
        assert not data.levels
    assert input_matrix([DataColumn("pace", cells)], ["pace"], {}).ravel().tolist() == numbers
    new = columns_beside(
        Covariates(np.zeros(1), (Covariate("pace", np.zeros(1)),)), [DataColumn("pace", cells)], np.arange(3.0)
    )
    assert new.of("pace", np.arange(3.0)).tolist() == numbers


def test_clock_times_are_no_lengths_of_time() -> None:
    times = pd.date_range("2020-01-06", periods=30).astype(str)
    data = load(
        pd.DataFrame({"day": times, "start_time": 10 * ["05:32", "06:10", "07:45"], "sold": NUMBERS}),
        target="sold",
    )
    assert "Durations" not in " ".join(data.warnings)


def test_lengths_of_time_are_measurements() -> None:
    rows = {"size": ["1", "2", "4", "3", "9"], "pace": ["5:26", "5:37", "5:18", "6:01", "4:59"]}
    assert read_table(rows).rows[:, 1].tolist() == [326.0, 337.0, 318.0, 361.0, 299.0]


@pytest.mark.parametrize("semicolons", [True, False])
@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (("910", "981", "1{}002", "1{}025"), [910.0, 981.0, 1002.0, 1025.0]),
        (("1{}002", "-", "964"), [1002.0, np.nan, 964.0]),
        (("-1{}002 €", "-950 €", "0 €"), [-1002.0, -950.0, 0.0]),
        (("912 (900 to 950)", "1{}002 (980 to 1{}020)"), [912.0, 1002.0]),
    ],
)
@pytest.mark.parametrize("mark", ".,")
def test_whole_numbers_below_a_thousand_show_groups_of_those_above(
    cells: tuple[str, ...], numbers: list[float], mark: str, semicolons: bool
) -> None:
    read = parse_numbers([cell.replace("{}", mark) for cell in cells], comma=semicolons)
    assert np.array_equal(read.values, numbers, equal_nan=True)
    assert any("separators of thousands" in said for said in read.notes)


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (("0{}125", "1", "0{}250", "2"), [0.125, 1.0, 0.25, 2.0]),
        (("1{}125", "1", "2{}250", "2"), [1.125, 1.0, 2.25, 2.0]),
        (("950", "1{}002", "12{}5"), [950.0, 1.002, 12.5]),
        (("1500", "1{}002", "950"), [1500.0, 1.002, 950.0]),
    ],
)
@pytest.mark.parametrize("mark", ".,")
def test_decimals_of_three_digits_beside_whole_numbers_stay(
    cells: tuple[str, ...], numbers: list[float], mark: str
) -> None:
    read = parse_numbers([cell.replace("{}", mark) for cell in cells], comma=mark == ",")
    assert read.values.tolist() == numbers


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (("27.2 (25.6 to 28.8)", "26.0 (24.4 to 27.6)"), [27.2, 26.0]),
        (("27.2 [25.6, 28.8]", "26"), [27.2, 26.0]),
        (("10.83 (-0.5)", "10.79 (+1.5)"), [10.83, 10.79]),
        (("0,054 ± 0,002", "0,088 ± 0,002"), [0.054, 0.088]),
        (("48.7 (e)", "47.1"), [48.7, 47.1]),
        (("12 (45 %)", "13 (50 %)"), [12.0, 13.0]),
    ],
)
def test_what_follows_numbers_in_brackets_is_left_out_and_said(cells: tuple[str, ...], numbers: list[float]) -> None:
    read = parse_numbers(cells)
    assert read.values.tolist() == numbers
    assert any(said.startswith("marks of footnotes, errors and brackets such as") for said in read.notes)


def test_amounts_in_brackets_are_negative_and_words_in_brackets_are_no_marks() -> None:
    assert parse_numbers(["(5)", "3"]).values.tolist() == [-5.0, 3.0]
    assert parse_numbers(["1 (low)", "2 (high)"]).bad == (0, 1)
    assert parse_numbers(["1990 [YR1990]", "2020 (Q2)"]).bad == (0, 1)


@pytest.mark.parametrize("cells", [("1,7 × 10³", "5 × 10⁻²"), ("1.7 x 10^3", "5·10^-2"), ("1.7*10^3", "5 × 10⁻²")])
def test_powers_of_ten_are_numbers(cells: tuple[str, ...]) -> None:
    assert parse_numbers(cells).values.tolist() == [1700.0, 0.05]


@pytest.mark.parametrize("words", [("yes please", "no thanks"), ("Não", "Sim"), ("low", "medium", "high")])
def test_an_error_on_a_target_of_words_says_how_to_ask_for_classes(words: tuple[str, ...]) -> None:
    table = pd.DataFrame({"size": NUMBERS, "left": 30 // len(words) * words})
    with pytest.raises(InputError, match=r"--task class \(task='class'\)"):
        load(table, target="left")
    assert load(table, target="left", task="class").classes == tuple(
        sorted(words, key=words.index if len(words) > 2 else str)
    )
