"""The command for many series, from the outside: its files, its exit codes and what it says."""

import errno
import html
import json
import re
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.cli.conftest import Run

from autostatistician.cli.main import main
from autostatistician.cli.options import FitOptions
from autostatistician.cli.panel import planned, report_command, series_of
from autostatistician.data.panel_plans import PlannedTable
from autostatistician.panel import fitting
from autostatistician.panel.folder import read_records

DAYS = [*range(6)]


def options(**given: Any) -> FitOptions:
    """What the command line hands over, as far as reading goes."""
    usual: Any = {"time": None, "target": None, "inputs": None, "where": (), "axis": "calendar", "holidays": None,
                  "allow_leaks": (), "exposure": None, "totals": None, "every": None, "by": None,
                  "sql": None, "error": None}  # fmt: skip
    return {**usual, **given}


@pytest.fixture
def _in_a_folder_of_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    parts = [pd.DataFrame({"shop": shop, "day": DAYS, "sales": [3, 1, 4, 1, 5, 9]}) for shop in ("it's", "-x")]
    long = pd.concat(parts)
    long.to_csv("long.csv", index=False)
    Path("files").mkdir()
    long[long["shop"] == "-x"].drop(columns="shop").to_csv("files/a b.csv", index=False)
    pd.DataFrame({"day": DAYS, "north": DAYS[::-1], "south sea": DAYS}).to_csv("wide.csv", index=False)


@pytest.mark.usefixtures("_in_a_folder_of_files")
def test_a_series_of_a_long_table_is_chosen_by_its_ids() -> None:
    given = options(target="sales")
    table = series_of("long.csv", given, ["shop"])
    commands = [report_command("long.csv", table, given, name) for name in ("it's", "-x")]
    start = "autostatistician report long.csv --where"
    assert commands == [f"""{start} 'shop=it'"'"'s' --target sales""", f"{start} shop=-x --target sales"]


@pytest.mark.usefixtures("_in_a_folder_of_files")
def test_a_series_of_a_wide_table_is_its_target() -> None:
    given = options(time="day")
    table = series_of("wide.csv", given, wide=True)
    command = report_command("wide.csv", table, given, "south sea")
    assert command == "autostatistician report wide.csv --time day --target 'south sea' --inputs none"


@pytest.mark.usefixtures("_in_a_folder_of_files")
def test_a_series_of_a_folder_is_its_file() -> None:
    table = series_of("files", options(), output=Path("out"))
    assert report_command("files", table, options(), "a b") == "autostatistician report 'files/a b.csv'"


@pytest.mark.usefixtures("_in_a_folder_of_files")
def test_only_a_path_is_a_plan() -> None:
    table = series_of("long.csv", options(), ["shop"])
    assert planned(table, "auto") is planned(table, None) is table
    Path("plan.csv").write_text("day,price\n6,2\n")
    with_plan = planned(table, Path("plan.csv"))
    assert isinstance(with_plan, PlannedTable)
    assert report_command("long.csv", with_plan, options(), "-x").endswith("--where shop=-x")


PLAIN = ["--transform", "none", "--outliers", "keep"]  # nothing is chosen before the search
QUICK = ["--language", "linear", "--max-depth", "1", "--horizon", "3", "--n-jobs", "1", *PLAIN]


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


def page_command(page: str) -> list[str]:
    """The words of the command that a page of a panel tells for that of one series."""
    (command,) = re.findall(r"<code>(autostatistician .*?)</code>", page)
    return shlex.split(html.unescape(command))


