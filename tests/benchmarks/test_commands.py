from __future__ import annotations

import runpy
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from autostatistician.language.text import parse

NAMES = [
    "calibration", "corpus", "evidence", "extrapolation", "full_data", "synthetic", "learning_curve", "peers", "others",
    "speed", "ranges", "hkl", "clusters", "cluster_chains", "cluster_seeds", "deep", "tables_scale", "scale",
    "beside", "scaled_search", "batch", "impacts", "columns", "columns_truth",
    "panel", "robust", "equations",
]  # fmt: skip


@pytest.fixture
def synthetic(folder: Path) -> dict[str, Any]:
    return runpy.run_path(str(folder / "synthetic.py"))


@pytest.mark.parametrize("name", NAMES)
def test_every_command_shows_an_empty_table(
    folder: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [name, "--summary", "--csv", str(tmp_path / "none.csv")])
    runpy.run_path(str(folder / f"{name}.py"), run_name="__main__")
    assert "no results yet" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["seasonal-naive", "AutoTheta"])
def test_the_recorded_peers_are_compared_over_all_series(folder: Path, name: str) -> None:
    module = runpy.run_path(str(folder / "extrapolation.py"))
    (row,) = module["summary"](import_module("measures").recorded("extrapolation", [name]), "extrapolation")
    ratios = {"seasonal-naive": ("1.254", "1.173"), "AutoTheta": ("1.099", "1.142")}
    assert (row["rmse/ABCD"], row["crps/ARIMA"]) == ratios[name]
    assert row["series"] == 13


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("WN + C", "none"),
        ("(SE + C) * Lin + WN", "Lin[x1] + Lin[x1] * SE[x1]"),
        ("Lin * (Per + WN)", "Lin[x1] * Per[x1] + Lin[x1] * WN"),
        ("SE * WN + Per", "Per[x1]"),
        ("(SE[x1] + RQ[x2]) * SE[x3]", "SE[x1] * SE[x3] + SE[x2] * SE[x3]"),
        ("CP(SE, WN)", "ChangePoint"),
    ],
)
def test_structure_is_what_varies_with_the_inputs(synthetic: dict[str, Any], text: str, found: str) -> None:
    assert synthetic["shown"](synthetic["structure"](parse(text))) == found


def test_the_draws_have_the_signal_to_noise_ratio_of_their_case(synthetic: dict[str, Any]) -> None:
    inputs, kernel = synthetic["cases"]()["se1-se2"]
    clean, noisy = (synthetic["drawn"](kernel, inputs, snr, 0) for snr in (1e12, 1.0))
    assert clean.columns == ("x1", "x2", "x3", "x4")
    assert clean.y.std() == pytest.approx(1.0, abs=1e-4)
    assert (noisy.y - clean.y).std() == pytest.approx(1.0, abs=0.1)


def _stub(*args: Any, **kept: Any) -> Any:
    raise _Seen(args, kept)


class _Seen(Exception):
    """Carries what a search was asked for, in its place."""


@pytest.mark.parametrize("option", [[], ["--option", "n_restarts=1"]])
def test_bics_on_all_the_data_are_of_all_the_rows(
    folder: Path, tmp_path: Path, option: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    module = import_module("full_data")
    (tmp_path / "timeseries").mkdir()
    (tmp_path / "timeseries" / "01-one.csv").write_text("x,y\n1,2\n2,3\n3,5\n")
    monkeypatch.setattr(module, "fitted", _stub)
    monkeypatch.setattr(sys, "argv", ["", "--data", str(tmp_path), "--csv", str(tmp_path / "none.csv"), *option])
    with pytest.raises(_Seen) as seen:
        module.main()
    assert seen.value.args[0][3]["outliers"] == "keep"
