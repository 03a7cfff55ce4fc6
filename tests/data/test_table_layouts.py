"""Tables as people lay them out are read as one series, or asked about."""

from contextlib import nullcontext
from io import StringIO
from itertools import chain, pairwise

import numpy as np
import pytest
from tests.data.tables import said
from tests.there import there

from autostatistician.data.columns import DataColumn, DataTable
from autostatistician.data.dataset import Dataset
from autostatistician.data.load import load
from autostatistician.data.new_rows import rows_of_table
from autostatistician.data.numbers import parse_numbers
from autostatistician.data.panels import panel_of
from autostatistician.data.table_layouts import as_read
from autostatistician.data.times.dates import parse_times
from autostatistician.errors import InputError

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
MOIS = ("janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre")
HOURS = np.datetime64("2023-01-05T00", "h") + np.arange(96)
VALUES = (100 + 10 * np.sin(np.arange(400) * 0.7)).round(1).tolist()


def _read(rows: list[list[object]], delimiter: str = ",", **options: str) -> Dataset:
    return load(StringIO("\n".join(delimiter.join(map(str, row)) for row in rows)), **options)


def _starts(cells: list[str]) -> list[str]:
    return there(parse_times(cells)).times.astype("M8[m]").astype(str).tolist()


@pytest.mark.parametrize("form", ["%d/%m/%Y %H:%M", "%d-%m-%Y %H:%M", "%d/%m/%y %H:%M"])
def test_of_two_orders_of_day_and_month_the_one_that_gives_a_grid_is_taken(form: str) -> None:
    cells = [time.strftime(form) for time in HOURS.astype("M8[us]").tolist()]
    assert _starts(cells) == HOURS.astype("M8[m]").astype(str).tolist()


@pytest.mark.parametrize("clock", ["Time", "Hour", "HE", "Stunde"])
def test_the_order_is_settled_with_the_clock_of_another_column(clock: str) -> None:
    first = {"Time": [f"{hour:02d}:00" for hour in range(24)], "HE": [*range(1, 25)]}.get(clock, [*range(24)])
    days = [f"{time.day:02d}/01/2023" for time in HOURS.tolist()]
    rows = [[day, first[k % 24], VALUES[k]] for k, day in enumerate(days)]
    data = _read([["Date", clock, "visits"], *rows])
    assert there(data.axis).times(data.x).astype("M8[h]").tolist() == HOURS.tolist()


@pytest.mark.parametrize(
    ("cells", "starts"),
    [
        (["06.03.2023 00:00 - 01:00", "06.03.2023 01:00 - 02:00", "06.03.2023 02:00 - 03:00"], "2023-03-06T01:00"),
        (["2023-03-06 00:00-01:00", "2023-03-06 01:00-02:00", "2023-03-06 02:00-03:00"], "2023-03-06T01:00"),
        (["2023-03-06 00:00 to 2023-03-06 01:00", "2023-03-06 01:00 to 2023-03-06 02:00"], "2023-03-06T01:00"),
        (["2023-03-06 0-1", "2023-03-06 1-2", "2023-03-06 2-3"], "2023-03-06T01:00"),
        (["2023-01-02/2023-01-08", "2023-01-09/2023-01-15"], "2023-01-09T00:00"),
        (["02.01. - 08.01.2023", "09.01. - 15.01.2023"], "2023-01-09T00:00"),
        (["2012 Jan-Mar", "2012 Apr-Jun", "2012 Jul-Sep"], "2012-04-01T00:00"),
        (["Week of Jan 2, 2023", "Week of Jan 9, 2023"], "2023-01-09T00:00"),
    ],
)
def test_periods_are_read_by_their_beginning(cells: list[str], starts: str) -> None:
    assert _starts(cells)[1] == starts


@pytest.mark.parametrize("word", ["EST", "CET", "MESZ", "PDT", "DST", "UTC+1", "GMT-05:00", "Uhr", "(local)", "h"])
def test_words_for_a_zone_leave_the_clock_as_it_is(word: str) -> None:
    assert _starts([f"2023-03-06 0{hour}:00 {word}" for hour in range(3)])[2] == "2023-03-06T02:00"


