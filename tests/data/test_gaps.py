"""Empty cells of the inputs of tables: rows are kept, and predicted, and only gaps that tell something are columns."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from autostatistician.data.dataset import Dataset
from autostatistician.data.load import load
from autostatistician.data.measurements import read_table
from autostatistician.data.new_rows import inputs_of, rows_of_table
from autostatistician.data.transform import Transform, modelled
from autostatistician.errors import InputError
from autostatistician.estimators.statistician import AutomaticStatistician

ROWS = 250


def _frame(columns: int = 4, share: float = 0.15) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(ROWS, columns)), columns=[f"x{k}" for k in range(columns)])
    y = 2.0 * frame["x0"] + 0.3 * rng.normal(size=ROWS)
    return frame.mask(rng.random(frame.shape) < share).assign(y=y)


def test_ten_columns_with_gaps_cost_no_row_and_add_no_column() -> None:
    data = load(_frame(10), target="y")
    assert (data.n, len(data.columns)) == (ROWS, 10)
    assert data.incomplete == data.columns
    assert any("rows with empty cells are kept" in text for text in data.warnings)


def test_a_nearly_empty_column_is_left_out() -> None:
    frame = _frame(2, 0.0)
    frame["comment"] = np.where(np.arange(ROWS) % 14 == 0, frame["y"].round(1), np.nan)
    data = load(frame, target="y")
    assert (data.n, data.columns) == (ROWS, ("x0", "x1"))
    assert any("most of its cells are empty: 'comment'" in text for text in data.warnings)


def test_words_for_nothing_among_numbers_are_gaps() -> None:
    frame = _frame(2, 0.0)
    cells = [word if row % 5 == 0 else f"{value:.2f}" for row, (value, word) in enumerate(
        zip(frame["x1"], ["unknown", "n/a", "-", "?", "NA"] * 50, strict=True)
    )]  # fmt: skip
    data = load(frame.assign(x1=cells), target="y")
    assert (data.n, data.incomplete) == (ROWS, ("x1",))


def test_gaps_that_depend_on_the_value_have_an_indicator() -> None:
    frame = _frame(3, 0.0)
    frame.loc[frame["x0"] > 1.0, "x0"] = np.nan
    data = load(frame, target="y")
    assert data.columns == ("x0", "x1", "x2", "x0 missing")
    assert data.given == ("x0", "x1", "x2")
    assert data.levels == {"x0 missing": ("given", "missing")}
    assert data.X[:, 3].tolist() == frame["x0"].isna().tolist()


def test_columns_that_are_empty_together_have_one_indicator() -> None:
    frame = _frame(3, 0.0)
    frame.loc[frame["x0"] > 1.0, ["x0", "x2"]] = np.nan
    assert load(frame, target="y").columns == ("x0", "x1", "x2", "x0 missing")


def test_new_rows_are_read_like_those_of_the_fit_and_records_keep_how() -> None:
    frame = _frame().assign(colour=["red", "blue", None, "blue", "red"] * 50)
    data = Dataset.from_json(load(frame, target="y").to_json())
    assert data.filled(inputs_of(data, frame))[0].tolist() == data.X.tolist()
    assert data.unsure is not None
    assert data.filled(inputs_of(data, frame))[1].tolist() == data.unsure.tolist()
    assert rows_of_table(data, frame).X.tolist() == data.X.tolist()
    assert inputs_of(data, [[None, 1.0, 2.0, 3.0, None]])[0][1:].tolist() == [1.0, 2.0, 3.0, 2.0]


def test_a_gap_in_a_column_that_had_none_is_refused() -> None:
    data = load(_frame(2, 0.0), target="y")
    with pytest.raises(InputError, match="finite numbers in column 'x1' of every row; found NaN in row 1"):
        inputs_of(data, pd.DataFrame({"x0": [1.0], "x1": [np.nan]}))


def test_a_nearly_empty_column_costs_no_rows_of_clusters() -> None:
    frame = _frame(2, 0.0).assign(comment=np.where(np.arange(ROWS) % 14 == 0, np.arange(ROWS) ** 0.5, np.nan))
    found = read_table(frame)
    assert (found.columns, len(found.rows)) == (("x0", "x1", "y"), ROWS)
    assert "Column 'comment' is left out: most of its cells are empty." in found.notes


def test_models_predict_rows_with_gaps_also_when_they_were_saved(tmp_path: Path) -> None:
    frame = _frame(2, 0.0)[::2]
    frame.loc[frame["x0"] > 1.0, "x0"] = np.nan
    model = AutomaticStatistician(max_depth=2, n_restarts=1, n_jobs=1).fit(frame, "y")  # with leaves for categories
    gaps = np.isnan(frame["x0"])
    mean = model.predict(frame[["x0", "x1"]])
    assert mean[gaps].mean() == pytest.approx(frame["y"][gaps].mean(), abs=0.3)
    model.save(tmp_path / "model.json")
    again = AutomaticStatistician.load(tmp_path / "model.json")
    assert again.predict(frame[["x0", "x1"]]).tolist() == mean.tolist()
    assert model.n_features_in_ == again.n_features_in_ == 2


def test_the_only_column_of_numbers_cannot_be_filled() -> None:
    assert load({"x": [1.0, np.nan, 3.0, 2.0], "y": [1.0, 2.0, 3.0, 1.5]}, target="y", inputs=["x"]).n == 3


def _correlated(gaps: float) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A table with gaps in one of two columns that go together, and the same without."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=ROWS)
    whole = pd.DataFrame({"x0": x, "x1": 0.8 * x + 0.6 * rng.normal(size=ROWS)})
    whole["y"] = 2.0 * whole["x0"] + 0.3 * rng.normal(size=ROWS)
    return whole.assign(x0=whole["x0"].mask(rng.random(ROWS) < gaps)), whole


def test_an_empty_number_is_what_the_others_let_expect_and_costs_its_row_what_is_left() -> None:
    frame, whole = _correlated(0.3)
    data, gaps = load(frame, target="y"), np.isnan(frame["x0"])
    assert data.unsure is not None
    assert np.std((data.X[:, 0] - whole["x0"])[gaps]) == pytest.approx(0.6, abs=0.08)
    assert np.all(data.unsure[~gaps] == 0.0)
    assert data.unsure[gaps].mean() == pytest.approx(4.0 * 0.36, rel=0.2)


def test_what_gaps_leave_open_is_part_of_predictions_but_not_of_others() -> None:
    frame, whole = _correlated(0.3)
    model = AutomaticStatistician("se", max_depth=2, n_restarts=1, n_jobs=1).fit(frame, "y")
    gaps = np.isnan(frame["x0"])
    mean, sd = model.predict(frame[["x0", "x1"]], return_std=True)
    assert sd[~gaps].mean() == pytest.approx(0.3, abs=0.05)
    assert sd[gaps].mean() == pytest.approx(np.std((whole["y"] - mean)[gaps]), rel=0.2)


def test_gaps_of_a_column_without_effect_cost_nothing() -> None:
    rng = np.random.default_rng(5)
    frame = _frame(2, 0.0)
    data = load(frame.assign(x1=frame["x1"].mask(rng.random(ROWS) < 0.3)), target="y")
    assert data.unsure is None or data.unsure.max() < 1e-3


def test_counts_and_classes_have_no_noise_of_gaps() -> None:
    frame, _ = _correlated(0.3)
    data = load(frame.assign(y=np.where(frame["y"] > 0.0, "yes", "no")), target="y", task="class")
    assert data.classes
    assert modelled(data, Transform()).noise is None


def test_new_rows_with_gaps_are_no_surprise() -> None:
    frame, _ = _correlated(0.3)
    model = AutomaticStatistician("se", max_depth=2, n_restarts=1, n_jobs=1).fit(frame[:170], "y")
    assert "no surprise" in str(model.update(frame[170:]))
    assert model.model_.problem.noise is not None
    assert model.model_.problem.n == ROWS


def test_counts_beside_gaps_have_no_formula() -> None:
    frame, _ = _correlated(0.3)
    counts = frame.assign(y=np.random.default_rng(0).poisson(np.exp(0.3 * frame["y"])))
    model = AutomaticStatistician("linear", max_depth=1, n_restarts=1, n_jobs=1).fit(counts, "y")
    with pytest.raises(InputError, match="a target of numbers for a formula"):
        model.formula()
