"""Columns: each is parsed once, whoever asks how often."""

import io
from collections import Counter
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.there import there

from autostatistician.data import columns as module
from autostatistician.data.columns import DataColumn, DataTable, find_column
from autostatistician.data.load import load
from autostatistician.data.numbers import parse_numbers
from autostatistician.data.roles.keys import LongTableError
from autostatistician.errors import InputError

CASES = [
    (("1", "2.5", "-3e2"), [1.0, 2.5, -300.0]),
    (("1,234.5", "2"), [1234.5, 2.0]),
    (("1.234,5", "2,25"), [1234.5, 2.25]),
    (("1,234", "5,678"), [1234.0, 5678.0]),
    (("1 234,5", "7"), [1234.5, 7.0]),
    (("$1,200", "€5", "7 EUR"), [1200.0, 5.0, 7.0]),
    (("12 %", "7.5%"), [12.0, 7.5]),
    (("\N{MINUS SIGN}5", "(3)"), [-5.0, -3.0]),
    (("yes", "No", "TRUE"), [1.0, 0.0, 1.0]),
    (("1.5D+03",), [1500.0]),
    (("inf", "-Infinity"), [np.inf, -np.inf]),
    (("$ 1.00", "$ -", "$ (3.50)"), [1.0, 0.0, -3.5]),
    (("1,5 €", "- €", "-   €"), [1.5, 0.0, 0.0]),
    (("€ –", "€ 3"), [0.0, 3.0]),
    (("kr -", "12 kr"), [0.0, 12.0]),
    (("zł -", "3 zł"), [0.0, 3.0]),
    (("£-", "£4", "-£5"), [0.0, 4.0, -5.0]),
    (("12 EUR VB", "13 EUR"), [12.0, 13.0]),
    (("900 EUR (Festpreis)", "1200 € VB"), [900.0, 1200.0]),
    (("1200 zł do negocjacji", "900 zł"), [1200.0, 900.0]),
    (("85 € à débattre", "70 €"), [85.0, 70.0]),
    (("20 USD or best offer", "15 USD"), [20.0, 15.0]),
    (("6' 8\"", "6' 7.5\"", "7'0\""), [80.0, 79.5, 84.0]),
    (("5’ 11”", "6’ 1”"), [71.0, 73.0]),
    (("6' 10.25''", "6'1''"), [82.25, 73.0]),
    (("5'-8\"", "6'-0\""), [68.0, 72.0]),
    (("14'982", "3'000"), [14982.0, 3000.0]),
]


@pytest.mark.parametrize(("cells", "numbers"), CASES)
def test_numbers(cells: tuple[str, ...], numbers: list[float]) -> None:
    read = parse_numbers(cells)
    assert read.bad == ()
    assert read.values.tolist() == numbers


def test_what_was_taken_off_is_said() -> None:
    notes = parse_numbers(("$1,200", "5 %")).notes
    assert notes == (
        "per cent signs were taken off 1 cell (12 % is read as 12)",
        "currency signs were taken off 1 cell",
        "separators of thousands were taken off 1 cell",
    )


@pytest.mark.parametrize(
    "cell", ["5 EUR million", "5 USD bn", "5.00 EUR CR", "10 EUR/kg", "12 USD 13", "- VB", "5'32\""]
)
def test_words_that_change_an_amount_are_never_taken_off(cell: str) -> None:
    assert parse_numbers([cell]).bad == (0,)


def test_dashes_and_words_beside_amounts_are_said() -> None:
    notes = parse_numbers(["12 EUR VB", "- EUR", "4 EUR"]).notes
    assert notes[1:] == (
        "words behind amounts, such as 'VB', were taken off", "a dash beside a currency sign was read as 0",
    )  # fmt: skip
    assert np.isnan(parse_numbers(["-", "$4"]).values[0])  # alone it is no number


def test_text_is_named_by_its_row() -> None:
    assert parse_numbers(("1", "oops", "0x1F", "1_000")).bad == (1, 2, 3)


@given(st.lists(st.floats(allow_nan=False), min_size=1))
def test_every_float_is_read_back(values: list[float]) -> None:
    assert parse_numbers(tuple(map(repr, values))).values.tolist() == values


@pytest.mark.slow
@given(st.lists(st.text(max_size=12)))
def test_any_text_is_a_number_missing_or_bad(cells: list[str]) -> None:
    read = parse_numbers(tuple(cells))
    known = int((~np.isnan(read.values)).sum())
    assert known + read.missing + len(read.bad) == len(cells)


