"""What each command asks of the estimator, and what it prints and writes."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from tests.command.conftest import RECORD, Fake, Faked

from autostatistician import TargetOptions
from autostatistician.command.main import main

# --- report and fit ---------------------------------------------------------------------------------------------


def test_report_says_what_it_found_and_where_it_wrote(faked: Faked, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "airline"]) == 0
    out, err = capsys.readouterr()
    assert out == "Model: SE + WN\n- A smooth function.\n- Noise.\nWrote airline-report.html\n"
    assert err == "note: 2 rows   dropped\n"
    assert Path("airline-report.html").read_text(encoding="utf-8") == "whole"
    assert [path.name for path in Path().iterdir()] == ["airline-report.html"]


def test_report_prints_one_json_object(faked: Faked, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "tables/my sales.csv", "--json", "--output", "a.md"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == {**RECORD, "bic": None, "output": "a.md"}
    assert err == ""


def test_options_reach_the_loader_and_the_estimator(faked: Faked) -> None:
    options = "--time when --target sales --axis raw --language se --depth 2 --budget 3.5 --jobs 2 --seed 7 --horizon 5"
    options += " --criterion loo --transform log --outliers keep --limits 0,9"
    assert main(["report", "a.csv", "--quiet", *options.split()]) == 0
    asked = {"time": "when", "target": "sales", "inputs": None, "axis": "raw", "where": {}, "task": "auto"}
    assert faked.asked == [("a.csv", asked)]
    wanted = {"language": "se", "criterion": "loo", "max_depth": 2, "time_budget": 3.5, "n_jobs": 2, "random_state": 7}
    assert Fake.made.arguments == {**wanted, "target_options": TargetOptions("log", "keep", (0.0, 9.0))}
    assert Fake.made.horizon == 5


def test_defaults_of_the_command_line_are_those_of_the_estimator(faked: Faked) -> None:
    assert main(["fit", "a.csv", "--quiet"]) == 0
    wanted = {
        "language": "extended",
        "criterion": "auto",
        "max_depth": 10,
        "time_budget": None,
        "n_jobs": -1,
        "random_state": 0,
        "target_options": TargetOptions(),
    }
    assert Fake.made.arguments == wanted


def test_fit_saves_the_model(faked: Faked, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fit", "a.csv", "--output", "model.json"]) == 0
    assert capsys.readouterr().out.endswith("Wrote model.json\n")
    assert Path("model.json").read_text(encoding="utf-8") == "{}"


def test_quiet_says_nothing(faked: Faked, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "a.csv", "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")


# --- forecast, describe, examples -------------------------------------------------------------------------------


def test_forecast_is_a_csv_table(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["forecast", model, "--steps", "2"]) == 0
    table = "time,mean,std,lower,upper\n1961-01-01,1.0,0.5,0.0,2.0\n1961-02-01,1.0,0.5,0.0,2.0\n"
    assert capsys.readouterr().out == table
    assert main(["forecast", model, "--steps", "2", "--output", "f.csv"]) == 0
    assert capsys.readouterr().out == "Wrote f.csv\n"
    assert Path("f.csv").read_bytes() == table.encode()


def test_forecast_as_json_has_iso_dates(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["forecast", model, "--steps", "1", "--json"]) == 0
    row = {"time": "1961-01-01", "mean": 1.0, "std": 0.5, "lower": 0.0, "upper": 2.0}
    assert json.loads(capsys.readouterr().out) == {"forecast": [row], "output": None}


def test_describe_prints_the_sentences(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["describe", model]) == 0
    assert capsys.readouterr().out == "A smooth function.\nNoise.\n"
    assert main(["describe", model, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["sentences"] == ["A smooth function.", "Noise."]


@pytest.mark.skipif(os.name == "nt", reason="links need special rights on Windows")
def test_a_forecast_follows_a_link(model: str) -> None:
    Path("link.csv").symlink_to("real.csv")
    assert main(["forecast", model, "--output", "link.csv", "--quiet"]) == 0
    assert Path("link.csv").is_symlink()
    assert Path("real.csv").read_text(encoding="utf-8").startswith("time,mean")
