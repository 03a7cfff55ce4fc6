"""Tables as people have them: dialects, encodings, packed and foreign files, and things that are no tables."""

import gzip
import io
import sys
import time
import zipfile
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace

import openpyxl
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.data.files.frames import read_table, workbook
from tests.there import there

from autostatistician.data.files.read import PROBED_ROWS, clean_names, habits, read_cells
from autostatistician.data.load import load
from autostatistician.data.row_limits import ReadLimits
from autostatistician.data.times.calendar_days import MONTHS
from autostatistician.errors import InputError


@pytest.mark.parametrize(
    ("names", "cells", "order", "points"),
    [
        (["day", "sales"], ["1", "1200.5"], "", False),
        (["day", "sales"], ["1", "1200,5"], "dmy", True),
        (["day", "sales"], ["1.5", "1200,5"], "", False),
        (["day", "sales"], ["1", "1,200"], "", False),
        (["Datum", "y"], ["1", "2"], "dmy", False),
        (["coût", "y"], ["1", "2"], "dmy", False),
        (["продажи", "y"], ["1", "2"], "dmy", False),
        (["µm", "y"], ["1", "2"], "", False),
        (["売上", "y"], ["1", "2"], "", False),
        ([], [], "", False),
    ],
)
def test_names_and_numbers_show_where_a_table_was_written(
    names: list[str], cells: list[str], order: str, points: bool
) -> None:
    assert habits(names, [cells]) == (order, points)


def test_the_first_rows_are_enough_and_a_table_of_any_width_is_looked_at() -> None:
    late = [["1"]] * PROBED_ROWS + [["1,5"]]
    assert habits(["a"], late) == ("", False)
    assert habits(["a"], late[1:]) == ("dmy", True)
    assert habits(["a"] * 10_000, [["1"] * 10_000]) == ("", False)


CSV = "month,sales\n1949-01,112\n1949-02,118\n1949-03,132\n"
SALES = [112.0, 118.0, 132.0]


def from_text(text: str) -> pd.DataFrame:
    return read_table(io.StringIO(text))


def from_bytes(raw: bytes) -> pd.DataFrame:
    return read_table(io.BytesIO(raw))


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", "  "])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_delimiters_and_line_ends(delimiter: str, ending: str) -> None:
    frame = from_text(CSV.replace(",", delimiter).replace("\n", ending))
    assert list(frame.columns) == ["month", "sales"]
    assert frame["sales"].tolist() == SALES


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (
            "Ora;Temperatura °C;Umidità %\nLunedì 3 aprile 2023;;\nMartedì 4 aprile 2023;;\nGiovedì 6 aprile 2023;;",
            "cp1252",
        ),
        ("Data;Umidità\nlunedì 2 agosto 2023;1\nvenerdì 6 agosto 2023;2", "cp1252"),
        ("Fecha;Año;Población °C\nLeón;1;2", "cp1252"),
        ("Mês;Preço °C\nsábado 6 junho 2023;;", "cp1252"),
        ("Année;Région;Quantité °C\nlundi 8 août 2023;;", "cp1252"),
        ("Straße;Länge\nKöln;3", "cp1252"),
        ("År;Måned;Beløb\nsøndag 7 juli 2023;;\nlørdag 6 juni 2023;;", "cp1252"),
        ("År;Månad;Försäljning\nMalmö;1", "cp1252"),
        ("Päivä;Määrä\nJyväskylä;1", "cp1252"),
        ("Any;Població\nMarç;1\nLleó;1", "cp1252"),
        ("Categorie;België\nzaterdag 4 februari;2", "cp1252"),
        ("Miesiąc;Wartość\nstyczeń;1", "cp1250"),
        ("Měsíc;Počet\nzáří;1\nříjen;2", "cp1250"),
        ("Mesiac;Množstvo\njanuár;1\nmáj;1", "cp1250"),
        ("Hónap;Érték;Idő\nhétfő;1;2", "cp1250"),
        ("Lună;Preţ\nTimiş;1\nBraşov;2", "cp1250"),
        ("Godina;Količina\nožujak;1", "cp1250"),
        ("Mesec;Občina;Količina\nŽalec;1;2", "cp1250"),
        ("Miesiąc;Wartość\nstyczeń;1", "iso8859-2"),
        ("Yıl;Şehir;Değer\nMuğla;1;2", "cp1254"),
        ("Mėnuo;Kiekis;Reikšmė\nŠiauliai;1;2", "cp1257"),
        ("Mēnesis;Vērtība\nRīga;1", "cp1257"),
        ("Дата;Продажи °C\nМосква;1", "cp1251"),
        ("Ημερομηνία;Τιμή\nΑθήνα;1", "cp1253"),
    ],
)
def test_small_tables_of_many_languages(text: str, encoding: str) -> None:
    frame = from_bytes(f"{text}\nx;1;2\ny;2;3".encode(encoding))
    assert frame.columns[-1] == text.split("\n")[0].split(";")[-1]
    assert text.split("\n")[-1].split(";")[0] in frame.iloc[:, 0].tolist()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_encodings(encoding: str) -> None:
    frame = from_bytes(CSV.replace("sales", "größe").encode(encoding))
    assert list(frame.columns) == ["month", "größe"]
    assert bool(frame.attrs["warnings"]) == (encoding == "latin-1")


