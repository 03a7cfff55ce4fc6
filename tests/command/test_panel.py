"""The command for many series, from the outside: its files, its exit codes and what it says."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from autostatistician.command.main import main

QUICK = ["--language", "linear", "--depth", "1", "--horizon", "3", "--jobs", "1"]


@pytest.fixture
def sales(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two series of a dozen months, and one of two."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    parts = [
        pd.DataFrame({"shop": shop, "month": pd.date_range("2023-01-01", periods=n, freq="MS")})
        for shop, n in (("north/1", 12), ("south", 12), ("new", 2))
    ]
    long = pd.concat(parts)
    long.assign(sales=(20.0 + rng.normal(size=len(long))).round(2)).to_csv("sales.csv", index=False)
    return Path("sales.csv")


def test_forecasts_page_and_sums_are_written(sales: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["panel", str(sales), "--id", "shop", *QUICK, "--sum", "total", "--json"]
    assert main(arguments) == 3
    told = json.loads(capsys.readouterr().out)
    assert told["done"] == 2
    assert [series["name"] for series in told["failed"]] == ["new"]
    forecasts = pd.read_csv("sales-panel/forecasts.csv")
    assert list(forecasts) == ["unique_id", "shop", "ds", "mean", "lo-80", "hi-80", "lo-95", "hi-95"]
    assert list(forecasts["unique_id"].unique()) == ["north%2F1", "south"]
    page = Path("sales-panel/panel.html").read_text(encoding="utf-8")
    assert "autostatistician report sales.csv --where shop=north/1" in page or "shop=south" in page
    sums = pd.read_csv("sales-panel/sums.csv").pivot_table(index="ds", columns="unique_id", values="mean")
    parts = sums.drop(columns="total").sum(axis=1)
    assert np.allclose(parts, sums["total"], rtol=1e-9)


def test_the_same_command_goes_on_from_what_is_done(sales: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["panel", str(sales), *QUICK, "--quiet"])
    before = {path.name: path.stat().st_mtime_ns for path in Path("sales-panel").glob("records*/*")}
    main(["panel", str(sales), *QUICK, "--quiet"])
    assert before
    assert set(before) <= {path.name for path in Path("sales-panel").glob("records*/*")}
    assert capsys.readouterr().out == ""


def test_each_file_of_a_folder_is_a_series(sales: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("shops").mkdir()
    for shop, rows in pd.read_csv(sales).groupby("shop"):
        rows.drop(columns="shop").to_csv(f"shops/{str(shop).replace('/', ' ')}.csv", index=False)
    assert main(["panel", "shops", *QUICK, "--target", "sales"]) == 3
    said = capsys.readouterr()
    assert "note: new: expected at least 3 rows" in said.err
    assert "2 series done, 1 failed" in said.out
    assert list(pd.read_csv("shops-panel/forecasts.csv")["file"].unique()) == ["north 1", "south"]
    page = Path("shops-panel/panel.html").read_text(encoding="utf-8")
    assert "autostatistician report 'shops/north 1.csv' --target sales" in page.replace("&#39;", "'")
    for arguments in (["--id", "shop"], ["--wide"]):
        assert main(["panel", "shops", *arguments]) == 2
        assert "a table, for --id and --wide; found the folder 'shops'" in capsys.readouterr().err
    assert main(["panel", "shops", "--pattern", "*.xlsx"]) == 2


def test_forecasts_are_named_as_asked(sales: Path) -> None:
    main(["panel", str(sales), *QUICK, "--quiet", "--model-name", "ours", "--levels", "80", "--sum", "total"])
    for name in ("forecasts", "sums"):
        forecasts = pd.read_csv(f"sales-panel/{name}.csv")
        assert list(forecasts) == ["unique_id", "ds", "ours", "ours-lo-80", "ours-hi-80"]
        assert "north/1" in set(forecasts["unique_id"])


def test_a_report_of_a_panel_is_its_page(sales: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["report", str(sales), "--language", "linear", "--depth", "1", "--horizon", "3", "--jobs", "1"]
    assert main([*arguments, "--output", "all.html"]) == 3
    said = capsys.readouterr()
    assert "holds 3 series, told apart by shop; for one of them: autostatistician report" in said.err
    assert "Wrote all.html" in said.out
    assert "south" in Path("all.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--id", "store"], "store"),
        (["--limits", "0,"], "--limits auto for many series"),
        (["--task", "class"], "--task auto for many series"),
        (["--where", "shop=east"], "rows with 'east' in column 'shop'"),
        (["--levels", "80,x"], "--levels as whole numbers"),
        (["--levels", "95,80"], "levels of ranges"),
        (["--model-name", "ds"], "a name for the model"),
        (["--wide"], "column of times, and one of numbers for each series"),
    ],
)
def test_arguments_that_mean_nothing_are_refused(
    sales: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["panel", str(sales), *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not Path("sales-panel").exists()


def test_one_series_is_sent_to_its_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "one.csv"
    path.write_text("month,sales\n2024-01,1\n2024-02,3\n2024-03,2\n")
    assert main(["panel", str(path)]) == 2
    assert "for one series use 'report'" in capsys.readouterr().err


def test_rows_that_are_chosen_are_those_that_are_modelled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    months = pd.date_range("2023-01-01", periods=8, freq="MS")
    parts = [
        pd.DataFrame({"region": region, "shop": shop, "month": months, "sales": np.arange(8.0) + place})
        for place, (region, shop) in enumerate([("north", "a"), ("north", "b"), ("south", "a")])
    ]
    pd.concat(parts).to_csv("sales.csv", index=False)
    arguments = ["sales.csv", "--where", "region=north", "--language", "linear", "--depth", "1", "--jobs", "1"]
    assert main(["report", *arguments]) == 0
    assert list(pd.read_csv("sales-panel/forecasts.csv")["unique_id"].unique()) == ["a", "b"]
    page = Path("sales-panel/panel.html").read_text(encoding="utf-8")
    assert "--where region=north --where shop=a" in page


@pytest.mark.parametrize("arguments", [["--output", "all.pdf"], ["--future", "auto"], ["--checkpoint", "search.json"]])
def test_what_only_one_series_has_is_not_passed_over(
    sales: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(sales), *arguments]) == 2
    assert "choose one series with --where" in capsys.readouterr().err
    assert not Path("sales-panel").exists()