@pytest.mark.parametrize("seed", range(3))
def test_a_column_that_repeats_its_cells_is_read_as_one_that_does_not(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = [cell for case, _ in CASES for cell in case] + ["", "n/a", "oops"]
    column = tuple(rng.choice(cells, size=200).tolist())
    once = {cell: parse_numbers((cell, *dict.fromkeys(column))) for cell in set(column)}
    read = parse_numbers(column)
    np.testing.assert_array_equal(read.values, [once[cell].values[0] for cell in column])
    assert read.missing == sum(cell in ("", "n/a") for cell in column)
    assert read.bad == tuple(row for row, cell in enumerate(column) if once[cell].bad[:1] == (0,))


def test_cells_that_were_changed_are_counted_one_by_one() -> None:
    assert parse_numbers(["5 %"] * 7 + ["1"]).notes == ("per cent signs were taken off 7 cells (12 % is read as 12)",)
    assert parse_numbers(["1,000"] * 3 + ["7"]).notes == ("separators of thousands were taken off 3 cells",)


def test_what_the_file_shows_settles_what_one_column_leaves_open() -> None:
    assert parse_numbers(["1,500", "2,250"]).values.tolist() == [1500.0, 2250.0]
    assert parse_numbers(["1,500", "2,250"], comma=True).values.tolist() == [1.5, 2.25]
    assert parse_numbers(["1.500", "2"]).values.tolist() == [1.5, 2.0]
    assert parse_numbers(["1.500", "2"], points=True).values.tolist() == [1500.0, 2.0]


def test_no_cells_are_no_numbers() -> None:
    empty, blank = parse_numbers(()), parse_numbers(("", None))
    assert (empty.values.size, empty.missing, empty.share) == (0, 0, 0.0)
    assert (blank.missing, blank.share, bool(np.isnan(blank.values).all())) == (2, 0.0, True)


DAYS = [f"{k % 28 + 1:02d}.{k // 28 + 1:02d}.2020" for k in range(84)]
SERIES = "\n".join(["Datum;Umsatz;Laden;Notiz", *(f"{day};1.{k:03d},5;{'ABC'[k % 3]};x" for k, day in enumerate(DAYS))])
TABLE = "\n".join(["size;colour;day;price", *(f"{k},5;{'rg'[k % 2]};{DAYS[-k]};{k * k % 7}" for k in range(40))])
LONG = "\n".join(["day,shop,sales", *(f"2020-01-{k // 3 + 1:02d},{'ABC'[k % 3]},{k * k % 11}" for k in range(60))])


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Counter[tuple[str, tuple[str, ...]]]:
    """How often the cells of a column were parsed: by kind and cells."""
    counts: Counter[tuple[str, tuple[str, ...]]] = Counter()
    for name in ("parse_numbers", "parse_times"):

        def counting(
            cells: tuple[str, ...],
            *args: object,
            name: str = name,
            whole: object = getattr(module, name),
            **options: object,
        ) -> object:
            counts[name, cells] += 1
            return whole(cells, *args, **options)  # type: ignore[operator]

        monkeypatch.setattr(module, name, counting)
    return counts


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (SERIES, {}),
        (SERIES, {"target": "Umsatz"}),
        (SERIES, {"time": "Datum"}),
        (TABLE, {}),
        (TABLE, {"target": "price"}),
        (TABLE, {"inputs": ["*"], "target": "price"}),
        (LONG, {"where": {"shop": "A"}}),
    ],
    ids=["series", "target", "time", "table", "target of a table", "inputs", "one of several"],
)
def test_a_column_of_a_file_is_parsed_once_as_numbers_and_once_as_dates(
    text: str, options: dict[str, object], parsed: Counter[tuple[str, tuple[str, ...]]]
) -> None:
    load(io.StringIO(text), **options)  # type: ignore[arg-type]
    assert len(parsed) >= 4
    assert set(parsed.values()) == {1}, [(kind, cells[:2], n) for (kind, cells), n in parsed.items() if n > 1]


def test_a_table_of_several_series_is_refused_after_one_look(parsed: Counter[tuple[str, tuple[str, ...]]]) -> None:
    with pytest.raises(LongTableError):
        load(io.StringIO(LONG))
    assert set(parsed.values()) == {1}