def test_decimal_commas() -> None:
    frame = from_text("Tag;Umsatz\n1;1.234,5\n2;7,25\n3;1.000,0\n")
    assert frame["Umsatz"].tolist() == [1234.5, 7.25, 1000.0]
    assert frame.attrs["warnings"] == ["In column 'Umsatz' commas were read as decimal commas."]


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ("# made by hand\n" + CSV, "1 comment line left out."),
        ("Sales of the firm\n\n" + CSV, "1 line above the header left out."),
        (
            CSV.replace("sales\n", "sales\n(iso),(pieces)\n"),
            "A row of units or descriptions below the header was left out.",
        ),
        (CSV.replace("month,sales\n", ""), "The table has no header; its columns were numbered."),
        (CSV.replace("month", "sales"), "Columns with the same name 'sales' were numbered."),
        (CSV + "Total,\nSource: me, and others\n".replace(", and", " and"), "2 lines below the table left out."),
        (CSV + "Source: me\n", "1 line below the table left out."),
        (CSV + "1949-04\n", "1 row with less than 2 cells filled up with missing values."),
        (CSV + "1949-04,7,8\n", "1 row with more than 2 cells left out (the first is row 4)."),
        ("sep=,\n\n" + CSV + "\n\n", None),
        (CSV.replace("\n", ",\n"), None),
        (CSV.replace("\n", "\n \n\t\n"), None),
        ('"month","sales"\n"1949-01","112"\n"1949-02",118\n1949-03,132', None),
    ],
)
def test_oddities_are_read_and_said(text: str, warning: str | None) -> None:
    frame = from_text(text)
    assert frame.iloc[:3, 1].tolist() == SALES
    assert frame.attrs["warnings"] == ([] if warning is None else [warning])


NAMED = {
    "orders": "Name,Total,Item\n" + "".join(f'#{1001 + k},{k}.5,"Candle, fig"\n' for k in range(9)),
    "items": "Order;Item;Price\n" + "".join(f"#A-{k};x;{k},50\n" for k in range(9)) + ";y;1,50\n;z;2,50\n",
    "colours": "colour\tarea\n" + "".join(f"#ff{k:02d}aa\t{k}\n" for k in range(9)),
    "channels": "channel|posts\n" + "".join(f"#general{k}|{k}\n" for k in range(9)),
    "tags": "tag,posts,likes\n" + "".join(f"#tag{k},{k},{2 * k}\n" for k in range(9)) + "none,4,5\n",
}


@pytest.mark.parametrize("text", NAMED.values(), ids=NAMED)
def test_names_with_a_hash_are_no_comments(text: str) -> None:
    frame = from_text(text)
    assert len(frame) == text.count("\n") - 1
    assert frame.iloc[0, 0].startswith("#")


@pytest.mark.parametrize(
    "text",
    [
        "#station,Bern\n#unit,m3\n" + CSV,
        "# a, b\n" * 30 + CSV,
        "month,sales\n#1948-12,5\n" + CSV.partition("\n")[2],
        "#month,sales\n" + CSV.partition("\n")[2],
        CSV + "#the end\n#of all\n#this\n#file\n",
    ],
)
def test_comments_with_a_hash_are_left_out(text: str) -> None:
    assert from_text(text)["sales"].tolist() == SALES


