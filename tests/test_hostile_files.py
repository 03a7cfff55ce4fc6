"""The small hostile files of an attack: each is modelled or refused in words, and what is told of it is true."""

import json
from pathlib import Path

import pandas as pd
import pytest

from autostatistician import AutomaticStatistician
from autostatistician.cli.main import main

pytestmark = pytest.mark.as_for_users
DONE, REFUSED = 0, 2


@pytest.fixture
def hostile(shared_data: Path) -> Path:
    return shared_data / "hostile"


@pytest.mark.slow
def test_one_wild_value_is_set_aside_and_hides_no_cycle(
    hostile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    asked = ["report", str(hostile / "spike40_sine50.csv"), "--output", str(page), "--json", "--quiet", "--n-jobs", "1"]
    assert main(asked) == DONE
    assert "Per" in json.loads(capsys.readouterr().out)["expression"]
    text = page.read_text(encoding="utf-8")
    assert "'t' = 20: 40 where about 0.3" in text
    assert "heavy tails" not in text
    assert "No structure" not in text


@pytest.mark.slow
def test_a_new_row_is_a_surprise_where_it_lies_outside_of_its_range_alone(hostile: Path) -> None:
    """A sine by least squares, which misses the rows by 0.07, has -0.79 where 0.1 came."""
    data = pd.read_csv(hostile / "forty_rows.csv")
    time, target = data.columns[:2]
    model = AutomaticStatistician(n_jobs=1).fit(data[[time]], data[target])
    row = pd.read_csv(hostile / "new_row.csv")
    outside = model.compare(row[[time]], row[target])
    assert outside.sentences[0].startswith("1 row lies outside the 95% range that was forecast")
    assert outside.surprising
    told = model.compare(row[[time]], row[target] - 0.85)
    assert told.sentences[0] == "The new row lies within the 95% ranges that were forecast."
    assert told.p_value > 0.05
    assert not told.surprising
    assert not told.search_again


@pytest.mark.slow
@pytest.mark.parametrize("name", ["soak_34.tsv", "soak_163.csv", "soak_283.csv", "soak_300.csv"])
def test_values_whose_squares_are_no_numbers_are_refused_before_the_search(
    hostile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    model = tmp_path / "model.json"
    asked = ["fit", str(hostile / name), "--output", str(model), "--max-depth", "1", "--time-budget", "5", "--quiet"]
    assert main(asked) == REFUSED
    assert not model.exists()
    assert capsys.readouterr().err.startswith("error: expected ")


@pytest.mark.slow
def test_data_that_end_on_the_last_day_of_the_calendar_have_a_report(hostile: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    quick = ["--max-depth", "1", "--quiet", "--n-jobs", "1"]
    asked = ["report", str(hostile / "soak_390.txt"), "--output", str(page), *quick]
    assert main(asked) == DONE
    assert page.stat().st_size > 10_000
