"""Files of other programs that are larger than they seem, or hold what is no column."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pandas as pd
import pytest
from tests.data.files.frames import read_table, workbook

from autostatistician.data.files.foreign import excel_sheets
from autostatistician.data.load import load
from autostatistician.data.row_limits import ReadLimits
from autostatistician.errors import InputError

ONE = ReadLimits(megabytes=1.0)


def packed(frame: pd.DataFrame) -> io.BytesIO:
    found = io.BytesIO()
    frame.to_parquet(found)
    found.seek(0)
    return found


@pytest.fixture
def unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """No cell of a Parquet table may be looked at."""

    def never(*_: object, **__: object) -> None:
        raise AssertionError("it was read")

    monkeypatch.setattr(pd, "read_parquet", never)


@pytest.mark.usefixtures("unread")
@pytest.mark.parametrize(
    "frame",
    [
        lambda: pd.DataFrame({"t": range(3000), "note": "x" * 9_000}),  # 27 MB, if each row had its own
        lambda: pd.DataFrame({"t": range(20), "note": pd.Categorical(["x" * 600_000, "y" * 600_000] * 10)}),
        lambda: pd.DataFrame({"t": range(3000), "note": pd.Categorical(["x" * 9_000] * 3000)}),
        lambda: pd.DataFrame({f"c{k}": [0.0] * 1000 for k in range(200)}),
    ],
)
def test_a_small_file_of_a_large_table_is_refused_unread(frame: Callable[[], pd.DataFrame]) -> None:
    raw = packed(frame())
    assert len(raw.getvalue()) < 300_000
    with pytest.raises(InputError, match="at most 1 MB"):
        read_table(raw, ONE)


@pytest.mark.usefixtures("unread")
def test_very_many_columns_are_refused_by_the_footer() -> None:
    with pytest.raises(InputError, match="at most 20 columns; found 30"):
        read_table(packed(pd.DataFrame({f"c{k}": [0.0] for k in range(30)})), ReadLimits(columns=20))


def test_columns_without_plain_cells_are_left_out_and_named() -> None:
    months = pd.date_range("2020-01-01", periods=5, freq="MS")
    frame = pd.DataFrame({"month": months, "sales": [1.0, 2.0, 4.0, 3.0, 5.0]})
    frame["inner"] = [{"a": 1}] * 5
    frame["list"] = [[1, 2]] * 5
    frame["raw"] = [b"x"] * 5
    data = load(packed(frame))
    assert (data.columns, data.target, data.n) == (("month",), "sales", 5)
    note = "Columns 'inner', 'list', 'raw' hold neither numbers nor text nor times and were left out."
    assert note in data.warnings
    with pytest.raises(InputError, match="others alone, such as 'list'"):
        load(packed(frame[["list"]]))


def test_plain_columns_of_every_kind_are_read_as_before() -> None:
    index = pd.date_range("2020-01-01", periods=4, freq="D", tz="UTC", name="day")
    frame = pd.DataFrame({"y": [1, 2, None, 4], "kind": pd.Categorical(list("abab")), "ok": [True] * 4}, index=index)
    frame["word"] = ["ö", None, "x", "y"]
    found = read_table(packed(frame))
    assert list(found.columns) == ["day", "y", "kind", "ok", "word"]
    assert found["word"].fillna("none").tolist() == ["ö", "none", "x", "y"]


def test_a_workbook_that_unpacks_to_much_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = workbook(tmp_path / "t.xlsx", [["t", "y"], [1, 2.5], [2, 3.5]])
    assert read_table(path, ONE)["y"].tolist() == [2.5, 3.5]
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/more.xml", b" " * 2_000_000)
    monkeypatch.delattr(openpyxl, "load_workbook")
    with pytest.raises(InputError, match="at most 1 MB"):
        read_table(path, ONE)


def test_one_text_in_very_many_cells_counts_in_each(tmp_path: Path) -> None:
    path = workbook(tmp_path / "t.xlsx", [["t", "note"], *([k, "x" * 20_000] for k in range(100))])
    with pytest.raises(InputError, match="at most 1 MB"):
        read_table(path, ONE)


def test_a_cell_far_away_does_not_make_every_row_wide(tmp_path: Path) -> None:
    rows: list[list[object]] = [[k, k + 0.5] for k in range(30)]
    rows[2] += [None] * 11_997 + ["x"]
    with pytest.raises(InputError, match="at most 10000 columns; found 12000"):
        read_table(workbook(tmp_path / "t.xlsx", rows))


def test_a_cell_far_below_costs_no_million_of_rows(tmp_path: Path) -> None:
    rows: list[list[object]] = [["t", "y"], *([k, k + 0.5] for k in range(30))]
    path = workbook(tmp_path / "t.xlsx", rows)
    book = openpyxl.load_workbook(path)
    book.worksheets[0]["B1048576"] = 7
    book.save(path)
    assert read_table(path)["y"].tolist() == [*(k + 0.5 for k in range(30)), 7.0]
    (sheet,) = excel_sheets(path.read_bytes(), ReadLimits(), 2**20).values()
    assert len(sheet) == 33


def test_errors_of_formulas_are_missing_values(tmp_path: Path) -> None:
    path = workbook(tmp_path / "t.xlsx", [["t", "y"], [1, 2.5], [2, "#DIV/0!"], [3, 4]])
    assert read_table(path)["y"].tolist() == [2.5, pytest.approx(float("nan"), nan_ok=True), 4.0]
