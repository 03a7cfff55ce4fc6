"""Small files as programs of many countries write them: their bytes, and the times and values that they mean."""

import io
import re
from collections.abc import Sequence

import numpy as np
import pytest
from babel import Locale
from tests.there import there

from autostatistician.data.dataset import Dataset
from autostatistician.data.load import load
from autostatistician.data.times.dates import parse_times

VALUES = [1200.5, 980.25, 1350.0, 1410.75, 1099.0, 1300.5, 1275.0, 1190.25, 1488.0, 1502.5, 1333.25, 1207.0] * 2


def read(header: str, times: Sequence[str], numbers: Sequence[str], encoding: str, delimiter: str = ";") -> Dataset:
    rows = (f"{time}{delimiter}{number}" for time, number in zip(times, numbers, strict=False))
    return load(io.BytesIO("\r\n".join([header, *rows, ""]).encode(encoding)))


def months(data: Dataset) -> list[str]:
    return [str(time) for time in np.asarray(there(data.axis).times(data.x)).astype("M8[M]")]


def grouped(value: float, group: str, point: str) -> str:
    return f"{value:,.2f}".replace(",", "#").replace(".", point).replace("#", group)


EXPECTED = [f"{2020 + k // 12}-{k % 12 + 1:02d}" for k in range(24)]

# Language, form of a month ({m} its name), width of the name, encoding, thousands and decimal sign, header.
FILES = [
    ("de", "{m} {y}", "wide", "cp1252", ".", ",", "Monat;Umsatz"),
    ("de", "{m} {y}", "abbreviated", "utf-8-sig", ".", ",", "Monat;Umsatz"),
    ("fr", "{m} {y}", "abbreviated", "cp1252", "\u00a0", ",", "mois;chiffre d'affaires"),
    ("fr", "{m}-{yy}", "abbreviated", "mac-roman", " ", ",", "mois;coût moyen de la journée"),
    ("es", "{m} de {y}", "wide", "latin-1", ".", ",", "mes;año de producción"),
    ("es", "{m}-{yy}", "abbreviated", "utf-8", ".", ",", "mes;ventas"),
    ("pt", "{m}/{y}", "wide", "cp1252", ".", ",", "mês;preço"),
    ("it", "{m} {y}", "wide", "utf-8", ".", ",", "mese;vendite"),
    ("nl", "{m} {y}", "abbreviated", "utf-8", ".", ",", "maand;omzet"),
    ("pl", "{m} {y}", "wide", "cp1250", "\u00a0", ",", "miesiąc;sprzedaż"),
    ("cs", "{m} {y}", "wide", "cp1250", "\u00a0", ",", "měsíc;tržby"),
    ("hu", "{y}. {m}", "wide", "utf-8", "\u00a0", ",", "hónap;forgalom"),
    ("tr", "{m} {y}", "wide", "cp1254", ".", ",", "ay;satış"),
    ("el", "{m} {y}", "wide", "cp1253", ".", ",", "μήνας;πωλήσεις"),
    ("ru", "{m} {y} г.", "wide", "cp1251", "\u00a0", ",", "месяц;продажи"),
    ("ru", "{m} {y}", "abbreviated", "koi8-r", " ", ",", "месяц;продажи"),
    ("uk", "{m} {y}", "wide", "cp1251", "\u00a0", ",", "місяць;продажі"),
    ("ja", "{y}年{m}", "wide", "cp932", ",", ".", "年月;売上高"),
    ("ja", "{y}年{m}", "wide", "euc-jp", ",", ".", "年月;売上高"),
    ("zh", "{y}年{m}", "abbreviated", "gb18030", ",", ".", "月份;销售额"),
    ("zh_Hant", "{y}年{m}", "abbreviated", "big5", ",", ".", "月份;銷售額"),
    ("ko", "{y}년 {m}", "wide", "cp949", ",", ".", "날짜;매출액"),
    ("ar", "{m} {y}", "wide", "cp1256", ",", ".", "الشهر;المبيعات"),
    ("sv", "{m} {y}", "wide", "utf-16", "\u00a0", ",", "månad;försäljning"),
    ("fi", "{m} {y}", "stand-alone", "utf-8", "\u00a0", ",", "kuukausi;myynti"),
    ("vi", "{m} năm {y}", "wide", "utf-8", ".", ",", "tháng;doanh thu"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "form", "width", "encoding", "group", "point", "header"), FILES)
