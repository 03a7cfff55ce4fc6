"""One measurement beside other packages, and when none is made."""

import json
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import beside as made

N = 120


@pytest.fixture
def data(tmp_path: Path) -> Path:
    made.write_data(tmp_path / "data.npz", N)
    return tmp_path / "data.npz"


def test_the_structure_is_the_same_for_all_that_take_it(data: Path) -> None:
    one, engines = import_module("beside_one"), import_module("beside_engines").engines()
    with np.load(data) as held:
        known = one.Data(*(held[name] for name in ("x", "y", "x_new", "y_new")), json.loads(str(held["numbers"])))
    assert (len(known.y), len(known.y_new), known.y.mean()) == (N, 48, pytest.approx(0.0, abs=1e-12))
    found = {name: one.measured(engines[name], "likelihood", known) for name in ("ours", "scikit-learn")}
    values = [float(row["nll"]) for row in found.values()]
    assert values[0] == pytest.approx(values[1], abs=0.02)  # theirs has a constant in what repeats
    assert known.start["slow_sd"] < known.numbers["slow_sd"]
    assert known.start["day_period"] == known.numbers["day_period"]


@pytest.mark.slow
def test_a_measurement_is_a_process_of_its_own(data: Path) -> None:
    import sys

    given = SimpleNamespace(python=sys.executable)
    row = made.measured({"engine": "scikit-learn", "task": "neither", "n": N}, data, given)
    assert row["state"].startswith("failed: ")
    row = made.measured({"engine": "scikit-learn", "task": "likelihood", "n": N}, data, given)
    assert float(row["seconds"]) > 0.0
    assert row["megabytes"] > 10


def test_what_was_too_much_is_not_tried_with_more_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    over = {"state": made.OVER}
    monkeypatch.setattr(made, "measured", lambda case, *_: {"seconds": "1"} if case["n"] < 200 else over)
    known = {"task": ["fit"], "engine": ["ours"], "n": [100, 200, 300]}
    given = SimpleNamespace(results=tmp_path, dry_run=False, fresh=False, python="", **known)
    assert made.BENCH.fill(given)
    rows = import_module("common").read_rows(tmp_path / "beside.csv")
    assert [row["state"] for row in rows] == ["", made.OVER, made.NOT_TRIED]
