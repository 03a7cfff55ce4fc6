"""Folders of tables: which files are some, and their series."""

from __future__ import annotations

from pathlib import Path

import pytest

from autostatistician.data.folders import FolderTable, tables
from autostatistician.errors import InputError


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _table(path: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text("month,sales\n2024-01,1\n2024-02,3\n2024-03,2\n", encoding="utf-8")


def test_tables_are_chosen_by_ending_or_pattern() -> None:
    for name in ("a.csv", "b.TSV", "c.csv.gz", "notes.md", ".hidden.csv", "d.parquet", "sub/e.csv", "out/f.csv"):
        _table(f"in/{name}")
    folder, output = Path("in"), Path("in/out")
    assert [path.name for path in tables(folder, output)] == ["a.csv", "b.TSV", "c.csv.gz", "d.parquet"]
    assert [path.name for path in tables(folder, output, "**/*.csv")] == ["a.csv", "e.csv"]
    assert [path.name for path in tables(folder, pattern="*/*.csv")] == ["f.csv", "e.csv"]
    for wrong in ("*.xlsx", "", "/tmp/*", "a**b/**c"):
        if wrong:
            with pytest.raises(InputError, match=r"pattern|tables in"):
                tables(folder, output, wrong)
    with pytest.raises(InputError, match="another folder for the output"):
        tables(folder, Path("in/../in"))
    with pytest.raises(InputError, match="a folder of tables"):
        tables(Path("none"), output)


def test_each_file_is_a_series_with_a_name_of_its_own() -> None:
    for name in ("north.csv", "south.csv", "south.tsv", "sub/north.csv"):
        _table(f"in/{name}")
    table = FolderTable(Path("in"), tables(Path("in"), pattern="**/*.[ct]sv"), {"target": "sales"})
    names = [table.name(index) for index in range(len(table))]
    assert names == ["north", "south.csv", "south.tsv", "sub/north"]
    assert table.keys == tuple((name,) for name in names)
    assert table.dataset(0).y.tolist() == [1.0, 3.0, 2.0]
    Path("in/north.csv").write_text("nothing here", encoding="utf-8")
    with pytest.raises(InputError):
        table.dataset(0)