ANSWERS = "".join(f"2024-05-{k + 1:02d},R_{k * k:x},{['agree', 'no'][k % 2]},{k % 5},{k % 11}\n" for k in range(25))
BELOW = {
    "questions": ["Start Date,Response ID,How clean was it?,How often?,Would you come again?"],
    "questions and codes": [
        "Start,Id,Clean?,Often?,Again?", *(",".join(f'"{{""ImportId"":""Q{k}""}}"' for k in range(5)),),
    ],
    "types": ["date,string,category,integer,integer"],
    "types and labels": ["DATE,TEXT,TEXT,INT,INT", "day of it,who it was,opinion,how often,points"],
    "german": ["Datum,Kennung,Wie sauber war es?,Wie oft?,Kommen Sie wieder?"],
    "units": ["iso,,scale,times,points"],
}  # fmt: skip


@pytest.mark.parametrize("below", BELOW.values(), ids=BELOW)
def test_rows_that_describe_the_columns_are_left_out(below: list[str]) -> None:
    frame = from_text("\n".join(["start,who,q1,q2,nps", *below, ANSWERS]))
    assert len(frame) == 25
    assert frame["nps"].tolist() == [k % 11 for k in range(25)]
    assert frame.attrs["warnings"] == ["A row of units or descriptions below the header was left out."]


@pytest.mark.parametrize(
    "first", ["2024-04-30,R_x,maybe,many,often", "2024-04-30,R_x,agree,?,?", ",R_x,maybe,,?", "-,a,agree,b,c"]
)
def test_rows_with_a_value_or_a_known_group_stay(first: str) -> None:
    assert len(from_text("\n".join(["start,who,q1,q2,nps", first, ANSWERS]))) == 26


def test_names_of_rows_as_r_writes_them() -> None:
    frame = from_text('"time","value"\n"1",1949,112\n"2",1950,118\n')
    assert list(frame.columns) == ["index", "time", "value"]


def test_one_column_is_a_table() -> None:
    assert from_text("v\n1\n2\n").to_dict("list") == {"v": [1.0, 2.0]}
    assert from_text("1\n2\n").to_dict("list") == {"column1": [1.0, 2.0]}


def test_packed_tables(tmp_path: Path) -> None:
    packed = tmp_path / "sales.csv.gz"
    packed.write_bytes(gzip.compress(CSV.encode()))
    archive = tmp_path / "sales.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("inner.csv", CSV)
    assert read_table(packed)["sales"].tolist() == read_table(str(archive))["sales"].tolist() == SALES


def test_parquet_and_excel(tmp_path: Path) -> None:
    frame = pd.DataFrame({"month": pd.to_datetime(["1949-01-01", "1949-02-01"]), "sales": [1, None], "n": ["a", "b"]})
    frame.to_parquet(tmp_path / "t.parquet")
    frame.to_excel(tmp_path / "t.xlsx", index=False)
    for name in ("t.parquet", "t.xlsx"):
        read = read_table(tmp_path / name)
        assert list(read.columns) == ["month", "sales", "n"]
        assert read["sales"].iloc[0] == 1.0
        assert str(read["month"].iloc[1])[:10] == "1949-02-01"


@pytest.mark.parametrize("kind", ["parquet", "xlsx"])
def test_missing_packages_say_how_to_install(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / f"t.{kind}"
    frame = pd.DataFrame({"x": [1, 2], "y": [1, 2]})
    frame.to_parquet(path) if kind == "parquet" else frame.to_excel(path)
    package = "pyarrow" if kind == "parquet" else "openpyxl"
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(InputError, match=rf"package {package} for .* files; .* not installed; pip install {package}$"):
        read_table(path)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(CSV.encode())))
    assert read_table("-")["sales"].tolist() == SALES


