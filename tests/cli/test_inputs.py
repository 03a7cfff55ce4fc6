"""The command line on tables with several inputs, some of them text."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from tests.cli.conftest import Run

from autostatistician import AutomaticStatistician


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    size, district = rng.uniform(20.0, 150.0, 40).round(1), np.array(["north", "south"])[np.arange(40) % 2]
    rent = 50.0 + 2.5 * size + np.where(district == "north", 60.0, 0.0) + 5.0 * rng.standard_normal(40)
    rows = [f"{a},{b},{c:.1f}" for a, b, c in zip(size, district, rent, strict=True)]
    path = tmp_path / "flats.csv"
    path.write_text("\n".join(["size,district,rent", *rows]), encoding="utf-8")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("inputs", ["size,district", "*", " district , size "])
def test_fit_takes_columns_of_text(table: Path, tmp_path: Path, run: Run, inputs: str) -> None:
    output = tmp_path / "m.json"
    options = ["--target", "rent", "--inputs", inputs, "--max-depth", "2", "--n-jobs", "1", "--json", "--quiet"]
    assert "Cat[district]" in json.loads(run(["fit", table, *options, "--output", output]).out)["expression"]
    model = AutomaticStatistician.load(output)
    assert model.dataset_.levels == {"district": ("north", "south")}
    both = model.predict({"size": [80.0, 80.0], "district": ["north", "south"]})
    assert both[0] - both[1] == pytest.approx(60.0, abs=8.0)


def test_an_input_that_is_not_there_is_said_in_one_line(table: Path, run: Run) -> None:
    message = run(["fit", table, "--target", "rent", "--inputs", "size,distrct"], 2).err.strip().splitlines()[-1]
    assert "did you mean 'district'?" in message


def test_a_small_file_of_gigabytes_is_refused_in_one_line(tmp_path: Path, run: Run) -> None:
    notes = pd.Categorical.from_codes(np.zeros(3000, int), ["x" * 400_000])
    pd.DataFrame({"t": range(3000), "y": 1.0, "note": notes}).to_parquet(tmp_path / "bomb.parquet")
    assert (tmp_path / "bomb.parquet").stat().st_size < 60_000
    printed = run(["report", tmp_path / "bomb.parquet", "--output", tmp_path / "r.html"], 2).err
    assert printed == (
        "error: expected at most 200 MB; found more than 200 MB; take means over longer steps (--every day --by mean), "
        "or a part of the rows\n"
    )


def test_a_table_that_takes_too_much_memory_is_refused_in_one_line(
    table: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exhausted(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("autostatistician.data.load.load", exhausted)
    monkeypatch.setattr("autostatistician.data.measurements.read_table", exhausted)
    for command in ("report", "fit", "clusters"):
        message = run([command, table], 2).err.strip().splitlines()
        assert len(message) == 1
        assert message[0].startswith("error: expected a table of usual size; found one that takes more than ")