@pytest.mark.parametrize(
    ("cells", "second"),
    [
        (["2012:1", "2012:2", "2012:3", "2012:4", "2013:1"], "2012-04-01"),
        (["Q1 FY12", "Q2 FY12", "Q3 FY12"], "2012-04-01"),
        (["2018:01", "2018:02", "2018:03", "2018:12", "2019:01"], None),
        (["1st quarter 2012", "2nd quarter 2012"], "2012-04-01"),
        (["QI 2012", "QII 2012", "QIII 2012"], "2012-04-01"), (["M1 2018", "M2 2018", "M3 2018"], "2018-02-01"),
        (["2023030600", "2023030601", "2023030602"], "2023-03-06"), (["01JAN2018", "01FEB2018"], "2018-02-01"),
        ([f"{year}{week:02d}" for year in (2018, 2019) for week in range(1, 53)], "2018-01-08"),
        ([f"{year}-{week}" for year in (2018, 2019) for week in range(1, 53)], "2018-01-08"),
    ],
)  # fmt: skip
def test_names_of_periods(cells: list[str], second: str | None) -> None:
    parsed = parse_times(cells)
    assert (None if parsed is None else str(parsed.times[1].astype("M8[D]"))) == second


def test_numbers_that_could_be_weeks_stay_numbers_where_they_fill_no_grid() -> None:
    assert parse_times(["201813", "202751", "201938"]) is None


@pytest.mark.parametrize(
    ("cells", "first"),
    [
        (["1214 kg", "1355 kg"], 1214.0), (["1.21k", "1.36k", "980"], 1210.0), (["1214K", "1.36M"], 1214e3),
        (["1486.5*", "1263"], 1486.5), (["12 p", "13.5", "14"], 12.0), (["1,5 Mio.", "2,5 Mio."], 1.5e6),
        (["1 mm", "2 mm"], 1.0), (["<5", "6"], np.nan), (["5 mg", "1 g"], 5.0), (["9 am", "10 am"], np.nan),
        (["1A", "2B"], np.nan), (["101a", "102a"], np.nan), (["3 Jan", "4 Jan"], np.nan),
    ],
)  # fmt: skip
def test_units_of_cells(cells: list[str], first: float) -> None:
    assert np.array_equal(parse_numbers(cells).values[0], first, equal_nan=True)


@pytest.mark.parametrize("titles", [MONTHS, (*MOIS, "décembre"), range(1, 13), [f"M{k}" for k in range(1, 13)]])
@pytest.mark.parametrize("total", [False, True])
def test_months_as_names_of_columns(titles: list[object], total: bool) -> None:
    rows = [[2010 + k, *(row := VALUES[12 * k : 12 * k + 12]), *([round(sum(row), 1)] * total)] for k in range(8)]
    data = _read([["Year", *titles, *(["Total"] * total)], *rows])
    assert (data.n, there(data.axis).frequency, (data.y + data.offset).tolist()) == (96, "month", VALUES[:96])


@pytest.mark.parametrize("titles", [[f"Q{k}" for k in range(1, 5)], [1, 2, 3, 4]])
def test_quarters_as_names_of_columns(titles: list[object]) -> None:
    data = _read([["Year", *titles], *([2000 + k, *VALUES[4 * k : 4 * k + 4]] for k in range(10))])
    assert (data.n, there(data.axis).frequency) == (40, "quarter")


@pytest.mark.parametrize(
    "titles", [[f"H{k:02d}" for k in range(1, 25)], [*range(24)], [f"{k:02d}:00" for k in range(24)]]
)
def test_hours_as_names_of_columns(titles: list[object]) -> None:
    rows = [[f"2023-03-{6 + k:02d}", *VALUES[24 * k : 24 * k + 24]] for k in range(5)]
    data = _read([["date", *titles], *rows])
    assert (data.n, there(data.axis).frequency) == (120, "hour")


def test_columns_that_are_named_are_left_as_they_are() -> None:
    rows = [[2010 + k, *VALUES[12 * k : 12 * k + 12]] for k in range(8)]
    assert _read([["Year", *MONTHS], *rows], target="Jan").n == 8