REFUSED = {
    b"": "an empty file",
    b"  \n \n": "an empty file",
    b"a,b\n": "rows below the header",
    b",,\n,,\n": "only empty cells",
    b"# nothing\n": "no line with anything in it",
    bytes(range(256)) * 4: "binary data",
    b"\x01\x02\x03\x04" * 9: "binary data",
    b"\x89PNG\r\n\x1a\n123": "another kind of file",
    b"%PDF-1.4 abc": "another kind of file",
    b"<!DOCTYPE html><html></html>": "a web page or XML",
    b"\xd0\xcf\x11\xe0\xa1\xb1": "an Excel file of the old kind",
    b"\x1f\x8b\x08junk": "a damaged or locked archive",
    b"PK\x03\x04junk": "a damaged or locked archive",
    b"PAR1junkPAR1": "a damaged file",
    b"\xff\xfea": "bytes that are not",
    b"a,b\n1,2,3\n1,2,3\n1,2\n2,3\n5,6\n7,8\n": r"2 cells in every row; found 3 cells in row 1 \(2 rows .*put quotes",
    b'a,b\n1,2\n"2,3\n4,5\n': "none after '2,3 4,5'",
    b'{"a": [1, 2]}': "found JSON; save it as CSV",
    b'\n[{"a": 1}]': "found JSON; save it as CSV",
}


@pytest.mark.parametrize("raw", REFUSED, ids=range(len(REFUSED)))
def test_what_is_no_table_gets_one_line(raw: bytes) -> None:
    with pytest.raises(InputError, match=REFUSED[raw]) as caught:
        from_bytes(raw)
    message = str(caught.value)
    assert message.startswith("expected ")
    assert "; found " in message
    assert "\n" not in message


def test_paths_that_lead_nowhere(tmp_path: Path) -> None:
    nowhere = ((tmp_path, "the folder"), (tmp_path / "no.csv", "nothing at"), ("https://a.b/c.csv", "address"))
    for source, found in nowhere:
        with pytest.raises(InputError, match=found):
            read_table(str(source))
    with pytest.raises(InputError, match="a path or an open file"):
        read_table(5)  # type: ignore[arg-type]
    with pytest.raises(InputError):
        read_table("a\0b.csv")
    with pytest.raises(InputError, match="an empty name"):
        read_table("")


def test_limits() -> None:
    limits = {"rows": (2, "2 rows"), "columns": (1, "1 columns; found 2"), "megabytes": (1e-5, "1e-05 MB")}
    for name, (limit, words) in limits.items():
        with pytest.raises(InputError, match=f"at most {words}"):
            read_cells(io.StringIO(CSV), ReadLimits(**{name: limit}))
    assert read_cells(io.StringIO(CSV), ReadLimits(rows=3)).columns[0].size == 3
    bomb = gzip.compress(b"a,b\n" + b"1,2\n" * 100_000)
    with pytest.raises(InputError, match=r"at most 0\.1 MB"):
        read_cells(io.BytesIO(bomb), ReadLimits(megabytes=0.1))


@pytest.mark.parametrize("kind", ["gzip", "zip", "Excel"])
def test_what_was_packed_to_keep_its_reader_busy_is_not_parsed(kind: str) -> None:
    packed, text = io.BytesIO(), b"a,b\n" + b"1,2\n" * 6_000_000
    if kind == "gzip":
        packed.write(gzip.compress(text))
    else:
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("xl/sheet.xml" if kind == "Excel" else "t.csv", text)
    with pytest.raises(InputError, match=r"expected a packed table; found one that grows to \d+ times its size"):
        from_bytes(packed.getvalue())


MANY = ReadLimits(rows=100)


def test_text_of_too_many_rows_is_read_no_further() -> None:
    text = "a,b\n" + "1,2\n" * 200 + '"' + "x" * 200_000 + '",2\n'
    with pytest.raises(InputError, match="a line that cannot be read"):
        read_cells(io.StringIO(text), ReadLimits(rows=1000))
    with pytest.raises(InputError, match="at most 100 rows; found 202 lines; take means over longer steps") as refused:
        read_cells(io.StringIO(text), MANY)
    assert "or draw 66 rows of a table by chance" in str(refused.value)
    assert "\n" not in str(refused.value)
    with pytest.raises(InputError, match="at most 100 rows; found 201 lines"):
        read_cells(io.StringIO("a  b\n" + "1  2\n" * 200), MANY)


