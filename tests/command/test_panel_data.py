"""From what a command is given to many series, and back to the command for one of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from autostatistician.command.options import FitOptions
from autostatistician.command.panel_data import planned, report_command, series_of_file, series_of_folder
from autostatistician.data.panel_plans import PlannedTable
from autostatistician.errors import InputError

DAYS = [*range(6)]


def options(**given: Any) -> FitOptions:
    """What the command line hands over, as far as reading goes."""
    usual: Any = {"time": None, "target": None, "inputs": None, "where": (), "axis": "calendar", "holidays": None,
                  "allow_leaks": (), "exposure": None, "totals": None}  # fmt: skip
    return {**usual, **given}


@pytest.fixture(autouse=True)
def _in_a_folder_of_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    parts = [pd.DataFrame({"shop": shop, "day": DAYS, "sales": [3, 1, 4, 1, 5, 9]}) for shop in ("it's", "-x")]
    long = pd.concat(parts)
    long.to_csv("long.csv", index=False)
    Path("files").mkdir()
    long[long["shop"] == "-x"].drop(columns="shop").to_csv("files/a b.csv", index=False)
    pd.DataFrame({"day": DAYS, "north": DAYS[::-1], "south sea": DAYS}).to_csv("wide.csv", index=False)


def test_a_series_of_a_long_table_is_chosen_by_its_ids() -> None:
    given = options(target="sales")
    table = series_of_file("long.csv", given, ["shop"])
    commands = [report_command("long.csv", table, given, name) for name in ("it's", "-x")]
    start = "autostatistician report long.csv --where"
    assert commands == [f"""{start} 'shop=it'"'"'s' --target sales""", f"{start} shop=-x --target sales"]


def test_a_series_of_a_wide_table_is_its_target() -> None:
    given = options(time="day")
    table = series_of_file("wide.csv", given, None, wide=True)
    command = report_command("wide.csv", table, given, "south sea")
    assert command == "autostatistician report wide.csv --time day --target 'south sea' --inputs none"


def test_a_series_of_a_folder_is_its_file() -> None:
    table = series_of_folder(Path("files"), options(), Path("out"), None)
    assert report_command("files", table, options(), "a b") == "autostatistician report 'files/a b.csv'"


def test_only_a_path_is_a_plan() -> None:
    table = series_of_file("long.csv", options(), ["shop"])
    assert planned(table, "auto") is planned(table, None) is table
    Path("plan.csv").write_text("day,price\n6,2\n")
    with_plan = planned(table, Path("plan.csv"))
    assert isinstance(with_plan, PlannedTable)
    assert report_command("long.csv", with_plan, options(), "-x").endswith("--where shop=-x")


def test_one_series_is_no_panel() -> None:
    with pytest.raises(InputError, match="for one series use 'report'"):
        series_of_file("files/a b.csv", options(), None)