def test_months_and_numbers(
    language: str, form: str, width: str, encoding: str, group: str, point: str, header: str
) -> None:
    names = Locale.parse(language).months
    names = names["stand-alone"]["wide"] if width == "stand-alone" else names["format"][width]
    times = [form.format(m=names[k % 12 + 1], y=2020 + k // 12, yy=20 + k // 12) for k in range(24)]
    data = read(header, times, [grouped(value, group, point) for value in VALUES], encoding)
    assert months(data) == EXPECTED
    assert data.y.tolist() == VALUES
    assert (data.columns[0], data.target) == tuple(header.split(";"))


SPELT = [
    (["3. Jänner 2020", "4. Februar 2020"], ["2020-01-03", "2020-02-04"]),
    (["1er janv. 2020", "2 févr. 2020"], ["2020-01-01", "2020-02-02"]),
    (["1er fevrier 2020", "2 aout 2020"], ["2020-02-01", "2020-08-02"]),
    (["Mo., 3. Feb. 2020", "Di., 4. Mrz 2020"], ["2020-02-03", "2020-03-04"]),
    (["lunes, 3 de febrero de 2020", "martes, 3 de marzo de 2020"], ["2020-02-03", "2020-03-03"]),
    (["mar. 3 mars 2020", "jeu. 2 avr. 2020"], ["2020-03-03", "2020-04-02"]),
    (["1º de março de 2020", "2 de abril de 2020"], ["2020-03-01", "2020-04-02"]),
    (["2021年03月05日", "2021年12月31日"], ["2021-03-05", "2021-12-31"]),
    (["２０２１年３月５日", "２０２１年１２月３１日"], ["2021-03-05", "2021-12-31"]),
    (["2021. 3. 5.", "2021. 12. 31."], ["2021-03-05", "2021-12-31"]),
    (["3. 1. 2020", "4. 12. 2020"], ["2020-01-03", "2020-12-04"]),
    (["٢٠٢١-٠٣-٠٥", "٢٠٢١-١٢-٣١"], ["2021-03-05", "2021-12-31"]),
    (["มี.ค. 2563", "เม.ย. 2563"], ["2020-03-01", "2020-04-01"]),
    (["янв 2020", "сен 2020", "ноя 2020"], ["2020-01-01", "2020-09-01", "2020-11-01"]),
    (["1. Quartal 2020", "2. Quartal 2020"], ["2020-01-01", "2020-04-01"]),
    (["T1 2020", "T2 2020"], ["2020-01-01", "2020-04-01"]),
    (["1 кв. 2020", "4 кв. 2020"], ["2020-01-01", "2020-10-01"]),
    (["I kw. 2020", "IV kw. 2020"], ["2020-01-01", "2020-10-01"]),
    (["2021年第1季度", "2021年第4季度"], ["2021-01-01", "2021-10-01"]),
    (["KW 1 2022", "KW 12 2022"], ["2022-01-03", "2022-03-21"]),
    (["Woche 1 2022", "Woche 2 2022"], ["2022-01-03", "2022-01-10"]),
    (["2020年", "2021年"], ["2020-01-01", "2021-01-01"]),
    (["1990 год", "1991 год"], ["1990-01-01", "1991-01-01"]),
    (["Mac 2020", "Ogos 2020"], ["2020-03-01", "2020-08-01"]),
    (["1980/81", "1981/82", "1982/83"], ["1980-01-01", "1981-01-01", "1982-01-01"]),
    (["1999-2000", "2000-2001"], ["1999-01-01", "2000-01-01"]),
    (["2000/01", "2001/02", "2002/03"], ["2000-01-01", "2001-01-01", "2002-01-01"]),
    (["2000/01", "2000/02", "2000/03"], ["2000-01-01", "2000-02-01", "2000-03-01"]),
    (["FY1980", "FY 1981"], ["1980-01-01", "1981-01-01"]),
    (["FY 2019/20", "FY 2020/21"], ["2019-01-01", "2020-01-01"]),
    (["W1 2022", "W2 2022"], ["2022-01-03", "2022-01-10"]),
    (["2022-W01", "2022-W10"], ["2022-01-03", "2022-03-07"]),
    (["2022 W1", "2022 W10"], ["2022-01-03", "2022-03-07"]),
    (["Week 1, 2022", "Week 2, 2022"], ["2022-01-03", "2022-01-10"]),
    (["1Q20", "2Q20", "3Q20"], ["2020-01-01", "2020-04-01", "2020-07-01"]),
    (["Q1'20", "Q2'20"], ["2020-01-01", "2020-04-01"]),
    (["H1 2020", "H2 2020"], ["2020-01-01", "2020-07-01"]),
    (["01.2018", "02.2018", "12.2018"], ["2018-01-01", "2018-02-01", "2018-12-01"]),
    (["11.2018", "12.2018", "1.2019", "2.2019"], ["2018-11-01", "2018-12-01", "2019-01-01", "2019-02-01"]),
    (["2018.11", "2018.12", "2019.01", "2019.02"], ["2018-11-01", "2018-12-01", "2019-01-01", "2019-02-01"]),
    (["03.02.2020 14.30", "04.02.2020 08.15"], ["2020-02-03", "2020-02-04"]),
]


@pytest.mark.parametrize(("cells", "dates"), SPELT)
def test_times_as_people_spell_them(cells: list[str], dates: list[str]) -> None:
    parsed = there(parse_times(cells))
    assert parsed.times.astype("M8[D]").astype(str).tolist() == dates


def test_a_cell_without_a_date_among_many_is_left_out() -> None:
    cells = [f"{k % 28 + 1}. März {1990 + k % 30}" for k in range(2000)]
    parsed = there(parse_times([*cells, "vorläufig"]))
    assert parsed.bad == (2000,)


NUMBERS = [
    ("versions", ["1.2.18", "1.10.0", "2.0.1"]),
    ("versions that look like days", ["3.9.18", "3.10.12", "3.11.4", "3.12.10"]),
    ("versions of two digits", ["3.9.18", "3.10.12", "3.11.14"]),
    ("measurements", ["1.2018", "3.1415", "2.7182", "9.8066"]),
    ("measurements of one step", ["1.2018", "1.2019", "1.2020"]),
    ("measurements in years' clothes", ["5.1990", "2.2004", "7.1985", "2.2004"]),
    ("thousands", ["1.200", "1.350", "1.410"]),
    ("decimal years", ["1990.5", "1991.5", "1992.5"]),
    ("decimal years within a year", ["2018.01", "2018.05", "2018.09"]),
    ("phone numbers", ["030-1234567", "0171/2345678", "+49 30 123456"]),
    ("identities", ["A-2020-1", "A-2020-2", "A-2020-3"]),
    ("rooms", ["R 12", "R 13", "R 14"]),
    ("products", ["item 12", "item 2020", "item 7"]),
    ("models", ["Mark 2", "Mark 3", "Mark 4"]),
    ("places", ["Main 2020", "Mayfair 1999", "Marseille 2001"]),
    ("ratios", ["1980/85", "1990/72", "2000/33"]),
    ("networks", ["10.0.0.1", "10.0.0.2"]),
    ("scores", ["3-1", "2-2", "0-4"]),
    ("numbers that end like a year", ["1.2", "2.2", "3.2", "4.2"]),
    ("sizes", ["M12", "M16", "M20"]),
    ("months of two languages", ["srp 2020", "lis 2020", "srp 2021"]),
]


@pytest.mark.parametrize(("kind", "cells"), NUMBERS)
def test_what_is_no_time_does_not_become_one(kind: str, cells: list[str]) -> None:
    assert (kind, parse_times(cells)) == (kind, None)


def test_months_with_points_are_not_sorted_as_numbers() -> None:
    times = [f"{month:02d}.{year}" for year in (2018, 2019) for month in range(1, 13)]
    for cells in (times, [time.lstrip("0") for time in times]):
        data = load(io.StringIO("t;y\n" + "".join(f"{time};{k}\n" for k, time in enumerate(cells))))
        assert data.y.tolist() == list(range(24))
        assert months(data) == [time.replace("2020", "2018").replace("2021", "2019") for time in EXPECTED]
    assert load({"x": [1.2, 2.2, 3.2, 4.2], "y": [1.0, 3.0, 2.0, 4.0]}).x.tolist() == [1.2, 2.2, 3.2, 4.2]
    lost = [float(time) for time in times]  # 10.2020 is a number that ends in 202
    data = load({"t": lost, "y": np.arange(24.0)})
    assert data.y.tolist() == list(range(24))
    assert there(data.axis).frequency == "month"


@pytest.mark.parametrize(("name", "unit"), [("t", 1), ("Zeit", 1000), ("x", 1000), ("sensor", 1)])
def test_unix_times_are_known_by_their_ticks(name: str, unit: int) -> None:
    ticks = (np.datetime64("2020-01-01T00:00", "s") + 900 * np.arange(10)).astype(int) * unit
    data = load(io.StringIO(f"{name},y\n" + "".join(f"{tick},{k % 3}\n" for k, tick in enumerate(ticks))))
    assert there(data.axis).frequency == "15 minutes"
    assert str(there(data.axis).times(data.x[:1])[0]) == "2020-01-01T00:00:00"
    assert any("since 1970 (UTC)" in warning for warning in data.warnings)


@pytest.mark.parametrize(
    "values",
    [
        1_371_220_000
        + np.array([0, 5_845_000, 12_070_000, 18_690_000, 25_240_000, 31_000_000, 35_000_000, 38_000_000]),
        1_000_000_007 + np.arange(12),
        np.array([1_200_000_000, 1_500_000_000, 1_800_000_000]),
        4_915_112_345_678 + 60 * np.arange(12),
    ],
    ids=["people", "identities", "round", "phones"],
)
def test_large_numbers_are_no_times(values: np.ndarray) -> None:
    data = load(io.StringIO("n,y\n" + "".join(f"{value},{k % 3}\n" for k, value in enumerate(values))))
    assert there(data.axis).unit == ""


ORDERS = [
    ("Datum;Umsatz", "{a};{k},5", "day/month/year, as the language of the file has it.", "2020-04-03"),
    ("jour;coût", "{a};{k}", "day/month/year, as the language of the file has it.", "2020-04-03"),
]


@pytest.mark.parametrize(("header", "row", "words", "first"), ORDERS)
def test_open_orders_are_decided_by_the_language_of_the_file(header: str, row: str, words: str, first: str) -> None:
    cells = ["03/04/2020", "01/02/2020", "02/05/2020", "05/01/2020"]
    text = "\n".join([header, *(row.format(a=cell, k=k) for k, cell in enumerate(cells))])
    data = load(io.BytesIO(text.encode()))
    assert f"Dates such as '03/04/2020' were read as {words}" in data.warnings
    assert first in np.asarray(there(data.axis).times(data.x)).astype("M8[D]").astype(str).tolist()


def test_open_orders_are_decided_by_the_order_of_the_rows() -> None:
    cells = ["05/01/2020", "12/01/2020", "02/02/2020", "09/02/2020"]
    data = load(io.StringIO("date,y\n" + "".join(f"{cell},{k}\n" for k, cell in enumerate(cells))))
    assert there(data.axis).frequency == "week"
    assert (
        "Dates such as '05/01/2020' were read as day/month/year: so they stand in the order of time." in data.warnings
    )


def test_points_are_thousands_where_the_file_has_decimal_commas() -> None:
    data = load(
        io.StringIO("Tag;Preis;Menge\n1;2,5;1.200\n2;3,5;1.350\n3;4,25;980\n4;1,5;1.410\n"), target="Menge", time="Tag"
    )
    assert data.y.tolist() == [1200.0, 1350.0, 980.0, 1410.0]
    plain = load(io.StringIO("day;weight\n1;1.200\n2;1.350\n3;1.410\n"), target="weight", time="day")
    assert plain.y.tolist() == [1.2, 1.35, 1.41]
    mixed = load(io.StringIO("Tag;Menge\n1;1.200,5\n2;1.350\n3;980\n"), target="Menge", time="Tag")
    assert mixed.y.tolist() == [1200.5, 1350.0, 980.0]


def test_numbers_in_other_digits() -> None:
    data = load(io.StringIO("年;売上\n１９９０;１，２００\n１９９１;１３５０\n１９９２;１４１０\n".replace("，", "")))
    assert data.y.tolist() == [1200.0, 1350.0, 1410.0]
    data = load(io.StringIO("x;y\n١;١٬٢٣٤٫٥\n٢;٧٫٢٥\n٣;٨\n"))
    assert data.y.tolist() == [1234.5, 7.25, 8.0]


@pytest.mark.parametrize(
    "header", ["Jahr;Monat", "année;mois", "año;mes", "год;месяц", "年;月", "rok;miesiąc", "ANO;MÊS"]
)
def test_year_and_month_in_columns_of_their_own(header: str) -> None:
    rows = "".join(f"{2020 + k // 12};{k % 12 + 1};{200 + k % 7},5\n" for k in range(24))
    data = load(io.StringIO(f"{header};Wert\n" + rows))
    assert (data.columns[0], data.target) == (header.replace(";", "-"), "Wert")
    assert months(data) == EXPECTED


def test_a_single_column_of_decimal_commas_is_one_column() -> None:
    assert load(io.StringIO("Wert\n1,5\n2,5\n3,75\n")).y.tolist() == [1.5, 2.5, 3.75]


def test_delimiters_within_quotes_do_not_cut() -> None:
    rows = "".join(f'2020-01-{k:02d},"hello, world; a | b",{k * k}\n' for k in range(1, 9))
    assert load(io.StringIO("date,text,y\n" + rows)).y.tolist() == [float(k * k) for k in range(1, 9)]
    rows = "".join(f"http://a.example/b?c={k};e=5|6,{k * k}\n" for k in range(1, 9))
    assert load(io.StringIO("url,y\n" + rows)).y.tolist() == [float(k * k) for k in range(1, 9)]


def test_what_was_read_as_another_language_is_said_once() -> None:
    data = read("Monat;Umsatz", ["Januar 2020", "Februar 2020", "März 2020"], ["1", "2", "4"], "utf-8")
    said = [warning for warning in data.warnings if re.search("German", warning)]
    assert said == ["Times such as 'Januar 2020' were read as German."]
