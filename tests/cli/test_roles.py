"""How a table was read is said first, in every output; one series of a long table is chosen by an option."""

import json
from pathlib import Path

import numpy as np
import pytest
from tests.cli.conftest import Run

from autostatistician import AutomaticStatistician

QUICK = ("--language", "linear", "--max-depth", "1", "--n-jobs", "1", "--transform", "none", "--outliers", "keep")
RNG = np.random.default_rng(5)
N = 30


def _written(path: Path, **columns: object) -> Path:
    rows = zip(*columns.values(), strict=True)
    path.write_text("\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows)]), encoding="utf-8")
    return path


@pytest.fixture
def weekly(tmp_path: Path) -> Path:
    sales, price = RNG.normal(100, 9, N).round(1), RNG.normal(3, 0.2, N).round(2)
    return _written(tmp_path / "weekly.csv", week=range(1, N + 1), sales=sales, price=price)


@pytest.fixture
def stores(tmp_path: Path) -> Path:
    columns = {"store": [*"AB"] * N, "day": np.repeat(np.arange("2021-01-01", "2021-01-31", dtype="M8[D]"), 2)}
    return _written(tmp_path / "stores.csv", **columns, sales=RNG.normal(50, 5, 2 * N).round(1))


@pytest.mark.slow
def test_the_choice_is_first_in_json_in_words_and_on_the_page(weekly: Path, tmp_path: Path, run: Run) -> None:
    said = "This was read as a series: column 'sales' is modelled over 'week'; 'price' could be modelled instead."
    model = tmp_path / "m.json"
    told = run(["fit", weekly, *QUICK, "--output", model])
    assert told.out.splitlines()[1].startswith(f"- {said}")
    assert "This was read" not in told.err
    assert run(["describe", model]).out.startswith(said)
    assert json.loads(run(["describe", model, "--json"]).out)["warnings"][0].startswith(said)
    found = AutomaticStatistician.load(model).report()
    for end in ("html", "md"):
        page = found.save(tmp_path / f"r.{end}").read_text(encoding="utf-8").partition("<body>")[::2]
        opening = (page[1] or page[0]).partition(found.document.abstract[:30])[0]
        assert "This was read as a series: column" in opening
        assert "".join(page).count("This was read as a series") == 1


def test_a_table_is_told_as_one(tmp_path: Path, run: Run) -> None:
    x = RNG.normal(size=(N, 3)).round(3)
    table = _written(tmp_path / "t.csv", a=x[:, 0], b=x[:, 1], c=x[:, 2], y=(3 * x[:, 1] + 1).round(2))
    record = json.loads(run(["report", table, *QUICK, "--output", tmp_path / "r.md", "--json"]).out)
    assert record["warnings"][0].startswith("This was read as a table")
    assert record["r2"] > 0.99
    page = (tmp_path / "r.md").read_text(encoding="utf-8")
    assert "This was read as a table" in page
    assert "'y' rises with 'b'" in page


def test_a_long_table_is_refused_and_where_chooses_one_series(stores: Path, tmp_path: Path, run: Run) -> None:
    model = str(tmp_path / "m.json")
    printed = run(["fit", stores, *QUICK, "--output", model], 2).err
    assert "'store' looks like a key ('A', 'B'); choose one series with --where store=A " in printed
    record = json.loads(run(["fit", stores, *QUICK, "--where", "store=B", "--output", model, "--json"]).out)
    assert record["n"] == N
    assert "Only the 30 rows of 60 where 'store' is 'B' are used." in record["warnings"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--where", "store"], "expected --where COLUMN=VALUE, once for each column; found 'store'"),
        (["--where", "store=A", "--where", "store=B"], "found 'store' twice"),
        (["--where", "store=C"], "expected rows with 'C' in column 'store'; found only 'A', 'B'"),
    ],
)
def test_a_wrong_choice_of_rows_is_said_in_one_line(stores: Path, options: list[str], words: str, run: Run) -> None:
    said = run(["report", stores, *QUICK, *options], 2).err
    assert words in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("cells", [[""] * N, [hex(k) for k in range(N)], [f"[{k}]" for k in range(N)]])
def test_a_target_that_cannot_be_read_ends_with_code_2(cells: list[str], tmp_path: Path, run: Run) -> None:
    table = _written(tmp_path / "t.csv", t=range(N), y=cells)
    for options in ([], ["--target", "y"]):
        assert "in column 'y'" in run(["fit", table, *QUICK, *options], 2).err.replace("of column", "in column")


def test_a_nested_column_of_parquet_ends_with_code_2(tmp_path: Path, run: Run) -> None:
    import pandas as pd

    pytest.importorskip("pyarrow")
    pd.DataFrame({"t": range(N), "y": [[k, k + 1] for k in range(N)]}).to_parquet(tmp_path / "t.parquet")
    printed = run(["fit", tmp_path / "t.parquet", *QUICK], 2).err
    assert "column of numbers to model; found only 't', whose name and order" in printed