def test_what_stands_once_above_a_block_is_carried_down() -> None:
    rows = [[2010 + k // 4 if k % 4 == 0 else "", f"Q{k % 4 + 1}", VALUES[k]] for k in range(48)]
    data = _read([["Year", "Quarter", "Output"], *rows])
    assert (data.n, there(data.axis).frequency) == (48, "quarter")
    assert said(data, "carried down: 'Year'")


@pytest.mark.parametrize("word", ["Total {}", "{} subtotal", "Summe {}", "{}"])
def test_rows_of_totals_are_left_out(word: str) -> None:
    rows: list[list[object]] = []
    for year in range(2015, 2022):
        values = VALUES[4 * (year - 2015) :][:4]
        rows += [[f"{year} Q{k + 1}", value] for k, value in enumerate(values)]
        rows.append([word.format(year), round(sum(values), 1)])
    data = _read([["Quarter", "Revenue"], *rows])
    assert (data.n, there(data.axis).frequency) == (28, "quarter")


SALES = [
    [53001 + k, f"2023-01-{1 + k // 4:02d} {8 + 3 * (k % 4):02d}:{7 * k % 60:02d}:13", "tea", 2, 4.5 + k % 2]
    for k in range(80)
]
HEAD = ["invoice_no", "sold_at", "product", "quantity", "amount"]


def test_rows_of_sales_are_asked_about_and_added_up() -> None:
    with pytest.raises(InputError, match=r"add up 'amount' by --every day --by sum .*--time sold_at takes every row"):
        _read([HEAD, *SALES])
    summed = _read([HEAD, *SALES], every="day", by="sum")
    assert (summed.n, summed.target, set((summed.y + summed.offset).tolist())) == (20, "amount", {20.0})
    assert _read([HEAD, *SALES], every="week", by="mean").n == 4
    assert _read([HEAD, *SALES], every="day", by="count").target == "rows"
    with pytest.raises(InputError, match="both every and by"):
        _read([HEAD, *SALES], every="day")


def test_times_that_are_missing_in_many_rows_are_asked_about() -> None:
    rows = [[f"2020-{k % 12 + 1:02d}" if k % 3 else "n/a", VALUES[k]] for k in range(12)]
    with pytest.raises(InputError, match="4 of 12 without one in column 'month'"):
        _read([["month", "sales"], *rows])


def _dressed(rng: np.random.Generator) -> tuple[str, dict[str, float]]:
    """A table of months or hours in random dress, and its values by time."""
    years = int(rng.integers(4, 9))
    months = (np.datetime64(f"{rng.integers(1960, 2015)}-01", "M") + np.arange(12 * years)).astype(str).tolist()
    values = (50 + 10 * rng.normal(size=len(months)).cumsum()).round(1).tolist()
    truth, kind = dict(zip(months, values, strict=True)), rng.choice(["long", "matrix", "block", "total"])
    rows: list[list[object]] = [["month", "value"]]
    if kind == "matrix":
        rows = [["Year", *MONTHS]]
        rows += [
            [first[:4], *values[k : k + 12]] for k, first in zip(range(0, len(months), 12), months[::12], strict=True)
        ]
    elif kind == "block":
        rows = [["Year", "Month", "value"]]
        rows += [[m[:4] * (m[5:] == "01"), MONTHS[int(m[5:]) - 1], value] for m, value in truth.items()]
    else:
        form = rng.choice(["{y}-{m}", "{m}/{y}", "{n} {y}", "{y}M{m}", "01.{m}.{y}"])
        for month, value in truth.items():
            rows.append([form.format(y=month[:4], m=month[5:], n=MONTHS[int(month[5:]) - 1]), value])
            if kind == "total" and month[5:] == "12":
                rows.append([f"Total {month[:4]}", round(sum(v for m, v in truth.items() if m[:4] == month[:4]), 1)])
    if kind == "long":
        gaps = set(rng.choice(np.arange(2, len(rows) - 1), size=2, replace=False).tolist())
        truth = {month: value for k, (month, value) in enumerate(truth.items(), 1) if k not in gaps}
        rows = [row for k, row in enumerate(rows) if k not in gaps]
        rows = rows if rng.random() < 0.5 else [rows[0], *rows[:0:-1]]
    delimiter = rng.choice([",", ";", "\t"])
    head = ["Monthly figures"] * int(rng.integers(0, 2))
    return "\n".join([*head, *(delimiter.join(map(str, row)) for row in rows)]), truth


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(50))
def test_tables_in_random_dress_are_read_back_equal(seed: int) -> None:
    text, truth = _dressed(np.random.default_rng(seed))
    data = load(StringIO(text))
    months = there(data.axis).times(data.x).astype("M8[M]").astype(str).tolist()
    assert months == sorted(truth)
    assert (data.y + data.offset).round(6).tolist() == [truth[month] for month in months]
    assert all(a < b for a, b in pairwise(months))


SPLIT = "day,clock,shop,sold\n" + "".join(
    f"2024-03-{day:02d},{hour:02d}:00,{shop},{hour + day}\n"
    for shop in "AB" for day in range(1, 4) for hour in range(24)
)  # fmt: skip


def test_parts_of_a_date_are_put_together() -> None:
    years, months = (tuple(f"{2020 + k // 12}" for k in range(24)), tuple(f"{k % 12 + 1}" for k in range(24)))
    values = tuple(f"{k}.5" for k in range(24))
    table = DataTable((DataColumn("year", years), DataColumn("sold", values), DataColumn("month", months)))
    read = as_read(table)
    assert [column.name for column in read.columns] == ["year-month", "sold"]
    assert read.notes == ("Columns 'year' and 'month' were combined into column 'year-month'.",)
    assert as_read(table, {"month"}).columns == table.columns


def test_times_in_two_columns_are_known_to_sums_panels_and_new_rows() -> None:
    sums = load(StringIO(SPLIT), every="hour", by="sum", where={"shop": "A"})
    assert (sums.n, sums.y[:2].tolist()) == (72, [1.0, 2.0])
    panel = panel_of(StringIO(SPLIT), ids=["shop"])
    assert panel is not None
    data = panel.dataset(1)
    assert there(data.axis).frequency == "hour"
    given = rows_of_table(data, {"day": ["2024-03-04"], "clock": ["00:00"], "shop": ["B"], "sold": [5.0]})
    assert given.X[:, 0].tolist() == [72.0]


# --- Totals, headings, periods of several lengths, meters -----------------------------------------------------------

MATRIX = [[f"{month}", *(VALUES[12 * year + k] for year in range(4))] for k, month in enumerate(MONTHS)]


def _sum(cells: list[object]) -> float:
    return round(sum(float(str(cell)) for cell in cells), 1)


@pytest.mark.parametrize("word", ["Total", "Jahr", "Annual", "Somme"])
@pytest.mark.parametrize(("below", "beside"), [(True, False), (False, True), (True, True)])
@pytest.mark.parametrize("months_down", [True, False])
def test_totals_below_and_beside_a_matrix_of_months_are_left_out(
    word: str, below: bool, beside: bool, months_down: bool
) -> None:
    table: list[list[object]] = [["Month", 2011, 2012, 2013, 2014], *map(list, MATRIX)]
    if not months_down:
        table = [["Year", *MONTHS], *([2011 + k, *VALUES[12 * k : 12 * k + 12]] for k in range(4))]
    if beside:
        table = [[*row, word if k == 0 else _sum(row[1:])] for k, row in enumerate(table)]
    if below:
        table.append([word, *(_sum(list(cells)) for cells in list(zip(*table[1:], strict=True))[1:])])
    data = _read(table)
    assert (data.n, there(data.axis).frequency, (data.y + data.offset).tolist()) == (48, "month", VALUES[:48])


@pytest.mark.parametrize("label", ["Class average", "Mean", "Durchschnitt", "Moyenne"])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_mean_below_a_table_is_no_row_of_it(label: str, place: int) -> None:
    rows: list[list[object]] = [[f"L{k}", f"F{k}", "ABC"[k % 3], k % 5, VALUES[k]] for k in range(20)]
    mean = [*([""] * 3), round(np.mean([k % 5 for k in range(20)]), 1), round(np.mean(VALUES[:20]), 1)]
    mean[place] = label
    data = _read([["Last", "First", "Class", "Absences", "Score"], *rows, mean], target="Score")
    assert data.n == 20


COUNTS = [int(100 * value) + 1000 * k for k, value in enumerate(VALUES[:20])]


@pytest.mark.parametrize("word", ["Koko maa", "Österreich", "World", "Alle", "全国", ""])
@pytest.mark.parametrize("first", [True, False])
def test_an_exact_sum_of_whole_numbers_is_no_row_whatever_it_is_called(word: str, first: bool) -> None:
    rows: list[list[object]] = [[f"Town {k}", n, f"{VALUES[-k]:.1f}", VALUES[k]] for k, n in enumerate(COUNTS)]
    total = [word, sum(COUNTS), "9.4", 7.95]
    data = _read([["Town", "Pupils", "Share", "Grade"], *([total, *rows] if first else [*rows, total])])
    assert data.n == 20
    assert said(data, "1 row with a total or mean of others left out")


@pytest.mark.parametrize("off", [1, -1, 1000])
@pytest.mark.parametrize("cell", [7.95, 1e6])
def test_a_large_row_that_is_no_sum_stays(off: int, cell: float) -> None:
    rows: list[list[object]] = [[f"Town {k}", n, VALUES[k]] for k, n in enumerate(COUNTS)]
    assert _read([["Town", "Pupils", "Grade"], *rows, ["Rome", sum(COUNTS) + off, cell]]).n == 21


@pytest.mark.parametrize("head", [[], [["Monthly output", ""]], [["Month", "Output"]], [["", "Output"]]])
@pytest.mark.parametrize("total", ["", "Total {}", "Summe"])
def test_years_above_blocks_are_a_part_of_their_times(head: list[list[object]], total: str) -> None:
    rows = list(head)
    for year in range(3):
        values = VALUES[12 * year : 12 * year + 12]
        rows += [[2021 + year, ""], *map(list, zip(MONTHS, values, strict=True))]
        rows += [[total.format(2021 + year), _sum(list(values))]] if total else []
    data = _read(rows)
    assert (data.n, there(data.axis).frequency, data.y.tolist()) == (36, "month", VALUES[:36])


def test_names_above_blocks_are_a_key() -> None:
    rows: list[list[object]] = [["Month", "Output"]]
    for shop in ("North", "South", "East"):
        rows += [[shop, ""], *([f"2020-{k + 1:02d}", VALUES[k]] for k in range(12))]
    with pytest.raises(InputError, match="autostatistician panel --id heading"):
        _read(rows)


@pytest.mark.parametrize(
    "about", [[], [["CDID", "L522"], ["PreUnit", ""], ["Unit", "Index, 2015"], ["Release date", "x"]]]
)
@pytest.mark.parametrize("finest", ["{y} Q{q}", "Q{q} {y}", "{y} {m}", "{y}-{n:02d}"])
def test_of_years_and_shorter_periods_the_shorter_are_read(about: list[list[object]], finest: str) -> None:
    count = 4 if "q" in finest else 12
    rows: list[list[object]] = [["Title", "Prices"], *about, *([2010 + k, VALUES[k]] for k in range(6))]
    for k in range(6 * count):
        cell = finest.format(y=2010 + k // count, q=k % 4 + 1, m=MONTHS[k % 12].upper(), n=k % 12 + 1)
        rows.append([cell, VALUES[k]])
    data = _read(rows, ";")
    assert (data.n, data.y.tolist()) == (6 * count, VALUES[: 6 * count])
    assert said(data, f"Of the rows, the {6 * count} with times such as")


@pytest.mark.parametrize("meters", [["1200023305967"], ["1200023305967", "1200023305975"]])
@pytest.mark.parametrize("ends", [False, True])
def test_clock_times_beside_the_number_of_a_meter_are_times(meters: list[str], ends: bool) -> None:
    clock = [f"{k // 2:02d}:{k % 2 * 30:02d}" for k in range(48)]
    titles = [*clock[1:], "00:00"] if ends else clock
    rows: list[list[object]] = [["MPAN", "ReadDate", *titles]]
    rows += [[meter, f"2{day}/11/2023", *VALUES[48 * day : 48 * day + 48]] for meter in meters for day in range(5)]
    if len(meters) > 1:
        with pytest.raises(InputError, match="autostatistician panel --id MPAN"):
            _read(rows)
        return
    data = _read(rows)
    assert (data.n, there(data.axis).frequency, data.y.tolist()) == (240, "30 minutes", VALUES[:240])


@pytest.mark.parametrize("mark", ["*", "p", " (p)", "¹", " 1)", "[a]"])
@pytest.mark.parametrize("form", ["{y}-{m:02d}", "{name} {y}"])
def test_footnotes_behind_times_and_values_are_taken_off(mark: str, form: str) -> None:
    times = [form.format(y=2022 + k // 12, m=k % 12 + 1, name=MONTHS[k % 12]) for k in range(24)]
    rows: list[list[object]] = [
        [time + mark * (k > 20), f"{VALUES[k]}{mark * (k > 19)}"] for k, time in enumerate(times)
    ]
    data = _read([["Month", "Stays"], *rows, [f"{mark.strip()} provisional, may change", ""]], ";")
    assert (data.n, there(data.axis).frequency, data.y.tolist()) == (24, "month", VALUES[:24])


@pytest.mark.parametrize(
    ("name", "minus", "plus"), [("S/H", "S", "H"), ("Dr/Cr", "Dr", "Cr"), ("Type", "Debit", "Credit")]
)
def test_amounts_that_a_column_marks_as_debits_are_negative(name: str, minus: str, plus: str) -> None:
    rows: list[list[object]] = [
        [f"2024-03-{k + 1:02d}", f"{VALUES[k]:.2f}", minus if k % 3 else plus] for k in range(24)
    ]
    data = _read([["Date", "Amount", name], *rows], target="Amount")
    assert data.y.tolist() == [-VALUES[k] if k % 3 else VALUES[k] for k in range(24)]
    assert said(data, f"In column 'Amount' amounts marked '{minus}' were read as negative.")


ABOVE = [["Data Source", "World Development Indicators", ""], [], ["Last Updated Date", "2024-03-28", ""], []]


@pytest.mark.parametrize("padded", [False, True])
def test_lines_of_several_cells_above_the_header_are_left_out(padded: bool) -> None:
    above: list[list[object]] = [[*row, *([""] * (20 - len(row)))] if padded else list(row) for row in ABOVE]
    head = ["Country Name", "Country Code", "Indicator", *range(2000, 2016), ""]
    data = _read([*above, head, ["Kenya", "KEN", "GDP", *VALUES[:16], ""]])
    assert (data.n, data.y.tolist()) == (16, VALUES[:16])


def _of_cells(titles: list[str], rows: list[str], delimiter: str = ";") -> Dataset:
    """A table whose cells are 0, 1, 2, ... along its rows."""
    header, *starts = rows
    cells = np.arange(len(starts) * len(titles)).reshape(len(starts), -1).tolist()
    body = [[start, *values] for start, values in zip(starts, cells, strict=True)]
    return _read([[*header.split(delimiter), *titles], *body], delimiter)


def _days(data: Dataset, unit: str = "D") -> list[str]:
    return there(data.axis).times(data.x).astype(f"M8[{unit}]").astype(str).tolist()


@pytest.mark.parametrize(
    ("titles", "rows", "first"),
    [
        ([*MONTHS[3:], *MONTHS[:3]], ["Year", "2002-03", "2003-04", "2004-05"], "2002-04"),
        ([*MONTHS[3:], *MONTHS[:3]], ["Year", "2002/03", "2003/04", "2004/05"], "2002-04"),
        ([*MONTHS[9:], *MONTHS[:9]], ["FY", "FY2003", "FY2004", "FY2005"], "2002-10"),
        ([*MONTHS[6:], *MONTHS[:6]], ["Fiscal Year", "2003", "2004", "2005"], "2002-07"),
        ([*MONTHS[6:], *MONTHS[:6]], ["season", "2002-2003", "2003-2004", "2004-2005"], "2002-07"),
        ([*MOIS[8:], "décembre", *MOIS[:8]], ["année", "2002", "2003", "2004"], "2002-09"),
        (["huhti", "touko", "kesä", "heinä", "elo", "syys", "loka", "marras", "joulu", "tammi", "helmi", "maalis"],
         ["vuosi", "2002", "2003", "2004"], "2002-04"),
    ],
)  # fmt: skip
def test_months_of_fiscal_years_go_on_in_the_next_year(titles: list[str], rows: list[str], first: str) -> None:
    data = _of_cells(titles, rows)
    assert data.y.tolist() == list(range(36))
    assert _days(data, "M") == (np.datetime64(first) + np.arange(36)).astype(str).tolist()


@pytest.mark.parametrize("hour", ["H{}", "HE{:02d}", "hour {}", "{}h", "Hora_{}"])
def test_hours_as_columns_may_have_a_25th_or_lack_one(hour: str) -> None:
    days, long = ["Date", "2022-10-29", "2022-10-30", "2022-10-31"], [hour.format(k + 1) for k in range(25)]
    rows = [[day, *range(24), "24" if day.endswith("30") else ""] for day in days[1:]]
    data = _read([["Date", *long], *rows])
    assert data.y.size == 73
    assert [there(data.axis).label(x)[-5:] for x in data.x[[26, 27, 28, 48]]] == ["02:00", "02:00", "03:00", "23:00"]
    fewer = _of_cells([*long[:1], *long[2:24]], days)
    assert [there(fewer.axis).label(x)[-5:] for x in fewer.x[[1, 2, 22]]] == ["02:00", "03:00", "23:00"]


@pytest.mark.parametrize(
    ("titles", "rows", "first"),
    [
        ("Mo Di Mi Do Fr Sa So", ["Woche ab", "03.01.2022", "10.01.2022", "17.01.2022"], "2022-01-03"),
        ("Sun Mon Tue Wed Thu Fri Sat", ["week of", "2022-01-02", "2022-01-09", "2022-01-16"], "2022-01-02"),
        ("lundi mardi mercredi jeudi vendredi samedi dimanche", ["semaine", "2022-W01", "2022-W02"], "2022-01-03"),
        ("Pn Wt Śr Cz Pt Sb Nd", ["data", "2022-01-03", "2022-01-10", "2022-01-17"], "2022-01-03"),
        ("月 火 水 木 金 土 日", ["日付", "2022/1/3", "2022/1/10", "2022/1/17"], "2022-01-03"),
        ("So Mo Di Mi Do Fr Sa", ["Woche ab", "02.01.2022", "09.01.2022", "16.01.2022"], "2022-01-02"),
        ("Mon Tue Wed Thu Fri", ["date", "2022-01-03", "2022-01-10", "2022-01-17"], "2022-01-03"),
        ("seg ter qua qui sex sáb dom", ["ano;semana", "2022;1", "2022;2", "2022;3"], "2022-01-03"),
    ],
)
def test_days_of_the_week_as_names_of_columns(titles: str, rows: list[str], first: str) -> None:
    names = titles.split()
    data = _of_cells(names, rows)
    expected = [str(np.datetime64(first) + 7 * (k // len(names)) + k % len(names)) for k in range(data.y.size)]
    assert _days(data) == expected
    assert data.y.tolist() == list(range(len(names) * (len(rows) - 1)))


def test_days_of_the_week_beside_other_days_stay_columns() -> None:
    days = ["date", "2022-01-04", "2022-01-11", "2022-01-18", "2022-01-25", "2022-02-01", "2022-02-08"]
    assert "value" not in _of_cells(["Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"], days).target


def _beside(header: str, starts: list[str], n: int, step: int = 1, last: int = 0) -> Dataset:
    """Blocks of dates and numbers side by side, the last of them with fewer rows by ``last``."""
    blocks = [np.datetime64(start) + step * np.arange(n - last * (start == starts[-1])) for start in starts]
    cells = [[(time, VALUES[k]) for k, time in enumerate(block)] + [("", "")] * (n - block.size) for block in blocks]
    rows = [[*chain.from_iterable(row)] for row in zip(*cells, strict=True)]
    return _read([header.split(";"), *rows], ";")


@pytest.mark.parametrize(
    ("header", "starts", "n", "step", "last"),
    [
        ("Datum;Pegel;Datum;Pegel", ["2021-01-01", "2021-02-10"], 40, 1, 0),
        ("date;level;date;level;date;level", ["2021-01-01", "2021-01-31", "2021-03-02"], 30, 1, 7),
        ("Fecha;Nivel;Fecha;Nivel", ["2021-02-10", "2021-01-01"], 40, 1, 0),
        ("week;sales 2021;week;sales 2022", ["2021-01-04", "2022-01-03"], 52, 7, 0),
        ("日付;売上;日付;売上", ["2021-01-01", "2021-02-20"], 50, 1, 3),
    ],
)  # fmt: skip
def test_blocks_side_by_side_that_go_on_are_one_series(
    header: str, starts: list[str], n: int, step: int, last: int
) -> None:
    data = _beside(header, starts, n, step, last)
    assert data.y.size == n * len(starts) - last
    assert np.all(np.diff(np.array(_days(data), "M8[D]")) == step)


@pytest.mark.parametrize("header", ["Date;PX_LAST;Date;PX_LAST", "Datum;Kurs A;Datum;Kurs B", "data;ore;data;ore"])
def test_blocks_side_by_side_of_other_times_are_left_out(header: str) -> None:
    data = _beside(header, ["2021-01-01", "2021-01-11"], 40)
    assert data.y.size == 40
    assert data.covariates is None
    assert said(data, "have other times")


def test_blocks_side_by_side_of_the_same_times_are_read_together() -> None:
    assert not said(_beside("date;one;date;two", ["2021-01-01", "2021-01-01"], 40, last=5), "have other times")


def test_years_in_two_columns_go_on() -> None:
    rows = [[1950 + k, VALUES[k], 1965 + k, VALUES[k + 15]] for k in range(15)]
    assert _read([["Jahr", "Umsatz", "Jahr", "Umsatz"], *rows]).y.tolist() == VALUES[:30]


@pytest.mark.parametrize(
    ("heads", "cells", "first"),
    [
        (["2008;{}", "2009;{}"], ["I kwartał", "II kwartał", "III kwartał", "IV kwartał"], "2009-04"),
        (["2008;{}", "2009;{}"], ["Q1", "Q2", "Q3", "Q4"], "2009-04"),
        (["Jahr 2008;{}", "Jahr 2009;{}"], ["1. Quartal", "2. Quartal", "3. Quartal", "4. Quartal"], "2009-04"),
        (["2008;{}", "2009;{}"], [*MOIS, "décembre"], "2009-02"),
        (["2008;", "2009;"], [*MONTHS], "2009-02"),
        (["Januar 2022;", "Februar 2022;"], list(map(str, range(1, 29))), "2022-02"),
        (["enero 2022;{}", "febrero 2022;{}"], list(map(str, range(1, 29))), "2022-02"),
        (["March 3, 2022;", "March 4, 2022;"], [f"{h}:00" for h in range(24)], "2022-03"),
    ],
)
@pytest.mark.parametrize("total", ["", "Total {};{}", "Summe {}"])
def test_headings_may_have_numbers_of_their_own_and_totals_below(
    heads: list[str], cells: list[str], first: str, total: str
) -> None:
    n, lines = len(cells), ["period;volume"]
    for k, head in enumerate(heads):
        own = VALUES[k * n : k * n + n]
        lines += [head.format(sum(own)), *(f"{cell};{value}" for cell, value in zip(cells, own, strict=True))]
        lines += [total.format(head.split(";")[0], sum(own))] * bool(total)
    data = load(StringIO("\n".join(line if ";" in line else f"{line};" for line in lines)))
    assert data.y.tolist() == VALUES[: 2 * n]
    assert _days(data, "M")[n + 1] == first


def test_numbers_above_others_are_no_headings_where_these_are_no_parts_of_them() -> None:
    lines = ["place;visits", *(line for k in range(4) for line in (f"{2000 + k};9", "north;1", "south;2", "east;3"))]
    assert not said(load(StringIO("\n".join(lines))), "headings")


def _statement(form: str, rng: np.random.Generator, n: int = 80, *, newest_first: bool = False) -> list[list[object]]:
    """Payments on some days, one to three on each, with the date of the first of a day alone."""
    days = np.datetime64("2023-01-02") + np.cumsum(rng.integers(1, 5, n))
    times = [day.strftime(form) for day in (days[::-1] if newest_first else days).tolist()]
    counts = rng.choice([1, 1, 1, 1, 2, 3], n)
    return [
        [time if k == 0 else "", "x", *rng.normal(20, 9, 1).round(2)]
        for time, m in zip(times, counts, strict=False)
        for k in range(m)
    ]


@pytest.mark.parametrize("form", ["%d %b %y", "%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y"])
@pytest.mark.parametrize("newest_first", [False, True])
@pytest.mark.parametrize("title", ["Date", "Buchungstag", "Fecha"])
def test_dates_of_the_first_row_of_a_day_hold_for_the_next(form: str, newest_first: bool, title: str) -> None:
    rows = _statement(form, np.random.default_rng(3), newest_first=newest_first)
    filled = sum(bool(row[0]) for row in rows) / len(rows)
    assert 0.6 < filled < 0.8
    data = _read([[title, "text", "amount"], *rows], ";", every="week", by="sum")
    assert said(data, "carried down")
    assert data.y.sum() == pytest.approx(sum(float(str(row[2])) for row in rows))


@pytest.mark.parametrize("step", [1, 7])
@pytest.mark.parametrize("share", [0.05, 0.3])
@pytest.mark.parametrize("pace", [1, 5])
def test_dates_that_are_missing_are_not_carried_down(step: int, share: float, pace: int) -> None:
    rng = np.random.default_rng(step)
    days = np.datetime64("2023-01-02") + np.cumsum(rng.integers(1, pace + 1, 200)) * step
    rows = [["" if k and rng.random() < share else str(day), VALUES[k]] for k, day in enumerate(days)]
    with pytest.raises(InputError, match="without one in column 'day'") if share > 0.1 else nullcontext():
        assert not said(_read([["day", "sales"], *rows]), "carried down")


@pytest.mark.parametrize("day", ["Day", "DOY", "Julian", "day of year", "Día", "yday"])
@pytest.mark.parametrize(("clock", "minutes"), [("HrMin", 60), ("HHMM", 30), ("Time", 60), ("Hora", 15), ("", 1440)])
def test_a_year_a_day_of_it_and_a_clock_are_one_time(day: str, clock: str, minutes: int) -> None:
    ends = np.datetime64("2019-12-27T00:00") + minutes * np.arange(1, 24 * 60 // minutes * 12 + 1)
    shown = (ends - 1 if clock else ends - 1440).tolist()  # 2400 of a day is the beginning of the next
    rows = []
    for k, time in enumerate(shown):
        end = time.hour * 60 + time.minute + 1
        rows.append([time.year, time.timetuple().tm_yday, *[end // 60 * 100 + end % 60] * bool(clock), VALUES[k % 400]])
    data = _read([["Year", day, *[clock] * bool(clock), "temp"], *rows])
    assert _days(data, "m") == (ends if clock else ends - 1440).astype("M8[m]").astype(str).tolist()


@pytest.mark.parametrize("n", [31, 92])
def test_days_that_begin_anew_beside_years_are_no_days_of_the_year(n: int) -> None:
    rows = [[2020 + k // n, k % n + 1, VALUES[k]] for k in range(2 * n)]
    assert not said(_read([["Year", "Day", "temp"], *rows]), "were combined")


@pytest.mark.parametrize("form", ["Q{q}/{y}", "Q{q} {y}", "Q{q}-{y}", "Q{q} '{y}", "T{q}/{y}"])
@pytest.mark.parametrize("titles", [0, 2])
def test_quarters_with_short_years_across_are_times(form: str, titles: int) -> None:
    names = [form.format(q=q, y=y) for y in range(14, 24) for q in range(1, 5)]
    rows = [["Sales of the firm"], ["in millions"]][:titles]
    rows += [["item", *names], ["sales", *VALUES[:40]], ["costs", *VALUES[40:80]]]
    data = _read(rows, where={"item": "sales"})
    assert (there(data.axis).frequency, data.n) == ("quarter", 40)
    assert there(data.axis).label(data.X[0, 0]) == "2014-01-01"


@pytest.mark.parametrize("names", [[f"Q{k}/{m}" for k in (1, 2, 3) for m in (11, 10, 12)], ["Q1/10", "Q1/11", "Q1/12"]])
def test_questions_of_a_survey_are_no_quarters(names: list[str]) -> None:
    table = DataTable(tuple(DataColumn(name, ("1", "2", "3")) for name in ("age", *names)))
    assert [column.name for column in as_read(table).columns] == ["age", *names]
