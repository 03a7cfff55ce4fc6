"""Classes through the command line: found out, overruled, saved, described, forecast."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from tests.cli.conftest import Run
from tests.saved_models.models import place

from autostatistician.cli import saved
from autostatistician.cli.main import main
from autostatistician.cli.terminal import Printer
from autostatistician.estimators.loading import load_estimator

QUICK = ("--language", "linear", "--max-depth", "2", "--n-jobs", "1", "--criterion", "bic")
RNG = np.random.default_rng(8)
N = 60


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    age = RNG.uniform(10.0, 70.0, N).round(1)
    came = RNG.uniform(size=N) < 1.0 / (1.0 + np.exp(0.12 * (age - 40.0)))
    frame = pd.DataFrame({"age": age, "fare": RNG.lognormal(3.0, 0.5, N).round(2), "survived": came.astype(int)})
    path = tmp_path_factory.mktemp("classes") / "people.csv"
    frame.to_csv(path, index=False)
    return path


@pytest.mark.slow
def test_a_class_is_found_out_told_saved_and_described(
    people: Path, tmp_path: Path, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    page, model = tmp_path / "r.html", tmp_path / "m.json"
    told = run(["fit", people, "--target", "survived", *QUICK, "--output", model])
    assert "it could be modelled as a number instead" in told.err
    assert "the chance of 'survived' = '1' falls from" in told.out
    assert main(["report", str(model), "--json", "--output", str(page)]) == 0
    assert "it could be modelled as a number" in page.read_text(encoding="utf-8")
    record = json.loads(capsys.readouterr().out)
    assert record["classes"] == ["0", "1"]
    assert 0.0 < record["wrong"] < record["wrong_of_share"]
    assert json.loads(run(["describe", model, "--json"]).out)["log_score"] == record["log_score"]
    assert main(["forecast", str(model)]) == 2


def test_a_number_is_a_number_where_someone_says_so(people: Path, tmp_path: Path, run: Run) -> None:
    out = ("--output", str(tmp_path / "m.json"), "--json")
    record = json.loads(run(["fit", people, "--target", "survived", "--task", "number", *QUICK, *out]).out)
    assert "classes" not in record
    assert any("modelled as numbers" in one for one in record["warnings"])
    printed = run(["fit", people, "--target", "fare", "--task", "class", *QUICK, *out], 2).err
    assert "at most 20 classes in column 'fare'" in printed


@pytest.mark.parametrize(
    ("name", "text", "columns"),
    [
        ("people", "age\n20\n60\n", ["age", "probability", "lower", "upper", "class"]),
        ("kinds", "x1,x2\n0.1,2\n1,-1\n", ["x1", "x2", *(
            f"{what}_{kind}" for kind in ("high", "low", "middle") for what in ("probability", "lower", "upper")
        ), "class"]),
    ],
)  # fmt: skip
def test_rows_get_the_chances_of_their_classes(
    name: str, text: str, columns: list[str], tmp_path: Path, run: Run
) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text(text, encoding="utf-8")
    record = json.loads(run(["predict", place(name), rows, "--json"]).out)
    frame, model = pd.DataFrame(record["rows"]), load_estimator(place(name))
    assert list(frame) == columns
    given = frame[columns[: len(text.split()[0].split(","))]]
    assert frame["class"].tolist() == [str(label) for label in model.predict(given)]
    chances = frame.filter(regex="^probability").to_numpy()
    assert chances == pytest.approx(model.predict_proba(given)[:, -chances.shape[1] :])  # type: ignore[union-attr]


def test_what_only_numbers_have_is_refused_for_classes(people: Path, run: Run) -> None:
    printed = run(["fit", people, "--target", "survived", *QUICK, "--transform", "log", "--limits", "0,9"], 2).err
    assert "no --transform, --limits for the classes of column 'survived'" in printed
    printed = run(["report", people, "--target", "survived", *QUICK, "--horizon", "3"], 2).err
    assert "--horizon for classes over time alone" in printed


@pytest.mark.slow
def test_rain_is_forecast(tmp_path: Path, run: Run) -> None:
    days = pd.date_range("2024-01-01", periods=50)
    rain = np.where(np.arange(50) % 17 < 8, "yes", "no")
    path, model = tmp_path / "rain.csv", tmp_path / "m.json"
    pd.DataFrame({"day": days.strftime("%Y-%m-%d"), "rain": rain}).to_csv(path, index=False)
    quick = (*QUICK, "--language", "se")
    assert main(["fit", str(path), "--target", "rain", *quick, "--output", str(model), "--quiet"]) == 0
    rows = json.loads(run(["forecast", model, "--horizon", "3", "--json"]).out)["forecast"]
    assert [row["time"][:10] for row in rows] == ["2024-02-20", "2024-02-21", "2024-02-22"]
    assert all(0.0 <= row["lower"] <= row["probability"] <= row["upper"] <= 1.0 for row in rows)
    assert main(["report", str(model), "--horizon", "5", "--output", str(tmp_path / "r.html")]) == 0
    assert "(20 February 2024 to 24 February 2024)" in (tmp_path / "r.html").read_text(encoding="utf-8")
    printed = run(["report", path, *QUICK, "--future", "auto", "--output", tmp_path / "r.html"], 2).err
    assert "no plan of columns for classes" in printed
    printed = run(["ask", model, "forecast", "--at", "2024-02-21"]).out
    assert "The chance of 'rain' = 'yes' for 21 February 2024 is" in printed


@pytest.mark.parametrize("name", ["=HYPERLINK(1)", "+cmd|' /C calc'!A0", "@x", "-a"])
def test_a_spreadsheet_takes_no_class_of_a_forecast_for_a_formula(tmp_path: Path, name: str) -> None:
    frame = pd.DataFrame({"time": [-1.5], "probability": [0.5], "lower": [0.25], "upper": [0.75], "class": [name]})
    saved._told(frame, (), {}, tmp_path / "a.csv", Printer(quiet=True))
    written = pd.read_csv(tmp_path / "a.csv")
    assert (written["class"].tolist(), written["time"].tolist()) == ([f"'{name}"], [-1.5])


@pytest.mark.slow
def test_three_classes_are_searched_saved_asked_and_told(tmp_path: Path, run: Run) -> None:
    size = RNG.uniform(0.0, 9.0, N).round(2)
    frame = pd.DataFrame({"size": size, "kind": np.array(["low", "mid", "top"])[(size // 3.0).astype(int).clip(0, 2)]})
    path, page, model = tmp_path / "sizes.csv", tmp_path / "r.html", tmp_path / "m.json"
    frame.to_csv(path, index=False)
    kept = tmp_path / "levels.json"
    quick = ("--target", "kind", *QUICK, "--language", "se", "--max-depth", "1")
    told = run(["fit", path, *quick, "--checkpoint", kept, "--output", model])
    assert "Column 'kind' holds 3 classes" in told.err
    assert "As 'size' goes from" in told.out
    assert "Along 'size' the chance of 'kind' = 'mid' rises" in told.out
    assert not list(tmp_path.glob("levels*"))
    assert "the chance of 'kind' = 'top' rises" in run(["ask", model, "what"]).out
    record = json.loads(run(["report", model, "--json", "--output", page]).out)
    assert list(record["each"]) == record["classes"] == ["low", "mid", "top"]
    assert "the chance of &#39;kind&#39; = &#39;mid&#39;" in page.read_text(encoding="utf-8").replace("\u00a0", " ")
    printed = run(["report", path, "--target", "kind", "--plan"]).out
    assert "Each of 3 classes has a search against all others" in printed