@pytest.mark.slow
def test_forecasts_page_and_sums_are_written(sales: Path, run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["panel", str(sales), "--id", "shop", *QUICK, "--sum", "total", "--lang", "en", "--json"]
    told = json.loads(run(arguments, 3).out)
    assert told["done"] == 2
    assert [series["name"] for series in told["failed"]] == ["new"]
    forecasts = pd.read_csv("sales-panel/forecasts.csv")
    assert list(forecasts) == ["unique_id", "shop", "ds", "mean", "lo-80", "hi-80", "lo-95", "hi-95"]
    assert list(forecasts["unique_id"].unique()) == ["north/1", "south"]
    page = Path("sales-panel/panel.html").read_text(encoding="utf-8")
    command = page_command(page)
    assert command[:5] == ["autostatistician", "panel", "sales.csv", "--id", "shop"]
    assert "--lang en" in " ".join(command)
    assert command[-4:-1] == ["--output", "sales-panel", "--page"]
    assert main(command[1:]) == 3
    assert len(list(Path("sales-panel/panel-pages").glob("*.html"))) == 1
    capsys.readouterr()
    sums = pd.read_csv("sales-panel/sums.csv").pivot_table(index="ds", columns="unique_id", values="mean")
    parts = sums.drop(columns="total").sum(axis=1)
    assert np.allclose(parts, sums["total"], rtol=1e-9)


def test_an_output_that_ends_as_a_page_is_the_page(sales: Path, run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["panel", str(sales), "--id", "shop", *QUICK, "--output", "all.html"]) == 3
    assert Path("all.html").is_file()
    assert Path("sales-panel/forecasts.csv").is_file()
    assert not Path("sales-panel/panel.html").exists()
    assert page_command(Path("all.html").read_text(encoding="utf-8"))[-4:-1] == ["--output", "all.html", "--page"]
    capsys.readouterr()
    printed = run(["panel", sales, "--id", "shop", *QUICK, "--output", "all.pdf"], 2).err
    assert "expected an output ending in .html, .htm; found 'all.pdf'" in printed


def test_the_same_command_goes_on_from_what_is_done(sales: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["panel", str(sales), *QUICK, "--quiet"])
    before = {path.name: path.stat().st_mtime_ns for path in Path("sales-panel").glob("records*/*")}
    main(["panel", str(sales), *QUICK, "--quiet"])
    assert before
    assert set(before) <= {path.name for path in Path("sales-panel").glob("records*/*")}
    assert capsys.readouterr().out == ""


def test_each_file_of_a_folder_is_a_series(sales: Path, run: Run) -> None:
    Path("shops").mkdir()
    for shop, rows in pd.read_csv(sales).groupby("shop"):
        rows.drop(columns="shop").to_csv(f"shops/{str(shop).replace('/', ' ')}.csv", index=False)
    said = run(["panel", "shops", *QUICK, "--target", "sales"], 3)
    assert "note: new: expected at least 3 rows" in said.err
    assert "2 series done, 1 failed" in said.out
    assert list(pd.read_csv("shops-panel/forecasts.csv")["file"].unique()) == ["north 1", "south"]
    page = Path("shops-panel/panel.html").read_text(encoding="utf-8")
    command = page_command(page)
    assert (command[2], command[-1]) == ("shops", "north 1")
    assert " --target sales " in " ".join(command)
    for arguments in (["--id", "shop"], ["--wide"]):
        assert (
            "a table, for ids (--id) and wide (--wide); found the folder 'shops'"
            in run(["panel", "shops", *arguments], 2).err
        )
    assert main(["panel", "shops", "--pattern", "*.xlsx"]) == 2


@pytest.mark.slow
def test_what_is_wrong_with_series_is_said_and_the_rest_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.chdir(tmp_path)
    months, weeks = (pd.date_range("2023-01-01", periods=12, freq=freq).strftime("%Y-%m-%d") for freq in ("MS", "W"))
    values = np.round(20.0 + np.random.default_rng(0).normal(size=12), 2).astype(str).tolist()
    long = 80 * "long"
    parts = {
        "usual": (months, values), "weekly": (weeks, values), "the same": (months, 12 * ["7"]),
        "doubled": ([*months, *months[:2]], [*values, "30", "31"]), "three": (months[:3], values[:3]),
        "once": (months[:1], values[:1]), "no/'\"<b>number": (months, 12 * ["?"]), long: (months[:2], values[:2]),
        "": (months, values), "日本/ü": (months, values),
    }  # fmt: skip
    frames = [pd.DataFrame({"item": name, "date": dates, "sales": sales}) for name, (dates, sales) in parts.items()]
    pd.concat(frames).to_csv("sales.csv", index=False)
    said = run(["panel", "sales.csv", "--id", "item", *QUICK], 3)
    assert "6 series done, 4 failed" in said.out
    page = re.sub(r"<[^>]+>", "", Path("sales-panel/panel.html").read_text(encoding="utf-8"))
    page = html.unescape(page)
    assert f"note: {long[:59]}…: expected at least 3 rows" in said.err
    assert "note: (no name): expected an id in every row of column 'item'; found 12 rows without one" in said.err
    assert "note: no%2F'\"<b>number: expected" in said.err
    assert "note: once: expected at least 3 rows" in said.err
    for text in (
        "The steps from row to row differ: a month in 5 series, a week in 1 ('weekly').",
        "'doubled': 2 rows repeat a date with another value; all are kept.",
        "'the same': All values of column 'sales' are the same.",
    ):
        assert f"note: {text}" in said.err
        assert text in page
    assert "No model of (no name): expected an id in every row" in page
    assert "日本%2Fü" in page
    assert "Too few rows to say where it goes" in page


@pytest.mark.slow
@pytest.mark.parametrize(("command", "inside"), [("panel", False), ("report", True)])
def test_columns_of_series_go_on_as_planned(
    command: str, inside: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.chdir(tmp_path)
    rng, n = np.random.default_rng(0), 40
    days = pd.date_range("2024-01-01", periods=n + 3).strftime("%Y-%m-%d")
    parts = []
    for shop in ("A", "B"):
        promo = (rng.random(n + 3) < 0.3).astype(int)
        parts.append(pd.DataFrame({"shop": shop, "day": days, "promo": promo, "sales": 50.0 + 20.0 * promo}))
    long = pd.concat(parts, ignore_index=True)
    long["sales"] = (long["sales"] + rng.normal(size=len(long))).round(2)
    past, ahead = long[long["day"] < days[n]], long[long["day"] >= days[n]].drop(columns="sales")
    planned = ahead[ahead["shop"] == "B"].assign(promo=[1, 0, 1])
    pd.concat([past, planned] if inside else [past]).to_csv("sales.csv", index=False)
    planned.to_csv("plan.csv", index=False)
    plan = [] if inside else ["--future", "plan.csv"]
    said = run([command, "sales.csv", "--target", "sales", *QUICK, *plan]).err
    assert inside or "note: 'A': The plan has no rows of this series." in said
    assert "note: 'A': Without a plan for 'promo', values are taken to vary as they did so far; give a plan" in said
    forecasts = pd.read_csv("sales-panel/forecasts.csv").set_index("unique_id")["mean"]
    assert np.allclose(forecasts["B"], [70.0, 50.0, 70.0], atol=2.0)
    page = html.unescape(Path("sales-panel/panel.html").read_text(encoding="utf-8"))
    assert "'promo' acts on all 2 series, as a share of the level over its range: +" in page


def _links() -> list[str]:
    return re.findall(r'href="\./(panel-pages/[^"]+)"', Path("sales-panel/panel.html").read_text(encoding="utf-8"))


@pytest.mark.slow
def test_pages_of_series_are_made_when_asked_for(sales: Path, run: Run) -> None:
    assert main(["panel", str(sales), *QUICK, "--quiet"]) == 3
    assert _links() == []
    assert main(["panel", str(sales), *QUICK, "--quiet", "--page", "north/1"]) == 3
    (north,) = set(_links())
    first = Path("sales-panel", north)
    assert "<title>Automatic report on north/1</title>" in first.read_text(encoding="utf-8")
    written = first.stat().st_mtime_ns
    forecasts = Path("sales-panel/forecasts.csv").read_bytes()
    assert main(["panel", str(sales), *QUICK, "--quiet", "--pages"]) == 3
    assert len(set(_links())) == 2
    assert all(Path("sales-panel", link).is_file() for link in _links())
    assert first.stat().st_mtime_ns == written
    assert Path("sales-panel/forecasts.csv").read_bytes() == forecasts
    sales.write_text(sales.read_text().replace("north/1,2023-01-01,", "north/1,2023-01-01,1"))
    assert main(["panel", str(sales), *QUICK, "--quiet"]) == 3
    assert first.stat().st_mtime_ns > written
    assert "did you mean 'north/1'?" in run(["panel", sales, *QUICK, "--page", "nroth/1"], 2).err


def test_models_of_series_are_saved_when_asked_for(sales: Path, run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["panel", str(sales), *QUICK, "--quiet", "--models"]) == 3
    saved = sorted(Path("sales-panel/panel-pages").iterdir())
    assert [(path.name[:5], path.suffix) for path in saved] == [("north", ".json"), ("south", ".json")]
    written = [path.stat().st_mtime_ns for path in saved]
    assert main(["panel", str(sales), *QUICK, "--quiet", "--models"]) == 3
    assert [path.stat().st_mtime_ns for path in saved] == written
    capsys.readouterr()
    means = [
        row["mean"] for row in json.loads(run(["forecast", str(saved[1]), "--horizon", "3", "--json"]).out)["forecast"]
    ]
    forecasts = pd.read_csv("sales-panel/forecasts.csv").set_index("unique_id")["mean"]
    assert np.allclose(means, forecasts["south"], rtol=1e-6)


@pytest.mark.slow
def test_a_page_is_made_of_the_model_that_is_saved(sales: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["panel", str(sales), *QUICK, "--quiet", "--models"]) == 3
    records = [record for record in read_records(Path("sales-panel")) if record.status == "done"]
    monkeypatch.setattr(fitting, "fit_model", lambda *_: pytest.fail("a model was searched again"))
    assert main(["panel", str(sales), *QUICK, "--quiet", "--models", "--page", "north/1"]) == 3
    assert len(set(_links())) == 1
    again = [record for record in read_records(Path("sales-panel")) if record.status == "done"]
    assert [replace(record, seconds=0.0) for record in again] == [replace(record, seconds=0.0) for record in records]


def test_settings_of_a_file_are_in_the_command_of_a_page(sales: Path) -> None:
    Path("quick.toml").write_text('language = "linear"\nmax-depth = 1\nn-jobs = 1\nid = ["shop"]\nwide = false\n')
    assert main(["panel", str(sales), "--settings", "quick.toml", "--horizon", "3"]) == 3
    command = page_command(Path("sales-panel/panel.html").read_text(encoding="utf-8"))
    words = " ".join(command)
    assert all(text in words for text in ("--id shop", "--language linear", "--max-depth 1", "--horizon 3"))
    assert "--wide" not in words


@pytest.mark.parametrize("how", ["stopped", "full"])
def test_what_ends_a_panel_is_told(sales: Path, how: str, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    def ended(*_: object, **__: object) -> None:
        raise KeyboardInterrupt if how == "stopped" else OSError(errno.ENOSPC, "full")

    monkeypatch.setattr("autostatistician.panel.run.run_panel", ended)
    said = run(["panel", sales, *QUICK], 130 if how == "stopped" else 2)
    assert said.out == ""
    assert (
        said.err
        == {
            "stopped": "note: interrupted; the same command goes on from here\n",
            "full": "error: expected to read or write; found full; check path and disk\n",
        }[how]
    )


def test_a_place_that_cannot_be_made_is_one_line(sales: Path, run: Run) -> None:
    Path("file").write_text("", encoding="utf-8")
    for output in ("file/out", "file"):
        said = run(["panel", sales, *QUICK, "--output", output], 2).err
        assert said.startswith("error: expected to be able to write")
        assert said.count("\n") == 1


def test_forecasts_are_named_as_asked(sales: Path) -> None:
    main(["panel", str(sales), *QUICK, "--quiet", "--model-name", "ours", "--levels", "80", "--sum", "total"])
    for name in ("forecasts", "sums"):
        forecasts = pd.read_csv(f"sales-panel/{name}.csv")
        assert list(forecasts) == ["unique_id", "ds", "ours", "ours-lo-80", "ours-hi-80"]
        assert "north/1" in set(forecasts["unique_id"])


def test_a_report_of_a_panel_is_its_page(sales: Path, run: Run) -> None:
    arguments = ["report", str(sales), "--language", "linear", "--max-depth", "1", "--horizon", "3", "--n-jobs", "1"]
    said = run([*arguments, "--output", "all.html"], 3)
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
def test_arguments_that_mean_nothing_are_refused(sales: Path, arguments: list[str], message: str, run: Run) -> None:
    assert message in run(["panel", sales, *arguments], 2).err
    assert not Path("sales-panel").exists()


def test_one_series_is_sent_to_its_report(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "one.csv"
    path.write_text("month,sales\n2024-01,1\n2024-02,3\n2024-03,2\n")
    assert "for one series use 'report'" in run(["panel", path], 2).err


@pytest.mark.slow
def test_rows_that_are_chosen_are_those_that_are_modelled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    months = pd.date_range("2023-01-01", periods=8, freq="MS")
    parts = [
        pd.DataFrame({"region": region, "shop": shop, "month": months, "sales": np.arange(8.0) + place})
        for place, (region, shop) in enumerate([("north", "a"), ("north", "b"), ("south", "a")])
    ]
    pd.concat(parts).to_csv("sales.csv", index=False)
    arguments = ["sales.csv", "--where", "region=north", "--language", "linear", "--max-depth", "1", "--n-jobs", "1"]
    assert main(["report", *arguments]) == 0
    assert list(pd.read_csv("sales-panel/forecasts.csv")["unique_id"].unique()) == ["a", "b"]
    page = Path("sales-panel/panel.html").read_text(encoding="utf-8")
    command = page_command(page)
    assert command[2:5] == ["sales.csv", "--where", "region=north"]
    assert main(command[1:]) == 0
    assert len(list(Path("sales-panel/panel-pages").glob("*.html"))) == 1


@pytest.mark.parametrize("arguments", [["--output", "all.pdf"], ["--checkpoint", "search.json"]])
def test_what_only_one_series_has_is_not_passed_over(sales: Path, arguments: list[str], run: Run) -> None:
    assert "choose one series with --where" in run(["report", sales, *arguments], 2).err
    assert not Path("sales-panel").exists()