def test_titles_and_remarks_are_no_rows() -> None:
    text = "Sales\n\n" + "a,b\n" + "1,2\n" * 100 + "Source: the firm,\n"
    assert read_cells(io.StringIO(text), MANY).columns[0].size == 100
    with pytest.raises(InputError, match="at most 100 rows; found 101 rows"):
        read_cells(io.StringIO(text.replace("a,b\n", "a,b\n1,2\n")), MANY)


def test_foreign_files_of_too_many_rows_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pd.DataFrame({"a": range(201), "b": range(201)})
    frame.to_parquet(tmp_path / "t.parquet")
    frame.to_excel(tmp_path / "t.xlsx", index=False)
    with pytest.raises(InputError, match="at most 100 rows; found more of them in the sheet 'Sheet1'"):
        read_cells(tmp_path / "t.xlsx", MANY)
    monkeypatch.delattr(pd, "read_parquet")
    with pytest.raises(InputError, match="at most 100 rows; found 201 rows"):
        read_cells(tmp_path / "t.parquet", MANY)


def test_hostile_names_become_harmless() -> None:
    names, _ = clean_names(["a\nb\x00", "\N{RIGHT-TO-LEFT OVERRIDE}x", "z" * 500, "", "<script>", "<script>"])
    assert names[0] == "a b"
    assert names[1] == "x"
    assert len(names[2]) == 80
    assert names[3:] == ["column4", "<script>", "<script>_2"]


def check_read_or_refused(source: io.BytesIO | io.StringIO) -> None:
    """A table with rows, or an error of one line; any other error fails the test."""
    message = "rows"
    try:
        assert len(read_table(source)) > 0
    except InputError as error:
        message = str(error)
    assert "\n" not in message


@given(st.text(alphabet=st.sampled_from("01.,;\t\n\r\" '#-e%$aé\\|"), max_size=120))
def test_random_text_is_read_or_refused(text: str) -> None:
    check_read_or_refused(io.StringIO(text))


def test_a_sheet_of_notes_before_the_table_is_passed_over(tmp_path: Path) -> None:
    path = workbook(tmp_path / "t.xlsx", [["Read me"], ["by hand", 7]], [["x", "y"], [1, 2], [2, 3], [3, 5]])
    frame = read_table(path)
    assert frame["y"].tolist() == [2.0, 3.0, 5.0]
    assert frame.attrs["warnings"] == ["Of 2 sheets the first with a column of numbers, 'Sheet1', was read."]


def _sheets(path: Path, **sheets: list[list[object]]) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title.strip("_"))
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def _of_days(year: int) -> list[list[object]]:
    return [["day", "use"], *([datetime(year, 1, day), day * 1.5] for day in range(1, 9))]


@pytest.mark.parametrize("titled", [False, True])
def test_sheets_of_the_same_header_are_read_below_each_other(tmp_path: Path, titled: bool) -> None:
    sheets = {f"_{year}": [[f"Use in {year}"], []] * titled + _of_days(year) for year in (2021, 2022, 2023)}
    frame = read_table(_sheets(tmp_path / "t.xlsx", notes=[["Read me"]], **sheets, other=[["a", "b"], [1, 2], [2, 3]]))
    assert (list(frame.columns), len(frame)) == (["day", "use"], 24)
    assert [frame["day"].iloc[k][:4] for k in (0, 8, 16)] == ["2021", "2022", "2023"]
    said = "Of 5 sheets those with the same columns were read, their rows below each other: '2021', '2022', '2023'."
    assert frame.attrs["warnings"][0] == said


@pytest.mark.parametrize(("titles", "name"), [(("_2021", "_2022"), "year"), (("Bonn", "Kiel"), "sheet")])
def test_titles_of_sheets_tell_apart_what_their_times_do_not(
    tmp_path: Path, titles: tuple[str, ...], name: str
) -> None:
    months = [["month", "use"], *([month, k + 0.5] for k, month in enumerate(MONTHS))]
    frame = read_table(_sheets(tmp_path / "t.xlsx", **dict.fromkeys(titles, months)))
    assert (list(frame.columns), len(frame)) == ([name, "month", "use"], 24)
    if name == "year":
        data = load(tmp_path / "t.xlsx")
        assert (there(data.axis).frequency, data.n, there(data.axis).label(data.X[0, 0])) == ("month", 24, "2021-01-01")


