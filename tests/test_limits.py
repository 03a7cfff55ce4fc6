"""Natural limits from the settings to predictions, reports and saved models."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from autostatistician import AutomaticStatistician, TargetOptions
from autostatistician.cli.main import main
from autostatistician.errors import InputError

QUICK = {"language": "linear", "max_depth": 1, "n_restarts": 2, "n_jobs": 1, "target_options": TargetOptions("none")}
X = np.arange(60.0)[:, None]
RNG = np.random.default_rng(3)
COUNTS = RNG.poisson(np.linspace(20.0, 1.0, 60)).astype(float)  # that fade to nothing
FADING = np.maximum(np.linspace(30.0, 1.0, 60) + RNG.normal(size=60), 0.3)


def _limited(limits: Any) -> AutomaticStatistician:
    return AutomaticStatistician(**QUICK | {"target_options": TargetOptions("none", limits=limits)})


@pytest.fixture(scope="module")
def model() -> AutomaticStatistician:
    return AutomaticStatistician(**QUICK).fit(X, COUNTS)


@pytest.fixture(scope="module")
def free() -> AutomaticStatistician:
    return _limited(None).fit(X, COUNTS)


@pytest.mark.slow
def test_ranges_stop_at_zero_and_fits_stay_as_they_are(
    model: AutomaticStatistician, free: AutomaticStatistician
) -> None:
    limited = model.forecast(20)
    plain = free.forecast(20)
    assert str(free.kernel_) == str(model.kernel_)
    assert free.kernel_.values == model.kernel_.values
    assert plain["lower"].min() < 0.0
    assert limited["lower"].min() == 0.0
    assert (limited["mean"] >= 0.0).all()
    assert (limited["mean"] >= plain["mean"] - 1e-12).all()
    np.testing.assert_array_equal(limited["lower"], plain["lower"].clip(lower=0.0))
    np.testing.assert_array_equal(limited["upper"], plain["upper"].clip(lower=0.0))


@pytest.mark.slow
@pytest.mark.parametrize("average", [True, False])
def test_all_predictions_agree(average: bool, model: AutomaticStatistician) -> None:
    model = clone(model).set_params(average=average)._set_model(model.model_)
    ahead = np.arange(55.0, 75.0)[:, None]
    mean, sd = model.predict(ahead, return_std=True)
    joint, cov = model.predict(ahead, return_cov=True)
    np.testing.assert_allclose(joint, mean)
    np.testing.assert_allclose(np.sqrt(cov.diagonal()), sd, rtol=1e-6, atol=1e-9)
    assert model.predict_quantiles(ahead).min() == 0.0
    taken = model.explanation(20)
    assert taken.limits == (0.0, np.inf)
    assert taken.forecast.lower.min() == 0.0
    assert taken.observation.lower.min() >= 0.0


@pytest.mark.slow
def test_coverage_does_not_suffer() -> None:
    held = plain = total = 0
    for seed in range(4):
        rng = np.random.default_rng(seed)
        y = rng.poisson(1.5, 80).astype(float)
        model = AutomaticStatistician(**QUICK, average=False).fit(X, y[:60])
        later = np.arange(60.0, 80.0)[:, None]
        lower, _, upper = model.predict_quantiles(later).T
        held += int(np.sum((lower <= y[60:]) & (y[60:] <= upper)))
        model.target_options = TargetOptions("none", limits=None)
        lower, _, upper = model.predict_quantiles(later).T
        plain += int(np.sum((lower <= y[60:]) & (y[60:] <= upper)))
        total += 20
    assert held == plain
    assert held / total > 0.9


@pytest.mark.slow
def test_amounts_without_a_zero_have_the_limit_that_the_model_misses() -> None:
    """Skewed amounts near zero: noise of one size would have some below it."""
    y = np.random.default_rng(1).gamma(1.0, 2.0, 60)
    skewed = AutomaticStatistician(**QUICK).fit(X, y)
    assert skewed.predict_quantiles(X[:3]).min() == 0.0
    falling = AutomaticStatistician(**QUICK).fit(X, FADING)  # reaches zero at its end alone: nothing shows a limit
    assert falling.forecast(20)["lower"].min() < 0.0


@pytest.mark.slow
def test_sample_curves_respect_limits_and_the_median_is_told_where_one_cuts_the_mean(
    model: AutomaticStatistician, free: AutomaticStatistician
) -> None:
    taken = model.explanation(20)
    assert taken.samples.min() >= 0.0
    ahead = model.predict_quantiles(taken.forecast.x[:, None])[:, 1]
    np.testing.assert_array_equal(taken.forecast.middle, ahead)
    assert (taken.forecast.middle < taken.forecast.mean).all()
    unlimited = free.explanation(20)
    assert unlimited.samples.min() < 0.0
    np.testing.assert_allclose(unlimited.forecast.middle, unlimited.forecast.mean, atol=0.2)


@pytest.mark.slow
def test_limits_of_the_user_come_before_all(model: AutomaticStatistician) -> None:
    asked = _limited((None, 25.0)).fit(X, COUNTS)
    assert asked.predict_quantiles(X).max() <= 25.0
    assert asked.forecast(20)["lower"].min() < 0.0
    with pytest.raises(InputError, match="as the limits say"):
        _limited((0, 10)).fit(X, COUNTS)


@pytest.mark.slow
def test_the_report_says_where_ranges_stop(model: AutomaticStatistician) -> None:
    text = " ".join(block.text for section in model.report().document.sections for block in section.blocks
                    if hasattr(block, "text"))  # fmt: skip
    assert "Values below 0 are taken to be impossible, as none of the data lies there: ranges stop" in text
    assert "the model does not know" not in text


def test_saved_models_keep_their_limits_and_older_ones_have_none(model: AutomaticStatistician, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    model.save(path)
    loaded = AutomaticStatistician.load(path)
    assert loaded.forecast(9).equals(model.forecast(9))
    record = json.loads(path.read_text())
    path.write_text(json.dumps(record | {"limits": [None, 30.0]}))
    assert AutomaticStatistician.load(path).target_options.limits == (None, 30.0)
    path.write_text(json.dumps(record | {"limits": [3.0]}))
    with pytest.raises(InputError):
        AutomaticStatistician.load(path)
    del record["limits"]
    path.write_text(json.dumps(record))
    assert AutomaticStatistician.load(path).forecast(20)["lower"].min() < 0.0


@pytest.mark.slow
def test_the_command_line_takes_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("x,y\n" + "".join(f"{i},{value:g}\n" for i, value in enumerate(COUNTS)))
    quick = ["--language", "linear", "--max-depth", "1", "--n-jobs", "1", "--transform", "none", "--quiet"]
    for text, kept in (("0,", [0.0, None]), ("none", None)):
        assert main(["fit", "t.csv", "--limits", text, *quick]) == 0
        assert json.loads(Path("t-model.json").read_text())["limits"] == kept
    assert main(["fit", "t.csv", "--limits", "0;1"]) == 2
    assert main(["fit", "t.csv", "--limits", "5,1"]) == 2


def _saturating(level: float) -> np.ndarray:
    return level * (1.0 - np.exp(-(np.arange(60.0) + 6.0) / 20.0)) + np.random.default_rng(1).normal(0.0, 0.6, 60)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("y", "limits"),
    [
        (_saturating(98.0), (0.0, 100.0)),
        (_saturating(98.0) / 100.0, (0.0, 1.0)),
        (100.0 - np.abs(np.random.default_rng(0).normal(0.0, 0.5, 60)), (0.0, 100.0)),  # ends there by no chance
        (_saturating(108.0)[:44], (-np.inf, np.inf)),  # on its way beyond
        (np.linspace(60.0, 97.0, 60) + np.random.default_rng(2).normal(0.0, 1.0, 60), (-np.inf, np.inf)),
        (90.0 + np.random.default_rng(5).normal(0.0, 3.0, 60), (-np.inf, np.inf)),
    ],
)
def test_what_levels_off_or_ends_below_a_hundred_is_a_share(y: np.ndarray, limits: tuple[float, float]) -> None:
    assert y.max() < 100.0
    assert AutomaticStatistician(**QUICK | {"language": "extended"}).fit(X[: len(y)], y)._predictor().limits == limits
