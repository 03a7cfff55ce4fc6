"""Rows of cells from text: delimiter, comments, header, units, remarks."""

import sys
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autostatistician.data.files.encodings import USUAL_ENCODINGS, decode
from autostatistician.data.files.sniff import read_text, tidy_rows
from autostatistician.errors import InputError

# Headers as people write them, over rows of digits: little to tell the encoding from.
TEXTS = [
    ("Jahr;Bevölkerung;Straße", ("cp1252", "latin-1")), ("année;température;coût", ("cp1252", "mac-roman")),
    ("año;población;mañana", ("cp1252",)), ("mês;preço;produção", ("cp1252",)),
    ("mese;città;più", ("cp1252",)), ("år;værdi;område", ("cp1252",)),
    ("rok;ludność;województwo", ("cp1250", "iso8859-2")), ("měsíc;tržby;částka", ("cp1250", "iso8859-2")),
    ("hónap;összeg;időszak", ("cp1250",)), ("дата;продажи;город", ("cp1251", "koi8-r", "cp866")),
    ("година;население;област", ("cp1251",)), ("рік;населення;місяць", ("cp1251",)),
    ("yıl;nüfus;satış", ("cp1254", "iso8859-9")), ("έτος;πληθυσμός;πόλη", ("cp1253", "iso8859-7")),
    ("年月;売上;地域", ("cp932", "euc-jp")), ("年份;人口数量;城市", ("gb18030",)),
    ("日期;銷售額;城市", ("big5",)), ("연도;인구;지역", ("cp949",)),
    ("שנה;אוכלוסייה;עיר", ("cp1255",)), ("السنة;عدد السكان;المدينة", ("cp1256",)),
    ("ปี;ประชากร;จังหวัด", ("cp874",)), ("mēnesis;pārdošana;gads", ("cp1257",)),
    ("day;temperature °C;µg/m³", ("cp1252",)),
]  # fmt: skip


@pytest.mark.parametrize(("header", "name"), [(text, name) for text, names in TEXTS for name in names])
def test_the_encoding_is_known_by_few_words(header: str, name: str) -> None:
    text = header + "\r\n" + "".join(f"{1990 + k};{100 + 7 * k},5;{k}\r\n" for k in range(24))
    read, notes = decode(text.encode(name))
    assert read == text
    assert notes[0].startswith("The text is not UTF-8; it was read as ")


@pytest.mark.parametrize("sign", ["±", "£", "°", "×", "§"])
@pytest.mark.parametrize("header", ["day;value", "day;value {} error", "day;{} mm"])
def test_signs_that_stand_alone_are_no_letters(header: str, sign: str) -> None:
    text = header.format(sign) + "\n" + "".join(f"2024-01-{k:02d};{k} {sign} 2\n" for k in range(1, 9))
    assert decode(text.encode("cp1252"))[0] == text


PROSE = (
    "Values of the station, in the middle of the town", "Report of 3 March 2021, 14:20, by J. Smith\n",
    "Station: Berlin, Germany\nSource: the office, 2023, all rights reserved",
)  # fmt: skip


@pytest.mark.parametrize("prose", PROSE)
@pytest.mark.parametrize("names", [("day", "rain"), ("day", "rain", "wind")])
def test_prose_above_a_header_is_no_header_however_many_commas_it_has(names: tuple[str, ...], prose: str) -> None:
    rows = "".join(f"2024-01-{k:02d}{f',{k}.5' * (len(names) - 1)}\n" for k in range(1, 20))
    assert read_text(f"{prose}\n{','.join(names)}\n{rows}").names == names


@pytest.mark.parametrize("units", ["", "h,mm\n", "(h),(mm)\n"])
def test_a_header_with_blanks_behind_its_commas_stays_the_header(units: str) -> None:
    assert read_text(f"height, rain\n{units}1,1.5\n2,2.5\n3,3.5\n4,3.0\n").names == ("height", "rain")


@pytest.mark.parametrize("name", ["cp932", "euc-jp", "gb18030"])
def test_dates_of_east_asia_tell_the_encoding(name: str) -> None:
    text = "年月,売上\n" + "".join(f"{2020 + k // 12}年{k % 12 + 1}月,{200 + k}\n" for k in range(24))
    assert decode(text.encode(name))[0] == text


@pytest.mark.parametrize("name", ["utf-8", "utf-8-sig", "utf-16"])
def test_what_says_its_encoding_itself_is_not_remarked(name: str) -> None:
    assert decode("Größe;город\n1;2\n".encode(name)) == ("Größe;город\n1;2\n", ())


def test_utf_8_with_a_broken_character_stays_utf_8() -> None:
    raw = "город;Größe\n".encode() * 20 + b"x;\xe4\n"
    text, notes = decode(raw)
    assert text.startswith("город;Größe\n")
    assert notes == ("The text is UTF-8 but for 1 character, which cannot be read.",)


def test_the_detector_is_loaded_when_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "chardet", None)
    assert decode(b"a,b\n1,2\n")[1] == ()
    with pytest.raises(ImportError):
        decode("é".encode("cp1252"))


@given(st.binary(max_size=300))
def test_any_bytes_are_text_or_refused(raw: bytes) -> None:
    try:
        text, notes = decode(raw)
    except InputError as error:
        text, notes = "", (str(error),)
    assert text or notes or not raw


@given(st.sampled_from(sorted(USUAL_ENCODINGS)))
def test_the_names_are_codecs(name: str) -> None:
    assert "é".encode(name, "ignore") is not None


ROWS = [["day", "sales", "shop"], *([str(k), f"{k * k}.5", "ABC"[k % 3]] for k in range(1, 9))]


def _text(delimiter: str) -> str:
    return "\n".join(delimiter.join(row) for row in ROWS)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", "  "])
def test_any_usual_delimiter_gives_the_same_table(delimiter: str) -> None:
    table = read_text(_text(delimiter))
    assert table.names == tuple(ROWS[0])
    assert [list(row) for row in table.rows] == ROWS[1:]
    assert (table.comma, table.notes) == (delimiter == ";", ())


@given(st.lists(st.lists(st.text(alphabet="ab1,; \"'\n", max_size=5), min_size=2, max_size=3), min_size=2, max_size=6))
def test_rows_are_as_long_as_the_header_whatever_they_hold(rows: list[list[str]]) -> None:
    try:
        table = tidy_rows(rows)
    except InputError:
        return
    assert all(len(row) == len(table.names) for row in table.rows)


def test_a_text_that_is_refused_is_not_taken_apart() -> None:
    text = "a,b\n# two columns\n" + "1,2\r\n" * 200_000
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="at most 5 rows; found 200001 lines"):
            read_text(text, most=5)
        assert tracemalloc.get_traced_memory()[1] < 1e6
    finally:
        tracemalloc.stop()