def test_a_header_of_two_rows_is_joined(tmp_path: Path) -> None:
    rows = [["when", "sales", None], [None, "north", "south"], *([k, k + 1, k + 2] for k in range(5))]
    frame = read_table(workbook(tmp_path / "t.xlsx", rows))
    assert list(frame.columns) == ["when", "sales north", "sales south"]
    assert frame["sales north"].tolist() == [1.0, 2.0, 3.0, 4.0, 5.0]
    assert frame.attrs["warnings"] == ["The two rows of the header were joined."]


def test_a_second_reader_of_excel_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = workbook(tmp_path / "t.xlsx", [["x", "y"], [1, 2], [2, 3], [3, 5]])
    # pandas warns that its default will change where this package is installed too
    monkeypatch.setitem(sys.modules, "python_calamine", SimpleNamespace(__version__="99.0"))
    assert read_table(path)["y"].tolist() == [2.0, 3.0, 5.0]


def test_damaged_workbooks_leave_no_file_open(tmp_path: Path) -> None:
    whole = workbook(tmp_path / "t.xlsx", [["x", "y"], [1, 2], [2, 3]]).read_bytes()
    damaged = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(whole)) as old, zipfile.ZipFile(damaged, "w") as new:
        for name in old.namelist():
            new.writestr(name, b"<junk" if name.startswith("xl/worksheets/") else old.read(name))
    with pytest.raises(InputError, match="a damaged file"):
        from_bytes(damaged.getvalue())


def test_excel_sheets_are_tidied_up_like_text(tmp_path: Path) -> None:
    rows = [["Sales of the firm"], ["month", "sales"], [datetime(1949, 1, 1), 112], [datetime(1949, 2, 1), "n/a"]]
    frame = read_table(workbook(tmp_path / "t.xlsx", rows, [["x", 1]]))
    assert frame["sales"].iloc[0] == 112.0
    assert frame.attrs["warnings"] == ["Of 2 sheets the first, 'Sheet', was read.", "1 line above the header left out."]


@pytest.mark.parametrize("line", ["1," * 1_500_000, "word;" * 300_000])
def test_a_line_of_very_many_cells_is_refused_before_they_are_looked_at(line: str) -> None:
    began = time.process_time()
    with pytest.raises(InputError):
        read_cells(io.StringIO(f"{line}7\n1,2\n3,4\n"))
    assert time.process_time() - began < 4.0  # it took 20 seconds


def test_empty_cells_at_the_end_of_a_line_are_no_columns() -> None:
    text = "".join(f"{line}{',' * 30}\n" for line in CSV.splitlines())
    assert read_cells(io.StringIO(text), ReadLimits(columns=40)).columns[1].name == "sales"


def test_many_columns_of_one_name_are_numbered_at_once() -> None:
    began = time.process_time()
    names, _ = clean_names(["y"] * 20_000)
    assert (names[0], names[1], names[-1]) == ("y", "y_2", "y_20000")
    assert time.process_time() - began < 2.0  # it took time that grows with the cube of their number


def test_numbered_names_stay_apart_from_those_that_are_there() -> None:
    assert clean_names(["y_2", "y", "y", "y_2", "y"])[0] == ["y_2", "y", "y_3", "y_2_2", "y_4"]


def test_archives_in_archives_are_not_unpacked_without_end() -> None:
    raw = CSV.encode()
    for _ in range(2):
        raw = gzip.compress(raw)
    assert from_bytes(raw)["sales"].tolist() == SALES
    with pytest.raises(InputError, match="archives in archives"):
        from_bytes(gzip.compress(raw))


@pytest.mark.skipif(sys.platform == "win32", reason="its names of files are narrower")
def test_the_name_of_a_file_is_cleaned(tmp_path: Path) -> None:
    path = tmp_path / "my\u202evsc\x1b sales.csv"
    path.write_text(CSV)
    assert read_cells(path).name == "my vsc sales"