def test_what_was_read_is_kept_and_cannot_be_written() -> None:
    column = DataColumn("Datum", tuple(f"{day}. März 2021" for day in range(1, 29)))
    assert column.times is not None
    assert column.times is column.times
    assert column.numbers is column.numbers
    for array in (column.times.times, column.numbers.values, DataColumn("x", np.arange(3.0)).numbers.values):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = array[1]
    with pytest.raises(FrozenInstanceError):
        column.name = "date"  # type: ignore[misc]


def test_an_array_of_the_caller_stays_writeable() -> None:
    mine = np.arange(3.0)
    assert DataColumn("x", mine).numbers.values.tolist() == [0.0, 1.0, 2.0]
    mine[0] = 7.0


def test_dates_of_half_the_cells_are_told_from_those_of_nearly_all() -> None:
    good, some, none = (DataColumn("when", (*["2020-01-01"] * k, *["soon"] * (20 - k))) for k in (19, 12, 9))
    assert good.times is good.times_of_most is not None
    assert (some.times, some.times_of_most is None) == (None, False)
    assert none.times_of_most is None
    assert [column.is_category for column in (good, some, none)] == [False, False, True]


def test_new_times_in_the_words_of_the_file_are_read_though_most_of_them_are_english_too() -> None:
    months = ("Jan", "Feb", "März", "April", "Juni", "Juli", "Aug")
    column = DataColumn("Monat", tuple(f"{month} 2001" for month in months))
    assert column.times_of_most is not None
    assert column.times_of_most.bad == ()


def test_text_that_means_numbers_or_dates_is_no_category() -> None:
    assert not DataColumn("y", ("1.5", "2", "3")).is_category
    assert not DataColumn("when", ("2020-01-01", "2020-02-01", "2020-03-01")).is_category
    assert DataColumn("sure", ("yes", "no", "yes")).is_category
    assert DataColumn("sure", ("yes", "", None, "False")).is_category
    assert not DataColumn("sure", ("1", "0", "1")).is_category
    assert DataColumn("grade", np.array([1.0, 2.0]), levels=("1", "2")).is_category


def test_categories_are_those_that_occur_in_their_stated_order() -> None:
    assert DataColumn("c", (" red", "red ", None, "n/a", "blue")).categories == ("blue", "red")
    assert DataColumn("c", ("s", "l", "s"), levels=("s", "m", "l")).categories == ("s", "l")
    assert DataColumn("b", np.array([1.0, np.nan, 0.0]), levels=("False", "True")).texts == ("True", None, "False")


def test_a_new_name_is_a_new_column_and_the_old_name_the_same() -> None:
    column = DataColumn("y", ("1", "5 %"))
    assert column.renamed("y") is column
    assert column.renamed("z").numbers.notes[0].startswith("In column 'z' ")


def test_the_size_of_a_table_is_that_of_its_columns() -> None:
    assert DataTable((DataColumn("y", ("1", "2")),)).size == 2
    assert DataTable(()).size == 0


NAMED_COLUMNS = tuple(DataColumn(name, ("1",)) for name in ("Sales", "sales", "Price (EUR)", "7"))


@pytest.mark.parametrize(
    ("asked", "place"), [("Sales", 0), ("sales", 1), ("SALES", 0), (" price (eur) ", 2), ("7", 3), (7, 3)]
)
def test_case_is_told_apart_only_where_needed(asked: str, place: int) -> None:
    assert find_column(NAMED_COLUMNS, asked, "target") is NAMED_COLUMNS[place]


@pytest.mark.parametrize(("asked", "hint"), [("Sale", "did you mean 'Sales'?"), ("nothing", "name one of these")])
def test_unknown_names_come_with_a_hint_and_all_that_there_are(asked: str, hint: str) -> None:
    with pytest.raises(InputError) as refused:
        find_column(NAMED_COLUMNS, asked, "target")
    assert str(refused.value) == (
        f"expected a column {asked!r} for the target; found the columns 'Sales', 'sales', 'Price (EUR)', '7'; {hint}"
    )


def test_a_name_says_that_years_are_those_of_the_republic_of_china() -> None:
    years, months = DataColumn("民國年", ("99", "100", "101")), DataColumn("民國年月", ("99/12", "100/01", None))
    assert there(years.times).times.astype("M8[Y]").astype(str).tolist() == ["2010", "2011", "2012"]
    assert there(months.times).times.astype("M8[M]").astype(str).tolist() == ["2010-12", "2011-01", "NaT"]
    assert DataColumn("年", ("99", "100", "101")).times is None
