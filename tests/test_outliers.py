"""An outlier from the file to the report: set aside, named, predicted, kept on request, saved."""

import json
from pathlib import Path

import numpy as np
import pytest

from autostatistician import AutomaticStatistician, TargetOptions
from autostatistician.cli.options import OUTLIERS as OF_COMMANDS
from autostatistician.data.outliers import OUTLIERS
from autostatistician.errors import InputError

pytestmark = pytest.mark.as_for_users
X = np.arange(50.0)[:, None]
Y = 50.0 + 0.2 * X[:, 0] + np.random.default_rng(11).normal(size=50)
Y[30] = 146.0
QUICK = {"max_depth": 1, "n_restarts": 2, "n_jobs": 1, "average": False}


@pytest.fixture(scope="module")
def model() -> AutomaticStatistician:
    return AutomaticStatistician(**QUICK).fit(X, Y)


@pytest.mark.slow
def test_the_model_is_made_without_it_and_says_so(model: AutomaticStatistician) -> None:
    assert model.dataset_.n == 49
    assert model.outliers_.to_dict("records")[0] == pytest.approx(
        {"time": 30.0, "value": 146.0, "expected": 56.0, "aside": True, "chance": 1.0}, abs=1.5
    )
    assert any("30: 'y' is 146 where about" in warning for warning in model.dataset_.warnings)
    assert not {"CP", "CW"} & {str(model.kernel_)[:2]}
    assert model.kernel_.expr == AutomaticStatistician(**QUICK).fit(np.delete(X, 30, 0), np.delete(Y, 30)).kernel_.expr


def test_its_place_is_predicted_like_any_other(model: AutomaticStatistician) -> None:
    mean, sd = model.predict(X, return_std=True)
    assert len(mean) == 50
    assert mean[30] == pytest.approx(56.0, abs=1.5)
    assert sd[30] < 3.0


def test_the_report_and_the_record_name_it(model: AutomaticStatistician) -> None:
    text = json.dumps(model.to_dict())
    assert '"fact": "outlier"' in text
    assert "146" in text


@pytest.mark.slow
def test_it_is_kept_on_request() -> None:
    kept = AutomaticStatistician(**QUICK, target_options=TargetOptions(outliers="keep")).fit(X, Y)
    assert kept.dataset_.n == 50
    assert len(kept.outliers_) == 0


def test_the_command_line_knows_the_same_ways() -> None:
    assert OF_COMMANDS == OUTLIERS


def test_an_unknown_way_is_refused() -> None:
    with pytest.raises(InputError, match="outliers"):
        AutomaticStatistician(**QUICK, target_options=TargetOptions(outliers="drop")).fit(X, Y)


@pytest.mark.slow
def test_a_saved_model_keeps_them(model: AutomaticStatistician, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    model.save(path)
    loaded = AutomaticStatistician.load(path)
    assert loaded.target_options is None
    assert loaded.outliers_.equals(model.outliers_)
    assert loaded.to_dict() == model.to_dict()
