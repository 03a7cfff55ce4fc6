"""From a table with several inputs to its report: command line, estimator, saved models, published data."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from tests.describe.sentences import check_document

from autostatistician import AutomaticStatistician
from autostatistician.cli.main import main
from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.decompose.records.series import Fitted
from autostatistician.decompose.table.decomposition import decompose_table
from autostatistician.describe.tell import document, sentences
from autostatistician.errors import InputError
from autostatistician.gp.engines.choice import condition
from autostatistician.gp.problem import Problem
from autostatistician.kernels.kernel import Kernel, leaf

QUICK = ("--target", "y", "--max-depth", "1", "--language", "linear", "--n-jobs", "1", "--quiet")


def _table(n: int = 40) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Columns a, b, c, y: y rises with a and depends on nothing else."""
    rng = np.random.default_rng(0)
    X = rng.uniform(0.0, 10.0, (n, 3)).round(3)
    return np.column_stack([X, (5.0 + 2.0 * X[:, 0] + 0.3 * rng.normal(size=n)).round(3)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a table and the model that the command line has fitted to it."""
    place = tmp_path_factory.mktemp("tables")
    np.savetxt(place / "t.csv", _table(), delimiter=",", header="a,b,c,y", comments="", fmt="%g")
    assert main(["fit", str(place / "t.csv"), *QUICK, "--output", str(place / "model.json")]) == 0
    return place


@pytest.fixture(scope="module")
def model(folder: Path) -> AutomaticStatistician:
    return AutomaticStatistician.load(folder / "model.json")


def test_a_saved_model_of_a_table_is_the_same_again(folder: Path, model: AutomaticStatistician) -> None:
    model.save(folder / "again.json")
    again = AutomaticStatistician.load(folder / "again.json")
    assert again.dataset_.columns == ("a", "b", "c")
    X = _table()[:5, :3]
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    assert again.describe() == model.describe()
    page = model.report().document
    assert again.report().document.record == page.record
    check_document(page)


def test_it_says_what_matters_and_what_does_not(model: AutomaticStatistician) -> None:
    told = model.describe()
    assert told[0].startswith("'y' rises with 'a' evenly, by ")
    assert not any("'b'" in text or "'c'" in text for text in told)  # one level was tried: that rules no column out
    assert set(model.statements()["text"]) >= {"'a' matters"}


def test_the_words_of_the_command_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["describe", str(folder / "model.json"), "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["inputs"] == ["a", "b", "c"]
    assert record["components"][0]["columns"] == ["a"]
    assert record["columns"][0]["name"] == "a"
    assert record["sentences"][0].startswith("'y' rises with 'a' evenly")


def test_reports_and_pictures(folder: Path, model: AutomaticStatistician) -> None:
    page = model.report(folder / "r.html").read_text(encoding="utf-8")
    assert ">Columns</h2>" in page
    assert "forecast" not in page.partition("<body>")[2].lower()
    for figure, panels in ((model.plot(), 1), (model.plot.components(), 1)):
        assert isinstance(figure, Figure)
        assert sum(axes.axison for axes in figure.axes) == panels  # the rows of the legend have none
    with pytest.raises(InputError, match="a model with this picture"):
        model.plot.forecast()


def test_parts_are_effects_and_can_be_asked_for_elsewhere(model: AutomaticStatistician) -> None:
    (part, *_) = model.decompose()
    assert part.sentence == model.describe()[0]
    assert part.mean.shape == (40,)
    assert part.share > 90.0
    there = model.decompose(_table()[:7, :3])[0]
    np.testing.assert_allclose(there.mean, part.mean[:7], atol=1e-6)
    np.testing.assert_allclose(there.std, part.std[:7], atol=1e-6)


def test_a_table_has_no_horizon(folder: Path, model: AutomaticStatistician, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match="a table has no order to go on in"):
        model.report(horizon=12)
    assert main(["forecast", str(folder / "model.json")]) == 2
    assert "use predict" in capsys.readouterr().err


def test_an_unknown_input_is_refused_before_the_search(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(folder / "t.csv"), *QUICK, "--inputs", "a,bb"]) == 2
    assert "expected a column 'bb'" in capsys.readouterr().err


def test_rows_to_predict_must_be_whole(model: AutomaticStatistician) -> None:
    with pytest.raises(ValueError, match="NaN"):
        model.predict(np.array([[1.0, np.nan, 2.0]]))


# --- published tables -------------------------------------------------------------------------------------------------


def _published(folder: Path, name: str) -> Dataset:
    table = np.genfromtxt(folder / "regression" / f"{name}.csv", delimiter=",", names=True)
    assert table.dtype.names is not None
    columns = tuple(column for column in table.dtype.names if column not in ("y", "fold"))
    return from_arrays(np.column_stack([table[column] for column in columns]), table["y"], columns, name=name)


def _bumps(**columns: tuple[float, float]) -> Kernel:
    return Kernel.sum(tuple(leaf("SE", name, lengthscale=scale, sd=sd) for name, (scale, sd) in columns.items()))


CONCRETE = _bumps(
    cement=(400.0, 25.0), slag=(400.0, 20.0), fly_ash=(300.0, 8.0), water=(30.0, 10.0), plasticizer=(8.0, 5.0),
    age=(40.0, 20.0),
)  # fmt: skip


@pytest.mark.long
def test_the_aggregates_of_concrete_do_not_matter(shared_data: Path) -> None:
    data = _published(shared_data, "concrete")
    kernel = CONCRETE + leaf("C", sd=35.0) + leaf("WN", sd=5.0)
    found = decompose_table(condition(kernel, Problem.of(data)), data, fitted=Fitted(kernel, 0.0, 0.0, 14, 1.0, 1))
    told = sentences(found)
    assert any(sentence.startswith("'coarse' has next to no effect") for sentence in told)
    assert not any(text in sentence for sentence in told for text in ("with 'fine'", "along 'fine'", "'fine' matters"))
    assert any(sentence.startswith("'y' rises with 'cement'") for sentence in told)
    assert found.left_out.r2 > 0.8


@pytest.mark.slow
def test_servo_has_columns_that_act_together(shared_data: Path) -> None:
    data = _published(shared_data, "servo")
    both = _bumps(pgain=(1.0, 2.0)) * leaf("Lin", "motor", sd=0.5, location=6.0)
    kernel = both + _bumps(screw=(2.0, 0.5)) + leaf("C", sd=2.0) + leaf("WN", sd=0.6)
    found = decompose_table(condition(kernel, Problem.of(data)), data, fitted=Fitted(kernel, 0.0, 0.0, 8, 1.0, 1))
    assert found.effects[0].columns == ("motor", "pgain")
    assert "'motor' and 'pgain' act together: " in sentences(found)[0]
    assert document(found).picture is not None


@pytest.mark.slow
def test_many_rows_are_searched_on_some_and_told_of_all(tmp_path: Path) -> None:
    """Through the public door: the search, predictions, the report, a model that is stored and takes new rows."""
    rng = np.random.default_rng(8)
    frame = pd.DataFrame(rng.uniform(0.0, 3.0, (2600, 2)), columns=["dose", "age"])
    truth = np.sin(2.0 * frame["dose"]) + 0.5 * frame["age"]
    y = pd.Series(truth + 0.2 * rng.normal(size=2600), name="effect")
    model = AutomaticStatistician(max_depth=2, n_restarts=1, n_jobs=1).fit(frame[:2500], y[:2500])
    rows = model.search_.trace["rows"]
    assert rows[0] == 1000
    assert np.isnan(rows.iloc[-1])  # of all
    mean, sd = model.predict(frame[2500:], return_std=True)
    assert float(np.sqrt(np.mean((mean - truth[2500:]) ** 2))) < 0.05
    assert float(np.median(sd)) == pytest.approx(0.2, rel=0.05)
    model.report(tmp_path / "report.md")
    told = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "With 2,500 rows, the function is made to stand on its values at" in told
    model.save(tmp_path / "model.json")
    again = AutomaticStatistician.load(tmp_path / "model.json")
    np.testing.assert_array_equal(again.predict(frame[2500:]), mean)
    again.update(frame[2500:], y[2500:])
    assert again.predict(frame[:5]) == pytest.approx(model.predict(frame[:5]), abs=0.05)
