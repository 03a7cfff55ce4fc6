"""The classifier that searches: scikit-learn's contract, classes of every kind, files, what it says."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtr
from sklearn.linear_model import LogisticRegression

from autostatistician import AutomaticStatistician, AutomaticStatisticianClassifier
from autostatistician.errors import InputError

RNG = np.random.default_rng(4)
N = 90
FRAME = pd.DataFrame({"dose": RNG.uniform(0.0, 10.0, N), "kind": RNG.choice(["a", "b"], N)})
CHANCE = ndtr(0.6 * (FRAME["dose"] - 5.0) + 0.8 * (FRAME["kind"] == "a"))
Y = np.where(RNG.uniform(size=N) < CHANCE, "well", "ill")
QUICK: dict[str, Any] = {"language": "linear", "max_depth": 3, "n_restarts": 2, "n_jobs": 1}


def _quick(**settings: Any) -> AutomaticStatisticianClassifier:
    return AutomaticStatisticianClassifier(**QUICK | settings)


@pytest.fixture(scope="module")
def model() -> AutomaticStatisticianClassifier:
    return _quick().fit(FRAME, Y)


def test_chances_are_about_those_that_made_the_data(model: AutomaticStatisticianClassifier) -> None:
    p = model.predict_proba(FRAME)
    assert list(model.classes_) == ["ill", "well"]
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    assert np.abs(p[:, 1] - CHANCE).mean() < 0.08
    rival = LogisticRegression(C=10.0).fit(FRAME.assign(kind=FRAME["kind"] == "a"), Y)
    assert model.score(FRAME, Y) > rival.score(FRAME.assign(kind=FRAME["kind"] == "a"), Y) - 0.05
    low, high = model.probability_interval(FRAME)
    assert ((low < p[:, 1]) & (p[:, 1] < high)).all()
    mean, sd = model.latent_mean_and_std(FRAME)
    np.testing.assert_allclose(ndtr(mean / np.sqrt(1.0 + sd**2)), p[:, 1], atol=0.02)
    assert (model.predict(FRAME) == np.where(p[:, 1] > 0.5, "well", "ill")).all()


@pytest.mark.slow
def test_parts_add_up_to_the_function(model: AutomaticStatisticianClassifier) -> None:
    alone = _quick(average=False).fit(FRAME, Y)
    mean, sd = alone.latent_mean_and_std(FRAME)
    np.testing.assert_allclose(alone.predict_proba(FRAME)[:, 1], ndtr(mean / np.sqrt(1.0 + sd**2)))
    expected = ndtr([mean - 1.959964 * sd, mean + 1.959964 * sd])
    np.testing.assert_allclose(alone.probability_interval(FRAME), expected, rtol=1e-5)
    np.testing.assert_allclose(alone.transform(FRAME).sum(axis=1), alone.latent_mean_and_std(FRAME)[0], atol=1e-6)
    (part, *_) = model.decompose()
    assert "dose" in part.expression
    assert any("chance of 'y' = 'well' rises" in one for one in model.describe())
    assert model.search_.frontier["score"].is_monotonic_increasing or len(model.search_.frontier) > 1


@pytest.mark.slow
@pytest.mark.parametrize(("labels", "depth"), [(("ill", "well"), 1), ((0, 1), 0), ((False, True), 0), ((2.0, 7.0), 0)])
def test_a_saved_model_says_the_same(tmp_path: Path, labels: tuple[Any, Any], depth: int) -> None:
    y = np.where(Y == "well", labels[1], labels[0])[::2]
    model = _quick(max_depth=depth, link="logistic").fit(FRAME[::2], y)
    model.save(tmp_path / "m.json")
    twin = AutomaticStatisticianClassifier.load(tmp_path / "m.json")
    assert twin.get_params() == model.get_params()
    assert twin.classes_.tolist() == list(labels)
    np.testing.assert_array_equal(twin.predict_proba(FRAME), model.predict_proba(FRAME))
    np.testing.assert_array_equal(twin.predict(FRAME), model.predict(FRAME))
    assert twin.describe() == model.describe()
    with pytest.raises(InputError, match="AutomaticStatisticianClassifier"):
        AutomaticStatistician.load(tmp_path / "m.json")


@pytest.mark.slow
def test_a_file_that_was_spoilt_is_refused(tmp_path: Path, model: AutomaticStatisticianClassifier) -> None:
    path = tmp_path / "m.json"
    model.save(path)
    text = path.read_text()
    for old, new in (
        ('"labels": ["ill", "well"]', '"labels": ["ill"]'),
        ('"link": "probit"', '"link": "cloglog"'),
        ('"likelihood"', '"likelihoods"'),
    ):
        assert old in text
        path.write_text(text.replace(old, new))
        with pytest.raises(InputError):
            AutomaticStatisticianClassifier.load(path)
    AutomaticStatistician(max_depth=0, n_jobs=1).fit(FRAME[["dose"]], CHANCE).save(path)
    with pytest.raises(InputError, match="one of numbers"):
        AutomaticStatisticianClassifier.load(path)


def test_missing_labels_are_treated_as_missing_numbers_are() -> None:
    gaps = np.where(np.arange(N) < 3, None, Y)
    found = _quick(max_depth=0).fit(FRAME, gaps)
    assert found.dataset_.n == N - 3
    assert "3 rows" in " ".join(found.dataset_.warnings)
    with pytest.raises(InputError, match="leave such rows out"):
        _quick(max_depth=0).fit(FRAME[["dose"]].to_numpy(), gaps)
    masked = np.ma.masked_array(Y, np.arange(N) < 3)
    assert _quick(max_depth=0).fit(FRAME[["dose"]].to_numpy(), masked).dataset_.n == N - 3


@pytest.mark.slow
def test_three_rows_of_a_class_and_separable_ones_get_a_sensible_answer() -> None:
    few = np.where(np.arange(N) < 3, "rare", "usual")
    X = np.random.default_rng(8).normal(size=(N, 1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = _quick().fit(X, few)
        assert 0.9 < found.predict_proba(X)[:, 1].mean() < 1.0
        apart = _quick().fit(X, X[:, 0] > 0.2)
        assert apart.score(X, X[:, 0] > 0.2) > 0.95
        assert any("falls" in one or "rises" in one for one in apart.describe())


@pytest.mark.slow
def test_on_noise_nothing_is_found() -> None:
    rng = np.random.default_rng(9)
    found = _quick(language="extended", max_depth=2).fit(rng.normal(size=(80, 3)), rng.integers(0, 2, 80))
    assert str(found.kernel_) == "C"
    assert found.describe()[0].startswith("No column tells anything clear about")


@pytest.mark.slow
def test_rain_over_time(tmp_path: Path) -> None:
    days = pd.date_range("2024-01-01", periods=120)
    wet = np.random.default_rng(7).uniform(size=120) < ndtr(2.0 * np.sin(np.arange(120) / 19.0))
    frame = pd.DataFrame({"day": days, "rain": np.where(wet, "yes", "no")})
    found = _quick(language="se", max_depth=1).fit(frame, "rain")
    ahead = found.forecast(5)
    assert list(ahead) == ["time", "probability", "lower", "upper", "class"]
    assert ahead["time"][0] == pd.Timestamp("2024-04-30")
    assert ((ahead["lower"] < ahead["probability"]) & (ahead["probability"] < ahead["upper"])).all()
    assert found.describe()[0].startswith("Along 'day' the chance of 'rain' = 'yes' rises from ")
    assert found.predict_proba(pd.DataFrame({"day": days[:3]})).shape == (3, 2)
    page = found.report(tmp_path / "rain.html").read_text()
    assert "Model checks" in page
    with pytest.raises(InputError, match="task='number'"):
        AutomaticStatistician(max_depth=0).fit(found.dataset_)


@pytest.mark.slow
def test_of_many_columns_those_that_act_are_found() -> None:
    rng = np.random.default_rng(10)
    wide = pd.DataFrame(rng.standard_normal((N, 14)), columns=[f"c{place}" for place in range(14)])
    y = np.where(wide["c3"] - wide["c11"] + 0.5 * rng.standard_normal(N) > 0.0, "well", "ill")
    model = _quick().fit(wide, y)
    used = {part.split("]")[0] for part in str(model.kernel_).split("[")[1:]}
    assert {"c3", "c11"} <= used
    assert model.predict_proba(wide).shape == (N, 2)
